/* What lies behind a channel of the L2: DRAM at the level of commands, or a memory of fixed latency.
 *
 *   commands   one or more controllers (dram.controllers), each with dram.lockstep physical channels that act as one wide one
 *   fixed      as many controllers, each taking a request every dram.fixed_interval cycles and answering it
 *              dram.fixed_latency cycles later (writes: dram.fixed_write_latency); lines in turn, no banks, no rows
 *
 * Time counts cycles of the memory's clock (gpu.dram_mhz). Every request that was taken is answered once. */
#ifndef SLUICE_DRAM_MEMORY_H
#define SLUICE_DRAM_MEMORY_H

#include "dram/config.h"
#include "dram/dram.h"
#include "dram/fixed.h"

struct memory {
  struct dram *dram;              /* NULL: fixed */
  struct fixed *fixed;            /* NULL: DRAM */
  const struct dram_taken *taken; /* of DRAM with one controller; else NULL */
  bool orders;                    /* the scheduler wants to know who asks */
  uint32_t controllers;
  unsigned shift;       /* fixed: log2 of the bytes that go to each in turn, a line */
  uint64_t transaction; /* bytes of a request */
  struct dram_map map;  /* where an address lies, for techniques too */
};

/* `scheduler`: of the controllers; NULL: as configured. `general`: no fast path. */
bool memory_init(struct memory *m, const struct memory_config *k, const struct dram_scheduler *scheduler,
                 bool general, struct error *err);
void memory_destroy(struct memory *m);

static inline uint32_t memory_controller(const struct memory *m, uint64_t address) {
  if (m->controllers == 1)
    return 0;
  return m->fixed ? (uint32_t)(address >> m->shift) & (m->controllers - 1)
                  : dram_map_field(&m->map, dram_map_fields(&m->map, address), DRAM_CHANNEL);
}

/* All cycles before `until` are over. True: there are answers. */
static inline bool memory_advance(struct memory *m, uint64_t until) {
  if (m->dram)
    return dram_advance(m->dram, until);
  fixed_advance(m->fixed, until);
  return fixed_next(m->fixed) <= until;
}
/* Hands a request over. False: not now; memory_retry() says from which cycle on, DRAM_NEVER: after something has happened
 * there. */
static inline bool memory_push(struct memory *m, const struct dram_request *r) {
  if (m->dram)
    return dram_push(m->dram, r);
  return fixed_push(m->fixed, memory_controller(m, r->address), r);
}
/* Would it not be taken, for sure? */
static inline bool memory_full(const struct memory *m, bool write) {
  return m->taken && m->taken->full[write];
}
static inline uint64_t memory_retry(const struct memory *m, uint32_t controller) {
  return m->dram ? DRAM_NEVER : fixed_ready(m->fixed, controller);
}
/* The first of the answers that are there. True: there are more, at `now` to which it was advanced. */
static inline bool memory_answer(struct memory *m, struct dram_completion *out, uint64_t now) {
  if (m->dram)
    return dram_answer(m->dram, out);
  fixed_pop(m->fixed, out);
  return fixed_next(m->fixed) <= now;
}
/* The next cycle at which there may be something to pop or room, without new requests; DRAM_NEVER: none. */
static inline uint64_t memory_next(const struct memory *m) {
  if (!m->dram)
    return fixed_next(m->fixed);
  uint64_t next = dram_next_change(m->dram);
  return next == DRAM_NEVER ? DRAM_NEVER : next + 1; /* its result shows once that cycle is simulated */
}
/* Its counters are added; or taken without the histogram of latencies, which is left as it is. */
void memory_add_counters(const struct memory *m, struct dram_counters *to);
void memory_counts(const struct memory *m, struct dram_counters *out);

#endif
