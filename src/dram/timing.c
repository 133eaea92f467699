#include "dram/timing.h"
#include "base/hot.h"

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* a - b, at least 1 */
static uint32_t after(uint32_t a, uint32_t b) {
  return a > b ? a - b : 1;
}

void timing_build(struct delays *t, const struct dram_device *d, enum dram_ideal ideal) {
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
  if (ideal == DRAM_IDEAL_ORDER)
    t->after[DRAM_WR].group[DRAM_RD] = t->after[DRAM_WR].rank[DRAM_RD] = burst;
}

/* In its group and rank. */
static void share(struct channel *c, uint32_t b, uint32_t command, uint32_t then, uint64_t now) {
  timing_raise(&c->in_group[c->group_of[b]][then], now + c->d.after[command].group[then]);
  timing_raise(&c->in_rank[c->rank_of[b]][then], now + c->d.after[command].rank[then]);
}

void timing_other_ranks(struct channel *c, uint32_t b, uint32_t command, uint64_t now) {
  const struct distances *d = &c->d.after[command];
  for (uint32_t k = 0; k < c->ranks; k++) {
    if (k == c->rank_of[b])
      continue;
    timing_raise(&c->in_rank[k][DRAM_RD], now + d->other[DRAM_RD]);
    timing_raise(&c->in_rank[k][DRAM_WR], now + d->other[DRAM_WR]);
  }
}

void timing_opened(struct channel *c, int type, uint64_t at) {
  const uint32_t command = type == READ ? DRAM_RD : DRAM_WR;
  c->opening_until[type] = DRAM_NEVER;
  for (uint64_t m = c->opening[type]; m; m &= m - 1) {
    uint32_t b = (uint32_t)__builtin_ctzll(m);
    uint64_t next = c->next[b][command];
    if (next <= at)
      c->opening[type] &= ~bank_bit(b);
    else
      c->opening_until[type] = min64(c->opening_until[type], next);
  }
}

HOT void timing_act(struct channel *c, uint32_t b, uint64_t now) {
  struct rank *r = &c->ranks_state[c->rank_of[b]];
  const struct dram_timing *v = &c->device->t;
  for (uint32_t k = 0; k < 4; k++)
    timing_raise(&c->next[b][k], now + c->d.after[DRAM_ACT].bank[k]);
  for (int t = 0; t < 2; t++) {
    c->opening[t] |= bank_bit(b);
    c->opening_until[t] = min64(c->opening_until[t], c->next[b][t == READ ? DRAM_RD : DRAM_WR]);
  }
  share(c, b, DRAM_ACT, DRAM_ACT, now);
  r->acts[r->nacts % 32] = now;
  r->nacts++;
  uint64_t *next = &c->in_rank[c->rank_of[b]][DRAM_ACT];
  if (v->faw && r->nacts >= 4)
    timing_raise(next, r->acts[(r->nacts - 4) % 32] + v->faw);
  if (v->aw32 && r->nacts >= 32)
    timing_raise(next, r->acts[r->nacts % 32] + v->aw32);
}

void timing_precharge(struct channel *c, uint32_t b, uint64_t now) {
  timing_raise(&c->next[b][DRAM_ACT], now + c->d.after[DRAM_PRE].bank[DRAM_ACT]);
  share(c, b, DRAM_PRE, DRAM_PRE, now);
}
