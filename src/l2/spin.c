#include "l2/spin.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

void spin_init(struct spin *s, uint64_t round_trip) {
  *s = (struct spin){.round_trip = round_trip};
}

void spin_destroy(struct spin *s) {
  free(s->taken);
}

static void grow(struct spin *s) {
  uint32_t size = s->taken ? s->mask + 1 : 0, more = size ? size : 16;
  s->taken = xrealloc(s->taken, (size_t)(size + more) * sizeof *s->taken);
  memcpy(s->taken + size, s->taken, s->head * sizeof *s->taken); /* the ring goes on behind its old end */
  s->mask = size + more - 1;
}

bool spin_takes(struct spin *s, const struct mem_request *r, const uint64_t bytes[2], uint64_t cycle) {
  uint32_t who = (uint32_t)r->sm << 16 | r->warp;
  bool early = false;
  while (s->n && s->taken[s->head].at + s->round_trip <= cycle)
    s->head = (s->head + 1) & s->mask, s->n--;
  for (uint32_t i = 0; i < s->n && !early; i++) {
    const struct spin_taken *t = &s->taken[(s->head + i) & s->mask];
    early = t->line == r->line && t->who != who && ((t->bytes[0] & bytes[0]) | (t->bytes[1] & bytes[1]));
  }
  if (!s->taken || s->n > s->mask)
    grow(s);
  s->taken[(s->head + s->n++) & s->mask] =
      (struct spin_taken){.line = r->line, .bytes = {bytes[0], bytes[1]}, .at = cycle, .who = who};
  return early;
}
