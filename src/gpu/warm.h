/* Buffers that were copied from the host before the first launch are in the L2 (l2.warm). */
#ifndef SLUICE_GPU_WARM_H
#define SLUICE_GPU_WARM_H

#include "front/functional.h"
#include "gpu/gpu.h"

/* The L2 holds what copies of these buffers, one after the other, leave there; statistics of the caches count them. */
void gpu_warm_l2(struct gpu *g, const struct functional_buffer *b, size_t n);

#endif
