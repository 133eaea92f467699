/* Short ways through a cache (cache/fast.h) against the ways for everything. */
#include "cache/fast.h"
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

/* One step in both: `a` knows short ways (cache/fast.h) and asks the others for the rest, `b` only the others. */
static void same_step(struct cache *a, struct cache *b, uint64_t line, uint32_t waiter) {
  const uint64_t bytes[2] = {1, 0};
  bool room = rnd() % 8;
  switch (rnd() % 4) {
  case 0: {
    uint64_t there = 0, here = 0;
    const uint32_t *waiters;
    uint32_t n;
    if (!cache_pending(b, line))
      return;
    cache_fill(b, line, 1, note, &there);
    if (!cache_fill_line(a, line, &waiters, &n))
      cache_fill(a, line, 1, note, &here);
    else
      for (uint32_t i = 0; i < n; i++)
        note(&here, waiters[i]);
    assert_int_equal(here, there);
    return;
  }
  case 1: {
    enum cache_outcome o = cache_store(b, line, bytes, CACHE_AROUND, CACHE_NO_ALLOCATE, 0, true).outcome;
    bool passed = cache_store_no_allocate(a, line);
    assert_int_equal(passed ? CACHE_MISS
                            : cache_store(a, line, bytes, CACHE_AROUND, CACHE_NO_ALLOCATE, 0, true).outcome,
                     o);
    return;
  }
  default: {
    enum cache_outcome there = cache_load(b, line, 1, waiter, room).outcome,
                       here = cache_load_line(a, line, waiter, room);
    if (here == CACHE_FAILED)
      here = cache_load(a, line, 1, waiter, room).outcome;
    assert_int_equal(here, there);
  }
  }
}

/* In some of these caches lines are written back as well: what is dirty leaves with a result. */
static void short_ways_do_what_the_others_do(void **unused) {
  (void)unused;
  const uint64_t bytes[2] = {UINT64_MAX, UINT64_MAX};
  for (uint32_t i = 0; i < 18; i++) {
    struct cache_config k = {.sets = 4,
                             .ways = 3,
                             .line_bytes = 128,
                             .sector_bytes = 128,
                             .replacement = (enum cache_replacement)(i % 3),
                             .allocate = i / 3 % 2 ? CACHE_ON_FILL : CACHE_ON_MISS,
                             .mshrs = 5,
                             .merges = 2};
    struct cache *a = cache_new(&k), *b = cache_new(&k);
    for (uint32_t step = 0; step < 4000; step++) {
      uint64_t line = rnd() % 24 * 128;
      same_step(a, b, line, step);
      if (i % 2 && step % 5 == 0) {
        cache_store(a, line, bytes, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
        cache_store(b, line, bytes, CACHE_BACK, CACHE_WRITE_VALIDATE, 0, true);
      }
    }
    assert_memory_equal(cache_stats(a), cache_stats(b), sizeof(struct cache_stats));
    assert_true(cache_stats(a)->hits && cache_stats(a)->evictions && cache_stats(a)->merges);
    for (uint64_t line = 0; line < 24 * 128; line += 128)
      assert_int_equal(cache_probe(a, line), cache_probe(b, line));
    cache_free(a), cache_free(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(short_ways_do_what_the_others_do)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
