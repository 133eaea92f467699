#include "l1/scalar.h"
#include "cache/cache.h"
#include "core/sm.h"

void scalar_share(const struct l1_config *k, uint32_t sms, uint32_t i, uint32_t *first, uint32_t *n) {
  *first = (i * sms + k->c_caches - 1) / k->c_caches;
  *n = ((i + 1) * sms + k->c_caches - 1) / k->c_caches - *first;
}

void scalar_init(struct scalar *c, struct engine *e, unsigned domain, struct sm *owner, uint32_t first,
                 uint32_t n, uint32_t id) {
  *c = (struct scalar){.engine = e, .k = owner->l1.k, .id = id, .first = first, .n = n, .owner = owner};
  uint64_t period = e->period[domain];
  c->ask = xcalloc(n, sizeof *c->ask);
  c->reply = xcalloc(n, sizeof *c->reply);
  for (uint32_t i = 0; i < n; i++) { /* no more are ever under way than have room */
    port_init(&c->ask[i], SCALAR_LOADS + 1, sizeof(struct scalar_ask), period, period);
    port_init(&c->reply[i], SCALAR_LOADS + 1, sizeof(struct scalar_reply), period * c->k->c_latency, period);
  }
  ring_init(&c->miss, c->k->c_miss_queue, 0);
}

void scalar_destroy(struct scalar *c) {
  for (uint32_t i = 0; i < c->n; i++) {
    port_destroy(&c->ask[i]);
    port_destroy(&c->reply[i]);
  }
  free(c->ask), free(c->reply);
  ring_destroy(&c->miss);
  stamp_pool_destroy(&c->stamps);
}

/* Which load of which compute unit waits: what the cache keeps of it. */
static uint32_t waiter_of(uint32_t cu, uint32_t tracker) {
  return cu << 24 | tracker;
}

static void reply(void *ctx, uint32_t waiter) {
  struct scalar *c = ctx;
  uint32_t cu = waiter >> 24;
  uint64_t tick = c->engine->now;
  struct scalar_reply r = {.request = {.kind = MEM_READ}};
  if (c->answer)
    r = (struct scalar_reply){*c->answer, *c->answer->stamps, *c->answer->stamps->more};
  r.request.stamps = NULL;
  r.request.waiter = waiter & 0xffffff;
  if (!port_room(&c->reply[cu], tick))
    panic("more scalar loads are under way than a compute unit may have");
  port_push(&c->reply[cu], tick, &r);
  engine_wake(c->engine, c->sm_unit[c->first + cu], tick + c->reply[cu].data);
}

static void send(struct scalar *c, uint64_t line) {
  uint64_t from = line & ~(uint64_t)(c->k->line_bytes - 1);
  uint32_t all = (1u << c->k->c.line_bytes / MEM_SECTOR) - 1;
  struct mem_request r = {.line = from,
                          .stamps = stamps_take(&c->stamps),
                          .born = c->now,
                          .waiter = UINT32_MAX,
                          .sm = (uint16_t)c->id,
                          .slice = (uint16_t)addrmap_place(c->owner->map, from).slice,
                          .kind = MEM_READ,
                          .flags = MEM_CONST,
                          .number = checker_number(c->owner->checker),
                          .sectors = (uint8_t)(all << (line - from) / MEM_SECTOR)};
  ring_push(&c->miss, &r);
  c->owner->stats.requests++;
}

/* The load at the head of a compute unit's port. False: the tags have no way to take it now. */
static bool look_up(struct scalar *c, uint32_t cu) {
  uint64_t tick = c->engine->now;
  const struct scalar_ask *a = port_front(&c->ask[cu], tick);
  uint64_t line = a->address & ~(uint64_t)(c->k->c.line_bytes - 1);
  uint32_t waiter = waiter_of(cu, a->tracker);
  struct cache_result r = cache_load(c->owner->l1c, line, 1, waiter, ring_room(&c->miss, 1));
  if (r.outcome == CACHE_FAILED)
    return false;
  if (r.outcome == CACHE_MISS)
    send(c, line);
  if (r.outcome == CACHE_HIT)
    reply(c, waiter);
  port_pop(&c->ask[cu], tick);
  return true;
}

/* Up to l1c.ports loads, of compute units in rotation; one that is refused holds up all. */
static void look_up_some(struct scalar *c) {
  uint64_t tick = c->engine->now;
  for (uint32_t i = 0, asked = 0; i < c->k->c_ports && asked < c->n; asked++) {
    uint32_t cu = (c->turn + asked) % c->n;
    if (port_next_message(&c->ask[cu]) > tick)
      continue;
    c->refused = !look_up(c, cu);
    if (c->refused)
      return;
    c->turn = (cu + 1) % c->n;
    asked = UINT32_MAX; /* from the next one on */
    i++;
  }
}

static void take_answer(struct scalar *c) {
  uint64_t tick = c->engine->now;
  const struct mem_request *r = port_front(c->in, tick);
  if (!r)
    return;
  c->answer = r;
  uint64_t line = r->line + (uint64_t)__builtin_ctz(r->sectors) * MEM_SECTOR;
  bool put = cache_fill(c->owner->l1c, line, 1, reply, c).outcome != CACHE_FAILED;
  c->answer = NULL;
  if (!put)
    return; /* it stays at the head */
  c->refused = false;
  c->owner->stats.answers++;
  if (c->owner->checker)
    checker_answered(c->owner->checker, r, c->now);
  stamps_give(&c->stamps, r->stamps);
  engine_pop(c->engine, c->in, c->in_unit);
}

/* Returns when there is room for the next one, if there is one. */
static uint64_t send_miss(struct scalar *c) {
  uint64_t tick = c->engine->now;
  if (c->miss.at.count && port_room(c->out, tick)) {
    struct mem_request *r = &c->miss.request[c->miss.at.head];
    r->stamps->sent = mem_age(r, c->now);
    port_push(c->out, tick, r);
    engine_wake_one(c->engine, c->out_unit, r->slice, tick + c->out->data);
    ring_drop(&c->miss.at);
    c->refused = false;
  }
  if (!c->miss.at.count)
    return NEVER;
  return port_room(c->out, tick) ? c->now + 1
                                 : engine_cycle_at(c->engine, DOMAIN_CORE, port_next_room(c->out));
}

uint64_t scalar_cycle(void *self, uint64_t cycle) {
  struct scalar *c = self;
  c->now = cycle;
  take_answer(c);
  uint64_t next = send_miss(c), tick = c->engine->now, first = port_next_message(c->in);
  uint32_t misses = c->miss.at.count;
  if (!c->refused)
    look_up_some(c);
  for (uint32_t i = 0; !c->refused && i < c->n; i++)
    if (port_next_message(&c->ask[i]) < first)
      first = port_next_message(&c->ask[i]);
  uint64_t t = first <= tick ? cycle + 1 : engine_cycle_at(c->engine, DOMAIN_CORE, first);
  next = t < next ? t : next;
  return c->miss.at.count > misses && next > cycle + 1 ? cycle + 1 : next;
}
