#include "energy/energy.h"

enum { TAG_BITS = 40 }; /* of an address that techniques and caches compare */

static struct sram_cost both(struct sram_cost data, struct sram_cost tags) {
  data.search_nj = tags.search_nj;
  data.leakage_mw += tags.leakage_mw;
  data.area_mm2 += tags.area_mm2;
  data.access_ns += tags.access_ns; /* the CAM selects the row */
  data.cycle_ns = tags.cycle_ns > data.cycle_ns ? tags.cycle_ns : data.cycle_ns;
  data.beyond |= tags.beyond;
  return data;
}

struct sram_cost energy_cache(uint32_t node_nm, const struct energy_cache *c) {
  if (c->bytes / c->line <= c->ways) {
    struct sram of = {SRAM_RAM, node_nm, c->bytes, c->block, 1},
                tags = {SRAM_CAM, node_nm, c->bytes / c->line * TAG_BITS / 8, TAG_BITS / 8.0, 1};
    return both(sram_cost(&of), sram_cost(&tags));
  }
  struct sram whole = {c->parallel ? SRAM_PARALLEL : SRAM_CACHE, node_nm, c->bytes, c->line, c->ways},
              of = whole;
  struct sram_cost all = sram_cost(&whole);
  of.block_bytes = c->block; /* a sector of all ways */
  if (!c->parallel)          /* the data array is a RAM, read a block at a time */
    of = (struct sram){SRAM_RAM, node_nm, c->bytes, c->block, 1};
  struct sram_cost data = sram_cost(&of);
  all.read_nj = data.read_nj;
  all.write_nj = data.write_nj;
  all.beyond |= data.beyond;
  return all;
}

struct sram_cost energy_array(uint32_t node_nm, const struct sluice_array *a) {
  double n = (double)a->entries, entry = (double)a->bits / 8, block = (double)a->data_bits / 8;
  if (!a->entries || (!a->bits && !a->data_bits))
    return (struct sram_cost){0};
  if (a->data_bits)
    return energy_cache(
        node_nm, &(struct energy_cache){
                     .bytes = n * block, .ways = a->ways ? a->ways : 1, .line = block, .block = block});
  struct sram of = {a->ways ? SRAM_RAM : SRAM_QUEUE, node_nm, n * entry, a->ways ? entry * a->ways : entry,
                    1};
  if (a->ways && a->ways >= a->entries)
    of = (struct sram){SRAM_CAM, node_nm, n * entry, entry, 1};
  struct sram_cost cost = sram_cost(&of);
  if (of.kind == SRAM_RAM) { /* a set is read and compared; one entry of it is written */
    cost.search_nj = cost.read_nj;
    cost.write_nj /= a->ways;
    cost.read_nj /= a->ways;
  }
  return cost;
}
