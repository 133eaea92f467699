// The second set of kernels on which the timing model is compared with a card: in the manner of common benchmark suites and of everyday
// CUDA, written before any of them was run on the model, and grouped by what is expected to limit them. `kernels2.ptx` is made from
// this file (nvcc -O3 -arch=compute_90 -ptx); the launch files in kernels2/ name sizes and inputs.
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ int threads_of_grid() {
  return gridDim.x * blockDim.x;
}
__device__ __forceinline__ float sum_of_warp(float s) {
  for (int d = 16; d; d /= 2)
    s += __shfl_down_sync(~0u, s, d);
  return s;
}

// ---- bandwidth ----------------------------------------------------------------------------------------------------------
GLOBAL gemv_rows(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y,
                 int width) { // a CTA for each row
  __shared__ float part[4];
  float s = 0;
  for (int c = threadIdx.x; c < width; c += blockDim.x)
    s += a[(size_t)blockIdx.x * width + c] * x[c];
  s = sum_of_warp(s);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  if (!threadIdx.x)
    y[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
GLOBAL gemv_columns(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ part,
                    int width,
                    int rows) { // the transposed product, some rows for each CTA
  int c = gid(), first = blockIdx.y * rows;
  float s = 0;
  for (int r = first; r < first + rows; r++)
    s += a[(size_t)r * width + c] * x[r];
  part[(size_t)blockIdx.y * width + c] = s;
}
GLOBAL daxpby(const double *__restrict__ x, double *__restrict__ y, double a, double b, int n) {
  for (int i = gid(); i < n; i += threads_of_grid())
    y[i] = a * x[i] + b * y[i];
}
GLOBAL move_soa(float *__restrict__ x, float *__restrict__ y, float *__restrict__ z,
                const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ w,
                float dt, int n) {
  int i = gid();
  if (i >= n)
    return;
  x[i] += dt * u[i];
  y[i] += dt * v[i];
  z[i] += dt * w[i];
}
struct particle {
  float x, y, z, u, v, w, mass;
};
GLOBAL move_aos(particle *p, float dt, int n) {
  int i = gid();
  if (i >= n)
    return;
  p[i].x += dt * p[i].u;
  p[i].y += dt * p[i].v;
  p[i].z += dt * p[i].w;
}
GLOBAL planes_to_pixels(const uint8_t *__restrict__ r, const uint8_t *__restrict__ g,
                        const uint8_t *__restrict__ b, uchar4 *__restrict__ out, int n) {
  int i = gid();
  if (i < n)
    out[i] = make_uchar4(r[i], g[i], b[i], 255);
}
GLOBAL jacobi_f64(const double *__restrict__ a, double *__restrict__ b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  size_t i = (size_t)y * n + x;
  b[i] = 0.2 * (a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
}
GLOBAL fdtd_h(const float *__restrict__ ex, const float *__restrict__ ey, float *__restrict__ hz, int w,
              int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    hz[y * w + x] -=
        0.7f * (ex[y * (w + 1) + x + 1] - ex[y * (w + 1) + x] + ey[(y + 1) * w + x] - ey[y * w + x]);
}
GLOBAL dot_shuffle(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ part,
                   int n) {
  __shared__ float warps[8];
  float s = 0;
  for (int i = gid(); i < n; i += threads_of_grid())
    s += a[i] * b[i];
  s = sum_of_warp(s);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = sum_of_warp(threadIdx.x < 8 ? warps[threadIdx.x] : 0.0f);
    if (!threadIdx.x)
      part[blockIdx.x] = s;
  }
}
GLOBAL transpose_f64(const double *__restrict__ a, double *__restrict__ b, int width, int height) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = a[(size_t)y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width)
    b[(size_t)y * height + x] = tile[threadIdx.x][threadIdx.y];
}
GLOBAL interleave16(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ out,
                    int n) {
  int i = gid();
  if (i >= n)
    return;
  float4 p = a[i], q = b[i];
  out[2 * i] = make_float4(p.x, q.x, p.y, q.y);
  out[2 * i + 1] = make_float4(p.z, q.z, p.w, q.w);
}
GLOBAL embed_rows(const uint32_t *__restrict__ index, const float *__restrict__ table,
                  float *__restrict__ out,
                  int width) { // a warp copies a row
  int row = gid() / 32, lane = threadIdx.x % 32;
  uint32_t from = index[row];
  for (int c = lane; c < width; c += 32)
    out[(size_t)row * width + c] = table[(size_t)from * width + c];
}
GLOBAL half_size(const uchar4 *__restrict__ a, uchar4 *__restrict__ b,
                 int width) { // of an image, by means of 2 x 2
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const uchar4 *p = a + (size_t)2 * y * width + 2 * x, *q = p + width;
  uchar4 s = p[0], t = p[1], u = q[0], v = q[1];
  b[(size_t)y * (width / 2) + x] =
      make_uchar4((s.x + t.x + u.x + v.x + 2) / 4, (s.y + t.y + u.y + v.y + 2) / 4,
                  (s.z + t.z + u.z + v.z + 2) / 4, (s.w + t.w + u.w + v.w + 2) / 4);
}
GLOBAL softmax_rows(const float *__restrict__ a, float *__restrict__ b, int width) { // a warp for each row
  int lane = threadIdx.x % 32;
  size_t row = (size_t)(gid() / 32) * width;
  float most = -1e30f, sum = 0;
  for (int c = lane; c < width; c += 32)
    most = fmaxf(most, a[row + c]);
  for (int d = 16; d; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  for (int c = lane; c < width; c += 32)
    sum += __expf(a[row + c] - most);
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  float k = 1.0f / sum;
  for (int c = lane; c < width; c += 32)
    b[row + c] = __expf(a[row + c] - most) * k;
}

// ---- latency ------------------------------------------------------------------------------------------------------------
GLOBAL list_sum(const uint2 *__restrict__ node, uint32_t *__restrict__ out, int steps, int apart) {
  uint32_t at = gid() * apart, s = 0;
  for (int i = 0; i < steps; i++) {
    uint2 n = node[at];
    s += n.y;
    at = n.x;
  }
  out[gid()] = s;
}
GLOBAL merge_path(const uint32_t *__restrict__ a, const uint32_t *__restrict__ b, uint32_t *__restrict__ out,
                  int n) {
  int diagonal = gid() * 8, low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
  while (low < high) { // how many of the first `diagonal` elements are of a
    int mid = (low + high) / 2;
    if (a[mid] <= b[diagonal - 1 - mid])
      low = mid + 1;
    else
      high = mid;
  }
  int i = low, j = diagonal - low;
  for (int k = 0; k < 8; k++) {
    bool first = j >= n || (i < n && a[i] <= b[j]);
    out[diagonal + k] = first ? a[i] : b[j];
    first ? i++ : j++;
  }
}
GLOBAL btree_find(const uint32_t *__restrict__ keys, const uint32_t *__restrict__ query,
                  uint32_t *__restrict__ out,
                  int levels) { // sixteen lanes look at the sixteen keys of a node
  int q = gid() / 16, lane = threadIdx.x % 16, half = threadIdx.x & 16;
  uint32_t want = query[q], node = 0;
  for (int l = 0; l < levels; l++) {
    uint32_t below = __ballot_sync(~0u, keys[(size_t)node * 16 + lane] < want) >> half & 0xffff;
    node = node * 17 + 1 + __popc(below);
  }
  if (!lane)
    out[q] = node;
}
GLOBAL solve_lower(const float *__restrict__ l, float *x, int n) { // one CTA: forward substitution by columns
  for (int k = 0; k < n; k++) {
    __syncthreads();
    float xk = x[k] / (2.0f + l[(size_t)k * n + k]);
    int i = k + 1 + threadIdx.x;
    __syncthreads();
    if (!threadIdx.x)
      x[k] = xk;
    for (; i < n; i += blockDim.x)
      x[i] -= l[(size_t)i * n + k] * xk;
  }
}
GLOBAL lu_panel(float *a, int n) { // a panel of n x 16 in each CTA's shared memory, without pivots
  extern __shared__ float p[];
  float *mine = a + (size_t)blockIdx.x * n * 16;
  for (int i = threadIdx.x; i < n * 16; i += blockDim.x)
    p[i] = mine[i] + (i / 16 == i % 16 ? 16.0f : 0.0f);
  __syncthreads();
  for (int k = 0; k < 16; k++) {
    float pivot = 1.0f / p[k * 16 + k];
    for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) {
      float f = p[r * 16 + k] * pivot;
      p[r * 16 + k] = f;
      for (int c = k + 1; c < 16; c++)
        p[r * 16 + c] -= f * p[k * 16 + c];
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n * 16; i += blockDim.x)
    mine[i] = p[i];
}
GLOBAL scan_one_cta(const uint32_t *__restrict__ a, uint32_t *__restrict__ b, int n) { // 1,024 threads
  __shared__ uint32_t warps[32];
  uint32_t carry = 0;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int at = 0; at < n; at += 1024) {
    uint32_t v = a[at + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
      uint32_t o = __shfl_up_sync(~0u, v, d);
      if (lane >= d)
        v += o;
    }
    if (lane == 31)
      warps[warp] = v;
    __syncthreads();
    if (!warp) {
      uint32_t w = warps[lane];
      for (int d = 1; d < 32; d *= 2) {
        uint32_t o = __shfl_up_sync(~0u, w, d);
        if (lane >= d)
          w += o;
      }
      warps[lane] = w;
    }
    __syncthreads();
    b[at + threadIdx.x] = carry + v + (warp ? warps[warp - 1] : 0);
    carry += warps[31];
    __syncthreads();
  }
}
GLOBAL spmv_thread_row(const uint32_t *__restrict__ noise, const uint32_t *__restrict__ column,
                       const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y,
                       int mean,
                       int rows) { // a row begins at its number times the mean plus noise
  int r = gid();
  if (r >= rows)
    return;
  float s = 0;
  for (uint32_t k = r * mean + noise[r], end = (r + 1) * mean + noise[r + 1]; k < end; k++)
    s += value[k] * x[column[k]];
  y[r] = s;
}
GLOBAL rank_pull(const uint32_t *__restrict__ noise, const uint32_t *__restrict__ from,
                 const float *__restrict__ rank, const uint32_t *__restrict__ degree, float *__restrict__ out,
                 int mean) { // a warp for each vertex
  int v = gid() / 32, lane = threadIdx.x % 32;
  uint32_t first = v * mean + noise[v], end = (v + 1) * mean + noise[v + 1];
  float s = 0;
  for (uint32_t k = first + lane; k < end; k += 32) {
    uint32_t u = from[k];
    s += rank[u] / (float)(degree[u] + 1);
  }
  s = sum_of_warp(s);
  if (!lane)
    out[v] = 0.15f + 0.85f * s;
}
GLOBAL edit_distance(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, uint32_t *__restrict__ out,
                     int n) { // a pair of texts for each CTA, as many threads as columns, diagonals in turn
  extern __shared__ int d[];  // three diagonals
  int j = threadIdx.x;
  const uint8_t *s = a + (size_t)blockIdx.x * n, *t = b + (size_t)blockIdx.x * n;
  int *before = d, *last = d + n + 1, *now = d + 2 * (n + 1);
  uint8_t mine = t[j];
  for (int i = j; i < 3 * (n + 1); i += blockDim.x)
    d[i] = 0;
  __syncthreads();
  for (int k = 0; k < 2 * n - 1; k++) {
    int i = k - j;
    if (i >= 0 && i < n) {
      int up = i ? last[j + 1] : j + 1, left = j ? last[j] : i + 1;
      int corner = i && j ? before[j] : i + j;
      now[j + 1] = min(min(up, left) + 1, corner + (s[i] != mine));
    }
    __syncthreads();
    int *swap = before;
    before = last, last = now, now = swap;
  }
  if (j == n - 1)
    out[blockIdx.x] = last[n];
}
GLOBAL few_ctas(const float *__restrict__ a, float *__restrict__ b, int n) { // 16 CTAs, a long loop
  for (int i = gid(); i < n; i += threads_of_grid()) {
    float v = a[i];
    b[i] = v > 0.5f ? v * 2.0f : v + 1.0f;
  }
}
GLOBAL jump_pointers(const uint32_t *__restrict__ parent, uint32_t *__restrict__ root, int n) {
  int i = gid();
  if (i >= n)
    return;
  uint32_t p = parent[i];
  for (int k = 0; k < 6; k++)
    p = parent[p];
  root[i] = p;
}

// ---- compute ------------------------------------------------------------------------------------------------------------
GLOBAL syrk_tile(const float *__restrict__ a, float *__restrict__ c, int n, int m) { // c = a a'
  __shared__ float p[16][16], q[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int k = 0; k < m; k += 16) {
    p[threadIdx.y][threadIdx.x] = a[(size_t)y * m + k + threadIdx.x];
    q[threadIdx.y][threadIdx.x] = a[(size_t)(blockIdx.x * 16 + threadIdx.y) * m + k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      s += p[threadIdx.y][i] * q[threadIdx.x][i];
    __syncthreads();
  }
  c[(size_t)y * n + x] = s;
}
GLOBAL gemm_f64(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c, int n) {
  __shared__ double p[16][16], q[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  double s = 0;
  for (int k = 0; k < n; k += 16) {
    p[threadIdx.y][threadIdx.x] = a[(size_t)y * n + k + threadIdx.x];
    q[threadIdx.y][threadIdx.x] = b[(size_t)(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      s += p[threadIdx.y][i] * q[i][threadIdx.x];
    __syncthreads();
  }
  c[(size_t)y * n + x] = s;
}
__constant__ float blur[17] = {0.0044f, 0.0115f, 0.0257f, 0.0488f, 0.0799f, 0.1133f,
                               0.1394f, 0.1494f, 0.1488f, 0.1394f, 0.1133f, 0.0799f,
                               0.0488f, 0.0257f, 0.0115f, 0.0044f, 0.0020f};
GLOBAL blur_rows(const float *__restrict__ a, float *__restrict__ b,
                 int width) { // 17 taps, shared memory, 128 x 2 threads
  __shared__ float line[2][128 + 16];
  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y;
  const float *row = a + (size_t)y * width;
  line[threadIdx.y][threadIdx.x + 8] = row[x];
  if (threadIdx.x < 8) {
    line[threadIdx.y][threadIdx.x] = x >= 8 ? row[x - 8] : 0.0f;
    line[threadIdx.y][threadIdx.x + 136] = x + 128 < width ? row[x + 128] : 0.0f;
  }
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 17; k++)
    s += blur[k] * line[threadIdx.y][threadIdx.x + k];
  b[(size_t)y * width + x] = s;
}
GLOBAL conv_channels(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ b,
                     int size,
                     int channels) { // 3 x 3, one map of output for each z
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
  if (x >= size || y >= size)
    return;
  int pitch = size + 2;
  float s = 0;
  for (int c = 0; c < channels; c++) {
    const float *p = a + ((size_t)c * pitch + y) * pitch + x, *f = w + (o * channels + c) * 9;
#pragma unroll
    for (int i = 0; i < 9; i++)
      s += f[i] * p[i / 3 * pitch + i % 3];
  }
  b[((size_t)o * size + y) * size + x] = fmaxf(s, 0.0f);
}
GLOBAL pair_forces(const float4 *__restrict__ p, float4 *__restrict__ out, float cut,
                   int n) { // Lennard-Jones, tiles of 96
  __shared__ float4 tile[96];
  float4 me = p[gid()], f = make_float4(0, 0, 0, 0);
  for (int at = 0; at < n; at += 96) {
    tile[threadIdx.x] = p[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 96; j++) {
      float x = me.x - tile[j].x, y = me.y - tile[j].y, z = me.z - tile[j].z;
      float r2 = x * x + y * y + z * z + 1e-3f;
      if (r2 < cut) {
        float i2 = 1.0f / r2, i6 = i2 * i2 * i2, k = i6 * (i6 - 0.5f) * i2;
        f.x += k * x;
        f.y += k * y;
        f.z += k * z;
        f.w += i6;
      }
    }
    __syncthreads();
  }
  out[gid()] = f;
}
GLOBAL pi_lcg(uint32_t *__restrict__ inside, int draws) {
  uint32_t s = gid() * 2654435761u + 12345u, hits = 0;
  for (int i = 0; i < draws; i++) {
    s = s * 1664525u + 1013904223u;
    float x = (float)(s >> 8) * 0x1p-24f;
    s = s * 1664525u + 1013904223u;
    float y = (float)(s >> 8) * 0x1p-24f;
    hits += x * x + y * y < 1.0f;
  }
  inside[gid()] = hits;
}
GLOBAL binomial_tree(const float *__restrict__ spot, float *__restrict__ out,
                     int steps) { // an option for each CTA
  __shared__ float v[257];
  int i = threadIdx.x;
  float s = spot[blockIdx.x];
  v[i] = fmaxf(s * exp2f(0.02f * (float)(2 * i - steps)) - 50.0f, 0.0f);
  __syncthreads();
  for (int n = steps; n > 0; n--) {
    float next = 0.0f;
    if (i < n)
      next = 0.499f * v[i] + 0.4985f * v[i + 1];
    __syncthreads();
    if (i < n)
      v[i] = next;
    __syncthreads();
  }
  if (!i)
    out[blockIdx.x] = v[0];
}
GLOBAL crc_bits(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, int words, int n) {
  uint32_t crc = ~0u;
  for (int w = 0; w < words; w++) {
    crc ^= a[w * n + gid()];
    for (int k = 0; k < 32; k++)
      crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
  }
  out[gid()] = ~crc;
}
GLOBAL table_rounds(const uint32_t *__restrict__ table, const uint4 *__restrict__ in, uint4 *__restrict__ out,
                    int rounds) { // look-ups of a block cipher, its table in shared memory
  __shared__ uint32_t t[256];
  t[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  uint4 s = in[gid()];
  for (int r = 0; r < rounds; r++) {
    uint4 n;
    n.x = t[s.x & 255] ^ __funnelshift_l(t[s.y >> 8 & 255], t[s.y >> 8 & 255], 8) ^ t[s.z >> 16 & 255] ^
          t[s.w >> 24];
    n.y = t[s.y & 255] ^ __funnelshift_l(t[s.z >> 8 & 255], t[s.z >> 8 & 255], 8) ^ t[s.w >> 16 & 255] ^
          t[s.x >> 24];
    n.z = t[s.z & 255] ^ __funnelshift_l(t[s.w >> 8 & 255], t[s.w >> 8 & 255], 8) ^ t[s.x >> 16 & 255] ^
          t[s.y >> 24];
    n.w = t[s.w & 255] ^ __funnelshift_l(t[s.x >> 8 & 255], t[s.x >> 8 & 255], 8) ^ t[s.y >> 16 & 255] ^
          t[s.z >> 24];
    s = n;
  }
  out[gid()] = s;
}
GLOBAL digits(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t base,
              int n) { // divisions by a parameter
  int i = gid();
  if (i >= n)
    return;
  uint32_t v = a[i], s = 0;
  for (int k = 0; k < 8; k++) {
    s = s * 31 + v % base;
    v /= base;
  }
  out[i] = s;
}
GLOBAL bilateral(const float *__restrict__ a, float *__restrict__ b, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float me = a[y * width + x], sum = 0, weight = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int u = min(max(x + i, 0), width - 1), v = min(max(y + j, 0), height - 1);
      float o = a[v * width + u], d = o - me, k = __expf(-(float)(i * i + j * j) * 0.1f - d * d * 8.0f);
      sum += k * o;
      weight += k;
    }
  b[y * width + x] = sum / weight;
}
GLOBAL assign_means(const float *__restrict__ points, const float *__restrict__ means,
                    uint32_t *__restrict__ out, int n,
                    int k) { // eight dimensions, points by dimension
  int i = gid();
  if (i >= n)
    return;
  float p[8], least = 3e38f;
  for (int d = 0; d < 8; d++)
    p[d] = points[d * n + i];
  uint32_t best = 0;
  for (int c = 0; c < k; c++) {
    float s = 0;
#pragma unroll
    for (int d = 0; d < 8; d++)
      s += (p[d] - means[c * 8 + d]) * (p[d] - means[c * 8 + d]);
    if (s < least)
      least = s, best = c;
  }
  out[i] = best;
}
GLOBAL dft(const float2 *__restrict__ a, float2 *__restrict__ out, int n) {
  int k = gid();
  float2 s = make_float2(0, 0);
  for (int i = 0; i < n; i++) {
    float at = (float)((i * k) & (n - 1)) * (-6.2831853f / (float)n), c = __cosf(at), d = __sinf(at);
    float2 v = a[i];
    s.x += v.x * c - v.y * d;
    s.y += v.x * d + v.y * c;
  }
  out[k] = s;
}
GLOBAL xtea(const uint2 *__restrict__ in, uint2 *__restrict__ out, uint4 key, int n) {
  int i = gid();
  if (i >= n)
    return;
  uint2 v = in[i];
  uint32_t sum = 0, k[4] = {key.x, key.y, key.z, key.w};
#pragma unroll 8
  for (int r = 0; r < 32; r++) {
    v.x += (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + k[sum & 3]);
    sum += 0x9e3779b9u;
    v.y += (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + k[sum >> 11 & 3]);
  }
  out[i] = v;
}
GLOBAL heat_steps(const float *__restrict__ a, float *__restrict__ b, int width,
                  int steps) { // several steps in shared memory
  __shared__ float t[2][32][33];
  int edge = steps, inner = 32 - 2 * edge;
  int x = (int)blockIdx.x * inner + (int)threadIdx.x - edge,
      y = (int)blockIdx.y * inner + (int)threadIdx.y - edge;
  int u = min(max(x, 0), width - 1), v = min(max(y, 0), width - 1), now = 0;
  t[0][threadIdx.y][threadIdx.x] = a[(size_t)v * width + u];
  __syncthreads();
  int i = threadIdx.x, j = threadIdx.y;
  for (int s = 0; s < steps; s++) {
    float c = t[now][j][i];
    if (i && j && i < 31 && j < 31)
      c = c + 0.1f * (t[now][j][i - 1] + t[now][j][i + 1] + t[now][j - 1][i] + t[now][j + 1][i] - 4.0f * c);
    t[now ^ 1][j][i] = c;
    now ^= 1;
    __syncthreads();
  }
  if (i >= edge && j >= edge && i < 32 - edge && j < 32 - edge && x < width && y < width)
    b[(size_t)y * width + x] = t[now][j][i];
}
GLOBAL stencil_27(const float *__restrict__ a, float *__restrict__ b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1,
      z = blockIdx.z + 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  float s = 0;
#pragma unroll
  for (int k = 0; k < 27; k++) {
    int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1, far = (dx != 0) + (dy != 0) + (dz != 0);
    float w = far == 0 ? 0.3f : far == 1 ? 0.06f : far == 2 ? 0.02f : 0.01f;
    s += w * a[((size_t)(z + dz) * n + y + dy) * n + x + dx];
  }
  b[((size_t)z * n + y) * n + x] = s;
}

// ---- divergent ----------------------------------------------------------------------------------------------------------
GLOBAL julia(uint32_t *__restrict__ out, int width, int limit, float cx, float cy) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float x = 3.0f * (float)px / (float)width - 1.5f, y = 3.0f * (float)py / (float)width - 1.5f;
  int i = 0;
  while (i < limit && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    i++;
  }
  out[(size_t)py * width + px] = i;
}
GLOBAL gcd_pairs(const uint32_t *__restrict__ a, const uint32_t *__restrict__ b, uint32_t *__restrict__ out,
                 int n) {
  int i = gid();
  if (i >= n)
    return;
  uint32_t x = a[i] + 1, y = b[i] + 1;
  while (y) {
    uint32_t t = x % y;
    x = y;
    y = t;
  }
  out[i] = x;
}
GLOBAL interpret(const uint8_t *__restrict__ code, const float *__restrict__ a, float *__restrict__ out,
                 int length,
                 int n) { // a program of its own for each thread
  int i = gid();
  float x = a[i], y = 1.0f;
  for (int k = 0; k < length; k++) {
    switch (code[(size_t)k * n + i] & 7) {
    case 0:
      x = x + y;
      break;
    case 1:
      x = x * y - 0.5f;
      break;
    case 2:
      y = sqrtf(fabsf(x));
      break;
    case 3: {
      float t = x;
      x = y;
      y = t;
      break;
    }
    case 4:
      x = x / (1.0f + y * y);
      break;
    case 5:
      y = __sinf(x);
      break;
    case 6:
      y = x > 0.0f ? y + 1.0f : y - 1.0f;
      break;
    default:
      x = a[(i + k) % n];
      break;
    }
  }
  out[i] = x + y;
}
GLOBAL find_text(const uint8_t *__restrict__ text, const uint8_t *__restrict__ word,
                 uint32_t *__restrict__ out, int length,
                 int n) { // letters of an alphabet of four
  int i = gid();
  if (i + length > n)
    return;
  int k = 0;
  while (k < length && (text[i + k] & 3) == (word[k] & 3))
    k++;
  out[i] = k;
}
GLOBAL insertion_sort(const uint32_t *__restrict__ a,
                      uint32_t *__restrict__ b) { // sixteen keys a thread, in shared memory
  __shared__ uint32_t v[16 * 128];
  int t = threadIdx.x;
  size_t at = (size_t)blockIdx.x * 2048;
  for (int k = 0; k < 16; k++)
    v[k * 128 + t] = a[at + k * 128 + t];
  for (int k = 1; k < 16; k++) {
    uint32_t key = v[k * 128 + t];
    int j = k;
    while (j > 0 && v[(j - 1) * 128 + t] > key) {
      v[j * 128 + t] = v[(j - 1) * 128 + t];
      j--;
    }
    v[j * 128 + t] = key;
  }
  for (int k = 0; k < 16; k++)
    b[at + k * 128 + t] = v[k * 128 + t];
}
GLOBAL ray_spheres(const float4 *__restrict__ sphere, float *__restrict__ out, int width, int spheres) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float dx = (float)px / (float)width - 0.5f, dy = (float)py / (float)width - 0.5f, dz = 1.0f;
  float k = rsqrtf(dx * dx + dy * dy + 1.0f), nearest = 1e30f;
  dx *= k, dy *= k, dz *= k;
  for (int s = 0; s < spheres; s++) {
    float4 c = sphere[s];
    float along = c.x * dx + c.y * dy + (c.z + 4.0f) * dz;
    if (along < 0.0f)
      continue;
    float d2 = c.x * c.x + c.y * c.y + (c.z + 4.0f) * (c.z + 4.0f) - along * along, r2 = c.w * c.w;
    if (d2 > r2)
      continue;
    float t = along - sqrtf(r2 - d2);
    if (t < nearest)
      nearest = t + __expf(-t) * 1e-3f;
  }
  out[(size_t)py * width + px] = nearest;
}
GLOBAL nested_bounds(const uint32_t *__restrict__ outer, const uint32_t *__restrict__ inner,
                     const float *__restrict__ a, float *__restrict__ out, int mask) {
  int i = gid();
  float s = 0;
  for (uint32_t j = 0, n = outer[i] & 15; j < n; j++)
    for (uint32_t k = 0, m = inner[(i + j) & mask] & 15; k < m; k++)
      s = s * 0.5f + a[(i + j * 16 + k) & mask];
  out[i] = s;
}
GLOBAL varint(const uint8_t *__restrict__ a, uint32_t *__restrict__ out,
              int bytes) { // each thread decodes its bytes
  const uint8_t *p = a + (size_t)gid() * bytes, *end = p + bytes;
  uint32_t sum = 0, count = 0;
  while (p < end) {
    uint32_t v = 0, shift = 0, c;
    do {
      c = *p++;
      v |= (c & 127) << shift;
      shift += 7;
    } while ((c & 128) && shift < 28 && p < end);
    sum ^= v + count++;
  }
  out[gid()] = sum;
}
GLOBAL spmv_uneven(const uint32_t *__restrict__ length, const uint32_t *__restrict__ column,
                   const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y,
                   int widest,
                   int mask) { // few long rows: lengths by leading zeros
  int r = gid(), n = __clz(length[r] | 1u) * 4;
  n = n < widest ? n : widest;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += value[(r * 7 + k) & mask] * x[column[(r * 7 + k) & mask]];
  y[r] = s;
}
GLOBAL push_queue(const uint32_t *__restrict__ queue, const uint32_t *__restrict__ edge,
                  const uint32_t *__restrict__ degree, uint32_t *level, uint32_t *next, uint32_t *count,
                  int widest) { // a level of a search
  uint32_t v = queue[gid()];
  for (uint32_t k = 0, n = degree[v] % widest; k < n; k++) {
    uint32_t u = edge[(size_t)v * widest + k];
    if (!level[u] && !atomicExch(&level[u], 2))
      next[atomicAdd(count, 1)] = u;
  }
}
GLOBAL trial_division(uint32_t *__restrict__ out, uint32_t first) {
  uint32_t n = first + gid() * 2 + 1, d = 3;
  while (d * d <= n && n % d)
    d += 2;
  out[gid()] = d * d > n ? 1 : d;
}

// ---- atomic -------------------------------------------------------------------------------------------------------------
GLOBAL bytes_private(const uint32_t *__restrict__ a, uint32_t *bins,
                     int n) { // a histogram for each warp, in shared memory
  __shared__ uint32_t h[8][256];
  for (int i = threadIdx.x; i < 8 * 256; i += 256)
    h[i / 256][i % 256] = 0;
  __syncthreads();
  uint32_t *mine = h[threadIdx.x / 32];
  for (int i = gid(); i < n; i += threads_of_grid()) {
    uint32_t v = a[i];
    atomicAdd(&mine[v & 255], 1);
    atomicAdd(&mine[v >> 8 & 255], 1);
    atomicAdd(&mine[v >> 16 & 255], 1);
    atomicAdd(&mine[v >> 24], 1);
  }
  __syncthreads();
  uint32_t s = 0;
  for (int w = 0; w < 8; w++)
    s += h[w][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], s);
}
GLOBAL many_bins(const uint32_t *__restrict__ a, uint32_t *bins, int mask, int n) {
  for (int i = gid(); i < n; i += threads_of_grid())
    atomicAdd(&bins[a[i] & mask], 1);
}
GLOBAL radix_count(const uint32_t *__restrict__ a, uint32_t *__restrict__ counts, int shift, int each) {
  __shared__ uint32_t c[16];
  if (threadIdx.x < 16)
    c[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < each; k++)
    atomicAdd(&c[a[((size_t)blockIdx.x * each + k) * blockDim.x + threadIdx.x] >> shift & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}
GLOBAL select_ballot(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t *count,
                     uint32_t below) {
  uint32_t v = a[gid()], lane = threadIdx.x % 32, which = __ballot_sync(~0u, v < below), at = 0;
  if (!lane && which)
    at = atomicAdd(count, __popc(which));
  at = __shfl_sync(~0u, at, 0);
  if (v < below)
    out[at + __popc(which & ((1u << lane) - 1))] = v;
}
GLOBAL hash_insert(const uint32_t *__restrict__ keys, uint32_t *table, uint32_t *__restrict__ tries,
                   int mask) {
  uint32_t k = keys[gid()] | 1u, at = k * 2654435761u >> 7, n = 0;
  for (;; n++) {
    uint32_t old = atomicCAS(&table[at & mask], 0u, k);
    if (!old || old == k)
      break;
    at++;
  }
  tries[gid()] = n;
}
GLOBAL relax_edges(const uint32_t *__restrict__ from, const uint32_t *__restrict__ to,
                   const uint32_t *__restrict__ weight, const uint32_t *__restrict__ distance, uint32_t *out,
                   int n) {
  int e = gid();
  if (e < n)
    atomicMin(&out[to[e]], distance[from[e]] + (weight[e] & 255));
}
GLOBAL block_maximum(const int *__restrict__ a, int *most,
                     int each) { // shared memory, then one atomic for each CTA
  __shared__ int m[192];
  int v = -2147483647;
  for (int k = 0; k < each; k++)
    v = max(v, a[((size_t)blockIdx.x * each + k) * 192 + threadIdx.x]);
  m[threadIdx.x] = v;
  __syncthreads();
  for (int d = 96; d >= 3; d /= 2) {
    if (threadIdx.x < d)
      m[threadIdx.x] = max(m[threadIdx.x], m[threadIdx.x + d]);
    __syncthreads();
  }
  if (!threadIdx.x)
    atomicMax(most, max(m[0], max(m[1], m[2])));
}
GLOBAL sums_of_groups(const uint32_t *__restrict__ group, const float *__restrict__ v, float *sum,
                      uint32_t *count, int mask, int n) {
  int i = gid();
  if (i >= n)
    return;
  uint32_t g = group[i] & mask;
  atomicAdd(&sum[g], v[i]);
  atomicAdd(&count[g], 1);
}
GLOBAL hook(const uint32_t *__restrict__ from, const uint32_t *__restrict__ to, uint32_t *parent,
            int n) { // components: a step
  int e = gid();
  if (e >= n)
    return;
  uint32_t a = parent[from[e]], b = parent[to[e]];
  if (a < b)
    atomicMin(&parent[b], a);
  else if (b < a)
    atomicMin(&parent[a], b);
}
GLOBAL last_cta_sums(const float *__restrict__ a, float *part, uint32_t *ticket, float *out, int n) {
  __shared__ float warps[8];
  __shared__ bool last;
  float s = 0;
  for (int i = gid(); i < n; i += threads_of_grid())
    s += a[i];
  s = sum_of_warp(s);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (!threadIdx.x) {
    for (int w = 1; w < 8; w++)
      s += warps[w];
    part[blockIdx.x] = s;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  s = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 256)
    s += ((volatile float *)part)[i];
  s = sum_of_warp(s);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (!threadIdx.x) {
    for (int w = 1; w < 8; w++)
      s += warps[w];
    *out = s;
  }
}
GLOBAL push_f64(const uint32_t *__restrict__ to, const double *__restrict__ rank, double *sum, int degree) {
  int v = gid();
  double r = rank[v] / (double)degree;
  for (int k = 0; k < degree; k++)
    atomicAdd(&sum[to[(size_t)v * degree + k]], r);
}
GLOBAL work_queue(uint32_t *head, const float *__restrict__ a, float *__restrict__ out,
                  int items) { // warps take what is left
  int lane = threadIdx.x % 32;
  for (;;) {
    uint32_t at = 0;
    if (!lane)
      at = atomicAdd(head, 1);
    at = __shfl_sync(~0u, at, 0);
    if (at >= items)
      break;
    float v = a[at * 32 + lane];
    for (int k = 0; k < 16 + (int)(at & 15); k++)
      v = v * v * 0.5f + 0.25f;
    out[at * 32 + lane] = v;
  }
}
GLOBAL set_bits(const uint32_t *__restrict__ a, uint32_t *bits, int mask,
                int n) { // a Bloom filter of three bits
  int i = gid();
  if (i >= n)
    return;
  uint32_t v = a[i];
  for (int k = 0; k < 3; k++) {
    v = v * 2246822519u + 374761393u;
    uint32_t b = v >> 5;
    atomicOr(&bits[b >> 5 & mask], 1u << (b & 31));
  }
}
