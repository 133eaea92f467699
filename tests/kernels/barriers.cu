// arch: sm_75
// Barriers beyond the plain one.
#include "common.cuh"
#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
// Warp 0 produces, warp 1 consumes, two slots; a full and an empty barrier each.
KERNEL producer(unsigned *out, int rounds)
{
  __shared__ unsigned slot[2][32];
  unsigned lane = threadIdx.x & 31, acc = 0;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; r++) {
      if (r >= 2)
        SYNC(3 + (r & 1), 64);
      slot[r & 1][lane] = mix(r * 32 + lane);
      __threadfence_block();
      ARRIVE(1 + (r & 1), 64);
    }
  } else {
    for (int r = 0; r < rounds; r++) {
      SYNC(1 + (r & 1), 64);
      acc = acc * 3 + slot[r & 1][lane ^ 1];
      if (r + 2 < rounds)
        ARRIVE(3 + (r & 1), 64);
    }
    out[lane] = acc;
  }
}
// Two halves of a CTA, each with its own barrier, then all together.
KERNEL named(unsigned *out)
{
  __shared__ unsigned s[256];
  unsigned t = threadIdx.x, half = t >> 7;
  s[t] = mix(t);
  for (unsigned d = 64; d >= 1; d >>= 1) {
    SYNC(half + 1, 128);
    unsigned v = (t & 127) < d ? s[t + d] : 0;
    SYNC(half + 1, 128);
    if ((t & 127) < d)
      s[t] += v * (half + 1);
  }
  __syncthreads();
  out[t] = s[half ? 0 : 128] + t;
}
KERNEL reducing(unsigned *out)
{
  unsigned t = threadIdx.x, b = blockIdx.x, h = mix(b * blockDim.x + t);
  unsigned n = __syncthreads_count(h % 3 == 0);
  int any = __syncthreads_or(h % 500 == b);
  int all = __syncthreads_and(h % 500 != b);
  out[b * blockDim.x + t] = n << 2 | (any != 0) << 1 | (all != 0);
}
// Warps reach the same barrier at different places in the code.
KERNEL split_code(unsigned *out)
{
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, w = t >> 5, acc = 0;
  s[t] = t;
  if (w == 0) {
    asm volatile("bar.sync 0;" ::: "memory");
    acc = s[t + 96];
    s[t] = acc + 1;
    asm volatile("bar.sync 0;" ::: "memory");
  } else if (w == 1) {
    s[t] = 1000 + t;
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    acc = s[t - 32];
  } else {
    for (int k = 0; k < 2; k++) {
      asm volatile("bar.sync 0;" ::: "memory");
      acc += s[63 - (t & 31)];
    }
  }
  out[t] = acc;
}
// Warps that have left count as arrived.
KERNEL early_exit(unsigned *out)
{
  __shared__ unsigned s[256];
  unsigned t = threadIdx.x, w = t >> 5;
  s[t] = t + 1;
  __syncthreads();
  if (w >= 4 && w != 6)
    return;
  unsigned v = s[(t + 32) & 255];
  __syncthreads();
  s[t] += v;
  __syncthreads();
  if (w & 1)
    return;
  v = s[t & 127];
  __syncthreads();
  out[t] = v * 2;
}
// A third of a warp leaves before the barrier; the rest of the warp still meets the others.
KERNEL part_exit(unsigned *out)
{
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = 3 * t;
  if (t % 3 == 2) {
    out[t] = 7;
    return;
  }
  __syncthreads();
  out[t] = s[(t % 3 == 0 ? t + 1 : t - 1) & 63];
}
