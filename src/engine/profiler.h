/* Counts the work of each shard in each window, and the work between windows, for tools.
 *
 *   count   │ between │ shard 0 │ shard 1 │ … ║ between │ shard 0 │ shard 1 │ … ║
 *
 * Functional execution of the kernel is not counted. Only for a parallel engine of one thread. */
#ifndef SLUICE_ENGINE_PROFILER_H
#define SLUICE_ENGINE_PROFILER_H

#include "base/mem.h"
#include <stdint.h>

struct profiler {
  uint64_t (*read)(void *ctx); /* a count that only rises: time, instructions */
  void *ctx;
  uint64_t last;    /* the count at the last lap, without `apart` */
  uint64_t apart;   /* count of functional execution */
  uint64_t between; /* count of the work since the last window */
  uint32_t *count;
  size_t n, cap;
};

/* The count since the last lap. */
static inline uint64_t profiler_lap(struct profiler *m) {
  uint64_t now = m->read(m->ctx) - m->apart, lap = now - m->last;
  m->last = now;
  return lap;
}

static inline void profiler_between(struct profiler *m) {
  m->between += profiler_lap(m);
}

static inline void profiler_window(struct profiler *m) {
  VEC_PUSH(m->count, m->n, m->cap) = (uint32_t)m->between;
  m->between = 0;
}

static inline void profiler_shard(struct profiler *m) {
  VEC_PUSH(m->count, m->n, m->cap) = (uint32_t)profiler_lap(m);
}

#endif
