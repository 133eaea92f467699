// The third set of kernels on which the timing model is compared with a card: everyday CUDA, one size of each, written before any of them
// was run on the model, and grouped by what is expected to limit them. Memory and atomics are used in as many ways as we could think of,
// for in those classes the second set has kernels that are far off. `kernels3.ptx` is made from this file (nvcc -O3 -arch=compute_90
// -ptx); the launch files in kernels3/ name sizes and inputs.
#include <cstdint>
#include <cuda_fp16.h>
#define GLOBAL extern "C" __global__ void
typedef unsigned long long u64;
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ int threads_of_grid() {
  return gridDim.x * blockDim.x;
}
__device__ __forceinline__ uint32_t mix(uint32_t v) { // a hash of an integer
  v = (v ^ v >> 16) * 0xa3d8f125u;
  v = (v ^ v >> 13) * 0x5c9e1b73u;
  return v ^ v >> 16;
}
__device__ __forceinline__ uint32_t xorshift(uint32_t &s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}
__device__ __forceinline__ float sum_of_lanes(float s) { // in every lane
  for (int d = 16; d; d /= 2)
    s += __shfl_xor_sync(~0u, s, d);
  return s;
}

// ---- bandwidth ----------------------------------------------------------------------------------------------------------
GLOBAL copy2(const uint16_t *__restrict__ a, uint16_t *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[i] = a[i];
}
GLOBAL copy8(const uint2 *__restrict__ a, uint2 *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[i] = a[i];
}
GLOBAL copy_four16(const float4 *__restrict__ a, float4 *__restrict__ b) { // four times 16 bytes a thread
  size_t at = (size_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int k = 0; k < 4; k++)
    v[k] = a[at + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < 4; k++)
    b[at + k * blockDim.x] = v[k];
}
GLOBAL add_bytes(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, uint8_t *__restrict__ c,
                 int n) {
  int i = gid();
  if (i < n)
    c[i] = (uint8_t)min(a[i] + b[i], 255);
}
GLOBAL blend_halves(const __half2 *__restrict__ a, const __half2 *__restrict__ b, __half2 *__restrict__ c,
                    float k, int n) {
  int i = gid();
  if (i < n)
    c[i] = __hfma2(__float2half2_rn(k), __hsub2(b[i], a[i]), a[i]);
}
GLOBAL triad_f64(const double2 *__restrict__ a, const double2 *__restrict__ b, double2 *__restrict__ c,
                 double k, int n) {
  int i = gid();
  if (i >= n)
    return;
  double2 p = a[i], q = b[i];
  c[i] = make_double2(p.x + k * q.x, p.y + k * q.y);
}
GLOBAL sum_read16(const float4 *__restrict__ a, float *__restrict__ part, int n) { // a CTA of 1,024 on an SM
  float s = 0;
  for (int i = gid(); i < n; i += threads_of_grid()) {
    float4 v = a[i];
    s += v.x + v.y + v.z + v.w;
  }
  s = sum_of_lanes(s);
  if (threadIdx.x % 32 == 0)
    part[gid() / 32] = s;
}
GLOBAL fill_index(uint32_t *a, uint32_t k, int n) {
  int i = gid();
  if (i < n)
    a[i] = i * k;
}
GLOBAL update_in_place(uint32_t *a, int n) { // two CTAs on an SM
  for (int i = gid(); i < n; i += threads_of_grid())
    a[i] = a[i] * 1664525u + 1013904223u;
}
GLOBAL lattice_9(const float *__restrict__ f, float *__restrict__ g, int w, int h) { // flow in two dimensions
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = w * h;
  float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    v[k] = f[k * n + ((y - cy[k]) & (h - 1)) * w + ((x - cx[k]) & (w - 1))];
    rho += v[k];
    ux += (float)cx[k] * v[k];
    uy += (float)cy[k] * v[k];
  }
  ux /= rho;
  uy /= rho;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    float weight = k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36;
    float along = 3.0f * ((float)cx[k] * ux + (float)cy[k] * uy);
    float rest = weight * rho * (1.0f + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
    g[k * n + y * w + x] = v[k] + 0.8f * (rest - v[k]);
  }
}
GLOBAL collide_19(const float *__restrict__ f, float *__restrict__ g, int n) { // 19 arrays in, 19 out
  int i = gid();
  float v[19], sum = 0;
#pragma unroll
  for (int k = 0; k < 19; k++) {
    v[k] = f[k * n + i];
    sum += v[k];
  }
#pragma unroll
  for (int k = 0; k < 19; k++)
    g[k * n + i] = v[k] + 0.6f * (sum * (1.0f / 19) - v[k]);
}
GLOBAL spread_by_eight(const float *__restrict__ a, float *__restrict__ b, int n) { // 4 of each 32 bytes
  int i = gid();
  if (i < n)
    b[8 * i] = a[i];
}
GLOBAL column_of_33(const float *__restrict__ a, float *__restrict__ b, int n) { // one of 33 columns
  int i = gid();
  if (i < n)
    b[i] = a[33 * i + 5];
}
GLOBAL split_pairs(const float *__restrict__ a, float *__restrict__ re, float *__restrict__ im, int n) {
  int i = gid();
  if (i >= n)
    return;
  re[i] = a[2 * i];
  im[i] = a[2 * i + 1];
}
GLOBAL copy_misaligned(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[i + 3] = a[i + 1];
}
GLOBAL crop_rows(const float *__restrict__ a, float *__restrict__ b, int pitch, int left, int width) {
  int x = gid(), y = blockIdx.y;
  if (x < width)
    b[(size_t)y * width + x] = a[(size_t)y * pitch + left + x];
}
GLOBAL transpose_bytes(const uint8_t *__restrict__ a, uint8_t *__restrict__ b, int n) { // 32 x 8 threads
  __shared__ uint8_t tile[32][36];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = a[(size_t)(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
GLOBAL transpose_pull_f64(const double *__restrict__ a, double *__restrict__ b, int n) { // strided reads
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  b[(size_t)y * n + x] = a[(size_t)x * n + y];
}
GLOBAL rgb_to_grey(const uint8_t *__restrict__ a, uint8_t *__restrict__ b, int n) { // pixels of 3 bytes
  int i = gid();
  if (i < n)
    b[i] = (uint8_t)((a[3 * i] * 54 + a[3 * i + 1] * 183 + a[3 * i + 2] * 19) >> 8);
}
GLOBAL planes_to_triples(const float *__restrict__ x, const float *__restrict__ y,
                         const float *__restrict__ z, float *__restrict__ out, int n) {
  int i = gid();
  if (i >= n)
    return;
  out[3 * i] = x[i];
  out[3 * i + 1] = y[i];
  out[3 * i + 2] = z[i];
}
struct vector12 {
  float x, y, z;
};
GLOBAL normalise_aos12(vector12 *v, int n) {
  int i = gid();
  if (i >= n)
    return;
  vector12 p = v[i];
  float k = rsqrtf(p.x * p.x + p.y * p.y + p.z * p.z + 1e-12f);
  v[i] = {p.x * k, p.y * k, p.z * k};
}
struct order20 {
  uint32_t id, customer;
  float price, amount, total;
};
GLOBAL total_aos20(order20 *o, float tax, int n) { // three of five words are read, one is written
  int i = gid();
  if (i < n)
    o[i].total = o[i].price * o[i].amount * (o[i].customer & 1 ? 1.0f : tax);
}
struct body48 {
  float4 position, speed, other;
};
GLOBAL move_aos48(body48 *b, float dt, int n) {
  int i = gid();
  if (i >= n)
    return;
  float4 p = b[i].position, v = b[i].speed;
  b[i].position = make_float4(p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w);
}
GLOBAL gather_small(const uint32_t *__restrict__ index, const float *__restrict__ table,
                    float *__restrict__ out, int n) { // from 1 MB
  int i = gid();
  if (i < n)
    out[i] = table[index[i]];
}
GLOBAL gather_middle(const uint2 *__restrict__ table, uint2 *__restrict__ out, uint32_t entries,
                     int n) { // from 30 MB
  int i = gid();
  if (i < n)
    out[i] = table[__umulhi(mix(i), entries)];
}
GLOBAL gather_large(const uint32_t *__restrict__ index, const float *__restrict__ table,
                    float *__restrict__ out, int n) { // from 200 MB, four words a thread
  int i = gid(), step = threads_of_grid();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 4; k++)
    s += table[index[i + k * step]];
  if (i < n)
    out[i] = s;
}
GLOBAL gather_blocks(const uint32_t *__restrict__ block, const float *__restrict__ table,
                     float *__restrict__ out, int n) { // blocks of eight words in any order
  int i = gid();
  if (i < n)
    out[i] = table[block[i / 8] * 8 + i % 8];
}
GLOBAL scatter_small(const uint32_t *__restrict__ index, uint32_t *__restrict__ out, int n) { // to 1 MB
  int i = gid();
  if (i < n)
    out[index[i]] = index[i] * 3u;
}
GLOBAL scatter_middle(float *__restrict__ out, uint32_t entries, int n) { // to 30 MB
  int i = gid();
  if (i >= n)
    return;
  uint32_t at = __umulhi(mix(i), entries);
  out[at] = (float)at;
}
GLOBAL scatter_large(const uint32_t *__restrict__ index, uint4 *__restrict__ out, int n) { // to 200 MB
  int i = gid();
  if (i >= n)
    return;
  uint32_t at = index[i];
  out[at] = make_uint4(at, at + 1, at + 2, at + 3);
}
GLOBAL permute_f64(const double *__restrict__ a, double *__restrict__ b, uint32_t odd, uint32_t mask) {
  uint32_t i = gid();
  b[i * odd & mask] = a[i];
}
GLOBAL mark_sectors(uint8_t *__restrict__ out, int n) { // one of each 32 bytes
  int i = gid();
  if (i < n)
    out[32 * (size_t)i + (i & 31)] = (uint8_t)i;
}
GLOBAL row_per_thread(const float *__restrict__ a, float *__restrict__ out, int width, int rows) {
  int r = gid();
  if (r >= rows)
    return;
  float most = -1e30f;
  for (int c = 0; c < width; c++)
    most = fmaxf(most, a[(size_t)r * width + c]);
  out[r] = most;
}
GLOBAL column_sums(const float *__restrict__ a, float *__restrict__ part, int width, int rows) {
  __shared__ float s[8][32]; // 32 x 8 threads, `rows` rows of 32 columns
  int x = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * rows;
  float sum = 0;
  for (int r = first + threadIdx.y; r < first + rows; r += 8)
    sum += a[(size_t)r * width + x];
  s[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y)
    return;
  for (int k = 1; k < 8; k++)
    sum += s[k][threadIdx.x];
  part[blockIdx.y * width + x] = sum;
}
GLOBAL scan_tiles(const uint4 *__restrict__ a, uint4 *__restrict__ b) { // 1,024 words for each CTA of 256
  __shared__ uint32_t warps[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint4 v = a[gid()];
  v.y += v.x, v.z += v.y, v.w += v.z;
  uint32_t s = v.w;
  for (int d = 1; d < 32; d *= 2) {
    uint32_t o = __shfl_up_sync(~0u, s, d);
    if (lane >= d)
      s += o;
  }
  if (lane == 31)
    warps[warp] = s;
  __syncthreads();
  uint32_t before = s - v.w;
  for (int k = 0; k < warp; k++)
    before += warps[k];
  b[gid()] = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
}
GLOBAL sharpen_tile(const float *__restrict__ a, float *__restrict__ b, int w, int h) { // nine points
  __shared__ float s[10][34];                                                           // 32 x 8 threads
  int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256) {
    int u = min(max(x0 + k % 34, 0), w - 1), v = min(max(y0 + k / 34, 0), h - 1);
    s[k / 34][k % 34] = a[v * w + u];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 3; j++)
#pragma unroll
    for (int i = 0; i < 3; i++)
      sum += s[threadIdx.y + j][threadIdx.x + i];
  b[(y0 + 1 + threadIdx.y) * w + x0 + 1 + threadIdx.x] = 10.0f * s[threadIdx.y + 1][threadIdx.x + 1] - sum;
}
GLOBAL stencil_3d_cells(const double *__restrict__ a, double *__restrict__ b, int n) { // a thread a cell
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (!x || !y || !z || x >= n - 1 || y >= n - 1 || z >= n - 1)
    return;
  int i = (z * n + y) * n + x;
  b[i] = a[i] + 0.1 * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n] - 6.0 * a[i]);
}
GLOBAL matvec_half(const uint4 *__restrict__ w, const float4 *__restrict__ x, float *__restrict__ y,
                   int width) { // weights of 2 bytes, a warp for each row
  int row = gid() / 32, lane = threadIdx.x % 32;
  float s = 0;
  for (int c = lane; c < width / 8; c += 32) {
    uint4 v = w[(size_t)row * (width / 8) + c];
    float4 p = x[2 * c], q = x[2 * c + 1];
    float2 e = __half22float2(*(__half2 *)&v.x), f = __half22float2(*(__half2 *)&v.y),
           g = __half22float2(*(__half2 *)&v.z), h = __half22float2(*(__half2 *)&v.w);
    s += e.x * p.x + e.y * p.y + f.x * p.z + f.y * p.w + g.x * q.x + g.y * q.y + h.x * q.z + h.y * q.w;
  }
  s = sum_of_lanes(s);
  if (!lane)
    y[row] = s;
}
GLOBAL spmv_ell_f64(const uint32_t *__restrict__ column, const double *__restrict__ value,
                    const double *__restrict__ x, double *__restrict__ y, int width, int rows) {
  int r = gid();
  if (r >= rows)
    return;
  double s = 0;
  for (int k = 0; k < width; k++)
    s += value[(size_t)k * rows + r] * x[column[(size_t)k * rows + r]];
  y[r] = s;
}
GLOBAL tiny_ctas(const float *__restrict__ a, float *__restrict__ b) { // a warp for each CTA
  b[gid()] = a[gid()] * a[gid()];
}
GLOBAL l2_passes(const float4 *__restrict__ a, float *__restrict__ out, int mask, int passes) {
  float s = 0;
  for (int p = 0; p < passes; p++)
    for (int i = gid(); i <= mask; i += threads_of_grid()) {
      float4 v = a[(i + p * 8192) & mask]; // each pass other CTAs' words
      s += v.x * v.y + v.z * v.w;
    }
  out[gid()] = s;
}
GLOBAL ping_pong(float *a, float *b, int chunk,
                 int steps) { // a chunk for each CTA, from one half to the other
  float *from = a + (size_t)blockIdx.x * chunk, *to = b + (size_t)blockIdx.x * chunk;
  for (int s = 0; s < steps; s++) {
    for (int i = threadIdx.x; i < chunk; i += blockDim.x)
      to[i] = 0.5f * (from[i] + from[i + 1 < chunk ? i + 1 : 0]);
    __syncthreads();
    float *swap = from;
    from = to, to = swap;
  }
}
GLOBAL batched_copies(const uint32_t *__restrict__ a, uint32_t *__restrict__ b) { // some words for each warp
  uint32_t w = gid() / 32, h = mix(w), length = 16 + (h >> 8 & 63), from = w * 96 + (h & 15), to = w * 80;
  for (uint32_t k = threadIdx.x % 32; k < length; k += 32)
    b[to + k] = a[from + k];
}
GLOBAL layernorm(const float4 *__restrict__ a, const float4 *__restrict__ scale,
                 const float4 *__restrict__ shift,
                 float4 *__restrict__ b) { // 256 threads for each row of 1,024
  __shared__ float sums[8], squares[8];
  float4 v = a[gid()];
  float s = sum_of_lanes(v.x + v.y + v.z + v.w);
  float q = sum_of_lanes(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = s, squares[threadIdx.x / 32] = q;
  __syncthreads();
  s = q = 0;
#pragma unroll
  for (int k = 0; k < 8; k++)
    s += sums[k], q += squares[k];
  float mean = s * (1.0f / 1024), k = rsqrtf(q * (1.0f / 1024) - mean * mean + 1e-5f);
  float4 g = scale[threadIdx.x], h = shift[threadIdx.x];
  b[gid()] = make_float4((v.x - mean) * k * g.x + h.x, (v.y - mean) * k * g.y + h.y,
                         (v.z - mean) * k * g.z + h.z, (v.w - mean) * k * g.w + h.w);
}
GLOBAL embedding_bag(const uint32_t *__restrict__ index, const float2 *__restrict__ table,
                     float2 *__restrict__ out) { // a warp sums eight rows of 64 floats
  int bag = gid() / 32, lane = threadIdx.x % 32;
  float2 s = make_float2(0, 0);
#pragma unroll
  for (int k = 0; k < 8; k++) {
    float2 v = table[(size_t)index[bag * 8 + k] * 32 + lane];
    s.x += v.x, s.y += v.y;
  }
  out[(size_t)bag * 32 + lane] = s;
}
GLOBAL max_pool(const float *__restrict__ a, float *__restrict__ b, int size) { // 3 x 3, every second place
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      wide = 2 * size + 1;
  if (x >= size || y >= size)
    return;
  const float *p = a + ((size_t)blockIdx.z * wide + 2 * y) * wide + 2 * x;
  float most = p[0];
#pragma unroll
  for (int k = 1; k < 9; k++)
    most = fmaxf(most, p[k / 3 * wide + k % 3]);
  b[((size_t)blockIdx.z * size + y) * size + x] = most;
}
GLOBAL im2col(const float *__restrict__ a, float *__restrict__ b, int size) { // 3 x 3, a channel for each z
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, wide = size + 2;
  const float *p = a + ((size_t)blockIdx.z * wide + y) * wide + x;
#pragma unroll
  for (int k = 0; k < 9; k++)
    b[((size_t)(blockIdx.z * 9 + k) * size + y) * size + x] = p[k / 3 * wide + k % 3];
}
GLOBAL unpack_bits(const uint32_t *__restrict__ a, uint8_t *__restrict__ b) {
  int i = gid();
  b[i] = a[i / 32] >> (i & 31) & 1;
}
GLOBAL morton_order(const float *__restrict__ a, float *__restrict__ b, int width) {
  uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = 0;
#pragma unroll
  for (int k = 0; k < 11; k++)
    at |= (x >> k & 1) << 2 * k | (y >> k & 1) << (2 * k + 1);
  b[at] = a[y * width + x];
}
GLOBAL pad_image(const float *__restrict__ a, float *__restrict__ b, int w, int h, int edge) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      wide = w + 2 * edge;
  if (x >= wide || y >= h + 2 * edge)
    return;
  int u = x - edge, v = y - edge;
  b[y * wide + x] = u >= 0 && v >= 0 && u < w && v < h ? a[v * w + u] : 0.0f;
}

// ---- latency ------------------------------------------------------------------------------------------------------------
GLOBAL chains_four(const uint32_t *__restrict__ next, uint32_t *__restrict__ out, uint32_t mask, int steps) {
  uint32_t p = mix(gid()) & mask, q = mix(p) & mask, r = mix(q) & mask, s = mix(r) & mask;
  for (int k = 0; k < steps; k++)
    p = next[p], q = next[q], r = next[r], s = next[s];
  out[gid()] = p ^ q ^ r ^ s;
}
GLOBAL search_by_levels(const uint32_t *__restrict__ tree, const uint32_t *__restrict__ key,
                        uint32_t *__restrict__ out, uint32_t n) { // children of k: 2 k and 2 k + 1
  uint32_t want = key[gid()], k = 1;
  while (k <= n)
    k = 2 * k + (tree[k] < want);
  out[gid()] = k >> __ffs(~k);
}
GLOBAL automaton(const uint8_t *__restrict__ table, const uint32_t *__restrict__ text,
                 uint32_t *__restrict__ out, int words) { // 256 states, letters of four bits
  uint32_t state = 0;
  for (int w = 0; w < words; w++) {
    uint32_t v = text[w * threads_of_grid() + gid()];
    for (int k = 0; k < 32; k += 4)
      state = table[state * 16 + (v >> k & 15)];
  }
  out[gid()] = state;
}
GLOBAL find_roots(const uint32_t *__restrict__ parent, uint32_t *__restrict__ depth) {
  uint32_t v = gid(), n = 0;
  while (v) {
    v = parent[v] % v;
    n++;
  }
  depth[gid()] = n;
}
GLOBAL odd_even_sort(uint32_t *a) { // 128 keys for each CTA of 64 threads, a barrier after each step
  __shared__ uint32_t s[129];
  int t = threadIdx.x;
  uint32_t *mine = a + (size_t)blockIdx.x * 128;
  s[t] = mine[t], s[t + 64] = mine[t + 64];
  for (int k = 0; k < 128; k++) {
    int i = 2 * t + (k & 1);
    __syncthreads();
    if (i < 127 && s[i] > s[i + 1]) {
      uint32_t swap = s[i];
      s[i] = s[i + 1], s[i + 1] = swap;
    }
  }
  __syncthreads();
  mine[t] = s[t], mine[t + 64] = s[t + 64];
}
GLOBAL shuffle_rounds(const float *__restrict__ a, float *__restrict__ b, int rounds) { // a warp for each CTA
  float v = a[gid()];
  for (int k = 0; k < rounds; k++)
    v = v * 0.75f + sum_of_lanes(v) * 0.0078125f;
  b[gid()] = v;
}
GLOBAL knapsack(const uint32_t *__restrict__ weight, const uint32_t *__restrict__ worth,
                uint32_t *__restrict__ out, int items) { // 1,024 threads, one for each capacity
  __shared__ uint32_t best[2][1024];
  int c = threadIdx.x, now = 0;
  best[0][c] = 0;
  __syncthreads();
  for (int k = 0; k < items; k++) {
    int w = 1 + (weight[blockIdx.x * items + k] & 127);
    uint32_t v = best[now][c];
    if (c >= w)
      v = max(v, best[now][c - w] + (worth[blockIdx.x * items + k] & 1023));
    now ^= 1;
    best[now][c] = v;
    __syncthreads();
  }
  if (c == 1023)
    out[blockIdx.x] = best[now][c];
}
GLOBAL thomas(const float *__restrict__ low, const float *__restrict__ high, const float *__restrict__ right,
              float *c, float *x, int size) { // a tridiagonal system for each thread
  int i = gid(), n = threads_of_grid();
  float p = high[i] / 4.0f, q = right[i] / 4.0f;
  c[i] = p, x[i] = q;
  for (int k = 1; k < size; k++) {
    float l = low[k * n + i], m = 1.0f / (4.0f - l * p);
    p = high[k * n + i] * m;
    q = (right[k * n + i] - l * q) * m;
    c[k * n + i] = p, x[k * n + i] = q;
  }
  for (int k = size - 2; k >= 0; k--) {
    q = x[k * n + i] - c[k * n + i] * q;
    x[k * n + i] = q;
  }
}
GLOBAL cyclic_reduction(const float *__restrict__ low, const float *__restrict__ high,
                        const float *__restrict__ right,
                        float *__restrict__ x) { // a system of 256 for each CTA, an equation for each thread
  __shared__ float l[256], d[256], h[256], r[256];
  int t = threadIdx.x;
  l[t] = t ? low[gid()] : 0.0f, h[t] = t < 255 ? high[gid()] : 0.0f, d[t] = 4.0f, r[t] = right[gid()];
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    int a = t >= s ? t - s : t, b = t + s < 256 ? t + s : t;
    float p = t >= s ? l[t] / d[a] : 0.0f, q = t + s < 256 ? h[t] / d[b] : 0.0f;
    float nl = -p * l[a], nh = -q * h[b], nd = d[t] - p * h[a] - q * l[b], nr = r[t] - p * r[a] - q * r[b];
    __syncthreads();
    l[t] = nl, h[t] = nh, d[t] = nd, r[t] = nr;
    __syncthreads();
  }
  x[gid()] = r[t] / d[t];
}
GLOBAL cholesky_32(const float *__restrict__ a, float *__restrict__ out) { // a warp for each matrix
  __shared__ float s[32][33];
  int t = threadIdx.x;
  const float *from = a + (size_t)blockIdx.x * 1024;
  for (int r = 0; r < 32; r++)
    s[r][t] = from[r * 32 + t] * 0.125f + (r == t ? 16.0f : 0.0f);
  __syncwarp();
  for (int k = 0; k < 32; k++) {
    float pivot = rsqrtf(s[k][k]);
    __syncwarp();
    if (t >= k)
      s[t][k] *= pivot;
    __syncwarp();
    for (int c = k + 1; c <= t; c++)
      s[t][c] -= s[t][k] * s[c][k];
    __syncwarp();
  }
  for (int r = 0; r < 32; r++)
    out[(size_t)blockIdx.x * 1024 + r * 32 + t] = t <= r ? s[r][t] : 0.0f;
}
GLOBAL bucket_lookup(const uint32_t *__restrict__ head, const uint4 *__restrict__ node,
                     const uint32_t *__restrict__ key, uint32_t *__restrict__ out, uint32_t mask) {
  uint32_t want = key[gid()], at = head[mix(want) & mask] & mask, found = 0;
  for (int k = 0; k < 16; k++) {
    uint4 e = node[at];
    if (((e.x ^ want) & 7) == 0) {
      found = e.z;
      break;
    }
    at = e.y & mask;
  }
  out[gid()] = found;
}
GLOBAL iir_rows(const float *__restrict__ a, float *__restrict__ b, int width) { // a thread for each row
  const float *p = a + (size_t)gid() * width;
  float *q = b + (size_t)gid() * width, x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (int k = 0; k < width; k++) {
    float x = p[k], y = 0.2f * x + 0.4f * x1 + 0.2f * x2 + 0.5f * y1 - 0.3f * y2;
    q[k] = y;
    x2 = x1, x1 = x, y2 = y1, y1 = y;
  }
}

// ---- compute ------------------------------------------------------------------------------------------------------------
template <int P, int D>
__device__ __forceinline__ void compare_apart(uint32_t *v) { // a step of odd-even merges
#pragma unroll
  for (int i = D % P; i < 16 - D; i++)
    if ((i - D % P) / D % 2 == 0 && i / (2 * P) == (i + D) / (2 * P)) {
      uint32_t x = v[i], y = v[i + D];
      v[i] = min(x, y), v[i + D] = max(x, y);
    }
}
GLOBAL network_sort16(const uint32_t *__restrict__ a, uint32_t *__restrict__ b) { // keys in registers
  uint32_t v[16];
#pragma unroll
  for (int k = 0; k < 16; k++)
    v[k] = a[(size_t)k * threads_of_grid() + gid()];
  compare_apart<1, 1>(v);
  compare_apart<2, 2>(v), compare_apart<2, 1>(v);
  compare_apart<4, 4>(v), compare_apart<4, 2>(v), compare_apart<4, 1>(v);
  compare_apart<8, 8>(v), compare_apart<8, 4>(v), compare_apart<8, 2>(v), compare_apart<8, 1>(v);
#pragma unroll
  for (int k = 0; k < 16; k++)
    b[(size_t)k * threads_of_grid() + gid()] = v[k];
}
GLOBAL fft_256(const float2 *__restrict__ a, float2 *__restrict__ b) { // 128 threads, shared memory
  __shared__ float2 s[256];
  int t = threadIdx.x, at = blockIdx.x * 256;
  s[__brev(t) >> 24] = a[at + t];
  s[__brev(t + 128) >> 24] = a[at + t + 128];
  for (int half = 1; half < 256; half *= 2) {
    int k = t & (half - 1), i = 2 * t - k, j = i + half;
    float c, d;
    __sincosf(-3.14159265f * (float)k / (float)half, &d, &c);
    __syncthreads();
    float2 p = s[i], q = s[j], r = make_float2(q.x * c - q.y * d, q.x * d + q.y * c);
    s[i] = make_float2(p.x + r.x, p.y + r.y);
    s[j] = make_float2(p.x - r.x, p.y - r.y);
  }
  __syncthreads();
  b[at + t] = s[t];
  b[at + t + 128] = s[t + 128];
}
GLOBAL product_128(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n,
                   int depth) { // 128 x 128 outputs of a CTA, 8 x 8 of each of 256 threads; a by columns
  __shared__ float p[8][128], q[8][128];
  int t = threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 128, col = blockIdx.x * 128;
  int lr = t / 32, lc = t % 32 * 4;
  float acc[8][8] = {};
  for (int m = 0; m < depth; m += 8) {
    *(float4 *)&p[lr][lc] = *(const float4 *)&a[(size_t)(m + lr) * n + row + lc];
    *(float4 *)&q[lr][lc] = *(const float4 *)&b[(size_t)(m + lr) * n + col + lc];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float4 x0 = *(float4 *)&p[k][ty * 8], x1 = *(float4 *)&p[k][ty * 8 + 4];
      float4 y0 = *(float4 *)&q[k][tx * 4], y1 = *(float4 *)&q[k][tx * 4 + 64];
      float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
      float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *(float4 *)&c[(size_t)(row + ty * 8 + i) * n + col + tx * 4 + j * 16] =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
GLOBAL product_f64_2x2(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c,
                       int n, int depth) { // 32 x 32 outputs of 16 x 16 threads
  __shared__ double p[32][17], q[16][32];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int m = 0; m < depth; m += 16) {
    p[ty][tx] = a[(size_t)y * depth + m + tx];
    p[ty + 16][tx] = a[(size_t)(y + 16) * depth + m + tx];
    q[ty][tx] = b[(size_t)(m + ty) * n + x];
    q[ty][tx + 16] = b[(size_t)(m + ty) * n + x + 16];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 16; k++) {
      double u = p[ty][k], v = p[ty + 16][k], w = q[k][tx], z = q[k][tx + 16];
      s00 += u * w, s01 += u * z, s10 += v * w, s11 += v * z;
    }
    __syncthreads();
  }
  c[(size_t)y * n + x] = s00, c[(size_t)y * n + x + 16] = s01;
  c[(size_t)(y + 16) * n + x] = s10, c[(size_t)(y + 16) * n + x + 16] = s11;
}
GLOBAL product_bytes(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n,
                     int words) { // four bytes at a time; rows of a with rows of b
  __shared__ int p[16][17], q[16][17];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, s = 0;
  for (int m = 0; m < words; m += 16) {
    p[ty][tx] = a[y * words + m + tx];
    q[ty][tx] = b[(blockIdx.x * 16 + ty) * words + m + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++)
      s = __dp4a(p[ty][k], q[tx][k], s);
    __syncthreads();
  }
  c[y * n + x] = s;
}
__host__ __device__ constexpr float cosine_16(int m) { // of m sixteenths of a half turn
  m %= 32;
  const float c[9] = {1.0f,        0.98078528f, 0.92387953f, 0.83146961f, 0.70710678f,
                      0.55557023f, 0.38268343f, 0.19509032f, 0.0f};
  return m > 16 ? cosine_16(32 - m) : m > 8 ? -c[16 - m] : c[m];
}
__device__ __forceinline__ void dct_8(const float *v, float *out) {
#pragma unroll
  for (int u = 0; u < 8; u++) {
    float s = 0;
#pragma unroll
    for (int x = 0; x < 8; x++)
      s += v[x] * cosine_16((2 * x + 1) * u);
    out[u] = s * (u ? 0.5f : 0.35355339f);
  }
}
GLOBAL dct_blocks(const float *__restrict__ a, float *__restrict__ b, int width) { // 64 threads: eight blocks
  __shared__ float s[8][8][9];
  int block = threadIdx.x / 8, line = threadIdx.x % 8;
  size_t at = ((size_t)blockIdx.y * 8 + line) * width + blockIdx.x * 64 + block * 8;
  float v[8], out[8];
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = a[at + k];
  dct_8(v, out);
#pragma unroll
  for (int k = 0; k < 8; k++)
    s[block][k][line] = out[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = s[block][line][k];
  dct_8(v, out);
#pragma unroll
  for (int k = 0; k < 8; k++)
    b[at - line * width - block * 8 + (size_t)k * width + block * 8 + line] = out[k];
}
GLOBAL digest(const uint32_t *__restrict__ a, uint32_t *__restrict__ out) { // rounds like those of SHA-2
  int i = gid(), n = threads_of_grid();
  uint32_t w[16], s[8];
#pragma unroll
  for (int k = 0; k < 16; k++)
    w[k] = a[(size_t)k * n + i];
#pragma unroll
  for (int k = 0; k < 8; k++)
    s[k] = 0x6a09e667u * (k + 1);
#pragma unroll 16
  for (int r = 0; r < 64; r++) {
    uint32_t e = s[4], c = s[0];
    uint32_t t = s[7] + (__funnelshift_r(e, e, 6) ^ __funnelshift_r(e, e, 11) ^ __funnelshift_r(e, e, 25)) +
                 ((e & s[5]) ^ (~e & s[6])) + w[r & 15] + r * 0x9e3779b9u;
    uint32_t u = (__funnelshift_r(c, c, 2) ^ __funnelshift_r(c, c, 13) ^ __funnelshift_r(c, c, 22)) +
                 ((c & s[1]) ^ (c & s[2]) ^ (s[1] & s[2]));
#pragma unroll
    for (int k = 7; k > 0; k--)
      s[k] = s[k - 1];
    s[4] += t;
    s[0] = t + u;
    uint32_t x = w[(r + 1) & 15], y = w[(r + 14) & 15];
    w[r & 15] += (__funnelshift_r(x, x, 7) ^ __funnelshift_r(x, x, 18) ^ x >> 3) + w[(r + 9) & 15] +
                 (__funnelshift_r(y, y, 17) ^ __funnelshift_r(y, y, 19) ^ y >> 10);
  }
  uint32_t all = 0;
#pragma unroll
  for (int k = 0; k < 8; k++)
    all = all * 33u + s[k];
  out[i] = all;
}
GLOBAL normal_pairs(float *__restrict__ out, int draws) { // by logarithm, root, sine and cosine
  uint32_t s = mix(gid()) | 1;
  float sum = 0, most = 0;
  for (int k = 0; k < draws; k++) {
    float u = (float)((xorshift(s) >> 8) + 1) * 0x1p-24f, v = (float)(xorshift(s) >> 8) * 0x1p-23f;
    float r = sqrtf(-2.0f * logf(u)), p, q;
    sincospif(v, &p, &q);
    sum += r * p;
    most = fmaxf(most, r * q);
  }
  out[gid()] = sum + most;
}
GLOBAL pair_distances(const float *__restrict__ a, float *__restrict__ out, int n) { // 32 dimensions
  __shared__ float p[16][33], q[16][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int k = tx; k < 32; k += 16) {
    p[ty][k] = a[(blockIdx.y * 16 + ty) * 32 + k];
    q[ty][k] = a[(blockIdx.x * 16 + ty) * 32 + k];
  }
  __syncthreads();
  float s = 0;
#pragma unroll 8
  for (int k = 0; k < 32; k++) {
    float d = p[ty][k] - q[tx][k];
    s += d * d;
  }
  out[(size_t)(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sqrtf(s);
}
GLOBAL great_circles(const float *__restrict__ lat, const float *__restrict__ lon, float *__restrict__ out,
                     float lat0, float lon0, int n) {
  int i = gid();
  if (i >= n)
    return;
  float s = sinf(0.5f * (lat[i] - lat0)), t = sinf(0.5f * (lon[i] - lon0));
  out[i] = 12742.0f * asinf(sqrtf(fminf(s * s + cosf(lat[i]) * cosf(lat0) * t * t, 1.0f)));
}
GLOBAL powers_mod(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t m, uint32_t power) {
  u64 x = a[gid()] % m, y = 1;
  for (uint32_t e = power; e; e >>= 1) {
    if (e & 1)
      y = y * x % m;
    x = x * x % m;
  }
  out[gid()] = (uint32_t)y;
}
GLOBAL bell_f64(const double *__restrict__ a, double *__restrict__ out, int n) {
  int i = gid();
  if (i >= n)
    return;
  double x = a[i], s = 0;
  for (int k = 0; k < 4; k++)
    s += exp(-x * x * (double)(k + 1)) / (1.0 + x * x);
  out[i] = s;
}
GLOBAL life_tiles(uint32_t *a, int steps) { // 32 x 32 words, 32 cells in each, closed in itself
  __shared__ uint32_t s[2][32][33];
  int x = threadIdx.x, y = threadIdx.y, now = 0;
  uint32_t *mine = a + (size_t)blockIdx.x * 1024 + y * 32 + x;
  s[0][y][x] = *mine;
  __syncthreads();
  for (int k = 0; k < steps; k++) {
    uint32_t c[8], c0 = s[now][y][x], n = 0;
    for (int d = -1; d <= 1; d++) {
      uint32_t(*line)[33] = &s[now][(y + d) & 31];
      uint32_t m = (*line)[x], l = m << 1 | (*line)[(x - 1) & 31] >> 31,
               r = m >> 1 | (*line)[(x + 1) & 31] << 31;
      c[n++] = l, c[n++] = r;
      if (d)
        c[n++] = m;
    }
    uint32_t one = 0, two = 0, four = 0; // how many of the eight, by bits
#pragma unroll
    for (int j = 0; j < 8; j++) {
      uint32_t carry = one & c[j], more = two & carry;
      one ^= c[j], two ^= carry, four |= more;
    }
    now ^= 1;
    s[now][y][x] = two & ~four & (one | c0);
    __syncthreads();
  }
  *mine = s[now][y][x];
}
GLOBAL half_chain(const __half2 *__restrict__ a, __half2 *__restrict__ b, int terms) {
  __half2 x = a[gid()], s = __float2half2_rn(0.5f), t = __float2half2_rn(0.25f), k = __float2half2_rn(0.125f);
  for (int i = 0; i < terms; i++) {
    s = __hfma2(s, x, k);
    t = __hfma2(t, s, x);
    t = __hmul2(t, k);
  }
  b[gid()] = __hadd2(s, t);
}

// ---- divergent ----------------------------------------------------------------------------------------------------------
GLOBAL ray_boxes(const float4 *__restrict__ low, const float4 *__restrict__ high, float *__restrict__ out,
                 int width, int boxes) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float ix = (float)width / ((float)px - 0.5f * (float)width + 0.25f),
        iy = (float)width / ((float)py - 0.5f * (float)width + 0.25f), nearest = 1e30f;
  for (int k = 0; k < boxes; k++) { // rays start at (0.5, 0.5, -1) and go along z
    float4 l = low[k], h = high[k];
    float x0 = (l.x - 0.5f) * ix, x1 = (h.x - 0.5f) * ix;
    float enter = fminf(x0, x1), leave = fmaxf(x0, x1);
    if (leave < 0.0f || enter > nearest)
      continue;
    float y0 = (l.y - 0.5f) * iy, y1 = (h.y - 0.5f) * iy;
    enter = fmaxf(enter, fminf(y0, y1)), leave = fminf(leave, fmaxf(y0, y1));
    if (leave < enter)
      continue;
    enter = fmaxf(enter, l.z + 1.0f), leave = fminf(leave, h.z + 1.0f);
    if (leave >= enter && enter < nearest)
      nearest = enter;
  }
  out[py * width + px] = nearest;
}
GLOBAL newton_roots(uint32_t *__restrict__ out, int width, int limit) { // of z^3 = 1
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
  float x = 4.0f * (float)px / (float)width - 2.0f, y = 4.0f * (float)py / (float)width - 1.99f;
  while (k < limit) {
    float x2 = x * x - y * y, y2 = 2.0f * x * y, fx = x2 * x - y2 * y - 1.0f, fy = x2 * y + y2 * x;
    if (fx * fx + fy * fy < 1e-6f)
      break;
    float d = 1.0f / (3.0f * (x2 * x2 + y2 * y2));
    x -= (fx * x2 + fy * y2) * d;
    y -= (fy * x2 - fx * y2) * d;
    k++;
  }
  out[py * width + px] = k * 3 + (x > 0.0f ? 0 : y > 0.0f ? 1 : 2);
}
GLOBAL palindromes(const uint8_t *__restrict__ text, uint32_t *__restrict__ out, int n) { // two letters
  int i = gid(), k = 0;
  while (i - k >= 0 && i + k < n && ((text[i - k] ^ text[i + k]) & 1) == 0)
    k++;
  out[i] = k;
}
GLOBAL polar_normals(float *__restrict__ out, int draws) { // points beside the circle are drawn again
  uint32_t s = mix(gid() + 77) | 1;
  float sum = 0;
  for (int k = 0; k < draws; k++) {
    float u, v, q;
    do {
      u = (float)(int)xorshift(s) * 0x1p-31f;
      v = (float)(int)xorshift(s) * 0x1p-31f;
      q = u * u + v * v;
    } while (q >= 1.0f || q == 0.0f);
    sum += (u + v) * sqrtf(-2.0f * __logf(q) / q);
  }
  out[gid()] = sum;
}
GLOBAL stack_programs(const uint8_t *__restrict__ code, uint32_t *__restrict__ out, int length) {
  uint32_t stack[16], top = 0, x = gid(); // a program for each eight lanes
  int n = threads_of_grid() / 8, at = gid() / 8;
  for (int k = 0; k < 16; k++)
    stack[k] = k;
  for (int k = 0; k < length; k++)
    switch (code[k * n + at] % 7) {
    case 0:
      stack[top++ & 15] = x;
      break;
    case 1:
      x += stack[--top & 15];
      break;
    case 2:
      x ^= stack[--top & 15] << 3;
      break;
    case 3:
      x = x * 2654435761u + k;
      break;
    case 4:
      if (x & 1)
        k++;
      break;
    case 5:
      x = x / (stack[top & 15] | 1);
      break;
    default:
      stack[(top + 1) & 15] = x >> 2;
    }
  out[gid()] = x + top;
}
GLOBAL search_pull(const uint32_t *__restrict__ edge, const uint32_t *__restrict__ level,
                   uint32_t *__restrict__ next, int degree, uint32_t now) { // who is not there yet looks back
  int v = gid();
  uint32_t mine = level[v] & 7;
  if (mine > now)
    for (int k = 0; k < degree; k++)
      if ((level[edge[(size_t)v * degree + k]] & 7) == now) {
        mine = now + 1;
        break;
      }
  next[v] = mine;
}
GLOBAL expand_runs(const uint32_t *__restrict__ runs, uint32_t *__restrict__ out) { // lengths of up to 31
  uint32_t v = runs[gid()], length = v & 31;
  for (uint32_t k = 0; k < length; k++)
    out[(size_t)gid() * 32 + k] = v >> 5;
}
GLOBAL first_above(const float *__restrict__ a, const float *__restrict__ limit, uint32_t *__restrict__ out,
                   int most) { // each lane reads until its own sum is enough
  int i = gid(), n = threads_of_grid(), k = 0;
  float s = 0, enough = limit[i];
  while (k < most && s < enough)
    s += a[(size_t)k++ * n + i];
  out[i] = k;
}
GLOBAL heap_sort(const uint32_t *__restrict__ a, uint32_t *__restrict__ b) { // 32 keys for each of 64 threads
  __shared__ uint32_t v[32][64];
  int t = threadIdx.x;
  size_t at = (size_t)blockIdx.x * 2048 + t;
  for (int k = 0; k < 32; k++)
    v[k][t] = a[at + k * 64];
  for (int first = 15, last = 31; last > 0;) {
    uint32_t key;
    int hole;
    if (first >= 0)
      hole = first--, key = v[hole][t];
    else
      key = v[last][t], v[last--][t] = v[0][t], hole = 0;
    for (int child = 2 * hole + 1; child <= last; child = 2 * hole + 1) {
      if (child < last && v[child + 1][t] > v[child][t])
        child++;
      if (v[child][t] <= key)
        break;
      v[hole][t] = v[child][t];
      hole = child;
    }
    v[hole][t] = key;
  }
  for (int k = 0; k < 32; k++)
    b[at + k * 64] = v[k][t];
}
GLOBAL queens(uint32_t *__restrict__ out, int n) { // four rows are given by the thread, others are tried
  __shared__ uint32_t left[16][128];
  uint32_t code = gid(), columns = 0, up = 0, down = 0, all = (1u << n) - 1, found = 0;
  int t = threadIdx.x;
  for (int r = 0; r < 4; r++, code /= n) {
    uint32_t bit = 1u << code % n;
    if ((columns | up | down) & bit) {
      out[gid()] = 0;
      return;
    }
    columns |= bit, up = (up | bit) << 1 & all, down = (down | bit) >> 1;
  }
  // The three sets of a row are found again from the queens above; a queen of each row is kept.
  uint32_t queen[16], us[16], ds[16];
  int r = 4;
  left[r][t] = all & ~(columns | up | down);
  us[r] = up, ds[r] = down;
  while (r >= 4) {
    uint32_t free = left[r][t];
    if (!free) {
      if (--r >= 4)
        columns ^= queen[r];
      continue;
    }
    uint32_t bit = free & -free;
    left[r][t] = free ^ bit;
    if (r == n - 1) {
      found++;
      continue;
    }
    queen[r] = bit;
    columns |= bit;
    us[r + 1] = (us[r] | bit) << 1 & all, ds[r + 1] = (ds[r] | bit) >> 1;
    r++;
    left[r][t] = all & ~(columns | us[r] | ds[r]);
  }
  out[gid()] = found;
}
GLOBAL intersect_lists(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b,
                       uint32_t *__restrict__ out, int length) { // two rising lists, stored as differences
  const uint8_t *p = a + (size_t)gid() * length, *q = b + (size_t)gid() * length;
  uint32_t x = p[0] & 15, y = q[0] & 15, both = 0;
  int i = 0, j = 0;
  while (i < length && j < length) {
    if (x < y) {
      x += 1 + (p[i++] & 15);
    } else if (y < x) {
      y += 1 + (q[j++] & 15);
    } else {
      both++;
      x += 1 + (p[i++] & 15), y += 1 + (q[j++] & 15);
    }
  }
  out[gid()] = both;
}
GLOBAL walk_to_edge(uint32_t *__restrict__ out, int far, int limit) {
  uint32_t s = mix(gid() + 5) | 1;
  int x = 0, y = 0, k = 0;
  while (k < limit && abs(x) < far && abs(y) < far) {
    uint32_t r = xorshift(s) >> 30;
    if (r & 2)
      x += r & 1 ? 1 : -1;
    else
      y += r & 1 ? 1 : -1;
    k++;
  }
  out[gid()] = k;
}
GLOBAL uneven_ctas(const float *__restrict__ a, float *__restrict__ out,
                   int mask) { // few CTAs have much to do
  uint32_t h = mix(blockIdx.x), rounds = (h & 15) == 0 ? 96 : 4 + (h >> 4 & 7);
  float v = 0;
  for (uint32_t k = 0; k < rounds; k++) {
    v += a[(gid() + k * 256) & mask];
    if (v > 4.0f)
      v = sqrtf(v);
  }
  out[gid()] = v;
}

// ---- atomic -------------------------------------------------------------------------------------------------------------
GLOBAL bins_16(const uint32_t *__restrict__ a, uint32_t *bins, int n) {
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&bins[a[i] >> 28], 1u);
}
GLOBAL bins_256_skewed(const uint32_t *__restrict__ a, uint32_t *bins, int n) { // low bins are frequent
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&bins[(a[i] & 255) * (a[i] >> 8 & 255) >> 8], 1u);
}
GLOBAL bins_million(const uint4 *__restrict__ a, uint32_t *bins, uint32_t mask, int n) {
  int i = gid();
  if (i >= n)
    return;
  uint4 v = a[i];
  atomicAdd(&bins[v.x & mask], 1u);
  atomicAdd(&bins[v.y & mask], 1u);
  atomicAdd(&bins[v.z & mask], 1u);
  atomicAdd(&bins[v.w & mask], 1u);
}
GLOBAL bins_4096_shared(const uint32_t *__restrict__ a, uint32_t *bins, int n) {
  __shared__ uint32_t h[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    h[k] = 0;
  __syncthreads();
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&h[a[i] & 4095], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    if (h[k])
      atomicAdd(&bins[k], h[k]);
}
GLOBAL bins_of_lanes(const uint32_t *__restrict__ a, uint32_t *bins, int n) { // a bank of bins for each lane
  __shared__ uint32_t h[32][32];
  int lane = threadIdx.x % 32;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    h[k / 32][k % 32] = 0;
  __syncthreads();
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&h[__clz(a[i] | 1u)][lane], 1u);
  __syncthreads();
  for (int b = threadIdx.x / 32; b < 32; b += blockDim.x / 32) {
    uint32_t s = __reduce_add_sync(~0u, h[b][lane]);
    if (!lane)
      atomicAdd(&bins[b], s);
  }
}
GLOBAL groups_f64(const uint32_t *__restrict__ group, const double *__restrict__ v, double *sum, int mask,
                  int n) {
  int i = gid();
  if (i < n)
    atomicAdd(&sum[group[i] & mask], v[i]);
}
GLOBAL groups_f32_shared(const uint32_t *__restrict__ group, const float *__restrict__ v, float *sum, int n) {
  __shared__ float s[128];
  if (threadIdx.x < 128)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&s[group[i] & 127], v[i]);
  __syncthreads();
  if (threadIdx.x < 128)
    atomicAdd(&sum[threadIdx.x], s[threadIdx.x]);
}
GLOBAL groups_u64(const uint32_t *__restrict__ group, const uint32_t *__restrict__ v, u64 *sum, int mask,
                  int n) {
  int i = gid();
  if (i < n)
    atomicAdd(&sum[group[i] & mask], (u64)v[i] * v[i]);
}
GLOBAL groups_u64_shared(const uint32_t *__restrict__ group, const uint32_t *__restrict__ v, u64 *sum,
                         int n) {
  __shared__ u64 s[256];
  if (threadIdx.x < 256)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&s[group[i] & 255], (u64)v[i]);
  __syncthreads();
  if (threadIdx.x < 256)
    atomicAdd(&sum[threadIdx.x], s[threadIdx.x]);
}
GLOBAL sums_half2(const uint32_t *__restrict__ index, __half2 *sum, int n) {
  int i = gid();
  if (i < n)
    atomicAdd(&sum[index[i]], __floats2half2_rn(0.5f, 0.25f));
}
GLOBAL warps_to_one(const uint32_t *__restrict__ a, uint32_t *sum) { // a word for all warps
  uint32_t s = __reduce_add_sync(~0u, a[gid()] & 255);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, s);
}
GLOBAL small_ctas_to_one(const float *__restrict__ a, float *least) { // a minimum, by signed integers
  __shared__ float s[2];
  float v = a[gid()];
  for (int d = 16; d; d /= 2)
    v = fminf(v, __shfl_xor_sync(~0u, v, d));
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = v;
  __syncthreads();
  if (!threadIdx.x)
    atomicMin((int *)least, __float_as_int(fminf(s[0], s[1])));
}
GLOBAL select_threads(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t *count,
                      uint32_t below) { // a place for each thread
  uint32_t v = a[gid()];
  if (v < below)
    out[atomicAdd(count, 1u)] = v;
}
GLOBAL select_ctas(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t *count,
                   uint32_t below) { // a place in the CTA, then places for the CTA
  __shared__ uint32_t many, first;
  if (!threadIdx.x)
    many = 0;
  __syncthreads();
  uint32_t v = a[gid()], at = 0;
  if (v < below)
    at = atomicAdd(&many, 1u);
  __syncthreads();
  if (!threadIdx.x)
    first = atomicAdd(count, many);
  __syncthreads();
  if (v < below)
    out[first + at] = v;
}
GLOBAL maxima_of_groups(const uint32_t *__restrict__ group, const int *__restrict__ v, int *most, int mask,
                        int n) {
  int i = gid();
  if (i < n)
    atomicMax(&most[group[i] & mask], v[i]);
}
GLOBAL nearest_u64(const float *__restrict__ x, const float *__restrict__ y, u64 *best, int width,
                   int n) { // for each cell the point that is nearest to its corner
  int i = gid();
  if (i >= n)
    return;
  float u = x[i] * (float)width, v = y[i] * (float)width, p = u - floorf(u), q = v - floorf(v);
  int cell = min((int)v, width - 1) * width + min((int)u, width - 1);
  atomicMin(&best[cell], (u64)__float_as_uint(p * p + q * q) << 32 | (uint32_t)i);
}
GLOBAL sieve(uint32_t *bits, uint32_t n) { // CTAs of a row strike out multiples of an odd number
  uint32_t p = 2 * blockIdx.y + 3;
  for (uint32_t m = p * (p + gid()); m < n; m += p * threads_of_grid())
    atomicOr(&bits[m / 32], 1u << m % 32);
}
GLOBAL list_heads(const uint32_t *__restrict__ key, uint32_t *head, uint32_t *__restrict__ next,
                  uint32_t mask, int n) {
  int i = gid();
  if (i < n)
    next[i] = atomicExch(&head[mix(key[i]) & mask], (uint32_t)i);
}
GLOBAL maxima_by_cas(const uint32_t *__restrict__ group, const float *__restrict__ v, int *most, int mask,
                     int n) { // floats; who does not change the maximum leaves
  int i = gid();
  if (i >= n)
    return;
  int *at = &most[group[i] & mask], old = *(volatile int *)at;
  while (__int_as_float(old) < v[i]) {
    int seen = atomicCAS(at, old, __float_as_int(v[i]));
    if (seen == old)
      break;
    old = seen;
  }
}
GLOBAL products_by_cas(const uint32_t *__restrict__ group, const double *__restrict__ v, u64 *product,
                       int mask, int n) {
  int i = gid();
  if (i >= n)
    return;
  u64 *at = &product[group[i] & mask], old = *at, seen;
  for (;; old = seen) {
    seen = atomicCAS(at, old, (u64)__double_as_longlong(__longlong_as_double(old) * (0.9 + 0.2 * v[i])));
    if (seen == old)
      break;
  }
}
GLOBAL rings(const uint32_t *__restrict__ a, uint32_t *cursor, uint32_t *__restrict__ out,
             int n) { // 64 rings of 4,096 places
  int i = gid();
  if (i >= n)
    return;
  uint32_t r = a[i] & 63;
  out[r * 4096 + atomicInc(&cursor[r], 4095u)] = r;
}
GLOBAL hash_pairs(const uint32_t *__restrict__ key, u64 *table, uint32_t mask, int n) { // keys with values
  int i = gid();
  if (i >= n)
    return;
  uint32_t k = key[i] | 1, at = mix(k);
  u64 entry = (u64)k << 32 | k % 1000;
  for (;; at++) {
    u64 old = atomicCAS(&table[at & mask], 0ull, entry);
    if (!old || old >> 32 == k)
      break;
  }
}
GLOBAL degrees(const uint32_t *__restrict__ from, const uint32_t *__restrict__ to, uint32_t *out_degree,
               uint32_t *in_degree, int n) { // 65,536 vertices, low ones have many edges
  int e = gid();
  if (e >= n)
    return;
  uint32_t f = from[e], t = to[e];
  atomicAdd(&out_degree[f & 65535], 1u);
  atomicAdd(&in_degree[(t & 65535) * (t >> 16) >> 16], 1u);
}
GLOBAL rank_push(const uint32_t *__restrict__ to, const float *__restrict__ rank, float *sum,
                 int widest) { // up to 16 edges of each vertex
  uint32_t v = gid(), degree = 1 + (mix(v) & 15);
  float r = 0.85f * rank[v] / (float)degree;
  for (uint32_t k = 0; k < degree; k++)
    atomicAdd(&sum[to[v * widest + k]], r);
}
GLOBAL embedding_gradient(const uint32_t *__restrict__ index, const float *__restrict__ gradient,
                          float *table) { // a warp adds 64 floats to a row
  int sample = gid() / 32, lane = threadIdx.x % 32;
  float *row = table + (size_t)index[sample] * 64;
  atomicAdd(&row[lane], gradient[(size_t)sample * 64 + lane]);
  atomicAdd(&row[lane + 32], gradient[(size_t)sample * 64 + lane + 32]);
}
GLOBAL relax_and_mark(const uint32_t *__restrict__ from, const uint32_t *__restrict__ to,
                      const uint32_t *__restrict__ distance, uint32_t *best, uint8_t *__restrict__ changed,
                      int n) {
  int e = gid();
  if (e >= n)
    return;
  uint32_t t = to[e], d = distance[from[e]] + 1 + (mix(e) & 63);
  if (atomicMin(&best[t], d) > d)
    changed[t] = 1;
}
GLOBAL tile_queue(const float *__restrict__ a, float *__restrict__ out, uint32_t *head,
                  int tiles) { // CTAs take tiles of 256 until there are none
  __shared__ uint32_t tile;
  for (;;) {
    __syncthreads();
    if (!threadIdx.x)
      tile = atomicAdd(head, 1u);
    __syncthreads();
    if (tile >= tiles)
      break;
    float v = a[tile * 256 + threadIdx.x];
    for (uint32_t k = 0; k < 8 + (mix(tile) & 31); k++)
      v = v * 0.5f + 1.0f / (v + 1.0f);
    out[tile * 256 + threadIdx.x] = v;
  }
}
GLOBAL last_of_sixteen(const uint32_t *__restrict__ a, uint32_t *part, uint32_t *arrived,
                       uint32_t *__restrict__ out) { // of sixteen CTAs the last adds what all have found
  __shared__ uint32_t s[8];
  __shared__ bool last;
  uint32_t v = __reduce_max_sync(~0u, a[gid()]);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = v;
  __syncthreads();
  if (!threadIdx.x) {
    for (int k = 1; k < 8; k++)
      v = max(v, s[k]);
    part[blockIdx.x] = v;
    __threadfence();
    last = atomicInc(&arrived[blockIdx.x / 16], 15u) == 15u;
  }
  __syncthreads();
  if (last && threadIdx.x < 16) {
    __threadfence();
    v = __reduce_add_sync(0xffffu, ((volatile uint32_t *)part)[blockIdx.x / 16 * 16 + threadIdx.x] >> 8);
    if (!threadIdx.x)
      out[blockIdx.x / 16] = v;
  }
}
GLOBAL reduce_by_key(const uint32_t *__restrict__ noise, const float *__restrict__ v, float *sum, int mean) {
  // Keys rise; neighbours with the same key are summed in the warp, and one of them adds the sum.
  int i = gid(), lane = threadIdx.x % 32;
  uint32_t key = (uint32_t)(i + (noise[i / 64] & 15)) / mean;
  float s = v[i];
  for (int d = 1; d < 32; d *= 2) {
    float o = __shfl_up_sync(~0u, s, d);
    uint32_t k = __shfl_up_sync(~0u, key, d);
    if (lane >= d && k == key)
      s += o;
  }
  uint32_t next = __shfl_down_sync(~0u, key, 1);
  if (lane == 31 || next != key)
    atomicAdd(&sum[key], s);
}
GLOBAL add_to_same_4k(const uint32_t *__restrict__ a, uint32_t *sum) { // all CTAs the same 1,024 words
  atomicAdd(&sum[gid() & 1023], a[gid()] & 7);
}
GLOBAL add_to_each(const float *__restrict__ a, float *sum, int n) { // each of 16 MB once
  int i = gid();
  if (i < n)
    atomicAdd(&sum[i], a[i]);
}
GLOBAL add_rows_64k(const float *__restrict__ a, float *sum) { // rows of 16,384 floats, added up
  for (int k = 0; k < 4; k++) {
    int i = gid() + k * threads_of_grid();
    atomicAdd(&sum[i & 16383], a[i]);
  }
}
GLOBAL counters_of_ctas(const uint32_t *__restrict__ a, uint32_t *count) { // one word for a CTA
  atomicAdd(&count[blockIdx.x], (uint32_t)__popc(a[gid()]));
}
GLOBAL deposit_charge(const float *__restrict__ x, const float *__restrict__ y, float *grid, int width,
                      int n) { // to the four corners of a cell
  int i = gid();
  if (i >= n)
    return;
  float u = x[i] * (float)(width - 2), v = y[i] * (float)(width - 2), p = u - floorf(u), q = v - floorf(v);
  float *at = grid + (int)v * width + (int)u;
  atomicAdd(&at[0], (1.0f - p) * (1.0f - q));
  atomicAdd(&at[1], p * (1.0f - q));
  atomicAdd(&at[width], (1.0f - p) * q);
  atomicAdd(&at[width + 1], p * q);
}
GLOBAL rank_in_group(const uint32_t *__restrict__ group, uint32_t *count, uint32_t *__restrict__ rank,
                     int mask, int n) {
  int i = gid();
  if (i < n)
    rank[i] = atomicAdd(&count[group[i] & mask], 1u);
}
GLOBAL split_in_shared(const uint32_t *__restrict__ a,
                       uint32_t *__restrict__ out) { // 256 keys of a CTA by their digit
  __shared__ uint32_t count[16], first[16], sorted[256];
  if (threadIdx.x < 16)
    count[threadIdx.x] = 0;
  __syncthreads();
  uint32_t v = a[gid()], at = atomicAdd(&count[v & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) {
    uint32_t s = 0;
    for (int k = 0; k < threadIdx.x; k++)
      s += count[k];
    first[threadIdx.x] = s;
  }
  __syncthreads();
  sorted[first[v & 15] + at] = v;
  __syncthreads();
  out[gid()] = sorted[threadIdx.x];
}
