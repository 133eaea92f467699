/* Reads or writes; which request may not wait any longer; and, where banks have queues of their own, what
 * moves into them. */
#include "dram/channel.h"

/* The oldest request that may go, over all banks; NONE if nothing waits. */
static uint32_t oldest(const struct channel *c, uint32_t allow) {
  uint32_t found = NONE;
  for (int t = 0; t < 2; t++)
    for (uint64_t m = allow >> t & 1 ? c->pending[t] : 0; m; m &= m - 1) {
      uint32_t h = c->bank[__builtin_ctzll(m)].queue[t].head;
      if (found == NONE || c->pool[h].seq < c->pool[found].seq)
        found = h;
    }
  return found;
}

static void set_first(struct channel *c, uint32_t h) {
  uint32_t old = c->first;
  if (old == h)
    return;
  c->first = h;
  if (old != NONE)
    bank_offer(c, c->pool[old].bank);
  if (h != NONE)
    bank_offer(c, c->pool[h].bank);
  schedule_stale(c);
}

static uint32_t overdue(const struct channel *c, uint64_t now) {
  uint32_t h = oldest(c, 3);
  return h != NONE && (int64_t)(now - c->pool[h].handed) >= (int64_t)c->p.age_limit ? h : NONE;
}

static void set_allow(struct channel *c, uint32_t allow) {
  if (allow == c->allow)
    return;
  c->allow = allow;
  for (uint64_t m = c->pending[READ] | c->pending[WRITE]; m; m &= m - 1)
    bank_offer(c, (uint32_t)__builtin_ctzll(m));
  schedule_stale(c);
}

/* A short lull of reads is not worth two turn-arounds: writes wait a little before they use it. */
static bool lull(struct channel *c, uint32_t reads, uint32_t writes, uint64_t now) {
  if (c->flush && !reads && writes)
    return true;
  if (reads || writes < c->p.write_idle) {
    c->drain_at = DRAM_NEVER;
    return false;
  }
  if (c->drain_at == DRAM_NEVER) {
    c->drain_at = now + c->p.write_wait;
    c->timer = min64(c->timer, c->drain_at);
    c->wake = min64(c->wake, c->timer);
  }
  return now >= c->drain_at;
}

void direction_update(struct channel *c, uint64_t now) {
  if (c->p.bank_queue)
    return;
  uint32_t allow = 3;
  if (c->p.write_queue) {
    uint32_t reads = c->taken.count[READ], writes = c->taken.count[WRITE] - c->parked;
    if (!c->writing)
      c->writing = lull(c, reads, writes, now) || writes >= c->p.write_high;
    else
      c->writing = !(writes <= c->p.write_low && reads != 0);
    if (c->writing)
      c->drain_at = DRAM_NEVER;
    allow = c->writing ? 2 : 1;
  }
  if (c->p.age_limit && c->first != NONE && !c->alone)
    allow = 1u << c->pool[c->first].type;
  set_allow(c, allow);
  if (c->alone && (c->first == NONE || !(c->allow >> c->pool[c->first].type & 1)))
    set_first(c, oldest(c, c->allow));
}

void direction_ages(struct channel *c, uint64_t now) {
  if (now < c->age_check)
    return;
  uint32_t h = oldest(c, 3);
  if (h == NONE) {
    c->age_check = DRAM_NEVER; /* the next push sets it */
    return;
  }
  /* Looked at now and then: a request is noticed at most an eighth of the limit late. */
  uint32_t period = c->p.age_limit / 8 + 1;
  c->age_check = max64(now + period, c->pool[h].handed + c->p.age_limit);
  if (c->first == NONE && !c->alone) {
    set_first(c, overdue(c, now));
    direction_update(c, now);
  }
}

void direction_served(struct channel *c, uint32_t h, uint64_t now) {
  if (c->first == h) {
    c->first = NONE;
    schedule_stale(c);
    if (c->alone)
      set_first(c, oldest(c, c->allow));
    else
      set_first(c, overdue(c, now));
  }
  direction_update(c, now);
}

/* Whether a drain is on, or would start now. */
static bool drains(const struct channel *c) {
  uint32_t writes = c->taken.count[WRITE] - c->parked;
  if (c->draining)
    return true;
  return writes >= c->p.write_high || (writes >= c->p.write_idle && !c->queued) ||
         (c->flush && writes && !c->taken.count[READ]);
}

bool direction_can_move(const struct channel *c) {
  return (c->waiting_front[drains(c)] & c->room) != 0;
}

void direction_move(struct channel *c, uint64_t now) {
  if (!c->draining && drains(c))
    c->draining = c->taken.count[WRITE] - c->parked;
  int type = c->draining ? WRITE : READ;
  uint32_t found = NONE;
  for (uint64_t m = c->waiting_front[type] & c->room; m; m &= m - 1) {
    uint32_t h = c->bank[__builtin_ctzll(m)].front[type].head;
    if (found == NONE || c->pool[h].seq < c->pool[found].seq)
      found = h;
  }
  if (found == NONE)
    return;
  struct entry *e = &c->pool[found];
  uint32_t b = e->bank;
  list_remove(c, &c->bank[b].front[type], found);
  if (!c->bank[b].front[type].n)
    c->waiting_front[type] &= ~bit64(b);
  if (type == WRITE) {
    c->draining--;
    if (!c->p.drain_all && c->taken.count[WRITE] - c->parked <= c->p.write_low + 1)
      c->draining = 0;
  }
  count_taken(c, type, -1, now);
  e->seq = c->seq++;
  bool same = bank_indifferent(c, b, type, e->row, false);
  queue_add(c, b, type, found, now, false);
  c->queued++;
  if (c->bank[b].queue[READ].n + c->bank[b].queue[WRITE].n >= c->p.bank_queue)
    c->room &= ~bit64(b);
  if (!same) {
    bank_offer(c, b);
    schedule_bank(c, b, now + 1);
  }
}
