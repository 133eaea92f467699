#include "base/hash.h"
#include <string.h>

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed) {
  const unsigned char *at = p;
  uint64_t h = hash_mix(seed ^ n * UINT64_C(0x9e3779b97f4a7c15));
  for (; n >= 8; at += 8, n -= 8) {
    uint64_t w = 0;
    for (int i = 0; i < 8; i++) /* little endian everywhere; compilers make it one load */
      w |= (uint64_t)at[i] << 8 * i;
    h = hash_mix(h ^ w) + UINT64_C(0x9e3779b97f4a7c15);
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < n; i++)
    tail |= (uint64_t)at[i] << 8 * i;
  return hash_mix(h ^ tail);
}

uint64_t hash_str(const char *s) {
  return hash_bytes(s, strlen(s), 0);
}
