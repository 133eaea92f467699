/* The cycle at which each warp can issue, and sets of warps by it: what ready.c and issue.c share.
 *
 *   can ◀── soon: a ring of sets, one for each of the next cycles ◀── late: those beyond
 *
 * A warp whose next instruction waits for an event is in none of them. */
#ifndef SLUICE_SM_READY_H
#define SLUICE_SM_READY_H

#include "gpu/gpu.h"
#include "sm/sm.h"

/* Most SMs are plain (sm.h), which is known where `plain` is a constant: they need not ask for anything else. */
#define EITHER_WAY static inline __attribute__((always_inline))

EITHER_WAY uint32_t word_of(uint32_t w, bool plain) {
  return plain ? 0 : w / 64;
}

/* A warp is no longer among those that can issue. */
EITHER_WAY void leave_can(struct sm *s, uint32_t w, bool plain) {
  uint64_t others = ~(UINT64_C(1) << w % 64);
  s->can[word_of(w, plain)] &= others;
  s->uses[word_of(w, plain)][s->warp[w].pipe] &= others;
}

/* It comes to the set of its new cycle, having left the other. */
EITHER_WAY void put_ready(struct sm *s, uint32_t w, uint64_t cycle, bool plain) {
  s->ready[w] = cycle;
  uint64_t bit = UINT64_C(1) << w % 64;
  if (cycle - s->looked < SM_SOON) {
    s->soon[word_of(w, plain)][cycle % SM_SOON] |= bit;
    s->soon_at |= UINT64_C(1) << cycle % SM_SOON;
  } else if (cycle != NEVER) {
    s->late[word_of(w, plain)] |= bit;
    if (cycle < s->late_least)
      s->late_least = cycle;
  }
  if (cycle < s->next_ready)
    s->next_ready = cycle;
}

/* The cycle, `from` or later, at which the next instruction is there and its registers are ready; it also
 * waits for older writes to them. */
static inline uint64_t operands_at(const struct sm_warp *k, uint64_t from) {
  const struct feed_inst *in = k->next;
  uint64_t t = from > k->fetch_ready ? from : k->fetch_ready;
  for (unsigned i = 0; i < in->nregs; i++)
    if (k->reg_ready[in->reg[i]] > t)
      t = k->reg_ready[in->reg[i]];
  if (in->klass == SLUICE_FENCE && (k->stores || k->loads))
    return NEVER;
  return in->flags & SLUICE_IF_BARRIER && k->queued ? NEVER : t;
}

/* The pipeline of its next instruction, and whether that is a load that the warp gate has a say in. The warp is not among
 * those that can issue. */
EITHER_WAY void want_pipe(struct sm *s, uint32_t w, struct sm_warp *k, bool plain) {
  const struct feed_inst *in = k->next;
  k->pipe = !plain && s->k->model == SM_GCN ? (uint8_t)gcn_pipe_of(s, w, in) : in->pipe;
  if (!plain && s->l1.gate.ops) {
    bool loads = in->klass == SLUICE_LOAD && in->space != SLUICE_SP_SHARED && in->space != SLUICE_SP_CONST &&
                 in->space != SLUICE_SP_PARAM;
    s->loads[w / 64] &= ~(UINT64_C(1) << w % 64);
    s->loads[w / 64] |= (uint64_t)loads << w % 64;
  }
}

/* The cycles of the ring at which warps become ready, as a set: bit 0 is the one after the last look. */
static inline uint64_t cycles_ahead(const struct sm *s) {
  unsigned from = (unsigned)(s->looked + 1) % SM_SOON;
  return from ? s->soon_at >> from | s->soon_at << (SM_SOON - from) : s->soon_at;
}

void ready_look_late(struct sm *s);

/* Moves warps whose cycle has come among those that can issue. */
static inline void ready_look(struct sm *s, uint32_t words) {
  if (s->now < s->next_ready) {
    s->looked = s->now;
    return;
  }
  uint64_t passed = s->now - s->looked, due = cycles_ahead(s), before[SCHED_WORDS] = {0};
  for (uint32_t i = 0; i < words; i++)
    before[i] = s->can[i];
  if (passed < SM_SOON)
    due &= (UINT64_C(1) << passed) - 1;
  for (; due; due &= due - 1) {
    unsigned at = (unsigned)(s->looked + 1 + (uint64_t)__builtin_ctzll(due)) % SM_SOON;
    for (uint32_t i = 0; i < words; i++) {
      s->can[i] |= s->soon[i][at];
      s->soon[i][at] = 0;
    }
    s->soon_at &= ~(UINT64_C(1) << at);
  }
  s->looked = s->now;
  if (s->late_least < s->now + SM_SOON)
    ready_look_late(s);
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t m = s->can[i] & ~before[i]; m; m &= m - 1) {
      uint32_t w = i * 64 + (uint32_t)__builtin_ctzll(m);
      struct sm_warp *k = &s->warp[w];
      k->closed_mark = closed_before(s, k->pipe, s->now);
      s->uses[i][k->pipe] |= m & -m;
    }
  uint64_t ahead = cycles_ahead(s);
  s->next_ready = ahead ? s->now + 1 + (uint64_t)__builtin_ctzll(ahead) : NEVER;
  if (s->late_least < s->next_ready)
    s->next_ready = s->late_least;
}

#endif
