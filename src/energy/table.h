/* What each event of a GPU costs: a table of coefficients with their sources (presets/energy).
 *
 *   about: …                            where the figures come from
 *   rows:
 *     execution.fma: {value: 4.1, source: "measured: …"}
 *     static.board: {value: 10, source: "…", assumed: true}
 *
 * The energy of a run is the sum of coefficient times amount over all rows; rows.def says which counters an amount is
 * made of. A table need not have rows that CACTI or the DRAM's currents can answer. */
#ifndef SLUICE_ENERGY_TABLE_H
#define SLUICE_ENERGY_TABLE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

enum energy_row {
#define X(id, name, unit, part, need, counters, what) ROW_##id,
#include "energy/rows.def"
#undef X
  NROWS
};

/* X(id, name, what): parts of a GPU, as statistics and figures show them */
#define ENERGY_PARTS(X)                                                                                      \
  X(ISSUE, "issue", "fetch, decode, scheduling; starting launches and CTAs")                                 \
  X(REGISTERS, "registers", "register files and operand collection")                                         \
  X(EXECUTION, "execution", "functional units, by class of instruction and active lanes")                    \
  X(SHARED, "shared", "shared memory")                                                                       \
  X(L1D, "l1d", "L1 data caches")                                                                            \
  X(READ_ONLY, "read_only", "constant and instruction caches")                                               \
  X(NETWORK, "network", "request and response networks")                                                     \
  X(L2, "l2", "the L2")                                                                                      \
  X(TECH, "tech", "memories that techniques add")                                                            \
  X(CONTROLLERS, "controllers", "memory controllers")                                                        \
  X(INTERFACE, "interface", "drivers and termination of the DRAM's bus")                                     \
  X(DRAM, "dram", "the DRAM")                                                                                \
  X(SM_STATIC, "sm_static", "static power of SMs")                                                           \
  X(REST, "rest", "static power of the rest of the chip and of the board")

enum energy_part {
#define X(id, name, what) PART_##id,
  ENERGY_PARTS(X)
#undef X
      NPARTS
};

enum energy_unit { UNIT_PJ, UNIT_W };

struct energy_row_about {
  const char *name;
  enum energy_unit unit;
  enum energy_part part;
  bool must;
  const char *counters, *what;
};
extern const struct energy_row_about energy_rows[NROWS];
extern const char *const energy_part_names[NPARTS];

struct energy_table {
  char name[64];
  char *about;
  struct {
    bool known, assumed;
    double value;
    char *source;
  } row[NROWS];
};

/* A table by its preset's name, or a file. */
bool energy_table_load(struct energy_table *t, const char *name_or_path, struct error *err);
bool energy_table_parse(struct energy_table *t, const char *text, size_t n, const char *path,
                        struct error *err);
/* The same of a text as presets/energy has them, a row a line; false: it is written otherwise. */
bool energy_table_plain(struct energy_table *t, const char *text);
void energy_table_free(struct energy_table *t);
/* The first row that the whole GPU needs and the table lacks; NULL: none. */
const char *energy_table_lacks(const struct energy_table *t);

/* Calls `term` for each counter of a row: its name, not ended by a NUL, and whether it is taken away. */
void energy_row_terms(enum energy_row row, void (*term)(void *ctx, const char *name, size_t n, bool minus),
                      void *ctx);

#endif
