/* The machine: SMs, two crossbars, memory channels; and the launch that runs on it. */
#ifndef SLUICE_GPU_GPU_H
#define SLUICE_GPU_GPU_H

#include "gpu/occupancy.h"
#include "engine/parallel.h"
#include "gpu/partitioner.h"
#include "l2/memory_side.h"
#include "noc/link.h"
#include "noc/xbar.h"
#include "core/sm.h"

/* How it is simulated: nothing here changes what comes out. */
enum { GPU_MOST_THREADS = 64 };
struct gpu_options {
  unsigned threads, shards; /* 0 threads: as many as help; 0 shards: as many as the threads want */
  bool exact;               /* all threads run, whether they help or not */
  bool no_skip, general;
  uint64_t shuffle;
  uint64_t delays;           /* seed of random delays; 0: none */
  bool forgets;              /* units that share state keep no calls: what determinism tests must notice */
  struct profiler *profiler; /* NULL: none */
};

/* Somebody who looks on while a launch runs; what may be NULL is not called. */
struct gpu_watch {
  void *ctx;
  uint64_t every; /* core cycles; 0: never */
  /* The launch is exactly `cycle` cycles old, a multiple of `every`; all counters are up to date. */
  void (*pause)(void *ctx, uint64_t cycle);
  void (*progress)(void *ctx, uint64_t cycle); /* every now and then; nothing may depend on when */
  const bool *cancelled;                       /* set by the two above: the launch is to end */
  void (*cta)(void *ctx, uint32_t sm, const struct supply_cta *c); /* a CTA has ended; on one thread */
};

struct functional_machine;
struct gpu {
  struct gpu_config k;
  struct parallel_engine parallel;
  struct partitioner partitioner;
  struct sm *sm;
  struct xbar request, response, ack; /* the last: where the L2 includes the L1s */
  struct link *link; /* nlinks of them; NULL: every SM has its own, straight to the network */
  uint32_t nlinks;
  struct scalar *scalar; /* nscalars of them: caches that compute units share */
  uint32_t nscalars;
  struct stream_caches *stream; /* by level and link; NULL: none */
  uint32_t nstreams;
  struct partition *partition;
  struct memory_side *memory_side; /* NULL: channels are units of their own */
  struct tech_set *tech;
  uint64_t *issued, *queued; /* by SM, by slice: what their decisions rest on */
  uint64_t next_tick;        /* core cycle of the techniques' next serial decision */
  uint32_t nslices;
  uint32_t *sm_units, *slice_units, *link_units, *ends; /* unit numbers, for waking */
  uint64_t delays; /* seed of random delays of threads that execute; 0: none */
  enum supply_mode mode;
  struct team *team;      /* who executes before CTAs start; NULL: one thread */
  struct sm_ended *ended; /* by shard */
  /* The launch after the one that runs, where it is known: it is executed as soon as the one before it is. */
  struct gpu_ahead {
    struct exec *x;
    struct supply *supply; /* NULL: there is none */
  } ahead;
  /* the launch */
  struct functional_machine *told;
  struct sm_launch launch;
  struct work_numbers work; /* of kinds of instructions */
  struct occupancy occupancy;
  uint32_t next_place;
  uint32_t *in_turn, *place; /* SM of each place in the order in which SMs take CTAs; place of each SM */
  uint64_t started;          /* CTAs of this launch */
  uint64_t *room;            /* set of places whose SMs may have room for a CTA */
  uint64_t running;          /* CTAs */
  uint64_t last_end;         /* core cycle at which one ended */
  bool draining;             /* none is left, but something of them is */
  bool stuck, interrupted;
  uint64_t watched, moved; /* unit cycles and motion when it last was looked whether anything moves */
  uint64_t launches;
  uint64_t cycles; /* of all launches, the one that runs included when it ends or pauses */
  uint64_t start;  /* core cycle at which the launch began */
  struct gpu_watch watch;
};

struct gpu *gpu_new(const struct gpu_config *k, const struct conf *c, const struct gpu_options *o,
                    struct error *err);
void gpu_free(struct gpu *g);
/* Runs a launch to its end on the timing model. The executor must be fresh, or the one that told->next gave. */
bool gpu_run(struct gpu *g, struct exec *x, const struct kernel_info *info, const struct launch *l,
             struct functional_machine *told, unsigned warp_width, uint64_t max_cycles, struct error *err);
/* The launch that told->next gave will not be run. */
void gpu_forget_next(struct gpu *g);

/* connect.c */
void gpu_connect(struct gpu *g);     /* when all units are there */
void gpu_set_windows(struct gpu *g); /* when all ends are known */
/* dispatch.c */
void gpu_first_ctas(struct gpu *g);
bool gpu_between_windows(
    void *gpu); /* releases what has ended, starts what fits; false: the launch is over */
void gpu_watch_motion(struct gpu *g);

/* Adds to err who waits for whom when nothing moves. */
void gpu_explain(const struct gpu *g, struct error *err);

#endif
