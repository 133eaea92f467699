#include "cache/prefetched.h"
#include "base/mem.h"
#include <stdlib.h>

static const uint64_t no_line = UINT64_MAX;

static uint32_t hash(uint64_t line) {
  return (uint32_t)((line >> 5) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static uint32_t place(const struct prefetched *p, uint64_t line) {
  uint32_t i = hash(line) & p->mask;
  while (p->unused[i] != no_line && p->unused[i] != line)
    i = (i + 1) & p->mask;
  return i;
}

void prefetched_init(struct prefetched *p, uint32_t lines) {
  p->mask = 63;
  while (p->mask < 4 * lines)
    p->mask = p->mask * 2 + 1;
  p->n = 0;
  p->unused = xmalloc((p->mask + 1u) * sizeof *p->unused);
  for (uint32_t i = 0; i <= p->mask; i++)
    p->unused[i] = no_line;
  for (uint32_t i = 0; i < PREFETCHED_VICTIMS; i++)
    p->victim[i] = no_line;
}

void prefetched_free(struct prefetched *p) {
  free(p->unused);
}

bool prefetched_take(struct prefetched *p, uint64_t line) {
  if (!p->n)
    return false;
  uint32_t i = place(p, line);
  if (p->unused[i] != line)
    return false;
  p->n--;
  for (uint32_t k = (i + 1) & p->mask; p->unused[k] != no_line; k = (k + 1) & p->mask) {
    uint32_t home = hash(p->unused[k]) & p->mask;
    if (((k - home) & p->mask) < ((k - i) & p->mask))
      continue; /* it would no longer be found there */
    p->unused[i] = p->unused[k];
    i = k;
  }
  p->unused[i] = no_line;
  return true;
}

static uint32_t forget_unused(struct prefetched *p) {
  uint32_t n = p->n;
  for (uint32_t i = 0; i <= p->mask && n; i++)
    p->unused[i] = no_line;
  p->n = 0;
  return n;
}

uint32_t prefetched_put(struct prefetched *p, uint64_t line) {
  uint32_t useless = p->n > p->mask / 2 ? forget_unused(p) : 0; /* lines that stores dropped pile up here */
  uint32_t i = place(p, line);
  bool again = p->unused[i] == line; /* a store dropped it before */
  p->n += !again;
  p->unused[i] = line;
  return useless + again;
}

void prefetched_victim(struct prefetched *p, uint64_t line) {
  p->victim[hash(line) % PREFETCHED_VICTIMS] = line;
}

bool prefetched_missed(struct prefetched *p, uint64_t line) {
  uint64_t *victim = &p->victim[hash(line) % PREFETCHED_VICTIMS];
  if (*victim != line)
    return false;
  *victim = no_line;
  return true;
}

uint32_t prefetched_forget(struct prefetched *p) {
  for (uint32_t i = 0; i < PREFETCHED_VICTIMS; i++)
    p->victim[i] = no_line;
  return forget_unused(p);
}
