#include "base/bits.h"
#include "mem/cache.h"
#include "base/mem.h"
#include "mem/mshr.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SECTORS = 8, MAX_LINE_WORDS = 16 /* of 64 byte bits: lines up to 1 KiB */ };

/* A way: 24 bytes, so that the tags of a set lie close together. */
struct way {
  uint64_t line;       /* line address; meaningless when nothing is valid or pending */
  uint64_t stamp;      /* LRU: last use, FIFO: when it came */
  uint8_t present : 1; /* the tag is taken */
  uint8_t written : 1; /* some of its bytes are marked as valid or dirty */
  uint8_t valid;       /* sectors that can be read */
  uint8_t dirty;       /* sectors with dirty bytes */
  uint8_t pending;     /* sectors being fetched */
  uint8_t rrpv;        /* SRRIP: 0 soon … 3 far */
  uint8_t held;        /* how often: while it is, `valid` is 0 and what it will be lies apart */
  uint16_t owner;
};

/* What every access needs comes first. */
struct cache {
  struct way *way, *asked, *filled; /* all; those found last */
  uint64_t clock;
  struct mshr mshr;
  unsigned line_shift, sector_shift, set_bits;
  uint16_t owner;
  bool aside;
  void (*changed)(void *ctx, uint64_t line, uint32_t valid); /* who watches it; NULL: nobody */
  struct cache_stats stats;
  struct cache_config k;
  uint32_t sectors, line_words, words_per_sector;
  uint64_t *dirty_bytes; /* [way][line_words]: bytes written and not written back */
  uint64_t *valid_bytes; /* [way][line_words]: bytes that are good in sectors not wholly valid */
  uint8_t *late;         /* [way]: valid sectors of a line that is held */
  void *changed_ctx;
};

static bool power_of_two(uint32_t v) {
  return v && !(v & (v - 1));
}

bool cache_config_check(const struct cache_config *k, const char *name, struct error *err) {
  if (!power_of_two(k->sets))
    return error_add(err, EXIT_USAGE, "%s: %u sets; must be a power of two", name, k->sets);
  if (!k->ways || k->ways > 65536)
    return error_add(err, EXIT_USAGE, "%s: %u ways; 1 to 65536 are allowed", name, k->ways);
  if (!power_of_two(k->line_bytes) || k->line_bytes < 8 || k->line_bytes > 64 * MAX_LINE_WORDS)
    return error_add(err, EXIT_USAGE, "%s: lines of %u bytes; a power of two from 8 to %d is allowed", name,
                     k->line_bytes, 64 * MAX_LINE_WORDS);
  if (!power_of_two(k->sector_bytes) || k->sector_bytes > k->line_bytes ||
      k->line_bytes / k->sector_bytes > MAX_SECTORS)
    return error_add(err, EXIT_USAGE, "%s: sectors of %u bytes in lines of %u; at most %d sectors per line",
                     name, k->sector_bytes, k->line_bytes, MAX_SECTORS);
  if (!k->mshrs || !k->merges)
    return error_add(err, EXIT_USAGE, "%s: %u MSHRs of %u requests; at least one of each", name, k->mshrs,
                     k->merges);
  if (k->index == CACHE_BITS && UINT64_C(1) << k->index_bits.n != k->sets)
    return error_add(err, EXIT_USAGE, "%s.index_bits: %u bits number %llu sets; there are %u", name,
                     k->index_bits.n, 1ull << k->index_bits.n, k->sets);
  return true;
}

struct cache *cache_new(const struct cache_config *k) {
  struct cache *c = xcalloc(1, sizeof *c);
  c->k = *k;
  c->sectors = k->line_bytes / k->sector_bytes;
  c->line_words = (k->line_bytes + 63) / 64;
  c->line_shift = (unsigned)__builtin_ctz(k->line_bytes);
  c->sector_shift = (unsigned)__builtin_ctz(k->sector_bytes);
  c->set_bits = (unsigned)__builtin_ctz(k->sets);
  size_t n = (size_t)k->sets * k->ways;
  c->way = c->asked = c->filled = xcalloc(n, sizeof *c->way);
  c->dirty_bytes = xcalloc(n * c->line_words, sizeof *c->dirty_bytes);
  c->valid_bytes = xcalloc(n * c->line_words, sizeof *c->valid_bytes);
  c->late = xcalloc(n, sizeof *c->late);
  mshr_init(&c->mshr, k->mshrs, k->merges);
  return c;
}

void cache_free(struct cache *c) {
  if (!c)
    return;
  mshr_destroy(&c->mshr);
  free(c->way);
  free(c->dirty_bytes);
  free(c->valid_bytes);
  free(c->late);
  free(c);
}

/* XOR: the tag folded onto the index. Hashed: a multiplicative mix of all line bits. */
uint32_t cache_set_of(const struct cache *c, uint64_t line) {
  uint64_t n = line >> c->line_shift;
  uint32_t mask = c->k.sets - 1;
  if (c->k.index == CACHE_MODULO || !c->set_bits)
    return (uint32_t)n & mask;
  if (c->k.index == CACHE_HASHED)
    return (uint32_t)((n * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - c->set_bits));
  if (c->k.index == CACHE_FERMI)
    return (uint32_t)(n ^ (line >> 13 & 7) ^ (line >> 14 & 8) ^ (line >> 15 & 16)) & mask;
  if (c->k.index == CACHE_BITS)
    return bit_select(&c->k.index_bits, line);
  uint64_t folded = 0;
  for (uint64_t rest = n; rest; rest >>= c->set_bits)
    folded ^= rest;
  return (uint32_t)folded & mask;
}

static struct way *find(const struct cache *c, uint64_t line) {
  struct way *w = c->way + (size_t)cache_set_of(c, line) * c->k.ways;
  for (uint32_t i = 0; i < c->k.ways; i++)
    if (w[i].present && w[i].line == line)
      return &w[i];
  return NULL;
}

/* Sectors of a line are asked for, and come, one after the other: often it is the way found last. */
static inline struct way *find_again(const struct cache *c, uint64_t line, struct way **last) {
  if ((*last)->present && (*last)->line == line)
    return *last;
  struct way *w = find(c, line);
  if (w)
    *last = w;
  return w;
}

static void touch(struct cache *c, struct way *w) {
  if (c->k.replacement == CACHE_LRU)
    w->stamp = ++c->clock;
  w->rrpv = 0;
}

/* The way to replace in a set: an empty one, else by policy among those nothing is pending for. */
static struct way *choose_victim(struct cache *c, uint64_t line) {
  struct way *set = c->way + (size_t)cache_set_of(c, line) * c->k.ways, *best = NULL;
  for (uint32_t i = 0; i < c->k.ways; i++) {
    if (!set[i].present)
      return &set[i];
    if (!(set[i].pending | set[i].held) && (!best || set[i].stamp < best->stamp))
      best = &set[i];
  }
  if (!best || c->k.replacement != CACHE_SRRIP)
    return best;
  for (;;) { /* the first that is re-referenced farthest off; all age until there is one */
    for (uint32_t i = 0; i < c->k.ways; i++)
      if (!(set[i].pending | set[i].held) && set[i].rrpv >= 3)
        return &set[i];
    for (uint32_t i = 0; i < c->k.ways; i++)
      if (set[i].rrpv < 3)
        set[i].rrpv++;
  }
}

/* Whether choose_victim() would find a way, and whether all it could choose are dirty. */
static bool has_victim(const struct cache *c, uint64_t line, bool *dirty) {
  const struct way *set = c->way + (size_t)cache_set_of(c, line) * c->k.ways;
  bool any = false;
  *dirty = true;
  for (uint32_t i = 0; i < c->k.ways; i++)
    if (!set[i].present || !(set[i].pending | set[i].held)) {
      any = true;
      *dirty &= set[i].present && set[i].dirty;
    }
  return any;
}

static uint64_t *bytes_of(const struct cache *c, uint64_t *array, const struct way *w) {
  return array + (size_t)(w - c->way) * c->line_words;
}

static uint32_t count_bytes(const struct cache *c, const uint64_t *bytes) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->line_words; i++)
    n += count_bits(bytes[i]);
  return n;
}

static void tell(const struct cache *c, uint64_t line, uint32_t valid) {
  if (c->changed)
    c->changed(c->changed_ctx, line, valid);
}

/* Empties a way, telling what must be written back. */
static void evict(struct cache *c, struct way *w, struct cache_result *r) {
  if (!w->present)
    return;
  c->stats.evictions++;
  r->replaced = true;
  r->replaced_owner = w->owner;
  r->replaced_line = w->line;
  r->replaced_valid = w->valid;
  if (w->dirty) {
    c->stats.writebacks++;
    r->evicted = true;
    r->victim = w->line;
    r->victim_sectors = w->dirty;
    const uint64_t *bytes = bytes_of(c, c->dirty_bytes, w);
    r->victim_bytes = count_bytes(c, bytes);
    r->victim_mask[0] = bytes[0];
    r->victim_mask[1] = c->line_words > 1 ? bytes[1] : 0;
  }
  if (w->written) {
    memset(bytes_of(c, c->dirty_bytes, w), 0, c->line_words * sizeof(uint64_t));
    memset(bytes_of(c, c->valid_bytes, w), 0, c->line_words * sizeof(uint64_t));
  }
  if (w->valid)
    tell(c, w->line, 0);
  w->present = w->written = 0;
  w->valid = w->dirty = w->pending = 0;
}

static void install(struct cache *c, struct way *w, uint64_t line) {
  c->asked = w;
  w->line = line;
  w->present = 1;
  w->stamp = ++c->clock;
  w->rrpv = 2;
  w->owner = c->owner;
}

static bool refuse(struct cache *c, enum cache_fail why, struct cache_result *r) {
  c->stats.fails[why]++;
  r->outcome = CACHE_FAILED;
  r->fail = why;
  r->fetch = 0;
  return false;
}

static struct cache_result failed(struct cache *c, enum cache_fail why) {
  struct cache_result r = {0};
  refuse(c, why, &r);
  return r;
}

static uint64_t key_of(const struct cache *c, uint64_t line, uint32_t sectors) {
  return c->k.mshr_by_sector ? line + ((uint64_t)__builtin_ctz(sectors) << c->sector_shift) : line;
}

/* What is missing must be fetched: a way (unless one is there, or allocation waits for the fill), a
 * miss register, room in the queue. Either all of it is had or nothing changes: false. */
static bool miss(struct cache *c, struct way *w, uint64_t line, uint32_t sectors, uint32_t waiter,
                 bool queue_room, struct cache_result *r) {
  *r = (struct cache_result){.outcome = CACHE_MISS};
  uint64_t key = key_of(c, line, sectors);
  uint32_t e = mshr_find(&c->mshr, key);
  uint32_t asked = e == MSHR_NONE ? 0 : c->mshr.entry[e].pending;
  bool allocate = !w && c->k.allocate == CACHE_ON_MISS && !c->aside;
  if (w && w->held && sectors & ~asked)
    return refuse(c, CACHE_FAIL_WAYS, r);
  struct way *victim = allocate ? choose_victim(c, line) : NULL;
  if (allocate && !victim)
    return refuse(c, CACHE_FAIL_WAYS, r);
  if (e == MSHR_NONE && mshr_full(&c->mshr))
    return refuse(c, CACHE_FAIL_MSHR, r);
  if (e != MSHR_NONE && !mshr_can_merge(&c->mshr, e))
    return refuse(c, CACHE_FAIL_MERGE, r);
  r->fetch = sectors & ~asked;
  if (r->fetch && !queue_room)
    return refuse(c, CACHE_FAIL_QUEUE, r);
  if (victim) {
    evict(c, victim, r);
    install(c, victim, line);
    w = victim;
  }
  if (e == MSHR_NONE)
    e = mshr_take(&c->mshr, key);
  mshr_add(&c->mshr, e, waiter);
  c->mshr.entry[e].pending |= r->fetch;
  if (w)
    w->pending |= (uint8_t)r->fetch;
  c->stats.accesses++;
  if (!r->fetch) {
    r->outcome = CACHE_PENDING;
    c->stats.merges++;
  } else {
    c->stats.misses++;
  }
  return true;
}

struct cache_result cache_load(struct cache *c, uint64_t line, uint32_t sectors, uint32_t waiter,
                               bool queue_room) {
  struct way *w = find_again(c, line, &c->asked);
  struct cache_result r;
  if (w && !(sectors & ~(uint32_t)w->valid)) {
    touch(c, w);
    c->stats.accesses++;
    c->stats.hits++;
    r = (struct cache_result){.outcome = CACHE_HIT};
    return r;
  }
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  if (miss(c, w, line, wanted, waiter, queue_room, &r) && w)
    touch(c, w);
  return r;
}

int cache_would_fail(const struct cache *c, uint64_t line, uint32_t sectors, bool validate, bool queue_room) {
  enum { PASSES = CACHE_NFAILS + 1 };
  const struct way *w = find(c, line);
  bool dirty;
  if (w && !(sectors & ~(uint32_t)w->valid))
    return PASSES;
  if (validate)
    return w                              ? w->held ? CACHE_FAIL_WAYS : PASSES
           : !has_victim(c, line, &dirty) ? CACHE_FAIL_WAYS
           : dirty && !queue_room         ? CACHE_FAIL_QUEUE
                                          : PASSES;
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  uint32_t e = mshr_find(&c->mshr, key_of(c, line, wanted));
  if (w && w->held && wanted & ~(e == MSHR_NONE ? 0 : c->mshr.entry[e].pending))
    return CACHE_FAIL_WAYS;
  if (!w && c->k.allocate == CACHE_ON_MISS && !has_victim(c, line, &dirty))
    return CACHE_FAIL_WAYS;
  if (e == MSHR_NONE && mshr_full(&c->mshr))
    return CACHE_FAIL_MSHR;
  if (e != MSHR_NONE && !mshr_can_merge(&c->mshr, e))
    return CACHE_FAIL_MERGE;
  uint32_t asked = e == MSHR_NONE ? 0 : c->mshr.entry[e].pending;
  return wanted & ~asked && !queue_room ? CACHE_FAIL_QUEUE : PASSES;
}

/* Sectors that the byte mask touches, and those it covers whole. */
static void sectors_of(const struct cache *c, const uint64_t *bytes, uint32_t *touched, uint32_t *covered) {
  if (c->k.sector_bytes == 32 && c->sectors == 4) { /* the usual case */
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

/* The line takes the bytes, of `written` sectors; a sector all of whose bytes are known becomes valid. */
static void write_bytes(struct cache *c, struct way *w, const uint64_t *bytes, uint32_t written, bool dirty) {
  uint64_t *d = bytes_of(c, c->dirty_bytes, w), *v = bytes_of(c, c->valid_bytes, w);
  uint32_t touched, covered;
  w->written = 1;
  for (uint32_t i = 0; i < c->line_words; i++) {
    v[i] |= bytes[i];
    if (dirty)
      d[i] |= bytes[i];
  }
  sectors_of(c, v, &touched, &covered);
  if (covered & ~(uint32_t)w->valid)
    tell(c, w->line, w->valid | covered);
  w->valid |= (uint8_t)covered;
  if (dirty)
    w->dirty |= (uint8_t)written;
}

struct cache_result cache_store(struct cache *c, uint64_t line, const uint64_t *bytes,
                                enum cache_write policy, enum cache_write_miss on_miss, uint32_t waiter,
                                bool queue_room) {
  struct cache_result r = {.outcome = CACHE_HIT};
  if (policy != CACHE_BACK && !queue_room)
    return failed(c, CACHE_FAIL_QUEUE);
  struct way *w = find_again(c, line, &c->asked);
  if (policy == CACHE_AROUND) {
    c->stats.accesses++;
    if (w && !w->pending) {
      evict(c, w, &r);
      c->stats.hits++;
    } else {
      r.outcome = CACHE_MISS;
      c->stats.misses++;
    }
    return r;
  }
  uint32_t touched, covered;
  sectors_of(c, bytes, &touched, &covered);
  bool known = w && !(touched & ~(uint32_t)w->valid);
  if (!known && w && w->held)
    return failed(c, CACHE_FAIL_WAYS);
  if (!known && on_miss == CACHE_NO_ALLOCATE) {
    c->stats.accesses++;
    c->stats.misses++;
    r.outcome = CACHE_MISS;
    return r;
  }
  if (!known && on_miss == CACHE_FETCH_ON_WRITE && (touched & ~covered & ~(w ? w->valid : 0u))) {
    uint32_t wanted = touched & ~covered & ~(w ? (uint32_t)w->valid : 0u);
    if (!miss(c, w, line, wanted, waiter, queue_room, &r) || !(w = find(c, line)))
      return r;
    write_bytes(c, w, bytes, touched, policy == CACHE_BACK);
    return r;
  }
  if (!w) {
    w = choose_victim(c, line);
    if (!w)
      return failed(c, CACHE_FAIL_WAYS);
    if (w->dirty && !queue_room)
      return failed(c, CACHE_FAIL_QUEUE);
    evict(c, w, &r);
    install(c, w, line);
  }
  c->stats.accesses++;
  if (known)
    c->stats.hits++;
  else
    c->stats.misses++;
  r.outcome = known ? CACHE_HIT : CACHE_MISS;
  touch(c, w);
  write_bytes(c, w, bytes, touched, policy == CACHE_BACK);
  return r;
}

static void answer_all(struct cache *c, uint64_t key, uint32_t sectors, void (*answer)(void *, uint32_t),
                       void *ctx) {
  uint32_t e = mshr_find(&c->mshr, key);
  if (e == MSHR_NONE)
    return;
  struct mshr_entry *m = &c->mshr.entry[e];
  m->pending &= ~sectors;
  if (m->pending)
    return;
  for (uint32_t i = 0; i < m->waiters; i++)
    answer(ctx, c->mshr.waiter[(uint64_t)e * c->mshr.merges + i]);
  mshr_release(&c->mshr, e);
}

static void answer_sectors(struct cache *c, uint64_t line, uint32_t sectors, void (*answer)(void *, uint32_t),
                           void *ctx) {
  if (!c->k.mshr_by_sector) {
    answer_all(c, line, sectors, answer, ctx);
    return;
  }
  for (uint32_t s = sectors; s; s &= s - 1)
    answer_all(c, key_of(c, line, s), s & (0u - s), answer, ctx);
}

struct cache_result cache_fill(struct cache *c, uint64_t line, uint32_t sectors,
                               void (*answer)(void *ctx, uint32_t waiter), void *ctx) {
  struct cache_result r = {.outcome = CACHE_HIT};
  struct way *w = find_again(c, line, &c->filled);
  if (!w && (c->k.allocate == CACHE_ON_FILL || c->aside)) {
    w = choose_victim(c, line);
    if (!w && !c->aside)
      return failed(c, CACHE_FAIL_WAYS);
    if (w) {
      evict(c, w, &r);
      install(c, w, line);
    }
  }
  if (w) {
    *(w->held ? &c->late[w - c->way] : &w->valid) |= (uint8_t)sectors;
    w->pending &= (uint8_t)~sectors;
    tell(c, line, w->valid);
  }
  c->stats.fills += count_bits(sectors);
  answer_sectors(c, line, sectors, answer, ctx);
  return r;
}

void cache_serve(struct cache *c, uint64_t line, uint32_t sectors, void (*answer)(void *ctx, uint32_t waiter),
                 void *ctx) {
  if (find(c, line))
    cache_fill(c, line, sectors, answer, ctx);
  else
    answer_sectors(c, line, sectors, answer, ctx);
}

bool cache_lend(struct cache *c, uint64_t line, uint32_t sectors) {
  struct way *w = find(c, line);
  if (!w || sectors & ~(uint32_t)w->valid)
    return false;
  touch(c, w);
  return true;
}

void cache_watch(struct cache *c, void (*changed)(void *ctx, uint64_t line, uint32_t valid), void *ctx) {
  c->changed = changed;
  c->changed_ctx = ctx;
}

void cache_flush(struct cache *c, void (*dirty)(void *ctx, const struct cache_result *r), void *ctx) {
  for (size_t i = 0; i < (size_t)c->k.sets * c->k.ways; i++) {
    struct way *w = &c->way[i];
    if (!w->present || w->pending || w->held)
      continue;
    struct cache_result r = {0};
    evict(c, w, &r);
    c->stats.evictions--; /* nothing took its place */
    if (r.evicted && dirty)
      dirty(ctx, &r);
  }
}

void cache_dirty(struct cache *c, uint64_t line, uint32_t sectors) {
  struct way *w = find(c, line);
  if (!w)
    return;
  uint64_t *d = bytes_of(c, c->dirty_bytes, w);
  w->written = 1;
  sectors &= w->held ? c->late[w - c->way] : w->valid;
  for (uint32_t m = sectors; m; m &= m - 1)
    for (uint32_t b = (uint32_t)__builtin_ctz(m) << c->sector_shift, e = b + c->k.sector_bytes; b < e; b++)
      d[b / 64] |= UINT64_C(1) << b % 64;
  w->dirty |= (uint8_t)sectors;
}

bool cache_invalidate(struct cache *c, uint64_t line, struct cache_result *r) {
  *r = (struct cache_result){0};
  struct way *w = find(c, line);
  if (!w || w->pending || w->held)
    return false;
  evict(c, w, r);
  c->stats.evictions--;
  return true;
}

uint32_t cache_probe(const struct cache *c, uint64_t line) {
  const struct way *w = find(c, line);
  return w ? w->valid : 0;
}

bool cache_pending(const struct cache *c, uint64_t line) {
  const struct way *w = find(c, line);
  return (w && w->pending) || (!c->k.mshr_by_sector && mshr_find(&c->mshr, line) != MSHR_NONE);
}

bool cache_changed(const struct cache *c, uint64_t line) {
  const struct way *w = find(c, line);
  return w && w->dirty;
}

bool cache_clear(struct cache *c, uint64_t line, bool clean_too, struct cache_result *r) {
  *r = (struct cache_result){.outcome = CACHE_HIT};
  struct way *w = find(c, line);
  if (w) {
    if (w->held)
      refuse(c, CACHE_FAIL_WAYS, r);
    return w->held;
  }
  w = choose_victim(c, line);
  if (!w)
    return !refuse(c, CACHE_FAIL_WAYS, r);
  if (!w->present || !(w->dirty || clean_too))
    return false;
  r->outcome = CACHE_MISS;
  evict(c, w, r);
  install(c, w, line);
  cache_hold(c, line);
  return true;
}

uint32_t cache_place(const struct cache *c, uint64_t line) {
  const struct way *w = find(c, line);
  return w ? (uint32_t)(w - c->way) : UINT32_MAX;
}

void cache_revoke(struct cache *c, uint64_t line, struct cache_result *r) {
  *r = (struct cache_result){0};
  struct way *w = find(c, line);
  if (!w)
    return;
  uint8_t pending = w->pending;
  evict(c, w, r);
  c->stats.evictions--;
  if (!pending)
    return;
  w->present = 1; /* the fetch under way brings it anew */
  w->pending = pending;
}

void cache_cancel(struct cache *c, uint64_t line, void (*waited)(void *ctx, uint32_t waiter), void *ctx) {
  struct way *w = find(c, line);
  if (w) {
    w->pending = 0;
    if (!w->valid && !w->dirty)
      w->present = 0;
  }
  answer_all(c, line, UINT32_MAX, waited, ctx);
}

void cache_hold(struct cache *c, uint64_t line) {
  struct way *w = find(c, line);
  if (!w)
    return;
  if (!w->held++) {
    c->late[w - c->way] = w->valid;
    w->valid = 0;
  }
}

void cache_release(struct cache *c, uint64_t line) {
  struct way *w = find(c, line);
  if (w && w->held && !--w->held)
    w->valid = c->late[w - c->way];
}

void cache_set_aside(struct cache *c, bool aside) {
  c->aside = aside;
}

bool cache_misses(const struct cache *c, uint64_t line, uint32_t sectors) {
  const struct way *w = find(c, line);
  uint32_t wanted = w ? sectors & ~(uint32_t)w->valid : sectors;
  return wanted && mshr_find(&c->mshr, key_of(c, line, wanted)) == MSHR_NONE;
}

void cache_set_owner(struct cache *c, uint16_t owner) {
  c->owner = owner;
}

uint32_t cache_mshrs_used(const struct cache *c) {
  return c->mshr.used;
}
const struct cache_stats *cache_stats(const struct cache *c) {
  return &c->stats;
}
