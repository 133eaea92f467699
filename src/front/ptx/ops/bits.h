/* Scalar bit operations. */
#ifndef SLUICE_FRONT_PTX_OPS_BITS_H
#define SLUICE_FRONT_PTX_OPS_BITS_H

#include <stdint.h>

static inline uint32_t popc32(uint32_t x) {
  x -= (x >> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  return (x * 0x01010101) >> 24;
}
static inline uint32_t popc64(uint64_t x) {
  return popc32((uint32_t)x) + popc32((uint32_t)(x >> 32));
}

static inline uint32_t clz32(uint32_t x) {
  return x ? (uint32_t)__builtin_clz(x) : 32;
}
static inline uint32_t clz64(uint64_t x) {
  return x ? (uint32_t)__builtin_clzll(x) : 64;
}

/* Position of the highest bit that differs from the sign; none: all ones. shift: counted from
 * the top instead. */
static inline uint32_t bfind32(uint32_t x, int shift) {
  return x == 0 ? UINT32_MAX : shift ? clz32(x) : 31 - clz32(x);
}
static inline uint32_t bfind64(uint64_t x, int shift) {
  return x == 0 ? UINT32_MAX : shift ? clz64(x) : 63 - clz64(x);
}

static inline uint32_t brev32(uint32_t x) {
  x = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  x = ((x >> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
  x = ((x >> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
  return (x >> 16) | (x << 16);
}
static inline uint64_t brev64(uint64_t x) {
  return ((uint64_t)brev32((uint32_t)x) << 32) | brev32((uint32_t)(x >> 32));
}

static inline uint32_t shl32(uint32_t x, uint32_t n) {
  return n > 31 ? 0 : x << (n & 31);
}
static inline uint64_t shl64(uint64_t x, uint32_t n) {
  return n > 63 ? 0 : x << (n & 63);
}
static inline uint32_t shr32(uint32_t x, uint32_t n) {
  return n > 31 ? 0 : x >> (n & 31);
}
static inline uint64_t shr64(uint64_t x, uint32_t n) {
  return n > 63 ? 0 : x >> (n & 63);
}
static inline int32_t sar32(int32_t x, uint32_t n) {
  return x >> (n > 31 ? 31 : n);
}
static inline int64_t sar64(int64_t x, uint32_t n) {
  return x >> (n > 63 ? 63 : n);
}

/* The lowest n bits set; n may exceed the width. */
static inline uint32_t low_mask32(uint32_t n) {
  return n > 31 ? UINT32_MAX : (UINT32_C(1) << (n & 31)) - 1;
}
static inline uint64_t low_mask64(uint32_t n) {
  return n > 63 ? UINT64_MAX : (UINT64_C(1) << (n & 63)) - 1;
}

/* bfe, bfi: position and length are bytes in the 32-bit forms and whole words in the 64-bit ones;
 * what lies beyond the top reads as the sign bit (or 0). */
static inline uint32_t bfe_u32(uint32_t x, uint32_t pos, uint32_t len) {
  return shr32(x, pos & 255) & low_mask32(len & 255);
}
static inline uint64_t bfe_u64(uint64_t x, uint32_t pos, uint32_t len) {
  return shr64(x, pos) & low_mask64(len);
}
static inline int32_t bfe_s32(int32_t x, uint32_t pos, uint32_t len) {
  pos &= 255, len &= 255;
  const uint32_t top = pos + len - 1 > 31 ? 31 : pos + len - 1;
  const uint32_t m = low_mask32(len), field = (uint32_t)sar32(x, pos);
  const uint32_t sign = 0 - (((uint32_t)x >> (top & 31)) & 1);
  return len == 0 ? 0 : (int32_t)((field & m) | (sign & ~m));
}
static inline int64_t bfe_s64(int64_t x, uint32_t pos, uint32_t len) {
  pos = pos > 64 ? 64 : pos, len = len > 64 ? 64 : len;
  const uint32_t top = pos + len - 1 > 63 ? 63 : pos + len - 1;
  const uint64_t m = low_mask64(len), field = (uint64_t)sar64(x, pos);
  const uint64_t sign = 0 - (((uint64_t)x >> (top & 63)) & 1);
  return len == 0 ? 0 : (int64_t)((field & m) | (sign & ~m));
}

/* The low len bits of x laid into y at pos. */
static inline uint32_t bfi32(uint32_t x, uint32_t y, uint32_t pos, uint32_t len) {
  const uint32_t m = shl32(low_mask32(len & 255), pos & 255);
  return (shl32(x, pos & 255) & m) | (y & ~m);
}
static inline uint64_t bfi64(uint64_t x, uint64_t y, uint32_t pos, uint32_t len) {
  const uint64_t m = shl64(low_mask64(len), pos);
  return (shl64(x, pos) & m) | (y & ~m);
}

/* len ones from bit pos up. */
static inline uint32_t bmsk_clamp(uint32_t pos, uint32_t len) {
  return shl32(low_mask32(len), pos);
}
static inline uint32_t bmsk_wrap(uint32_t pos, uint32_t len) {
  return low_mask32(len & 31) << (pos & 31);
}

static inline uint32_t szext_u32(uint32_t x, uint32_t n) {
  return x & low_mask32(n);
}
static inline int32_t szext_s32(int32_t x, uint32_t n) {
  return n == 0 ? 0 : n > 31 ? x : (int32_t)((uint32_t)x << (32 - n)) >> (32 - n);
}

/* The n-th set bit of x from bit `base` up (n > 0) or down (n < 0). The least n, which has no
 * absolute value, finds 0. */
static inline uint32_t fns32(uint32_t x, uint32_t base, int32_t n) {
  if (n == INT32_MIN)
    return 0;
  if (base > 31)
    return UINT32_MAX;
  if (n == 0)
    return (x >> base) & 1 ? base : UINT32_MAX;
  const int step = n > 0 ? 1 : -1;
  uint32_t left = n > 0 ? (uint32_t)n : 0 - (uint32_t)n;
  for (int pos = (int)base; pos >= 0 && pos < 32; pos += step)
    if ((x >> pos) & 1 && --left == 0)
      return (uint32_t)pos;
  return UINT32_MAX;
}

static inline uint32_t lop3(uint32_t x, uint32_t y, uint32_t z, uint32_t lut) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 8; k++)
    r |= (0 - ((lut >> k) & 1)) & (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
  return r;
}

/* Funnel shift of hi:lo; n is already clamped to 32 or wrapped. */
static inline uint32_t shf_l(uint32_t lo, uint32_t hi, uint32_t n) {
  return (uint32_t)(((((uint64_t)hi << 32) | lo) << n) >> 32);
}
static inline uint32_t shf_r(uint32_t lo, uint32_t hi, uint32_t n) {
  return (uint32_t)((((uint64_t)hi << 32) | lo) >> n);
}
static inline uint32_t clamp32(uint32_t n) {
  return n > 32 ? 32 : n;
}

/* prmt: each selector nibble picks one of 8 bytes of y:x; bit 3 replicates its sign. */
static inline uint32_t prmt_byte(uint64_t bytes, uint32_t sel) {
  const uint32_t v = (uint32_t)(bytes >> (8 * (sel & 7))) & 255;
  return sel & 8 ? (v & 128 ? 255 : 0) : v;
}
static inline uint32_t prmt(uint32_t x, uint32_t y, uint32_t sel) {
  const uint64_t bytes = ((uint64_t)y << 32) | x;
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++)
    r |= prmt_byte(bytes, sel >> (4 * k)) << (8 * k);
  return r;
}
/* The special modes are fixed selectors, four per mode, chosen by the low bits of z. */
static inline uint32_t prmt_mode(uint32_t x, uint32_t y, uint32_t z, uint32_t s0, uint32_t s1, uint32_t s2,
                                 uint32_t s3) {
  z &= 3;
  return prmt(x, y, z == 0 ? s0 : z == 1 ? s1 : z == 2 ? s2 : s3);
}

#endif
