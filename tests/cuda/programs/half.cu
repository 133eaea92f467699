// 16-bit floats: half, half2, bfloat16, conversions, atomics on pairs.
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void dot(const half2 *a, const half2 *b, float *out, int n) {
  half2 s = __float2half2_rn(0.f);
  for (int i = threadIdx.x; i < n; i += 32)
    s = __hfma2(a[i], b[i], s);
  float f = __low2float(s) + __high2float(s);
  for (int o = 16; o; o /= 2)
    f += __shfl_xor_sync(~0u, f, o);
  if (threadIdx.x == 0)
    *out = f;
}
__global__ void kinds(const float *in, __half *h, __nv_bfloat16 *b, float *back, half2 *sum) {
  int t = threadIdx.x;
  h[t] = __hadd(__float2half(in[t]), __int2half_rn(1));
  b[t] = __float2bfloat16(in[t] * 3);
  back[t] = __half2float(h[t]) + __bfloat162float(b[t]) + (__hgt(h[t], __float2half(8.f)) ? 100 : 0) +
            __half2float(hsqrt(__float2half(16.f)));
  atomicAdd(sum, __floats2half2_rn(1.f, 0.5f));
}
int main() {
  const int n = 256;
  half2 h[n], *a, *b, pair;
  float *o, got, in[32], back[32], *din, *dback;
  for (int i = 0; i < n; i++)
    h[i] = __floats2half2_rn(i % 4, 0.5f);
  OK(cudaMalloc(&a, sizeof h));
  OK(cudaMalloc(&b, sizeof h));
  OK(cudaMalloc(&o, 4));
  OK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
  dot<<<1, 32>>>(a, b, o, n);
  OK(cudaMemcpy(&got, o, 4, cudaMemcpyDeviceToHost));
  bool ok = got == n / 4 * (0 + 1 + 4 + 9) + n * 0.25f;
  for (int i = 0; i < 32; i++)
    in[i] = i * 0.5f;
  __half *dh;
  __nv_bfloat16 *db;
  OK(cudaMalloc(&dh, 64));
  OK(cudaMalloc(&db, 64));
  OK(cudaMalloc(&din, 128));
  OK(cudaMalloc(&dback, 128));
  OK(cudaMemset(a, 0, 4));
  OK(cudaMemcpy(din, in, 128, cudaMemcpyHostToDevice));
  kinds<<<1, 32>>>(din, dh, db, dback, a);
  OK(cudaMemcpy(back, dback, 128, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&pair, a, 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    ok &= back[i] == in[i] + 1 + in[i] * 3 + (in[i] + 1 > 8 ? 100 : 0) + 4;
  ok &= __low2float(pair) == 32 && __high2float(pair) == 16;
  return finish(ok);
}
