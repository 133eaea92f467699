/* The threads of a crew: how they meet between two windows, start, rest and end. Only for crew.c, and what it lends. */
#ifndef SLUICE_ENGINE_MEET_H
#define SLUICE_ENGINE_MEET_H

#include "engine/crew.h"

/* Runs windows until there is none, the next one being set. */
void meet_run(struct crew *c);
void meet_end(struct crew *c); /* ends the threads */

/* crew.c */
uint64_t crew_first_point(const struct crew *c);
bool crew_between(struct crew *c);
/* A lane's window. */
void crew_run_lane(struct crew *c, unsigned lane, uint64_t end, unsigned parity);
/* All lanes on this thread, until the run ends or `stretch` says so, which is told after every so many windows, at most as many
 * as are left of the stretch; NULL: until the run ends. */
void crew_run_alone(struct crew *c, bool (*stretch)(struct crew *c, uint64_t windows));

/* The end of the window in which the instant `next` is. */
static inline uint64_t crew_whole_window_end(const struct crew *c, uint64_t next) {
  uint64_t end = next - next % c->window + c->window;
  return c->until < end ? c->until : end;
}

/* The same; a serial point does not lie in a window, but cuts it. */
static inline uint64_t crew_window_end(const struct crew *c, uint64_t next, uint64_t point) {
  uint64_t end = crew_whole_window_end(c, next);
  return point < end ? point : end;
}

static inline uint64_t crew_set_window(struct crew *c, uint64_t next, uint64_t point) {
  c->own.whole = crew_whole_window_end(c, next);
  c->own.end = point < c->own.whole ? point : c->own.whole;
  c->own.parity ^= 1;
  c->own.windows++;
  return c->own.end;
}

#endif
