/* Loads, stores and fills. */
#include "base/bits.h"
#include "base/hot.h"
#include "cache/access.h"
#include <string.h>

/* Bytes that are equal become 0, and a byte that is 0 shows in its highest bit; so may the one above it, which is no more than
 * another line to look at. */
HOT struct way *way_find_by_byte(const struct cache *c, struct way *set, uint64_t line) {
  _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first way is the lowest byte");
  const uint64_t ones = UINT64_C(0x0101010101010101), wanted = way_tag_byte(c, line) * ones;
  const uint8_t *byte = c->tag_byte + (set - c->way);
  for (uint32_t first = 0; first < c->k.ways; first += WAYS_AT_ONCE) {
    uint64_t differs, equal;
    memcpy(&differs, byte + first, sizeof differs);
    differs ^= wanted;
    equal = (differs - ones) & ~differs & ones << 7;
    for (; equal; equal &= equal - 1) {
      uint32_t i = first + (uint32_t)__builtin_ctzll(equal) / 8;
      if (i < c->k.ways && set[i].line == line)
        return set + i;
    }
  }
  return NULL;
}

struct way *way_free(const struct cache *c, struct way *set) {
  for (struct way *w = set, *end = set + c->k.ways; w < end; w++)
    if (w->line == NO_LINE || !(w->pending | w->held))
      return w;
  return NULL;
}

static uint32_t count_bytes(const struct cache *c, const uint64_t *bytes) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->line_words; i++)
    n += count_bits(bytes[i]);
  return n;
}

void way_write_back(struct cache *c, struct way *w, struct cache_result *r) {
  uint64_t *dirty = way_bytes(c, c->dirty_bytes, w);
  uint64_t *valid = way_bytes(c, c->valid_bytes, w);
  if (w->dirty) {
    c->stats.writebacks++;
    r->evicted = true;
    r->victim = w->line;
    r->victim_sectors = w->dirty;
    r->victim_bytes = count_bytes(c, dirty);
    r->victim_mask[0] = dirty[0];
    r->victim_mask[1] = c->line_words > 1 ? dirty[1] : 0;
  }
  memset(dirty, 0, c->line_words * sizeof *dirty);
  memset(valid, 0, c->line_words * sizeof *valid);
}

void cache_fail_again(struct cache *c, enum sluice_fail why) {
  c->stats.fails[why]++;
}

HOT bool cache_hit(struct cache *c, uint64_t line, uint32_t sectors) {
  struct way *w = way_find_again(c, line, &c->asked);
  if (!w || sectors & ~(uint32_t)w->valid)
    return false;
  way_hit(c, w);
  return true;
}

struct cache_result cache_load(struct cache *c, uint64_t line, uint32_t sectors, uint32_t waiter,
                               bool queue_room) {
  struct cache_result r = {0};
  r.outcome = cache_load_as(c, line, sectors, waiter, queue_room, &r, false);
  return r;
}

struct cache_result cache_acquire(struct cache *c, uint64_t line, uint32_t waiter, bool queue_room) {
  struct cache_result r = {0};
  struct way *set = way_set(c, line), *w = way_find_in(c, set, line);
  r.outcome = cache_miss_as(c, w, set, line, 1, waiter, queue_room, &r, false);
  if (r.outcome != CACHE_FAILED && w)
    way_use(c, w);
  return r;
}

void cache_load_hits(struct cache *c, uint32_t n) {
  c->stats.accesses += n;
  c->stats.hits += n;
  c->stats.data_reads += n;
  c->clock += c->stamps_uses ? n - 1 : 0;
  way_use(c, c->asked);
}

void cache_all_sectors_of(const struct cache *c, const uint64_t *bytes, uint32_t *touched,
                          uint32_t *covered) {
  if (c->k.sector_bytes == 32 && c->sectors == 4) { /* four sectors of 32 bytes, as in most presets */
    if ((bytes[0] & bytes[1]) == UINT64_MAX) {      /* the whole line, as copies of the host write it */
      *touched = *covered = 15;
      return;
    }
    uint32_t a = (uint32_t)bytes[0], b = (uint32_t)(bytes[0] >> 32);
    uint32_t d = (uint32_t)bytes[1], e = (uint32_t)(bytes[1] >> 32), whole = UINT32_MAX;
    *touched = (a != 0) | (uint32_t)(b != 0) << 1 | (uint32_t)(d != 0) << 2 | (uint32_t)(e != 0) << 3;
    *covered = (a == whole) | (uint32_t)(b == whole) << 1 | (uint32_t)(d == whole) << 2 |
               (uint32_t)(e == whole) << 3;
    return;
  }
  *touched = *covered = 0;
  for (uint32_t s = 0; s < c->sectors; s++) {
    uint32_t from = s << c->sector_shift, n = c->k.sector_bytes, set = 0;
    for (uint32_t b = from; b < from + n;) {
      uint32_t in = b & 63, take = 64 - in < from + n - b ? 64 - in : from + n - b;
      uint64_t part = bytes[b >> 6] >> in;
      if (take < 64)
        part &= (UINT64_C(1) << take) - 1;
      set += count_bits(part);
      b += take;
    }
    *touched |= (uint32_t)(set != 0) << s;
    *covered |= (uint32_t)(set == n) << s;
  }
}

struct cache_result cache_store(struct cache *c, uint64_t line, const uint64_t *bytes,
                                enum cache_write policy, enum cache_write_miss on_miss, uint32_t waiter,
                                bool queue_room) {
  struct cache_result r = {0};
  r.outcome =
      cache_store_as(c, line, bytes, CACHE_ALL_SECTORS, policy, on_miss, waiter, queue_room, &r, false);
  return r;
}

struct cache_result cache_fill(struct cache *c, uint64_t line, uint32_t sectors,
                               void (*answer)(void *ctx, uint32_t waiter), void *ctx) {
  struct cache_result r = {.outcome = CACHE_HIT};
  struct way *w = way_find_again(c, line, &c->filled);
  if (!w && (c->k.allocate == CACHE_ON_FILL || c->to_side_buffer)) {
    if (!c->by_stamp)
      policy_fills(c, line, sectors);
    w = way_victim(c, way_set(c, line));
    if (w)
      way_replace(c, w, line, &r);
    else if (!c->to_side_buffer) {
      cache_reservation_fail(c, SLUICE_FAIL_WAYS, &r);
      return r;
    }
  }
  cache_fill_as(c, w, line, sectors, false, answer, ctx, false);
  return r;
}

struct cache_result cache_copy(struct cache *c, uint64_t line) {
  struct cache_result r = {.outcome = CACHE_HIT};
  struct way *set = way_set(c, line), *w = way_find_in(c, set, line);
  if (w) {
    way_use(c, w);
    return r;
  }
  w = way_victim(c, set);
  r.outcome = w ? CACHE_MISS : CACHE_FAILED;
  if (w)
    way_replace(c, w, line, &r);
  return r;
}

struct cache_result cache_prefetch(struct cache *c, uint64_t line, uint32_t sectors) {
  struct cache_stats before = c->stats;
  struct cache_result r = cache_load(c, line, sectors, UINT32_MAX, true);
  before.evictions = c->stats.evictions;
  before.writebacks = c->stats.writebacks;
  c->stats = before;
  return r;
}
