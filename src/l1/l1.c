/* Loads and stores of the L1s. */
#include "cache/access.h"
#include "base/hot.h"
#include "base/specialized.h"
#include "l1/internal.h"
#include "l1/prefetch.h"

void l1_init(struct sm *s) {
  const struct l1_config *k = s->l1.k;
  ring_init(&s->miss, k->d_miss_queue, k->d.mshrs);
  ring_init(&s->cmiss, k->c_miss_queue, 0);
  s->l1d = cache_new(&k->d);
  s->l1c = cache_new(&k->c);
  s->l1t = cache_new(&k->t);
  s->sends = 1;
  coherent_init(s);
  combine_init(s);
  for (int i = 0; i < 2; i++)
    if (k->write[i].policy == CACHE_BACK || k->write[i].miss == CACHE_FETCH_ON_WRITE)
      s->sends = 2;
}

void l1_destroy(struct sm *s) {
  ring_destroy(&s->miss);
  ring_destroy(&s->cmiss);
  stamp_pool_destroy(&s->stamps);
  free(s->flush);
  coherent_destroy(s);
  combine_destroy(s);
  cache_free(s->l1d);
  cache_free(s->l1c);
  cache_free(s->l1t);
}

void l1_replaced(struct sm *s, const struct cache_result *r) {
  struct l1_hooks *h = &s->l1;
  if (r->replaced && h->prefetch)
    prefetch_replaced(s, r->replaced_line, false);
  if (!r->replaced || !h->gate.ops || !h->gate.ops->evicted)
    return;
  h->gate.ops->evicted(h->gate.self, r->replaced_owner, r->replaced_line, s->now);
  h->calls.evicted++;
  s->gate_stale = true;
}

/* Notifies bypass and gate techniques of the outcome of a load. */
static void notify(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                   const struct cache_result *r) {
  struct l1_hooks *h = &s->l1;
  enum sluice_outcome o = r->outcome == CACHE_HIT       ? SLUICE_HIT
                          : r->outcome == CACHE_PENDING ? SLUICE_MERGED
                                                        : SLUICE_MISSED;
  if (h->bypass.ops && h->bypass.ops->loaded) {
    struct sluice_request v = l1_view(s, of, a);
    h->bypass.ops->loaded(h->bypass.self, &v, o, s->now);
    h->calls.bypass_hits += o == SLUICE_HIT;
  }
  if (o == SLUICE_HIT && of->tracker != UINT32_MAX)
    s->tracker[of->tracker].hits++;
  l1_replaced(s, r);
  if (h->prefetch)
    prefetch_seen(s, of, a, o);
  if (!h->gate.ops || !h->gate.ops->loaded)
    return;
  h->gate.ops->loaded(h->gate.self, of->warp, a->line, o, s->now);
  h->calls.loaded++;
  h->calls.gate_hits += o == SLUICE_HIT;
  s->gate_stale = true;
}

static void notify_stored(struct sm *s, uint64_t line) {
  if (!s->l1.gate.ops || !s->l1.gate.ops->stored)
    return;
  s->l1.gate.ops->stored(s->l1.gate.self, line, s->now);
  s->l1.calls.stored++;
  s->gate_stale = true;
}

unsigned l1_retry_events(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  const struct l1_hooks *h = &s->l1;
  bool in_set = s->fail_why == SLUICE_FAIL_WAYS || s->fail_why == SLUICE_FAIL_MERGE;
  s->fail_set = in_set && s->fail_cache == s->l1d ? way_set(s->l1d, a->line) : NULL;
  if (h->bypass.ops || h->side_buffer.on || s->l1.k->nack || s->l1.k->coherence || s->ask)
    return L1_ANY; /* other parties decide as well */
  if (s->fail_why != SLUICE_FAIL_QUEUE)
    return L1_FILLED;
  /* a fill may bring the line; a store that is sent on needs room in the queue first */
  return of->kind == MEM_READ || s->sends > 1 ? L1_SENT | L1_FILLED : L1_SENT;
}

bool l1_fill_unblocks(const struct sm *s, const struct mem_request *r) {
  return !s->fail_set || (!(r->flags & MEM_CONST) && way_set(s->l1d, r->line) == s->fail_set);
}

void l1_fail_again(struct sm *s) {
  if (s->fail_cache)
    cache_fail_again(s->fail_cache, s->fail_why);
}

/* SI: an access that bypasses all caches (the SLC bit of the instruction set). */
static bool bypasses_all_caches(const struct sm *s, const struct l1_of *of) {
  return s->l1.k->coherence == COHERENCE_SI &&
         (of->inst->cache_op == SLUICE_CV || of->inst->cache_op == SLUICE_WT);
}

/* SI: a store of a whole line also stays in the L1, unless other SMs must see it at once (GLC); any other
 * store drops its line. */
static enum cache_write si_policy(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                                  enum cache_write_miss *miss) {
  uint64_t all = UINT64_MAX;
  bool whole = a->bytes[0] == all && (s->l1.k->line_bytes <= 64 || a->bytes[1] == all);
  whole &= !of->no_allocate && !bypasses_all_caches(s, of);
  /* whether the line is here or not: it stays, or it leaves */
  bool stays = protocols[COHERENCE_SI].l1[LINE_S][whole ? EVENT_STORE_WHOLE : EVENT_STORE].next != LINE_I;
  *miss = stays ? CACHE_WRITE_VALIDATE : CACHE_NO_ALLOCATE;
  return stays ? CACHE_THROUGH : CACHE_AROUND;
}

static void count_si(struct sm *s, enum cache_write policy, enum cache_outcome o) {
  s->stats.si_kept += policy == CACHE_THROUGH;
  s->stats.si_dropped += policy == CACHE_AROUND && o == CACHE_HIT;
}

/* Stores as the L1 does, whose sectors of local memory are valid as a whole once a store has changed a part (l1d.local_sectors): nobody else
 * may have written the rest. */
static struct cache_result store_local(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                                       bool room) {
  enum { OF_HALF = 64 / MEM_SECTOR };
  uint64_t bytes[2] = {0};
  for (uint32_t m = a->sectors; m; m &= m - 1) {
    uint32_t sector = (uint32_t)__builtin_ctz(m);
    bytes[sector / OF_HALF] |= (uint64_t)UINT32_MAX << sector % OF_HALF * MEM_SECTOR;
  }
  return cache_store(s->l1d, a->line, bytes, s->l1.k->write[1].policy, s->l1.k->write[1].miss, of->tracker,
                     room);
}

/* A store, by the write policy of its space: write-through, write-back or write-around. `around`: write-around for sure, and no
 * protocol, bypass queue or technique is concerned. */
SPECIALIZED bool store_as(struct sm *s, const struct l1_of *of, const struct sm_access *a, bool around) {
  const struct l1_config *k = s->l1.k;
  enum cache_write policy = CACHE_AROUND;
  bool kept = false, waits = false; /* the instruction's entry in the buffer waits for the fetched line */
  if (!around && l1_would_overtake_load(s, a->line))
    return l1_reservation_fail(s, SLUICE_FAIL_QUEUE);
  if (around || k->d_on) {
    bool local = sm_is_local(a->line), room = ring_room(&s->miss, s->sends);
    enum cache_write_miss miss = around ? CACHE_NO_ALLOCATE : k->write[local].miss;
    struct cache_result r;
    if (around) {
      r.outcome =
          cache_store_as(s->l1d, a->line, a->bytes, CACHE_ALL_SECTORS, policy, miss, 0, room, &r, true);
    } else {
      policy = k->coherence == COHERENCE_SI ? si_policy(s, of, a, &miss) : k->write[local].policy;
      if (policy == CACHE_BACK && miss == CACHE_NO_ALLOCATE && !room &&
          sectors_to_cache(s->l1.k->d.sector_bytes, a->sectors) & ~cache_probe(s->l1d, a->line))
        return l1_reservation_fail(s, SLUICE_FAIL_QUEUE);
      l1_set_owner(s, of->warp);
      l1_set_access(s, of);
      r = local && k->local_sectors ? store_local(s, of, a, room)
                                    : cache_store(s->l1d, a->line, a->bytes, policy, miss, of->tracker, room);
    }
    if (r.outcome == CACHE_FAILED)
      return l1_cache_fail(s, s->l1d, r.fail);
    if (!around) {
      l1_replaced(s, &r);
      if (k->coherence == COHERENCE_SI)
        count_si(s, policy, r.outcome);
      kept = policy == CACHE_BACK && (r.outcome == CACHE_HIT || miss != CACHE_NO_ALLOCATE);
      if (r.fetch) {
        struct l1_of fetch = *of;
        fetch.kind = MEM_READ, fetch.tracker = UINT32_MAX;
        l1_send(s, &s->miss, &fetch, a, sectors_from_cache(k->d.sector_bytes, r.fetch), 0);
      }
      waits = of->tracker != UINT32_MAX && r.waits;
    }
    if (r.evicted)
      l1_write_to_l2(s, &r);
    if (r.outcome == CACHE_HIT || miss != CACHE_NO_ALLOCATE)
      l1_use_port(s, a->sectors);
  } else if (!l1_miss_room(s)) {
    return l1_reservation_fail(s, SLUICE_FAIL_QUEUE);
  }
  if (!around)
    notify_stored(s, a->line);
  bool through = !kept && policy == CACHE_THROUGH;
  bool combines = through && of->tracker == UINT32_MAX && combine_takes(s, a);
  if (through && k->d_store_lines) {
    if (s->combine.request)
      kept = combines && combine_joins(s, a);
    else
      kept = repeat_stores(&s->repeat, k->d_store_lines, a->line, a->bytes) ||
             (of->tracker == UINT32_MAX && repeat_joins(&s->miss, k->d_store_lines, a->line, a->bytes));
    s->stats.repeated_stores += kept;
  }
  if (kept) {
    if (!waits)
      l1_store_done(s, of->warp, of->tracker);
    return true;
  }
  l1_send(s, &s->miss, of, a, a->sectors, !around && bypasses_all_caches(s, of) ? MEM_SYSTEM : 0);
  if (combines)
    combine_add(s, of->inst->bytes >= 4);
  return true;
}

static bool store(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  return s->no_allocate && !sm_is_local(a->line) ? store_as(s, of, a, true) : store_as(s, of, a, false);
}

void l1_set_cache(const struct sm *s, struct l1_of *of) {
  of->texture = s->l1.k->t_on && of->inst->cache_op == SLUICE_TEXTURE;
  if (s->l1.k->coherence == COHERENCE_MOESI && of->kind == MEM_READ && of->inst->klass != SLUICE_PREFETCH) {
    of->no_allocate = false; /* no L1 has stale data */
    return;
  }
  of->no_allocate = of->kind == MEM_ATOMIC || of->inst->klass == SLUICE_PREFETCH ||
                    (!of->constant && !of->texture &&
                     (!s->l1.k->d_on || of->inst->cache_op == SLUICE_CG || of->inst->cache_op == SLUICE_CV ||
                      of->inst->flags & SLUICE_IF_VOLATILE));
}

/* A texture cache has lines without sectors and is written by nobody; its misses leave with the data cache's. */
static bool load_texture(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  struct cache_result r = cache_load(s->l1t, a->line, 1, of->tracker, ring_room(&s->miss, 1));
  if (r.outcome == CACHE_FAILED)
    return l1_cache_fail(s, s->l1t, r.fail);
  if (r.outcome == CACHE_MISS)
    l1_send(s, &s->miss, of, a, (uint8_t)((1u << s->l1.k->line_bytes / MEM_SECTOR) - 1), 0);
  if (r.outcome == CACHE_HIT)
    tracker_answer(s, of->tracker, s->now + s->l1.k->t_latency, s->k->hit_stages);
  return true;
}

/* A load where a technique may take the missed line into its side buffer: then no way is reserved. False:
 * the line is being evicted from the side buffer. */
static bool load_to_side_buffer(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                                struct cache_result *r, bool *to_side_buffer) {
  struct tech_calls *calls = &s->l1.calls;
  const struct tech_side *m = &s->l1.side_buffer;
  uint32_t sectors = sectors_to_cache(s->l1.k->d.sector_bytes, a->sectors);
  bool asked = cache_misses(s->l1d, a->line, sectors);
  if (asked && m->fill->holds(m->self, a->line))
    return false;
  *to_side_buffer = asked && m->fill->take(m->self, a->line, s->now);
  calls->taken += *to_side_buffer;
  cache_set_side_buffer(s->l1d, *to_side_buffer);
  *r = cache_load(s->l1d, a->line, sectors, of->tracker, ring_room(&s->miss, s->sends));
  cache_set_side_buffer(s->l1d, false);
  if (asked && !r->fetch) {
    m->fill->drop(m->self, a->line, *to_side_buffer);
    calls->dropped += *to_side_buffer;
  }
  return true;
}

/* A load that the cache had no room for: may it bypass the L1? */
static bool bypasses_failed(struct sm *s, const struct l1_of *of, const struct sm_access *a,
                            enum sluice_fail why) {
  const struct tech_l1_bypass *b = &s->l1.bypass;
  if (!b->ops || !b->ops->access)
    return false;
  bool room =
      b->queue ? ring_room(&s->l1.detour, 1) && !l1_would_overtake_write(s, a->line) : l1_miss_room(s);
  struct sluice_request v = l1_view(s, of, a);
  return room && b->ops->access(b->self, &v, why, s->now) && l1_send_bypass(s, of, a);
}

/* A load. `fast`: no technique is notified and nothing is beside the L1, whose accesses can be fast too. */
SPECIALIZED bool load_as(struct sm *s, const struct l1_of *of, const struct sm_access *a, bool fast) {
  uint32_t sectors = sectors_to_cache(s->l1.k->d.sector_bytes, a->sectors);
  bool room = ring_room(&s->miss, s->sends), to_side_buffer = false;
  struct cache_result r;
  if (fast) {
    r.outcome = cache_load_as(s->l1d, a->line, sectors, of->tracker, room, &r, true);
  } else {
    if (of->bypass && !cache_pending(s->l1d, a->line))
      return l1_send_bypass(s, of, a) || l1_reservation_fail(s, SLUICE_FAIL_QUEUE);
    l1_set_owner(s, of->warp);
    l1_set_access(s, of);
    if (s->coherent.nnotices && !cache_probe(s->l1d, a->line) && !coherent_may_ask(s, a->line))
      return l1_reservation_fail(s, SLUICE_FAIL_WAYS);
    if (!s->l1.side_buffer.on)
      r = cache_load(s->l1d, a->line, sectors, of->tracker, room);
    else if (!load_to_side_buffer(s, of, a, &r, &to_side_buffer))
      return l1_reservation_fail(s, SLUICE_FAIL_WAYS);
  }
  if (r.outcome == CACHE_FAILED)
    return (!fast && bypasses_failed(s, of, a, r.fail)) || l1_cache_fail(s, s->l1d, r.fail);
  if (r.outcome == CACHE_MISS) {
    l1_send(s, &s->miss, of, a, sectors_from_cache(s->l1.k->d.sector_bytes, r.fetch), 0);
    if (!fast && to_side_buffer)
      ring_last(&s->miss)->technique = 1;
    if (!fast && s->coherent.nstores)
      ring_last(&s->miss)->coherence = (uint8_t)coherent_ask(s, a->line);
  }
  if (!fast && s->coherent.state)
    coherent_replaced(s, &r, a->line);
  else if (r.outcome != CACHE_HIT && r.evicted)
    l1_write_to_l2(s, &r);
  if (!fast && (s->l1.bypass.ops || s->l1.gate.ops || s->l1.prefetch))
    notify(s, of, a, &r);
  if (r.outcome == CACHE_HIT) {
    uint32_t cycles = l1_use_port(s, a->sectors);
    tracker_answer(s, of->tracker, s->now + s->l1.k->d_after + of->wait + cycles - 1, s->k->hit_stages);
  }
  return true;
}

static bool load_generally(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  return load_as(s, of, a, false);
}

/* A load of the line is under way. Where the L2 may send loads back, a write waits for loads of its line,
 * which it could overtake; under a protocol as well, since data from before the write must not arrive after
 * it. */
static bool load_pending(const struct sm *s, uint64_t line) {
  return cache_pending(s->l1d, line) || retry_has(s, line);
}

/* A no-allocate access: an atomic invalidates the L1's line, and a dirty line is written back first. */
static bool access_no_allocate(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (!ring_room(&s->miss, s->sends) || l1_would_overtake_load(s, a->line))
    return l1_reservation_fail(s, SLUICE_FAIL_QUEUE);
  struct cache_result r;
  if (s->coherent.state) {
    if (of->inst->klass != SLUICE_PREFETCH && !coherent_drop(s, a->line))
      return l1_reservation_fail(s, SLUICE_FAIL_WAYS);
  } else if (of->kind == MEM_ATOMIC || s->sends > 1) {
    cache_invalidate(s->l1d, a->line, &r);
    l1_write_back(s, &r);
  }
  bool past = of->kind == MEM_READ && bypasses_all_caches(s, of);
  bool tries = of->kind == MEM_ATOMIC && s->k->cas_retry && of->inst->flags & SLUICE_IF_TRIES;
  s->prefetches += of->inst->klass == SLUICE_PREFETCH;
  l1_send(s, &s->miss, of, a, a->sectors,
          MEM_NO_FILL | (of->inst->klass == SLUICE_PREFETCH ? MEM_PREFETCH : 0) | (past ? MEM_SYSTEM : 0) |
              (tries ? MEM_TRIES : 0));
  return true;
}

/* A load that the L2 has sent back, or the fetch of a store. */
static bool load_again(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  bool store = of->tracker == UINT32_MAX || s->tracker[of->tracker].store;
  if (s->coherent.state && store)
    return coherent_store_again(s, of, a);
  if (!store || sectors_to_cache(s->l1.k->d.sector_bytes, a->sectors) & ~cache_probe(s->l1d, a->line))
    return load_generally(s, of, a);
  if (of->tracker != UINT32_MAX)
    l1_store_done(s, of->warp, of->tracker);
  return true;
}

/* A store under a protocol that keeps states of lines. */
static bool store_coherently(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  bool ok = coherent_store(s, of, a);
  if (ok)
    notify_stored(s, a->line);
  return ok;
}

HOT bool l1_access(struct sm *s, const struct l1_of *of, const struct sm_access *a) {
  if (of->tracker !=
      UINT32_MAX) { /* books the attempt: the last reservation fail of the instruction is over */
    struct sm_tracker *t = &s->tracker[of->tracker];
    if (t->fail_cause < SLUICE_NFAILS)
      t->refused[t->fail_cause] += (uint32_t)(s->now - t->tried);
    t->fail_cause = SLUICE_NFAILS;
    t->tried = s->now;
  }
  bool ok;
  if (RARELY(of->again))
    ok = load_again(s, of, a);
  else if (RARELY(s->coherent.in_turn) && !coherent_turn(s, of))
    ok = l1_reservation_fail(s, SLUICE_FAIL_MSHR);
  else if (RARELY(s->coherent.state) && of->kind == MEM_WRITE)
    ok = store_coherently(s, of, a);
  else if (RARELY(s->l1.k->nack || s->l1.k->coherence) && of->kind != MEM_READ && load_pending(s, a->line))
    ok = l1_reservation_fail(s, SLUICE_FAIL_MSHR);
  else if (of->kind == MEM_WRITE)
    ok = store(s, of, a);
  else if (of->no_allocate)
    ok = access_no_allocate(s, of, a);
  else if (of->texture)
    ok = load_texture(s, of, a);
  else if (of->constant)
    ok = l1_load_constant(s, of, a);
  else
    ok = s->load_fast ? load_as(s, of, a, true) : load_generally(s, of, a);
  if (!ok && of->tracker != UINT32_MAX)
    s->tracker[of->tracker].fail_cause = (uint8_t)s->fail_why;
  return ok;
}

bool l1_load_again(struct sm *s, uint64_t line, uint8_t sectors, uint32_t tracker) {
  static const struct warp_inst none;
  struct l1_of of = {.inst = &none, .tracker = tracker, .kind = MEM_READ, .again = true};
  if (tracker != UINT32_MAX) {
    const struct sm_tracker *t = &s->tracker[tracker];
    of.inst = t->inst;
    of.warp = t->warp;
    of.degree = t->degree ? t->degree : 1;
  }
  return l1_access(s, &of, &(struct sm_access){.line = line, .sectors = sectors});
}

/* Answers fill the L1s. */

void l1_store_done(struct sm *s, uint32_t w, uint32_t tracker) {
  if (tracker != UINT32_MAX)
    tracker_answer(s, tracker, s->now + 1, s->k->load_stages);
  s->warp[w].stores--;
  warp_settle(s, w);
  if (s->warp[w].ended)
    warp_drained(s, w);
}

static void fill_answer(void *ctx, uint32_t waiter) {
  struct sm *s = ctx;
  if (waiter == UINT32_MAX) /* a store that fetched its line, with no instruction waiting */
    return;
  if (s->tracker[waiter].store)
    l1_store_done(s, s->tracker[waiter].warp, waiter);
  else
    tracker_answer(s, waiter, s->now + 1, s->k->load_stages);
}

/* A fill of a line in the side buffer: the line takes a way, and the replaced line is evicted from the side
 * buffer. */
static void fill_from_side_buffer(struct sm *s, const struct mem_request *r, uint32_t sectors) {
  const struct tech_side *m = &s->l1.side_buffer;
  cache_set_side_buffer(s->l1d, true);
  struct cache_result f = cache_fill(s->l1d, r->line, sectors, fill_answer, s);
  cache_set_side_buffer(s->l1d, false);
  l1_replaced(s, &f);
  m->fill->swapped(m->self, r->line, f.replaced ? f.replaced_line : NEVER, s->now);
  s->l1.calls.swapped++;
  s->l1.calls.exchanged += f.replaced;
  uint64_t until = s->now + m->swap;
  for (uint32_t i = 0; f.replaced && i < s->l1.k->d_ports; i++)
    s->port_busy[i] = until > s->port_busy[i] ? until : s->port_busy[i];
  if (f.replaced && !f.evicted) {
    m->fill->evicted(m->self, f.replaced_line, s->now);
    s->l1.calls.written++;
  }
  l1_write_back(s, &f);
  if (f.evicted)
    ring_last(&s->miss)->technique = 1; /* the acknowledgement frees the entry of the side buffer */
}

HOT bool l1_fill(struct sm *s, const struct mem_request *r) {
  if (RARELY(r->flags & MEM_CONST))
    return cache_fill(s->l1c, l1_constant_line(s, r->line, r->sectors), 1, fill_answer, s).outcome !=
           CACHE_FAILED;
  if (RARELY(r->stream == 1) && s->l1.k->t_on) /* of textures */
    return cache_fill(s->l1t, r->line, 1, fill_answer, s).outcome != CACHE_FAILED;
  if (s->load_fast) {
    struct way *w = way_find_again(s->l1d, r->line, &s->l1d->filled);
    uint32_t sectors = sectors_to_cache(s->l1.k->d.sector_bytes, r->sectors);
    if (sectors == 1)
      cache_fill_as(s->l1d, w, r->line, 1, true, fill_answer, s, true);
    else
      cache_fill_as(s->l1d, w, r->line, sectors, false, fill_answer, s, true);
    return true;
  }
  if (s->coherent.state) { /* the line has a way: reserved by the miss, or valid */
    cache_fill(s->l1d, r->line, 1, fill_answer, s);
    coherent_filled(s, r);
    return true;
  }
  if (r->flags & MEM_REMOTE) {
    cache_fill_no_allocate(s->l1d, r->line, sectors_to_cache(s->l1.k->d.sector_bytes, r->sectors),
                           fill_answer, s);
    if (r->technique) {
      s->l1.side_buffer.fill->swapped(s->l1.side_buffer.self, r->line, NEVER, s->now);
      s->l1.calls.swapped++;
    }
    return true;
  }
  l1_set_owner(s, r->warp); /* the warp that missed owns the line, where the way is allocated only now */
  if (r->technique) {
    fill_from_side_buffer(s, r, sectors_to_cache(s->l1.k->d.sector_bytes, r->sectors));
    return true;
  }
  struct cache_result f =
      cache_fill(s->l1d, r->line, sectors_to_cache(s->l1.k->d.sector_bytes, r->sectors), fill_answer, s);
  l1_replaced(s, &f);
  l1_write_back(s, &f);
  return f.outcome != CACHE_FAILED;
}
