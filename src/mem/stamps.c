#include "mem/stamps.h"

void path_more(struct path_pool *p) {
  struct path_block *b = xmalloc(sizeof *b);
  size_t n = sizeof b->slot / sizeof *b->slot;
  b->next = p->block;
  p->block = b;
  for (size_t i = 0; i < n; i++)
    b->slot[i].next = i + 1 < n ? &b->slot[i + 1] : p->free;
  p->free = b->slot;
}

void path_destroy(struct path_pool *p) {
  for (struct path_block *b = p->block, *next; b; b = next) {
    next = b->next;
    free(b);
  }
}
