/* Books what a warp waited for until it issued; inlined, since this happens for every instruction. */
#ifndef SLUICE_CORE_STALL_WAIT_H
#define SLUICE_CORE_STALL_WAIT_H

#include "core/sm.h"

/* The cause of the wait for the register that is ready at `cycle`, which is the last register of the warp's next instruction. */
static inline enum stall register_cause(const struct sm_warp *k, uint64_t cycle) {
  const struct warp_inst *in = k->next;
  if (in->orders) /* a barrier waits for accesses in a technique's order */
    return in->klass == SLUICE_FENCE ? STALL_FENCE : STALL_LDST;
  return warp_regs_cause(k, in, cycle);
}

/* Books the cycles from `t` until the next instruction is fetched, at most up to `end`; returns the end of what was booked. */
static inline uint64_t book_fetch(struct sm *s, const struct sm_warp *k, uint64_t t, uint64_t end) {
  uint64_t f = k->fetch_ready < end ? k->fetch_ready : end;
  f = f > t ? f : t;
  s->stats.stall[k->released ? STALL_BARRIER : STALL_FETCH] += f - t;
  return f;
}

/* Books the wait of a warp until `end`; the warp was or will be ready at ready[w]. */
static inline void stall_wait(struct sm *s, uint32_t w, uint64_t end) {
  struct sm_warp *k = &s->warp[w];
  uint64_t t = k->since, ready = s->ready[w] < end ? s->ready[w] : end;
  k->since = end;
  if (t < ready) {
    t = book_fetch(s, k, t, ready);
    if (t < ready)
      s->stats.stall[register_cause(k, s->ready[w])] += ready - t;
    t = ready;
  }
  if (t >= end)
    return;
  unsigned p = k->pipe;
  uint64_t closed = p == PIPE_NONE ? 0 : closed_before(s, p, end) - k->closed_mark;
  if (closed > end - t)
    closed = end - t;
  s->stats.stall[p == PIPE_MEM ? STALL_LDST : STALL_PIPE] += closed;
  s->stats.stall[STALL_SELECT] += end - t - closed;
}

#endif
