// Where divergence takes longer than a branch and a meeting point: trees and chains of ways, branches that none of the lanes under way
// takes, and jumps through 2 to 128 KB of code.
// `micro12.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
// Eight dependent instructions, other ones for each way, so that an assembler joins no ways.
#define STEP(number) "fma.rn.f32 %0, %0, %1, 0f3F8000" #number ";\n\t"
#define WAY(number)                                                                                                                        \
  asm volatile(STEP(number) STEP(number) STEP(number) STEP(number) STEP(number) STEP(number) STEP(number) STEP(number)                     \
               : "+f"(x)                                                                                                                   \
               : "f"(k))
#define TWO(bit, a, b)                                                                                                                     \
  if (w & bit) {                                                                                                                           \
    a;                                                                                                                                     \
  } else {                                                                                                                                 \
    b;                                                                                                                                     \
  }
#define FOUR(bit, a, b, c, d) TWO(bit, TWO(2 * bit, WAY(a), WAY(b)), TWO(2 * bit, WAY(c), WAY(d)))
#define LOOP(name, body)                                                                                                                   \
  GLOBAL name(float *o, float k, uint32_t apart, int n) {                                                                                  \
    float x = gid();                                                                                                                       \
    uint32_t w = threadIdx.x * apart;                                                                                                      \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {                                                                                      \
      body;                                                                                                                                \
      asm volatile("add.u32 %0, %0, 1;" : "+r"(w));                                                                                        \
    }                                                                                                                                      \
    o[gid()] = x;                                                                                                                          \
  }
// A tree of tests: lanes that waited part again.
LOOP(tree_4, FOUR(1, 10, 11, 12, 13))
LOOP(tree_8, TWO(1, FOUR(2, 10, 11, 12, 13), FOUR(2, 14, 15, 16, 17)))
LOOP(tree_16, TWO(1, TWO(2, FOUR(4, 10, 11, 12, 13), FOUR(4, 14, 15, 16, 17)), TWO(2, FOUR(4, 18, 19, 20, 21), FOUR(4, 22, 23, 24, 25))))
// One test after the other: lanes that waited only have their way to go.
#define CASE(number, way)                                                                                                                  \
  if ((w & 7) == number) {                                                                                                                 \
    WAY(way);                                                                                                                              \
  } else
LOOP(chain_8, CASE(0, 10) CASE(1, 11) CASE(2, 12) CASE(3, 13) CASE(4, 14) CASE(5, 15) CASE(6, 16) { WAY(17); })
// Half of the lanes, or all, pass eight branches that none of them takes, or that all of them take.
#define PASS(op, number)                                                                                                                   \
  if (y op number)                                                                                                                         \
    WAY(11);                                                                                                                               \
  WAY(10);                                                                                                                                 \
  asm volatile("" : "+r"(y));
#define PASSES(name, op)                                                                                                                   \
  GLOBAL name(float *o, float k, uint32_t lanes, uint32_t y, int n) {                                                                      \
    float x = gid();                                                                                                                       \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {                                                                                      \
      if (threadIdx.x % 32 < lanes) {                                                                                                      \
        PASS(op, 1) PASS(op, 2) PASS(op, 3) PASS(op, 4) PASS(op, 5) PASS(op, 6) PASS(op, 7) PASS(op, 8)                                    \
      }                                                                                                                                    \
    }                                                                                                                                      \
    o[gid()] = x + y;                                                                                                                      \
  }
PASSES(none_taken, !=)
PASSES(all_taken, ==)
// Forward jumps that all lanes take, each over 63 instructions: 1 KB of code.
#define F4 "fma.rn.f32 %0,%0,%1,%1;fma.rn.f32 %0,%0,%1,%1;fma.rn.f32 %0,%0,%1,%1;fma.rn.f32 %0,%0,%1,%1;\n\t"
#define F16 F4 F4 F4 F4
#define JUMP asm volatile("{.reg .pred p;\n\tsetp.eq.u32 p, %2, 77;\n\t@p bra over;\n\t" F16 F16 F16 F4 F4 F4 "over:}" : "+f"(x) : "f"(k), "r"(y));
#define JUMP2 JUMP JUMP
#define JUMP8 JUMP2 JUMP2 JUMP2 JUMP2
#define JUMP16 JUMP8 JUMP8
#define JUMP32 JUMP16 JUMP16
#define JUMPS(name, body)                                                                                                                  \
  GLOBAL name(float *o, float k, uint32_t y, int n) {                                                                                      \
    float x = gid();                                                                                                                       \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {                                                                                      \
      body                                                                                                                                 \
    }                                                                                                                                      \
    o[gid()] = x;                                                                                                                          \
  }
JUMPS(jumps_2, JUMP2)
JUMPS(jumps_8, JUMP8)
JUMPS(jumps_16, JUMP16)
JUMPS(jumps_32, JUMP32)
JUMPS(jumps_64, JUMP32 JUMP32)
JUMPS(jumps_128, JUMP32 JUMP32 JUMP32 JUMP32)
