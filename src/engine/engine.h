/* Time. Clock domains tick at exact ratios: a tick is the largest unit of which every domain's period
 * is a whole multiple, so no clock ever drifts.
 *
 *   tick      0    .    .    25   .   33   .    50   .   66 …
 *   core      |──────── 33 ───────────|──────────────|          700 MHz
 *   dram      |────── 25 ──|──────────────|                     924 MHz
 *
 * A unit runs at the edges of its domain at which it has something to do. It returns the cycle at which
 * it next can act: by itself, by a message already in its ports, by a slot already on its way back. What
 * is pushed or freed after that wakes it. When all sleep, time jumps.
 *
 * Who is due is kept per clock, in a ring of sets with one for each of the next cycles; domains of the same
 * frequency share one. Finding the next instant and its units costs nothing for those that sleep:
 *
 *   cycle     now   +1    +2   …   +127         beyond
 *   units     {}   {3,5}  {0}       {7}          {9}      looked through once in 64 cycles at most
 *
 * An engine is what one thread runs. Several of them make a parallel engine (engine/parallel.h), each with its own units
 * and its own now; a unit's number says whose it is. */
#ifndef SLUICE_ENGINE_ENGINE_H
#define SLUICE_ENGINE_ENGINE_H

#include "engine/delay.h"
#include "engine/port.h"

enum { ENGINE_DOMAINS = 4, ENGINE_RING = 128, ENGINE_SHARDS = 256 };

/* The wake-up invariant: whatever a sleeping unit could act on, a push or a pop, schedules that unit for a cycle after the
 * event is visible to it and not after the cycle at which it can act. When the unit runs, it looks at all that is visible and
 * returns when it can act on that; so one scheduled cycle stands for all events that are visible in it.
 *
 * Units that share nothing but ports satisfy it with one call, the earliest: when the unit runs in that cycle, what later calls
 * were for is in its ports already. A push of the same cycle is too, if sender and receiver are of one shard and the sender ran
 * first; if it ran last, or on another shard, its call comes after the receiver ran.
 *
 * A unit that shares more than ports with units of other shards (engine_share()) may need two events to act, one of its own shard
 * and one of another's:
 *
 *   window              c                                                c + 1
 *   shard of B   SM pushes k+1, calls B for c+5 ─ B runs: not my head       B must look again
 *   shard of A   A moves k, sees no k+1: calls nobody
 *
 * If B runs in the window of the call, it may not see the other event. So its calls are kept beyond: `later`. */
struct unit {
  void *self;
  /* Simulates `cycle`. Returns the next cycle at which it can act without new messages; NEVER: none. */
  uint64_t (*run)(void *self, uint64_t cycle);
  uint64_t wake; /* cycle at which the unit wants to run by itself */
  uint64_t call; /* cycle for which others called the unit; kept when the unit runs earlier */
  /* prefetches into the host's cache what the unit reads in its next cycles; NULL: only the beginning of the unit is prefetched */
  void (*near)(const void *self);
  /* a later call, which becomes `call` when the unit has run for `call`; NEVER: nobody called again; 0: later calls are not kept */
  uint64_t later;
};

/* The units of a clock, and by the cycle at which they are due. */
struct due {
  uint64_t occupied[ENGINE_RING / 64]; /* cycles, modulo the ring, at which somebody is */
  uint64_t *set;                       /* for each of them a set of units */
  uint64_t *far, far_least;            /* units due beyond the ring; none is before far_least */
  bool far_exact;                      /* and one is at it */
  uint32_t words, n;                   /* of a set; units of this clock */
};

/* A group of units, of which a caller means all or the one at a place. The number of a group names a shard that does not exist (UNIT_GROUP). */
struct engine_group {
  uint32_t *unit;
  uint32_t n;
};

/* A call to a unit of another engine: seen when the window ends. */
struct engine_call {
  uint32_t unit;
  uint64_t cycle;
};
struct engine_box {
  struct engine_call *call;
  size_t n, cap;
};
/* The set of shards that have calls for a shard, by parity of the window in which they made the calls: only the boxes of these shards are
 * read. A line of the host's cache. */
struct engine_callers {
  uint64_t set[2][ENGINE_SHARDS / 64];
};
/* The earliest call of a unit in a window. */
struct engine_heard {
  uint64_t window, cycle;
};

struct engine {
  /* What is looked at between windows, of all shards: a line of the host's cache. */
  _Alignas(PORT_LINE) uint64_t now; /* tick */
  uint64_t next;                    /* the next instant at which a unit runs; NEVER: all sleep */
  uint64_t called; /* in a parallel engine: the earliest tick for which this window's calls are */
  uint64_t end;    /* of the window; NEVER: there are none */
  uint64_t window; /* how many there were */
  uint64_t steps;  /* unit cycles simulated */
  bool asked;      /* a unit wants a serial point at the end of the window (parallel.h) */
  unsigned ndomains;
  unsigned clock[ENGINE_DOMAINS];  /* the first domain of the same frequency */
  uint64_t period[ENGINE_DOMAINS]; /* ticks */
  /* up to `near` ticks, dividing by the period is multiplying by this much and leaving out the lower half */
  uint64_t inverse[ENGINE_DOMAINS], near[ENGINE_DOMAINS];
  /* the first edge after now, and its cycle: most of what happens, happens then */
  uint64_t edge[ENGINE_DOMAINS];
  uint64_t edge_cycle[ENGINE_DOMAINS];
  struct due due[ENGINE_DOMAINS]; /* of each clock, where its first domain is */
  unsigned nclocks;               /* clocks that have units, and which */
  unsigned with_units[ENGINE_DOMAINS];
  struct unit *unit; /* of all clocks */
  const char **name; /* of each unit */
  size_t nunits, capunits, capnames;
  uint32_t *order; /* units of an instant in shuffled order */
  bool no_skip;
  bool general; /* units take no fast path: the general forms simulate everything */
  bool by_unit; /* units are run one after the other, each for a whole window: engine_run() */
  /* By clock: the cycle that the ring of who is due begins at, where that is so: the last of the window. */
  uint64_t base[ENGINE_DOMAINS];
  const struct unit *running;
  /* Nothing looks at the state of units before this tick, but for the end of a launch: a unit may run ahead of the others up to it; 0:
   * none may. */
  uint64_t horizon;
  uint64_t shuffle; /* state of the shuffled order, for tests; 0: by number */
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
      *shards; /* all, while one thread runs them: calls are not put into boxes; NULL: others may run */
  struct engine_heard *
      *heard;     /* [receiving shard][unit], where later calls of a window need not be told; or NULL */
  char apart[64]; /* from the next shard, which another thread may run: a line of the host's cache */
};

/* Frequencies in any unit, whole numbers. */
void engine_init(struct engine *e, const uint64_t *frequency, unsigned n);
void engine_destroy(struct engine *e);
/* Returns the unit's number, which also names its engine and clock; the first of an engine's first domain has
 * number 0. */
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
  UNIT_GROUP = 255, /* as a shard: a group */
};
#define UNIT_NOBODY (UINT32_C(254) << UNIT_SHARD_SHIFT) /* of no shard: need not be called */

static inline uint64_t engine_cycle(const struct engine *e, unsigned domain) {
  return e->edge_cycle[domain] - 1;
}

/* The first cycle of a domain at or after a tick that lies in the future. */
static inline uint64_t engine_cycle_at(const struct engine *e, unsigned domain, uint64_t tick) {
  if (tick <= e->edge[domain])
    return e->edge_cycle[domain];
  uint64_t ahead = tick - e->edge[domain] + e->period[domain] - 1;
  if (ahead <= e->near[domain])
    return e->edge_cycle[domain] + (ahead * e->inverse[domain] >> 32);
  return tick == NEVER ? NEVER : e->edge_cycle[domain] + ahead / e->period[domain];
}

/* Whole cycles of a domain in so many ticks. */
static inline uint64_t engine_cycles(const struct engine *e, unsigned domain, uint64_t ticks) {
  return ticks <= e->near[domain] ? ticks * e->inverse[domain] >> 32 : ticks / e->period[domain];
}

/* The cycle of domain `to` in which a cycle of domain `from` begins. */
static inline uint64_t engine_cycle_in(const struct engine *e, unsigned to, unsigned from, uint64_t cycle) {
  return e->period[from] == e->period[to] ? cycle : cycle * e->period[from] / e->period[to];
}

/* Unit u is wanted at a cycle of its clock that lies in the future. */
void engine_call_at(struct engine *e, uint32_t u, uint64_t cycle);
void engine_call_other(struct engine *e, uint32_t u, uint64_t cycle);
void engine_call_later(struct engine *e, uint32_t u, uint64_t cycle);

static inline void engine_call(struct engine *e, uint32_t u, uint64_t cycle) {
  if (u >> UNIT_SHARD_SHIFT != e->shard) {
    engine_call_other(e, u, cycle);
    return;
  }
  const struct unit *k = &e->unit[u & UNIT_INDEX];
  if (cycle < k->call)
    engine_call_at(e, u, cycle);
  else if (cycle < k->later)
    engine_call_later(e, u, cycle);
}

/* Unit u, or a group, has a message, or a slot, at `tick`. */
static inline void engine_wake(struct engine *e, uint32_t u, uint64_t tick) {
  engine_call(e, u, engine_cycle_at(e, u >> UNIT_CLOCK_SHIFT & 3, tick));
}

/* A unit itself, or the one at `place` in a group. */
static inline uint32_t engine_one(const struct engine *e, uint32_t u, uint32_t place) {
  return u >> UNIT_SHARD_SHIFT == UNIT_GROUP ? e->group[u & UNIT_INDEX].unit[place] : u;
}

static inline void engine_wake_one(struct engine *e, uint32_t u, uint32_t place, uint64_t tick) {
  engine_wake(e, engine_one(e, u, place), tick);
}

/* A slot of p, whose sender is unit u, is given back. A sender waits for it only if it found all slots taken; what is on its way
 * back it knows from the port. What one of another engine has done in this window is not known here, only how much it can be. */
static inline void engine_release_at(struct engine *e, struct port *p, uint32_t u, uint64_t tick) {
  uint32_t unseen = u >> UNIT_SHARD_SHIFT != e->shard ? p->margin : 0;
  bool awaited = count_seen(&p->pushed) - p->released + unseen >= p->capacity;
  port_release(p, tick);
  if (awaited)
    engine_wake(e, u, tick + p->credit);
}
static inline void engine_release(struct engine *e, struct port *p, uint32_t u) {
  engine_release_at(e, p, u, e->now);
}

/* The front of p has been read. */
static inline void engine_pop(struct engine *e, struct port *p, uint32_t u) {
  p->popped++;
  engine_release(e, p, u);
}

/* Unit u has run ahead of the others, up to and without `cycle`: calls of the unit for earlier cycles are answered. */
void engine_passed(struct engine *e, uint32_t u, uint64_t cycle);

/* Simulates the next instant at which a unit runs, if it is before `until`. False: all sleep, or it is later. */
bool engine_step(struct engine *e, uint64_t until);
/* Simulates all that is before `until`. The result is that of engine_step() until it says no; with `by_unit`, which takes
 * latencies between units that go beyond `until`, a unit's cycles follow each other, so that the host's caches hold its state:
 *
 *   engine_step()  cycle 1: A B C   cycle 2: A B C   …      engine_run()  A: 1 2 3 …   B: 1 2 3 …   C: 1 2 3 …
 */
void engine_run(struct engine *e, uint64_t until);
/* Nothing happens up to and including `tick`: the clocks show it. */
void engine_advance(struct engine *e, uint64_t tick);

#endif
