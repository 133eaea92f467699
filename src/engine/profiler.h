/* What is done where, for tools: by each shard in each window, and between windows.
 *
 *   count   │ between │ shard 0 │ shard 1 │ … ║ between │ shard 0 │ shard 1 │ … ║
 *
 * Executing the kernel is apart from that, wherever it happens. Only for a parallel engine of one thread. */
#ifndef SLUICE_ENGINE_PROFILER_H
#define SLUICE_ENGINE_PROFILER_H

#include "base/mem.h"
#include <stdint.h>

struct profiler {
  uint64_t (*read)(void *ctx); /* counts up: time, instructions */
  void *ctx;
  uint64_t last;    /* what it showed when it was last looked at, less what is apart */
  uint64_t apart;   /* executing */
  uint64_t between; /* and not yet followed by a window */
  uint32_t *count;
  size_t n, cap;
};

/* What was done since the last time. */
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
