// Microbenchmarks from which the values of presets/gpu/h200.yaml come: one behaviour each, launched at two lengths, so that the
// difference of their cycles over the difference of their lengths is the cost of one step, free of launch and start.
// `micro.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx); launch files are in micro/.
#include <cstdint>
#include <cuda_fp16.h>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

GLOBAL idle(uint32_t *o) {
  if (o == nullptr)
    *o = 1;
}

// Dependent steps, eight to an iteration.
#define CHAIN(name, type, start, step)                                                                       \
  GLOBAL name(type *o, type k, int n) {                                                                      \
    type x = (type)(start);                                                                                  \
    for (int i = 0; i < n; i++) {                                                                            \
      step step step step step step step step                                                                \
    }                                                                                                        \
    o[gid()] = x;                                                                                            \
  }
CHAIN(c_fma, float, gid(), asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(k));)
CHAIN(c_fadd, float, gid(), asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(k));)
CHAIN(c_imad, uint32_t, gid(), asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(k));)
CHAIN(c_iadd, uint32_t, gid(), asm volatile("add.u32 %0, %0, %1;\n\txor.b32 %0, %0, %1;" : "+r"(x) : "r"(k));)
CHAIN(c_shift, uint32_t, gid(), asm volatile("shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(x) : "r"(k));)
CHAIN(c_f64, double, gid(), asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(k));)
CHAIN(c_ex2, float, gid(), asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));)
CHAIN(c_rsqrt, float, gid(), asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));)
CHAIN(c_cvt, float, gid(),
      asm volatile("{.reg .s32 t;\n\tcvt.rni.s32.f32 t, %0;\n\tcvt.rn.f32.s32 %0, t;}"
                   : "+f"(x));)
CHAIN(c_div, float, gid() + 3, asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(k));)
CHAIN(c_rem, uint32_t, gid() + 3,
      asm volatile("rem.u32 %0, %1, %0;\n\tadd.u32 %0, %0, 77;"
                   : "+r"(x)
                   : "r"(k));)
CHAIN(c_shuffle, uint32_t, gid(), asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, -1;" : "+r"(x));)

// Independent steps, eight chains to an iteration.
#define WIDE(name, type, c, step)                                                                            \
  GLOBAL name(type *o, type k, int n) {                                                                      \
    type x0 = gid(), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6,           \
         x7 = x0 + 7;                                                                                        \
    for (int i = 0; i < n; i++)                                                                              \
      asm volatile(step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)                           \
                   : "+" c(x0), "+" c(x1), "+" c(x2), "+" c(x3), "+" c(x4), "+" c(x5), "+" c(x6), "+" c(x7)  \
                   : c(k));                                                                                  \
    o[gid()] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                                        \
  }
#define S_FMA(i)  "fma.rn.f32 %" #i ", %" #i ", %8, %8;\n\t"
#define S_IMAD(i) "mad.lo.u32 %" #i ", %" #i ", %8, %8;\n\t"
#define S_ALU(i)  "prmt.b32 %" #i ", %" #i ", %8, 0x4321;\n\t"
#define S_F64(i)  "fma.rn.f64 %" #i ", %" #i ", %8, %8;\n\t"
#define S_EX2(i)  "ex2.approx.ftz.f32 %" #i ", %" #i ";\n\t"
#define S_SHFL(i) "shfl.sync.bfly.b32 %" #i ", %" #i ", 1, 0x1f, -1;\n\t"
#define S_CVT(i)  "cvt.rni.f32.f32 %" #i ", %" #i ";\n\t"
WIDE(t_fma, float, "f", S_FMA)
WIDE(t_imad, uint32_t, "r", S_IMAD)
WIDE(t_alu, uint32_t, "r", S_ALU)
WIDE(t_f64, double, "d", S_F64)
WIDE(t_ex2, float, "f", S_EX2)
WIDE(t_shuffle, uint32_t, "r", S_SHFL)
WIDE(t_round, float, "f", S_CVT)
GLOBAL t_mixed(float *o, float k, uint32_t m, int n) { // FP32 and integer side by side
  float x0 = gid(), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;
  uint32_t y0 = gid(), y1 = y0 + 1, y2 = y0 + 2, y3 = y0 + 3;
  for (int i = 0; i < n; i++)
    asm volatile("fma.rn.f32 %0, %0, %8, %8;\n\tprmt.b32 %4, %4, %9, 0x4321;\n\tfma.rn.f32 %1, %1, %8, "
                 "%8;\n\tprmt.b32 %5, %5, %9, 0x4321;\n\t"
                 "fma.rn.f32 %2, %2, %8, %8;\n\tprmt.b32 %6, %6, %9, 0x4321;\n\tfma.rn.f32 %3, %3, %8, "
                 "%8;\n\tprmt.b32 %7, %7, %9, 0x4321;"
                 : "+f"(x0), "+f"(x1), "+f"(x2), "+f"(x3), "+r"(y0), "+r"(y1), "+r"(y2), "+r"(y3)
                 : "f"(k), "r"(m));
  o[gid()] = x0 + x1 + x2 + x3 + (float)(y0 + y1 + y2 + y3);
}
GLOBAL t_branch(uint32_t *o, uint32_t k, int n) { // eight branches that all threads take
  uint32_t x = k;
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
GLOBAL bars(uint32_t *o, int n) {
  for (int i = 0; i < n; i++) {
    __syncthreads();
    __syncthreads();
    __syncthreads();
    __syncthreads();
  }
  o[gid()] = 1;
}

// Shared memory: words `stride` apart in a warp, dependent; or independent loads. `zero` is 0: an assembler that cannot know it
// leaves the loads in the loop.
GLOBAL sh_chain(uint32_t *o, int stride, int n) {
  __shared__ uint32_t s[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    s[i] = 0;
  __syncthreads();
  uint32_t i = (threadIdx.x % 32 * stride) % 4096, z = 0;
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      z = s[i + z];
  o[gid()] = z;
}
GLOBAL sh_wide(uint32_t *o, int stride, uint32_t zero, int n) {
  __shared__ uint32_t s[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    s[i] = 0;
  __syncthreads();
  uint32_t z = 0, a = (uint32_t)__cvta_generic_to_shared(s) + (threadIdx.x % 32 * stride % 1024) * 4;
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[j]) : "r"(a + (z & zero) + j * 1024));
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  o[gid()] = z;
}
GLOBAL sh_vector(uint32_t *o, int stride, uint32_t zero,
                 int n) { // 16 bytes a lane; stride 0: all lanes alike
  __shared__ uint4 s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    s[i] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  uint32_t z = 0, a = (uint32_t)__cvta_generic_to_shared(s) + (threadIdx.x % 32 * stride) * 16;
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

// Global memory. `chase` follows indices; p holds a step's successor at every index, so that the footprint is chosen by the fill.
GLOBAL chase_ca(const uint32_t *p, uint32_t *o, int n) {
  uint32_t i = blockIdx.x;
  for (int k = 0; k < n; k++)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(i) : "l"(p + i));
  o[gid()] = i;
}
GLOBAL chase_cg(const uint32_t *p, uint32_t *o, int n) {
  uint32_t i = blockIdx.x;
  for (int k = 0; k < n; k++)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(i) : "l"(p + i));
  o[gid()] = i;
}
GLOBAL hit_lines(const uint32_t *p, uint32_t *o, int apart, uint32_t zero,
                 int n) { // L1 hits; `apart` bytes between a warp's lanes
  const char *a = (const char *)p + threadIdx.x % 32 * apart;
  uint32_t z = 0;
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[j]) : "l"(a + (z & zero) + j * 4));
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  o[gid()] = z;
}
GLOBAL hit_vector(const uint4 *p, uint32_t *o, uint32_t zero, int n) { // L1 hits, 512 bytes a warp
  const uint4 *a = p + threadIdx.x % 32;
  uint32_t z = 0;
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
GLOBAL read_cg4(const uint32_t *p, uint32_t *o, int mask,
                int n) { // past the L1; the footprint is mask + 1 words
  uint32_t z = 0, i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++, i += step)
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + (i & mask)));
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  o[gid()] = z;
}
GLOBAL read_cg16(const uint4 *p, uint32_t *o, int mask, int n) {
  uint32_t z = 0, i = gid(), step = gridDim.x * blockDim.x;
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
  o[gid()] = z;
}
GLOBAL read_random(const uint32_t *p, uint32_t *o, int mask, int n) { // a sector for each lane
  uint32_t z = 0, i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    uint32_t v[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
      i = i * 1664525u + 1013904223u;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + ((i >> 4) & mask)));
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j];
  }
  o[gid()] = z;
}
GLOBAL write_full(uint32_t *p, int mask, int n) { // whole sectors
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++, i += step)
    p[i & mask] = k;
}
GLOBAL write_vector(uint4 *p, int mask, int n) {
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++, i += step)
    p[i & mask] = make_uint4(k, k, k, k);
}
GLOBAL write_random(uint32_t *p, int mask, int n) { // a part of a sector for each lane
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    p[(i >> 4) & mask] = k;
  }
}
GLOBAL add_random(uint32_t *p, int mask, int n) {
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + ((i >> 4) & mask), 1u);
  }
}
GLOBAL add_warp(uint32_t *p, int mask, int n) { // a warp's lanes on 32 neighbouring words
  uint32_t i = gid(), step = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++, i += step)
    atomicAdd(p + (i & mask), 1u);
}
GLOBAL add_return(uint32_t *p, uint32_t *o, int n) { // dependent atomics of one lane
  uint32_t i = 0;
  for (int k = 0; k < n; k++)
    i = atomicAdd(p + (i & 31), 0u);
  o[gid()] = i;
}
GLOBAL parallel_loads(const uint32_t *p, uint32_t *o, int mask,
                      int n) { // one SM: eight loads in flight for each thread
  uint32_t z = 0, i = gid() * 8;
  for (int k = 0; k < n; k++) {
    uint32_t v[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j]) : "l"(p + ((i + z + j * 65536) & mask)));
    i += 8 * 65536 + 32 * 1024;
#pragma unroll
    for (int j = 0; j < 8; j++)
      z ^= v[j];
  }
  o[gid()] = z;
}
GLOBAL read_beside_write(const uint32_t *p, uint32_t *w, uint32_t *o, int mask,
                         int n) { // lines that all read and some write
  uint32_t z = 0, i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    z ^= __ldcg(p + ((i >> 4) & mask));
    if (!(threadIdx.x & 15))
      w[(i >> 5) & mask] = k;
  }
  o[gid()] = z;
}
