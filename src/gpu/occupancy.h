/* How many CTAs of a launch an SM holds, and what there is too little of for one more. */
#ifndef SLUICE_GPU_OCCUPANCY_H
#define SLUICE_GPU_OCCUPANCY_H

#include "front/exec.h"
#include "gpu/config.h"
#include "stat/stat.h"

/* In the order in which one is named where several allow equally few. */
#define OCCUPANCY_LIMITS(X)                                                                                  \
  X(REGISTERS, "registers", "registers: sm.registers over those of a CTA")                                   \
  X(SHARED, "shared", "shared memory: sm.shared_bytes over that of a CTA")                                   \
  X(THREADS, "threads", "threads or warps: what an SM holds over those of a CTA")                            \
  X(SLOTS, "slots", "the places for CTAs: sm.ctas")                                                          \
  X(GRID, "grid", "the grid: CTAs over SMs, rounded up")
enum occupancy_limit {
#define X(id, name, help) OCCUPANCY_##id,
  OCCUPANCY_LIMITS(X)
#undef X
      OCCUPANCY_NLIMITS
};

struct occupancy {
  uint32_t registers;     /* of a CTA, as they are allocated */
  uint32_t register_room; /* those of an SM that its CTAs can have */
  uint64_t shared;        /* of a CTA, as it is allocated */
  uint64_t by[OCCUPANCY_NLIMITS];
  uint64_t ctas; /* the least of them */
  enum occupancy_limit limit;
};

struct occupancy occupancy_of(const struct gpu_config *k, const struct kernel_info *info,
                              const struct launch *l, unsigned warp_width);
/* An assembler that knows the size of the CTA spills rather than let none fit an SM: registers that were counted, not stated, come
 * down to what fits. */
void occupancy_spill(const struct gpu_config *k, struct kernel_info *info, const struct launch *l,
                     unsigned warp_width);
void occupancy_put(const struct occupancy *o, struct stats *s);

#endif
