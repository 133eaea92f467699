/* Candidates compared. The pick of a kind is the one with the least (cycle, key): the first that can go, and
 * among those of one cycle the one the profile prefers. */
#ifndef SLUICE_DRAM_SCHED_PICK_H
#define SLUICE_DRAM_SCHED_PICK_H

#include "dram/timing.h"

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
  uint64_t key = c->column_key[t][b];
  return rank_of(max64(now, timing_earliest(c, t == READ ? DRAM_RD : DRAM_WR, b)),
                 turns ? turn_key(c, b, key) : key);
}

static inline rank_t row_rank(const struct channel *c, uint32_t b, uint64_t now, bool turns) {
  uint64_t key = c->row_key[b];
  return rank_of(max64(max64(now, c->row_at[b]), timing_shared(c, c->row_command[b], b)),
                 turns ? turn_key(c, b, key) : key);
}

static inline struct pick pick_of(rank_t r, uint8_t command) {
  return (struct pick){
      .at = (uint64_t)(r >> 64), .key = (uint64_t)r, .bank = KEY_BANK((uint64_t)r), .command = command};
}

/* The bank may offer something better than the pick; if the pick is the bank's, it must still be offered. */
static inline void pick_compare_columns(struct channel *c, uint32_t b, uint64_t now) {
  struct pick *p = &c->column;
  bool own = p->bank == b && p->at != DRAM_NEVER, offered = false;
  for (int t = 0; t < 2; t++) {
    if (!(c->column_mask[t] >> b & 1))
      continue;
    uint8_t command = t == READ ? DRAM_RD : DRAM_WR;
    rank_t r = column_rank(c, b, t, now, c->round_robin);
    offered |= own && p->command == command && p->key == (uint64_t)r;
    if (r < rank_of(p->at, p->key)) {
      *p = pick_of(r, command);
      return;
    }
  }
  if (own && !offered)
    c->stale |= STALE_COLUMN;
}

static inline void pick_compare_row(struct channel *c, uint32_t b, uint64_t now) {
  struct pick *p = &c->row;
  if (c->row_mask >> b & 1) {
    rank_t r = row_rank(c, b, now, c->round_robin);
    if (r <= rank_of(p->at, p->key)) {
      *p = pick_of(r, c->row_command[b]);
      return;
    }
  }
  if (p->bank == b && p->at != DRAM_NEVER)
    c->stale |= STALE_ROW;
}

#endif
