/* The victim cache's entries: what the L2 replaces stays, the one used longest ago makes room. */
#include "tech.h"

extern const struct sluice_technique technique_victim;

static struct sluice_kept block(uint64_t number, uint8_t dirty) {
  return (struct sluice_kept){.line = number * 128, .valid = 15, .dirty = dirty};
}

static void *with(struct rig *g, uint64_t lines, uint64_t ways) {
  rig_init(g, &technique_victim);
  rig_set(g, "bytes", lines * 128);
  rig_set(g, "ways", ways);
  return g->t->victim_cache->open(&g->env);
}

static uint64_t keep(void *v, uint64_t number, uint8_t dirty) {
  struct sluice_kept b = block(number, dirty), out = {.line = SLUICE_NEVER};
  technique_victim.victim_cache->keep(v, &b, 0, &out);
  return out.line == SLUICE_NEVER ? SLUICE_NEVER : out.line / 128;
}

/* Two entries: of 1, 2, 3 the first makes room; 2 is given back, so 4 finds its entry free. */
static void the_oldest_makes_room(void **state) {
  (void)state;
  struct rig g;
  void *v = with(&g, 2, 0);
  const struct sluice_victim_cache *m = g.t->victim_cache;
  assert_int_equal(keep(v, 1, 0), SLUICE_NEVER);
  assert_int_equal(keep(v, 2, 3), SLUICE_NEVER);
  assert_int_equal(keep(v, 3, 0), 1);
  assert_false(m->has(v, 128));
  assert_true(m->has(v, 256));
  struct sluice_kept b = {.line = SLUICE_NEVER};
  m->give(v, 256, 0, &b);
  assert_int_equal(b.line, 256);
  assert_int_equal(b.valid, 15);
  assert_int_equal(b.dirty, 3);
  assert_false(m->has(v, 256));
  assert_int_equal(keep(v, 4, 1), SLUICE_NEVER);
  assert_int_equal(keep(v, 5, 0), 3);
  assert_int_equal(keep(v, 6, 0), 4);
  assert_int_equal(rig_count(&g, "hits"), 1);
  assert_int_equal(rig_count(&g, "kept"), 6);
  assert_int_equal(rig_count(&g, "displaced"), 3);
  assert_int_equal(rig_count(&g, "written_back"), 1); /* block 4 */
  m->close(v);
}

/* Two sets of one: even blocks push out even ones only. */
static void sets_are_apart(void **state) {
  (void)state;
  struct rig g;
  void *v = with(&g, 2, 1);
  assert_int_equal(keep(v, 1, 0), SLUICE_NEVER);
  assert_int_equal(keep(v, 2, 0), SLUICE_NEVER);
  assert_int_equal(keep(v, 4, 0), 2);
  assert_true(g.t->victim_cache->has(v, 128));
  g.t->victim_cache->close(v);
}

/* A miss that the L2 refuses after all looks again, and counts once. */
static void a_refused_miss_is_not_counted(void **state) {
  (void)state;
  struct rig g;
  void *v = with(&g, 2, 0);
  g.t->victim_cache->missed(v, 128, 0);
  g.t->victim_cache->again(v, 128);
  g.t->victim_cache->missed(v, 128, 5);
  assert_int_equal(rig_count(&g, "lookups"), 1);
  g.t->victim_cache->close(v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_oldest_makes_room),
      cmocka_unit_test(sets_are_apart),
      cmocka_unit_test(a_refused_miss_is_not_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
