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

struct memory {
  struct dram *dram;
  const struct dram_taken
      *taken;  /* of DRAM with one controller; else NULL: while it is full, no request is accepted */
  bool orders; /* the scheduler wants to know who asks */
  uint32_t controllers;
  uint64_t transaction; /* bytes of a request */
  struct dram_map map;  /* where an address lies, for techniques too */
};

/* `scheduler`: of the controllers; NULL: as configured. `general`: no fast path. */
bool memory_init(struct memory *m, const struct memory_config *k, const struct dram_scheduler *scheduler,
                 bool general, struct error *err);
void memory_destroy(struct memory *m);

static inline uint32_t memory_controller(const struct memory *m, uint64_t address) {
  return m->controllers == 1 ? 0 : dram_channel_of(m->dram, address);
}

#endif
