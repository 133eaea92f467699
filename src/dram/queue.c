/* Requests in a pool, and the lists they stand in. Lists are in order of age. */
#include "base/mem.h"
#include "dram/channel.h"

/* Beyond the queues: requests that were issued but not fetched yet, and merged reads. */
enum { POOL_SLACK = 4096 };

void pool_init(struct channel *c) {
  uint32_t n = c->p.read_queue + c->p.write_queue + c->banks * (c->p.bank_queue + 1) + POOL_SLACK;
  c->pool = xcalloc(n, sizeof *c->pool);
  for (uint32_t i = 0; i < n; i++)
    c->pool[i].next = i + 1 < n ? i + 1 : NONE;
  c->free = 0;
  for (int t = 0; t < 2; t++)
    for (uint32_t b = 0; b < MAX_BANKS; b++)
      c->queue[t][b] = c->front[t][b] = (struct list){.head = NONE, .tail = NONE, .hit = NONE};
  for (int k = 0; k < 3; k++)
    c->done[k] = (struct fifo){NONE, NONE};
}

uint32_t pool_take(struct channel *c) {
  uint32_t h = c->free;
  if (h != NONE)
    c->free = c->pool[h].next;
  return h;
}

void pool_give(struct channel *c, uint32_t h) {
  c->pool[h].next = c->free;
  c->free = h;
}

void list_insert(struct channel *c, struct list *l, uint32_t h) {
  struct entry *e = &c->pool[h];
  uint32_t before = l->tail;
  while (before != NONE && c->pool[before].seq > e->seq) /* only for a write that was parked */
    before = c->pool[before].prev;
  e->prev = before;
  e->next = before == NONE ? l->head : c->pool[before].next;
  *(before == NONE ? &l->head : &c->pool[before].next) = h;
  *(e->next == NONE ? &l->tail : &c->pool[e->next].prev) = h;
  l->n++;
}

void list_remove(struct channel *c, struct list *l, uint32_t h) {
  const struct entry *e = &c->pool[h];
  *(e->prev == NONE ? &l->head : &c->pool[e->prev].next) = e->next;
  *(e->next == NONE ? &l->tail : &c->pool[e->next].prev) = e->prev;
  l->n--;
}

void queue_add(struct channel *c, uint32_t h) {
  const struct entry *e = &c->pool[h];
  struct list *l = &c->queue[e->type][e->bank];
  list_insert(c, l, h);
  c->busy_banks += l->n == 1 && !c->queue[!e->type][e->bank].n;
  c->pending[e->type] |= bank_bit(e->bank);
  if (e->row == c->open_row[e->bank]) {
    if (l->hit == NONE || c->pool[l->hit].seq > e->seq)
      l->hit = h;
    l->hits++;
  }
}

void queue_remove(struct channel *c, uint32_t h) {
  const struct entry *e = &c->pool[h];
  struct list *l = &c->queue[e->type][e->bank];
  if (e->row == c->open_row[e->bank]) {
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
    c->pending[e->type] &= ~bank_bit(e->bank);
    c->busy_banks -= !c->queue[!e->type][e->bank].n;
  }
}

void queue_row_opened(struct channel *c, uint32_t b) {
  for (int t = 0; t < 2; t++) {
    struct list *l = &c->queue[t][b];
    l->hit = NONE;
    l->hits = 0;
    for (uint32_t h = l->head; h != NONE; h = c->pool[h].next)
      if (c->pool[h].row == c->open_row[b]) {
        if (!l->hits)
          l->hit = h;
        l->hits++;
      }
  }
}

void queue_row_closed(struct channel *c, uint32_t b) {
  for (int t = 0; t < 2; t++) {
    c->queue[t][b].hit = NONE;
    c->queue[t][b].hits = 0;
  }
}

static uint32_t search(const struct channel *c, const struct list *l, uint32_t row, uint32_t column) {
  for (uint32_t h = l->tail; h != NONE; h = c->pool[h].prev)
    if (c->pool[h].row == row && c->pool[h].column == column)
      return h;
  return NONE;
}

uint32_t queue_find(const struct channel *c, uint32_t b, int type, uint32_t row, uint32_t column) {
  uint32_t h = search(c, &c->queue[type][b], row, column);
  if (h == NONE && c->p.bank_queue)
    h = search(c, &c->front[type][b], row, column);
  return h;
}

void fifo_add(struct channel *c, int which, uint32_t h) {
  struct fifo *f = &c->done[which];
  c->pool[h].next = NONE;
  *(f->head == NONE ? &f->head : &c->pool[f->tail].next) = h;
  f->tail = h;
}
