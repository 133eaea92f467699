#include "l1/repeat.h"
#include <string.h>

bool repeat_stores(struct l1_repeat *r, uint32_t lines, uint64_t line, const uint64_t *bytes) {
  uint32_t i = 0;
  while (i < r->n && r->at[i].line != line)
    i++;
  struct l1_stored e = i < r->n ? r->at[i] : (struct l1_stored){.line = line};
  bool known = !((bytes[0] & ~e.bytes[0]) | (bytes[1] & ~e.bytes[1]));
  e.bytes[0] |= bytes[0], e.bytes[1] |= bytes[1];
  if (i == r->n && r->n < lines)
    r->n++;
  else if (i == r->n)
    i = r->n - 1;
  memmove(r->at + 1, r->at, i * sizeof *r->at);
  r->at[0] = e;
  return known;
}

bool repeat_joins(struct request_ring *queue, uint32_t lines, uint64_t line, const uint64_t *bytes) {
  for (uint32_t i = 0; i < lines && i < queue->at.count; i++) {
    struct mem_request *r = &queue->request[ring_at(&queue->at, queue->at.count - 1 - i)];
    if (r->line != line)
      continue;
    if (r->kind != MEM_WRITE || r->flags || r->stamps)
      return false;
    r->bytes[0] |= bytes[0], r->bytes[1] |= bytes[1];
    r->sectors = sectors_of_bytes(r->bytes);
    return true;
  }
  return false;
}
