/* Scalar integer arithmetic, as the hardware does it: wrapping, with defined results for
 * division by zero. */
#ifndef SLUICE_FRONT_PTX_OPS_INT_H
#define SLUICE_FRONT_PTX_OPS_INT_H

#include <stdint.h>

static inline int32_t add_sat_s32(int32_t x, int32_t y) {
  const int64_t r = (int64_t)x + y;
  return r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : (int32_t)r;
}

static inline int32_t sub_sat_s32(int32_t x, int32_t y) {
  const int64_t r = (int64_t)x - y;
  return r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : (int32_t)r;
}

/* Low 24 bits, sign-extended or not. */
static inline int64_t low24_s(int32_t x) {
  return (int32_t)((uint32_t)x << 8) >> 8;
}
static inline uint64_t low24_u(uint32_t x) {
  return x & 0xffffff;
}

/* Quotient and remainder of a division by zero are all ones. The one signed overflow wraps. */
static inline uint64_t div_u64(uint64_t x, uint64_t y) {
  return y ? x / y : UINT64_MAX;
}
static inline uint64_t rem_u64(uint64_t x, uint64_t y) {
  return y ? x % y : UINT64_MAX;
}
static inline int64_t div_s64(int64_t x, int64_t y) {
  if (y == 0)
    return -1;
  return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}
static inline int64_t rem_s64(int64_t x, int64_t y) {
  if (y == 0)
    return -1;
  return y == -1 ? 0 : x % y;
}

/* 32-bit operands are exact in double and so far apart in quotient that truncating the rounded
 * quotient is exact; unlike an integer division this vectorises. Conversions are kept to int32_t,
 * which every instruction set has. */
static inline uint32_t div_u32(uint32_t x, uint32_t y) {
  const double q = (double)x / (double)(y ? y : 1);
  const uint32_t big = q >= 0x1p31;
  const uint32_t r = (uint32_t)(int32_t)(q - (big ? 0x1p31 : 0)) + (big << 31);
  return y ? r : UINT32_MAX;
}
static inline uint32_t rem_u32(uint32_t x, uint32_t y) {
  return y ? x - y * div_u32(x, y) : UINT32_MAX;
}
static inline int32_t div_s32(int32_t x, int32_t y) {
  const int32_t q = (int32_t)((double)x / (double)(y == 0 || y == -1 ? 1 : y));
  return y == 0 ? -1 : y == -1 ? (int32_t)(0 - (uint32_t)x) : q;
}
static inline int32_t rem_s32(int32_t x, int32_t y) {
  return y ? (int32_t)((uint32_t)x - (uint32_t)y * (uint32_t)div_s32(x, y)) : -1;
}

/* Two 16-bit halves at once. */
#define HALVES(name, type, expr)                                                                             \
  static inline uint32_t name(uint32_t a, uint32_t b) {                                                      \
    uint32_t r = 0;                                                                                          \
    for (unsigned k = 0; k < 32; k += 16) {                                                                  \
      const type x = (type)(a >> k), y = (type)(b >> k);                                                     \
      r |= (uint32_t)(uint16_t)(expr) << k;                                                                  \
    }                                                                                                        \
    return r;                                                                                                \
  }
HALVES(add_16x2, uint16_t, x + y)
HALVES(min_u16x2, uint16_t, x < y ? x : y)
HALVES(max_u16x2, uint16_t, x > y ? x : y)
HALVES(min_s16x2, int16_t, x < y ? x : y)
HALVES(max_s16x2, int16_t, x > y ? x : y)
HALVES(min_relu_s16x2, int16_t, (x < y ? x : y) < 0 ? 0 : x < y ? x : y)
HALVES(max_relu_s16x2, int16_t, (x > y ? x : y) < 0 ? 0 : x > y ? x : y)
#undef HALVES

/* dp4a, dp2a: sums of products of bytes; As, Bs: is the operand signed. */
static inline int32_t byte_of(uint32_t v, unsigned i, int is_signed) {
  const uint8_t u = (uint8_t)(v >> (8 * i));
  return is_signed ? (int8_t)u : u;
}
static inline int32_t half_of(uint32_t v, unsigned i, int is_signed) {
  const uint16_t u = (uint16_t)(v >> (16 * i));
  return is_signed ? (int16_t)u : u;
}
static inline uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c, int as, int bs) {
  for (unsigned i = 0; i < 4; i++)
    c += (uint32_t)(byte_of(a, i, as) * byte_of(b, i, bs));
  return c;
}
static inline uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c, int as, int bs, unsigned first) {
  for (unsigned i = 0; i < 2; i++)
    c += (uint32_t)(half_of(a, i, as) * byte_of(b, first + i, bs));
  return c;
}

/* Clamped to a range, as a field of so many bits. */
static inline uint32_t pack_clamp(int64_t x, int64_t lo, int64_t hi, unsigned bits) {
  return (uint32_t)(x < lo ? lo : x > hi ? hi : x) & (uint32_t)((UINT64_C(1) << bits) - 1);
}

#endif
