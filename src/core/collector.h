/* Operand collectors, register banks and result buses, after GPGPU-Sim's register file unit. An instruction's whole way is
 * computed when it issues, from the times of those before it:
 *
 *   issue ─▶ W registers ─▶ N collectors ─▶ W registers ─▶ units ─ latency ─▶ result bus ─▶ register file
 *            taken: W per    read: one per    left: W per   begun: in order,                  written: before
 *            cycle           bank and cycle   cycle         one per unit                      reads of the bank
 *
 * W is the number of units of the pipeline. An instruction that lacks a slot of a result bus waits before the units, and all
 * behind it do. The pipeline takes no instruction while its W first registers are full. */
#ifndef SLUICE_CORE_COLLECTOR_H
#define SLUICE_CORE_COLLECTOR_H

#include "core/config.h"
#include "core/supply.h"
#include "core/slots.h"

enum { COLLECT_AGO = 64, COLLECT_BANKS = 64, COLLECT_FRONT = 4 /* cycles from issue to the unit, at best */ };

/* Of the last instructions of a pipeline, by number: when a collector took them, when they left it and when a unit began. */
struct collect_pipe {
  uint32_t n; /* of the next */
  uint64_t taken[COLLECT_AGO], left[COLLECT_AGO], begun[COLLECT_AGO];
  uint64_t unit[16]; /* cycle at which each unit can begin another */
};

struct collect {
  uint64_t busy[COLLECT_BANKS], at[COLLECT_BANKS]; /* banks: bit i, cycle `at` + i */
  struct slots bus;
  struct collect_pipe pipe[2];
};

static inline uint64_t collect_later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The cycles from `now` on in which a bank is busy. */
static inline uint64_t *collect_bank(struct collect *c, const struct core_config *k, uint32_t w, uint32_t reg,
                                     uint64_t now) {
  uint32_t b = (reg + w) & (k->register_banks - 1);
  uint64_t passed = now - c->at[b];
  c->busy[b] = passed < 64 ? c->busy[b] >> passed : 0;
  c->at[b] = now;
  return &c->busy[b];
}

/* Its operands are read from cycle `from` on; returns the cycle of the last of them, or before `from` if it has none. */
static inline uint64_t collect_read(struct collect *c, const struct core_config *k, uint32_t w,
                                    const struct feed_inst *in, uint64_t from, uint64_t now) {
  uint64_t last = from - 1;
  if (in->klass == SLUICE_BRANCH || in->ndst == in->nregs) /* a guard is no operand */
    return last;
  last = from;
  if (!k->register_banks)
    return last;
  for (unsigned i = in->ndst; i < in->nregs; i++) {
    uint64_t *busy = collect_bank(c, k, w, in->reg[i], now), ahead = from - now;
    if (ahead >= 63)
      continue;
    uint64_t free = ~*busy >> ahead << ahead;
    uint64_t at = free ? (uint64_t)__builtin_ctzll(free) : 63;
    *busy |= UINT64_C(1) << at;
    last = collect_later(last, now + at);
  }
  return last;
}

/* An instruction issues to pipeline `p` of `width` units, with `units` collectors. Returns the cycle at which its unit begins;
 * `open` is the cycle from which the pipeline takes another. */
static inline uint64_t collect_issue(struct collect *c, const struct core_config *k, unsigned p, uint32_t w,
                                     const struct feed_inst *in, uint64_t now, uint64_t *open) {
  struct collect_pipe *q = &c->pipe[p];
  uint32_t width = p ? k->sfu_units : k->sp_units, units = p ? k->collectors_sfu : k->collectors, n = q->n++;
#define AGO(list, i) q->list[(n - (i)) % COLLECT_AGO]
  uint64_t taken = collect_later(now + 1, collect_later(AGO(taken, width) + 1, AGO(left, units)));
  uint64_t read = collect_read(c, k, w, in, taken + 1, now);
  uint64_t left = collect_later(read + 1, collect_later(AGO(left, width) + 1, AGO(begun, width)));
  uint64_t begun = collect_later(left + 1, AGO(begun, 1));
  uint32_t free = 0;
  for (uint32_t u = 1; u < width; u++)
    free = q->unit[u] < q->unit[free] ? u : free;
  begun = collect_later(begun, q->unit[free]);
  uint32_t latency = k->unit[in->unit].latency;
  if (!p && k->result_buses) {
    slots_pass(&c->bus, now);
    begun = slots_take(&c->bus, begun + latency, k->result_buses) - latency;
  }
  q->unit[free] = begun + k->unit[in->unit].interval;
  q->taken[n % COLLECT_AGO] = taken, q->left[n % COLLECT_AGO] = left, q->begun[n % COLLECT_AGO] = begun;
  *open = AGO(taken, width - 1);
#undef AGO
  return begun;
}

/* Its result is written in `cycle`, before what is read from its bank. */
static inline void collect_write(struct collect *c, const struct core_config *k, uint32_t w,
                                 const struct feed_inst *in, uint64_t cycle, uint64_t now) {
  if (k->register_banks && cycle - now < 64)
    for (unsigned i = 0; i < in->ndst; i++)
      *collect_bank(c, k, w, in->reg[i], now) |= UINT64_C(1) << (cycle - now);
}

#endif
