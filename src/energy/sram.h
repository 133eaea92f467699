/* What an on-chip memory costs: energy of an access, leakage, area.
 *
 * cacti7.csv holds what CACTI 7 says of 772 memories at 22, 32 and 45 nm (high-performance transistors): RAMs with one port, RAMs with
 * one port to read and one to write (queues), CAMs, and caches whose tags are looked up before the data. Between them
 * costs are interpolated: logarithm over logarithm, along size, block, ways and node. Beyond them the last slope goes
 * on, and `beyond` says so. */
#ifndef SLUICE_ENERGY_SRAM_H
#define SLUICE_ENERGY_SRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sram_kind { SRAM_RAM, SRAM_QUEUE, SRAM_CAM, SRAM_CACHE, SRAM_KINDS };
enum { SRAM_NODE_LEAST = 22, SRAM_NODE_MOST = 45 };

struct sram {
  enum sram_kind kind;
  uint32_t node_nm;   /* SRAM_NODE_LEAST to SRAM_NODE_MOST */
  double bytes;       /* of data; of a CAM, of what is compared */
  double block_bytes; /* of one access; of a CAM, of an entry */
  uint32_t ways;      /* of a cache; otherwise 1 */
};

/* X(field, unit, meaning) */
#define SRAM_COSTS(X)                                                                                        \
  X(read_nj, "nJ", "reading a block; of a cache, from the data array")                                       \
  X(write_nj, "nJ", "writing a block")                                                                       \
  X(search_nj, "nJ", "comparing with all entries of a CAM, or the tags of a set of a cache")                 \
  X(leakage_mw, "mW", "all the time")                                                                        \
  X(area_mm2, "mm2", "with its periphery")

struct sram_cost {
#define X(field, unit, help) double field;
  SRAM_COSTS(X)
#undef X
  bool beyond; /* outside of what CACTI was asked */
};
struct sram_cost sram_cost(const struct sram *m);

/* CACTI's own answers, for tests and tables. */
struct sram_point {
  struct sram of;
  double cost[5]; /* in the order of SRAM_COSTS */
};
extern const struct sram_point sram_points[]; /* sorted by kind, node, ways, block, size */
extern const size_t sram_npoints;

#endif
