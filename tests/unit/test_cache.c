/* The cache against a model that shares nothing with it: lists of lines in order of age, searched one by one. */
#include "cache/cache.h"
#include "base/mem.h"
#include "cache/access.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state = 88172645463325252u;
static uint64_t rnd(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

/* The model: for each set a list, oldest (next victim) first. */
struct model {
  uint32_t sets, ways, set_bits;
  enum cache_index index;
  enum cache_replacement replacement;
  uint64_t *line; /* [set][ways] */
  uint32_t *count;
  uint8_t *rrpv;
};

static uint32_t model_set(const struct model *m, uint64_t line) {
  uint64_t n = line / 128;
  if (m->index == CACHE_MODULO)
    return (uint32_t)(n % m->sets);
  if (m->index ==
      CACHE_HASHED) /* Fibonacci hashing: the high bits of the product with 2^64 over the golden ratio */
    return m->sets == 1 ? 0 : (uint32_t)(n * 11400714819323198485u >> (64 - m->set_bits));
  if (m->index == CACHE_FERMI) { /* by bits: 11^19, 10^17, 9^15, 8^14, 7^13; higher ones as they are */
    static const unsigned with[5] = {13, 14, 15, 17, 19};
    uint32_t set = 0;
    for (unsigned b = 0; b < m->set_bits; b++)
      set |= (uint32_t)((line >> (7 + b) ^ (b < 5 ? line >> with[b] : 0)) & 1) << b;
    return set;
  }
  uint32_t s = 0; /* bit i of the index is the parity of bits i, i + b, i + 2b … of the line number */
  for (unsigned bit = 0; bit < 57; bit++)
    if (n >> bit & 1)
      s ^= 1u << bit % m->set_bits;
  return s;
}

static bool model_access(struct model *m, uint64_t line) {
  uint32_t s = model_set(m, line), n = m->count[s];
  uint64_t *l = m->line + (size_t)s * m->ways;
  uint8_t *r = m->rrpv + (size_t)s * m->ways;
  for (uint32_t i = 0; i < n; i++) {
    if (l[i] != line)
      continue;
    r[i] = 0;
    if (m->replacement == CACHE_LRU) {
      memmove(l + i, l + i + 1, (n - i - 1) * sizeof *l);
      l[n - 1] = line;
    }
    return true;
  }
  if (n < m->ways) { /* SRRIP keeps places; the others keep order */
    l[n] = line;
    r[n] = 2;
    m->count[s]++;
    return false;
  }
  if (m->replacement != CACHE_SRRIP) {
    memmove(l, l + 1, (n - 1) * sizeof *l);
    l[n - 1] = line;
    return false;
  }
  for (;;) {
    for (uint32_t i = 0; i < n; i++)
      if (r[i] == 3) {
        l[i] = line;
        r[i] = 2;
        return false;
      }
    for (uint32_t i = 0; i < n; i++)
      r[i]++;
  }
}

static void nobody(void *ctx, uint32_t waiter) {
  (void)waiter;
  ++*(int *)ctx;
}

static void compare(enum cache_index index, enum cache_replacement replacement, uint32_t sets, uint32_t ways,
                    int accesses) {
  struct cache_config k = {.sets = sets,
                           .ways = ways,
                           .line_bytes = 128,
                           .sector_bytes = 128,
                           .index = index,
                           .replacement = replacement,
                           .mshrs = 4,
                           .merges = 2};
  struct cache *c = cache_new(&k);
  struct model m = {.sets = sets,
                    .ways = ways,
                    .set_bits = (uint32_t)__builtin_ctz(sets),
                    .index = index,
                    .replacement = replacement};
  m.line = xcalloc((size_t)sets * ways, sizeof *m.line);
  m.count = xcalloc(sets, sizeof *m.count);
  m.rrpv = xcalloc((size_t)sets * ways, 1);
  uint64_t hits = 0;
  for (int i = 0; i < accesses; i++) {
    /* a mixture of reuse, strides and noise over twice the capacity */
    uint64_t n = rnd() % 4 == 0 ? rnd() % ((uint64_t)sets * ways * 64) : rnd() % ((uint64_t)sets * ways * 2);
    uint64_t line = (n + (rnd() % 16 == 0 ? (uint64_t)i : 0)) * 128;
    bool expected = model_access(&m, line);
    struct cache_result r = cache_load(c, line, 1, 0, true);
    assert_int_equal(r.outcome, expected ? CACHE_HIT : CACHE_MISS);
    hits += expected;
    int answered = 0;
    if (!expected)
      cache_fill(c, line, 1, nobody, &answered);
    assert_int_equal(answered, !expected);
  }
  const struct cache_stats *s = cache_stats(c);
  assert_int_equal(s->hits, hits);
  assert_int_equal(s->accesses, accesses);
  assert_int_equal(s->hits + s->misses + s->merges, s->accesses);
  assert_int_equal(cache_mshrs_used(c), 0);
  cache_free(c);
  free(m.line), free(m.count), free(m.rrpv);
}

static void hits_equal_an_independent_model(void **unused) {
  (void)unused;
  for (int i = CACHE_MODULO; i <= CACHE_FERMI; i++)
    for (int r = CACHE_LRU; r <= CACHE_SRRIP; r++) {
      if (i == CACHE_BITS)
        continue; /* below */
      compare((enum cache_index)i, (enum cache_replacement)r, 64, 8, 250000);
      compare((enum cache_index)i, (enum cache_replacement)r, 32, 4, 150000);
      compare((enum cache_index)i, (enum cache_replacement)r, 2, 48, 100000);
    }
}

static void a_string_of_bits_says_the_same_as_a_formula(void **unused) {
  (void)unused;
  struct error err = {0};
  struct cache_config k = {.sets = 64,
                           .ways = 1,
                           .line_bytes = 128,
                           .sector_bytes = 128,
                           .index = CACHE_BITS,
                           .mshrs = 1,
                           .merges = 1};
  bit_select_parse(&k.index_bits, "12,11^19,10^17,9^15,8^14,7^13", "index_bits", &err);
  assert_true(cache_config_check(&k, "l2", &err));
  struct cache *bits = cache_new(&k);
  k.index = CACHE_FERMI;
  struct cache *fermi = cache_new(&k);
  uint64_t x = 88172645463325252u;
  for (int i = 0; i < 100000; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    assert_int_equal(cache_set_of(bits, x & ~UINT64_C(127)), cache_set_of(fermi, x & ~UINT64_C(127)));
  }
  k.sets = 32, k.index = CACHE_BITS; /* six bits for 32 sets */
  assert_false(cache_config_check(&k, "l2", &err));
  error_clear(&err);
  cache_free(bits);
  cache_free(fermi);
}

static struct cache *small(enum cache_allocate allocate, uint32_t sector, uint32_t mshrs, uint32_t merges,
                           bool by_sector) {
  struct cache_config k = {.sets = 1,
                           .ways = 2,
                           .line_bytes = 128,
                           .sector_bytes = sector,
                           .allocate = allocate,
                           .mshrs = mshrs,
                           .merges = merges,
                           .mshr_by_sector = by_sector};
  return cache_new(&k);
}

static void a_second_request_for_a_line_on_its_way_merges(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 128, 4, 2, false);
  int answered = 0;
  assert_int_equal(cache_load(c, 0, 1, 10, true).outcome, CACHE_MISS);
  assert_int_equal(cache_load(c, 0, 1, 11, true).outcome, CACHE_PENDING);
  struct cache_result r = cache_load(c, 0, 1, 12, true);
  assert_int_equal(r.outcome, CACHE_FAILED);
  assert_int_equal(r.fail, SLUICE_FAIL_MERGE);
  cache_fill(c, 0, 1, nobody, &answered);
  assert_int_equal(answered, 2);
  assert_int_equal(cache_load(c, 0, 1, 13, true).outcome, CACHE_HIT);
  cache_free(c);
}

/* A miss chooses the way used least recently, also while it is being fetched; the next one another. A way that is made the next to be
 * replaced is, although others are empty or used less recently. */
static void a_miss_can_choose_a_way_that_is_being_fetched(void **unused) {
  (void)unused;
  struct cache_config k = {
      .sets = 1, .ways = 3, .line_bytes = 128, .sector_bytes = 128, .mshrs = 4, .merges = 4};
  struct cache *c = cache_new(&k);
  assert_int_equal(cache_load(c, 0, 1, 1, true).outcome, CACHE_MISS);
  assert_int_equal(cache_load(c, 128, 1, 2, true).outcome, CACHE_MISS);
  uint32_t zero = cache_place(c, 0), one = cache_place(c, 128);
  assert_true(cache_locked(c, zero));
  uint32_t empty = cache_choose(c, 256);
  assert_true(empty != zero && empty != one && !cache_locked(c, empty));
  assert_int_equal(cache_choose(c, 384), zero);
  assert_int_equal(cache_choose(c, 512), one);
  assert_int_equal(cache_choose(c, 640), empty);
  int answered = 0;
  cache_fill(c, 128, 1, nobody, &answered);
  assert_false(cache_locked(c, one));
  cache_replace_next(c, 512, one);
  struct cache_result r = cache_load(c, 512, 1, 3, true);
  assert_int_equal(r.outcome, CACHE_MISS);
  assert_true(r.replaced && r.replaced_line == 128);
  assert_int_equal(cache_place(c, 512), one);
  cache_free(c);
}

static void each_missing_resource_is_named_and_changes_nothing(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 128, 2, 4, false);
  assert_int_equal(cache_load(c, 0, 1, 0, false).fail, SLUICE_FAIL_QUEUE);
  assert_int_equal(cache_mshrs_used(c), 0);
  cache_load(c, 0, 1, 0, true);
  cache_load(c, 128, 1, 0, true);
  assert_int_equal(cache_load(c, 256, 1, 0, true).fail, SLUICE_FAIL_WAYS); /* both ways are being filled */
  int answered = 0;
  cache_fill(c, 0, 1, nobody, &answered);
  cache_load(c, 256, 1, 0, true);
  cache_fill(c, 128, 1, nobody, &answered);
  cache_load(c, 384, 1, 0, true);
  assert_int_equal(cache_mshrs_used(c), 2);
  struct cache *f = small(CACHE_ON_FILL, 128, 2, 4, false);
  cache_load(f, 0, 1, 0, true);
  cache_load(f, 128, 1, 0, true);
  assert_int_equal(cache_load(f, 256, 1, 0, true).fail, SLUICE_FAIL_MSHR); /* ways are taken only by fills */
  cache_free(c), cache_free(f);
}

static void sectors_are_fetched_alone(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 32, 8, 4, true);
  int answered = 0;
  assert_int_equal(cache_load(c, 0, 2, 0, true).fetch, 2);
  cache_fill(c, 0, 2, nobody, &answered);
  assert_int_equal(cache_probe(c, 0), 2);
  assert_int_equal(cache_load(c, 0, 2, 0, true).outcome, CACHE_HIT);
  struct cache_result r = cache_load(c, 0, 8, 0, true);
  assert_int_equal(r.outcome, CACHE_MISS);
  assert_int_equal(r.fetch, 8);
  assert_false(r.evicted);
  cache_free(c);
}

static void write_back_keeps_bytes_until_the_line_leaves(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 32, 8, 4, true);
  uint64_t bytes[2] = {0xff, 0};
  struct cache_result r = cache_store(c, 0, bytes, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
  assert_int_equal(r.outcome, CACHE_MISS);
  assert_int_equal(r.fetch, 0);
  assert_int_equal(cache_load(c, 0, 1, 0, true).fetch, 1); /* 8 of 32 bytes are known: the rest must come */
  int answered = 0;
  cache_fill(c, 0, 1, nobody, &answered);
  assert_int_equal(answered, 1);
  uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  cache_store(c, 128, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
  assert_int_equal(cache_load(c, 128, 15, 0, true).outcome, CACHE_HIT);
  r = cache_store(c, 256, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true); /* the least recently used goes */
  assert_true(r.evicted);
  assert_int_equal(r.victim, 0);
  assert_int_equal(r.victim_sectors, 1);
  assert_int_equal(r.victim_bytes, 8);
  assert_int_equal(r.victim_mask[0], 0xff);
  assert_int_equal(r.victim_mask[1], 0);
  assert_true(cache_invalidate(c, 128, &r)); /* dirty as a whole, and gone */
  assert_true(r.evicted);
  assert_int_equal(r.victim_mask[0] & r.victim_mask[1], UINT64_MAX);
  assert_false(cache_invalidate(c, 128, &r));
  assert_false(r.evicted);
  cache_free(c);
}

/* Eight words of a sector, one store each: the first finds nothing there, the others do, whole or not. A sector that is
 * under way is neither there nor missed. Both ways into the cache count alike. */
static void a_store_hits_what_was_written_in_part(void **unused) {
  (void)unused;
  for (int in_place = 0; in_place < 2; in_place++) {
    struct cache *c = small(CACHE_ON_MISS, 32, 8, 4, true);
    uint64_t last[2] = {0, UINT64_C(0xf0000000) << 32};
    cache_store(c, 0, last, CACHE_BACK, CACHE_WRITE_VALIDATE, 0,
                true); /* of sector 3: the line has a way now */
    assert_int_equal(cache_load(c, 0, 4, 0, true).fetch, 4);
    for (uint32_t sector = 0; sector < 3; sector++)
      for (uint32_t word = 0; word < 8; word++) {
        uint64_t bytes[2] = {0};
        bytes[sector / 2] = UINT64_C(0xf) << (sector % 2 * 32 + word * 4);
        struct cache_result r;
        enum cache_outcome o =
            in_place
                ? cache_store_as(c, 0, bytes, sector, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true, &r, true)
                : cache_store(c, 0, bytes, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true).outcome;
        assert_int_equal(o, word ? CACHE_HIT : sector == 2 ? CACHE_PENDING : CACHE_MISS);
        assert_int_equal(cache_probe(c, 0) >> sector & 1,
                         word == 7); /* it can be read when all bytes are known */
      }
    const struct cache_stats *n = cache_stats(c);
    assert_int_equal(n->accesses, 2 + 3 * 8);
    assert_int_equal(n->hits, 3 * 7);
    assert_int_equal(n->merges, 1);
    assert_int_equal(n->misses, 2 + 2);
    cache_free(c);
  }
}

static void write_through_and_around_leave_nothing_dirty(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 128, 8, 4, false);
  int answered = 0;
  uint64_t bytes[2] = {1, 0};
  assert_int_equal(cache_store(c, 0, bytes, CACHE_THROUGH, CACHE_NO_ALLOCATE, 0, true).outcome, CACHE_MISS);
  assert_int_equal(cache_probe(c, 0), 0);
  cache_load(c, 0, 1, 0, true);
  cache_fill(c, 0, 1, nobody, &answered);
  assert_int_equal(cache_store(c, 0, bytes, CACHE_THROUGH, CACHE_NO_ALLOCATE, 0, true).outcome, CACHE_HIT);
  assert_int_equal(cache_probe(c, 0), 1);
  assert_int_equal(cache_store(c, 0, bytes, CACHE_AROUND, CACHE_NO_ALLOCATE, 0, true).outcome, CACHE_HIT);
  assert_int_equal(cache_probe(c, 0), 0);
  assert_int_equal(cache_stats(c)->writebacks, 0);
  cache_free(c);
}

static void fetch_on_write_fetches_what_a_store_does_not_cover(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 32, 8, 4, true);
  uint64_t bytes[2] = {0xffffffff, 0}; /* sector 0 whole */
  assert_int_equal(cache_store(c, 0, bytes, CACHE_BACK, CACHE_FETCH_ON_WRITE, 0, true).fetch, 0);
  bytes[0] = UINT64_C(0xff) << 32; /* part of sector 1 */
  assert_int_equal(cache_store(c, 0, bytes, CACHE_BACK, CACHE_FETCH_ON_WRITE, 0, true).fetch, 2);
  cache_free(c);
}

static void a_changed_sector_is_written_back(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 32, 8, 4, true);
  int answered = 0;
  cache_load(c, 0, 4, 0, true);
  cache_fill(c, 0, 4, nobody, &answered);
  cache_dirty(c, 0, 6); /* sector 1 is not here and cannot change */
  uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  cache_store(c, 128, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
  struct cache_result r = cache_store(c, 256, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
  assert_true(r.evicted);
  assert_int_equal(r.victim_sectors, 4);
  assert_int_equal(r.victim_bytes, 32);
  cache_free(c);
}

static void a_flush_writes_back_dirty_lines_and_keeps_none(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 128, 8, 4, false);
  uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  cache_store(c, 0, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
  cache_flush(c, NULL, NULL);
  assert_int_equal(cache_probe(c, 0), 0);
  assert_int_equal(cache_stats(c)->writebacks, 1);
  cache_free(c);
}

static void drop(void *ctx, uint32_t waiter) {
  (void)ctx, (void)waiter;
}

static void an_empty_way_is_taken_before_any_line_goes(void **unused) {
  (void)unused;
  struct cache *c = small(CACHE_ON_MISS, 128, 8, 4, false); /* of two ways */
  struct cache_result r;
  uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  cache_store(c, 0, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
  cache_store(c, 128, all, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true); /* used last, but dropped */
  assert_true(cache_invalidate(c, 128, &r));
  assert_false(cache_load(c, 256, 1, 0, true).replaced);
  cache_cancel(c, 256, drop, NULL); /* and so is a fetch that will not come */
  assert_false(cache_load(c, 384, 1, 0, true).replaced);
  assert_int_equal(cache_probe(c, 0), 1);
  cache_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hits_equal_an_independent_model),
      cmocka_unit_test(a_string_of_bits_says_the_same_as_a_formula),
      cmocka_unit_test(a_second_request_for_a_line_on_its_way_merges),
      cmocka_unit_test(a_miss_can_choose_a_way_that_is_being_fetched),
      cmocka_unit_test(each_missing_resource_is_named_and_changes_nothing),
      cmocka_unit_test(sectors_are_fetched_alone),
      cmocka_unit_test(write_back_keeps_bytes_until_the_line_leaves),
      cmocka_unit_test(a_store_hits_what_was_written_in_part),
      cmocka_unit_test(write_through_and_around_leave_nothing_dirty),
      cmocka_unit_test(fetch_on_write_fetches_what_a_store_does_not_cover),
      cmocka_unit_test(a_changed_sector_is_written_back),
      cmocka_unit_test(an_empty_way_is_taken_before_any_line_goes),
      cmocka_unit_test(a_flush_writes_back_dirty_lines_and_keeps_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
