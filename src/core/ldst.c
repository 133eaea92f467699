/* The load/store unit: coalesced accesses to the L1, requests to the network, answers back. */
#include "cache/cache.h"
#include "base/hot.h"
#include "base/least.h"
#include "l1/prefetch.h"
#include "core/sm.h"

/* The instruction in entry `e` of the buffer is done at `cycle`. */
static void vmb_done(struct sm *s, uint32_t e, uint64_t cycle) {
  if (s->k->vmb_in_order)
    vmb_order_answer(s, e, cycle, UINT32_MAX, 0);
  else
    s->vmb[e] = cycle;
}

/* Releases completed instructions of the buffer, in order. Returns the cycle at which the first instruction leaves, if
 * others wait for room. */
static uint64_t vmb_release(struct sm *s) {
  bool full = mem_full(s);
  if (s->vmb_count && s->vmb_count == s->k->vmb && s->vmb[s->vmb_head] <= s->now)
    s->stats.vmb_full_cycles += s->now - s->vmb_full_since;
  for (; s->vmb_count && s->vmb[s->vmb_head] <= s->now; s->vmb_count--) {
    s->vmb_head = (s->vmb_head + 1) & s->vmb_mask;
    s->vmb_order.told -= s->k->vmb_in_order;
  }
  if (full && !mem_full(s))
    stall_queue_room(s);
  return vmb_next_room(s);
}

/* Completes a load: all data is in the registers at `cycle`. */
static inline void load_done(struct sm_warp *w, const struct warp_inst *in, uint64_t cycle,
                             enum stall cause) {
  for (unsigned i = 0; i < in->ndst; i++)
    warp_reg_set(w, in->reg[i], cycle, cause);
  w->loads--;
}

static inline void store_done(struct sm *s, uint32_t w);

void tracker_leaves(struct sm *s, uint32_t t, uint64_t cycle, uint32_t stages) {
  struct sm_tracker *k = &s->tracker[t];
  struct sm_warp *w = &s->warp[k->warp];
  uint32_t number = k->warp;
  bool store = k->store, held = s->k->vmb_in_order && k->vmb != UINT32_MAX;
  if (s->k->vmb_in_order)
    k->vmb = UINT32_MAX; /* the instruction has left the buffer */
  if (!store) {
    const struct tech_l1_bypass *b = &s->l1.bypass;
    load_done(w, k->inst, cycle + stages, s->answer_shared ? STALL_SHARED : STALL_L1);
    if (RARELY(b->ops) && b->ops->done && k->degree)
      b->ops->done(b->self, k->warp, k->degree, k->hits, k->bypass, cycle - k->issued);
  }
  if (RARELY(s->coherent.in_turn))
    coherent_ends(s, t);
  if (s->tracker[t].vmb != UINT32_MAX)
    vmb_done(s, s->tracker[t].vmb, cycle);
  s->tracker[t].next_free = s->free_tracker; /* no further answer will come */
  s->free_tracker = t;
  if (store && held)
    store_done(s, number);
  if (store)
    return;
  if (warp_woken(s, number) && w->next->klass != SLUICE_FENCE)
    stall_data(s, number, t, cycle + stages);
  if (w->ended)
    warp_drained(s, number);
}

HOT void tracker_answer(struct sm *s, uint32_t t, uint64_t cycle, uint32_t stages) {
  struct sm_tracker *k = &s->tracker[t];
  if (--k->left)
    return;
  if (RARELY(s->k->vmb_in_order) && k->vmb != UINT32_MAX)
    vmb_order_answer(s, k->vmb, cycle, t, stages);
  else
    tracker_leaves(s, t, cycle, stages);
}

/* Completes a load that one lookup answers, without a tracker. */
static inline void answer_at_once(struct sm *s, const struct sm_memop *m, uint64_t cycle, uint32_t stages,
                                  enum stall why) {
  struct sm_warp *w = &s->warp[m->of.warp];
  load_done(w, m->of.inst, cycle + stages, why);
  if (m->vmb != UINT32_MAX)
    vmb_done(s, m->vmb, cycle);
  if (warp_woken(s, m->of.warp) && w->next->klass != SLUICE_FENCE)
    stall_at_once(s, m->of.warp, cycle + stages, why);
  if (w->ended)
    warp_drained(s, m->of.warp);
}

/* Fast path of a parameter load that hits the constant cache. False: the load is looked up as others are. */
HOT static bool load_param(struct sm *s, struct sm_memop *m) {
  if (s->l1.k->c_on && s->l1.k->d_delay && cache_hit(s->l1c, m->access[0].line, 1)) {
    answer_at_once(s, m, s->now + s->l1.k->c_latency, s->k->hit_stages, STALL_L1);
    m->next = m->n;
    return true;
  }
  ldst_track_param(s, m);
  return false;
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
  s->stats.l1_fail_stall_cycles += s->now - s->blocked_since;
  s->stats.l1_fail_cycles[s->fail_why] += s->now - s->blocked_since;
}

/* An event at the L1: a failed access is tried again unless it would fail for the same cause. */
static inline void changed(struct sm *s, unsigned event) {
  s->l1.epoch++;
  if (s->mem_blocked | s->head_failed)
    s->mem_at = s->now;
  if (s->l1.order.ops || !s->mem_blocked)
    return;
  uint64_t refused = s->now - s->blocked_since;
  s->stats.l1_fail_stall_cycles += refused;
  s->stats.l1_fail_cycles[s->fail_why] += refused;
  s->blocked_since = s->now;
  s->mem_blocked = !(s->mem_until & event);
  s->mem_again = s->mem_blocked;
}

/* A store or atomic of a warp is acknowledged. */
static inline void store_done(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  k->stores--;
  if (k->next && k->next->klass == SLUICE_FENCE)
    warp_woken(s, w);
  if (k->ended)
    warp_drained(s, w);
}

/* An acknowledgement arrives, of a store or a write-back. */
static void written(struct sm *s, const struct mem_request *r) {
  if (r->flags & MEM_WRITEBACK) {
    s->writebacks--;
    if (s->coherent.state)
      coherent_notice(s, r->line);
    if (s->l1.aside)
      aside_changed(s, r->line, UINT32_MAX);
    if (r->technique) { /* of a line evicted from the side buffer */
      s->l1.side_buffer.fill->evicted(s->l1.side_buffer.self, r->line, s->now);
      s->l1.calls.written++;
    }
  } else {
    store_done(s, r->warp);
  }
  if (r->waiter != UINT32_MAX) {
    s->answer = r;
    tracker_answer(s, r->waiter, s->now, s->k->load_stages);
    s->answer = NULL;
  }
  changed(s, L1_ACKNOWLEDGED);
  s->stats.answers++;
}

HOT void ldst_answer(struct sm *s, const struct mem_request *r) {
  if (RARELY(r->flags & MEM_AGAIN)) {
    if (s->checker)
      checker_answered(s->checker, r, s->now);
    retry_take_cas(s, r);
    s->in->popped++;
    engine_release_at(s->engine, s->in, s->in_unit, s->tick);
    return;
  }
  if (RARELY(r->kind > MEM_ATOMIC || r->flags & MEM_NACK)) {
    uint32_t place = s->l1.aside ? cache_place(s->l1d, r->line) : 0;
    retry_take(s, r);
    if (s->l1.aside)
      aside_changed(s, r->line, place);
    changed(s, L1_ANY);
  } else if (r->kind == MEM_WRITE) {
    written(s, r);
  } else {
    if (r->kind == MEM_ATOMIC)
      store_done(s, r->warp);
    if (RARELY(r->flags & MEM_PREFETCH)) {
      s->prefetches--;
    } else { /* data for the L1 or for registers */
      bool fills = !(r->flags & MEM_NO_FILL), room = true;
      s->answer = r;
      if (fills)
        room = l1_fill(s, r);
      else if (r->waiter != UINT32_MAX)
        tracker_answer(s, r->waiter, s->now + 1, s->k->load_stages);
      s->answer = NULL;
      if (!room) /* no way is free yet: the answer stays at the head of the port */
        return;
      if (RARELY(s->l1.aside) && fills && !(r->flags & MEM_CONST))
        aside_changed(s, r->line, cache_place(s->l1d, r->line));
    }
    changed(s, !s->mem_blocked || l1_fill_unblocks(s, r) ? L1_FILLED : L1_ACKNOWLEDGED);
    if (r->kind == MEM_READ) {
      s->stats.latency_sum += s->now - r->born;
      s->stats.latency_count++;
      stall_answer(s, r);
    }
    s->stats.answers++;
  }
  if (RARELY(s->checker) && r->kind <= MEM_ATOMIC)
    checker_answered(s->checker, r, s->now);
  stamps_give(&s->stamps, r->stamps);
  s->in->popped++;
  engine_release_at(s->engine, s->in, s->in_unit, s->tick);
}

uint64_t ldst_wait(struct sm *s) {
  if (s->mem_again)
    l1_fail_again(s);
  s->mem_again = false;
  uint64_t next =
      l1_has_requests(s, s->fast) ? engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->out)) : NEVER;
  return s->combine.n ? min64(next, combine_next(s)) : next;
}

/* Hands an access to the L1 or to the order before the L1. False: not now. */
SPECIALIZED bool step(struct sm *s, const struct l1_of *of, const struct sm_access *a, bool fast) {
  bool ordered = !fast && s->l1.order.ops;
  if (!fast && s->l1.aside && !of->constant) {
    aside_enqueue(s, of, a);
    return true;
  }
  if (ordered && !of->constant)
    return l1_enqueue(s, of, a);
  if (ordered && s->head_epoch == s->l1.epoch)
    return false;
  if (l1_access(s, of, a))
    return true;
  if (ordered) {
    s->head_epoch = s->l1.epoch;
    return false;
  }
  l1_block(s);
  s->mem_until = (uint8_t)l1_retry_events(s, of, a);
  s->mem_again = false;
  return false;
}

/* The first access of the delay before the tags. Returns the next cycle with work. */
SPECIALIZED uint64_t delayed(struct sm *s, bool fast) {
  const struct l1_delayed *d = &s->delay[s->delay_head];
  uint64_t free;
  bool ordered = !fast && s->l1.order.ops;
  if (s->mem_blocked && !ordered) {
    if (s->mem_again)
      l1_fail_again(s);
    s->mem_again = false;
    return NEVER;
  }
  if (d->due > s->now)
    return d->due;
  /* an access that goes into a technique's order needs no port of the L1 yet */
  if (!ordered && !l1_port_free(s, &free))
    return free;
  if (!step(s, &d->of, &d->access, fast))
    return ordered ? s->now + 1 : NEVER;
  if (ordered)
    s->warp[d->of.warp].queued--; /* the access is in the order now */
  s->delay_head = ring_after(s->delay_head, s->delay_count, s->delay_mask);
  s->delay_count--;
  s->l1.epoch++;
  if (l1_has_requests(s, fast) || !fast) /* a failed access may succeed now */
    return s->now + 1;
  uint64_t next = s->delay_count ? s->delay[s->delay_head].due : NEVER;
  return next > s->now ? next : s->now + 1;
}

/* Is an access of the line in the delay before the tags? */
static bool delays_line(const struct sm *s, uint64_t line) {
  for (uint32_t i = 0; i < s->delay_count; i++)
    if (s->delay[(s->delay_head + i) & s->delay_mask].access.line == line)
      return true;
  return false;
}

/* An access that skips the delay before the tags. False: reservation fail, until an event at the L1. */
static bool straight(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (s->head_failed && s->head_epoch == s->l1.epoch)
    return false;
  enum sluice_fail why = s->fail_why;
  struct cache *by = s->fail_cache;
  bool ok = l1_access(s, of, a);
  if (s->head_failed) {
    s->stats.l1_fail_stall_cycles += s->now - s->head_since;
    s->stats.l1_fail_cycles[s->head_why] += s->now - s->head_since;
  }
  s->head_failed = !ok;
  if (ok)
    return true;
  s->head_epoch = s->l1.epoch;
  s->head_since = s->now;
  s->head_why = s->fail_why;
  s->fail_why = why, s->fail_cache = by; /* cause of the access that waits before the tags */
  return false;
}

/* Puts an access into the delay before the tags; a no-allocate access skips the delay unless an access of
 * its line is there. */
static bool set_out(struct sm *s, const struct l1_of *of, const struct sm_access *a, bool fast) {
  if (of->constant)
    return straight(s, of, a);
  if (of->no_allocate)
    return !delays_line(s, a->line) && straight(s, of, a);
  if (s->delay_count == s->l1.k->d_delay)
    return false;
  s->delay[(s->delay_head + s->delay_count++) & s->delay_mask] =
      (struct l1_delayed){.of = *of, .access = *a, .due = s->now + s->l1.k->d_delay};
  if (of->tracker != UINT32_MAX)
    s->tracker[of->tracker].delay = (uint16_t)s->l1.k->d_delay;
  if (!fast && s->l1.order.ops)
    s->warp[of->warp].queued++;
  return true;
}

/* The instruction at the head of the unit. Returns the next cycle with work. */
SPECIALIZED uint64_t head(struct sm *s, bool fast) {
  bool ordered = !fast && s->l1.order.ops;
  if (!s->mem_count)
    return NEVER;
  if (s->mem_blocked && !ordered && !s->l1.k->d_delay) {
    if (s->mem_again)
      l1_fail_again(s);
    s->mem_again = false;
    return NEVER;
  }
  if (s->mem_busy > s->now)
    return s->mem_busy;
  struct sm_memop *m = &s->memop[s->mem_head];
  if (m->at > s->now)
    return m->at;
  if (m->shared && m->busy) {
    if (!s->k->shared_conflicts)
      m->busy = 1;
    /* data follows the last of the conflicting accesses */
    s->mem_busy = s->now + m->busy;
    s->stats.shared_cycles += m->busy;
    uint64_t cycle = s->now + s->k->shared_latency + (m->busy - 1) * s->k->shared_conflict_latency;
    cycle += m->of.kind == MEM_ATOMIC ? s->k->shared_atomic_latency : 0;
    if (m->data) {
      answer_at_once(s, m, cycle, s->k->load_stages, STALL_SHARED);
    } else if (m->of.tracker != UINT32_MAX) {
      s->tracker[m->of.tracker].tried = s->now;
      s->answer_shared = true;
      tracker_answer(s, m->of.tracker, cycle, s->k->load_stages);
      s->answer_shared = false;
    }
    m->busy = 0;
    if (m->next < m->n)
      return s->now + 1;
  } else if (m->param && load_param(s, m)) {
    /* done */
  } else if (s->l1.k->d_delay) {
    uint32_t ports = m->of.constant || ordered ? 1 : s->l1.k->d_ports;
    for (uint32_t i = 0; i < ports && m->next < m->n; i++, m->next++)
      if (!set_out(s, &m->of, &m->access[m->next], fast)) /* wait for an event, or for room in the delay */
        return i ? s->now + 1 : NEVER;
  } else {
    uint64_t free;
    bool aside = !fast && s->l1.aside && !m->of.constant;    /* all at once */
    bool looks_up = !aside && !(ordered && !m->of.constant); /* others do so when they leave the order */
    uint32_t ports = aside ? m->n : m->of.constant || ordered ? 1 : s->l1.k->d_ports;
    if (!m->next)
      m->began = s->now;
    for (uint32_t i = 0; i < ports && m->next < m->n; i++, m->next++) {
      if (looks_up && !l1_port_free(s, &free))
        return i ? s->now + 1 : free; /* an accepted access may have a request to send */
      if (!step(s, &m->of, &m->access[m->next], fast))
        return i ? s->now + 1 : NEVER;
    }
  }
  if (m->next == m->n && !m->busy) {
    if (m->passes > 1) { /* the unit reads or writes banks, or changes words, one after the other */
      uint64_t end = m->began + m->passes;
      s->mem_busy = end > s->now ? end : s->now + 1;
      m->passes = 1;
    }
    bool full = mem_full(s);
    s->mem_head = (s->mem_head + 1) & s->mem_mask;
    s->mem_count--;
    if (!m->keeps && m->vmb != UINT32_MAX)
      vmb_done(s, m->vmb, s->now);
    if (full && !mem_full(s))
      stall_queue_room(s);
  }
  if (fast && !l1_has_requests(s, fast)) /* no work until the next instruction can begin */
    return s->mem_count ? ldst_due(s) : NEVER;
  return s->now + 1;
}

/* Accesses that are neither in the queue of the unit nor in the delay before the tags: those in the order of a technique, loads that the
 * L2 sent back, accesses put aside (l1/aside.h), prefetches. Returns the next cycle with work. */
static __attribute__((noinline)) uint64_t before_tags(struct sm *s) {
  uint64_t next = NEVER;
  if (s->l1.order.ops)
    sooner(&next, l1_drain(s));
  if (s->retry.failed.count)
    sooner(&next, retry_send_cas(s));
  if (s->retry.n || s->retry.nacks)
    sooner(&next, retry_cycle(s));
  if (s->l1.aside && s->l1.waiting)
    sooner(&next, aside_drain(s));
  if (s->l1.prefetch)
    sooner(&next, prefetch_cycle(s));
  return next;
}

/* What techniques and protocols do after the head of the unit. The miss queue had so many `requests` before the accesses of this cycle;
 * `next` is the next cycle with work, as far as is known. */
static __attribute__((noinline)) uint64_t after_head(struct sm *s, uint32_t requests, uint64_t next) {
  if (s->l1.prefetch && prefetch_begins(s))
    sooner(&next, s->now + 1);
  if (s->miss.at.count > requests) /* a failed access may have sent an eviction */
    sooner(&next, s->now + 1);
  if (s->retry.n && s->retry.epoch != s->l1.epoch) /* loads that the L2 sent back may succeed now */
    next = s->now + 1;
  if (s->vmb_count)
    sooner(&next, vmb_release(s));
  return next;
}

static __attribute__((noinline)) uint64_t delayed_generally(struct sm *s) {
  return delayed(s, false);
}

static __attribute__((noinline)) uint64_t head_generally(struct sm *s) {
  return head(s, false);
}

HOT uint64_t ldst_cycle(struct sm *s) {
  const bool fast = s->fast;
  uint64_t tick = s->tick, next = NEVER;
  if (RARELY(s->combine.n))
    combine_cycle(s);
  if (l1_has_requests(s, fast)) {
    if (port_room(s->out, tick)) {
      l1_send_one(s);
      changed(s, L1_SENT);
    }
    if (l1_has_requests(s, fast)) /* when the port is full, the network wakes the SM */
      next = port_room(s->out, tick) ? s->now + 1
                                     : engine_cycle_at(s->engine, DOMAIN_CORE, port_next_room(s->out));
  }
  if (!fast || s->retry.failed.count)
    sooner(&next, before_tags(s));
  uint32_t requests = s->miss.at.count;
  if (s->delay_count)
    sooner(&next, fast ? delayed(s, true) : delayed_generally(s));
  bool waited = s->delay_count;
  sooner(&next, fast ? head(s, true) : head_generally(s));
  if (!waited && s->delay_count)
    sooner(&next, s->delay[s->delay_head].due);
  if (RARELY(s->combine.n))
    sooner(&next, combine_next(s));
  return fast ? next : after_head(s, requests, next);
}
