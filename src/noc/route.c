#include "noc/route.h"

static void queue_init(struct route_queue *q, uint32_t slots) {
  q->at.mask = ring_mask(slots);
  q->slot = xcalloc(q->at.mask + 1u, sizeof *q->slot);
}

static void queue_push(struct route_queue *q, const struct mem_request *m, uint64_t now) {
  q->slot[ring_add(&q->at)] = (struct route_slot){*m, now};
}

struct route *route_new(struct tech_route hook, uint64_t period, uint32_t first, uint32_t n,
                        struct route_sizes k) {
  struct route *r = xcalloc(1, sizeof *r);
  *r = (struct route){.hook = hook, .first = first, .n = n, .way = {.size = sizeof r->way, .width = 1}};
  if (hook.ops->way)
    hook.ops->way(hook.self, &r->way);
  r->slots = k.slots = r->way.slots ? r->way.slots : k.slots;
  queue_init(&r->lines, k.slots);
  queue_init(&r->onward, k.slots);
  r->ask = xcalloc(n, sizeof *r->ask);
  r->asked = xcalloc(k.slots, sizeof *r->asked);
  r->joined = xcalloc(k.slots, sizeof *r->joined);
  r->reply = xcalloc(n, sizeof *r->reply);
  if (hook.ops->changed)
    r->notice = xcalloc(n, sizeof *r->notice);
  for (uint32_t i = 0; i < n; i++) {
    port_init(&r->ask[i], k.slots, sizeof(struct mem_request), period, period);
    port_init(&r->reply[i], k.slots, sizeof(struct mem_request), period * (k.l1_latency ? k.l1_latency : 1),
              period);
    if (r->notice) /* all lines at once, when it is emptied, and what changed just before */
      port_init(&r->notice[i], 2 * k.l1_lines + 64, sizeof(struct route_notice), period, period);
  }
  return r;
}

void route_free(struct route *r) {
  if (!r)
    return;
  for (uint32_t i = 0; i < r->n; i++) {
    port_destroy(&r->ask[i]);
    port_destroy(&r->reply[i]);
    if (r->notice)
      port_destroy(&r->notice[i]);
  }
  free(r->ask), free(r->reply), free(r->notice), free(r->asked), free(r->joined), free(r->lines.slot),
      free(r->onward.slot);
  free(r);
}

/* A load that missed; not a store's fetch, whose line must be filled, and nothing that goes past the L1. */
static bool concerns(const struct mem_request *m) {
  return m->kind == MEM_READ && !m->flags && m->waiter != UINT32_MAX;
}

static struct sluice_request view(const struct route *r, const struct mem_request *m, uint64_t cycle) {
  return (struct sluice_request){.size = sizeof(struct sluice_request),
                                 .line = m->line,
                                 .arrived = cycle,
                                 .sm = m->sm - r->first,
                                 .warp = m->warp,
                                 .slice = m->slice,
                                 .degree = m->degree,
                                 .kind = m->kind,
                                 .sectors = m->sectors};
}

uint32_t route_look(const struct route *r, const struct mem_request *m, uint64_t cycle) {
  if (!concerns(m))
    return SLUICE_NONE;
  struct sluice_request v = view(r, m, cycle);
  uint32_t to = r->hook.ops->look(r->hook.self, &v, cycle);
  return to == SLUICE_IN_FLIGHT || (to < r->n && to != v.sm) ? to : SLUICE_NONE;
}

void route_sent(struct route *r, const struct mem_request *m, uint32_t to, uint64_t cycle, uint64_t now) {
  if (!concerns(m))
    return;
  struct sluice_request v = view(r, m, cycle);
  r->hook.ops->sent(r->hook.self, &v, to, cycle);
  if (to == SLUICE_NONE)
    return;
  if (to == SLUICE_IN_FLIGHT) {
    r->joined[r->njoined++] = *m;
    r->used++;
    return;
  }
  struct mem_request asked = *m;
  if (r->hook.ops->sure(r->hook.self))
    asked.flags |= MEM_SURE;
  if (!port_room(&r->ask[to], now))
    panic("an L1 is asked for more lines than the cluster has slots for");
  port_push(&r->ask[to], now, &asked);
  if (!(asked.flags & MEM_SURE)) /* else it does not go on */
    r->asked[r->nasked++] = (struct route_asked){m->line, m->sm};
  r->used++;
}

/* A line for an SM of the cluster, from another L1 or as the L2's answer passes. */
static void line_found(struct route *r, struct mem_request *m, uint64_t now) {
  if (r->way.fills)
    m->flags = MEM_ANSWERED;
  queue_push(&r->lines, m, now);
  r->answers++;
}

static void serve_joined(struct route *r, const struct mem_request *m, uint64_t cycle, uint64_t now) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < r->njoined; i++) {
    struct mem_request *k = &r->joined[i];
    if (k->line != m->line || k->sectors & ~m->sectors) {
      r->joined[left++] = *k;
      continue;
    }
    struct sluice_request v = view(r, k, cycle);
    r->hook.ops->asked(r->hook.self, &v, SLUICE_IN_FLIGHT, true, cycle);
    k->flags = MEM_REMOTE | MEM_ANSWERED;
    k->stamps->delivered = mem_age(k, cycle);
    line_found(r, k, now);
  }
  r->njoined = left;
}

void route_answered(struct route *r, const struct mem_request *m, uint64_t cycle, uint64_t now) {
  if (m->kind != MEM_READ || m->flags & (MEM_NO_FILL | MEM_CONST | MEM_CODE | MEM_PREFETCH | MEM_NACK))
    return;
  r->hook.ops->filled(r->hook.self, m->sm - r->first, m->line, cycle);
  if (r->njoined)
    serve_joined(r, m, cycle, now);
}

bool route_would_pass(const struct route *r, const struct mem_request *m) {
  for (uint32_t i = 0; m->kind != MEM_READ && i < r->nasked; i++)
    if (r->asked[i].line == m->line && r->asked[i].sm == m->sm)
      return true;
  return false;
}

/* What became of a load that was redirected is known. */
static void settled(struct route *r, const struct mem_request *m) {
  uint32_t i = 0;
  while (i < r->nasked && (r->asked[i].line != m->line || r->asked[i].sm != m->sm))
    i++;
  if (i < r->nasked)
    r->asked[i] = r->asked[--r->nasked];
}

static void take_replies(struct route *r, uint32_t i, uint64_t cycle, uint64_t now) {
  for (struct mem_request *m; (m = port_front(&r->reply[i], now)); port_pop(&r->reply[i], now)) {
    bool found = m->flags & MEM_REMOTE;
    struct sluice_request v = view(r, m, cycle);
    r->hook.ops->asked(r->hook.self, &v, i, found, cycle);
    if (found) {
      settled(r, m);
      line_found(r, m, now);
    } else {
      queue_push(&r->onward, m, now);
    }
  }
}

static void take_notices(struct route *r, uint32_t i, uint64_t cycle, uint64_t now) {
  for (const struct route_notice *t; (t = port_front(&r->notice[i], now)); port_pop(&r->notice[i], now))
    r->hook.ops->changed(r->hook.self, i, t->line, t->sectors, cycle);
}

uint64_t route_receive(struct route *r, uint64_t cycle, uint64_t now) {
  uint64_t next = NEVER;
  for (uint32_t i = 0; i < r->n && r->notice; i++) {
    uint64_t at = port_next_message(&r->notice[i]);
    if (at <= now) {
      take_notices(r, i, cycle, now);
      at = port_next_message(&r->notice[i]);
    }
    next = at < next ? at : next;
  }
  for (uint32_t i = 0; i < r->n && r->used; i++) { /* only what was redirected is replied to */
    uint64_t at = port_next_message(&r->reply[i]);
    if (at <= now) {
      take_replies(r, i, cycle, now);
      at = port_next_message(&r->reply[i]);
    }
    next = at < next ? at : next;
  }
  return next;
}

void route_pop(struct route *r, struct route_queue *q) {
  ring_drop(&q->at);
  r->used--;
}

void route_on(struct route *r) {
  settled(r, &route_front(&r->onward)->request);
  route_pop(r, &r->onward);
}
