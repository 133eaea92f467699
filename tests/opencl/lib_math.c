/* Rule: every mathematical function stays within the error that OpenCL 1.2 allows it (section 7.4), in single and in
 * double precision, special values included (section 7.5.1). The expectation is the C library's long double
 * function. Single-precision subnormals may become zero, as a device without CL_FP_DENORM may do. */
#include "lib_run.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;
static const real pi = 3.14159265358979323846264338327950288L;

/* pi times the argument reduced exactly, so that multiples of one half come out exact */
static real sin_pi(real x) {
  if (isinf(x))
    return NAN;
  real r = fmodl(fabsl(x), 2), s = r >= 1 ? -1 : 1;
  r = r >= 1 ? r - 1 : r;
  real v = r > 0.5L ? sinl(pi * (1 - r)) : sinl(pi * r);
  return copysignl(1, x) * (r == 0 ? 0 : s * v);
}
static real cos_pi(real x) {
  if (isinf(x))
    return NAN;
  real r = fmodl(fabsl(x), 2);
  r = r > 1 ? 2 - r : r;
  return r < 0.25L ? cosl(pi * r) : r < 0.75L ? sinl(pi * (0.5L - r)) : -cosl(pi * (1 - r));
}
static real tan_pi(real x) {
  real c = cos_pi(x), s = sin_pi(x);
  if (c == 0) /* n + 0.5: +inf for even n, -inf for odd n */
    return fmodl(floorl(x), 2) == 0 ? INFINITY : -INFINITY;
  if (s == 0) /* n: the sign of x for even n, the opposite for odd n */
    return fmodl(x, 2) == 0 ? copysignl(0, x) : copysignl(0, -x);
  return s / c;
}
static real acos_pi(real x) {
  return acosl(x) / pi;
}
static real asin_pi(real x) {
  return asinl(x) / pi;
}
static real atan_pi(real x) {
  return atanl(x) / pi;
}
static real atan2_pi(real y, real x) {
  return atan2l(y, x) / pi;
}
static real exp_10(real x) {
  return exp10l(x);
}
static real rsqrt_(real x) {
  return x == 0 ? copysignl(INFINITY, x) : 1 / sqrtl(x);
}
static real recip(real x) {
  return 1 / x;
}
static real divide(real x, real y) {
  return x / y;
}
static real sign_(real x) {
  return isnan(x) ? 0 : x == 0 ? x : copysignl(1, x);
}
static real degrees_(real x) {
  return x * (180 / pi);
}
static real radians_(real x) {
  return x * (pi / 180);
}
static real powr_(real x, real y) {
  if (x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)) || isnan(x) || isnan(y))
    return NAN;
  return powl(fabsl(x), y);
}
static real maxmag_(real x, real y) {
  return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}
static real minmag_(real x, real y) {
  return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}
static real step_(real edge, real x) {
  return x < edge ? 0 : 1;
}

enum { EXACT = 0, ANY = -1 };
/* Special values are a matter of the specification for all functions but these. */
enum { FINITE = 1 /* arguments */, POSITIVE = 2 /* results: not what cancels */, SINGLE = 4, SMALL = 8 };
static const struct row {
  const char *name;
  double ulp_single, ulp_double;
  real (*one)(real);
  real (*two)(real, real);
  unsigned flags;
} rows[] = {
    {"acos", 4, 4, acosl, NULL, 0},
    {"acosh", 4, 4, acoshl, NULL, 0},
    {"acospi", 5, 5, acos_pi, NULL, 0},
    {"asin", 4, 4, asinl, NULL, 0},
    {"asinh", 4, 4, asinhl, NULL, 0},
    {"asinpi", 5, 5, asin_pi, NULL, 0},
    {"atan", 5, 5, atanl, NULL, 0},
    {"atan2", 6, 6, NULL, atan2l, 0},
    {"atan2pi", 6, 6, NULL, atan2_pi, 0},
    {"atanh", 5, 5, atanhl, NULL, 0},
    {"atanpi", 5, 5, atan_pi, NULL, 0},
    {"cbrt", 2, 2, cbrtl, NULL, 0},
    {"ceil", EXACT, EXACT, ceill, NULL, 0},
    {"copysign", EXACT, EXACT, NULL, copysignl, 0},
    {"cos", 4, 4, cosl, NULL, 0},
    {"cosh", 4, 4, coshl, NULL, 0},
    {"cospi", 4, 4, cos_pi, NULL, 0},
    {"degrees", 2, 2, degrees_, NULL, 0},
    {"erf", 16, 16, erfl, NULL, 0},
    {"erfc", 16, 16, erfcl, NULL, 0},
    {"exp", 3, 3, expl, NULL, 0},
    {"exp10", 3, 3, exp_10, NULL, 0},
    {"exp2", 3, 3, exp2l, NULL, 0},
    {"expm1", 3, 3, expm1l, NULL, 0},
    {"fabs", EXACT, EXACT, fabsl, NULL, 0},
    {"fdim", 0.5, 0.5, NULL, fdiml, 0},
    {"floor", EXACT, EXACT, floorl, NULL, 0},
    {"fmax", EXACT, EXACT, NULL, fmaxl, 0},
    {"fmin", EXACT, EXACT, NULL, fminl, 0},
    {"fmod", EXACT, EXACT, NULL, fmodl, 0},
    {"hypot", 4, 4, NULL, hypotl, 0},
    {"lgamma", 1000, 1000, lgammal, NULL, POSITIVE},
    {"log", 3, 3, logl, NULL, 0},
    {"log10", 3, 3, log10l, NULL, 0},
    {"log1p", 2, 2, log1pl, NULL, 0},
    {"log2", 3, 3, log2l, NULL, 0},
    {"logb", EXACT, EXACT, logbl, NULL, 0},
    {"maxmag", EXACT, EXACT, NULL, maxmag_, 0},
    {"minmag", EXACT, EXACT, NULL, minmag_, 0},
    {"pow", 16, 16, NULL, powl, 0},
    {"powr", 16, 16, NULL, powr_, 0},
    {"radians", 2, 2, radians_, NULL, 0},
    {"remainder", EXACT, EXACT, NULL, remainderl, 0},
    {"rint", EXACT, EXACT, rintl, NULL, 0},
    {"round", EXACT, EXACT, roundl, NULL, 0},
    {"rsqrt", 2, 2, rsqrt_, NULL, 0},
    {"sign", EXACT, EXACT, sign_, NULL, 0},
    {"sin", 4, 4, sinl, NULL, 0},
    {"sinh", 4, 4, sinhl, NULL, 0},
    {"sinpi", 4, 4, sin_pi, NULL, 0},
    {"sqrt", 3, 0.5, sqrtl, NULL, 0},
    {"step", EXACT, EXACT, NULL, step_, FINITE},
    {"tan", 5, 5, tanl, NULL, 0},
    {"tanh", 5, 5, tanhl, NULL, 0},
    {"tanpi", 6, 6, tan_pi, NULL, 0},
    {"tgamma", 16, 16, tgammal, NULL, 0},
    {"trunc", EXACT, EXACT, truncl, NULL, 0},
    {"half_cos", 8192, 0, cosl, NULL, SINGLE | FINITE | SMALL},
    {"half_divide", 8192, 0, NULL, divide, SINGLE | FINITE | SMALL},
    {"half_exp", 8192, 0, expl, NULL, SINGLE | FINITE | SMALL},
    {"half_exp10", 8192, 0, exp_10, NULL, SINGLE | FINITE | SMALL},
    {"half_exp2", 8192, 0, exp2l, NULL, SINGLE | FINITE | SMALL},
    {"half_log", 8192, 0, logl, NULL, SINGLE | FINITE | SMALL},
    {"half_log10", 8192, 0, log10l, NULL, SINGLE | FINITE | SMALL},
    {"half_log2", 8192, 0, log2l, NULL, SINGLE | FINITE | SMALL},
    {"half_powr", 8192, 0, NULL, powr_, SINGLE | FINITE | SMALL},
    {"half_recip", 8192, 0, recip, NULL, SINGLE | FINITE | SMALL},
    {"half_rsqrt", 8192, 0, rsqrt_, NULL, SINGLE | FINITE | SMALL},
    {"half_sin", 8192, 0, sinl, NULL, SINGLE | FINITE | SMALL},
    {"half_sqrt", 8192, 0, sqrtl, NULL, SINGLE | FINITE | SMALL},
    {"half_tan", 8192, 0, tanl, NULL, SINGLE | FINITE | SMALL},
};
enum { NROWS = sizeof rows / sizeof *rows, N = 4096 };

static uint64_t state = 12345;
static uint64_t next(void) { /* splitmix64 */
  uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
static double unit(void) {
  return (double)(next() >> 11) * 0x1p-53;
}

static const double specials[] = {
    0.0,   -0.0,  1,        -1,        0.5,        -0.5,       1.5,       -1.5,    2,       -2,
    3,     -3,    2.5,      10,        -10,        100,        -100,      1e10,    -1e10,   0.1,
    1e-10, 1e-30, INFINITY, -INFINITY, NAN,        0x1p-126,   -0x1p-126, 0x1p127, FLT_MAX, -FLT_MAX,
    4,     7,     0.25,     -7,        16777216.0, 16777215.0, 88.0,      -88.0,   127,     -149};
enum { NSPECIAL = sizeof specials / sizeof *specials };

static double any_value(bool single, unsigned flags) {
  switch (next() % (flags & SMALL ? 3 : 5)) {
  case 0:
    return unit() * 20 - 10;
  case 1:
    return (unit() * 2 - 1) * 200;
  case 2:
    return unit() * 2 - 1;
  case 3:
    return exp2(unit() * 60 - 30) * (next() & 1 ? 1 : -1);
  default: {
    uint64_t bits = next();
    uint32_t half = (uint32_t)bits;
    double d;
    float f;
    memcpy(&d, &bits, 8);
    memcpy(&f, &half, 4);
    return single ? (double)f : d;
  }
  }
}

static void fill(double *a, double *b, const struct row *r, bool single) {
  for (unsigned i = 0; i < N; i++) {
    bool special = i < NSPECIAL * NSPECIAL && !(r->flags & SMALL);
    a[i] = special ? specials[i % NSPECIAL] : any_value(single, r->flags);
    b[i] = special ? specials[i / NSPECIAL] : any_value(single, r->flags);
    if (single)
      a[i] = (double)(float)a[i], b[i] = (double)(float)b[i];
    if (r->flags & FINITE && (!isfinite(a[i]) || !isfinite(b[i])))
      a[i] = 1, b[i] = 2;
  }
}

/* How far `got` is off, in units of the last place of the expected value. */
static double error_ulp(double got, real want, bool single) {
  int digits = single ? 24 : 53, least = single ? -126 : -1022, most = single ? 127 : 1023;
  if (isnan(want))
    return isnan(got) ? 0 : INFINITY;
  if (isnan(got))
    return INFINITY;
  real limit = ldexpl(2 - ldexpl(1, -digits), most); /* from here on it rounds to infinity */
  if (fabsl(want) >= limit)
    want = copysignl(INFINITY, want);
  if (isinf(want) || isinf(got)) {
    if (isinf(want) && isinf(got))
      return !signbit(want) == !signbit(got) ? 0 : INFINITY;
    real finite = isinf(want) ? (real)got : want, edge = ldexpl(1, most + 1);
    return (double)(fabsl(edge - fabsl(finite)) / ldexpl(1, most - digits + 1));
  }
  if (want == 0 && got == 0)
    return !signbit(want) == !signbit(got) ? 0 : 0.25; /* the sign alone */
  int e = want == 0 ? least : ilogbl(want);
  real ulp = ldexpl(1, (e < least ? least : e) - digits + 1);
  return (double)(fabsl((real)got - want) / ulp);
}

static real flush(real x) {
  return fabsl(x) < 0x1p-126L ? copysignl(0, x) : x;
}

static double worst_of(const struct row *r, double a, double b, double got, bool single) {
  real want = r->one ? r->one((real)a) : r->two((real)a, (real)b);
  double e = error_ulp(got, want, single);
  if (!single)
    return e;
  /* with subnormal results, then also arguments, as zero */
  if (fabsl(want) < 0x1p-126L && got == 0)
    e = fmin(e, 0);
  real alt = r->one ? r->one(flush((real)a)) : r->two(flush((real)a), flush((real)b));
  e = fmin(e, error_ulp(got, alt, single));
  for (int k = 0; r->two && k < 2; k++)
    e = fmin(e, error_ulp(got, r->two(k ? flush((real)a) : (real)a, k ? (real)b : flush((real)b)), single));
  if (fabsl(alt) < 0x1p-126L && got == 0)
    e = fmin(e, 0);
  return e;
}

static unsigned failed, quiet = 1;

static void check_row(struct lib_program *p, const struct row *r, bool single) {
  static double a[N], b[N], out[N];
  static float fa[N], fb[N], fout[N];
  char kernel[64];
  double bound = single ? r->ulp_single : r->ulp_double, worst = 0;
  unsigned bad = 0, at = 0;
  fill(a, b, r, single);
  snprintf(kernel, sizeof kernel, "%s_%s", r->name, single ? "f" : "d");
  for (unsigned i = 0; i < N; i++)
    fa[i] = (float)a[i], fb[i] = (float)b[i];
  bool legal;
  if (single)
    legal = lib_run(p, kernel, LIB_1D(N, 64), LIB_BUF(fa), LIB_BUF(fb), LIB_BUF(fout));
  else
    legal = lib_run(p, kernel, LIB_1D(N, 64), LIB_BUF(a), LIB_BUF(b), LIB_BUF(out));
  for (unsigned i = 0; i < N; i++) {
    double got = single ? (double)fout[i] : out[i];
    real want = r->one ? r->one((real)a[i]) : r->two((real)a[i], (real)b[i]);
    if ((r->flags & POSITIVE && !(want > 1)) || (r->flags & FINITE && !isfinite(want)))
      continue;
    double e = worst_of(r, a[i], b[i], got, single);
    if (e > worst)
      worst = e, at = i;
    if (e > (bound > 0.25 ? bound : 0.25)) {
      if (bad++ < (getenv("LIB_VERBOSE") ? 10 : 1))
        printf("  %s(%a, %a) = %a instead of %La: %.3g ulp, allowed %g\n", kernel, a[i], r->one ? 0 : b[i],
               got, want, e, bound);
    }
  }
  failed += bad > 0 || !legal;
  if (!quiet || bad)
    printf("%-14s worst %10.3f ulp of %g, %u of %u beyond (at %a, %a)\n", kernel, worst, bound, bad, N, a[at],
           b[at]);
}

static char *source(void) {
  size_t cap = 64 << 10, n = 0;
  char *s = malloc(cap);
  for (unsigned i = 0; s && i < NROWS; i++)
    for (int d = 0; d < (rows[i].flags & SINGLE ? 1 : 2); d++) {
      const char *type = d ? "double" : "float";
      n += (size_t)snprintf(s + n, cap - n,
                            "kernel void %s_%c(global const %s *a, global const %s *b, global %s *out) {\n"
                            "  size_t i = get_global_id(0);\n"
                            "  out[i] = %s(a[i]%s);\n}\n",
                            rows[i].name, d ? 'd' : 'f', type, type, type, rows[i].name,
                            rows[i].two ? ", b[i]" : "");
    }
  return s;
}

int main(int argc, char **argv) {
  quiet = argc < 2;
  (void)argv;
  char *text = source();
  struct lib_program *p = lib_build(text, "");
  for (unsigned i = 0; i < NROWS; i++)
    for (int d = 0; d < (rows[i].flags & SINGLE ? 1 : 2); d++)
      check_row(p, &rows[i], !d);
  lib_free(p);
  free(text);
  printf("[  PASSED  ] %u test(s).\n", NROWS - failed);
  if (failed)
    printf("[  FAILED  ] %u test(s).\n", failed);
  return failed > 0;
}
