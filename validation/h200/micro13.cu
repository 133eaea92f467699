// Counters rather than steps, as micro4.cu: rows of stores to the same sectors, which of them are joined before the L2, first stores to
// parts of sectors that no cache has, streams that read and write memory, flags that are set for the first time. `micro13.ptx` is made from
// this file (nvcc -O3 -arch=compute_90 -ptx); micro13.yaml, micro13_rounds.yaml and micro13_cold.yaml say what is launched.
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ uint32_t threads_of_grid() {
  return gridDim.x * blockDim.x;
}
__device__ __forceinline__ void put(uint8_t *p, uint32_t v) {
  asm volatile("st.global.u8 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ void put(uint16_t *p, uint32_t v) {
  asm volatile("st.global.u16 [%0], %1;" ::"l"(p), "h"((uint16_t)v) : "memory");
}
__device__ __forceinline__ void put(uint32_t *p, uint32_t v) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

// A warp stores eight elements side by side, one after the other: lanes `per` to a line, `slot` bytes apart in it. `GAP` products for each
// store depend on each other (ptxas puts all of them in front of the stores); `n` such rows, each to other lines.
template <class T, int GAP> __device__ __forceinline__ void row(uint8_t *p, uint32_t lanes, uint32_t per,
                                                                uint32_t slot, uint32_t mask, int n) {
  uint32_t lane = threadIdx.x & 31, lines = lanes / per, z = n;
  uint8_t *mine = p + lane / per * 128 + lane % per * slot;
  if (lane >= lanes)
    return;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    T *to = (T *)(mine + ((gid() / 32 + k * (threads_of_grid() / 32)) * lines * 128 & mask));
#pragma unroll
    for (int j = 0; j < 8; j++) {
#pragma unroll
      for (int g = 0; g < GAP; g++)
        asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(z) : "r"(lanes));
      put(to + j, z);
    }
  }
}
#define ROW(NAME, TYPE, GAP)                                                                                 \
  GLOBAL NAME(uint8_t *p, uint32_t lanes, uint32_t per, uint32_t slot, uint32_t mask, int n) {               \
    row<TYPE, GAP>(p, lanes, per, slot, mask, n);                                                            \
  }
ROW(row_words, uint32_t, 0)
ROW(row_halves, uint16_t, 0)
ROW(row_bytes, uint8_t, 0)
ROW(row_words_1, uint32_t, 1)
ROW(row_words_2, uint32_t, 2)
ROW(row_words_4, uint32_t, 4)
ROW(row_words_8, uint32_t, 8)
ROW(row_words_16, uint32_t, 16)
ROW(row_bytes_4, uint8_t, 4)

// The same in a loop, a store each time round and `GAP` products: how long may the next store to the same sectors take to come? `step`: elements from a store
// to the next, 0: the same again.
template <class T, int GAP> __device__ __forceinline__ void rounds(uint8_t *p, uint32_t lanes, uint32_t per, uint32_t slot,
                                                                   uint32_t step, int n) {
  uint32_t lane = threadIdx.x & 31, z = n;
  T *to = (T *)(p + gid() / 32 * (lanes / per) * 128 + lane / per * 128 + lane % per * slot);
  if (lane >= lanes)
    return;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    put(to + (k * step & 7), z);
#pragma unroll
    for (int g = 0; g < GAP; g++)
      asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(z) : "r"(lanes));
  }
}
#define ROUNDS(NAME, TYPE, GAP)                                                                              \
  GLOBAL NAME(uint8_t *p, uint32_t lanes, uint32_t per, uint32_t slot, uint32_t step, int n) {               \
    rounds<TYPE, GAP>(p, lanes, per, slot, step, n);                                                         \
  }
ROUNDS(rounds_words_0, uint32_t, 0)
ROUNDS(rounds_words_2, uint32_t, 2)
ROUNDS(rounds_words_4, uint32_t, 4)
ROUNDS(rounds_words_6, uint32_t, 6)
ROUNDS(rounds_words_8, uint32_t, 8)
ROUNDS(rounds_words_10, uint32_t, 10)
ROUNDS(rounds_words_12, uint32_t, 12)
ROUNDS(rounds_words_14, uint32_t, 14)
ROUNDS(rounds_words_16, uint32_t, 16)
ROUNDS(rounds_words_20, uint32_t, 20)
ROUNDS(rounds_words_24, uint32_t, 24)
ROUNDS(rounds_words_32, uint32_t, 32)
ROUNDS(rounds_words_48, uint32_t, 48)
ROUNDS(rounds_words_64, uint32_t, 64)
ROUNDS(rounds_bytes_0, uint8_t, 0)
ROUNDS(rounds_bytes_8, uint8_t, 8)
GLOBAL rounds_local(uint32_t *o, uint32_t by, int n) { // words of local memory, whole sectors, the same again
  uint32_t a[16];
#pragma unroll 1
  for (int k = 0; k < n; k++)
    a[k * by & 15] = k;
  o[gid()] = a[by & 15];
}

// A warp stores a part of each word of a line, of `bytes` bytes (0: nothing; 3: every other word), then loads the line past the L1; the next line
// follows from what was loaded, zeros.
GLOBAL touch_line(uint32_t *p, int bytes, int load, int n) {
  uint32_t lane = threadIdx.x & 31, z = 0, *at = p + (size_t)(gid() / 32) * n * 32;
#pragma unroll 1
  for (int k = 0; k < n; k++, at += 32) {
    uint32_t *q = at + z + lane;
    if (bytes == 1)
      put((uint8_t *)q, 0);
    else if (bytes == 2)
      put((uint16_t *)q, 0);
    else if (bytes == 4)
      put(q, 0);
    else if (bytes == 3 && lane % 2)
      put(q, 0);
    if (load)
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(z) : "l"(at + z + (lane ^ 1)) : "memory");
  }
  if (z)
    p[0] = z;
}
// Words, or bytes, at random.
template <class T> __device__ __forceinline__ void at_random(T *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    put(p + (i >> 4 & mask), k);
  }
}
GLOBAL bytes_random(uint8_t *p, uint32_t mask, int n) {
  at_random(p, mask, n);
}
GLOBAL words_random(uint32_t *p, uint32_t mask, int n) {
  at_random(p, mask, n);
}

// Streams: `r` loads and `w` stores of 16 bytes each, side by side.
template <int R, int W> __device__ __forceinline__ void mix(const uint4 *__restrict__ a, uint4 *__restrict__ b, int n) {
  uint4 s = {0, 0, 0, 0};
  size_t all = threads_of_grid();
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    uint4 v[R + 1];
#pragma unroll
    for (int j = 0; j < R; j++)
      v[j] = a[(k * R + j) * all + gid()];
#pragma unroll
    for (int j = 0; j < R; j++)
      s.x ^= v[j].x, s.y ^= v[j].y, s.z ^= v[j].z, s.w ^= v[j].w;
#pragma unroll
    for (int j = 0; j < W; j++)
      b[(k * W + j) * all + gid()] = s;
  }
  if (!W && s.x == 12345)
    b[gid()] = s;
}
#define MIX(R, W)                                                                                            \
  GLOBAL mix_##R##_##W(const uint4 *__restrict__ a, uint4 *__restrict__ b, int n) {                          \
    mix<R, W>(a, b, n);                                                                                      \
  }
MIX(1, 0)
MIX(4, 0)
MIX(3, 1)
MIX(2, 1)
MIX(1, 1)
MIX(2, 2)
MIX(1, 2)
MIX(1, 3)
MIX(0, 1)
MIX(0, 4)

// Flags in words, set for the first time by one thread each, and what follows from that.
GLOBAL flags(uint32_t *seen, uint32_t *owner, uint32_t mask, int what, int n) {
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    uint32_t v = i >> 4 & mask, bit = 1u << (v & 31), old = 0;
    if (what & 1)
      old = atomicOr(&seen[v >> 5], bit);
    if (what & 2 && !(old & bit))
      owner[v] = gid();
  }
}
// Bytes of local memory: all of a row are stored, then read and changed, round by round.
GLOBAL local_rows(uint32_t *o, uint32_t by, int n) {
  uint8_t a[64];
  uint32_t s = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    a[k & 63] = (uint8_t)(k + by);
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    s = s * 3 + a[(k * by) & 63];
    a[(k * by) & 63] = (uint8_t)s;
  }
  o[gid()] = s;
}
