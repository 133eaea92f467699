/* Accesses by segments, as GPGPU-Sim's memory unit makes them: data of one byte in segments of 32, of two in segments of 64, all
 * else in segments of a line of 128; the highest address first. */
#include "core/sm.h"
#include <string.h>

/* Bytes of the sectors from `first` on, so many of them, of a half of a line. */
static uint64_t bytes_of(unsigned first, unsigned n, unsigned half) {
  enum { HALF = 64 / MEM_SECTOR };
  uint64_t bytes = 0;
  for (unsigned k = 0; k < HALF; k++)
    if (half * HALF + k - first < n)
      bytes |= (uint64_t)UINT32_MAX << k * MEM_SECTOR;
  return bytes;
}

void segment_split(struct sm_memop *m, uint32_t bytes) {
  uint32_t n = m->n, per = bytes / MEM_SECTOR;
  uint8_t part = (uint8_t)((1u << per) - 1);
  for (uint32_t i = 0; i < n; i++) {
    struct sm_access whole = m->access[i];
    bool first = true;
    for (uint32_t k = 0; k < MEM_SECTORS; k += per) {
      uint8_t sectors = (uint8_t)(whole.sectors & part << k);
      if (!sectors)
        continue;
      struct sm_access *a = first ? &m->access[i] : &m->access[m->n++];
      *a = whole;
      a->sectors = sectors;
      for (unsigned h = 0; h < 2; h++)
        a->bytes[h] &= bytes_of(k, per, h);
      first = false;
    }
  }
}

void segment_order(struct sm_memop *m) {
  enum { INDEX = 9 };
  uint64_t key[SM_MAX_ACCESSES];
  struct sm_access found[SM_MAX_ACCESSES];
  if (m->n < 2)
    return;
  memcpy(found, m->access, m->n * sizeof *found);
  for (uint32_t i = 0; i < m->n; i++) { /* as a rule they come in ascending order */
    uint64_t at = (found[i].line / MEM_SECTOR + (unsigned)__builtin_ctz(found[i].sectors)) << INDEX | i;
    uint32_t k = i;
    for (; k && key[k - 1] > at; k--)
      key[k] = key[k - 1];
    key[k] = at;
  }
  for (uint32_t i = 0; i < m->n; i++)
    m->access[m->n - 1 - i] = found[key[i] & ((1u << INDEX) - 1)];
}
