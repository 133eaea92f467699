/* The way of requests through a slice: in, delay, order; answers out. */
#include "base/bits.h"
#include "base/mem.h"
#include "mem/replace.h"
#include "mem/sectors.h"
#include "mem/slice_parts.h"
#include <string.h>

static const struct sluice_request nothing;

/* A ring for n entries has a power of two of them; this is its mask. */
static uint32_t ring(uint32_t n) {
  uint32_t size = 1;
  while (size < n)
    size *= 2;
  return size - 1;
}

bool slice_init(struct l2_slice *s, struct partition *c, uint32_t index, struct tech_set *tech) {
  const struct gpu_config *k = c->k;
  uint64_t most = (uint64_t)k->l2.mshrs * k->l2.merges;
  uint32_t answers = most < 1 << 20 ? (uint32_t)most : 1 << 20;
  *s = (struct l2_slice){.index = index,
                         .local = index - c->index * c->nslices,
                         .free_parent = UINT32_MAX,
                         .refused = NEVER,
                         .epoch = 1,
                         .sure = UINT32_MAX,
                         .first = SLUICE_NONE};
  s->cache = cache_new(&k->l2);
  s->follow = k->follow ? follow_new() : NULL;
  s->owner = c;
  s->order = tech_l2_order(tech, index, slice_would_fail, s);
  s->plain = s->order.ops == &tech_fifo;
  s->nbypasses = tech_l2_bypasses(tech, index, s->bypass);
  s->aside = tech_miss(tech, index);
  s->watched = k->l2_fill_latency || k->l2_inclusive;
  s->careful = k->l2_evict_first || k->l2_inclusive;
  if (k->l2_inclusive)
    sharers_init(&s->sharers, k->l2.sets * k->l2.ways, k->sms);
  s->simple = s->plain && !s->nbypasses && !s->aside.ops && k->l2.replacement != CACHE_SRRIP &&
              !k->l2_fill_latency && !s->careful && !k->l2_nack;
  s->wide_port = k->l2.sector_bytes <= k->l2_port_bytes;
  s->by_sector = s->simple && cache_fills_sectors(s->cache);
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
  free(s->swapping), free(s->leaving), free(s->held), free(s->parent), free(s->delay), free(s->done),
      free(s->miss);
}

static uint32_t parent_new(const struct gpu_config *k, struct l2_slice *s, const struct mem_request *r) {
  uint32_t h = POOL_TAKE(s->parent, s->nparents, s->free_parent, next);
  struct l2_parent *p = &s->parent[h];
  p->request = *r;
  p->line = addrmap_in_slice(&k->map, r->line);
  p->todo = (uint8_t)sectors_to_cache(k->l2.sector_bytes, r->sectors);
  p->left = sectors_count(p->todo);
  p->epoch = 0;
  p->refused_why = SLUICE_NFAILS;
  p->arrival = s->follow ? follow_number(s->follow) : 0;
  return h;
}

void slice_more_room(struct l2_slice *s) {
  uint32_t size = s->done_mask + 1;
  s->done = xrealloc(s->done, 2 * (size_t)size * sizeof *s->done);
  memcpy(s->done + size, s->done, s->done_head * sizeof *s->done);
  s->done_mask = 2 * size - 1;
}

void slice_tell(struct l2_slice *s, const struct mem_request *r, uint64_t at) {
  uint32_t h = POOL_TAKE(s->parent, s->nparents, s->free_parent, next);
  s->parent[h] = (struct l2_parent){.request = *r};
  slice_send_at(s, h, at);
}

void slice_note_sharer(struct partition *c, struct l2_slice *s, uint32_t h) {
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
static bool offer(struct partition *c, struct l2_slice *s) {
  if (!s->delay_count || s->full || s->delay[s->delay_head].at > c->now)
    return false;
  uint32_t h = s->delay[s->delay_head].parent;
  s->parent[h].arrived = s->delay[s->delay_head].at;
  s->parent[h].request.path.due =
      mem_age(&s->parent[h].request, partition_core_at(c, s->delay[s->delay_head].at));
  struct sluice_request view;
  if (!s->plain)
    view = partition_view(c, s, &s->parent[h]);
  if (!s->order.ops->insert(s->order.self, h, s->plain ? &nothing : &view, c->now)) {
    s->full = true;
    return false;
  }
  s->full = s->plain; /* which has room for one */
  s->first = h;
  s->stats.queued += c->now - s->delay[s->delay_head].at;
  s->delay_head = (s->delay_head + 1) & s->delay_mask;
  s->delay_count--;
  return true;
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
  struct mem_path *path = &p->request.path;
  bool last = !(p->todo & (p->todo - 1));
  if (!last && path->tried && p->refused_why == SLUICE_NFAILS)
    return; /* of its sectors the last one counts */
  uint32_t age = mem_age(&p->request, core);
  if (!path->tried)
    path->tried = age;
  if (p->refused_why < SLUICE_NFAILS)
    path->refused[p->refused_why] += age - p->refused_at;
  p->refused_why = SLUICE_NFAILS;
  path->looked_up = age;
}

/* What follows in a simple slice, where the next sectors of a request cannot but end in one way. Returns the next cycle at
 * which there is something to find out.
 *   They are here, and nothing is under way that could come meanwhile: all are looked up with the last of them.
 *   The next must be fetched as well: it is not here, not under way, and its line has a way. Where the miss queue has no
 *   room, the next attempt is certain to find none either until one leaves it: fills are all that can happen, none of
 *   this sector. */
static uint64_t foresee(const struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  if (!s->simple || p->request.kind == MEM_WRITE)
    return c->now + 1;
  if (s->miss_count >= c->k->l2_miss_queue && cache_must_fetch(s->cache, p->line, p->todo & (0u - p->todo)))
    s->sure = h;
  else if (p->todo & (p->todo - 1) && p->request.kind == MEM_READ && s->wide_port &&
           cache_will_hit(s->cache, p->line, p->todo))
    return s->hits_at = c->now + sectors_count(p->todo);
  return c->now + 1;
}

void slice_settle(struct l2_slice *s, uint64_t cycle) {
  if (!s->hits_at)
    return;
  struct l2_parent *p = &s->parent[s->first];
  uint64_t before = s->hits_at - sectors_count(p->todo); /* the cycle before the first of them */
  uint32_t n = cycle <= before      ? 0
               : cycle < s->hits_at ? (uint32_t)(cycle - before)
                                    : sectors_count(p->todo) - 1;
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

void slice_refused_again(struct partition *c, struct l2_slice *s) {
  s->serve_at = NEVER;
  if (s->refused == NEVER) {
    slice_refuse(c, s, s->sure, SLUICE_FAIL_QUEUE);
    return;
  }
  s->stats.fails[SLUICE_FAIL_QUEUE]++;
  s->stats.fail_cycles[SLUICE_FAIL_QUEUE] += c->now - s->fail_since;
  s->fail_since = c->now;
  s->refused = s->parent[s->sure].epoch = s->epoch;
}

static void sooner(uint64_t *next, uint64_t t) {
  if (t < *next)
    *next = t;
}

/* All of a request was looked up: another may come into the order. */
static void served(struct partition *c, struct l2_slice *s, uint32_t h) {
  s->order.ops->took(s->order.self, h, c->now);
  s->first = SLUICE_NONE;
  if (s->follow && !(s->parent[h].request.flags & MEM_NACK))
    follow_served(s->follow, &s->parent[h].request, s->parent[h].arrival);
  s->full = false;
  if (s->delay_count)
    sooner(&s->due, c->now + 1);
}

static void still_refused(struct l2_slice *s, const struct l2_parent *p, uint64_t now) {
  s->refused = s->epoch;
  s->fail_since = now;
  s->fail_why = p->refused_why;
}

/* Tries the request the order picks. Returns when to come again by itself. */
static uint64_t serve(struct partition *c, struct l2_slice *s) {
  if (s->busy > c->now)
    return s->busy;
  if (s->hits_at > c->now)
    return s->hits_at;
  if (s->hits_at) { /* all but the last of them, which is as any */
    slice_settle(s, c->now);
    s->hits_at = 0;
  }
  uint32_t h = s->plain ? s->first : s->order.ops->pick(s->order.self, c->now);
  if (h == SLUICE_NONE || s->parent[h].epoch == s->epoch) {
    if (h != SLUICE_NONE && s->refused == NEVER) /* another was sent back since: this one still waits */
      still_refused(s, &s->parent[h], c->now);
    return s->plain ? NEVER : s->order.ops->next(s->order.self, c->now);
  }
  if (s->refused != NEVER) {
    s->stats.fail_cycles[s->fail_why] += c->now - s->fail_since;
    s->refused = NEVER;
  }
  s->sure = UINT32_MAX;
  struct l2_parent *p = &s->parent[h];
  attempt(p, partition_core(c));
  uint64_t since = p->arrived > s->free_at ? p->arrived : s->free_at;
  bool passes = !s->simple                     ? slice_look_up(c, s, h)
                : p->request.kind == MEM_WRITE ? slice_store(c, s, h)
                                               : slice_read(c, s, h);
  if (!passes) /* another may be tried next; a fill or room somewhere lets this one pass */
    return s->plain ? NEVER : c->now + 1;
  s->stats.stall_cycles += c->now - since;
  s->free_at = s->busy > c->now + 1 ? s->busy : c->now + 1;
  if (!s->parent[h].todo) {
    served(c, s, h);
    return s->plain ? NEVER : c->now + 1;
  }
  return foresee(c, s, h);
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
      slice_stir(s, c->now + 1);
  }
  s->stuck = false;
  if (!s->done_count)
    return NEVER;
  uint64_t t = s->done[s->done_head].at;
  if (t > c->now)
    return t;
  if (port_room(s->out, tick))
    return c->now + 1;
  s->stuck = true;
  return to_cycle(c, port_next_room(s->out));
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

/* Answers leave; when there is something else to do than to look up. */
static void respond_and_wait(struct partition *c, struct l2_slice *s, uint64_t tick, uint64_t watched) {
  uint64_t next = respond(c, s, tick);
  sooner(&next, watched);
  if (s->delay_count && !s->full)
    sooner(&next, s->delay[s->delay_head].at);
  if (s->delay_count < s->delay_cap)
    sooner(&next, to_cycle(c, port_next_message(s->in)));
  s->due = next > c->now ? next : c->now + 1;
}

void slice_serve(struct partition *c, struct l2_slice *s) {
  s->serve_at = serve(c, s);
  if (s->due <= c->now) /* an answer, at once */
    respond_and_wait(c, s, c->engine->now, NEVER);
}

void slice_cycle(struct partition *c, struct l2_slice *s) {
  uint64_t tick = c->engine->now;
  receive(c, s, tick);
  bool offered = offer(c, s);
  uint64_t watched = s->watched ? watch(c, s, tick) : NEVER;
  if (offered || s->serve_at <= c->now || !s->simple)
    s->serve_at = serve(c, s);
  respond_and_wait(c, s, tick, watched);
}
