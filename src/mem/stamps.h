/* When a request passed each border on its way. The record is the sender's; a message carries its address, and whoever has the
 * message writes into it, so that not all of it has to travel along. */
#ifndef SLUICE_MEM_STAMPS_H
#define SLUICE_MEM_STAMPS_H

#include "base/mem.h"
#include <stdint.h>
#include <stdlib.h>

enum { MEM_FAILS = 5 };

/* In core cycles since the request was born. What did not happen is 0: read in order, each counts from the latest before it. */
struct mem_stamps {
  uint32_t sent;      /* into the network */
  uint32_t delivered; /* out of it, at the slice */
  uint32_t due;       /* at the tags, after the fixed delay */
  uint32_t tried;     /* for the first time: before, others were served */
  uint32_t looked_up; /* the last sector of it */
  uint32_t answered;  /* ready to go back */
  uint32_t
      failed[MEM_FAILS]; /* not a time: core cycles lost to reservation fails, by cause (enum sluice_fail) */
  /* only for what the L2 lacked: */
  uint32_t to_memory;     /* out of the L2 */
  uint32_t at_memory;     /* at the controller, after the fixed delay */
  uint32_t opening, open; /* the row: began to be opened, was open */
  uint32_t column;        /* the column command went */
  uint32_t filled;        /* the data came back to the L2 */
  /* not times: who asks, for techniques (sluice_technique.h) */
  uint32_t pc; /* and 1; 0: no instruction that is known */
  uint32_t ptx_line, cta, launch;
  uint8_t op;
};

/* Records that stay where they are. Those given back last are taken first: the host's cache still has them. */
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

/* NULL: none was taken. */
static inline void stamps_give(struct stamp_pool *p, struct mem_stamps *stamps) {
  union stamp_slot *s = (union stamp_slot *)(void *)stamps;
  if (!s)
    return;
  s->next = p->free;
  p->free = s;
}

#endif
