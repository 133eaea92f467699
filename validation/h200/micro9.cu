// More microbenchmarks of the same kind as micro.cu: copies within the L2, atomics of several lanes on a word, walks over bits, half
// precision and f64 atomics, pages that are touched first, pairs of sectors. `micro9.ptx` is made from this file (nvcc -O3 -arch=compute_90
// -ptx).
#include <cstdint>
#include <cuda_fp16.h>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ uint32_t threads_of_grid() {
  return gridDim.x * blockDim.x;
}

// ---- reads and stores of data that the L2 has ----------------------------------------------------------------------------------
GLOBAL copy_l2_4(const uint32_t *p, uint32_t *q, uint32_t mask, int n) {
  uint32_t i = gid(), step = threads_of_grid();
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    q[i & mask] = __ldcg(p + (i & mask));
}
GLOBAL copy_l2_16(const uint4 *p, uint4 *q, uint32_t mask, int n) {
  uint32_t i = gid(), step = threads_of_grid();
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    q[i & mask] = __ldcg(p + (i & mask));
}
GLOBAL sum_l2_4(const uint32_t *p, const uint32_t *o, uint32_t *q, uint32_t mask, int n) { // two reads, a store
  uint32_t i = gid(), step = threads_of_grid();
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step)
    q[i & mask] = __ldcg(p + (i & mask)) + __ldcg(o + (i & mask));
}
GLOBAL split_l2_4(const uint32_t *p, uint32_t *o, uint32_t *q, uint32_t mask, int n) { // a read, two stores
  uint32_t i = gid(), step = threads_of_grid();
#pragma unroll 1
  for (int k = 0; k < n; k++, i += step) {
    uint32_t v = __ldcg(p + (i & mask));
    q[i & mask] = v;
    o[i & mask] = v + 1;
  }
}

// ---- atomics: 32 lanes on `words` words of one sector or line, at random lines ---------------------------------------------------
__device__ __forceinline__ uint32_t line_of(uint32_t &i, uint32_t mask) {
  i = i * 1664525u + 1013904223u;
  return ((i >> 8) & mask) * 32;
}
GLOBAL or_words(uint32_t *p, uint32_t words, uint32_t mask, int n) {
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicOr(p + line_of(i, mask) + at, 1u << (threadIdx.x & 31));
}
GLOBAL add_words(uint32_t *p, uint32_t words, uint32_t mask, int n) {
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(p + line_of(i, mask) + at, threadIdx.x);
}
GLOBAL max_words(uint32_t *p, uint32_t words, uint32_t mask, int n) {
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicMax(p + line_of(i, mask) + at, i + threadIdx.x);
}
GLOBAL addf_words(float *p, uint32_t words, uint32_t mask, int n) {
  uint32_t i = gid() / 32 * 2654435761u, at = (threadIdx.x & 31) % words;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(p + line_of(i, mask) + at, 1.0f);
}
// Bits at equal distances, as a sieve strikes them out.
GLOBAL or_walk(uint32_t *bits, uint32_t p, uint32_t n) {
#pragma unroll 1
  for (uint32_t m = p * gid(); m < n; m += p * threads_of_grid())
    atomicOr(bits + m / 32, 1u << m % 32);
}
GLOBAL add_walk(uint32_t *bits, uint32_t p, uint32_t n) {
#pragma unroll 1
  for (uint32_t m = p * gid(); m < n; m += p * threads_of_grid())
    atomicAdd(bits + m / 32, 1u << m % 32);
}
GLOBAL addh2_bins(__half2 *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + ((i >> 4) & mask), __floats2half2_rn(0.5f, 0.25f));
  }
}
GLOBAL addd_bins(double *p, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(p + ((i >> 4) & mask), 1.0);
  }
}
GLOBAL inc_bins_used(uint32_t *p, uint32_t *o, uint32_t mask, int n) {
  uint32_t i = gid() * 2654435761u, z = 0;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    z ^= atomicInc(p + ((i >> 4) & mask), 4095u);
  }
  o[gid()] = z;
}

// ---- pages: a chain of loads, each in another page ---------------------------------------------------------------------------
GLOBAL touch_pages(const uint32_t *p, uint32_t *o, uint32_t words, uint32_t pages, int n) {
  uint32_t i = 0, z = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    z = __ldcg(p + (size_t)(i + z) * words + (k & 7) * 32);
    i = i + 1 == pages ? 0 : i + 1;
  }
  o[0] = z;
}
// Every thread loads one word; CTAs lie `words` apart.
GLOBAL touch_all(const uint32_t *p, uint32_t *o, uint32_t words, uint32_t mask) {
  if (__ldcg(p + (((size_t)blockIdx.x * words + threadIdx.x) & mask)) == 12345)
    o[0] = 1;
}

// ---- pairs of sectors at random, of memory ------------------------------------------------------------------------------------
GLOBAL st_pairs_random(uint32_t *p, uint32_t mask, int n) { // 16 lanes write 64 bytes
  uint32_t i = gid() / 16 * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    p[((i >> 4) & mask & ~15u) | (threadIdx.x & 15)] = k;
  }
}
GLOBAL ld_lines_random(const uint32_t *p, uint32_t *o, uint32_t mask, int n) { // a warp reads a line
  uint32_t i = gid() / 32 * 2654435761u, z = 0;
#pragma unroll 4
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    z ^= __ldcg(p + (((i >> 4) & mask & ~31u) | (threadIdx.x & 31)));
  }
  o[gid()] = z;
}

// ---- shared memory: stores, loads and atomics side by side, as kernels use them ------------------------------------------------
GLOBAL sh_bins(const uint32_t *a, uint32_t *o, int n) { // a bin of 32 for each lane, without conflicts
  __shared__ uint32_t h[32][32];
  int lane = threadIdx.x & 31;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    h[k / 32][k & 31] = 0;
  __syncthreads();
  uint32_t i = gid() * 2654435761u;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    atomicAdd(&h[i >> 27][lane], 1u);
  }
  __syncthreads();
  o[gid()] = h[threadIdx.x & 31][lane];
}
