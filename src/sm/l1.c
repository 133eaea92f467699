#include "base/bits.h"
#include "base/mem.h"
#include "gpu/gpu.h"
#include "mem/cache.h"
#include "sm/sm.h"

void l1_hooks_init(struct sm *s, struct tech_set *tech) {
  struct l1_hooks *h = &s->l1;
  *h = (struct l1_hooks){.free_entry = UINT32_MAX, .epoch = 1};
  h->order = tech_l1_order(tech, s->id);
  h->bypass = tech_l1_bypass(tech, s->id);
  h->gate = tech_gate(tech, s->id);
  h->aside = tech_l1_miss(tech, s->id);
  if (!h->bypass.queue)
    return;
  while (h->detour_mask + 1 < h->bypass.queue)
    h->detour_mask = h->detour_mask * 2 + 1;
  h->detour = xcalloc(h->detour_mask + 1u, sizeof *h->detour);
}

void l1_hooks_destroy(struct sm *s) {
  free(s->l1.entry);
  free(s->l1.detour);
}

static bool miss_room(const struct sm *s) {
  return ring_room(&s->miss, 1);
}

void l1_init(struct sm *s) {
  const struct gpu_config *k = s->k;
  ring_init(&s->miss, k->l1_miss_queue, k->l1d.mshrs);
  ring_init(&s->cmiss, k->l1c_miss_queue, 0);
  s->l1d = cache_new(&k->l1d);
  s->l1c = cache_new(&k->l1c);
  s->sends = 1;
  for (int i = 0; i < 2; i++)
    if (k->write[i].policy == CACHE_BACK || k->write[i].miss == CACHE_FETCH_ON_WRITE)
      s->sends = 2;
}

void l1_destroy(struct sm *s) {
  ring_destroy(&s->miss);
  ring_destroy(&s->cmiss);
  free(s->flush);
  cache_free(s->l1d);
  cache_free(s->l1c);
}

static uint8_t stream_of(const struct feed_inst *in) {
  return in->cache_op >= SLUICE_TEXTURE ? (uint8_t)(in->cache_op - SLUICE_TEXTURE + 1) : 0;
}

static struct mem_request request_of(const struct sm *s, const struct l1_of *of, const struct sm_access *a,
                                     uint8_t sectors, uint8_t flags) {
  return (struct mem_request){.line = a->line,
                              .bytes = {a->bytes[0], a->bytes[1]},
                              .born = s->now,
                              .waiter = of->tracker,
                              .sm = (uint16_t)s->id,
                              .warp = (uint16_t)of->warp,
                              .degree = of->degree,
                              .slice = (uint16_t)gpu_slice_of(s->gpu, a->line),
                              .kind = of->kind,
                              .flags = flags,
                              .sectors = sectors,
                              .number = follow_number(s->follow),
                              .stream = stream_of(of->inst)};
}

static void send(struct sm *s, const struct l1_of *of, const struct sm_access *a, uint8_t sectors,
                 uint8_t flags) {
  struct mem_request r = request_of(s, of, a, sectors, flags);
  ring_push(&s->miss, &r);
  s->stats.requests++;
}

/* A dirty line on its way to the L2: its bytes, in as many sectors as they touch. */
static struct mem_request writeback_of(struct sm *s, const struct cache_result *r) {
  struct mem_request m = {.line = r->victim,
                          .bytes = {r->victim_mask[0], r->victim_mask[1]},
                          .born = s->now,
                          .waiter = UINT32_MAX,
                          .sm = (uint16_t)s->id,
                          .slice = (uint16_t)gpu_slice_of(s->gpu, r->victim),
                          .kind = MEM_WRITE,
                          .flags = MEM_WRITEBACK,
                          .number = follow_number(s->follow)};
  for (unsigned i = 0; i < MEM_SECTORS; i++)
    if ((uint32_t)(m.bytes[i / 2] >> i % 2 * 32))
      m.sectors |= (uint8_t)(1u << i);
  s->writebacks++;
  s->stats.requests++;
  return m;
}

/* An access asks for room first. A line that comes does not: what it replaces waits in the entry of the miss that
 * brought it while the queue is full, or answers would wait for requests and requests for answers. */
void l1_write_back(struct sm *s, const struct cache_result *r) {
  if (!r->evicted)
    return;
  if (s->miss.count > s->miss.mask)
    panic("more lines leave an L1 than fetches of it could replace");
  struct mem_request m = writeback_of(s, r);
  ring_push(&s->miss, &m);
}

static void to_flush(void *ctx, const struct cache_result *r) {
  struct sm *s = ctx;
  struct mem_request m = writeback_of(s, r);
  VEC_PUSH(s->flush, s->nflush, s->capflush) = m;
}

bool l1_flush(struct sm *s) {
  s->nflush = s->flushed = 0;
  cache_flush(s->l1d, to_flush, s);
  cache_flush(s->l1c, NULL, NULL);
  bool any = s->nflush;
  while (s->flushed < s->nflush && ring_room(&s->miss, 1))
    ring_push(&s->miss, &s->flush[s->flushed++]);
  return any;
}

/* A queue of its own lets a load pass requests that came before it: not where one of them changes its line. */
static bool would_pass_change(const struct sm *s, uint64_t line) {
  for (uint32_t i = 0; s->l1.bypass.queue && i < s->miss.count; i++) {
    const struct mem_request *r = &s->miss.request[(s->miss.head + i) & s->miss.mask];
    if (r->line == line && r->kind != MEM_READ)
      return true;
  }
  return false;
}

/* Nor may a change of a line pass loads of it there. */
static bool would_pass_load(const struct sm *s, uint64_t line) {
  const struct l1_hooks *h = &s->l1;
  for (uint32_t i = 0; i < h->detour_count; i++)
    if (h->detour[(h->detour_head + i) & h->detour_mask].line == line)
      return true;
  return false;
}

/* Past the L1, through the technique's own queue if it has one. */
static bool send_past(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct l1_hooks *h = &s->l1;
  if (!h->bypass.queue) {
    if (!miss_room(s))
      return false;
    send(s, of, a, a->sectors, MEM_NO_FILL);
  } else {
    if (h->detour_count >= h->bypass.queue || would_pass_change(s, a->line))
      return false;
    h->detour[(h->detour_head + h->detour_count++) & h->detour_mask] =
        request_of(s, of, a, a->sectors, MEM_NO_FILL);
    s->stats.requests++;
  }
  s->stats.l1_bypasses++;
  return true;
}

bool l1_has_requests(const struct sm *s) {
  return s->miss.count || s->cmiss.count || s->l1.detour_count;
}

static void leaves(struct sm *s, const struct mem_request *r) {
  struct mem_request *m = port_next(s->out);
  *m = *r;
  m->path.sent = mem_age(r, s->now);
  port_send(s->out, s->engine->now);
}

/* In rotation: the data cache's requests, a technique's own queue, the constant cache's. */
void l1_send_one(struct sm *s) {
  struct l1_hooks *h = &s->l1;
  uint64_t tick = s->engine->now;
  bool has[3] = {s->miss.count, h->detour_count, s->cmiss.count};
  while (!has[h->turn])
    h->turn = (h->turn + 1) % 3;
  if (h->turn == 0) {
    leaves(s, &s->miss.request[s->miss.head]);
    ring_pop(&s->miss);
    if (s->flushed < s->nflush) /* the next dirty line takes its place */
      ring_push(&s->miss, &s->flush[s->flushed++]);
  } else if (h->turn == 1) {
    leaves(s, &h->detour[h->detour_head]);
    h->detour_head = (h->detour_head + 1) & h->detour_mask;
    h->detour_count--;
  } else {
    leaves(s, &s->cmiss.request[s->cmiss.head]);
    ring_pop(&s->cmiss);
  }
  h->turn = (h->turn + 1) % 3;
  engine_wake(s->engine, s->out_unit, tick + s->out->data);
}

static struct sluice_request view(const struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  return (struct sluice_request){.line = a->line,
                                 .arrived = s->now,
                                 .sm = s->id,
                                 .warp = of->warp,
                                 .slice = gpu_slice_of(s->gpu, a->line),
                                 .degree = of->degree,
                                 .kind = of->kind,
                                 .sectors = a->sectors,
                                 .pending = cache_pending(s->l1d, a->line)};
}

static bool fail(struct sm *s, enum sluice_fail why) {
  s->fail_why = why;
  return false;
}

/* What the L1 made of a load, to those who want to know. */
static void tell(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                 const struct cache_result *r) {
  const struct l1_hooks *h = &s->l1;
  enum sluice_outcome o = r->outcome == CACHE_HIT       ? SLUICE_HIT
                          : r->outcome == CACHE_PENDING ? SLUICE_MERGED
                                                        : SLUICE_MISSED;
  if (h->bypass.ops && h->bypass.ops->loaded) {
    struct sluice_request v = view(s, of, a);
    h->bypass.ops->loaded(h->bypass.self, &v, o, s->now);
  }
  if (o == SLUICE_HIT && of->tracker != UINT32_MAX)
    s->tracker[of->tracker].hits++;
  if (!h->gate.ops)
    return;
  if (r->replaced && h->gate.ops->evicted)
    h->gate.ops->evicted(h->gate.self, r->replaced_owner, r->replaced_line, s->now);
  if (h->gate.ops->loaded)
    h->gate.ops->loaded(h->gate.self, of->warp, a->line, o, s->now);
  s->gate_stale = true;
}

static uint32_t to_l1_sectors(uint32_t per, uint8_t sectors) {
  if (per == 1)
    return sectors;
  uint32_t out = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    if (sectors >> i & 1)
      out |= 1u << i / per;
  return out;
}

static uint8_t from_l1_sectors(uint32_t per, uint32_t sectors) {
  if (per == 1)
    return (uint8_t)sectors;
  uint8_t out = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    if (sectors >> i / per & 1)
      out |= (uint8_t)(1u << i);
  return out;
}

bool l1_port_free(const struct sm *s, uint64_t *when) {
  *when = NEVER;
  for (uint32_t i = 0; i < s->k->l1d_ports; i++)
    if (s->port_busy[i] < *when)
      *when = s->port_busy[i];
  return *when <= s->now;
}

/* Sectors pass a data port, so many bytes per cycle. Returns the cycles that takes. */
static uint32_t use_port(struct sm *s, uint8_t sectors) {
  uint32_t bytes = count_bits(sectors) * MEM_SECTOR,
           cycles = (bytes + s->k->l1d_port_bytes - 1) / s->k->l1d_port_bytes, i = 0;
  while (s->port_busy[i] > s->now)
    i++;
  s->port_busy[i] = s->now + cycles;
  return cycles;
}

/* The store is done: nothing of it is on its way. */
static void stored_here(struct sm *s, uint32_t w, uint32_t tracker) {
  if (tracker != UINT32_MAX)
    tracker_answer(s, tracker, s->now + 1);
  s->warp[w].stores--;
  warp_settle(s, w);
  warp_drained(s, w);
}

/* By the policy of its space: through to the L2, kept here until evicted, or around the L1. */
static bool store(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  uint32_t per = s->k->l1d.sector_bytes / MEM_SECTOR;
  enum cache_write policy = CACHE_AROUND;
  bool kept = false, waits = false; /* for the line, where an entry in the buffer waits with it */
  if (would_pass_load(s, a->line))
    return fail(s, SLUICE_FAIL_QUEUE);
  if (s->k->l1d_on) {
    bool local = sm_is_local(a->line);
    enum cache_write_miss miss = s->k->write[local].miss;
    policy = s->k->write[local].policy;
    bool room = ring_room(&s->miss, s->sends);
    if (policy == CACHE_BACK && miss == CACHE_NO_ALLOCATE && !room &&
        to_l1_sectors(per, a->sectors) & ~cache_probe(s->l1d, a->line))
      return fail(s, SLUICE_FAIL_QUEUE);
    struct cache_result r = cache_store(s->l1d, a->line, a->bytes, policy, miss, of->tracker, room);
    if (r.outcome == CACHE_FAILED)
      return fail(s, (enum sluice_fail)r.fail);
    kept = policy == CACHE_BACK && (r.outcome == CACHE_HIT || miss != CACHE_NO_ALLOCATE);
    if (r.fetch) {
      struct l1_of fetch = *of;
      fetch.kind = MEM_READ, fetch.tracker = UINT32_MAX;
      send(s, &fetch, a, from_l1_sectors(per, r.fetch), 0);
    }
    waits = of->tracker != UINT32_MAX && (r.fetch || r.outcome == CACHE_PENDING);
    l1_write_back(s, &r);
    if (r.outcome == CACHE_HIT || miss != CACHE_NO_ALLOCATE)
      use_port(s, a->sectors);
  } else if (!miss_room(s)) {
    return fail(s, SLUICE_FAIL_QUEUE);
  }
  if (s->l1.gate.ops && s->l1.gate.ops->stored) {
    s->l1.gate.ops->stored(s->l1.gate.self, a->line, s->now);
    s->gate_stale = true;
  }
  if (!kept)
    send(s, of, a, a->sectors, 0);
  else if (!waits)
    stored_here(s, of->warp, of->tracker);
  return true;
}

/* Instructions that do not use the L1: atomics, .cg and .cv, prefetches. */
static bool never_cached(const struct sm *s, const struct l1_of *of) {
  return of->kind == MEM_ATOMIC || of->inst->klass == SLUICE_PREFETCH ||
         (!of->constant && (!s->k->l1d_on || of->inst->cache_op == SLUICE_CG ||
                            of->inst->cache_op == SLUICE_CV || of->inst->flags & SLUICE_IF_VOLATILE));
}

/* The line of the constant cache that an access lies in. */
static uint64_t constant_line(const struct sm *s, uint64_t line, uint8_t sectors) {
  return (line + (uint64_t)__builtin_ctz(sectors) * MEM_SECTOR) & ~(uint64_t)(s->k->l1c.line_bytes - 1);
}

static bool load_constant(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (!s->k->l1c_on) {
    tracker_answer(s, of->tracker, s->now + s->k->l1c_latency);
    return true;
  }
  uint64_t line = constant_line(s, a->line, a->sectors);
  struct cache_result r = cache_load(s->l1c, line, 1, of->tracker, ring_room(&s->cmiss, 1));
  if (r.outcome == CACHE_FAILED)
    return fail(s, (enum sluice_fail)r.fail);
  if (r.outcome == CACHE_MISS) {
    uint32_t all = (1u << s->k->l1c.line_bytes / MEM_SECTOR) - 1;
    struct mem_request m = request_of(s, of, a, (uint8_t)(all << (line - a->line) / MEM_SECTOR), MEM_CONST);
    ring_push(&s->cmiss, &m);
    s->stats.requests++;
  }
  if (r.outcome == CACHE_HIT)
    tracker_answer(s, of->tracker, s->now + s->k->l1c_latency);
  return true;
}

/* The same where a technique may keep what is missed beside the L1: `aside`, no way is cleared for it. False: the block is
 * on its way out from there. */
static bool load_aside(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                       struct cache_result *r, bool *aside) {
  const struct tech_miss *m = &s->l1.aside;
  uint32_t sectors = to_l1_sectors(s->k->l1d.sector_bytes / MEM_SECTOR, a->sectors);
  bool asked = cache_misses(s->l1d, a->line, sectors);
  if (asked && m->ops->holds(m->self, a->line))
    return false;
  *aside = asked && m->ops->take(m->self, a->line, s->now);
  cache_set_aside(s->l1d, *aside);
  *r = cache_load(s->l1d, a->line, sectors, of->tracker, ring_room(&s->miss, s->sends));
  cache_set_aside(s->l1d, false);
  if (asked && !r->fetch)
    m->ops->drop(m->self, a->line, *aside);
  return true;
}

static void fill_answer(void *ctx, uint32_t waiter) {
  struct sm *s = ctx;
  if (waiter == UINT32_MAX) /* a store that fetched its line and waits for nothing */
    return;
  if (s->tracker[waiter].store)
    stored_here(s, s->tracker[waiter].warp, waiter);
  else
    tracker_answer(s, waiter, s->now + 1);
}

/* Data comes for a block beside the L1: into a way, and what was there leaves from the entry. */
static void fill_aside(struct sm *s, const struct mem_request *r, uint32_t sectors) {
  const struct tech_miss *m = &s->l1.aside;
  cache_set_aside(s->l1d, true);
  struct cache_result f = cache_fill(s->l1d, r->line, sectors, fill_answer, s);
  cache_set_aside(s->l1d, false);
  m->ops->swapped(m->self, r->line, f.replaced ? f.replaced_line : NEVER, s->now);
  uint64_t until = s->now + m->ops->swap(m->self);
  for (uint32_t i = 0; f.replaced && i < s->k->l1d_ports; i++)
    s->port_busy[i] = until > s->port_busy[i] ? until : s->port_busy[i];
  if (f.replaced && !f.evicted)
    m->ops->evicted(m->self, f.replaced_line, s->now);
  l1_write_back(s, &f); /* whose acknowledgement frees the entry */
}

static bool load(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  uint32_t per = s->k->l1d.sector_bytes / MEM_SECTOR;
  const struct tech_l1_bypass *b = &s->l1.bypass;
  if (of->past && !cache_pending(s->l1d, a->line))
    return send_past(s, of, a) || fail(s, SLUICE_FAIL_QUEUE);
  if (s->l1.gate.ops)
    cache_set_owner(s->l1d, (uint16_t)of->warp);
  struct cache_result r;
  bool aside = false;
  if (s->l1.aside.ops) {
    if (!load_aside(s, of, a, &r, &aside))
      return fail(s, SLUICE_FAIL_WAYS);
  } else {
    r = cache_load(s->l1d, a->line, to_l1_sectors(per, a->sectors), of->tracker,
                   ring_room(&s->miss, s->sends));
  }
  if (r.outcome == CACHE_FAILED) {
    if (!b->ops || !b->ops->access)
      return fail(s, (enum sluice_fail)r.fail);
    bool room = b->queue ? s->l1.detour_count < b->queue && !would_pass_change(s, a->line) : miss_room(s);
    struct sluice_request v = view(s, of, a);
    if (!room || !b->ops->access(b->self, &v, (enum sluice_fail)r.fail, s->now))
      return fail(s, (enum sluice_fail)r.fail);
    return send_past(s, of, a);
  }
  if (r.outcome == CACHE_MISS) {
    send(s, of, a, from_l1_sectors(per, r.fetch), 0);
    if (aside)
      ring_last(&s->miss)->technique = 1;
  }
  l1_write_back(s, &r);
  if (b->ops || s->l1.gate.ops)
    tell(s, of, a, &r);
  if (r.outcome == CACHE_HIT) {
    uint32_t cycles = use_port(s, a->sectors);
    tracker_answer(s, of->tracker, s->now + s->k->l1d_latency + cycles - 1);
  }
  return true;
}

/* Where the L2 may send loads back, changes of a line wait for the loads of it: they could be passed on their way. */
static bool load_under_way(const struct sm *s, uint64_t line) {
  return cache_pending(s->l1d, line) || retry_has(s, line);
}

/* An access that does not use the L1: what the L1 has of an atomic's line is gone, what is dirty goes first. */
static bool pass_by(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (!ring_room(&s->miss, s->sends) || would_pass_load(s, a->line))
    return fail(s, SLUICE_FAIL_QUEUE);
  struct cache_result r;
  if (of->kind == MEM_ATOMIC || s->sends > 1) {
    cache_invalidate(s->l1d, a->line, &r);
    l1_write_back(s, &r);
  }
  send(s, of, a, a->sectors, MEM_NO_FILL | (of->inst->klass == SLUICE_PREFETCH ? MEM_PREFETCH : 0));
  return true;
}

/* Another attempt of an instruction whose data is waited for; what it was refused for is over. */
static void attempt(struct sm *s, struct sm_tracker *t) {
  if (t->refused_why < SLUICE_NFAILS)
    t->refused[t->refused_why] += (uint32_t)(s->now - t->tried);
  t->refused_why = SLUICE_NFAILS;
  t->tried = s->now;
}

bool l1_load_again(struct sm *s, uint64_t line, uint8_t sectors, uint32_t tracker) {
  static const struct feed_inst none;
  const struct sm_tracker *t = tracker != UINT32_MAX ? &s->tracker[tracker] : NULL;
  struct l1_of of = {.inst = &none, .tracker = tracker, .kind = MEM_READ};
  struct sm_access a = {.line = line, .sectors = sectors};
  bool store = !t || t->store; /* which has the L1 fetch its line */
  if (t) {
    of.inst = t->inst;
    of.warp = t->warp;
    of.degree = t->degree ? t->degree : 1;
    attempt(s, &s->tracker[tracker]);
  }
  uint32_t lacks = to_l1_sectors(s->k->l1d.sector_bytes / MEM_SECTOR, sectors) & ~cache_probe(s->l1d, line);
  if (store && !lacks) {
    if (t)
      stored_here(s, t->warp, tracker);
    return true;
  }
  if (load(s, &of, &a))
    return true;
  if (t)
    s->tracker[tracker].refused_why = (uint8_t)s->fail_why;
  return false;
}

static bool try_access(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (s->k->l2_nack && of->kind != MEM_READ && load_under_way(s, a->line))
    return fail(s, SLUICE_FAIL_MSHR);
  if (of->kind == MEM_WRITE)
    return store(s, of, a);
  if (never_cached(s, of))
    return pass_by(s, of, a);
  return of->constant ? load_constant(s, of, a) : load(s, of, a);
}

bool l1_fill(struct sm *s, const struct mem_request *r) {
  if (r->flags & MEM_CONST)
    return cache_fill(s->l1c, constant_line(s, r->line, r->sectors), 1, fill_answer, s).outcome !=
           CACHE_FAILED;
  uint32_t per = s->k->l1d.sector_bytes / MEM_SECTOR;
  if (r->flags & MEM_REMOTE) {
    cache_serve(s->l1d, r->line, to_l1_sectors(per, r->sectors), fill_answer, s);
    if (r->technique)
      s->l1.aside.ops->swapped(s->l1.aside.self, r->line, NEVER, s->now);
    return true;
  }
  if (r->technique) {
    fill_aside(s, r, to_l1_sectors(per, r->sectors));
    return true;
  }
  struct cache_result f = cache_fill(s->l1d, r->line, to_l1_sectors(per, r->sectors), fill_answer, s);
  l1_write_back(s, &f);
  return f.outcome != CACHE_FAILED;
}

uint64_t l1_lend(struct sm *s) {
  if (!s->ask)
    return NEVER;
  uint64_t tick = s->engine->now, free;
  const struct mem_request *m = port_front(s->ask, tick);
  if (m && !l1_port_free(s, &free))
    return free;
  if (m) {
    struct mem_request r = *m;
    uint32_t per = s->k->l1d.sector_bytes / MEM_SECTOR;
    bool found = r.flags & MEM_SURE || cache_lend(s->l1d, r.line, to_l1_sectors(per, r.sectors));
    use_port(s, found ? r.sectors : 1); /* tags that lack it keep the port for a cycle */
    r.flags = found ? MEM_REMOTE | MEM_ANSWERED : 0;
    if (found)
      r.path.delivered = mem_age(&r, s->now);
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
  struct route_notice n = {line, from_l1_sectors(s->k->l1d.sector_bytes / MEM_SECTOR, valid)};
  if (!port_room(s->notice, tick))
    panic("an L1 changes faster than it can be told of");
  port_push(s->notice, tick, &n);
  engine_wake(s->engine, s->in_unit, tick + s->notice->data);
}

void l1_report(struct sm *s, struct port *to) {
  s->notice = to;
  cache_watch(s->l1d, report, s);
}

bool l1_access(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (of->tracker != UINT32_MAX)
    attempt(s, &s->tracker[of->tracker]);
  bool ok = try_access(s, of, a);
  if (!ok && of->tracker != UINT32_MAX)
    s->tracker[of->tracker].refused_why = (uint8_t)s->fail_why;
  return ok;
}

bool l1_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct l1_hooks *h = &s->l1;
  if (h->full)
    return false;
  uint32_t e = POOL_TAKE(h->entry, h->nentries, h->free_entry, next);
  h->entry[e] = (struct l1_entry){.of = *of, .access = *a};
  struct sluice_request v = view(s, of, a);
  if (h->order.ops->insert(h->order.self, e, &v, s->now)) {
    h->waiting++;
    s->warp[of->warp].queued++;
    return true;
  }
  h->entry[e].next = h->free_entry;
  h->free_entry = e;
  h->full = true;
  return false;
}

uint64_t l1_drain(struct sm *s) {
  struct l1_hooks *h = &s->l1;
  if (!h->waiting)
    return NEVER;
  uint64_t free;
  if (!l1_port_free(s, &free))
    return free;
  uint32_t e = h->order.ops->pick(h->order.self, s->now);
  if (e == SLUICE_NONE || h->entry[e].epoch == h->epoch)
    return h->order.ops->next(h->order.self, s->now);
  l1_unblock(s);
  if (!l1_access(s, &h->entry[e].of, &h->entry[e].access)) {
    h->entry[e].epoch = h->epoch;
    l1_block(s);
    h->order.ops->refused(h->order.self, e, s->fail_why, s->now);
    return s->now + 1; /* another may pass */
  }
  h->order.ops->took(h->order.self, e, s->now);
  uint32_t w = h->entry[e].of.warp;
  h->entry[e].next = h->free_entry;
  h->free_entry = e;
  h->waiting--;
  h->full = false;
  h->epoch++; /* the L1 has changed */
  if (--s->warp[w].queued == 0)
    warp_woken(s, w); /* a barrier may have waited for it */
  return s->now + 1;
}
