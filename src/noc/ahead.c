/* How far a crossbar runs ahead of the other units, as partitions (l2/ahead.h) and SMs (sm_cycle()) do, so that the host's caches hold its
 * state for several cycles, and that SMs know what comes to them.
 *
 *   others     c ────────────▶ want of a sender     what is sent from then on is at the crossbar in the cycle after it
 *   crossbar   c ■■■■■■■■■■■■■■■■■ fresh
 *
 * What a cycle does is the same as if it were simulated later:
 *
 *   messages   of a sender that is ahead or asleep are in its port, up to `want`. A sender of which nothing is known may send meanwhile, as
 *              long as its input holds more messages than can pass: what comes behind them is looked at when its turn comes.
 *   slots      of all outputs are known, as many as there are cycles. A slot that comes back earlier changes nothing.
 *   counters   are read at serial points, beyond which no unit runs (`horizon` of the engine), and at the end of a launch, before which all
 *              messages have arrived. */
#include "noc/xbar.h"
#include "base/hot.h"

enum { LOOK_AGAIN = 4 /* cycles after a look in vain */ };

void xbar_may_run_ahead(struct xbar *x, struct xbar_sender *from, uint32_t reach) {
  free(x->from);
  x->from = from, x->reach = reach;
}

void xbar_receivers_ahead(struct xbar *x, const uint64_t **until) {
  free(x->until);
  x->until = until;
}

/* The first cycle in which the sender of input i may send what is not in its port: one that has no slot as soon as it gets one. */
static inline uint64_t sends_at(const struct xbar *x, uint32_t i, uint64_t cycle) {
  const struct xbar_sender *s = &x->from[i];
  const struct unit *u = &x->engine->unit[s->unit & UNIT_INDEX];
  const struct port *p = &x->in[i];
  if (p->pushed - p->released >= p->capacity)
    return max64(*s->fresh, cycle);
  return *s->fresh > cycle ? *s->want : min64(u->wake, u->call);
}

/* Cycles for which all outputs are known to have slots. */
static uint64_t slots_known(struct xbar *x) {
  uint64_t least = UINT64_MAX;
  for (uint32_t o = 0; o < x->outputs; o++)
    sooner(&least, port_slots(&x->out[o], x->now));
  return least;
}

HOT uint64_t xbar_ahead_until(struct xbar *x, uint64_t cycle, uint64_t next) {
  if (!x->engine->horizon || next == NEVER || cycle < x->look_at)
    return 0;
  uint64_t last = min64(cycle + x->reach, (x->engine->horizon - 1) / x->period);
  for (uint32_t i = 0; i < x->inputs && last >= next; i++) {
    uint32_t here = x->in[i].pushed - x->in[i].popped; /* at most one goes in a cycle */
    sooner(&last, max64(sends_at(x, i, cycle), cycle + here));
  }
  x->left = last >= next ? slots_known(x) : 0;
  if (x->left)
    return last + 1;
  x->look_at = cycle + LOOK_AGAIN;
  return 0;
}

HOT uint64_t xbar_known(struct xbar *x, uint64_t cycle) {
  if (x->looked == cycle) /* of several SMs in a cycle the first looks */
    return x->known;
  const struct unit *u = &x->engine->unit[x->unit & UNIT_INDEX];
  uint64_t known = x->nasked ? cycle : min64(cycle + x->reach, min64(u->wake, u->call));
  for (uint32_t i = 0; i < x->inputs && known > cycle; i++)
    sooner(&known, sends_at(x, i, cycle));
  x->looked = cycle;
  return x->known = max64(x->fresh, max64(known, cycle));
}
