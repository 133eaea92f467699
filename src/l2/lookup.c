/* The tags of a slice: hits, misses and reservation fails. */
#include "base/bits.h"
#include "base/hot.h"
#include "base/specialized.h"
#include "cache/access.h"
#include "l2/dirty.h"
#include "l2/evict.h"
#include "l2/internal.h"
#include "l2/parts.h"
#include "l2/prefetch.h"
#include "l2/victim.h"
#include "mem/mem.h"

/* Does the line stay in the side buffer, in an entry that serves accesses? */
static bool in_side_buffer(const struct l2_slice *s, uint64_t line) {
  const struct tech_side *m = &s->side_buffer;
  return m->residents && m->residents->kept(m->self, line);
}

bool slice_miss_room(const struct l2_slice *s, bool write) {
  const struct partition *c = s->owner;
  if (!c->k->worst_case_misses)
    return s->miss_count < c->k->miss_queue;
  uint32_t lines = (s->miss_count + c->bursts - 1) / c->bursts;
  return lines + (write ? 3 : 2) <= c->k->miss_queue;
}

static bool memory_queue_full(const struct l2_slice *s) {
  const struct partition *c = s->owner;
  return c->k->wait_for_memory && c->waiting >= c->wait_cap * c->memory.controllers;
}

static bool line_here(const struct l2_slice *s, uint64_t line, uint32_t sector) {
  return !cache_pending(s->cache, line) && !cache_misses(s->cache, line, 1u << sector);
}

enum sluice_fail slice_would_fail(void *self, uint32_t h) {
  struct l2_slice *s = self;
  const struct l2_config *k = s->owner->k;
  if (!guard_holds(&s->guard, h)) {
    guard_wrong(&s->guard, "it asked would_fail() about a request that it does not hold", h, s->owner->now);
    s->owner->engine->asked = true;
    return SLUICE_NFAILS;
  }
  const struct l2_parent *p = &s->parent[h];
  if (p->away)
    s = s->beside;
  bool room = slice_miss_room(s, p->request.kind == MEM_WRITE);
  if (s->done_count >= k->out)
    return SLUICE_FAIL_RESPONSE;
  if (memory_queue_full(s))
    return SLUICE_FAIL_QUEUE;
  uint32_t sector = 1u << __builtin_ctz(p->todo);
  if (s->directory.on && p->request.kind == MEM_WRITE)
    return SLUICE_NFAILS;
  if (s->directory.on && directory_locked(s, h))
    return SLUICE_FAIL_WAYS;
  if (!(p->request.flags & MEM_SYSTEM) && in_side_buffer(s, p->line))
    return SLUICE_NFAILS;
  if (p->request.flags & MEM_SYSTEM)
    return !room ? SLUICE_FAIL_QUEUE : cache_pending(s->cache, p->line) ? SLUICE_FAIL_WAYS : SLUICE_NFAILS;
  if (p->request.kind != MEM_WRITE)
    return (enum sluice_fail)cache_would_fail(s->cache, p->line, sector, false, room);
  if (k->write_miss == CACHE_WRITE_AND_FETCH) {
    bool here = line_here(s, p->line, (uint32_t)__builtin_ctz(sector));
    return here   ? SLUICE_NFAILS
           : room ? (enum sluice_fail)cache_would_fail(s->cache, p->line, sector, false, room)
                  : SLUICE_FAIL_QUEUE;
  }
  if (k->write_miss == CACHE_NO_ALLOCATE)
    return room ? SLUICE_NFAILS : SLUICE_FAIL_QUEUE;
  if (s->parts && !cache_partial(s->cache, p->line) && parts_blocked(s->owner, s))
    return SLUICE_FAIL_QUEUE;
  if (s->limits_dirty && !cache_changed(s->cache, p->line) && dirty_blocked(s->owner, s))
    return SLUICE_FAIL_QUEUE;
  return (enum sluice_fail)cache_would_fail(s->cache, p->line, sector, k->write_miss == CACHE_WRITE_VALIDATE,
                                            room);
}

uint32_t slice_use_port(struct partition *c, struct l2_slice *s, uint8_t wanted, uint32_t sector) {
  uint32_t per = c->k->cache.sector_bytes / MEM_SECTOR,
           bytes = count_bits((uint32_t)wanted >> sector * per & ((1u << per) - 1)) * MEM_SECTOR;
  if (bytes <= c->k->port_bytes)
    return 0;
  uint32_t more = (bytes - 1) / c->k->port_bytes;
  if (c->now + 1 + more > s->busy)
    s->busy = c->now + 1 + more;
  return more;
}

/* The bytes of a request that lie in an L2 sector. */
static void bytes_in(const struct l2_config *k, const uint64_t *bytes, uint32_t sector, uint64_t *out) {
  uint32_t size = k->cache.sector_bytes, from = sector * size;
  if (size >= 64) {
    for (uint32_t i = 0; i < 2; i++)
      out[i] = i * 64 >= from && i * 64 < from + size ? bytes[i] : 0;
    return;
  }
  uint64_t part = bytes[from / 64] >> from % 64 & ((UINT64_C(1) << size) - 1);
  out[0] = out[1] = 0;
  out[from / 64] = part << from % 64;
}

bool slice_bypassed(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why) {
  struct l2_parent *p = &s->parent[h];
  if (!s->nbypasses || p->request.kind != MEM_READ || s->miss_count >= c->k->miss_queue ||
      cache_changed(s->cache, p->line))
    return false;
  struct sluice_request r = partition_view(c, s, p);
  r.pending = cache_pending(s->cache, p->line);
  for (unsigned i = 0; i < s->nbypasses; i++) {
    if (!s->bypass[i].ops->access(s->bypass[i].self, &r, why, c->now))
      continue;
    s->stats.bypasses++;
    slice_fetch(c, s, p->line, p->todo & (0u - p->todo), h, false);
    return true;
  }
  return false;
}

HOT bool slice_reservation_fail(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why) {
  struct l2_parent *p = &s->parent[h];
  s->stats.fails[why]++;
  s->fail_since = c->now;
  s->fail_why = why;
  s->refused = p->epoch = s->epoch;
  p->fail_cause = (uint8_t)why;
  p->failed_at = mem_age(&p->request, c->core_now);
  if (!s->fifo) {
    s->order.ops->refused(s->order.self, h, why, c->now);
    s->calls.refused++;
  } else if (why == SLUICE_FAIL_QUEUE && s->fast && p->request.kind != MEM_WRITE) {
    s->sure = h;
  }
  return false;
}

bool slice_sent_back(struct partition *c, struct l2_slice *s, uint32_t h, enum sluice_fail why) {
  struct l2_parent *p = &s->parent[h];
  if (!c->k->nack || p->request.kind != MEM_READ || p->request.flags || p->left != count_bits(p->todo) ||
      why == SLUICE_FAIL_QUEUE)
    return slice_reservation_fail(c, s, h, why);
  s->stats.fails[why]++;
  slice_send_back(s, h);
  p->todo = 0;
  slice_send_at(s, h, c->now + 1);
  return true;
}

/* Words that another warp has changed since this one saw them stay among the request's bytes, and go back with the answer. */
static void cas_tried(struct partition *c, struct l2_slice *s, uint32_t h, const uint64_t bytes[2]) {
  struct mem_request *r = &s->parent[h].request;
  uint64_t first = r->born > c->k->cas_age ? r->born - c->k->cas_age : 0,
           seen = r->stamps->again ? r->stamps->more->seen : first, fails[2] = {bytes[0], bytes[1]};
  bool lock = c->k->lock_holds && r->degree == 1 && count_bits(r->bytes[0]) + count_bits(r->bytes[1]) <= 8;
  if (spin_fails(&s->spin, r, fails, c->core_now, seen, lock)) {
    r->flags |= MEM_AGAIN;
    r->stamps->more->shown = c->core_now;
    s->stats.again++;
  } else {
    s->stats.taken++;
  }
  for (int i = 0; i < 2; i++)
    r->bytes[i] &= ~bytes[i] | fails[i];
}

void slice_cas_succeeded(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector) {
  const struct mem_request *r = &s->parent[h].request;
  uint64_t bytes[2];
  bytes_in(c->k, r->bytes, sector, bytes);
  if (!(bytes[0] | bytes[1]))
    return;
  if (r->flags & MEM_TRIES) {
    cas_tried(c, s, h, bytes);
    return;
  }
  s->stats.taken++;
  s->stats.taken_early += spin_takes(&s->spin, r, bytes, c->now);
}

/* The place of the line among the `lines` that atomics changed last, the last one first; `lines`: none. From now on it is the first. */
static uint32_t atomic_line(struct l2_slice *s, uint32_t lines, uint64_t line) {
  uint32_t i = 0;
  while (i + 1 < lines && s->atomic_line[i] != line)
    i++;
  uint32_t place = s->atomic_line[i] == line ? i : lines;
  memmove(s->atomic_line + 1, s->atomic_line, i * sizeof *s->atomic_line);
  s->atomic_line[0] = line;
  return place;
}

/* Results of atomics leave the slice more slowly than atomics pass the tags: an atomic that takes `time` waits for the result before,
 * while reads, which have results of another kind, fill the gaps. Returns how long it waits; all in 1024ths of a cycle. */
static uint32_t wait_for_result(const struct partition *c, struct l2_slice *s, uint32_t time) {
  uint64_t begin = (s->busy > c->now ? s->busy : c->now) << 10,
           wait = s->result_at > begin ? s->result_at - begin : 0;
  s->result_at = begin + wait + time + c->k->result_interval;
  return (uint32_t)wait;
}

/* Lanes add floating-point numbers to one word: each sum waits for the one before, also of the atomic before, while the slice goes on with
 * others. Returns how long the slice is busy, in 1024ths of a cycle. */
static uint32_t add_to_one(const struct partition *c, struct l2_slice *s, uint32_t passes, bool same) {
  uint64_t begin = (s->busy > c->now ? s->busy : c->now) << 10,
           wait = same && s->sums_at > begin ? s->sums_at - begin : 0;
  s->sums_at = begin + wait + (uint64_t)passes * c->k->word_interval[1];
  return (uint32_t)wait + passes * c->k->word_interval[0];
}

uint32_t slice_passes(const struct partition *c, struct l2_slice *s, const struct l2_parent *p,
                      uint32_t sector) {
  const struct l2_config *k = c->k;
  uint32_t sectors = sectors_to_cache(k->cache.sector_bytes, p->request.sectors), n = count_bits(sectors),
           before = count_bits(sectors & ((1u << sector) - 1)), lanes = p->request.coherence & MEM_LANES,
           all = p->request.coherence & (lanes == MEM_F64 ? MEM_WIDE - 1 : MEM_PASSES);
  uint32_t passes = all < n ? 1 : all / n + (before < all % n); /* evenly: the request has their sum */
  uint64_t at = p->line + (uint64_t)sector * k->cache.sector_bytes;
  bool doubles = lanes == MEM_F64, wide = doubles && p->request.coherence & MEM_WIDE,
       words = lanes == MEM_WORDS || (doubles && !wide), same = at == s->atomic_at;
  uint32_t place = atomic_line(s, k->known_lines, p->line);
  bool row = (n + 1) * k->cache.sector_bytes > k->cache.line_bytes &&
             all <= n; /* a lane for each word of the line */
  bool known = place < (words ? k->words_lines : k->atomic_lines),
       again = place < k->atomic_lines || (known && row);
  bool one = lanes == MEM_ONE_FLOAT && (passes > 1 || same);
  uint32_t word = !doubles ? k->word_interval[0]
                  : wide   ? k->double_interval
                           : k->atomic_interval,
           first = wide              ? k->double_line_interval
                   : same || doubles ? word
                   : again           ? k->line_interval
                                     : k->atomic_interval,
           time = one ? add_to_one(c, s, passes, same) : first + (passes - 1) * word;
  if (!before)
    s->atomic_new = !known && !row;
  if (k->words_interval && words && s->atomic_new)
    time = passes * k->words_interval;
  s->atomic_at = at;
  s->stats.accesses += passes - 1;
  s->stats.hits += passes - 1;
  if (k->result_interval && p->request.waiter != UINT32_MAX && !same && !one && !known)
    time += wait_for_result(c, s, time);
  return time;
}

/* Serves a sector from the side buffer, after the lookup of the tags has missed. */
static void serve_side_buffer(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector) {
  const struct tech_side *m = &s->side_buffer;
  struct l2_parent *p = &s->parent[h];
  uint32_t later = m->lookup;
  bool read = p->request.kind == MEM_READ;
  m->residents->serve(m->self, p->line, (uint8_t)(read ? 0 : 1u << sector), c->now);
  s->stats.accesses++;
  s->stats.hits++;
  if (!s->wide_port)
    later += slice_use_port(c, s, p->request.sectors, sector);
  if (p->request.kind == MEM_ATOMIC)
    slice_atomic(c, s, h, sector);
  if (read && !p->request.flags && s->sharers.words)
    sharers_add_side(&s->sharers, p->line, p->request.sm);
  p->todo &= (uint8_t)(p->todo - 1);
  if (!--p->left)
    slice_send_at(s, h, c->now + c->k->latency + later);
  s->epoch++;
}

/* Serves a sector of an access that bypasses all caches: the L2's dirty data goes to memory first. */
static bool look_past(struct partition *c, struct l2_slice *s, uint32_t h) {
  struct l2_parent *p = &s->parent[h];
  uint32_t sector = (uint32_t)__builtin_ctz(p->todo);
  const struct sluice_fill_buffer *m = s->side_buffer.fill;
  struct cache_result had = {0};
  if (in_side_buffer(s, p->line)) {
    evict_remove(c, s, p->line);
    p = &s->parent[h]; /* invalidations may have moved them */
    if (evict_leaving(c, s, p->line))
      return slice_reservation_fail(c, s, h, SLUICE_FAIL_WAYS);
  }
  if (victim_cache_on(s)) {
    victim_remove(c, s, p->line);
    p = &s->parent[h];
    if (s->nleaving && evict_leaving(c, s, p->line))
      return slice_reservation_fail(c, s, h, SLUICE_FAIL_WAYS);
  }
  if (cache_pending(s->cache, p->line) || (m && m->holds && m->holds(s->side_buffer.self, p->line)))
    return slice_reservation_fail(c, s, h, SLUICE_FAIL_WAYS);
  if (s->miss_count >= c->k->miss_queue)
    return slice_reservation_fail(c, s, h, SLUICE_FAIL_QUEUE);
  if (cache_place(s->cache, p->line) != UINT32_MAX && !cache_invalidate(s->cache, p->line, &had))
    return slice_reservation_fail(c, s, h, SLUICE_FAIL_WAYS); /* the line is being filled */
  slice_write(c, s, p->line, had.victim_sectors, UINT32_MAX, c->now);
  p->todo &= (uint8_t)(p->todo - 1);
  if (p->request.kind == MEM_WRITE) {
    s->stats.system_writes++;
    slice_write(c, s, p->line, 1u << sector, UINT32_MAX, c->now);
    slice_sector_done(c, s, h, NULL, 0);
  } else {
    s->stats.system_reads++;
    slice_fetch(c, s, p->line, 1u << sector, h, false);
  }
  s->epoch++;
  return true;
}

/* The bytes of a store in the bursts of its sector go to memory; the store is answered when all are there. */
static void write_bytes(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector) {
  const struct l2_parent *p = &s->parent[h];
  uint64_t bytes[2];
  uint32_t per = c->k->cache.sector_bytes / c->bursts,
           f = partition_fetch(c, s->local, p->line, sector, h, false);
  uint32_t which = 0;
  bytes_in(c->k, p->request.bytes, sector, bytes);
  for (uint32_t i = 0; i < c->bursts; i++) {
    uint32_t from = sector * c->k->cache.sector_bytes + i * per, any = 0;
    for (uint32_t b = from; b < from + per; b++)
      any |= bytes[b / 64] >> b % 64 & 1;
    if (any || (!which && i + 1 == c->bursts)) /* a store of nothing is one all the same */
      which |= 1u << i;
  }
  slice_to_memory(c, s, p->line + (uint64_t)sector * c->k->cache.sector_bytes, which, f, true, c->now);
  s->stats.writes++;
  s->unwritten += c->bursts - count_bits(which);
  c->fetch[f].left = count_bits(which);
  c->fetch[f].write = true;
}

/* A store whose line is not here, in an L2 that writes it to memory and fetches the line (GPGPU-Sim 3, wr_miss_wa). */
static bool write_and_fetch(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t sector, bool room) {
  uint64_t line = s->parent[h].line;
  if (!room)
    return slice_reservation_fail(c, s, h, SLUICE_FAIL_QUEUE);
  struct cache_result k = cache_load(s->cache, line, 1u << sector, L2_NOBODY, room);
  if (k.outcome == CACHE_FAILED)
    return slice_reservation_fail(c, s, h, k.fail);
  s->stats.accesses++;
  s->stats.misses += k.outcome == CACHE_MISS;
  s->stats.merges += k.outcome == CACHE_PENDING;
  write_bytes(c, s, h, sector);
  if (k.evicted)
    slice_write(c, s, k.victim, k.victim_sectors, UINT32_MAX, c->now);
  slice_fetch(c, s, line, k.fetch, UINT32_MAX, false);
  s->parent[h].todo &= (uint8_t)(s->parent[h].todo - 1);
  s->epoch++;
  return true;
}

/* A request has a number of its own by the cycle of its arrival and its place in the slice. */
void slice_name_access(struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  const struct mem_stamps *who = p->request.stamps;
  cache_set_access(s->cache,
                   &(struct sluice_cache_access){.id = (p->arrived + 1) << 24 | (h & 0xffffff),
                                                 .pc = who && who->named ? who->more->pc : SLUICE_NONE,
                                                 .sm = p->request.sm,
                                                 .warp = p->request.warp,
                                                 .kind = p->request.kind});
}

enum beside slice_look_beside(struct partition *c, struct l2_slice *s, uint32_t h, bool *room,
                              uint32_t *exchange) {
  const struct l2_parent *p = &s->parent[h];
  uint32_t sector = (uint32_t)__builtin_ctz(p->todo);
  uint64_t line = p->line;
  bool write = p->request.kind == MEM_WRITE;
  if (memory_queue_full(s)) {
    slice_reservation_fail(c, s, h, SLUICE_FAIL_QUEUE);
    return BESIDE_FAILED;
  }
  if (s->nleaving && !(s->directory.on && write) && evict_leaving(c, s, line))
    return slice_sent_back(c, s, h, SLUICE_FAIL_WAYS) ? BESIDE_SERVED : BESIDE_FAILED;
  if (s->directory.on) {
    enum directory_action does = directory_ask(c, s, h);
    if (does != DIRECTORY_LOOK_UP)
      return does == DIRECTORY_TAKEN || slice_sent_back(c, s, h, SLUICE_FAIL_WAYS) ? BESIDE_SERVED
                                                                                   : BESIDE_FAILED;
  }
  if (p->request.flags & MEM_SYSTEM)
    return look_past(c, s, h) ? BESIDE_SERVED : BESIDE_FAILED;
  if (in_side_buffer(s, line)) {
    serve_side_buffer(c, s, h, sector);
    return BESIDE_SERVED;
  }
  if (write && c->k->write_miss == CACHE_WRITE_AND_FETCH && !line_here(s, line, sector))
    return write_and_fetch(c, s, h, sector, *room) ? BESIDE_SERVED : BESIDE_FAILED;
  if (!victim_cache_on(s))
    return BESIDE_NOTHING;
  enum sluice_fail why = victim_exchange(c, s, line, write, exchange);
  *room = s->miss_count < c->k->miss_queue;
  if (why >= SLUICE_NFAILS)
    return BESIDE_NOTHING;
  slice_reservation_fail(c, s, h, why);
  return BESIDE_FAILED;
}

void slice_store(struct partition *c, struct l2_slice *s, uint32_t h, bool room, struct cache_result *k) {
  uint64_t line = s->parent[h].line, bytes[2];
  enum cache_write_miss miss = c->k->write_miss;
  if (!room && miss == CACHE_NO_ALLOCATE) {
    *k = (struct cache_result){.outcome = CACHE_FAILED, .fail = SLUICE_FAIL_QUEUE};
    return;
  }
  if (c->k->evict_first && miss != CACHE_NO_ALLOCATE && evict_before_store(c, s, line)) {
    *k = (struct cache_result){.outcome = CACHE_FAILED, .fail = SLUICE_FAIL_WAYS};
    return;
  }
  const struct l2_parent *p = &s->parent[h]; /* invalidations may have moved them */
  bytes_in(c->k, p->request.bytes, (uint32_t)__builtin_ctz(p->todo), bytes);
  bool before = s->parts && cache_partial(s->cache, line);
  bool clean = s->limits_dirty && !cache_changed(s->cache, line);
  if ((s->parts && !before && parts_blocked(c, s)) || (clean && dirty_blocked(c, s))) {
    *k = (struct cache_result){.outcome = CACHE_FAILED, .fail = SLUICE_FAIL_QUEUE};
    return;
  }
  if (miss == CACHE_WRITE_AND_FETCH)
    miss = CACHE_FETCH_ON_WRITE; /* the store hits */
  *k = cache_store(s->cache, line, bytes, CACHE_BACK, miss, h, room);
  if (k->outcome == CACHE_FAILED)
    return;
  if (s->parts && !before && cache_partial(s->cache, line))
    parts_begin(c, s, line);
  if (clean)
    dirty_begin(c, s, line);
  if (c->k->whole_requests)
    return;
  bool whole = count_bits(bytes[0]) + count_bits(bytes[1]) == c->k->cache.sector_bytes;
  bool first = p->todo == sectors_to_cache(c->k->cache.sector_bytes, p->request.sectors);
  slice_keep_busy(c, s, c->k->store_interval[whole] + (first ? c->k->store_request : 0));
}

bool slice_load(struct partition *c, struct l2_slice *s, uint32_t h, bool room, struct cache_result *k,
                bool *to_side_buffer) {
  const struct sluice_fill_buffer *m = s->side_buffer.fill;
  const struct sluice_victim_cache *v = s->side_buffer.victim;
  void *self = s->side_buffer.self;
  uint64_t line = s->parent[h].line;
  uint32_t sector = s->parent[h].todo & (0u - s->parent[h].todo);
  bool asked = ((m && m->take) || (v && v->missed)) && cache_misses(s->cache, line, sector);
  if (asked && v) {
    v->missed(self, line, c->now);
  } else if (asked) {
    if (m->holds && m->holds(self, line))
      return false;
    evict_displace(c, s, line);
    *to_side_buffer = m->take(self, line, c->now);
    if (*to_side_buffer && !m->holds) {
      *to_side_buffer =
          guard_wrong(&s->guard, "take() granted an entry, without holds(), swapped() and evicted()",
                      SLUICE_NONE, c->now);
      c->engine->asked = true;
    }
    s->calls.taken += *to_side_buffer;
    cache_set_side_buffer(s->cache, *to_side_buffer);
  }
  *k = cache_load(s->cache, line, sector, h, room);
  cache_set_side_buffer(s->cache, false);
  if (!asked || k->fetch)
    return true;
  if (v)
    v->again(self, line);
  else
    m->drop(self, line, *to_side_buffer);
  s->calls.dropped += *to_side_buffer;
  return true;
}
