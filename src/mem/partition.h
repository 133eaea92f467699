/* A memory channel and the L2 slices in front of it: one unit.
 *
 *   network ─▶ in ─▶ delay ─▶ tags (a sector per cycle) ─┬─ hit ───────────────▶ out ─▶ network
 *                                                        └─ miss ─▶ DRAM ─▶ fill ─┘
 */
#ifndef SLUICE_MEM_PARTITION_H
#define SLUICE_MEM_PARTITION_H

#include "dram/dram.h"
#include "engine/engine.h"
#include "gpu/config.h"
#include "mem/request.h"

struct l2_parent { /* a request whose sectors are looked up one by one */
  struct mem_request request;
  uint32_t left, next;
  uint64_t line; /* address within the slice */
};

#define L2_STATS(X)                                                                                          \
  X(accesses, "sector accesses")                                                                             \
  X(hits, "sector accesses that hit")                                                                        \
  X(misses, "sector accesses that missed")                                                                   \
  X(merges, "sector accesses that joined a miss under way")                                                  \
  X(stall_cycles, "cycles the head waited to be looked up")                                                  \
  X(reads, "DRAM reads sent")                                                                                \
  X(writes, "DRAM writes sent")

struct l2_stats {
#define X(field, help) uint64_t field;
  L2_STATS(X)
#undef X
};

struct l2_slice {
  struct cache *cache;
  struct port *in, *out;    /* from and to the network */
  uint32_t index;           /* among all slices */
  struct l2_parent *parent; /* pool */
  uint32_t free_parent, nparents;
  struct {
    uint32_t parent;
    uint64_t at;
  } * delay; /* ring: requests on their way through the fixed delay */
  uint32_t delay_head, delay_count, delay_cap, delay_mask;
  uint8_t todo;     /* sectors of the head still to look up */
  bool stalled;     /* the head was refused in this cycle */
  uint64_t free_at; /* first cycle at which the next sector could be looked up */
  uint64_t busy;    /* cycle until which an atomic keeps it */
  struct {
    uint32_t parent;
    uint64_t at;
  } * done; /* ring: answers waiting for room */
  uint32_t done_head, done_count, done_mask;
  struct {
    uint64_t address;
    bool write;
  } * miss; /* ring: to the DRAM */
  uint32_t miss_head, miss_count, miss_mask;
  struct l2_stats stats;
};

struct partition {
  struct engine *engine;
  const struct gpu_config *k;
  uint32_t index, unit, response_unit, request_unit;
  uint32_t nslices, turn;
  struct l2_slice *slice;
  struct dram *dram;
  struct {
    uint64_t address, tag, at;
    bool write;
  } * wait; /* ring: fixed delay in front of the controller */
  uint32_t wait_head, wait_count, wait_cap, wait_mask;
  uint64_t dram_period; /* ticks */
  uint64_t outstanding; /* DRAM requests not yet answered */
  bool refused;         /* the controller's queue is full */
  uint64_t moves;       /* requests handed to it, and answers */
  uint64_t now;
};

bool partition_init(struct partition *c, struct engine *e, const struct gpu_config *k, uint32_t index,
                    uint64_t dram_period, struct error *err);
void partition_destroy(struct partition *c);
uint64_t partition_cycle(void *self, uint64_t cycle);
/* Where a line lies: its slice, and its address within the slice. */
uint32_t partition_slice_of(const struct gpu_config *k, uint64_t line);
/* Puts a line into the L2 as if a host copy had written it. */
void partition_warm(struct partition *c, uint32_t slice, uint64_t line);

#endif
