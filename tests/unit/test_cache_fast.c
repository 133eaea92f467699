/* The two forms that the text of a cache is compiled in (cache/access.h): what is fast ends as what is general. */
#include "cache/access.h"
#include "base/mem.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static uint64_t state = 88172645463325252u;
static uint64_t rnd(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

/* Who was answered, as a number that depends on the order. */
static void note(void *to, uint32_t waiter) {
  *(uint64_t *)to = *(uint64_t *)to * 31 + waiter + 1;
}

struct forms {
  struct cache *fast, *general;
  uint64_t there, here; /* who was answered */
};

static void same_result(enum cache_outcome fast, const struct cache_result *f, const struct cache_result *g) {
  assert_int_equal(fast, g->outcome);
  if (fast == CACHE_HIT)
    return;
  if (fast == CACHE_FAILED) {
    assert_int_equal(f->fail, g->fail);
    return;
  }
  assert_int_equal(f->fetch, g->fetch);
  assert_int_equal(f->evicted, g->evicted);
  assert_int_equal(f->replaced, g->replaced);
  assert_int_equal(f->evicted ? f->victim : 0, g->victim);
  assert_int_equal(f->evicted ? f->victim_bytes : 0, g->victim_bytes);
  assert_int_equal(f->replaced ? f->replaced_line : 0, g->replaced_line);
}

static void same_load(struct forms *c, uint64_t line, uint32_t sectors, uint32_t waiter) {
  bool room = rnd() % 8;
  struct cache_result f = {0}, g = cache_load(c->general, line, sectors, waiter, room);
  same_result(cache_load_as(c->fast, line, sectors, waiter, room, &f, true), &f, &g);
}

/* A fill of the sectors that are under way, by the line or by the place of its way. */
static void same_fill(struct forms *c, uint64_t line, uint32_t sectors) {
  const struct way *w = way_find(c->general, line);
  sectors &= w ? w->pending : 0;
  if (!sectors)
    return;
  cache_fill(c->general, line, sectors, note, &c->there);
  if (sectors & (sectors - 1) || rnd() % 2)
    cache_fill_as(c->fast, way_find(c->fast, line), line, sectors, false, note, &c->here, true);
  else
    cache_fill_as(c->fast, way_find(c->fast, line), line, sectors, true, note, &c->here, true);
  assert_int_equal(c->here, c->there);
}

/* A store of random bytes in one sector or in all of them; of one sector of 32 bytes by its number, too. */
static void same_store(struct forms *c, uint64_t line, uint32_t waiter) {
  static const struct {
    enum cache_write policy;
    enum cache_write_miss miss;
  } rule[] = {{CACHE_AROUND, CACHE_NO_ALLOCATE},
              {CACHE_THROUGH, CACHE_NO_ALLOCATE},
              {CACHE_BACK, CACHE_FETCH_ON_WRITE},
              {CACHE_BACK, CACHE_WRITE_VALIDATE}};
  uint64_t bytes[2] = {rnd() & rnd(), rnd() & rnd()};
  unsigned sector = (unsigned)(rnd() % 4), which = (unsigned)(rnd() % 4);
  bool room = rnd() % 8, only = c->fast->k.mshr_by_sector || (c->fast->k.sector_bytes == 32 && rnd() % 2);
  if (rnd() % 2)
    bytes[0] = bytes[1] = UINT64_MAX;
  uint64_t part[2] = {only ? 0 : bytes[0], only ? 0 : bytes[1]};
  if (only)
    part[sector / 2] = bytes[sector / 2] & (uint64_t)UINT32_MAX << sector % 2 * 32;
  struct cache_result f = {0}, g = cache_store(c->general, line, part, rule[which].policy, rule[which].miss,
                                               waiter, room);
  enum cache_outcome o = cache_store_as(c->fast, line, bytes, only ? sector : CACHE_ALL_SECTORS,
                                        rule[which].policy, rule[which].miss, waiter, room, &f, true);
  same_result(o, &f, &g);
  assert_int_equal(f.waits, g.waits);
}

static void what_is_fast_ends_as_what_is_general(void **unused) {
  (void)unused;
  for (uint32_t i = 0; i < 12; i++) {
    bool whole = i % 3 == 2; /* lines are one sector */
    struct cache_config k = {.sets = 4,
                             .ways = 3,
                             .line_bytes = 128,
                             .sector_bytes = whole ? 128 : 32,
                             .replacement = i / 3 % 2 ? CACHE_FIFO : CACHE_LRU,
                             .allocate = CACHE_ON_MISS,
                             .mshrs = 5,
                             .merges = 2,
                             .mshr_by_sector = i % 3 == 1};
    struct forms c = {cache_new(&k), cache_new(&k), 0, 0};
    assert_true(cache_fast(c.fast));
    for (uint32_t step = 0; step < 6000; step++) {
      uint64_t line = rnd() % 24 * 128;
      uint32_t sectors = whole ? 1 : k.mshr_by_sector ? 1u << rnd() % 4 : (uint32_t)(1 + rnd() % 15);
      uint64_t what = rnd() % 8;
      if (what < 3)
        same_fill(&c, line, whole ? 1 : 15);
      else if (what == 3 && i >= 6)
        same_store(&c, line, step);
      else
        same_load(&c, line, sectors, step);
    }
    assert_memory_equal(cache_stats(c.fast), cache_stats(c.general), sizeof(struct cache_stats));
    const struct cache_stats *n = cache_stats(c.fast);
    assert_true(n->hits && n->evictions && n->merges && n->fails[SLUICE_FAIL_WAYS] &&
                n->fails[SLUICE_FAIL_MERGE] && n->fails[SLUICE_FAIL_QUEUE]);
    assert_memory_equal(c.fast->way, c.general->way, (size_t)k.sets * k.ways * sizeof *c.fast->way);
    cache_free(c.fast), cache_free(c.general);
  }
}

/* A policy with state, and ways that fills take, need the general form. */
static void a_cache_is_fast_by_its_replacement_and_allocation(void **unused) {
  (void)unused;
  for (int i = 0; i < 6; i++) {
    struct cache_config k = {.sets = 1,
                             .ways = 1,
                             .line_bytes = 128,
                             .sector_bytes = 128,
                             .replacement = (enum cache_replacement)(i % 3),
                             .allocate = i / 3 ? CACHE_ON_FILL : CACHE_ON_MISS,
                             .mshrs = 1,
                             .merges = 1};
    struct cache *c = cache_new(&k);
    assert_int_equal(cache_fast(c), k.replacement != CACHE_SRRIP && k.allocate == CACHE_ON_MISS);
    cache_free(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_fast_ends_as_what_is_general),
      cmocka_unit_test(a_cache_is_fast_by_its_replacement_and_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
