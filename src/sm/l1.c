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
  return s->miss_count < s->miss_cap;
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
                              .sectors = sectors};
}

static void send(struct sm *s, const struct l1_of *of, const struct sm_access *a, uint8_t sectors,
                 uint8_t flags) {
  s->miss[(s->miss_head + s->miss_count++) & s->miss_mask] = request_of(s, of, a, sectors, flags);
  s->stats.requests++;
}

/* Past the L1, through the technique's own queue if it has one. */
static bool send_past(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct l1_hooks *h = &s->l1;
  if (!h->bypass.queue) {
    if (!miss_room(s))
      return false;
    send(s, of, a, a->sectors, MEM_NO_FILL);
  } else {
    if (h->detour_count >= h->bypass.queue)
      return false;
    h->detour[(h->detour_head + h->detour_count++) & h->detour_mask] =
        request_of(s, of, a, a->sectors, MEM_NO_FILL);
    s->stats.requests++;
  }
  s->stats.l1_bypasses++;
  return true;
}

bool l1_has_requests(const struct sm *s) {
  return s->miss_count || s->l1.detour_count;
}

void l1_send_one(struct sm *s) {
  struct l1_hooks *h = &s->l1;
  uint64_t tick = s->engine->now;
  if (h->detour_count && (h->detour_turn || !s->miss_count)) {
    port_push(s->out, tick, &h->detour[h->detour_head]);
    h->detour_head = (h->detour_head + 1) & h->detour_mask;
    h->detour_count--;
  } else {
    port_push(s->out, tick, &s->miss[s->miss_head]);
    s->miss_head = (s->miss_head + 1) & s->miss_mask;
    s->miss_count--;
  }
  h->detour_turn = !h->detour_turn;
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

static bool store(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (s->k->l1d_on) {
    struct cache_result r =
        cache_store(s->l1d, a->line, a->bytes, CACHE_THROUGH, CACHE_NO_ALLOCATE, 0, miss_room(s));
    if (r.outcome == CACHE_FAILED)
      return fail(s, (enum sluice_fail)r.fail);
  } else if (!miss_room(s)) {
    return fail(s, SLUICE_FAIL_QUEUE);
  }
  send(s, of, a, a->sectors, 0);
  if (s->l1.gate.ops && s->l1.gate.ops->stored) {
    s->l1.gate.ops->stored(s->l1.gate.self, a->line, s->now);
    s->gate_stale = true;
  }
  return true;
}

/* Instructions that do not use the L1: atomics, .cg and .cv, prefetches. */
static bool never_cached(const struct sm *s, const struct l1_of *of) {
  return of->kind == MEM_ATOMIC || of->inst->klass == SLUICE_PREFETCH ||
         (!of->constant && (!s->k->l1d_on || of->inst->cache_op == SLUICE_CG ||
                            of->inst->cache_op == SLUICE_CV || of->inst->flags & SLUICE_IF_VOLATILE));
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

static bool load(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  bool constant = of->constant;
  struct cache *c = constant ? s->l1c : s->l1d;
  const struct cache_config *k = constant ? &s->k->l1c : &s->k->l1d;
  uint32_t per = k->sector_bytes / MEM_SECTOR;
  const struct tech_l1_bypass *b = &s->l1.bypass;
  if (of->past && !cache_pending(s->l1d, a->line))
    return send_past(s, of, a) || fail(s, SLUICE_FAIL_QUEUE);
  if (s->l1.gate.ops)
    cache_set_owner(c, (uint16_t)of->warp);
  struct cache_result r = cache_load(c, a->line, to_l1_sectors(per, a->sectors), of->tracker, miss_room(s));
  if (r.outcome == CACHE_FAILED) {
    if (constant || !b->ops || !b->ops->access)
      return fail(s, (enum sluice_fail)r.fail);
    bool room = b->queue ? s->l1.detour_count < b->queue : miss_room(s);
    struct sluice_request v = view(s, of, a);
    if (!room || !b->ops->access(b->self, &v, (enum sluice_fail)r.fail, s->now))
      return fail(s, (enum sluice_fail)r.fail);
    return send_past(s, of, a);
  }
  if (r.outcome == CACHE_MISS)
    send(s, of, a, from_l1_sectors(per, r.fetch), constant ? MEM_CONST : 0);
  if (!constant && (b->ops || s->l1.gate.ops))
    tell(s, of, a, &r);
  if (r.outcome == CACHE_HIT)
    tracker_answer(s, of->tracker, s->now + (constant ? s->k->l1c_latency : s->k->l1d_latency));
  return true;
}

bool l1_access(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (of->kind == MEM_WRITE)
    return store(s, of, a);
  if (!never_cached(s, of))
    return load(s, of, a);
  if (!miss_room(s))
    return fail(s, SLUICE_FAIL_QUEUE);
  if (of->kind == MEM_ATOMIC)
    cache_invalidate(s->l1d, a->line);
  send(s, of, a, a->sectors, MEM_NO_FILL | (of->inst->klass == SLUICE_PREFETCH ? MEM_PREFETCH : 0));
  return true;
}

static uint32_t entry_new(struct l1_hooks *h) {
  if (h->free_entry == UINT32_MAX) {
    uint32_t n = h->nentries ? h->nentries * 2 : 64;
    h->entry = xrealloc(h->entry, n * sizeof *h->entry);
    for (uint32_t i = h->nentries; i < n; i++)
      h->entry[i].next = i + 1 < n ? i + 1 : UINT32_MAX;
    h->free_entry = h->nentries;
    h->nentries = n;
  }
  uint32_t e = h->free_entry;
  h->free_entry = h->entry[e].next;
  return e;
}

bool l1_enqueue(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct l1_hooks *h = &s->l1;
  if (h->full)
    return false;
  uint32_t e = entry_new(h);
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
    warp_settle(s, w); /* a barrier may have waited for it */
  return s->now + 1;
}
