#include "l2/spin.h"
#include "base/mem.h"
#include <stdlib.h>

void spin_init(struct spin *s, uint64_t round_trip) {
  *s = (struct spin){.round_trip = round_trip, .at = {.mask = 15}};
  s->taken = xmalloc((s->at.mask + 1u) * sizeof *s->taken);
}

void spin_destroy(struct spin *s) {
  free(s->taken);
}

bool spin_takes(struct spin *s, const struct mem_request *r, const uint64_t bytes[2], uint64_t cycle) {
  uint32_t who = (uint32_t)r->sm << 16 | r->warp;
  bool early = false;
  while (s->at.count && s->taken[s->at.head].at + s->round_trip <= cycle)
    ring_drop(&s->at);
  for (uint32_t i = 0; i < s->at.count && !early; i++) {
    const struct spin_taken *t = &s->taken[ring_at(&s->at, i)];
    early = t->line == r->line && t->who != who && ((t->bytes[0] & bytes[0]) | (t->bytes[1] & bytes[1]));
  }
  if (ring_full(&s->at))
    s->taken = ring_double(s->taken, sizeof *s->taken, s->at.head, &s->at.mask);
  s->taken[ring_add(&s->at)] =
      (struct spin_taken){.line = r->line, .bytes = {bytes[0], bytes[1]}, .at = cycle, .who = who};
  return early;
}
