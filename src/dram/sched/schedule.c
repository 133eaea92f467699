/* Which command goes when.
 *
 * For each kind (column, row, refresh) the pick is the candidate with the least (cycle, key): the first
 * that can go, and among those of one cycle the one the profile prefers. It holds until a command of its
 * kind is issued or its bank changes; a new request can only be compared with it. A pick that is ready
 * but loses the command bus is found anew, since by the next cycle others may be ready that come first. */
#include "dram/timing.h"
#include "base/hot.h"

/* The pick among the candidates of a direction. Most can go as soon as their rank can: among these the key alone decides. */
SPECIALIZED struct pick scan_direction(struct channel *c, int t, uint64_t now, bool turns, bool plain) {
  const uint8_t command = t == READ ? DRAM_RD : DRAM_WR;
  const bool one_rank = plain || c->ranks == 1;
  uint64_t at = max64(now, c->in_rank[0][command]), best = UINT64_MAX; /* when the rank can */
  if (one_rank && at >= c->opening_until[t]) {                         /* some rows are open by now */
    c->opening_until[t] = DRAM_NEVER;
    for (uint64_t m = c->opening[t]; m; m &= m - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(m);
      if (c->next[b][command] <= at)
        c->opening[t] &= ~bit64(b);
      else
        sooner(&c->opening_until[t], c->next[b][command]);
    }
  }
  /* candidates that wait for the rank alone */
  uint64_t ready = one_rank ? c->column_mask[t] & ~c->opening[t] : 0;
  for (uint64_t m = one_rank ? c->late_groups[t] : 0; m; m &= m - 1) {
    uint32_t g = (uint32_t)__builtin_ctzll(m);
    if (c->in_group[g][command] > at)
      ready &= ~c->group_banks[g];
    else
      c->late_groups[t] &= ~bit64(g);
  }
  if (!ready) {
    rank_t first = ~(rank_t)0;
    for (uint64_t m = c->column_mask[t]; m; m &= m - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(m);
      rank_t r = candidate_rank(c, b, command, c->next[b][command], c->column_key[t][b], now, turns);
      first = r < first ? r : first;
    }
    return pick_of(first, command);
  }
  for (uint64_t m = ready; m; m &= m - 1) {
    uint32_t b = (uint32_t)__builtin_ctzll(m);
    uint64_t key = turns ? turn_key(c, b, c->column_key[t][b]) : c->column_key[t][b];
    best = key < best ? key : best;
  }
  return (struct pick){.at = at, .key = best, .bank = KEY_BANK(best), .command = command};
}

SPECIALIZED void scan_columns(struct channel *c, uint64_t now, bool turns, bool plain) {
  if (!c->column_mask[WRITE]) {
    c->column = scan_direction(c, READ, now, turns, plain);
    return;
  }
  struct pick r = scan_direction(c, READ, now, turns, plain);
  bool later = (plain || c->ranks == 1) && c->in_rank[0][DRAM_WR] > r.at;
  struct pick w = later ? r : scan_direction(c, WRITE, now, turns, plain);
  c->column = w.at < r.at || (w.at == r.at && w.key < r.key) ? w : r;
}

SPECIALIZED void scan_rows(struct channel *c, uint64_t now, bool turns) {
  rank_t best = ~(rank_t)0;
  for (uint64_t m = c->row_mask; m; m &= m - 1) {
    uint32_t b = (uint32_t)__builtin_ctzll(m);
    rank_t r = candidate_rank(c, b, c->row_command[b], c->row_at[b], c->row_key[b], now, turns);
    best = r < best ? r : best;
  }
  c->row = pick_of(best, c->row_command[KEY_BANK((uint64_t)best)]);
}

static void find_column(struct channel *c, uint64_t now) {
  if (c->round_robin)
    scan_columns(c, now, true, false);
  else
    scan_columns(c, now, false, false);
}

static void find_row(struct channel *c, uint64_t now) {
  if (c->round_robin)
    scan_rows(c, now, true);
  else
    scan_rows(c, now, false);
}

static void find(struct channel *c, uint64_t now, uint32_t which) {
  if (which & STALE_COLUMN)
    find_column(c, now);
  if (which & STALE_ROW)
    find_row(c, now);
  if (which & STALE_REFRESH)
    refresh_find(c, now);
  c->stale &= ~which;
}

void schedule_stale(struct channel *c) {
  c->stale = STALE_ALL;
  c->wake = 0;
}

HOT void schedule_bank(struct channel *c, uint32_t b, uint64_t now) {
  pick_compare(c, b, now, true);
  pick_compare(c, b, now, false);
  c->wake = c->stale & (STALE_COLUMN | STALE_ROW) ? 0 : min64(c->wake, min64(c->column.at, c->row.at));
}

static void issue(struct channel *c, const struct pick *p, uint64_t now) {
  if (p == &c->column)
    issue_column(c, p->bank, p->command == DRAM_WR, now);
  else if (p == &c->row)
    issue_row(c, p->bank, now);
  else
    issue_refresh(c, p, now);
}

static struct pick *first_of(struct channel *c, uint64_t now, bool columns) {
  struct pick *best = NULL, *all[] = {&c->refresh, &c->row, &c->column};
  for (int i = 0; i < (columns ? 3 : 2); i++)
    if (all[i]->at <= now && (!best || all[i]->key < best->key))
      best = all[i];
  return best;
}

/* Ready, but the bus was taken: by the next cycle the order may be another. */
static void drop_losers(struct channel *c, uint64_t now) {
  c->stale |= (c->column.at <= now ? STALE_COLUMN : 0u) | (c->row.at <= now ? STALE_ROW : 0u) |
              (c->refresh.at <= now ? STALE_REFRESH : 0u);
}

SPECIALIZED void one_bus(struct channel *c, uint64_t now, bool plain) {
  bool column = c->column.at <= now, row = c->row.at <= now;
  if (!plain && c->refresh.at <= now) {
    issue(c, first_of(c, now, true), now);
    drop_losers(c, now);
  } else if (column && !(row && c->row.key < c->column.key)) {
    if (!plain)
      issue_column(c, c->column.bank, c->column.command == DRAM_WR, now);
    else if (c->column.command == DRAM_RD)
      issue_plain_read(c, c->column.bank, now);
    else
      issue_plain_write(c, c->column.bank, now);
    c->stale |= row ? STALE_ROW : 0u;
  } else if (row) {
    issue_row(c, c->row.bank, now);
    c->stale |= column ? STALE_COLUMN : 0u;
  }
}

/* One column and one row command. */
static void two_buses(struct channel *c, uint64_t now) {
  if (c->column.at <= now) {
    issue(c, &c->column, now);
    find(c, now, c->stale & (STALE_ROW | STALE_REFRESH));
  }
  struct pick *p = first_of(c, now, false);
  if (p)
    issue(c, p, now);
  drop_losers(c, now);
}

/* The second command is whatever comes next in turn; it goes only if it is of the other kind. */
static void two_buses_in_turn(struct channel *c, uint64_t now) {
  struct pick *p = first_of(c, now, true);
  if (!p)
    return;
  bool column = p == &c->column;
  issue(c, p, now);
  find(c, now, STALE_ALL);
  p = c->refresh.at <= now ? NULL : first_of(c, now, true);
  if (!p) {
    drop_losers(c, now); /* nothing is ready: what was found holds for the next cycle as well */
    return;
  }
  if ((p == &c->column) != column)
    issue(c, p, now);
  else
    c->turn = p->bank;
  schedule_stale(c);
}

void schedule_wake(struct channel *c, uint64_t now) {
  if (c->stale)
    find(c, now, c->stale);
  uint64_t at = min64(min64(c->column.at, c->row.at), min64(c->refresh.at, c->timer));
  if (c->p.bank_queue && direction_can_move(c))
    at = now;
  c->wake = max64(at, now);
}

static void ring(struct channel *c, uint64_t now) {
  refresh_due(c, now);
  direction_ages(c, now);
  direction_update(c, now);
  if (c->ordered)
    ordered_time(c, now);
  c->timer = min64(min64(refresh_timer(c), c->order_at), min64(c->age_check, c->drain_at));
}

static void any_cycle(struct channel *c, uint64_t now) {
  if (now >= c->timer)
    ring(c, now);
  if (c->stale)
    find(c, now, c->stale);
  if (!c->two_buses)
    one_bus(c, now, false);
  else if (c->round_robin)
    two_buses_in_turn(c, now);
  else
    two_buses(c, now);
  if (c->p.bank_queue)
    direction_move(c, now);
  schedule_wake(c, now + 1);
}

HOT void schedule_cycle(struct channel *c, uint64_t now) {
  if (!c->plain) {
    any_cycle(c, now);
    return;
  }
  if (c->stale) /* seldom */
    find(c, now, c->stale);
  if (!c->two_buses)
    one_bus(c, now, true);
  else
    two_buses(c, now);
  if (c->stale & STALE_COLUMN)
    scan_columns(c, now + 1, false, true);
  if (c->stale & STALE_ROW)
    scan_rows(c, now + 1, false);
  c->stale = 0;
  c->wake = max64(min64(c->column.at, c->row.at), now + 1);
}

HOT uint64_t schedule_until_room(struct channel *c, uint64_t from, bool write) {
  while (c->taken.full[write]) {
    uint64_t now = max64(c->wake, from);
    if (now == DRAM_NEVER)
      return now;
    schedule_cycle(c, now);
    from = now + 1;
  }
  return from;
}
