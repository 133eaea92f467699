/* How far an .approx result may be from the exact value and from the GPU's: the errors stated in the PTX ISA,
 * version 9.1, by the section that states each. Relative to the value, absolute, or in units in the last
 * place of an f32. */
#ifndef SLUICE_TESTS_GOLDEN_APPROX_BOUNDS_H
#define SLUICE_TESTS_GOLDEN_APPROX_BOUNDS_H

#include "front/ptx/types.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct approx_bound {
  const char *prefix;
  double rel, abs, ulps;
};

/* The f64 forms have no stated bound: theirs are set from what the GPU returned. sin and cos are held to
 * their bound for one turn here, and to TRIG_WIDE up to fifty. */
#define TRIG_WIDE 0x1.3b2cp-15 /* 2^-14.7, 9.7.3.18 and .19 */
static const struct approx_bound approx_bounds[] = {
    {"rcp.approx.ftz.f64", 0x1p-20, 0, 0},   /* 9.7.3.14: "gross", no figure */
    {"rsqrt.approx.ftz.f64", 0x1p-20, 0, 0}, /* 9.7.3.17: the same */
    {"rsqrt.approx.f64", 0x1p-51, 0, 0},     /* 9.7.3.16: no figure for f64 */
    {"rcp.approx", 0, 0, 1},                 /* 9.7.3.13 */
    {"sqrt.approx", 0x1p-23, 0, 0},          /* 9.7.3.15 */
    {"rsqrt.approx", 0x1.125fp-23, 0, 0},    /* 9.7.3.16: 2^-22.9 */
    {"div.approx", 0, 0, 2},                 /* 9.7.3.8, |divisor| within 2^-126 and 2^126 */
    {"div.full", 0, 0, 2},                   /* 9.7.3.8 */
    {"sin.approx", 0, 0x1.6a09p-21, 0},      /* 9.7.3.18: 2^-20.5 */
    {"cos.approx", 0, 0x1.6a09p-21, 0},      /* 9.7.3.19: the same */
    {"lg2.approx", 0x1p-22, 0x1p-22, 0},     /* 9.7.3.20: absolute within (0.5, 2), relative outside */
    {"tanh.approx.f32", 0x1p-11, 0, 0},      /* 9.7.3.22 */
    {"tanh.approx.f16", 0, 0x1.0251p-11, 0}, /* 9.7.4.9: 2^-10.987 */
    {"tanh.approx.bf16", 0, 0x1p-8, 0},      /* 9.7.4.9 */
    {"ex2.approx.f16", 0x1.125fp-10, 0, 0},  /* 9.7.4.10: 2^-9.9 */
    {"ex2.approx.ftz.bf16", 0x1p-7, 0, 0},   /* 9.7.4.10 */
    {"ex2.approx", 0, 0, 2},                 /* 9.7.3.21 */
};

static inline double approx_value(unsigned type, uint64_t bits) {
  double d;
  float f;
  uint32_t u = (uint32_t)bits;
  switch (type) {
  case PTX_F64:
    memcpy(&d, &bits, 8);
    return d;
  case PTX_F16: {
    const int e = (int)(u >> 10 & 31);
    const double m = u & 1023;
    d = e == 31 ? (m > 0 ? (double)NAN : (double)INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return u & 0x8000 ? -d : d;
  }
  case PTX_BF16:
    u <<= 16;
    break;
  default:
    break;
  }
  memcpy(&f, &u, 4);
  return (double)f;
}

static inline double approx_exact(const char *name, double x, double y) {
  switch (name[0]) {
  case 'd':
    return x / y;
  case 'l':
    return log2(x);
  case 'e':
    return exp2(x);
  case 't':
    return tanh(x);
  case 'c':
    return cos(x);
  case 's':
    return name[1] == 'i' ? sin(x) : sqrt(x);
  default:
    return name[1] == 'c' ? 1 / x : 1 / sqrt(x);
  }
}

/* Smallest positive number: results in the subnormal range have this as their unit. */
static inline double approx_unit(unsigned type, bool ftz) {
  switch (type) {
  case PTX_F64:
    return ftz ? 0x1p-1022 : 0x1p-1074;
  case PTX_F16:
    return 0x1p-24;
  case PTX_BF16:
    return ftz ? 0x1p-126 : 0x1p-133;
  default:
    return ftz ? 0x1p-126 : 0x1p-149;
  }
}

/* The distance between an f32 of v's size and the next. */
static inline double approx_ulp(double v) {
  return v != 0 && isfinite(v) ? ldexp(1, ilogb(v) < -126 ? -149 : ilogb(v) - 23) : 0;
}

static inline bool approx_close(double a, double b, double tolerance) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  return a == b || fabs(a - b) <= tolerance;
}

static inline bool approx_ok(const char *name, unsigned type, uint64_t xbits, uint64_t ybits, uint64_t gpu,
                             uint64_t got) {
  if (type == PTX_F16X2 || type == PTX_BF16X2) {
    const unsigned half = type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    return approx_ok(name, half, xbits & 0xffff, 0, gpu & 0xffff, got & 0xffff) &&
           approx_ok(name, half, xbits >> 16 & 0xffff, 0, gpu >> 16, got >> 16);
  }
  const struct approx_bound *b = approx_bounds;
  while (strncmp(name, b->prefix, strlen(b->prefix)) != 0)
    b++;
  const bool ftz = strstr(name, ".ftz"), trig = b->abs > 0 && (name[0] == 's' || name[0] == 'c');
  if (type == PTX_F64 && ftz)
    xbits &= UINT64_C(0xffffffff00000000);
  double x = approx_value(type, xbits), y = approx_value(type, ybits);
  if (ftz && fabs(x) < (type == PTX_F64 ? 0x1p-1022 : 0x1p-126))
    x = copysign(0, x);
  if (ftz && fabs(y) < 0x1p-126)
    y = copysign(0, y);
  const double g = approx_value(type, gpu), r = approx_value(type, got), exact = approx_exact(name, x, y);

  /* lg2 is held to the absolute bound around 1 and to the relative one elsewhere */
  const bool near1 = name[0] != 'l' || (x > 0.5 && x < 2);
  const double abs = near1 ? b->abs : 0, unit = approx_unit(type, ftz);
  if (!approx_close(r, g, fmax(fmax(b->rel * fabs(g), abs), fmax(b->ulps * approx_ulp(g), unit))))
    return false;
  /* the exact value of a large angle is out of reach; so are quotients by more than 2^126 */
  if (trig && fabs(x) > 100 * 3.14159)
    return true;
  const double wide = trig && fabs(x) > 6.2832 ? TRIG_WIDE : abs;
  if (strncmp(name, "div.approx", 10) == 0 && fabs(y) > 0x1p126)
    return true;
  if (fabs(exact) >= 0x1.ffffffp127 && type == PTX_F32)
    return isinf(r) || fabs(r) > 0x1.fffffcp127;
  if (fabs(exact) > 65504 && type == PTX_F16)
    return isinf(r) || fabs(r) >= 65472;
  if (fabs(exact) > 0x1.fep127 && type == PTX_BF16)
    return isinf(r) || fabs(r) >= 0x1.fcp127;
  return approx_close(r, exact,
                      fmax(fmax(b->rel * fabs(exact), wide), fmax(b->ulps * approx_ulp(exact), unit)));
}

#endif
