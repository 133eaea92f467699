/* Rules about vectors: loads and stores, halves, shuffles, selection and comparison, geometry; and functions with more
 * than one result. */
#include "lib_run.h"
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 4242;
static uint64_t next(void) {
  uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
static double range(double low, double high) {
  return low + (double)(next() >> 11) * 0x1p-53 * (high - low);
}

static const char *const types[] = {"char", "uchar", "short", "ushort", "int",
                                    "uint", "long",  "ulong", "float",  "double"};
static const unsigned sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
static const unsigned widths[] = {2, 3, 4, 8, 16};
enum { NTYPES = 10 };

struct text {
  char *s;
  size_t n, cap;
};
static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (t->cap < t->n + 4096) {
    t->cap = 2 * t->cap + 8192;
    t->s = realloc(t->s, t->cap);
  }
  t->n += (size_t)vsnprintf(t->s + t->n, t->cap - t->n, format, ap);
  va_end(ap);
}

/* vloadn reads n elements at n times the offset, aligned to one element; vstoren writes them; in every address space. */
static void loads_and_stores(void) {
  enum { N = 96 };
  for (unsigned t = 0; t < NTYPES; t++) {
    struct text s = {0};
    const char *e = types[t];
    for (unsigned w = 0; w < 5; w++) {
      unsigned n = widths[w];
      add(&s,
          "kernel void f%u(global const %s *in, constant %s *c, global %s *out) {\n"
          "  local %s l[%u]; %s p[%u];\n"
          "  size_t i = get_global_id(0);\n"
          "  %s%u v = vload%u(i, in + 1);\n" /* not aligned to the vector */
          "  v += vload%u(i, c + 1);\n"
          "  vstore%u(v, i, l + 1);\n  v = vload%u(i, l + 1);\n"
          "  vstore%u(v, 0, p + 1);\n  v = vload%u(0, p + 1);\n"
          "  vstore%u(v, i, out + 1);\n}\n",
          n, e, e, e, e, N + 2, e, 18, e, n, n, n, n, n, n, n, n);
    }
    struct lib_program *p = lib_build(s.s, "");
    for (unsigned w = 0; w < 5; w++) {
      uint8_t in[(N + 1) * 8], out[(N + 1) * 8];
      char kernel[8];
      size_t bytes = (N + 1) * sizes[t];
      for (unsigned i = 0; i < bytes; i++)
        in[i] = t < 8 ? (uint8_t)next() : 0;
      for (unsigned i = 0; t >= 8 && i < N + 1; i++) {
        float f = (float)i;
        double d = i;
        memcpy(in + i * sizes[t], t == 8 ? (void *)&f : (void *)&d, sizes[t]);
      }
      memset(out, 0, sizeof out);
      snprintf(kernel, sizeof kernel, "f%u", widths[w]);
      unsigned groups = N / widths[w];
      bool legal = lib_run(p, kernel, LIB_1D(groups, groups), LIB_PTR(in, bytes), LIB_PTR(in, bytes),
                           LIB_PTR(out, bytes));
      unsigned bad = !legal;
      for (unsigned i = 1; i < N + 1; i++) {
        uint64_t a = 0, b = 0;
        memcpy(&a, in + i * sizes[t], sizes[t]);
        memcpy(&b, out + i * sizes[t], sizes[t]);
        if (t < 8) {
          a += a;
          bad += memcmp(&a, &b, sizes[t]) != 0;
        } else {
          float f;
          double d;
          memcpy(&f, &b, 4);
          memcpy(&d, &b, 8);
          bad += (t == 8 ? (double)f : d) != 2.0 * i;
        }
      }
      lib_check(!bad, "%s%u: %u wrong", e, widths[w], bad);
    }
    lib_free(p);
    free(s.s);
  }
}

/* A half is stored rounded to nearest, or as the suffix says, and loaded exactly. */
static uint16_t half_bits(double v, int mode) {
  uint16_t sign = signbit(v) ? 0x8000 : 0;
  double a = fabs(v);
  if (isnan(v))
    return 0x7e00;
  if (isinf(v))
    return (uint16_t)(sign | 0x7c00);
  int e = a < 0x1p-14 ? -14 : ilogb(a);
  double unit = ldexp(1, e - 10);
  double x = v / unit, q = mode == FE_UPWARD       ? ceil(x)
                           : mode == FE_DOWNWARD   ? floor(x)
                           : mode == FE_TOWARDZERO ? trunc(x)
                                                   : rint(x);
  a = fabs(q) * unit;
  if (a >= 65536) {
    bool to_max = mode == FE_TOWARDZERO || (mode == FE_DOWNWARD && !sign) || (mode == FE_UPWARD && sign);
    return (uint16_t)(sign | (to_max ? 0x7bff : 0x7c00));
  }
  if (a < 0x1p-14)
    return (uint16_t)(sign | (unsigned)(a * 0x1p24));
  e = ilogb(a);
  return (uint16_t)(sign | (unsigned)(e + 15) << 10 | ((unsigned)ldexp(a, 10 - e) & 1023));
}

static void halves(void) {
  static const struct {
    const char *suffix;
    int mode;
  } modes[] = {{"", FE_TONEAREST},
               {"_rte", FE_TONEAREST},
               {"_rtz", FE_TOWARDZERO},
               {"_rtp", FE_UPWARD},
               {"_rtn", FE_DOWNWARD}};
  enum { N = 192 };
  struct text s = {0};
  for (unsigned m = 0; m < 5; m++)
    for (int d = 0; d < 2; d++) {
      const char *type = d ? "double" : "float", *k = d ? "d" : "f";
      add(&s,
          "kernel void store1%s%s(global const %s *in, global half *out) {\n  size_t i = get_global_id(0);\n"
          "  vstore_half%s(in[i], i, out);\n}\n",
          k, modes[m].suffix, type, modes[m].suffix);
      for (unsigned w = 0; w < 5; w++)
        add(&s,
            "kernel void store%u%s%s(global const %s *in, global half *out) {\n  size_t i = "
            "get_global_id(0);\n"
            "  vstore_half%u%s(vload%u(i, in), i, out);\n}\n"
            "kernel void storea%u%s%s(global const %s *in, global half *out) {\n  size_t i = "
            "get_global_id(0);\n"
            "  vstorea_half%u%s(vload%u(i, in), i, out);\n}\n",
            widths[w], k, modes[m].suffix, type, widths[w], modes[m].suffix, widths[w], widths[w], k,
            modes[m].suffix, type, widths[w], modes[m].suffix, widths[w]);
    }
  add(&s, "kernel void load1(global const half *in, global float *out) {\n  size_t i = get_global_id(0);\n"
          "  out[i] = vload_half(i, in);\n}\n");
  for (unsigned w = 0; w < 5; w++)
    add(&s,
        "kernel void load%u(global const half *in, global float *out) {\n  size_t i = get_global_id(0);\n"
        "  vstore%u(vload_half%u(i, in), i, out);\n}\n"
        "kernel void loada%u(global const half *in, global float *out) {\n  size_t i = get_global_id(0);\n"
        "  vstore%u(vloada_half%u(i, in), i, out);\n}\n",
        widths[w], widths[w], widths[w], widths[w], widths[w], widths[w]);
  struct lib_program *p = lib_build(s.s, "");
  float f[N], back[N];
  double d[N];
  uint16_t out[N * 4 / 3];
  for (unsigned i = 0; i < N; i++) {
    double v = ldexp(range(-2, 2), (int)(next() % 44) - 26);
    static const double some[] = {0.0,     -0.0,      1,        65504,     65519.9, 65520, -70000, 0x1p-24,
                                  0x1p-25, 0x1.8p-25, INFINITY, -INFINITY, 2049,    2051,  -2049};
    v = i < sizeof some / sizeof *some ? some[i] : v;
    f[i] = (float)v, d[i] = v;
  }
  for (unsigned m = 0; m < 5; m++)
    for (int dbl = 0; dbl < 2; dbl++)
      for (unsigned w = 0; w < 11; w++) { /* scalar, packed, aligned */
        unsigned n = w ? widths[(w - 1) % 5] : 1, step = w > 5 && n == 3 ? 4 : n, bad = 0;
        char kernel[32];
        snprintf(kernel, sizeof kernel, "store%s%u%s%s", w > 5 ? "a" : "", n, dbl ? "d" : "f",
                 modes[m].suffix);
        memset(out, 0, sizeof out);
        bool legal = lib_run(p, kernel, LIB_1D(N / n, 4), dbl ? LIB_BUF(d) : LIB_BUF(f), LIB_BUF(out));
        for (unsigned i = 0; i < N; i++)
          if (out[i / n * step + i % n] != half_bits(dbl ? d[i] : (double)f[i], modes[m].mode) && !bad++)
            printf("  %s(%a) = %x instead of %x\n", kernel, dbl ? d[i] : (double)f[i],
                   out[i / n * step + i % n], half_bits(dbl ? d[i] : (double)f[i], modes[m].mode));
        lib_check(legal && !bad, "%s: %u wrong", kernel, bad);
      }
  for (unsigned w = 0; w < 11; w++) {
    unsigned n = w ? widths[(w - 1) % 5] : 1, step = w > 5 && n == 3 ? 4 : n, bad = 0;
    char kernel[32];
    snprintf(kernel, sizeof kernel, "load%s%u", w > 5 ? "a" : "", n);
    for (unsigned i = 0; i < N; i++)
      out[i / n * step + i % n] = half_bits((double)f[i], FE_TONEAREST);
    bool legal = lib_run(p, kernel, LIB_1D(N / n, 4), LIB_BUF(out), LIB_BUF(back));
    for (unsigned i = 0; i < N; i++)
      bad += half_bits((double)back[i], FE_TONEAREST) != out[i / n * step + i % n];
    lib_check(legal && !bad, "%s: %u wrong", kernel, bad);
  }
  lib_free(p);
  free(s.s);
}

/* shuffle takes the low bits of each mask element. */
static void shuffles(void) {
  static const unsigned even[] = {2, 4, 8, 16};
  for (unsigned t = 0; t < NTYPES; t++) {
    const char *mask = sizes[t] == 1 ? "uchar" : sizes[t] == 2 ? "ushort" : sizes[t] == 4 ? "uint" : "ulong";
    struct text s = {0};
    for (unsigned m = 0; m < 4; m++)
      for (unsigned n = 0; n < 4; n++)
        add(&s,
            "kernel void f%u_%u(global const %s *a, global const %s *b, global const %s *m, global %s *out) "
            "{\n"
            "  %s%u x = vload%u(0, a), y = vload%u(0, b);\n  %s%u k = vload%u(0, m);\n"
            "  vstore%u(shuffle(x, k), 0, out);\n  vstore%u(shuffle2(x, y, k), 1, out);\n}\n",
            even[m], even[n], types[t], types[t], mask, types[t], types[t], even[m], even[m], even[m], mask,
            even[n], even[n], even[n], even[n]);
    struct lib_program *p = lib_build(s.s, "");
    unsigned bad = 0;
    for (unsigned m = 0; m < 4; m++)
      for (unsigned n = 0; n < 4; n++) {
        uint8_t a[32 * 8], k[16 * 8], out[32 * 8];
        char kernel[16];
        unsigned e = sizes[t];
        for (unsigned i = 0; i < sizeof a; i++)
          a[i] = (uint8_t)next();
        for (unsigned i = 0; i < sizeof k; i++)
          k[i] = (uint8_t)next();
        snprintf(kernel, sizeof kernel, "f%u_%u", even[m], even[n]);
        bad +=
            !lib_run(p, kernel, LIB_1D(1, 1), LIB_PTR(a, even[m] * e), LIB_PTR(a + even[m] * e, even[m] * e),
                     LIB_PTR(k, even[n] * e), LIB_PTR(out, 2 * even[n] * e));
        for (unsigned i = 0; i < even[n]; i++) {
          bad += memcmp(out + i * e, a + k[i * e] % even[m] * e, e) != 0;
          bad += memcmp(out + (even[n] + i) * e, a + k[i * e] % (2 * even[m]) * e, e) != 0;
        }
      }
    lib_check(!bad, "%s: %u wrong", types[t], bad);
    lib_free(p);
    free(s.s);
  }
}

/* Comparisons give 1 for scalars and all ones for elements of vectors; NaNs compare as IEEE 754 says. */
static bool compare(unsigned k, double a, double b) {
  switch (k) {
  case 0:
    return a == b;
  case 1:
    return a != b;
  case 2:
    return a > b;
  case 3:
    return a >= b;
  case 4:
    return a < b;
  case 5:
    return a <= b;
  case 6:
    return a < b || a > b;
  case 7:
    return !isnan(a) && !isnan(b);
  case 8:
    return isnan(a) || isnan(b);
  case 9:
    return isfinite(a);
  case 10:
    return isinf(a);
  case 11:
    return isnan(a);
  case 12:
    return isnormal(a);
  default:
    return signbit(a);
  }
}

static void comparisons(void) {
  static const char *const names[] = {
      "isequal",   "isnotequal",  "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater",
      "isordered", "isunordered", "isfinite",  "isinf",          "isnan",  "isnormal",    "signbit"};
  enum { NAMES = 14, N = 48 };
  struct text s = {0};
  for (int d = 0; d < 2; d++)
    for (unsigned k = 0; k < NAMES; k++)
      for (unsigned w = 0; w < 6; w++) {
        unsigned n = w ? widths[w - 1] : 1;
        const char *type = d ? "double" : "float", *result = w && d ? "long" : "int";
        add(&s,
            "kernel void %s_%s%u(global const %s *a, global const %s *b, global %s *out) {\n  size_t i = "
            "get_global_id(0);\n",
            names[k], type, n, type, type, result);
        if (w)
          add(&s, "  vstore%u(%s(vload%u(i, a)%s", n, names[k], n, k < 9 ? ", " : "");
        else
          add(&s, "  out[i] = %s(a[i]%s", names[k], k < 9 ? ", b[i]" : "");
        if (w && k < 9)
          add(&s, "vload%u(i, b)", n);
        add(&s, w ? "), i, out);\n}\n" : ");\n}\n");
      }
  struct lib_program *p = lib_build(s.s, "");
  for (int d = 0; d < 2; d++)
    for (unsigned k = 0; k < NAMES; k++)
      for (unsigned w = 0; w < 6; w++) {
        unsigned n = w ? widths[w - 1] : 1, bad = 0;
        double a[N], b[N];
        float fa[N], fb[N];
        int32_t o4[N];
        int64_t o8[N];
        char kernel[64];
        static const double some[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 2.5};
        for (unsigned i = 0; i < N; i++)
          a[i] = some[next() % 8], b[i] = some[next() % 8], fa[i] = (float)a[i], fb[i] = (float)b[i];
        a[5] = 0x1p-1030, fa[5] = 0x1p-130f;
        snprintf(kernel, sizeof kernel, "%s_%s%u", names[k], d ? "double" : "float", n);
        bool wide = d && w;
        bool legal = lib_run(p, kernel, LIB_1D(N / n, 1), d ? LIB_BUF(a) : LIB_BUF(fa),
                             d ? LIB_BUF(b) : LIB_BUF(fb), wide ? LIB_BUF(o8) : LIB_BUF(o4));
        for (unsigned i = 0; i < N; i++) {
          bool yes = compare(k, a[i], b[i]);
          int64_t want = yes ? (w ? -1 : 1) : 0, got = wide ? o8[i] : o4[i];
          bad += got != want;
        }
        lib_check(legal && !bad, "%s: %u wrong", kernel, bad);
      }
  lib_free(p);
  free(s.s);
}

/* Dot products, lengths and the like, of two to four elements. */
static void geometry(void) {
  struct text s = {0};
  static const char *const scalar[] = {"dot(x, y)", "length(x)", "distance(x, y)", "fast_length(x)",
                                       "fast_distance(x, y)"};
  for (int d = 0; d < 2; d++)
    for (unsigned n = 1; n <= 4; n++) {
      const char *type = d ? "double" : "float";
      char v[16], load[2][32];
      snprintf(v, sizeof v, n > 1 ? "%s%u" : "%s", type, n);
      for (int k = 0; k < 2; k++) {
        snprintf(load[k], sizeof load[k], "%c[0]", "ab"[k]);
        if (n > 1)
          snprintf(load[k], sizeof load[k], "vload%u(0, %c)", n, "ab"[k]);
      }
      add(&s,
          "kernel void %s_%u(global const %s *a, global const %s *b, global %s *out) {\n  %s x = %s, y = "
          "%s;\n",
          type, n, type, type, type, v, load[0], load[1]);
      for (unsigned k = 0; k < (d ? 3 : 5); k++)
        add(&s, "  out[%u] = %s;\n", k, scalar[k]);
      add(&s, n > 1 ? "  vstore%u(normalize(x), 0, out + 8);\n" : "  out[8] = normalize(x); /* %u */\n", n);
      if (!d)
        add(&s,
            n > 1 ? "  vstore%u(fast_normalize(x), 0, out + 12);\n"
                  : "  out[12] = fast_normalize(x); /* %u */\n",
            n);
      if (n > 2)
        add(&s, "  vstore%u(cross(x, y), 0, out + 16);\n", n);
      add(&s, "}\n");
    }
  struct lib_program *p = lib_build(s.s, "");
  for (int d = 0; d < 2; d++)
    for (unsigned n = 1; n <= 4; n++) {
      double a[4], b[4], o[20] = {0}, dot = 0, aa = 0, dd = 0;
      float fa[4], fb[4], fo[20] = {0};
      for (unsigned i = 0; i < 4; i++) {
        a[i] = (double)(float)range(-5, 5), b[i] = (double)(float)range(-5, 5);
        fa[i] = (float)a[i], fb[i] = (float)b[i];
        if (i < n)
          dot += a[i] * b[i], aa += a[i] * a[i], dd += (a[i] - b[i]) * (a[i] - b[i]);
      }
      char kernel[16];
      snprintf(kernel, sizeof kernel, "%s_%u", d ? "double" : "float", n);
      bool legal = lib_run(p, kernel, LIB_1D(1, 1), d ? LIB_BUF(a) : LIB_BUF(fa),
                           d ? LIB_BUF(b) : LIB_BUF(fb), d ? LIB_BUF(o) : LIB_BUF(fo));
      for (unsigned i = 0; !d && i < 20; i++)
        o[i] = (double)fo[i];
      double close = d ? 1e-14 : 1e-5, rough = 1e-2;
      unsigned bad = 0;
      bad += fabs(o[0] - dot) > close * 100 || fabs(o[1] / sqrt(aa) - 1) > close ||
             fabs(o[2] / sqrt(dd) - 1) > close;
      if (!d)
        bad += fabs(o[3] / sqrt(aa) - 1) > rough || fabs(o[4] / sqrt(dd) - 1) > rough;
      for (unsigned i = 0; i < n; i++) {
        bad += fabs(o[8 + i] / (a[i] / sqrt(aa)) - 1) > close;
        bad += !d && fabs(o[12 + i] / (a[i] / sqrt(aa)) - 1) > rough;
      }
      if (n > 2) {
        double c[4] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0};
        for (unsigned i = 0; i < n; i++)
          bad += fabs(o[16 + i] - c[i]) > close * 100;
      }
      lib_check(legal && !bad, "%s: %u wrong", kernel, bad);
    }
  lib_free(p);
  free(s.s);
}

/* fract, modf, frexp, remquo, sincos, lgamma_r; ldexp, ilogb, pown, rootn, nextafter, fma: in each address space where
 * a second result is stored. */
static void several_results(void) {
  static const char *const spaces[] = {"global", "local", "private"};
  struct text s = {0};
  for (int d = 0; d < 2; d++)
    for (unsigned sp = 0; sp < 3; sp++) {
      const char *t = d ? "double" : "float";
      add(&s,
          "kernel void %s_%s(global const %s *a, global const %s *b, global const int *n, global %s *out, "
          "global int *ints) {\n"
          "  size_t i = get_global_id(0);\n  %s x = a[i], y = b[i];\n  out += 16 * i;\n  ints += 8 * i;\n",
          spaces[sp], t, t, t, t, t);
      if (sp == 0)
        add(&s, "  global %s *p = out + 14;\n  global int *q = ints + 7;\n", t);
      else
        add(&s, "  %s %s pv[1];\n  %s int qv[1];\n  %s %s *p = pv;\n  %s int *q = qv;\n",
            sp == 1 ? "local" : "", t, sp == 1 ? "local" : "", sp == 1 ? "local" : "private", t,
            sp == 1 ? "local" : "private");
      add(&s, "  out[0] = fract(x, p); out[1] = *p;\n  out[2] = modf(x, p); out[3] = *p;\n  out[4] = "
              "frexp(x, q); ints[0] = *q;\n"
              "  out[5] = remquo(x, y, q); ints[1] = *q;\n  out[6] = sincos(x, p); out[7] = *p;\n  out[8] = "
              "lgamma_r(x, q); ints[2] = *q;\n"
              "  out[9] = ldexp(x, n[i]);\n  ints[3] = ilogb(x);\n  out[10] = pown(x, n[i]);\n  out[11] = "
              "rootn(fabs(x), n[i] ? n[i] : 1);\n"
              "  out[12] = nextafter(x, y);\n  out[13] = fma(x, y, x);\n}\n");
    }
  struct lib_program *p = lib_build(s.s, "");
  enum { N = 64 };
  for (int dbl = 0; dbl < 2; dbl++)
    for (unsigned sp = 0; sp < 3; sp++) {
      double a[N], b[N], o[N][16];
      float fa[N], fb[N], fo[N][16];
      int32_t n[N], ints[N][8];
      char kernel[32];
      for (unsigned i = 0; i < N; i++) {
        a[i] = (double)(float)range(-20, 20), b[i] = (double)(float)range(-3, 3);
        n[i] = (int)(next() % 13) - 6;
        fa[i] = (float)a[i], fb[i] = (float)b[i];
      }
      snprintf(kernel, sizeof kernel, "%s_%s", spaces[sp], dbl ? "double" : "float");
      bool legal =
          lib_run(p, kernel, LIB_1D(N, 1), dbl ? LIB_BUF(a) : LIB_BUF(fa), dbl ? LIB_BUF(b) : LIB_BUF(fb),
                  LIB_BUF(n), dbl ? LIB_BUF(o) : LIB_BUF(fo), LIB_BUF(ints));
      unsigned bad[18] = {0};
      for (unsigned i = 0; i < N; i++) {
        double x = a[i], y = b[i], g[16], eps = dbl ? 1e-14 : 2e-6, whole, fr;
        for (unsigned k = 0; k < 16; k++)
          g[k] = dbl ? o[i][k] : (double)fo[i][k];
        int e, quo, sg;
        double one = dbl ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1;
        bad[0] += fabs(g[0] - fmin(x - floor(x), one)) > eps || g[1] != floor(x);
        fr = modf(x, &whole);
        bad[1] += g[2] != fr || g[3] != whole;
        fr = frexp(x, &e);
        bad[2] += g[4] != fr || ints[i][0] != e;
        double rq = remquo(x, y, &quo);
        long times = lrint((x - rq) / y); /* seven bits of it and its sign count */
        bad[3] += fabs(g[5] - rq) > eps * 20 || (labs(ints[i][1]) & 127) != (labs(times) & 127) ||
                  (times & 127 && (ints[i][1] < 0) != (times < 0));
        bad[4] += fabs(g[6] - sin(x)) > eps || fabs(g[7] - cos(x)) > eps;
        double lg = lgamma_r(x, &sg);
        bad[5] += fabs(g[8] - lg) > 1e-4 * (1 + fabs(lg)) || ints[i][2] != sg;
        bad[6] += g[9] != ldexp(x, n[i]) || ints[i][3] != ilogb(x);
        bad[7] += fabs(g[10] / pow(x, n[i]) - 1) > eps;
        bad[8] += fabs(g[11] / pow(fabs(x), 1.0 / (n[i] ? n[i] : 1)) - 1) > eps;
        bad[9] += g[12] != (dbl ? nextafter(x, y) : (double)nextafterf((float)x, (float)y));
        bad[10] += g[13] != (dbl ? fma(x, y, x) : (double)fmaf((float)x, (float)y, (float)x));
      }
      for (unsigned k = 0; k < 11; k++)
        lib_check(legal && !bad[k], "%s: case %u, %u wrong", kernel, k, bad[k]);
    }
  lib_free(p);
  free(s.s);
}

/* upsample, any, all, select and the functions of section 6.12.4 with a scalar beside a vector. */
static void others(void) {
  static const char source[] =
      "kernel void f(global long *out, global float *f) {\n"
      "  out[0] = upsample((char)-2, (uchar)0x34); out[1] = upsample((uchar)0xab, (uchar)0xcd);\n"
      "  out[2] = upsample((short)-2, (ushort)0x1234); out[3] = upsample(0x89abcdefu, 0x01234567u);\n"
      "  out[4] = any((int4)(0, 0, -1, 0)); out[5] = all((int4)(-1, -1, 1, -1)); out[6] = any((char2)(1, "
      "0)); out[7] = all((long3)(-1));\n"
      "  out[8] = as_int(1.0f); out[9] = as_long((double)1.0); out[10] = "
      "as_short4((long)0x0001000200030004L).y;\n"
      "  out[11] = as_uint((uchar4)(1, 2, 3, 4)); out[12] = select(5, 6, 1); out[13] = select((int2)(5, 7), "
      "(int2)(6, 8), (int2)(-1, 0)).x;\n"
      "  f[0] = mix((float4)(1, 2, 3, 4), (float4)(5), 0.25f).y; f[1] = clamp((float2)(-1, 9), 0.0f, "
      "2.0f).y;\n"
      "  f[2] = smoothstep(0.0f, 2.0f, (float2)(1.0f, 3.0f)).x; f[3] = step(1.0f, (float2)(0.5f, 1.5f)).y; "
      "f[4] = fmax((float2)(1, 2), 1.5f).x;\n"
      "  f[5] = max((float2)(1, 2), 1.5f).x; f[6] = smoothstep(0.0, 2.0, (double3)(1.0, 3.0, -1)).x; f[7] = "
      "fmin((double2)(1, 2), 1.5).y;\n"
      "  f[8] = ldexp((float2)(1, 3), 2).y; f[9] = native_exp2(3.0f); f[10] = native_divide(6.0f, 3.0f); "
      "f[11] = native_powr(2.0f, 10.0f);\n"
      "  f[12] = native_recip((float4)(4)).w; f[13] = half_sqrt(16.0f); f[14] = "
      "native_rsqrt((float3)(0.25f)).z; f[15] = isnan(nan(1u));\n"
      "}\n";
  struct lib_program *p = lib_build(source, "");
  int64_t out[14];
  float f[16];
  lib_check(lib_run(p, "f", LIB_1D(1, 1), LIB_BUF(out), LIB_BUF(f)), "illegal");
  static const int64_t want[] = {(int16_t)0xfe34,
                                 0xabcd,
                                 (int32_t)0xfffe1234,
                                 (int64_t)UINT64_C(0x89abcdef01234567),
                                 1,
                                 0,
                                 0,
                                 1,
                                 0x3f800000,
                                 0x3ff0000000000000,
                                 3,
                                 0x04030201,
                                 6,
                                 6};
  static const double fwant[] = {2.75, 2, 0.5, 1, 1.5, 1.5, 0.5, 1.5, 12, 8, 2, 1024, 0.25, 4, 2, 1};
  for (unsigned i = 0; i < 14; i++)
    lib_check(out[i] == want[i], "%u: %llx instead of %llx", i, (long long)out[i], (long long)want[i]);
  for (unsigned i = 0; i < 16; i++)
    lib_check(fabs((double)f[i] / fwant[i] - 1) < 1e-5, "f[%u] = %g instead of %g", i, (double)f[i],
              fwant[i]);
  lib_free(p);
}

int main(void) {
  loads_and_stores();
  halves();
  shuffles();
  comparisons();
  geometry();
  several_results();
  others();
  return lib_done();
}
