// More microbenchmarks of the same kind as micro.cu: stores of parts of sectors and lines, how stores are joined before the L2, atomics on
// lines of different number, half precision, single loads of many threads, which lines share a slice of the L2. `micro7.ptx` is made from
// this file (nvcc -O3 -arch=compute_90 -ptx).
#include <cstdint>
#include <cuda_fp16.h>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ uint32_t threads_of_grid() {
  return gridDim.x * blockDim.x;
}
__device__ __forceinline__ void put(uint32_t *p, uint32_t v) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

// ---- stores: a word, or 16 bytes, of each `stride` words, lanes side by side -------------------------------------------------
GLOBAL st_words(uint32_t *p, uint32_t stride, uint32_t mask, int n) {
  uint32_t i = gid() * stride, step = threads_of_grid() * stride;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    put(p + (i & mask), k);
}
GLOBAL st_quads(uint32_t *p, uint32_t stride, uint32_t mask, int n) {
  uint32_t i = gid() * stride, step = threads_of_grid() * stride;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p + (i & mask)), "r"(k) : "memory");
}
// Bytes and halves, side by side.
GLOBAL st_bytes(uint8_t *p, uint32_t mask, int n) {
  uint32_t i = gid(), step = threads_of_grid();
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    asm volatile("st.global.u8 [%0], %1;" ::"l"(p + (i & mask)), "r"(k) : "memory");
}
// 16 bytes, or whole sectors, at random.
GLOBAL st_quads_random(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p + ((i >> 4) & mask & ~3u)), "r"(k) : "memory");
  }
}
GLOBAL st_sectors_random(uint32_t *p, uint32_t mask, int n) { // eight lanes write a sector
  uint32_t i = gid() / 8 * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    put(p + (((i >> 4) & mask & ~7u) | (threadIdx.x & 7)), k);
  }
}
GLOBAL st_lines_random(uint32_t *p, uint32_t mask, int n) { // a warp writes a line
  uint32_t i = gid() / 32 * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    put(p + (((i >> 4) & mask & ~31u) | (threadIdx.x & 31)), k);
  }
}

// ---- stores that follow each other to the same sectors: structures of `per` words, word by word ------------------------------
GLOBAL st_fields(uint32_t *p, uint32_t per, uint32_t mask, int n) {
  uint32_t i = gid() * per, step = threads_of_grid() * per;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
#pragma unroll 1
    for (uint32_t j = 0; j < per; j++)
      put(p + ((i + j) & mask), k);
}
// The same, unrolled: stores follow each other at once.
GLOBAL st_fields2(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2, step = threads_of_grid() * 2;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
#pragma unroll
    for (uint32_t j = 0; j < 2; j++)
      put(p + (i & mask) + j, k);
}
GLOBAL st_fields3(uint32_t *p, uint32_t mask, int n) { // wraps within the buffer's last bytes
  uint32_t i = gid() * 3, step = threads_of_grid() * 3;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
#pragma unroll
    for (uint32_t j = 0; j < 3; j++)
      put(p + (i & mask) + j, k);
}
GLOBAL st_fields4(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = gid() * 4, step = threads_of_grid() * 4;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
#pragma unroll
    for (uint32_t j = 0; j < 4; j++)
      put(p + (i & mask) + j, k);
}
GLOBAL st_fields8(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = gid() * 8, step = threads_of_grid() * 8;
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
#pragma unroll
    for (uint32_t j = 0; j < 8; j++)
      put(p + (i & mask) + j, k);
}
// A warp writes the even words of `lines` lines, then the odd ones: how many lines may lie between two stores that are joined?
GLOBAL st_again(uint32_t *p, uint32_t lines, int n) {
  uint32_t lane = threadIdx.x & 31, *mine = p + (size_t)(gid() / 32) * lines * 32;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll 1
    for (uint32_t half = 0; half < 2; half++)
#pragma unroll 1
      for (uint32_t j = 0; j < lines; j++)
        if (lane < 16)
          put(mine + j * 32 + lane * 2 + half, k);
}
// The same, one sector of each line.
GLOBAL st_again_sector(uint32_t *p, uint32_t lines, int n) {
  uint32_t lane = threadIdx.x & 31, *mine = p + (size_t)(gid() / 32) * lines * 32;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll 1
    for (uint32_t half = 0; half < 2; half++)
#pragma unroll 1
      for (uint32_t j = 0; j < lines; j++)
        if (lane < 4)
          put(mine + j * 32 + lane * 2 + half, k);
}
// A store, `others` loads that hit in the L1 or arithmetic, then a store to the same sector.
GLOBAL st_later(uint32_t *p, uint32_t *o, int others, int n) {
  uint32_t *mine = p + gid() * 2, z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    put(mine, k);
#pragma unroll 1
    for (int j = 0; j < others; j++)
      z = z * 3 + j;
    put(mine + 1, k + (z == 12345));
  }
  o[gid()] = z;
}

// ---- atomics: a warp on the 32 words of a line, of `lines` lines in all ------------------------------------------------------
GLOBAL add_rows(uint32_t *p, uint32_t lines, int n) {
  uint32_t i = gid() / 32 * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + (i >> 8) % lines * 32 + (threadIdx.x & 31), 1u);
  }
}
GLOBAL addf_rows(float *p, uint32_t lines, int n) {
  uint32_t i = gid() / 32 * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + (i >> 8) % lines * 32 + (threadIdx.x & 31), 1.0f);
  }
}
GLOBAL addf_bins(float *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + ((i >> 4) & mask), 1.0f);
  }
}
GLOBAL add64_bins(unsigned long long *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + ((i >> 4) & mask), 1ull);
  }
}
GLOBAL max_bins_used(uint32_t *p, uint32_t *o, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u, z = 0;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    z ^= atomicMax(p + ((i >> 4) & mask), i);
  }
  o[gid()] = z;
}
// Two words, `apart` bytes from each other: do they share a slice?
GLOBAL add_two(char *p, uint32_t apart, int n) {
  uint32_t *q = (uint32_t *)(p + ((gid() / 32) & 1) * (size_t)apart);
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(q + (threadIdx.x & 7), 1u);
}

// ---- half precision ----------------------------------------------------------------------------------------------------------
GLOBAL c_hfma2(__half2 *o, __half2 x, int n) {
  __half2 s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = __hfma2(s, x, x);
  o[gid()] = s;
}
GLOBAL c_hadd2(__half2 *o, __half2 x, int n) {
  __half2 s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = __hadd2(s, x);
  o[gid()] = s;
}
GLOBAL c_hfma(__half *o, __half x, int n) {
  __half s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = __hfma(s, x, x);
  o[gid()] = s;
}
GLOBAL c_h2f(__half *o, __half x, float y, int n) {
  __half s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = __float2half(__half2float(s) * y);
  o[gid()] = s;
}
GLOBAL t_hfma2(__half2 *o, __half2 x, int n) {
  __half2 s[4] = {x, x, x, x};
  s[1] = __hadd2(x, x), s[2] = __hadd2(s[1], x), s[3] = __hadd2(s[2], x);
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s[j % 4] = __hfma2(s[j % 4], x, x);
  o[gid()] = __hadd2(__hadd2(s[0], s[1]), __hadd2(s[2], s[3]));
}

// ---- one load or copy of each thread: what latency is when all of memory is busy ----------------------------------------------
GLOBAL once_read4(const uint32_t *p, uint32_t *o) {
  if (p[gid()] == 12345)
    o[0] = 1;
}
GLOBAL once_read8(const uint2 *p, uint32_t *o) {
  if (p[gid()].x == 12345)
    o[0] = 1;
}
GLOBAL once_read16(const uint4 *p, uint32_t *o) {
  if (p[gid()].x == 12345)
    o[0] = 1;
}
GLOBAL once_copy4(const uint32_t *p, uint32_t *o) {
  o[gid()] = p[gid()];
}
GLOBAL once_copy16(const uint4 *p, uint4 *o) {
  o[gid()] = p[gid()];
}

// ---- logic and sums of three operands, and the like, that machine code does at once -------------------------------------------
GLOBAL c_logic(uint32_t *o, uint32_t x, uint32_t y, int n) {
  uint32_t s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = (s & x) ^ y;
  o[gid()] = s;
}
GLOBAL c_sum3(uint32_t *o, uint32_t x, uint32_t y, int n) {
  uint32_t s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = (s ^ x) + y + x;
  o[gid()] = s;
}
GLOBAL c_lea(uint32_t *o, uint32_t x, uint32_t y, int n) {
  uint32_t s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = (s << 3) + y;
  o[gid()] = s;
}
GLOBAL c_select(uint32_t *o, uint32_t x, uint32_t y, int n) {
  uint32_t s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = s > y ? s - y : s + x;
  o[gid()] = s;
}
GLOBAL c_minmax(int *o, int x, int y, int n) {
  int s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = max(min(s + x, y), x);
  o[gid()] = s;
}
GLOBAL c_bytes(uint32_t *o, uint32_t x, uint32_t y, int n) {
  uint32_t s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = (s >> 8 & 255) + (s & 255) * y;
  o[gid()] = s;
}
GLOBAL c_rotate(uint32_t *o, uint32_t x, uint32_t y, int n) {
  uint32_t s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = (s << 7 | s >> 25) + y;
  o[gid()] = s;
}
GLOBAL c_dot64(unsigned long long *o, unsigned long long x, uint32_t y, int n) {
  unsigned long long s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = s + (unsigned long long)(uint32_t)s * y;
  o[gid()] = s;
}
GLOBAL c_add64(unsigned long long *o, unsigned long long x, unsigned long long y, int n) {
  unsigned long long s = x;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s = (s + y) ^ x;
  o[gid()] = s;
}
// Reads again what a launch before read: how much of it the L2 keeps.
GLOBAL read_all(const uint4 *p, uint32_t *o, uint32_t n) {
  uint32_t z = 0;
  for (uint32_t i = gid(); i < n; i += threads_of_grid())
    z ^= p[i].x;
  if (z == 12345)
    o[0] = z;
}
