/* What must hold at the end of every launch; a violated law is an error, not a warning. */
#ifndef SLUICE_GPU_INVARIANTS_H
#define SLUICE_GPU_INVARIANTS_H

#include "gpu/counters.h"

/* `total` is since the GPU was built. False after adding every violated law to err. */
bool laws_hold(const struct gpu *g, const uint64_t total[NCOUNTERS], struct error *err);

#endif
