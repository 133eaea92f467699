// arch: sm_80
// All CTAs are resident and meet at a barrier made of one counter, several times.
#include "common.cuh"
__device__ void grid_sync(unsigned *count, unsigned round)
{
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < gridDim.x * round)
      ;
    __threadfence();
  }
  __syncthreads();
}
// Each round every cell becomes the sum of itself and a neighbour at distance 2^round in the other buffer.
KERNEL grid_barrier(unsigned *a, unsigned *b, unsigned *count, int rounds)
{
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = mix(i);
  grid_sync(count, 1);
  for (int r = 0; r < rounds; r++) {
    volatile unsigned *src = r & 1 ? b : a, *dst = r & 1 ? a : b;
    dst[i] = src[i] + 3 * src[(i + (1u << r)) % n];
    grid_sync(count, r + 2);
  }
}
