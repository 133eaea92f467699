/* The fast path of an L1, inlined: loads and fills of lines that are one sector, and stores that allocate no
 * line. */
#ifndef SLUICE_CACHE_FAST_H
#define SLUICE_CACHE_FAST_H

#include "cache/ways.h"

/* A write-around store of a line that has no way: true, and the store is counted. False: the line has a way;
 * nothing has changed. */
static inline bool cache_store_no_allocate(struct cache *c, uint64_t line) {
  if (c->asked->line == line || way_find(c, line))
    return false;
  c->stats.accesses++;
  c->stats.misses++;
  return true;
}

/* A load of a line that is one sector. CACHE_FAILED: the load neither hits nor can reserve a clean way at
 * once; nothing has changed, and cache_load() handles the load. */
static inline enum cache_outcome cache_load_line(struct cache *c, uint64_t line, uint32_t waiter,
                                                 bool queue_room) {
  struct way *w = c->asked, *set = NULL;
  if (w->line != line) {
    set = way_first(c, line);
    w = way_find_in(c, set, line);
  }
  if (w && w->valid) {
    c->asked = w;
    c->stats.accesses++;
    c->stats.hits++;
    c->stats.data_reads++;
    way_use(c, w);
    return CACHE_HIT;
  }
  if (w || !c->takes_first || !queue_room || mshr_full(&c->mshr) || c->mshr.hashed || c->to_side_buffer)
    return CACHE_FAILED;
  w = way_victim(c, set);
  if (!w || w->written || w->dirty)
    return CACHE_FAILED;
  c->stats.evictions += w->line != NO_LINE;
  if (w->valid)
    cache_notify(c, w->line, 0);
  way_install(c, w, line);
  uint32_t e = mshr_take(&c->mshr, line, false);
  mshr_add(&c->mshr, e, waiter);
  c->mshr.entry[e].pending = 1;
  *way_entry(c, w, 1) = e;
  w->valid = 0;
  w->pending = 1;
  c->stats.accesses++;
  c->stats.misses++;
  return CACHE_MISS;
}

/* Fills a line that is one sector and whose miss reserved a way: true, with the number of waiters and, valid
 * until the next load, who they are, oldest first. False: the miss reserved no way; nothing has changed. */
static inline bool cache_fill_line(struct cache *c, uint64_t line, const uint32_t **waiters, uint32_t *n) {
  struct way *w = c->sectors == 1 && !c->to_side_buffer ? way_find_again(c, line, &c->filled) : NULL;
  if (!w || !w->pending || w->held)
    return false;
  uint32_t e = *way_entry(c, w, 1);
  w->pending = 0;
  w->valid = 1;
  cache_notify(c, line, 1);
  c->stats.fills++;
  *waiters = c->mshr.waiter + (size_t)e * c->mshr.merges;
  *n = c->mshr.entry[e].waiters;
  mshr_release(&c->mshr, e);
  return true;
}

#endif
