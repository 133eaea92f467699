/* When a request passed each border on its way. The record is the sender's; a message carries its address, and whoever has the
 * message writes into it, so that not all of it has to travel along. */
#ifndef SLUICE_MEM_STAMPS_H
#define SLUICE_MEM_STAMPS_H

#include "base/mem.h"
#include <stdint.h>
#include <stdlib.h>

enum { MEM_REFUSED = 5 };

/* In core cycles since the request was born. What did not happen is 0: read in order, each counts from the latest before it. */
struct mem_path {
  uint32_t sent;      /* into the network */
  uint32_t delivered; /* out of it, at the slice */
  uint32_t due;       /* at the tags, after the fixed delay */
  uint32_t tried;     /* for the first time: before, others were served */
  uint32_t looked_up; /* the last sector of it */
  uint32_t answered;  /* ready to go back */
  uint32_t
      refused[MEM_REFUSED]; /* not a time: core cycles refused by the tags, by cause (enum sluice_fail) */
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
struct path_pool {
  struct path_block {
    struct path_block *next;
    union path_slot {
      struct mem_path path;
      union path_slot *next;
    } slot[64];
  } * block;
  union path_slot *free;
};

void path_more(struct path_pool *p);
void path_destroy(struct path_pool *p);

static inline struct mem_path *path_take(struct path_pool *p) {
  if (!p->free)
    path_more(p);
  union path_slot *s = p->free;
  p->free = s->next;
  s->path = (struct mem_path){0};
  return &s->path;
}

/* NULL: none was taken. */
static inline void path_give(struct path_pool *p, struct mem_path *path) {
  union path_slot *s = (union path_slot *)(void *)path;
  if (!s)
    return;
  s->next = p->free;
  p->free = s;
}

#endif
