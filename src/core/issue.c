/* Choosing the warp that issues, and executing its instruction. */
#include "base/bits.h"
#include "base/hot.h"
#include "core/control.h"
#include "core/ready.h"
#include "core/stall_wait.h"

static enum sm_pipe shared_pipe(unsigned unit) {
  switch (unit) {
  case PTX_UNIT_SFU:
  case PTX_UNIT_SFU_FULL:
  case PTX_UNIT_TRIG:
  case PTX_UNIT_FDIV:
  case PTX_UNIT_DDIV:
  case PTX_UNIT_IDIV:
  case PTX_UNIT_IDIV64:
  case PTX_UNIT_FP64:
  case PTX_UNIT_FROOT:
  case PTX_UNIT_DROOT:
  case PTX_UNIT_FRCP:
  case PTX_UNIT_DRCP:
  case PTX_UNIT_TENSOR:
  case PTX_UNIT_TENSOR_HALF:
  case PTX_UNIT_TENSOR_F64:
    return PIPE_SFU;
  default:
    return PIPE_SP;
  }
}

/* The pipeline of an instruction where an assembler spreads work: integer additions over the integer pipeline and, as multiplications by one,
 * the f32 pipeline; operations on pairs of f16 over the f32 and the matrix pipeline. `before`: that of the instruction before. */
static enum sm_pipe split_pipe(unsigned unit, enum sm_pipe before) {
  switch (unit) {
  case PTX_UNIT_INT:
    return before == PIPE_INT ? PIPE_SP : PIPE_INT;
  case PTX_UNIT_FP16X2:
    return before == PIPE_SP ? PIPE_TENSOR : PIPE_SP;
  case PTX_UNIT_LOGIC:
  case PTX_UNIT_SETP:
  case PTX_UNIT_GUARD:
  case PTX_UNIT_IMAX:
  case PTX_UNIT_FMAX:
  case PTX_UNIT_ICVT:
  case PTX_UNIT_I2F:
  case PTX_UNIT_HCVT:
  case PTX_UNIT_VOTE:
    return PIPE_INT;
  case PTX_UNIT_CVT:
  case PTX_UNIT_BITS:
    return PIPE_SFU;
  case PTX_UNIT_FP64:
  case PTX_UNIT_DDIV:
  case PTX_UNIT_DROOT:
  case PTX_UNIT_DRCP:
    return PIPE_F64;
  case PTX_UNIT_CTRL:
    return PIPE_CTRL;
  case PTX_UNIT_TENSOR:
  case PTX_UNIT_TENSOR_HALF:
  case PTX_UNIT_TENSOR_F64:
    return PIPE_TENSOR;
  default:
    return shared_pipe(unit);
  }
}

enum sm_pipe sm_pipe_of(const struct warp_inst *in, enum sm_pipes pipes, enum sm_pipe before) {
  switch (in->klass) {
  case SLUICE_LOAD:
  case SLUICE_STORE:
  case SLUICE_ATOMIC:
  case SLUICE_RED:
  case SLUICE_COPY:
  case SLUICE_PREFETCH:
    return PIPE_MEM;
  case SLUICE_BARRIER:
  case SLUICE_FENCE:
    return PIPE_NONE;
  default:
    return pipes != PIPES_SHARED ? split_pipe(in->unit, before) : shared_pipe(in->unit);
  }
}

/* warp_settle() for a warp that has just issued, and whose next instruction is known. */
SPECIALIZED void settle_issued(struct sm *s, uint32_t w, struct sm_warp *k, bool fast) {
  leave_can(s, w, fast);
  want_pipe(s, w, k, fast);
  uint64_t t = operands_at(k, s->now + 1);
  if (!fast && (s->ready[w] > s->now || s->k->scheduler == SM_TWO_LEVEL))
    set_ready(s, w, t); /* the warp's second instruction of this cycle: the warp is in another set already */
  else
    put_ready(s, w, t, fast);
}

/* Assigns an instruction to a free unit of a pipeline. */
static void take_unit(struct sm *s, enum sm_pipe p, uint32_t cycles) {
  uint64_t *until = s->pipe_free[p], least = NEVER;
  bool taken = false;
  for (uint32_t i = 0; i < s->short_units[p]; i++) /* units taken for this cycle */
    until[i] = s->now + 1;
  s->short_units[p] = 0;
  for (uint32_t i = 0; i < s->pipe_units[p]; i++) {
    if (!taken && until[i] <= s->now)
      until[i] = s->now + cycles, taken = true;
    least = until[i] < least ? until[i] : least;
    s->long_until[p] = until[i] > s->long_until[p] ? until[i] : s->long_until[p];
  }
  s->pipe_at[p] = least;
  if (taken && cycles > 1)
    stall_pipe_taken(s, p);
}

/* Fast path: an instruction that takes a unit for one cycle, with no unit busy longer, is only counted. */
static inline void take_pipe(struct sm *s, enum sm_pipe p, uint32_t cycles) {
  if (cycles != 1 || s->long_until[p] > s->now) {
    take_unit(s, p, cycles);
    return;
  }
  if (s->short_units[p] < s->pipe_units[p] && ++s->short_units[p] == s->pipe_units[p])
    s->pipe_at[p] = s->now + 1;
}

/* Assigns an instruction behind operand collectors. Returns the cycle of its result. */
SPECIALIZED uint64_t take_collected(struct sm *s, enum sm_pipe p, uint32_t width, uint32_t w,
                                    const struct warp_inst *in) {
  uint64_t now = s->now, open;
  uint64_t done =
      collect_issue(&s->collect, s->k, p, width, w, in, now, &open) + s->k->stages - COLLECT_FRONT;
  collect_write(&s->collect, w, in, done, now);
  s->pipe_at[p] = open;
  if (open > now + 1)
    stall_pipe_taken(s, p);
  return done;
}

/* take_collected() for the usual pipelines with the usual number of units: both are constants once inlined. */
HOT static __attribute__((noinline)) uint64_t take_pair(struct sm *s, uint32_t w,
                                                        const struct warp_inst *in) {
  return take_collected(s, PIPE_SP, 2, w, in);
}
static __attribute__((noinline)) uint64_t take_any(struct sm *s, enum sm_pipe p, uint32_t w,
                                                   const struct warp_inst *in) {
  return take_collected(s, p, p == PIPE_SP ? s->k->sp_units : s->k->sfu_units, w, in);
}
static inline uint64_t take_collector(struct sm *s, enum sm_pipe p, uint32_t w, const struct warp_inst *in) {
  return p == PIPE_SP && s->k->sp_units == 2 ? take_pair(s, w, in) : take_any(s, p, w, in);
}

SPECIALIZED uint64_t take_arithmetic(struct sm *s, enum sm_pipe p, uint32_t w, const struct warp_inst *in,
                                     bool slots) {
  if (slots && s->k->pipes == PIPES_OWN) {
    s->unit_at[w % s->k->schedulers][p] = s->now + s->k->unit[in->unit].interval;
    return s->now + s->k->unit[in->unit].latency + s->k->stages + in->crosses;
  }
  if (s->k->collectors)
    return take_collector(s, p, w, in);
  take_pipe(s, p, s->k->unit[in->unit].interval);
  return s->now + s->k->unit[in->unit].latency + s->k->stages;
}

bool warp_step(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  k->next++, k->pc++;
  if (k->next == k->end)
    return warp_fetch(s, w);
  if (!k->fetched)
    fetch_refill(s, w);
  return true;
}

void warp_arrives(struct sm *s, uint32_t w, uint32_t item) {
  const struct sm_warp *k = &s->warp[w];
  barrier_arrive(s, w, item);
  set_ready(s, w, NEVER);
  if (!k->at_barrier || s->k->fetch_ahead) {
    if (warp_step(s, w))
      warp_settle(s, w);
    else
      warp_end(s, w);
  }
  barrier_release(s, k->cta);
}

/* Issues a store that no lane executes, or the load of a constant that is an operand in machine code. False: any other instruction. */
static inline bool issue_apart(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t mask) {
  struct sm_warp *k = &s->warp[w];
  if (in->operand && mask)
    k->item += supply_items(k->item, in, mask, s->launch->wide);
  if (in->klass != SLUICE_STORE || mask || !s->k->empty_interval)
    return false;
  ldst_accept_empty(s, w, in);
  return true;
}

/* A fence of the GPU, or an atomic that one lane does for all, which counts lanes. Returns the cycles until the warp's next instruction, beside in->holds. */
static __attribute__((noinline)) uint32_t aside_issue(struct sm *s, uint32_t w, const struct warp_inst *in,
                                                      uint64_t waited) {
  if (in->klass == SLUICE_FENCE)
    return fence_issue(s, w, waited);
  uint64_t *free = &s->unit_at[w % s->k->schedulers][PIPE_SFU], begins = *free > s->now ? *free : s->now;
  *free = begins + (uint64_t)s->k->joined_sfu * s->k->unit[PTX_UNIT_SFU].interval;
  return (uint32_t)(begins - s->now);
}

/* Issues the next instruction of a warp. `slots`: machine code may have several instructions for it, or none. */
SPECIALIZED void issue_warp(struct sm *s, uint32_t w, bool fast, bool slots) {
  struct sm_warp *k = &s->warp[w];
  const struct warp_inst *in = k->next;
  uint64_t mask = k->mask;
  const uint64_t waited = s->now - k->since;
  unsigned lanes = k->lanes;
  if (in->flags & SLUICE_IF_GUARD && in->klass != SLUICE_BRANCH) {
    mask = *k->item++;
    if (s->launch->wide)
      mask |= (uint64_t)*k->item++ << 32;
    lanes = count_bits(mask);
  }
  if (k->since <= s->now) { /* the first instruction of the warp in this cycle */
    if (!fast && s->waits && k->since < s->now)
      stall_note(s, w, s->now);
    if (k->since < s->now)
      stall_wait(s, w, s->now);
    k->since = s->now + 1;
    s->stats.stall[STALL_ISSUED]++;
  }
  k->released = false;
  s->stats.issued++;
  if (!fast && s->l1.gate.ops && s->l1.gate.ops->issued) {
    s->l1.gate.ops->issued(s->l1.gate.self, w, s->now);
    s->l1.calls.issued++;
    s->gate_stale = true;
  }
  k->fetched--;
  enum sm_pipe p = (enum sm_pipe)k->pipe;
  s->stats.thread_issued += lanes;
  s->work[in->work].warps++;
  s->work[in->work].lanes += lanes;
  s->stats.operations += !fast && (p == PIPE_SCALAR || p == PIPE_BRANCH || p == PIPE_SMEM) ? 1 : lanes;
  if (in->flags & SLUICE_IF_BARRIER) {
    if (s->k->collectors)
      take_collector(s, PIPE_SP, w, in);
    uint32_t item = *k->item++;
    struct scalar_op op = {
        .at = s->now + s->k->scalar_complete, .warp = w, .item = item, .kind = SCALAR_BARRIER};
    if (!fast && s->k->scalar_in_order && scalar_order_enter(s, &op) == NEVER) {
      k->fetch_ready = NEVER; /* the warp waits for the scalar unit */
      set_ready(s, w, NEVER);
    } else {
      warp_arrives(s, w, item);
    }
    return;
  }
  if (p == PIPE_MEM && in->flags & SLUICE_IF_ADDRESS && mask) {
    s->hold = 0;
    k->item = ldst_accept(s, w, in, mask, k->item);
  } else if (p == PIPE_MEM && in->klass == SLUICE_OTHER && mask) {
    ldst_accept_param(s, w, in);
  } else if (!fast && s->k->model == SM_GCN) {
    k->item = gcn_execute(s, w, in, mask, k->item);
  } else if (slots && issue_apart(s, w, in, mask)) {
    /* done */
  } else if (p != PIPE_NONE) {
    uint64_t done = take_arithmetic(s, p == PIPE_MEM ? PIPE_SP : p, w, in, slots);
    for (unsigned i = 0; i < in->ndst; i++)
      warp_reg_set(k, in->reg[i], done, STALL_SCOREBOARD);
  }
  uint64_t before = k->mask, pc = k->pc;
  if (warp_step(s, w)) {
    bool branches = !fast && s->k->model == SM_GCN ? p == PIPE_BRANCH : in->unit == PTX_UNIT_CTRL;
    uint32_t cycles = branches ? s->k->unit[in->unit].latency : 0;
    if (s->k->paths_cost && (branches || in->holds || in->aside || k->mask != before))
      cycles = control_cycles(s, w, in, before, pc) + (in->aside ? aside_issue(s, w, in, waited) : 0);
    if (slots && in->distance > cycles)
      cycles = in->distance;
    if (cycles && k->fetch_ready < s->now + cycles)
      k->fetch_ready = s->now + cycles; /* the target is not known before */
    if (!fast && k->fetch_ready < s->hold)
      k->fetch_ready = s->hold;
    settle_issued(s, w, k, fast);
  } else {
    warp_end(s, w);
  }
}

void sm_issue_warp(struct sm *s, uint32_t w) {
  issue_warp(s, w, false, s->k->slots);
}

/* Asks the warp gate again when its answer may have changed. */
void sm_ask_gate(struct sm *s) {
  if (!s->gate_stale && s->now < s->gate_next)
    return;
  for (uint32_t i = 0; i < s->words; i++)
    s->gate_any[i] = s->gate_load[i] = UINT64_MAX;
  s->gate_next = s->l1.gate.ops->allow(s->l1.gate.self, s->now, s->gate_any, s->gate_load);
  s->gate_stale = false;
}

/* Removes warps that the gate holds back. */
static inline void hold_back(const struct sm *s, uint32_t words, uint64_t *set) {
  for (uint32_t i = 0; i < words; i++)
    set[i] &= s->gate_any[i] & ~(s->loads[i] & ~s->gate_load[i]);
}

void sm_hold_back(const struct sm *s, uint64_t *set) {
  hold_back(s, s->words, set);
}

/* The set of warps whose pipeline is busy. */
static inline uint64_t lack_pipe(const struct sm *s, uint32_t word) {
  uint64_t set = 0;
  for (int p = 0; p < PIPE_NONE; p++) /* without branches, which would be unpredictable */
    set |= s->uses[word][p] & (0 - (uint64_t)(s->pipe_at[p] > s->now));
  if (s->npipes > PIPE_INT)
    for (int p = PIPE_INT; p < SIMT_PIPES; p++)
      set |= s->uses[word][p] & (0 - (uint64_t)(s->pipe_at[p] > s->now));
  return set;
}

/* The set of warps whose unit of scheduler k is taken, where each scheduler has units of its own. */
static inline uint64_t lack_unit(const struct sm *s, uint32_t word, uint32_t k) {
  uint64_t set = s->uses[word][PIPE_MEM] & (0 - (uint64_t)(s->pipe_at[PIPE_MEM] > s->now));
  for (int p = 0; p < SIMT_PIPES; p++)
    set |= s->uses[word][p] & (0 - (uint64_t)(s->unit_at[k][p] > s->now));
  return set;
}

/* Finds the warps of a scheduler that could issue now. False: none; *ready: a warp lacks only a pipeline. */
SPECIALIZED bool choices(struct sm *s, bool fast, bool slots, const struct sched *c, uint64_t *open,
                         bool *ready) {
  uint32_t words = fast ? 1 : s->words;
  uint64_t any = 0;
  for (uint32_t i = 0; i < words; i++)
    any |= open[i] = s->can[i] & c->may[i];
  *ready = any;
  if (!any)
    return false;
  if (!fast && s->l1.gate.ops)
    hold_back(s, words, open);
  any = 0;
  for (uint32_t i = 0; i < words; i++)
    any |= open[i] &=
        ~(slots && s->k->pipes == PIPES_OWN ? lack_unit(s, i, (uint32_t)(c - s->sched)) : lack_pipe(s, i));
  return any;
}

/* Issues further instructions of a warp in the same cycle, as many as can go together. */
static void issue_more(struct sm *s, uint32_t w) {
  const struct sm_warp *p = &s->warp[w];
  for (uint32_t i = 1; i < s->k->issue_width; i++) {
    if (!p->next || p->at_barrier || operands_at(p, s->now) > s->now ||
        !sm_pipe_open(s, (enum sm_pipe)p->pipe))
      return;
    if (s->l1.gate.ops && s->loads[w / 64] & ~s->gate_load[w / 64] & UINT64_C(1) << w % 64)
      return;
    s->stats.more_issued++;
    sm_issue_warp(s, w);
  }
}

/* Issue slots that a scheduler may owe: further machine instructions of an instruction issue between instructions of other warps. */
enum { SLOTS_OWED = 16 };

/* Warp w of a scheduler takes its issue slots. The load/store unit takes stores of a warp in a row, too: the scheduler of a row comes first
 * until its end. */
static inline void take_slots(struct sm *s, struct sched *c, uint32_t w) {
  const struct warp_inst *in = s->warp[w].next;
  c->busy = (c->busy > s->now ? c->busy : s->now) + in->slots;
  c->fetched += in->slots;
  s->stats.more_slots += in->slots - 1u;
  if (s->k->stores_in_turn) {
    if (s->warp[w].pipe == PIPE_MEM)
      s->turn = c + 1 < s->sched + s->k->schedulers ? (uint32_t)(c - s->sched) + 1 : 0;
  } else if (in->stays && s->k->rotate_schedulers) {
    s->row = c;
  } else if (s->row == c && c->stay == w) {
    s->row = NULL;
  }
  c->stay = in->stays ? w : c->stay == w ? SCHED_NONE : c->stay;
}

/* The scheduler that issues first in this cycle, where that rotates. A row of stores whose next one lacks registers does not go first. */
static inline uint32_t first_of(const struct sm *s, uint32_t n, bool slots) {
  if (slots && s->k->stores_in_turn)
    return s->turn;
  if (slots && s->row && s->row->stay != SCHED_NONE && sched_among(s->can, s->row->stay))
    return (uint32_t)(s->row - s->sched);
  return n & (n - 1) ? (uint32_t)(s->now % n) : (uint32_t)s->now & (n - 1); /* no division, as a rule */
}

/* Simulates one cycle of one scheduler. `slots`: an instruction may take several issue slots. */
SPECIALIZED void schedule(struct sm *s, bool fast, bool slots, struct sched *c) {
  uint64_t open[SCHED_WORDS];
  bool ready;
  if (!choices(s, fast, slots, c, open, &ready)) {
    if (s->active)
      *(!c->members ? &s->stats.idle_cycles : ready ? &s->stats.stall_pipe : &s->stats.stall_scoreboard) += 1;
    return;
  }
  if (slots && c->busy > s->now + SLOTS_OWED) { /* further machine instructions have the slot */
    s->stats.stall_pipe += s->active;
    return;
  }
  uint32_t w = slots && c->stay != SCHED_NONE && sched_among(open, c->stay) ? c->stay : sched_pick(c, open);
  if (slots)
    take_slots(s, c, w);
  issue_warp(s, w, fast, slots);
  if (s->k->issue_width > 1)
    issue_more(s, w);
}

/* Is any warp ready? */
static inline bool any_can(const struct sm *s, uint32_t words) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < words; i++)
    any |= s->can[i];
  return any;
}

/* A cycle in which every warp waits for registers or a barrier. */
static __attribute__((noinline)) uint64_t issue_nothing(struct sm *s) {
  for (uint32_t k = 0; s->active && k < s->k->schedulers; k++)
    *(s->sched[k].members ? &s->stats.stall_scoreboard : &s->stats.idle_cycles) += 1;
  return s->next_ready <= s->now ? s->now + 1 : s->next_ready;
}

/* Removes warps that no scheduler chooses from. */
static void only_chosen_from(const struct sm *s, uint64_t *set) {
  for (uint32_t i = 0; i < s->words; i++) {
    uint64_t may = 0;
    for (uint32_t k = 0; k < s->k->schedulers; k++)
      may |= s->sched[k].may[i];
    set[i] &= may;
  }
}

/* The first cycle in which a unit that a ready warp waits for is free, where each scheduler has units of its own. */
static uint64_t units_open(const struct sm *s, uint32_t words, const uint64_t *ready) {
  uint64_t next = NEVER;
  for (uint32_t k = 0; k < s->k->schedulers; k++)
    for (int p = 0; p < SIMT_PIPES; p++) {
      uint64_t any = 0, at = p == PIPE_MEM ? s->pipe_at[p] : s->unit_at[k][p];
      for (uint32_t i = 0; i < words; i++)
        any |= ready[i] & s->sched[k].may[i] & s->uses[i][p];
      next = any && at < next ? at : next;
    }
  return next;
}

SPECIALIZED uint64_t issue_cycle(struct sm *s, bool fast, bool slots) {
  uint32_t words = fast ? 1 : s->words;
  for (int p = 0; p < PIPE_MEM; p++)
    s->short_units[p] = 0;
  if (s->npipes > PIPE_INT)
    for (int p = PIPE_INT; p < SIMT_PIPES; p++)
      s->short_units[p] = 0;
  ready_look(s, words);
  if (!fast && s->l1.gate.ops)
    sm_ask_gate(s);
  else if (!any_can(s, words))
    return issue_nothing(s);
  uint32_t n = s->k->schedulers, first = s->k->rotate_schedulers ? first_of(s, n, slots) : 0;
  for (uint32_t i = 0, k = first; i < s->k->schedulers; i++) {
    schedule(s, fast, slots, &s->sched[k]);
    k = k + 1 < s->k->schedulers ? k + 1 : 0;
  }
  uint64_t next = s->next_ready, open[SCHED_WORDS];
  if (fast && next <= s->now + 1)
    return s->now + 1;
  for (uint32_t i = 0; i < words; i++)
    open[i] = s->can[i];
  if (!fast && s->k->scheduler == SM_TWO_LEVEL)
    only_chosen_from(s, open);
  if (!fast && s->l1.gate.ops) {
    hold_back(s, words, open);
    next = s->gate_stale ? s->now + 1 : s->gate_next < next ? s->gate_next : next;
  }
  if (slots && s->k->pipes == PIPES_OWN) {
    uint64_t at = units_open(s, words, fast ? s->can : open);
    next = at < next ? at : next;
    return next <= s->now ? s->now + 1 : next;
  }
  for (uint32_t p = 0; p < s->npipes; p++) { /* ready warps wait for the first of their pipelines to open */
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
      any |= fast ? s->uses[i][p] : open[i] & s->uses[i][p];
    uint64_t at = s->pipe_at[p] | (any ? 0 : NEVER);
    next = at < next ? at : next;
  }
  return next <= s->now ? s->now + 1 : next;
}

/* Apart from the fast path, so that the host's cache of instructions has that path in few lines. */
static __attribute__((noinline)) uint64_t issue_generally(struct sm *s) {
  return s->k->model == SM_GCN ? gcn_issue(s) : issue_cycle(s, false, s->k->slots);
}

HOT static __attribute__((noinline)) uint64_t issue_slots(struct sm *s) {
  return issue_cycle(s, true, true);
}

HOT uint64_t sm_issue(struct sm *s) {
  if (s->issue_how == ISSUE_FAST)
    return issue_cycle(s, true, false);
  return s->issue_how == ISSUE_SLOTS ? issue_slots(s) : issue_generally(s);
}
