// More microbenchmarks of the same kind as micro.cu: how much a miss of the L2 fetches, constants whose place an assembler knows, steps
// between barriers, code that no cache has. `micro5.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// One lane reads words `step` bytes apart, one after the other; the buffer holds zeros. Cold: what of the next words came with the last?
GLOBAL chase_step(const char *p, uint32_t *o, int step, int n) {
  uint32_t v = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + v));
    p += step;
  }
  o[gid()] = v;
}
// The same by a warp on each of several SMs, all on the same words.
GLOBAL chase_step_all(const char *p, uint32_t *o, int step, int n) {
  uint32_t v = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p + v));
    p += step;
  }
  o[gid()] = v;
}

// Constants at places that are known when the kernel is assembled.
__constant__ float taps[64];
GLOBAL const_fixed(float *o, float x, int n) {
  float s[4] = {x, x + 1, x + 2, x + 3};
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 32; j++)
      s[j % 4] = s[j % 4] * x + taps[j];
  o[gid()] = s[0] + s[1] + s[2] + s[3];
}
GLOBAL const_fixed_chain(float *o, float x, int n) {
  float s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 32; j++)
      s = s * x + taps[j];
  o[gid()] = s;
}

// A step of a stencil in shared memory: three neighbours, a store, a barrier, and the other half of the array.
GLOBAL bars_stencil(float *o, int n) {
  __shared__ float t[2][1026];
  int i = threadIdx.x + 1, now = 0;
  t[0][i] = t[1][i] = (float)i;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[now ^ 1][i] = t[now][i - 1] + t[now][i + 1] + t[now][i];
    now ^= 1;
    __syncthreads();
  }
  o[gid()] = t[now][i];
}
// The same where lanes at both ends of a warp do nothing.
GLOBAL bars_stencil_part(float *o, int n) {
  __shared__ float t[2][1026];
  int i = threadIdx.x + 1, now = 0, lane = threadIdx.x % 32;
  t[0][i] = t[1][i] = (float)i;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    float c = t[now][i];
    if (lane && lane < 31)
      c = t[now][i - 1] + t[now][i + 1] + c;
    t[now ^ 1][i] = c;
    now ^= 1;
    __syncthreads();
  }
  o[gid()] = t[now][i];
}

// Accesses whose predicate no lane has, each on its own.
#define NONE(name, code)                                                                                     \
  GLOBAL name(uint32_t *p, uint32_t *o, int far, int n) {                                                    \
    __shared__ uint32_t s[1024];                                                                             \
    s[threadIdx.x] = 0;                                                                                      \
    uint32_t v[8] = {0}, a = (uint32_t)__cvta_generic_to_shared(s + threadIdx.x), sum = 0;                   \
    p += threadIdx.x, far += threadIdx.x;                                                                    \
    _Pragma("unroll 1") for (int k = 0; k < n; k++) {                                                        \
      _Pragma("unroll") for (int j = 0; j < 8;                                                               \
                             j++) asm volatile("{.reg .pred q;\n\tsetp.eq.s32 q, %1, %4;\n\t" code "}" :     \
                                               "+r"(v[j]) : "r"(far), "r"(a), "l"(p), "r"(-12345 - j));      \
    }                                                                                                        \
    _Pragma("unroll") for (int j = 0; j < 8; j++) sum += v[j];                                               \
    o[gid()] = sum;                                                                                          \
  }
NONE(none_sts, "@q st.shared.u32 [%2], %0;\n\t")
NONE(none_lds, "@q ld.shared.u32 %0, [%2];\n\t")
NONE(none_stg, "@q st.global.u32 [%3], %0;\n\t")
NONE(none_ldg, "@q ld.global.u32 %0, [%3];\n\t")
NONE(none_red, "@q red.shared.add.u32 [%2], 1;\n\t")

// Code of 4 and 32 KB without a branch, n times over.
template <int length> __device__ __forceinline__ float long_code(float x, int n) {
  float s[4] = {x, x + 1, x + 2, x + 3};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < length; j++)
      s[j % 4] = s[j % 4] * x + (float)(j + 1) * 1.5f;
  }
  return s[0] + s[1] + s[2] + s[3];
}
GLOBAL code_4k(float *o, float x, int n) {
  o[gid()] = long_code<256>(x, n);
}
GLOBAL code_32k(float *o, float x, int n) {
  o[gid()] = long_code<2048>(x, n);
}
