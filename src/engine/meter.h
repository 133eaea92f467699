/* What is done where, for tools: by each lane in each window, and between windows.
 *
 *   count   │ between │ lane 0 │ lane 1 │ … ║ between │ lane 0 │ lane 1 │ … ║
 *
 * Executing the kernel is apart from that, wherever it happens. Only for a crew of one thread. */
#ifndef SLUICE_ENGINE_METER_H
#define SLUICE_ENGINE_METER_H

#include "base/mem.h"
#include <stdint.h>

struct meter {
  uint64_t (*read)(void *ctx); /* counts up: time, instructions */
  void *ctx;
  uint64_t last;    /* what it showed when it was last looked at, less what is apart */
  uint64_t apart;   /* executing */
  uint64_t between; /* and not yet followed by a window */
  uint32_t *count;
  size_t n, cap;
};

/* What was done since the last time. */
static inline uint64_t meter_lap(struct meter *m) {
  uint64_t now = m->read(m->ctx) - m->apart, lap = now - m->last;
  m->last = now;
  return lap;
}

static inline void meter_between(struct meter *m) {
  m->between += meter_lap(m);
}

static inline void meter_window(struct meter *m) {
  VEC_PUSH(m->count, m->n, m->cap) = (uint32_t)m->between;
  m->between = 0;
}

static inline void meter_lane(struct meter *m) {
  VEC_PUSH(m->count, m->n, m->cap) = (uint32_t)meter_lap(m);
}

#endif
