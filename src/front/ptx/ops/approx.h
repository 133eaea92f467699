/* The .approx functions: own evaluation in double with + - * / and sqrt alone, so that every
 * build gives the same bits. Errors are far below one f32 ulp, hence within the PTX ISA's bounds
 * of the exact value and of the hardware. */
#ifndef SLUICE_FRONT_PTX_OPS_APPROX_H
#define SLUICE_FRONT_PTX_OPS_APPROX_H

#include "front/ptx/ops/float.h"
#include "front/ptx/ops/half_ops.h"

/* Nearest integer of |x| < 2^51: adding 1.5 * 2^52 leaves it in the low mantissa bits. */
#define ROUND_MAGIC 0x1.8p52

/* 2^x for |x| <= 1000: 2^n by exponent, 2^f, |f| <= 1/2, by the series of e^(f ln 2). */
static inline double exp2_d(double x) {
  const double shifted = x + ROUND_MAGIC;
  const double f = (x - (shifted - ROUND_MAGIC)) * 0x1.62e42fefa39efp-1;
  double p = 1.0 / 3628800;
  p = p * f + 1.0 / 362880;
  p = p * f + 1.0 / 40320;
  p = p * f + 1.0 / 5040;
  p = p * f + 1.0 / 720;
  p = p * f + 1.0 / 120;
  p = p * f + 1.0 / 24;
  p = p * f + 1.0 / 6;
  p = p * f + 0.5;
  p = p * f + 1.0;
  p = p * f + 1.0;
  return p * f64_of((f64_bits(shifted) + 1023) << 52);
}
static inline float ex2_approx(float x) {
  const double c = x > 200 ? 200 : x > -200 ? (double)x : -200;
  return x != x ? f32_of(F32_NAN) : (float)exp2_d(c);
}

/* log2 of a positive normal double: mantissa in [sqrt(1/2), sqrt(2)), then 2 atanh((m-1)/(m+1)). */
static inline double log2_d(double x) {
  const uint64_t u = f64_bits(x) - UINT64_C(0x3fe6a09e667f3bcd);
  const double e = (double)(int32_t)(u >> 52 & 0x800 ? (u >> 52) | 0xfffff000 : u >> 52);
  const double m = f64_of((u & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd));
  const double s = (m - 1) / (m + 1), q = s * s;
  double p = 1.0 / 17;
  p = p * q + 1.0 / 15;
  p = p * q + 1.0 / 13;
  p = p * q + 1.0 / 11;
  p = p * q + 1.0 / 9;
  p = p * q + 1.0 / 7;
  p = p * q + 1.0 / 5;
  p = p * q + 1.0 / 3;
  p = p * q + 1.0;
  return e + p * s * (2 * 0x1.71547652b82fep0);
}
static inline float lg2_approx(float x) {
  const float r = (float)log2_d(x > 0 ? (double)x : 1.0);
  return x != x || x < 0 ? f32_of(F32_NAN) : x == 0 ? f32_of(0xff800000) : x > 0x1.fffffep127f ? x : r;
}

/* x / 2 pi, truncated to f32: what the hardware's sine and cosine start from. All of their error
 * for large arguments is in it. */
static inline float turns(float x) {
  const double p = (double)x * 0x1.45f306p-3;
  const float t = (float)p;
  const int beyond = p > 0 ? (double)t > p : (double)t < p;
  return f32_of(f32_bits(t) - (uint32_t)beyond);
}
/* sin(2 pi (t + k/4)), |t| < 2^50: reduced to an eighth of a turn, then by series. */
static inline double sin_turns(double t, uint64_t k) {
  const double shifted = t * 4 + ROUND_MAGIC;
  const double r = (t * 4 - (shifted - ROUND_MAGIC)) * 0x1.921fb54442d18p0, q = r * r;
  double s = -1.0 / 39916800;
  s = s * q + 1.0 / 362880;
  s = s * q - 1.0 / 5040;
  s = s * q + 1.0 / 120;
  s = s * q - 1.0 / 6;
  s = s * q * r + r;
  double c = 1.0 / 479001600;
  c = c * q - 1.0 / 3628800;
  c = c * q + 1.0 / 40320;
  c = c * q - 1.0 / 720;
  c = c * q + 1.0 / 24;
  c = c * q - 0.5;
  c = c * q + 1.0;
  const uint64_t quadrant = f64_bits(shifted) + k;
  const double v = quadrant & 1 ? c : s;
  return quadrant & 2 ? -v : v;
}
/* From 2^23 turns on there is no fraction left. */
static inline double whole_turns(float t) {
  return t < 0x1p23f && t > -0x1p23f ? (double)t : 0.0;
}
static inline float sin_approx(float x) {
  const float r = (float)sin_turns(whole_turns(turns(x)), 0);
  return x - x != 0 ? f32_of(F32_NAN) : r == 0 ? f32_of(f32_bits(x) & 0x80000000) : r;
}
static inline float cos_approx(float x) {
  return x - x != 0 ? f32_of(F32_NAN) : (float)sin_turns(whole_turns(turns(x)), 1);
}

/* (e^2x - 1) / (e^2x + 1); tiny arguments are their own tanh. */
static inline float tanh_approx(float x) {
  const double c = x > 20 ? 20 : x > -20 ? (double)x : -20;
  const double t = exp2_d(c * (2 * 0x1.71547652b82fep0));
  const float r = (float)((t - 1) / (t + 1));
  return x != x ? f32_of(F32_NAN) : x < 0x1p-12f && x > -0x1p-12f ? x : r;
}

static inline float rsqrt_approx(float x) {
  return x < 0 ? f32_of(F32_NAN) : f32_canon((float)(1.0 / sqrt((double)x)));
}

static inline float div_full_ftz(float x, float y) {
  return f32_canon(f32_flush_result(x / y, x * 0x1p64f / y));
}

/* x / y as x * (1 / y): a y beyond 2^126 has a reciprocal that is flushed. */
static inline float div_approx(float x, float y) {
  const float m = f32_abs(y);
  const int lost = m > 0x1p126f && m < INFINITY;
  const float zero = f32_of((f32_bits(x) ^ f32_bits(y)) & 0x80000000);
  const float gone = x - x != 0 ? f32_of(F32_NAN) : zero;
  return lost ? gone : f32_canon(x / y);
}
static inline float div_approx_ftz(float x, float y) {
  return f32_flush_result(div_approx(x, y), x * 0x1p64f / y);
}

/* The f64 forms with .ftz look at the upper half of the argument and give the upper half of the
 * result; so an infinity may have been a NaN. */
static inline double f64_upper(double x) {
  return f64_of(f64_bits(x) & UINT64_C(0xffffffff00000000));
}
static inline double f64_upper_rounded(double x) {
  const double r = f64_of((f64_bits(x) + UINT64_C(0x80000000)) & UINT64_C(0xffffffff00000000));
  return x != x ? f64_of(UINT64_C(0x7fffffff00000000)) : r;
}
static inline double f64_flush(double x) {
  const uint64_t u = f64_bits(x);
  return f64_of(u & (u & UINT64_C(0x7ff0000000000000) ? UINT64_MAX : F64_SIGN));
}
static inline double rcp_approx_f64(double x) {
  return f64_flush(f64_upper_rounded(1.0 / f64_flush(f64_upper(x))));
}
static inline double rsqrt_approx_ftz_f64(double x) {
  return f64_upper_rounded(1.0 / sqrt(f64_flush(f64_upper(x))));
}
static inline double rsqrt_approx_f64(double x) {
  return f64_nan1(1.0 / sqrt(x), x);
}

/* Half precision: the f32 function, rounded. */
static inline uint32_t ex2_approx_f16(uint32_t x) {
  return f16_from_f32(ex2_approx(f16_to_f32(x)));
}
static inline uint32_t tanh_approx_f16(uint32_t x) {
  return f16_from_f32(tanh_approx(f16_to_f32(x)));
}
static inline uint32_t bf16_flush(uint32_t x) {
  return x & (x & 0x7f80 ? 0xffff : 0x8000);
}
static inline uint32_t ex2_approx_bf16(uint32_t x) {
  return bf16_flush(bf16_from_f32(ex2_approx(bf16_to_f32(bf16_flush(x)))));
}
static inline uint32_t tanh_approx_bf16(uint32_t x) {
  return bf16_from_f32(tanh_approx(bf16_to_f32(x)));
}

#endif
