// arch: sm_80
// Every atomic operation and type, on global and on shared memory, with and without its result.
#include "common.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;
typedef long long s64;
// Final values only: contention makes the old values depend on order.
__device__ void mixed32(unsigned *u, int *s, unsigned h)
{
  atomicAdd(&u[0], h);
  atomicSub(&u[1], h);
  atomicMin(&u[2], h);
  atomicMax(&u[3], h);
  atomicAnd(&u[4], h | 0x0f0f0f0fu);
  atomicOr(&u[5], h & 0x80402010u);
  atomicXor(&u[6], h);
  atomicInc(&u[7], 76u);
  atomicDec(&u[8], 41u);
  atomicMin(&s[0], (int)h);
  atomicMax(&s[1], (int)h);
  atomicAdd(&s[2], (int)h >> 3);
}
__device__ void mixed64(u64 *u, s64 *s, unsigned h)
{
  u64 w = (u64)h << 32 | mix(h);
  atomicAdd(&u[0], w);
  atomicMin(&u[1], w);
  atomicMax(&u[2], w);
  atomicAnd(&u[3], w | 0xff00ff00ff00ff00ull);
  atomicOr(&u[4], w & 0x8001800180018001ull);
  atomicXor(&u[5], w);
  atomicMin(&s[0], (s64)w);
  atomicMax(&s[1], (s64)w);
}
__device__ void init(unsigned *u32, u64 *u64s)
{
  u32[2] = 0xffffffffu, u32[4] = 0xffffffffu, u32[9] = 0x7fffffffu, u32[10] = 0x80000000u;
  u64s[1] = ~0ull, u64s[3] = ~0ull, u64s[6] = 0x7fffffffffffffffull, u64s[7] = 0x8000000000000000ull;
}
KERNEL atomics_global_init(unsigned *u, u64 *w) { init(u, w); }
KERNEL atomics_global(unsigned *u, u64 *w)
{
  unsigned h = mix(blockIdx.x * blockDim.x + threadIdx.x);
  mixed32(u, (int *)u + 9, h);
  mixed64(w, (s64 *)w + 6, h);
}
// The same per CTA in shared memory, reported by CTA 0.
KERNEL atomics_shared(unsigned *u, u64 *w)
{
  __shared__ unsigned su[12];
  __shared__ u64 sw[8];
  if (threadIdx.x < 12) su[threadIdx.x] = 0;
  if (threadIdx.x < 8) sw[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) init(su, sw);
  __syncthreads();
  unsigned h = mix(blockIdx.x * blockDim.x + threadIdx.x);
  mixed32(su, (int *)su + 9, h);
  mixed64(sw, (s64 *)sw + 6, h);
  __syncthreads();
  if (threadIdx.x < 12) u[blockIdx.x * 12 + threadIdx.x] = su[threadIdx.x];
  if (threadIdx.x < 8) w[blockIdx.x * 8 + threadIdx.x] = sw[threadIdx.x];
}
// A cell per thread: the old value is known.
KERNEL atomics_return(unsigned *out, unsigned *cell)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), r = 0, *c = cell + 2 * i;
  r = r * 31 + atomicAdd(c, h);
  r = r * 31 + atomicSub(c, 77u);
  r = r * 31 + atomicExch(c, h ^ 0xffu);
  r = r * 31 + atomicMin(c, 0x40000000u);
  r = r * 31 + atomicMax(c, 0x20000000u);
  r = r * 31 + atomicAnd(c, 0xf0ffff0fu);
  r = r * 31 + atomicOr(c, 0x00010080u);
  r = r * 31 + atomicXor(c, h << 3);
  r = r * 31 + atomicInc(c, h);
  r = r * 31 + atomicDec(c, 0x00ffffffu);
  r = r * 31 + atomicCAS(c, *(volatile unsigned *)c, 9u); // succeeds
  r = r * 31 + atomicCAS(c, 8u, 7u);                      // fails
  r = r * 31 + (unsigned)atomicMin((int *)c, -5);
  r = r * 31 + (unsigned)atomicMax((int *)c, -2);
  r = r * 31 + *(volatile unsigned *)c;
  u64 *d = (u64 *)c;
  *(volatile unsigned *)(c + 1) = h;
  u64 o = atomicAdd(d, 0x1fffffffeull);
  r = r * 31 + (unsigned)o + (unsigned)(o >> 32);
  o = atomicExch(d, (u64)h * h);
  r = r * 31 + (unsigned)o + (unsigned)(o >> 32);
  o = atomicCAS(d, (u64)h * h, 5ull);
  r = r * 31 + (unsigned)o + (unsigned)(o >> 32);
  o = atomicMax((s64 *)d, -1ll);
  r = r * 31 + (unsigned)o + (unsigned)(o >> 32);
  out[i] = r;
}
// Sums of small integers: exact in any order.
KERNEL atomics_float(float *f, double *d, unsigned *h)
{
  __half2 *h2 = (__half2 *)h;
  __nv_bfloat162 *b2 = (__nv_bfloat162 *)(h + 1);
  __half *h1 = (__half *)(h + 2);
  __nv_bfloat16 *b1 = (__nv_bfloat16 *)(h + 3);
  unsigned i = threadIdx.x;
  atomicAdd(f, (float)(i & 7) + 0.5f);
  atomicAdd(d, (double)i * 0.25);
  atomicAdd(h2, __floats2half2_rn((float)(i & 3), (float)(i & 1)));
  atomicAdd(b2, __floats2bfloat162_rn((float)(i & 1), 1.0f));
  atomicAdd(h1, __float2half((float)(i & 1)));
  atomicAdd(b1, __float2bfloat16((float)(i % 3 == 0)));
  __shared__ float sf;
  __shared__ double sd;
  if (i == 0) sf = 0, sd = 0;
  __syncthreads();
  atomicAdd(&sf, 1.5f);
  atomicAdd(&sd, -2.25);
  __syncthreads();
  if (i == 0) f[1] = sf, d[1] = sd;
}
