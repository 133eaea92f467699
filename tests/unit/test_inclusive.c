/* An L2 slice that includes the L1s: whom it takes lines back from, what waits for that, what it sends back to be tried again.
 * The L1s are sets of lines that answer invalidations after a time. */
#include "slice.h"
#include "l2/evict.h"
#include <inttypes.h>

enum { SMS = 4, LINES = 128, PENDING = 4096 };

struct l1s {
  bool has[SMS][LINES];
  uint32_t alone[SMS][LINES],
      grace;      /* cycles that the L1 has the line and the L2 does not; how many may be */
  uint32_t delay; /* of an acknowledgement */
  uint64_t from;  /* no acknowledgement comes before this cycle */
  bool dirty;     /* lines come back changed */
  bool again;     /* what is sent back is tried again, after the delay */
  uint64_t seed;  /* not 0: delays by chance, up to that */
  struct {
    uint64_t at;
    struct mem_request r;
  } later[PENDING];
  uint32_t n, invalidations, nacks;
  uint64_t first; /* cycle of the first invalidation */
};

static uint64_t chance(struct l1s *l) {
  l->seed ^= l->seed << 13, l->seed ^= l->seed >> 7, l->seed ^= l->seed << 17;
  return l->seed;
}

static void told(struct bench *b, const struct mem_request *r) {
  struct l1s *l = b->more;
  if (r->kind == MEM_READ)
    l->has[r->sm][r->line / BENCH_LINE] = true;
}

static void other(struct bench *b, const struct mem_request *r, uint64_t cycle) {
  struct l1s *l = b->more;
  uint32_t i = l->n++;
  assert_true(i < PENDING);
  l->later[i].at = cycle + (l->seed ? chance(l) % l->delay : l->delay);
  l->later[i].r = *r;
  if (r->kind == MEM_INVALIDATE) {
    if (!l->invalidations++)
      l->first = cycle;
    l->has[r->sm][r->line / BENCH_LINE] = false;
    l->later[i].r.kind = MEM_ACKNOWLEDGE;
    l->later[i].r.sectors = l->dirty ? 3 : 0;
  } else {
    l->nacks++;
    l->later[i].r.flags = 0;
  }
}

/* Inclusion: a line of an L1 is in the L2, beside it, or on its way out with an invalidation behind it. A line that the L2 gave
 * away without keeping it is followed by its invalidation. */
static bool included(const struct bench *b, uint64_t line) {
  const struct l2_slice *s = b->p.slice;
  const struct tech_side *m = &s->side_buffer;
  bool filling = b->k.l2.fill_latency && cache_place(s->cache, line) != UINT32_MAX;
  return filling || cache_probe(s->cache, line) || (m->residents && m->residents->kept(m->self, line)) ||
         (m->victim && m->victim->has(m->self, line)) || evict_leaving(&b->p, s, line);
}

static void each(struct bench *b, uint64_t cycle) {
  struct l1s *l = b->more;
  for (uint32_t sm = 0; l->seed && cycle % 8 == 0 && sm < SMS; sm++)
    for (uint64_t line = 0; line < 32; line++) {
      bool alone = l->has[sm][line] && !included(b, line * BENCH_LINE);
      l->alone[sm][line] = alone ? l->alone[sm][line] + 8 : 0;
      if (l->alone[sm][line] > l->grace)
        fail_msg("cycle %" PRIu64 ": SM %u has line %" PRIu64 ", the L2 does not", cycle, sm, line);
    }
  for (uint32_t i = 0; i < l->n; i++) {
    bool ack = l->later[i].r.kind == MEM_ACKNOWLEDGE;
    struct port *to = ack ? &b->ack : &b->in;
    if (l->later[i].at > cycle || (ack && l->from > cycle) || !port_room(to, b->e.now))
      continue;
    port_push(to, b->e.now, &l->later[i].r);
    engine_wake(&b->e, b->channel, b->e.now + to->data);
    l->later[i--] = l->later[--l->n];
  }
}

static void setup(struct bench *b, struct l1s *l, const char *settings) {
  bench_init(b, settings);
  b->told = told, b->other = other, b->each = each, b->more = l;
}

#define ONE                                                                                                  \
  "l2.sets=1 l2.ways=1 l2.mshrs=8 l2.merges=8 dram.fixed_latency=110 dram.fixed_write_latency=80 "           \
  "l2.inclusive=true "

/* Three L1s have the line, one of them twice; the invalidations leave one per cycle from the miss at 1000 on, each is
 * acknowledged 50 cycles after it came, and then the fetch goes. */
static void all_that_may_have_a_line_give_it_back_first(void **state) {
  (void)state;
  struct bench b;
  struct l1s l = {.delay = 50};
  setup(&b, &l, ONE "l2.evict_first=true");
  bench_ask(&b, 10, 0, MEM_READ, 0), bench_ask(&b, 300, 1, MEM_READ, 0), bench_ask(&b, 400, 3, MEM_READ, 0);
  bench_ask(&b, 500, 3, MEM_READ, 0);
  uint32_t r = bench_ask(&b, 1000, 2, MEM_READ, 1);
  bench_run(&b, 2000);
  assert_int_equal(l.invalidations, 3);
  assert_int_equal(l.first, 1001);
  /* the last leaves at 1002, comes at 1003, is acknowledged at 1053 and that is here at 1054 */
  assert_int_equal(bench_data(&b, r), 1054 + 110);
  assert_int_equal(b.p.slice->stats.invalidate_cycles, 54);
  assert_int_equal(b.p.slice->stats.evict_cycles, 0); /* nothing had changed */
  bench_end(&b);
}

/* What an L1 had changed comes with the acknowledgement, and is written back. */
static void changed_data_goes_to_memory(void **state) {
  (void)state;
  struct bench b;
  struct l1s l = {.delay = 50, .dirty = true};
  setup(&b, &l, ONE "l2.evict_first=true");
  bench_ask(&b, 10, 0, MEM_READ, 0);
  uint32_t r = bench_ask(&b, 1000, 2, MEM_READ, 1);
  bench_run(&b, 2000);
  assert_int_equal(bench_data(&b, r), 1052 + 80 + 110);
  assert_int_equal(b.p.slice->stats.evict_cycles, 80);
  assert_int_equal(b.p.slice->stats.writes, 1);
  bench_end(&b);
}

/* Without evicting first, the fetch does not wait; with the FRC neither, but its entry does. */
static void others_do_not_wait_for_it(void **state) {
  (void)state;
  for (int frc = 0; frc < 2; frc++) {
    struct bench b;
    struct l1s l = {.delay = 50};
    setup(&b, &l, frc ? ONE "l2.evict_first=true tech.with=frc frc.entries=1 frc.ways=1 frc.lookup=0" : ONE);
    bench_ask(&b, 10, 0, MEM_READ, 0);
    uint32_t r = bench_ask(&b, 1000, 2, MEM_READ, 1);
    bench_run(&b, 1150);
    assert_int_equal(bench_data(&b, r), 1110);
    assert_int_equal(l.first, frc ? 1110 + 3 + 1 : 1001); /* after the swap */
    const struct l2_slice *s = b.p.slice;
    if (frc)
      assert_true(s->side_buffer.fill->holds(s->side_buffer.self, 0));
    bench_run(&b, 2000);
    if (frc)
      assert_false(s->side_buffer.fill->holds(s->side_buffer.self, 0));
    assert_int_equal(l.invalidations, 1);
    bench_end(&b);
  }
}

/* Fetches that do not wait for acknowledgements: 64 lines leave, all acknowledgements come in one cycle, each with data to be
 * written back. 64 sectors are more than the miss queue of 4 and its reserve, and all of them reach memory. */
static void many_acknowledgements_in_one_cycle(void **state) {
  (void)state;
  struct bench b;
  struct l1s l = {.dirty = true, .from = 40000};
  setup(
      &b, &l,
      "l2.sets=1 l2.ways=64 l2.mshrs=8 l2.merges=1 l2.miss_queue=4 dram.fixed_latency=110 l2.inclusive=true");
  for (uint32_t i = 0; i < 128; i++)
    bench_ask(&b, 10 + 200 * i, 0, MEM_READ, i);
  bench_run(&b, 30000);
  assert_int_equal(b.answers, 128); /* nobody waits */
  assert_int_equal(l.invalidations, 64);
  assert_int_equal(b.p.slice->stats.writes, 0);
  bench_run(&b, 60000);
  assert_int_equal(b.p.slice->stats.acknowledgements, 64);
  assert_int_equal(b.p.slice->stats.writes, 64);
  assert_int_equal(b.p.slice->nleaving, 0); /* memory has them */
  bench_end(&b);
}

/* A store that replaces a line waits for the L1s as well; and a line on its way out cannot be had. */
static void lines_on_their_way_out_cannot_be_had(void **state) {
  (void)state;
  struct bench b;
  struct l1s l = {.delay = 50};
  setup(&b, &l, ONE "l2.ways=2 l2.evict_first=true");
  bench_ask(&b, 10, 0, MEM_READ, 0), bench_ask(&b, 300, 0, MEM_READ, 1);
  uint32_t w = bench_ask(&b, 1000, 2, MEM_WRITE, 2), r = bench_ask(&b, 1010, 1, MEM_READ, 0);
  bench_run(&b, 2000);
  assert_int_equal(bench_data(&b, w), 1052);
  /* line 0 is gone at 1052; then line 1 makes room for it, whose invalidation leaves after the answer to the store */
  assert_int_equal(bench_data(&b, r), 1053 + 1 + 52 + 110);
  bench_end(&b);
}

/* Two miss registers, three loads: the third is sent back, and passed by a hit, until one of the others is answered. */
static void loads_without_a_register_are_sent_back(void **state) {
  (void)state;
  for (int nack = 0; nack < 2; nack++) {
    struct bench b;
    struct l1s l = {.delay = 20};
    setup(&b, &l,
          nack ? "l2.sets=1 l2.ways=8 l2.mshrs=2 dram.fixed_latency=110 l2.nack=true"
               : "l2.sets=1 l2.ways=8 l2.mshrs=2 dram.fixed_latency=110");
    bench_ask(&b, 10, 0, MEM_READ, 9);
    uint32_t x = bench_ask(&b, 1000, 0, MEM_READ, 0);
    bench_ask(&b, 1001, 0, MEM_READ, 1);
    uint32_t z = bench_ask(&b, 1002, 0, MEM_READ, 2), hit = bench_ask(&b, 1003, 1, MEM_READ, 9);
    bench_run(&b, 2000);
    assert_int_equal(bench_data(&b, x), 1110);
    assert_int_equal(bench_data(&b, hit), nack ? 1003 : 1112); /* behind the answers to two misses */
    /* sent back at 1002, which takes two cycles; it is here again 21 cycles later: at 1025, 1048, … 1117 */
    assert_int_equal(bench_data(&b, z), nack ? 1117 + 110 : 1110 + 110);
    assert_int_equal(l.nacks, nack ? 5 : 0);
    assert_int_equal(b.p.slice->stats.nacks, l.nacks);
    bench_end(&b);
  }
}

static void stores_and_atomics_are_never_sent_back(void **state) {
  (void)state;
  struct bench b;
  struct l1s l = {.delay = 20};
  setup(&b, &l, "l2.sets=1 l2.ways=1 l2.mshrs=1 l2.nack=true l2.evict_first=true dram.fixed_latency=110");
  for (uint32_t i = 0; i < 20; i++)
    bench_ask(&b, 100 + i, 0, i % 2 ? MEM_WRITE : MEM_ATOMIC, i);
  bench_run(&b, 20000);
  assert_int_equal(l.nacks, 0);
  assert_int_equal(b.answers, 20);
  bench_end(&b);
}

/* One line and a victim cache of one. 0 goes beside the L2 for 1 and comes back from there, in exchange for 1: nobody loses a line.
 * 2 makes room for itself: 0 goes beside it, and 1, displaced, is taken back from the one L1 that has it. */
static void l1s_keep_what_is_beside_the_l2(void **state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    struct bench b;
    struct l1s l = {.delay = 50};
    setup(&b, &l,
          first ? ONE "l2.evict_first=true tech.with=victim victim.bytes=64"
                : ONE "tech.with=victim victim.bytes=64");
    bench_ask(&b, 10, 0, MEM_READ, 0), bench_ask(&b, 500, 1, MEM_READ, 1),
        bench_ask(&b, 1000, 2, MEM_READ, 0);
    uint32_t r = bench_ask(&b, 1500, 3, MEM_READ, 2);
    bench_run(&b, 1400);
    assert_int_equal(l.invalidations, 0);
    assert_int_equal(b.p.slice->stats.reads, 2);
    bench_run(&b, 3000);
    assert_int_equal(l.invalidations, 1);
    assert_true(l.has[0][0] && l.has[2][0] && l.has[3][2]);
    assert_false(l.has[1][1]);
    /* looked up beside the L2 after a cycle; the invalidation is acknowledged at 1552 */
    assert_int_equal(bench_data(&b, r), (first ? 1552 : 1500) + 1 + 110);
    bench_end(&b);
  }
}

/* Random traffic of four L1s to few lines, acknowledgements and retries by chance, small queues: nothing stands still, every
 * request is answered once, and in every eighth cycle the L2 has what the L1s have (each()). */
static void the_l2_has_what_the_l1s_have(void **state) {
  (void)state;
  static const char *const ways[] = {
      "",
      "l2.evict_first=true",
      "l2.evict_first=true l2.nack=true",
      "l2.evict_first=true l2.nack=true l2.fill_latency=7",
      "l2.evict_first=true l2.nack=true tech.with=frc frc.entries=2",
      "l2.evict_first=true tech.with=frc frc.entries=8",
      "l2.nack=true tech.with=nonblocking",
      "l2.evict_first=true l2.nack=true l2.evict_clean=40 tech.with=frc frc.entries=2",
      "l2.evict_first=true l2.evict_posted=true",
      "l2.evict_first=true l2.nack=true tech.with=frc frc.entries=2 frc.victims=stay",
      "tech.with=frc frc.entries=4 frc.victims=stay",
      "l2.evict_first=true l2.evict_clean=9 tech.with=frc frc.entries=8 frc.victims=pile frc.slots=2",
      "tech.with=victim victim.bytes=256",
      "l2.evict_first=true l2.nack=true tech.with=victim victim.bytes=256",
      "l2.evict_first=true l2.nack=true tech.with=victim victim.bytes=256 victim.ways=2",
      "l2.evict_first=true l2.evict_clean=9 l2.fill_latency=7 tech.with=victim victim.bytes=64",
  };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    for (int dirty = 0; dirty < 2; dirty++) {
      struct bench *b = malloc(sizeof *b);
      struct l1s *l = calloc(1, sizeof *l);
      char settings[512];
      *l = (struct l1s){.delay = 200,
                        .seed = 88172645463325252u + i,
                        .dirty = dirty,
                        .grace = strstr(ways[i], "frc") ? 2 * 200 : 0};
      snprintf(
          settings, sizeof settings,
          "l2.inclusive=true l2.sets=2 l2.ways=4 l2.mshrs=6 l2.merges=2 l2.miss_queue=2 l2.out=2 l2.in=2 %s",
          ways[i]);
      setup(b, l, settings);
      uint64_t at = 10;
      for (int k = 0; k < 3000; k++) {
        at += chance(l) >> 40 & 7;
        uint64_t x = chance(l) >> 33;
        bench_ask(b, at, x & 3, x & 12 ? MEM_READ : x & 16 ? MEM_WRITE : MEM_ATOMIC, x >> 8 & 31);
      }
      for (uint64_t t = 10000; b->answers < 3000 && t <= 3000000; t += 10000)
        bench_run(b, t);
      assert_int_equal(b->answers, 3000);
      bench_run(b, b->e.now / b->e.period[2] + 5000);
      assert_int_equal(l->n, 0);
      assert_true(l->invalidations > 500);
      const struct l2_stats *n = &b->p.slice->stats;
      assert_int_equal(n->invalidations, n->acknowledgements);
      assert_int_equal(b->p.slice->nleaving, 0);
      bench_end(b);
      free(b), free(l);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_that_may_have_a_line_give_it_back_first),
      cmocka_unit_test(changed_data_goes_to_memory),
      cmocka_unit_test(others_do_not_wait_for_it),
      cmocka_unit_test(many_acknowledgements_in_one_cycle),
      cmocka_unit_test(lines_on_their_way_out_cannot_be_had),
      cmocka_unit_test(loads_without_a_register_are_sent_back),
      cmocka_unit_test(stores_and_atomics_are_never_sent_back),
      cmocka_unit_test(l1s_keep_what_is_beside_the_l2),
      cmocka_unit_test(the_l2_has_what_the_l1s_have),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
