// Kernels on which the timing model is compared with a card: written for this purpose, in the manner of common benchmarks, and
// grouped by what is expected to limit them. `kernels.ptx` is made from this file (nvcc -O3 -arch=compute_90 -ptx); the launch
// files in kernels/ name sizes and inputs.
#include <cstdint>
#define GLOBAL extern "C" __global__ void
__device__ __forceinline__ int gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// ---- bandwidth ----------------------------------------------------------------------------------------------------------
GLOBAL copy4(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[i] = a[i];
}
GLOBAL copy16(const float4 *__restrict__ a, float4 *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[i] = a[i];
}
GLOBAL copy1(const uint8_t *__restrict__ a, uint8_t *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[i] = a[i];
}
GLOBAL saxpy(const float *__restrict__ x, float *__restrict__ y, float k, int n) {
  int i = gid();
  if (i < n)
    y[i] = k * x[i] + y[i];
}
GLOBAL triad_loop(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float k,
                  int n) {
  for (int i = gid(); i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + k * b[i];
}
GLOBAL scale_f64(const double *__restrict__ a, double *__restrict__ b, double k, int n) {
  int i = gid();
  if (i < n)
    b[i] = a[i] * k;
}
GLOBAL set16(float4 *a, float v, int n) {
  for (int i = gid(); i < n; i += gridDim.x * blockDim.x)
    a[i] = make_float4(v, v, v, v);
}
GLOBAL sum_rows(const float *__restrict__ a, float *__restrict__ out, int width) { // a warp for each row
  int row = gid() / 32, lane = threadIdx.x % 32;
  float s = 0;
  for (int c = lane; c < width; c += 32)
    s += a[(size_t)row * width + c];
  for (int d = 16; d; d /= 2)
    s += __shfl_down_sync(~0u, s, d);
  if (!lane)
    out[row] = s;
}
GLOBAL sum_columns(const float *__restrict__ a, float *__restrict__ out, int width, int height) {
  int c = gid();
  float s = 0;
  for (int r = 0; r < height; r++)
    s += a[(size_t)r * width + c];
  out[c] = s;
}
GLOBAL reverse(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = gid();
  if (i < n)
    b[n - 1 - i] = a[i];
}
GLOBAL records_to_arrays(const float *__restrict__ a, float *__restrict__ b,
                         int n) { // records of five floats
  int i = gid();
  if (i < n)
    for (int k = 0; k < 5; k++)
      b[k * n + i] = a[i * 5 + k];
}
GLOBAL transpose_direct(const float *__restrict__ a, float *__restrict__ b, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  b[x * n + y] = a[y * n + x];
}
GLOBAL transpose_tile(const float *__restrict__ a, float *__restrict__ b, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
GLOBAL stencil_1d(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = gid();
  if (i >= 3 && i < n - 3) {
    float s = 0;
    for (int k = -3; k <= 3; k++)
      s += a[i + k] * (float)(4 - abs(k));
    b[i] = s;
  }
}
GLOBAL stencil_2d(const float *__restrict__ a, float *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    b[y * w + x] = 0.5f * a[y * w + x] +
                   0.125f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}
GLOBAL stencil_3d(const float *__restrict__ a, float *__restrict__ b, int w, int h,
                  int d) { // each thread walks along z
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, plane = w * h;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1)
    return;
  int i = y * w + x + plane;
  float below = a[i - plane], here = a[i];
  for (int z = 1; z < d - 1; z++, i += plane) {
    float above = a[i + plane];
    b[i] = here * 0.4f + 0.1f * (below + above + a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
    below = here, here = above;
  }
}
GLOBAL grey(const uchar4 *__restrict__ a, uint8_t *__restrict__ b, int n) {
  int i = gid();
  if (i < n) {
    uchar4 p = a[i];
    b[i] = (uint8_t)((p.x * 77 + p.y * 151 + p.z * 28) >> 8);
  }
}
GLOBAL strided_read(const float *__restrict__ a, float *__restrict__ b, int stride, int mask) {
  int i = gid();
  float s = 0;
  for (int k = 0; k < 8; k++)
    s += a[((i + k * gridDim.x * blockDim.x) * stride) & mask];
  b[i] = s;
}

// ---- latency ------------------------------------------------------------------------------------------------------------
GLOBAL chase_warps(const uint32_t *__restrict__ next, uint32_t *__restrict__ out,
                   int steps) { // each thread its own walk
  uint32_t i = gid();
  for (int k = 0; k < steps; k++)
    i = next[i];
  out[gid()] = i;
}
GLOBAL binary_search(const uint32_t *__restrict__ sorted, const uint32_t *__restrict__ keys,
                     uint32_t *__restrict__ out, int n) {
  uint32_t key = keys[gid()];
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (sorted[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  out[gid()] = lo;
}
GLOBAL hash_probe(const uint2 *__restrict__ table, const uint32_t *__restrict__ keys,
                  uint32_t *__restrict__ out, int mask) {
  uint32_t key = keys[gid()] | 1, slot = (key * 2654435761u) & mask, found = 0;
  for (int k = 0; k < 16; k++) {
    uint2 e = table[slot];
    if (e.x == key) {
      found = e.y;
      break;
    }
    if (e.x & 1)
      break;
    slot = (slot + 1) & mask;
  }
  out[gid()] = found;
}
GLOBAL tree_walk(const uint2 *__restrict__ node, const uint32_t *__restrict__ keys,
                 uint32_t *__restrict__ out, int depth) {
  uint32_t key = keys[gid()], i = 0;
  for (int d = 0; d < depth; d++) {
    uint2 e = node[i];
    i = 2 * i + 1 + (key > e.x ? 1 : 0);
    key ^= e.y;
  }
  out[gid()] = i;
}
GLOBAL gather_two(const uint32_t *__restrict__ first, const uint32_t *__restrict__ second,
                  const float *__restrict__ v, float *__restrict__ out) {
  out[gid()] = v[second[first[gid()]]];
}
GLOBAL csr_row(const uint32_t *__restrict__ column, const float *__restrict__ value,
               const float *__restrict__ x, float *__restrict__ y, int per_row) { // a thread for each row
  int r = gid();
  float s = 0;
  for (int k = 0; k < per_row; k++)
    s += value[r * per_row + k] * x[column[r * per_row + k]];
  y[r] = s;
}
GLOBAL ell_row(const uint32_t *__restrict__ column, const float *__restrict__ value,
               const float *__restrict__ x, float *__restrict__ y,
               int per_row) { // the same, stored by columns
  int r = gid(), n = gridDim.x * blockDim.x;
  float s = 0;
  for (int k = 0; k < per_row; k++)
    s += value[k * n + r] * x[column[k * n + r]];
  y[r] = s;
}
GLOBAL wavefront(float *a, int n) { // one CTA, a barrier a step
  for (int d = 1; d < n; d++) {
    float v = a[threadIdx.x + (d - 1) * blockDim.x];
    __syncthreads();
    a[threadIdx.x + d * blockDim.x] = v * 0.5f + a[(threadIdx.x + 1) % blockDim.x + (d - 1) * blockDim.x];
    __syncthreads();
  }
}

// ---- compute ------------------------------------------------------------------------------------------------------------
GLOBAL poly_f32(const float *__restrict__ a, float *__restrict__ b, int terms) {
  float x = a[gid()], s = 1;
  for (int k = 0; k < terms; k++)
    s = s * x + 0.25f;
  b[gid()] = s;
}
GLOBAL poly_four(const float4 *__restrict__ a, float4 *__restrict__ b, int terms) { // four chains a thread
  float4 x = a[gid()], s = make_float4(1, 2, 3, 4);
  for (int k = 0; k < terms; k++) {
    s.x = s.x * x.x + 0.25f;
    s.y = s.y * x.y + 0.25f;
    s.z = s.z * x.z + 0.25f;
    s.w = s.w * x.w + 0.25f;
  }
  b[gid()] = s;
}
GLOBAL poly_f64(const double *__restrict__ a, double *__restrict__ b, int terms) {
  double x = a[gid()], s = 1;
  for (int k = 0; k < terms; k++)
    s = s * x + 0.25;
  b[gid()] = s;
}
GLOBAL mix_hash(const uint32_t *__restrict__ a, uint32_t *__restrict__ b, int rounds) {
  uint32_t h = a[gid()];
  for (int k = 0; k < rounds; k++) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
  }
  b[gid()] = h;
}
GLOBAL option_price(const float *__restrict__ spot, const float *__restrict__ strike,
                    const float *__restrict__ years, float *__restrict__ call, float *__restrict__ put) {
  int i = gid();
  float s = spot[i], k = strike[i], t = years[i], r = 0.02f, v = 0.3f;
  float root = sqrtf(t), d1 = (__logf(s / k) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
  float n1 = 0.5f * (1 + tanhf(0.797884f * (d1 + 0.044715f * d1 * d1 * d1)));
  float n2 = 0.5f * (1 + tanhf(0.797884f * (d2 + 0.044715f * d2 * d2 * d2)));
  float e = __expf(-r * t);
  call[i] = s * n1 - k * e * n2;
  put[i] = k * e * (1 - n2) - s * (1 - n1);
}
GLOBAL bodies(const float4 *__restrict__ p, float4 *__restrict__ acc, int n) {
  __shared__ float4 tile[128];
  float4 me = p[gid()], f = make_float4(0, 0, 0, 0);
  for (int base = 0; base < n; base += 128) {
    tile[threadIdx.x] = p[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; k++) {
      float4 o = tile[k];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z, d = dx * dx + dy * dy + dz * dz + 0.01f;
      float inv = rsqrtf(d), w = o.w * inv * inv * inv;
      f.x += dx * w, f.y += dy * w, f.z += dz * w;
    }
    __syncthreads();
  }
  acc[gid()] = f;
}
GLOBAL product_direct(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                      int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
GLOBAL product_tile(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float s[16][16], t[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    s[ty][tx] = a[y * n + m + tx];
    t[ty][tx] = b[(m + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += s[ty][k] * t[k][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
GLOBAL product_registers(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                         int n) {
  __shared__ float s[16][64], t[16][64]; // 64 x 64 outputs of a CTA, 4 x 4 of a thread
  int tid = threadIdx.x, tx = tid % 16, ty = tid / 16, row = blockIdx.y * 64, col = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int m = 0; m < n; m += 16) {
    for (int k = tid; k < 1024; k += 256) {
      s[k % 16][k / 16] = a[(row + k / 16) * n + m + k % 16];
      t[k / 64][k % 64] = b[(m + k / 64) * n + col + k % 64];
    }
    __syncthreads();
    for (int k = 0; k < 16; k++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
          acc[i][j] += s[k][ty * 4 + i] * t[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      c[(row + ty * 4 + i) * n + col + tx * 4 + j] = acc[i][j];
}
GLOBAL filter_5x5(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ b, int width,
                  int height) {
  __shared__ float tile[20][20], f[25];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y,
      t = threadIdx.y * 16 + threadIdx.x;
  if (t < 25)
    f[t] = w[t];
  for (int k = t; k < 400; k += 256) {
    int gx = blockIdx.x * 16 + k % 20 - 2, gy = blockIdx.y * 16 + k / 20 - 2;
    tile[k / 20][k % 20] = gx >= 0 && gy >= 0 && gx < width && gy < height ? a[gy * width + gx] : 0;
  }
  __syncthreads();
  float s = 0;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      s += f[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
  b[y * width + x] = s;
}
GLOBAL fft8(float2 *a, int n) { // eight points a thread, in registers
  int t = gid(), step = n / 8;
  float2 v[8];
  for (int k = 0; k < 8; k++)
    v[k] = a[t + k * step];
  for (int half = 4; half; half /= 2)
    for (int k = 0; k < 8; k++)
      if (!(k & half)) {
        float2 p = v[k], q = v[k + half];
        float sn, cs;
        __sincosf(-3.14159265f * (k % half) / half, &sn, &cs);
        v[k] = make_float2(p.x + q.x, p.y + q.y);
        float dx = p.x - q.x, dy = p.y - q.y;
        v[k + half] = make_float2(dx * cs - dy * sn, dx * sn + dy * cs);
      }
  for (int k = 0; k < 8; k++)
    a[t + k * step] = v[k];
}
GLOBAL random_walks(uint32_t *__restrict__ out, int steps) {
  uint32_t s = gid() * 747796405u + 2891336453u, inside = 0;
  for (int k = 0; k < steps; k++) {
    s = s * 1664525u + 1013904223u;
    float x = (float)(s >> 8) * 5.9604645e-8f;
    s = s * 1664525u + 1013904223u;
    float y = (float)(s >> 8) * 5.9604645e-8f;
    inside += x * x + y * y < 1.0f;
  }
  out[gid()] = inside;
}

// ---- divergent ----------------------------------------------------------------------------------------------------------
GLOBAL collatz(uint32_t *__restrict__ out, int limit) {
  uint32_t v = gid() + 1, n = 0;
  while (v != 1 && n < limit) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    n++;
  }
  out[gid()] = n;
}
GLOBAL mandelbrot(uint32_t *__restrict__ out, int width, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
  float cx = x * 3.0f / width - 2.0f, cy = y * 3.0f / width - 1.5f, zx = 0, zy = 0;
  while (n < limit && zx * zx + zy * zy < 4) {
    float t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = t;
    n++;
  }
  out[y * width + x] = n;
}
GLOBAL uneven_rows(const uint32_t *__restrict__ length, const float *__restrict__ a, float *__restrict__ out,
                   int mask) {
  int i = gid(), n = length[i] & 63;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[(i * 37 + k) & mask];
  out[i] = s;
}
GLOBAL four_ways(const uint32_t *__restrict__ kind, const float *__restrict__ a, float *__restrict__ out,
                 int rounds) {
  int i = gid();
  float v = a[i];
  switch (kind[i] & 3) {
  case 0:
    for (int k = 0; k < rounds; k++)
      v = v * 1.01f + 0.5f;
    break;
  case 1:
    for (int k = 0; k < rounds; k++)
      v = sqrtf(v + 1.0f);
    break;
  case 2:
    for (int k = 0; k < rounds; k++)
      v = v / (v + 2.0f);
    break;
  default:
    for (int k = 0; k < rounds; k++)
      v = v - floorf(v) + 0.75f;
  }
  out[i] = v;
}
GLOBAL bitonic(const uint32_t *__restrict__ a, uint32_t *__restrict__ b) { // 512 keys a CTA
  __shared__ uint32_t k[512];
  int t = threadIdx.x;
  k[t] = a[blockIdx.x * 512 + t];
  k[t + 256] = a[blockIdx.x * 512 + t + 256];
  for (int size = 2; size <= 512; size *= 2)
    for (int d = size / 2; d; d /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (d - 1));
      bool up = (i & size) == 0;
      uint32_t x = k[i], y = k[i + d];
      if (x > y == up)
        k[i] = y, k[i + d] = x;
    }
  __syncthreads();
  b[blockIdx.x * 512 + t] = k[t];
  b[blockIdx.x * 512 + t + 256] = k[t + 256];
}
GLOBAL frontier(const uint32_t *__restrict__ edge, uint32_t *level, int degree,
                uint32_t now) { // one step of a search by level
  int v = gid();
  if (level[v] != now)
    return;
  for (int k = 0; k < degree; k++) {
    uint32_t w = edge[v * degree + k];
    if (level[w] > now + 1)
      level[w] = now + 1;
  }
}

// ---- atomics and cooperation --------------------------------------------------------------------------------------------
GLOBAL histogram_global(const uint32_t *__restrict__ a, uint32_t *bins, int n) {
  for (int i = gid(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[a[i] & 255], 1u);
}
GLOBAL histogram_shared(const uint32_t *__restrict__ a, uint32_t *bins, int n) {
  __shared__ uint32_t b[256];
  b[threadIdx.x] = 0;
  __syncthreads();
  for (int i = gid(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&b[a[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], b[threadIdx.x]);
}
GLOBAL scatter_add(const uint32_t *__restrict__ at, const float *__restrict__ v, float *sum) {
  atomicAdd(&sum[at[gid()]], v[gid()]);
}
GLOBAL scatter_set(const uint32_t *__restrict__ at, const float *__restrict__ v, float *__restrict__ out) {
  out[at[gid()]] = v[gid()];
}
GLOBAL compact(const uint32_t *__restrict__ a, uint32_t *__restrict__ out, uint32_t *count) {
  uint32_t v = a[gid()], keep = v & 1, all = __ballot_sync(~0u, keep), lane = threadIdx.x % 32, base = 0;
  if (!lane)
    base = atomicAdd(count, __popc(all));
  base = __shfl_sync(~0u, base, 0) & 0xfffff;
  if (keep)
    out[base + __popc(all & ((1u << lane) - 1))] = v;
}
GLOBAL reduce_atomic(const float *__restrict__ a, float *sum, int n) {
  __shared__ float part[8];
  float s = 0;
  for (int i = gid(); i < n; i += gridDim.x * blockDim.x)
    s += a[i];
  for (int d = 16; d; d /= 2)
    s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 8) {
    s = part[threadIdx.x];
    for (int d = 4; d; d /= 2)
      s += __shfl_down_sync(0xff, s, d);
    if (!threadIdx.x)
      atomicAdd(sum, s);
  }
}
GLOBAL reduce_shared(const float *__restrict__ a, float *__restrict__ out) {
  __shared__ float s[256];
  s[threadIdx.x] = a[gid()];
  __syncthreads();
  for (int d = 128; d; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (!threadIdx.x)
    out[blockIdx.x] = s[0];
}
GLOBAL scan_block(const uint32_t *__restrict__ a, uint32_t *__restrict__ b) {
  __shared__ uint32_t s[2][512];
  int t = threadIdx.x, from = 0;
  s[0][t] = a[gid()];
  for (int d = 1; d < 512; d *= 2) {
    __syncthreads();
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
  }
  b[gid()] = s[from][t];
}
GLOBAL maximum(const uint32_t *__restrict__ a, uint32_t *best) {
  atomicMax(best + (blockIdx.x & 31) * 32, a[gid()]);
}
