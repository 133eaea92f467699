#include "base/bits.h"
#include "base/mem.h"
#include "mem/cache.h"
#include "mem/partition.h"
#include "mem/replace.h"
#include "mem/sectors.h"
#include "mem/victim.h"
#include <string.h>

static const struct sluice_request nothing;

/* A ring for n entries has a power of two of them; this is its mask. */
static uint32_t ring(uint32_t n) {
  uint32_t size = 1;
  while (size < n)
    size *= 2;
  return size - 1;
}

/* Whether the next access of a request would pass now. */
static enum sluice_fail would_fail(void *self, uint32_t h) {
  const struct l2_slice *s = self;
  const struct gpu_config *k = s->owner->k;
  const struct l2_parent *p = &s->parent[h];
  bool room = s->miss_count < k->l2_miss_queue;
  if (s->done_count >= k->l2_out)
    return SLUICE_FAIL_RESPONSE;
  uint32_t sector = 1u << __builtin_ctz(p->todo);
  if (p->request.kind != MEM_WRITE)
    return (enum sluice_fail)cache_would_fail(s->cache, p->line, sector, false, room);
  if (k->l2_write_miss == CACHE_NO_ALLOCATE)
    return room ? SLUICE_NFAILS : SLUICE_FAIL_QUEUE;
  return (enum sluice_fail)cache_would_fail(s->cache, p->line, sector,
                                            k->l2_write_miss == CACHE_WRITE_VALIDATE, room);
}

bool slice_init(struct l2_slice *s, struct partition *c, uint32_t index, struct tech_set *tech) {
  const struct gpu_config *k = c->k;
  uint64_t most = (uint64_t)k->l2.mshrs * k->l2.merges;
  uint32_t answers = most < 1 << 20 ? (uint32_t)most : 1 << 20;
  *s = (struct l2_slice){.index = index, .free_parent = UINT32_MAX, .refused = NEVER, .epoch = 1};
  s->cache = cache_new(&k->l2);
  s->follow = k->follow ? follow_new() : NULL;
  s->owner = c;
  s->order = tech_l2_order(tech, index, would_fail, s);
  s->plain = s->order.ops == &tech_fifo;
  s->nbypasses = tech_l2_bypasses(tech, index, s->bypass);
  s->aside = tech_miss(tech, index);
  s->watched = k->l2_fill_latency || k->l2_inclusive;
  s->careful = k->l2_evict_first || k->l2_inclusive;
  if (k->l2_inclusive)
    sharers_init(&s->sharers, k->l2.sets * k->l2.ways, k->sms);
  s->simple = s->plain && !s->nbypasses && !s->aside.ops && k->l2.replacement != CACHE_SRRIP &&
              !k->l2_fill_latency && !s->careful && !k->l2_nack;
  s->delay_cap = k->rop_latency + k->l2_in;
  s->delay_mask = ring(s->delay_cap);
  s->delay = xcalloc(s->delay_mask + 1u, sizeof *s->delay);
  /* fills may answer more than the queue holds; new accesses stop before */
  s->done_mask = ring(k->l2_out + answers + 64);
  s->done = xcalloc(s->done_mask + 1u, sizeof *s->done);
  /* and a victim's sectors; and what waited for evictions */
  bool on_fill = k->l2.allocate == CACHE_ON_FILL;
  uint32_t later = k->l2_evict_first || s->aside.ops || on_fill ? answers * 2 : 0;
  s->miss_mask = ring(k->l2_miss_queue + (8 + later) * c->bursts + 8);
  s->miss = xcalloc(s->miss_mask + 1u, sizeof *s->miss);
  if (k->l2_fill_latency) { /* a sector under way fills once */
    s->held_mask = ring(k->l2.mshrs * (k->l2.line_bytes / k->l2.sector_bytes) + 64);
    s->held = xcalloc(s->held_mask + 1u, sizeof *s->held);
  }
  return true;
}

void slice_destroy(struct l2_slice *s) {
  cache_free(s->cache);
  follow_free(s->follow);
  sharers_destroy(&s->sharers);
  free(s->leaving), free(s->held), free(s->parent), free(s->delay), free(s->done), free(s->miss);
}

static uint32_t parent_new(const struct gpu_config *k, struct l2_slice *s, const struct mem_request *r) {
  uint32_t h = POOL_TAKE(s->parent, s->nparents, s->free_parent, next);
  struct l2_parent *p = &s->parent[h];
  p->request = *r;
  p->line = addrmap_in_slice(&k->map, r->line);
  p->todo = (uint8_t)sectors_to_cache(k->l2.sector_bytes, r->sectors);
  p->left = count_bits(p->todo);
  p->epoch = 0;
  p->refused_why = SLUICE_NFAILS;
  p->arrival = follow_number(s->follow);
  return h;
}

static __attribute__((noinline)) void more_room(struct l2_slice *s) {
  uint32_t size = s->done_mask + 1;
  s->done = xrealloc(s->done, 2 * (size_t)size * sizeof *s->done);
  memcpy(s->done + size, s->done, s->done_head * sizeof *s->done);
  s->done_mask = 2 * size - 1;
}

/* Into the queue of what goes to the network. Answers are bounded by what was asked for; invalidations make it grow. */
static inline void send_at(struct l2_slice *s, uint32_t parent, uint64_t at) {
  if (s->done_count > s->done_mask)
    more_room(s);
  uint32_t i = (s->done_head + s->done_count++) & s->done_mask;
  s->done[i].parent = parent;
  s->done[i].at = at;
}

void slice_tell(struct l2_slice *s, const struct mem_request *r, uint64_t at) {
  uint32_t h = POOL_TAKE(s->parent, s->nparents, s->free_parent, next);
  s->parent[h] = (struct l2_parent){.request = *r};
  send_at(s, h, at);
}

/* An L1 gets a line: the L2 notes it, or takes it back where it does not keep the line itself. */
static __attribute__((noinline)) void note_sharer(struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  if (p->request.kind != MEM_READ || p->request.flags)
    return;
  uint32_t place = cache_place(s->cache, p->line);
  if (place != UINT32_MAX) {
    sharers_add(&s->sharers, place, p->line, p->request.sm);
    return;
  }
  struct mem_request r = p->request;
  replace_take_back(c, s, &r);
}

/* One sector of a request is served, by `f` or (NULL) by what the L2 held, the last of its bytes `later` cycles
 * from now. */
static inline void sector_done(struct partition *c, struct l2_slice *s, uint32_t p,
                               const struct l2_fetched *f, uint32_t later) {
  if (--s->parent[p].left)
    return;
  if (f) { /* the last to come is the one it waited for */
    struct mem_request *r = &s->parent[p].request;
    r->path.to_memory = mem_age(r, f->fetch.to_memory);
    r->path.at_memory = mem_age(r, f->fetch.at_memory);
    r->path.opening = mem_age(r, f->opening);
    r->path.open = mem_age(r, f->open);
    r->path.column = mem_age(r, f->column);
    r->path.filled = mem_age(r, f->filled);
  }
  send_at(s, p, c->now + c->k->l2_latency + later);
  if (s->sharers.words)
    note_sharer(c, s, p);
}

/* A sector to or from memory, burst by burst. */
static void to_memory(struct partition *c, struct l2_slice *s, uint64_t address, uint32_t fetch, bool write,
                      uint64_t from) {
  for (uint32_t i = 0; i < c->bursts; i++) {
    uint32_t at = (s->miss_head + s->miss_count++) & s->miss_mask;
    if (s->miss_count > s->miss_mask + 1u)
      panic("the miss queue of L2 slice %u overflows", s->index);
    s->miss[at].address = address + i * c->memory.transaction;
    s->miss[at].fetch = fetch;
    s->miss[at].write = write;
    s->miss[at].at = from;
  }
}

void slice_fetch(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t parent,
                 bool aside) {
  uint64_t from =
      s->aside.ops && parent == UINT32_MAX ? c->now + s->aside.ops->lookup(s->aside.self) : c->now;
  for (uint32_t m = sectors; m; m &= m - 1) {
    uint32_t sector = (uint32_t)__builtin_ctz(m);
    uint32_t f = partition_fetch(c, slice_local(c, s), line, sector, parent);
    c->fetch[f].aside = aside;
    to_memory(c, s, line + (uint64_t)sector * c->k->l2.sector_bytes, f, false, from);
    s->stats.reads++;
  }
}

void slice_write(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t fetch,
                 uint64_t from) {
  for (uint32_t m = sectors; m; m &= m - 1) {
    to_memory(c, s, line + (uint64_t)__builtin_ctz(m) * c->k->l2.sector_bytes, fetch, true, from);
    s->stats.writes++;
  }
}

/* An atomic has the sector it read: it changes it, which takes its time. */
static void change(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sector) {
  cache_dirty(s->cache, line, 1u << sector);
  uint64_t until = c->now + c->k->l2_atomic_interval;
  s->busy = until > s->busy ? until : s->busy;
}

/* What a request wants of a sector passes the data port. Returns the cycles that takes beyond the first. */
static uint32_t use_port(struct partition *c, struct l2_slice *s, uint8_t wanted, uint32_t sector) {
  uint32_t per = c->k->l2.sector_bytes / MEM_SECTOR,
           bytes = count_bits(wanted >> sector * per & ((1u << per) - 1)) * MEM_SECTOR;
  if (bytes <= c->k->l2_port_bytes)
    return 0;
  uint32_t more = (bytes - 1) / c->k->l2_port_bytes;
  if (c->now + 1 + more > s->busy)
    s->busy = c->now + 1 + more;
  return more;
}

/* The part of a request's bytes that lies in an L2 sector. */
static void bytes_in(const struct gpu_config *k, const uint64_t *bytes, uint32_t sector, uint64_t *out) {
  uint32_t size = k->l2.sector_bytes, from = sector * size;
  if (size >= 64) {
    for (uint32_t i = 0; i < 2; i++)
      out[i] = i * 64 >= from && i * 64 < from + size ? bytes[i] : 0;
    return;
  }
  uint64_t part = bytes[from / 64] >> from % 64 & ((UINT64_C(1) << size) - 1);
  out[0] = out[1] = 0;
  out[from / 64] = part << from % 64;
}

/* A technique may send a refused read past the cache. */
static bool bypassed(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector,
                     enum sluice_fail why) {
  struct l2_parent *p = &s->parent[h];
  if (!s->nbypasses || p->request.kind != MEM_READ || s->miss_count >= c->k->l2_miss_queue ||
      cache_changed(s->cache, p->line))
    return false;
  struct sluice_request r = partition_view(c, s, p);
  r.pending = cache_pending(s->cache, p->line);
  for (unsigned i = 0; i < s->nbypasses; i++) {
    if (!s->bypass[i].ops->access(s->bypass[i].self, &r, why, c->now))
      continue;
    s->stats.bypasses++;
    slice_fetch(c, s, p->line, 1u << sector, h, false);
    return true;
  }
  return false;
}

static bool refuse(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why) {
  s->stats.fails[why]++;
  s->fail_since = c->now;
  s->fail_why = why;
  s->refused = s->parent[h].epoch = s->epoch;
  s->parent[h].refused_why = (uint8_t)why;
  s->parent[h].refused_at = mem_age(&s->parent[h].request, partition_core(c));
  s->order.ops->refused(s->order.self, h, why, c->now);
  return false;
}

/* A read that an L1 waits for may be sent back, before any of it was looked up: then others can be served. */
static bool turned_away(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why) {
  struct l2_parent *p = &s->parent[h];
  if (!c->k->l2_nack || p->request.kind != MEM_READ || p->request.flags || p->left != count_bits(p->todo) ||
      why == SLUICE_FAIL_QUEUE)
    return refuse(c, s, h, why);
  s->stats.fails[why]++;
  s->stats.nacks++;
  p->request.flags |= MEM_NACK;
  p->todo = 0;
  send_at(s, h, c->now + 1);
  return true;
}

/* Looks up one sector of a request. False: it must wait. */
static bool look_up(struct partition *c, struct l2_slice *s, uint32_t h) {
  struct l2_parent *p = &s->parent[h];
  uint32_t sector = (uint32_t)__builtin_ctz(p->todo);
  uint64_t line = p->line;
  bool write = p->request.kind == MEM_WRITE, room = s->miss_count < c->k->l2_miss_queue;
  if (s->done_count >= c->k->l2_out)
    return refuse(c, s, h, SLUICE_FAIL_RESPONSE);
  if (s->nleaving && replace_leaving(c, s, line))
    return turned_away(c, s, h, SLUICE_FAIL_WAYS);
  struct cache_result k;
  uint32_t exchange = 0; /* cycles, with a block beside the cache */
  if (victim_kept(s)) {
    enum sluice_fail why = victim_exchange(c, s, line, write, &exchange);
    if (why < SLUICE_NFAILS)
      return refuse(c, s, h, why);
    room = s->miss_count < c->k->l2_miss_queue;
  }
  bool asked = false, aside = false; /* may the block be kept beside the cache; is it */
  if (write) {
    if (!room && c->k->l2_write_miss == CACHE_NO_ALLOCATE)
      return refuse(c, s, h, SLUICE_FAIL_QUEUE);
    if (c->k->l2_evict_first && c->k->l2_write_miss != CACHE_NO_ALLOCATE && replace_before_store(c, s, line))
      return refuse(c, s, h, SLUICE_FAIL_WAYS);
    uint64_t bytes[2];
    bytes_in(c->k, p->request.bytes, sector, bytes);
    k = cache_store(s->cache, line, bytes, CACHE_BACK, c->k->l2_write_miss, h, room);
  } else {
    asked = s->aside.ops && cache_misses(s->cache, line, 1u << sector);
    if (asked) {
      if (s->aside.ops->holds(s->aside.self, line))
        return turned_away(c, s, h, SLUICE_FAIL_WAYS);
      aside = s->aside.ops->take(s->aside.self, line, c->now);
      cache_set_aside(s->cache, aside);
    }
    k = cache_load(s->cache, line, 1u << sector, h, room);
    cache_set_aside(s->cache, false);
  }
  if (asked && !k.fetch)
    s->aside.ops->drop(s->aside.self, line, aside);
  if (victim_kept(s))
    victim_keep(s, &k, c->now);
  if (k.outcome == CACHE_FAILED) {
    if (!bypassed(c, s, h, sector, (enum sluice_fail)k.fail))
      return turned_away(c, s, h, (enum sluice_fail)k.fail);
  } else {
    s->stats.accesses++;
    s->stats.hits += k.outcome == CACHE_HIT;
    s->stats.misses += k.outcome == CACHE_MISS;
    s->stats.merges += k.outcome == CACHE_PENDING;
    if (k.evicted && !s->careful)
      slice_write(c, s, k.victim, k.victim_sectors, UINT32_MAX, c->now);
    if (!s->careful || !k.replaced || !replace_victim(c, s, &k, line))
      slice_fetch(c, s, line, k.fetch, UINT32_MAX, aside);
    p = &s->parent[h]; /* invalidations may have moved them */
    if (write && k.outcome == CACHE_MISS && c->k->l2_write_miss == CACHE_NO_ALLOCATE)
      slice_write(c, s, line, 1u << sector, UINT32_MAX, c->now); /* no line took it */
    if (k.outcome != CACHE_PENDING && !k.fetch) {
      uint32_t later = use_port(c, s, p->request.sectors, sector) + exchange;
      if (p->request.kind == MEM_ATOMIC)
        change(c, s, line, sector);
      sector_done(c, s, h, NULL, later);
    }
  }
  p = &s->parent[h];
  p->todo &= (uint8_t)(p->todo - 1);
  s->epoch++;
  return true;
}

struct fill {
  struct partition *c;
  struct l2_slice *s;
  const struct l2_fetched *f;
  uint32_t answered;
};

/* Those who came for a block beside the cache after the first find it once it has been swapped into a way. */
static void fill_answer(void *ctx, uint32_t waiter) {
  struct fill *f = ctx;
  struct l2_slice *s = f->s;
  if (s->parent[waiter].request.kind == MEM_ATOMIC)
    change(f->c, s, f->f->fetch.line, f->f->fetch.sector);
  sector_done(f->c, s, waiter, f->f,
              f->f->fetch.aside && f->answered++ ? s->aside.ops->swap(s->aside.self) : 0);
}

void slice_filled(struct partition *c, struct l2_slice *s, const struct l2_fetched *fetched) {
  const struct l2_fetch *f = &fetched->fetch;
  s->epoch++;
  s->stats.fetch_cycles += c->now - f->since;
  if (f->parent != UINT32_MAX) {
    sector_done(c, s, f->parent, fetched, 0);
    return;
  }
  struct fill ctx = {c, s, fetched, 0};
  if (f->aside) {
    cache_set_aside(s->cache, true);
    struct cache_result r = cache_fill(s->cache, f->line, 1u << f->sector, fill_answer, &ctx);
    cache_set_aside(s->cache, false);
    replace_swap(c, s, f->line, &r);
  } else {
    struct cache_result r = cache_fill(s->cache, f->line, 1u << f->sector, fill_answer, &ctx);
    if (r.evicted) /* of an L2 that finds a way only now */
      slice_write(c, s, r.victim, r.victim_sectors, UINT32_MAX, c->now);
    if (c->k->l2_fill_latency)
      replace_hold(c, s, f->line);
  }
}

static uint64_t to_cycle(const struct partition *c, uint64_t tick) {
  return engine_cycle_at(c->engine, 2, tick);
}

/* From the network into the delay. */
static void receive(struct partition *c, struct l2_slice *s, uint64_t tick) {
  const struct mem_request *r = port_front(s->in, tick);
  if (!r || s->delay_count >= s->delay_cap)
    return;
  uint32_t at = (s->delay_head + s->delay_count++) & s->delay_mask;
  s->delay[at].parent = parent_new(c->k, s, r);
  s->delay[at].at = c->now + c->k->rop_latency;
  struct mem_request *in = &s->parent[s->delay[at].parent].request;
  in->path.delivered = mem_age(in, partition_core(c));
  s->stats.requests++;
  port_pop(s->in, tick);
  engine_wake(c->engine, c->request_unit, tick + s->in->credit);
}

/* From the head of the incoming buffer into the order. */
static void offer(struct partition *c, struct l2_slice *s) {
  if (!s->delay_count || s->full || s->delay[s->delay_head].at > c->now)
    return;
  uint32_t h = s->delay[s->delay_head].parent;
  s->parent[h].arrived = s->delay[s->delay_head].at;
  s->parent[h].request.path.due =
      mem_age(&s->parent[h].request, partition_core_at(c, s->delay[s->delay_head].at));
  struct sluice_request view;
  if (!s->plain)
    view = partition_view(c, s, &s->parent[h]);
  if (!s->order.ops->insert(s->order.self, h, s->plain ? &nothing : &view, c->now)) {
    s->full = true;
    return;
  }
  s->stats.queued += c->now - s->delay[s->delay_head].at;
  s->delay_head = (s->delay_head + 1) & s->delay_mask;
  s->delay_count--;
}

uint64_t slice_queued(const struct l2_slice *s, uint64_t cycle) {
  uint64_t sum = s->stats.queued;
  for (uint32_t i = 0; i < s->delay_count; i++) {
    uint64_t at = s->delay[(s->delay_head + i) & s->delay_mask].at;
    if (at >= cycle)
      break;
    sum += cycle - at;
  }
  return sum;
}

/* A request is about to be looked up: what it waited for until now. */
static void attempt(struct l2_parent *p, uint64_t core) {
  uint32_t age = mem_age(&p->request, core);
  struct mem_path *path = &p->request.path;
  if (!path->tried)
    path->tried = age;
  if (p->refused_why < SLUICE_NFAILS)
    path->refused[p->refused_why] += age - p->refused_at;
  p->refused_why = SLUICE_NFAILS;
  path->looked_up = age;
}

/* A read that found no room in the miss queue, where the next attempt is certain to end the same way: there still
 * is none, and since then nothing but fills has changed the cache, none of them of this sector. */
static bool hopeless(const struct partition *c, const struct l2_slice *s, const struct l2_parent *p) {
  return p->refused_why == SLUICE_FAIL_QUEUE && s->miss_count >= c->k->l2_miss_queue && s->simple &&
         p->request.kind != MEM_WRITE && s->done_count < c->k->l2_out;
}

/* Tries the request the order picks. Returns when to come again by itself. */
static uint64_t serve(struct partition *c, struct l2_slice *s) {
  if (s->busy > c->now)
    return s->busy;
  uint32_t h = s->order.ops->pick(s->order.self, c->now);
  if (h == SLUICE_NONE || s->parent[h].epoch == s->epoch)
    return s->order.ops->next(s->order.self, c->now);
  if (s->refused != NEVER) {
    s->stats.fail_cycles[s->fail_why] += c->now - s->fail_since;
    s->refused = NEVER;
  }
  struct l2_parent *p = &s->parent[h];
  bool again = hopeless(c, s, p);
  attempt(p, partition_core(c));
  if (again) {
    refuse(c, s, h, SLUICE_FAIL_QUEUE);
    return NEVER;
  }
  uint64_t since = p->arrived > s->free_at ? p->arrived : s->free_at;
  if (!look_up(c, s, h)) /* another may be tried next; a fill or room somewhere lets this one pass */
    return s->plain ? NEVER : c->now + 1;
  s->stats.stall_cycles += c->now - since;
  s->free_at = s->busy > c->now + 1 ? s->busy : c->now + 1;
  if (!s->parent[h].todo) {
    s->order.ops->took(s->order.self, h, c->now);
    if (s->follow && !(s->parent[h].request.flags & MEM_NACK))
      follow_served(s->follow, &s->parent[h].request, s->parent[h].arrival);
    s->full = false;
  }
  return c->now + 1;
}

/* Answers to the network, one per cycle. */
static uint64_t respond(struct partition *c, struct l2_slice *s, uint64_t tick) {
  if (!s->done_count)
    return NEVER;
  if (s->done[s->done_head].at <= c->now && port_room(s->out, tick)) {
    uint32_t h = s->done[s->done_head].parent;
    struct mem_request *a = port_next(s->out);
    *a = s->parent[h].request;
    bool answer = a->kind != MEM_INVALIDATE;
    a->flags |= MEM_ANSWERED;
    a->path.answered = mem_age(a, partition_core_at(c, s->done[s->done_head].at));
    a->path.returned = mem_age(a, partition_core(c));
    port_send(s->out, tick);
    engine_wake(c->engine, c->response_unit, tick + s->out->data);
    s->stats.answers += answer;
    s->parent[h].next = s->free_parent;
    s->free_parent = h;
    s->done_head = (s->done_head + 1) & s->done_mask;
    if (s->done_count-- == c->k->l2_out)
      s->epoch++;
  }
  if (!s->done_count)
    return NEVER;
  uint64_t t = s->done[s->done_head].at;
  if (t > c->now)
    return t;
  return port_room(s->out, tick) ? c->now + 1 : to_cycle(c, port_next_room(s->out));
}

static void sooner(uint64_t *next, uint64_t t) {
  if (t < *next)
    *next = t;
}

/* What L1s say, all that has come: nothing has to wait for it. */
static uint64_t take_acknowledgements(struct partition *c, struct l2_slice *s, uint64_t tick) {
  for (const struct mem_request *r; (r = port_front(s->ack, tick));) {
    struct mem_request a = *r;
    port_pop(s->ack, tick);
    engine_wake(c->engine, c->ack_unit, tick + s->ack->credit);
    replace_acknowledged(c, s, &a);
  }
  return to_cycle(c, port_next_message(s->ack));
}

static uint64_t watch(struct partition *c, struct l2_slice *s, uint64_t tick) {
  uint64_t next = replace_release(c, s);
  if (s->ack)
    sooner(&next, take_acknowledgements(c, s, tick));
  return next;
}

uint64_t slice_cycle(struct partition *c, struct l2_slice *s) {
  uint64_t tick = c->engine->now;
  receive(c, s, tick);
  offer(c, s);
  uint64_t watched = s->watched ? watch(c, s, tick) : NEVER, next = serve(c, s);
  sooner(&next, watched);
  sooner(&next, respond(c, s, tick));
  if (slice_can_retry(s))
    sooner(&next, c->now + 1);
  if (s->delay_count && !s->full) {
    uint64_t at = s->delay[s->delay_head].at;
    sooner(&next, at > c->now ? at : c->now + 1);
  }
  if (s->delay_count < s->delay_cap)
    sooner(&next, to_cycle(c, port_next_message(s->in)));
  return next > c->now ? next : c->now + 1;
}
