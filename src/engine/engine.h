/* Time. Clock domains tick at exact ratios: a tick is the largest unit of which every domain's period
 * is a whole multiple, so no clock ever drifts.
 *
 *   tick      0    .    .    25   .   33   .    50   .   66 …
 *   core      |──────── 33 ───────────|──────────────|          700 MHz
 *   dram      |────── 25 ──|──────────────|                     924 MHz
 *
 * A unit runs at the edges of its domain at which it has something to do. It returns the cycle at which
 * it next can act: by itself, by a message already in its ports, by a slot already on its way back. What
 * is pushed or freed after that wakes it. When all sleep, time jumps. */
#ifndef SLUICE_ENGINE_ENGINE_H
#define SLUICE_ENGINE_ENGINE_H

#include "engine/port.h"

enum { ENGINE_DOMAINS = 4 };

struct unit {
  const char *name;
  void *self;
  unsigned domain;
  /* Simulates `cycle`. Returns the next cycle at which it can act without new messages; NEVER: none. */
  uint64_t (*run)(void *self, uint64_t cycle);
  uint64_t wake; /* cycle at which it wants to run by itself */
  uint64_t call; /* cycle at which somebody else wants it to; kept when it runs earlier */
};

struct engine {
  unsigned ndomains;
  uint64_t period[ENGINE_DOMAINS]; /* ticks */
  uint64_t now;                    /* tick */
  uint64_t
      edge[ENGINE_DOMAINS]; /* the first edge after now, and its cycle: most of what happens, happens then */
  uint64_t edge_cycle[ENGINE_DOMAINS];
  struct unit *unit; /* grouped by domain */
  size_t nunits, cap;
  uint64_t *order; /* the order units run in; shuffled for tests */
  bool no_skip;
  uint64_t shuffle;
  uint64_t steps; /* unit cycles simulated */
};

/* Frequencies in any unit, whole numbers. */
void engine_init(struct engine *e, const uint64_t *frequency, unsigned n);
void engine_destroy(struct engine *e);
/* Units get numbers from 0. */
uint32_t engine_add(struct engine *e, const char *name, unsigned domain, void *self,
                    uint64_t (*run)(void *, uint64_t));

static inline uint64_t engine_cycle(const struct engine *e, unsigned domain) {
  return e->edge_cycle[domain] - 1;
}

/* The first cycle of a domain at or after a tick that lies in the future. */
static inline uint64_t engine_cycle_at(const struct engine *e, unsigned domain, uint64_t tick) {
  if (tick == NEVER)
    return NEVER;
  if (tick <= e->edge[domain])
    return e->edge_cycle[domain];
  return (tick + e->period[domain] - 1) / e->period[domain];
}

/* Unit u has a message, or a slot, at `tick`. */
static inline void engine_wake(struct engine *e, uint32_t u, uint64_t tick) {
  struct unit *k = &e->unit[u];
  uint64_t cycle = engine_cycle_at(e, k->domain, tick);
  if (cycle < k->call)
    k->call = cycle;
}

/* The next instant at which a unit runs; NEVER: all sleep. */
uint64_t engine_next(const struct engine *e);
/* Simulates the next instant at which a unit runs, if it is before `until`. False: all sleep, or it is later. */
bool engine_step(struct engine *e, uint64_t until);

#endif
