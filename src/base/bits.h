/* Bits counted without a call (plain x86-64 has no instruction for it), and sets as arrays of words of 64 bits. */
#ifndef SLUICE_BASE_BITS_H
#define SLUICE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline unsigned count_bits(uint64_t v) {
#ifdef __POPCNT__
  return (unsigned)__builtin_popcountll(v);
#else
  v -= v >> 1 & UINT64_C(0x5555555555555555);
  v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
  v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Of a number below 16: a hexadecimal digit of the constant for each. */
static inline uint32_t count_bits4(uint32_t v) {
  return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * v) & 7;
}

/* Rotated by `n` modulo 64: bit n becomes bit 0. */
static inline uint64_t rotate_right(uint64_t v, uint64_t n) {
  return v >> n % 64 | v << (0 - n) % 64;
}

/* The set of one number, below 64. */
static inline uint64_t bit64(uint64_t i) {
  return UINT64_C(1) << i;
}

static inline void bits_add(uint64_t *set, uint64_t i) {
  set[i / 64] |= bit64(i % 64);
}
static inline void bits_remove(uint64_t *set, uint64_t i) {
  set[i / 64] &= ~bit64(i % 64);
}
static inline bool bits_have(const uint64_t *set, uint64_t i) {
  return set[i / 64] >> i % 64 & 1;
}

#endif
