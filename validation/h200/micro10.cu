// More microbenchmarks of the same kind as micro.cu, of what the kernels of the other files use little: fences, f64 atomics, locks and
// queues, calls, arrays in local memory, switches, constants, lanes that leave loops at different times, precise roots and reciprocals.
// `micro10.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#define GLOBAL extern "C" __global__ void
#define APART static __device__ __noinline__
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ void put(uint32_t *p, uint32_t v) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ uint32_t get(const uint32_t *p) { // by way of the L1
  uint32_t v;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ uint32_t get_l2(const uint32_t *p) {
  uint32_t v;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ void fence_gpu() { // MEMBAR.SC
  asm volatile("membar.gl;" ::: "memory");
}
__device__ __forceinline__ void fence_weak() { // MEMBAR.ALL
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
__device__ __forceinline__ uint32_t next_of(uint32_t &i) {
  i = i * 1664525u + 1013904223u;
  return i >> 8;
}

// ---- fences: alone, after a store, a load, an atomic; every lane has a word of its own ------------------------------------------
GLOBAL fence_only(uint32_t *p, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++)
    fence_gpu();
  put(p + gid(), n);
}
GLOBAL fence_weak_only(uint32_t *p, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++)
    fence_weak();
  put(p + gid(), n);
}
GLOBAL fence_store(uint32_t *p, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    put(p + gid(), k);
    fence_gpu();
  }
}
GLOBAL fence_weak_store(uint32_t *p, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    put(p + gid(), k);
    fence_weak();
  }
}
GLOBAL fence_stores(uint32_t *p, uint32_t mask, int n) { // each lane another line, then a fence
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    put(p + ((gid() * 32 + k * 32) & mask), k);
    fence_gpu();
  }
}
GLOBAL fence_load(uint32_t *p, int n) { // each load's address needs the load before it
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    z = get_l2(p + gid() + z);
    fence_gpu();
  }
  put(p + gid(), z);
}
GLOBAL fence_load_ca(uint32_t *p, int n) { // a load that hits in the L1, if a fence leaves its line there
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    z = get(p + gid() + z);
    fence_gpu();
  }
  put(p + gid(), z);
}
GLOBAL fence_load_free(uint32_t *p, uint32_t *o, int n) { // nothing waits for the load but the fence
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    z += get_l2(p + gid());
    fence_gpu();
  }
  put(o + gid(), z);
}
GLOBAL fence_add(uint32_t *p, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    atomicAdd(p + gid(), 1u);
    fence_gpu();
  }
}
GLOBAL fence_one_of(uint32_t *p, uint32_t *o, int n) { // one warp fences, the others load what the L1 has
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (threadIdx.x < 32)
      fence_gpu();
    else
      z = get(p + gid() + z);
  put(o + gid(), z);
}
GLOBAL fence_block(uint32_t *p, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    put(p + gid(), k);
    __threadfence_block();
  }
}
GLOBAL fence_block_load(uint32_t *p, int n) {
  uint32_t z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    z = get(p + gid() + z);
    __threadfence_block();
  }
  put(p + gid(), z);
}

// ---- f64 atomics, and CAS of several lanes ---------------------------------------------------------------------------------
GLOBAL addd_one(double *p, int n) { // every lane adds to one word
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(p, 1.0);
}
GLOBAL addd_words(double *p, uint32_t words, uint32_t mask, int n) { // 32 lanes on `words` words of a line, at random lines
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(p + (next_of(i) & mask) * 16 + at, 1.0);
}
GLOBAL addd_rows(double *p, uint32_t lines, int n) { // a warp on 256 bytes
  uint32_t i = gid() / 32 * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(p + next_of(i) % lines * 32 + (threadIdx.x & 31), 1.0);
}
GLOBAL addd_bins2(double *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(p + (next_of(i) & mask), 1.0);
}
GLOBAL addd_bins_used(double *p, double *o, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
  double z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    z += atomicAdd(p + (next_of(i) & mask), 1.0);
  o[gid()] = z;
}
GLOBAL addd_rows_used(double *p, double *o, uint32_t lines, int n) {
  uint32_t i = gid() / 32 * 2654435761u;
  double z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    z += atomicAdd(p + next_of(i) % lines * 32 + (threadIdx.x & 31), 1.0);
  o[gid()] = z;
}
GLOBAL cas_words(uint32_t *p, uint32_t *o, uint32_t words, uint32_t mask, int n) {
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words, z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    z += atomicCAS(p + (next_of(i) & mask) * 32 + at, k, k + 1);
  o[gid()] = z;
}
GLOBAL exch_words(uint32_t *p, uint32_t *o, uint32_t words, uint32_t mask, int n) {
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words, z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    z += atomicExch(p + (next_of(i) & mask) * 32 + at, k);
  o[gid()] = z;
}

// ---- locks, tickets, sums by CAS, queues -----------------------------------------------------------------------------------
// The first lane of each warp takes one of `locks` locks, adds to a word and gives the lock back.
GLOBAL lock_fenced(uint32_t *lock, uint32_t *data, uint32_t locks, int n) {
  uint32_t i = gid() / 32 * 2654435761u;
  if (threadIdx.x & 31)
    return;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t j = next_of(i) & (locks - 1);
    while (atomicCAS(lock + j, 0, 1) != 0)
      ;
    __threadfence();
    put(data + j, get_l2(data + j) + 1);
    __threadfence();
    atomicExch(lock + j, 0);
  }
}
GLOBAL lock_plain(uint32_t *lock, uint32_t *data, uint32_t locks, int n) { // without fences
  uint32_t i = gid() / 32 * 2654435761u;
  if (threadIdx.x & 31)
    return;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t j = next_of(i) & (locks - 1);
    while (atomicCAS(lock + j, 0, 1) != 0)
      ;
    put(data + j, get_l2(data + j) + 1);
    atomicExch(lock + j, 0);
  }
}
GLOBAL ticket(uint32_t *next, uint32_t *now, uint32_t *data, uint32_t locks, int n) {
  uint32_t i = gid() / 32 * 2654435761u;
  if (threadIdx.x & 31)
    return;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t j = next_of(i) & (locks - 1), mine = atomicAdd(next + j * 32, 1u);
    while (*(volatile uint32_t *)(now + j * 32) != mine)
      ;
    put(data + j, get_l2(data + j) + 1);
    __threadfence();
    atomicAdd(now + j * 32, 1u);
  }
}
__device__ __forceinline__ void add_by_cas(float *p, float v) {
  uint32_t *q = (uint32_t *)p, old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __float_as_uint(__uint_as_float(seen) + v));
  } while (old != seen);
}
GLOBAL cas_warps(float *p, uint32_t mask, int n) { // one lane of each warp
  uint32_t i = gid() / 32 * 2654435761u;
  if (threadIdx.x & 31)
    return;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    add_by_cas(p + (next_of(i) & mask), 1.0f);
}
GLOBAL cas_lanes(float *p, uint32_t mask, int n) { // every lane
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    add_by_cas(p + (next_of(i) & mask), 1.0f);
}
GLOBAL queue_lanes(uint32_t *tail, uint32_t *q, uint32_t mask, int n) { // every lane asks for a place
#pragma unroll 1
  for (int k = 0; k < n; k++)
    put(q + (atomicAdd(tail, 1u) & mask), k);
}
GLOBAL queue_some(uint32_t *tail, uint32_t *q, uint32_t mask, int n) { // a third of the lanes
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (next_of(i) % 3 == 0)
      put(q + (atomicAdd(tail, 1u) & mask), k);
}
GLOBAL queue_warps(uint32_t *tail, uint32_t *q, uint32_t mask, int n) { // one lane asks for those that have something
  uint32_t i = gid() * 2654435761u, lane = threadIdx.x & 31;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    bool has = next_of(i) % 3 == 0;
    uint32_t all = __ballot_sync(~0u, has), at = 0;
    if (lane == 0)
      at = atomicAdd(tail, __popc(all));
    at = __shfl_sync(~0u, at, 0) + __popc(all & ((1u << lane) - 1));
    if (has)
      put(q + (at & mask), k);
  }
}

// ---- calls -----------------------------------------------------------------------------------------------------------------
template <int D> APART uint32_t down(uint32_t x) { // needs x again after the call
  return down<D - 1>(x * 3 + D) ^ x;
}
template <> __device__ __noinline__ uint32_t down<1>(uint32_t x) {
  return x * 5 + 1;
}
template <int D> __device__ __forceinline__ void calls(uint32_t *o, int n) {
  uint32_t s = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = down<D>(s + k);
  o[gid()] = s;
}
GLOBAL call_1(uint32_t *o, int n) {
  calls<1>(o, n);
}
GLOBAL call_2(uint32_t *o, int n) {
  calls<2>(o, n);
}
GLOBAL call_8(uint32_t *o, int n) {
  calls<8>(o, n);
}
GLOBAL call_32(uint32_t *o, int n) {
  calls<32>(o, n);
}
APART uint32_t recur(uint32_t x, int d) {
  if (d == 0)
    return x + 1;
  return recur(x * 3 + d, d - 1) ^ (x >> 1);
}
GLOBAL call_self(uint32_t *o, int depth, int n) {
  uint32_t s = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = recur(s + k, depth);
  o[gid()] = s;
}
GLOBAL call_self_lanes(uint32_t *o, int n) { // lanes go 1 to 8 deep
  uint32_t s = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = recur(s + k, 1 + (threadIdx.x & 7));
  o[gid()] = s;
}
struct six {
  uint32_t v[6];
};
APART six wide(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f) {
  six r = {{a + f, b ^ e, c + d, d ^ a, e + b, f ^ c}};
  return r;
}
GLOBAL call_wide(uint32_t *o, int n) {
  six s = {{threadIdx.x, 1, 2, 3, 4, 5}};
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = wide(s.v[0], s.v[1], s.v[2], s.v[3], s.v[4], s.v[5]);
  o[gid()] = s.v[0] + s.v[1] + s.v[2] + s.v[3] + s.v[4] + s.v[5];
}

// ---- arrays in local memory ----------------------------------------------------------------------------------------------
// A store and a load each step, of places that one value of the whole warp says.
template <int W> __device__ __forceinline__ void locals(uint32_t *o, uint32_t by, int n) {
  uint32_t a[W], i = 0, s = threadIdx.x;
#pragma unroll
  for (int k = 0; k < W; k++)
    a[k] = k ^ by;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    a[i & (W - 1)] = s;
    i += by;
    s += a[i & (W - 1)];
  }
  o[gid()] = s;
}
GLOBAL local_8(uint32_t *o, uint32_t by, int n) {
  locals<8>(o, by, n);
}
GLOBAL local_16(uint32_t *o, uint32_t by, int n) {
  locals<16>(o, by, n);
}
GLOBAL local_32(uint32_t *o, uint32_t by, int n) {
  locals<32>(o, by, n);
}
GLOBAL local_64(uint32_t *o, uint32_t by, int n) {
  locals<64>(o, by, n);
}
GLOBAL local_128(uint32_t *o, uint32_t by, int n) {
  locals<128>(o, by, n);
}
// Loads only, each needs the one before; lanes read places `apart` words from each other.
GLOBAL local_chain(uint32_t *o, uint32_t by, uint32_t apart, int n) {
  uint32_t a[32], i = threadIdx.x * apart;
#pragma unroll
  for (int k = 0; k < 32; k++)
    a[k] = k + by;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    i = a[i & 31];
  o[gid()] = i;
}
// A stack of each lane: places differ as lanes push and pop differently often.
GLOBAL local_stack(uint32_t *o, uint32_t seed, int n) {
  uint32_t a[64], i = gid() * seed, top = 0, s = 0;
  a[0] = seed;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t r = next_of(i);
    if ((r & 3) && top < 63)
      a[++top] = r;
    else if (top > 0)
      s += a[top--];
  }
  o[gid()] = s + a[top];
}
// First touches: n words of each thread are stored, then one of them is read.
GLOBAL local_touch(uint32_t *o, uint32_t by, int n) {
  uint32_t a[256];
#pragma unroll 1
  for (int k = 0; k < n; k++)
    a[k & 255] = k + by;
  o[gid()] = a[by & 255 & (n - 1)];
}

// Bytes: sectors are changed in part before one of them is read.
GLOBAL local_bytes(uint32_t *o, uint32_t by, int n) {
  uint8_t a[256];
  uint32_t s = threadIdx.x;
  a[0] = (uint8_t)by;
#pragma unroll 1
  for (int k = 1; k <= n; k++) {
    a[k & 255] = (uint8_t)s;
    s = s * 3 + a[(k - by) & 255];
  }
  o[gid()] = s;
}

// ---- a chain of loads that hit in the L1 or the L2, lanes `apart` words from each other -----------------------------------------
GLOBAL trip_l1(uint32_t *p, uint32_t apart, int n) { // zeros
  uint32_t *q = p + threadIdx.x * apart, z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    z = get(q + z);
  put(q, z);
}
GLOBAL trip_l2(uint32_t *p, uint32_t apart, int n) {
  uint32_t *q = p + threadIdx.x * apart, z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    z = get_l2(q + z);
  put(q, z);
}

// ---- switches ------------------------------------------------------------------------------------------------------------
// The way comes from a word of p: the same for all lanes (apart 0), or another for each lane.
GLOBAL switch_8(const uint32_t *p, uint32_t *o, uint32_t apart, int n) {
  uint32_t s = threadIdx.x, w = threadIdx.x * apart;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    switch ((w + s * 0 + p[0]) & 7) {
    case 0: s = s * 3 + 1; break;
    case 1: s ^= s >> 3; break;
    case 2: s = s * s + 7; break;
    case 3: s = (s << 5) - s; break;
    case 4: s = __brev(s) + 9; break;
    case 5: s = __popc(s) * 77 + s; break;
    case 6: s = s % 1000 + 5; break;
    default: s = ~s + k; break;
    }
    w++;
  }
  o[gid()] = s;
}
GLOBAL switch_16(const uint32_t *p, uint32_t *o, uint32_t apart, int n) {
  uint32_t s = threadIdx.x, w = threadIdx.x * apart + p[0];
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    switch (w & 15) {
    case 0: s = s * 3 + 1; break;
    case 1: s ^= s >> 3; break;
    case 2: s = s * s + 7; break;
    case 3: s = (s << 5) - s; break;
    case 4: s = __brev(s) + 9; break;
    case 5: s = __popc(s) * 77 + s; break;
    case 6: s = s % 1000 + 5; break;
    case 7: s = ~s + k; break;
    case 8: s = s * 9 + 4; break;
    case 9: s ^= s >> 7; break;
    case 10: s = (s + k) * s; break;
    case 11: s = (s << 3) ^ s; break;
    case 12: s = __brev(s ^ 55); break;
    case 13: s = __clz(s) * 99 + s; break;
    case 14: s = s / 7 + 5; break;
    default: s = s - k * 3; break;
    }
    w++;
  }
  o[gid()] = s;
}
GLOBAL tests_8(const uint32_t *p, uint32_t *o, uint32_t apart, int n) { // values far from each other, one test after the other
  uint32_t s = threadIdx.x, w = threadIdx.x * apart + p[0];
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t c = (w & 7) * 1000;
    if (c == 3000)
      s = s * 3 + 1;
    else if (c == 7000)
      s ^= s >> 3;
    else if (c == 1000)
      s = s * s + 7;
    else if (c == 5000)
      s = (s << 5) - s;
    else if (c == 0)
      s = __brev(s) + 9;
    else if (c == 6000)
      s = __popc(s) * 77 + s;
    else if (c == 2000)
      s = s % 1000 + 5;
    else
      s = ~s + k;
    w++;
  }
  o[gid()] = s;
}
GLOBAL switch_loads(const uint32_t *p, uint32_t *o, uint32_t apart, int n) { // ways that load: an interpreter
  uint32_t s = threadIdx.x, w = threadIdx.x * apart;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    switch ((w + p[k & 31]) & 7) {
    case 0: s += p[32 + (s & 31)]; break;
    case 1: s ^= p[64 + (s & 31)]; break;
    case 2: s = s * 3 + p[96]; break;
    case 3: s -= p[97 + (s & 7)]; break;
    case 4: s = (s << 1) + p[120]; break;
    case 5: s = s * s; break;
    case 6: s = __popc(s) + p[121]; break;
    default: s = ~s; break;
    }
    w++;
  }
  o[gid()] = s;
}

// ---- constants ---------------------------------------------------------------------------------------------------------------
__constant__ __align__(16) uint32_t table[16384]; // zeros
// A chain of loads; 32 lanes read `ways` words, `apart` words from each other.
GLOBAL const_words(uint32_t *o, uint32_t ways, uint32_t apart, int n) {
  uint32_t i = (threadIdx.x & 31) % ways * apart;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    i += table[i & 16383];
  o[gid()] = i;
}
// Loads that do not need each other.
GLOBAL const_words_free(uint32_t *o, uint32_t ways, uint32_t apart, int n) {
  uint32_t i = (threadIdx.x & 31) % ways * apart, s = 0;
#pragma unroll 4
  for (int k = 0; k < n; k++, i += 4)
    s ^= table[i & 511];
  o[gid()] = s;
}
GLOBAL const_bytes(uint32_t *o, uint32_t ways, uint32_t apart, int n) {
  uint32_t i = (threadIdx.x & 31) % ways * apart;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    i += ((const uint8_t *)table)[i & 65535];
  o[gid()] = i;
}
GLOBAL const_pairs(uint32_t *o, uint32_t ways, uint32_t apart, int n) {
  uint32_t i = (threadIdx.x & 31) % ways * apart;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint2 v = ((const uint2 *)table)[i & 8191];
    i += v.x + v.y;
  }
  o[gid()] = i;
}
GLOBAL const_quads(uint32_t *o, uint32_t ways, uint32_t apart, int n) {
  uint32_t i = (threadIdx.x & 31) % ways * apart;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint4 v = ((const uint4 *)table)[i & 4095];
    i += v.x + v.y + v.z + v.w;
  }
  o[gid()] = i;
}
GLOBAL const_chain(uint32_t *o, uint32_t step, uint32_t mask, int n) { // one address, another each time
  uint32_t i = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    i = (table[i & mask] + i + step);
  o[gid()] = i;
}

// ---- lanes that leave a loop at different times ---------------------------------------------------------------------------------
GLOBAL leave_alu(uint32_t *o, uint32_t most, int n) { // lane l goes round 1 + l % most times
  uint32_t s = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t left = 1 + (threadIdx.x & (most - 1));
#pragma unroll 1
    do
      s = s * 3 + left;
    while (--left);
  }
  o[gid()] = s;
}
GLOBAL leave_load(const uint32_t *p, uint32_t *o, uint32_t most, int n) { // the same, with a load that hits in the L1
  uint32_t s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t left = 1 + (threadIdx.x & (most - 1));
#pragma unroll 1
    do
      s += p[(s & 1) + left];
    while (--left);
  }
  o[gid()] = s;
}
GLOBAL leave_break(const uint32_t *p, uint32_t *o, uint32_t most, int n) { // two ways out, what follows differs
  uint32_t s = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint32_t left = 1 + (threadIdx.x & (most - 1));
#pragma unroll 1
    for (;;) {
      s = s * 3 + left;
      if (s == 0x12345677) {
        s = p[s & 7];
        break;
      }
      if (--left == 0)
        break;
    }
  }
  o[gid()] = s;
}

// ---- precise functions ---------------------------------------------------------------------------------------------------------
GLOBAL r_rcp(float *o, float x, int n) {
  float s = x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = __frcp_rn(s) + x;
  o[gid()] = s;
}
GLOBAL r_sqrt(float *o, float x, int n) {
  float s = x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = __fsqrt_rn(s) + x;
  o[gid()] = s;
}
GLOBAL r_fdiv(float *o, float x, int n) {
  float s = x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = __fdiv_rn(x, s) + x;
  o[gid()] = s;
}
GLOBAL r_drcp(double *o, double x, int n) {
  double s = x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = __drcp_rn(s) + x;
  o[gid()] = s;
}
GLOBAL r_dsqrt(double *o, double x, int n) {
  double s = x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = __dsqrt_rn(s) + x;
  o[gid()] = s;
}
GLOBAL r_ddiv(double *o, double x, int n) {
  double s = x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = __ddiv_rn(x, s) + x;
  o[gid()] = s;
}
