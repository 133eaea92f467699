#include "noc/link.h"

void link_init(struct link *l, struct engine *e, unsigned domain, uint32_t first, uint32_t n,
               uint32_t slots) {
  *l = (struct link){.engine = e, .first = first, .n = n, .domain = domain};
  uint64_t period = e->period[domain];
  l->from = xcalloc(n, sizeof *l->from);
  l->to = xcalloc(n, sizeof *l->to);
  l->left = xcalloc(n, sizeof *l->left);
  for (uint32_t i = 0; i < n; i++) {
    port_init(&l->from[i], slots, sizeof(struct mem_request), period, period);
    port_init(&l->to[i], slots, sizeof(struct mem_request), period, period);
  }
}

void link_destroy(struct link *l) {
  for (uint32_t i = 0; i < l->n; i++) {
    port_destroy(&l->from[i]);
    port_destroy(&l->to[i]);
  }
  free(l->from), free(l->to), free(l->left);
}

static uint64_t to_cycle(const struct link *l, uint64_t tick) {
  return engine_cycle_at(l->engine, l->domain, tick);
}

/* One request, of the first SM in rotation that has one. Returns when to look again. */
static uint64_t requests(struct link *l, uint64_t cycle) {
  uint64_t now = l->engine->now, next = NEVER;
  uint32_t chosen = UINT32_MAX;
  for (uint32_t k = 0; k < l->n; k++) {
    uint32_t i = l->turn + k < l->n ? l->turn + k : l->turn + k - l->n;
    uint64_t at = port_next_message(&l->from[i]);
    if (at <= now && chosen == UINT32_MAX)
      chosen = i;
    else if (at != NEVER && (at = at <= now ? cycle + 1 : to_cycle(l, at)) < next)
      next = at;
  }
  if (chosen == UINT32_MAX)
    return next;
  if (!port_room(l->out, now)) /* not known yet: the network wakes us */
    return to_cycle(l, port_next_room(l->out));
  struct port *p = &l->from[chosen];
  uint64_t arrived = cycle - (now - port_next_message(p)) / l->engine->period[l->domain];
  l->wait_cycles += cycle - (arrived > l->left[chosen] ? arrived : l->left[chosen]);
  l->left[chosen] = cycle + 1;
  port_push(l->out, now, port_front(p, now));
  engine_wake(l->engine, l->out_unit, now + l->out->data);
  port_pop(p, now);
  engine_wake(l->engine, l->sm_unit[l->first + chosen], now + p->credit);
  l->turn = chosen + 1 == l->n ? 0 : chosen + 1;
  uint64_t more = port_next_message(p);
  if (more != NEVER && (more = more <= now ? cycle + 1 : to_cycle(l, more)) < next)
    next = more;
  return next;
}

/* The answer at the head of the buffer, to its SM. */
static uint64_t answers(struct link *l, uint64_t cycle) {
  uint64_t now = l->engine->now;
  const struct mem_request *r = port_front(l->in, now);
  if (!r)
    return to_cycle(l, port_next_message(l->in));
  struct port *p = &l->to[r->sm - l->first];
  uint32_t unit = l->sm_unit[r->sm];
  if (!port_room(p, now))
    return to_cycle(l, port_next_room(p));
  port_push(p, now, r);
  engine_wake(l->engine, unit, now + p->data);
  port_pop(l->in, now);
  engine_wake(l->engine, l->in_unit, now + l->in->credit);
  uint64_t more = port_next_message(l->in);
  return more <= now ? cycle + 1 : to_cycle(l, more);
}

uint64_t link_cycle(void *self, uint64_t cycle) {
  struct link *l = self;
  uint64_t a = requests(l, cycle), b = answers(l, cycle), next = a < b ? a : b;
  return next > cycle ? next : cycle + 1;
}
