/* Arithmetic on f16 and bf16, correctly rounded: the exact result, or one in more than twice the
 * precision (or rounded to odd), is rounded once. f16 fits f32 that way; products of bf16, whose
 * exponents are those of f32, need double. */
#ifndef SLUICE_FRONT_PTX_OPS_HALF_OPS_H
#define SLUICE_FRONT_PTX_OPS_HALF_OPS_H

#include "front/ptx/ops/half.h"

/* .ftz results, as for f32: what is below the least normal number after rounding to 11 bits
 * whatever the exponent becomes zero. */
static inline uint32_t f16_narrow_flush(float v) {
  const uint32_t r = f16_from_f32(v), wide = f16_from_f32(v * 0x1p4f);
  return (wide & 0x7fff) < 0x1400 ? r & 0x8000 : r;
}

/* .oob: a NaN of this encoding, of either sign, marks a value read from outside a tensor */
#define HALF_OOB UINT32_C(0x7ff7)

#define HALF_OPS(F, INF, ONE)                                                                                \
  static inline double F##_d(uint32_t x) {                                                                   \
    return F##_to_f32(x);                                                                                    \
  }                                                                                                          \
  static inline uint32_t F##_is_nan(uint32_t x) {                                                            \
    return (x & 0x7fff) > (INF);                                                                             \
  }                                                                                                          \
  static inline uint32_t F##_add(uint32_t x, uint32_t y) {                                                   \
    return F##_from_f32(F##_to_f32(x) + F##_to_f32(y));                                                      \
  }                                                                                                          \
  static inline uint32_t F##_sub(uint32_t x, uint32_t y) {                                                   \
    return F##_from_f32(F##_to_f32(x) - F##_to_f32(y));                                                      \
  }                                                                                                          \
  static inline uint32_t F##_sat(uint32_t r) {                                                               \
    return F##_is_nan(r) || r & 0x8000 ? 0 : r > (ONE) ? (ONE) : r;                                          \
  }                                                                                                          \
  static inline uint32_t F##_relu(uint32_t r) {                                                              \
    return F##_is_nan(r) ? 0x7fff : r & 0x8000 ? 0 : r;                                                      \
  }                                                                                                          \
  static inline uint32_t F##_oob(uint32_t r, uint32_t x, uint32_t y) {                                       \
    return (x & 0x7fff) == HALF_OOB || (y & 0x7fff) == HALF_OOB ? 0 : r;                                     \
  }                                                                                                          \
  /* bit patterns in numerical order, -0 below +0 */                                                         \
  static inline int32_t F##_order(uint32_t x) {                                                              \
    return x & 0x8000 ? ~(int32_t)(x & 0x7fff) : (int32_t)x;                                                 \
  }                                                                                                          \
  static inline uint32_t F##_min(uint32_t x, uint32_t y) {                                                   \
    const uint32_t r = F##_order(x) < F##_order(y) ? x : y;                                                  \
    return F##_is_nan(x) ? (F##_is_nan(y) ? 0x7fff : y) : F##_is_nan(y) ? x : r;                             \
  }                                                                                                          \
  static inline uint32_t F##_max(uint32_t x, uint32_t y) {                                                   \
    const uint32_t r = F##_order(x) > F##_order(y) ? x : y;                                                  \
    return F##_is_nan(x) ? (F##_is_nan(y) ? 0x7fff : y) : F##_is_nan(y) ? x : r;                             \
  }                                                                                                          \
  static inline uint32_t F##_nan_if(uint32_t r, uint32_t x, uint32_t y) {                                    \
    return F##_is_nan(x) || F##_is_nan(y) ? 0x7fff : r;                                                      \
  }                                                                                                          \
  static inline uint32_t F##_abs(uint32_t x) {                                                               \
    return F##_is_nan(x) ? 0x7fff : x & 0x7fff;                                                              \
  }                                                                                                          \
  static inline uint32_t F##_neg(uint32_t x) {                                                               \
    return F##_is_nan(x) ? 0x7fff : x ^ 0x8000;                                                              \
  }                                                                                                          \
  static inline uint32_t F##_xorsign(uint32_t r, uint32_t x, uint32_t y) {                                   \
    return F##_is_nan(r) ? r : r | ((x ^ y) & 0x8000);                                                       \
  }
HALF_OPS(f16, 0x7c00, 0x3c00)
HALF_OPS(bf16, 0x7f80, 0x3f80)
#undef HALF_OPS

static inline uint32_t f16_mul(uint32_t x, uint32_t y) {
  return f16_from_f32(f16_to_f32(x) * f16_to_f32(y));
}
static inline uint32_t f16_fma(uint32_t x, uint32_t y, uint32_t z) {
  return f16_from_f32(add_odd_f32(f16_to_f32(x) * f16_to_f32(y), f16_to_f32(z)));
}
static inline uint32_t f16_mul_ftz(uint32_t x, uint32_t y) {
  return f16_narrow_flush(f16_to_f32(f16_flush(x)) * f16_to_f32(f16_flush(y)));
}
static inline uint32_t f16_fma_ftz(uint32_t x, uint32_t y, uint32_t z) {
  const float p = f16_to_f32(f16_flush(x)) * f16_to_f32(f16_flush(y));
  return f16_narrow_flush(add_odd_f32(p, f16_to_f32(f16_flush(z))));
}
static inline uint32_t bf16_mul(uint32_t x, uint32_t y) {
  return bf16_from_f64(bf16_d(x) * bf16_d(y), PTX_RN);
}
static inline uint32_t bf16_fma(uint32_t x, uint32_t y, uint32_t z) {
  return bf16_from_f64(add_odd(bf16_d(x) * bf16_d(y), bf16_d(z)), PTX_RN);
}

#endif
