/* The Fetch and Replacement Cache's entries: taken at a miss, swapped with the victim, free when that is gone. */
#include "tech.h"

extern const struct sluice_technique technique_frc;

static void an_entry_lives_from_the_miss_to_the_end_of_the_eviction(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  rig_set(&g, "entries", 1);
  const struct sluice_fill_buffer *m = g.t->fill_buffer;
  void *f = m->open(&g.env);
  assert_true(m->take(f, 0, 10));
  assert_false(m->take(f, 128, 20)); /* the only entry is in use: the conventional way */
  assert_false(m->holds(f, 0));      /* on its way, not leaving */
  m->swapped(f, 0, 4096, 120);
  assert_true(m->holds(f, 4096)); /* the victim is being written back from the entry */
  assert_false(m->take(f, 128, 150));
  m->evicted(f, 4096, 200);
  assert_false(m->holds(f, 4096));
  assert_true(m->take(f, 128, 240)); /* used again */
  assert_int_equal(rig_count(&g, "served"), 2);
  assert_int_equal(rig_count(&g, "full"), 2);
  assert_int_equal(rig_count(&g, "swaps"), 1);
  assert_int_equal(rig_count(&g, "entry_cycles"), 190); /* 10 to 200 */
  m->close(f);
}

/* No victim, or a clean one: the entry is free as soon as the block has its way. */
static void an_empty_way_needs_no_eviction(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  rig_set(&g, "entries", 1);
  void *f = g.t->fill_buffer->open(&g.env);
  assert_true(g.t->fill_buffer->take(f, 0, 0));
  g.t->fill_buffer->swapped(f, 0, SLUICE_NEVER, 50);
  assert_true(g.t->fill_buffer->take(f, 128, 50));
  g.t->fill_buffer->close(f);
}

/* 8 ways: 64 entries are 8 sets; blocks 8 apart share one. 4 entries are one set of 4. */
static void entries_are_set_associative(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  void *f = g.t->fill_buffer->open(&g.env);
  for (uint64_t i = 0; i < 8; i++)
    assert_true(g.t->fill_buffer->take(f, i * 8 * 128, 0));
  assert_false(g.t->fill_buffer->take(f, 8 * 8 * 128, 0));
  assert_true(g.t->fill_buffer->take(f, 128, 0));
  g.t->fill_buffer->close(f);
  rig_set(&g, "entries", 4);
  f = g.t->fill_buffer->open(&g.env);
  for (uint64_t i = 0; i < 4; i++)
    assert_true(g.t->fill_buffer->take(f, i * 128, 0));
  assert_false(g.t->fill_buffer->take(f, 4 * 128, 0));
  g.t->fill_buffer->close(f);
}

/* Sectors of one block share its entry; a refused miss gives it back. */
static void sectors_share_an_entry(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  rig_set(&g, "entries", 1);
  void *f = g.t->fill_buffer->open(&g.env);
  assert_true(g.t->fill_buffer->take(f, 0, 0));
  assert_true(g.t->fill_buffer->take(f, 0, 1));
  g.t->fill_buffer->drop(f, 0, true);
  assert_false(g.t->fill_buffer->take(f, 128, 2)); /* the other sector is still on its way */
  g.t->fill_buffer->drop(f, 0, true);
  assert_true(g.t->fill_buffer->take(f, 128, 3));
  g.t->fill_buffer->close(f);
}

/* A miss that the cache refuses is asked about again; it counts once. */
static void a_refused_miss_is_not_counted(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  rig_set(&g, "entries", 1);
  void *f = g.t->fill_buffer->open(&g.env);
  assert_true(g.t->fill_buffer->take(f, 0, 0));
  for (int i = 0; i < 5; i++) {
    assert_false(g.t->fill_buffer->take(f, 128, 1));
    g.t->fill_buffer->drop(f, 128, false);
  }
  assert_false(g.t->fill_buffer->take(f, 128, 6));
  assert_int_equal(rig_count(&g, "served"), 1);
  assert_int_equal(rig_count(&g, "full"), 1);
  g.t->fill_buffer->close(f);
}

/* The two levels are counted apart. */
static void levels_are_counted_apart(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  g.env.l1_reserves = true;
  static const struct {
    const char *name;
    uint32_t levels;
  } rows[] = {
      {"l2", SLUICE_BESIDE_L2}, {"l1", SLUICE_BESIDE_L1}, {"both", SLUICE_BESIDE_L1 | SLUICE_BESIDE_L2}};
  for (int i = 0; i < 3; i++) {
    rig_choose(&g, "level", rows[i].name);
    assert_int_equal(g.t->fill_buffer->levels(&g.env), rows[i].levels);
    assert_null(g.t->check(&g.env));
  }
  g.env.l1_reserves = false; /* nothing to gain */
  assert_non_null(g.t->check(&g.env));
  g.env.beside_l1 = true;
  void *f = g.t->fill_buffer->open(&g.env);
  assert_true(g.t->fill_buffer->take(f, 0, 10));
  g.t->fill_buffer->swapped(f, 0, 4096, 20);
  g.t->fill_buffer->evicted(f, 4096, 50);
  assert_int_equal(rig_count(&g, "l1_served"), 1);
  assert_int_equal(rig_count(&g, "l1_swaps"), 1);
  assert_int_equal(rig_count(&g, "l1_entry_cycles"), 40);
  assert_int_equal(rig_count(&g, "served") + rig_count(&g, "swaps") + rig_count(&g, "entry_cycles"), 0);
  g.t->fill_buffer->close(f);
}

/* The block in `line` comes, and what it replaces stays beside the L2 if it may. */
static bool replaces(struct rig *g, void *f, uint64_t line, uint64_t victim, uint64_t cycle) {
  const struct sluice_fill_buffer *m = g->t->fill_buffer;
  struct sluice_kept block = {.line = victim, .valid = 15, .dirty = 1};
  assert_true(m->take(f, line, cycle));
  m->swapped(f, line, victim, cycle + 100);
  assert_true(m->holds(f, victim) && !m->residents->kept(f, victim));
  return m->residents->stay(f, &block, cycle + 100);
}

/* Two entries, one set. Blocks 4096 and 8192 stay in them; 4096 is used again, so that 8192 makes room for the next. */
static void victims_stay_until_a_miss_needs_the_entry(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  rig_set(&g, "entries", 2);
  rig_choose(&g, "victims", "stay");
  const struct sluice_fill_buffer *m = g.t->fill_buffer;
  void *f = m->open(&g.env);
  assert_true(m->residents->stays(f));
  assert_true(replaces(&g, f, 0, 4096, 0));
  assert_true(replaces(&g, f, 128, 8192, 10));
  assert_true(m->residents->kept(f, 4096) && m->residents->kept(f, 8192));
  assert_false(m->holds(f, 4096)); /* nobody waits */
  assert_false(m->take(f, 256, 300));
  m->drop(f, 256, false);
  m->residents->serve(f, 4096, 4, 400);
  struct sluice_kept out = {.line = SLUICE_NEVER};
  m->residents->displace(f, 256, 500, &out);
  assert_int_equal(out.line, 8192);
  assert_int_equal(out.dirty, 1);
  assert_true(m->take(f, 256, 500));
  out.line = SLUICE_NEVER;
  m->residents->displace(f, 256, 501, &out);
  assert_int_equal(out.line, SLUICE_NEVER); /* it has its entry */
  m->residents->remove(f, 4096, 600, &out);
  assert_int_equal(out.dirty, 5); /* a store changed another sector */
  assert_false(m->residents->kept(f, 4096));
  assert_int_equal(rig_count(&g, "kept"), 2);
  assert_int_equal(rig_count(&g, "kept_hits"), 1);
  assert_int_equal(rig_count(&g, "displaced"), 1);
  m->close(f);
}

/* One entry. An L2 of 64 sets of 8 ways has 8 more slots for a set with W = 2, and 56 with W = 8; what is in them stays, uses no
 * entry, and a set that is full misses conventionally. */
static void victims_pile_up_beside_the_lines(void **state) {
  (void)state;
  for (uint64_t w = 2; w <= 8; w += 6) {
    struct rig g;
    rig_init(&g, &technique_frc);
    rig_set(&g, "entries", 1);
    rig_choose(&g, "victims", "pile");
    rig_set(&g, "slots", w);
    const struct sluice_fill_buffer *m = g.t->fill_buffer;
    void *f = m->open(&g.env);
    uint64_t set = 64 * 128, n = 8 * (w - 1);
    for (uint64_t i = 1; i <= n; i++)
      assert_true(replaces(&g, f, 0, i * set, i * 1000));
    for (uint64_t i = 1; i <= n; i++)
      assert_true(m->residents->kept(f, i * set));
    assert_false(m->take(f, 0, 100000));
    struct sluice_kept out = {.line = SLUICE_NEVER};
    m->residents->displace(f, 0, 100000, &out);
    assert_int_equal(out.line, SLUICE_NEVER);
    assert_true(replaces(&g, f, 128, set + 128, 100001)); /* another set */
    assert_int_equal(rig_count(&g, "kept"), n + 1);
    assert_int_equal(rig_count(&g, "displaced"), 0);
    assert_int_equal(rig_count(&g, "searched"), (n + 2) * (w - 1)); /* every miss searches each of them */
    m->residents->empty(f, 200000);
    assert_false(m->residents->kept(f, set));
    assert_true(m->take(f, 0, 200000));
    m->close(f);
  }
}

/* W - 1 times the L2: 7 x 12 slices of 512 lines in 8 ways. Entries hold what stays in them without more. */
static void what_piles_up_is_charged(void **state) {
  (void)state;
  struct rig g;
  struct sluice_array a[16];
  rig_init(&g, &technique_frc);
  assert_int_equal(g.t->arrays(&g.env, a, 16), 1);
  rig_choose(&g, "victims", "stay");
  assert_int_equal(g.t->arrays(&g.env, a, 16), 1);
  rig_choose(&g, "victims", "pile");
  assert_int_equal(g.t->arrays(&g.env, a, 16), 2);
  assert_int_equal(a[1].units * a[1].entries, 7 * 12 * 512);
  assert_int_equal(a[1].data_bits, 128 * 8);
  assert_int_equal(a[1].ways, 8);
}

static void victims_stay_beside_the_l2_only(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_frc);
  g.env.l1_reserves = true;
  rig_choose(&g, "victims", "stay");
  assert_null(g.t->check(&g.env));
  g.env.l1_coherent = true;
  assert_non_null(g.t->check(&g.env));
  g.env.l1_coherent = false;
  rig_choose(&g, "level", "l1");
  assert_non_null(g.t->check(&g.env));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_entry_lives_from_the_miss_to_the_end_of_the_eviction),
      cmocka_unit_test(an_empty_way_needs_no_eviction),
      cmocka_unit_test(entries_are_set_associative),
      cmocka_unit_test(sectors_share_an_entry),
      cmocka_unit_test(a_refused_miss_is_not_counted),
      cmocka_unit_test(levels_are_counted_apart),
      cmocka_unit_test(victims_stay_until_a_miss_needs_the_entry),
      cmocka_unit_test(victims_pile_up_beside_the_lines),
      cmocka_unit_test(what_piles_up_is_charged),
      cmocka_unit_test(victims_stay_beside_the_l2_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
