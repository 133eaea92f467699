/* Fetches of a slice, and their data. */
#include "l2/evict.h"
#include "base/hot.h"
#include "l2/fill.h"
#include "l2/internal.h"
#include "l2/prefetch.h"
#include "l2/victim.h"

void slice_fetch(struct partition *c, struct l2_slice *s, uint64_t line, uint32_t sectors, uint32_t parent,
                 bool to_side_buffer) {
  uint64_t from = parent == UINT32_MAX ? c->now + s->side_buffer.lookup : c->now;
  for (uint32_t m = sectors; m; m &= m - 1) {
    uint32_t sector = (uint32_t)__builtin_ctz(m);
    uint32_t f = partition_fetch(c, s->local, line, sector, parent, to_side_buffer);
    if (s->by_sector)
      c->fetch[f].place = cache_sector_place(s->cache, 1u << sector);
    slice_to_memory(c, s, line + (uint64_t)sector * c->k->cache.sector_bytes, f, false, from);
    s->stats.reads++;
  }
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
  for (uint32_t m = sectors; m; m = after_first(c, m)) {
    slice_to_memory(c, s, line + (uint64_t)__builtin_ctz(m) * c->k->cache.sector_bytes, fetch, true, from);
    s->stats.writes++;
  }
}

struct fill {
  struct partition *c;
  struct l2_slice *s;
  const struct l2_fetched *f;
  uint32_t answered;
};

/* Answers the requests that joined a fetch into the side buffer, once the line has been swapped into a way. */
static void fill_answer(void *ctx, uint32_t waiter) {
  struct fill *f = ctx;
  struct l2_slice *s = f->s;
  bool nobody = waiter >= L2_NOBODY; /* a prefetch; a store, which waits for memory to have its bytes */
  if (!nobody && s->parent[waiter].request.kind == MEM_ATOMIC)
    slice_change(f->c, s, waiter, f->f->fetch->sector);
  if (f->c->k->hold_misses) {
    if (!nobody)
      slice_stamp(f->c, s, waiter, f->f);
    fill_answer_later(s, waiter);
    f->answered++;
    return;
  }
  if (nobody)
    return;
  slice_sector_done(f->c, s, waiter, f->f,
                    f->f->fetch->to_side_buffer && f->answered++ ? s->side_buffer.swap : 0);
}

/* The fast path of a fill. */
static void sector_filled(struct partition *c, struct l2_slice *s, const struct l2_fetched *fetched) {
  const struct l2_fetch *f = fetched->fetch;
  const uint32_t *waiter;
  uint32_t n = cache_fill_sector(s->cache, f->place, 1u << f->sector, &waiter);
  for (uint32_t i = 0; i < n; i++) {
    if (s->parent[waiter[i]].request.kind == MEM_ATOMIC)
      slice_change(c, s, waiter[i], f->sector);
    slice_sector_done(c, s, waiter[i], fetched, 0);
  }
}

void slice_stored(struct partition *c, struct l2_slice *s, uint32_t parent) {
  slice_retry_at(s, c->now);
  slice_sector_done(c, s, parent, NULL, 0);
}

HOT void slice_filled(struct partition *c, struct l2_slice *s, const struct l2_fetched *fetched) {
  const struct l2_fetch *f = fetched->fetch;
  slice_retry_at(s, c->now);
  s->stats.fetch_cycles += c->now - f->since;
  if (s->by_sector) {
    sector_filled(c, s, fetched);
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
  struct fill ctx = {c, s, fetched, 0};
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
