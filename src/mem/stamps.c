#include "mem/mem.h"

void stamp_pool_grow(struct stamp_pool *p) {
  struct stamp_block *b = xmalloc(sizeof *b);
  size_t n = sizeof b->slot / sizeof *b->slot;
  b->next = p->block;
  p->block = b;
  for (size_t i = 0; i < n; i++)
    b->slot[i].next = i + 1 < n ? &b->slot[i + 1] : p->free;
  p->free = b->slot;
}

void stamp_pool_destroy(struct stamp_pool *p) {
  for (struct stamp_block *b = p->block, *next; b; b = next) {
    next = b->next;
    free(b);
  }
}
