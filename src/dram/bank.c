/* What a bank offers: for its oldest requests, the command each needs next.
 *
 *   row closed            ACT for the oldest
 *   row open, hits wait   RD or WR for the oldest hit of each direction
 *   row open, others wait PRE for the oldest of them, unless the profile keeps the row for the hits */
#include "dram/channel.h"
#include "base/hot.h"

static inline void offer_row(struct channel *c, uint32_t b, uint32_t h, uint8_t command, uint64_t class) {
  c->row_mask |= c->bank[b].bit;
  c->row_command[b] = command;
  c->row_for[b] = h;
  c->row_at[b] = c->next[b][command];
  c->row_key[b] = KEY(class, c->pool[h].seq, b);
}

static inline void offer_column(struct channel *c, uint32_t b, uint32_t h, uint64_t class) {
  bank_offer_column(c, b, h, c->pool[h].type, class);
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
  uint32_t r = c->allow & 1 ? c->bank[b].queue[READ].head : NONE;
  uint32_t w = c->allow & 2 ? c->bank[b].queue[WRITE].head : NONE;
  if (r == NONE || w == NONE)
    return r == NONE ? w : r;
  return c->pool[r].seq < c->pool[w].seq ? r : w;
}

static uint32_t oldest_conflict(const struct channel *c, uint32_t b) {
  uint32_t found = NONE;
  for (int t = 0; t < 2; t++) {
    const struct list *l = &c->bank[b].queue[t];
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
void bank_offer_timeout(struct channel *c, uint32_t b) {
  if (c->bank[b].queue[READ].hits || c->bank[b].queue[WRITE].hits || c->bank[b].pinned != NONE)
    return;
  c->row_mask |= bank_bit(b);
  c->row_command[b] = DRAM_PRE;
  c->row_for[b] = NONE;
  c->row_at[b] = max64(c->next[b][DRAM_PRE], c->bank[b].last_use + c->p.page_timeout);
  c->row_key[b] = KEY(CLASS_IDLE, 0, b);
}

/* Row hits come first, and the row stays open for them unless the profile says otherwise. */
static inline void offer_open(struct channel *c, uint32_t b) {
  const struct bank *k = &c->bank[b];
  const struct list *r = &k->queue[READ], *w = &k->queue[WRITE];
  bool reads = c->allow & 1 && r->hits, writes = c->allow & 2 && w->hits;
  uint32_t oldest = NONE, loser = NONE;
  bool capped = c->p.row_hit_cap && k->used >= c->p.row_hit_cap && (oldest = bank_oldest(c, b)) != NONE &&
                c->pool[oldest].row != k->open_row;
  if (!(capped && c->p.cap_stops_hits)) {
    if (reads)
      bank_offer_column(c, b, r->hit, READ, CLASS_COLUMN);
    if (writes)
      bank_offer_column(c, b, w->hit, WRITE, CLASS_COLUMN);
  }
  if (k->pinned != NONE) {
    offer_column(c, b, k->pinned, CLASS_FIRST);
    return;
  }
  if (!c->p.keep_hits)
    loser = oldest_conflict(c, b);
  else if ((reads || writes) && !capped)
    return;
  else
    loser = capped ? oldest : bank_oldest(c, b);
  if (c->p.use_opened && !k->used && !reads && !writes) {
    const struct list *l = c->allow & 1 ? w : r; /* opened before the direction changed */
    if (l->hits) {
      offer_column(c, b, l->hit, CLASS_COLUMN);
      return;
    }
  }
  if (loser != NONE)
    offer_row(c, b, loser, DRAM_PRE, c->row_class);
  else if (c->p.page == DRAM_TIMEOUT)
    bank_offer_timeout(c, b);
}

static inline void offer_plain(struct channel *c, uint32_t b) {
  const struct bank *k = &c->bank[b];
  const struct list *r = &k->queue[READ], *w = &k->queue[WRITE];
  bool open = k->open_row != NO_ROW;
  if (open && r->hits | w->hits) {
    if (r->hits)
      bank_offer_column(c, b, r->hit, READ, CLASS_COLUMN);
    if (w->hits)
      bank_offer_column(c, b, w->hit, WRITE, CLASS_COLUMN);
    return;
  }
  uint32_t h = r->head;
  if (w->head != NONE && (h == NONE || c->pool[w->head].seq < c->pool[h].seq))
    h = w->head;
  if (h != NONE)
    offer_row(c, b, h, open ? DRAM_PRE : DRAM_ACT, CLASS_ROW);
}

HOT void bank_offer(struct channel *c, uint32_t b) {
  uint64_t bit = c->bank[b].bit;
  c->row_mask &= ~bit;
  c->column_mask[READ] &= ~bit;
  c->column_mask[WRITE] &= ~bit;
  if (c->plain) {
    offer_plain(c, b);
    return;
  }
  if (c->blocked & bit) {
    if (c->bank[b].pinned != NONE)
      offer_column(c, b, c->bank[b].pinned, CLASS_FIRST);
    return;
  }
  if (c->directed && c->first != NONE && c->pool[c->first].bank == b) {
    offer_first(c, b);
  } else if (c->ordered) {
    ordered_offer(c, b);
  } else if (c->alone) {
    if (c->p.page == DRAM_TIMEOUT && c->bank[b].open_row != NO_ROW)
      bank_offer_timeout(c, b);
  } else if (c->bank[b].open_row == NO_ROW) {
    uint32_t h = bank_oldest(c, b);
    if (h != NONE)
      offer_row(c, b, h, DRAM_ACT, c->row_class);
  } else {
    offer_open(c, b);
  }
}
