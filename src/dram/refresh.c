/* Refresh. One falls due every tREFI for each rank (all-bank) or every tREFI / banks for one bank after
 * another (per-bank). A profile may put off up to `postpone` of them while requests wait. From the moment
 * one starts, its banks take no new commands until the REF has gone. */
#include "dram/timing.h"

/* Of the rank's n-th refresh; ranks are staggered, divisions do not add up. */
static uint64_t time_of(const struct channel *c, uint32_t rank, uint64_t n) {
  uint64_t refi = c->device->t.refi, share = 1;
  if (c->refresh_mode == DRAM_REFRESH_PERBANK)
    share = c->banks / c->ranks;
  return refi * n / share + refi * rank / (share * c->ranks);
}

void refresh_init(struct channel *c) {
  for (uint32_t k = 0; k < c->ranks; k++) {
    struct rank *r = &c->ranks_state[k];
    r->count = 1;
    r->due = c->refresh_mode == DRAM_REFRESH_NONE || !c->device->t.refi ? DRAM_NEVER : time_of(c, k, 1);
    r->next_bank = (uint32_t)__builtin_ctzll(r->banks);
  }
}

uint64_t refresh_timer(const struct channel *c) {
  uint64_t at = DRAM_NEVER;
  for (uint32_t k = 0; k < c->ranks; k++)
    at = min64(at, c->ranks_state[k].due);
  return at;
}

static uint64_t all_banks(const struct channel *c) {
  return c->banks == 64 ? UINT64_MAX : bit64(c->banks) - 1;
}

static void block(struct channel *c) {
  uint64_t mask = 0;
  for (uint32_t k = 0; k < c->ranks; k++) {
    const struct rank *r = &c->ranks_state[k];
    if (r->refreshing)
      mask |= c->p.refresh_after_pinned                 ? all_banks(c)
              : c->refresh_mode == DRAM_REFRESH_PERBANK ? bit64(r->target)
                                                        : r->banks;
  }
  uint64_t changed = mask ^ c->blocked;
  c->blocked = mask;
  for (; changed; changed &= changed - 1)
    bank_offer(c, (uint32_t)__builtin_ctzll(changed));
  schedule_stale(c);
}

static void start(struct channel *c, struct rank *r) {
  bool perbank = c->refresh_mode == DRAM_REFRESH_PERBANK;
  uint64_t banks = perbank ? bit64(r->next_bank) : r->banks;
  uint64_t busy = c->pending[READ] | c->pending[WRITE] | c->waiting_front[READ] | c->waiting_front[WRITE];
  if (r->refreshing || !r->owed)
    return;
  /* The last one that may be put off goes at once: it takes a while until the banks are closed. */
  if (r->owed < c->p.postpone * (perbank ? c->banks / c->ranks : 1) && busy & banks)
    return;
  r->refreshing = true;
  r->target = r->next_bank;
  block(c);
}

void refresh_due(struct channel *c, uint64_t now) {
  for (uint32_t k = 0; k < c->ranks; k++) {
    struct rank *r = &c->ranks_state[k];
    while (r->due <= now) {
      r->owed++;
      c->owed++;
      r->due = time_of(c, k, ++r->count);
    }
    start(c, r);
  }
}

void refresh_retry(struct channel *c, uint32_t b) {
  struct rank *r = &c->ranks_state[c->rank_of[b]];
  if (r->owed && !r->refreshing)
    start(c, r);
}

static void want(struct pick *p, uint64_t at, uint32_t bank, uint8_t command) {
  if (at < p->at) {
    p->at = at;
    p->bank = bank;
    p->command = command;
  }
}

static void find_allbank(struct channel *c, const struct rank *r, uint64_t now) {
  uint64_t pre = now, act = now;
  bool open = false, pinned = false;
  for (uint64_t m = r->banks; m; m &= m - 1) {
    uint32_t b = (uint32_t)__builtin_ctzll(m);
    act = max64(act, c->next[b][DRAM_ACT]);
    pre = max64(pre, c->next[b][DRAM_PRE]); /* also of a bank that is yet to close by itself */
    if (c->bank[b].open_row == NO_ROW)
      continue;
    uint64_t at = max64(now, timing_earliest(c, DRAM_PRE, b, c->next[b][DRAM_PRE]));
    open = true;
    pinned |= c->bank[b].pinned != NONE;
    pre = max64(pre, at);
    if (c->p.refresh_one_by_one)
      want(&c->refresh, at, b, DRAM_PRE);
  }
  uint32_t first = (uint32_t)__builtin_ctzll(r->banks);
  if (!open)
    want(&c->refresh, act, first, DRAM_REF);
  else if (!c->p.refresh_one_by_one && !pinned)
    want(&c->refresh, pre, first, DRAM_PREA);
}

/* One bank after another where the rate allows it; else they overlap, like ACTs. */
static uint32_t perbank_distance(const struct channel *c) {
  const struct dram_timing *t = &c->device->t;
  return (uint64_t)t->rfc_pb * (c->banks / c->ranks) < t->refi ? t->rfc_pb : t->rrd_l;
}

static void find_perbank(struct channel *c, const struct rank *r, uint64_t now) {
  uint32_t b = r->target;
  if (c->bank[b].open_row == NO_ROW) {
    uint64_t at = max64(now, c->next[b][DRAM_ACT]);
    if (r->last_perbank != DRAM_NEVER)
      at = max64(at, r->last_perbank + perbank_distance(c));
    want(&c->refresh, at, b, DRAM_REFPB);
  } else if (c->bank[b].pinned == NONE) {
    want(&c->refresh, max64(now, timing_earliest(c, DRAM_PRE, b, c->next[b][DRAM_PRE])), b, DRAM_PRE);
  }
}

void refresh_find(struct channel *c, uint64_t now) {
  c->refresh = (struct pick){.at = DRAM_NEVER};
  c->refresh.key = KEY(c->p.refresh_after_pinned ? CLASS_LATE_REFRESH : CLASS_REFRESH, 0, 0);
  for (uint32_t k = 0; k < c->ranks; k++) {
    const struct rank *r = &c->ranks_state[k];
    if (!r->refreshing)
      continue;
    if (c->refresh_mode == DRAM_REFRESH_PERBANK)
      find_perbank(c, r, now);
    else
      find_allbank(c, r, now);
  }
}

static void finished(struct channel *c, struct rank *r) {
  uint32_t first = (uint32_t)__builtin_ctzll(r->banks), n = c->banks / c->ranks;
  r->refreshing = false;
  r->owed--;
  c->owed--;
  r->next_bank = first + (r->target - first + 1) % n;
  block(c);
  start(c, r);
}

void refresh_issued(struct channel *c, const struct pick *p, uint64_t now) {
  struct rank *r = &c->ranks_state[c->rank_of[p->bank]];
  if (p->command == DRAM_REF) {
    for (uint64_t m = r->banks; m; m &= m - 1) {
      uint64_t *at = &c->next[__builtin_ctzll(m)][DRAM_ACT];
      *at = max64(*at, now + c->device->t.rfc);
    }
    finished(c, r);
  } else if (p->command == DRAM_REFPB) {
    c->next[p->bank][DRAM_ACT] = max64(c->next[p->bank][DRAM_ACT], now + c->device->t.rfc_pb);
    r->last_perbank = now;
    finished(c, r);
  }
}
