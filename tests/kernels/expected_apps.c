/* Expected results of whole algorithms, by other means than the kernels': sorting with qsort,
 * queens by permutations, SHA-256 and ChaCha20 from their standards. */
#include "expected.h"
#include <stdlib.h>
#include <string.h>

static void histogram(void) {
  u32 bin[64] = {0};
  for (u32 i = 0; i < 20000; i++)
    bin[mix(i) % 64 * (mix(i) / 64 % 64) / 64]++;
  save("histogram", bin, sizeof bin);
}

static void scan(void) {
  u32 out[512], sum = 0;
  for (u32 i = 0; i < 512; i++) {
    out[i] = sum;
    sum += mix(i) % 65536;
  }
  save("scan", out, sizeof out);
}

static int ascending(const void *a, const void *b) {
  const u32 *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void bitonic(void) {
  u32 out[3][256];
  for (u32 b = 0; b < 3; b++) {
    for (u32 t = 0; t < 256; t++)
      out[b][t] = mix(t + b * 1000);
    qsort(out[b], 256, sizeof **out, ascending);
  }
  save("bitonic", out, sizeof out);
}

static void reduce(void) {
  u64 sum = 0;
  for (u32 i = 0; i < 50000; i++)
    sum += mix(i);
  save("reduce", &sum, sizeof sum);
}

/* Inputs are small whole numbers: every sum is exact in f32. */
static void matmul(void) {
  static float c[64 * 64];
  for (u32 r = 0; r < 64; r++)
    for (u32 k = 0; k < 64; k++)
      for (u32 j = 0; j < 64; j++)
        c[r * 64 + j] += (float)((r * 64 + k) % 13) * (float)((k * 64 + j) % 11);
  save("matmul", c, sizeof c);
}

static void stencil(void) {
  static float in[32][96], out[32][96];
  for (u32 i = 0; i < 32 * 96; i++)
    in[i / 96][i % 96] = (float)(i % 251);
  for (u32 y = 0; y < 32; y++)
    for (u32 x = 0; x < 96; x++)
      out[y][x] = x == 0 || y == 0 || x == 95 || y == 31
                      ? in[y][x]
                      : (in[y][x] * 4 + in[y][x - 1] + in[y][x + 1] + in[y - 1][x] + in[y + 1][x]) / 8;
  save("stencil", out, sizeof out);
}

static void spmv(void) {
  u32 y[500];
  for (u32 r = 0; r < 500; r++) {
    y[r] = 0;
    for (u32 k = 0; k < mix(r) % 40; k++)
      y[r] += (r + k) * (mix(r * 64 + k) % 500 * 3 + 1);
  }
  save("spmv", y, sizeof y);
}

static s32 floor_div(s32 a, s32 b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static void mandelbrot(void) {
  static u32 out[32][64];
  for (u32 y = 0; y < 32; y++)
    for (u32 x = 0; x < 64; x++) {
      s32 cr = (s32)(x * 192) - 8192, ci = (s32)(y * 256) - 4096, zr = 0, zi = 0;
      while (out[y][x] < 200 && zr * zr + zi * zi < 4 * 4096 * 4096) {
        s32 next = floor_div(zr * zr - zi * zi, 4096) + cr;
        zi = floor_div(zr * zi, 2048) + ci;
        zr = next;
        out[y][x]++;
      }
    }
  save("mandelbrot", out, sizeof out);
}

static u32 place(s32 at[8], s32 row) {
  u32 count = 0;
  if (row == 8) {
    for (s32 i = 0; i < 8; i++)
      for (s32 j = 0; j < i; j++)
        if (at[i] == at[j] || abs(at[i] - at[j]) == i - j)
          return 0;
    return 1;
  }
  for (at[row] = 0; at[row] < 8; at[row]++) {
    s32 ok = 1;
    for (s32 j = 0; j < row; j++)
      ok &= at[j] != at[row];
    if (ok)
      count += place(at, row + 1);
  }
  return count;
}

static void queens(void) {
  u32 out[64], total = 0;
  for (s32 i = 0; i < 64; i++) {
    s32 at[8] = {i / 8, i % 8};
    out[i] = at[0] == at[1] ? 0 : place(at, 2);
    total += out[i];
  }
  if (total != 92)
    abort();
  save("queens", out, sizeof out);
}

static void radix(void) {
  u32 out[256], n = 0;
  for (u32 d = 0; d < 16; d++)
    for (u32 t = 0; t < 256; t++)
      if (mix(t) / 4096 % 16 == d)
        out[n++] = mix(t);
  save("radix", out, sizeof out);
}

static u32 rotr(u32 x, u32 n) {
  return x >> n | x << (32 - n);
}
static u32 rotl(u32 x, u32 n) {
  return rotr(x, 32 - n);
}

/* The first 32 bits of the fractional part of the n-th root of p, by bisection on integers. */
static u32 root_fraction(u32 p, u32 root) {
  unsigned __int128 lo = 0, hi = (unsigned __int128)20 << 32;
  while (hi - lo > 1) {
    unsigned __int128 mid = (lo + hi) / 2, cube = root == 3 ? mid * mid * mid : mid * mid;
    if (cube <= (unsigned __int128)p << 32 * root)
      lo = mid;
    else
      hi = mid;
  }
  return (u32)lo;
}

/* FIPS 180-4, its constants derived from the primes. */
static void sha256(void) {
  static u32 out[128][8];
  u32 init[8], key[64], n = 0;
  for (u32 p = 2; n < 64; p++) {
    u32 prime = 1;
    for (u32 d = 2; d < p; d++)
      prime &= p % d != 0;
    if (!prime)
      continue;
    if (n < 8)
      init[n] = root_fraction(p, 2);
    key[n++] = root_fraction(p, 3);
  }
  for (u32 i = 0; i < 128; i++) {
    unsigned char m[64] = {'a', 'b', 'c'};
    m[3] = (unsigned char)('0' + i / 100);
    m[4] = (unsigned char)('0' + i / 10 % 10);
    m[5] = (unsigned char)('0' + i % 10);
    m[6] = 0x80;
    m[63] = 48;
    u32 w[64], v[8];
    memcpy(v, init, sizeof v);
    for (u32 t = 0; t < 64; t++) {
      if (t < 16)
        w[t] = (u32)m[4 * t] << 24 | (u32)m[4 * t + 1] << 16 | (u32)m[4 * t + 2] << 8 | m[4 * t + 3];
      else
        w[t] = (rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
               (rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
      u32 t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) + ((v[4] & v[5]) | (~v[4] & v[6])) +
               key[t] + w[t];
      u32 t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) + ((v[0] & v[1]) | (v[2] & (v[0] | v[1])));
      memmove(v + 1, v, 7 * sizeof *v);
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (u32 k = 0; k < 8; k++)
      out[i][k] = __builtin_bswap32(v[k] + init[k]);
  }
  save("sha256", out, sizeof out);
}

static void quarter(u32 *x, u32 a, u32 b, u32 c, u32 d) {
  x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7);
}

/* RFC 8439, section 2.3; counter 1 is its test vector. */
static void chacha(void) {
  static u32 out[128][16];
  for (u32 i = 0; i < 128; i++) {
    unsigned char key[32];
    for (u32 k = 0; k < 32; k++)
      key[k] = (unsigned char)k;
    u32 s[16] = {0};
    memcpy(s, "expand 32-byte k", 16);
    memcpy(s + 4, key, 32);
    s[12] = i, s[13] = 0x09000000, s[14] = 0x4a000000;
    memcpy(out[i], s, sizeof s);
    for (u32 r = 0; r < 80; r++) {
      u32 q = r % 4, diagonal = r / 4 % 2;
      quarter(out[i], q, 4 + (q + diagonal) % 4, 8 + (q + 2 * diagonal) % 4, 12 + (q + 3 * diagonal) % 4);
    }
    for (u32 k = 0; k < 16; k++)
      out[i][k] += s[k];
  }
  if (out[1][0] != 0xe4e7f110u || out[1][15] != 0x4e3c50a2u)
    abort();
  save("chacha", out, sizeof out);
}

void expect_apps(void) {
  histogram();
  scan();
  bitonic();
  reduce();
  matmul();
  stencil();
  spmv();
  mandelbrot();
  queens();
  radix();
  sha256();
  chacha();
}
