/* Rings: queues in an array of a power of two of slots, which belongs to who keeps the ring.
 *
 *   items[ring_add(&r)] = …      one more, behind all others
 *   items[ring_at(&r, 0)]        the oldest
 *   ring_drop(&r)                the oldest is gone */
#ifndef SLUICE_BASE_RING_H
#define SLUICE_BASE_RING_H

#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct ring {
  uint32_t head, count, mask; /* the oldest; how many; slots - 1 */
};

/* The mask of a ring of at least n slots. */
static inline uint32_t ring_mask(uint32_t n) {
  uint32_t mask = 0;
  while (mask + 1 < n)
    mask = mask * 2 + 1;
  return mask;
}
/* The slot of the i-th oldest. */
static inline uint32_t ring_at(const struct ring *r, uint32_t i) {
  return (r->head + i) & r->mask;
}
static inline uint32_t ring_add(struct ring *r) {
  return (r->head + r->count++) & r->mask;
}
/* The slot behind the oldest, or the first where no other is left: rings that are mostly empty then stay in a few lines of the host's cache
 * instead of going through all of their memory. `count`: before the oldest leaves. */
static inline uint32_t ring_after(uint32_t head, uint32_t count, uint32_t mask) {
  return (head + 1) & mask & (0 - (uint32_t)(count > 1));
}
static inline void ring_drop(struct ring *r) {
  r->head = ring_after(r->head, r->count--, r->mask);
}
static inline bool ring_full(const struct ring *r) {
  return r->count > r->mask;
}
/* Doubles the slots of a full ring whose oldest is at `head`: what came round goes on behind the old end. */
static inline void *ring_double(void *items, size_t size, uint32_t head, uint32_t *mask) {
  size_t old = *mask + (size_t)1;
  char *more = xrealloc(items, 2 * old * size);
  memcpy(more + old * size, more, head * size);
  *mask = (uint32_t)(2 * old - 1);
  return more;
}

#endif
