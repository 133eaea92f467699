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

/* The array is a stage that all requests pass, since those of an SM keep their order. */
void link_set_route(struct link *l, struct route *r) {
  l->route = r;
  uint32_t latency = r->hook.ops->latency(r->hook.self);
  uint64_t period = l->engine->period[l->domain];
  for (uint32_t i = 0; latency && i < l->n; i++) {
    uint32_t slots = l->from[i].capacity + latency;
    port_destroy(&l->from[i]);
    port_init(&l->from[i], slots, sizeof(struct mem_request), period * (1 + latency), period);
  }
}

void link_destroy(struct link *l) {
  for (uint32_t i = 0; i < l->n; i++) {
    port_destroy(&l->from[i]);
    port_destroy(&l->to[i]);
  }
  free(l->from), free(l->to), free(l->left);
  route_free(l->route);
}

static uint64_t to_cycle(const struct link *l, uint64_t tick) {
  return engine_cycle_at(l->engine, l->domain, tick);
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Can the request at the head of an SM's port go on? `to`: where it would go. */
static bool can_go(struct link *l, uint32_t i, uint64_t cycle, bool room, uint32_t *to) {
  const struct mem_request *m = port_front(&l->from[i], l->engine->now);
  *to = l->route ? route_look(l->route, m, cycle) : SLUICE_NONE;
  return *to == SLUICE_NONE ? room : route_room(l->route);
}

/* Requests of an SM for a line keep their order: a change of it waits until a load that asked another L1 is answered or
 * on its way, which wakes the link. */
static bool held(const struct link *l, uint32_t i) {
  return l->route && route_would_pass(l->route, port_front(&l->from[i], l->engine->now));
}

/* The request at the head of an SM's port leaves. */
static void take(struct link *l, uint32_t i, uint32_t to, uint64_t cycle) {
  uint64_t now = l->engine->now;
  struct port *p = &l->from[i];
  const struct mem_request *m = port_front(p, now);
  uint64_t arrived = cycle - (now - port_next_message(p)) / l->engine->period[l->domain];
  l->wait_cycles += cycle - (arrived > l->left[i] ? arrived : l->left[i]);
  l->left[i] = cycle + 1;
  if (l->route)
    route_sent(l->route, m, to, cycle, now);
  if (to == SLUICE_NONE) {
    port_push(l->out, now, m);
    engine_wake_one(l->engine, l->out_unit, m->slice, now + l->out->data);
  } else if (to != SLUICE_IN_FLIGHT) {
    engine_wake(l->engine, l->sm_unit[l->first + to], now + l->route->ask[to].data);
  }
  engine_pop(l->engine, p, l->sm_unit[l->first + i]);
  l->turn = i + 1 == l->n ? 0 : i + 1;
}

/* A load that another L1 did not have, before those that have not been looked up. */
static bool onward(struct link *l, bool room) {
  const struct route_slot *m = l->route ? route_front(&l->route->onward) : NULL;
  if (!m || !room)
    return false;
  uint64_t now = l->engine->now;
  port_push(l->out, now, &m->request);
  engine_wake_one(l->engine, l->out_unit, m->request.slice, now + l->out->data);
  route_on(l->route);
  return true;
}

static bool wide(const struct link *l) {
  return l->route && l->route->way.width > 1;
}

/* Loads that need not go to the network, where each SM has its own way to the array (rata.width). Returns how many went. */
static uint32_t redirects(struct link *l, uint64_t cycle) {
  uint32_t n = 0, to, first = l->turn;
  for (uint32_t k = 0; k < l->n && n < l->route->way.width; k++) {
    uint32_t i = first + k < l->n ? first + k : first + k - l->n;
    if (port_next_message(&l->from[i]) > l->engine->now || held(l, i) || !can_go(l, i, cycle, false, &to))
      continue;
    take(l, i, to, cycle);
    n++;
  }
  return n;
}

/* One request, of the first SM in rotation whose request can go. Returns when to look again. */
static uint64_t requests(struct link *l, uint64_t cycle) {
  uint64_t now = l->engine->now, next = NEVER;
  bool room = port_room(l->out, now), busy = onward(l, room), blocked = false;
  uint32_t chosen = UINT32_MAX, to = SLUICE_NONE;
  if (wide(l))
    blocked = redirects(l, cycle); /* look again in the next cycle */
  for (uint32_t k = 0; k < l->n; k++) {
    uint32_t i = l->turn + k < l->n ? l->turn + k : l->turn + k - l->n;
    uint64_t at = port_next_message(&l->from[i]);
    if (at > now)
      next = least(next, to_cycle(l, at));
    else if (held(l, i))
      continue;
    else if (busy || chosen != UINT32_MAX)
      next = cycle + 1;
    else if (can_go(l, i, cycle, room, &to) && (to == SLUICE_NONE || !wide(l)))
      chosen = i;
    else
      blocked = true;
  }
  if (busy || (l->route && l->route->onward.at.count))
    blocked = true;
  if (chosen != UINT32_MAX) {
    take(l, chosen, to, cycle);
    uint64_t more = port_next_message(&l->from[chosen]);
    next = least(next, blocked || more <= now ? cycle + 1 : to_cycle(l, more));
  } else if (blocked) { /* room is not known yet: the network wakes us */
    next = least(next, busy || wide(l) ? cycle + 1 : to_cycle(l, port_next_room(l->out)));
  }
  return next;
}

/* Is the head of the response buffer a line of another L1? Whatever came first; of those that came together, the
 * network's. */
static bool line_first(const struct link *l) {
  const struct route_slot *m = l->route ? route_front(&l->route->lines) : NULL;
  return m && m->arrived < port_next_message(l->in);
}

/* To the SM that asked; false: it cannot take it yet. */
static bool deliver(struct link *l, const struct mem_request *r) {
  uint64_t now = l->engine->now;
  struct port *p = &l->to[r->sm - l->first];
  if (!port_room(p, now))
    return false;
  port_push(p, now, r);
  engine_wake(l->engine, l->sm_unit[r->sm], now + p->data);
  return true;
}

/* Lines of other L1s beside the network's answers, in order (rata.width). */
static void lines(struct link *l) {
  const struct route_slot *m;
  for (uint32_t k = 0; k < l->route->way.width && (m = route_front(&l->route->lines)); k++) {
    if (!deliver(l, &m->request))
      return;
    route_pop(l->route, &l->route->lines);
  }
}

/* The answer at the head of the buffer, to its SM. */
static uint64_t answers(struct link *l, uint64_t cycle) {
  uint64_t now = l->engine->now;
  if (wide(l))
    lines(l);
  bool line = !wide(l) && line_first(l), left = wide(l) && l->route->lines.at.count;
  const struct mem_request *r = line ? &route_front(&l->route->lines)->request : port_front(l->in, now);
  if (!r)
    return left ? cycle + 1 : to_cycle(l, port_next_message(l->in));
  const struct port *p = &l->to[r->sm - l->first];
  if (!deliver(l, r))
    return left ? cycle + 1 : to_cycle(l, port_next_room(p));
  if (line) {
    route_pop(l->route, &l->route->lines);
  } else {
    if (l->route)
      route_answered(l->route, r, cycle, now);
    engine_pop(l->engine, l->in, l->in_unit);
  }
  uint64_t more = port_next_message(l->in);
  return more <= now || (l->route && l->route->lines.at.count) ? cycle + 1 : to_cycle(l, more);
}

/* What an L1 said and what is filled counts for the requests of the same cycle. */
uint64_t link_cycle(void *self, uint64_t cycle) {
  struct link *l = self;
  uint64_t next = l->route ? to_cycle(l, route_receive(l->route, cycle, l->engine->now)) : NEVER;
  next = least(next, answers(l, cycle));
  next = least(next, requests(l, cycle));
  return next > cycle ? next : cycle + 1;
}
