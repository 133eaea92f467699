/* Counts that one thread raises and others read: who sees a count sees all that was written before it was raised. */
#ifndef SLUICE_BASE_SHARED_COUNT_H
#define SLUICE_BASE_SHARED_COUNT_H

#include <stdint.h>

static inline uint32_t count_seen(const uint32_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}
static inline void count_raise(uint32_t *count) {
  __atomic_store_n(count, *count + 1, __ATOMIC_RELEASE);
}
static inline uint16_t count16_seen(const uint16_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* COUNTS_AT_ONCE counts of 16 bits side by side, of which the first is aligned to 8 bytes, in one word. */
enum { COUNT_BITS = 16, COUNTS_AT_ONCE = 64 / COUNT_BITS };
static inline uint64_t counts_seen(const uint16_t *first) {
  typedef uint64_t __attribute__((may_alias)) counts;
  return __atomic_load_n((const counts *)(const void *)first, __ATOMIC_ACQUIRE);
}
/* The highest bit of each count of such a word that is not 0. */
static inline uint64_t counts_not_zero(uint64_t counts) {
  const uint64_t high = UINT64_C(0x8000800080008000);
  return (((counts & ~high) + ~high) | counts) & high;
}

#endif
