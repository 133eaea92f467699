/* What must hold at the end of every launch; a violated invariant is an error, not a warning. */
#ifndef SLUICE_GPU_INVARIANTS_H
#define SLUICE_GPU_INVARIANTS_H

#include "gpu/counters.h"

/* `total` is since the GPU was built. False after adding every violated invariant to err. */
bool invariants_hold(const struct gpu *g, const uint64_t total[NCOUNTERS], struct error *err);

#endif
