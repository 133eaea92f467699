/* A timeline as a trace for ui.perfetto.dev and chrome://tracing (the Trace Event Format, JSON). */
#ifndef SLUICE_VIEW_PERFETTO_H
#define SLUICE_VIEW_PERFETTO_H

#include "base/error.h"

/* Processes: the GPU (kernels, counters), each SM (CTAs, warps' waits), each memory channel (its banks' commands). A
 * microsecond of the trace is a core cycle. */
bool perfetto_write(const char *timeline, const char *path, struct error *err);

#endif
