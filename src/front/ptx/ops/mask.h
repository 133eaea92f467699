/* A condition per lane, gathered into one bit mask. */
#ifndef SLUICE_FRONT_PTX_OPS_MASK_H
#define SLUICE_FRONT_PTX_OPS_MASK_H

#include "front/ptx/ops/lanes.h"
#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

/* Bit i = top bit of m[i]; every byte is 0 or 0xff. */
static inline uint32_t mask_of_bytes(const uint8_t m[LANES]) {
#if defined(__AVX2__)
  return (uint32_t)_mm256_movemask_epi8(_mm256_load_si256((const __m256i *)(const void *)m));
#elif defined(__SSE2__)
  const __m128i *v = (const __m128i *)(const void *)m;
  const uint32_t lo = (uint32_t)_mm_movemask_epi8(_mm_load_si128(v));
  return lo | (uint32_t)_mm_movemask_epi8(_mm_load_si128(v + 1)) << 16;
#else
  /* One bit of each of 8 bytes, brought together in the top byte by a multiplication whose
   * partial products do not meet. */
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++) {
    uint64_t w = 0;
    for (unsigned j = 0; j < 8; j++)
      w |= (uint64_t)m[8 * k + j] << (8 * j);
    r |= (uint32_t)(((w & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56) << (8 * k);
  }
  return r;
#endif
}

/* var = mask of the lanes for which cond (in terms of i) holds. */
#define MASK_LOOP(var, LOADS, cond)                                                                          \
  uint32_t var;                                                                                              \
  {                                                                                                          \
    alignas(64) uint8_t mask_bytes[LANES];                                                                   \
    LANE_LOOP for (unsigned i = 0; i < LANES; i++) {                                                         \
      LOADS                                                                                                  \
      mask_bytes[i] = (cond) ? 0xff : 0;                                                                     \
    }                                                                                                        \
    var = mask_of_bytes(mask_bytes);                                                                         \
  }

/* Lane i of a mask as 0 or 1. */
#define MASK_BIT(m, i) (((m) >> (i)) & 1)

#endif
