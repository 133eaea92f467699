/* Barriers of a CTA: arrivals of warps, and their release. */
#include "core/sm.h"

static void gate_barrier(struct sm *s, uint32_t w, bool waits) {
  if (!s->l1.gate.ops)
    return;
  s->l1.gate.ops->barrier(s->l1.gate.self, w, waits, s->now);
  *(waits ? &s->l1.calls.waits : &s->l1.calls.releases) += 1;
  s->gate_stale = true;
}

void barrier_arrive(struct sm *s, uint32_t w, uint32_t item) {
  struct sm_warp *k = &s->warp[w];
  struct sm_cta *c = &s->cta[k->cta];
  uint32_t id = item & 15, kind = item >> 4 & 15, expected = item >> 8;
  c->barrier[id].expected = (expected + s->launch->width - 1) / s->launch->width; /* in warps; 0: all warps */
  c->barrier[id].arrived++;
  s->barrier_free = (s->barrier_free > s->now ? s->barrier_free : s->now) + s->k->barrier_interval;
  if (s->k->barrier_unit)
    s->mem_busy = (s->mem_busy > s->now ? s->mem_busy : s->now) + s->k->barrier_unit;
  k->at_barrier = kind != SLUICE_BAR_ARRIVE;
  if (k->at_barrier)
    gate_barrier(s, w, true);
  k->barrier = (uint8_t)id;
}

void barrier_release(struct sm *s, uint32_t cta) {
  struct sm_cta *c = &s->cta[cta];
  bool costs = s->k->barrier_interval | s->k->barrier_latency;
  uint64_t at = (s->barrier_free > s->now ? s->barrier_free : s->now) + s->k->barrier_latency;
  for (uint32_t id = 0; id < 16; id++) {
    if (!c->barrier[id].arrived)
      continue;
    uint32_t need = c->barrier[id].expected ? c->barrier[id].expected : c->left;
    if (c->barrier[id].arrived < need)
      continue;
    c->barrier[id].arrived = 0;
    for (uint32_t w = 0; w < s->nwarps; w++) {
      struct sm_warp *k = &s->warp[w];
      if (!k->live || k->cta != cta || !k->at_barrier || k->barrier != id)
        continue;
      k->at_barrier = false;
      if (costs && k->fetch_ready < at)
        k->fetch_ready = at, k->released = true;
      stall_barrier(s, w);
      gate_barrier(s, w, false);
      if (s->k->fetch_ahead ? k->next != NULL : warp_step(s, w)) {
        warp_settle(s, w);
      } else {
        warp_end(s, w);
      }
    }
  }
}
