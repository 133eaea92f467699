/* Counters over the stream of warp operations: the simplest consumer of it. */
#ifndef SLUICE_FRONT_COUNT_H
#define SLUICE_FRONT_COUNT_H

#include "front/exec.h"
#include "stat/stat.h"

/* X(field, name, unit, definition) */
#define FRONT_COUNTERS(X)                                                                                    \
  X(warp_instructions, "warp_instructions", "instructions",                                                  \
    "PTX instructions issued, one per warp whatever the number of active lanes.")                            \
  X(thread_instructions, "thread_instructions", "instructions",                                              \
    "PTX instructions weighted by the lanes that execute them.")                                             \
  X(loads, "loads", "instructions", "Warp load instructions, all spaces but param.")                         \
  X(stores, "stores", "instructions", "Warp store instructions, all spaces but param.")                      \
  X(atomics, "atomics", "instructions", "Warp atom and red instructions.")                                   \
  X(loads_global, "loads.global", "accesses", "Loads with lanes in global memory.")                          \
  X(loads_lines_1, "loads.global.lines_1", "accesses", "Of those, loads of one 128-byte line.")              \
  X(loads_lines_2, "loads.global.lines_2", "accesses", "Of two lines.")                                      \
  X(loads_lines_10, "loads.global.lines_3_10", "accesses", "Of 3 to 10 lines.")                              \
  X(loads_lines_20, "loads.global.lines_11_20", "accesses", "Of 11 to 20 lines.")                            \
  X(loads_lines_more, "loads.global.lines_21_up", "accesses", "Of 21 lines and more.")                       \
  X(loads_shared, "loads.shared", "accesses", "Loads with lanes in shared memory.")                          \
  X(loads_local, "loads.local", "accesses", "Loads with lanes in local memory.")                             \
  X(loads_const, "loads.const", "accesses", "Loads with lanes in constant memory.")                          \
  X(stores_global, "stores.global", "accesses", "Stores with lanes in global memory.")                       \
  X(stores_shared, "stores.shared", "accesses", "Stores with lanes in shared memory.")                       \
  X(stores_local, "stores.local", "accesses", "Stores with lanes in local memory.")                          \
  X(atomics_global, "atomics.global", "accesses", "Atomics with lanes in global memory.")                    \
  X(atomics_shared, "atomics.shared", "accesses", "Atomics with lanes in shared memory.")                    \
  X(copies, "copies", "instructions", "Warp cp.async instructions: global to shared memory.")                \
  X(prefetches, "prefetches", "instructions", "Warp prefetch instructions.")                                 \
  X(branches, "branches", "instructions", "Warp branch instructions, calls and returns not among them.")     \
  X(barriers, "barriers", "instructions", "CTA barrier instructions.")                                       \
  X(fences, "fences", "instructions", "Memory fences.")                                                      \
  X(global_accesses, "global.accesses", "accesses",                                                          \
    "Warp accesses to global memory: loads, stores, atomics and copies with at least one active lane.")      \
  X(global_lanes, "global.lanes", "lanes", "Active lanes of those accesses.")                                \
  X(global_lines, "global.lines", "lines", "Distinct 128-byte lines touched, summed over those accesses.")   \
  X(global_sectors, "global.sectors", "sectors",                                                             \
    "Distinct 32-byte sectors touched, summed over those accesses.")                                         \
  X(shared_accesses, "shared.accesses", "accesses",                                                          \
    "Warp accesses to shared memory with at least one active lane.")                                         \
  X(shared_cycles, "shared.bank_cycles", "cycles",                                                           \
    "Cycles that 32 banks of 4 bytes need for those accesses; more than one each means bank conflicts.")     \
  X(ctas, "ctas", "CTAs", "CTAs executed to their end.")                                                     \
  X(memcheck_violations, "memcheck.violations", "accesses",                                                  \
    "Illegal accesses reported and passed over (front.memcheck warn).")

struct front_counters {
#define X(field, name, unit, help) uint64_t field;
  FRONT_COUNTERS(X)
#undef X
};

extern const struct stat_table front_stats;

/* Counts launches of one program; keeps what it learns about its blocks. */
struct front_counter;
struct front_counter *front_counter_new(void);
void front_counter_free(struct front_counter *k);
/* s is what exec_next(x) gave last. All segments of one `x` before those of the next; the program behind it
 * must be the same. */
void front_count(struct front_counter *k, const struct exec *x, const struct sluice_segment *s,
                 struct front_counters *to);

void front_counters_add(struct front_counters *to, const struct front_counters *from);
/* Puts every counter and the ratios made of them. */
/* Registers per thread of a launch, and who said how many. */
void front_registers_put(const struct kernel_info *k, struct stats *s);
void front_counters_put(const struct front_counters *c, struct stats *s);

#endif
