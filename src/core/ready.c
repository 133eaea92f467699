#include "core/ready.h"
#include "base/hot.h"

/* Removes a warp from the set of its ready cycle. */
static void unset_ready(struct sm *s, uint32_t w) {
  uint64_t old = s->ready[w], bit = UINT64_C(1) << w % 64, *soon = &s->soon[w / 64][old % SM_SOON];
  leave_can(s, w, false);
  s->late[w / 64] &= ~bit;
  if (old == NEVER || !(*soon & bit))
    return;
  *soon &= ~bit;
  uint64_t others = 0;
  for (uint32_t i = 0; i < s->words; i++)
    others |= s->soon[i][old % SM_SOON];
  if (!others)
    s->soon_at &= ~(UINT64_C(1) << old % SM_SOON);
}

/* Sets the cycle at which a warp is ready: never the cycle that is being simulated. */
HOT void set_ready(struct sm *s, uint32_t w, uint64_t cycle) {
  if (s->ready[w] != cycle) {
    issue_changes(s);
    unset_ready(s, w);
    put_ready(s, w, cycle, false);
  }
  if (s->k->scheduler != SM_TWO_LEVEL)
    return;
  struct sched *k = &s->sched[w % s->k->schedulers];
  if (cycle == NEVER)
    sched_stalled(k, w);
  else
    sched_able(k, w);
}

HOT bool warp_woken(struct sm *s, uint32_t w) {
  const struct sm_warp *k = &s->warp[w];
  if (s->ready[w] != NEVER || !k->next || k->at_barrier)
    return false;
  /* with collectors the warp can issue in this cycle already: schedulers choose after the load/store unit's cycle */
  uint64_t t = operands_at(k, s->k->collectors ? s->now : s->now + 1);
  if (t == NEVER)
    return false;
  issue_changes(s);
  put_ready(s, w, t, false);
  if (s->k->scheduler == SM_TWO_LEVEL)
    sched_able(&s->sched[w % s->k->schedulers], w);
  return true;
}

void warp_settle(struct sm *s, uint32_t w) {
  struct sm_warp *k = &s->warp[w];
  if (!k->next || k->at_barrier) {
    set_ready(s, w, NEVER);
    return;
  }
  if (sched_among(s->can, w)) {
    issue_changes(s);
    leave_can(s, w, false);
  }
  want_pipe(s, w, k, false);
  set_ready(s, w, operands_at(k, s->now + 1));
}

uint64_t ready_look_late(struct sm *s, uint32_t word) {
  uint64_t due = 0;
  for (uint64_t m = s->late[word]; m; m &= m - 1) {
    uint64_t t = s->ready[word * 64 + (uint32_t)__builtin_ctzll(m)], bit = m & -m;
    if (t >= s->now + SM_SOON) {
      s->late_least = t < s->late_least ? t : s->late_least;
      continue;
    }
    s->late[word] &= ~bit;
    if (t <= s->now) {
      due |= bit;
    } else {
      s->soon[word][t % SM_SOON] |= bit;
      s->soon_at |= UINT64_C(1) << t % SM_SOON;
    }
  }
  return due;
}

void sm_update_ready(struct sm *s) {
  ready_look(s, s->words);
}
