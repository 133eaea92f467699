/* What a bank offers: for its oldest requests, the command each needs next.
 *
 *   row closed            ACT for the oldest
 *   row open, hits wait   RD or WR for the oldest hit of each direction
 *   row open, others wait PRE for the oldest of them, unless the profile keeps the row for the hits */
#include "dram/channel.h"

static inline void offer_row(struct channel *c, uint32_t b, uint32_t h, uint8_t command, uint64_t class) {
  c->row_mask |= bank_bit(b);
  c->row_command[b] = command;
  c->row_for[b] = h;
  c->row_at[b] = c->next[command][b];
  c->row_key[b] = KEY(class) | c->pool[h].seq;
}

static inline void offer_column(struct channel *c, uint32_t b, uint32_t h, uint64_t class) {
  int type = c->pool[h].type;
  c->column_mask[type] |= bank_bit(b);
  c->column_for[type][b] = h;
  c->column_key[type][b] = KEY(class) | c->pool[h].seq;
}

/* An overdue request: only its own next command, before everyone's. */
static void offer_first(struct channel *c, uint32_t b) {
  uint32_t h = c->first;
  if (c->bank[b].open_row == c->pool[h].row)
    offer_column(c, b, h, CLASS_FIRST);
  else
    offer_row(c, b, h, c->bank[b].open_row == NO_ROW ? DRAM_ACT : DRAM_PRE, CLASS_FIRST);
}

uint32_t bank_oldest(const struct channel *c, uint32_t b) {
  uint32_t r = c->allow & 1 ? c->queue[READ][b].head : NONE;
  uint32_t w = c->allow & 2 ? c->queue[WRITE][b].head : NONE;
  if (r == NONE || w == NONE)
    return r == NONE ? w : r;
  return c->pool[r].seq < c->pool[w].seq ? r : w;
}

static uint32_t oldest_conflict(const struct channel *c, uint32_t b) {
  uint32_t found = NONE;
  for (int t = 0; t < 2; t++) {
    const struct list *l = &c->queue[t][b];
    if (!(c->allow >> t & 1) || l->hits == l->n)
      continue;
    uint32_t h = l->head;
    while (c->pool[h].row == c->bank[b].open_row)
      h = c->pool[h].next;
    if (found == NONE || c->pool[h].seq < c->pool[found].seq)
      found = h;
  }
  return found;
}

/* A row nobody wants any more is closed after a while. */
static void offer_timeout(struct channel *c, uint32_t b) {
  if (c->queue[READ][b].hits || c->queue[WRITE][b].hits || c->bank[b].pinned != NONE)
    return;
  c->row_mask |= bank_bit(b);
  c->row_command[b] = DRAM_PRE;
  c->row_for[b] = NONE;
  c->row_at[b] = max64(c->next[DRAM_PRE][b], c->bank[b].last_use + c->p.page_timeout);
  c->row_key[b] = KEY(CLASS_IDLE) | b;
}

static void offer_open(struct channel *c, uint32_t b) {
  uint64_t row_class = c->p.pick == DRAM_FRFCFS ? CLASS_ROW : CLASS_COLUMN;
  const struct list *r = &c->queue[READ][b], *w = &c->queue[WRITE][b];
  uint32_t hits = (c->allow & 1 ? r->hits : 0) + (c->allow & 2 ? w->hits : 0);
  uint32_t oldest = bank_oldest(c, b);
  bool capped = c->p.row_hit_cap && c->bank[b].used >= c->p.row_hit_cap && oldest != NONE &&
                c->pool[oldest].row != c->bank[b].open_row;
  if (!(capped && c->p.cap_stops_hits)) {
    if (c->allow & 1 && r->hits)
      offer_column(c, b, r->hit, CLASS_COLUMN);
    if (c->allow & 2 && w->hits)
      offer_column(c, b, w->hit, CLASS_COLUMN);
  }
  if (c->bank[b].pinned != NONE) {
    offer_column(c, b, c->bank[b].pinned, CLASS_FIRST);
    return;
  }
  if (c->p.use_opened && !c->bank[b].used && !hits) {
    const struct list *l = c->allow & 1 ? w : r; /* opened before the direction changed */
    if (l->hits) {
      offer_column(c, b, l->hit, CLASS_COLUMN);
      return;
    }
  }
  uint32_t loser = NONE;
  if (!c->p.keep_hits)
    loser = oldest_conflict(c, b);
  else if (!hits || capped)
    loser = oldest;
  if (loser != NONE)
    offer_row(c, b, loser, DRAM_PRE, row_class);
  else if (c->p.page == DRAM_TIMEOUT)
    offer_timeout(c, b);
}

void bank_offer(struct channel *c, uint32_t b) {
  uint64_t bit = bank_bit(b);
  c->row_mask &= ~bit;
  c->column_mask[READ] &= ~bit;
  c->column_mask[WRITE] &= ~bit;
  if (c->blocked & bit) {
    if (c->bank[b].pinned != NONE)
      offer_column(c, b, c->bank[b].pinned, CLASS_FIRST);
    return;
  }
  if (c->first != NONE && c->pool[c->first].bank == b) {
    offer_first(c, b);
  } else if (c->p.pick == DRAM_FCFS) {
    if (c->p.page == DRAM_TIMEOUT && c->bank[b].open_row != NO_ROW)
      offer_timeout(c, b);
  } else if (c->bank[b].open_row == NO_ROW) {
    uint32_t h = bank_oldest(c, b);
    if (h != NONE)
      offer_row(c, b, h, DRAM_ACT, c->p.pick == DRAM_FRFCFS ? CLASS_ROW : CLASS_COLUMN);
  } else {
    offer_open(c, b);
  }
}

/* Most requests join behind others that need the same command first. */
bool bank_indifferent(const struct channel *c, uint32_t h) {
  const struct entry *e = &c->pool[h];
  const struct list *r = &c->queue[READ][e->bank], *w = &c->queue[WRITE][e->bank];
  if (c->p.page == DRAM_TIMEOUT)
    return false;
  if (!(c->allow >> e->type & 1))
    return !c->p.use_opened || c->bank[e->bank].used || e->row != c->bank[e->bank].open_row;
  if (c->bank[e->bank].open_row == NO_ROW)
    return (c->allow & 1 && r->n) || (c->allow & 2 && w->n);
  if (e->row == c->bank[e->bank].open_row)
    return (e->type == READ ? r : w)->hits != 0;
  return (c->row_mask >> e->bank & 1) != 0;
}
