/* Slots of the next cycles, so many of which can be taken in each: of a fetch unit, of result buses. */
#ifndef SLUICE_CORE_SLOTS_H
#define SLUICE_CORE_SLOTS_H

#include <stdint.h>
#include <string.h>

enum { SLOTS_AHEAD = 256 };

struct slots {
  uint64_t from; /* the first cycle of which `used` tells */
  uint8_t used[SLOTS_AHEAD];
};

/* Forgets cycles before `now`. */
static inline void slots_pass(struct slots *s, uint64_t now) {
  uint64_t n = now - s->from;
  if (n >= SLOTS_AHEAD)
    memset(s->used, 0, sizeof s->used);
  else
    for (uint64_t c = s->from; c < now; c++)
      s->used[c % SLOTS_AHEAD] = 0;
  s->from = now;
}

/* The first cycle, `at` or later, of which fewer than `most` are taken; takes one. Cycles too far ahead are always free. */
static inline uint64_t slots_take(struct slots *s, uint64_t at, uint32_t most) {
  while (at - s->from < SLOTS_AHEAD && s->used[at % SLOTS_AHEAD] >= most)
    at++;
  if (at - s->from < SLOTS_AHEAD)
    s->used[at % SLOTS_AHEAD]++;
  return at;
}

#endif
