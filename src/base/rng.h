/* Seeded random numbers, the same on every machine. */
#ifndef SLUICE_BASE_RNG_H
#define SLUICE_BASE_RNG_H

#include <stdint.h>

/* splitmix64: any seed is good; one addition and a mix per number. */
static inline uint64_t rng_splitmix(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* xorshift64: the state must not be 0. */
static inline uint64_t rng_xorshift(uint64_t *state) {
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return *state = x;
}

/* Even over [0, n), n > 0, without the bias of a plain modulo. */
uint64_t rng_below(uint64_t *state, uint64_t n);
/* [0, 1) in steps of 2^-53 */
double rng_unit(uint64_t *state);

#endif
