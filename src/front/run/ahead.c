/* Indirect reads, tab[idx[i]], miss the host's caches lane by lane, and nothing the host's own prefetchers
 * see foretells them. But the indices mostly lie on a line that moves by the same step from one iteration
 * to the next. So when a scattered load turns out to follow from the load before it (address = start +
 * 4 * value), each later execution of that one looks where it will read next, and asks the host for what
 * those indices lead to. Guesses only: nothing but speed depends on them. */
#include "front/run/run.h"
#include <string.h>

enum { SCALE = 4, TRIES = 64 };
#define LIKELY_CACHED (UINT64_C(512) << 10) /* where scattered reads find most of a smaller buffer */

static uint64_t offset_of(const struct site *s, const struct uop *u, const struct hint *h, unsigned lane) {
  uint64_t start = access_start(s, u) - h->buf.begin;
  switch (u->x->index) {
  case INDEX_NONE:
    return start + site_u64(s, u->a, lane);
  case INDEX_32:
    return start + (uint64_t)((int64_t)(int32_t)site_u32(s, u->a, lane) * 4);
  default:
    return start + (uint64_t)((int64_t)(int32_t)site_u64(s, u->a, lane) * 4);
  }
}

bool ahead_worth(const struct uop_ext *m, const struct lane_buffer *b) {
  return m->producer && b->size > LIKELY_CACHED;
}

/* Does load u, about to be executed, follow from the values of its producer? */
void ahead_learn(const struct site *s, const struct uop *u, uint32_t mask) {
  const struct uop_ext *m = u->x;
  struct hint *h = &s->x->hints[m->id], *p = &s->x->hints[m->producer->id];
  if (++h->tries == TRIES)
    h->how &= (uint8_t)~HINT_LEARNS;
  unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
  int32_t a = (int32_t)site_u32(s, m->producer->regs[0], first),
          b = (int32_t)site_u32(s, m->producer->regs[0], last);
  uint64_t start = offset_of(s, u, h, first) - (uint64_t)((int64_t)a * SCALE);
  if (a == b || start != offset_of(s, u, h, last) - (uint64_t)((int64_t)b * SCALE))
    return;
  p->how |= HINT_FEEDS;
  p->feeds = m->id;
  p->from = start;
  h->how &= (uint8_t)~HINT_LEARNS; /* found */
}

/* A load on a line, base + stride * lane, whose values are indices. */
static void look_ahead(const struct site *s, struct hint *h, uint64_t base, int64_t stride, uint32_t mask) {
  const struct hint *to = &s->x->hints[h->feeds];
  uint64_t next = base + (base - h->base) - h->buf.begin, end = next + (uint64_t)stride * 31;
  bool still = base == h->base;
  h->base = base;
  if (still || next > h->buf.size - 4 || end > h->buf.size - 4 || !(to->how & HINT_WORD) ||
      to->buf.size <= LIKELY_CACHED)
    return;
  for (; mask; mask &= mask - 1) {
    int32_t index;
    memcpy(&index, h->buf.host + next + (uint64_t)stride * (unsigned)__builtin_ctz(mask), 4);
    uint64_t at = h->from + (uint64_t)((int64_t)index * SCALE);
    if (at < to->buf.size)
      __builtin_prefetch(to->buf.host + at, 0, 2); /* into the second level: it has room for more misses */
  }
}

/* After a load whose values are indices; `words` is its access in the stream. */
void ahead_of_load(const struct site *s, const struct uop *u, uint32_t mask, const uint32_t *words) {
  if (SLUICE_ACCESS_FORM(words[0]) == SLUICE_AFFINE)
    look_ahead(s, &s->x->hints[u->x->id], words[1] | (uint64_t)words[2] << 32, (int32_t)words[3], mask);
}
