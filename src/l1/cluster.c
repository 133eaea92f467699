/* Loads of the other SMs of the cluster. */
#include "l1/internal.h"
#include "noc/route.h"

uint64_t l1_serve_peer(struct sm *s) {
  uint64_t tick = s->engine->now, free;
  const struct mem_request *m = port_front(s->ask, tick);
  if (m && !l1_port_free(s, &free))
    return free;
  if (m) {
    struct mem_request r = *m;
    bool found = r.flags & MEM_SURE ||
                 cache_peer_lookup(s->l1d, r.line, sectors_to_cache(s->l1.k->d.sector_bytes, r.sectors));
    l1_use_port(s, found ? r.sectors : 1); /* a lookup that misses keeps the port for a cycle */
    r.flags = found ? MEM_REMOTE | MEM_ANSWERED : 0;
    if (found)
      r.stamps->delivered = mem_age(&r, s->now);
    port_pop(s->ask, tick);
    if (!port_room(s->reply, tick))
      panic("more replies of an L1 are under way than it was asked for");
    port_push(s->reply, tick, &r);
    engine_wake(s->engine, s->in_unit, tick + s->reply->data);
  }
  uint64_t next = port_next_message(s->ask);
  return next <= tick ? s->now + 1 : engine_cycle_at(s->engine, DOMAIN_CORE, next);
}

static void report(void *ctx, uint64_t line, uint32_t valid) {
  struct sm *s = ctx;
  uint64_t tick = s->engine->now;
  struct route_notice n = {line, sectors_from_cache(s->l1.k->d.sector_bytes, valid)};
  if (!port_room(s->notice, tick))
    panic("an L1 changes faster than it can be told of");
  port_push(s->notice, tick, &n);
  engine_wake(s->engine, s->in_unit, tick + s->notice->data);
}

void l1_notify_cluster(struct sm *s, struct port *to) {
  s->notice = to;
  cache_notify_changes(s->l1d, report, s);
}
