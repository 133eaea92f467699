/* Expected results of the kernels about state spaces, atomics and carries. */
#include "expected.h"
#include <string.h>

static void atomics_over(u32 from, u32 to, u32 u[12], u64 w[8]) {
  memset(u, 0, 12 * sizeof *u);
  memset(w, 0, 8 * sizeof *w);
  u[2] = u[4] = ~0u, u[9] = INT32_MAX, u[10] = 1u << 31;
  w[1] = w[3] = ~0ull, w[6] = INT64_MAX, w[7] = 1ull << 63;
  for (u32 i = from; i < to; i++) {
    u32 h = mix(i);
    s32 s = (s32)h;
    u[0] += h;
    u[1] -= h;
    u[2] = h < u[2] ? h : u[2];
    u[3] = h > u[3] ? h : u[3];
    u[4] &= h | 0x0f0f0f0fu;
    u[5] |= h & 0x80402010u;
    u[6] ^= h;
    u[7] = u[7] >= 76 ? 0 : u[7] + 1;
    u[8] = u[8] == 0 || u[8] > 41 ? 41 : u[8] - 1;
    u[9] = s < (s32)u[9] ? h : u[9];
    u[10] = s > (s32)u[10] ? h : u[10];
    u[11] += (u32)(s >> 3);
    u64 x = (u64)h << 32 | mix(h);
    w[0] += x;
    w[1] = x < w[1] ? x : w[1];
    w[2] = x > w[2] ? x : w[2];
    w[3] &= x | 0xff00ff00ff00ff00ull;
    w[4] |= x & 0x8001800180018001ull;
    w[5] ^= x;
    w[6] = (s64)x < (s64)w[6] ? x : w[6];
    w[7] = (s64)x > (s64)w[7] ? x : w[7];
  }
}

static void atomics(void) {
  u32 u[4][12];
  u64 w[4][8];
  atomics_over(0, 1024, u[0], w[0]);
  save("atomics_global_32", u[0], sizeof u[0]);
  save("atomics_global_64", w[0], sizeof w[0]);
  for (u32 b = 0; b < 4; b++)
    atomics_over(b * 192, b * 192 + 192, u[b], w[b]);
  save("atomics_shared_32", u, sizeof u);
  save("atomics_shared_64", w, sizeof w);
}

static u32 fold(u32 r, u64 old) {
  return r * 31 + (u32)old + (u32)(old >> 32);
}

static void atomics_return(void) {
  u32 out[512];
  for (u32 i = 0; i < 512; i++) {
    u32 h = mix(i), c = 0, r = 0;
    r = fold(r, c), c += h;
    r = fold(r, c), c -= 77;
    r = fold(r, c), c = h ^ 0xff;
    r = fold(r, c), c = c > 0x40000000u ? 0x40000000u : c;
    r = fold(r, c), c = c < 0x20000000u ? 0x20000000u : c;
    r = fold(r, c), c &= 0xf0ffff0fu;
    r = fold(r, c), c |= 0x00010080u;
    r = fold(r, c), c ^= h << 3;
    r = fold(r, c), c = c >= h ? 0 : c + 1;
    r = fold(r, c), c = c == 0 || c > 0xffffffu ? 0xffffffu : c - 1;
    r = fold(r, c), c = 9;
    r = fold(r, c);
    r = fold(r, c), c = (u32)-5;
    r = fold(r, c), c = (u32)-2;
    r = fold(r, c);
    u64 d = (u64)h << 32 | c;
    r = fold(r, d);
    r = fold(r, d + 0x1fffffffeull);
    r = fold(r, (u64)h * h);
    r = fold(r, 5);
    out[i] = r;
  }
  save("atomics_return", out, sizeof out);
}

static void atomics_float(void) {
  /* 96 threads; every sum is exact in its format, so order does not matter. */
  float f[2] = {0, 96 * 1.5f};
  double d[2] = {0, 96 * -2.25};
  for (u32 i = 0; i < 96; i++)
    f[0] += (float)(i % 8) + 0.5f, d[0] += i * 0.25;
  save("atomics_f32", f, sizeof f);
  save("atomics_f64", d, sizeof d);
  u32 half[] = {0x52005880u /* 48, 144 */, 0x42c04240u /* 96, 48 */, 0x5200u /* 48 */, 0x4200u /* 32 */};
  save("atomics_f16", half, sizeof half);
}

static void carry(void) {
  static u32 out[128][32];
  for (u32 i = 0; i < 128; i++) {
    u32 a[8], b[8];
    for (u32 k = 0; k < 8; k++) {
      a[k] = i % 5 == 0 ? ~0u : mix(i * 16 + k);
      b[k] = i % 7 == 0 ? 0 : mix(i * 16 + 8 + k);
    }
    if (i % 3 == 0)
      b[0] = 1;
    u64 up = 0, down = 0;
    for (u32 k = 0; k < 8; k++) {
      up += (u64)a[k] + b[k];
      out[i][k] = (u32)up;
      up >>= 32;
      u64 diff = (u64)a[k] - b[k] - down;
      out[i][8 + k] = (u32)diff;
      down = diff >> 63;
    }
    for (u32 j = 0; j < 8; j++) {
      u64 c = 0;
      for (u32 k = 0; k < 8; k++) {
        c += (u64)a[k] * b[j] + out[i][16 + j + k];
        out[i][16 + j + k] = (u32)c;
        c >>= 32;
      }
      out[i][24 + j] = (u32)c;
    }
  }
  save("carry", out, sizeof out);
}

static void local_array(void) {
  u32 out[512];
  for (u32 i = 0; i < 512; i++) {
    u32 h = mix(i), a[32], acc = 0;
    for (u32 k = 0; k < 32; k++)
      a[k] = k;
    for (u32 k = 0; k < 40; k++) {
      u32 x = (h >> k % 16) % 32, y = (h + k * 7) % 32, t = a[x];
      a[x] = a[y];
      a[y] = t + k;
    }
    for (u32 k = 0; k < 32; k++)
      acc = acc * 33 + a[k];
    out[i] = acc;
  }
  save("local_array", out, sizeof out);
}

static void generic_ptr(void) {
  u32 out[64][4];
  for (u32 i = 0; i < 64; i++) {
    u32 j = i ^ 1; /* the thread whose pointer may aim at sh[i] */
    u32 slot = ((i & 7) - i) & 7;
    u32 lo = 1000 * i + slot, data = 7 * i;
    out[i][0] = i % 3 == 0 ? 5 * j : i % 3 == 1 ? data : lo;
    out[i][1] = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 4;
    out[i][2] = 5 * i + (j % 3 == 0 ? 11 : 0);
    out[i][3] = lo + data + (i % 3 == 0 ? 0 : 11);
  }
  save("generic_ptr", out, sizeof out);
}

static void constants(void) {
  static const u32 pi[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  u32 out[64];
  for (u32 i = 0; i < 64; i++)
    out[i] = pi[mix(i) % 8] * 100 + (i % 2 ? i * 9 / 4 : i / 2) + 250 + i % 5;
  save("constants", out, sizeof out);
}

static void module_vars(void) {
  s32 out[32][4], counters[4] = {1, 2, 40, 0}; /* as the first launch left them */
  for (u32 i = 0; i < 32; i++) {
    out[i][0] = (10 * 3 + 20) * 3 + 30 + counters[i % 4];
    out[i][1] = 40;
    out[i][2] = "sluice"[i % 7];
    out[i][3] = 1;
  }
  save("module_vars", out, sizeof out);
}

static void shared(void) {
  u32 out[4 * 100];
  for (u32 b = 0; b < 4; b++)
    for (u32 t = 0; t < 100; t++)
      out[b * 100 + t] = mix(b * 100 + 99 - t);
  save("dynamic_shared", out, sizeof out);
  for (u32 t = 0; t < 128; t++)
    out[t] = (127 - t) * (127 - t) + t * 7 % 128 * 3 + t * 11 % 128 * 5;
  save("both_shared", out, 128 * sizeof *out);
}

static void vectors(void) {
  static unsigned char out[8][512];
  static const u32 size[8] = {2, 4, 4, 8, 8, 16, 16, 16};
  for (u32 v = 0; v < 8; v++)
    for (u32 k = 0; k < 512; k++)
      out[v][512 - size[v] - k / size[v] * size[v] + k % size[v]] = (unsigned char)k;
  save("vectors", out, sizeof out);
}

static void subword(void) {
  s32 out[64][4];
  for (s32 i = 0; i < 64; i++) {
    s32 b = i * 4 - 128, s = i * 1021 - 32000; /* as the launch file fills them */
    s32 sb = (b & 255) >= 128 ? (b & 255) - 256 : b & 255;
    out[i][0] = sb;
    out[i][1] = s;
    out[i][2] = (b & 255) - (s & 65535);
    out[i][3] = (sb * 3 & 65535) | (s & 255) << 16 | (s32)((u32)((b & 255) + 1) << 24);
  }
  save("subword", out, sizeof out);
}

/* Every word is the index that a case of addresses.ptx reads at. */
static void addresses(void) {
  u32 out[7][64];
  for (u32 t = 0; t < 64; t++) {
    out[0][t] = t;
    out[1][t] = t + 7;
    out[2][t] = t < 32 ? t : 5;
    out[3][t] = t;
    out[4][t] = t + (t + 1) + (t + 2);
    out[5][t] = t % 2 ? 9 : t;
    out[6][t] = t + 2;
  }
  save("addresses", out, sizeof out);
}

void expect_memory(void) {
  atomics();
  atomics_return();
  atomics_float();
  carry();
  local_array();
  generic_ptr();
  constants();
  module_vars();
  shared();
  vectors();
  subword();
  addresses();
}
