#include "engine/engine.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t t = a % b;
    a = b, b = t;
  }
  return a;
}

void engine_init(struct engine *e, const uint64_t *frequency, unsigned n) {
  *e = (struct engine){.ndomains = n, .next = NEVER, .called = NEVER};
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
    e->edge[i] = e->period[i], e->edge_cycle[i] = 1, e->due[i].far_least = NEVER;
    while (e->period[e->clock[i]] != e->period[i])
      e->clock[i]++;
  }
}

void engine_destroy(struct engine *e) {
  for (unsigned i = 0; i < e->ndomains; i++)
    free(e->due[i].set), free(e->due[i].far), free(e->due[i].unit);
  free(e->order);
}

/* Room for one more unit in the sets; they are empty but for cycle 0 and whoever is beyond the ring. */
static void due_grow(struct due *d) {
  uint32_t words = d->n / 64 + 1, old = d->words;
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

/* Where unit `bit` is noted for a cycle within the ring. */
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

/* `now` is a cycle too: the last one at or before the engine's now. */
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
  if (cycle - now >= ENGINE_RING || !(*w & b)) { /* it stays: they are looked at before their time comes */
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

/* Takes those whose cycle has come near into the ring. */
static void due_look_far(struct due *d, uint64_t now) {
  d->far_least = NEVER;
  d->far_exact = true;
  for (uint32_t i = 0; i < d->words; i++) {
    uint64_t m = d->far[i];
    d->far[i] = 0;
    for (; m; m &= m - 1) {
      uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(m);
      const struct unit *u = &d->unit[bit];
      if (u->wake != NEVER)
        due_add(d, now, bit, u->wake);
      if (u->call != NEVER)
        due_add(d, now, bit, u->call);
    }
  }
}

/* The first cycle at or after `now` at which somebody in the ring is due. */
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

static uint64_t due_next(struct due *d, uint64_t now) {
  uint64_t next = due_in_ring(d, now);
  /* who was far when noted may come before others that were noted later and near */
  if (d->far_least - now < ENGINE_RING / 2 || (next != NEVER ? d->far_least < next : !d->far_exact)) {
    due_look_far(d, now);
    next = due_in_ring(d, now);
  }
  return next == NEVER ? d->far_least : next;
}

uint32_t engine_add(struct engine *e, const char *name, unsigned domain, void *self,
                    uint64_t (*run)(void *, uint64_t)) {
  unsigned clock = e->clock[domain];
  struct due *d = &e->due[clock];
  uint32_t bit = d->n;
  due_grow(d);
  size_t n = bit;
  VEC_PUSH(d->unit, n, d->cap) = (struct unit){.name = name, .self = self, .run = run, .call = NEVER};
  d->n = (uint32_t)n;
  size_t all = 0;
  for (unsigned i = 0; i < e->ndomains; i++)
    all += e->due[i].n;
  e->order = xrealloc(e->order, all * sizeof *e->order);
  due_add(d, engine_cycle(e, clock), bit, 0);
  e->next = 0;
  return e->lane << UNIT_LANE_SHIFT | clock << UNIT_CLOCK_SHIFT | bit;
}

void engine_advance(struct engine *e, uint64_t to) {
  e->now = to;
  for (unsigned d = 0; d < e->ndomains; d++) {
    if (e->edge[d] > to)
      continue;
    uint64_t late = to - e->edge[d], steps = late < e->period[d] ? 1 : late / e->period[d] + 1;
    e->edge[d] += steps * e->period[d];
    e->edge_cycle[d] += steps;
  }
}

static uint64_t next_instant(struct engine *e) {
  uint64_t next = NEVER;
  for (unsigned i = 0; i < e->ndomains; i++) {
    if (!e->due[i].n)
      continue;
    uint64_t c = due_next(&e->due[i], engine_cycle(e, i)), t = c == NEVER ? NEVER : c * e->period[i];
    if (t < next)
      next = t;
  }
  return next;
}

/* Was called already, for later: as if it had not been. */
static __attribute__((noinline)) void call_sooner(struct engine *e, uint32_t u, uint64_t cycle) {
  unsigned clock = u >> UNIT_CLOCK_SHIFT & 3;
  struct due *d = &e->due[clock];
  struct unit *k = &d->unit[u & UNIT_INDEX];
  if (k->call != k->wake)
    due_remove(d, engine_cycle(e, clock), u & UNIT_INDEX, k->call);
  k->call = NEVER;
  engine_call_at(e, u, cycle);
}

void engine_call_at(struct engine *e, uint32_t u, uint64_t cycle) {
  unsigned clock = u >> UNIT_CLOCK_SHIFT & 3;
  struct due *d = &e->due[clock];
  struct unit *k = &d->unit[u & UNIT_INDEX];
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
  if (cycle != k->wake) /* else it is noted */
    due_add(d, engine_cycle(e, clock), u & UNIT_INDEX, cycle);
}

void engine_call_other(struct engine *e, uint32_t u, uint64_t cycle) {
  if (u >> UNIT_LANE_SHIFT == UNIT_GROUP) {
    const struct engine_group *g = &e->group[u & UNIT_INDEX];
    for (uint32_t i = 0; i < g->n; i++)
      engine_call(e, g->unit[i], cycle);
    return;
  }
  struct engine_box *b = &e->box[e->parity][u >> UNIT_LANE_SHIFT];
  if (b->n && b->call[b->n - 1].unit == u && b->call[b->n - 1].cycle == cycle)
    return; /* of several that call one, one is enough */
  VEC_PUSH(b->call, b->n, b->cap) = (struct engine_call){u, cycle};
  uint64_t tick = cycle * e->period[u >> UNIT_CLOCK_SHIFT & 3];
  if (tick < e->called)
    e->called = tick;
}

/* A unit has run and says when again; returns whether in the next cycle, which the caller notes. */
static __attribute__((noinline)) bool due_again(struct due *d, uint32_t bit, uint64_t cycle, uint64_t again) {
  struct unit *u = &d->unit[bit];
  uint64_t before = u->wake;
  if (again <= cycle)
    panic("unit %s wants to run again in the past", u->name);
  u->wake = again;
  if (again == before)
    return false; /* it is noted */
  if (before > cycle && before != NEVER && before != u->call)
    due_remove(d, cycle, bit, before);
  if (again == cycle + 1)
    return true;
  if (again != NEVER)
    due_add(d, cycle, bit, again);
  return false;
}

static inline bool run(struct engine *e, struct due *d, uint32_t bit, uint64_t cycle) {
  struct unit *u = &d->unit[bit];
  if (u->call == cycle)
    u->call = NEVER;
  else if (u->wake != cycle)
    panic("unit %s was woken in cycle %llu by nobody", u->name, (unsigned long long)cycle);
  uint64_t again = u->run(u->self, cycle);
  e->steps++;
  if (e->no_skip)
    again = cycle + 1;
  if (u->wake == cycle && again == cycle + 1) { /* most of them */
    u->wake = again;
    return true;
  }
  return due_again(d, bit, cycle, again);
}

/* Asks the host's cache for the beginning of a unit's state, where what every cycle looks at is, while the one
 * before it runs. */
static inline void come_near(const struct unit *u) {
  enum { LINE = 64, LINES = 8 };
  for (int i = 0; i < LINES; i++)
    __builtin_prefetch((const char *)u->self + i * LINE);
}

/* Who is due is run, by number. Whoever they call is due later, in another set. */
static void run_due(struct engine *e, struct due *d, uint64_t cycle) {
  uint64_t *set = due_word(d, 0, cycle), any = 0;
  for (uint32_t w = 0; w < d->words; w++) {
    uint64_t m = set[w], again = 0;
    set[w] = 0;
    while (m) {
      uint64_t rest = m & (m - 1);
      uint32_t bit = w * 64 + (uint32_t)__builtin_ctzll(m);
      if (rest)
        come_near(&d->unit[w * 64 + (uint32_t)__builtin_ctzll(rest)]);
      again |= run(e, d, bit, cycle) ? m ^ rest : 0;
      m = rest;
    }
    *due_word(d, w * 64, cycle + 1) |= again;
    any |= again;
  }
  if (any)
    occupy(d, cycle + 1);
}

/* The clocks that have an edge now, and whose units may be due. */
static inline bool ticks(struct engine *e, unsigned i) {
  struct due *d = &e->due[i];
  if (!d->n || e->edge[i] - e->period[i] != e->now)
    return false;
  uint64_t cycle = engine_cycle(e, i);
  if (d->far_least - cycle < ENGINE_RING / 2)
    due_look_far(d, cycle);
  vacate(d, cycle);
  return true;
}

static void run_in_order(struct engine *e) {
  for (unsigned i = 0; i < e->ndomains; i++)
    if (ticks(e, i))
      run_due(e, &e->due[i], engine_cycle(e, i));
}

/* For tests: the units of all clocks in any order. */
static void run_shuffled(struct engine *e) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->ndomains; i++) {
    struct due *d = &e->due[i];
    if (!ticks(e, i))
      continue;
    uint64_t *set = due_word(d, 0, engine_cycle(e, i));
    for (uint32_t bit = 0; bit < d->n; bit++)
      if (set[bit / 64] >> bit % 64 & 1)
        e->order[n++] = i << UNIT_CLOCK_SHIFT | bit;
    memset(set, 0, d->words * sizeof *set);
  }
  for (; n; n--) {
    e->shuffle ^= e->shuffle << 13, e->shuffle ^= e->shuffle >> 7, e->shuffle ^= e->shuffle << 17;
    uint32_t k = (uint32_t)(e->shuffle % n), u = e->order[k], clock = u >> UNIT_CLOCK_SHIFT;
    e->order[k] = e->order[n - 1];
    uint64_t cycle = engine_cycle(e, clock);
    if (run(e, &e->due[clock], u & UNIT_INDEX, cycle))
      due_add(&e->due[clock], cycle, u & UNIT_INDEX, cycle + 1);
  }
}

bool engine_step(struct engine *e, uint64_t until) {
  if (e->next >= until)
    return false;
  engine_advance(e, e->next);
  if (e->shuffle)
    run_shuffled(e);
  else
    run_in_order(e);
  e->next = next_instant(e);
  return true;
}
