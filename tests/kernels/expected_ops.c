/* Expected results of the kernels about rare opcodes, numerics, the device runtime and OpenCL. */
#include "expected.h"
#include <math.h>
#include <string.h>

static void cp_async(void) {
  u32 acc[256] = {0};
  for (u32 k = 0; k < 8; k++) {
    u32 s[256];
    for (u32 j = 0; j < 256; j++) {
      s[j] = 12345u + (k * 256 + j) * 2654435761u;
      if (j >= 192 && j % 4 == 0)
        s[j] %= 65536;
    }
    for (u32 t = 0; t < 256; t++)
      acc[t] = acc[t] * 5 + s[t] + 3 * s[255 - t];
  }
  save("cp_async", acc, sizeof acc);
}

static void orders(void) {
  u32 out[16];
  for (u32 b = 0; b < 16; b++)
    out[b] = (b % 2 ? mix(b - 1) : mix(b) * 3) + 1;
  save("orders", out, sizeof out);
}

static void sregs(void) {
  u32 out[12 * 45][4];
  for (u32 b = 0; b < 12; b++)
    for (u32 t = 0; t < 45; t++) {
      u32 l = t % 32, eq = 1u << l, lt = eq - 1, *o = out[b * 45 + t];
      o[0] = t % 5 | t / 5 % 3 << 4 | t / 15 << 8 | b % 2 << 12 | b / 2 % 3 << 16 | b / 6 << 20;
      o[1] = 0x232335;
      o[2] = l + (eq << 5 ^ lt * 3 ^ (lt | eq) * 5 ^ ~(lt | eq) * 7 ^ ~lt * 11);
      o[3] = t < 32 ? 32 : 13;
    }
  save("sregs", out, sizeof out);
}

static u32 f16(double v) {
  _Float16 h = (_Float16)v;
  uint16_t bits;
  memcpy(&bits, &h, 2);
  return bits;
}
static double f16_value(double v) {
  return (double)(_Float16)v;
}
static u32 two_f16(double lo, double hi) {
  return f16(lo) | f16(hi) << 16;
}

/* Toward zero; overflow stops at the largest finite number. */
static u32 f16_cut(u32 v) {
  if (v == 0)
    return 0;
  u32 e = 31 - (u32)__builtin_clz(v);
  if (e > 15)
    return 0x7bff;
  return (e + 15) << 10 | ((e > 10 ? v >> (e - 10) : v << (10 - e)) & 0x3ff);
}
static u32 bf16(float f) {
  u32 u;
  memcpy(&u, &f, 4);
  return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
static double bf16_value(float f) {
  u32 u = bf16(f) << 16;
  memcpy(&f, &u, 4);
  return f;
}

static void half2s(void) {
  u32 out[128][10];
  for (u32 i = 0; i < 128; i++) {
    u32 h = mix(i), *o = out[i];
    double x = h % 200, y = h / 256 % 100, b = f16_value((float)(i % 9) * 0.37f), c = f16_value(0.01f);
    o[0] = two_f16(x + b, y + b);
    o[1] = two_f16(x - b, y - b);
    o[2] = two_f16(x * b, y * b);
    o[3] = two_f16(x * b + x, y * b + y);
    o[4] = two_f16(-x, -y);
    o[5] = two_f16(x < b ? x : b, y < b ? y : b);
    o[6] = two_f16(x > b ? x : b, y > b ? y : b);
    o[7] = two_f16(x * c > 1 ? 1 : x * c, y * c > 1 ? 1 : y * c);
    o[8] = f16_cut(h & 0x1ffff) | f16(h / 3.0e7) << 16;
    double p = h % 256, q = bf16_value(0.1f * (float)i);
    o[9] = bf16((float)(p * p + p)) | bf16((float)(q * q + q)) << 16;
  }
  save("half2s", out, sizeof out);
}

static void libm(void) {
  double d[128][8];
  float f[128][6];
  for (int i = 0; i < 128; i++) {
    double x = (i - 64.0) * 0.37, a = fabs(x);
    double row[8] = {sin(x),        exp(x * 0.5),          pow(a + 0.5, 1.7), log(a + 0.01),
                     tanh(x * 0.1), sqrt(a) / (1 + x * x), cos(1e6 * x),      cbrt(x) + atan2(x, 3.0)};
    memcpy(d[i], row, sizeof row);
    float y = (float)(i - 64) * 0.37f, b = fabsf(y);
    f[i][0] = (float)sin((double)y);
    f[i][1] = (float)exp((double)(y * 0.5f));
    f[i][2] = (float)pow((double)(b + 0.5f), (double)1.7f);
    f[i][3] = (float)log((double)(b + 0.01f));
    f[i][4] = (float)(sqrt((double)b) / (1 + (double)y * (double)y));
    f[i][5] = (float)cos((double)(1e5f * y));
  }
  save("libm", d, sizeof d);
  save("libmf", f, sizeof f);
}

static void div64(void) {
  u64 out[128][6];
  for (u32 i = 0; i < 128; i++) {
    u64 a = (u64)mix(i) << 32 | mix(i + 1000), b = ((u64)mix(i + 2000) << 32 | mix(i + 3000)) >> i % 50,
        *o = out[i];
    s64 s = (s64)a, t = ((s64)b - (1 << 20)) | 1;
    b |= 1;
    o[0] = a / b;
    o[1] = a - o[0] * b;
    o[2] = (u64)(s / t);
    o[3] = (u64)(s % t);
    o[4] = (u32)a / (u32)b + (u64)(u32)((s32)(u32)(a >> 7) / (s32)(u32)t) * 65536;
    o[5] = (u64)((unsigned __int128)a * b >> 64) ^ (u64)((__int128)s * t >> 64);
  }
  save("div64", out, sizeof out);
}

static void heap(void) {
  u32 out[64];
  for (u32 i = 0; i < 64; i++) {
    out[i] = 0;
    for (u32 k = 3 + i % 5; k-- > 0;)
      out[i] = out[i] * 3 + i * k;
  }
  save("heap", out, sizeof out);
  for (u32 i = 0; i < 16; i++)
    out[i] = i * i + 1;
  save("heap_kept", out, 16 * sizeof *out);
}

static void jump_table(void) {
  u32 out[96];
  for (u32 t = 0; t < 96; t++) {
    u32 acc = t;
    for (u32 k = 0; k < 10; k++) {
      u32 s = (acc + k) % 5;
      acc = s == 0 ? acc * 3 + 1 : s == 2 ? (acc + 1000) / 2 : s == 3 ? acc / 2 : acc ^ 42;
    }
    out[t] = acc;
  }
  save("jump_table", out, sizeof out);
}

static void leaders(void) {
  u32 out[64];
  for (u32 t = 0; t < 64; t++)
    out[t] = t % 32 == 0 ? 1 : t % 32 == 12 ? 2 : 0;
  save("leaders", out, sizeof out);
}

static s32 sb(u32 x, u32 k) {
  return (s32)((x >> 8 * k & 255) ^ 128) - 128;
}
static s32 ub(u32 x, u32 k) {
  return (s32)(x >> 8 * k & 255);
}
static s32 sh(u32 x, u32 k) {
  return (s32)((x >> 16 * k & 65535) ^ 32768) - 32768;
}
static s32 uh(u32 x, u32 k) {
  return (s32)(x >> 16 * k & 65535);
}
static s32 distance(s32 a, s32 b) {
  return a > b ? a - b : b - a;
}

static void bytes(void) {
  s32 out[64][10];
  for (u32 t = 0; t < 64; t++) {
    u32 x = 99u + t * 0x9e3779b1u, y = 7u + t * 0x85ebca6bu;
    s32 *o = out[t];
    memset(o, 0, sizeof out[t]);
    o[0] = 7, o[1] = (s32)t, o[6] = 100;
    for (u32 k = 0; k < 4; k++) {
      o[0] += ub(x, k) * ub(y, k);
      o[1] += sb(x, k) * sb(y, k);
      o[2] += ub(x, k) * sb(y, k);
      o[5] |= (s32)((u32)distance(ub(x, k), ub(y, k)) << 8 * k);
      o[6] += distance(ub(x, k), ub(y, k));
    }
    o[3] = uh(x, 0) * ub(y, 0) + uh(x, 1) * ub(y, 1) + 9;
    o[4] = sh(x, 0) * sb(y, 2) + sh(x, 1) * sb(y, 3) + o[0];
    o[7] = (s32)((u32)distance(uh(x, 0), uh(y, 0)) | (u32)distance(uh(x, 1), uh(y, 1)) << 16);
    o[8] = distance(ub(x, 0), ub(y, 3));
    o[9] = uh(x, 1) + ub(y, 1);
  }
  save("bytes", out, sizeof out);
}

static void bits(void) {
  u32 out[64][12];
  for (u32 t = 0; t < 64; t++) {
    u32 x = 99u + t * 0x9e3779b1u, n = t % 32, *o = out[t], m = 0;
    u64 wide = x;
    s64 swide = (s32)x;
    o[0] = (u32)(wide >> n & 511);
    o[1] = (u32)(s32)(((swide >> n & 511) ^ 256) - 256);
    if (n + 9 > 32) /* the sign bit is the register's */
      o[1] = (u32)((s32)x >> n);
    for (u32 k = 0; k < 5 && n + k < 32; k++)
      m |= 1u << (n + k);
    o[2] = (x & ~m) | (~x << n & m);
    o[3] = o[4] = o[5] = o[6] = o[7] = o[10] = 0;
    u32 plus = (s32)x < 0 ? ~x : x;
    for (u32 k = 0; k < 32; k++) {
      o[3] = x >> k & 1 ? k : o[3];
      o[4] = plus >> k & 1 ? k : o[4];
      o[5] |= (x >> k & 1) << (31 - k);
      o[6] += x >> k & 1;
      o[10] |= ((x >> k & 1 ? t : 0x0ff0f00fu) >> k & 1) << k;
    }
    o[4] = 31 - o[4];
    o[7] = 31 - o[3];
    o[8] = (u32)(((u64)t << 32 | x) << n >> 32);
    o[9] = (u32)(((u64)t << 32 | x) >> (t > 32 ? 32 : t));
    u32 b1 = t >> 24; /* selectors 9 4 7 5: the first with bit 3, the sign of byte 1 of x */
    o[11] = (sb(x, 1) < 0 ? 0xff000000u : 0) | (t & 255) << 16 | b1 << 8 | (t >> 8 & 255);
  }
  save("bits", out, sizeof out);
}

static void reds(void) {
  struct {
    u32 sum, max, any, threes, inc, x;
    u64 wide;
    float f;
    u32 gap;
    double d;
    u32 half, bhalf;
    u32 tally;
    s32 least;
    u64 most;
  } r = {4950,
         99,
         127,
         300,
         100 % 50,
         0,
         (u64)4950 << 33,
         4950,
         0,
         4950,
         0x56405a40u /* 200, 100 */,
         0x42c84348u,
         4950,
         -7,
         (u64)99 << 33};
  save("reds", &r, sizeof r);
}

static void initialisers(void) {
  s32 out[10] = {12, 11, 13, 0, 0x40490fdb, 0x3fc00000, 3, 0, -5, INT32_MAX};
  save("initialisers", out, sizeof out);
}

static void functions(void) {
  u32 out[64][4] = {{0}};
  for (u32 t = 0; t < 64; t++) {
    u32 d = t % 7;
    out[t][0] = t <= 9 ? 500 : d ? t / d : ~0u;
    out[t][1] = t <= 9 ? 600 : d ? t % d : t;
    out[t][2] = t <= 9 ? 500 + t : 1;
  }
  save("functions", out, sizeof out);
}

void expect_ops(void) {
  cp_async();
  orders();
  sregs();
  half2s();
  libm();
  div64();
  heap();
  jump_table();
  leaders();
  bytes();
  bits();
  reds();
  initialisers();
  functions();
}
