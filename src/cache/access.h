/* Loads, stores and fills of a cache: one text each, compiled with constants (base/specialized.h).
 *
 *   fast      for caches of which cache_fast() is true, while no line goes to a side buffer: lines are replaced by their stamps, and
 *             a miss reserves a way, where the number of its miss register is found; inlined into the L1 and the L2 slice
 *   general   everything that a cache can be; cache.c compiles it once: cache_load(), cache_store(), cache_fill()
 *
 * Functions return the outcome and write into `r` what else the caller has to do: the cause of a reservation fail, or the sectors to
 * fetch and the line that made room. A hit of a load writes nothing. */
#ifndef SLUICE_CACHE_ACCESS_H
#define SLUICE_CACHE_ACCESS_H

#include "base/bits.h"
#include "base/specialized.h"
#include "cache/ways.h"

/* A miss of `sectors` needs a way (unless the line has one, or allocation waits for the fill), a miss register and room in the miss
 * queue. The miss reserves all of them, or changes nothing and fails. `w` is the line's way or NULL; `set` its set, if NULL. */
SPECIALIZED enum cache_outcome cache_miss_as(struct cache *c, struct way *w, struct way *set, uint64_t line,
                                             uint32_t sectors, uint32_t waiter, bool queue_room,
                                             struct cache_result *r, bool fast) {
  struct mshr *m = &c->mshr;
  uint32_t e = !fast                                                      ? cache_entry(c, w, line, sectors)
               : w && w->pending & (c->k.mshr_by_sector ? sectors : 255u) ? *way_entry(c, w, sectors)
                                                                          : MSHR_NONE;
  uint32_t fetch = sectors & ~(e == MSHR_NONE ? 0 : m->entry[e].pending);
  bool entry = e == MSHR_NONE ? m->used < m->entries : m->entry[e].waiters < m->merges;
  bool room = queue_room || !fetch;
  struct way *victim = NULL;
  if (w && w->held && fetch)
    return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
  if (!w && (fast || (c->k.allocate == CACHE_ON_MISS && !c->to_side_buffer))) {
    /* the choice matters only if the miss is accepted, but some policies want to know of every one */
    bool choose = (entry && room) || (!fast && !c->by_stamp && c->policy->asked);
    victim = choose ? way_victim(c, set) : way_free(c, set);
    if (!victim)
      return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
  }
  if (!entry)
    return cache_reservation_fail(c, e == MSHR_NONE ? SLUICE_FAIL_MSHR : SLUICE_FAIL_MERGE, r);
  if (!room)
    return cache_reservation_fail(c, SLUICE_FAIL_QUEUE, r);
  r->fetch = fetch;
  r->evicted = r->replaced = false;
  if (victim) {
    way_replace(c, victim, line, r);
    w = victim;
  }
  if (e == MSHR_NONE) {
    e = mshr_take(m, fetch, waiter);
    if (!fast && !w)
      mshr_hash(m, e, cache_key(c, line, sectors));
  } else {
    m->waiter[(uint64_t)e * m->merges + m->entry[e].waiters++] = waiter;
    m->entry[e].pending |= fetch;
  }
  c->stats.accesses++;
  if (!fetch) {
    c->stats.merges++;
    return CACHE_PENDING;
  }
  c->stats.misses++;
  if (!fast && !c->by_stamp)
    policy_missed(c, e);
  if (fast || w) {
    r->place = (uint32_t)(w - c->way);
    *way_entry(c, w, sectors) = e;
    w->pending |= (uint8_t)fetch;
  }
  return CACHE_MISS;
}

/* A load of `sectors`. */
SPECIALIZED enum cache_outcome cache_load_as(struct cache *c, uint64_t line, uint32_t sectors,
                                             uint32_t waiter, bool queue_room, struct cache_result *r,
                                             bool fast) {
  struct way *w = c->asked, *set = NULL;
  if (w->line != line) {
    set = way_set(c, line);
    w = way_find_in(c, set, line);
    c->asked = w ? w : c->asked;
  }
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  if (!wanted) {
    way_hit(c, w);
    return CACHE_HIT;
  }
  enum cache_outcome o = cache_miss_as(c, w, set, line, wanted, waiter, queue_room, r, fast);
  if (w && o != CACHE_FAILED)
    way_use(c, w);
  return o;
}

/* The sectors in which the byte mask has a bit, and the sectors that the mask covers; of all sectors, or of `only` one of 32 bytes. */
enum { CACHE_ALL_SECTORS = UINT8_MAX };
SPECIALIZED void cache_sectors_of(const struct cache *c, const uint64_t *bytes, uint32_t only,
                                  uint32_t *touched, uint32_t *covered) {
  if (only == CACHE_ALL_SECTORS) {
    cache_all_sectors_of(c, bytes, touched, covered);
    return;
  }
  uint32_t part = (uint32_t)(bytes[only / 2] >> only % 2 * 32);
  *touched = (uint32_t)(part != 0) << only;
  *covered = (uint32_t)(part == UINT32_MAX) << only;
}

/* Writes bytes of the `written` sectors to a line; a sector all of whose bytes are known becomes valid. */
SPECIALIZED void cache_write_as(struct cache *c, struct way *w, const uint64_t *bytes, uint32_t only,
                                uint32_t written, bool dirty) {
  uint64_t *d = way_bytes(c, c->dirty_bytes, w);
  uint64_t *v = way_bytes(c, c->valid_bytes, w);
  uint32_t touched, covered, first = only == CACHE_ALL_SECTORS ? 0 : only / 2;
  uint64_t mask = only == CACHE_ALL_SECTORS ? UINT64_MAX : (uint64_t)UINT32_MAX << only % 2 * 32;
  w->written = true;
  c->stats.data_writes++;
  for (uint32_t i = first; i < (only == CACHE_ALL_SECTORS ? c->line_words : first + 1); i++) {
    v[i] |= bytes[i] & mask;
    if (dirty)
      d[i] |= bytes[i] & mask;
  }
  cache_sectors_of(c, v, only, &touched, &covered);
  if (covered & ~(uint32_t)w->valid) {
    w->valid |= (uint8_t)covered;
    cache_notify(c, w->line, w->valid);
  }
  if (dirty)
    w->dirty |= (uint8_t)written;
}

/* The outcome of a store that fetches nothing: a hit if every written sector has valid bytes, pending if the
 * other sectors are being fetched, else a miss. `w` is the line's way or NULL. */
SPECIALIZED enum cache_outcome cache_store_outcome(const struct cache *c, const struct way *w,
                                                   uint32_t touched, uint32_t only) {
  if (!w)
    return CACHE_MISS;
  uint32_t here = w->valid;
  if (touched & ~here && w->written) {
    uint32_t partly, covered;
    cache_sectors_of(c, way_bytes(c, c->valid_bytes, w), only, &partly, &covered);
    here |= partly;
  }
  return !(touched & ~here) ? CACHE_HIT : !(touched & ~(here | w->pending)) ? CACHE_PENDING : CACHE_MISS;
}

static inline enum cache_outcome cache_count_store(struct cache *c, enum cache_outcome o) {
  c->stats.accesses++;
  c->stats.hits += o == CACHE_HIT;
  c->stats.merges += o == CACHE_PENDING;
  c->stats.misses += o == CACHE_MISS;
  return o;
}

/* A store of `bytes`, or of `only` those in one sector of 32 bytes; by the write policy and what a miss does. */
SPECIALIZED enum cache_outcome cache_store_as(struct cache *c, uint64_t line, const uint64_t *bytes,
                                              uint32_t only, enum cache_write policy,
                                              enum cache_write_miss on_miss, uint32_t waiter, bool queue_room,
                                              struct cache_result *r, bool fast) {
  r->fetch = 0;
  r->waits = r->evicted = r->replaced = false;
  if (policy != CACHE_BACK && !queue_room)
    return cache_reservation_fail(c, SLUICE_FAIL_QUEUE, r);
  struct way *w = way_find_again(c, line, &c->asked);
  if (policy == CACHE_AROUND) {
    if (!w || w->pending)
      return cache_count_store(c, CACHE_MISS);
    way_drop(c, w, r);
    r->replaced = false; /* no line replaces the dropped line */
    return cache_count_store(c, CACHE_HIT);
  }
  uint32_t touched, covered;
  cache_sectors_of(c, bytes, only, &touched, &covered);
  uint32_t lacks = touched & ~(w ? (uint32_t)w->valid : 0u);
  if (!w || lacks) {
    if (w && w->held)
      return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
    if (on_miss == CACHE_NO_ALLOCATE)
      return cache_count_store(c, CACHE_MISS);
    if (on_miss == CACHE_FETCH_ON_WRITE && lacks & ~covered) {
      enum cache_outcome o =
          cache_miss_as(c, w, way_set(c, line), line, lacks & ~covered, waiter, queue_room, r, fast);
      r->waits = o != CACHE_FAILED;
      if (r->waits && (w = way_find(c, line)))
        cache_write_as(c, w, bytes, only, touched, policy == CACHE_BACK);
      return o;
    }
  }
  enum cache_outcome o = cache_store_outcome(c, w, touched, only);
  if (!w) {
    w = way_victim(c, way_set(c, line));
    if (!w)
      return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
    if (w->dirty && !queue_room)
      return cache_reservation_fail(c, SLUICE_FAIL_QUEUE, r);
    way_replace(c, w, line, r);
  }
  cache_count_store(c, o);
  way_use(c, w);
  cache_write_as(c, w, bytes, only, touched, policy == CACHE_BACK);
  return o;
}

/* `sectors` have come: answers the waiters of miss register `e`, and frees the register, if they complete it. */
SPECIALIZED void cache_answer(struct cache *c, uint32_t e, uint32_t sectors,
                              void (*answer)(void *ctx, uint32_t waiter), void *ctx, bool fast) {
  struct mshr_entry *m = &c->mshr.entry[e];
  m->pending &= ~sectors;
  if (m->pending)
    return;
  const uint32_t *waiter = c->mshr.waiter + (uint64_t)e * c->mshr.merges;
  for (const uint32_t *end = waiter + m->waiters; waiter < end; waiter++)
    answer(ctx, *waiter);
  if (!fast && m->hashed)
    mshr_unhash(&c->mshr, e);
  m->next_free = c->mshr.free;
  c->mshr.free = e;
  c->mshr.used--;
}

/* Fills `sectors` of the line, or `one`, whose way is `w` (NULL: the line has none), and answers the waiters of every miss register
 * that is complete, oldest first. */
SPECIALIZED void cache_fill_as(struct cache *c, struct way *w, uint64_t line, uint32_t sectors, bool one,
                               void (*answer)(void *ctx, uint32_t waiter), void *ctx, bool fast) {
  c->stats.fills += one ? 1 : count_bits(sectors);
  if (fast || w) {
    *(!fast && w->held ? &c->late[w - c->way] : &w->valid) |= (uint8_t)sectors;
    cache_notify(c, line, w->valid);
  }
  bool by_sector = c->entries > 1; /* of lines of one sector, either is the same */
  const uint32_t *entry = fast || w ? way_entry(c, w, 1) : NULL;
  uint32_t pending = w ? w->pending : 0;
  if (fast || w)
    w->pending &= (uint8_t)~sectors;
  for (uint32_t left = sectors, each; left; left = one ? 0 : left & ~each) {
    each = !one && by_sector ? left & (0u - left) : left;
    bool in_way = fast || (by_sector ? pending & each : pending);
    uint32_t e =
        in_way ? entry[by_sector ? __builtin_ctz(each) : 0] : mshr_find(&c->mshr, cache_key(c, line, each));
    if (fast || e != MSHR_NONE)
      cache_answer(c, e, each, answer, ctx, fast);
  }
}

/* Would a fast load of `sector` certainly fetch the sector into the way that the line already has, if the miss
 * queue had room? True stays true until the line is loaded, stored or replaced. Only the way of the last
 * lookup is tried: the other sectors of a line usually follow the first one. */
static inline bool cache_must_fetch(const struct cache *c, uint64_t line, uint32_t sector) {
  const struct way *w = c->asked;
  return w->line == line && !(sector & (uint32_t)(w->valid | w->pending)) && !w->held &&
         c->k.mshr_by_sector && c->mshr.used < c->mshr.entries;
}

#endif
