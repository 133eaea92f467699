/* Halves as numbers (cl_khr_fp16): arithmetic rounds once, functions agree with doubles of the host rounded to a half. */
#include "lib_run.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static float to_float(uint16_t h) {
  int e = h >> 10 & 31, m = h & 1023;
  float f = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(m | 1024), e - 25) : ldexpf((float)m, -24);
  return h & 0x8000 ? -f : f;
}
/* The nearest half, even in the middle. */
static uint16_t to_half(double d) {
  uint16_t sign = signbit(d) ? 0x8000 : 0;
  d = fabs(d);
  if (isnan(d))
    return 0x7e00;
  if (d >= 65520)
    return (uint16_t)(sign | 0x7c00);
  int e = -14;
  if (d >= ldexp(1, -14))
    frexp(d, &e), e--;
  double q = nearbyint(ldexp(d, 10 - e));
  return (uint16_t)(sign | (q >= 1024 ? ((e + 15) << 10) + (int)q - 1024 : (int)q));
}

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void all(global const half *a, global const half *b, global half *o, global int *n) {\n"
    "  size_t i = get_global_id(0), m = get_global_size(0);\n"
    "  half x = a[i], y = b[i];\n"
    "  o[i] = x + y; o[m + i] = x * y; o[2 * m + i] = x / y; o[3 * m + i] = sqrt(fabs(x));\n"
    "  o[4 * m + i] = fma(x, y, (half)1.0h); o[5 * m + i] = max(x, y); o[6 * m + i] = floor(x);\n"
    "  o[7 * m + i] = convert_half(convert_float(x) * 3.0f); o[8 * m + i] = convert_half_rtz(1.0f / 3.0f);\n"
    "  half4 v = vload4(i / 4, a) * (half4)(2.0h);\n"
    "  o[9 * m + i] = i % 4 == 0 ? v.x : i % 4 == 1 ? v.y : i % 4 == 2 ? v.z : v.w;\n"
    "  n[i] = isnan(x) + 2 * isless(x, y) + 4 * (convert_int(y) == (int)y) + 8 * any(isequal((half2)(x, y), "
    "(half2)(y, x)));\n"
    "}\n";

int main(void) {
  enum { N = 256, ROWS = 10 };
  static uint16_t a[N], b[N], o[ROWS * N];
  static int32_t n[N];
  for (unsigned i = 0; i < N; i++) {
    a[i] = (uint16_t)(i * 40503u >> 3), b[i] = (uint16_t)(i * 30011u + 77);
    if ((a[i] & 0x7c00) == 0x7c00)
      a[i] &= 0xbfff;
    if ((b[i] & 0x7c00) == 0x7c00)
      b[i] &= 0xbfff;
  }
  struct lib_program *p = lib_build(source, "");
  lib_check(lib_run(p, "all", LIB_1D(N, 64), LIB_BUF(a), LIB_BUF(b), LIB_BUF(o), LIB_BUF(n)),
            "illegal access");
  static const char *const names[ROWS] = {"+",   "*",     "/",       "sqrt", "fma",
                                          "max", "floor", "times 3", "rtz",  "vload4"};
  for (unsigned i = 0; i < N; i++) {
    double x = to_float(a[i]), y = to_float(b[i]);
    const double want[ROWS] = {x + y,         x * y,    x / y, sqrt(fabs(x)), x * y + 1,
                               x > y ? x : y, floor(x), x * 3, 0.33325195312, x * 2};
    for (unsigned r = 0; r < ROWS; r++) {
      uint16_t w = to_half(want[r]), g = o[r * N + i];
      bool nan = isnan(want[r]) && (g & 0x7c00) == 0x7c00 && g & 0x3ff;
      lib_check(nan || w == g || (!((w | g) & 0x7fff)), "%s of %04x, %04x is %04x, not %04x", names[r], a[i],
                b[i], g, w);
    }
    lib_check(n[i] == 2 * (x < y) + 4 + 8 * (x == y), "relations of %04x, %04x: %d", a[i], b[i], n[i]);
  }
  lib_free(p);
  return lib_done();
}
