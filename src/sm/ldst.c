/* The load/store unit: coalesced accesses to the L1 one per cycle, misses to the network, answers back. */
#include "gpu/gpu.h"
#include "mem/cache.h"
#include "sm/sm.h"
#include <string.h>

uint32_t tracker_new(struct sm *s, const struct feed_inst *in, uint32_t warp) {
  uint32_t t = POOL_TAKE(s->tracker, s->ntrackers, s->free_tracker, next_free);
  s->tracker[t] = (struct sm_tracker){.inst = in,
                                      .warp = warp,
                                      .vmb = UINT32_MAX,
                                      .refused_why = SLUICE_NFAILS,
                                      .issued = s->now,
                                      .tried = s->now};
  return t;
}

/* An instruction enters the buffer of those under way. */
static uint32_t vmb_enter(struct sm *s) {
  if (!s->k->vmb)
    return UINT32_MAX;
  uint32_t e = (s->vmb_head + s->vmb_count++) & s->vmb_mask;
  s->vmb[e] = NEVER;
  if (s->vmb_count == s->k->vmb)
    s->vmb_full_since = s->now + 1;
  return e;
}

static void vmb_done(struct sm *s, uint32_t e, uint64_t cycle) {
  if (e != UINT32_MAX)
    s->vmb[e] = cycle;
}

/* Those leave it that are done, in order. Returns when the first does, if others wait for that. */
static uint64_t vmb_release(struct sm *s) {
  bool full = mem_full(s);
  if (s->vmb_count && s->vmb_count == s->k->vmb && s->vmb[s->vmb_head] <= s->now)
    s->stats.vmb_full_cycles += s->now - s->vmb_full_since;
  for (; s->vmb_count && s->vmb[s->vmb_head] <= s->now; s->vmb_count--)
    s->vmb_head = (s->vmb_head + 1) & s->vmb_mask;
  if (full && !mem_full(s))
    stall_queue_room(s);
  return s->vmb_count && s->vmb_count == s->k->vmb ? s->vmb[s->vmb_head] : NEVER;
}

/* Nothing more of it is to come. */
static void tracker_free(struct sm *s, uint32_t t, uint64_t cycle) {
  vmb_done(s, s->tracker[t].vmb, cycle);
  s->tracker[t].next_free = s->free_tracker;
  s->free_tracker = t;
}

/* All data of a load is here at `cycle`: its registers are ready soon. */
static inline void load_done(const struct sm *s, struct sm_warp *w, const struct feed_inst *in,
                             uint64_t cycle, enum stall cause) {
  for (unsigned i = 0; i < in->ndst; i++) {
    w->reg_ready[in->reg[i]] = cycle + s->k->stages;
    w->reg_cause[in->reg[i]] = (uint8_t)cause;
  }
  w->loads--;
}

/* Some data of a load is here at `cycle`; with the last of it the registers are ready. */
void tracker_answer(struct sm *s, uint32_t t, uint64_t cycle) {
  struct sm_tracker *k = &s->tracker[t];
  if (--k->left)
    return;
  if (k->store) {
    tracker_free(s, t, cycle);
    return;
  }
  struct sm_warp *w = &s->warp[k->warp];
  uint32_t number = k->warp;
  load_done(s, w, k->inst, cycle, s->answer_shared ? STALL_SHARED : STALL_L1);
  const struct tech_l1_bypass *b = &s->l1.bypass;
  if (b->ops && b->ops->done && k->degree)
    b->ops->done(b->self, k->warp, k->degree, k->hits, k->past, cycle - k->issued);
  tracker_free(s, t, cycle);
  if (warp_woken(s, number) && w->next->klass != SLUICE_FENCE)
    stall_data(s, number, t, cycle + s->k->stages);
  warp_drained(s, number);
}

/* The data of a load from nothing but shared memory. */
static void shared_answer(struct sm *s, const struct sm_memop *m, uint64_t cycle) {
  struct sm_warp *w = &s->warp[m->of.warp];
  load_done(s, w, m->of.inst, cycle, STALL_SHARED);
  vmb_done(s, m->vmb, cycle);
  if (warp_woken(s, m->of.warp) && w->next->klass != SLUICE_FENCE)
    stall_shared(s, m->of.warp, cycle + s->k->stages);
  warp_drained(s, m->of.warp);
}

/* A cache of shorter lines is asked for each of them. */
static void split(struct sm_memop *m, uint32_t line_bytes) {
  uint32_t n = m->n, per = line_bytes / MEM_SECTOR;
  uint8_t part = (uint8_t)((1u << per) - 1);
  for (uint32_t i = 0; i < n; i++) {
    struct sm_access whole = m->access[i];
    bool first = true;
    for (uint32_t k = 0; k < MEM_SECTORS; k += per) {
      uint8_t sectors = (uint8_t)(whole.sectors & part << k);
      if (!sectors)
        continue;
      struct sm_access *a = first ? &m->access[i] : &m->access[m->n++];
      *a = whole;
      a->sectors = sectors;
      first = false;
    }
  }
}

/* The accesses of all lanes; returns where their items end. */
static const uint32_t *find_accesses(struct sm *s, struct sm_memop *m, const uint32_t *item, uint64_t mask) {
  m->seen = 0;
  m->from = m->group = 0;
  m->merge = s->k->merge[m->of.kind != MEM_READ];
  for (int parts = m->of.inst->klass == SLUICE_COPY ? 2 : 1; parts; parts--)
    for (bool more = true, several = false; more;) {
      more = *item & SLUICE_ACCESS_MORE;
      item = coalesce(s, m, item, mask, several);
      several |= more;
    }
  m->of.constant &=
      s->k->model != SM_GCN; /* its constants lie in the scalar caches, or in the L1 as all else */
  if (m->of.constant && s->k->l1c.line_bytes < s->k->line_bytes)
    split(m, s->k->l1c.line_bytes);
  m->of.degree = (uint16_t)m->n;
  l1_way_of(s, &m->of);
  if (m->of.kind != MEM_READ)
    s->warp[m->of.warp].stores += m->n;
  s->stats.mem_instructions += m->n != 0;
  s->stats.mem_accesses += m->n;
  return item;
}

/* What a bypass technique decides for all accesses of an instruction. */
static void ask_bypass(struct sm *s, struct sm_memop *m) {
  const struct tech_l1_bypass *b = &s->l1.bypass;
  struct sm_tracker *t = &s->tracker[m->of.tracker];
  m->of.past = b->ops->instruction && b->ops->instruction(b->self, m->of.warp, m->n, s->now);
  t->degree = (uint16_t)m->n;
  t->past = m->of.past;
}

const uint32_t *ldst_accept(struct sm *s, uint32_t w, const struct feed_inst *in, uint64_t mask,
                            const uint32_t *item) {
  struct sm_memop *m = &s->memop[(s->mem_head + s->mem_count++) & s->mem_mask];
  s->mem_fresh = true;
  m->vmb = vmb_enter(s);
  if (mem_full(s))
    stall_queue_full(s);
  enum mem_kind kind = in->klass == SLUICE_STORE                               ? MEM_WRITE
                       : in->klass == SLUICE_ATOMIC || in->klass == SLUICE_RED ? MEM_ATOMIC
                                                                               : MEM_READ;
  m->of = (struct l1_of){.inst = in, .warp = w, .tracker = UINT32_MAX, .kind = (uint8_t)kind};
  m->shared = m->data = false;
  m->busy = m->n = m->next = 0;
  if (SLUICE_ACCESS_FORM(*item) == SLUICE_SHARED && !(*item & SLUICE_ACCESS_MORE) &&
      in->klass != SLUICE_COPY) { /* nothing but shared memory */
    m->shared = true;
    m->busy = SLUICE_ACCESS_BANKS(*item++);
  } else {
    item = find_accesses(s, m, item, mask);
  }
  struct sm_warp *k = &s->warp[w];
  bool answered = in->klass == SLUICE_LOAD || in->klass == SLUICE_ATOMIC || in->klass == SLUICE_COPY;
  m->keeps = answered || (s->k->vmb && s->k->vmb_stores && kind != MEM_READ);
  if (!m->keeps &&
      !(s->coherent.state && kind == MEM_WRITE && m->n)) /* such a store is done when it has its line */
    return item;
  if (answered) {
    k->loads++;
    for (unsigned i = 0; i < in->ndst; i++)
      k->reg_ready[in->reg[i]] = NEVER;
    m->data = m->shared && !m->n;
    if (m->data)
      return item;
  }
  m->of.tracker = tracker_new(s, in, w);
  struct sm_tracker *t = &s->tracker[m->of.tracker];
  t->left = m->n + (m->shared ? 1 : 0);
  t->vmb = m->keeps ? m->vmb : UINT32_MAX;
  t->store = !answered;
  if (s->l1.bypass.ops && in->klass == SLUICE_LOAD && !m->of.constant && m->n)
    ask_bypass(s, m);
  return item;
}

void l1_block(struct sm *s) {
  if (s->mem_blocked)
    return;
  s->mem_blocked = true;
  s->blocked_since = s->now;
}

void l1_unblock(struct sm *s) {
  if (!s->mem_blocked)
    return;
  s->mem_blocked = false;
  s->stats.l1_stall_cycles += s->now - s->blocked_since;
  s->stats.l1_fail_cycles[s->fail_why] += s->now - s->blocked_since;
}

/* Something happened to the L1. What was refused is tried again, unless it would only be refused for the same reason. */
static inline void changed(struct sm *s, unsigned event) {
  s->l1.epoch++;
  if (s->l1.order.ops || !s->mem_blocked)
    return;
  uint64_t refused = s->now - s->blocked_since;
  s->stats.l1_stall_cycles += refused;
  s->stats.l1_fail_cycles[s->fail_why] += refused;
  s->blocked_since = s->now;
  s->mem_blocked = !(s->mem_until & event);
  s->mem_again = s->mem_blocked;
}

/* The message at the head has been read. */
static inline void answer_done(struct sm *s, const struct mem_request *r) {
  if (s->follow && r->kind <= MEM_ATOMIC)
    follow_answer(s->follow, r, s->now);
  path_give(&s->paths, r->path);
  engine_pop(s->engine, s->in, s->in_unit);
}

/* A change of its has been made. */
static inline void store_done(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  k->stores--;
  if (k->next && k->next->klass == SLUICE_FENCE)
    warp_woken(s, w);
  warp_drained(s, w);
}

/* Data, for registers or the L1. False: no way to put it yet. */
static bool data_came(struct sm *s, const struct mem_request *r) {
  bool put = true;
  s->answer = r;
  if (!(r->flags & MEM_NO_FILL))
    put = l1_fill(s, r);
  else if (r->waiter != UINT32_MAX)
    tracker_answer(s, r->waiter, s->now + 1);
  s->answer = NULL;
  return put;
}

/* An acknowledgement: of a store, or of a line that was written back. */
static void written(struct sm *s, const struct mem_request *r) {
  if (r->flags & MEM_WRITEBACK) {
    s->writebacks--;
    if (s->coherent.state)
      coherent_told(s, r->line);
    if (s->l1.aside.ops)
      s->l1.aside.ops->evicted(s->l1.aside.self, r->line, s->now);
  } else {
    store_done(s, r->warp);
  }
  if (r->waiter != UINT32_MAX) {
    s->answer = r;
    tracker_answer(s, r->waiter, s->now);
    s->answer = NULL;
  }
  changed(s, L1_ACKNOWLEDGED);
  s->stats.answers++;
}

void ldst_answer(struct sm *s, const struct mem_request *r) {
  if (r->kind > MEM_ATOMIC || r->flags & MEM_NACK) {
    retry_take(s, r);
    changed(s, L1_ANY);
  } else if (r->kind == MEM_WRITE) {
    written(s, r);
  } else {
    if (r->kind == MEM_ATOMIC)
      store_done(s, r->warp);
    if (!(r->flags & MEM_PREFETCH) && !data_came(s, r))
      return; /* it stays at the head */
    changed(s, !s->mem_blocked || l1_fill_helps(s, r) ? L1_FILLED : L1_ACKNOWLEDGED);
    if (r->kind == MEM_READ) {
      s->stats.latency_sum += s->now - r->born;
      s->stats.latency_count++;
      stall_answer(s, r);
    }
    s->stats.answers++;
  }
  answer_done(s, r);
}

uint64_t ldst_wait(struct sm *s) {
  if (s->mem_again)
    l1_refuse_again(s);
  s->mem_again = false;
  return l1_has_requests(s, s->plain) ? engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->out))
                                      : NEVER;
}

/* One access of the instruction at the head. False: not now. */
EITHER_WAY bool step(struct sm *s, struct sm_memop *m, bool plain) {
  const struct sm_access *a = &m->access[m->next];
  bool ordered = !plain && s->l1.order.ops;
  if (ordered && !m->of.constant)
    return l1_enqueue(s, &m->of, a);
  if (ordered && s->head_epoch == s->l1.epoch)
    return false;
  if (l1_access(s, &m->of, a))
    return true;
  if (ordered) {
    s->head_epoch = s->l1.epoch;
    return false;
  }
  l1_block(s);
  s->mem_until = (uint8_t)l1_refused_until(s, &m->of, a);
  s->mem_again = false;
  return false;
}

/* The instruction at the head of the unit. Returns when to come again. */
EITHER_WAY uint64_t head(struct sm *s, bool plain) {
  bool ordered = !plain && s->l1.order.ops;
  if (!s->mem_count)
    return NEVER;
  if (s->mem_blocked && !ordered) {
    if (s->mem_again)
      l1_refuse_again(s);
    s->mem_again = false;
    return NEVER;
  }
  if (s->mem_busy > s->now)
    return s->mem_busy;
  struct sm_memop *m = &s->memop[s->mem_head];
  if (m->shared && m->busy) {
    /* data follows the last of the conflicting accesses */
    s->mem_busy = s->now + m->busy;
    s->stats.shared_cycles += m->busy;
    uint64_t cycle = s->now + s->k->shared_latency + m->busy - 1;
    if (m->data) {
      shared_answer(s, m, cycle);
    } else if (m->of.tracker != UINT32_MAX) {
      s->tracker[m->of.tracker].tried = s->now;
      s->answer_shared = true;
      tracker_answer(s, m->of.tracker, cycle);
      s->answer_shared = false;
    }
    m->busy = 0;
    if (m->next < m->n)
      return s->now + 1;
  } else {
    uint64_t free;
    uint32_t ports = m->of.constant || ordered ? 1 : s->k->l1d_ports;
    for (uint32_t i = 0; i < ports && m->next < m->n; i++, m->next++) {
      if (!l1_port_free(s, &free))
        return i ? s->now + 1 : free; /* what was accepted may have a request to send */
      if (!step(s, m, plain))
        return i ? s->now + 1 : NEVER;
    }
  }
  if (m->next == m->n && !m->busy) {
    bool full = mem_full(s);
    s->mem_head = (s->mem_head + 1) & s->mem_mask;
    s->mem_count--;
    if (!m->keeps)
      vmb_done(s, m->vmb, s->now);
    if (full && !mem_full(s))
      stall_queue_room(s);
  }
  if (plain && !l1_has_requests(s, plain)) /* nothing to do until then */
    return !s->mem_count ? NEVER : s->mem_busy > s->now ? s->mem_busy : s->now + 1;
  return s->now + 1;
}

EITHER_WAY uint64_t unit_cycle(struct sm *s, bool plain) {
  uint64_t tick = s->engine->now, next = NEVER;
  if (l1_has_requests(s, plain)) {
    if (port_room(s->out, tick)) {
      l1_send_one(s);
      changed(s, L1_SENT);
    }
    if (l1_has_requests(s, plain)) /* when the port is full, the network wakes us */
      next = port_room(s->out, tick) ? s->now + 1
                                     : engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->out));
  }
  if (!plain && s->l1.order.ops) {
    uint64_t t = l1_drain(s);
    next = t < next ? t : next;
  }
  if (!plain && (s->retry.n || s->retry.nacks)) {
    uint64_t t = retry_cycle(s);
    next = t < next ? t : next;
  }
  uint32_t requests = s->miss.count;
  uint64_t t = head(s, plain);
  if (!plain && s->miss.count > requests) /* of one that was refused, too: its line leaves first */
    t = s->now + 1;
  next = t < next ? t : next;
  if (!plain && s->vmb_count) {
    t = vmb_release(s);
    next = t < next ? t : next;
  }
  return next;
}

/* One cycle; returns when it can next do something by itself. */
uint64_t ldst_cycle(struct sm *s) {
  return s->plain ? unit_cycle(s, true) : unit_cycle(s, false);
}
