/* The threads of a parallel engine: how they meet between two windows, start, rest and end. For parallel.c and meet.c only. */
#ifndef SLUICE_ENGINE_MEET_H
#define SLUICE_ENGINE_MEET_H

#include "engine/parallel.h"

/* Runs windows until the run ends; the first window is set by the caller. */
void meet_run(struct parallel_engine *c);
void meet_end(struct parallel_engine *c); /* ends the threads */

/* Functions of parallel.c that meet.c calls. */
uint64_t parallel_first_point(const struct parallel_engine *c);
bool parallel_between(struct parallel_engine *c);
/* Runs a window of a shard. */
void parallel_run_shard(struct parallel_engine *c, unsigned shard, uint64_t end, unsigned parity);
/* Runs all shards on this thread until the run ends or `stretch` returns false. `stretch` is called with the number of windows that have
 * run since its last call, at most as many as are left of the stretch; NULL: until the run ends. */
void parallel_run_alone(struct parallel_engine *c,
                        bool (*stretch)(struct parallel_engine *c, uint64_t windows));

/* The end of the window in which the instant `next` is. */
static inline uint64_t parallel_whole_window_end(const struct parallel_engine *c, uint64_t next) {
  uint64_t end = next - next % c->window + c->window;
  return c->until < end ? c->until : end;
}

/* The end of the window in which the instant `next` is; a serial point within the window ends the window early. */
static inline uint64_t parallel_window_end(const struct parallel_engine *c, uint64_t next, uint64_t point) {
  uint64_t end = parallel_whole_window_end(c, next);
  return point < end ? point : end;
}

static inline uint64_t parallel_set_window(struct parallel_engine *c, uint64_t next, uint64_t point) {
  c->own.whole = parallel_whole_window_end(c, next);
  c->own.end = point < c->own.whole ? point : c->own.whole;
  c->own.parity ^= 1;
  c->own.windows++;
  return c->own.end;
}

#endif
