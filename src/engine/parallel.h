/* Engines side by side: units are assigned to shards, shards to threads, and time advances in windows.
 *
 *   shard 0   ▐■■■ ■▌■■  ▌■■■■▌      Inside a window shards run on their own. Messages, slots and calls from
 *   shard 1   ▐■■   ▌■■■■▌■   ▌      shard to shard are on their way until the window has ended.
 *            └──W──┘     └ here, on one thread: serial points
 *
 * W is the least latency of a port between units, so that results depend neither on the order in which shards run
 * nor on the number of threads. Windows lie on a grid of multiples of W whatever happens, so that what is done where
 * they end (CTAs start, techniques decide for the whole GPU) is done at the same cycle in every run. */
#ifndef SLUICE_ENGINE_PARALLEL_H
#define SLUICE_ENGINE_PARALLEL_H

#include "base/pool.h"
#include "base/rescue.h"
#include "engine/engine.h"
#include "engine/profiler.h"
#include "engine/pace.h"
#include "engine/event_count.h"

/* A serial point. */
struct parallel_point {
  uint64_t at; /* tick; NEVER: no more */
  uint64_t (*reached)(void *ctx, uint64_t tick);
  void *ctx;
};

enum parallel_end {
  PARALLEL_STOPPED, /* `serial` returned false, `halt` was set, or a thread could not go on */
  PARALLEL_ASLEEP,  /* no unit has anything left to do */
  PARALLEL_LIMIT,   /* `until` is reached */
};

enum { PARALLEL_APART = 64 }; /* a line of the host's cache */

struct parallel_engine {
  struct engine *shard;
  unsigned nshards, nthreads; /* threads: the most that run */
  uint64_t window;            /* ticks */
  bool by_unit;               /* windows of several cycles of every clock: engine_run() */
  struct engine_group *group;
  size_t ngroups, capgroups;
  struct parallel_point *point;
  size_t npoints, cap;
  struct engine_box *box; /* calls between shards */
  struct engine_callers *callers;
  /* Called when a window of a shard begins, with the parity of the window before: delivers what units of other shards have left for the
   * shard in that window. NULL: there is nothing to deliver. */
  void (*deliver)(void *ctx, struct engine *e, unsigned parity);
  void (*collect)(void *ctx, struct engine *e); /* called when the window ends, if `deliver` is set */
  void (*near)(void *ctx, const struct engine *e,
               unsigned parity); /* the host fetches what will be delivered; if `deliver` is set */
  void *deliver_ctx;
  bool adapts; /* threads that do not make the run faster rest; false: all run */
  /* Does a thread outside the engine want a processor? Then one thread rests where all threads would run, and where that is often, all the
   * time. NULL: never */
  bool (*guest)(void *ctx);
  void *guest_ctx;
  struct pace pace;
  struct member *member;     /* the threads (meet.c); NULL: none has been started */
  uint64_t delay;            /* seed of random delays and numbers of threads, for tests; 0: none */
  struct profiler *profiler; /* with one thread only; NULL: not profiled */
  /* the run */
  uint64_t until;
  bool (*serial)(void *ctx);
  void *ctx;
  const bool *halt;
  struct pool *pool; /* of the thread that first runs the engine */
  bool catches; /* the caller of parallel_run() catches panics (base/rescue.h), also those of other threads */
  bool faulted; /* a thread could not go on; why: `fault` */
  struct {
    enum rescue_cause cause;
    char text[1000];
  } fault;
  /* What the first thread writes in every window, apart from what all of them read. */
  struct parallel_own {
    char before[PARALLEL_APART];
    uint64_t end;   /* tick at which the window ends */
    uint64_t whole; /* tick at which the window would end if no serial point had cut it */
    uint64_t windows;
    unsigned parity;
    enum parallel_end how;
    bool go;
    /* several threads */
    struct event_count served; /* serial points */
    uint32_t meetings, serials;
    unsigned active;           /* threads that run in this stretch of windows */
    uint64_t left;             /* windows left in the stretch */
    uint64_t since, ns, steps; /* of the stretch: clock at start, ns before, unit cycles at its begin */
    uint64_t began;            /* windows when the stretch began */
    uint64_t spin;             /* ns that threads spin before they sleep */
    double guests;             /* share of the last stretches in which there was a guest */
    bool crowded;              /* more threads than processors */
    bool quit;
    char behind[PARALLEL_APART];
  } own;
};

/* Makes `nshards` shards and up to `nthreads` threads, at least 1 each; a thread runs several shards when there are more shards than
 * threads. All threads run; see `adapts`. */
void parallel_init(struct parallel_engine *c, const uint64_t *frequency, unsigned n, unsigned nshards,
                   unsigned nthreads);
void parallel_destroy(struct parallel_engine *c);
/* A number by which n units of the same clock are called together. */
uint32_t parallel_group(struct parallel_engine *c, const uint32_t *unit, uint32_t n);
/* Limits the window to the latencies of port p; to be called for every port between units. */
void parallel_border(struct parallel_engine *c, const struct port *p);
/* Sets the window, when parallel_border() was called for all ports. */
void parallel_ready(struct parallel_engine *c);
/* After parallel_ready(): port p takes at most `pushes` messages in a cycle, and gives back at most `pops` slots. */
void parallel_pace(const struct parallel_engine *c, struct port *p, uint32_t pushes, uint32_t pops);
/* Calls `reached` at tick `at`, after everything before that tick was simulated and before anything of that tick;
 * `reached` returns the tick of its next call, and may wake units. For statistics by intervals and decisions for all
 * units. Of serial points at the same tick, the point added first is called first. */
void parallel_point(struct parallel_engine *c, uint64_t at, uint64_t (*reached)(void *ctx, uint64_t tick),
                    void *ctx);
void parallel_forget(struct parallel_engine *c); /* removes all serial points */
/* Simulates everything before `until`. When a unit has set its engine's `asked`, `serial` is called at the end of the
 * window and returns false to stop the run; `*halt` (`halt` may be NULL) stops the run as well. */
enum parallel_end parallel_run(struct parallel_engine *c, uint64_t until, bool (*serial)(void *ctx),
                               void *ctx, const bool *halt);
/* Could a thread not go on? Then c->fault tells why; the run has stopped, and nothing can run again. */
static inline bool parallel_fault(const struct parallel_engine *c) {
  return __atomic_load_n(&c->faulted, __ATOMIC_ACQUIRE);
}
/* Sets all clocks to the last tick of the last window, and delivers what units have left for other shards. */
void parallel_settle(struct parallel_engine *c);
uint64_t parallel_steps(const struct parallel_engine *c); /* unit cycles simulated */
unsigned parallel_ran(const struct parallel_engine *c,
                      double *average); /* threads that ran: the most at a time; average over time */

#endif
