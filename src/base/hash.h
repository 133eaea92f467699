/* 64-bit hash for tables and for naming content. The same on every machine; not for hostile keys. */
#ifndef SLUICE_BASE_HASH_H
#define SLUICE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Every input bit reaches every output bit (the finaliser of splitmix64). */
static inline uint64_t hash_mix(uint64_t x) {
  x ^= x >> 30;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);
uint64_t hash_str(const char *s);

#endif
