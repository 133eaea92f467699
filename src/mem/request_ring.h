/* A queue of requests of a cache that wait for the network. */
#ifndef SLUICE_MEM_REQUEST_RING_H
#define SLUICE_MEM_REQUEST_RING_H

#include "base/mem.h"
#include "mem/mem.h"
#include <stdbool.h>
#include <stdlib.h>

struct request_ring {
  struct mem_request *request;
  uint32_t head, count, mask, capacity;
};

/* `spare`: requests that may be pushed beyond `capacity` without asking for room. */
static inline void ring_init(struct request_ring *r, uint32_t capacity, uint32_t spare) {
  *r = (struct request_ring){.capacity = capacity};
  while (r->mask + 1 < capacity + spare)
    r->mask = r->mask * 2 + 1;
  r->request = xcalloc(r->mask + 1u, sizeof *r->request);
}

static inline void ring_destroy(struct request_ring *r) {
  free(r->request);
}

static inline bool ring_room(const struct request_ring *r, uint32_t n) {
  return r->count + n <= r->capacity;
}

/* The slot of one more request, which the caller writes. */
static inline struct mem_request *ring_next(struct request_ring *r) {
  return &r->request[(r->head + r->count++) & r->mask];
}

static inline void ring_push(struct request_ring *r, const struct mem_request *m) {
  *ring_next(r) = *m;
}

static inline const struct mem_request *ring_front(const struct request_ring *r) {
  return &r->request[r->head];
}

/* The request pushed last. */
static inline struct mem_request *ring_last(struct request_ring *r) {
  return &r->request[(r->head + r->count - 1) & r->mask];
}
static inline void ring_pop(struct request_ring *r) {
  r->head = (r->head + 1) & r->mask;
  r->count--;
}

#endif
