/* Loads, stores and fills. */
#include "base/bits.h"
#include "base/hot.h"
#include "cache/fast.h"
#include <string.h>

HOT struct way *way_victim(struct cache *c, struct way *set) {
  enum { NUMBER = 16 }; /* bits of a way's number in the key */
  uint64_t least =
      UINT64_MAX; /* stamp and number of the way in one key, so that the minimum needs no unpredictable branch */
  for (uint64_t i = 0; i < c->k.ways; i++) {
    uint64_t taken = 0 - (uint64_t)((set[i].pending | set[i].held) != 0);
    uint64_t key = (set[i].stamp << NUMBER | i) | taken;
    least = key < least ? key : least;
  }
  if (least == UINT64_MAX)
    return NULL;
  if (!(least >> NUMBER) || c->by_stamp)
    return set + (least & ((1u << NUMBER) - 1));
  return policy_victim(c, set);
}

/* Any way that way_victim() could choose; NULL: none. */
static struct way *way_free(const struct cache *c, struct way *set) {
  for (struct way *w = set, *end = set + c->k.ways; w < end; w++)
    if (w->line == NO_LINE || !(w->pending | w->held))
      return w;
  return NULL;
}

static uint32_t count_bytes(const struct cache *c, const uint64_t *bytes) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->line_words; i++)
    n += count_bits(bytes[i]);
  return n;
}

HOT void way_evict(struct cache *c, struct way *w, struct cache_result *r) {
  c->stats.evictions += w->line != NO_LINE;
  if (!c->by_stamp && w->line != NO_LINE)
    policy_replaced(c, w);
  way_drop(c, w, r);
}

HOT void way_drop(struct cache *c, struct way *w, struct cache_result *r) {
  if (w->line == NO_LINE)
    return;
  r->replaced = true;
  r->replaced_owner = w->owner;
  r->replaced_line = w->line;
  r->replaced_valid = w->valid;
  if (w->dirty) {
    c->stats.writebacks++;
    r->evicted = true;
    r->victim = w->line;
    r->victim_sectors = w->dirty;
    const uint64_t *bytes = way_bytes(c, c->dirty_bytes, w);
    r->victim_bytes = count_bytes(c, bytes);
    r->victim_mask[0] = bytes[0];
    r->victim_mask[1] = c->line_words > 1 ? bytes[1] : 0;
  }
  if (w->written) {
    memset(way_bytes(c, c->dirty_bytes, w), 0, c->line_words * sizeof(uint64_t));
    memset(way_bytes(c, c->valid_bytes, w), 0, c->line_words * sizeof(uint64_t));
  }
  if (w->valid)
    cache_notify(c, w->line, 0);
  w->line = NO_LINE;
  w->stamp = 0;
  w->written = false;
  w->valid = w->dirty = w->pending = 0;
}

/* A miss of `sectors` needs a way (unless the line has one, or allocation waits for the fill), a miss
 * register and room in the miss queue. The miss reserves all of them, or changes nothing and returns false.
 * `w` is the line's way or NULL; `r` is empty. */
static bool miss(struct cache *c, struct way *w, struct way *set, uint64_t line, uint32_t sectors,
                 uint32_t waiter, bool queue_room, struct cache_result *r) {
  r->outcome = CACHE_MISS;
  uint32_t e = cache_entry(c, w, line, sectors);
  uint32_t asked = e == MSHR_NONE ? 0 : c->mshr.entry[e].pending;
  bool entry = e == MSHR_NONE ? !mshr_full(&c->mshr) : mshr_can_merge(&c->mshr, e);
  bool room = queue_room || !(sectors & ~asked);
  if (w && w->held && sectors & ~asked)
    return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
  struct way *victim = NULL;
  if (!w && c->k.allocate == CACHE_ON_MISS && !c->to_side_buffer) {
    /* the choice matters only if the miss is accepted, but some policies want to know of every one */
    bool choose = (entry && room) || (!c->by_stamp && c->policy->asked);
    victim = choose ? way_victim(c, set) : way_free(c, set);
    if (!victim)
      return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
  }
  if (!entry)
    return cache_reservation_fail(c, e == MSHR_NONE ? SLUICE_FAIL_MSHR : SLUICE_FAIL_MERGE, r);
  if (!room)
    return cache_reservation_fail(c, SLUICE_FAIL_QUEUE, r);
  r->fetch = sectors & ~asked;
  if (victim) {
    way_evict(c, victim, r);
    way_install(c, victim, line);
    w = victim;
  }
  if (e == MSHR_NONE)
    e = mshr_take(&c->mshr, cache_key(c, line, sectors), !w, waiter);
  else
    mshr_add(&c->mshr, e, waiter);
  if (!c->by_stamp && r->fetch)
    policy_missed(c, e);
  c->mshr.entry[e].pending |= r->fetch;
  if (w && r->fetch) {
    *way_entry(c, w, sectors) = e;
    w->pending |= (uint8_t)r->fetch;
  }
  c->stats.accesses++;
  if (!r->fetch) {
    r->outcome = CACHE_PENDING;
    c->stats.merges++;
  } else {
    c->stats.misses++;
  }
  return true;
}

void cache_fail_again(struct cache *c, enum sluice_fail why) {
  c->stats.fails[why]++;
}

HOT bool cache_hit(struct cache *c, uint64_t line, uint32_t sectors) {
  struct way *w = way_find_again(c, line, &c->asked);
  if (!w || sectors & ~(uint32_t)w->valid)
    return false;
  way_hit(c, w);
  return true;
}

void cache_load_to(struct cache *c, uint64_t line, uint32_t sectors, uint32_t waiter, bool queue_room,
                   struct cache_result *r) {
  struct way *w = c->asked, *set = NULL;
  if (w->line != line) {
    set = way_first(c, line);
    w = way_find_in(c, set, line);
    c->asked = w ? w : c->asked;
  }
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  *r = (struct cache_result){.outcome = CACHE_HIT};
  if (!wanted)
    way_hit(c, w);
  else if (miss(c, w, set, line, wanted, waiter, queue_room, r) && w)
    way_use(c, w);
}

struct cache_result cache_acquire(struct cache *c, uint64_t line, uint32_t waiter, bool queue_room) {
  struct cache_result r = {.outcome = CACHE_HIT};
  struct way *set = way_first(c, line), *w = way_find_in(c, set, line);
  if (miss(c, w, set, line, 1, waiter, queue_room, &r) && w)
    way_use(c, w);
  return r;
}

void cache_load_hits(struct cache *c, uint32_t n) {
  c->stats.accesses += n;
  c->stats.hits += n;
  c->stats.data_reads += n;
  c->clock += c->stamps_uses ? n - 1 : 0;
  way_use(c, c->asked);
}

HOT enum cache_outcome cache_load_new(struct cache *c, uint64_t line, uint32_t sector, uint32_t waiter,
                                      bool queue_room, struct cache_place *place, struct cache_result *r) {
  struct way *set = way_first(c, line), *w = way_find_in(c, set, line);
  if (w && w->valid & sector) {
    c->asked = w;
    way_hit(c, w);
    return CACHE_HIT;
  }
  if (w || c->mshr.hashed || c->to_side_buffer || mshr_full(&c->mshr))
    return CACHE_PENDING;
  w = queue_room ? way_victim(c, set) : way_free(c, set);
  if (!w)
    return CACHE_PENDING;
  if (!queue_room) {
    c->stats.fails[SLUICE_FAIL_QUEUE]++;
    return CACHE_FAILED;
  }
  r->evicted = false;
  way_evict(c, w, r);
  way_install(c, w, line);
  *place = cache_miss_sector(c, w, sector, waiter);
  return CACHE_MISS;
}

/* The sectors in which the byte mask has a bit, and the sectors that the mask covers. */
static void sectors_of(const struct cache *c, const uint64_t *bytes, uint32_t *touched, uint32_t *covered) {
  if (c->k.sector_bytes == 32 && c->sectors == 4) { /* four sectors of 32 bytes, as in most presets */
    uint32_t a = (uint32_t)bytes[0], b = (uint32_t)(bytes[0] >> 32);
    uint32_t d = (uint32_t)bytes[1], e = (uint32_t)(bytes[1] >> 32), whole = UINT32_MAX;
    *touched = (a != 0) | (uint32_t)(b != 0) << 1 | (uint32_t)(d != 0) << 2 | (uint32_t)(e != 0) << 3;
    *covered = (a == whole) | (uint32_t)(b == whole) << 1 | (uint32_t)(d == whole) << 2 |
               (uint32_t)(e == whole) << 3;
    return;
  }
  *touched = *covered = 0;
  for (uint32_t s = 0; s < c->sectors; s++) {
    uint32_t from = s << c->sector_shift, n = c->k.sector_bytes, set = 0;
    for (uint32_t b = from; b < from + n;) {
      uint32_t in = b & 63, take = 64 - in < from + n - b ? 64 - in : from + n - b;
      uint64_t part = bytes[b >> 6] >> in;
      if (take < 64)
        part &= (UINT64_C(1) << take) - 1;
      set += count_bits(part);
      b += take;
    }
    *touched |= (uint32_t)(set != 0) << s;
    *covered |= (uint32_t)(set == n) << s;
  }
}

/* Writes bytes of the `written` sectors to a line; a sector all of whose bytes are known becomes valid. */
static void write_bytes(struct cache *c, struct way *w, const uint64_t *bytes, uint32_t written, bool dirty) {
  uint64_t *d = way_bytes(c, c->dirty_bytes, w), *v = way_bytes(c, c->valid_bytes, w);
  uint32_t touched, covered;
  w->written = 1;
  c->stats.data_writes++;
  for (uint32_t i = 0; i < c->line_words; i++) {
    v[i] |= bytes[i];
    if (dirty)
      d[i] |= bytes[i];
  }
  sectors_of(c, v, &touched, &covered);
  if (covered & ~(uint32_t)w->valid)
    cache_notify(c, w->line, w->valid | covered);
  w->valid |= (uint8_t)covered;
  if (dirty)
    w->dirty |= (uint8_t)written;
}

/* The outcome of a store that fetches nothing: a hit if every written sector has valid bytes, pending if the
 * other sectors are being fetched, else a miss. `w` is the line's way or NULL. */
static enum cache_outcome store_outcome(const struct cache *c, const struct way *w, uint32_t touched) {
  if (!w)
    return CACHE_MISS;
  uint32_t here = w->valid;
  if (touched & ~here && w->written) {
    uint32_t partly, covered;
    sectors_of(c, way_bytes(c, c->valid_bytes, w), &partly, &covered);
    here |= partly;
  }
  return !(touched & ~here) ? CACHE_HIT : !(touched & ~(here | w->pending)) ? CACHE_PENDING : CACHE_MISS;
}

static void count_store(struct cache *c, enum cache_outcome o) {
  c->stats.accesses++;
  c->stats.hits += o == CACHE_HIT;
  c->stats.merges += o == CACHE_PENDING;
  c->stats.misses += o == CACHE_MISS;
}

HOT struct cache_result cache_store(struct cache *c, uint64_t line, const uint64_t *bytes,
                                    enum cache_write policy, enum cache_write_miss on_miss, uint32_t waiter,
                                    bool queue_room) {
  struct cache_result r = {.outcome = CACHE_HIT};
  if (policy != CACHE_BACK && !queue_room)
    return cache_reservation_fail(c, SLUICE_FAIL_QUEUE, &r), r;
  struct way *w = way_find_again(c, line, &c->asked);
  if (policy == CACHE_AROUND) {
    c->stats.accesses++;
    if (w && !w->pending) {
      way_drop(c, w, &r);
      r.replaced = false; /* no line replaces the dropped line */
      c->stats.hits++;
    } else {
      r.outcome = CACHE_MISS;
      c->stats.misses++;
    }
    return r;
  }
  uint32_t touched, covered;
  sectors_of(c, bytes, &touched, &covered);
  bool known = w && !(touched & ~(uint32_t)w->valid);
  if (!known && w && w->held)
    return cache_reservation_fail(c, SLUICE_FAIL_WAYS, &r), r;
  if (!known && on_miss == CACHE_NO_ALLOCATE) {
    c->stats.accesses++;
    c->stats.misses++;
    r.outcome = CACHE_MISS;
    return r;
  }
  if (!known && on_miss == CACHE_FETCH_ON_WRITE && (touched & ~covered & ~(w ? w->valid : 0u))) {
    uint32_t wanted = touched & ~covered & ~(w ? (uint32_t)w->valid : 0u);
    r.waits = miss(c, w, way_first(c, line), line, wanted, waiter, queue_room, &r);
    if (r.waits && (w = way_find(c, line)))
      write_bytes(c, w, bytes, touched, policy == CACHE_BACK);
    return r;
  }
  r.outcome = store_outcome(c, w, touched);
  if (!w) {
    w = way_victim(c, way_first(c, line));
    if (!w)
      return cache_reservation_fail(c, SLUICE_FAIL_WAYS, &r), r;
    if (w->dirty && !queue_room)
      return cache_reservation_fail(c, SLUICE_FAIL_QUEUE, &r), r;
    way_evict(c, w, &r);
    way_install(c, w, line);
  }
  count_store(c, r.outcome);
  way_use(c, w);
  write_bytes(c, w, bytes, touched, policy == CACHE_BACK);
  return r;
}

HOT enum cache_outcome cache_store_in(struct cache *c, uint64_t line, uint32_t sector,
                                      const uint64_t *bytes) {
  enum { HALF = 32 }; /* bits of half a word: the bytes of a sector */
  unsigned word = sector / 2, shift = sector % 2 * HALF, bit = 1u << sector;
  uint64_t part = bytes[word] & (uint64_t)UINT32_MAX << shift;
  struct way *w = way_find_again(c, line, &c->asked);
  if (!w || w->held || c->k.sector_bytes != HALF || !part)
    return CACHE_FAILED;
  uint64_t *valid = way_bytes(c, c->valid_bytes, w) + word;
  bool whole = w->valid & bit;
  enum cache_outcome o = whole || (uint32_t)(*valid >> shift) ? CACHE_HIT
                         : w->pending & bit                   ? CACHE_PENDING
                                                              : CACHE_MISS;
  *valid |= part;
  way_bytes(c, c->dirty_bytes, w)[word] |= part;
  if (!whole && (uint32_t)(*valid >> shift) == UINT32_MAX) {
    w->valid |= (uint8_t)bit;
    cache_notify(c, line, w->valid);
  }
  w->dirty |= (uint8_t)bit;
  w->written = true;
  way_use(c, w);
  count_store(c, o);
  c->stats.data_writes++;
  return o;
}

void cache_answer(struct cache *c, uint32_t e, uint32_t sectors, void (*answer)(void *, uint32_t),
                  void *ctx) {
  if (e == MSHR_NONE)
    return;
  struct mshr_entry *m = &c->mshr.entry[e];
  m->pending &= ~sectors;
  if (m->pending)
    return;
  for (uint32_t i = 0; i < m->waiters; i++)
    answer(ctx, c->mshr.waiter[(uint64_t)e * c->mshr.merges + i]);
  mshr_release(&c->mshr, e);
}

void cache_answer_sectors(struct cache *c, struct way *w, uint64_t line, uint32_t sectors,
                          void (*answer)(void *, uint32_t), void *ctx) {
  uint32_t pending = w ? w->pending : 0;
  if (w)
    w->pending &= (uint8_t)~sectors;
  if (!c->k.mshr_by_sector) {
    cache_answer(c, pending ? *way_entry(c, w, sectors) : mshr_find(&c->mshr, line), sectors, answer, ctx);
    return;
  }
  for (uint32_t s = sectors; s; s &= s - 1) {
    uint32_t each = s & (0u - s);
    cache_answer(c, pending & each ? *way_entry(c, w, each) : mshr_find(&c->mshr, cache_key(c, line, each)),
                 each, answer, ctx);
  }
}

struct cache_result cache_fill(struct cache *c, uint64_t line, uint32_t sectors,
                               void (*answer)(void *ctx, uint32_t waiter), void *ctx) {
  struct cache_result r = {.outcome = CACHE_HIT};
  struct way *w = way_find_again(c, line, &c->filled);
  if (!w && (c->k.allocate == CACHE_ON_FILL || c->to_side_buffer)) {
    if (!c->by_stamp)
      policy_fills(c, line, sectors);
    w = way_victim(c, way_first(c, line));
    if (w) {
      way_evict(c, w, &r);
      way_install(c, w, line);
    } else if (!c->to_side_buffer) {
      cache_reservation_fail(c, SLUICE_FAIL_WAYS, &r);
      return r;
    }
  }
  if (w) {
    *(w->held ? &c->late[w - c->way] : &w->valid) |= (uint8_t)sectors;
    cache_notify(c, line, w->valid);
  }
  c->stats.fills += sectors & (sectors - 1) ? count_bits(sectors) : sectors != 0;
  cache_answer_sectors(c, w, line, sectors, answer, ctx);
  return r;
}

struct cache_result cache_prefetch(struct cache *c, uint64_t line, uint32_t sectors) {
  struct cache_stats before = c->stats;
  struct cache_result r = cache_load(c, line, sectors, UINT32_MAX, true);
  before.evictions = c->stats.evictions;
  before.writebacks = c->stats.writebacks;
  c->stats = before;
  return r;
}
