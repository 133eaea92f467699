/* A GCN compute unit: wavefronts are bound to a SIMD, and the SIMDs have the issue stage in turn.
 *
 *   cycle mod SIMDs ─▶ the wavefronts of that SIMD ─▶ at most one instruction each for
 *                                                     branch unit, scalar unit, the SIMD's vector ALU,
 *                                                     vector memory, local memory (LDS)
 *
 * A wavefront has one next instruction, so that instructions which issue together are of different wavefronts. The
 * 64 lanes of a wavefront go through the 16 lanes of a SIMD in four cycles, which is sm.interval of its units. */
#include "core/sm.h"
#include "core/gcn_code.h"
#include "base/bits.h"

enum sm_pipe gcn_pipe_of(const struct sm *s, uint32_t w, const struct warp_inst *in) {
  enum sm_pipe simd = (enum sm_pipe)(PIPE_SIMD + w % s->k->schedulers);
  switch (in->klass) {
  case SLUICE_LOAD:
  case SLUICE_STORE:
  case SLUICE_ATOMIC:
  case SLUICE_RED:
    if (in->flags & SLUICE_IF_SCALAR && in->flags & SLUICE_IF_ADDRESS)
      return s->scalar_ask ? PIPE_SMEM : PIPE_SCALAR;
    if (in->flags & SLUICE_IF_ADDRESS)
      return in->space == SLUICE_SP_SHARED ? PIPE_LDS : PIPE_MEM;
    return in->flags & SLUICE_IF_SCALAR ? PIPE_SCALAR : simd;
  case SLUICE_COPY:
  case SLUICE_PREFETCH:
    return PIPE_MEM;
  case SLUICE_BRANCH:
  case SLUICE_CALL:
  case SLUICE_RETURN:
    return PIPE_BRANCH;
  case SLUICE_BARRIER:
  case SLUICE_FENCE:
    return PIPE_SCALAR;
  default:
    if (s->l1.k->c_params && gcn_loads_param(in))
      return PIPE_SMEM;
    return in->flags & SLUICE_IF_SCALAR ? PIPE_SCALAR : simd;
  }
}

void gcn_results_at(struct sm_warp *k, const struct warp_inst *in, uint64_t cycle, enum stall cause) {
  for (unsigned i = 0; i < in->ndst; i++)
    warp_reg_set(k, in->reg[i], cycle, cause);
}

static void occupy(struct sm *s, enum sm_pipe p, uint32_t cycles) {
  s->pipe_at[p] = s->now + cycles;
  if (cycles > 1)
    stall_pipe_taken(s, p);
}

/* Local memory as in Multi2Sim 4.2: accesses of all instructions one after the other. An instruction passes decode and read in
 * LDS_STAGES cycles; its wavefront fetches the next instruction when the access has ended. The elements of an access are
 * instructions of their own, and so take turns with elements of other wavefronts. */
enum { LDS_STAGES = 3, ISSUE_TO_FETCH = 3 };
static void access_by_lanes(struct sm *s, struct sm_warp *k, const struct warp_inst *in, uint32_t busy,
                            uint32_t times) {
  uint64_t from = s->now + LDS_STAGES, turn = s->k->schedulers;
  from = s->lds_free > from ? s->lds_free : from;
  s->lds_free = from + busy;
  uint64_t fetch = s->k->fetch_latency + 1 - ISSUE_TO_FETCH, done = s->lds_free + s->k->shared_latency - 1;
  uint64_t each = busy / times + LDS_STAGES + fetch, apart = (each + turn - 1) / turn * turn - busy / times;
  s->hold = done + fetch + (times - 1) * apart;
  occupy(s, PIPE_LDS, 1);
  gcn_results_at(k, in, s->hold, STALL_SHARED);
}

/* Local memory is busy for as many cycles as its banks need; data follows the last of these cycles. */
static const uint32_t *access_lds(struct sm *s, struct sm_warp *k, const struct warp_inst *in,
                                  const uint32_t *item) {
  uint32_t busy = 0, times = 1;
  bool more, several = false;
  do {
    uint32_t word = *item++;
    times = SLUICE_ACCESS_TIMES(word);
    more = word & SLUICE_ACCESS_MORE;
    several |= more;
    busy += SLUICE_ACCESS_BANKS(word);
    if (several) /* skips the lanes of the part */
      item += s->launch->wide ? 2 : 1;
  } while (more);
  busy = busy && s->k->shared_conflicts ? busy : 1;
  s->stats.shared_cycles += busy;
  if (s->k->lds_lanes) {
    access_by_lanes(s, k, in, busy, times);
    return item;
  }
  occupy(s, PIPE_LDS, busy);
  gcn_results_at(k, in, s->now + s->k->shared_latency + busy - 1 + s->k->load_stages, STALL_SHARED);
  return item;
}

/* The address of a scalar access: all lanes have the same address. */
static uint64_t address_of(const uint32_t *item, uint64_t mask, bool wide) {
  const uint32_t *p = item + 1;
  if (*item & SLUICE_ACCESS_MORE)
    p += wide ? 2 : 1;
  uint64_t base = p[0] | (uint64_t)p[1] << 32;
  switch (SLUICE_ACCESS_FORM(*item)) {
  case SLUICE_AFFINE:
    return base + (uint64_t)((int64_t)(int32_t)p[2] * __builtin_ctzll(mask));
  case SLUICE_LIST32:
    return base + p[2];
  default:
    return base;
  }
}

/* The address of a launch's parameter. Each launch has lines of its own, as in Multi2Sim: no cache has them when the launch begins. */
static uint64_t param_address(const struct sm *s, const struct warp_inst *in) {
  enum { LINES = 256 };
  return PARAM_BASE + ((uint64_t)s->launch->number * LINES + in->param_line) * s->l1.k->c.line_bytes;
}

static void load_scalar(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t address) {
  struct sm_warp *k = &s->warp[w];
  uint64_t tick = s->engine->now;
  struct scalar_ask ask = {address, tracker_new(s, in, w)};
  s->tracker[ask.tracker].left = 1;
  k->loads++;
  gcn_results_at(k, in, NEVER, STALL_L1);
  s->scalar_loads++;
  if (!port_room(s->scalar_ask, tick))
    panic("more scalar loads wait than may be under way");
  port_push(s->scalar_ask, tick, &ask);
  if (s->k->scalar_in_order)
    scalar_order_enter(
        s, &(struct scalar_op){.at = NEVER, .warp = w, .tracker = ask.tracker, .kind = SCALAR_LOAD});
  engine_wake(s->engine, s->scalar_unit, tick + s->scalar_ask->data);
}

uint64_t gcn_scalar_loads(struct sm *s) {
  uint64_t tick = s->engine->now;
  for (const struct scalar_reply *r; (r = port_front(s->scalar_reply, tick));) {
    struct scalar_reply answer = *r;
    answer.request.stamps = &answer.stamps;
    answer.stamps.more = &answer.more;
    port_pop(s->scalar_reply, tick);
    issue_changes(s); /* the scalar unit may take another load */
    s->scalar_loads--;
    if (s->k->scalar_in_order) {
      scalar_order_known(s, UINT32_MAX, answer.request.waiter, s->now + 1);
      continue;
    }
    s->answer = answer.stamps.sent ? &answer.request : NULL; /* for the stages of a miss */
    tracker_answer(s, answer.request.waiter, s->now + 1, s->k->load_stages);
    s->answer = NULL;
  }
  return engine_cycle_at(s->engine, DOMAIN_CORE, port_next_message(s->scalar_reply));
}

/* Executes in order: an instruction that others hold up completes later (in_order.c). */
static void execute_in_order(struct sm *s, uint32_t w, const struct warp_inst *in, uint32_t latency) {
  struct sm_warp *k = &s->warp[w];
  bool load = in->klass == SLUICE_LOAD || (s->k->gcn_code && gcn_loads_param(in));
  uint32_t done = load ? latency + 1 : s->k->scalar_complete;
  uint64_t cycle = scalar_order_enter(
      s, &(struct scalar_op){
             .at = s->now + done, .inst = in, .warp = w, .kind = load ? SCALAR_DATA : SCALAR_ALU});
  if (load)
    gcn_results_at(k, in, cycle, STALL_SCOREBOARD);
  else if (cycle == NEVER)
    s->hold = NEVER;
  else
    s->hold = cycle + s->k->scalar_fetch - s->k->scalar_complete;
}

const uint32_t *gcn_execute(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask,
                            const uint32_t *item) {
  struct sm_warp *k = &s->warp[w];
  enum sm_pipe p = (enum sm_pipe)k->pipe;
  s->hold = 0;
  if (p == PIPE_LDS)
    return mask ? access_lds(s, k, in, item) : item;
  if (p == PIPE_SMEM && mask)
    load_scalar(s, w, in,
                gcn_loads_param(in) ? param_address(s, in) : address_of(item, mask, s->launch->wide));
  if (p == PIPE_SCALAR) {
    bool load = in->flags & SLUICE_IF_ADDRESS; /* without a scalar cache no load misses */
    s->hold = s->k->gcn_code && (load || gcn_loads_param(in)) ? 0 : s->now + s->k->scalar_fetch;
    uint32_t latency = load ? s->l1.k->c_latency : s->k->scalar_latency;
    gcn_results_at(k, in, s->now + latency + s->k->stages, STALL_SCOREBOARD);
    if (s->k->scalar_in_order)
      execute_in_order(s, w, in, latency + s->k->stages);
  } else if (p >= PIPE_SIMD) {
    occupy(s, p, s->k->unit[in->unit].interval);
    gcn_results_at(k, in, s->now + s->k->unit[in->unit].latency + s->k->stages, STALL_SCOREBOARD);
  }
  bool loads = in->flags & SLUICE_IF_ADDRESS && mask && (p == PIPE_SCALAR || p == PIPE_SMEM);
  return loads ? item + supply_items(item, in, mask, s->launch->wide) : item;
}

bool gcn_place(const struct sm *s, uint32_t wavefronts, uint32_t *simd) {
  uint32_t n = s->k->schedulers, size = s->nwarps / n, best = 0;
  *simd = GCN_SIMDS;
  if (!s->k->cta_on_simd || wavefronts > size)
    return true; /* the caller checks for room on all SIMDs together */
  for (uint32_t i = 1; i < n; i++)
    if (s->on_scheduler[i] < s->on_scheduler[best])
      best = i;
  *simd = best;
  return s->on_scheduler[best] + wavefronts <= size;
}

/* The number of cycles `from` to `to` - 1 in which SIMD k has its turn. */
static uint64_t turns(const struct sm *s, uint32_t k, uint64_t from, uint64_t to) {
  uint64_t n = s->k->schedulers;
  return (to + n - 1 - k) / n - (from + n - 1 - k) / n;
}

/* As stall.c does for the SIMT model: before the first wavefront was ready all wavefronts waited for registers, from then
 * on for a pipeline. */
void gcn_book_skipped(struct sm *s, uint64_t from, uint64_t to) {
  for (uint32_t k = 0; k < s->k->schedulers; k++) {
    const struct sched *c = &s->sched[k];
    uint64_t all = turns(s, k, from, to), first = NEVER;
    if (!c->members) {
      s->stats.idle_cycles += all;
      continue;
    }
    for (uint32_t i = 0; i < c->n; i++)
      if (s->ready[c->list[i]] < first)
        first = s->ready[c->list[i]];
    uint64_t piped = first < to ? turns(s, k, first > from ? first : from, to) : 0;
    s->stats.stall_pipe += piped;
    s->stats.stall_scoreboard += all - piped;
  }
}

/* Finds the wavefronts of a SIMD that could issue, whether or not their unit is free. */
static bool choices(const struct sm *s, uint32_t simd, uint64_t *open, bool *ready) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < s->words; i++)
    any |= open[i] = s->can[i] & s->sched[simd].may[i];
  *ready = any;
  if (any && s->l1.gate.ops)
    sm_hold_back(s, open);
  return any;
}

/* Finds the wavefronts of `open` whose next instruction is for unit p. The scalar unit takes loads too, as long as its cache does. */
static bool those_for(const struct sm *s, enum sm_pipe p, const uint64_t *open, uint64_t *set) {
  uint64_t any = 0;
  bool loads = p == PIPE_SCALAR && s->scalar_loads < SCALAR_LOADS;
  for (uint32_t i = 0; i < s->words; i++)
    any |= set[i] = open[i] & (s->uses[i][p] | (loads ? s->uses[i][PIPE_SMEM] : 0));
  return any;
}

/* The ready wavefront that became ready first: Multi2Sim takes the instruction that was fetched first. */
static uint32_t first_ready(const struct sm *s, const uint64_t *set) {
  uint32_t first = SCHED_NONE;
  for (uint32_t i = 0; i < s->words; i++)
    for (uint64_t m = set[i]; m; m &= m - 1) {
      uint32_t w = i * 64 + (uint32_t)__builtin_ctzll(m);
      first = first == SCHED_NONE || s->ready[w] < s->ready[first] ? w : first;
    }
  return first;
}

/* Simulates the turn of a SIMD: one instruction for each unit. */
static void take_turn(struct sm *s, uint32_t simd) {
  const enum sm_pipe units[] = {PIPE_BRANCH, PIPE_SCALAR, (enum sm_pipe)(PIPE_SIMD + simd), PIPE_MEM,
                                PIPE_LDS};
  uint64_t open[SCHED_WORDS], set[SCHED_WORDS];
  bool ready;
  uint32_t issued = 0;
  choices(s, simd, open, &ready);
  for (unsigned i = 0; ready && i < sizeof units / sizeof *units; i++) {
    if (!those_for(s, units[i], open, set) || !sm_pipe_open(s, units[i]))
      continue;
    uint32_t w = s->k->scheduler == SM_FIRST_READY ? first_ready(s, set) : sched_pick(&s->sched[simd], set);
    sm_issue_warp(s, w);
    open[w / 64] &= ~(UINT64_C(1) << w % 64);
    issued++;
  }
  if (issued)
    s->stats.more_issued += issued - 1;
  else if (s->active)
    *(!s->sched[simd].members ? &s->stats.idle_cycles
      : ready                 ? &s->stats.stall_pipe
                              : &s->stats.stall_scoreboard) += 1;
}

/* The cycle from which on a unit takes an instruction; NEVER: an event wakes the compute unit. */
static uint64_t opens_at(const struct sm *s, enum sm_pipe p) {
  return s->pipe_at[p] > s->now ? s->pipe_at[p] : s->now + 1;
}

/* The first turn of a SIMD in which a wavefront that is ready now can issue. */
static uint64_t next_turn(const struct sm *s, uint32_t simd) {
  const enum sm_pipe units[] = {PIPE_BRANCH, PIPE_SCALAR, (enum sm_pipe)(PIPE_SIMD + simd), PIPE_MEM,
                                PIPE_LDS};
  uint64_t open[SCHED_WORDS], set[SCHED_WORDS], at = NEVER, n = s->k->schedulers;
  bool ready;
  if (!choices(s, simd, open, &ready))
    return NEVER;
  for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
    uint64_t t = those_for(s, units[i], open, set) ? opens_at(s, units[i]) : NEVER;
    at = t < at ? t : at;
  }
  if (at == NEVER)
    return NEVER;
  at = at > s->now ? at : s->now + 1;
  return at + (simd + n - at % n) % n;
}

uint64_t gcn_issue(struct sm *s) {
  sm_update_ready(s);
  if (s->l1.gate.ops)
    sm_ask_gate(s);
  take_turn(s, (uint32_t)(s->now % s->k->schedulers));
  uint64_t next = s->next_ready > s->now ? s->next_ready : s->now + 1;
  if (s->l1.gate.ops) {
    uint64_t t = s->gate_stale ? s->now + 1 : s->gate_next;
    next = t < next ? t : next;
  }
  for (uint32_t i = 1; i <= s->k->schedulers && next > s->now + i; i++) { /* no SIMD issues before its turn */
    uint64_t t = next_turn(s, (uint32_t)((s->now + i) % s->k->schedulers));
    next = t < next ? t : next;
  }
  return next;
}
