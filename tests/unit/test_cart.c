/* CART as its paper tells it: Fig. 6's orders, the fill policy of IV-C, the three effects of Fig. 5. */
#include "tech.h"
#include "tech/cart.h"

extern const struct sluice_technique technique_cart, technique_nonblocking, technique_bankqueue;

/* The state of Fig. 6, heads on the right: handle 100 × queue + request. */
static struct cart *figure6(enum cart_drain drain, uint64_t *counts) {
  struct cart *c = cart_new(4, 2, 2, 8, drain, true, counts);
  static const struct {
    uint32_t queue, leaf, row, column, from, to;
  } q[] = {
      /* bank 1: Q0 R1/C0, Q1 R1/C1 in one row group, Q2 R2/C2 in the next; bank 2: Q3, Q4 both R1/C1; bank 3: Q5 */
      {0, 4, 1, 0, 0, 2},   {1, 5, 1, 1, 3, 7},   {2, 6, 2, 2, 8, 11},
      {3, 8, 1, 1, 12, 13}, {4, 9, 1, 1, 14, 15}, {5, 12, 3, 1, 16, 18},
  };
  for (size_t i = 0; i < sizeof q / sizeof *q; i++)
    for (uint32_t r = q[i].to + 1; r-- > q[i].from;)
      cart_put(c, q[i].leaf, q[i].leaf / 4 * 1000 + q[i].row * 100 + q[i].column, q[i].row,
               q[i].queue * 100 + r, 0);
  return c;
}

static void drains(enum cart_drain policy, const uint32_t *want, size_t n) {
  uint64_t counts[64] = {0};
  struct cart *c = figure6(policy, counts);
  for (size_t i = 0; i < n; i++) {
    uint32_t h = cart_order.pick(c, i + 1);
    assert_int_equal(h, want[i]);
    cart_order.took(c, h, i + 1);
  }
  cart_free(c);
}

static void figure_6_proposed_policy(void **state) {
  (void)state;
  static const uint32_t want[] = {107, 313, 518, 106, 312, 517, 105, 415, 516, 104,
                                  414, 103, 2,   1,   0,   211, 210, 209, 208};
  drains(CART_ROTATING, want, sizeof want / sizeof *want);
}

static void figure_6_longest_first(void **state) {
  (void)state;
  static const uint32_t want[] = {107, 106, 211, 2, 105, 210};
  drains(CART_LONGEST, want, sizeof want / sizeof *want);
}

static bool put(struct rig *g, void *self, uint32_t h, struct sluice_request r, uint64_t cycle) {
  return g->t->l2_order->insert(self, h, &r, cycle);
}

/* IV-C: into the leaf of its line; else an empty leaf of its row; else it stalls, here with 1R/2C/2E. */
static void fill_policy(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_cart);
  rig_set(&g, "rows", 1);
  void *c = g.t->l2_order->open(&g.env);
  assert_true(put(&g, c, 0, at(0, 5, 1), 0));
  assert_true(put(&g, c, 1, at(0, 5, 1), 1));  /* merged */
  assert_true(put(&g, c, 2, at(0, 5, 1), 2));  /* the leaf is full: a second one for the same line */
  assert_false(put(&g, c, 3, at(0, 5, 2), 3)); /* no empty leaf in the row's group */
  assert_false(put(&g, c, 3, at(0, 6, 0), 3)); /* another row: its group is taken */
  assert_true(put(&g, c, 4, at(1, 6, 0), 4));  /* another bank has leaves of its own */
  assert_int_equal(rig_count(&g, "merged"), 1);
  assert_int_equal(rig_count(&g, "fill_stalls"), 1); /* from cycle 3 to 4 */
  /* the three of one line leave in the order they came, whatever the leaf */
  const struct sluice_order *o = g.t->l2_order;
  uint32_t want[] = {0, 4, 1, 2};
  for (int i = 0; i < 4; i++) {
    uint32_t h = o->pick(c, 10 + (uint64_t)i);
    assert_int_equal(h, want[i]);
    o->took(c, h, 10 + (uint64_t)i);
  }
  assert_int_equal(o->pick(c, 20), SLUICE_NONE);
  o->close(c);
}

/* The tree takes a cycle. */
static void a_request_can_leave_one_cycle_after_it_came(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_cart);
  void *c = g.t->l2_order->open(&g.env);
  assert_true(put(&g, c, 0, at(0, 0, 0), 7));
  assert_int_equal(g.t->l2_order->pick(c, 7), SLUICE_NONE);
  assert_int_equal(g.t->l2_order->next(c, 7), 8);
  assert_int_equal(g.t->l2_order->pick(c, 8), 0);
  g.t->l2_order->close(c);
}

/* Fig. 5: MR0 B0/R0/C0, MR1 B0/R1/C0, MR2 B0/R0/C0, MR3 B1/R0/C0, MR4 B0/R0/C1. */
static void figure_5_effects(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_cart);
  void *c = g.t->l2_order->open(&g.env);
  assert_true(put(&g, c, 0, at(0, 0, 0), 0));
  assert_true(put(&g, c, 1, at(0, 1, 0), 1));
  assert_true(put(&g, c, 2, at(0, 0, 0), 2));
  assert_true(put(&g, c, 3, at(1, 0, 0), 3));
  assert_true(put(&g, c, 4, at(0, 0, 1), 4));
  uint32_t place[5];
  for (uint32_t i = 0; i < 5; i++) {
    uint32_t h = g.t->l2_order->pick(c, 10 + i);
    g.t->l2_order->took(c, h, 10 + i);
    place[h] = i;
  }
  assert_true(place[2] < place[1]); /* the hit is restored: same line before another row */
  assert_true(place[3] == 1);       /* banks overlap: bank 1 comes second */
  assert_true(place[4] < place[1]); /* the row stays open for its other column */
  g.t->l2_order->close(c);
}

static void refusal_rotates_or_holds(void **state) {
  (void)state;
  for (int hold = 0; hold < 2; hold++) {
    struct rig g;
    rig_init(&g, &technique_cart);
    rig_choose(&g, "replay", hold ? "hold" : "rotate");
    void *c = g.t->l2_order->open(&g.env);
    assert_true(put(&g, c, 0, at(2, 0, 0), 0));
    assert_true(put(&g, c, 1, at(5, 0, 0), 1));
    assert_int_equal(g.t->l2_order->pick(c, 3), 0);
    g.t->l2_order->refused(c, 0, SLUICE_FAIL_MSHR, 3);
    assert_int_equal(g.t->l2_order->pick(c, 4), hold ? 0 : 1);
    g.t->l2_order->close(c);
  }
}

static enum sluice_fail refused[8];
static enum sluice_fail would_fail(void *unit, uint32_t handle) {
  (void)unit;
  return refused[handle];
}

/* Fig. 2b: what would stall is passed; the same line of the same SM keeps its order. */
static void nonblocking_passes_what_would_stall(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_nonblocking);
  g.env.would_fail = would_fail;
  for (int i = 0; i < 8; i++)
    refused[i] = SLUICE_NFAILS;
  void *b = g.t->l2_order->open(&g.env);
  for (uint32_t i = 0; i < 4; i++)
    assert_true(put(&g, b, i, at(0, 0, i == 3 ? 0 : i), i)); /* 3 has the line of 0 */
  refused[0] = SLUICE_FAIL_MSHR;
  uint32_t want[] = {1, 2};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(g.t->l2_order->pick(b, 10), want[i]);
    g.t->l2_order->took(b, want[i], 10);
  }
  assert_int_equal(g.t->l2_order->pick(b, 12), 0); /* 3 would pass, but must not overtake 0 */
  refused[0] = SLUICE_NFAILS;
  g.t->l2_order->took(b, 0, 13);
  assert_int_equal(g.t->l2_order->pick(b, 14), 3);
  assert_int_equal(rig_count(&g, "passed"), 2);
  g.t->l2_order->close(b);
}

/* Fig. 3: bank mod B, in rotation. */
static void bankqueue_rotates_over_banks(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_bankqueue);
  rig_set(&g, "queues", 2);
  rig_set(&g, "entries", 2);
  void *b = g.t->l2_order->open(&g.env);
  assert_true(put(&g, b, 0, at(0, 0, 0), 0));
  assert_true(put(&g, b, 1, at(2, 0, 0), 1)); /* 2 mod 2: the same queue */
  assert_false(put(&g, b, 2, at(4, 0, 0), 2));
  assert_true(put(&g, b, 3, at(1, 0, 0), 3));
  uint32_t want[] = {0, 3, 1};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(g.t->l2_order->pick(b, 10), want[i]);
    g.t->l2_order->took(b, want[i], 10);
  }
  g.t->l2_order->close(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_6_proposed_policy),
      cmocka_unit_test(figure_6_longest_first),
      cmocka_unit_test(fill_policy),
      cmocka_unit_test(a_request_can_leave_one_cycle_after_it_came),
      cmocka_unit_test(figure_5_effects),
      cmocka_unit_test(refusal_rotates_or_holds),
      cmocka_unit_test(nonblocking_passes_what_would_stall),
      cmocka_unit_test(bankqueue_rotates_over_banks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
