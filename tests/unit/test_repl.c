/* Replacement policies: which lines stay, worked by hand from the papers' rules. */
#include "check.h"

#include "cache/cache.h"
#include "tech.h"

extern const struct sluice_technique technique_drrip, technique_ship;

struct bench {
  struct rig rig;
  struct cache *cache;
  void *state;
};

/* `t` NULL: SRRIP. Call rig_init() first, if not. */
static void bench_open(struct bench *b, const struct sluice_technique *t, struct cache_config k) {
  k.line_bytes = 128;
  k.sector_bytes = k.sector_bytes ? k.sector_bytes : 128;
  k.mshrs = 8;
  k.merges = 16;
  k.replacement = CACHE_SRRIP;
  struct error err = {0};
  assert_true(cache_config_check(&k, "test", &err));
  b->cache = cache_new(&k);
  b->state = NULL;
  if (!t)
    return;
  b->state = t->replacement->open(&b->rig.env, &(struct sluice_cache_shape){.sets = k.sets, .ways = k.ways});
  cache_set_replacement(b->cache, t->replacement, b->state);
}

static void bench_close(struct bench *b) {
  cache_free(b->cache);
  if (b->state)
    b->rig.t->replacement->close(b->state);
}

static void nobody(void *ctx, uint32_t waiter) {
  (void)ctx, (void)waiter;
}

/* A load of a line by an instruction, its data at once. True: a hit. */
static bool load(struct bench *b, uint64_t line, uint32_t pc) {
  cache_set_access(b->cache, &(struct sluice_cache_access){.pc = pc});
  struct cache_result r = cache_load(b->cache, line * 128, 1, 0, true);
  assert_true(r.outcome != CACHE_FAILED);
  if (r.fetch)
    cache_fill(b->cache, line * 128, r.fetch, nobody, NULL);
  return r.outcome == CACHE_HIT;
}

static unsigned hits_of_loops(struct bench *b, uint64_t lines, uint64_t apart, unsigned rounds) {
  unsigned hits = 0;
  for (unsigned i = 0; i < rounds; i++)
    for (uint64_t l = 0; l < lines; l++)
      hits += load(b, l * apart + 2, 1);
  return hits;
}

/* Four ways: A, B, C and D are expected in a long time (2), A then soon (0). E ages all until B, C and D are distant, and replaces B; F
 * replaces C, G replaces D. With H, E, F and G are aged to 3 and A to 2: E goes. A is still there. */
static void srrip_keeps_what_was_used(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, NULL, (struct cache_config){.sets = 1, .ways = 4});
  enum { A, B, C, D, E, F, G, H };
  for (uint64_t l = A; l <= D; l++)
    assert_false(load(&b, l, 1));
  assert_true(load(&b, A, 1));
  for (uint64_t l = E; l <= H; l++)
    assert_false(load(&b, l, 1));
  assert_true(load(&b, A, 1));
  assert_true(load(&b, F, 1));
  assert_true(load(&b, G, 1));
  assert_false(load(&b, E, 1));
  bench_close(&b);
}

/* A loop of five lines in a set of four ways that leads BRRIP: of 64 sets 16 lead each policy, every fourth from set 0 on SRRIP and from set
 * 2 on BRRIP. All lines come as distant, so that the first way is replaced again and again: from the second round on the fifth and the
 * first line miss and the three between hit, 9 x 3 of 50 loads. The 23 misses are less than 32: none comes as long. */
static void brrip_keeps_a_part_of_a_loop_larger_than_the_cache(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_drrip);
  bench_open(&b, &technique_drrip, (struct cache_config){.sets = 64, .ways = 4});
  assert_int_equal(hits_of_loops(&b, 5, 64, 10), 27);
  assert_int_equal(rig_count(&b.rig, "allocated"), 23);
  assert_int_equal(rig_count(&b.rig, "distant"), 23);
  bench_close(&b);
}

/* One of 32: of 40 lines that are never used again the 32nd. */
static void brrip_expects_every_32nd_line_sooner(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_drrip);
  bench_open(&b, &technique_drrip, (struct cache_config){.sets = 64, .ways = 4});
  assert_int_equal(hits_of_loops(&b, 40, 64, 1), 0);
  assert_int_equal(rig_count(&b.rig, "distant"), 39);
  bench_close(&b);
}

/* The counter begins in the middle on the side of SRRIP. A miss of a set that leads SRRIP takes it to the other half, one of a set that
 * leads BRRIP back; set 1 follows. */
static void drrip_follows_the_policy_that_misses_less(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_drrip);
  bench_open(&b, &technique_drrip, (struct cache_config){.sets = 64, .ways = 4});
  load(&b, 1, 1);
  assert_int_equal(rig_count(&b.rig, "distant"), 0); /* as SRRIP */
  load(&b, 0, 1);
  assert_int_equal(rig_count(&b.rig, "distant"), 0); /* SRRIP's own */
  load(&b, 65, 1);
  assert_int_equal(rig_count(&b.rig, "distant"), 1); /* as BRRIP */
  assert_int_equal(rig_count(&b.rig, "bimodal_sets"), 1);
  load(&b, 2, 1);
  assert_int_equal(rig_count(&b.rig, "distant"), 2); /* BRRIP's own */
  load(&b, 129, 1);
  assert_int_equal(rig_count(&b.rig, "distant"), 2); /* as SRRIP again */
  assert_int_equal(rig_count(&b.rig, "allocated"), 5);
  bench_close(&b);
}

/* A following set of a GPU whose SRRIP sets thrash ends at BRRIP: the counter saturates and does not turn over. */
static void the_counter_of_drrip_saturates(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_drrip);
  rig_set(&b.rig, "psel_bits", 2);
  bench_open(&b, &technique_drrip, (struct cache_config){.sets = 64, .ways = 4});
  for (uint64_t i = 0; i < 9; i++)
    load(&b, i * 64, 1); /* 1 → 3 */
  load(&b, 2, 1);        /* 3 → 2: still BRRIP */
  load(&b, 1, 1);
  assert_int_equal(rig_count(&b.rig, "bimodal_sets"), 1);
  bench_close(&b);
}

enum { STREAM = 10, REUSE = 20, X = 1000 };

/* Two ways; X is used once. The stream's first line comes as long and dies unused: the counter of its instruction goes from 1 to 0, and
 * lines 2 to 10 come as distant, each in the place of the one before. X stays. (SRRIP ages X with every other line and replaces X for the
 * fourth.) */
static void ship_keeps_streams_from_pushing_others_out(void **state) {
  (void)state;
  for (int ship = 0; ship < 2; ship++) {
    struct bench b;
    rig_init(&b.rig, &technique_ship);
    bench_open(&b, ship ? &technique_ship : NULL, (struct cache_config){.sets = 1, .ways = 2});
    load(&b, X, REUSE);
    assert_true(load(&b, X, STREAM)); /* trains the instruction that brought X */
    for (uint64_t l = 1; l <= 10; l++)
      assert_false(load(&b, l, STREAM));
    if (ship) {
      assert_int_equal(rig_count(&b.rig, "distant"), 9);
      assert_int_equal(rig_count(&b.rig, "unused"), 9);
      assert_int_equal(rig_count(&b.rig, "reused"), 1);
      assert_true(load(&b, 10, REUSE)); /* 0 → 1: the stream's lines come as long again */
      assert_int_equal(rig_count(&b.rig, "distant_used"), 1);
    }
    assert_int_equal(load(&b, X, REUSE), ship);
    if (ship) {
      load(&b, 11, STREAM);
      assert_int_equal(rig_count(&b.rig, "distant"), 9);
    }
    bench_close(&b);
  }
}

/* Sectors that one request asks for one after the other are one use, also of a policy that counts uses. */
static void sectors_of_a_request_are_one_use(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_ship);
  bench_open(&b, &technique_ship, (struct cache_config){.sets = 1, .ways = 2, .sector_bytes = 32});
  for (uint64_t id = 7; id < 9; id++)
    for (uint32_t s = 0; s < 4; s++) {
      cache_set_access(b.cache, &(struct sluice_cache_access){.id = id, .pc = 1});
      cache_load(b.cache, 0, 1u << s, 0, true);
      assert_int_equal(rig_count(&b.rig, "reused"), id == 8);
    }
  bench_close(&b);
}

/* Where the way is taken when the data comes, the line is still of the instruction that missed: of the stream, whose counter is 0. */
static void a_line_is_of_the_instruction_that_missed(void **state) {
  (void)state;
  struct bench b;
  rig_init(&b.rig, &technique_ship);
  rig_set(&b.rig, "initial", 0);
  bench_open(&b, &technique_ship, (struct cache_config){.sets = 1, .ways = 2, .allocate = CACHE_ON_FILL});
  load(&b, X, REUSE);
  assert_true(load(&b, X, REUSE));
  assert_int_equal(rig_count(&b.rig, "distant"), 1);
  cache_set_access(b.cache, &(struct sluice_cache_access){.pc = STREAM});
  struct cache_result r = cache_load(b.cache, 128, 1, 0, true);
  assert_true(load(&b, X, REUSE));
  cache_fill(b.cache, 128, r.fetch, nobody, NULL);
  assert_int_equal(rig_count(&b.rig, "distant"), 2);
  assert_int_equal(rig_count(&b.rig, "allocated"), 2);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(srrip_keeps_what_was_used),
      cmocka_unit_test(brrip_keeps_a_part_of_a_loop_larger_than_the_cache),
      cmocka_unit_test(brrip_expects_every_32nd_line_sooner),
      cmocka_unit_test(drrip_follows_the_policy_that_misses_less),
      cmocka_unit_test(the_counter_of_drrip_saturates),
      cmocka_unit_test(ship_keeps_streams_from_pushing_others_out),
      cmocka_unit_test(sectors_of_a_request_are_one_use),
      cmocka_unit_test(a_line_is_of_the_instruction_that_missed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
