// arch: sm_75
// Locks taken by each lane of a warp, and by CTAs among each other.
#include "common.cuh"
// The naive form: lanes that fail spin while the winner must get out to release.
KERNEL lock_naive(unsigned *lock, volatile unsigned *sum)
{
  while (atomicCAS(lock, 0u, 1u) != 0)
    ;
  unsigned t = sum[0];
  sum[0] = t * 1u + threadIdx.x + 1;
  sum[1] = sum[1] + 1;
  __threadfence();
  atomicExch(lock, 0u);
}
// The form written for lock-step warps.
KERNEL lock_done(unsigned *lock, volatile unsigned *sum)
{
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0) {
      sum[0] = sum[0] + threadIdx.x + 1;
      sum[1] = sum[1] + 1;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}
// One thread of each CTA.
KERNEL lock_cta(unsigned *lock, volatile unsigned *sum)
{
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0)
      ;
    __threadfence();
    for (unsigned i = 0; i < 8; i++)
      sum[i] = sum[i] + i * blockIdx.x + 1;
    __threadfence();
    atomicExch(lock, 0u);
  }
}
// A lock in shared memory per bucket, lanes contending for different ones.
KERNEL lock_buckets(unsigned *out)
{
  __shared__ int lock[4];
  __shared__ volatile unsigned count[4], total[4];
  if (threadIdx.x < 4)
    lock[threadIdx.x] = 0, count[threadIdx.x] = 0, total[threadIdx.x] = 0;
  __syncthreads();
  unsigned b = mix(threadIdx.x) & 3;
  for (bool done = false; !done;)
    if (atomicCAS(&lock[b], 0, 1) == 0) {
      count[b] = count[b] + 1;
      total[b] = total[b] + threadIdx.x;
      __threadfence_block();
      atomicExch(&lock[b], 0);
      done = true;
    }
  __syncthreads();
  if (threadIdx.x < 4) {
    out[threadIdx.x] = count[threadIdx.x];
    out[4 + threadIdx.x] = total[threadIdx.x];
  }
}
