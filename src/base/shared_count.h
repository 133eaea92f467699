/* Counts that one thread raises and others read: who sees a count sees all that was written before it was raised. */
#ifndef SLUICE_BASE_SHARED_COUNT_H
#define SLUICE_BASE_SHARED_COUNT_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ThreadSanitizer knows of counts only that each is read for itself. */
#ifdef __SANITIZE_THREAD__
#define SHARED_COUNT_BY_ONE 1
#elif defined __has_feature
#define SHARED_COUNT_BY_ONE __has_feature(thread_sanitizer)
#else
#define SHARED_COUNT_BY_ONE 0
#endif

static inline uint32_t count_seen(const uint32_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}
static inline void count_raise(uint32_t *count) {
  __atomic_store_n(count, *count + 1, __ATOMIC_RELEASE);
}
static inline uint16_t count16_seen(const uint16_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* Counts of 16 bits are looked at COUNTS_AT_ONCE side by side, in arrays of counts_room(n). */
enum { COUNTS_AT_ONCE = 16 };
static inline uint32_t counts_room(uint32_t n) {
  return (n / COUNTS_AT_ONCE + 1) * COUNTS_AT_ONCE;
}

/* The set of those of COUNTS_AT_ONCE counts of which `a` and `b` differ. */
#if defined __SSE2__ && !SHARED_COUNT_BY_ONE
static inline uint32_t counts_differ(const uint16_t *a, const uint16_t *b) {
  const __m128i *x = (const __m128i *)(const void *)a, *y = (const __m128i *)(const void *)b;
  __m128i same = _mm_packs_epi16(_mm_cmpeq_epi16(_mm_loadu_si128(x), _mm_loadu_si128(y)),
                                 _mm_cmpeq_epi16(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1)));
  __atomic_thread_fence(__ATOMIC_ACQUIRE); /* no instruction on such hosts */
  return (uint32_t)_mm_movemask_epi8(same) ^ UINT16_MAX;
}
#else
static inline uint32_t counts_differ(const uint16_t *a, const uint16_t *b) {
  uint32_t set = 0;
  for (uint32_t i = 0; i < COUNTS_AT_ONCE; i++)
    set |= (uint32_t)(count16_seen(&a[i]) != count16_seen(&b[i])) << i;
  return set;
}
#endif

#endif
