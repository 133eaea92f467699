// More microbenchmarks of the same kind as micro.cu: atomics whose address an assembler knows to be the same for all lanes, atomics
// of other types, gathers by one warp, functions that take several machine instructions, wide loads of shared memory, loads
// and loops of lanes that part. `micro3.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// Atomics on one word that all lanes name alike, and an assembler sees it.
#define UNIFORM(name, type, step)                                                                            \
  GLOBAL name(type *p, type *o, int n) {                                                                     \
    int t = threadIdx.x;                                                                                     \
    type r = 0;                                                                                              \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {                                                        \
      step;                                                                                                  \
    }                                                                                                        \
    if (r == (type)12345)                                                                                    \
      o[t] = r;                                                                                              \
  }
UNIFORM(u_add, uint32_t, atomicAdd(p, 1u))
UNIFORM(u_sum, uint32_t, atomicAdd(p, (uint32_t)t))
UNIFORM(u_max, uint32_t, atomicMax(p, (uint32_t)(t + i)))
UNIFORM(u_max_used, uint32_t, r += atomicMax(p, (uint32_t)(t + i)))
UNIFORM(u_add_used, uint32_t, r += atomicAdd(p, 1u))
UNIFORM(u_sum_used, uint32_t, r += atomicAdd(p, (uint32_t)t))
UNIFORM(u_f32, float, atomicAdd(p, (float)t))
UNIFORM(u_u64, unsigned long long, atomicAdd(p, (unsigned long long)t))
UNIFORM(u_cas, uint32_t, r += atomicCAS(p, (uint32_t)t, (uint32_t)i))
UNIFORM(u_exch, uint32_t, r += atomicExch(p, (uint32_t)t))
UNIFORM(u_half, uint32_t, if (t & 1) atomicAdd(p, (uint32_t)t))
// Lanes on words that an assembler does not know: `mask` of the lane's number.
#define LANES(name, type, step)                                                                              \
  GLOBAL name(type *p, int mask, int n) {                                                                    \
    type *at = p + (threadIdx.x & mask);                                                                     \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {                                                        \
      step;                                                                                                  \
    }                                                                                                        \
  }
LANES(l_add, uint32_t, atomicAdd(at, 1u))
LANES(l_f32, float, atomicAdd(at, 1.0f))
#define RANDOM(name, type, step)                                                                             \
  GLOBAL name(type *p, uint32_t *o, int mask, int n) {                                                       \
    uint32_t i = gid() * 2654435761u, z = 0;                                                                 \
    for (int k = 0; k < n; k++) {                                                                            \
      i = i * 1664525u + 1013904223u;                                                                        \
      type *at = p + ((i >> 4) & mask);                                                                      \
      step;                                                                                                  \
    }                                                                                                        \
    if (z == 12345u)                                                                                         \
      o[gid()] = z;                                                                                          \
  }
RANDOM(f32_random, float, atomicAdd(at, 1.0f))
RANDOM(u64_random, unsigned long long, atomicAdd(at, 1ull))
RANDOM(cas_random, uint32_t, z += atomicCAS(at, i, z))
RANDOM(max_random, uint32_t, atomicMax(at, i))
RANDOM(add_random_used, uint32_t, z += atomicAdd(at, 1u))

// The same in shared memory.
#define SHARED(name, type, step)                                                                             \
  GLOBAL name(type *o, int mask, int n) {                                                                    \
    __shared__ type s[1024];                                                                                 \
    int t = threadIdx.x;                                                                                     \
    for (int i = t; i < 1024; i += blockDim.x)                                                               \
      s[i] = 0;                                                                                              \
    __syncthreads();                                                                                         \
    type r = 0, *at = s + (t & mask);                                                                        \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {                                                        \
      step;                                                                                                  \
    }                                                                                                        \
    __syncthreads();                                                                                         \
    o[gid()] = r + s[t] + *at;                                                                               \
  }
SHARED(su_add, uint32_t, atomicAdd(s, 1u))
SHARED(su_sum, uint32_t, atomicAdd(s, (uint32_t)t))
SHARED(su_max, uint32_t, atomicMax(s, (uint32_t)(t + i)))
SHARED(su_add_used, uint32_t, r += atomicAdd(s, 1u))
SHARED(s_f32, float, atomicAdd(at, 1.0f))
SHARED(s_u64, unsigned long long, atomicAdd(at, 1ull))
SHARED(s_cas, uint32_t, r += atomicCAS(at, (uint32_t)i, (uint32_t)t))
SHARED(s_exch, uint32_t, r += atomicExch(at, (uint32_t)i))
SHARED(s_add_used, uint32_t, r += atomicAdd(at, 1u))
SHARED(s_max, uint32_t, atomicMax(at, (uint32_t)(t + i)))

// One warp; each lane's next address comes from its last load, and lanes differ by `mask` of their number.
GLOBAL gather(const uint32_t *p, uint32_t *o, uint32_t mask, uint32_t words, uint32_t zero, int n) {
  uint32_t i = (blockIdx.x * 977 + (threadIdx.x & mask) + 1) * 2654435761u + threadIdx.x / 32, v = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u + (v & zero);
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + ((i >> 4) & words)));
  }
  o[gid()] = i + v;
}
GLOBAL gather_ca(const uint32_t *p, uint32_t *o, uint32_t mask, uint32_t words, uint32_t zero, int n) {
  uint32_t i = ((threadIdx.x & mask) + 1) * 2654435761u, v = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u + (v & zero);
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p + ((i >> 4) & words)));
  }
  o[gid()] = i + v;
}
// A warp's lanes side by side: a line of 128 bytes a step, or 512.
GLOBAL line_chain(const uint32_t *p, uint32_t *o, uint32_t lines, uint32_t zero, int n) {
  uint32_t i = (blockIdx.x * 64 + threadIdx.x / 32 + 1) * 2654435761u, v = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u + (v & zero);
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + ((i >> 4) & lines) * 32 + threadIdx.x % 32));
  }
  o[gid()] = i + v;
}
// Loads through the L1 that miss it: streams.
GLOBAL read_ca4(const uint32_t *p, uint32_t *o, int mask, int n) {
  uint32_t z = 0, i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++, i += step)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + (i & mask)));
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  o[gid()] = z;
}
// A part of every sector, one after the other; and a copy.
GLOBAL write_parts(uint32_t *p, int mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++, i += step)
    p[(i * 8) & mask] = k;
}
GLOBAL copy_stream(const uint32_t *__restrict__ p, uint32_t *__restrict__ q, int mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++) {
    uint32_t v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + ((i + j * step) & mask)));
#pragma unroll
    for (int j = 0; j < 4; j++)
      q[(i + j * step) & mask] = v[j];
    i += 4 * step;
  }
}

// Functions of several machine instructions: dependent, and independent.
#define CHAIN(name, type, start, step)                                                                       \
  GLOBAL name(type *o, type k, int n) {                                                                      \
    type x = (type)(start);                                                                                  \
    for (int i = 0; i < n; i++) {                                                                            \
      step step step step step step step step                                                                \
    }                                                                                                        \
    o[gid()] = x;                                                                                            \
  }
CHAIN(c_rsqrt_full, float, gid() + 3, asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(x));)
CHAIN(c_ex2_full, float, gid(), asm volatile("ex2.approx.f32 %0, %0;" : "+f"(x));)
CHAIN(c_lg2_full, float, gid() + 3, asm volatile("lg2.approx.f32 %0, %0;" : "+f"(x));)
CHAIN(c_rcp_full, float, gid() + 3, asm volatile("rcp.approx.f32 %0, %0;" : "+f"(x));)
CHAIN(c_sqrt_full, float, gid() + 3, asm volatile("sqrt.approx.f32 %0, %0;" : "+f"(x));)
CHAIN(c_rcp_rn, float, gid() + 3, asm volatile("rcp.rn.f32 %0, %0;" : "+f"(x));)
CHAIN(c_div_full, float, gid() + 3, asm volatile("div.full.f32 %0, %1, %0;" : "+f"(x) : "f"(k));)
CHAIN(c_idiv, int, gid() + 3, asm volatile("div.s32 %0, %1, %0;\n\tadd.s32 %0, %0, 77;" : "+r"(x) : "r"(k));)
CHAIN(c_fmax, float, gid(), asm volatile("max.f32 %0, %0, %1;\n\tadd.f32 %0, %0, %1;" : "+f"(x) : "f"(k));)
#define WIDE(name, type, c, step)                                                                            \
  GLOBAL name(type *o, type k, int n) {                                                                      \
    type x0 = gid() + 3, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;                                              \
    for (int i = 0; i < n; i++)                                                                              \
      asm volatile(step(0) step(1) step(2) step(3) step(0) step(1) step(2) step(3)                           \
                   : "+" c(x0), "+" c(x1), "+" c(x2), "+" c(x3)                                              \
                   : c(k));                                                                                  \
    o[gid()] = x0 + x1 + x2 + x3;                                                                            \
  }
#define S_RSQRT(i) "rsqrt.approx.f32 %" #i ", %" #i ";\n\t"
#define S_RCP(i)   "rcp.approx.f32 %" #i ", %" #i ";\n\t"
#define S_DIV(i)   "div.rn.f32 %" #i ", %4, %" #i ";\n\t"
#define S_SQRT(i)  "sqrt.rn.f32 %" #i ", %" #i ";\n\t"
#define S_REM(i)   "rem.u32 %" #i ", %4, %" #i ";\n\tadd.u32 %" #i ", %" #i ", 77;\n\t"
#define S_DIV64(i) "div.rn.f64 %" #i ", %4, %" #i ";\n\t"
#define S_SIN(i)   "sin.approx.f32 %" #i ", %" #i ";\n\t"
#define S_IMADW(i) "{.reg .u64 t;\n\tmad.wide.u32 t, %" #i ", %4, 77;\n\tcvt.u32.u64 %" #i ", t;}\n\t"
WIDE(w_rsqrt, float, "f", S_RSQRT)
WIDE(w_rcp, float, "f", S_RCP)
WIDE(w_div, float, "f", S_DIV)
WIDE(w_sqrt, float, "f", S_SQRT)
WIDE(w_rem, uint32_t, "r", S_REM)
WIDE(w_div64, double, "d", S_DIV64)
WIDE(w_sin, float, "f", S_SIN)
WIDE(w_wide, uint32_t, "r", S_IMADW)

// Wide loads of shared memory: lanes read the words of lane (number >> right) & mask.
GLOBAL sh_wide4(uint32_t *o, int right, int mask, uint32_t zero, int n) {
  __shared__ uint4 s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    s[i] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  uint32_t z = 0, a = (uint32_t)__cvta_generic_to_shared(s) + ((threadIdx.x % 32 >> right) & mask) * 16;
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
GLOBAL sh_wide2(uint32_t *o, int right, int mask, uint32_t zero, int n) {
  __shared__ uint2 s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    s[i] = make_uint2(0, 0);
  __syncthreads();
  uint32_t z = 0, a = (uint32_t)__cvta_generic_to_shared(s) + ((threadIdx.x % 32 >> right) & mask) * 8;
  for (int k = 0; k < n; k++) {
    uint2 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(v[j].x), "=r"(v[j].y) : "r"(a + (z & zero) + j * 2048));
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j].x ^ v[j].y;
  }
  o[gid()] = z;
}

// Lanes that part, with loads: one of two lines; loops of data whose bounds and steps are loaded; lanes that leave early.
GLOBAL d_load(const uint32_t *p, uint32_t *o, uint32_t half, uint32_t zero, int n) {
  uint32_t v = 0, lane = threadIdx.x % 32;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    const uint32_t *at = p + lane + (v & zero) + (k & 63) * 64;
    if (lane < half)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at));
    else
      asm volatile("ld.global.ca.u32 %0, [%1+8192];\n\tadd.u32 %0, %0, 1;" : "=r"(v) : "l"(at));
  }
  o[gid()] = v;
}
GLOBAL d_walk(const uint32_t *p, uint32_t *o, int mask, int n) { // as many loads as a hash of lane and turn says, to 15
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t h = (gid() * 2654435761u + k * 40503u) * 1664525u, at = h >> 8;
    for (uint32_t j = h >> 28; j; j--)
      z += p[(at + j) & mask];
  }
  o[gid()] = z;
}
GLOBAL d_break(const uint32_t *p, uint32_t *o, uint32_t k, int n) { // a loop left in its middle
  uint32_t x = gid() * 2654435761u, y = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll 1
    for (int j = 0; j < 32; j++) {
      x = x * 1664525u + 1013904223u;
      if (x >> 28 == k)
        break;
      y ^= x >> j;
    }
  }
  o[gid()] = y;
}
GLOBAL d_random(uint32_t *o, float k, int n) { // four ifs, each with half of the lanes by chance
  uint32_t h = gid() * 2654435761u;
  float x = gid();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    h = h * 1664525u + 1013904223u;
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (h >> (28 + j) & 1) {
#pragma unroll
        for (int q = 0; q < 12; q++)
          asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(k));
      }
  }
  o[gid()] = (uint32_t)x;
}
