/* The memory side as one unit: all channels and their slices, and between them a technique that sees every
 * request that leaves the GPU (the memory source hook).
 *
 *   slices ─▶ miss queues ─▶ source (up to one request per channel and cycle, in and out) ─▶ channels
 *
 * Built only when a technique sits there; otherwise each channel is a unit of its own. */
#ifndef SLUICE_L2_MEMORY_SIDE_H
#define SLUICE_L2_MEMORY_SIDE_H

#include "front/gen/locality.h"
#include "l2/partition.h"

struct memory_side {
  struct partition *channel;
  uint32_t nchannels, nslices; /* slices in all */
  struct tech_order source;
  struct tech_calls calls;
  struct tech_guard guard;
  struct memory_side_entry {
    struct memory_request request;
    uint64_t epoch; /* when it was refused last */
    uint32_t channel, next;
  } * entry; /* pool; numbers are handles */
  uint32_t free_entry, nentries;
  uint32_t turn; /* slice that is asked first */
  bool full;     /* the source took nothing; something must leave it first */
  bool *held; /* by slice: its oldest was refused since something left; NULL: one that is refused stops all */
  uint64_t epoch;    /* grows when a channel makes room */
  uint64_t *due;     /* by channel: the cycle at which it can next act by itself */
  bool *acts;        /* likewise: it does so in this one, or something went in or out */
  uint32_t *missing; /* likewise: bursts that wait in its slices' miss queues */
  uint32_t missing_all;
  struct locality *leaving; /* requests that leave the GPU, where that is counted */
};

void memory_side_init(struct memory_side *m, struct partition *channels, uint32_t n, struct tech_order source,
                      bool by_slice, struct tech_set *tech);
void memory_side_destroy(struct memory_side *m);
uint64_t memory_side_cycle(void *self, uint64_t cycle);

#endif
