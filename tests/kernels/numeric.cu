// arch: sm_80
// Arithmetic of other widths and the mathematical library.
#include "common.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;
KERNEL half2s(unsigned *out)
{
  unsigned i = threadIdx.x, h = mix(i);
  __half2 a = __halves2half2(__int2half_rn(h % 200), __int2half_rn((int)(h >> 8) % 100)), b = __float2half2_rn((float)(i % 9) * 0.37f);
  __half2 r[8] = {__hadd2(a, b), __hsub2(a, b), __hmul2(a, b), __hfma2(a, b, a), __hneg2(a), __hmin2(a, b), __hmax2(a, b), __hmul2_sat(a, __float2half2_rn(0.01f))};
  for (int k = 0; k < 8; k++) out[i * 10 + k] = *(unsigned *)&r[k];
  out[i * 10 + 8] = __half_as_ushort(__float2half_rz((float)(h & 0x1ffff))) | (unsigned)__half_as_ushort(__double2half(h / 3.0e7)) << 16;
  __nv_bfloat162 p = __floats2bfloat162_rn((float)(h & 255), 0.1f * i), q = __hfma2(p, p, p);
  out[i * 10 + 9] = *(unsigned *)&q;
}
KERNEL libm(double *out)
{
  unsigned i = threadIdx.x;
  double x = (i - 64.0) * 0.37, *o = out + i * 8;
  o[0] = sin(x);
  o[1] = exp(x * 0.5);
  o[2] = pow(fabs(x) + 0.5, 1.7);
  o[3] = log(fabs(x) + 0.01);
  o[4] = tanh(x * 0.1);
  o[5] = sqrt(fabs(x)) / (1.0 + x * x);
  o[6] = cos(1e6 * x); // the large-argument path
  o[7] = cbrt(x) + atan2(x, 3.0);
}
KERNEL libmf(float *out)
{
  unsigned i = threadIdx.x;
  float x = ((int)i - 64) * 0.37f, *o = out + i * 6;
  o[0] = sinf(x);
  o[1] = expf(x * 0.5f);
  o[2] = powf(fabsf(x) + 0.5f, 1.7f);
  o[3] = logf(fabsf(x) + 0.01f);
  o[4] = sqrtf(fabsf(x)) / (1.0f + x * x);
  o[5] = cosf(1e5f * x);
}
KERNEL div64(u64 *out)
{
  unsigned i = threadIdx.x;
  u64 a = (u64)mix(i) << 32 | mix(i + 1000), b = ((u64)mix(i + 2000) << 32 | mix(i + 3000)) >> (i % 50);
  long long s = (long long)a, t = (long long)b - (1ll << 20);
  b |= 1, t |= 1;
  u64 *o = out + i * 6;
  o[0] = a / b;
  o[1] = a % b;
  o[2] = (u64)(s / t);
  o[3] = (u64)(s % t);
  o[4] = (unsigned)a / (unsigned)(b | 1) + (u64)(unsigned)((int)(a >> 7) / ((int)t | 1)) * 65536;
  o[5] = __umul64hi(a, b) ^ (u64)__mul64hi(s, t);
}
