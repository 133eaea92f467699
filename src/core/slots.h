/* Slots of the next cycles, of which a limited number can be taken in each cycle: of a fetch unit, of result buses. */
#ifndef SLUICE_CORE_SLOTS_H
#define SLUICE_CORE_SLOTS_H

#include <stdint.h>

enum { SLOTS_AHEAD = 256, SLOTS_COUNT = 8 /* bits of the count */ };

/* By cycle, modulo: cycle / SLOTS_AHEAD (24 bits), and slots taken in the cycle; in other cycles none is taken. */
struct slots {
  uint32_t used[SLOTS_AHEAD];
};

/* The first cycle, `at` or later, of which fewer than `most` slots are taken; takes a slot of it. Cycles too far from `now` are always free. */
static inline uint64_t slots_take(struct slots *s, uint64_t at, uint64_t now, uint32_t most) {
  for (; at - now < SLOTS_AHEAD; at++) {
    uint32_t *used = &s->used[at % SLOTS_AHEAD], none = (uint32_t)(at / SLOTS_AHEAD) << SLOTS_COUNT;
    *used = (*used ^ none) >> SLOTS_COUNT ? none : *used; /* the entry may be of a cycle that has passed */
    if (*used - none < most) {
      ++*used;
      break;
    }
  }
  return at;
}

#endif
