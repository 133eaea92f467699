/* What the units of a GPU count, in one list: name, unit, definition, and where the number lies.
 *
 * Units only add integers. A snapshot copies all their counters at one instant; a launch, or a stretch of
 * cycles, is the difference of two snapshots, and a total the sum over the units of a kind.
 *
 *   snapshot   gpu | sm 0, sm 1, … | network | stream caches | l2 0, l2 1, … | dram 0, … | techniques
 *              each: its kind's counters */
#ifndef SLUICE_GPU_COUNTERS_H
#define SLUICE_GPU_COUNTERS_H

#include "dram/stats.h"
#include "core/counters.h"
#include "gpu/gpu.h"
#include "l1/graphics_counters.h"
#include "l2/counters.h"
#include "noc/counters.h"

/* X(id, name, unit, definition, where); the other units' lists are in their folders */
#define COUNTERS_GPU(X)                                                                                      \
  X(cycles, "gpu.cycles", "cycles",                                                                          \
    "Core cycles from the first CTA's dispatch to the last one's end, summed over launches.", g->cycles)     \
  X(launches, "gpu.launches", "launches", "Kernels launched.", g->launches)

/* the DRAM's list (dram/stats.h), and its bytes */
#define COUNTERS_DRAM(X, Y)                                                                                  \
  DRAM_COUNTERS(X)                                                                                           \
  Y(bytes, "dram.bytes", "bytes", "Bytes moved over the data buses.")

enum counter {
#define S(id, field, name, unit, help) C_##id,
#define X(id, name, unit, help, where) C_##id,
  COUNTERS_GPU(X) SM_COUNTERS(X, S)
#undef X
#define X(id, name, what) C_exec_##id,
      WORK_CLASSES(X)
#undef X
#define X(id, name, help) C_stall_##id,
          STALLS(X)
#undef X
#define X(id, name, help) C_stage_##id,
              STAGES(X)
#undef X
#define X(id, name, unit, help, where) C_##id,
                  NOC_COUNTERS(X) STREAM1_COUNTERS(X) STREAM2_COUNTERS(X) L2_COUNTERS(X, S)
#undef X
#define X(id, name, unit, help) C_dram_##id,
                      COUNTERS_DRAM(X, X)
#undef X
                          NCOUNTERS
#undef S
};

enum counter_kind { KIND_GPU, KIND_SM, KIND_NOC, KIND_STREAM1, KIND_STREAM2, KIND_L2, KIND_DRAM, KINDS };

struct counter_group {
  const char *kind;
  const struct stat_row *rows;
  size_t nrows;
  enum counter first; /* of the rows */
};
extern const struct counter_group counter_groups[KINDS];
extern const struct stat_row *const counter_rows[NCOUNTERS];

size_t counters_units(const struct gpu *g, enum counter_kind k);
size_t counters_size(const struct gpu *g); /* numbers in a snapshot */
void counters_take(const struct gpu *g, uint64_t *snapshot);
/* Sums over units of `after` - `before`; before NULL: of `after` itself. */
void counters_total(const struct gpu *g, const uint64_t *after, const uint64_t *before,
                    uint64_t total[NCOUNTERS]);
/* What the techniques counted, tech_counters() numbers. */
void counters_techniques(const struct gpu *g, const uint64_t *after, const uint64_t *before, uint64_t *to);

#endif
