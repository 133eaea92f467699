/* Scalar f32 and f64 arithmetic: IEEE in the rounding mode in force, with the hardware's NaNs,
 * flushing and saturation. */
#ifndef SLUICE_FRONT_PTX_OPS_FLOAT_H
#define SLUICE_FRONT_PTX_OPS_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define F64_SIGN UINT64_C(0x8000000000000000)
#define F32_NAN UINT32_C(0x7fffffff)
#define F64_NAN UINT64_C(0x7fffffffffffffff)

static inline uint32_t f32_bits(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static inline float f32_of(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
static inline uint64_t f64_bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static inline double f64_of(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

/* Subnormals become zero of the same sign. */
static inline float f32_flush(float x) {
  const uint32_t u = f32_bits(x);
  return f32_of(u & (u & 0x7f800000 ? UINT32_MAX : UINT32_C(0x80000000)));
}
/* Every NaN result is the canonical one. */
static inline float f32_canon(float x) { return x != x ? f32_of(F32_NAN) : x; }
static inline double f64_canon(double x) { return x != x ? f64_of(F64_NAN) : x; }
/* .sat: to [0, 1]; NaN and -0 become +0. */
static inline float f32_sat(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
static inline double f64_sat(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

/* Minimum and maximum: -0 < +0; a NaN loses against a number unless .NaN is given. */
#define MINMAX(F, T, U, bits_of, of, NANBITS, SIGN)                                              \
  static inline T F##_min(T x, T y) {                                                            \
    const T r = x < y ? x : y < x ? y : of(bits_of(x) | bits_of(y));                             \
    return x != x ? (y != y ? of(NANBITS) : y) : y != y ? x : r;                                 \
  }                                                                                              \
  static inline T F##_max(T x, T y) {                                                            \
    const T r = x > y ? x : y > x ? y : of(bits_of(x) & bits_of(y));                             \
    return x != x ? (y != y ? of(NANBITS) : y) : y != y ? x : r;                                 \
  }                                                                                              \
  static inline T F##_nan_if(T r, T x, T y) { return x != x || y != y ? of(NANBITS) : r; }       \
  static inline T F##_abs(T x) { return of(bits_of(x) & (U)~SIGN); }                             \
  static inline T F##_neg(T x) { return of(bits_of(x) ^ SIGN); }                                 \
  /* .xorsign.abs: r, a magnitude, with the sign of x times y */                                 \
  static inline T F##_xorsign(T r, T x, T y) {                                                   \
    return of(bits_of(r) | ((bits_of(x) ^ bits_of(y)) & SIGN));                                  \
  }
MINMAX(f32, float, uint32_t, f32_bits, f32_of, F32_NAN, UINT32_C(0x80000000))
MINMAX(f64, double, uint64_t, f64_bits, f64_of, F64_NAN, F64_SIGN)
#undef MINMAX

#endif
