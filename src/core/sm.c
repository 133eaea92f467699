#include "core/sm.h"
#include "base/hot.h"
#include "base/least.h"
#include "cache/cache.h"
#include "noc/xbar.h"
#include <string.h>

static void init_scheduler(struct sm *s, const struct sm_setup *o, uint32_t i) {
  const struct core_config *k = o->core;
  const struct sluice_warp_slots slots = {
      .size = sizeof slots, .warps = k->warps, .scheduler = i, .schedulers = k->schedulers};
  sched_init(&s->sched[i], k->scheduler, k->warps, k->active_warps, o->general);
  struct tech_warp_scheduler t = tech_warp_scheduler(o->tech, s->id, &slots);
  if (t.ops)
    sched_use_technique(&s->sched[i], t, &s->now);
}

void sm_init(struct sm *s, const struct sm_setup *o, uint32_t id) {
  const struct core_config *k = o->core;
  *s = (struct sm){.k = k,
                   .launch = o->launch,
                   .general = o->general,
                   .names = tech_chosen(o->tech, 0) != NULL,
                   .map = o->map,
                   .id = id,
                   .nwarps = k->warps,
                   .free_tracker = UINT32_MAX,
                   .l1.k = o->l1};
  s->cta = xcalloc(k->ctas, sizeof *s->cta);
  s->done = xcalloc(k->ctas, sizeof *s->done);
  s->starting = xcalloc(k->ctas, sizeof *s->starting);
  s->warp = xaligned(k->warps * sizeof *s->warp);
  memset(s->warp, 0, k->warps * sizeof *s->warp);
  collect_init(&s->collect, k);
  s->work = xcalloc(WORK_KEYS, sizeof *s->work);
  s->ready = xmalloc(k->warps * sizeof *s->ready);
  s->words = (k->warps + 63) / 64;
  s->line_shift = (unsigned)__builtin_ctz(o->l1->line_bytes);
  s->next_ready = s->late_least = s->mem_at = NEVER;
  for (uint32_t w = 0; w < k->warps; w++)
    s->ready[w] = NEVER;
  for (uint32_t i = 0; i < k->schedulers; i++)
    init_scheduler(s, o, i);
  s->pipe_units[PIPE_SP] = k->sp_units;
  s->pipe_units[PIPE_SFU] = k->sfu_units;
  s->pipe_units[PIPE_INT] = s->pipe_units[PIPE_F64] = s->pipe_units[PIPE_CTRL] = s->pipe_units[PIPE_TENSOR] =
      k->sp_units;
  s->npipes = k->pipes != PIPES_SHARED ? SIMT_PIPES : PIPE_INT;
  while (s->mem_mask + 1 < k->mem_queue)
    s->mem_mask = s->mem_mask * 2 + 1;
  s->memop = xaligned((s->mem_mask + 1u) * sizeof *s->memop); /* accesses are written before they are read */
  for (uint32_t i = 0; i <= s->mem_mask; i++)
    memset(&s->memop[i], 0, offsetof(struct sm_memop, access));
  while (s->delay_mask + 1 < o->l1->d_delay)
    s->delay_mask = s->delay_mask * 2 + 1;
  s->delay = o->l1->d_delay ? xaligned((s->delay_mask + 1u) * sizeof *s->delay) : NULL;
  s->checker = o->check_requests ? checker_new() : NULL;
  while (s->vmb_mask + 1 < k->vmb)
    s->vmb_mask = s->vmb_mask * 2 + 1;
  s->vmb = xcalloc(s->vmb_mask + 1u, sizeof *s->vmb);
  in_order_init(s);
  l1_init(s);
  s->gate_stale = true;
  l1_hooks_init(s, o->tech);
  sm_note_waits(s, NULL);
  fetch_init(s);
}

void sm_note_waits(struct sm *s, struct sm_waits *to) {
  s->waits = to;
  s->issue_fast = s->words == 1 && !s->l1.gate.ops && s->k->model != SM_GCN &&
                  s->k->scheduler != SM_TWO_LEVEL && !to && !s->general;
  s->issue_how = !s->issue_fast ? ISSUE_GENERALLY : s->k->slots ? ISSUE_SLOTS : ISSUE_FAST;
}

void sm_connected(struct sm *s) {
  s->fast = s->issue_fast && !s->l1.order.ops && !s->l1.aside && !s->l1.prefetch && !s->l1.bypass.queue &&
            !s->k->vmb && !s->l1.k->nack && !s->l1.k->coherence && !s->ack && !s->ask && !s->scalar_reply;
  uint64_t period = s->engine->period[DOMAIN_CORE];
  s->reach = (uint32_t)((s->in->data + period - 1) / period);
  s->load_fast = s->fast && !s->l1.bypass.ops && !s->l1.side_buffer.on && cache_fast(s->l1d);
}

void sm_destroy(struct sm *s) {
  for (uint32_t i = 0; i < s->k->schedulers; i++)
    sched_destroy(&s->sched[i]);
  free(s->cta), free(s->warp), free(s->ready), free(s->work), free(s->memop), free(s->tracker);
  checker_free(s->checker);
  free(s->scoreboard), free(s->done), free(s->starting), free(s->vmb), free(s->delay);
  retry_destroy(s);
  l1_hooks_destroy(s);
  in_order_destroy(s);
  l1_destroy(s);
  fetch_destroy(s);
}

bool sm_fits(const struct sm *s, uint32_t threads, uint32_t registers, uint64_t shared) {
  uint32_t warps = (threads + s->launch->width - 1) / s->launch->width, n = s->nstarting + 1;
  uint32_t simd;
  return !s->unsaid && (s->k->model != SM_GCN || gcn_place(s, warps, &simd)) &&
         s->nctas_running + n <= s->k->ctas && s->live_warps + n * warps <= s->nwarps &&
         s->threads + n * threads <= s->k->threads &&
         s->registers + n * registers <= s->launch->register_room &&
         s->shared + n * shared <= s->k->shared_bytes;
}

/* Grows the scoreboard to the registers of this launch; no warp is live then. */
static void reserve_registers(struct sm *s, uint32_t n) {
  if (n <= s->register_count)
    return;
  enum { LINE = PORT_LINE / sizeof *s->scoreboard }; /* each warp's in lines of the host's cache of its own */
  size_t own = (n + LINE - 1) / LINE * LINE;
  free(s->scoreboard);
  s->scoreboard = xaligned(s->nwarps * own * sizeof *s->scoreboard);
  s->register_count = n;
  for (uint32_t w = 0; w < s->nwarps; w++)
    s->warp[w].reg = s->scoreboard + w * own;
}

/* Instructions of machine code in front of the kernel's own take issue slots. */
static void take_begin(struct sm *s, struct sched *c) {
  c->busy = (c->busy > s->now ? c->busy : s->now) + s->k->begin_slots;
  s->stats.more_slots += s->k->begin_slots;
}

static void start_cta(struct sm *s, struct supply_cta *c, uint32_t threads, uint32_t registers,
                      uint64_t shared) {
  uint32_t slot = 0, w = 0, simd = GCN_SIMDS;
  s->last = s->now; /* cycles until now were without this CTA */
  stall_residents(s, s->now);
  stall_schedulers(s, s->now + 1);
  s->issue_stale = true;
  uint32_t names = supply_registers(s->launch->supply) + 1; /* plus the register that is always ready */
  reserve_registers(s, names);
  while (s->cta[slot].stream)
    slot++;
  struct sm_cta *k = &s->cta[slot];
  *k = (struct sm_cta){.stream = c,
                       .warps = c->nwarps,
                       .left = c->nwarps,
                       .undrained = c->nwarps,
                       .threads = threads,
                       .registers = registers,
                       .shared = shared};
  s->threads += threads;
  s->registers += registers;
  s->shared += shared;
  s->nctas_running++;
  if (s->code_launch != s->launch->number)
    s->code_launch = s->launch->number, s->code_warps = 0,
    s->code_at = s->now + s->launch->code_cycles + (s->id * s->launch->code_interval >> 10);
  if (s->k->model == SM_GCN)
    gcn_place(s, c->nwarps, &simd);
  for (uint32_t i = 0; i < c->nwarps; i++, w++) {
    while (s->warp[w].live || (simd < GCN_SIMDS && w % s->k->schedulers != simd))
      w++;
    struct sm_warp *p = &s->warp[w];
    warp_reg_begin(p, names, s->now);
    p->stream = c, p->cta = slot, p->in_cta = (uint16_t)i, p->accessed = false, p->next = p->end = NULL,
    p->loads = p->stores = p->queued = 0;
    if (s->l1.gate.ops) {
      s->l1.gate.ops->start(s->l1.gate.self, w, slot, s->now);
      s->l1.calls.starts++;
      s->gate_stale = true;
    }
    p->number = UINT32_MAX - 1, p->fetched = 0, p->fetch_ready = 0;
    s->live_warps++;
    s->on_scheduler[w % s->k->schedulers]++;
    stall_begin(s, w);
    p->live = true, p->ended = p->at_barrier = false;
    s->waited[w] = 0;
    sched_add(&s->sched[w % s->k->schedulers], w);
    if (s->k->begin_slots)
      take_begin(s, &s->sched[w % s->k->schedulers]);
    bool has_work = warp_fetch(s, w);
    /* warps that wait for the first instructions go through the fetch unit in turn */
    if (p->fetch_ready < s->code_at)
      p->fetch_ready = s->code_at + s->code_warps++ / s->k->fetch_warps;
    if (has_work)
      warp_settle(s, w);
    else
      warp_end(s, w);
  }
}

void sm_start_pending(struct sm *s) {
  for (uint32_t i = 0; i < s->nstarting; i++) {
    s->now = s->starting[i].cycle;
    start_cta(s, s->starting[i].cta, s->launch->threads, s->launch->registers, s->launch->shared);
  }
  s->nstarting = 0;
  s->full = !sm_fits(s, s->launch->threads, s->launch->registers, s->launch->shared);
}

/* A CTA with a warp that may have nothing to do can end at once, and another CTA takes the place of the first one in
 * this cycle. */
static bool may_end_at_once(const struct sm *s, const struct supply_cta *c) {
  return s->k->model == SM_GCN || !supply_all_begin(c);
}

void sm_start_cta(struct sm *s, struct supply_cta *c, uint64_t cycle) {
  s->starting[s->nstarting++] = (struct sm_starting){c, cycle};
  if (may_end_at_once(s, c))
    sm_start_pending(s);
}

/* CTAs have ended in this cycle: at the end of the window CTA dispatch takes them away and starts others. */
static void say_ended(struct sm *s) {
  s->engine->asked = true;
  s->ended->sm[s->ended->n++] = s->id;
  s->unsaid = false;
}

void warp_gone(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  stall_drained(s, w);
  k->live = false;
  stall_residents(s, s->now);
  s->live_warps--;
  s->on_scheduler[w % s->k->schedulers]--;
  struct sm_cta *c = &s->cta[k->cta];
  if (--c->undrained)
    return;
  s->threads -= c->threads;
  s->registers -= c->registers;
  s->shared -= c->shared;
  issue_changes(s);
  s->full = false;
  s->nctas_running--;
  s->stats.ctas++;
  c->stream->ended = s->now;
  s->done[s->ndone++] = c->stream;
  s->done_cycle = s->now;
  c->stream = NULL;
  if (s->ahead)
    s->unsaid = true;
  else if (s->ndone == 1)
    say_ended(s);
}

void warp_end(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  k->ended = true;
  if (s->l1.gate.ops) {
    s->l1.gate.ops->exit(s->l1.gate.self, w, s->now);
    s->l1.calls.exits++;
    s->gate_stale = true;
  }
  k->next = k->end = NULL;
  set_ready(s, w, NEVER);
  sched_remove(&s->sched[w % s->k->schedulers], w);
  s->cta[k->cta].left--;
  barrier_release(s, k->cta);
  k->past_end = false;
  if (s->k->scalar_in_order)
    scalar_order_end(s, w);
  else
    warp_drained(s, w);
}

bool sm_drained(const struct sm *s) {
  return !s->nctas_running && !cache_mshrs_used(s->l1d) && !s->mem_count && !s->delay_count &&
         !s->l1.waiting && !l1_has_requests(s, false) && !s->retry.n && !s->retry.failed.count &&
         !s->writebacks && !s->prefetches;
}

bool sm_flush(struct sm *s) {
  s->now = engine_cycle(s->engine, DOMAIN_CORE);
  if (!s->l1.k->keep_read_only)
    cache_flush(s->l1i, NULL, NULL);
  return l1_flush(s);
}

void sm_settle(struct sm *s, uint64_t cycle) {
  if (cycle > s->last + 1)
    s->last = cycle - 1;
  stall_residents(s, s->last);
  stall_schedulers(s, s->last + 1);
}

SPECIALIZED uint64_t simulate(struct sm *s, uint64_t cycle, uint64_t tick, bool fast) {
  if (RARELY(s->nstarting))
    sm_start_pending(s);
  if (!fast && s->l1.gate.ops) /* the gate's answer may have changed meanwhile */
    stall_schedulers(s, cycle);
  s->active = (s->nctas_running != 0) & (cycle != 0); /* launches begin after cycle 0 */
  s->last = s->now = cycle;
  s->tick = tick;
  uint64_t message = port_next_message(s->in);
  if (message <= tick) { /* one per cycle */
    const struct mem_request *answer = port_message(s->in, s->in->popped);
    if (RARELY(answer->flags & MEM_CODE))
      fetch_answer(s);
    else
      ldst_answer(s, answer);
    message = port_next_message(s->in);
  }
  uint64_t next = !fast && s->ask ? l1_serve_peer(s) : NEVER, code = NEVER;
  bool misses = s->imiss.at.count, code_first = misses && fetch_overtaken(s);
  if (RARELY(code_first))
    code = fetch_cycle(s);
  if (cycle >= s->mem_at || l1_has_requests(s, fast) || (!fast && ldst_has_work(s)))
    s->mem_at = s->mem_blocked && ldst_stuck(s, fast) ? ldst_wait(s) : ldst_cycle(s);
  sooner(&next, s->mem_at);
  if (RARELY(misses) && !code_first)
    code = fetch_cycle(s);
  s->mem_fresh = false;
  if (!fast && s->scalar_reply)
    sooner(&next, gcn_scalar_loads(s));
  if (s->issue_stale || cycle >= s->issue_at) {
    if (s->booked + 1 != cycle)
      stall_schedulers(s, cycle);
    s->issue_stale = true;
    s->issue_at = sm_issue(s);
    s->issue_stale = !fast && s->l1.gate.ops;
    s->booked = cycle;
  }
  sooner(&next, s->issue_at);
  if (RARELY(s->imiss.at.count))
    sooner(&next, code != NEVER ? code : cycle + 1); /* a fetch may have just missed */
  /* the accepted instruction may be at the head of the unit, unless a failed access holds the head up */
  if (s->mem_fresh && !(s->mem_blocked && !s->l1.k->d_delay && (fast || !s->l1.order.ops))) {
    sooner(&s->mem_at, ldst_due(s));
    sooner(&next, s->mem_at);
  }
  /* the accepted instruction may have filled the buffer of memory instructions, whose first one leaves at a known cycle */
  if (!fast && s->mem_fresh)
    sooner(&next, vmb_next_room(s));
  if (message == NEVER)
    return next;
  return min64(next, message <= tick ? cycle + 1 : engine_cycle_at(s->engine, DOMAIN_CORE, message));
}

static __attribute__((noinline)) uint64_t simulate_generally(struct sm *s, uint64_t cycle) {
  return simulate(s, cycle, s->engine->now, false);
}

/* The SM is called for a cycle that it has simulated already. */
static uint64_t called_late(struct sm *s, uint64_t cycle) {
  if (s->unsaid && cycle < s->done_cycle)
    return s->done_cycle;
  if (s->unsaid)
    say_ended(s);
  /* the engine calls once for all messages: those that came meanwhile may have no call of their own */
  uint64_t message = engine_cycle_at(s->engine, DOMAIN_CORE, port_next_message(s->in));
  return message < s->fresh ? s->want : min64(s->want, message);
}

/* SMs run ahead of the other units, so that the host's caches hold an SM's state for several of its cycles:
 *
 *   engine   cycle 1: SM 0   SM 1   … crossbars, partitions   cycle 2: SM 0   SM 1   … crossbars, partitions
 *   ahead    cycle 1: SM 0 to 5   SM 1 to 5   … crossbars, partitions   cycle 2: crossbars, partitions …
 *
 * An answer that is not in the SM's port yet comes after the network's latency (`reach`). Until then the SM depends on nobody, as long
 * as its requests find room, no CTA can start on it and none ends; the engine learns of the end of a CTA in the cycle of the end. */
HOT uint64_t sm_cycle(void *self, uint64_t cycle) {
  enum { REQUESTS = 2 }; /* most of a cycle: one of data, one of instructions */
  struct sm *s = self;
  if (!s->fast)
    return simulate_generally(s, cycle);
  if (cycle < s->fresh)
    return called_late(s, cycle);
  struct engine *e = s->engine;
  const struct port *out = s->out;
  uint64_t tick = e->now, period = e->period[DOMAIN_CORE], next;
  uint64_t end = (s->answers ? xbar_known(s->answers, cycle) : cycle) + s->reach;
  while ((next = simulate(s, cycle, tick, true)) < end && next * period < e->horizon &&
         out->pushed - count_seen(&out->released) + REQUESTS < out->capacity && !s->ndone) {
    if (!s->full && s->nctas_running)
      s->full = supply_exhausted(s->launch->supply);
    if (!s->full)
      break;
    s->ahead = true;
    e->steps++;
    cycle = next;
    tick = cycle * period;
  }
  if (!s->ahead)
    return next;
  s->ahead = false;
  s->fresh = cycle + 1, s->want = next;
  engine_passed(e, s->unit, s->fresh);
  return s->unsaid ? cycle : next;
}
