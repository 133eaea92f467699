/* Time. Clock domains tick at exact ratios: a tick is the largest unit of which every domain's period
 * is a whole multiple, so no clock ever drifts.
 *
 *   tick      0    .    .    25   .   33   .    50   .   66 …
 *   core      |──────── 33 ───────────|──────────────|          700 MHz
 *   dram      |────── 25 ──|──────────────|                     924 MHz
 *
 * A unit runs at the edges of its domain at which the unit has something to do. Its run() returns the next cycle at
 * which the unit can act: by itself, for a message already in its ports, or for a slot already on its way back. A
 * message pushed or a slot freed later wakes the unit. When all units sleep, time jumps to the next unit that is due.
 *
 * Each clock keeps the units that are due in a ring of sets, one set for each of the next cycles; domains of the same
 * frequency share a clock. Finding the next instant and its units costs nothing for units that sleep:
 *
 *   cycle     now   +1    +2   …   +127         beyond
 *   units     {}   {3,5}  {0}       {7}          {9}      looked through once in 64 cycles at most
 *
 * One thread runs an engine. Several engines, the shards, make a parallel engine (engine/parallel.h), each with its own units
 * and its own `now`; the number of a unit contains its shard. */
#ifndef SLUICE_ENGINE_ENGINE_H
#define SLUICE_ENGINE_ENGINE_H

#include "base/hot.h"
#include "engine/delay.h"
#include "engine/port.h"

enum { ENGINE_DOMAINS = 4, ENGINE_RING = 128, ENGINE_SHARDS = 256 };

/* The wake-up invariant: an event that a sleeping unit could act on, a push or a pop, schedules that unit for a cycle after the
 * event is visible to the unit and not after the cycle at which the unit can act. A unit that runs looks at all visible events and
 * returns the cycle at which it can act on them; so one scheduled cycle stands for all events that are visible in that cycle.
 *
 * Units that share nothing but ports satisfy the invariant with one call, the earliest: when the unit runs in the cycle of this
 * call, the messages and slots of later calls are in its ports already. So is a push of the same cycle, if sender and receiver are
 * of one shard and the sender ran first; if the sender ran last, or on another shard, its call comes after the receiver ran.
 *
 * A unit that shares more than ports with units of other shards (engine_share()) may need two events to act, one of its own shard
 * and one of another's:
 *
 *   window              c                                                c + 1
 *   shard of B   SM pushes k+1, calls B for c+5 ─ B runs: not my head       B must look again
 *   shard of A   A moves k, sees no k+1: calls nobody
 *
 * If B runs in the window of the call, B may not see the event of the other shard. So `later` keeps a call beyond that run. */
struct unit {
  void *self;
  /* Simulates `cycle`. Returns the next cycle at which the unit can act without new messages; NEVER: none. */
  uint64_t (*run)(void *self, uint64_t cycle);
  uint64_t wake; /* cycle at which the unit wants to run by itself */
  uint64_t call; /* cycle for which others called the unit; kept when the unit runs earlier */
  /* prefetches into the host's cache what the unit reads in its next cycles; NULL: only the beginning of the unit is prefetched */
  void (*near)(const void *self);
  /* a later call, which becomes `call` when the unit has run for `call`; NEVER: no later call; 0: later calls are not kept */
  uint64_t later;
};

/* The units of a clock, by the cycle at which they are due. */
struct due {
  uint64_t occupied[ENGINE_RING / 64]; /* bit set: cycles, modulo the ring, at which a unit is due */
  uint64_t *set;                       /* for each cycle of the ring: the set of units that are due */
  uint64_t *far, far_least;            /* set of units due beyond the ring; none is due before far_least */
  bool far_exact;                      /* a unit is due at far_least itself */
  uint32_t words, n;                   /* 64-bit words of a set; units of this clock */
};

/* A group of units: a caller calls all of them, or the unit at a place (engine_one()). In the number of a group, UNIT_GROUP stands for the
 * shard. */
struct engine_group {
  uint32_t *unit;
  uint32_t n;
};

/* A call to a unit of another engine, which sees the call when the window ends. */
struct engine_call {
  uint32_t unit;
  uint64_t cycle;
};
struct engine_box {
  struct engine_call *call;
  size_t n, cap;
};
/* The set of shards that have calls for a shard, by parity of the window in which they made the calls: the shard reads the boxes of these
 * shards only. The set fills a line of the host's cache. */
struct engine_callers {
  uint64_t set[2][ENGINE_SHARDS / 64];
};
/* The earliest call to a unit in a window. */
struct engine_heard {
  uint64_t window, cycle;
};

struct engine {
  /* What is read of every shard between windows, together in a line of the host's cache. */
  _Alignas(PORT_LINE) uint64_t now; /* tick */
  uint64_t next;                    /* the next instant at which a unit runs; NEVER: all units sleep */
  uint64_t called; /* in a parallel engine: the earliest tick for which this window calls other shards */
  uint64_t end;    /* tick at which the window ends; NEVER: there are no windows */
  uint64_t window; /* number of windows so far */
  uint64_t steps;  /* unit cycles simulated */
  bool asked;      /* a unit wants a serial point at the end of the window (parallel.h) */
  unsigned ndomains;
  unsigned clock[ENGINE_DOMAINS];  /* the first domain of the same frequency */
  uint64_t period[ENGINE_DOMAINS]; /* ticks */
  /* for up to `near` ticks, division by the period is multiplication by `inverse` and a shift right by 32 bits */
  uint64_t inverse[ENGINE_DOMAINS], near[ENGINE_DOMAINS];
  /* the first edge after now, and its cycle: most calls are for this edge */
  uint64_t edge[ENGINE_DOMAINS];
  uint64_t edge_cycle[ENGINE_DOMAINS];
  struct due due[ENGINE_DOMAINS]; /* of each clock, at the number of its first domain */
  unsigned nclocks;               /* how many clocks have units, and which */
  unsigned with_units[ENGINE_DOMAINS];
  struct unit *unit; /* of all clocks */
  const char **name; /* of each unit */
  size_t nunits, capunits, capnames;
  uint32_t *order; /* units of an instant in shuffled order */
  bool no_skip;
  bool general; /* units take no fast path: the general forms simulate everything */
  bool by_unit; /* units are run one after the other, each for a whole window: engine_run() */
  /* With `by_unit`, for each clock: the cycle at which the ring of due units begins, the last cycle of the window. */
  uint64_t base[ENGINE_DOMAINS];
  const struct unit *running;
  /* Up to this tick a unit may run ahead of the others, as nothing but the end of a launch looks at the state of units before; 0: no unit
   * may. */
  uint64_t horizon;
  uint64_t shuffle; /* state of the random order of units, for tests; 0: units run by number */
  uint64_t delay;   /* state of random delays, for tests; 0: none */
  bool forgets;     /* for tests: units that share state keep no calls, as if they shared nothing but ports */
  /* in a parallel engine */
  uint32_t shard;
  const struct engine_group *group;
  unsigned parity;                /* of the window: calls are written to one box and read from the other */
  struct engine_box *box[2];      /* [parity][receiving shard] */
  uint64_t sent[2];               /* [parity]: set of receiving shards, modulo 64 */
  struct engine_callers *callers; /* of all shards */
  struct engine
      *shards; /* all shards, while one thread runs them and makes calls directly; NULL: calls go to boxes */
  struct engine_heard *
      *heard;     /* [receiving shard][unit]: what later calls of a window need not repeat; or NULL */
  char apart[64]; /* from the next shard, which another thread may run: a line of the host's cache */
};

/* Frequencies are whole numbers in any unit of measure. */
void engine_init(struct engine *e, const uint64_t *frequency, unsigned n);
void engine_destroy(struct engine *e);
/* Returns the unit's number, which contains its shard and its clock; the first unit of shard 0, in the first
 * domain, has number 0. */
uint32_t engine_add(struct engine *e, const char *name, unsigned domain, void *self,
                    uint64_t (*run)(void *, uint64_t));

/* Unit u shares more than ports with units of other shards: see struct unit. */
void engine_share(struct engine *e, uint32_t u);

/* `near` is called before a window of several cycles, and prefetches what other shards have sent to unit u. */
void engine_near(struct engine *e, uint32_t u, void (*near)(const void *self));

enum {
  UNIT_SHARD_SHIFT = 24,
  UNIT_CLOCK_SHIFT = 22,
  UNIT_INDEX = (1 << UNIT_CLOCK_SHIFT) - 1,
  UNIT_GROUP = 255, /* in place of the shard: the number of a group */
};
#define UNIT_NOBODY (UINT32_C(254) << UNIT_SHARD_SHIFT) /* the number of no unit: calls to it do nothing */

static inline uint64_t engine_cycle(const struct engine *e, unsigned domain) {
  return e->edge_cycle[domain] - 1;
}

/* The first cycle of a domain at or after a tick that lies in the future; engine_cycle_far(): beyond `near`, or NEVER. */
uint64_t engine_cycle_far(const struct engine *e, unsigned domain, uint64_t tick);
static inline uint64_t engine_cycle_at(const struct engine *e, unsigned domain, uint64_t tick) {
  if (tick <= e->edge[domain])
    return e->edge_cycle[domain];
  uint64_t ahead = tick - e->edge[domain] + e->period[domain] - 1;
  if (RARELY(ahead > e->near[domain]))
    return engine_cycle_far(e, domain, tick);
  return e->edge_cycle[domain] + (ahead * e->inverse[domain] >> 32);
}

/* Whole cycles of a domain in so many ticks. */
static inline uint64_t engine_cycles(const struct engine *e, unsigned domain, uint64_t ticks) {
  return ticks <= e->near[domain] ? ticks * e->inverse[domain] >> 32 : ticks / e->period[domain];
}

/* The cycle of domain `to` in which a cycle of domain `from` begins. */
static inline uint64_t engine_cycle_in(const struct engine *e, unsigned to, unsigned from, uint64_t cycle) {
  return e->period[from] == e->period[to] ? cycle : cycle * e->period[from] / e->period[to];
}

/* Schedule unit u for a cycle of its clock that lies in the future: engine_call_at() a unit of this engine, engine_call_other() a unit of
 * another engine or a group, engine_call_later() a unit of this engine that has an earlier call. engine_call() chooses. */
void engine_call_at(struct engine *e, uint32_t u, uint64_t cycle);
void engine_call_other(struct engine *e, uint32_t u, uint64_t cycle);
void engine_call_later(struct engine *e, uint32_t u, uint64_t cycle);

/* A unit of this engine. */
static inline void engine_call_here(struct engine *e, uint32_t u, uint64_t cycle) {
  const struct unit *k = &e->unit[u & UNIT_INDEX];
  if (cycle < k->call)
    engine_call_at(e, u, cycle);
  else if (cycle < k->later)
    engine_call_later(e, u, cycle);
}
static inline void engine_call(struct engine *e, uint32_t u, uint64_t cycle) {
  if (u >> UNIT_SHARD_SHIFT == e->shard)
    engine_call_here(e, u, cycle);
  else
    engine_call_other(e, u, cycle);
}

/* Schedules unit u, or all units of group u, for a message or a slot that is usable from `tick` on. */
static inline void engine_wake(struct engine *e, uint32_t u, uint64_t tick) {
  engine_call(e, u, engine_cycle_at(e, u >> UNIT_CLOCK_SHIFT & 3, tick));
}

/* Unit u itself; if u is a group: its unit at `place`. */
static inline uint32_t engine_one(const struct engine *e, uint32_t u, uint32_t place) {
  return u >> UNIT_SHARD_SHIFT == UNIT_GROUP ? e->group[u & UNIT_INDEX].unit[place] : u;
}

static inline void engine_wake_one(struct engine *e, uint32_t u, uint32_t place, uint64_t tick) {
  engine_wake(e, engine_one(e, u, place), tick);
}

/* Gives back a slot of port p, whose sender is unit u (`here`: certainly of this engine). The sender waits for a slot only if it found all slots taken; the port tells it
 * of slots on their way back. What a sender of another engine has pushed in this window is not visible here, only the most that it can
 * have pushed (p->margin). */
static inline void engine_release_of(struct engine *e, struct port *p, uint32_t u, uint64_t tick, bool here) {
  uint32_t unseen = !here && u >> UNIT_SHARD_SHIFT != e->shard ? p->margin : 0;
  bool awaited = count_seen(&p->pushed) - p->released + unseen >= p->capacity;
  port_release(p, tick);
  if (awaited)
    engine_wake(e, u, tick + p->credit);
}
static inline void engine_release_at(struct engine *e, struct port *p, uint32_t u, uint64_t tick) {
  engine_release_of(e, p, u, tick, false);
}
static inline void engine_release(struct engine *e, struct port *p, uint32_t u) {
  engine_release_at(e, p, u, e->now);
}

/* The oldest message of port p, whose sender is unit u, has been read: gives its slot back. */
static inline void engine_pop(struct engine *e, struct port *p, uint32_t u) {
  p->popped++;
  engine_release(e, p, u);
}

/* Unit u has run ahead of the others, up to and without `cycle`: calls to u for earlier cycles are done. */
void engine_passed(struct engine *e, uint32_t u, uint64_t cycle);

/* Simulates the next instant at which a unit runs, if that instant is before `until`. False: the instant is later, or all units sleep. */
bool engine_step(struct engine *e, uint64_t until);
/* Simulates everything before `until`, with the same result as engine_step() called until it returns false. With `by_unit`, which
 * requires that latencies between units reach beyond `until`, all cycles of a unit follow each other, so that the host's caches hold
 * the unit's state:
 *
 *   engine_step()  cycle 1: A B C   cycle 2: A B C   …      engine_run()  A: 1 2 3 …   B: 1 2 3 …   C: 1 2 3 …
 */
void engine_run(struct engine *e, uint64_t until);
/* Sets the clocks to `tick` and runs no unit. */
void engine_advance(struct engine *e, uint64_t tick);

#endif
