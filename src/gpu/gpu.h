/* The machine: SMs, two crossbars, memory channels; and the launch that runs on it. */
#ifndef SLUICE_GPU_GPU_H
#define SLUICE_GPU_GPU_H

#include "mem/memside.h"
#include "noc/link.h"
#include "noc/xbar.h"
#include "sm/sm.h"

enum { DOMAIN_CORE, DOMAIN_NOC, DOMAIN_L2, DOMAIN_DRAM };

/* Somebody who looks on while a launch runs; what may be NULL is not called. */
struct gpu_watch {
  void *ctx;
  uint64_t every; /* core cycles; 0: never */
  /* The launch is exactly `cycle` cycles old, a multiple of `every`; all counters are up to date. */
  void (*pause)(void *ctx, uint64_t cycle);
  void (*progress)(void *ctx, uint64_t cycle); /* every now and then; nothing may depend on when */
};

struct gpu {
  struct gpu_config k;
  struct engine engine;
  struct sm *sm;
  struct xbar request, response;
  struct link *link; /* nlinks of them; NULL: every SM has its own, straight to the network */
  uint32_t nlinks;
  struct partition *partition;
  struct memside *memside; /* NULL: channels are units of their own */
  struct tech_set *tech;
  uint64_t *issued, *queued; /* by SM, by slice: what their decisions rest on */
  uint64_t next_tick;        /* core cycle of the techniques' next serial decision */
  uint32_t nslices;
  uint32_t *sm_units, *slice_units, *link_units; /* unit numbers, for waking */
  /* the launch */
  struct feed *feed;
  struct error *err;
  unsigned width;
  bool wide;
  uint32_t threads, registers;
  uint64_t shared;
  uint32_t next_sm;
  bool dispatch_wanted;
  uint64_t cycles; /* of all launches, the one that runs included when it ends or pauses */
  uint64_t start;  /* core cycle at which the launch began */
  struct gpu_watch watch;
};

struct gpu *gpu_new(const struct gpu_config *k, const struct conf *c, struct error *err);
void gpu_free(struct gpu *g);
/* Runs a launch to its end on the timing model. The executor must be fresh. */
bool gpu_run(struct gpu *g, struct exec *x, const struct kernel_info *info, const struct launch *l,
             struct functional_machine *told, unsigned warp_width, uint64_t max_cycles, struct error *err);

uint32_t gpu_slice_of(const struct gpu *g, uint64_t line);
void gpu_cta_done(struct gpu *g, struct sm *s);

#endif
