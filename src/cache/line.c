/* Operations on a line other than loads, stores and fills. */
#include "cache/access.h"
#include "base/bits.h"

/* Would way_victim() find a way, and are all ways that it could choose dirty? */
static bool has_victim(const struct cache *c, uint64_t line, bool *dirty) {
  const struct way *set = way_set(c, line);
  bool any = false;
  *dirty = true;
  for (uint32_t i = 0; i < c->k.ways; i++)
    if (set[i].line == NO_LINE || !(set[i].pending | set[i].held)) {
      any = true;
      *dirty &= set[i].line != NO_LINE && set[i].dirty;
    }
  return any;
}

int cache_would_fail(const struct cache *c, uint64_t line, uint32_t sectors, bool validate, bool queue_room) {
  enum { PASSES = CACHE_NFAILS + 1 };
  const struct way *w = way_find(c, line);
  bool dirty;
  if (w && !(sectors & ~(uint32_t)w->valid))
    return PASSES;
  if (validate)
    return w                              ? w->held ? SLUICE_FAIL_WAYS : PASSES
           : !has_victim(c, line, &dirty) ? SLUICE_FAIL_WAYS
           : dirty && !queue_room         ? SLUICE_FAIL_QUEUE
                                          : PASSES;
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  uint32_t e = cache_entry(c, w, line, wanted);
  if (w && w->held && wanted & ~(e == MSHR_NONE ? 0 : c->mshr.entry[e].pending))
    return SLUICE_FAIL_WAYS;
  if (!w && c->k.allocate == CACHE_ON_MISS && !has_victim(c, line, &dirty))
    return SLUICE_FAIL_WAYS;
  if (e == MSHR_NONE && c->mshr.used == c->mshr.entries)
    return SLUICE_FAIL_MSHR;
  if (e != MSHR_NONE && c->mshr.entry[e].waiters == c->mshr.merges)
    return SLUICE_FAIL_MERGE;
  uint32_t asked = e == MSHR_NONE ? 0 : c->mshr.entry[e].pending;
  return wanted & ~asked && !queue_room ? SLUICE_FAIL_QUEUE : PASSES;
}

void cache_fill_no_allocate(struct cache *c, uint64_t line, uint32_t sectors,
                            void (*answer)(void *ctx, uint32_t waiter), void *ctx) {
  if (way_find(c, line)) {
    cache_fill(c, line, sectors, answer, ctx);
    return;
  }
  uint64_t fills = c->stats.fills;
  cache_fill_as(c, NULL, line, sectors, false, answer, ctx, false);
  c->stats.fills = fills; /* no way was written */
}

bool cache_peer_lookup(struct cache *c, uint64_t line, uint32_t sectors) {
  struct way *w = way_find(c, line);
  if (!w || sectors & ~(uint32_t)w->valid)
    return false;
  c->access.id = 0; /* a request of its own */
  way_use(c, w);
  return true;
}

bool cache_watched(const struct cache *c) {
  return c->changed != NULL;
}

void cache_notify_changes(struct cache *c, void (*changed)(void *ctx, uint64_t line, uint32_t valid),
                          void *ctx) {
  c->changed = changed;
  c->changed_ctx = ctx;
}

void cache_flush(struct cache *c, void (*dirty)(void *ctx, const struct cache_result *r), void *ctx) {
  bool empty = true;
  if (c->clock == c->flushed) /* no line has come since the last flush */
    return;
  for (size_t i = 0; i < (size_t)c->k.sets * c->k.ways; i++) {
    struct way *w = &c->way[i];
    if (w->line == NO_LINE)
      continue;
    if (w->pending || w->held) {
      empty = false;
      continue;
    }
    if (!w->dirty && !w->written && !c->changed) { /* a clean line, and nobody to notify: the usual case */
      w->line = NO_LINE, w->stamp = 0, w->valid = 0;
      continue;
    }
    struct cache_result r = {0};
    way_drop(c, w, &r);
    if (r.evicted && dirty)
      dirty(ctx, &r);
  }
  if (empty)
    c->flushed = c->clock;
}

void cache_dirty(struct cache *c, uint64_t line, uint32_t sectors) {
  struct way *w = way_find(c, line);
  if (!w)
    return;
  uint64_t *d = way_bytes(c, c->dirty_bytes, w);
  w->written = 1;
  sectors &= w->held ? c->late[w - c->way] : w->valid;
  for (uint32_t m = sectors; m; m &= m - 1)
    for (uint32_t b = (uint32_t)__builtin_ctz(m) << c->sector_shift, e = b + c->k.sector_bytes; b < e; b++)
      bits_add(d, b);
  w->dirty |= (uint8_t)sectors;
}

void cache_change(struct cache *c, uint64_t line, const uint64_t *bytes) {
  struct way *w = way_find(c, line);
  uint64_t any = 0;
  for (uint32_t i = 0; w && i < c->line_words; i++) {
    any |= bytes[i];
    way_bytes(c, c->dirty_bytes, w)[i] |= bytes[i];
  }
  if (!any)
    return;
  w->dirty = 1;
  w->written = true;
  c->stats.data_writes++;
}

bool cache_invalidate(struct cache *c, uint64_t line, struct cache_result *r) {
  *r = (struct cache_result){0};
  struct way *w = way_find(c, line);
  if (!w || w->pending || w->held)
    return false;
  way_drop(c, w, r);
  return true;
}

uint32_t cache_probe(const struct cache *c, uint64_t line) {
  const struct way *w = way_find(c, line);
  return w ? w->valid : 0;
}

bool cache_pending(const struct cache *c, uint64_t line) {
  const struct way *w = way_find(c, line);
  return (w && w->pending) || (!c->k.mshr_by_sector && cache_entry(c, w, line, 1) != MSHR_NONE);
}

bool cache_changed(const struct cache *c, uint64_t line) {
  const struct way *w = way_find(c, line);
  return w && w->dirty;
}

bool cache_clear(struct cache *c, uint64_t line, bool clean_too, struct cache_result *r) {
  *r = (struct cache_result){.outcome = CACHE_HIT};
  struct way *w = way_find(c, line);
  if (w) {
    if (w->held)
      cache_reservation_fail(c, SLUICE_FAIL_WAYS, r);
    return w->held;
  }
  w = way_victim(c, way_set(c, line));
  if (!w)
    return cache_reservation_fail(c, SLUICE_FAIL_WAYS, r) == CACHE_FAILED;
  if (w->line == NO_LINE || !(w->dirty || clean_too))
    return false;
  r->outcome = CACHE_MISS;
  way_replace(c, w, line, r);
  cache_hold(c, line);
  return true;
}

uint32_t cache_choose(struct cache *c, uint64_t line) {
  struct way *set = way_set(c, line), *least = set;
  for (struct way *w = set; w < set + c->k.ways; w++)
    least = w->stamp < least->stamp ? w : least;
  least->stamp = ++c->clock;
  return (uint32_t)(least - c->way);
}

bool cache_locked(const struct cache *c, uint32_t place) {
  return c->way[place].pending | c->way[place].held;
}

void cache_replace_next(struct cache *c, uint64_t line, uint32_t place) {
  struct way *set = way_set(c, line);
  for (struct way *w = set; w < set + c->k.ways; w++)
    w->stamp += !w->stamp; /* empty ones as well */
  c->way[place].stamp = 0;
}

uint32_t cache_place(const struct cache *c, uint64_t line) {
  const struct way *w = way_find(c, line);
  return w ? (uint32_t)(w - c->way) : UINT32_MAX;
}

void cache_revoke(struct cache *c, uint64_t line, struct cache_result *r) {
  *r = (struct cache_result){0};
  struct way *w = way_find(c, line);
  if (!w)
    return;
  uint8_t pending = w->pending;
  uint64_t stamp = w->stamp;
  way_drop(c, w, r);
  if (!pending)
    return;
  w->line = line; /* the fetch under way fills the line anew */
  w->stamp = stamp;
  w->pending = pending;
}

void cache_cancel(struct cache *c, uint64_t line, void (*waited)(void *ctx, uint32_t waiter), void *ctx) {
  struct way *w = way_find(c, line);
  uint32_t e = cache_entry(c, w, line, 1);
  if (w) {
    w->pending = 0;
    if (!w->valid && !w->dirty) {
      w->line = NO_LINE;
      w->stamp = 0;
    }
  }
  if (e != MSHR_NONE)
    cache_answer(c, e, UINT32_MAX, waited, ctx, false);
}

void cache_hold(struct cache *c, uint64_t line) {
  struct way *w = way_find(c, line);
  if (!w)
    return;
  if (!w->held++) {
    c->late[w - c->way] = w->valid;
    w->valid = 0;
  }
}

void cache_release(struct cache *c, uint64_t line) {
  struct way *w = way_find(c, line);
  if (w && w->held && !--w->held)
    w->valid = c->late[w - c->way];
}

void cache_set_side_buffer(struct cache *c, bool to_side_buffer) {
  c->to_side_buffer = to_side_buffer;
}

bool cache_misses(const struct cache *c, uint64_t line, uint32_t sectors) {
  const struct way *w = way_find(c, line);
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  return wanted && cache_entry(c, w, line, wanted) == MSHR_NONE;
}

void cache_set_owner(struct cache *c, uint16_t owner) {
  c->owner = owner;
}

uint32_t cache_set_of(const struct cache *c, uint64_t line) {
  return (uint32_t)((size_t)(way_set(c, line) - c->way) / c->k.ways);
}

void cache_keep_register(struct cache *c) {
  c->mshr.entries--;
}

void cache_free_register(struct cache *c) {
  c->mshr.entries++;
}

uint32_t cache_mshrs_used(const struct cache *c) {
  return c->mshr.used;
}

const struct cache_stats *cache_stats(const struct cache *c) {
  return &c->stats;
}

uint32_t cache_first_waiter(const struct cache *c, uint64_t line, uint32_t sector) {
  uint32_t e = cache_entry(c, way_find(c, line), line, sector);
  if (e == MSHR_NONE || !c->mshr.entry[e].waiters)
    return UINT32_MAX;
  return c->mshr.waiter[(uint64_t)e * c->mshr.merges];
}

bool cache_partial(struct cache *c, uint64_t line) {
  const struct way *w = way_find_again(c, line, &c->asked);
  return w && w->dirty & ~(uint32_t)(w->valid | w->pending);
}

static void clean_sectors(struct cache *c, struct way *w, uint32_t sectors) {
  uint64_t *dirty = way_bytes(c, c->dirty_bytes, w);
  for (uint32_t b = 0; b < c->k.line_bytes; b++)
    if (sectors >> (b >> c->sector_shift) & 1)
      bits_remove(dirty, b);
  w->dirty &= (uint8_t)~sectors;
}

uint32_t cache_complete(struct cache *c, uint64_t line, bool stay_dirty) {
  struct way *w = way_find(c, line);
  uint32_t sectors = w ? w->dirty & ~(uint32_t)(w->valid | w->pending) : 0;
  if (!sectors)
    return 0;
  if (!stay_dirty)
    clean_sectors(c, w, sectors);
  w->valid |= (uint8_t)sectors;
  cache_notify(c, line, w->valid);
  return sectors;
}

uint32_t cache_clean(struct cache *c, uint64_t line) {
  struct way *w = way_find(c, line);
  uint32_t sectors = w ? w->dirty & w->valid : 0;
  if (sectors)
    clean_sectors(c, w, sectors);
  return sectors;
}
