/* How a line of the L2 makes room: the FRC thesis' worked example (Figs. 5.2 and 6.2) to the cycle, and its rules one by one.
 *
 * The example: one line, which holds a changed block A. B, C and D come at cycles 0, 90 and 240 after a start; all are changed
 * in the L2 (atomics), so that each must be written back. Lookup 10, eviction 80, fetch 110, fill 10, swap 3. */
#include "slice.h"

enum { START = 1000 };
static const char *const example =
    "l2.sets=1 l2.ways=1 l2.mshrs=32 l2.merges=8 l2.rop_latency=10 l2.fill_latency=10 "
    "dram.fixed_latency=110 dram.fixed_write_latency=80 l2.evict_first=true ";

struct three {
  uint32_t b, c, d;
};

static struct three setup(struct bench *b, const char *more) {
  char settings[1024];
  snprintf(settings, sizeof settings, "%s%s", example, more);
  bench_init(b, settings);
  bench_ask(b, 10, 0, MEM_ATOMIC, 0); /* A */
  return (struct three){bench_ask(b, START, 0, MEM_ATOMIC, 1), bench_ask(b, START + 90, 0, MEM_ATOMIC, 2),
                        bench_ask(b, START + 240, 0, MEM_ATOMIC, 3)};
}

static bool there(const struct bench *b, uint64_t line) {
  return cache_probe(b->p.slice->cache, line * BENCH_LINE);
}

/* B looks up 0-10, evicts -90, fetches -200, fills -210; C evicts 210-290 and is answered at 400; D follows. */
static void conventional_replacements_are_one_after_the_other(void **state) {
  (void)state;
  struct bench b;
  struct three r = setup(&b, "");
  bench_run(&b, START + 10);
  assert_true(there(&b, 0));
  bench_run(&b, START + 11); /* the miss is found: the line is transient at once */
  assert_false(there(&b, 0));
  bench_run(&b, START + 210); /* B's data came at 200 and is written into the line */
  assert_false(there(&b, 1));
  bench_run(&b, START + 211); /* it is there, and evicted at once for C */
  assert_false(there(&b, 1));
  bench_run(&b, START + 1000);
  assert_int_equal(bench_data(&b, r.b), START + 200);
  assert_int_equal(bench_data(&b, r.c), START + 400);
  assert_int_equal(bench_data(&b, r.d), START + 600);
  const struct l2_stats *n = &b.p.slice->stats;
  assert_int_equal(n->evictions_first, 3);
  assert_int_equal(n->evict_cycles, 3 * 80);
  assert_int_equal(n->fetch_cycles, 4 * 110);
  bench_end(&b);
}

/* Fetch B 10-120, swap -123, evict A -203, FRC_0 free; C fetches 100-210, overlapping; D uses FRC_0 again. */
static void the_frc_fetches_first(void **state) {
  (void)state;
  struct bench b;
  struct three r = setup(&b, "tech.with=frc frc.entries=2 frc.ways=2 frc.lookup=0 frc.swap=3");
  bench_run(&b, START + 120);
  assert_true(there(&b, 0)); /* A can be used while B is fetched */
  bench_run(&b, START + 121);
  assert_true(!there(&b, 0) && there(&b, 1));
  const struct l2_slice *s = b.p.slice;
  bench_run(&b, START + 203); /* written back 123-203 */
  assert_true(s->side_buffer.fill->holds(s->side_buffer.self, 0));
  bench_run(&b, START + 204);
  assert_false(s->side_buffer.fill->holds(s->side_buffer.self, 0));
  bench_run(&b, START + 1000);
  assert_int_equal(bench_data(&b, r.b), START + 120);
  assert_int_equal(bench_data(&b, r.c), START + 210);
  assert_int_equal(bench_data(&b, r.d), START + 360);
  assert_int_equal(s->stats.evictions_first, 0);
  bench_end(&b);
}

/* With one entry, B's is taken until 203; C finds none at 100 and waits as it would without. */
static void without_an_entry_it_is_conventional(void **state) {
  (void)state;
  struct bench b;
  struct three r = setup(&b, "tech.with=frc frc.entries=1 frc.ways=1 frc.lookup=0 frc.swap=3");
  bench_run(&b, START + 1000);
  assert_int_equal(bench_data(&b, r.b), START + 120);
  /* the line of A is free to be replaced: it is evicted 100-180 for C, fetched -290 */
  assert_int_equal(bench_data(&b, r.c), START + 290);
  assert_int_equal(b.p.slice->stats.evictions_first, 1);
  bench_end(&b);
}

/* The example with victims that stay: A and B are in the two entries when D comes. A, used longest ago, leaves for D: its
 * write-back goes out a cycle before the fetch. B is found in its entry, and D in the line. */
static void victims_that_stay_are_found(void **state) {
  (void)state;
  struct bench b;
  struct three r =
      setup(&b, "tech.with=frc frc.entries=2 frc.ways=2 frc.lookup=0 frc.swap=3 frc.victims=stay");
  uint32_t again = bench_ask(&b, START + 500, 0, MEM_ATOMIC, 1),
           d = bench_ask(&b, START + 510, 0, MEM_READ, 3), a = bench_ask(&b, START + 600, 0, MEM_READ, 0);
  bench_run(&b, START + 240);
  const struct l2_stats *n = &b.p.slice->stats;
  assert_int_equal(n->writes, 0); /* nothing left */
  bench_run(&b, START + 550);
  assert_int_equal(bench_data(&b, r.b), START + 120);
  assert_int_equal(bench_data(&b, r.c), START + 210);
  assert_int_equal(bench_data(&b, r.d), START + 250 + 1 + 110);
  assert_int_equal(bench_data(&b, again), START + 510);
  assert_int_equal(bench_data(&b, d), START + 520);
  assert_int_equal(n->writes, 1);
  assert_int_equal(n->hits, 2);
  assert_int_equal(n->evictions_first, 0);
  bench_run(&b,
            START +
                1000); /* A has left: it is fetched again, and C leaves for that, since B was used after it */
  assert_int_equal(bench_data(&b, a), START + 610 + 1 + 110);
  assert_int_equal(n->writes, 2);
  bench_end(&b);
}

/* The example with victims that pile up. W = 4: A, B and C stay beside the line, and nothing is written. W = 2: A takes the only
 * slot; C has an entry already, from which B leaves; D finds no slot and evicts C first, 250-330. */
static void victims_pile_up(void **state) {
  (void)state;
  for (int full = 0; full < 2; full++) {
    struct bench b;
    struct three r =
        setup(&b, full ? "tech.with=frc frc.entries=2 frc.ways=2 frc.lookup=0 frc.victims=pile frc.slots=2"
                       : "tech.with=frc frc.entries=2 frc.ways=2 frc.lookup=0 frc.victims=pile frc.slots=4");
    uint32_t a = bench_ask(&b, START + 700, 0, MEM_READ, 0),
             again = bench_ask(&b, START + 720, 0, MEM_READ, 1);
    bench_run(&b, START + 1000);
    assert_int_equal(bench_data(&b, r.b), START + 120);
    assert_int_equal(bench_data(&b, r.c), START + 210);
    assert_int_equal(bench_data(&b, r.d), START + 250 + (full ? 80 : 0) + 110);
    assert_int_equal(bench_data(&b, a), START + 710);
    if (!full)
      assert_int_equal(bench_data(&b, again), START + 730);
    else
      assert_true(bench_data(&b, again) >= START + 730 + 110);
    assert_int_equal(b.p.slice->stats.evictions_first, full ? 2 : 0); /* for D, and for B again */
    assert_int_equal(b.p.slice->stats.writes, full ? 3 : 0);          /* B, C, D */
    bench_end(&b);
  }
}

/* What a store replaces stays as well, changed or not: the store waits for the exchange (3). */
static void what_stores_replace_stays(void **state) {
  (void)state;
  struct bench b;
  char settings[512];
  snprintf(settings, sizeof settings,
           "%stech.with=frc frc.entries=2 frc.ways=2 frc.lookup=0 frc.victims=stay", example);
  bench_init(&b, settings);
  bench_ask(&b, 10, 0, MEM_READ, 0);
  uint32_t w = bench_ask(&b, START, 0, MEM_WRITE, 1), r = bench_ask(&b, START + 100, 0, MEM_READ, 0);
  bench_run(&b, START + 500);
  assert_int_equal(bench_data(&b, w), START + 10 + 3);
  assert_int_equal(bench_data(&b, r), START + 110);
  assert_int_equal(b.p.slice->stats.reads, 1);
  bench_end(&b);
}

/* A second request for B joins its fetch; beside the cache it is served by the line, after the swap. */
static void later_requests_for_the_block_wait_for_the_swap(void **state) {
  (void)state;
  for (int frc = 0; frc < 2; frc++) {
    struct bench b;
    bench_init(&b,
               frc ? "l2.sets=1 l2.ways=1 l2.rop_latency=10 dram.fixed_latency=110 tech.with=frc frc.lookup=0"
                   : "l2.sets=1 l2.ways=1 l2.rop_latency=10 dram.fixed_latency=110");
    uint32_t first = bench_ask(&b, 100, 0, MEM_READ, 1), second = bench_ask(&b, 150, 0, MEM_READ, 1);
    bench_run(&b, 1000);
    assert_int_equal(bench_data(&b, first), 220);
    assert_int_equal(bench_data(&b, second), frc ? 223 : 221); /* one answer per cycle */
    bench_end(&b);
  }
}

/* A clean line has nothing to be written back: the fetch goes at once. */
static void clean_lines_are_replaced_at_once(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b, example);
  uint32_t a = bench_ask(&b, 10, 0, MEM_READ, 0), r = bench_ask(&b, START, 0, MEM_READ, 1);
  bench_run(&b, START + 500);
  assert_int_equal(bench_data(&b, a), 10 + 10 + 110);
  assert_int_equal(bench_data(&b, r), START + 10 + 110);
  bench_end(&b);
}

/* Where replacing an unchanged line takes 80 cycles as in Fig. 6.2: the fetch goes then; with the FRC at once, and its entry is
 * taken until 80 after the swap. A store waits as well. */
static void unchanged_lines_take_their_time(void **state) {
  (void)state;
  for (int frc = 0; frc < 2; frc++) {
    struct bench b;
    char settings[512];
    snprintf(settings, sizeof settings, "%sl2.evict_clean=80 %s", example,
             frc ? "tech.with=frc frc.entries=1 frc.ways=1 frc.lookup=0 frc.swap=3" : "");
    bench_init(&b, settings);
    bench_ask(&b, 10, 0, MEM_READ, 0);
    uint32_t r = bench_ask(&b, START, 0, MEM_READ, 1), w = bench_ask(&b, START + 500, 0, MEM_WRITE, 2);
    const struct l2_slice *s = b.p.slice;
    bench_run(&b, START + 10 + 110 + 3 + 80);
    if (frc)
      assert_true(s->side_buffer.fill->holds(s->side_buffer.self, 0));
    bench_run(&b, START + 10 + 110 + 3 + 81);
    if (frc)
      assert_false(s->side_buffer.fill->holds(s->side_buffer.self, 0));
    bench_run(&b, START + 1000);
    assert_int_equal(bench_data(&b, r), START + 10 + (frc ? 0 : 80) + 110);
    assert_int_equal(bench_data(&b, w), START + 510 + (frc ? 3 : 80));
    assert_int_equal(s->stats.evictions_first, frc ? 0 : 2);
    assert_int_equal(s->stats.evict_cycles, frc ? 0 : 2 * 80);
    assert_int_equal(s->stats.writes, 0);
    assert_int_equal(s->nclearing + s->nleaving, 0);
    bench_end(&b);
  }
}

/* The example with posted write-backs: nobody waits for memory's 80 cycles, and all that changed is written. Where an eviction
 * takes no time, its write-back goes out a cycle before the fetch; where it takes 20, long before. Each of B, C and D then fetches for
 * 110 and fills for 10. */
static void nobody_waits_for_posted_write_backs(void **state) {
  (void)state;
  for (uint32_t cycles = 0; cycles <= 20; cycles += 20) {
    struct bench b;
    char more[64];
    snprintf(more, sizeof more, "l2.evict_posted=true l2.evict_clean=%u", cycles);
    struct three r = setup(&b, more);
    bench_run(&b, START + 1000);
    uint64_t each = (cycles ? cycles : 1) + 110;
    assert_int_equal(bench_data(&b, r.b), START + 10 + each);
    assert_int_equal(bench_data(&b, r.c), START + 10 + each + 10 + each);
    assert_int_equal(bench_data(&b, r.d), START + 10 + each + 10 + each + 10 + each);
    assert_int_equal(b.p.slice->stats.writes, 3);
    assert_int_equal(b.p.slice->stats.evict_cycles, 3 * cycles);
    bench_end(&b);
  }
}

/* A store that takes a changed line's place waits until that is written back; one to a line under way, until it is filled. */
static void stores_wait_as_well(void **state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    struct bench b;
    char settings[512];
    snprintf(settings, sizeof settings, "%sl2.evict_first=%s", example, first ? "true" : "false");
    bench_init(&b, settings);
    bench_ask(&b, 10, 0, MEM_WRITE, 0);
    uint32_t w = bench_ask(&b, START, 0, MEM_WRITE, 1);
    uint32_t r = bench_ask(&b, START + 500, 0, MEM_READ, 2), x = bench_ask(&b, START + 550, 0, MEM_WRITE, 2);
    bench_run(&b, START + 2000);
    assert_int_equal(bench_data(&b, w), START + 10 + (first ? 80 : 0));
    /* otherwise the write-back goes out a cycle before the fetch */
    assert_int_equal(bench_data(&b, r), START + 510 + (first ? 80 : 1) + 110);
    if (first) /* the line is filled until 10 after the data */
      assert_int_equal(bench_data(&b, x), START + 510 + 80 + 110 + 10);
    bench_end(&b);
  }
}

/* With a free entry it waits for the exchange alone (3); its entry is free again when the old line is written (80 more). */
static void stores_go_through_the_frc(void **state) {
  (void)state;
  struct bench b;
  char settings[512];
  snprintf(settings, sizeof settings, "%stech.with=frc frc.entries=1 frc.ways=1 frc.lookup=0 frc.swap=3",
           example);
  bench_init(&b, settings);
  bench_ask(&b, 10, 0, MEM_WRITE, 0);
  uint32_t w = bench_ask(&b, START, 0, MEM_WRITE, 1), taken = bench_ask(&b, START + 50, 0, MEM_WRITE, 2);
  uint32_t again = bench_ask(&b, START + 500, 0, MEM_WRITE, 3);
  bench_run(&b, START + 2000);
  assert_int_equal(bench_data(&b, w), START + 10 + 3);
  assert_int_equal(bench_data(&b, taken),
                   START + 60 + 80); /* the entry is taken until 93: the conventional way */
  assert_int_equal(bench_data(&b, again), START + 510 + 3);
  assert_int_equal(b.p.slice->stats.evictions_first, 1);
  bench_end(&b);
}

/* A victim cache exchanges 0, which is beside the L2, at 1000: lookup 1, swap 3. Who wants 0 meanwhile waits for that; a miss
 * at 1001 looks here for a cycle and fetches for 110, or waits for the bank until 1004 first. */
static void exchanges_of_the_victim_cache(void **state) {
  (void)state;
  for (int blocks = 0; blocks < 2; blocks++) {
    struct bench b;
    bench_init(&b, blocks ? "l2.sets=1 l2.ways=2 dram.fixed_latency=110 tech.with=victim victim.bytes=64 "
                            "victim.swap_blocks=true"
                          : "l2.sets=1 l2.ways=2 dram.fixed_latency=110 tech.with=victim victim.bytes=64");
    for (uint32_t i = 0; i < 3; i++)
      bench_ask(&b, 10 + 200 * i, 0, MEM_READ, i);
    uint32_t hit = bench_ask(&b, START, 0, MEM_READ, 0), miss = bench_ask(&b, START + 1, 0, MEM_READ, 3);
    uint32_t again = bench_ask(&b, START + 2, 0, MEM_READ, 0);
    bench_run(&b, START + 500);
    assert_int_equal(bench_data(&b, hit), START + 4);
    assert_int_equal(bench_data(&b, miss), START + (blocks ? 4 : 1) + 1 + 110);
    assert_int_equal(bench_data(&b, again), START + 5); /* one answer per cycle */
    bench_end(&b);
  }
}

/* Random traffic to few lines: whatever the way, every request is answered once. */
static void every_request_is_answered_once(void **state) {
  (void)state;
  static const char *const ways[] = {"l2.evict_first=false",
                                     "l2.evict_first=true",
                                     "l2.evict_first=true tech.with=frc frc.entries=4",
                                     "l2.evict_first=true tech.with=nonblocking",
                                     "l2.evict_first=true l2.write_miss=fetch",
                                     "l2.replacement=srrip",
                                     "tech.with=victim victim.bytes=128",
                                     "l2.evict_first=true l2.evict_clean=30",
                                     "l2.evict_first=true tech.with=frc frc.entries=4 frc.victims=stay",
                                     "tech.with=frc frc.entries=2 frc.victims=stay",
                                     "l2.evict_first=true tech.with=frc frc.entries=2 frc.victims=pile "
                                     "frc.slots=3",
                                     "l2.evict_first=true l2.evict_posted=true",
                                     "l2.evict_first=true l2.evict_posted=true l2.evict_clean=9 "
                                     "l2.write_miss=fetch tech.with=frc frc.entries=4",
                                     "l2.evict_first=true l2.evict_clean=30 tech.with=victim",
                                     "l2.evict_first=true tech.with=victim victim.swap_blocks=true"};
  uint64_t seed = 12345;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    for (uint32_t fill = 0; fill <= 10; fill += 10) {
      struct bench *b = malloc(sizeof *b);
      char settings[512];
      snprintf(settings, sizeof settings,
               "l2.sets=2 l2.ways=2 l2.mshrs=6 l2.merges=2 l2.miss_queue=2 l2.out=4 l2.fill_latency=%u %s",
               fill, ways[i]);
      bench_init(b, settings);
      uint64_t at = 10;
      for (int k = 0; k < 3000; k++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        at += seed >> 40 & 7;
        bench_ask(b, at, 0,
                  (enum mem_kind)(seed >> 20 & 1   ? MEM_READ
                                  : seed >> 30 & 1 ? MEM_WRITE
                                                   : MEM_ATOMIC),
                  seed >> 50 & 15);
        if (seed >> 60 & 1)
          b->todo[b->n - 1].r.bytes[0] = seed | 1;
      }
      bench_run(b, 2000000);
      assert_int_equal(b->answers, 3000);
      bench_end(b);
      free(b);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conventional_replacements_are_one_after_the_other),
      cmocka_unit_test(the_frc_fetches_first),
      cmocka_unit_test(without_an_entry_it_is_conventional),
      cmocka_unit_test(victims_that_stay_are_found),
      cmocka_unit_test(victims_pile_up),
      cmocka_unit_test(what_stores_replace_stays),
      cmocka_unit_test(later_requests_for_the_block_wait_for_the_swap),
      cmocka_unit_test(clean_lines_are_replaced_at_once),
      cmocka_unit_test(unchanged_lines_take_their_time),
      cmocka_unit_test(nobody_waits_for_posted_write_backs),
      cmocka_unit_test(stores_wait_as_well),
      cmocka_unit_test(stores_go_through_the_frc),
      cmocka_unit_test(exchanges_of_the_victim_cache),
      cmocka_unit_test(every_request_is_answered_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
