/* Kernels with the structure of those samples of AMD's APP SDK 2.5 that Multi2Sim 4.2 ran (reference.csv): the same work-groups, accesses to
 * global and local memory in the same order, and arithmetic to the same purpose. */

/* A work-group of 16 x 16 moves a block. Lanes side by side store to rows, not to columns. */
__kernel void transpose(__global float *out, __global const float *in, __local float *block, uint width,
                        uint height, uint size) {
  uint x = get_local_id(0), y = get_local_id(1), at = y * size + x;
  block[at] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint column = get_group_id(1) * size + y, row = get_group_id(0) * size + x;
  out[row * height + column] = block[at];
}

__kernel void reduce(__global const uint4 *in, __global uint4 *out, __local uint4 *sums) {
  uint me = get_local_id(0);
  sums[me] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint left = get_local_size(0) / 2; left > 0; left >>= 1) {
    if (me < left)
      sums[me] += sums[me + left];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    out[get_group_id(0)] = sums[0];
}

/* The remainder comes from the quotient: GCN code divides once. */
__kernel void walsh(__global float *data, uint step) {
  uint i = get_global_id(0), block = i / step, low = i - block * step;
  uint at = 2 * step * block + low, other = at + step;
  float a = data[at], b = data[other];
  data[at] = a + b;
  data[other] = a - b;
}

/* 4 x 4 results a work-item, in registers; no local memory. */
__kernel void multiply(__global const float4 *a, __global const float4 *b, __global float4 *c, uint wa,
                       uint wb) {
  uint x = get_global_id(0), y = get_global_id(1) * 4;
  float4 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  wb /= 4;
  for (uint i = 0; i < wa; i += 4) {
    float4 a0 = a[i / 4 + y * (wa / 4)], a1 = a[i / 4 + (y + 1) * (wa / 4)];
    float4 a2 = a[i / 4 + (y + 2) * (wa / 4)], a3 = a[i / 4 + (y + 3) * (wa / 4)];
    float4 b0 = b[x + i * wb], b1 = b[x + (i + 1) * wb], b2 = b[x + (i + 2) * wb], b3 = b[x + (i + 3) * wb];
    sum0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
    sum1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
    sum2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
    sum3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
  }
  c[x + y * wb] = sum0;
  c[x + (y + 1) * wb] = sum1;
  c[x + (y + 2) * wb] = sum2;
  c[x + (y + 3) * wb] = sum3;
}

/* A work-group of 8 x 8 for each block; `inverse` chooses how the cosines are indexed. */
__kernel void dct(__global float *out, __global const float *in, __global const float *cosines,
                  __local float *half_done, uint width, uint size, uint inverse) {
  uint gx = get_group_id(0), gy = get_group_id(1), i = get_local_id(0), j = get_local_id(1);
  float sum = 0;
  for (uint k = 0; k < size; k++)
    sum += cosines[inverse ? i * size + k : k * size + i] * in[(gy * size + k) * width + gx * size + j];
  half_done[j * size + i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (uint k = 0; k < size; k++)
    sum += half_done[i * size + k] * cosines[inverse ? j * size + k : k * size + j];
  out[get_global_id(1) * width + get_global_id(0)] = sum;
}

/* A work-group for each row; the shorter way is stored twice where there is one. */
__kernel void floyd(__global uint *distance, __global uint *via, uint n, uint k) {
  uint x = get_local_id(0), y = get_group_id(0);
  uint old = distance[y * n + x], other = distance[y * n + k] + distance[k * n + x];
  if (other < old) {
    distance[y * n + x] = other;
    via[y * n + x] = k;
  }
  other = distance[y * n + k] + distance[k * n + x];
  old = distance[y * n + x];
  distance[y * n + x] = other < old ? other : old;
}

/* Four options a work-group, a work-item for each leaf of the tree. */
__kernel void binomial(int steps, __global const float4 *random, __global float4 *out, __local float4 *a,
                       __local float4 *b) {
  uint me = get_local_id(0), option = get_group_id(0);
  float4 r = random[option];
  float4 price = (1.0f - r) * 5.0f + r * 30.0f, strike = (1.0f - r) * 1.0f + r * 100.0f;
  float4 years = (1.0f - r) * 0.25f + r * 10.0f, dt = years * (1.0f / (float)steps);
  float4 spread = 0.30f * sqrt(dt), growth = exp(0.02f * dt), shrink = 1.0f / growth;
  float4 up = exp(spread), down = 1.0f / up;
  float4 p = (growth - down) / (up - down), high = p * shrink, low = (1.0f - p) * shrink;
  float4 profit = price * exp(spread * (2.0f * me - (float)steps)) - strike;
  a[me].x = profit.x > 0 ? profit.x : 0;
  a[me].y = profit.y > 0 ? profit.y : 0;
  a[me].z = profit.z > 0 ? profit.z : 0;
  a[me].w = profit.w > 0 ? profit.w : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = steps; level > 0; level -= 2) {
    if (me < level)
      b[me] = high * a[me] + low * a[me + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < level - 1)
      a[me] = high * b[me] + low * b[me + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    out[option] = a[0];
}

/* One work-item a work-group. Distances are powers of two: AMD's compiler makes shifts of the divisions. */
__kernel void bitonic(__global uint *data, uint stage, uint pass, uint width, uint up) {
  uint i = get_global_id(0), distance = 1u << (stage - pass), shift = stage - pass;
  uint left = (i & (distance - 1)) + ((i >> shift) << (shift + 1)), right = left + distance;
  uint a = data[left], b = data[right];
  if ((i >> stage) & 1)
    up = 1 - up;
  uint more = a > b ? a : b, less = a > b ? b : a;
  data[left] = up ? less : more;
  data[right] = up ? more : less;
}

static float4 phi(float4 x) { /* Abramowitz and Stegun 26.2.17 */
  float4 t = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float4 y = 1.0f - 0.398942280f * exp(-x * x / 2.0f) * t *
                        (0.319381530f +
                         t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  return x < 0.0f ? 1.0f - y : y;
}

__kernel void scholes(__global const float4 *random, int width, __global float4 *call, __global float4 *put) {
  uint at = get_global_id(1) * width + get_global_id(0);
  float4 r = random[at];
  float4 s = 10.0f * r + 100.0f * (1.0f - r), k = 10.0f * r + 100.0f * (1.0f - r);
  float4 t = 1.0f * r + 10.0f * (1.0f - r), rate = 0.01f * r + 0.05f * (1.0f - r);
  float4 sigma = 0.01f * r + 0.10f * (1.0f - r), spread = sigma * sqrt(t);
  float4 d1 = (log(s / k) + (rate + sigma * sigma / 2.0f) * t) / spread, d2 = d1 - spread;
  float4 rest = k * exp(-rate * t);
  call[at] = s * phi(d1) - rest * phi(d2);
  put[at] = rest * phi(-d2) - s * phi(-d1);
}

/* Every work-item counts in bytes of its own. */
#define BINS 256
__kernel void histogram(__global const uint *data, __local uchar *mine, __global uint *out) {
  uint me = get_local_id(0), group = get_group_id(0), size = get_local_size(0);
  for (uint i = 0; i < BINS; i++)
    mine[me * BINS + i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < BINS; i++) {
    uint value = data[group * (size * BINS) + i * size + me];
    mine[me * BINS + value]++;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < BINS / size; i++) {
    uint sum = 0;
    for (uint j = 0; j < size; j++)
      sum += mine[j * BINS + i * size + me];
    out[group * BINS + i * size + me] = sum;
  }
}

/* Up a tree and down again, in local memory; one work-item for two numbers. */
__kernel void prefix(__global float *out, __global const float *in, __local float *block, uint length,
                     uint stride) {
  int me = get_local_id(0), size = get_local_size(0);
  uint at = stride * (2 * (get_group_id(0) * size + me) + 1) - 1;
  if (at < length)
    block[2 * me] = in[at];
  if (at + stride < length)
    block[2 * me + 1] = in[at + stride];
  int offset = 1;
  for (int l = length >> 1; l > 0; l >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < l)
      block[offset * (2 * me + 2) - 1] += block[offset * (2 * me + 1) - 1];
    offset <<= 1;
  }
  if (offset < length)
    offset <<= 1;
  int most = offset >> 1;
  for (int d = 0; d < most; d <<= 1) {
    d += 1;
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < d) {
      int a = offset * (me + 1) - 1, b = a + (offset >> 1);
      block[b] += block[a];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (at < length)
    out[at] = block[2 * me];
  if (at + stride < length)
    out[at + stride] = block[2 * me + 1];
}

/* A work-item counts, and places, 256 numbers side by side. */
__kernel void radix_count(__global const uint *data, __global uint *counts, uint shift,
                          __local ushort *mine) {
  uint me = get_local_id(0), group = get_group_id(0), size = get_local_size(0), item = get_global_id(0);
  for (uint i = 0; i < BINS; i++)
    mine[me * BINS + i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < BINS; i++) {
    uint value = (data[item * BINS + i] >> shift) & 0xff;
    mine[me * BINS + value]++;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < BINS; i++)
    counts[group * BINS * size + me * BINS + i] = mine[me * BINS + i];
}

__kernel void radix_place(__global const uint *data, __global const uint *places, uint shift,
                          __local ushort *mine, __global uint *out) {
  uint me = get_local_id(0), group = get_group_id(0), size = get_local_size(0), item = get_global_id(0);
  for (uint i = 0; i < BINS; i++)
    mine[me * BINS + i] = places[group * BINS * size + me * BINS + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < BINS; i++) {
    uint number = data[item * BINS + i], value = (number >> shift) & 0xff;
    uint at = mine[me * BINS + value];
    out[at] = number;
    mine[me * BINS + value] = at + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

static uint below(__global const float *diagonal, __global const float *off, uint n, float x) {
  float last = diagonal[0] - x;
  uint count = last < 0 ? 1 : 0;
  for (uint i = 1; i < n; i++) {
    float now = (diagonal[i] - x) - (off[i - 1] * off[i - 1]) / last;
    count += now < 0 ? 1 : 0;
    last = now;
  }
  return count;
}

__kernel void eigen_count(__global uint *counts, __global const float *intervals,
                          __global const float *diagonal, __global const float *off, uint n) {
  uint i = get_global_id(0);
  float low = intervals[2 * i], high = intervals[2 * i + 1];
  uint of_low = below(diagonal, off, n, low), of_high = below(diagonal, off, n, high);
  counts[i] = of_high - of_low;
}

__kernel void eigen_divide(__global float *to, __global const float *from, __global const uint *counts,
                           __global const float *diagonal, __global const float *off, uint n,
                           float tolerance) {
  uint i = get_global_id(0), mine = i, at = 0;
  while (mine >= counts[at]) {
    mine -= counts[at];
    at++;
  }
  float low = from[2 * at], high = from[2 * at + 1];
  if (counts[at] == 1) {
    float middle = (low + high) / 2;
    uint less = below(diagonal, off, n, middle) - below(diagonal, off, n, low);
    if (high - low < tolerance) {
      to[2 * i] = low;
      to[2 * i + 1] = high;
    } else if (less == 0) {
      to[2 * i] = middle;
      to[2 * i + 1] = high;
    } else {
      to[2 * i] = low;
      to[2 * i + 1] = middle;
    }
  } else {
    float part = (high - low) / counts[at];
    to[2 * i] = low + part * mine;
    to[2 * i + 1] = to[2 * i] + part;
  }
}

/* 1024 points by 64 work-items: five passes of radix 4, through padded local memory. */
struct points {
  float4 r0, r1, r2, r3, i0, i1, i2, i3;
};

static void butterfly(struct points *z) {
  float4 ar0 = z->r0 + z->r2, ar2 = z->r1 + z->r3, br1 = z->r0 - z->r2, br3 = z->r1 - z->r3;
  float4 ai0 = z->i0 + z->i2, ai2 = z->i1 + z->i3, bi1 = z->i0 - z->i2, bi3 = z->i1 - z->i3;
  z->r0 = ar0 + ar2, z->i0 = ai0 + ai2;
  z->r1 = br1 + bi3, z->i1 = bi1 - br3;
  z->r2 = ar0 - ar2, z->i2 = ai0 - ai2;
  z->r3 = br1 - bi3, z->i3 = br3 + bi1;
}

static void turn(float4 *r, float4 *i, float4 c, float4 s) {
  float4 was = *r;
  *r = c * was - s * *i;
  *i = c * *i + s * was;
}

static void twiddle4(struct points *z, int4 base) {
  for (int k = 1; k < 4; k++) {
    int4 n = base * k;
    n -= (n > 512) & 1024;
    float4 x = convert_float4(n) * -0x1.921fb6p-8f, c = native_cos(x), s = native_sin(x);
    k == 1 ? turn(&z->r1, &z->i1, c, s) : k == 2 ? turn(&z->r2, &z->i2, c, s) : turn(&z->r3, &z->i3, c, s);
  }
}

static void twiddle(struct points *z, int base) {
  for (int k = 1; k < 4; k++) {
    int n = base * k;
    if (n > 512)
      n -= 1024;
    float x = n * -0x1.921fb6p-8f, c = native_cos(x), s = native_sin(x);
    k == 1 ? turn(&z->r1, &z->i1, c, s) : k == 2 ? turn(&z->r2, &z->i2, c, s) : turn(&z->r3, &z->i3, c, s);
  }
}

/* Four numbers, `step` apart, to and from local memory; four of those, `rows` apart. */
#define PUT(v0, v1, v2, v3, step)                                                                            \
  lp[0] = v0, lp[step] = v1, lp[2 * (step)] = v2, lp[3 * (step)] = v3
#define GET(v0, v1, v2, v3, step)                                                                            \
  v0 = lp[0], v1 = lp[step], v2 = lp[2 * (step)], v3 = lp[3 * (step)]
#define EACH(OP, step, rows)                                                                                 \
  OP(z.r0.x, z.r0.y, z.r0.z, z.r0.w, step), lp += rows;                                                      \
  OP(z.r1.x, z.r1.y, z.r1.z, z.r1.w, step), lp += rows;                                                      \
  OP(z.r2.x, z.r2.y, z.r2.z, z.r2.w, step), lp += rows;                                                      \
  OP(z.r3.x, z.r3.y, z.r3.z, z.r3.w, step)
#define EACH_I(OP, step, rows)                                                                               \
  OP(z.i0.x, z.i0.y, z.i0.z, z.i0.w, step), lp += rows;                                                      \
  OP(z.i1.x, z.i1.y, z.i1.z, z.i1.w, step), lp += rows;                                                      \
  OP(z.i2.x, z.i2.y, z.i2.z, z.i2.w, step), lp += rows;                                                      \
  OP(z.i3.x, z.i3.y, z.i3.z, z.i3.w, step)
#define ACROSS(OP, step, rows)                                                                               \
  OP(z.r0.x, z.r1.x, z.r2.x, z.r3.x, step), lp += rows;                                                      \
  OP(z.r0.y, z.r1.y, z.r2.y, z.r3.y, step), lp += rows;                                                      \
  OP(z.r0.z, z.r1.z, z.r2.z, z.r3.z, step), lp += rows;                                                      \
  OP(z.r0.w, z.r1.w, z.r2.w, z.r3.w, step), lp += rows;                                                      \
  OP(z.i0.x, z.i1.x, z.i2.x, z.i3.x, step), lp += rows;                                                      \
  OP(z.i0.y, z.i1.y, z.i2.y, z.i3.y, step), lp += rows;                                                      \
  OP(z.i0.z, z.i1.z, z.i2.z, z.i3.z, step), lp += rows;                                                      \
  OP(z.i0.w, z.i1.w, z.i2.w, z.i3.w, step)

__kernel void fft(__global float *real, __global float *imaginary) {
  __local float local_[68 * 4 * 4 * 2];
  __local float *lp;
  uint me = get_global_id(0) & 63;
  __global float4 *gr = (__global float4 *)(real + (get_global_id(0) >> 6) * 1024 + (me << 2));
  __global float4 *gi = (__global float4 *)(imaginary + (get_global_id(0) >> 6) * 1024 + (me << 2));
  struct points z = {gr[0], gr[64], gr[128], gr[192], gi[0], gi[64], gi[128], gi[192]};
  butterfly(&z);
  twiddle4(&z, (int)(me << 2) + (int4)(0, 1, 2, 3));
  lp = local_ + ((me << 2) + (me >> 3));
  EACH(PUT, 1, 66 * 4);
  lp += 66 * 4;
  EACH_I(PUT, 1, 66 * 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + (me + (me >> 5));
  ACROSS(GET, 66, 66 * 4);
  butterfly(&z);
  twiddle(&z, (int)(me << 2));
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + ((me << 2) + (me >> 3));
  ACROSS(PUT, 1, 66 * 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + (me + (me >> 5));
  ACROSS(GET, 66, 66 * 4);
  butterfly(&z);
  twiddle(&z, (int)((me >> 2) << 4));
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + me;
  EACH(PUT, 66, 66 * 4);
  lp += 66 * 4;
  EACH_I(PUT, 66, 66 * 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + ((me & 3) + ((me >> 2) & 3) * (66 * 4) + ((me >> 4) << 2));
  EACH(GET, 66, 16);
  lp += 66 * 4 * 4 - 3 * 16;
  EACH_I(GET, 66, 16);
  butterfly(&z);
  twiddle(&z, (int)((me >> 4) << 6));
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + me;
  EACH(PUT, 68, 68 * 4);
  lp += 68 * 4;
  EACH_I(PUT, 68, 68 * 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  lp = local_ + ((me & 15) + (me >> 4) * (68 * 4));
  EACH(GET, 68, 16);
  lp += 68 * 4 * 4 - 3 * 16;
  EACH_I(GET, 68, 16);
  butterfly(&z);
  gr[0] = z.r0, gr[64] = z.r1, gr[128] = z.r2, gr[192] = z.r3;
  gi[0] = z.i0, gi[64] = z.i1, gi[128] = z.i2, gi[192] = z.i3;
}

/* A work-item looks at the two numbers at the begin of its part; the one that has the key between them says so. */
__kernel void search(__global uint4 *out, __global const uint *sorted, uint part, uint key) {
  uint i = get_global_id(0);
  uint2 pair = *(__global const uint2 *)&sorted[i * part];
  if (pair.x > key || pair.y < key)
    return;
  out[0].x = i * part;
  out[0].y = i * part + 1;
  out[0].w = 1;
}

/* A work-item for each column, downwards and upwards. */
__kernel void gaussian(__global const uchar4 *in, __global uchar4 *out, int width, int height, float a0,
                       float a1, float a2, float a3, float b1, float b2) {
  uint x = get_global_id(0);
  if (x >= width)
    return;
  float4 xp = 0, yp = 0, yb = 0;
  for (int y = 0; y < height; y++) {
    int at = x + y * width;
    float4 xc = convert_float4(in[at]), yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
    out[at] = convert_uchar4(yc);
    xp = xc, yb = yp, yp = yc;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  float4 xn = 0, xa = 0, yn = 0, ya = 0;
  for (int y = height - 1; y > -1; y--) {
    int at = x + y * width;
    float4 xc = convert_float4(in[at]), yc = a2 * xn + a3 * xa - b1 * yn - b2 * ya;
    xa = xn, xn = xc, ya = yn, yn = yc;
    out[at] = convert_uchar4(convert_float4(out[at]) + yc);
  }
}

__kernel void turn_image(__global uchar4 *out, __global const uchar4 *in, __local uchar4 *block, uint width,
                         uint height, uint size) {
  uint x = get_local_id(0), y = get_local_id(1), at = y * size + x;
  block[at] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) * height + get_global_id(1)] = block[at];
}
