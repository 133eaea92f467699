/* A partition: a memory channel and the L2 slices in front of the channel, one unit of the engine. */
#ifndef SLUICE_L2_PARTITION_H
#define SLUICE_L2_PARTITION_H

#include "dram/memory.h"
#include "l2/slice.h"

struct partition {
  _Alignas(64) uint64_t now; /* L2 cycle; aligned so that no other unit shares the host's cache lines */
  uint64_t dram_now;         /* DRAM cycle */
  uint64_t tick,
      core_now; /* tick and core cycle: the engine's, or later ones where the partition is ahead (l2/ahead.h) */
  struct engine *engine;
  const struct l2_config *k;
  uint32_t dram_latency; /* fixed delay in front of the controllers, in DRAM cycles */
  struct l2_slice *slice;
  uint32_t nslices, turn;
  uint32_t missing; /* bursts that wait in the slices' miss queues */
  uint32_t waiting,
      wait_cap;         /* bursts in the delay in front of the controllers: in all; at most per controller */
  bool idle;            /* memory is idle as the cycle begins */
  bool has_source;      /* a technique sits between the slices and all channels */
  bool fast;            /* fast path: the slices are fast, and nothing is between them and the controller */
  uint64_t outstanding; /* DRAM requests not yet answered */
  uint64_t
      writing; /* last bursts of changed lines (L2_LAST_WRITE) that memory has not answered (l2.write_backs) */
  uint64_t moves;         /* requests handed to the controller, and answers */
  struct l2_fetch *fetch; /* pool */
  uint32_t free_fetch, nfetches,
      fetching; /* fetching: fetches, and writes that a store waits for, under way */
  struct partition_wait {
    struct memory_request *request; /* ring */
    uint32_t head, count;
    bool refused; /* the controller rejected the first burst */
  } * wait;       /* by controller: the fixed delay in front of the controller */
  uint32_t wait_mask;
  uint32_t bursts;      /* bursts of the fetch of a sector */
  uint32_t joined;      /* sectors that are written in one burst (l2.join_writes) */
  uint64_t dram_period; /* ticks */
  uint64_t
      core_inverse; /* 2^64 × dram_period / the core's period, for products in place of divisions; 0: too large */
  uint32_t index, response_unit, request_unit, ack_unit;
  uint64_t look_at;      /* the cycle at which to see again whether the partition may run ahead */
  uint64_t base;         /* the cycle from which on the partition ran ahead */
  uint32_t reach;        /* cycles that the partition may be ahead of the others; 0: none */
  const uint64_t *known; /* what the network of answers has not simulated, if it is ahead; or NULL */
  uint64_t fresh,
      want; /* the first cycle that is not simulated yet, and the next at which there is something to do */
  uint64_t caught; /* `fresh` of the last time that all requests of cycles before it were received */
  uint64_t dram_edge, core_edge; /* while the partition is ahead: ticks of the next DRAM and core cycle */
  struct memory memory;
};

bool partition_init(struct partition *c, struct engine *e, const struct l2_config *k,
                    const struct memory_config *m, struct tech_set *tech, uint32_t index,
                    uint64_t dram_period, struct error *err);
void partition_destroy(struct partition *c);
/* Simulates a cycle of a partition without a source; for engine_add(). Returns the next cycle with something to do. */
uint64_t partition_cycle(void *self, uint64_t cycle);
/* Puts a line into a slice, by its address there, as if a host copy had written it. */
void partition_warm(struct partition *c, uint32_t slice, uint64_t address);
/* Empties the L2 as before a measurement with cold caches; dirty lines are dropped. */
void partition_empty(struct partition *c);

/* Receives the requests that came before a cycle, in cycles that are simulated already, each in its own (l2/ahead.h). */
void ahead_catch_up(struct partition *c, uint64_t cycle);
/* Brings counters to the end of an L2 cycle and a DRAM cycle, or leaves them where they are later. */
static inline void partition_settle(struct partition *c, uint64_t cycle, uint64_t dram_cycle) {
  if (c->known && c->fresh > cycle)
    ahead_catch_up(c, cycle + 1);
  for (uint32_t i = 0; i < c->nslices; i++)
    slice_settle(&c->slice[i], cycle);
  dram_advance(c->memory.dram, dram_cycle > c->dram_now ? dram_cycle : c->dram_now);
}

/* Parts of a cycle, for a memory side whose channels share a source. */
static inline void partition_at(struct partition *c, uint64_t cycle) { /* sets the cycle */
  c->now = cycle;
  c->tick = c->engine->now;
  c->dram_now = engine_cycle(c->engine, DOMAIN_DRAM);
  c->core_now = engine_cycle(c->engine, DOMAIN_CORE);
  c->dram_edge = NEVER;
}
/* The DRAM's cycle while the partition is ahead: of the current tick; nobody asks for it while memory is idle. */
static inline void partition_dram_clock(struct partition *c) {
  if (c->dram_edge > c->tick)
    return;
  uint64_t passed = engine_cycles(c->engine, DOMAIN_DRAM, c->tick - c->dram_edge) + 1;
  c->dram_now += passed;
  c->dram_edge += passed * c->dram_period;
}
/* The first cycle at or after a tick in the future of the partition. */
static inline uint64_t partition_cycle_at(const struct partition *c, uint64_t tick) {
  return tick <= c->tick + c->engine->period[DOMAIN_L2] ? c->now + 1
                                                        : engine_cycle_at(c->engine, DOMAIN_L2, tick);
}
/* The tick at which a message arrives, or a blocked answer finds room, as far as the ports know at `tick`. */
static inline uint64_t partition_next_message(const struct partition *c, uint64_t tick) {
  uint64_t next = NEVER;
  for (const struct l2_slice *s = c->slice, *end = s + c->nslices; s < end; s++) {
    uint64_t t = slice_next_message(s, s->ack, tick);
    next = t < next ? t : next;
  }
  return next;
}
uint64_t partition_slices(struct partition *c, uint64_t cycle); /* answers of memory, then slices */
/* The delay queue in front of an address's controller, and whether the queue has room. */
static inline struct partition_wait *partition_queue(const struct partition *c, uint64_t address) {
  return &c->wait[memory_controller(&c->memory, address)];
}
static inline bool partition_has_room(const struct partition *c, uint64_t address) {
  return partition_queue(c, address)->count < c->wait_cap;
}
static inline void partition_send_to(struct partition *c, struct partition_wait *q,
                                     const struct memory_request *r) {
  struct memory_request *w = &q->request[(q->head + q->count++) & c->wait_mask];
  c->waiting++;
  *w = *r;
  w->at = c->dram_now + c->dram_latency;
  if (!r->write) {
    c->fetch[r->fetch].to_memory = c->core_now;
    c->fetch[r->fetch].at_memory = w->at;
  }
}
static inline void partition_send(struct partition *c, const struct memory_request *r) {
  partition_send_to(c, partition_queue(c, r->address), r);
}
/* The first miss of a slice has left the miss queue. */
static inline void partition_sent(struct partition *c, struct l2_slice *s) {
  s->miss_head = ring_after(s->miss_head, s->miss_count, s->miss_mask);
  s->miss_count--;
  c->missing--;
  slice_retry_at(s, c->now + 1);
}
uint64_t partition_dram(struct partition *c, uint64_t cycle,
                        uint64_t next); /* hands bursts to memory; returns the next cycle with work */

/* The core cycle of a DRAM cycle: time stamps are in core cycles. */
static inline uint64_t partition_core_of(const struct partition *c, uint64_t dram_cycle) {
  __extension__ typedef unsigned __int128 wide;
  if (dram_cycle >> 40 || !c->core_inverse)
    return dram_cycle * c->dram_period / c->engine->period[DOMAIN_CORE];
  return (uint64_t)((wide)dram_cycle * c->core_inverse >> 64);
}

/* Allocates the fetch of a sector of a line; returns its number. */
static inline uint32_t partition_fetch(struct partition *c, uint32_t slice, uint64_t line, uint32_t sector,
                                       uint32_t parent, bool to_side_buffer) {
  uint32_t n = POOL_TAKE(c->fetch, c->nfetches, c->free_fetch, next);
  c->fetching++;
  struct l2_fetch *f = &c->fetch[n];
  f->line = line;
  f->since = c->now;
  f->parent = parent;
  f->left = c->bursts;
  f->slice = (uint16_t)slice;
  f->sector = (uint8_t)sector;
  f->write = false;
  f->part = false;
  f->to_side_buffer = to_side_buffer;
  return n;
}
static inline void partition_fetch_end(struct partition *c, uint32_t f) {
  c->fetch[f].next = c->free_fetch;
  c->free_fetch = f;
  c->fetching--;
}
/* The request as techniques see it. */
struct sluice_request partition_view(const struct partition *c, const struct l2_slice *s,
                                     const struct l2_parent *p);
void partition_place(const struct partition *c, uint64_t address, struct sluice_request *r);

#endif
