// Code of 4 to 128 KB straight on, round and round: what the caches of instructions hold, and what it takes when they do not.
// `micro11.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
// 16 instructions of 16 bytes; four sums, for which four warps of a scheduler hide the latency.
#define I4 "fma.rn.f32 %0,%0,%4,%4;fma.rn.f32 %1,%1,%4,%4;fma.rn.f32 %2,%2,%4,%4;fma.rn.f32 %3,%3,%4,%4;"
#define I16 I4 I4 I4 I4
#define KB1 I16 I16 I16 I16
#define KB4 KB1 KB1 KB1 KB1
#define KB16 KB4 KB4 KB4 KB4
#define BLOCK(text) asm volatile(text : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "f"(x))
#define CODE(name, text)                                                                                                                   \
  GLOBAL name(float *o, float x, int n) {                                                                                                  \
    float a = x, b = x + 1, c = x + 2, d = x + 3;                                                                                          \
    _Pragma("unroll 1") for (int k = 0; k < n; k++) BLOCK(text);                                                                           \
    o[gid()] = a + b + c + d;                                                                                                              \
  }
CODE(code_4, KB4)
CODE(code_16, KB16)
CODE(code_32, KB16 KB16)
CODE(code_64, KB16 KB16 KB16 KB16)
CODE(code_128, KB16 KB16 KB16 KB16 KB16 KB16 KB16 KB16)
