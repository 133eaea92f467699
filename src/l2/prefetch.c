#include "l2/prefetch.h"
#include "base/mem.h"
#include "cache/prefetched.h"
#include <stdlib.h>

enum { QUEUE = 32, MOST = 16 };

struct l2_prefetch {
  struct tech_l2_prefetch hook;
  struct {
    uint64_t line; /* address within the slice */
    uint32_t todo; /* sectors that are not asked of memory yet */
    bool sent;     /* one of them is */
  } queue[QUEUE];
  uint32_t head, n;
  struct prefetched lines;
};

static uint32_t all_sectors(const struct l2_config *k) {
  uint32_t n = k->cache.line_bytes / k->cache.sector_bytes;
  return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

bool l2_prefetch_init(struct l2_slice *s, struct tech_set *tech, struct error *err) {
  struct tech_l2_prefetch hook = tech_l2_prefetch(tech, s->index);
  const struct l2_config *k = s->owner->k;
  const char *why = k->inclusive                             ? "l2.inclusive"
                    : k->coherence                           ? "L1s that a directory keeps coherent"
                    : k->evict_first                         ? "l2.evict_first"
                    : k->fill_latency                        ? "l2.fill_latency"
                    : k->write_miss == CACHE_WRITE_AND_FETCH ? "l2.write_miss: write-and-fetch"
                    : k->worst_case_misses                   ? "l2.worst_case_misses"
                    : s->side_buffer.on                      ? "a technique that keeps lines beside the L2"
                                                             : NULL;
  if (!hook.ops)
    return true;
  if (why)
    return error_set(err, EXIT_USAGE, "a technique fetches lines into the L2 ahead: not modelled with %s",
                     why);
  struct l2_prefetch *p = s->prefetch = xcalloc(1, sizeof *p);
  s->fast = false;
  p->hook = hook;
  prefetched_init(&p->lines, k->cache.sets * k->cache.ways + k->cache.mshrs);
  return true;
}

void l2_prefetch_destroy(struct l2_slice *s) {
  if (s->prefetch)
    prefetched_free(&s->prefetch->lines);
  free(s->prefetch);
}

static void want(struct l2_slice *s, struct l2_prefetch *p, uint64_t line) {
  for (uint32_t i = 0; i < p->n; i++)
    if (p->queue[(p->head + i) % QUEUE].line == line) {
      s->stats.prefetch_redundant++;
      return;
    }
  if (p->n == QUEUE) {
    s->stats.prefetch_dropped++;
    return;
  }
  uint32_t at = (p->head + p->n++) % QUEUE;
  p->queue[at].line = line;
  p->queue[at].todo = all_sectors(s->owner->k);
  p->queue[at].sent = false;
}

void l2_prefetch_seen(struct partition *c, struct l2_slice *s, uint32_t h, enum cache_outcome o, bool first) {
  struct l2_prefetch *p = s->prefetch;
  const struct l2_parent *r = &s->parent[h];
  enum sluice_outcome what = o == CACHE_HIT ? SLUICE_HIT : o == CACHE_PENDING ? SLUICE_MERGED : SLUICE_MISSED;
  if (prefetched_take(&p->lines, r->line))
    *(o == CACHE_HIT ? &s->stats.prefetch_useful : &s->stats.prefetch_late) += 1;
  s->stats.prefetch_polluting += prefetched_missed(&p->lines, r->line) && o == CACHE_MISS;
  if (!first || r->request.kind != MEM_READ)
    return;
  int32_t ahead[MOST];
  struct sluice_request v = partition_view(c, s, r);
  uint32_t n = p->hook.ops->access(p->hook.self, &v, what, ahead, MOST, c->now);
  for (uint32_t i = 0; i < n && i < MOST; i++) {
    int64_t by = (int64_t)ahead[i] * (int64_t)c->k->cache.line_bytes;
    if (ahead[i] && (by > 0 || r->line >= (uint64_t)-by))
      want(s, p, r->line + (uint64_t)by);
  }
}

void l2_prefetch_replaced(struct l2_slice *s, uint64_t line) {
  s->stats.prefetch_useless += prefetched_take(&s->prefetch->lines, line);
}

static void pop(struct l2_prefetch *p) {
  p->head = (p->head + 1) % QUEUE;
  p->n--;
}

/* Did the tags look up a request in this cycle, or are they kept busy? */
static bool tags_busy(const struct partition *c, const struct l2_slice *s) {
  return s->busy > c->now || s->free_at > c->now || (s->refused != NEVER && s->fail_since == c->now);
}

uint64_t l2_prefetch_cycle(struct partition *c, struct l2_slice *s) {
  struct l2_prefetch *p = s->prefetch;
  if (!p->n)
    return NEVER;
  if (tags_busy(c, s))
    return c->now + 1;
  uint64_t line = p->queue[p->head].line;
  uint32_t sector = p->queue[p->head].todo & (0u - p->queue[p->head].todo);
  if (!cache_misses(s->cache, line, sector) || s->miss_count < c->k->miss_queue) {
    struct cache_result k = {.outcome = CACHE_HIT};
    if (s->names_access) /* of no instruction */
      cache_set_access(
          s->cache, &(struct sluice_cache_access){.pc = SLUICE_NONE, .sm = SLUICE_NONE, .warp = SLUICE_NONE});
    if (cache_misses(s->cache, line, sector))
      k = cache_prefetch(s->cache, line, sector);
    if (k.outcome == CACHE_FAILED)
      return c->now + 1;
    if (k.outcome == CACHE_MISS) {
      if (k.evicted)
        slice_write(c, s, k.victim, k.victim_sectors, UINT32_MAX, c->now);
      slice_fetch(c, s, line, k.fetch, UINT32_MAX, false);
      if (!p->queue[p->head].sent) {
        s->stats.prefetch_issued++;
        s->stats.prefetch_useless += prefetched_put(&p->lines, line);
      }
      p->queue[p->head].sent = true;
      if (k.replaced && prefetched_take(&p->lines, k.replaced_line))
        s->stats.prefetch_useless++;
      else if (k.replaced)
        prefetched_victim(&p->lines, k.replaced_line);
      s->epoch++;
    }
    p->queue[p->head].todo &= ~sector;
    if (!p->queue[p->head].todo) {
      s->stats.prefetch_redundant += !p->queue[p->head].sent;
      pop(p);
    }
  }
  return p->n ? c->now + 1 : NEVER;
}

void l2_prefetch_ended(struct l2_slice *s) {
  struct l2_prefetch *p = s->prefetch;
  for (; p->n; pop(p))
    s->stats.prefetch_dropped += !p->queue[p->head].sent;
}

void l2_prefetch_emptied(struct l2_slice *s) {
  s->stats.prefetch_useless += prefetched_forget(&s->prefetch->lines);
}
