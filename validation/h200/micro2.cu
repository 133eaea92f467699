// More microbenchmarks of the same kind as micro.cu: divergence, banks and tags of the L1, shared atomics, wide integers, votes,
// lines that many SMs read at once. Some have no launch file: an assembler folds them (c_min, c_select, c_add64, t_add, t_xor, t_shl,
// t_setp, t_add64). `micro2.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
#define FMA asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(k));
#define FMA8 FMA FMA FMA FMA FMA FMA FMA FMA
#define ADD asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(k));
#define ADD8 ADD ADD ADD ADD ADD ADD ADD ADD

// Lanes part: `half` of them one way, the others another; an iteration is sixteen steps for the warp.
GLOBAL d_two(float *o, float k, int half, int n) {
  float x = gid();
  for (int i = 0; i < n; i++) {
    if ((int)(threadIdx.x % 32) < half) {
      FMA8 FMA8
    } else {
      ADD8 ADD8
    }
  }
  o[gid()] = x;
}
// Only the first lanes have something to do.
GLOBAL d_some(float *o, float k, int lanes, int n) {
  float x = gid();
  for (int i = 0; i < n; i++) {
    if ((int)(threadIdx.x % 32) < lanes) {
      FMA8 FMA8
    }
    ADD8
  }
  o[gid()] = x;
}
// Four ways, one after the other.
GLOBAL d_four(float *o, float k, int n) {
  float x = gid();
  int way = threadIdx.x % 4;
  for (int i = 0; i < n; i++) {
    if (way == 0) {
      FMA8
    } else if (way == 1) {
      ADD8
    } else if (way == 2) {
      FMA FMA FMA FMA ADD ADD ADD ADD
    } else {
      ADD ADD ADD ADD FMA FMA FMA FMA
    }
  }
  o[gid()] = x;
}
// A loop that each lane leaves at a time of its own: `apart` iterations between neighbours.
GLOBAL d_loop(float *o, float k, int apart, int n) {
  float x = gid();
  int times = n + (int)(threadIdx.x % 32) * apart;
#pragma unroll 1
  for (int i = 0; i < times; i++) {
    FMA FMA
  }
  o[gid()] = x;
}
// A loop of data: ends when a value of the lane's own says so.
GLOBAL d_while(uint32_t *o, uint32_t k, int n) {
  uint32_t x = gid() * 2654435761u, count = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    uint32_t y = x >> 27;
#pragma unroll 1
    while (y) {
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(count) : "r"(k));
      y--;
    }
    x = x * 1664525u + 1013904223u;
  }
  o[gid()] = count;
}
GLOBAL t_bra(float *o, float k, uint32_t m, int n) { // branches that all lanes take alike, over sixteen instructions
  float x = gid();
  uint32_t y = m;
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++) {
      if (y == 12345u + j) {
        FMA8 FMA8
      }
      asm volatile("" : "+r"(y));
    }
  }
  o[gid()] = x + y;
}

// Dependent steps.
#define CHAIN(name, type, start, step)                                                                       \
  GLOBAL name(type *o, type k, int n) {                                                                      \
    type x = (type)(start);                                                                                  \
    for (int i = 0; i < n; i++) {                                                                            \
      step step step step step step step step                                                                \
    }                                                                                                        \
    o[gid()] = x;                                                                                            \
  }
CHAIN(c_add64, uint64_t, gid(), asm volatile("add.u64 %0, %0, %1;" : "+l"(x) : "l"(k));)
CHAIN(c_mul64, uint64_t, gid(), asm volatile("mul.lo.u64 %0, %0, %1;" : "+l"(x) : "l"(k));)
CHAIN(c_shl64, uint64_t, gid(), asm volatile("{.reg .u32 t;\n\tcvt.u32.u64 t, %1;\n\tshl.b64 %0, %0, t;}" : "+l"(x) : "l"(k));)
CHAIN(c_min, uint32_t, gid(), asm volatile("min.u32 %0, %0, %1;" : "+r"(x) : "r"(k));)
CHAIN(c_popc, uint32_t, gid(), asm volatile("popc.b32 %0, %0;" : "+r"(x));)
CHAIN(c_sqrt, float, gid() + 3, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(x));)
CHAIN(c_sin, float, gid(), asm volatile("sin.approx.f32 %0, %0;" : "+f"(x));)
CHAIN(c_div64, double, gid() + 3, asm volatile("div.rn.f64 %0, %1, %0;" : "+d"(x) : "d"(k));)
CHAIN(c_vote, uint32_t, gid(), asm volatile("{.reg .pred p;\n\tsetp.ne.u32 p, %0, %1;\n\tvote.sync.ballot.b32 %0, p, -1;}" : "+r"(x) : "r"(k));)
CHAIN(c_select, uint32_t, gid(), asm volatile("{.reg .pred p;\n\tsetp.gt.u32 p, %0, %1;\n\tselp.u32 %0, %1, %0, p;}" : "+r"(x) : "r"(k));)
GLOBAL c_redux(uint32_t *o, uint32_t k, int n) {
  uint32_t x = gid();
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("redux.sync.add.u32 %0, %0, -1;" : "+r"(x));
  }
  o[gid()] = x;
}

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
#define S_ADD(i)   "add.u32 %" #i ", %" #i ", %8;\n\t"
#define S_XOR(i)   "xor.b32 %" #i ", %" #i ", %8;\n\t"
#define S_SHL(i)   "shl.b32 %" #i ", %" #i ", 3;\n\t"
#define S_SETP(i)  "{.reg .pred p;\n\tsetp.gt.u32 p, %" #i ", %8;\n\tselp.u32 %" #i ", %8, %" #i ", p;}\n\t"
#define S_ADD64(i) "add.u64 %" #i ", %" #i ", %8;\n\t"
#define S_MUL64(i) "mul.lo.u64 %" #i ", %" #i ", %8;\n\t"
#define S_FADD(i)  "add.rn.f32 %" #i ", %" #i ", %8;\n\t"
#define S_I2F(i)   "{.reg .s32 t;\n\tcvt.rzi.s32.f32 t, %" #i ";\n\tcvt.rn.f32.s32 %" #i ", t;}\n\t"
#define S_POPC(i)  "popc.b32 %" #i ", %" #i ";\n\t"
WIDE(t_add, uint32_t, "r", S_ADD)
WIDE(t_xor, uint32_t, "r", S_XOR)
WIDE(t_shl, uint32_t, "r", S_SHL)
WIDE(t_setp, uint32_t, "r", S_SETP)
WIDE(t_add64, uint64_t, "l", S_ADD64)
WIDE(t_mul64, uint64_t, "l", S_MUL64)
WIDE(t_fadd, float, "f", S_FADD)
WIDE(t_i2f, float, "f", S_I2F)
WIDE(t_popc, uint32_t, "r", S_POPC)

// Shared atomics: lanes on words `stride` apart; stride 0: all on one.
GLOBAL sh_add(uint32_t *o, int stride, int n) {
  __shared__ uint32_t s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    s[i] = 0;
  __syncthreads();
  uint32_t at = threadIdx.x % 32 * stride % 1024;
  for (int i = 0; i < n; i++)
    atomicAdd(&s[at], 1u);
  __syncthreads();
  o[gid()] = s[threadIdx.x % 1024];
}
GLOBAL sh_add_random(uint32_t *o, int mask, int n) {
  __shared__ uint32_t s[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    s[i] = 0;
  __syncthreads();
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(&s[(i >> 10) & mask], 1u);
  }
  __syncthreads();
  o[gid()] = s[threadIdx.x];
}
GLOBAL sh_store(uint32_t *o, int stride, int n) {
  __shared__ volatile uint32_t s[4096];
  uint32_t at = threadIdx.x % 32 * stride % 4096;
  for (int k = 0; k < n; k++)
    s[at] = k;
  __syncthreads();
  o[gid()] = s[threadIdx.x];
}

// One SM, a sector for each lane: through the L1, missing it.
GLOBAL one_gather(const uint32_t *p, uint32_t *o, int mask, int n) {
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
// Every SM reads the same lines at about the same time.
GLOBAL all_same(const uint4 *p, uint32_t *o, int mask, int n) {
  uint32_t z = 0, i = threadIdx.x;
  for (int k = 0; k < n; k++) {
    uint4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++, i += blockDim.x)
      asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[j].x), "=r"(v[j].y), "=r"(v[j].z), "=r"(v[j].w)
                   : "l"(p + (i & mask)));
#pragma unroll
    for (int j = 0; j < 4; j++)
      z ^= v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
  }
  o[gid()] = z;
}
// Stores that no lane makes.
GLOBAL store_none(uint32_t *o, uint32_t k, int n) {
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("{.reg .pred p;\n\tsetp.eq.u32 p, %1, %2;\n\t@p st.global.u32 [%0], %1;}" ::"l"(o), "r"(k), "r"(12345u + j));
  }
  o[gid()] = k;
}
