#include "l2/evict.h"
#include "base/bits.h"
#include "base/mem.h"
#include "mem/mem.h"
#include "l2/victim.h"

static void finish(struct partition *c, uint32_t f) {
  struct l2_fetch done = c->fetch[f];
  partition_fetch_end(c, f);
  evict_written(c, &c->slice[done.slice], f, &done);
}

/* Whether somebody may have to wait until a replaced line has left, once no L1 has it. */
static bool takes_time(const struct partition *c, const struct cache_result *r) {
  return r->replaced && (c->k->evict_clean || (r->evicted && !c->k->evict_posted));
}

/* A changed line has left when memory has it; an unchanged one, or any if write-backs are posted, after l2.evict_clean. */
static void write_back(struct partition *c, struct l2_slice *s, uint32_t f) {
  struct l2_fetch *job = &c->fetch[f];
  uint64_t from = job->from > c->now ? job->from : c->now;
  bool posted = c->k->evict_posted;
  job->since = c->now;
  job->left = posted ? 0 : slice_writes(c, job->dirty) * c->bursts;
  if (job->dirty)
    slice_write(c, s, job->line, job->dirty, posted ? UINT32_MAX : f, from);
  if (c->fetch[f].left)
    return;
  if (!c->k->evict_clean) {
    finish(c, f);
    return;
  }
  uint64_t until = from + c->k->evict_clean;
  VEC_PUSH(s->clearing, s->nclearing, s->capclearing) = (struct l2_clearing){f, until};
  s->due = until < s->due ? until : s->due;
}

static uint64_t whole_address(const struct partition *c, const struct l2_slice *s, uint64_t line) {
  uint64_t in_channel = addr_stage_join(&c->k->map.slice, s->local, line);
  return addrmap_address(&c->k->map, c->index, in_channel);
}

static void take_back(struct partition *c, struct l2_slice *s, uint64_t address, uint32_t sm, uint32_t f,
                      uint64_t from) {
  struct mem_request r = {.line = address,
                          .born = engine_cycle(c->engine, DOMAIN_CORE),
                          .waiter = f,
                          .sm = (uint16_t)sm,
                          .slice = (uint16_t)s->index,
                          .kind = MEM_INVALIDATE};
  slice_notify(s, &r, from > c->now ? from : c->now);
  s->stats.invalidations++;
}

/* A line leaves: first from the L1s that may have it, then to memory; what waits for that is in the job. */
static void begin(struct partition *c, struct l2_slice *s, const struct l2_fetch *job,
                  const uint64_t *sharers) {
  uint32_t f = partition_fetch(c, s->local, job->line, 0, UINT32_MAX, job->to_side_buffer);
  c->fetch[f].write = true;
  c->fetch[f].then = job->then;
  c->fetch[f].then_sectors = job->then_sectors;
  c->fetch[f].dirty = job->dirty;
  c->fetch[f].from = job->from;
  c->fetch[f].acks = 0;
  if (s->evicts_first)
    VEC_PUSH(s->leaving, s->nleaving, s->capleaving) = f;
  uint64_t address = whole_address(c, s, job->line);
  for (uint32_t w = 0; sharers && w < s->sharers.words; w++)
    for (uint64_t m = sharers[w]; m; m &= m - 1, c->fetch[f].acks++)
      take_back(c, s, address, w * 64 + (uint32_t)__builtin_ctzll(m), f, job->from);
  if (!c->fetch[f].acks)
    write_back(c, s, f);
}

/* The L1s that may have the line which made room for `line`, or for which a victim cache had no room. */
static const uint64_t *sharers_of(struct l2_slice *s, uint64_t victim, uint64_t line) {
  uint32_t place = s->sharers.words ? cache_place(s->cache, line) : UINT32_MAX;
  const uint64_t *set = place != UINT32_MAX ? sharers_take(&s->sharers, place, victim) : NULL;
  return set || !s->sharers.words || !victim_cache_on(s) ? set : sharers_take_side(&s->sharers, victim);
}

void evict_unwaited(struct partition *c, struct l2_slice *s, const struct cache_result *r, uint64_t line) {
  const uint64_t *sharers = sharers_of(s, r->replaced_line, line);
  struct l2_fetch job = {
      .line = r->replaced_line, .dirty = r->evicted ? r->victim_sectors : 0, .then = NEVER};
  if (sharers)
    begin(c, s, &job, sharers);
  else if (r->evicted)
    slice_write(c, s, r->victim, r->victim_sectors, UINT32_MAX, c->now);
}

bool evict_victim(struct partition *c, struct l2_slice *s, const struct cache_result *miss, uint64_t line) {
  const uint64_t *sharers = sharers_of(s, miss->replaced_line, line);
  if (!sharers && !takes_time(c, miss)) {
    if (miss->evicted)
      slice_write(c, s, miss->replaced_line, miss->victim_sectors, UINT32_MAX, c->now);
    return false;
  }
  bool wait = c->k->evict_first && miss->fetch;
  struct l2_fetch job = {.line = miss->replaced_line,
                         .dirty = miss->victim_sectors,
                         .then = wait ? line : NEVER,
                         .then_sectors = wait ? miss->fetch : 0};
  s->stats.evictions_first += wait;
  begin(c, s, &job, sharers);
  return wait;
}

void evict_exchanging(struct partition *c, struct l2_slice *s, uint64_t line, uint64_t until) {
  if (until <= c->now)
    return;
  evict_swapping(c, s, NEVER); /* forgets those that are over, or the list grows with every miss */
  VEC_PUSH(s->swapping, s->nswapping, s->capswapping) = (struct l2_swap){line, until};
}

/* Entry and way are exchanged, and what was in the way leaves from the entry. */
static void exchange(struct partition *c, struct l2_slice *s, uint64_t line, uint64_t victim, uint32_t dirty,
                     const uint64_t *sharers) {
  uint64_t until = c->now + s->side_buffer.swap;
  if (s->side_buffer.blocks)
    s->busy = until > s->busy ? until : s->busy;
  else
    evict_exchanging(c, s, line, until);
  if (victim == NEVER)
    return;
  struct l2_fetch job = {
      .line = victim, .to_side_buffer = true, .then = NEVER, .dirty = dirty, .from = until};
  begin(c, s, &job, sharers);
}

/* Every sector of the replaced line is here, none of them in part. */
static bool whole(const struct partition *c, const struct cache_result *r) {
  return r->replaced_valid == (1u << c->k->cache.line_bytes / c->k->cache.sector_bytes) - 1;
}

/* Does what left the cache for an entry stay there? The L1s that have it keep it then. */
static bool stays(struct partition *c, struct l2_slice *s, const struct cache_result *r,
                  const uint64_t *sharers) {
  const struct tech_side *m = &s->side_buffer;
  struct sluice_kept block = {.size = sizeof block,
                              .line = r->replaced_line,
                              .valid = (uint8_t)r->replaced_valid,
                              .dirty = (uint8_t)(r->evicted ? r->victim_sectors : 0)};
  if (!m->residents || !whole(c, r) || !m->residents->stay(m->self, &block, c->now))
    return false;
  s->calls.stayed++;
  if (sharers)
    sharers_put_side(&s->sharers, block.line, sharers);
  return true;
}

static void leaves(struct partition *c, struct l2_slice *s, const struct sluice_kept *block) {
  struct l2_fetch job = {.line = block->line, .dirty = block->dirty, .then = NEVER};
  begin(c, s, &job, s->sharers.words ? sharers_take_side(&s->sharers, block->line) : NULL);
}

void evict_displace(struct partition *c, struct l2_slice *s, uint64_t line) {
  const struct tech_side *m = &s->side_buffer;
  struct sluice_kept block = {.size = sizeof block, .line = NEVER};
  if (m->residents)
    m->residents->displace(m->self, line, c->now, &block);
  if (block.line != NEVER)
    leaves(c, s, &block);
}

void evict_remove(struct partition *c, struct l2_slice *s, uint64_t line) {
  struct sluice_kept block = {.size = sizeof block, .line = line};
  s->side_buffer.residents->remove(s->side_buffer.self, line, c->now, &block);
  leaves(c, s, &block);
}

bool evict_before_store(struct partition *c, struct l2_slice *s, uint64_t line) {
  struct cache_result r;
  const struct tech_side *m = &s->side_buffer;
  bool keep = m->residents && m->residents->stays(m->self);
  if (cache_pending(s->cache, line))
    return true;
  if (!cache_clear(s->cache, line, keep || s->sharers.words || c->k->evict_clean, &r))
    return false;
  if (r.outcome == CACHE_FAILED)
    return true;
  if (victim_cache_on(s))
    victim_insert(s, &r, line, c->now);
  const uint64_t *sharers = r.replaced ? sharers_of(s, r.replaced_line, line) : NULL;
  bool free = !sharers && !takes_time(c, &r);
  keep = keep && r.replaced && whole(c, &r);
  if (keep)
    evict_displace(c, s, line);
  if ((keep || !free) && m->fill && m->fill->store &&
      m->fill->store(m->self, line, r.replaced_line, c->now)) {
    s->calls.sheltered++;
    cache_release(s->cache, line);
    exchange(c, s, line, stays(c, s, &r, sharers) ? NEVER : r.replaced_line, r.victim_sectors, sharers);
    return false;
  }
  if (free) {
    if (r.evicted)
      slice_write(c, s, r.replaced_line, r.victim_sectors, UINT32_MAX, c->now);
    cache_release(s->cache, line);
    return false;
  }
  struct l2_fetch job = {.line = r.replaced_line, .dirty = r.victim_sectors, .then = line};
  s->stats.evictions_first++;
  begin(c, s, &job, sharers);
  return true;
}

bool evict_leaving(const struct partition *c, const struct l2_slice *s, uint64_t line) {
  for (size_t i = 0; i < s->nleaving; i++)
    if (c->fetch[s->leaving[i]].line == line)
      return true;
  return false;
}

void evict_take_back(struct partition *c, struct l2_slice *s, const struct mem_request *r) {
  take_back(c, s, r->line, r->sm, UINT32_MAX, c->now);
}

void evict_acknowledged(struct partition *c, struct l2_slice *s, const struct mem_request *r) {
  s->stats.acknowledgements++;
  if (s->directory.on)
    s->stats.bytes_merged += count_bits(r->bytes[0]) + count_bits(r->bytes[1]);
  if (r->waiter == UINT32_MAX)
    return;
  struct l2_fetch *job = &c->fetch[r->waiter];
  job->dirty |= sectors_to_cache(c->k->cache.sector_bytes, r->sectors);
  if (--job->acks)
    return;
  if (job->then != NEVER)
    s->stats.invalidate_cycles += c->now - job->since;
  write_back(c, s, r->waiter);
}

void evict_swap(struct partition *c, struct l2_slice *s, uint64_t line, const struct cache_result *fill) {
  uint64_t victim = fill->replaced ? fill->replaced_line : NEVER;
  s->side_buffer.fill->swapped(s->side_buffer.self, line, victim, c->now);
  s->calls.swapped++;
  s->calls.exchanged += fill->replaced;
  const uint64_t *sharers = fill->replaced ? sharers_of(s, victim, line) : NULL;
  if (fill->replaced && stays(c, s, fill, sharers))
    victim = NEVER;
  exchange(c, s, line, victim, fill->victim_sectors, sharers);
}

uint32_t evict_swapping(const struct partition *c, struct l2_slice *s, uint64_t line) {
  uint32_t wait = 0;
  size_t kept = 0;
  for (size_t i = 0; i < s->nswapping; i++) {
    if (s->swapping[i].until <= c->now)
      continue;
    s->swapping[kept++] = s->swapping[i];
    if (s->swapping[i].line == line)
      wait = (uint32_t)(s->swapping[i].until - c->now);
  }
  s->nswapping = kept;
  return wait;
}

void evict_hold(struct partition *c, struct l2_slice *s, uint64_t line) {
  cache_hold(s->cache, line);
  uint32_t at = ring_add(&s->helds);
  if (s->helds.count > s->helds.mask + 1u)
    panic("more lines of L2 slice %u are being filled than were fetched", s->index);
  s->held[at].line = line;
  s->held[at].at = c->now + c->k->fill_latency;
  s->due = s->held[at].at < s->due ? s->held[at].at : s->due;
}

uint64_t evict_next(const struct l2_slice *s) {
  uint64_t next = NEVER;
  for (size_t i = 0; i < s->nclearing; i++)
    next = s->clearing[i].until < next ? s->clearing[i].until : next;
  return next;
}

/* In the order in which they began. */
static void clear(struct partition *c, struct l2_slice *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->nclearing; i++)
    if (s->clearing[i].until > c->now)
      s->clearing[kept++] = s->clearing[i];
    else
      finish(c, s->clearing[i].fetch);
  s->nclearing = kept;
}

uint64_t evict_release(struct partition *c, struct l2_slice *s) {
  if (s->nclearing)
    clear(c, s);
  while (s->helds.count && s->held[s->helds.head].at <= c->now) {
    cache_release(s->cache, s->held[s->helds.head].line);
    ring_drop(&s->helds);
    slice_retry_at(s, c->now);
  }
  return s->helds.count ? s->held[s->helds.head].at : NEVER;
}

static void forget(struct l2_slice *s, uint32_t number) {
  for (size_t i = 0; i < s->nleaving; i++)
    if (s->leaving[i] == number) {
      s->leaving[i] = s->leaving[--s->nleaving];
      return;
    }
}

void evict_written(struct partition *c, struct l2_slice *s, uint32_t number, const struct l2_fetch *f) {
  slice_retry_at(s, c->now);
  forget(s, number);
  if (f->to_side_buffer) {
    s->side_buffer.fill->evicted(s->side_buffer.self, f->line, c->now);
    s->calls.written++;
  }
  if (f->then == NEVER)
    return;
  s->stats.evict_cycles += c->now - f->since;
  if (f->then_sectors)
    slice_fetch(c, s, f->then, f->then_sectors, UINT32_MAX, false);
  else
    cache_release(s->cache, f->then);
}
