/* Loads of single sectors in a cache where each has a miss register, and a way as soon as it is missed: what a slice of the L2
 * asks in every cycle, short enough to be inlined. */
#ifndef SLUICE_CACHE_SECTOR_H
#define SLUICE_CACHE_SECTOR_H

#include "cache/ways.h"

/* Where a sector goes that is under way: its line's way, which is kept for it, and the miss register. */
struct cache_place {
  uint32_t way, entry;
};

/* Is that so of all that this cache misses, if nothing is kept beside it? */
static inline bool cache_fills_sectors(const struct cache *c) {
  return c->by_place;
}

/* That of a sector that was missed just now. */
static inline struct cache_place cache_sector_place(const struct cache *c, uint32_t sector) {
  return (struct cache_place){(uint32_t)(c->asked - c->way), *way_entry(c, c->asked, sector)};
}

/* Would a load of a sector fetch it, for certain, into a way that the line has already, if there were room in the queue? True
 * stays true until the line is loaded, stored or replaced. The rest of a line follows its first sector, usually: it is the
 * way that was found last. */
static inline bool cache_must_fetch(const struct cache *c, uint64_t line, uint32_t sector) {
  const struct way *w = c->asked;
  return w->line == line && !(sector & (uint32_t)(w->valid | w->pending)) && !w->held && c->by_place &&
         !c->mshr.hashed && !mshr_full(&c->mshr);
}

/* Would loads of these sectors of the line that was asked for last hit, and is nothing under way that could come meanwhile? */
static inline bool cache_will_hit(const struct cache *c, uint64_t line, uint32_t sectors) {
  return c->asked->line == line && !(sectors & ~(uint32_t)c->asked->valid) && !c->mshr.used;
}

/* A sector is missed into a way. */
static inline struct cache_place cache_miss_sector(struct cache *c, struct way *w, uint32_t sector,
                                                   uint32_t waiter) {
  uint32_t e = mshr_take(&c->mshr, cache_key(c, w->line, sector), false);
  mshr_add(&c->mshr, e, waiter);
  c->mshr.entry[e].pending = sector;
  *way_entry(c, w, sector) = e;
  w->pending |= (uint8_t)sector;
  c->stats.accesses++;
  c->stats.misses++;
  return (struct cache_place){(uint32_t)(w - c->way), e};
}

/* The load of a sector of the line that was asked for last, where it hits or must be fetched (then: where it goes);
 * CACHE_FAILED: it is neither, or there is no room, and nothing was done. */
static inline enum cache_outcome cache_load_more(struct cache *c, uint64_t line, uint32_t sector,
                                                 uint32_t waiter, bool queue_room,
                                                 struct cache_place *place) {
  struct way *w = c->asked;
  if (w->line == line && w->valid & sector) {
    c->stats.accesses++;
    c->stats.hits++;
    c->stats.data_reads++;
    way_use(c, w);
    return CACHE_HIT;
  }
  if (!queue_room || !cache_must_fetch(c, line, sector))
    return CACHE_FAILED;
  *place = cache_miss_sector(c, w, sector, waiter);
  way_use(c, w);
  return CACHE_MISS;
}

/* The load of a sector of another line, where it hits, or no way has the line and one is free: then it fails only for want of
 * room in the queue. `r` tells what must be written back. CACHE_PENDING: it is neither, and nothing was done. */
enum cache_outcome cache_load_new(struct cache *c, uint64_t line, uint32_t sector, uint32_t waiter,
                                  bool queue_room, struct cache_place *place, struct cache_result *r);

/* A sector arrived: how many waited for it, and who, oldest first, until the next load. */
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

#endif
