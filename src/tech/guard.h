/* A unit's guard against mistakes of the technique on its hook, which may be a plugin: it knows which requests the
 * technique's order holds. A mistake is noted; the launch stops at the end of the window, and the error says who made it. */
#ifndef SLUICE_TECH_GUARD_H
#define SLUICE_TECH_GUARD_H

#include "sluice_technique.h"

struct tech_set;

struct tech_guard {
  uint64_t *held; /* a bit for each handle */
  uint32_t words;
  bool *broken;     /* of the set of techniques: one of them has made a mistake */
  const char *what; /* the mistake; NULL: none */
  uint32_t handle;  /* of the request it was made with, */
  uint64_t cycle;   /* and when, in cycles of the unit */
};

void guard_init(struct tech_guard *g, struct tech_set *s);
void guard_destroy(struct tech_guard *g);

/* The order is offered a request: it may ask about it. Then it holds it, or (guard_leaves) does not, or no longer. */
void guard_enters(struct tech_guard *g, uint32_t handle);
void guard_leaves(struct tech_guard *g, uint32_t handle);

/* Notes a mistake; the first one counts. Always false. */
bool guard_wrong(struct tech_guard *g, const char *what, uint32_t handle, uint64_t cycle);

static inline bool guard_holds(const struct tech_guard *g, uint32_t handle) {
  return handle / 64 < g->words && g->held[handle / 64] >> handle % 64 & 1;
}

/* What pick() has answered, if it can be: SLUICE_NONE, or a request that the order holds. */
static inline uint32_t guard_pick(struct tech_guard *g, uint32_t handle, uint64_t cycle) {
  if (handle == SLUICE_NONE || guard_holds(g, handle) ||
      guard_wrong(g, "pick() named a request that it does not hold", handle, cycle))
    return handle;
  return SLUICE_NONE;
}

#endif
