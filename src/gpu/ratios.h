/* The statistics of a GPU: its counters by name, and what is computed from them. */
#ifndef SLUICE_GPU_RATIOS_H
#define SLUICE_GPU_RATIOS_H

#include "gpu/counters.h"

/* Puts everything but the DRAM's own rows. */
void ratios_put(const struct gpu *g, const uint64_t total[NCOUNTERS], const struct dram_device *d,
                struct stats *s);
/* Requests by page, of all launches, where they are counted. */
void ratios_put_locality(const struct gpu *g, struct stats *s);

#endif
