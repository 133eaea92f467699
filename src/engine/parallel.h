/* Engines side by side: units are dealt to shards, shards to threads, and time goes on in windows.
 *
 *   shard 0   ▐■■■ ■▌■■  ▌■■■■▌      Inside a window shards run on their own. What crosses from one to another,
 *   shard 1   ▐■■   ▌■■■■▌■   ▌      messages, slots and calls, is on its way until the window has ended.
 *            └──W──┘     └ here, on one thread: serial points
 *
 * W is the least latency of a port between units, so that nobody can notice in which order shards run, or
 * on how many threads. Windows lie on a grid of multiples of W whatever happens, so that what is done where
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
  PARALLEL_STOPPED, /* a serial point said so */
  PARALLEL_ASLEEP,  /* nobody has anything to do any more */
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
  /* Called as a shard's window begins, with the parity of the one before: what units of other shards have left for it there.
   * NULL: nothing but calls. */
  void (*deliver)(void *ctx, struct engine *e, unsigned parity);
  void (*collect)(void *ctx, struct engine *e); /* as it ends; with deliver */
  void *deliver_ctx;
  bool adapts; /* threads that do not help rest; else all run */
  /* Does a thread of somebody else's want one of the processors? Where all threads would run, one rests then. NULL: never */
  bool (*guest)(void *ctx);
  void *guest_ctx;
  struct pace pace;
  struct member *member;     /* the threads (meet.c); NULL: none has been started */
  uint64_t delay;            /* seed of random delays and numbers of threads, for tests; 0: none */
  struct profiler *profiler; /* of one thread; NULL: nobody wants to know */
  /* the run */
  uint64_t until;
  bool (*serial)(void *ctx);
  void *ctx;
  const bool *halt;
  struct pool *pool; /* of the thread that runs it first */
  bool catches;      /* whoever runs it has a boundary (base/rescue.h): panics of other threads are for it */
  bool faulted;      /* a thread could not go on: */
  struct {
    enum rescue_cause cause;
    char text[1000];
  } fault;
  /* What the first thread writes in every window, apart from what all of them read. */
  struct parallel_own {
    char before[PARALLEL_APART];
    uint64_t end;   /* of the window */
    uint64_t whole; /* the same, as if no serial point had cut the window */
    uint64_t windows;
    unsigned parity;
    enum parallel_end how;
    bool go;
    /* several threads */
    struct event_count served; /* serial points */
    uint32_t meetings, serials;
    unsigned active;           /* threads that run in this stretch of windows, */
    uint64_t left;             /* which has so many more, */
    uint64_t since, ns, steps; /* has run since, and before that for so long; unit cycles when it began */
    uint64_t began;            /* windows when it began */
    uint64_t spin;             /* ns that threads spin before they sleep */
    bool crowded;              /* more threads than processors */
    bool quit;
    char behind[PARALLEL_APART];
  } own;
};

/* Lanes and threads, at least 1 each; a thread runs several shards when there are more of them. All threads run; see `adapts`. */
void parallel_init(struct parallel_engine *c, const uint64_t *frequency, unsigned n, unsigned nshards,
                   unsigned nthreads);
void parallel_destroy(struct parallel_engine *c);
/* A number by which n units of the same clock are called together. */
uint32_t parallel_group(struct parallel_engine *c, const uint32_t *unit, uint32_t n);
/* The window that a border allows: call it for every port between units. */
void parallel_border(struct parallel_engine *c, const struct port *p);
/* When all borders are known. */
void parallel_ready(struct parallel_engine *c);
/* Then: a port takes at most so many messages in a cycle, and gives back at most so many slots. */
void parallel_pace(const struct parallel_engine *c, struct port *p, uint32_t pushes, uint32_t pops);
/* Calls `reached` at a tick, after everything before it was simulated and before anything of it; it returns
 * the tick at which it is to be called next. For statistics by intervals and decisions for all units; it may
 * wake units. Of points that fall together the one added first comes first. */
void parallel_point(struct parallel_engine *c, uint64_t at, uint64_t (*reached)(void *ctx, uint64_t tick),
                    void *ctx);
void parallel_forget(struct parallel_engine *c); /* all of them */
/* Simulates what is before `until`. A unit that has set its engine's `asked` is followed by a call of `serial`
 * at the end of the window, which returns false to stop; `*halt` (may be NULL) stops as well. */
enum parallel_end parallel_run(struct parallel_engine *c, uint64_t until, bool (*serial)(void *ctx),
                               void *ctx, const bool *halt);
/* Could a thread not go on? Then c->fault tells why; the run has stopped, and nothing can run again. */
static inline bool parallel_fault(const struct parallel_engine *c) {
  return __atomic_load_n(&c->faulted, __ATOMIC_ACQUIRE);
}
/* All clocks show the last window's end, less a tick, and what was left for other shards is delivered. */
void parallel_settle(struct parallel_engine *c);
uint64_t parallel_steps(const struct parallel_engine *c); /* unit cycles simulated */
unsigned parallel_ran(const struct parallel_engine *c,
                      double *average); /* threads: most at a time; over time */

#endif
