#include "mem/mem.h"

void stamp_pool_grow(struct stamp_pool *p) {
  struct stamp_block *b = xaligned(sizeof *b);
  b->next = p->block;
  p->block = b;
  for (size_t i = 0; i < STAMPS_AT_ONCE; i++) {
    b->slot[i].stamps.more = &b->more[i];
    b->slot[i].next = i + 1 < STAMPS_AT_ONCE ? &b->slot[i + 1] : p->free;
  }
  p->free = b->slot;
}

void stamp_pool_destroy(struct stamp_pool *p) {
  for (struct stamp_block *b = p->block, *next; b; b = next) {
    next = b->next;
    free(b);
  }
}
