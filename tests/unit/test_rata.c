/* The Remote Access Tag Array: the paper's five steps as far as the array is asked, and its two errors. */
#include "tech.h"

extern const struct sluice_technique technique_rata;
enum { LINE = 128, SETS = 64 };

struct cluster {
  struct rig g;
  const struct sluice_route *r;
  void *a;
};

/* Eight SMs of the paper's 48 KiB: 384 lines each. */
static void rig_open(struct cluster *c, uint64_t ways, bool ideal) {
  rig_init(&c->g, &technique_rata);
  c->g.env.sms = 80;
  c->g.env.cluster = 8;
  c->g.env.l1_lines = 384;
  c->g.env.gpu = c->g.t->open_gpu(&c->g.env);
  rig_set(&c->g, "ways", ways);
  rig_set(&c->g, "ideal", ideal);
  c->r = c->g.t->route;
  c->a = c->r->open(&c->g.env);
}

static void rig_close(struct cluster *c) {
  c->r->close(c->a);
  c->g.t->close_gpu(c->g.env.gpu);
}

static struct sluice_request load(uint32_t sm, uint64_t line) {
  return (struct sluice_request){.line = line, .sm = sm, .kind = SLUICE_READ, .sectors = 15};
}

/* A line of the L2 goes to an SM; the cluster hears of it, and of a line that an L1 loses. */
static void fill(struct cluster *c, uint32_t sm, uint64_t line) {
  c->r->filled(c->a, sm, line, 0);
  c->r->changed(c->a, sm, line, 15, 0);
}
static void lose(struct cluster *c, uint32_t sm, uint64_t line) {
  c->r->changed(c->a, sm, line, 0, 0);
}

/* A load misses in `sm` and goes where the array says. */
static uint32_t miss(struct cluster *c, uint32_t sm, uint64_t line) {
  struct sluice_request r = load(sm, line);
  uint32_t to = c->r->look(c->a, &r, 0);
  assert_int_equal(c->r->look(c->a, &r, 1), to); /* a question changes nothing */
  c->r->sent(c->a, &r, to, 1);
  return to;
}
static void reply(struct cluster *c, uint32_t sm, uint64_t line, uint32_t from, bool found) {
  struct sluice_request r = load(sm, line);
  c->r->asked(c->a, &r, from, found, 2);
}

static void a_miss_is_sent_to_the_sm_that_fetched_the_line_last(void **state) {
  (void)state;
  struct cluster c;
  rig_open(&c, 48, false);
  assert_int_equal(miss(&c, 3, LINE), SLUICE_NONE); /* nobody has it */
  fill(&c, 3, LINE);
  assert_int_equal(miss(&c, 5, LINE), 3);
  reply(&c, 5, LINE, 3, true);
  assert_int_equal(miss(&c, 5, LINE), 3); /* its answer made no entry */
  reply(&c, 5, LINE, 3, true);
  fill(&c, 6, LINE);
  assert_int_equal(miss(&c, 5, LINE), 6);
  reply(&c, 5, LINE, 6, true);
  assert_int_equal(miss(&c, 6, LINE), SLUICE_NONE); /* an entry that names the asker */
  assert_int_equal(rig_count(&c.g, "lookups"), 5);
  assert_int_equal(rig_count(&c.g, "redirected"), 3);
  assert_int_equal(rig_count(&c.g, "remote_hits"), 3);
  assert_int_equal(rig_count(&c.g, "own"), 1);
  assert_int_equal(rig_count(&c.g, "false_positives"), 0);
  rig_close(&c);
}

static void a_line_that_the_l1_replaced_is_a_false_positive(void **state) {
  (void)state;
  struct cluster c;
  rig_open(&c, 48, false);
  fill(&c, 0, LINE);
  lose(&c, 0, LINE);
  assert_int_equal(miss(&c, 1, LINE), 0); /* the array was not told */
  reply(&c, 1, LINE, 0, false);
  assert_int_equal(rig_count(&c.g, "false_positives"), 1);
  assert_int_equal(rig_count(&c.g, "replicated"), 0);
  fill(&c, 1, LINE); /* the L2's answer sets the entry right */
  assert_int_equal(miss(&c, 0, LINE), 1);
  rig_close(&c);
}

static void an_entry_that_was_replaced_is_a_false_negative(void **state) {
  (void)state;
  struct cluster c;
  rig_open(&c, 2, false);
  uint64_t a = LINE, b = a + SETS * LINE, d = b + SETS * LINE; /* one set */
  fill(&c, 0, a);
  fill(&c, 0, b);
  assert_int_equal(miss(&c, 1, a), 0); /* used: b is the older one now */
  reply(&c, 1, a, 0, true);
  fill(&c, 0, d);
  assert_int_equal(miss(&c, 1, b), SLUICE_NONE);
  assert_int_equal(miss(&c, 1, a), 0);
  reply(&c, 1, a, 0, true);
  assert_int_equal(rig_count(&c.g, "false_negatives"), 1);
  assert_int_equal(rig_count(&c.g, "replicated"), 3); /* two of them captured */
  assert_int_equal(rig_count(&c.g, "replaced"), 1);
  fill(&c, 0, a + LINE); /* another set */
  assert_int_equal(rig_count(&c.g, "replaced"), 1);
  rig_close(&c);
}

static void the_ideal_makes_no_errors(void **state) {
  (void)state;
  struct cluster c;
  rig_open(&c, 1, true);
  assert_true(c.r->sure(c.a));
  for (uint64_t i = 0; i < 384; i++) /* all lines of an L1 in one set of one way */
    fill(&c, 2, i * SETS * LINE);
  for (uint64_t i = 0; i < 384; i++) {
    assert_int_equal(miss(&c, 4, i * SETS * LINE), 2);
    reply(&c, 4, i * SETS * LINE, 2, true);
  }
  assert_int_equal(miss(&c, 2, 0), SLUICE_NONE); /* no other has it */
  lose(&c, 2, 0);
  assert_int_equal(miss(&c, 4, 0), SLUICE_NONE);
  assert_int_equal(rig_count(&c.g, "remote_hits"), 384);
  assert_int_equal(rig_count(&c.g, "false_positives") + rig_count(&c.g, "false_negatives"), 0);
  rig_close(&c);
}

/* Sectors that the other L1 lacks cannot come from there. */
static void the_ideal_knows_sectors(void **state) {
  (void)state;
  struct cluster c;
  rig_open(&c, 48, true);
  c.r->changed(c.a, 1, LINE, 3, 0);
  assert_int_equal(miss(&c, 0, LINE), SLUICE_NONE);
  struct sluice_request r = load(0, LINE);
  r.sectors = 2;
  assert_int_equal(c.r->look(c.a, &r, 0), 1);
  rig_close(&c);
}

static void a_launch_empties_the_array(void **state) {
  (void)state;
  struct cluster c;
  rig_open(&c, 48, false);
  fill(&c, 0, LINE);
  lose(&c, 0, LINE); /* the L1s are emptied between launches */
  c.g.t->launch(c.g.env.gpu, NULL, 100);
  assert_int_equal(miss(&c, 1, LINE), SLUICE_NONE);
  fill(&c, 1, LINE);
  assert_int_equal(rig_count(&c.g, "replaced"), 0);
  assert_int_equal(miss(&c, 0, LINE), 1);
  rig_close(&c);
}

/* Section II: a valid bit, a 27-bit tag and a 3-bit SM in each entry, with 40-bit addresses and 128-byte lines. */
static void an_entry_has_the_papers_bits(void **state) {
  (void)state;
  struct cluster c;
  struct sluice_array out[16];
  rig_open(&c, 48, false);
  assert_int_equal(c.g.t->arrays(&c.g.env, out, 1), 1);
  assert_int_equal(out[0].bits, 1 + 27 + 3);
  assert_int_equal(out[0].entries, 8 * 384);
  assert_int_equal(out[0].units, 10);
  rig_close(&c);
}

static void what_it_cannot_work_with_is_refused(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_rata);
  g.env.cluster = 8;
  assert_null(g.t->check(&g.env));
  g.env.l1_reserves = true;
  assert_non_null(g.t->check(&g.env));
  g.env.l1_reserves = false;
  g.env.cluster = 1;
  assert_non_null(g.t->check(&g.env));
  g.env.cluster = 8;
  rig_set(&g, "sets", 48);
  assert_non_null(g.t->check(&g.env));
}

/* Line 1 is on its way to SM 3 when SM 5 misses it: not cached, unless in_flight says so. */
static void a_line_under_way_counts_if_asked_for(void **state) {
  (void)state;
  for (int in_flight = 0; in_flight < 2; in_flight++)
    for (int ideal = 0; ideal < 2; ideal++) {
      struct cluster c;
      rig_open(&c, 48, ideal);
      c.r->close(c.a);
      rig_set(&c.g, "in_flight", (uint64_t)in_flight);
      c.a = c.r->open(&c.g.env);
      assert_int_equal(miss(&c, 3, LINE), SLUICE_NONE);
      uint32_t to = miss(&c, 5, LINE);
      assert_int_equal(to, ideal && in_flight ? SLUICE_IN_FLIGHT : SLUICE_NONE);
      assert_int_equal(rig_count(&c.g, "in_flight"), 1);
      if (to == SLUICE_IN_FLIGHT)
        reply(&c, 5, LINE, SLUICE_IN_FLIGHT, true);
      assert_int_equal(rig_count(&c.g, "replicated"), in_flight);
      assert_int_equal(rig_count(&c.g, "joined"), ideal && in_flight);
      fill(&c, 3, LINE);
      assert_int_equal(miss(&c, 6, LINE), 3); /* now it is cached */
      reply(&c, 6, LINE, 3, true);
      assert_int_equal(rig_count(&c.g, "in_flight"), 1);
      assert_int_equal(rig_count(&c.g, "replicated"), in_flight + 1);
      rig_close(&c);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_miss_is_sent_to_the_sm_that_fetched_the_line_last),
      cmocka_unit_test(a_line_that_the_l1_replaced_is_a_false_positive),
      cmocka_unit_test(an_entry_that_was_replaced_is_a_false_negative),
      cmocka_unit_test(the_ideal_makes_no_errors),
      cmocka_unit_test(the_ideal_knows_sectors),
      cmocka_unit_test(a_launch_empties_the_array),
      cmocka_unit_test(an_entry_has_the_papers_bits),
      cmocka_unit_test(what_it_cannot_work_with_is_refused),
      cmocka_unit_test(a_line_under_way_counts_if_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
