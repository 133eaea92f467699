/* MARS' flow charts (Figs. 5 and 6) on a scripted list of requests. */
#include "tech.h"

extern const struct sluice_technique technique_mars;

static bool put(struct rig *g, void *m, uint32_t h, uint64_t address, uint64_t cycle) {
  return g->t->source->insert(m, h, &(struct sluice_request){.line = address}, cycle);
}

static void forwards(struct rig *g, void *m, const uint32_t *want, int n, uint64_t cycle) {
  for (int i = 0; i < n; i++) {
    uint32_t h = g->t->source->pick(m, cycle + (uint64_t)i);
    assert_int_equal(h, want[i]);
    g->t->source->took(m, h, cycle + (uint64_t)i);
  }
}

/* Requests of a page go back to back, pages in the order of their oldest request; one that arrives while its page is
 * being served joins it. */
static void requests_of_a_page_go_together(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  void *m = g.t->source->open(&g.env);
  static const uint64_t pages[] = {1, 2, 1, 3, 2, 1};
  for (uint32_t i = 0; i < 6; i++)
    assert_true(put(&g, m, i, pages[i] * 4096 + i * 128, i));
  forwards(&g, m, (uint32_t[]){0, 2}, 2, 10);
  assert_true(put(&g, m, 6, 1 * 4096, 12));
  forwards(&g, m, (uint32_t[]){5, 6, 1, 4, 3}, 5, 13);
  assert_int_equal(g.t->source->pick(m, 30), SLUICE_NONE);
  assert_int_equal(rig_count(&g, "visits"), 3);
  assert_int_equal(rig_count(&g, "requests"), 7);
  g.t->source->close(m);
}

/* Of page 1 request 2 is left, which is older than page 2: it keeps its age, whatever came since. */
static void what_is_left_of_a_long_page_keeps_its_age(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  rig_set(&g, "burst", 2);
  void *m = g.t->source->open(&g.env);
  for (uint32_t i = 0; i < 3; i++)
    assert_true(put(&g, m, i, 4096 + i * 128, i));
  assert_true(put(&g, m, 3, 8192, 3));
  assert_true(put(&g, m, 4, 4096, 4));
  forwards(&g, m, (uint32_t[]){0, 1, 2, 4, 3}, 5, 10);
  assert_int_equal(rig_count(&g, "visits"), 3);
  for (uint32_t i = 0; i < 4;
       i++) /* page 1, page 2, then page 1 twice more: the last is younger than page 2 */
    assert_true(put(&g, m, i, (i == 1 ? 8192 : 4096) + i * 128, 20 + i));
  forwards(&g, m, (uint32_t[]){0, 2, 1, 3}, 4, 30);
  g.t->source->close(m);
}

/* 128 entries, 2 ways: pages 64 apart share a set. The third enters alone, in its turn, and nothing joins it. */
static void with_pass_a_request_of_a_full_set_enters_alone(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  rig_set(&g, "conflict", 1);
  void *m = g.t->source->open(&g.env);
  static const uint64_t pages[] = {0, 64, 128, 0, 128, 1};
  for (uint32_t i = 0; i < 6; i++)
    assert_true(put(&g, m, i, pages[i] * 4096 + i * 128, i));
  forwards(&g, m, (uint32_t[]){0, 3, 1, 2, 4, 5}, 6, 10);
  assert_int_equal(rig_count(&g, "passed"), 2);
  assert_int_equal(rig_count(&g, "page_stalls"), 0);
  assert_int_equal(rig_count(&g, "visits"), 5);
  assert_true(put(&g, m, 6, 128 * 4096, 20)); /* the set has room again: it opens a page */
  assert_int_equal(rig_count(&g, "passed"), 2);
  g.t->source->close(m);
}

static void with_pass_a_full_request_queue_still_stalls(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  rig_set(&g, "entries", 3);
  rig_set(&g, "pages", 1);
  rig_set(&g, "ways", 1);
  rig_set(&g, "conflict", 1);
  void *m = g.t->source->open(&g.env);
  for (uint32_t i = 0; i < 3; i++)
    assert_true(put(&g, m, i, i * 4096, i));
  assert_false(put(&g, m, 3, 0, 3));
  forwards(&g, m, (uint32_t[]){0, 1, 2}, 3, 10);
  assert_int_equal(g.t->source->pick(m, 20), SLUICE_NONE);
  g.t->source->close(m);
}

static void a_full_request_queue_stalls_the_source(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  rig_set(&g, "entries", 2);
  void *m = g.t->source->open(&g.env);
  assert_true(put(&g, m, 0, 0, 0));
  assert_true(put(&g, m, 1, 4096, 1));
  assert_false(put(&g, m, 2, 0, 2));
  forwards(&g, m, (uint32_t[]){0}, 1, 5);
  assert_true(put(&g, m, 2, 0, 6));
  assert_int_equal(rig_count(&g, "queue_stalls"), 4); /* cycles 2 to 6 */
  g.t->source->close(m);
}

/* 128 entries, 2 ways: pages 64 apart share a set. */
static void a_full_set_of_the_page_list_stalls_the_source(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  void *m = g.t->source->open(&g.env);
  assert_true(put(&g, m, 0, 0 * 4096, 0));
  assert_true(put(&g, m, 1, 64 * 4096, 1));
  assert_false(put(&g, m, 2, 128 * 4096, 2)); /* no way free */
  assert_true(put(&g, m, 2, 1 * 4096, 2));    /* another set */
  forwards(&g, m, (uint32_t[]){0}, 1, 5);
  assert_true(put(&g, m, 3, 128 * 4096, 6));
  assert_int_equal(rig_count(&g, "page_stalls"), 0); /* another request took the turn at once */
  g.t->source->close(m);
}

/* Below min_occupancy nothing is sent until the oldest has waited for the timeout. */
static void look_ahead_can_be_forced(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mars);
  rig_set(&g, "min_occupancy", 3);
  rig_set(&g, "timeout", 50);
  void *m = g.t->source->open(&g.env);
  assert_true(put(&g, m, 0, 0, 10));
  assert_int_equal(g.t->source->pick(m, 59), SLUICE_NONE);
  assert_int_equal(g.t->source->next(m, 20), 60);
  assert_int_equal(g.t->source->pick(m, 60), 0);
  assert_true(put(&g, m, 1, 128, 61));
  assert_true(put(&g, m, 2, 256, 62));
  assert_int_equal(g.t->source->pick(m, 63), 0);
  g.t->source->close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(requests_of_a_page_go_together),
      cmocka_unit_test(what_is_left_of_a_long_page_keeps_its_age),
      cmocka_unit_test(with_pass_a_request_of_a_full_set_enters_alone),
      cmocka_unit_test(with_pass_a_full_request_queue_still_stalls),
      cmocka_unit_test(a_full_request_queue_stalls_the_source),
      cmocka_unit_test(a_full_set_of_the_page_list_stalls_the_source),
      cmocka_unit_test(look_ahead_can_be_forced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
