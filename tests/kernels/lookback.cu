// arch: sm_75
// A prefix sum over more CTAs than are resident: each waits for the one before it. And large parameters.
#include "common.cuh"
KERNEL lookback(volatile unsigned *sums, unsigned *out)
{
  __shared__ unsigned s[64], before;
  unsigned t = threadIdx.x, b = blockIdx.x, v = mix(b * 64 + t) & 0xff;
  s[t] = v;
  for (unsigned d = 1; d < 64; d <<= 1) {
    __syncthreads();
    unsigned x = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += x;
  }
  __syncthreads();
  if (t == 0) {
    unsigned x = 0;
    if (b)
      while ((x = sums[b - 1]) == 0)
        ;
    before = x ? x - 1 : 0;
    sums[b] = before + s[63] + 1; // one more, so that it is never zero
  }
  __syncthreads();
  if (t % 16 == 0)
    out[b * 4 + t / 16] = before + s[t];
}
struct config { int step[12]; double scale; unsigned char flag[3]; };
KERNEL big_param(unsigned *out, const config c, short extra)
{
  unsigned i = threadIdx.x;
  out[i] = (unsigned)(c.step[i % 12] * c.scale) + c.flag[i % 3] + extra; // a run-time index into parameters
}
// The same through pointers and a copy that the kernel changes.
KERNEL big_param_copy(unsigned *out, config c)
{
  unsigned i = threadIdx.x;
  c.step[i % 12] += i;
  int sum = 0;
  for (int k = 0; k < 12; k++)
    sum = sum * 2 + c.step[k];
  out[i] = sum;
}
