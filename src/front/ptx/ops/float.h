/* Scalar f32 and f64 arithmetic: IEEE in the rounding mode in force, with the hardware's NaNs,
 * flushing and saturation. */
#ifndef SLUICE_FRONT_PTX_OPS_FLOAT_H
#define SLUICE_FRONT_PTX_OPS_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define F64_SIGN  UINT64_C(0x8000000000000000)
#define F32_NAN   UINT32_C(0x7fffffff)
#define F64_NAN   UINT64_C(0xfff8000000000000) /* of an invalid operation on numbers */
#define F64_QUIET UINT64_C(0x0008000000000000)

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
/* An f32 result that is NaN is always the same NaN. */
static inline float f32_canon(float x) {
  const uint32_t u = f32_bits(x); /* compared as a number, so that the loops vectorise */
  return f32_of((u & 0x7fffffff) > 0x7f800000 ? F32_NAN : u);
}
/* f64 keeps a source's NaN, made quiet. Of several the second source's wins, then the third's,
 * then the first's; in a division the first's. */
static inline double f64_quiet(double x) {
  return f64_of(f64_bits(x) | (x != x ? F64_QUIET : 0));
}
static inline double f64_nan1(double r, double x) {
  return x != x ? f64_quiet(x) : r != r ? f64_of(F64_NAN) : r;
}
static inline double f64_nan2(double r, double x, double y) {
  return y != y ? f64_quiet(y) : f64_nan1(r, x);
}
static inline double f64_nan3(double r, double x, double y, double z) {
  return y != y ? f64_quiet(y) : z != z ? f64_quiet(z) : f64_nan1(r, x);
}
/* .ftz results: wide is the result scaled by 2^64, so rounded as if exponents had no lower end.
 * What is then still below the least normal number becomes zero, even if r was rounded up to it. */
static inline float f32_flush_result(float r, float wide) {
  const uint32_t u = f32_bits(r);
  /* cppcheck-suppress incorrectLogicOperator ; a range around 0, in hexadecimal constants */
  return wide < 0x1p-62f && wide > -0x1p-62f ? f32_of(u & 0x80000000) : r;
}
/* .sat: to [0, 1]; NaN and -0 become +0. */
static inline float f32_sat(float x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}
static inline double f64_sat(double x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

/* Minimum and maximum: -0 < +0; a NaN loses against a number unless .NaN is given. BOTH: of two
 * NaNs, given the second. */
#define MINMAX(F, T, U, bits_of, of, BOTH, SIGN)                                                             \
  static inline T F##_min(T x, T y) {                                                                        \
    const T r = x < y ? x : y < x ? y : of(bits_of(x) | bits_of(y));                                         \
    return x != x ? (y != y ? BOTH(y) : y) : y != y ? x : r;                                                 \
  }                                                                                                          \
  static inline T F##_max(T x, T y) {                                                                        \
    const T r = x > y ? x : y > x ? y : of(bits_of(x) & bits_of(y));                                         \
    return x != x ? (y != y ? BOTH(y) : y) : y != y ? x : r;                                                 \
  }                                                                                                          \
  static inline T F##_abs(T x) {                                                                             \
    return x != x ? BOTH(x) : of(bits_of(x) & (U)~SIGN);                                                     \
  }                                                                                                          \
  static inline T F##_neg(T x) {                                                                             \
    return x != x ? BOTH(x) : of(bits_of(x) ^ SIGN);                                                         \
  }                                                                                                          \
  /* .xorsign.abs: r, a magnitude, with the sign of x times y */                                             \
  static inline T F##_xorsign(T r, T x, T y) {                                                               \
    return r != r ? r : of(bits_of(r) | ((bits_of(x) ^ bits_of(y)) & SIGN));                                 \
  }
MINMAX(f32, float, uint32_t, f32_bits, f32_of, f32_canon, UINT32_C(0x80000000))
MINMAX(f64, double, uint64_t, f64_bits, f64_of, f64_quiet, F64_SIGN)
#undef MINMAX
static inline float f32_nan_if(float r, float x, float y) {
  return x != x || y != y ? f32_of(F32_NAN) : r;
}

#endif
