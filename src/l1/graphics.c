#include "l1/graphics.h"
#include "base/least.h"
#include "base/bits.h"
#include "mem/mem.h"

enum { SLOTS = 4 }; /* between two levels: enough for a message per cycle */

static void answers_init(struct stream_answers *a, uint32_t n) {
  a->at.mask = ring_mask(n);
  a->slot = xcalloc(a->at.mask + 1u, sizeof *a->slot);
}

static void answers_push(struct stream_answers *a, const struct mem_request *r, uint64_t at) {
  if (ring_full(&a->at))
    panic("the answers of a stream cache overflow");
  a->slot[ring_add(&a->at)] = (struct stream_answer){*r, at};
}

/* Fetches that can be under way: each may replace a dirty line when it is back, which must not wait for requests to
 * leave, since those may wait for answers. */
static uint32_t fetches_of(const struct cache_config *k) {
  return k->mshrs * (k->line_bytes / k->sector_bytes);
}

void stream_init(struct stream_caches *s, struct engine *e, unsigned domain, const struct stream_config *k,
                 const struct addrmap *map, unsigned level, uint32_t first, bool count_outputs) {
  const struct stream_level_config *l = &k->level[level - 1];
  *s = (struct stream_caches){.engine = e,
                              .k = l,
                              .map = map,
                              .domain = domain,
                              .level = level,
                              .first = first,
                              .most_fills = SLOTS,
                              .free_waiting = UINT32_MAX};
  uint64_t period = e->period[domain];
  uint32_t merged = 0;
  port_init(&s->from, SLOTS, sizeof(struct mem_request), period, period);
  port_init(&s->to, SLOTS, sizeof(struct mem_request), period, period);
  for (unsigned i = 0; i < NSTREAMS; i++) {
    struct stream_cache *c = &s->of[i];
    if (!l->cache[i].sets)
      continue;
    c->cache = cache_new(&l->cache[i]);
    c->outputs = count_outputs ? locality_new() : NULL;
    ring_init(&c->queue, k->queue, 0);
    ring_init(&c->miss, l->miss_queue + fetches_of(&l->cache[i]), 0);
    merged = l->cache[i].merges > merged ? l->cache[i].merges : merged;
  }
  ring_init(&s->other, l->miss_queue, 0);
  /* lookups stop before the hits overflow: each cycle adds one of each cache, and one leaves after the latency */
  answers_init(&s->hits, l->latency + 2 * NSTREAMS);
  answers_init(&s->fills, s->most_fills + merged + 1);
}

void stream_destroy(struct stream_caches *s) {
  port_destroy(&s->from);
  port_destroy(&s->to);
  for (unsigned i = 0; i < NSTREAMS; i++) {
    struct stream_cache *c = &s->of[i];
    if (!c->cache)
      continue;
    cache_free(c->cache);
    locality_free(c->outputs);
    ring_destroy(&c->queue);
    ring_destroy(&c->miss);
  }
  ring_destroy(&s->other);
  stamp_pool_destroy(&s->stamps);
  free(s->hits.slot), free(s->fills.slot), free(s->waiting), free(s->flush);
}

/* The cache that a request goes to; NULL: it passes by. */
static struct stream_cache *cache_of(struct stream_caches *s, const struct mem_request *r) {
  if (!r->stream || r->kind == MEM_ATOMIC || r->flags & (MEM_PREFETCH | MEM_CONST | MEM_CODE))
    return NULL;
  struct stream_cache *c = &s->of[r->stream - 1];
  return c->cache ? c : NULL;
}

static const struct cache_config *config_of(const struct stream_caches *s, const struct stream_cache *c) {
  return &s->k->cache[c - s->of];
}

/* What leaves the cache upwards, a page of it for each sector. */
static void count_output(const struct stream_caches *s, const struct stream_cache *c,
                         const struct mem_request *r) {
  if (!c->outputs)
    return;
  const struct cache_config *k = config_of(s, c);
  for (uint32_t m = sectors_to_cache(k->sector_bytes, r->sectors); m; m &= m - 1)
    locality_add(c->outputs, r->line + (uint64_t)__builtin_ctz(m) * k->sector_bytes);
}

/* A request of this level's own. */
static struct mem_request own(struct stream_caches *s, const struct stream_cache *c, uint64_t line,
                              uint8_t sectors) {
  s->sent++;
  return (struct mem_request){.line = line,
                              .born = s->now,
                              .waiter = UINT32_MAX,
                              .sm = (uint16_t)s->first,
                              .slice = (uint16_t)addrmap_place(s->map, line).slice,
                              .degree = 1,
                              .sectors = sectors,
                              .stream = (uint8_t)(c - s->of + 1),
                              .owner = (uint8_t)s->level};
}

static struct mem_request written(struct stream_caches *s, const struct stream_cache *c,
                                  const struct cache_result *r) {
  struct mem_request m = own(s, c, r->victim, 0);
  m.kind = MEM_WRITE;
  m.flags = MEM_WRITEBACK;
  m.bytes[0] = r->victim_mask[0], m.bytes[1] = r->victim_mask[1];
  m.sectors = sectors_of_bytes(m.bytes);
  s->writebacks++;
  count_output(s, c, &m);
  return m;
}

static void write_back(struct stream_caches *s, struct stream_cache *c, const struct cache_result *r) {
  if (!r->evicted)
    return;
  struct mem_request m = written(s, c, r);
  ring_push(&c->miss, &m);
}

/* A request from below ends here, with its answer at cycle `at`. */
static void end(struct stream_caches *s, struct stream_answers *to, struct mem_request *r, uint64_t at) {
  r->flags |= MEM_ANSWERED;
  s->answers++;
  answers_push(to, r, at);
}

/* Looks up the request at the head of a cache's queue. False: it must wait. */
static bool look_up(struct stream_caches *s, struct stream_cache *c) {
  const struct cache_config *k = config_of(s, c);
  struct mem_request r = c->queue.request[c->queue.at.head];
  bool room = c->miss.at.count + 2 <= s->k->miss_queue, store = r.kind == MEM_WRITE;
  uint32_t waiter = UINT32_MAX;
  struct cache_result a;
  if (store) {
    a = cache_store(c->cache, r.line, r.bytes, CACHE_BACK, CACHE_WRITE_VALIDATE, UINT32_MAX, room);
  } else {
    waiter = POOL_TAKE(s->waiting, s->nwaiting, s->free_waiting, next);
    a = cache_load(c->cache, r.line, sectors_to_cache(k->sector_bytes, r.sectors), waiter, room);
    s->waiting[waiter].request = r;
    if (a.outcome == CACHE_FAILED || a.outcome == CACHE_HIT) {
      s->waiting[waiter].next = s->free_waiting;
      s->free_waiting = waiter;
    }
  }
  if (a.outcome == CACHE_FAILED)
    return false;
  ring_drop(&c->queue.at);
  write_back(s, c, &a);
  if (a.fetch) {
    struct mem_request f = own(s, c, r.line, sectors_from_cache(k->sector_bytes, a.fetch));
    f.warp = r.warp;
    f.stamps = stamps_take(&s->stamps);
    count_output(s, c, &f);
    ring_push(&c->miss, &f);
  }
  if (store || a.outcome == CACHE_HIT) {
    if (r.stamps) {
      r.stamps->delivered = mem_age(&r, s->now);
      r.stamps->answered = r.stamps->delivered + s->k->latency;
    }
    end(s, &s->hits, &r, s->now + s->k->latency);
  }
  return true;
}

/* Each cache looks up one request per cycle, as long as there is a place for its answer. */
static void lookups(struct stream_caches *s) {
  for (unsigned i = 0; i < NSTREAMS; i++) {
    struct stream_cache *c = &s->of[i];
    if (c->cache && c->queue.at.count && !c->blocked && s->hits.at.count < s->k->latency + NSTREAMS)
      c->blocked = !look_up(s, c);
  }
}

/* When a request that waited for a fetch passed each border: when the fetch did. */
static void take_stamps(struct mem_request *r, const struct mem_request *fetch) {
  const struct mem_stamps *f = fetch->stamps;
  uint64_t born = fetch->born;
#define WHEN(border) r->stamps->border = f->border ? mem_age(r, born + f->border) : 0
  WHEN(delivered), WHEN(due), WHEN(tried), WHEN(looked_up), WHEN(to_memory), WHEN(at_memory);
  WHEN(opening), WHEN(open), WHEN(column), WHEN(filled), WHEN(answered);
#undef WHEN
  stamps_copy_fails(r->stamps, f);
}

struct fill {
  struct stream_caches *s;
  const struct mem_request *fetch;
};

static void filled(void *ctx, uint32_t waiter) {
  const struct fill *f = ctx;
  struct stream_caches *s = f->s;
  struct mem_request r = s->waiting[waiter].request;
  s->waiting[waiter].next = s->free_waiting;
  s->free_waiting = waiter;
  if (r.stamps)
    take_stamps(&r, f->fetch);
  end(s, &s->fills, &r, s->now + 1);
}

/* One answer from above: a fill, the end of a written line, or for somebody below. */
static void take_answer(struct stream_caches *s, uint64_t tick) {
  const struct mem_request *m = port_front(s->in, tick);
  if (!m || s->fills.at.count >= s->most_fills)
    return;
  struct mem_request r = *m;
  if (r.owner != s->level) {
    answers_push(&s->fills, &r, s->now + 1);
  } else if (r.kind == MEM_WRITE) {
    s->writebacks--;
  } else {
    struct stream_cache *c = &s->of[r.stream - 1];
    struct fill f = {s, &r};
    uint32_t sectors = sectors_to_cache(config_of(s, c)->sector_bytes, r.sectors);
    struct cache_result a = cache_fill(c->cache, r.line, sectors, filled, &f);
    if (a.outcome == CACHE_FAILED) /* all ways of its set have sectors under way: it is not kept */
      cache_fill_no_allocate(c->cache, r.line, sectors, filled, &f);
    write_back(s, c, &a);
    stamps_give(&s->stamps, r.stamps);
    c->blocked = false;
  }
  engine_pop(s->engine, s->in, s->in_unit);
}

static struct stream_answers *next_answers(struct stream_caches *s) {
  struct stream_answers *first = s->fill_turn ? &s->fills : &s->hits,
                        *second = s->fill_turn ? &s->hits : &s->fills;
  if (first->at.count && first->slot[first->at.head].at <= s->now)
    return first;
  return second->at.count && second->slot[second->at.head].at <= s->now ? second : NULL;
}

/* One answer to those below, in turn of the two queues. */
static void give_answer(struct stream_caches *s, uint64_t tick) {
  struct stream_answers *a = next_answers(s);
  if (!a || !port_room(&s->to, tick))
    return;
  port_push(&s->to, tick, &a->slot[a->at.head].request);
  engine_wake(s->engine, s->below_unit, tick + s->to.data);
  ring_drop(&a->at);
  s->fill_turn = a == &s->hits;
}

static struct request_ring *queue_of(struct stream_caches *s, const struct mem_request *r) {
  struct stream_cache *c = cache_of(s, r);
  return c ? &c->queue : &s->other;
}

/* One request from below into the queue of its cache. */
static void take_request(struct stream_caches *s, uint64_t tick) {
  const struct mem_request *r = port_front(&s->from, tick);
  if (!r || !ring_room(queue_of(s, r), 1))
    return;
  ring_push(queue_of(s, r), r);
  engine_pop(s->engine, &s->from, s->below_unit);
}

/* Whose request goes up next: of the caches, of those who pass by, of what is written at the end of a launch. */
static const struct mem_request *to_send(const struct stream_caches *s, uint32_t i) {
  if (i < NSTREAMS)
    return s->of[i].miss.at.count ? &s->of[i].miss.request[s->of[i].miss.at.head] : NULL;
  if (i == NSTREAMS)
    return s->other.at.count ? &s->other.request[s->other.at.head] : NULL;
  return s->flushed < s->nflush ? &s->flush[s->flushed] : NULL;
}

enum { SENDERS = NSTREAMS + 2 };

static bool any_to_send(const struct stream_caches *s) {
  for (uint32_t i = 0; i < SENDERS; i++)
    if (to_send(s, i))
      return true;
  return false;
}

static void send(struct stream_caches *s, uint64_t tick) {
  if (!port_room(s->out, tick))
    return;
  for (uint32_t k = 0; k < SENDERS; k++) {
    uint32_t i = (s->turn + k) % SENDERS;
    const struct mem_request *r = to_send(s, i);
    if (!r)
      continue;
    port_push(s->out, tick, r);
    engine_wake_one(s->engine, s->out_unit, r->slice, tick + s->out->data);
    if (i < NSTREAMS) {
      ring_drop(&s->of[i].miss.at);
      s->of[i].blocked = false;
    } else if (i == NSTREAMS) {
      ring_drop(&s->other.at);
    } else {
      s->flushed++;
    }
    s->turn = (i + 1) % SENDERS;
    return;
  }
}

static uint64_t to_cycle(const struct stream_caches *s, uint64_t tick) {
  return engine_cycle_at(s->engine, s->domain, tick);
}

/* When something can be done next, without a message or a slot that is not known yet. */
static uint64_t next_cycle(struct stream_caches *s, uint64_t tick) {
  uint64_t next = NEVER, t;
  const struct stream_answers *const rings[] = {&s->hits, &s->fills};
  for (int i = 0; i < 2; i++)
    if (rings[i]->at.count && (t = rings[i]->slot[rings[i]->at.head].at) > s->now)
      sooner(&next, t);
  if (next_answers(s))
    sooner(&next, port_room(&s->to, tick) ? s->now + 1 : to_cycle(s, port_next_room(&s->to)));
  for (unsigned i = 0; i < NSTREAMS; i++)
    if (s->of[i].cache && s->of[i].queue.at.count && !s->of[i].blocked &&
        s->hits.at.count < s->k->latency + NSTREAMS)
      sooner(&next, s->now + 1);
  if (any_to_send(s))
    sooner(&next, port_room(s->out, tick) ? s->now + 1 : to_cycle(s, port_next_room(s->out)));
  if (s->fills.at.count < s->most_fills)
    sooner(&next, (t = port_next_message(s->in)) <= tick ? s->now + 1 : to_cycle(s, t));
  const struct mem_request *r = port_front(&s->from, tick);
  if (!r)
    sooner(&next, to_cycle(s, port_next_message(&s->from)));
  else if (ring_room(queue_of(s, r), 1))
    sooner(&next, s->now + 1);
  return next;
}

uint64_t stream_cycle(void *self, uint64_t cycle) {
  struct stream_caches *s = self;
  uint64_t tick = s->engine->now;
  s->now = cycle;
  take_answer(s, tick);
  give_answer(s, tick);
  lookups(s);
  take_request(s, tick);
  send(s, tick);
  return next_cycle(s, tick);
}

struct flush {
  struct stream_caches *s;
  struct stream_cache *c;
};

static void to_flush(void *ctx, const struct cache_result *r) {
  struct flush *f = ctx;
  struct mem_request m = written(f->s, f->c, r);
  VEC_PUSH(f->s->flush, f->s->nflush, f->s->capflush) = m;
}

bool stream_flush(struct stream_caches *s) {
  s->now = engine_cycle(s->engine, s->domain);
  s->nflush = s->flushed = 0;
  for (unsigned i = 0; i < NSTREAMS; i++)
    if (s->of[i].cache)
      cache_flush(s->of[i].cache, to_flush, &(struct flush){s, &s->of[i]});
  return s->nflush;
}

bool stream_drained(const struct stream_caches *s) {
  for (unsigned i = 0; i < NSTREAMS; i++)
    if (s->of[i].cache && (s->of[i].queue.at.count || cache_mshrs_used(s->of[i].cache)))
      return false;
  return !any_to_send(s) && !s->writebacks && !s->hits.at.count && !s->fills.at.count &&
         port_empty(&s->from) && port_empty(&s->to);
}
