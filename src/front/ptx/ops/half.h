/* f16 and bf16 as bit patterns: exact widening, correctly rounded narrowing. */
#ifndef SLUICE_FRONT_PTX_OPS_HALF_H
#define SLUICE_FRONT_PTX_OPS_HALF_H

#include "front/ptx/ops.h"
#include "front/ptx/ops/float.h"

#define F16_NAN  UINT32_C(0x7fff)
#define BF16_NAN UINT32_C(0x7fff)

/* Exact: the mantissa is placed in a float and the exponent bias corrected by a multiplication,
 * which also normalises subnormals. */
static inline float f16_to_f32(uint32_t h) {
  const uint32_t sign = (h & 0x8000) << 16, mag = h & 0x7fff;
  const uint32_t u = f32_bits(f32_of(mag << 13) * 0x1p112f);
  return f32_of(sign | (mag >= 0x7c00 ? (mag << 13) | 0x7f800000 : u));
}
static inline float bf16_to_f32(uint32_t h) {
  return f32_of(h << 16);
}

static inline uint32_t f16_flush(uint32_t h) {
  return h & (h & 0x7c00 ? 0xffff : 0x8000);
}

/* A rounding increment: keep = bits kept, rest = bits dropped as a fraction of `one`. */
static inline uint64_t round_up(uint64_t keep, uint64_t rest, uint64_t half, uint64_t neg, int mode) {
  switch (mode) {
  case PTX_RN:
    return rest > half || (rest == half && (keep & 1));
  case PTX_RM:
    return neg && rest;
  case PTX_RP:
    return !neg && rest;
  case PTX_RZ:
    return 0;
  default:
    return rest >= half; /* .rna: nearest, ties away */
  }
}
#define PTX_RNA 4

/* |v| rounded to a format of mbits mantissa bits and least normal exponent emin, encoded with
 * an exponent field that starts at 1 for emin; v is finite. Overflow shows as a large result. */
static inline uint64_t round_magnitude(double v, unsigned mbits, int emin, int mode) {
  const uint64_t u = f64_bits(v), mag = u & ~F64_SIGN;
  const int e = (int)(mag >> 52) - 1023;
  const uint64_t m =
      mag >> 52 ? (mag & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000) : (uint64_t)(mag != 0);
  const int below = e < emin ? emin - e : 0;
  unsigned shift = 52 - mbits + (unsigned)below;
  shift = shift > 62 ? 62 : shift;
  const uint64_t keep = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1);
  const uint64_t inc = round_up(keep, rest, UINT64_C(1) << (shift - 1), u >> 63, mode);
  const uint64_t base = below ? 0 : (uint64_t)(e - emin) << mbits;
  return base + keep + inc;
}

/* Whether a value too large becomes infinite in this mode (else the largest finite one). */
static inline int overflows_to_inf(uint64_t neg, int mode) {
  return mode == PTX_RN || mode == PTX_RNA || (mode == PTX_RM && neg) || (mode == PTX_RP && !neg);
}

#define NARROW(name, mbits, emin, INF, NANBITS, SIGN)                                                        \
  static inline uint32_t name(double v, int mode) {                                                          \
    const uint64_t u = f64_bits(v), mag = u & ~F64_SIGN, neg = u >> 63;                                      \
    const uint64_t r = round_magnitude(v, mbits, emin, mode);                                                \
    const uint64_t big = overflows_to_inf(neg, mode) ? INF : INF - 1;                                        \
    const uint64_t fin = r >= INF ? big : r;                                                                 \
    const uint64_t w = mag == UINT64_C(0x7ff0000000000000) ? INF : fin;                                      \
    return v != v ? NANBITS : (uint32_t)(w | (neg ? SIGN : 0));                                              \
  }
NARROW(f16_from_f64, 10, -14, UINT64_C(0x7c00), F16_NAN, 0x8000)
NARROW(bf16_from_f64, 7, -126, UINT64_C(0x7f80), BF16_NAN, 0x8000)
#undef NARROW

/* To nearest even from f32, the common case, in few vector operations. Below 2^-14 adding 1/2 puts
 * the last bit where f16 has it. */
static inline uint32_t f16_from_f32(float v) {
  const uint32_t u = f32_bits(v), mag = u & 0x7fffffff, sign = u >> 16 & 0x8000;
  const uint32_t normal = ((mag + 0xfff + (mag >> 13 & 1)) >> 13) - (112 << 10);
  const uint32_t tiny = f32_bits(f32_of(mag) + 0.5f) - 0x3f000000;
  const uint32_t r = mag >= 0x477ff000 ? 0x7c00 : mag < 0x38800000 ? tiny : normal;
  return mag > 0x7f800000 ? F16_NAN : sign | r;
}
static inline uint32_t bf16_from_f32(float v) {
  const uint32_t u = f32_bits(v);
  return v != v ? BF16_NAN : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

/* x + y in double, rounded to odd: no later rounding to fewer bits can go wrong. */
static inline double add_odd(double x, double y) {
  const double s = x + y, t = s - x;
  const double err = (x - (s - t)) + (y - t);
  const uint64_t u = f64_bits(s);
  /* the error points away from zero: the odd neighbour is s itself or s with its last bit set;
   * towards zero: one step down, unless s is odd */
  const uint64_t away = (f64_bits(err) ^ u) >> 63 ? u - 1 : u;
  return err != 0 && err == err && !(u & 1) ? f64_of(away | 1) : s;
}
/* The same in float. */
static inline float add_odd_f32(float x, float y) {
  const float s = x + y, t = s - x;
  const float err = (x - (s - t)) + (y - t);
  const uint32_t u = f32_bits(s);
  const uint32_t away = (f32_bits(err) ^ u) >> 31 ? u - 1 : u;
  return err != 0 && err == err && !(u & 1) ? f32_of(away | 1) : s;
}

#endif
