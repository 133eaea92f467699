/* The request at the tags of a slice: one sector per cycle, and reservation fails. */
#include "mem/mem.h"
#include "base/hot.h"
#include "l2/internal.h"
#include "l2/parts.h"
#include "l2/skip.h"

/* Books what a request waited for until this lookup. */
static void attempt(struct l2_parent *p, uint64_t core) {
  struct mem_stamps *stamps = p->request.stamps;
  bool last = !(p->todo & (p->todo - 1));
  if (!last && stamps->tried && p->fail_cause == SLUICE_NFAILS)
    return; /* only the last sector of a request counts */
  uint32_t age = mem_age(&p->request, core);
  if (!stamps->tried)
    stamps->tried = age;
  if (p->fail_cause < SLUICE_NFAILS)
    stamps->failed[p->fail_cause] += age - p->failed_at;
  p->fail_cause = SLUICE_NFAILS;
  stamps->looked_up = age;
}

/* A request is looked up completely: the order can take another request. */
static void served(struct partition *c, struct l2_slice *s, uint32_t h) {
  if (!s->fifo) {
    s->order.ops->took(s->order.self, h, c->now);
    s->calls.took++;
    guard_leaves(&s->guard, h);
  }
  s->first = SLUICE_NONE;
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

/* The fast path of a read: a sector of the line of the last lookup, or else the first sector of another line. */
static inline bool look_up_read(struct partition *c, struct l2_slice *s, uint32_t h) {
  struct l2_parent *p = &s->parent[h];
  if (s->done_count >= c->k->out)
    return slice_reservation_fail(c, s, h, SLUICE_FAIL_RESPONSE);
  uint32_t sector = (uint32_t)__builtin_ctz(p->todo);
  bool room = s->miss_count < c->k->miss_queue;
  struct cache_place place = {0};
  enum cache_outcome o = cache_load_more(s->cache, p->line, 1u << sector, h, room, &place);
  if (o == CACHE_FAILED) {
    struct cache_result k;
    o = s->by_sector ? cache_load_new(s->cache, p->line, 1u << sector, h, room, &place, &k) : CACHE_PENDING;
    if (o == CACHE_FAILED)
      return slice_reservation_fail(c, s, h, SLUICE_FAIL_QUEUE);
    if (o == CACHE_PENDING && !slice_load(c, s, h, sector))
      return false;
    if (o == CACHE_MISS && k.evicted)
      parts_evict(c, s, &k);
  }
  s->stats.accesses += o != CACHE_PENDING; /* slice_load() counts its own */
  s->stats.misses += o == CACHE_MISS;
  s->stats.hits += o == CACHE_HIT;
  if (o == CACHE_MISS) {
    uint32_t f = partition_fetch(c, s->local, p->line, sector, UINT32_MAX, false);
    c->fetch[f].place = place;
    slice_to_memory(c, s, p->line + (uint64_t)sector * c->k->cache.sector_bytes, f, false, c->now);
    s->stats.reads++;
  } else if (o == CACHE_HIT) {
    slice_hit_done(c, s, h, sector, 0);
  }
  p->todo &= (uint8_t)(p->todo - 1);
  s->epoch++;
  return true;
}

static inline bool look_up_store(struct partition *c, struct l2_slice *s, uint32_t h) {
  struct l2_parent *p = &s->parent[h];
  uint32_t sector = (uint32_t)__builtin_ctz(p->todo);
  enum cache_outcome o = s->done_count < c->k->out && s->stores_fast
                             ? cache_store_in(s->cache, p->line, sector, p->request.bytes)
                             : CACHE_FAILED;
  if (o == CACHE_FAILED)
    return slice_look_up(c, s, h);
  s->stats.accesses++;
  s->stats.hits += o == CACHE_HIT;
  s->stats.merges += o == CACHE_PENDING;
  s->stats.misses += o == CACHE_MISS;
  p->todo &= (uint8_t)(p->todo - 1);
  s->epoch++;
  slice_hit_done(c, s, h, sector, 0);
  return true;
}

static uint32_t picked(struct partition *c, struct l2_slice *s) {
  uint32_t h = guard_pick(&s->guard, s->order.ops->pick(s->order.self, c->now), c->now);
  c->engine->asked |= s->guard.what != NULL;
  return h;
}

SPECIALIZED uint64_t serve(struct partition *c, struct l2_slice *s, bool fast) {
  bool fifo = fast || s->fifo;
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
  if (s->refused != NEVER) {
    s->stats.fail_cycles[s->fail_why] += c->now - s->fail_since;
    s->refused = NEVER;
  }
  s->sure = UINT32_MAX;
  struct l2_parent *p = &s->parent[h];
  attempt(p, engine_cycle(c->engine, DOMAIN_CORE));
  uint64_t since = p->arrived > s->free_at ? p->arrived : s->free_at;
  bool passes = !fast                          ? slice_look_up(c, s, h)
                : p->request.kind == MEM_WRITE ? look_up_store(c, s, h)
                                               : look_up_read(c, s, h);
  if (!passes) /* the order may pick another request; a fill or free room lets this one succeed */
    return fifo ? NEVER : c->now + 1;
  s->stats.stall_cycles += c->now - since;
  if (c->k->read_interval > 1024 && s->parent[h].request.kind == MEM_READ &&
      !(s->parent[h].request.sectors & (s->parent[h].request.sectors - 1)))
    slice_keep_busy(c, s, c->k->read_interval);
  s->free_at = s->busy > c->now + 1 ? s->busy : c->now + 1;
  if (!s->parent[h].todo) {
    served(c, s, h);
    return fifo ? NEVER : c->now + 1;
  }
  return fast ? slice_foresee(c, s, h) : c->now + 1;
}

HOT uint64_t slice_serve(struct partition *c, struct l2_slice *s) {
  return s->fast ? serve(c, s, true) : serve(c, s, false);
}
