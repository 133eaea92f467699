/* What an L1 does with most lines, without looking for anything else; short enough to be inlined. */
#ifndef SLUICE_MEM_CACHE_USUAL_H
#define SLUICE_MEM_CACHE_USUAL_H

#include "mem/cache_ways.h"

/* A store around the cache, if it has nothing of the line: true, and it is counted. False: nothing has happened. */
static inline bool cache_pass(struct cache *c, uint64_t line) {
  if (c->asked->line == line || way_find(c, line))
    return false;
  c->stats.accesses++;
  c->stats.misses++;
  return true;
}

/* A whole line arrived that is one sector and was given a way when it was missed: true, with how many waited for it, and who,
 * oldest first, until the next load. False: it was not, and nothing has happened. */
static inline bool cache_fill_line(struct cache *c, uint64_t line, const uint32_t **waiters, uint32_t *n) {
  struct way *w = c->sectors == 1 && !c->aside ? way_find_again(c, line, &c->filled) : NULL;
  if (!w || !w->pending || w->held)
    return false;
  uint32_t e = *way_entry(c, w, 1);
  w->pending = 0;
  w->valid = 1;
  cache_tell(c, line, 1);
  c->stats.fills++;
  *waiters = c->mshr.waiter + (size_t)e * c->mshr.merges;
  *n = c->mshr.entry[e].waiters;
  mshr_release(&c->mshr, e);
  return true;
}

#endif
