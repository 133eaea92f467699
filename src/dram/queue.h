/* Requests in a pool, and the lists they stand in. Lists are in order of age.
 *
 * Here, and not in queue.c, is what every request goes through: it is small enough to be inlined. */
#ifndef SLUICE_DRAM_QUEUE_H
#define SLUICE_DRAM_QUEUE_H

#include "dram/channel.h"

/* A free entry names the next one by its distance beyond the one behind it, so that fresh memory is a list already. NONE: empty */
static inline uint32_t pool_take(struct channel *c) {
  uint32_t h = c->free;
  if (h != NONE)
    c->free = h + 1 + c->pool[h].next;
  return h;
}

static inline void pool_give(struct channel *c, uint32_t h) {
  c->pool[h].next = c->free - (h + 1);
  c->free = h;
}

static inline void list_append(struct channel *c, struct list *l, uint32_t h) {
  struct entry *e = &c->pool[h];
  e->prev = l->tail;
  e->next = NONE;
  *(l->tail == NONE ? &l->head : &c->pool[l->tail].next) = h;
  l->tail = h;
  l->n++;
}

static inline void list_remove(struct channel *c, struct list *l, uint32_t h) {
  const struct entry *e = &c->pool[h];
  *(e->prev == NONE ? &l->head : &c->pool[e->prev].next) = e->next;
  *(e->next == NONE ? &l->tail : &c->pool[e->next].prev) = e->prev;
  l->n--;
}

static inline void count_in(struct channel *c, int type, uint64_t now) {
  c->taken.count[type]++;
  c->area[type] -= now;
}

static inline void count_out(struct channel *c, int type, uint64_t now) {
  c->taken.count[type]--;
  c->area[type] += now;
}

static inline void bank_busy(struct channel *c, uint64_t now) {
  c->bank_cycles -= c->busy_banks++ ? 0 : now;
  c->bank_area -= now;
}

static inline void bank_idle(struct channel *c, uint64_t now) {
  c->bank_cycles += --c->busy_banks ? 0 : now;
  c->bank_area += now;
}

/* It is in its bank's list: what follows from that. */
static inline void queue_joined(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t now) {
  struct bank *k = &c->bank[b];
  struct list *l = &k->queue[type];
  if (l->n == 1) {
    c->pending[type] |= k->bit;
    if (!k->queue[!type].n)
      bank_busy(c, now);
  }
  if (c->pool[h].row == k->open_row) {
    if (l->hit == NONE || c->pool[l->hit].seq > c->pool[h].seq)
      l->hit = h;
    l->hits++;
  }
}

/* The youngest of its bank. */
static inline void queue_add(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t now) {
  list_append(c, &c->bank[b].queue[type], h);
  queue_joined(c, b, type, h, now);
}

static inline void queue_remove(struct channel *c, uint32_t b, int type, uint32_t h, uint64_t now) {
  const struct entry *e = &c->pool[h];
  struct list *l = &c->bank[b].queue[type];
  if (e->row == c->bank[b].open_row) {
    l->hits--;
    if (l->hit == h) {
      uint32_t k = l->hits ? e->next : NONE;
      while (k != NONE && c->pool[k].row != e->row)
        k = c->pool[k].next;
      l->hit = k;
    }
  }
  list_remove(c, l, h);
  if (!l->n) {
    c->pending[type] &= ~bank_bit(b);
    if (!c->bank[b].queue[!type].n)
      bank_idle(c, now);
  }
}

/* The request, about to join, changes no offer of its bank: most come behind others that need the same
 * command first, or whose row stays open for them. */
SPECIALIZED bool bank_indifferent(const struct channel *c, uint32_t b, int type, uint32_t row, bool plain) {
  const struct bank *k = &c->bank[b];
  const struct list *r = &k->queue[READ], *w = &k->queue[WRITE];
  if (plain && k->open_row == NO_ROW)
    return r->n || w->n;
  if (!plain && (c->p.page == DRAM_TIMEOUT || c->ordered))
    return false;
  if (!plain && !(c->allow >> type & 1))
    return !c->p.use_opened || k->used || row != k->open_row;
  if (k->open_row == NO_ROW)
    return (c->allow & 1 && r->n) || (c->allow & 2 && w->n);
  if (row == k->open_row)
    return k->queue[type].hits != 0;
  if (c->row_mask & k->bit)
    return true;
  if (plain)
    return r->hits || w->hits;
  return c->p.keep_hits && ((c->allow & 1 && r->hits) || (c->allow & 2 && w->hits));
}

/* When the first in a fifo is done. */
static inline uint64_t fifo_done(const struct channel *c, int which) {
  uint32_t h = c->done[which].head;
  return h == NONE ? DRAM_NEVER : c->pool[h].done;
}

/* Each is filled in the order in which its entries are done. */
static inline void fifo_add(struct channel *c, int which, uint32_t h) {
  struct fifo *f = &c->done[which];
  c->pool[h].next = NONE;
  if (f->head == NONE) {
    f->head = h;
    c->next_done = min64(c->next_done, c->pool[h].done);
  } else {
    c->pool[f->tail].next = h;
  }
  f->tail = h;
}

void pool_init(struct channel *c);
void list_insert(struct channel *c, struct list *l, uint32_t h); /* by age */
void queue_row_opened(struct channel *c, uint32_t b); /* counts the hits of the row that is now open */
void queue_row_closed(struct channel *c, uint32_t b);
uint32_t queue_find(const struct channel *c, uint32_t b, int type, uint32_t row, uint32_t column);

#endif
