#include "engine/engine.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t t = a % b;
    a = b, b = t;
  }
  return a;
}

void engine_init(struct engine *e, const uint64_t *frequency, unsigned n) {
  *e = (struct engine){.ndomains = n};
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
    e->edge[i] = e->period[i], e->edge_cycle[i] = 1;
}

void engine_destroy(struct engine *e) {
  free(e->unit);
  free(e->order);
}

uint32_t engine_add(struct engine *e, const char *name, unsigned domain, void *self,
                    uint64_t (*run)(void *, uint64_t)) {
  VEC_PUSH(e->unit, e->nunits, e->cap) =
      (struct unit){.name = name, .self = self, .domain = domain, .run = run, .wake = 0, .call = NEVER};
  return (uint32_t)e->nunits - 1;
}

static void set_order(struct engine *e) {
  if (!e->order) {
    e->order = xcalloc(e->nunits, sizeof *e->order);
    for (size_t i = 0; i < e->nunits; i++)
      e->order[i] = i;
  }
  if (!e->shuffle)
    return;
  for (size_t i = e->nunits; i > 1; i--) { /* a new order every instant */
    e->shuffle ^= e->shuffle << 13, e->shuffle ^= e->shuffle >> 7, e->shuffle ^= e->shuffle << 17;
    size_t k = e->shuffle % i;
    uint64_t t = e->order[i - 1];
    e->order[i - 1] = e->order[k];
    e->order[k] = t;
  }
}

static uint64_t due(const struct engine *e, const struct unit *u) {
  uint64_t c = u->wake < u->call ? u->wake : u->call;
  return c == NEVER ? NEVER : c * e->period[u->domain];
}

static void advance(struct engine *e, uint64_t to) {
  e->now = to;
  for (unsigned d = 0; d < e->ndomains; d++) {
    if (e->edge[d] > to)
      continue;
    uint64_t steps = to - e->edge[d] < e->period[d] ? 1 : (to - e->edge[d]) / e->period[d] + 1;
    e->edge[d] += steps * e->period[d];
    e->edge_cycle[d] += steps;
  }
}

uint64_t engine_next(const struct engine *e) {
  uint64_t next = NEVER;
  for (size_t i = 0; i < e->nunits; i++) {
    uint64_t t = due(e, &e->unit[i]);
    if (t < next)
      next = t;
  }
  return next;
}

bool engine_step(struct engine *e, uint64_t until) {
  uint64_t next = engine_next(e);
  if (next == NEVER || next >= until)
    return false;
  if (!e->order || e->shuffle)
    set_order(e);
  advance(e, next);
  for (size_t k = 0; k < e->nunits; k++) {
    struct unit *u = &e->unit[e->order[k]];
    if (due(e, u) != next)
      continue;
    uint64_t cycle = e->edge_cycle[u->domain] - 1;
    if (u->call == cycle)
      u->call = NEVER;
    uint64_t again = u->run(u->self, cycle);
    e->steps++;
    if (e->no_skip)
      again = cycle + 1;
    if (again <= cycle)
      panic("unit %s wants to run again in the past", u->name);
    u->wake = again;
  }
  return true;
}
