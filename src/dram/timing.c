/* Earliest times. A command moves the earliest time of those that follow it, in its bank, its group, its
 * rank and the other ranks; the distances are a table made from the device. Group and rank share one
 * array, because a candidate asks for both. */
#include "dram/channel.h"

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* a - b, at least 1 */
static uint32_t after(uint32_t a, uint32_t b) {
  return a > b ? a - b : 1;
}

void timing_build(struct delays *t, const struct dram_device *d) {
  const struct dram_timing *v = &d->t;
  uint32_t burst = d->burst_cycles, same = larger(v->ccd_l, burst), differ = larger(v->ccd_s, burst);
  uint32_t written = v->wl + burst; /* from WR to the end of its data */
  *t = (struct delays){.read_done = v->cl + burst, .write_done = written};
  t->after[DRAM_ACT].bank[DRAM_ACT] = v->rc;
  t->after[DRAM_ACT].bank[DRAM_PRE] = v->ras;
  t->after[DRAM_ACT].bank[DRAM_RD] = v->rcd_rd;
  t->after[DRAM_ACT].bank[DRAM_WR] = v->rcd_wr;
  t->after[DRAM_PRE].bank[DRAM_ACT] = v->rp;
  t->after[DRAM_RD].bank[DRAM_PRE] = v->rtp;
  t->after[DRAM_WR].bank[DRAM_PRE] = written + v->wr;

  t->after[DRAM_ACT].group[DRAM_ACT] = v->rrd_l;
  t->after[DRAM_RD].group[DRAM_RD] = t->after[DRAM_WR].group[DRAM_WR] = same;
  t->after[DRAM_WR].group[DRAM_RD] = written + v->wtr_l;

  t->after[DRAM_ACT].rank[DRAM_ACT] = v->rrd_s;
  t->after[DRAM_RD].rank[DRAM_RD] = t->after[DRAM_WR].rank[DRAM_WR] = differ;
  t->after[DRAM_WR].rank[DRAM_RD] = written + v->wtr_s;
  /* A write's data must not meet a read's, whatever tRTW says. */
  t->after[DRAM_RD].rank[DRAM_WR] = t->after[DRAM_RD].group[DRAM_WR] =
      larger(v->rtw, after(t->read_done, v->wl));
  t->after[DRAM_PRE].rank[DRAM_PRE] = t->after[DRAM_PRE].group[DRAM_PRE] = larger(v->ppd, 1);

  t->after[DRAM_RD].other[DRAM_RD] = t->after[DRAM_WR].other[DRAM_WR] = burst + v->rtrs;
  t->after[DRAM_RD].other[DRAM_WR] = larger(v->rtw, after(t->read_done + v->rtrs, v->wl));
  t->after[DRAM_WR].other[DRAM_RD] = after(written + v->rtrs, v->cl);
}

static inline void raise_to(uint64_t *at, uint64_t to) {
  *at = max64(*at, to);
}

/* Group and rank: everyone in the rank, the own group with its longer distance. */
static inline void share(struct channel *c, uint32_t b, uint32_t command, uint32_t then, uint64_t now) {
  const struct rank *r = &c->ranks_state[c->rank_of[b]];
  uint64_t to = now + c->d.after[command].rank[then], *at = c->shared[then];
  for (uint32_t g = r->first_group; g < r->first_group + r->groups; g++)
    raise_to(&at[g], to);
  raise_to(&at[c->group_of[b]], now + c->d.after[command].group[then]);
}

static void share_others(struct channel *c, uint32_t b, uint32_t command, uint32_t then, uint64_t now) {
  for (uint32_t k = 0; k < c->ranks; k++) {
    const struct rank *r = &c->ranks_state[k];
    for (uint32_t g = r->first_group; k != c->rank_of[b] && g < r->first_group + r->groups; g++)
      raise_to(&c->shared[then][g], now + c->d.after[command].other[then]);
  }
}

void timing_act(struct channel *c, uint32_t b, uint64_t now) {
  struct rank *r = &c->ranks_state[c->rank_of[b]];
  const struct dram_timing *v = &c->device->t;
  for (uint32_t k = 0; k < 4; k++)
    raise_to(&c->next[k][b], now + c->d.after[DRAM_ACT].bank[k]);
  share(c, b, DRAM_ACT, DRAM_ACT, now);
  r->acts[r->nacts % 32] = now;
  r->nacts++;
  if (v->faw || v->aw32) {
    uint64_t to = 0;
    if (v->faw && r->nacts >= 4)
      to = r->acts[(r->nacts - 4) % 32] + v->faw;
    if (v->aw32 && r->nacts >= 32)
      to = max64(to, r->acts[r->nacts % 32] + v->aw32);
    for (uint32_t g = r->first_group; g < r->first_group + r->groups; g++)
      raise_to(&c->shared[DRAM_ACT][g], to);
  }
}

void timing_precharge(struct channel *c, uint32_t b, uint64_t now) {
  raise_to(&c->next[DRAM_ACT][b], now + c->d.after[DRAM_PRE].bank[DRAM_ACT]);
  share(c, b, DRAM_PRE, DRAM_PRE, now);
}

void timing_column(struct channel *c, uint32_t b, int type, uint64_t now) {
  uint32_t command = type == READ ? DRAM_RD : DRAM_WR, own = c->group_of[b];
  const struct rank *r = &c->ranks_state[c->rank_of[b]];
  uint64_t *rd = c->shared[DRAM_RD], *wr = c->shared[DRAM_WR];
  uint64_t to_rd = now + c->d.after[command].rank[DRAM_RD], to_wr = now + c->d.after[command].rank[DRAM_WR];
  raise_to(&c->next[DRAM_PRE][b], now + c->d.after[command].bank[DRAM_PRE]);
  for (uint32_t g = r->first_group, end = g + r->groups; g < end; g++) {
    raise_to(&rd[g], to_rd);
    raise_to(&wr[g], to_wr);
  }
  raise_to(&rd[own], now + c->d.after[command].group[DRAM_RD]);
  raise_to(&wr[own], now + c->d.after[command].group[DRAM_WR]);
  if (c->ranks > 1) {
    share_others(c, b, command, DRAM_RD, now);
    share_others(c, b, command, DRAM_WR, now);
  }
}
