/* Earliest times. A command moves the earliest time of those that follow it, in its bank, its group, its
 * rank and the other ranks; the distances are a table made from the device. What a candidate must wait for
 * is the latest of the three: its bank's time, its group's and its rank's. */
#ifndef SLUICE_DRAM_TIMING_H
#define SLUICE_DRAM_TIMING_H

#include "dram/channel.h"

void timing_build(struct delays *t, const struct dram_device *d, enum dram_ideal ideal);
void timing_act(struct channel *c, uint32_t b, uint64_t now);
void timing_precharge(struct channel *c, uint32_t b, uint64_t now);
void timing_other_ranks(struct channel *c, uint32_t b, uint32_t command, uint64_t now);

/* The earliest time of a command that its bank can take at `bank_at`. */
static inline uint64_t timing_earliest(const struct channel *c, uint32_t command, uint32_t b,
                                       uint64_t bank_at) {
  return max64(bank_at, max64(c->in_group[c->group_of[b]][command], c->in_rank[c->rank_of[b]][command]));
}

/* Candidates compared. The pick of a kind is the one with the least (cycle, key): the first that can go, and
 * among those of one cycle the one the profile prefers. */

/* Round robin: banks after the last one first; the age decides within a bank. */
static inline uint64_t turn_key(const struct channel *c, uint32_t b, uint64_t key) {
  uint64_t away = b > c->turn ? b - c->turn - 1 : b + c->banks - c->turn - 1;
  return key + (away << 52);
}

/* (cycle, key) as one number, so that the least is found without branches that cannot be foreseen. */
typedef unsigned __int128 rank_t;

/* Of a bank's candidate, whose command the bank can take at `bank_at`. */
static inline rank_t candidate_rank(const struct channel *c, uint32_t b, uint32_t command, uint64_t bank_at,
                                    uint64_t key, uint64_t now, bool turns) {
  uint64_t at = max64(now, timing_earliest(c, command, b, bank_at));
  return (rank_t)at << 64 | (turns ? turn_key(c, b, key) : key);
}

static inline struct pick pick_of(rank_t r, uint8_t command) {
  return (struct pick){
      .at = (uint64_t)(r >> 64), .key = (uint64_t)r, .bank = KEY_BANK((uint64_t)r), .command = command};
}

/* The bank may offer something better than a pick that is not stale; if the pick is the bank's, it must still be offered. */
SPECIALIZED void pick_compare(struct channel *c, uint32_t b, uint64_t now, bool column) {
  struct pick *p = column ? &c->column : &c->row;
  uint32_t kind = column ? STALE_COLUMN : STALE_ROW;
  bool own = p->bank == b && p->at != DRAM_NEVER, offered = false;
  if (c->stale & kind)
    return;
  for (int t = 0; t < (column ? 2 : 1); t++) { /* columns: to read and to write */
    if (!((column ? c->column_mask[t] : c->row_mask) >> b & 1))
      continue;
    uint8_t command = !column ? c->row_command[b] : t == READ ? DRAM_RD : DRAM_WR;
    uint64_t at = column ? c->next[b][command] : c->row_at[b];
    uint64_t key = column ? c->column_key[t][b] : c->row_key[b];
    rank_t r = candidate_rank(c, b, command, at, key, now, c->round_robin),
           best = (rank_t)p->at << 64 | p->key;
    if (r < best || (!column && r == best)) {
      *p = pick_of(r, command);
      return;
    }
    offered |= column && own && p->command == command && p->key == (uint64_t)r;
  }
  if (own && !offered)
    c->stale |= kind;
}

#endif
