/* Which command goes when.
 *
 * For each kind (column, row, refresh) the pick is the candidate with the least (cycle, key): the first
 * that can go, and among those of one cycle the one the profile prefers. It holds until a command of its
 * kind is issued or its bank changes; a new request can only be compared with it. A pick that is ready
 * but loses the command bus is found anew, since by the next cycle others may be ready that come first. */
#include "dram/channel.h"

/* Round robin: banks after the last one first; the age decides within a bank. */
static inline uint64_t turn_key(const struct channel *c, uint32_t b, uint64_t key) {
  uint64_t away = b > c->turn ? b - c->turn - 1 : b + c->banks - c->turn - 1;
  return key + (away << 52);
}

/* (cycle, key) as one number, so that the least is found without branches that cannot be foreseen. */
typedef unsigned __int128 rank_t;

static inline rank_t rank_of(uint64_t at, uint64_t key) {
  return (rank_t)at << 64 | key;
}

static inline rank_t column_rank(const struct channel *c, uint32_t b, int t, uint64_t now, bool turns) {
  uint32_t command = t == READ ? DRAM_RD : DRAM_WR;
  uint64_t key = c->column_key[t][b];
  return rank_of(max64(max64(now, c->next[command][b]), c->shared[command][c->group_of[b]]),
                 turns ? turn_key(c, b, key) : key);
}

static inline rank_t row_rank(const struct channel *c, uint32_t b, uint64_t now, bool turns) {
  uint64_t key = c->row_key[b];
  return rank_of(max64(max64(now, c->row_at[b]), c->shared[c->row_command[b]][c->group_of[b]]),
                 turns ? turn_key(c, b, key) : key);
}

static inline void take(struct pick *p, rank_t r, uint32_t b, uint8_t command) {
  *p = (struct pick){
      .at = (uint64_t)(r >> 64), .key = (uint64_t)r, .bank = b, .command = command, .valid = true};
}

static inline void scan_columns(struct channel *c, uint64_t now, bool turns) {
  rank_t best = ~(rank_t)0;
  uint32_t at = 0;
  for (int t = 0; t < 2; t++)
    for (uint64_t m = c->column_mask[t]; m; m &= m - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(m);
      rank_t r = column_rank(c, b, t, now, turns);
      at = r < best ? b | (uint32_t)t << 8 : at;
      best = r < best ? r : best;
    }
  take(&c->column, best, at & 0xff, at >> 8 ? DRAM_WR : DRAM_RD);
}

static inline void scan_rows(struct channel *c, uint64_t now, bool turns) {
  rank_t best = ~(rank_t)0;
  uint32_t at = 0;
  for (uint64_t m = c->row_mask; m; m &= m - 1) {
    uint32_t b = (uint32_t)__builtin_ctzll(m);
    rank_t r = row_rank(c, b, now, turns);
    at = r < best ? b : at;
    best = r < best ? r : best;
  }
  take(&c->row, best, at, c->row_command[at]);
}

static void find_rows(struct channel *c, uint64_t now) {
  if (!c->row.valid) {
    if (c->round_robin)
      scan_rows(c, now, true);
    else
      scan_rows(c, now, false);
  }
  if (!c->refresh.valid)
    refresh_find(c, now);
}

static void find(struct channel *c, uint64_t now) {
  if (!c->column.valid) {
    if (c->round_robin)
      scan_columns(c, now, true);
    else
      scan_columns(c, now, false);
  }
  find_rows(c, now);
}

void schedule_stale(struct channel *c) {
  c->column.valid = c->row.valid = c->refresh.valid = false;
  c->wake = 0;
}

/* The bank may offer something better than the pick; if the pick is the bank's, it must still be offered. */
static void compare_columns(struct channel *c, uint32_t b, uint64_t now) {
  struct pick *p = &c->column;
  bool own = p->bank == b && p->at != DRAM_NEVER, offered = false;
  for (int t = 0; t < 2; t++) {
    if (!(c->column_mask[t] >> b & 1))
      continue;
    uint8_t command = t == READ ? DRAM_RD : DRAM_WR;
    rank_t r = column_rank(c, b, t, now, c->round_robin);
    offered |= own && p->command == command && p->key == (uint64_t)r;
    if (r < rank_of(p->at, p->key)) {
      take(p, r, b, command);
      return;
    }
  }
  p->valid = !own || offered;
}

static void compare_row(struct channel *c, uint32_t b, uint64_t now) {
  struct pick *p = &c->row;
  bool own = p->bank == b && p->at != DRAM_NEVER;
  if (c->row_mask >> b & 1) {
    rank_t r = row_rank(c, b, now, c->round_robin);
    if (r <= rank_of(p->at, p->key))
      take(p, r, b, c->row_command[b]);
    else
      p->valid = !own;
  } else {
    p->valid = !own;
  }
}

void schedule_bank(struct channel *c, uint32_t b, uint64_t now) {
  if (c->column.valid)
    compare_columns(c, b, now);
  if (c->row.valid)
    compare_row(c, b, now);
  c->wake = c->column.valid && c->row.valid ? min64(c->wake, min64(c->column.at, c->row.at)) : 0;
}

static bool ready(const struct pick *p, uint64_t now) {
  return p->at <= now;
}

static void issue(struct channel *c, const struct pick *p, uint64_t now) {
  if (p == &c->column)
    issue_column(c, p->bank, p->command == DRAM_RD ? READ : WRITE, now);
  else if (p == &c->row)
    issue_row(c, p->bank, now);
  else
    issue_refresh(c, p, now);
}

static struct pick *first_of(struct channel *c, uint64_t now, bool columns) {
  struct pick *best = NULL, *all[] = {&c->refresh, &c->row, &c->column};
  for (int i = 0; i < (columns ? 3 : 2); i++)
    if (ready(all[i], now) && (!best || all[i]->key < best->key))
      best = all[i];
  return best;
}

/* Ready, but the bus was taken: by the next cycle the order may be another. */
static void drop_losers(struct channel *c, uint64_t now) {
  c->column.valid &= !ready(&c->column, now);
  c->row.valid &= !ready(&c->row, now);
  c->refresh.valid &= !ready(&c->refresh, now);
}

static void one_bus(struct channel *c, uint64_t now) {
  struct pick *p = first_of(c, now, true);
  if (!p)
    return;
  issue(c, p, now);
  drop_losers(c, now);
}

/* One column and one row command. */
static void two_buses(struct channel *c, uint64_t now) {
  if (ready(&c->column, now)) {
    issue(c, &c->column, now);
    find_rows(c, now);
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
  schedule_stale(c);
  find(c, now);
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
  find(c, now);
  uint64_t at = min64(min64(c->column.at, c->row.at), min64(c->refresh.at, c->timer));
  if (c->p.bank_queue && direction_can_move(c))
    at = now;
  c->wake = max64(at, now);
}

void schedule_cycle(struct channel *c, uint64_t now) {
  if (now >= c->timer) {
    refresh_due(c, now);
    direction_ages(c, now);
    direction_update(c, now);
    c->timer = min64(refresh_timer(c), min64(c->age_check, c->drain_at));
  }
  if (c->no_skip)
    schedule_stale(c);
  find(c, now);
  if (!c->two_buses)
    one_bus(c, now);
  else if (c->round_robin)
    two_buses_in_turn(c, now);
  else
    two_buses(c, now);
  if (c->p.bank_queue)
    direction_move(c, now);
  schedule_wake(c, now + 1);
}
