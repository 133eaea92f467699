#include "base/rng.h"

uint64_t rng_below(uint64_t *state, uint64_t n) {
  uint64_t reject = (UINT64_C(0) - n) % n; /* 2^64 mod n */
  uint64_t x;
  do
    x = rng_splitmix(state);
  while (x < reject);
  return x % n;
}

double rng_unit(uint64_t *state) {
  return (double)(rng_splitmix(state) >> 11) * 0x1p-53;
}
