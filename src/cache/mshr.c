#include "cache/ways.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const struct mshr *m, uint64_t key) {
  return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & m->mask;
}

void mshr_init(struct mshr *m, uint32_t entries, uint32_t merges) {
  *m = (struct mshr){.entries = entries, .merges = merges, .mask = 3};
  while (m->mask + 1 < 2 * entries)
    m->mask = m->mask * 2 + 1;
  m->index = xcalloc((size_t)m->mask + 1, sizeof *m->index);
  m->entry = xcalloc(entries + 1, sizeof *m->entry);
  m->waiter = xcalloc((size_t)entries * merges + 1, sizeof *m->waiter);
  for (uint32_t i = 0; i < entries; i++)
    m->entry[i].next_free = i + 1 < entries ? i + 1 : MSHR_NONE;
  m->free = entries ? 0 : MSHR_NONE;
}

void mshr_destroy(struct mshr *m) {
  free(m->index);
  free(m->entry);
  free(m->waiter);
}

uint32_t mshr_find_hashed(const struct mshr *m, uint64_t key) {
  for (uint32_t h = slot_of(m, key); m->index[h]; h = (h + 1) & m->mask)
    if (m->entry[m->index[h] - 1].key == key)
      return m->index[h] - 1;
  return MSHR_NONE;
}

void mshr_hash(struct mshr *m, uint32_t e, uint64_t key) {
  uint32_t h = slot_of(m, key);
  m->entry[e].key = key;
  m->entry[e].hashed = true;
  while (m->index[h])
    h = (h + 1) & m->mask;
  m->index[h] = e + 1;
  m->hashed++;
}

/* Closes the gap: an entry that came to lie further along because of this one moves back. */
void mshr_unhash(struct mshr *m, uint32_t e) {
  uint32_t h = slot_of(m, m->entry[e].key);
  while (m->index[h] != e + 1)
    h = (h + 1) & m->mask;
  m->index[h] = 0;
  for (uint32_t gap = h, at = (h + 1) & m->mask; m->index[at]; at = (at + 1) & m->mask) {
    uint32_t home = slot_of(m, m->entry[m->index[at] - 1].key);
    if (((at - home) & m->mask) < ((at - gap) & m->mask))
      continue;
    m->index[gap] = m->index[at];
    m->index[at] = 0;
    gap = at;
  }
  m->hashed--;
}
