/* A command goes to the device. */
#include "dram/timing.h"
#include "base/hot.h"
#include "dram/channel.h"

static void report(struct channel *c, enum dram_command command, uint32_t b, uint32_t row, uint32_t column,
                   uint64_t now) {
  uint32_t per_group = c->device->banks;
  const struct dram_issue i = {.cycle = now,
                               .command = command,
                               .channel = c->index,
                               .rank = c->rank_of[b],
                               .group = c->group_of[b] - c->ranks_state[c->rank_of[b]].first_group,
                               .bank = b % per_group,
                               .row = row,
                               .column = column};
  c->log(c->log_ctx, &i);
}

static void row_closed(struct channel *c, uint32_t b, uint64_t now) {
  struct rank *r = &c->ranks_state[c->rank_of[b]];
  c->bank[b].open_row = NO_ROW;
  queue_row_closed(c, b);
  if (!--r->open)
    c->n.open_cycles += now - r->open_since;
}

/* A write that waited for this read joins the queue. */
static void unpark(struct channel *c, uint32_t h, uint64_t now) {
  uint32_t w = c->pool[h].parked;
  uint32_t b = c->pool[w].bank;
  c->parked--;
  if (c->p.bank_queue) {
    list_insert(c, &c->bank[b].front[WRITE], w);
    c->waiting_front[WRITE] |= bit64(b);
  } else {
    queue_add(c, b, WRITE, w, now, true);
    if (c->ordered)
      ordered_arrived(c, w, now);
  }
}

SPECIALIZED void answer_read(struct channel *c, uint32_t h, const struct bank *k, uint64_t done,
                             uint64_t now) {
  struct entry *e = &c->pool[h];
  uint64_t latency = done - e->handed;
  e->done = done;
  e->opening = k->opening;
  e->open = k->open_at;
  e->column_at = now;
  c->n.read_requests++;
  c->n.read_latency += latency;
  c->n.read_latency_max = max64(c->n.read_latency_max, latency);
  c->n.latency[stat_fine_bucket(latency)]++;
  fifo_add(c, READ, h);
}

static void answer_merged(struct channel *c, uint32_t h, const struct bank *k, uint64_t done, uint64_t now) {
  for (; h != NONE; h = c->pool[h].merged)
    answer_read(c, h, k, done, now);
}

/* Data is under way for the request, and for reads that were merged with it. */
SPECIALIZED void finish(struct channel *c, uint32_t b, uint32_t h, uint64_t now, int type) {
  struct entry *e = &c->pool[h];
  uint64_t done = now + (type == READ ? c->d.read_done : c->d.write_done);
  if (type == READ) {
    c->n.finished = done;
    c->n.reads++;
    if (e->parked != NONE)
      unpark(c, h, now);
    answer_read(c, h, &c->bank[b], done, now);
    if (e->merged != NONE)
      answer_merged(c, e->merged, &c->bank[b], done, now);
  } else {
    c->n.finished = max64(c->n.finished, now + 1);
    c->n.writes++;
    c->n.write_requests++;
    e->done = done;
    fifo_add(c, WRITE, h);
  }
  c->n.turnarounds += c->last_type == !type;
  c->last_type = type;
  if (!--c->waiting) {
    c->n.busy_cycles += done - c->busy_from;
    c->busy_until = done;
  }
}

/* Whether the row closes by itself: always, or because nobody else wants it. */
static bool closes(const struct channel *c, uint32_t b) {
  return c->p.page == DRAM_SINGLE ||
         (c->p.page == DRAM_CLOSED && !c->bank[b].queue[READ].hits && !c->bank[b].queue[WRITE].hits);
}

static void auto_precharge(struct channel *c, uint32_t b) {
  uint64_t at = c->next[b][DRAM_PRE];
  c->next[b][DRAM_ACT] = max64(c->next[b][DRAM_ACT], at + c->d.after[DRAM_PRE].bank[DRAM_ACT]);
  row_closed(c, b, at);
  c->n.auto_precharges++;
}

/* After an issue, the pick of the other kind holds unless it concerns the same bank. */
SPECIALIZED void settle(struct channel *c, uint32_t b, uint64_t now, bool column, bool plain) {
  const struct pick *other = column ? &c->row : &c->column;
  c->stale |= column ? STALE_COLUMN : STALE_ROW;
  if (other->bank == b || (!plain && c->round_robin))
    c->stale |= STALE_COLUMN | STALE_ROW;
  if (!plain && c->blocked) /* else no refresh is under way: there is none to find */
    c->stale |= STALE_REFRESH;
  c->turn = b;
  bank_offer(c, b);
  pick_compare(c, b, now + 1, !column);
}

/* What only some profiles have to do once the request is served. */
static void served(struct channel *c, uint32_t b, uint32_t h, int type, uint32_t row, uint32_t at,
                   uint64_t now) {
  bool closing = closes(c, b);
  if (c->log)
    report(c, (type == READ ? DRAM_RD : DRAM_WR) + (closing ? 2 : 0), b, row, at, now);
  if (closing)
    auto_precharge(c, b);
  if (c->directed && !direction_same(c))
    direction_served(c, h, now);
  settle(c, b, now, true, false);
  if (c->owed)
    refresh_retry(c, b);
}

/* The command went at `now`: nothing that kept it back lies later. A read moves writes by its rank alone. */
static inline void timing_column(struct channel *c, uint32_t b, int type, uint64_t now) {
  uint32_t own = type == READ ? DRAM_RD : DRAM_WR, g = c->group_of[b], k = c->ranks == 1 ? 0 : c->rank_of[b];
  const struct distances *d = &c->d.after[own];
  later(&c->next[b][DRAM_PRE], now + d->bank[DRAM_PRE]);
  c->in_group[g][own] = now + d->group[own];
  c->in_rank[k][own] = now + d->rank[own];
  c->late_groups[type] |= bit64(g);
  if (type == READ) {
    later(&c->in_rank[k][DRAM_WR], now + d->rank[DRAM_WR]);
  } else {
    later(&c->in_rank[k][DRAM_RD], now + d->rank[DRAM_RD]);
    later(&c->in_group[g][DRAM_RD], now + d->group[DRAM_RD]);
    c->late_groups[READ] |= bit64(g);
  }
  if (c->ranks > 1)
    timing_other_ranks(c, b, own, now);
}

SPECIALIZED void column(struct channel *c, uint32_t b, uint64_t now, int type, bool plain) {
  struct bank *k = &c->bank[b];
  uint32_t h = c->column_for[type][b], row = k->open_row, at = c->pool[h].column;
  bool alone = c->pool[h].parked == NONE;
  c->n.row_hits += !c->pool[h].touched;
  if (!plain && k->pinned == h) {
    k->pinned = NONE;
  } else {
    queue_remove(c, b, type, h, now);
    if (!plain && c->ordered)
      ordered_served(c, h, now);
    if (!plain && c->p.bank_queue) {
      c->queued--;
      c->room |= k->bit;
    } else {
      count_taken(c, type, -1, now);
    }
  }
  if (!plain) {
    k->used++;
    k->last_use = now;
  }
  timing_column(c, b, type, now);
  finish(c, b, h, now, type);
  if (plain && c->log)
    report(c, type == READ ? DRAM_RD : DRAM_WR, b, row, at, now);
  if (!plain) {
    served(c, b, h, type, row, at, now);
  } else if (alone && k->queue[type].hits) { /* its place is taken by the next hit, nothing else changes */
    bank_offer_column(c, b, k->queue[type].hit, type, CLASS_COLUMN);
    c->stale |= STALE_COLUMN;
  } else {
    settle(c, b, now, true, true);
  }
}

void issue_column(struct channel *c, uint32_t b, int type, uint64_t now) {
  column(c, b, now, type, false);
}

HOT void issue_plain_read(struct channel *c, uint32_t b, uint64_t now) {
  column(c, b, now, READ, true);
}

HOT void issue_plain_write(struct channel *c, uint32_t b, uint64_t now) {
  column(c, b, now, WRITE, true);
}

static void activate(struct channel *c, uint32_t b, uint32_t h, uint64_t now) {
  struct entry *e = &c->pool[h];
  struct rank *r = &c->ranks_state[c->rank_of[b]];
  c->n.activates++;
  if (c->p.pin_activated) {
    queue_remove(c, b, e->type, h, now);
    c->bank[b].pinned = h;
    count_taken(c, e->type, -1, now);
  }
  c->bank[b].open_row = e->row;
  c->bank[b].used = 0;
  c->bank[b].last_use = now;
  if (!(c->precharged & bit64(b)))
    c->bank[b].opening = now;
  c->precharged &= ~bit64(b);
  c->bank[b].open_at = now + c->d.after[DRAM_ACT].bank[DRAM_RD];
  if (!r->open++)
    r->open_since = now;
  for (int t = 0; t < 2; t++) { /* hits of the row that is now open */
    struct list *l = &c->bank[b].queue[t];
    l->hit = NONE;
    l->hits = 0;
    for (uint32_t k = l->head; k != NONE; k = c->pool[k].next)
      if (c->pool[k].row == e->row) {
        if (!l->hits)
          l->hit = k;
        l->hits++;
      }
  }
  timing_act(c, b, now);
  if (c->log)
    report(c, DRAM_ACT, b, e->row, 0, now);
}

static void precharge(struct channel *c, uint32_t b, uint64_t now) {
  c->n.precharges++;
  row_closed(c, b, now);
  timing_precharge(c, b, now);
  if (c->log)
    report(c, DRAM_PRE, b, 0, 0, now);
}

HOT void issue_row(struct channel *c, uint32_t b, uint64_t now) {
  uint32_t h = c->row_for[b];
  bool act = c->row_command[b] == DRAM_ACT;
  if (h != NONE && !c->pool[h].touched) {
    c->pool[h].touched = true;
    ++*(act ? &c->n.row_misses : &c->n.row_conflicts);
  }
  if (act) {
    activate(c, b, h, now);
  } else {
    precharge(c, b, now);
    c->bank[b].opening = now;
    c->precharged |= bit64(b);
  }
  settle(c, b, now, false, false);
  if (c->p.pin_activated)
    direction_update(c, now);
}

void issue_refresh(struct channel *c, const struct pick *p, uint64_t now) {
  struct rank *r = &c->ranks_state[c->rank_of[p->bank]];
  struct pick at = *p;
  if (p->command == DRAM_PRE) {
    precharge(c, p->bank, now);
  } else if (p->command == DRAM_PREA) {
    c->n.precharges++;
    for (uint64_t m = r->banks; m; m &= m - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(m);
      if (c->bank[b].open_row != NO_ROW)
        row_closed(c, b, now);
      timing_precharge(c, b, now);
    }
    if (c->log)
      report(c, DRAM_PREA, p->bank, 0, 0, now);
  } else {
    c->n.refreshes++;
    c->n.bank_refreshes += p->command == DRAM_REFPB;
    if (c->log)
      report(c, p->command, p->bank, 0, 0, now);
    refresh_issued(c, &at, now);
  }
  schedule_stale(c);
}

/* Earliest times (timing.h). */
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

void timing_other_ranks(struct channel *c, uint32_t b, uint32_t command, uint64_t now) {
  const struct distances *d = &c->d.after[command];
  for (uint32_t k = 0; k < c->ranks; k++) {
    if (k == c->rank_of[b])
      continue;
    later(&c->in_rank[k][DRAM_RD], now + d->other[DRAM_RD]);
    later(&c->in_rank[k][DRAM_WR], now + d->other[DRAM_WR]);
  }
}

HOT void timing_act(struct channel *c, uint32_t b, uint64_t now) {
  struct rank *r = &c->ranks_state[c->rank_of[b]];
  const struct dram_timing *v = &c->device->t;
  const struct distances *d = &c->d.after[DRAM_ACT];
  for (uint32_t k = 0; k < 4; k++)
    later(&c->next[b][k], now + d->bank[k]);
  for (int t = 0; t < 2; t++) {
    c->opening[t] |= bit64(b);
    c->opening_until[t] = min64(c->opening_until[t], c->next[b][t == READ ? DRAM_RD : DRAM_WR]);
  }
  uint64_t *next = &c->in_rank[c->rank_of[b]][DRAM_ACT];
  later(&c->in_group[c->group_of[b]][DRAM_ACT], now + d->group[DRAM_ACT]);
  later(next, now + d->rank[DRAM_ACT]);
  r->acts[r->nacts % 32] = now;
  r->nacts++;
  if (v->faw && r->nacts >= 4)
    later(next, r->acts[(r->nacts - 4) % 32] + v->faw);
  if (v->aw32 && r->nacts >= 32)
    later(next, r->acts[r->nacts % 32] + v->aw32);
}

void timing_precharge(struct channel *c, uint32_t b, uint64_t now) {
  const struct distances *d = &c->d.after[DRAM_PRE];
  later(&c->next[b][DRAM_ACT], now + d->bank[DRAM_ACT]);
  later(&c->in_group[c->group_of[b]][DRAM_PRE], now + d->group[DRAM_PRE]);
  later(&c->in_rank[c->rank_of[b]][DRAM_PRE], now + d->rank[DRAM_PRE]);
}
