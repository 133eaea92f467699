// arch: sm_80
// Whole algorithms, as programs use them.
#include "common.cuh"
KERNEL histogram(unsigned *out, unsigned n)
{
  __shared__ unsigned bin[64];
  if (threadIdx.x < 64) bin[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bin[(mix(i) & 63) * (mix(i) >> 6 & 63) >> 6], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], bin[threadIdx.x]);
}
// Exclusive scan of 512 values by 256 threads (up- and down-sweep).
KERNEL scan(unsigned *out)
{
  __shared__ unsigned s[512];
  unsigned t = threadIdx.x, off = 1;
  s[2 * t] = mix(2 * t) & 0xffff;
  s[2 * t + 1] = mix(2 * t + 1) & 0xffff;
  for (unsigned d = 256; d > 0; d >>= 1, off <<= 1) {
    __syncthreads();
    if (t < d) s[off * (2 * t + 2) - 1] += s[off * (2 * t + 1) - 1];
  }
  if (t == 0) s[511] = 0;
  for (unsigned d = 1; d < 512; d <<= 1) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      unsigned a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1, x = s[a];
      s[a] = s[b];
      s[b] += x;
    }
  }
  __syncthreads();
  out[t] = s[t];
  out[t + 256] = s[t + 256];
}
KERNEL bitonic(unsigned *out)
{
  __shared__ unsigned s[256];
  unsigned t = threadIdx.x;
  s[t] = mix(t + blockIdx.x * 1000);
  for (unsigned k = 2; k <= 256; k <<= 1)
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      unsigned o = t ^ j;
      if (o > t && (s[t] > s[o]) == ((t & k) == 0)) {
        unsigned x = s[t];
        s[t] = s[o];
        s[o] = x;
      }
    }
  __syncthreads();
  out[blockIdx.x * 256 + t] = s[t];
}
// Shared memory down to a warp, then shuffles, then one atomic per CTA.
KERNEL reduce(unsigned long long *out, unsigned n)
{
  __shared__ unsigned long long part[8];
  unsigned long long s = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += mix(i);
  for (int d = 16; d; d >>= 1)
    s += __shfl_down_sync(0xffffffffu, s, d);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++) s += part[w];
    atomicAdd(out, s);
  }
}
KERNEL matmul(float *c, const float *a, const float *b, int n)
{
  __shared__ float as[16][16], bs[16][16];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + col];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum = fmaf(as[y][j], bs[j][x], sum);
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// Five points with borders copied; halo kept in shared memory.
KERNEL stencil(float *out, const float *in, int w, int h)
{
  __shared__ float s[10][34];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return; // the sizes are whole tiles: nobody leaves
  s[ty][tx] = in[y * w + x];
  if (tx == 1 && x > 0) s[ty][0] = in[y * w + x - 1];
  if (tx == 32 && x + 1 < w) s[ty][33] = in[y * w + x + 1];
  if (ty == 1 && y > 0) s[0][tx] = in[(y - 1) * w + x];
  if (ty == 8 && y + 1 < h) s[9][tx] = in[(y + 1) * w + x];
  __syncthreads();
  float v = s[ty][tx];
  if (x > 0 && x + 1 < w && y > 0 && y + 1 < h)
    v = 0.5f * v + 0.125f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
  out[y * w + x] = v;
}
// Rows of unequal length; integers, so exact.
KERNEL spmv(unsigned *y, unsigned rows)
{
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  unsigned n = mix(r) % 40, sum = 0;
  for (unsigned k = 0; k < n; k++) {
    unsigned col = mix(r * 64 + k) % rows;
    sum += (r + k) * (col * 3 + 1);
  }
  y[r] = sum;
}
KERNEL mandelbrot(unsigned *out, unsigned w, unsigned h, unsigned limit)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int cr = (int)(x * 12288 / w) - 8192, ci = (int)(y * 8192 / h) - 4096, zr = 0, zi = 0; // 12 bits of fraction
  unsigned n = 0;
  while (n < limit && zr * zr + zi * zi < 4 << 24) {
    int t = (zr * zr - zi * zi >> 12) + cr;
    zi = (zr * zi >> 11) + ci;
    zr = t;
    n++;
  }
  out[y * w + x] = n;
}
// The first two rows' queens are given by the thread; the rest by backtracking on a stack in local memory.
KERNEL queens(unsigned *out, unsigned n)
{
  unsigned a = blockIdx.x, b = threadIdx.x, full = (1u << n) - 1, count = 0;
  unsigned col[16], left[16], right[16], open[16];
  unsigned p = 1u << a, q = 1u << b;
  if (b < n && !((p | p << 1 | p >> 1) & q)) {
    int d = 0;
    col[0] = p | q;
    left[0] = (p << 1 | q) << 1 & full;
    right[0] = (p >> 1 | q) >> 1;
    open[0] = full & ~(col[0] | left[0] | right[0]);
    while (d >= 0) {
      if (open[d] == 0) {
        d--;
        continue;
      }
      unsigned bit = open[d] & -open[d];
      open[d] ^= bit;
      if (d + 3 == (int)n) {
        count++;
        continue;
      }
      col[d + 1] = col[d] | bit;
      left[d + 1] = (left[d] | bit) << 1 & full;
      right[d + 1] = (right[d] | bit) >> 1;
      open[d + 1] = full & ~(col[d + 1] | left[d + 1] | right[d + 1]);
      d++;
    }
  }
  if (b < n) out[a * n + b] = count;
}
// One stable pass over 4 bits: ballot ranks within warps, scan of counts over warps.
KERNEL radix(unsigned *out, unsigned shift)
{
  __shared__ unsigned count[8][16], base[8][16];
  unsigned t = threadIdx.x, w = t >> 5, lane = t & 31, key = mix(t), digit = key >> shift & 15, same = 0xffffffffu;
  for (int b = 0; b < 4; b++) {
    unsigned v = __ballot_sync(0xffffffffu, digit >> b & 1);
    same &= digit >> b & 1 ? v : ~v;
  }
  if (lane < 16) count[w][lane] = 0;
  __syncwarp();
  unsigned rank = __popc(same & ((1u << lane) - 1));
  if (rank == 0) count[w][digit] = __popc(same);
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (int d = 0; d < 16; d++)
      for (int v = 0; v < 8; v++) base[v][d] = sum, sum += count[v][d];
  }
  __syncthreads();
  out[base[w][digit] + rank] = key;
}
