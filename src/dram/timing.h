/* Earliest times. A command moves the earliest time of those that follow it, in its bank, its group, its
 * rank and the other ranks; the distances are a table made from the device. What a candidate must wait for
 * is the latest of the three: its bank's time, its group's and its rank's. */
#ifndef SLUICE_DRAM_TIMING_H
#define SLUICE_DRAM_TIMING_H

#include "dram/channel.h"

void timing_build(struct delays *t, const struct dram_device *d, enum dram_ideal ideal);
void timing_act(struct channel *c, uint32_t b, uint64_t now);
void timing_precharge(struct channel *c, uint32_t b, uint64_t now);
void timing_opened(struct channel *c, int type, uint64_t at);
void timing_other_ranks(struct channel *c, uint32_t b, uint32_t command, uint64_t now);

static inline uint64_t timing_shared(const struct channel *c, uint32_t command, uint32_t b) {
  return max64(c->in_group[c->group_of[b]][command], c->in_rank[c->rank_of[b]][command]);
}

static inline uint64_t timing_earliest(const struct channel *c, uint32_t command, uint32_t b) {
  return max64(c->next[b][command], timing_shared(c, command, b));
}

static inline void timing_raise(uint64_t *at, uint64_t to) {
  *at = max64(*at, to);
}

/* The command went at `now`: nothing that kept it back lies later. A read moves writes by its rank alone. */
static inline void timing_column(struct channel *c, uint32_t b, int type, uint64_t now) {
  uint32_t own = type == READ ? DRAM_RD : DRAM_WR, g = c->group_of[b], k = c->ranks == 1 ? 0 : c->rank_of[b];
  const struct distances *d = &c->d.after[own];
  timing_raise(&c->next[b][DRAM_PRE], now + d->bank[DRAM_PRE]);
  c->in_group[g][own] = now + d->group[own];
  c->in_rank[k][own] = now + d->rank[own];
  c->late_groups[type] |= bank_bit(g);
  if (type == READ) {
    timing_raise(&c->in_rank[k][DRAM_WR], now + d->rank[DRAM_WR]);
  } else {
    timing_raise(&c->in_rank[k][DRAM_RD], now + d->rank[DRAM_RD]);
    timing_raise(&c->in_group[g][DRAM_RD], now + d->group[DRAM_RD]);
    c->late_groups[READ] |= bank_bit(g);
  }
  if (c->ranks > 1)
    timing_other_ranks(c, b, own, now);
}

/* Of the candidates for a column command those that wait for their rank alone, which is ready at `at`. */
static inline uint64_t timing_ready(struct channel *c, int type, uint64_t at) {
  const uint32_t command = type == READ ? DRAM_RD : DRAM_WR;
  if (at >= c->opening_until[type])
    timing_opened(c, type, at);
  uint64_t ready = c->column_mask[type] & ~c->opening[type];
  for (uint64_t m = c->late_groups[type]; m; m &= m - 1) {
    uint32_t g = (uint32_t)__builtin_ctzll(m);
    if (c->in_group[g][command] > at)
      ready &= ~c->group_banks[g];
    else
      c->late_groups[type] &= ~bank_bit(g);
  }
  return ready;
}

#endif
