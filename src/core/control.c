/* What control flow costs a warp and its scheduler: branches, lanes that part and meet, returns.
 *
 *   lanes that part go one after the other: ── first way ── BSYNC ─▶ ── the way that waited ── BSYNC ─▶ all lanes
 *
 * The functional simulator chooses which way goes first. A GPU lets the larger part of the lanes go first. */
#include "base/bits.h"
#include "core/control.h"
#include "core/sm.h"

/* The warp goes on elsewhere than behind its last instruction: what the scheduler has fetched from there was in vain. */
static void redirect(struct sm *s, struct sched *c) {
  c->fetch += (uint64_t)c->fetched * s->k->fetch_interval + s->k->redirect_fetch;
  c->fetched = 0;
  if (c->fetch < s->now << CONTROL_FRACTION)
    c->fetch = s->now << CONTROL_FRACTION;
  uint64_t at = c->fetch >> CONTROL_FRACTION;
  c->busy = c->busy < at ? at : c->busy;
}

/* Lanes `all` part, and `first` of them go first here. Cycles more where they had to wait, and have not parted since. */
static uint32_t part(struct sm *s, uint32_t w, uint64_t all, uint64_t first) {
  uint64_t rest = all & ~first, waited = s->waited[w] & all;
  s->waited[w] = (s->waited[w] & ~all) | (count_bits(first) < count_bits(rest) ? first : rest);
  return waited ? s->k->part_again : 0;
}

/* Cycles between an instruction and the next of its warp when the lanes change; `waits`: some of them begin to wait. */
static uint32_t change_lanes(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t before,
                             bool *waits) {
  const struct core_config *k = s->k;
  uint64_t mask = s->warp[w].mask;
  bool branches = in->unit == PTX_UNIT_CTRL, parts = !(mask & ~before), meets = !(before & ~mask);
  uint32_t again = 0;
  if (k->part_again && parts)
    again = part(s, w, before, mask);
  else if (k->part_again && meets)
    s->waited[w] &= ~mask;
  *waits = parts ? branches && in->flags & SLUICE_IF_SKIPS : !meets;
  if (parts && branches)
    return k->unit[PTX_UNIT_CTRL].latency + k->diverge + again + *waits * k->meet;
  return (branches ? k->unit[PTX_UNIT_CTRL].latency : 0) + k->meet;
}

uint32_t control_cycles(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t before, uint64_t pc) {
  const struct core_config *k = s->k;
  const struct sm_warp *p = &s->warp[w];
  struct sched *c = &s->sched[w % k->schedulers];
  bool goes_on = p->pc == pc + 1, returns = in->klass == SLUICE_RETURN && !goes_on;
  if (k->redirect_fetch && (!goes_on || p->mask != before))
    redirect(s, c);
  if (returns && k->pipes == PIPES_OWN)
    s->unit_at[w % k->schedulers][PIPE_CTRL] = s->now + k->return_interval;
  if (p->mask == before)
    return in->holds + (in->unit != PTX_UNIT_CTRL ? 0
                        : goes_on                 ? k->not_taken
                        : returns                 ? k->return_latency
                                                  : k->unit[PTX_UNIT_CTRL].latency);
  bool waits;
  uint32_t cycles = change_lanes(s, w, in, before, &waits);
  if (k->slots) {
    c->busy += waits;
    s->stats.more_slots += waits;
  }
  return cycles;
}
