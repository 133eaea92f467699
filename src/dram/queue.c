/* What of the queues is not done for every request. */
#include "dram/queue.h"
#include "base/hot.h"
#include "base/mem.h"

/* Beyond the queues: requests that were issued but not fetched yet, and merged reads. */
enum { POOL_SLACK = 4096 };

_Static_assert(sizeof(struct entry) == 64, "an entry fills a line of the host's cache");

void pool_init(struct channel *c) {
  uint32_t n = c->p.read_queue + c->p.write_queue + c->banks * (c->p.bank_queue + 1) + POOL_SLACK;
  c->pool_entries = n;
  c->pool_memory = xcalloc(n + 1u, sizeof *c->pool);
  c->pool = (struct entry *)(void *)(((uintptr_t)c->pool_memory + sizeof *c->pool - 1) & -sizeof *c->pool);
  c->pool[n - 1].next = NONE - n; /* the others follow each other: all 0 */
  c->free = 0;
  for (int t = 0; t < 2; t++)
    for (uint32_t b = 0; b < MAX_BANKS; b++)
      c->bank[b].queue[t] = c->bank[b].front[t] = (struct list){.head = NONE, .tail = NONE, .hit = NONE};
  for (int k = 0; k < 3; k++)
    c->done[k] = (struct fifo){NONE, NONE};
  c->next_done = DRAM_NEVER;
}

void list_insert(struct channel *c, struct list *l, uint32_t h) {
  struct entry *e = &c->pool[h];
  uint32_t before = l->tail;
  while (before != NONE && c->pool[before].seq > e->seq)
    before = c->pool[before].prev;
  e->prev = before;
  e->next = before == NONE ? l->head : c->pool[before].next;
  *(before == NONE ? &l->head : &c->pool[before].next) = h;
  *(e->next == NONE ? &l->tail : &c->pool[e->next].prev) = h;
  l->n++;
}

HOT void queue_row_opened(struct channel *c, uint32_t b) {
  for (int t = 0; t < 2; t++) {
    struct list *l = &c->bank[b].queue[t];
    l->hit = NONE;
    l->hits = 0;
    for (uint32_t h = l->head; h != NONE; h = c->pool[h].next)
      if (c->pool[h].row == c->bank[b].open_row) {
        if (!l->hits)
          l->hit = h;
        l->hits++;
      }
  }
}

void queue_row_closed(struct channel *c, uint32_t b) {
  for (int t = 0; t < 2; t++) {
    c->bank[b].queue[t].hit = NONE;
    c->bank[b].queue[t].hits = 0;
  }
}

static uint32_t search(const struct channel *c, const struct list *l, uint32_t row, uint32_t column) {
  for (uint32_t h = l->tail; h != NONE; h = c->pool[h].prev)
    if (c->pool[h].row == row && c->pool[h].column == column)
      return h;
  return NONE;
}

uint32_t queue_find(const struct channel *c, uint32_t b, int type, uint32_t row, uint32_t column) {
  uint32_t h = search(c, &c->bank[b].queue[type], row, column);
  if (h == NONE && c->p.bank_queue)
    h = search(c, &c->bank[b].front[type], row, column);
  return h;
}
