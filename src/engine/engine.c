#include "engine/engine.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t t = a % b;
    a = b, b = t;
  }
  return a;
}

void engine_init(struct engine *e, const uint64_t *frequency, unsigned n) {
  *e = (struct engine){.ndomains = n, .called = NEVER};
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
  for (unsigned i = 0; i < n; i++)
    e->edge[i] = e->period[i], e->edge_cycle[i] = 1, e->due[i].far_least = NEVER;
}

void engine_destroy(struct engine *e) {
  for (unsigned i = 0; i < e->ndomains; i++)
    free(e->due[i].set), free(e->due[i].far), free(e->due[i].unit);
  free(e->unit);
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

/* `now` is a cycle too: the last one at or before the engine's now. */
static void due_add(struct due *d, uint64_t now, uint32_t bit, uint64_t cycle) {
  if (cycle - now >= ENGINE_RING) {
    d->far[bit / 64] |= UINT64_C(1) << bit % 64;
    if (cycle < d->far_least)
      d->far_least = cycle;
    return;
  }
  uint32_t s = (uint32_t)cycle % ENGINE_RING;
  uint64_t *w = &d->set[(size_t)s * d->words + bit / 64], b = UINT64_C(1) << bit % 64;
  d->count[s] = (uint16_t)(d->count[s] + !(*w & b));
  *w |= b;
  d->occupied[s / 64] |= UINT64_C(1) << s % 64;
}

static void due_remove(struct due *d, uint64_t now, uint32_t bit, uint64_t cycle) {
  uint32_t s = (uint32_t)cycle % ENGINE_RING;
  uint64_t *w = &d->set[(size_t)s * d->words + bit / 64], b = UINT64_C(1) << bit % 64;
  if (cycle - now >= ENGINE_RING || !(*w & b)) { /* it stays: they are looked at before their time comes */
    d->far_exact = false;
    return;
  }
  *w &= ~b;
  if (!--d->count[s])
    d->occupied[s / 64] &= ~(UINT64_C(1) << s % 64);
}

/* Takes those whose cycle has come near into the ring. */
static void due_look_far(struct engine *e, struct due *d, uint64_t now) {
  d->far_least = NEVER;
  d->far_exact = true;
  for (uint32_t i = 0; i < d->words; i++) {
    uint64_t m = d->far[i];
    d->far[i] = 0;
    for (; m; m &= m - 1) {
      uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(m);
      const struct unit *u = &e->unit[d->unit[bit]];
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

static uint64_t due_next(struct engine *e, unsigned domain) {
  struct due *d = &e->due[domain];
  uint64_t now = engine_cycle(e, domain), next = due_in_ring(d, now);
  /* who was far when noted may come before others that were noted later and near */
  if (d->far_least - now < ENGINE_RING / 2 || (next != NEVER ? d->far_least < next : !d->far_exact)) {
    due_look_far(e, d, now);
    next = due_in_ring(d, now);
  }
  return next == NEVER ? d->far_least : next;
}

uint32_t engine_add(struct engine *e, const char *name, unsigned domain, void *self,
                    uint64_t (*run)(void *, uint64_t)) {
  uint32_t index = (uint32_t)e->nunits;
  struct due *d = &e->due[domain];
  due_grow(d);
  VEC_PUSH(e->unit, e->nunits, e->cap) = (struct unit){
      .name = name, .self = self, .domain = domain, .run = run, .wake = 0, .call = NEVER, .bit = d->n};
  size_t cap = d->cap;
  d->unit = vec_grow(d->unit, d->n, &cap, sizeof *d->unit);
  d->cap = (uint32_t)cap;
  d->unit[d->n++] = index;
  e->order = xrealloc(e->order, e->cap * sizeof *e->order);
  due_add(d, engine_cycle(e, domain), d->n - 1, 0);
  return e->lane << UNIT_LANE_SHIFT | domain << UNIT_DOMAIN_SHIFT | index;
}

void engine_advance(struct engine *e, uint64_t to) {
  e->now = to;
  for (unsigned d = 0; d < e->ndomains; d++) {
    if (e->edge[d] > to)
      continue;
    uint64_t steps = to - e->edge[d] < e->period[d] ? 1 : (to - e->edge[d]) / e->period[d] + 1;
    e->edge[d] += steps * e->period[d];
    e->edge_cycle[d] += steps;
  }
}

uint64_t engine_next(struct engine *e) {
  uint64_t next = NEVER;
  for (unsigned d = 0; d < e->ndomains; d++) {
    if (!e->due[d].n)
      continue;
    uint64_t c = due_next(e, d), t = c == NEVER ? NEVER : c * e->period[d];
    if (t < next)
      next = t;
  }
  return next;
}

void engine_call_at(struct engine *e, uint32_t u, uint64_t cycle) {
  struct unit *k = &e->unit[u & UNIT_INDEX];
  struct due *d = &e->due[k->domain];
  uint64_t now = engine_cycle(e, k->domain);
  if (cycle >= k->call)
    return;
  if (k->call != NEVER && k->call != k->wake)
    due_remove(d, now, k->bit, k->call);
  k->call = cycle;
  due_add(d, now, k->bit, cycle);
  uint64_t tick = cycle * e->period[k->domain];
  if (tick < e->next)
    e->next = tick;
}

void engine_call_other(struct engine *e, uint32_t u, uint64_t cycle) {
  struct engine_box *b = &e->box[e->parity][u >> UNIT_LANE_SHIFT];
  VEC_PUSH(b->call, b->n, b->cap) = (struct engine_call){u, cycle};
  uint64_t tick = cycle * e->period[u >> UNIT_DOMAIN_SHIFT & 3];
  if (tick < e->called)
    e->called = tick;
}

/* Takes the units that are due out of the sets. */
static uint32_t collect(struct engine *e) {
  uint32_t n = 0;
  for (unsigned i = 0; i < e->ndomains; i++) {
    struct due *d = &e->due[i];
    if (e->edge[i] - e->period[i] != e->now)
      continue;
    if (d->far_least - engine_cycle(e, i) < ENGINE_RING / 2)
      due_look_far(e, d, engine_cycle(e, i));
    uint32_t s = (uint32_t)engine_cycle(e, i) % ENGINE_RING;
    if (!d->count[s])
      continue;
    uint64_t *set = &d->set[(size_t)s * d->words];
    for (uint32_t w = 0; w < d->words; w++) {
      for (uint64_t m = set[w]; m; m &= m - 1)
        e->order[n++] = d->unit[w * 64 + (uint32_t)__builtin_ctzll(m)];
      set[w] = 0;
    }
    d->count[s] = 0;
    d->occupied[s / 64] &= ~(UINT64_C(1) << s % 64);
  }
  return n;
}

static void shuffle(struct engine *e, uint32_t n) {
  for (uint32_t i = n; i > 1; i--) {
    e->shuffle ^= e->shuffle << 13, e->shuffle ^= e->shuffle >> 7, e->shuffle ^= e->shuffle << 17;
    uint32_t k = (uint32_t)(e->shuffle % i), t = e->order[i - 1];
    e->order[i - 1] = e->order[k];
    e->order[k] = t;
  }
}

static void run(struct engine *e, struct unit *u) {
  struct due *d = &e->due[u->domain];
  uint64_t cycle = engine_cycle(e, u->domain);
  if (u->call == cycle)
    u->call = NEVER;
  else if (u->wake != cycle)
    panic("unit %s was woken in cycle %llu by nobody", u->name, (unsigned long long)cycle);
  uint64_t again = u->run(u->self, cycle), before = u->wake;
  e->steps++;
  if (e->no_skip)
    again = cycle + 1;
  if (again <= cycle)
    panic("unit %s wants to run again in the past", u->name);
  if (again == before)
    return; /* it is noted */
  if (before > cycle && before != NEVER && before != u->call)
    due_remove(d, cycle, u->bit, before);
  u->wake = again;
  if (again != NEVER)
    due_add(d, cycle, u->bit, again);
}

/* Asks the host's cache for the beginning of a unit's state, where what every cycle looks at is, while the one
 * before it runs. */
static inline void come_near(const struct unit *u) {
  enum { LINE = 64, LINES = 8 };
  for (int i = 0; i < LINES; i++)
    __builtin_prefetch((const char *)u->self + i * LINE);
}

bool engine_step(struct engine *e, uint64_t until) {
  uint64_t next = engine_next(e);
  if (next == NEVER || next >= until) {
    e->next = next;
    return false;
  }
  engine_advance(e, next);
  uint32_t n = collect(e);
  if (e->shuffle)
    shuffle(e, n);
  for (uint32_t k = 0; k < n; k++) {
    if (k + 1 < n)
      come_near(&e->unit[e->order[k + 1]]);
    run(e, &e->unit[e->order[k]]);
  }
  return true;
}
