/* The request at the tags of a slice: one sector per cycle, and reservation fails.
 *
 * A slice skips lookups whose end is certain, and counts them nevertheless. Invariant: whenever somebody looks (a statistic, an
 * interval, the end of a launch), counters, the sectors that a request still needs and the cycle at which the slice is free are those
 * of a slice that looks up one sector in every cycle. Only slices on the fast path skip; `--general` and `--no-skip` show the same
 * numbers without skipping.
 *
 *   hits_at   the other sectors of the request are in the cache, and nothing is under way that could change them: all are
 *             looked up with the last of them, in the cycle hits_at; slice_settle() counts those before the last.
 *   sure      the next sector of this request must be fetched (not here, not under way, its line has a way) and the miss
 *             queue is full: until a request leaves that queue every attempt fails; slice_fail_again() counts the failure.
 *             Fills are all that can happen meanwhile, none of them of this sector. */
#include "mem/mem.h"
#include "base/bits.h"
#include "base/hot.h"
#include "l2/evict.h"
#include "l2/internal.h"
#include "l2/parts.h"
#include "l2/prefetch.h"
#include "l2/victim.h"

/* Notes in the time stamps what a request waited for until this lookup. */
static void attempt(struct l2_parent *p, uint64_t core) {
  struct mem_stamps *stamps = p->request.stamps;
  bool last = !(p->todo & (p->todo - 1));
  if (!last && stamps->tried && p->fail_cause == SLUICE_NFAILS)
    return; /* only the last sector of a request counts */
  uint32_t age = mem_age(&p->request, core);
  if (!stamps->tried)
    stamps->tried = age;
  if (p->fail_cause < SLUICE_NFAILS)
    stamps_note_fail(stamps, p->fail_cause, age - p->failed_at);
  p->fail_cause = SLUICE_NFAILS;
  stamps->looked_up = age;
}

/* A request is looked up completely: the order can take another request. */
static void served(struct partition *c, struct l2_slice *s, uint32_t h) {
  if (s->halves)
    half_copy(c, s, h);
  if (!s->fifo) {
    s->order.ops->took(s->order.self, h, c->now);
    s->calls.took++;
    guard_leaves(&s->guard, h);
  }
  s->first = SLUICE_NONE;
  if (RARELY(s->spin.locks))
    spin_gives_back(&s->spin, &s->parent[h].request);
  if (s->checker && !(s->parent[h].request.flags & MEM_NACK))
    for (uint32_t i = h; i != UINT32_MAX; i = s->parent[i].joined)
      checker_served(s->checker, &s->parent[i].request, s->parent[i].arrival);
  s->full = false;
  if (s->delay_count && c->now + 1 < s->due)
    s->due = c->now + 1;
}

static void still_failing(struct l2_slice *s, const struct l2_parent *p, uint64_t now) {
  s->refused = s->epoch;
  s->fail_since = now;
  s->fail_why = p->fail_cause;
}

/* The changed sectors of a line that leaves pass the data port; the store that replaces the line passes with the first of them. */
static void read_victim(const struct partition *c, struct l2_slice *s, uint32_t sectors) {
  uint64_t bytes = (uint64_t)count_bits(sectors) * c->k->cache.sector_bytes,
           until = c->now + (bytes + c->k->port_bytes - 1) / c->k->port_bytes;
  s->busy = until > s->busy ? until : s->busy;
}

/* Fetches the sectors that memory sends together with a sector that missed (l2.fetch_bytes): those that the cache lacks and that the
 * request does not look up itself. */
static __attribute__((noinline)) void fetch_beside(struct partition *c, struct l2_slice *s, uint32_t h,
                                                   uint32_t sector) {
  const struct l2_parent *p = &s->parent[h];
  uint32_t n = c->k->fetch_bytes / c->k->cache.sector_bytes, first = n ? sector / n * n : sector;
  for (uint32_t i = first; i < first + n; i++) {
    if (p->todo >> i & 1 || s->miss_count >= c->k->miss_queue || !cache_misses(s->cache, p->line, 1u << i))
      continue;
    struct cache_result k = cache_prefetch(s->cache, p->line, 1u << i);
    if (k.outcome == CACHE_MISS)
      slice_fetch_as(c, s, p->line, k.fetch, k.place, UINT32_MAX, false, s->fast);
  }
}

/* The cache took the access of a sector: writes back the line that leaves, fetches what is missing, or serves the sector at once,
 * `exchange` cycles later where the block came from the side buffer. */
SPECIALIZED void accepted(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector,
                          const struct cache_result *k, bool to_side_buffer, uint32_t exchange, bool fast) {
  struct l2_parent *p = &s->parent[h];
  uint64_t line = p->line;
  bool write = p->request.kind == MEM_WRITE;
  uint32_t fetch = k->outcome == CACHE_HIT ? 0 : k->fetch;
  if (!fast && s->prefetch && k->replaced)
    l2_prefetch_replaced(s, k->replaced_line);
  if (!fast && s->prefetch && !write)
    l2_prefetch_seen(c, s, h, k->outcome,
                     p->todo == sectors_to_cache(c->k->cache.sector_bytes, p->request.sectors));
  s->stats.accesses++;
  s->stats.hits += k->outcome == CACHE_HIT;
  s->stats.misses += k->outcome == CACHE_MISS;
  s->stats.merges += k->outcome == CACHE_PENDING;
  if ((fast || !s->evicts_first) && k->outcome != CACHE_HIT && k->evicted) {
    parts_evict(c, s, k);
    if (c->k->evict_port && write)
      read_victim(c, s, k->victim_sectors);
  }
  bool later_fetch = !fast && s->evicts_first && k->replaced && evict_victim(c, s, k, line);
  if (fetch && !later_fetch) {
    slice_fetch_as(c, s, line, fetch, k->place, UINT32_MAX, to_side_buffer, fast);
    if (c->k->fetch_bytes && !write && !to_side_buffer)
      fetch_beside(c, s, h, sector);
  }
  p = &s->parent[h]; /* invalidations may have moved them */
  if (write && k->outcome == CACHE_MISS && c->k->write_miss == CACHE_NO_ALLOCATE)
    slice_write(c, s, line, 1u << sector, UINT32_MAX, c->now); /* the store allocated no line */
  if (!(write ? k->waits : k->outcome == CACHE_PENDING || fetch)) {
    uint32_t later = !fast && s->nswapping ? evict_swapping(c, s, line) : 0;
    slice_hit_done(c, s, h, sector, later > exchange ? later : exchange);
  }
}

/* Looks up one sector of a request. `fast`: requests are in order, nothing is beside the cache, and accesses of the cache can be
 * fast. False: reservation fail. */
SPECIALIZED bool look_up(struct partition *c, struct l2_slice *s, uint32_t h, bool fast) {
  struct l2_parent *p = &s->parent[h];
  bool write = p->request.kind == MEM_WRITE, to_side_buffer = false;
  bool room = fast ? s->miss_count < c->k->miss_queue : slice_miss_room(s, write);
  uint32_t sector = (uint32_t)__builtin_ctz(p->todo);
  uint32_t exchange = 0; /* cycles of an exchange with the side buffer */
  struct cache_result k;
  if (!fast && s->names_access)
    slice_name_access(s, h);
  if (s->done_count >= c->k->out)
    return slice_reservation_fail(c, s, h, SLUICE_FAIL_RESPONSE);
  enum beside beside = fast ? BESIDE_NOTHING : slice_look_beside(c, s, h, &room, &exchange);
  if (beside != BESIDE_NOTHING)
    return beside == BESIDE_SERVED;
  if (fast && write && s->stores_fast)
    k.outcome = cache_store_as(s->cache, p->line, p->request.bytes, sector, CACHE_BACK, CACHE_WRITE_VALIDATE,
                               h, room, &k, true);
  else if (write)
    slice_store(c, s, h, room, &k);
  else if (fast)
    k.outcome = cache_load_as(s->cache, p->line, 1u << sector, h, room, &k, true);
  else if (!slice_load(c, s, h, room, &k, &to_side_buffer))
    return slice_sent_back(c, s, h, SLUICE_FAIL_WAYS);
  if (!fast && victim_cache_on(s))
    victim_insert(s, &k, s->parent[h].line, c->now);
  if (k.outcome != CACHE_FAILED)
    accepted(c, s, h, sector, &k, to_side_buffer, exchange, fast);
  else if (fast)
    return slice_reservation_fail(c, s, h, k.fail);
  else if (!slice_bypassed(c, s, h, k.fail))
    return slice_sent_back(c, s, h, k.fail);
  s->parent[h].todo &= (uint8_t)(s->parent[h].todo - 1);
  s->epoch++;
  return true;
}

static uint32_t picked(struct partition *c, struct l2_slice *s) {
  uint32_t h = guard_pick(&s->guard, s->order.ops->pick(s->order.self, c->now), c->now);
  c->engine->asked |= s->guard.what != NULL;
  return h;
}

static bool reads_one_sector(const struct partition *c, const struct l2_parent *p) {
  uint32_t sectors = sectors_to_cache(c->k->cache.sector_bytes, p->request.sectors);
  return p->request.kind == MEM_READ && !(sectors & (sectors - 1));
}

static __attribute__((noinline)) bool look_up_generally(struct partition *c, struct l2_slice *s, uint32_t h) {
  return look_up(c, s, h, false);
}

/* l2.whole_requests: the first sector of a request was looked up; the others are looked up in the same cycle, and each keeps the slice
 * busy. An atomic keeps the slice busy by a rule of its own (slice_atomic()). False: reservation fail. */
static __attribute__((noinline)) bool look_up_others(struct partition *c, struct l2_slice *s, uint32_t h,
                                                     struct l2_slice *busy) {
  bool atomic = s->parent[h].request.kind == MEM_ATOMIC;
  while (s->parent[h].todo) {
    if (!(s->fast ? look_up(c, s, h, true) : look_up_generally(c, s, h)))
      return false;
    if (!atomic)
      slice_keep_busy(c, busy, c->k->read_more);
  }
  return true;
}

/* A line of the slice in the other half is looked up there. False: reservation fail. */
static __attribute__((noinline)) bool look_up_away(struct partition *c, struct l2_slice *s, uint32_t h) {
  struct l2_slice *home = s->beside;
  struct half_before before = half_begin(c, s, h);
  uint32_t twin = s->parent[h].twin;
  bool passes = home->fast ? look_up(c, home, twin, true) : look_up_generally(c, home, twin);
  if (passes) {
    slice_keep_busy(c, s, c->k->read_interval);
    passes = look_up_others(c, home, twin, s);
  }
  half_end(c, s, h, &before, passes);
  return passes;
}

void slice_settle(struct l2_slice *s, uint64_t cycle) {
  if (!s->hits_at)
    return;
  struct l2_parent *p = &s->parent[s->first];
  uint64_t before = s->hits_at - count_bits4(p->todo); /* the cycle before the first lookup */
  uint32_t n = cycle <= before      ? 0
               : cycle < s->hits_at ? (uint32_t)(cycle - before)
                                    : count_bits4(p->todo) - 1;
  if (!n)
    return;
  for (uint32_t i = 0; i < n; i++)
    p->todo &= (uint8_t)(p->todo - 1);
  p->left -= n;
  s->stats.accesses += n;
  s->stats.hits += n;
  s->free_at += n;
  cache_load_hits(s->cache, n);
}

HOT void slice_fail_again(struct partition *c, struct l2_slice *s) {
  if (s->miss_count < c->k->miss_queue || s->done_count >= c->k->out || s->busy > c->now)
    return;
  s->serve_at = NEVER;
  if (s->refused == NEVER) {
    slice_reservation_fail(c, s, s->sure, SLUICE_FAIL_QUEUE);
    return;
  }
  s->stats.fails[SLUICE_FAIL_QUEUE]++;
  s->stats.fail_cycles[SLUICE_FAIL_QUEUE] += c->now - s->fail_since;
  s->fail_since = c->now;
  s->refused = s->parent[s->sure].epoch = s->epoch;
}

/* The request at the tags has sectors left. Returns the next cycle at which there is something to find out. */
static inline uint64_t foresee(const struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  if (p->request.kind == MEM_WRITE)
    return c->now + 1;
  if (s->miss_count >= c->k->miss_queue && cache_must_fetch(s->cache, p->line, p->todo & (0u - p->todo))) {
    s->sure = h;
    return c->now + 1;
  }
  /* several sectors, all of which are in the way of the last lookup, with no fetch under way that could change the way */
  const struct way *w = s->cache->asked;
  if (p->todo & (p->todo - 1) && p->request.kind == MEM_READ && s->wide_port && w->line == p->line &&
      !(p->todo & ~(uint32_t)w->valid) && !s->cache->mshr.used)
    return s->hits_at = c->now + count_bits4(p->todo);
  return c->now + 1;
}

HOT uint64_t slice_serve(struct partition *c, struct l2_slice *s) {
  bool fifo = s->fifo; /* of every fast slice */
  if (s->busy > c->now)
    return s->busy;
  if (s->hits_at > c->now)
    return s->hits_at;
  if (s->hits_at) { /* book all lookups but the last, which follows as usual */
    slice_settle(s, c->now);
    s->hits_at = 0;
  }
  uint32_t h = fifo ? s->first : picked(c, s);
  if (h == SLUICE_NONE || s->parent[h].epoch == s->epoch) {
    if (h != SLUICE_NONE &&
        s->refused == NEVER) /* another request got a NACK since: this request still waits */
      still_failing(s, &s->parent[h], c->now);
    return fifo ? NEVER : s->order.ops->next(s->order.self, c->now);
  }
  if (s->parent[h].away && half_waits(s, h))
    return c->now + 1;
  if (s->refused != NEVER) {
    s->stats.fail_cycles[s->fail_why] += c->now - s->fail_since;
    s->refused = NEVER;
  }
  s->sure = UINT32_MAX;
  struct l2_parent *p = &s->parent[h];
  attempt(p, c->core_now);
  uint64_t since = p->arrived > s->free_at ? p->arrived : s->free_at;
  bool away = p->away, passes = away      ? look_up_away(c, s, h)
                                : s->fast ? look_up(c, s, h, true)
                                          : look_up_generally(c, s, h);
  if (passes) {
    s->stats.stall_cycles += c->now - since;
    p = &s->parent[h]; /* invalidations may have moved the requests */
    bool others = c->k->whole_requests && p->todo;
    if (!away && (c->k->whole_requests ? p->request.kind != MEM_ATOMIC
                                       : c->k->read_interval > 1024 && reads_one_sector(c, p)))
      slice_keep_busy(c, s, c->k->read_interval);
    if (others)
      passes = look_up_others(c, s, h, s);
  }
  if (!passes && away) /* what happens in the other slice does not call this one */
    return c->now + 1;
  if (!passes) /* the order may pick another request; a fill or free room lets this one succeed */
    return fifo ? NEVER : c->now + 1;
  s->free_at = s->busy > c->now + 1 ? s->busy : c->now + 1;
  if (!s->parent[h].todo) {
    served(c, s, h);
    return fifo ? NEVER : c->now + 1;
  }
  return s->fast ? foresee(c, s, h) : c->now + 1;
}
