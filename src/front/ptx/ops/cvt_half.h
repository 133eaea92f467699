/* Conversions to and from the small formats: f16, bf16, tf32, e4m3, e5m2. */
#ifndef SLUICE_FRONT_PTX_OPS_CVT_HALF_H
#define SLUICE_FRONT_PTX_OPS_CVT_HALF_H

#include "front/ptx/ops/cvt.h"
#include "front/ptx/ops/half_ops.h"

/* A 64-bit integer as a double rounded to odd, for a further rounding to few bits. */
static inline double odd_from_u64(uint64_t x) {
  const uint64_t sticky = (x & ~UINT64_C(0xfff)) | (x & 0xfff ? UINT64_C(0x800) : 0);
  return x >> 53 ? (double)sticky : (double)x;
}
static inline double odd_from_s64(int64_t x) {
  const double m = odd_from_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
  return x < 0 ? -m : m;
}

/* A NaN cut to the top bits of its mantissa, made quiet. */
static inline uint32_t f16_nan_from_f64(double x) {
  const uint64_t u = f64_bits(x);
  return (uint32_t)(u >> 48 & 0x8000) | 0x7e00 | (uint32_t)(u >> 42 & 0x3ff);
}
static inline uint32_t bf16_nan_from_f64(double x) {
  const uint64_t u = f64_bits(x);
  return (uint32_t)(u >> 48 & 0x8000) | 0x7fc0 | (uint32_t)(u >> 45 & 0x7f);
}

/* .satfinite: infinities become the largest finite value. */
static inline uint32_t f16_finite(uint32_t r) {
  return (r & 0x7fff) == 0x7c00 ? r - 1 : r;
}
static inline uint32_t bf16_finite(uint32_t r) {
  return (r & 0x7fff) == 0x7f80 ? r - 1 : r;
}

/* tf32: an f32 whose mantissa keeps 10 bits. */
static inline uint32_t tf32_from_f32(float x, int mode) {
  const uint32_t u = f32_bits(x), mag = u & 0x7fffffff;
  const uint32_t keep = mag >> 13, rest = mag & 0x1fff;
  const uint32_t inc = (uint32_t)round_up(keep, rest, 0x1000, u >> 31, mode);
  const uint32_t r = (keep + inc) << 13;
  return mag > 0x7f800000 ? 0x7fffe000 : mag == 0x7f800000 ? u : r | (u & 0x80000000);
}
static inline uint32_t tf32_relu(uint32_t r) {
  return (r & 0x7fffffff) > 0x7f800000 ? r : r >> 31 ? 0 : r;
}
/* .rna only adds half a unit: a NaN keeps what bits remain, and .satfinite lowers all from
 * infinity up by one unit. */
static inline uint32_t tf32_away(float x) {
  const uint32_t u = f32_bits(x), mag = u & 0x7fffffff;
  return mag >= 0x7f800000 ? u & 0xffffe000 : (u + 0x1000) & 0xffffe000;
}
static inline uint32_t tf32_away_finite(float x) {
  const uint32_t r = tf32_away(x);
  return (r & 0x7fffffff) >= 0x7f800000 ? r - 0x2000 : r;
}

/* e4m3 has no infinity (0x7f is NaN), e5m2 has; both saturate. */
static inline uint32_t e4m3_from_f64(double v) {
  const uint32_t sign = (uint32_t)(f64_bits(v) >> 56) & 0x80;
  const double mag = f64_of(f64_bits(v) & ~F64_SIGN);
  const uint32_t r = mag < 1e6 ? (uint32_t)round_magnitude(v, 3, -6, PTX_RN) : 0x7e;
  return v != v ? 0x7f : sign | (r > 0x7e ? 0x7e : r);
}
static inline uint32_t e5m2_from_f64(double v) {
  const uint32_t sign = (uint32_t)(f64_bits(v) >> 56) & 0x80;
  const double mag = f64_of(f64_bits(v) & ~F64_SIGN);
  const uint32_t r = mag < 1e6 ? (uint32_t)round_magnitude(v, 2, -14, PTX_RN) : 0x7b;
  return v != v ? 0x7f : sign | (r > 0x7b ? 0x7b : r);
}
static inline uint32_t e4m3_relu(uint32_t r) {
  return (r & 0x7f) == 0x7f ? 0x7f : r & 0x80 ? 0 : r;
}
static inline uint32_t e5m2_relu(uint32_t r) {
  return (r & 0x7f) > 0x7c ? 0x7f : r & 0x80 ? 0 : r;
}
static inline uint32_t f16_from_e4m3(uint32_t x) {
  const uint32_t mag = x & 0x7f, sign = (x & 0x80) << 8;
  const float v = f32_of(mag << 20) * 0x1p120f; /* bias 127 to 7, exact */
  return mag == 0x7f ? F16_NAN : sign | f16_from_f64((double)v, PTX_RN);
}
static inline uint32_t f16_from_e5m2(uint32_t x) {
  return (x & 0x7f) > 0x7c ? F16_NAN : x << 8;
}

#endif
