#include "engine/engine.h"
#include "base/hot.h"
#include "base/bits.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t t = a % b;
    a = b, b = t;
  }
  return a;
}

void engine_init(struct engine *e, const uint64_t *frequency, unsigned n) {
  *e = (struct engine){.ndomains = n, .next = NEVER, .called = NEVER, .end = NEVER};
  uint64_t lcm = 1;
  for (unsigned i = 0; i < n; i++)
    lcm = lcm / gcd(lcm, frequency[i]) * frequency[i];
  uint64_t common = 0;
  for (unsigned i = 0; i < n; i++)
    common = gcd(common, lcm / frequency[i]);
  for (unsigned i = 0; i < n; i++)
    e->period[i] = lcm / frequency[i] / common;
  /* messages take at least a tick: a period of one would leave no room between edges */
  for (unsigned i = 0; i < n; i++)
    e->period[i] *= 2;
  for (unsigned i = 0; i < n; i++) {
    /* The inverse is too large by less than 1 / 2^32; its product with at most `near` ticks, by less than 1 / period. */
    e->inverse[i] = (UINT64_C(1) << 32) / e->period[i] + 1;
    e->near[i] = ((UINT64_C(1) << 32) - 1) / e->period[i];
    e->edge[i] = e->period[i], e->edge_cycle[i] = 1, e->due[i].far_least = NEVER;
    while (e->period[e->clock[i]] != e->period[i])
      e->clock[i]++;
  }
}

void engine_destroy(struct engine *e) {
  for (unsigned i = 0; i < e->ndomains; i++)
    free(e->due[i].set), free(e->due[i].far);
  free(e->order), free(e->unit), free(e->name);
}

/* Makes room for n units in the sets. */
static void due_grow(struct due *d, size_t n) {
  uint32_t words = (uint32_t)(n + 63) / 64, old = d->words;
  if (words == old)
    return;
  uint64_t *set = xcalloc((size_t)ENGINE_RING * words, sizeof *set), *far = xcalloc(words, sizeof *far);
  for (uint32_t s = 0; old && s < ENGINE_RING; s++)
    memcpy(set + (size_t)s * words, d->set + (size_t)s * old, old * sizeof *set);
  if (old)
    memcpy(far, d->far, old * sizeof *far);
  free(d->set), free(d->far);
  d->set = set, d->far = far, d->words = words;
}

/* The word with the bit of unit `bit` in the set of a cycle within the ring. */
static inline uint64_t *due_word(struct due *d, uint32_t bit, uint64_t cycle) {
  return &d->set[cycle % ENGINE_RING * d->words + bit / 64];
}

static inline void occupy(struct due *d, uint64_t cycle) {
  d->occupied[cycle % ENGINE_RING / 64] |= UINT64_C(1) << cycle % 64;
}

static inline void vacate(struct due *d, uint64_t cycle) {
  d->occupied[cycle % ENGINE_RING / 64] &= ~(UINT64_C(1) << cycle % 64);
}

static __attribute__((noinline)) void due_add_far(struct due *d, uint32_t bit, uint64_t cycle) {
  d->far[bit / 64] |= UINT64_C(1) << bit % 64;
  if (cycle < d->far_least)
    d->far_least = cycle;
}

/* Adds a unit to those due at `cycle`. `now`: the last cycle of the clock at or before the engine's now. */
static inline void due_add(struct due *d, uint64_t now, uint32_t bit, uint64_t cycle) {
  if (cycle - now >= ENGINE_RING) {
    due_add_far(d, bit, cycle);
    return;
  }
  *due_word(d, bit, cycle) |= UINT64_C(1) << bit % 64;
  occupy(d, cycle);
}

static __attribute__((noinline)) void due_remove(struct due *d, uint64_t now, uint32_t bit, uint64_t cycle) {
  uint64_t *w = due_word(d, bit, cycle), b = UINT64_C(1) << bit % 64, rest = 0;
  if (cycle - now >= ENGINE_RING || !(*w & b)) { /* units of `far` are checked before they run */
    d->far_exact = false;
    return;
  }
  *w &= ~b;
  w -= bit / 64;
  for (uint32_t i = 0; i < d->words; i++)
    rest |= w[i];
  if (!rest)
    vacate(d, cycle);
}

/* Moves units of `far` whose cycle lies within the ring into the ring. */
static void due_look_far(struct due *d, const struct unit *unit, uint64_t now) {
  d->far_least = NEVER;
  d->far_exact = true;
  for (uint32_t i = 0; i < d->words; i++) {
    uint64_t m = d->far[i];
    d->far[i] = 0;
    for (; m; m &= m - 1) {
      uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(m);
      const struct unit *u = &unit[bit];
      if (u->wake != NEVER)
        due_add(d, now, bit, u->wake);
      if (u->call != NEVER)
        due_add(d, now, bit, u->call);
    }
  }
}

/* The first cycle at or after `now` at which a unit in the ring is due. */
static uint64_t due_in_ring(const struct due *d, uint64_t now) {
  uint32_t at = (uint32_t)now % ENGINE_RING, w = at / 64, b = at % 64;
  uint64_t m = d->occupied[w] >> b;
  if (m)
    return now + (uint64_t)__builtin_ctzll(m);
  m = d->occupied[w ^ 1];
  if (m)
    return now + 64 - b + (uint64_t)__builtin_ctzll(m);
  m = d->occupied[w] & ((UINT64_C(1) << b) - 1);
  return m ? now + 128 - b + (uint64_t)__builtin_ctzll(m) : NEVER;
}

static uint64_t due_next(struct due *d, const struct unit *unit, uint64_t now) {
  uint64_t next = due_in_ring(d, now);
  /* a unit added to `far` long ago may be due before units added to the ring since */
  if (d->far_least - now < ENGINE_RING / 2 || (next != NEVER ? d->far_least < next : !d->far_exact)) {
    due_look_far(d, unit, now);
    next = due_in_ring(d, now);
  }
  return next == NEVER ? d->far_least : next;
}

uint32_t engine_add(struct engine *e, const char *name, unsigned domain, void *self,
                    uint64_t (*run)(void *, uint64_t)) {
  unsigned clock = e->clock[domain];
  struct due *d = &e->due[clock];
  uint32_t number = (uint32_t)e->nunits;
  size_t named = e->nunits;
  VEC_PUSH(e->name, named, e->capnames) = name;
  VEC_PUSH(e->unit, e->nunits, e->capunits) = (struct unit){.self = self, .run = run, .call = NEVER};
  e->order = xrealloc(e->order, e->nunits * sizeof *e->order);
  if (!d->n++)
    e->with_units[e->nclocks++] = clock;
  for (unsigned i = 0; i < e->ndomains; i++)
    due_grow(&e->due[i], e->nunits);
  due_add(d, engine_cycle(e, clock), number, 0);
  e->next = 0;
  return e->shard << UNIT_SHARD_SHIFT | clock << UNIT_CLOCK_SHIFT | number;
}

void engine_near(struct engine *e, uint32_t u, void (*near)(const void *self)) {
  e->unit[u & UNIT_INDEX].near = near;
}

void engine_share(struct engine *e, uint32_t u) {
  if (!e->forgets)
    e->unit[u & UNIT_INDEX].later = NEVER;
}

void engine_advance(struct engine *e, uint64_t to) {
  e->now = to;
  for (unsigned d = 0; d < e->ndomains; d++) {
    if (e->edge[d] > to)
      continue;
    uint64_t late = to - e->edge[d], period = e->period[d];
    if (late >= period) {
      e->edge[d] += late / period * period;
      e->edge_cycle[d] += late / period;
    }
    e->edge[d] += period;
    e->edge_cycle[d]++;
  }
}

static uint64_t next_instant(struct engine *e) {
  uint64_t next = NEVER;
  for (unsigned k = 0; k < e->nclocks; k++) {
    unsigned i = e->with_units[k];
    uint64_t c = due_next(&e->due[i], e->unit, engine_cycle(e, i)), t = c == NEVER ? NEVER : c * e->period[i];
    if (t < next)
      next = t;
  }
  return next;
}

/* A call for `cycle` while a call for an earlier cycle is pending: if the unit runs for the earlier call in this window, the unit may
 * not yet see the event of the later call. */
void engine_call_later(struct engine *e, uint32_t u, uint64_t cycle) {
  struct unit *k = &e->unit[u & UNIT_INDEX];
  if (cycle > k->call && cycle < k->later && k->call * e->period[u >> UNIT_CLOCK_SHIFT & 3] < e->end)
    k->later = cycle;
}

/* The cycle at which the ring of due units begins. */
static inline uint64_t due_now(const struct engine *e, unsigned clock) {
  return e->by_unit ? e->base[clock] : engine_cycle(e, clock);
}

/* Calls a unit that has a pending call for a later cycle: the new call takes the place of the pending call, which becomes `later`
 * where the unit keeps later calls. */
static __attribute__((noinline)) void call_sooner(struct engine *e, uint32_t u, uint64_t cycle) {
  unsigned clock = u >> UNIT_CLOCK_SHIFT & 3;
  struct due *d = &e->due[clock];
  struct unit *k = &e->unit[u & UNIT_INDEX];
  uint64_t before = k->call;
  if (before != k->wake)
    due_remove(d, due_now(e, clock), u & UNIT_INDEX, before);
  k->call = NEVER;
  engine_call_at(e, u, cycle);
  engine_call_later(e, u, before);
}

/* In a window whose units run one after the other, a call for a cycle of this window can only be to the running unit, which looks at
 * its call after each cycle. */
static void call_within(const struct engine *e, const struct unit *k, uint64_t cycle) {
  if (k != e->running)
    panic("unit %s was called for cycle %llu by another within a window", e->name[k - e->unit],
          (unsigned long long)cycle);
}

void engine_call_at(struct engine *e, uint32_t u, uint64_t cycle) {
  unsigned clock = u >> UNIT_CLOCK_SHIFT & 3;
  struct due *d = &e->due[clock];
  struct unit *k = &e->unit[u & UNIT_INDEX];
  uint64_t tick = cycle * e->period[clock];
  if (cycle >= k->call)
    return;
  if (k->call != NEVER) {
    call_sooner(e, u, cycle);
    return;
  }
  k->call = cycle;
  if (tick < e->next)
    e->next = tick;
  if (cycle == k->wake) /* the unit is in the set of this cycle */
    return;
  if (e->by_unit && cycle <= e->base[clock])
    call_within(e, k, cycle);
  else
    due_add(d, due_now(e, clock), u & UNIT_INDEX, cycle);
}

void engine_passed(struct engine *e, uint32_t u, uint64_t cycle) {
  unsigned clock = u >> UNIT_CLOCK_SHIFT & 3;
  struct unit *k = &e->unit[u & UNIT_INDEX];
  if (k->call >= cycle)
    return;
  if (k->call != k->wake)
    due_remove(&e->due[clock], due_now(e, clock), u & UNIT_INDEX, k->call);
  k->call = NEVER;
}

void engine_call_other(struct engine *e, uint32_t u, uint64_t cycle) {
  if (u == UNIT_NOBODY)
    return;
  if (u >> UNIT_SHARD_SHIFT == UNIT_GROUP) {
    const struct engine_group *g = &e->group[u & UNIT_INDEX];
    for (uint32_t i = 0; i < g->n; i++)
      engine_call(e, g->unit[i], cycle);
    return;
  }
  if (e->shards) { /* one thread runs all shards: the unit sees the event in this window, as if of the same shard */
    engine_call(&e->shards[u >> UNIT_SHARD_SHIFT], u, cycle);
    return;
  }
  if (e->heard) { /* at the earliest call the unit looks at everything that was sent in this window */
    struct engine_heard *h = &e->heard[u >> UNIT_SHARD_SHIFT][u & UNIT_INDEX];
    if (h->window == e->window && h->cycle <= cycle)
      return;
    *h = (struct engine_heard){e->window, cycle};
  }
  struct engine_box *b = &e->box[e->parity][u >> UNIT_SHARD_SHIFT];
  if (b->n && b->call[b->n - 1].unit == u && b->call[b->n - 1].cycle == cycle)
    return; /* the same call is in the box */
  if (!b->n)
    __atomic_fetch_or(&e->callers[u >> UNIT_SHARD_SHIFT].set[e->parity][e->shard / 64],
                      UINT64_C(1) << e->shard % 64, __ATOMIC_RELAXED); /* read after a meeting */
  VEC_PUSH(b->call, b->n, b->cap) = (struct engine_call){u, cycle};
  e->sent[e->parity] |= UINT64_C(1) << (u >> UNIT_SHARD_SHIFT) % 64;
  uint64_t tick = cycle * e->period[u >> UNIT_CLOCK_SHIFT & 3];
  if (tick < e->called)
    e->called = tick;
}

/* A unit has run and wants to run again in cycle `again`. True: in the next cycle, to whose set the caller adds the unit. */
static __attribute__((noinline)) bool due_again(struct engine *e, struct due *d, uint32_t bit, uint64_t cycle,
                                                uint64_t again) {
  struct unit *u = &e->unit[bit];
  uint64_t before = u->wake;
  if (again <= cycle)
    panic("unit %s wants to run again in the past", e->name[bit]);
  u->wake = again;
  if (again == before)
    return false; /* the unit is in the set of this cycle */
  if (before > cycle && before != NEVER && before != u->call)
    due_remove(d, cycle, bit, before);
  if (again == cycle + 1)
    return true;
  if (again != NEVER)
    due_add(d, cycle, bit, again);
  return false;
}

/* The later call of a unit becomes its pending call. */
static __attribute__((noinline)) void take_later(struct engine *e, unsigned clock, struct unit *u) {
  uint64_t cycle = u->later;
  u->later = NEVER;
  engine_call_at(e, e->shard << UNIT_SHARD_SHIFT | clock << UNIT_CLOCK_SHIFT | (uint32_t)(u - e->unit),
                 cycle);
}

/* Simulates a cycle of a unit. Returns the next cycle at which the unit can act. */
static inline uint64_t run(struct engine *e, unsigned clock, struct unit *u, uint64_t cycle) {
  if (u->call == cycle) {
    u->call = NEVER;
    if (u->later - 1 < NEVER - 1)
      take_later(e, clock, u);
  } else if (u->wake != cycle) {
    panic("unit %s was woken in cycle %llu by nobody", e->name[u - e->unit], (unsigned long long)cycle);
  }
  return u->run(u->self, cycle);
}

/* Prefetches the beginning of a unit's state, which every cycle of the unit reads, while the unit before it runs. */
static inline void come_near(const struct unit *u) {
  enum { LINE = 64, LINES = 8 };
  for (int i = 0; i < LINES; i++)
    __builtin_prefetch((const char *)u->self + i * LINE);
}

/* Runs the due units among 64, by number. A unit that they call is due in a later cycle, in another set. Returns the set of those
 * that are due again in the next cycle, as most are. */
static uint64_t run_word(struct engine *e, unsigned clock, uint32_t first, uint64_t due, uint64_t cycle) {
  struct due *d = &e->due[clock];
  struct unit *unit = e->unit + first;
  uint64_t again = 0;
  e->steps += count_bits(due);
  while (due) {
    uint32_t bit = (uint32_t)__builtin_ctzll(due);
    struct unit *u = &unit[bit];
    due &= due - 1;
    if (due)
      come_near(&unit[__builtin_ctzll(due)]);
    uint64_t next = run(e, clock, u, cycle);
    if (u->wake == cycle && next == cycle + 1)
      u->wake = next;
    else if (!due_again(e, d, first + bit, cycle, next))
      continue;
    again |= UINT64_C(1) << bit;
  }
  return again;
}

static void run_due(struct engine *e, unsigned clock, uint64_t cycle) {
  struct due *d = &e->due[clock];
  uint64_t *set = due_word(d, 0, cycle), *after = due_word(d, 0, cycle + 1), any = 0;
  for (uint32_t w = 0; w < d->words; w++) {
    uint64_t due = set[w];
    if (!due)
      continue;
    set[w] = 0;
    uint64_t again = run_word(e, clock, w * 64, due, cycle);
    after[w] |= again;
    any |= again;
  }
  if (any)
    occupy(d, cycle + 1);
}

/* Does clock i, which has units, have an edge now? */
static inline bool ticks(struct engine *e, unsigned i) {
  struct due *d = &e->due[i];
  if (e->edge[i] - e->period[i] != e->now)
    return false;
  uint64_t cycle = engine_cycle(e, i);
  if (d->far_least - cycle < ENGINE_RING / 2)
    due_look_far(d, e->unit, cycle);
  vacate(d, cycle);
  return true;
}

static void run_in_order(struct engine *e) {
  for (unsigned k = 0; k < e->nclocks; k++) {
    unsigned i = e->with_units[k];
    if (ticks(e, i))
      run_due(e, i, engine_cycle(e, i));
  }
}

/* For tests: runs the units of all clocks in random order (`shuffle`), in every cycle (`no_skip`), or with random delays (`delay`). */
static void run_for_tests(struct engine *e) {
  uint32_t n = 0, shuffled = e->shuffle != 0;
  for (unsigned c = 0; c < e->nclocks; c++) {
    uint32_t i = e->with_units[c];
    struct due *d = &e->due[i];
    if (!ticks(e, i))
      continue;
    uint64_t *set = due_word(d, 0, engine_cycle(e, i));
    for (uint32_t bit = 0; bit < e->nunits; bit++)
      if (set[bit / 64] >> bit % 64 & 1)
        e->order[n++] = i << UNIT_CLOCK_SHIFT | bit;
    memset(set, 0, d->words * sizeof *set);
  }
  for (uint32_t i = 0; i < n; i++) {
    e->shuffle ^= e->shuffle << 13, e->shuffle ^= e->shuffle >> 7, e->shuffle ^= e->shuffle << 17;
    uint32_t k = i + (shuffled ? (uint32_t)(e->shuffle % (n - i)) : 0), u = e->order[k],
             clock = u >> UNIT_CLOCK_SHIFT;
    e->order[k] = e->order[i];
    delay_here(&e->delay);
    uint64_t cycle = engine_cycle(e, clock), next = run(e, clock, &e->unit[u & UNIT_INDEX], cycle);
    e->steps++;
    if (due_again(e, &e->due[clock], u & UNIT_INDEX, cycle, e->no_skip ? cycle + 1 : next))
      due_add(&e->due[clock], cycle, u & UNIT_INDEX, cycle + 1);
  }
}

HOT bool engine_step(struct engine *e, uint64_t until) {
  if (e->next >= until)
    return false;
  engine_advance(e, e->next);
  if (e->shuffle || e->no_skip || e->delay)
    run_for_tests(e);
  else
    run_in_order(e);
  e->next = next_instant(e);
  return true;
}

/* Sets all clocks to the time of a cycle of one clock, which is not before the present time. */
static inline void tick_at(struct engine *e, unsigned clock, uint64_t cycle) {
  uint64_t period = e->period[clock], tick = cycle * period;
  e->now = tick;
  for (unsigned d = 0; d < e->ndomains; d++) {
    if (e->clock[d] == clock)
      e->edge[d] = tick + period, e->edge_cycle[d] = cycle + 1;
    else
      for (; e->edge[d] <= tick; e->edge_cycle[d]++)
        e->edge[d] += e->period[d];
  }
}

static inline uint64_t unit_due(const struct unit *u) {
  return u->wake < u->call ? u->wake : u->call;
}

/* Runs all cycles of a unit before `to`. */
static void run_unit(struct engine *e, unsigned clock, uint32_t bit, uint64_t to) {
  struct due *d = &e->due[clock];
  struct unit *u = &e->unit[bit];
  uint64_t before = u->wake;
  e->running = u;
  for (uint64_t cycle; (cycle = unit_due(u)) < to;) {
    tick_at(e, clock, cycle);
    uint64_t again = run(e, clock, u, cycle);
    if (again <= cycle)
      panic("unit %s wants to run again in the past", e->name[bit]);
    u->wake = again;
    e->steps++;
  }
  if (before >= to && before != NEVER && before != u->wake && before != u->call)
    due_remove(d, e->base[clock], bit, before);
  if (u->wake != NEVER)
    due_add(d, e->base[clock], bit, u->wake);
  if (u->call != NEVER)
    due_add(d, e->base[clock], bit, u->call);
}

/* Removes the units of a word that are due in cycles `from` to `to` - 1 from the ring. Returns their set. */
static uint64_t due_take(struct due *d, uint32_t word, uint64_t from, uint64_t to) {
  uint64_t m = 0;
  for (uint64_t c = from; c < to; c++) {
    uint64_t *set = due_word(d, 0, c) + word;
    m |= *set;
    *set = 0;
  }
  return m;
}

/* The edges that the clocks show at the start of a window: the clocks are set back to them before each unit runs the window. */
struct edges {
  uint64_t edge[ENGINE_DOMAINS], cycle[ENGINE_DOMAINS];
};

static inline void show_edges(struct engine *e, const struct edges *to) {
  memcpy(e->edge, to->edge, sizeof e->edge);
  memcpy(e->edge_cycle, to->cycle, sizeof e->edge_cycle);
}

/* Runs the units of a clock that are due in cycles `from` to `to` - 1, each for all its cycles. */
static void run_units(struct engine *e, unsigned clock, uint64_t from, uint64_t to,
                      const struct edges *start) {
  struct due *d = &e->due[clock];
  for (uint32_t w = 0; w < d->words; w++)
    for (uint64_t m = due_take(d, w, from, to); m; m &= m - 1) {
      if (m & (m - 1)) {
        const struct unit *next = &e->unit[w * 64 + (uint32_t)__builtin_ctzll(m & (m - 1))];
        come_near(next);
        if (next->near)
          next->near(next->self);
      }
      show_edges(e, start);
      delay_here(&e->delay);
      run_unit(e, clock, w * 64 + (uint32_t)__builtin_ctzll(m), to);
    }
}

static void run_by_unit(struct engine *e, uint64_t until) {
  struct edges start;
  uint64_t from[ENGINE_DOMAINS];
  engine_advance(e, e->next);
  memcpy(start.edge, e->edge, sizeof start.edge);
  memcpy(start.cycle, e->edge_cycle, sizeof start.cycle);
  for (unsigned k = 0; k < e->nclocks;
       k++) { /* before the first unit runs, which may call units of another clock */
    unsigned clock = e->with_units[k];
    struct due *d = &e->due[clock];
    uint64_t period = e->period[clock], to = (until + period - 1) / period;
    from[clock] = (e->next + period - 1) / period;
    if (to - from[clock] > ENGINE_RING / 2)
      panic("a window of %llu cycles is too long", (unsigned long long)(to - from[clock]));
    if (d->far_least < to)
      due_look_far(d, e->unit, from[clock]);
    for (uint64_t c = from[clock]; c < to; c++)
      vacate(d, c);
    e->base[clock] = to - 1;
  }
  for (unsigned k = 0; k < e->nclocks; k++) {
    unsigned clock = e->with_units[k];
    run_units(e, clock, from[clock], e->base[clock] + 1, &start);
  }
  show_edges(e, &start);
  engine_advance(e, until - 1);
  e->running = NULL;
  e->next = next_instant(e);
}

void engine_run(struct engine *e, uint64_t until) {
  if (!e->by_unit || e->shuffle || e->no_skip)
    while (engine_step(e, until)) {
    }
  else if (e->next < until)
    run_by_unit(e, until);
}
