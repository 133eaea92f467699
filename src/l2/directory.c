#include "l2/directory.h"
#include "base/bits.h"
#include "base/mem.h"
#include "l2/evict.h"
#include "l2/internal.h"
#include <string.h>

void directory_init(struct l2_slice *s, const struct partition *c) {
  const struct l2_config *k = c->k;
  struct directory *d = &s->directory;
  size_t places = (size_t)k->cache.sets * k->cache.ways;
  d->free_job = UINT32_MAX;
  d->protocol = &protocols[k->coherence];
  d->on = d->protocol->directory;
  if (!d->on)
    return;
  d->lock = xcalloc(places, sizeof *d->lock);
  d->ends.mask = 63;
  d->end = xcalloc(d->ends.mask + 1u, sizeof *d->end);
}

void directory_destroy(struct directory *d) {
  free(d->job), free(d->lock), free(d->end);
}

static bool tracked(const struct mem_request *r) {
  return r->kind == MEM_READ && !r->flags;
}

/* All locks of this kind are as long: they end in order. */
static void lock(struct partition *c, struct l2_slice *s, uint32_t place, uint64_t line) {
  struct directory *d = &s->directory;
  uint64_t until = c->now + c->k->latency;
  d->lock[place] = (struct directory_lock){line, until};
  if (ring_full(&d->ends))
    d->end = ring_double(d->end, sizeof *d->end, d->ends.head, &d->ends.mask);
  d->end[ring_add(&d->ends)] = (struct directory_lock){line, until};
  s->due = until < s->due ? until : s->due;
}

uint64_t directory_next(const struct directory *d) {
  return d->ends.count ? d->end[d->ends.head].until : NEVER;
}

uint64_t directory_unlock(struct partition *c, struct l2_slice *s) {
  struct directory *d = &s->directory;
  for (; d->ends.count && d->end[d->ends.head].until <= c->now; ring_drop(&d->ends))
    slice_retry_at(s, c->now);
  return directory_next(d);
}

void directory_reset(struct l2_slice *s) {
  sharers_reset(&s->sharers);
}

static bool is_locked(const struct l2_slice *s, uint64_t line) {
  const struct directory *d = &s->directory;
  uint32_t place = cache_place(s->cache, line);
  if (!cache_probe(s->cache, line)) /* fetched into its way or beside, or held; else it is not here */
    return place != UINT32_MAX || !cache_misses(s->cache, line, 1);
  return d->lock[place].line == line && d->lock[place].until > s->owner->now;
}

bool directory_locked(const struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  return (tracked(&p->request) || p->request.kind == MEM_ATOMIC) && is_locked(s, p->line);
}

static void merge(struct l2_slice *s, uint64_t line, const uint64_t bytes[2]) {
  cache_change(s->cache, line, bytes);
  s->stats.bytes_merged += count_bits(bytes[0]) + count_bits(bytes[1]);
}

/* What an L1 tells of a line. Once the directory has asked the L1 for it, the acknowledgement says what this would say: it comes
 * too late. An L1 asks for no line that it has told of until it is answered, so the two cannot be mixed up. */
static void noticed(struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct mem_request r = s->parent[h].request;
  uint64_t line = s->parent[h].line;
  uint32_t place = cache_place(s->cache, line);
  bool known = place != UINT32_MAX && sharers_has(&s->sharers, place, line, r.sm);
  s->stats.noticed++;
  s->stats.late_notices += !known;
  if (known && r.coherence == NOTICE_NO_OWNER) {
    if (sharers_owner(&s->sharers, place, line) == r.sm)
      sharers_own(&s->sharers, place, SHARERS_NONE);
  } else if (known) {
    if (r.sectors) {
      s->stats.accesses++;
      s->stats.hits++;
      merge(s, line, r.bytes);
    }
    sharers_remove(&s->sharers, place, r.sm);
  }
  if (known)
    lock(c, s, place, line);
  s->parent[h].todo = 0;
  s->epoch++;
  slice_sector_done(c, s, h, NULL, 0);
}

static void notify(struct partition *c, struct l2_slice *s, uint64_t address, uint32_t job, uint32_t sm,
                   enum mem_kind kind) {
  struct mem_request r = {.line = address,
                          .born = engine_cycle(c->engine, DOMAIN_CORE),
                          .waiter = job,
                          .sm = (uint16_t)sm,
                          .slice = (uint16_t)s->index,
                          .kind = (uint8_t)kind,
                          .coherence = kind == MEM_DOWNGRADE ? FOR_REQUEST | FOR_READ : FOR_REQUEST};
  slice_notify(s, &r, c->now);
  s->directory.job[job].acks++;
}

/* The line serves nobody until the L1s have answered; then the request has it. */
static uint32_t job_new(struct partition *c, struct l2_slice *s, uint32_t h) {
  struct directory *d = &s->directory;
  uint32_t j = POOL_TAKE(d->job, d->njobs, d->free_job, next);
  d->job[j] = (struct directory_job){.line = s->parent[h].line, .parent = h, .since = c->now};
  cache_hit(s->cache, s->parent[h].line, 1);
  cache_hold(s->cache, s->parent[h].line);
  s->stats.accesses++;
  s->stats.hits++;
  s->parent[h].todo = 0;
  s->epoch++;
  return j;
}

static void downgrade(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t owner) {
  uint64_t address = s->parent[h].request.line;
  notify(c, s, address, job_new(c, s, h), owner, MEM_DOWNGRADE);
  s->stats.downgrades++;
}

static void invalidate_others(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t place) {
  const struct mem_request r = s->parent[h].request;
  uint32_t j = job_new(c, s, h);
  for (uint32_t w = 0; w < s->sharers.words; w++)
    for (uint64_t m = sharers_word(&s->sharers, place, w); m; m &= m - 1) {
      uint32_t sm = w * 64 + (uint32_t)__builtin_ctzll(m);
      if (sm == r.sm && r.kind == MEM_READ)
        continue;
      sharers_remove(&s->sharers, place, sm);
      notify(c, s, r.line, j, sm, MEM_INVALIDATE);
      s->stats.invalidations++;
      s->stats.store_invalidations++;
    }
}

/* The rule for what an SM asks for. An atomic asks for no copy: its own L1 is one of the others. */
static const struct directory_rule *rule(const struct l2_slice *s, uint32_t place, uint64_t line,
                                         enum line_ask ask, uint32_t sm) {
  const struct protocol *p = s->directory.protocol;
  uint32_t own = ask == ASK_ATOMIC ? SHARERS_NONE : sm, owner = sharers_owner(&s->sharers, place, line);
  enum line_sharing sharing = owner != SHARERS_NONE && owner != own           ? SHARING_OWNER
                              : sharers_others(&s->sharers, place, line, own) ? SHARING_OTHERS
                                                                              : SHARING_NONE;
  const struct directory_rule *r = &p->l2[ask][sharing];
  if (r->does == DIRECTORY_NEVER)
    panic("%s: the directory has no rule for what SM %u asks for", p->name, sm);
  return r;
}

enum directory_action directory_ask(struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct mem_request *r = &s->parent[h].request;
  uint64_t line = s->parent[h].line;
  if (r->kind == MEM_WRITE) {
    noticed(c, s, h);
    return DIRECTORY_TAKEN;
  }
  if (!tracked(r) && r->kind != MEM_ATOMIC)
    return DIRECTORY_LOOK_UP;
  if (is_locked(s, line)) {
    s->stats.locked++;
    return DIRECTORY_LOCKED;
  }
  uint32_t place = cache_place(s->cache, line);
  if (place == UINT32_MAX)
    return DIRECTORY_LOOK_UP;
  const struct directory_rule *how =
      rule(s, place, line, tracked(r) ? (enum line_ask)r->coherence : ASK_ATOMIC, r->sm);
  if (how->does == DIRECTORY_GRANT)
    return DIRECTORY_LOOK_UP;
  if (how->does == DIRECTORY_INVALIDATE)
    invalidate_others(c, s, h, place);
  else
    downgrade(c, s, h, sharers_owner(&s->sharers, place, line));
  return DIRECTORY_TAKEN;
}

void directory_grant(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t place) {
  struct mem_request *r = &s->parent[h].request;
  uint64_t line = s->parent[h].line;
  bool had = sharers_has(&s->sharers, place, line, r->sm);
  enum line_ask ask = r->coherence;
  const struct directory_rule *how = rule(s, place, line, ask, r->sm);
  sharers_add(&s->sharers, place, line, r->sm);
  if (how->owns)
    sharers_own(&s->sharers, place, r->sm);
  if (ask == ASK_OWN && had) { /* it has the data */
    r->sectors = 0;
    s->stats.upgrades++;
  }
  r->coherence = (uint8_t)how->state;
  lock(c, s, place, line);
}

/* The L1 that was asked to let others read has done so, or no longer has the line. */
static void downgraded(struct l2_slice *s, const struct mem_request *r, uint32_t place, uint64_t line) {
  enum line_state now = r->coherence & STATE_MASK;
  if (!sharers_has(&s->sharers, place, line, r->sm))
    return; /* it has told before */
  if (now == LINE_O)
    return;
  if (sharers_owner(&s->sharers, place, line) == r->sm)
    sharers_own(&s->sharers, place, SHARERS_NONE);
  if (now != LINE_I)
    return;
  merge(s, line, r->bytes);
  sharers_remove(&s->sharers, place, r->sm);
}

void directory_acknowledged(struct partition *c, struct l2_slice *s, const struct mem_request *r) {
  struct directory *d = &s->directory;
  struct directory_job *j = &d->job[r->waiter];
  uint64_t line = j->line;
  uint32_t place = cache_place(s->cache, line);
  s->stats.acknowledgements++;
  if (r->coherence & FOR_READ)
    downgraded(s, r, place, line);
  else
    merge(s, line, r->bytes);
  if (--j->acks)
    return;
  uint32_t h = j->parent;
  s->stats.wait_cycles += c->now - j->since;
  j->next = d->free_job;
  d->free_job = r->waiter;
  cache_release(s->cache, line);
  slice_retry_at(s, c->now);
  slice_hit_done(c, s, h, 0, 0);
}
