#include "l2/partition.h"
#include "base/hot.h"
#include "base/bits.h"
#include "base/least.h"
#include "base/mem.h"
#include "cache/cache.h"
#include "l2/ahead.h"
#include "l2/dirty.h"
#include "l2/evict.h"
#include "l2/prefetch.h"
#include "l2/victim.h"
#include "base/specialized.h"

/* Of what happens in every cycle there are three forms, of one text; these are its constants. partition_cycle() chooses. */
struct form {
  bool fast; /* its slices are, and it has no source */
  bool one;  /* controller */
};

struct scheduler_of {
  struct tech_set *tech;
  uint32_t first; /* number of the first controller */
};

static void *scheduler_open(void *ctx, uint32_t channel, const struct sluice_dram_queue *queue) {
  const struct scheduler_of *of = ctx;
  return tech_dram_scheduler_open(of->tech, of->first + channel, queue);
}

static bool add_memory(struct partition *c, const struct memory_config *m, struct tech_set *tech,
                       struct error *err) {
  struct scheduler_of of = {tech, c->index * m->controllers};
  const struct dram_scheduler s = {tech_dram_scheduler(tech), scheduler_open, &of};
  return memory_init(&c->memory, m, s.ops ? &s : NULL, c->engine->general, err);
}

bool partition_init(struct partition *c, struct engine *e, const struct l2_config *k,
                    const struct memory_config *m, struct tech_set *tech, uint32_t index,
                    uint64_t dram_period, struct error *err) {
  *c = (struct partition){.engine = e,
                          .k = k,
                          .index = index,
                          .nslices = k->slices_per_channel,
                          .dram_period = dram_period,
                          .free_fetch = UINT32_MAX,
                          .wait_cap = m->queue,
                          .dram_latency = index % 2 ? m->latency + m->latency_spread / 2
                                                    : m->latency - m->latency_spread / 2};
  /* rounded up: exact for 2^40 cycles if the core's period is less than 2^24 ticks */
  uint64_t core = e->period[DOMAIN_CORE];
  if (dram_period < core && core >> 24 == 0) {
    __extension__ typedef unsigned __int128 wide;
    c->core_inverse = (uint64_t)((((wide)dram_period << 64) + core - 1) / core);
  }
  if (!add_memory(c, m, tech, err))
    return false;
  c->bursts = k->cache.sector_bytes > c->memory.transaction
                  ? (uint32_t)(k->cache.sector_bytes / c->memory.transaction)
                  : 1;
  c->joined = k->join_writes && c->memory.transaction > k->cache.sector_bytes
                  ? (uint32_t)(c->memory.transaction / k->cache.sector_bytes)
                  : 1;
  while (c->wait_mask + 1 < c->wait_cap)
    c->wait_mask = c->wait_mask * 2 + 1;
  c->wait = xcalloc(c->memory.controllers, sizeof *c->wait);
  for (uint32_t i = 0; i < c->memory.controllers; i++)
    c->wait[i].request = xcalloc(c->wait_mask + 1u, sizeof *c->wait->request);
  c->slice = xaligned(c->nslices * sizeof *c->slice);
  for (uint32_t i = 0; i < c->nslices; i++)
    slice_init(&c->slice[i], c, index * c->nslices + i, tech);
  for (uint32_t i = 0; i < c->nslices; i++)
    if (!l2_prefetch_init(&c->slice[i], tech, err))
      return false;
  const struct l2_slice *s = c->slice;
  c->fast = s->fast;
  c->reach = c->fast && !tech_chosen(tech, 0) && !s->joins && !s->checker && !k->whole_requests ? AHEAD : 0;
  for (uint32_t i = 0; i < c->nslices; i++)
    c->reach = c->slice[i].rop_latency < c->reach ? c->slice[i].rop_latency : c->reach;
  if (k->write_miss == CACHE_WRITE_AND_FETCH && s->side_buffer.on)
    return error_set(
        err, EXIT_USAGE,
        "l2.write_miss: write-and-fetch; not modelled with a technique that keeps lines beside the L2");
  if (s->fills_later && s->side_buffer.on)
    return error_set(err, EXIT_USAGE, "%s: not modelled with a technique that keeps lines beside the L2",
                     k->hold_misses ? "l2.hold_misses" : "l2.fill_bytes");
  if (k->inclusive && s->nbypasses)
    return error_set(
        err, EXIT_USAGE,
        "l2.inclusive: a technique sends reads past the L2, which then lacks lines that L1s have");
  return true;
}

void partition_destroy(struct partition *c) {
  for (uint32_t i = 0; c->slice && i < c->nslices; i++)
    slice_destroy(&c->slice[i]);
  for (uint32_t i = 0; c->wait && i < c->memory.controllers; i++)
    free(c->wait[i].request);
  free(c->slice), free(c->wait), free(c->fetch);
  memory_destroy(&c->memory);
}

void partition_place(const struct partition *c, uint64_t address, struct sluice_request *r) {
  struct dram_place p = dram_map_place(&c->memory.map, address);
  const uint8_t *w = c->memory.map.width;
  uint32_t rank = memory_controller(&c->memory, address) << w[DRAM_RANK] | p.field[DRAM_RANK];
  r->channel = c->index;
  r->bank = (rank << w[DRAM_GROUP] | p.field[DRAM_GROUP]) << w[DRAM_BANK] | p.field[DRAM_BANK];
  r->row = p.field[DRAM_ROW];
  r->column = p.field[DRAM_COLUMN];
}

struct sluice_request partition_view(const struct partition *c, const struct l2_slice *s,
                                     const struct l2_parent *p) {
  struct sluice_request r = {.size = sizeof r,
                             .line = p->request.line,
                             .arrived = p->arrived,
                             .sm = p->request.sm,
                             .warp = p->request.warp,
                             .slice = s->index,
                             .degree = p->request.degree,
                             .kind = p->request.kind,
                             .sectors = p->request.sectors};
  const struct mem_stamps *who = p->request.stamps;
  const struct mem_notes *named = who && who->named ? who->more : NULL;
  r.pc = named ? named->pc : SLUICE_NONE;
  r.cta = named ? named->cta : SLUICE_NONE;
  r.ptx_line = named ? named->ptx_line : 0;
  r.source_line = named ? named->source_line : 0;
  r.launch = named ? named->launch : SLUICE_NONE;
  r.op = named ? named->op : 0;
  r.age = mem_age(&p->request, engine_cycle(c->engine, DOMAIN_CORE));
  partition_place(c, addr_stage_join(&c->k->map.slice, s->local ^ p->away, p->line), &r);
  return r;
}

HOT static void completions(struct partition *c) {
  struct dram_completion d;
  bool more;
  do {
    more = dram_answer(c->memory.dram, &d);
    c->outstanding--;
    c->moves++;
    if (d.tag >= L2_LAST_WRITE) {
      if (d.tag == L2_LAST_WRITE)
        dirty_written(c);
      continue;
    }
    uint32_t n = (uint32_t)d.tag;
    if (--c->fetch[n].left)
      continue;
    struct l2_slice *s = &c->slice[c->fetch[n].slice];
    if (c->fetch[n].part) {
      struct l2_fetch f = c->fetch[n];
      partition_fetch_end(c, n);
      if (!f.stays_dirty)
        slice_write(c, s, f.line, 1u << f.sector, UINT32_MAX, c->now);
      continue;
    }
    if (s->fast) { /* only fetches have answers that something waits for, and a fill sends nothing to memory */
      slice_filled(c, s, &(struct l2_fetched){&c->fetch[n], &d});
      partition_fetch_end(c, n);
      continue;
    }
    struct l2_fetch f = c->fetch[n]; /* a copy: what follows may take the fetch's place, and move the pool */
    partition_fetch_end(c, n);
    if (d.write && f.parent != UINT32_MAX && c->k->write_miss == CACHE_WRITE_AND_FETCH)
      slice_stored(c, s, f.parent);
    else if (d.write)
      evict_written(c, s, n, &f);
    else
      slice_filled(c, s, &(struct l2_fetched){&f, &d});
  } while (more);
}

/* Sends a request of a slice to the controllers' delay; slices take turns, one request per cycle. Returns the slice; NULL: no request could
 * go. */
SPECIALIZED const struct l2_slice *take_turns(struct partition *c, struct form f) {
  if (!c->missing || c->waiting >= (f.one ? c->wait_cap : c->wait_cap * c->memory.controllers))
    return NULL;
  for (uint32_t k = 0, i = c->turn; k < c->nslices; k++) {
    struct l2_slice *s = &c->slice[i];
    const struct memory_request *r = &s->miss[s->miss_head];
    i = i + 1 == c->nslices ? 0 : i + 1;
    if (!s->miss_count || r->at > c->now || (!f.one && !partition_has_room(c, r->address)))
      continue;
    partition_send_to(c, f.one ? c->wait : partition_queue(c, r->address), r);
    partition_sent(c, s);
    c->turn = i;
    return s;
  }
  return NULL;
}

/* Names the SM and the warp that ask for a burst, for schedulers that want to know. */
static __attribute__((noinline)) void name_requester(const struct partition *c,
                                                     const struct memory_request *w, struct dram_request *r) {
  r->sm = r->warp = SLUICE_NONE;
  if (w->fetch >= L2_LAST_WRITE)
    return;
  const struct l2_fetch *f = &c->fetch[w->fetch];
  const struct l2_slice *s = &c->slice[f->slice];
  uint32_t parent = f->parent;
  if (parent == UINT32_MAX && !w->write)
    parent = cache_first_waiter(s->cache, f->line, 1u << f->sector);
  if (parent >= UINT32_MAX - 1) /* nobody, or a store that waits for memory to have its bytes */
    return;
  r->sm = s->parent[parent].request.sm;
  r->warp = s->parent[parent].request.warp;
}

/* Hands the bursts that have passed the delay to the controllers. Returns whether any was accepted. */
SPECIALIZED bool hand_over(struct partition *c, struct form f) {
  const struct dram_taken *taken = c->memory.taken;
  bool moved = false;
  for (uint32_t i = 0; i < (f.one ? 1 : c->memory.controllers); i++) {
    struct partition_wait *q = &c->wait[i];
    if (q->refused && taken && taken->full[q->request[q->head].write])
      continue; /* the queue of the controller is still full */
    q->refused = false;
    while (q->count && q->request[q->head].at <= c->dram_now) {
      const struct memory_request *w = &q->request[q->head];
      struct dram_request r = {.address = w->address, .tag = w->fetch, .write = w->write};
      if (c->memory.orders)
        name_requester(c, w, &r);
      if ((taken && taken->full[w->write]) || !dram_push(c->memory.dram, &r)) {
        q->refused = true;
        break;
      }
      c->outstanding++;
      c->moves++;
      q->head = (q->head + 1) & c->wait_mask;
      q->count--;
      c->waiting--;
      moved = true;
    }
  }
  for (uint32_t i = 0; moved && c->k->wait_for_memory && i < c->nslices; i++)
    slice_retry_at(&c->slice[i], c->now + 1);
  return moved;
}

/* Simulates memory, unless it is idle, then the slices that have something to do. Returns the next cycle with work. */
SPECIALIZED uint64_t answers_and_slices(struct partition *c, uint64_t cycle, struct form f) {
  uint64_t tick = c->tick, next = NEVER, called = NEVER;
  c->idle = !c->outstanding && !c->waiting;
  if (!c->idle) {
    partition_dram_clock(c);
    if (dram_advance(c->memory.dram, c->dram_now))
      completions(c);
  }
  for (struct l2_slice *s = c->slice, *end = s + c->nslices; s < end; s++) {
    uint64_t t = slice_next_message(s, f.fast ? NULL : s->ack, tick);
    if (s->serve_at <= cycle && s->sure != UINT32_MAX)
      slice_fail_again(c, s);
    if (s->due <= cycle || t <= tick || (!f.fast && s->serve_at <= cycle && !s->fast)) {
      slice_cycle(c, s);
    } else {
      if (s->serve_at <= cycle) {
        s->serve_at = slice_serve(c, s);
        if (s->due <= cycle) /* an answer, at once */
          slice_answer(c, s, NEVER);
      }
      called = t < called ? t : called;
    }
    next = s->due < next ? s->due : next;
    next = s->serve_at < next ? s->serve_at : next;
  }
  if (called == NEVER || next <= cycle + 1)
    return next;
  called = partition_cycle_at(c, called);
  return called < next ? called : next;
}

uint64_t partition_slices(struct partition *c, uint64_t cycle) {
  partition_at(c, cycle);
  return answers_and_slices(c, cycle, (struct form){0});
}

/* The next cycle at which a slice that is not fast has work, `next` or earlier, after all that happened in this cycle. */
static uint64_t slices_again(const struct partition *c, uint64_t cycle, uint64_t next) {
  for (uint32_t i = 0; i < c->nslices; i++) {
    const struct l2_slice *s = &c->slice[i];
    if (s->serve_at < next)
      next = s->serve_at;
    if (s->miss_count && s->miss[s->miss_head].at > cycle && s->miss[s->miss_head].at < next)
      next = s->miss[s->miss_head].at;
  }
  return next;
}

/* Hands requests of the slices to memory. `next`: the next cycle with work for the slices. Returns the next cycle with work. */
SPECIALIZED uint64_t to_dram(struct partition *c, uint64_t cycle, uint64_t next, struct form f) {
  bool has_source = !f.fast && c->has_source;
  if (f.fast && !(c->missing | c->waiting | c->outstanding)) /* no slice asks memory, and memory is idle */
    return next;
  partition_dram_clock(c);
  uint64_t again = NEVER; /* when slices that a request has left want to look up another */
  bool left = false;
  for (uint32_t i = has_source ? c->k->memory_ports : 0; i < c->k->memory_ports; i++) {
    const struct l2_slice *s = take_turns(c, f);
    if (!s)
      break;
    left = true;
    sooner(&again, s->serve_at);
  }
  if (c->idle && c->waiting)
    dram_advance(c->memory.dram, c->dram_now);
  bool handed = c->waiting && hand_over(c, f);
  if (!f.fast && !c->fast)
    next = slices_again(c, cycle, next);
  sooner(&next, again);
  if (c->missing && !has_source && (left || handed))
    next = cycle + 1;
  if (next <= cycle + 1) /* nothing can be sooner */
    return next;
  uint64_t d = c->outstanding ? dram_next_change(c->memory.dram) : NEVER; /* in DRAM cycles */
  for (uint32_t i = 0; c->waiting && i < (f.one ? 1 : c->memory.controllers); i++) {
    const struct partition_wait *q = &c->wait[i];
    if (q->count)
      sooner(&d, q->refused ? dram_retry_at(c->memory.dram, i) : q->request[q->head].at);
  }
  if (d != NEVER) {
    uint64_t at = partition_cycle_at(c, d * c->dram_period);
    if (at < next)
      next = at;
  }
  return next;
}

uint64_t partition_dram(struct partition *c, uint64_t cycle, uint64_t next) {
  return to_dram(c, cycle, next, (struct form){0});
}

/* A cycle, and where the partition may, cycles after it, with clocks of its own (l2/ahead.h). */
HOT uint64_t partition_cycle(void *self, uint64_t cycle) {
  struct partition *c = self;
  if (!c->fast)
    return partition_dram(c, cycle, partition_slices(c, cycle));
  if (cycle < c->fresh)
    return ahead_receive(c, cycle);
  const struct form one = {.fast = true, .one = true}, several = {.fast = true};
  struct engine *e = c->engine;
  struct ahead a = {0};
  if (c->known && c->caught != c->fresh) {
    ahead_catch_up(c, cycle);
    c->caught = c->fresh;
  }
  partition_at(c, cycle);
  for (;;) {
    uint64_t next = c->memory.controllers > 1
                        ? to_dram(c, c->now, answers_and_slices(c, c->now, several), several)
                        : to_dram(c, c->now, answers_and_slices(c, c->now, one), one);
    if (!a.left || next >= a.stop) {
      bool may_begin = next <= c->now + AHEAD_NEAR && next >= c->look_at;
      if ((!a.end && !may_begin) || !ahead_look(c, &a, &next))
        return next;
    }
    a.left--;
    if (next >= a.open)
      ahead_note_shut(c, &a, next);
    uint64_t tick = next * e->period[DOMAIN_L2];
    c->now = next;
    c->tick = tick;
    c->core_now = e->clock[DOMAIN_CORE] == e->clock[DOMAIN_L2] ? next : c->core_now;
    if (RARELY(e->clock[DOMAIN_CORE] != e->clock[DOMAIN_L2]))
      for (; c->core_edge <= tick; c->core_now++)
        c->core_edge += e->period[DOMAIN_CORE];
    e->steps++;
  }
}

void partition_warm(struct partition *c, uint32_t slice, uint64_t address) {
  struct l2_slice *s = &c->slice[slice];
  uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  struct cache_result r = cache_store(s->cache, address, all, CACHE_THROUGH, CACHE_WRITE_VALIDATE, 0, true);
  s->calls.partial += victim_cache_on(s) && r.replaced; /* not kept */
}

void partition_empty(struct partition *c) {
  for (uint32_t i = 0; i < c->nslices; i++) {
    const struct tech_side *m = &c->slice[i].side_buffer;
    cache_flush(c->slice[i].cache, NULL, NULL);
    dirty_emptied(&c->slice[i]);
    if (c->slice[i].prefetch)
      l2_prefetch_emptied(&c->slice[i]);
    if (m->residents)
      m->residents->empty(m->self, c->now);
    if (m->victim && m->victim->empty)
      m->victim->empty(m->self, c->now);
  }
}
