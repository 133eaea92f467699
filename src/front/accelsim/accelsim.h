/* Traces of Accel-Sim (its tracer's versions 3 to 5): read into a recorded stream, and written from one.
 *
 *   DIR/kernelslist.g   MemcpyHtoD lines, and the files of the kernels in their order
 *   DIR/kernel-N.traceg[.xz]   a head; thread blocks, of which each has its warps, of which each has its instructions
 *
 * An instruction of a trace becomes a block of its own, numbered by its PC, so that code lies as it did. Memory does
 * not grow with the trace: a thread block goes to the stream in pieces. */
#ifndef SLUICE_FRONT_ACCELSIM_ACCELSIM_H
#define SLUICE_FRONT_ACCELSIM_ACCELSIM_H

#include "base/progress.h"
#include "base/strbuf.h"
#include "front/accelsim/opcodes.h"

struct accelsim_import {
  struct sass_unknown unknown;
  bool partial; /* a kernel's last thread blocks may be missing */
  enum progress_mode progress;
  struct strbuf notes; /* filled: what the trace lacks, a line each */
  uint64_t kernels, ctas, instructions, bytes;
};
/* `list`: the kernelslist.g. False after filling err; then there is no stream. */
bool accelsim_import(const char *list, const char *stream, struct accelsim_import *o, struct error *err);

struct accelsim_export {
  enum progress_mode progress;
  uint64_t kernels, ctas, instructions;
};
/* Writes kernelslist.g and its kernels into the folder, which is made if it is not there. */
bool accelsim_export(const char *stream, const char *folder, struct accelsim_export *o, struct error *err);

#endif
