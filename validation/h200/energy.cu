// Microbenchmarks from which the coefficients of presets/energy/h200.yaml come: one behaviour each, on data that look random unless
// the name says otherwise. The launches are in energy/; energy.ptx is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ uint32_t mixed(uint32_t x) { // bits that look random
  x = (x + 1) * 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}
template <class T> __device__ T start(uint32_t i);
template <> __device__ __forceinline__ float start(uint32_t i) {
  return 0.5f + (float)(mixed(i) >> 8) * 5.9604645e-8f;
}
template <> __device__ __forceinline__ double start(uint32_t i) {
  return 0.5 + (double)mixed(i) * 2.3283064365386963e-10 + (double)mixed(i + 77) * 5.4e-20;
}
template <> __device__ __forceinline__ uint32_t start(uint32_t i) {
  return mixed(i);
}
template <> __device__ __forceinline__ uint64_t start(uint32_t i) {
  return (uint64_t)mixed(i) << 32 | mixed(i + 77);
}

GLOBAL nothing(uint32_t *o) {
  if (o == nullptr)
    *o = 1;
}

// Eight chains, four steps of each to an iteration. %8 and %9 are registers of the thread's own; `lanes` of each warp take part.
#define STEPS(step)                                                                                          \
  step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(0) step(1) step(2) step(3) step(4)    \
      step(5) step(6) step(7) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(0)        \
          step(1) step(2) step(3) step(4) step(5) step(6) step(7)
#define WIDE(name, type, c, a, b, step)                                                                      \
  GLOBAL name(type *o, int lanes, int n) {                                                                   \
    uint32_t i = gid() * 8;                                                                                  \
    type x0 = start<type>(i), x1 = start<type>(i + 1), x2 = start<type>(i + 2), x3 = start<type>(i + 3),     \
         x4 = start<type>(i + 4), x5 = start<type>(i + 5), x6 = start<type>(i + 6), x7 = start<type>(i + 7); \
    type k = (a), m = (b);                                                                                   \
    if ((int)(threadIdx.x % 32) < lanes)                                                                     \
      _Pragma("unroll 1") for (int j = 0; j < n; j++)                                                        \
          asm volatile(STEPS(step)                                                                           \
                       : "+" c(x0), "+" c(x1), "+" c(x2), "+" c(x3), "+" c(x4), "+" c(x5), "+" c(x6),        \
                         "+" c(x7)                                                                           \
                       : c(k), c(m));                                                                        \
    o[gid()] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                                        \
  }
#define NEXT_0     "1" // a sum of neighbours cannot be joined with the one after it
#define NEXT_1     "2"
#define NEXT_2     "3"
#define NEXT_3     "4"
#define NEXT_4     "5"
#define NEXT_5     "6"
#define NEXT_6     "7"
#define NEXT_7     "0"
#define S_FMA(i)   "fma.rn.f32 %" #i ", %" #i ", %8, %9;\n\t"
#define S_FADD(i)  "add.rn.f32 %" #i ", %" #i ", %9;\n\t"
#define S_FADDI(i) "add.rn.f32 %" #i ", %" #i ", 0f3A83126F;\n\t"
#define S_FMUL(i)  "mul.rn.f32 %" #i ", %" #i ", %8;\n\t"
#define S_FMAX(i)  "max.f32 %" #i ", %" #i ", %9;\n\tmin.f32 %" #i ", %" #i ", %8;\n\t"
#define S_IMAD(i)  "mad.lo.u32 %" #i ", %" #i ", %8, %9;\n\t"
#define S_IMUL(i)  "mul.lo.u32 %" #i ", %" #i ", %8;\n\t"
#define S_IADD(i)  "add.u32 %" #i ", %" #i ", %" NEXT_##i ";\n\t"
#define S_XOR(i)   "xor.b32 %" #i ", %" #i ", %8;\n\tadd.u32 %" #i ", %" #i ", %9;\n\t"
#define S_SHF(i)   "shf.l.wrap.b32 %" #i ", %" #i ", %" #i ", 7;\n\t"
#define S_PRMT(i)  "prmt.b32 %" #i ", %" #i ", %8, 0x4321;\n\t"
#define S_SEL(i)                                                                                             \
  "{.reg .pred p;\n\tsetp.gt.u32 p, %" #i ", %9;\n\tselp.b32 %" #i ", %8, %" #i ", p;}\n\tadd.u32 %" #i      \
  ", %" #i ", %8;\n\t"
#define S_IMAX(i) "max.u32 %" #i ", %" #i ", %9;\n\tadd.u32 %" #i ", %" #i ", %8;\n\t"
#define S_POPC(i) "popc.b32 %" #i ", %" #i ";\n\tmad.lo.u32 %" #i ", %" #i ", %8, %9;\n\t"
#define S_DFMA(i) "fma.rn.f64 %" #i ", %" #i ", %8, %9;\n\t"
#define S_DADD(i) "add.rn.f64 %" #i ", %" #i ", %9;\n\t"
#define S_HFMA(i) "fma.rn.f16x2 %" #i ", %" #i ", %8, %9;\n\t"
#define S_EX2(i)  "ex2.approx.ftz.f32 %" #i ", %" #i ";\n\tmul.rn.f32 %" #i ", %" #i ", %8;\n\t"
#define S_RSQ(i)  "rsqrt.approx.ftz.f32 %" #i ", %" #i ";\n\tmul.rn.f32 %" #i ", %" #i ", %8;\n\t"
#define S_SIN(i)  "sin.approx.ftz.f32 %" #i ", %" #i ";\n\tadd.rn.f32 %" #i ", %" #i ", %8;\n\t"
#define S_CVT(i)                                                                                             \
  "{.reg .s32 t;\n\tcvt.rni.s32.f32 t, %" #i ";\n\tcvt.rn.f32.s32 %" #i ", t;}\n\tfma.rn.f32 %" #i           \
  ", %" #i ", %8, %9;\n\t"
#define S_SHFL(i)  "shfl.sync.bfly.b32 %" #i ", %" #i ", 1, 0x1f, -1;\n\t"
#define S_ADD64(i) "add.u64 %" #i ", %" #i ", %" NEXT_##i ";\n\t"
#define S_WIDE(i)                                                                                            \
  "{.reg .u32 lo, hi;\n\tmov.b64 {lo, hi}, %" #i ";\n\tmul.wide.u32 %" #i ", lo, hi;}\n\tadd.u64 %" #i       \
  ", %" #i ", %8;\n\t"
#define UP       1.0003f + (float)(threadIdx.x & 31) * 1e-6f
WIDE(e_fma, float, "f", UP, start<float>(i + 9) * .01f, S_FMA)
WIDE(e_fma_zero, float, "f", (float)(lanes > 99), (float)(lanes > 98), S_FMA)
WIDE(e_fadd, float, "f", UP, start<float>(i + 9) * .01f, S_FADD)
WIDE(e_fadd_imm, float, "f", UP, start<float>(i + 9) * .01f, S_FADDI)
WIDE(e_fmul, float, "f", UP, start<float>(i + 9) * .01f, S_FMUL)
WIDE(e_fmax, float, "f", start<float>(i + 8), start<float>(i + 9), S_FMAX)
WIDE(e_imad, uint32_t, "r", 1664525u + 4 * gid(), mixed(i + 9) | 1, S_IMAD)
WIDE(e_imul, uint32_t, "r", 1664525u + 4 * gid(), mixed(i + 9) | 1, S_IMUL)
WIDE(e_iadd, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_IADD)
WIDE(e_xor, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_XOR)
WIDE(e_shift, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_SHF)
WIDE(e_prmt, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_PRMT)
WIDE(e_select, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_SEL)
WIDE(e_imax, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_IMAX)
WIDE(e_popc, uint32_t, "r", mixed(i + 8) | 1, mixed(i + 9) | 1, S_POPC)
WIDE(e_dfma, double, "d", 1.0003, start<double>(i + 9) * .01, S_DFMA)
WIDE(e_dadd, double, "d", 1.0003, start<double>(i + 9) * .01, S_DADD)
WIDE(e_hfma, uint32_t, "r", 0x3c003c01u, 0x14001800u + (mixed(i) & 0x00ff00ffu), S_HFMA)
WIDE(e_ex2, float, "f", .4f, start<float>(i + 9), S_EX2)
WIDE(e_rsqrt, float, "f", 1.7f, start<float>(i + 9), S_RSQ)
WIDE(e_sin, float, "f", 1.1f, start<float>(i + 9), S_SIN)
WIDE(e_cvt, float, "f", 1.1f, start<float>(i + 9) * 1000, S_CVT)
WIDE(e_shuffle, uint32_t, "r", 1u, 1u, S_SHFL)
WIDE(e_add64, uint64_t, "l", start<uint64_t>(i + 8), start<uint64_t>(i + 9), S_ADD64)
WIDE(e_wide, uint64_t, "l", start<uint64_t>(i + 8), start<uint64_t>(i + 9), S_WIDE)

// The same with three registers of its own for each chain, so that no operand is still at hand from the instruction before.
#define APART(name, type, c, scale, step)                                                                    \
  GLOBAL name(type *o, int n) {                                                                              \
    uint32_t i = gid() * 8;                                                                                  \
    type x[8], y[8], z[8];                                                                                   \
    _Pragma("unroll") for (int j = 0; j < 8; j++) x[j] = start<type>(i + j), y[j] = start<type>(i + j + 99) * (scale),  \
                                               z[j] = start<type>(i + j + 999);                              \
    _Pragma("unroll 1") for (int j = 0; j < n; j++)                                                          \
        asm volatile(STEPS(step)                                                                             \
                     : "+" c(x[0]), "+" c(x[1]), "+" c(x[2]), "+" c(x[3]), "+" c(x[4]), "+" c(x[5]),         \
                       "+" c(x[6]), "+" c(x[7])                                                              \
                     : c(y[0]), c(y[1]), c(y[2]), c(y[3]), c(y[4]), c(y[5]), c(y[6]), c(y[7]), c(z[0]),      \
                       c(z[1]), c(z[2]), c(z[3]), c(z[4]), c(z[5]), c(z[6]), c(z[7]));                       \
    o[gid()] = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];                                        \
  }
#define Y_0     "8"
#define Y_1     "9"
#define Y_2     "10"
#define Y_3     "11"
#define Y_4     "12"
#define Y_5     "13"
#define Y_6     "14"
#define Y_7     "15"
#define Z_0     "16"
#define Z_1     "17"
#define Z_2     "18"
#define Z_3     "19"
#define Z_4     "20"
#define Z_5     "21"
#define Z_6     "22"
#define Z_7     "23"
#define A_FMA(i)  "fma.rn.f32 %" #i ", %" NEXT_##i ", %" Y_##i ", %" Z_##i ";\n\t"
#define A_FMUL(i) "mul.rn.f32 %" #i ", %" NEXT_##i ", %" Y_##i ";\n\t"
#define A_IMAD(i) "mad.lo.u32 %" #i ", %" NEXT_##i ", %" Y_##i ", %" Z_##i ";\n\t"
#define A_LOP(i)  "lop3.b32 %" #i ", %" NEXT_##i ", %" Y_##i ", %" Z_##i ", 0x96;\n\t"
#define A_DFMA(i) "fma.rn.f64 %" #i ", %" NEXT_##i ", %" Y_##i ", %" Z_##i ";\n\t"
#define A_MIX(i)  "fma.rn.f32 %" #i ", %" NEXT_##i ", %" Y_##i ", %" Z_##i ";\n\tadd.rn.f32 %" #i ", %" #i ", %" Z_##i ";\n\tmul.rn.f32 %" #i ", %" #i ", %" Y_##i ";\n\t"
APART(e_fma_apart, float, "f", .7f, A_FMA)
APART(e_fmul_apart, float, "f", 1.f, A_FMUL)
APART(e_f32_mix, float, "f", .5f, A_MIX)
APART(e_imad_apart, uint32_t, "r", 2u, A_IMAD)
APART(e_lop_apart, uint32_t, "r", 1u, A_LOP)
APART(e_dfma_apart, double, "d", .7, A_DFMA)

// Four chains of one step, for what an assembler makes a routine of.
#define FOUR(name, type, c, a, step)                                                                         \
  GLOBAL name(type *o, int n) {                                                                              \
    uint32_t i = gid() * 8;                                                                                  \
    type x0 = start<type>(i), x1 = start<type>(i + 1), x2 = start<type>(i + 2), x3 = start<type>(i + 3);     \
    type k = (a);                                                                                            \
    _Pragma("unroll 1") for (int j = 0; j < n; j++)                                                          \
        asm volatile(step(0) step(1) step(2) step(3)                                                         \
                     : "+" c(x0), "+" c(x1), "+" c(x2), "+" c(x3)                                            \
                     : c(k));                                                                                \
    o[gid()] = x0 + x1 + x2 + x3;                                                                            \
  }
#define S_DIV(i)  "div.rn.f32 %" #i ", %4, %" #i ";\n\t"
#define S_SQRT(i) "sqrt.rn.f32 %" #i ", %" #i ";\n\tadd.rn.f32 %" #i ", %" #i ", %4;\n\t"
#define S_REM(i)  "rem.u32 %" #i ", %4, %" #i ";\n\tor.b32 %" #i ", %" #i ", 77;\n\t"
#define S_DDIV(i) "div.rn.f64 %" #i ", %4, %" #i ";\n\t"
FOUR(e_div, float, "f", start<float>(i + 9), S_DIV)
FOUR(e_sqrt, float, "f", start<float>(i + 9), S_SQRT)
FOUR(e_rem, uint32_t, "r", mixed(i + 9), S_REM)
FOUR(e_ddiv, double, "d", start<double>(i + 9), S_DDIV)

GLOBAL e_mix(float *o, int n) { // FP32 and integer in turn
  float x0 = start<float>(gid()), x1 = start<float>(gid() + 1), x2 = start<float>(gid() + 2),
        x3 = start<float>(gid() + 3), k = UP;
  uint32_t y0 = mixed(gid()), y1 = mixed(gid() + 1), y2 = mixed(gid() + 2), y3 = mixed(gid() + 3);
#pragma unroll 1
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      asm volatile("fma.rn.f32 %0, %0, %8, %8;\n\tadd.u32 %4, %4, %7;\n\tfma.rn.f32 %1, %1, %8, %8;\n\t"
                   "add.u32 %5, %5, %7;\n\tfma.rn.f32 %2, %2, %8, %8;\n\tadd.u32 %6, %6, %7;\n\t"
                   "fma.rn.f32 %3, %3, %8, %8;\n\txor.b32 %7, %7, %4;"
                   : "+f"(x0), "+f"(x1), "+f"(x2), "+f"(x3), "+r"(y0), "+r"(y1), "+r"(y2), "+r"(y3)
                   : "f"(k));
  o[gid()] = x0 + x1 + x2 + x3 + (float)(y0 + y1 + y2 + y3);
}
GLOBAL e_branch(uint32_t *o, uint32_t k, int n) { // eight branches that no thread takes
  uint32_t x = k;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++) {
      if (x == 12345u + j)
        o[1] = i;
      asm volatile("" : "+r"(x));
    }
  }
  o[gid()] = x;
}
GLOBAL e_loop(uint32_t *o, int n) { // nothing but the loop
#pragma unroll 1
  for (int i = 0; i < n; i++)
    asm volatile("");
  o[gid()] = 1;
}
GLOBAL e_diverge(float *o, int ways, int n) { // each group of lanes on a path of its own
  float x = start<float>(gid()), k = UP;
#pragma unroll 1
  for (int i = 0; i < n; i++)
#pragma unroll 1
    for (int w = 0; w < ways; w++)
      if ((int)(threadIdx.x % ways) == w) {
#pragma unroll
        for (int j = 0; j < 16; j++)
          asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(k));
      }
  o[gid()] = x;
}
GLOBAL e_bar(uint32_t *o, int n) {
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    __syncthreads();
    __syncthreads();
    __syncthreads();
    __syncthreads();
  }
  o[gid()] = 1;
}
GLOBAL e_mma(float *o, int n) { // m16n8k16 of f16
  uint32_t a0 = 0x38003400u ^ (mixed(gid()) & 0x03ff03ffu), a1 = a0 ^ 0x155, a2 = a0 ^ 0x2aa, a3 = a0 ^ 0x0f0;
  uint32_t b0 = 0xb4003800u ^ (mixed(gid() + 7) & 0x03ff03ffu), b1 = b0 ^ 0x133;
  float c[4][4] = {};
#pragma unroll 1
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                   "{%0,%1,%2,%3};"
                   : "+f"(c[j][0]), "+f"(c[j][1]), "+f"(c[j][2]), "+f"(c[j][3])
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  float s = 0;
  for (int j = 0; j < 4; j++)
    s += c[j][0] + c[j][1] + c[j][2] + c[j][3];
  o[gid()] = s;
}

// Shared memory: words `stride` apart in a warp. `zero` is 0, which an assembler cannot know.
GLOBAL e_lds(uint32_t *o, int stride, uint32_t zero, int lanes, int n) {
  __shared__ uint32_t s[4096];
  for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x)
    s[i] = mixed(i);
  __syncthreads();
  uint32_t z = 0, a = (uint32_t)__cvta_generic_to_shared(s) + (threadIdx.x % 32 * stride % 1024) * 4;
  if ((int)(threadIdx.x % 32) < lanes)
#pragma unroll 1
    for (int k = 0; k < n; k++) {
      uint32_t v[16];
#pragma unroll
      for (int j = 0; j < 16; j++)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[j]) : "r"(a + (z & zero) + j * 512));
#pragma unroll
      for (int j = 0; j < 16; j++)
        z ^= v[j];
    }
  o[gid()] = z;
}
GLOBAL e_lds16(uint32_t *o, int stride, uint32_t zero, int n) {
  __shared__ uint4 s[1024];
  for (uint32_t i = threadIdx.x; i < 1024; i += blockDim.x)
    s[i] = make_uint4(mixed(i), mixed(i + 5000), mixed(i + 10000), mixed(i + 15000));
  __syncthreads();
  uint32_t z = 0, a = (uint32_t)__cvta_generic_to_shared(s) + (threadIdx.x % 32 * stride) * 16;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[j].x), "=r"(v[j].y), "=r"(v[j].z), "=r"(v[j].w)
                   : "r"(a + (z & zero) + j * 4096));
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
  }
  o[gid()] = z;
}
GLOBAL e_sts(uint32_t *o, int stride, int n) {
  __shared__ uint32_t s[4096];
  uint32_t z = mixed(gid()), a = (uint32_t)__cvta_generic_to_shared(s) + (threadIdx.x % 32 * stride % 1024) * 4;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < 16; j++)
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(a + j * 512), "r"(z));
    z = z * 1664525u + 1013904223u;
  }
  __syncthreads();
  o[gid()] = s[threadIdx.x];
}
GLOBAL e_atoms(uint32_t *o, int stride, int n) { // atomics in shared memory
  __shared__ uint32_t s[4096];
  for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x)
    s[i] = 0;
  __syncthreads();
  uint32_t z = mixed(gid()), a = (uint32_t)__cvta_generic_to_shared(s) + (threadIdx.x % 32 * stride % 1024) * 4;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(a + j * 512), "r"(z));
  }
  __syncthreads();
  o[gid()] = s[threadIdx.x];
}

// The L1: `apart` bytes between a warp's lanes.
GLOBAL e_l1(const uint32_t *p, uint32_t *o, int apart, uint32_t zero, int lanes, int n) {
  const char *a = (const char *)p + threadIdx.x % 32 * apart;
  uint32_t z = 0;
  if ((int)(threadIdx.x % 32) < lanes)
#pragma unroll 1
    for (int k = 0; k < n; k++) {
      uint32_t v[8];
#pragma unroll
      for (int j = 0; j < 8; j++)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[j]) : "l"(a + (z & zero) + j * 4096));
#pragma unroll
      for (int j = 0; j < 8; j++)
        z ^= v[j];
    }
  o[gid()] = z;
}
GLOBAL e_l1_16(const uint4 *p, uint32_t *o, uint32_t zero, int n) {
  const uint4 *a = p + threadIdx.x % 32;
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[j].x), "=r"(v[j].y), "=r"(v[j].z), "=r"(v[j].w)
                   : "l"(a + (z & zero) + j * 32));
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
  }
  o[gid()] = z;
}

// Beyond the L1. The footprint is mask + 1 elements.
GLOBAL e_read4(const uint32_t *p, uint32_t *o, uint32_t mask, int n) {
  uint32_t z = 0, i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++, i += step)
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + (i & mask)));
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  if (z == 12345)
    o[gid()] = z;
}
GLOBAL e_read16(const uint4 *p, uint32_t *o, uint32_t mask, int n) {
  uint32_t z = 0, i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++, i += step)
      asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[j].x), "=r"(v[j].y), "=r"(v[j].z), "=r"(v[j].w)
                   : "l"(p + (i & mask)));
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
  }
  if (z == 12345)
    o[gid()] = z;
}
GLOBAL e_read4_ca(const uint32_t *p, uint32_t *o, uint32_t mask, int n) { // through the L1, which has none of it
  uint32_t z = 0, i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++, i += step)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + (i & mask)));
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  if (z == 12345)
    o[gid()] = z;
}
GLOBAL e_copy4(const uint32_t *p, uint32_t *o, uint32_t mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int k = 0; k < n; k++, i += step)
    o[i & mask] = p[i & mask];
}
GLOBAL e_poly(const float *p, float *o, int n) { // as kernels have it: a load, a polynomial in four parts, a store
  float x = p[gid()], a = x, b = x * .5f, c = x * .25f, d = x * .125f;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    a = fmaf(a, x, .3f), b = fmaf(b, x, .4f), c = fmaf(c, x, .5f), d = fmaf(d, x, .6f);
    a = fmaf(a, x, -.35f), b = fmaf(b, x, -.45f), c = fmaf(c, x, -.55f), d = fmaf(d, x, -.65f);
  }
  o[gid()] = a + b + c + d;
}
GLOBAL e_gather(const uint32_t *p, uint32_t *o, uint32_t mask, int lanes, int n) { // `lanes` neighbours share a place
  uint32_t z = 0, i = mixed(gid() / lanes), at = gid() % lanes;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t v[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
      i = i * 1664525u + 1013904223u;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + ((i >> 4) * lanes + at & mask)));
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j];
  }
  if (z == 12345)
    o[gid()] = z;
}
GLOBAL e_write4(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x, z = mixed(i);
#pragma unroll 4
  for (int k = 0; k < n; k++, i += step) {
    p[i & mask] = z;
    z = z * 1664525u + 1013904223u;
  }
}
GLOBAL e_write16(uint4 *p, uint32_t mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x, z = mixed(i);
#pragma unroll 4
  for (int k = 0; k < n; k++, i += step) {
    p[i & mask] = make_uint4(z, z ^ 0x5bd1e995u, z + 0x9e3779b9u, ~z);
    z = z * 1664525u + 1013904223u;
  }
}
GLOBAL e_write16_zero(uint4 *p, uint32_t mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int k = 0; k < n; k++, i += step)
    p[i & mask] = make_uint4(0, 0, 0, 0);
}
GLOBAL e_scatter(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = mixed(gid());
#pragma unroll 4
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    p[(i >> 4) & mask] = i;
  }
}
GLOBAL e_copy16(const uint4 *p, uint4 *o, uint32_t mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int k = 0; k < n; k++, i += step)
    o[i & mask] = p[i & mask];
}
GLOBAL e_red(uint32_t *p, uint32_t mask, int n) { // neighbouring words
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    atomicAdd(p + (i & mask), 1u);
}
GLOBAL e_red_random(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = mixed(gid());
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + ((i >> 4) & mask), 1u);
  }
}
GLOBAL e_stream_fma(const float *p, float *o, uint32_t mask, int m, int n) { // loads and arithmetic together
  float z = 0, k = UP;
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int j = 0; j < n; j++, i += step) {
    float x = __ldcg(p + (i & mask));
#pragma unroll 1
    for (int q = 0; q < m; q++)
#pragma unroll
      for (int r = 0; r < 8; r++)
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(k));
    z += x;
  }
  o[gid()] = z;
}
