/* Memories of a GPU as CACTI's: caches, and what techniques add. */
#ifndef SLUICE_ENERGY_ENERGY_H
#define SLUICE_ENERGY_ENERGY_H

#include "energy/sram.h"
#include "sluice_technique.h"

/* A cache, read and written a block at a time (a sector, where lines have them). Its tags are looked up first, unless
 * `parallel`: then the block of all ways of the set is read at the same time. A cache of a single set has its tags in a
 * CAM, and nothing to read in parallel. */
struct energy_cache {
  double bytes, line, block;
  uint32_t ways;
  bool parallel;
};
struct sram_cost energy_cache(uint32_t node_nm, const struct energy_cache *c);
struct sram_cost energy_array(uint32_t node_nm, const struct sluice_array *a); /* of no bits: nothing */

struct energy_uses {
  double searches, reads, writes;
};
static inline double energy_dynamic_mj(const struct sram_cost *c, struct energy_uses n) {
  return 1e-6 * (c->search_nj * n.searches + c->read_nj * n.reads + c->write_nj * n.writes);
}

#endif
