/* Requests through a slice: network, delay, order; answers to the network. The tags are in serve.c. */
#include "base/bits.h"
#include "base/hot.h"
#include "base/least.h"
#include "base/mem.h"
#include "l2/dirty.h"
#include "l2/evict.h"
#include "l2/fill.h"
#include "l2/join.h"
#include "l2/parts.h"
#include "mem/mem.h"
#include "l2/internal.h"
#include "l2/prefetch.h"
#include "l2/victim.h"
#include <string.h>

bool slice_init(struct l2_slice *s, struct partition *c, uint32_t index, struct tech_set *tech) {
  const struct l2_config *k = c->k;
  uint64_t most = (uint64_t)k->cache.mshrs * k->cache.merges;
  uint32_t answers = most < 1 << 20 ? (uint32_t)most : 1 << 20;
  *s = (struct l2_slice){.index = index,
                         .local = index - c->index * c->nslices,
                         .free_parent = UINT32_MAX,
                         .refused = NEVER,
                         .epoch = 1,
                         .sure = UINT32_MAX,
                         .first = SLUICE_NONE};
  s->nobody.stamps.more = &s->nobody.more;
  s->cache = cache_new(&k->cache);
  const struct sluice_cache_shape shape = {
      .size = sizeof shape, .sets = k->cache.sets, .ways = k->cache.ways};
  const struct tech_replacement r = tech_replacement(tech, index, &shape);
  s->names_access = r.ops != NULL;
  if (r.ops)
    cache_set_replacement(s->cache, r.ops, r.self);
  s->checker = k->check_requests ? checker_new() : NULL;
  spin_init(&s->spin, k->round_trip);
  s->owner = c;
  s->beside = k->halves ? &c->slice[s->local ^ 1] : NULL;
  guard_init(&s->guard, tech);
  s->order = tech_l2_order(tech, index, slice_would_fail, s);
  s->fifo = s->order.ops == &tech_fifo;
  s->nbypasses = tech_l2_bypasses(tech, index, s->bypass);
  s->side_buffer = tech_l2_side(tech, index);
  s->fills_later = k->fill_bytes || k->hold_misses;
  s->has_timers = k->fill_latency || k->inclusive || k->evict_clean || s->fills_later;
  s->evicts_first = k->evict_first || k->inclusive;
  if (k->inclusive)
    sharers_init(&s->sharers, k->cache.sets * k->cache.ways, k->sms);
  directory_init(s, c);
  bool general = c->engine->general;
  s->fast = !general && s->fifo && !s->nbypasses && !s->side_buffer.on && cache_fast(s->cache) &&
            !k->fill_latency && !s->evicts_first && !k->nack && !k->coherence &&
            k->write_miss != CACHE_WRITE_AND_FETCH && !k->wait_for_memory && !k->worst_case_misses &&
            !s->fills_later;
  s->stores_fast = !general && k->write_miss == CACHE_WRITE_VALIDATE && k->store_interval[0] == 1024 &&
                   k->store_interval[1] == 1024 && !k->store_request && !k->partial_lines &&
                   !k->dirty_lines && k->cache.sector_bytes == MEM_SECTOR;
  s->halves = k->halves && !s->side_buffer.on;
  s->wide_port = !general && k->cache.sector_bytes <= k->port_bytes;
  s->in_sectors = k->in_sectors;
  s->incoming = k->in_sectors ? k->in + 1 - k->cache.line_bytes / k->cache.sector_bytes : k->in;
  /* slices lie evenly between the nearest and the farthest, neighbours apart from each other */
  s->rop_latency = k->rop_latency - k->rop_spread / 2 +
                   (uint32_t)(((uint64_t)(index * UINT32_C(2654435769)) * (k->rop_spread + 1u)) >> 32);
  s->delay_mask = ring_mask(
      16); /* grows to what is there at a time, so that no more of the host's cache is gone through */
  s->delay = xcalloc(s->delay_mask + 1u, sizeof *s->delay);
  /* fills may answer more requests than the queue holds; new accesses stop before */
  s->done_mask = ring_mask(k->out + answers + 64);
  s->done = xcalloc(s->done_mask + 1u, sizeof *s->done);
  /* plus the sectors of a victim, and requests that waited for evictions */
  bool on_fill = k->cache.allocate == CACHE_ON_FILL;
  uint32_t later = k->evict_first || s->side_buffer.on || on_fill ? answers * 2 : 0;
  s->miss_mask = ring_mask(k->miss_queue * (k->worst_case_misses ? c->bursts : 1) +
                           (8 + later + (k->partial_lines ? 16 : 0)) * c->bursts + 8);
  s->miss = xcalloc(s->miss_mask + 1u, sizeof *s->miss);
  if (k->fill_latency) { /* each sector under way is filled once */
    s->helds.mask = ring_mask(k->cache.mshrs * (k->cache.line_bytes / k->cache.sector_bytes) + 64);
    s->held = xcalloc(s->helds.mask + 1u, sizeof *s->held);
  }
  fill_init(s, k);
  join_init(s, k);
  parts_init(s, k);
  dirty_init(s, k);
  return true;
}

void slice_destroy(struct l2_slice *s) {
  cache_free(s->cache);
  l2_prefetch_destroy(s);
  guard_destroy(&s->guard);
  checker_free(s->checker);
  spin_destroy(&s->spin);
  sharers_destroy(&s->sharers);
  directory_destroy(&s->directory);
  fill_destroy(s);
  join_destroy(s);
  free(s->swapping), free(s->clearing), free(s->leaving), free(s->held), free(s->parent), free(s->delay),
      free(s->done), free(s->miss), free(s->part), free(s->dirty);
}

uint32_t slice_parent(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r) {
  uint32_t h = POOL_TAKE(s->parent, s->nparents, s->free_parent, next);
  struct l2_parent *p = &s->parent[h];
  p->request = *r;
  if (!r->stamps)
    p->request.stamps = &s->nobody.stamps;
  struct addr_place at = addrmap_place(&k->map, r->line);
  p->line = at.address;
  p->away = at.slice != s->index;
  p->twin = UINT32_MAX;
  p->todo = (uint8_t)sectors_to_cache(k->cache.sector_bytes, r->sectors);
  if (RARELY(s->directory.on) && !r->sectors) /* a notice of an L1 about a line, without data */
    p->todo = 1;
  p->left = count_bits4(p->todo);
  p->epoch = p->arrived = 0;
  p->fail_cause = SLUICE_NFAILS;
  p->arrival = RARELY(s->checker) ? checker_number(s->checker) : 0;
  p->joined = UINT32_MAX;
  return h;
}

void slice_grow_responses(struct l2_slice *s) {
  s->done = ring_double(s->done, sizeof *s->done, s->done_head, &s->done_mask);
}

/* Sectors changed in part are written when their rest has come. Lines of an inclusive L2 wait for acknowledgements of L1s, any number of lines at a time, and are written back when
 * those come: many may come in one cycle. */
void slice_grow_misses(struct l2_slice *s) {
  if (!s->evicts_first && !s->side_buffer.on && !s->parts && !s->halves && !s->limits_dirty)
    panic("the miss queue of L2 slice %u overflows", s->index);
  s->miss = ring_double(s->miss, sizeof *s->miss, s->miss_head, &s->miss_mask);
}

void slice_notify(struct l2_slice *s, const struct mem_request *r, uint64_t at) {
  uint32_t h = POOL_TAKE(s->parent, s->nparents, s->free_parent, next);
  s->parent[h] = (struct l2_parent){.request = *r, .joined = UINT32_MAX, .twin = UINT32_MAX};
  s->parent[h].request.stamps = &s->nobody.stamps;
  slice_send_at(s, h, at);
}

void slice_send_back(struct l2_slice *s, uint32_t h) {
  s->stats.nacks++;
  s->parent[h].request.flags |= MEM_NACK;
}

void slice_note_sharer(struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  if (p->request.kind != MEM_READ || p->request.flags)
    return;
  uint32_t place = cache_place(s->cache, p->line);
  if (s->directory.on) {
    if (place != UINT32_MAX)
      directory_grant(c, s, h, place);
    else
      slice_send_back(s, h);
    return;
  }
  if (place != UINT32_MAX) {
    sharers_add(&s->sharers, place, p->line, p->request.sm);
    return;
  }
  if (victim_cache_on(s) && s->side_buffer.victim->has(s->side_buffer.self, p->line)) {
    sharers_add_side(&s->sharers, p->line, p->request.sm);
    return;
  }
  struct mem_request r = p->request;
  evict_take_back(c, s, &r);
}

/* Sectors of the request at the tags that are not looked up before a cycle: they are still in the incoming buffer. */
static uint32_t at_tags(const struct l2_slice *s, uint64_t cycle) {
  if (!s->fifo || s->first == SLUICE_NONE)
    return 0;
  uint32_t n = count_bits4(s->parent[s->first].todo);
  uint64_t first = s->hits_at + 1 - n; /* one in each cycle until hits_at (l2/serve.c) */
  return !s->hits_at || cycle <= first ? n : cycle > s->hits_at ? 0 : n - (uint32_t)(cycle - first);
}

/* Sectors of requests behind the one at the tags that have left the delay, one per cycle. At most one request begins to in a
 * cycle, so that `entering` may be one ahead of a cycle before. */
static uint64_t sectors_entered(struct l2_slice *s, uint64_t cycle) {
  uint32_t n = s->entering;
  while (n < s->delay_count && s->delay[(s->delay_head + n) & s->delay_mask].enters <= cycle)
    n++;
  s->entering = n;
  if (n && s->delay[(s->delay_head + n - 1) & s->delay_mask].enters > cycle)
    n--;
  if (!n)
    return 0;
  const struct l2_delayed *d = &s->delay[(s->delay_head + n - 1) & s->delay_mask];
  uint64_t entered = cycle - d->enters + 1;
  return d->before + (entered < d->sectors ? entered : d->sectors) - s->sectors_out;
}

/* The incoming buffer is full in a cycle. The first at which look-ups of the request at the tags may have made room; NEVER: they
 * cannot. */
static uint64_t room_from_tags(struct l2_slice *s, uint64_t cycle) {
  uint32_t left = at_tags(s, cycle);
  uint64_t need = sectors_entered(s, cycle) + left + 1 - s->incoming;
  return need <= left ? cycle + need : NEVER;
}

/* Is the incoming buffer full in a cycle? It holds what has passed the delay. */
static inline bool incoming_full(struct l2_slice *s, uint64_t cycle) {
  if (s->in_sectors) {
    uint64_t n = sectors_entered(s, cycle);
    return n + MEM_SECTORS >= s->incoming && n + at_tags(s, cycle) >= s->incoming;
  }
  return s->delay_count >= s->incoming &&
         s->delay[(s->delay_head + s->incoming - 1) & s->delay_mask].at <= cycle;
}

/* How long a store takes to come in, in 1024ths of a cycle: its data passes the port of the slice. */
static uint32_t store_comes_in(const struct l2_config *k, const struct mem_request *r) {
  uint32_t sum = k->store_request;
  for (uint32_t i = 0; i < MEM_SECTORS; i++) {
    uint32_t bytes = (uint32_t)(r->bytes[i / 2] >> i % 2 * MEM_SECTOR);
    if (r->sectors >> i & 1)
      sum += k->store_interval[bytes == UINT32_MAX];
  }
  return sum;
}

/* From the network into the delay. Those in it find a place behind it even if others fill the incoming buffer meanwhile: they
 * wait where they are. */
static void take(struct partition *c, struct l2_slice *s, const struct mem_request *r) {
  uint32_t h = slice_parent(c->k, s, r);
  if (RARELY(
          s->delay_count >
          s->delay_mask)) /* requests of several sectors wait in the delay longer than others take to come */
    s->delay = ring_double(s->delay, sizeof *s->delay, s->delay_head, &s->delay_mask);
  struct l2_delayed *d = &s->delay[(s->delay_head + s->delay_count++) & s->delay_mask];
  d->parent = h;
  d->at = c->now + s->rop_latency;
  if (s->in_sectors) { /* when its sectors come into the incoming buffer */
    d->sectors = s->parent[h].left;
    d->enters = d->at > s->last_enters ? d->at : s->last_enters + 1;
    d->before = s->sectors_in;
    s->last_enters = d->enters + d->sectors - 1;
    s->sectors_in += d->sectors;
  }
  if (s->joins)
    join_came(c->k, s, h);
  struct mem_request *in = &s->parent[h].request;
  in->stamps->delivered = mem_age(in, c->core_now);
  s->stats.requests++;
  s->received = c->now;
  if (c->k->whole_requests && r->kind == MEM_WRITE) {
    uint64_t filled = s->filling >> 10;
    s->in_left_over += store_comes_in(c->k, r);
    s->in_free = (filled > c->now ? filled : c->now) + (s->in_left_over >> 10);
    s->in_left_over &= 1023;
  }
  s->in->popped++;
  engine_release_at(c->engine, s->in, engine_one(c->engine, c->request_unit, s->index), c->tick);
}

uint64_t slice_receive(struct partition *c, struct l2_slice *s) {
  const struct mem_request *r = port_front(s->in, c->tick);
  if (r && s->received < c->now && !(s->shut >> (c->now - c->base) & 1)) {
    take(c, s, r);
    if (s->delay_count == 1 && !s->full)
      sooner(&s->due, s->delay[s->delay_head].at);
  }
  uint64_t message = port_next_message(s->in);
  if (message == NEVER)
    return NEVER;
  uint64_t at = partition_cycle_at(c, message);
  at = at > s->received ? at : s->received + 1;
  while (at < c->fresh && s->shut >> (at - c->base) & 1)
    at++;
  return at;
}

/* Cycles from this one on for which the incoming buffer has room for sure, as a sector comes into it in a cycle at most; 0: it is full. */
static uint64_t open_for(struct l2_slice *s, uint64_t cycle) {
  if (s->in_sectors) {
    uint64_t n = sectors_entered(s, cycle) + at_tags(s, cycle);
    return n < s->incoming ? s->incoming - n : 0;
  }
  if (s->delay_count < s->incoming)
    return NEVER;
  uint64_t full = s->delay[(s->delay_head + s->incoming - 1) & s->delay_mask].at;
  return full > cycle ? full - cycle : 0;
}

uint64_t slice_note_shut(const struct partition *c, struct l2_slice *s, uint64_t to) {
  uint64_t tick = c->tick + c->engine->period[DOMAIN_L2];
  if (port_next_message(s->in) <= tick) { /* the others behind it: one is received in a cycle */
    uint32_t pushed = count_seen(&s->in->pushed);
    return max64(to,
                 c->now + (s->in->when[(pushed - 1) & s->in->mask] <= tick ? pushed - s->in->popped : 0)) +
           1;
  }
  for (uint64_t cycle = c->now + 1; cycle <= to;) {
    uint64_t open = open_for(s, cycle);
    if (open > to - cycle)
      return open > NEVER - cycle ? NEVER : cycle + open;
    s->shut |= (uint64_t)!open << (cycle - c->base);
    cycle += open ? open : 1;
  }
  return to + 1;
}

/* Moves the head of the incoming buffer into the order. */
static bool offer(struct partition *c, struct l2_slice *s) {
  if (!s->delay_count || s->full || s->delay[s->delay_head].at > c->now)
    return false;
  uint32_t h = s->delay[s->delay_head].parent;
  s->parent[h].arrived = s->delay[s->delay_head].at;
  s->parent[h].request.stamps->due = mem_age(
      &s->parent[h].request, engine_cycle_in(c->engine, DOMAIN_CORE, DOMAIN_L2, s->delay[s->delay_head].at));
  if (s->fifo) { /* a fifo order has room for one request, which the slice knows without asking */
    s->full = true;
  } else {
    struct sluice_request view = partition_view(c, s, &s->parent[h]);
    guard_enters(&s->guard, h);
    s->full = !s->order.ops->insert(s->order.self, h, &view, c->now);
    if (s->full) {
      guard_leaves(&s->guard, h);
      return false;
    }
    s->calls.inserted++;
  }
  s->first = h;
  s->stats.queued += c->now - s->delay[s->delay_head].at;
  if (s->joins)
    join_goes(c->k, s, h, c->now);
  do {
    if (s->in_sectors) {
      s->sectors_out += s->delay[s->delay_head].sectors;
      s->entering -= s->entering != 0;
    }
    s->delay_head = ring_after(s->delay_head, s->delay_count, s->delay_mask);
    s->delay_count--;
    s->delays_gone++;
  } while (s->joins && s->delay_count && s->delay[s->delay_head].parent == L2_JOINED);
  return true;
}

uint64_t slice_queued(const struct l2_slice *s, uint64_t cycle) {
  uint64_t sum = s->stats.queued;
  for (uint32_t i = 0; i < s->delay_count; i++) {
    const struct l2_delayed *d = &s->delay[(s->delay_head + i) & s->delay_mask];
    if (d->at >= cycle)
      break;
    sum += d->parent == L2_JOINED ? 0 : cycle - d->at;
  }
  return sum;
}

/* Takes all acknowledgements of L1s that have come: none has to wait. */
static uint64_t take_acknowledgements(struct partition *c, struct l2_slice *s, uint64_t tick) {
  for (const struct mem_request *r; (r = port_front(s->ack, tick));) {
    struct mem_request a = *r;
    engine_pop(c->engine, s->ack, c->ack_unit);
    if (a.coherence & FOR_REQUEST)
      directory_acknowledged(c, s, &a);
    else
      evict_acknowledged(c, s, &a);
  }
  return engine_cycle_at(c->engine, DOMAIN_L2, port_next_message(s->ack));
}

static uint64_t watch(struct partition *c, struct l2_slice *s, uint64_t tick) {
  uint64_t next = evict_release(c, s);
  if (s->fills_later)
    sooner(&next, fill_cycle(c, s));
  if (s->ack)
    sooner(&next, take_acknowledgements(c, s, tick));
  if (s->directory.on)
    directory_unlock(c, s);
  return next;
}

HOT void slice_answer(struct partition *c, struct l2_slice *s, uint64_t timers) {
  uint64_t tick = c->tick, next = timers;
  if (s->done_count && s->done[s->done_head].at <= c->now && port_room(s->out, tick)) {
    uint32_t h = s->done[s->done_head].parent;
    struct mem_request *a = port_message(s->out, s->out->pushed);
    *a = s->parent[h].request;
    bool answer = a->kind != MEM_INVALIDATE && a->kind != MEM_DOWNGRADE;
    a->flags |= MEM_ANSWERED;
    a->stamps->answered =
        mem_age(a, engine_cycle_in(c->engine, DOMAIN_CORE, DOMAIN_L2, s->done[s->done_head].at));
    uint32_t follower = s->joins ? join_next(s, h) : UINT32_MAX;
    if (a->stamps == &s->nobody.stamps)
      a->stamps = NULL;
    port_send(s->out, tick);
    engine_wake_one(c->engine, c->response_unit, a->sm, tick + s->out->data);
    s->stats.answers += answer;
    s->parent[h].next = s->free_parent;
    s->free_parent = h;
    if (follower != UINT32_MAX) { /* who joined the request is answered from the same place */
      s->done[s->done_head].parent = follower;
    } else {
      s->done_head = ring_after(s->done_head, s->done_count, s->done_mask);
      if (s->done_count-- == c->k->out)
        slice_retry_at(s, c->now + 1);
    }
  }
  s->response_blocked = false;
  if (s->done_count) {
    uint64_t at = s->done[s->done_head].at;
    s->response_blocked = at <= c->now && !port_room(s->out, tick);
    sooner(&next,
           s->response_blocked ? partition_cycle_at(c, port_next_room(s->out)) : max64(at, c->now + 1));
  }
  if (s->delay_count && !s->full)
    sooner(&next, s->delay[s->delay_head].at);
  uint64_t message = port_next_message(s->in);
  bool coming = s->in_free > c->now + 1; /* the data of the last store */
  s->closed = message != NEVER && (coming || incoming_full(s, c->now + 1));
  if (!s->closed)
    sooner(&next, partition_cycle_at(c, message));
  else if (coming)
    sooner(&next, s->in_free);
  else if (s->in_sectors)
    sooner(&next, room_from_tags(s, c->now + 1));
  s->due = next > c->now ? next : c->now + 1;
}

HOT void slice_cycle(struct partition *c, struct l2_slice *s) {
  uint64_t tick = c->tick;
  const struct mem_request *r = s->in_free > c->now ? NULL : port_front(s->in, tick);
  if (r && !incoming_full(s, c->now))
    take(c, s, r);
  bool offered = offer(c, s);
  uint64_t has_timers = s->has_timers ? watch(c, s, tick) : NEVER;
  if (offered || s->serve_at <= c->now || !s->fast)
    s->serve_at = slice_serve(c, s);
  if (s->prefetch)
    sooner(&has_timers, l2_prefetch_cycle(c, s));
  if (s->nclearing)
    sooner(&has_timers, evict_next(s));
  if (s->directory.on)
    sooner(&has_timers, directory_next(&s->directory));
  slice_answer(c, s, has_timers);
  if (s->fills.answers.count && s->done_count < c->k->out) /* room for the next */
    sooner(&s->due, c->now + 1);
}

/* Fetches of a slice, and their data. */

void slice_fetch(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t parent,
                 bool to_side_buffer) {
  slice_fetch_as(c, s, line, sectors, UINT32_MAX, parent, to_side_buffer, false);
}

/* The sectors left after those that are written in one burst with the first. */
static uint32_t after_first(const struct partition *c, uint32_t sectors) {
  uint32_t first = (uint32_t)__builtin_ctz(sectors) / c->joined * c->joined;
  return sectors & ~(((1u << c->joined) - 1) << first);
}

uint32_t slice_writes(const struct partition *c, uint32_t sectors) {
  uint32_t n = 0;
  for (; sectors; sectors = after_first(c, sectors))
    n++;
  return n;
}

void slice_write(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t fetch,
                 uint64_t from) {
  if (c->k->write_back_interval)
    slice_keep_busy(c, s, c->k->write_back_interval * count_bits(sectors));
  for (uint32_t m = sectors; m; m = after_first(c, m)) {
    slice_to_memory(c, s, line + (uint64_t)__builtin_ctz(m) * c->k->cache.sector_bytes, SLICE_ALL_BURSTS,
                    fetch, true, from);
    s->stats.writes++;
  }
}

struct fill {
  struct partition *c;
  struct l2_slice *s;
  const struct l2_fetched *f;
  bool fast; /* a constant of the caller */
  uint32_t answered;
};

/* Answers the requests that joined a fetch into the side buffer, once the line has been swapped into a way. */
SPECIALIZED void fill_answer(void *ctx, uint32_t waiter) {
  struct fill *f = ctx;
  struct l2_slice *s = f->s;
  const bool fast = f->fast;
  /* a prefetch; a sector that another brought along; a store, which waits for memory to have its bytes */
  bool nobody = waiter >= L2_NOBODY;
  if (!nobody && s->parent[waiter].request.kind == MEM_ATOMIC)
    slice_change(f->c, s, waiter, f->f->fetch->sector);
  if (!fast && f->c->k->hold_misses) {
    if (!nobody)
      slice_stamp(f->c, s, waiter, f->f);
    fill_answer_later(s, waiter);
    f->answered++;
    return;
  }
  if (nobody)
    return;
  bool swaps = !fast && f->f->fetch->to_side_buffer && f->answered++;
  slice_sector_done(f->c, s, waiter, f->f, swaps ? s->side_buffer.swap : 0);
}

void slice_stored(struct partition *c, struct l2_slice *s, uint32_t parent) {
  slice_retry_at(s, c->now);
  slice_sector_done(c, s, parent, NULL, 0);
}

HOT void slice_filled(struct partition *c, struct l2_slice *s, const struct l2_fetched *fetched) {
  const struct l2_fetch *f = fetched->fetch;
  slice_retry_at(s, c->now);
  s->stats.fetch_cycles += c->now - f->since;
  if (c->k->fill_interval)
    slice_keep_busy(c, s, c->k->fill_interval);
  if (c->k->fill_port)
    s->filling = max64(s->filling, max64(c->now, s->in_free) << 10) + c->k->fill_port;
  if (s->fast) {
    struct fill ctx = {c, s, fetched, true, 0};
    cache_fill_as(s->cache, &s->cache->way[f->place], f->line, 1u << f->sector, true, fill_answer, &ctx,
                  true);
    return;
  }
  if (f->parent != UINT32_MAX) {
    slice_sector_done(c, s, f->parent, fetched, 0);
    return;
  }
  if (c->k->fill_bytes)
    fill_later(c, s, fetched);
  else
    slice_fill(c, s, fetched);
}

void slice_fill(struct partition *c, struct l2_slice *s, const struct l2_fetched *fetched) {
  const struct l2_fetch *f = fetched->fetch;
  struct fill ctx = {c, s, fetched, false, 0};
  if (f->to_side_buffer) {
    cache_set_side_buffer(s->cache, true);
    struct cache_result r = cache_fill(s->cache, f->line, 1u << f->sector, fill_answer, &ctx);
    cache_set_side_buffer(s->cache, false);
    evict_swap(c, s, f->line, &r);
  } else {
    struct cache_result r = cache_fill(s->cache, f->line, 1u << f->sector, fill_answer, &ctx);
    if (victim_cache_on(s))
      victim_insert(s, &r, f->line, c->now);
    if (s->prefetch && r.replaced)
      l2_prefetch_replaced(s, r.replaced_line);
    if (r.evicted) /* allocation on fill evicts only now */
      slice_write(c, s, r.victim, r.victim_sectors, UINT32_MAX, c->now);
    if (c->k->fill_latency)
      evict_hold(c, s, f->line);
  }
  if (c->k->hold_misses && ctx.answered)
    fill_keep_register(c, s);
}
