/* Slots of the next cycles, of which a limited number can be taken in each cycle: of a fetch unit, of result buses. */
#ifndef SLUICE_CORE_SLOTS_H
#define SLUICE_CORE_SLOTS_H

#include <stdint.h>

enum { SLOTS_AHEAD = 256, SLOTS_COUNT = 8 /* bits of the count */ };

struct slots {
  uint64_t used
      [SLOTS_AHEAD]; /* by cycle, modulo: the cycle, and slots taken in it; in other cycles none is taken */
};

/* The first cycle, `at` or later, of which fewer than `most` slots are taken; takes a slot of it. Cycles too far from `now` are always free. */
static inline uint64_t slots_take(struct slots *s, uint64_t at, uint64_t now, uint32_t most) {
  for (; at - now < SLOTS_AHEAD; at++) {
    uint64_t *used = &s->used[at % SLOTS_AHEAD], none = at << SLOTS_COUNT;
    *used = *used < none ? none : *used; /* less: the entry is of a cycle that has passed */
    if (*used - none < most) {
      ++*used;
      break;
    }
  }
  return at;
}

#endif
