/* The load/store unit: coalesced accesses to the L1 one per cycle, misses to the network, answers back. */
#include "gpu/gpu.h"
#include "mem/cache.h"
#include "sm/sm.h"
#include <string.h>

static uint32_t tracker_new(struct sm *s, const struct feed_inst *in, uint32_t warp) {
  if (s->free_tracker == UINT32_MAX) {
    uint32_t n = s->ntrackers ? s->ntrackers * 2 : 64;
    s->tracker = xrealloc(s->tracker, n * sizeof *s->tracker);
    for (uint32_t i = s->ntrackers; i < n; i++)
      s->tracker[i].next_free = i + 1 < n ? i + 1 : UINT32_MAX;
    s->free_tracker = s->ntrackers;
    s->ntrackers = n;
  }
  uint32_t t = s->free_tracker;
  s->free_tracker = s->tracker[t].next_free;
  s->tracker[t] = (struct sm_tracker){.inst = in, .warp = warp, .issued = s->now};
  return t;
}

/* Some data of a load is here at `cycle`; with the last of it the registers are ready. */
static void tracker_answer(struct sm *s, uint32_t t, uint64_t cycle) {
  struct sm_tracker *k = &s->tracker[t];
  if (--k->left)
    return;
  struct sm_warp *w = &s->warp[k->warp];
  for (unsigned i = 0; i < k->inst->ndst; i++)
    w->reg_ready[k->inst->reg[i]] = cycle + s->k->stages;
  w->loads--;
  k->next_free = s->free_tracker;
  s->free_tracker = t;
  warp_settle(s, (uint32_t)(w - s->warp));
  warp_drained(s, (uint32_t)(w - s->warp));
}

void ldst_accept(struct sm *s, uint32_t w, const struct feed_inst *in, uint64_t mask, const uint32_t *item) {
  struct sm_memop *m = &s->memop[(s->mem_head + s->mem_count++) & s->mem_mask];
  m->inst = in;
  m->warp = w;
  m->kind = in->klass == SLUICE_STORE                               ? MEM_WRITE
            : in->klass == SLUICE_ATOMIC || in->klass == SLUICE_RED ? MEM_ATOMIC
                                                                    : MEM_READ;
  m->shared = m->constant = false;
  m->busy = m->n = m->next = 0;
  bool several = false;
  for (int parts = in->klass == SLUICE_COPY ? 2 : 1; parts; parts--)
    for (bool more = true; more;) {
      more = *item & SLUICE_ACCESS_MORE;
      item = coalesce(s, m, item, mask, several);
      several |= more;
    }
  m->tracker = UINT32_MAX;
  if (m->kind != MEM_READ)
    s->warp[w].stores += m->n;
  bool answered = in->klass == SLUICE_LOAD || in->klass == SLUICE_ATOMIC || in->klass == SLUICE_COPY;
  if (!answered)
    return;
  m->tracker = tracker_new(s, in, w);
  s->tracker[m->tracker].left = m->n + (m->shared ? 1 : 0);
  s->warp[w].loads++;
  for (unsigned i = 0; i < in->ndst; i++)
    s->warp[w].reg_ready[in->reg[i]] = NEVER;
}

static bool miss_room(const struct sm *s) {
  return s->miss_count < s->miss_cap;
}

static void send(struct sm *s, const struct sm_memop *m, const struct sm_access *a, uint8_t sectors,
                 uint8_t flags) {
  struct mem_request *r = &s->miss[(s->miss_head + s->miss_count++) & s->miss_mask];
  *r = (struct mem_request){.line = a->line,
                            .bytes = {a->bytes[0], a->bytes[1]},
                            .born = s->now,
                            .waiter = m->tracker,
                            .sm = (uint16_t)s->id,
                            .warp = (uint16_t)m->warp,
                            .slice = (uint16_t)gpu_slice_of(s->gpu, a->line),
                            .kind = m->kind,
                            .flags = flags,
                            .sectors = sectors};
  s->stats.requests++;
}

static void unblock(struct sm *s) {
  if (!s->mem_blocked)
    return;
  s->mem_blocked = false;
  s->stats.l1_stall_cycles += s->now - s->blocked_since;
}

/* Hands one access to the L1 or past it. False: not now. */
static bool access_l1(struct sm *s, struct sm_memop *m, struct sm_access *a) {
  bool constant = m->constant;
  struct cache *c = constant ? s->l1c : s->l1d;
  uint32_t latency = constant ? s->k->l1c_latency : s->k->l1d_latency;
  const struct cache_config *k = constant ? &s->k->l1c : &s->k->l1d;
  uint32_t per = k->sector_bytes / MEM_SECTOR;
  bool bypass = m->kind == MEM_ATOMIC ||
                (!constant && (!s->k->l1d_on || m->inst->cache_op == SLUICE_CG ||
                               m->inst->cache_op == SLUICE_CV || m->inst->flags & SLUICE_IF_VOLATILE)) ||
                m->inst->klass == SLUICE_PREFETCH;
  if (m->kind == MEM_WRITE) {
    uint64_t bytes[2] = {a->bytes[0], a->bytes[1]};
    if (s->k->l1d_on) {
      struct cache_result r =
          cache_store(c, a->line, bytes, CACHE_THROUGH, CACHE_NO_ALLOCATE, 0, miss_room(s));
      if (r.outcome == CACHE_FAILED)
        return false;
    } else if (!miss_room(s)) {
      return false;
    }
    send(s, m, a, a->sectors, 0);
    return true;
  }
  if (bypass) {
    if (!miss_room(s))
      return false;
    if (m->kind == MEM_ATOMIC)
      cache_invalidate(s->l1d, a->line);
    send(s, m, a, a->sectors, MEM_NO_FILL | (m->inst->klass == SLUICE_PREFETCH ? MEM_PREFETCH : 0));
    return true;
  }
  uint32_t sectors = 0;
  for (uint32_t i = 0; i < MEM_SECTORS; i++)
    if (a->sectors >> i & 1)
      sectors |= 1u << i / per;
  struct cache_result r = cache_load(c, a->line, sectors, m->tracker, miss_room(s));
  switch (r.outcome) {
  case CACHE_FAILED:
    return false;
  case CACHE_HIT:
    tracker_answer(s, m->tracker, s->now + latency);
    break;
  case CACHE_MISS: {
    uint8_t fetch = 0;
    for (uint32_t i = 0; i < MEM_SECTORS; i++)
      if (r.fetch >> i / per & 1)
        fetch |= (uint8_t)(1u << i);
    send(s, m, a, fetch, constant ? MEM_CONST : 0);
    break;
  }
  default:
    break;
  }
  return true;
}

static void fill_answer(void *ctx, uint32_t waiter) {
  struct sm *s = ctx;
  tracker_answer(s, waiter, s->now + 1);
}

/* Answers from the network: one per cycle. */
void ldst_answers(struct sm *s) {
  uint64_t tick = s->engine->now;
  const struct mem_request *r = port_front(s->in, tick);
  if (!r)
    return;
  if (r->kind == MEM_READ) {
    s->stats.latency_sum += s->now - r->born;
    s->stats.latency_count++;
  }
  if (r->kind != MEM_READ) {
    s->warp[r->warp].stores--;
    warp_settle(s, r->warp);
    warp_drained(s, r->warp);
  }
  if (r->kind != MEM_WRITE && !(r->flags & MEM_PREFETCH)) {
    if (r->flags & MEM_NO_FILL) {
      if (r->waiter != UINT32_MAX)
        tracker_answer(s, r->waiter, s->now + 1);
    } else {
      bool constant = r->flags & MEM_CONST;
      const struct cache_config *k = constant ? &s->k->l1c : &s->k->l1d;
      uint32_t per = k->sector_bytes / MEM_SECTOR, sectors = 0;
      for (uint32_t i = 0; i < MEM_SECTORS; i++)
        if (r->sectors >> i & 1)
          sectors |= 1u << i / per;
      struct cache_result f = cache_fill(constant ? s->l1c : s->l1d, r->line, sectors, fill_answer, s);
      if (f.outcome == CACHE_FAILED)
        return; /* no way to put it yet: it stays at the head */
    }
  }
  unblock(s);
  port_pop(s->in, tick);
  engine_wake(s->engine, s->in_unit, tick + s->in->credit);
}

/* One cycle; returns when it can next do something by itself. */
uint64_t ldst_cycle(struct sm *s) {
  uint64_t tick = s->engine->now, next = NEVER;
  if (s->miss_count && port_room(s->out, tick)) {
    port_push(s->out, tick, &s->miss[s->miss_head]);
    engine_wake(s->engine, s->out_unit, tick + s->out->data);
    s->miss_head = (s->miss_head + 1) & s->miss_mask;
    s->miss_count--;
    unblock(s);
  }
  if (s->miss_count) { /* when the port is full, the network wakes us */
    next = port_room(s->out, tick) ? s->now + 1
                                   : engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->out));
  }
  if (!s->mem_count || s->mem_blocked)
    return next;
  if (s->mem_busy > s->now)
    return s->mem_busy < next ? s->mem_busy : next;
  struct sm_memop *m = &s->memop[s->mem_head];
  if (m->shared && m->busy) {
    /* data follows the last of the conflicting accesses */
    s->mem_busy = s->now + m->busy;
    s->stats.shared_cycles += m->busy;
    if (m->tracker != UINT32_MAX)
      tracker_answer(s, m->tracker, s->now + s->k->shared_latency + m->busy - 1);
    m->busy = 0;
    if (m->next < m->n)
      return s->now + 1;
  } else if (m->next < m->n) {
    if (!access_l1(s, m, &m->access[m->next])) {
      s->mem_blocked = true;
      s->blocked_since = s->now;
      return next;
    }
    m->next++;
  }
  if (m->next == m->n && !m->busy) {
    s->mem_head = (s->mem_head + 1) & s->mem_mask;
    s->mem_count--;
  }
  return s->now + 1;
}
