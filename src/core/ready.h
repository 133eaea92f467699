/* The cycle at which each warp can issue, and sets of warps by this cycle: what ready.c and issue.c share.
 *
 *   can ◀── soon: a ring of sets, one for each of the next cycles ◀── late: warps ready in cycles beyond
 *
 * A warp whose next instruction waits for an event is in none of these sets. */
#ifndef SLUICE_CORE_READY_H
#define SLUICE_CORE_READY_H

#include "base/bits.h"
#include "base/least.h"
#include "core/sm.h"

SPECIALIZED uint32_t word_of(uint32_t w, bool fast) {
  return fast ? 0 : w / 64;
}

/* Removes a warp from the set of warps that can issue. */
SPECIALIZED void leave_can(struct sm *s, uint32_t w, bool fast) {
  uint64_t others = ~(UINT64_C(1) << w % 64);
  s->can[word_of(w, fast)] &= others;
  s->uses[word_of(w, fast)][s->warp[w].pipe] &= others;
}

/* Adds a warp to the set of its ready cycle; the warp is in no other set. */
SPECIALIZED void put_ready(struct sm *s, uint32_t w, uint64_t cycle, bool fast) {
  s->ready[w] = cycle;
  uint64_t bit = UINT64_C(1) << w % 64;
  if (cycle - s->looked < SM_SOON) {
    s->soon[word_of(w, fast)][cycle % SM_SOON] |= bit;
    s->soon_at |= UINT64_C(1) << cycle % SM_SOON;
  } else if (cycle != NEVER) {
    s->late[word_of(w, fast)] |= bit;
    if (cycle < s->late_least)
      s->late_least = cycle;
  }
  s->next_ready = cycle < s->next_ready ? cycle : s->next_ready;
}

/* A fence waits for the warp's accesses, a barrier for accesses in a technique's order. */
static inline bool held_by_accesses(const struct sm_warp *k, const struct warp_inst *in) {
  return in->klass == SLUICE_FENCE ? k->stores || k->loads : k->queued;
}

/* The cycle, `from` or later, at which the next instruction is fetched and its registers are ready: sources, and destinations that
 * older instructions still write. */
static inline uint64_t operands_at(const struct sm_warp *k, uint64_t from) {
  const struct warp_inst *in = k->next;
  uint64_t t = warp_regs_at(k, in);
  t = max64(t, max64(from, k->fetch_ready));
  return in->orders && held_by_accesses(k, in) ? NEVER : t;
}

/* Notes the pipeline of the warp's next instruction, and whether the instruction is a load that the warp gate may hold back. The warp
 * is not in `can`. */
SPECIALIZED void want_pipe(struct sm *s, uint32_t w, struct sm_warp *k, bool fast) {
  const struct warp_inst *in = k->next;
  k->pipe = !fast && s->k->model == SM_GCN ? (uint8_t)gcn_pipe_of(s, w, in) : in->pipe;
  if (!fast && s->l1.gate.ops) {
    bool loads = in->klass == SLUICE_LOAD && in->space != SLUICE_SP_SHARED && in->space != SLUICE_SP_CONST &&
                 in->space != SLUICE_SP_PARAM;
    s->loads[w / 64] &= ~(UINT64_C(1) << w % 64);
    s->loads[w / 64] |= (uint64_t)loads << w % 64;
  }
}

/* After the update of this cycle: the cycle at which the next warp is ready. */
static inline void ready_next(struct sm *s) {
  uint64_t ahead = rotate_right(s->soon_at, s->now + 1);
  uint64_t next = ahead ? s->now + 1 + (uint64_t)__builtin_ctzll(ahead) : NEVER;
  s->next_ready = s->late_least < next ? s->late_least : next;
}

/* Warps of `late` that are ready now; warps that the ring reaches now move to the ring. */
uint64_t ready_look_late(struct sm *s, uint32_t word);

/* Takes the warps of a set of cycles from the ring; bit 0 of the set is cycle `from`. */
static inline uint64_t ready_take(uint64_t *ring, uint64_t from, uint64_t cycles) {
  uint64_t taken = 0;
  for (; cycles; cycles &= cycles - 1) {
    uint64_t *set = &ring[(from + (uint64_t)__builtin_ctzll(cycles)) % SM_SOON];
    taken |= *set;
    *set = 0;
  }
  return taken;
}

/* Moves warps that are ready now into `can`. */
static inline void ready_look(struct sm *s, uint32_t words) {
  uint64_t now = s->now, from = s->looked + 1, passed = now - s->looked;
  s->looked = now;
  if (now < s->next_ready)
    return;
  uint64_t due = 1; /* only this cycle, as a rule; else all cycles since the last look */
  if (now == s->next_ready) {
    from = now;
    s->soon_at &= ~(UINT64_C(1) << now % SM_SOON);
  } else {
    due = rotate_right(s->soon_at, from);
    if (passed < SM_SOON)
      due &= (UINT64_C(1) << passed) - 1;
    s->soon_at &= ~rotate_right(due, 0 - from);
  }
  bool late = s->late_least < now + SM_SOON;
  if (late)
    s->late_least = NEVER;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t fresh = ready_take(s->soon[i], from, due);
    if (late)
      fresh |= ready_look_late(s, i);
    s->can[i] |= fresh;
    for (uint64_t m = fresh; m; m &= m - 1) {
      struct sm_warp *k = &s->warp[i * 64 + (uint32_t)__builtin_ctzll(m)];
      k->closed_mark = closed_before(s, k->pipe, now);
      s->uses[i][k->pipe] |= m & -m;
    }
  }
  ready_next(s);
}

#endif
