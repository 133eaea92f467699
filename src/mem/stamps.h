/* The times at which a request passed each border. The record belongs to the sender; the message carries the
 * record's address, and the unit that has the message writes its time, so that the record need not travel
 * along. */
#ifndef SLUICE_MEM_STAMPS_H
#define SLUICE_MEM_STAMPS_H

#include "base/mem.h"
#include <stdint.h>
#include <stdlib.h>

enum { MEM_FAILS = 5 };

/* In core cycles since the request was born. A step that did not happen is 0; read in order, each step
 * counts from the latest step before. */
struct mem_stamps {
  uint32_t sent;      /* the request entered the network */
  uint32_t delivered; /* the request arrived at the slice */
  uint32_t due;       /* the request could be looked up, after the fixed delay */
  uint32_t tried;     /* first attempt at the tags: before, the slice served other requests */
  uint32_t looked_up; /* the last sector of the request was looked up */
  uint32_t answered;  /* the answer could enter the response network */
  uint32_t
      failed[MEM_FAILS]; /* not a time: core cycles lost to reservation fails, by cause (enum sluice_fail) */
  /* only of requests that the L2 had to fetch for: */
  uint32_t to_memory;     /* the fetch left the L2 */
  uint32_t at_memory;     /* the fetch arrived at the controller, after the fixed delay */
  uint32_t opening, open; /* the row began to be opened; the row was open */
  uint32_t column;        /* the column command was issued */
  uint32_t filled;        /* the data was in the L2 */
  /* not times: who asks, for techniques (sluice_technique.h) */
  uint32_t pc; /* and 1; 0: no instruction that is known */
  uint32_t ptx_line, source_line, cta, launch;
  uint8_t op;
};

/* A pool of records with fixed addresses. Records given back last are taken first, while the host's cache
 * still has them. */
struct stamp_pool {
  struct stamp_block {
    struct stamp_block *next;
    union stamp_slot {
      struct mem_stamps stamps;
      union stamp_slot *next;
    } slot[64];
  } * block;
  union stamp_slot *free;
};

void stamp_pool_grow(struct stamp_pool *p);
void stamp_pool_destroy(struct stamp_pool *p);

static inline struct mem_stamps *stamps_take(struct stamp_pool *p) {
  if (!p->free)
    stamp_pool_grow(p);
  union stamp_slot *s = p->free;
  p->free = s->next;
  s->stamps = (struct mem_stamps){0};
  return &s->stamps;
}

/* Gives a record back; NULL: there is none. */
static inline void stamps_give(struct stamp_pool *p, struct mem_stamps *stamps) {
  union stamp_slot *s = (union stamp_slot *)(void *)stamps;
  if (!s)
    return;
  s->next = p->free;
  p->free = s;
}

#endif
