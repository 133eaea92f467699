/* Sectors of a request (32 bytes, mem/mem.h) and sectors of a cache, which may be larger; both as bit sets. */
#ifndef SLUICE_MEM_SECTORS_H
#define SLUICE_MEM_SECTORS_H

#include "mem/mem.h"

/* Sectors of a request → sectors of a cache whose sectors have `sector_bytes` bytes. */
static inline uint32_t sectors_to_cache(uint32_t sector_bytes, uint8_t sectors) {
  if (sector_bytes == MEM_SECTOR)
    return sectors;
  unsigned per = (unsigned)__builtin_ctz(sector_bytes / MEM_SECTOR); /* log2 */
  uint32_t out = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    out |= ((uint32_t)sectors >> i & 1u) << (i >> per);
  return out;
}

/* The number of sectors in a set of at most four: a hexadecimal digit of the constant for each of the 16
 * sets. */
static inline uint32_t sectors_count(uint32_t sectors) {
  return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * sectors) & 7;
}

/* Sectors of a cache → sectors of a request. */
static inline uint8_t sectors_from_cache(uint32_t sector_bytes, uint32_t sectors) {
  if (sector_bytes == MEM_SECTOR)
    return (uint8_t)sectors;
  unsigned per = (unsigned)__builtin_ctz(sector_bytes / MEM_SECTOR); /* log2 */
  uint32_t out = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    out |= (sectors >> (i >> per) & 1) << i;
  return (uint8_t)out;
}

/* The sectors of a request in which bytes of its line lie. */
static inline uint8_t sectors_of_bytes(const uint64_t bytes[2]) {
  uint8_t out = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    if ((uint32_t)(bytes[i / 2] >> i % 2 * 32))
      out |= (uint8_t)(1u << i);
  return out;
}

#endif
