// arch: sm_75
// Every CTA waits for the one after it: only the last can start at once.
#include "common.cuh"
KERNEL later_flag(volatile unsigned *flag, volatile unsigned *value)
{
  unsigned b = blockIdx.x;
  __shared__ unsigned got;
  if (threadIdx.x == 0) {
    got = 0;
    if (b + 1 < gridDim.x) {
      while (flag[b + 1] == 0)
        ;
      __threadfence();
      got = value[b + 1];
    }
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    value[b] = got * 5 + b;
    __threadfence();
    flag[b] = 1;
  }
}
