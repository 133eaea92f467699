/* Fast paths, inlined: which accesses they take is written for each, and what a hit, a miss and a fill do is written once
 * (way_hit(), cache_miss_sector(), cache_fill_sector()). Of an L1: loads and fills of lines that are one sector, and stores that
 * allocate no line. */
#ifndef SLUICE_CACHE_FAST_H
#define SLUICE_CACHE_FAST_H

#include "cache/ways.h"

/* Where a fetched sector goes: the way reserved for its line, and its miss register. */
struct cache_place {
  uint32_t way, entry;
};

/* Counts a miss of `sector` and reserves a miss register for the sector in way `w`. */
static inline struct cache_place cache_miss_sector(struct cache *c, struct way *w, uint32_t sector,
                                                   uint32_t waiter) {
  uint32_t e = mshr_take(&c->mshr, cache_key(c, w->line, sector), false, waiter);
  c->mshr.entry[e].pending = sector;
  *way_entry(c, w, sector) = e;
  w->pending |= (uint8_t)sector;
  c->stats.accesses++;
  c->stats.misses++;
  return (struct cache_place){(uint32_t)(w - c->way), e};
}

/* Fills a sector. Returns the number of waiters; `waiters`, oldest first, is valid until the next load. */
static inline uint32_t cache_fill_sector(struct cache *c, struct cache_place at, uint32_t sector,
                                         const uint32_t **waiters) {
  struct way *w = &c->way[at.way];
  w->pending &= (uint8_t)~sector;
  w->valid |= (uint8_t)sector;
  cache_notify(c, w->line, w->valid);
  c->stats.fills++;
  *waiters = c->mshr.waiter + (size_t)at.entry * c->mshr.merges;
  uint32_t n = c->mshr.entry[at.entry].waiters;
  mshr_release(&c->mshr, at.entry);
  return n;
}

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
    way_hit(c, w);
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
  w->valid = 0;
  cache_miss_sector(c, w, 1, waiter);
  return CACHE_MISS;
}

/* Fills a line that is one sector and whose miss reserved a way: true, with the number of waiters and, valid
 * until the next load, who they are, oldest first. False: the miss reserved no way; nothing has changed. */
static inline bool cache_fill_line(struct cache *c, uint64_t line, const uint32_t **waiters, uint32_t *n) {
  struct way *w = c->sectors == 1 && !c->to_side_buffer ? way_find_again(c, line, &c->filled) : NULL;
  if (!w || !w->pending || w->held)
    return false;
  *n = cache_fill_sector(c, (struct cache_place){(uint32_t)(w - c->way), *way_entry(c, w, 1)}, 1, waiters);
  return true;
}

/* The fast path of an L2 slice, inlined: loads of single sectors in a cache where each sector has a miss
 * register and a miss reserves a way. */

/* Does every miss of this cache reserve a way and a miss register per sector (while no side buffer is in
 * use)? */
static inline bool cache_fills_sectors(const struct cache *c) {
  return c->by_place;
}

/* The place of a sector that missed in the last lookup. */
static inline struct cache_place cache_sector_place(const struct cache *c, uint32_t sector) {
  return (struct cache_place){(uint32_t)(c->asked - c->way), *way_entry(c, c->asked, sector)};
}

/* Would a load of `sector` certainly fetch the sector into the way that the line already has, if the miss
 * queue had room? True stays true until the line is loaded, stored or replaced. Only the way of the last
 * lookup is tried: the other sectors of a line usually follow the first one. */
static inline bool cache_must_fetch(const struct cache *c, uint64_t line, uint32_t sector) {
  const struct way *w = c->asked;
  return w->line == line && !(sector & (uint32_t)(w->valid | w->pending)) && !w->held && c->by_place &&
         !c->mshr.hashed && !mshr_full(&c->mshr);
}

/* Would loads of these sectors of the line of the last lookup hit, with no fetch under way that could change
 * that? */
static inline bool cache_will_hit(const struct cache *c, uint64_t line, uint32_t sectors) {
  return c->asked->line == line && !(sectors & ~(uint32_t)c->asked->valid) && !c->mshr.used;
}

/* The load of a sector of the line of the last lookup, if the load hits or must fetch (`place` says where
 * to); CACHE_FAILED: neither, or the miss queue is full; nothing has changed. */
static inline enum cache_outcome cache_load_more(struct cache *c, uint64_t line, uint32_t sector,
                                                 uint32_t waiter, bool queue_room,
                                                 struct cache_place *place) {
  struct way *w = c->asked;
  if (w->line == line && w->valid & sector) {
    way_hit(c, w);
    return CACHE_HIT;
  }
  if (!queue_room || !cache_must_fetch(c, line, sector))
    return CACHE_FAILED;
  *place = cache_miss_sector(c, w, sector, waiter);
  way_use(c, w);
  return CACHE_MISS;
}

/* The load of a sector of another line, if the load hits, or the line has no way and a way is free: the load
 * then fails only while the miss queue is full. `r` has the victim. CACHE_PENDING: neither; nothing has
 * changed. */
enum cache_outcome cache_load_new(struct cache *c, uint64_t line, uint32_t sector, uint32_t waiter,
                                  bool queue_room, struct cache_place *place, struct cache_result *r);

#endif
