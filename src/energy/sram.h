/* What an on-chip memory costs: energy of an access, leakage, area, access time and cycle time.
 *
 * cacti7.csv holds what CACTI 7 says of 1,225 memories at 22, 32 and 45 nm (high-performance transistors): RAMs with one
 * port, RAMs with one port to read and one to write (queues), CAMs, fully associative caches, and caches whose data are
 * read after the tags (sequential) or together with them (parallel). A memory among those costs what CACTI says. For
 * others a fit through all points of a kind answers (fit.h). Outside of the points' range the fit's trend goes on, above the
 * largest size area and leakage grow with the size, energies and times with its square root; `beyond` says so. */
#ifndef SLUICE_ENERGY_SRAM_H
#define SLUICE_ENERGY_SRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(constant, name) */
#define SRAM_KIND(X)                                                                                         \
  X(SRAM_RAM, "ram")           /* one port */                                                                \
  X(SRAM_QUEUE, "queue")       /* a RAM with a port to read and a port to write */                           \
  X(SRAM_CAM, "cam")           /* compares all entries */                                                    \
  X(SRAM_FULL, "full")         /* a fully associative cache */                                               \
  X(SRAM_CACHE, "cache")       /* tags first, then the data of the way that hits */                          \
  X(SRAM_PARALLEL, "parallel") /* tags and the data of all ways of the set at once */

enum sram_kind {
#define X(constant, name) constant,
  SRAM_KIND(X)
#undef X
      SRAM_KINDS
};
extern const char *const sram_kind_names[SRAM_KINDS];
enum { SRAM_NODE_LEAST = 22, SRAM_NODE_MOST = 45 };

struct sram {
  enum sram_kind kind;
  uint32_t node_nm;   /* SRAM_NODE_LEAST to SRAM_NODE_MOST */
  double bytes;       /* of data; of a CAM, of what is compared */
  double block_bytes; /* of one access; of a CAM, of an entry */
  uint32_t ways;      /* of SRAM_CACHE and SRAM_PARALLEL; otherwise 1 */
};

/* X(field, unit, meaning) */
#define SRAM_COSTS(X)                                                                                        \
  X(read_nj, "nJ", "reading a block; of a cache, from the data array, of SRAM_PARALLEL all ways of the set") \
  X(write_nj, "nJ", "writing a block")                                                                       \
  X(search_nj, "nJ", "comparing with all entries of a CAM or SRAM_FULL, or the tags of a set of a cache")    \
  X(leakage_mw, "mW", "all the time")                                                                        \
  X(area_mm2, "mm2", "with its periphery")                                                                   \
  X(access_ns, "ns", "from address to data; of SRAM_CACHE, tags and then data")                              \
  X(cycle_ns, "ns", "from one access to the next")

enum {
#define X(field, unit, help) SRAM_##field,
  SRAM_COSTS(X)
#undef X
      SRAM_COLUMNS
};

struct sram_cost {
#define X(field, unit, help) double field;
  SRAM_COSTS(X)
#undef X
  bool beyond; /* outside of what CACTI was asked */
};
struct sram_cost sram_cost(const struct sram *m);
struct sram_cost sram_fitted(const struct sram *m); /* by the fit alone, CACTI's own answers left aside */

/* CACTI's own answers. */
struct sram_point {
  struct sram of;
  double cost[SRAM_COLUMNS]; /* in the order of SRAM_COSTS; 0: a kind does not have that */
};
extern const struct sram_point sram_points[]; /* sorted by kind, node, ways, block, size */
extern const size_t sram_npoints;

#endif
