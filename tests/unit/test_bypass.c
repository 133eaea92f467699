/* What goes past the L1, and which warps may issue: BUCL, MRPB, RACB, SWL, CCWS. */
#include "tech.h"

extern const struct sluice_technique technique_bucl, technique_mrpb, technique_racb, technique_swl,
    technique_ccws;

/* BUCL with its GPU and SMs 0 and 1. */
struct bucl {
  struct rig g;
  void *gpu, *sm[2];
  uint64_t issued[15], queued[12], cycle;
};

static void bucl_open(struct bucl *b, const char *mode) {
  memset(b, 0, sizeof *b);
  rig_init(&b->g, &technique_bucl);
  rig_choose(&b->g, "mode", mode);
  b->gpu = b->g.env.gpu = b->g.t->open_gpu(&b->g.env);
  for (uint32_t i = 0; i < 2; i++) {
    b->g.env.unit = i;
    b->sm[i] = b->g.t->l1_bypass->open(&b->g.env);
  }
}

static void bucl_close(struct bucl *b) {
  for (int i = 0; i < 2; i++)
    b->g.t->l1_bypass->close(b->sm[i]);
  b->g.t->close_gpu(b->gpu);
}

static struct sluice_state state_of(const struct bucl *b) {
  return (struct sluice_state){
      .sms = 15, .slices = 12, .issued = b->issued, .queued = b->queued, .buffer = 8, .l2_cycle = b->cycle};
}

/* A period in which SM 0 had these loads. */
static void period(struct bucl *b, int hits, int misses) {
  struct sluice_request r = {.line = 128, .degree = 1};
  for (int i = 0; i < hits + misses; i++)
    b->g.t->l1_bypass->loaded(b->sm[0], &r, i < hits ? SLUICE_HIT : SLUICE_MISSED, b->cycle);
  b->cycle += 1000;
  struct sluice_state s = state_of(b);
  b->g.t->tick(b->gpu, &s, b->cycle);
}

static bool goes_past(struct bucl *b, int sm, uint32_t degree) {
  return b->g.t->l1_bypass->instruction(b->sm[sm], 0, degree, b->cycle);
}

/* A load with more accesses than TUCD, 5 at first, bypasses whole. */
static void bucl_bypasses_loads_above_tucd(void **state) {
  (void)state;
  struct bucl b;
  bucl_open(&b, "dyn");
  assert_false(goes_past(&b, 0, 5));
  assert_true(goes_past(&b, 1, 6));
  bucl_close(&b);
}

/* +1 above a hit rate of 0.8, else -1, between 2 and 25; a period without accesses keeps the hit rate. */
static void bucl_dyn_follows_the_hit_rate(void **state) {
  (void)state;
  struct bucl b;
  bucl_open(&b, "dyn");
  for (int i = 0; i < 10; i++)
    period(&b, 1, 9);
  assert_false(goes_past(&b, 0, 2));
  assert_true(goes_past(&b, 0, 3)); /* not below 2 */
  period(&b, 9, 1);
  assert_false(goes_past(&b, 0, 3));
  period(&b, 0, 0); /* still 0.9 */
  assert_false(goes_past(&b, 0, 4));
  period(&b, 8, 2); /* exactly 0.8 is not above */
  assert_true(goes_past(&b, 0, 4));
  for (int i = 0; i < 40; i++)
    period(&b, 9, 1);
  assert_false(goes_past(&b, 0, 25));
  assert_true(goes_past(&b, 0, 26)); /* not above 25 */
  bucl_close(&b);
}

/* Merged accesses are not hits. */
static void bucl_counts_merges_as_misses(void **state) {
  (void)state;
  struct bucl b;
  bucl_open(&b, "dyn");
  struct sluice_request r = {.line = 128, .degree = 1};
  for (int i = 0; i < 10; i++)
    b.g.t->l1_bypass->loaded(b.sm[0], &r, i < 7 ? SLUICE_HIT : SLUICE_MERGED, 0);
  period(&b, 0, 0);
  assert_true(goes_past(&b, 0, 5)); /* 0.7: TUCD fell to 4 */
  bucl_close(&b);
}

static bool refused(struct bucl *b, uint32_t slice, bool pending) {
  struct sluice_request r = {.line = 128, .slice = slice, .pending = pending};
  return b->g.t->l1_bypass->access(b->sm[0], &r, SLUICE_FAIL_MSHR, b->cycle);
}

/* A refused access goes past with a hit rate below 0.8, a buffer utilised below 0.7, and no fetch of its line. */
static void bucl_bypasses_refused_accesses(void **state) {
  (void)state;
  struct bucl b;
  bucl_open(&b, "dyn");
  assert_false(refused(&b, 0, false)); /* nothing is known yet */
  b.queued[3] = 1000 * 8 * 7 / 10;     /* 70 % of 8 requests over 1000 cycles */
  b.queued[4] = 1000 * 8 * 7 / 10 - 1;
  period(&b, 7, 3);
  assert_true(refused(&b, 0, false));
  assert_false(refused(&b, 0, true));
  assert_false(refused(&b, 3, false));
  assert_true(refused(&b, 4, false));
  period(&b, 8, 2);
  assert_false(refused(&b, 0, false));
  assert_int_equal(rig_count(&b.g, "bypassed_accesses"), 2);
  assert_int_equal(rig_count(&b.g, "kept_busy"), 1);
  assert_int_equal(rig_count(&b.g, "kept_pending"), 1);
  bucl_close(&b);
}

/* Each SM tries its own TUCD; after the profile all take the best SM's. */
static void bucl_prf_takes_the_best(void **state) {
  (void)state;
  struct bucl b;
  bucl_open(&b, "prf");
  struct sluice_state s = state_of(&b);
  b.g.t->launch(b.gpu, &s, 0);
  assert_true(goes_past(&b, 0, 3));  /* SM 0 tries 2 */
  assert_false(goes_past(&b, 1, 3)); /* SM 1 tries 3 */
  b.issued[7] = 100;                 /* the 8th of 2 3 4 5 6 7 8 10 … is 10 */
  b.issued[9] = 99;
  for (int i = 0; i < 4; i++)
    period(&b, 1, 1);
  assert_true(goes_past(&b, 0, 3)); /* 4000 cycles: still profiling */
  period(&b, 1, 1);
  assert_false(goes_past(&b, 0, 10));
  assert_true(goes_past(&b, 0, 11));
  bucl_close(&b);
}

/* MRPB bypasses when all ways are reserved (assoc), or for anything (any); never a line being fetched. */
static void mrpb_bypass_causes(void **state) {
  (void)state;
  static const struct {
    const char *mode;
    enum sluice_fail why;
    bool pending, past;
  } cases[] = {{"assoc", SLUICE_FAIL_WAYS, false, true}, {"assoc", SLUICE_FAIL_MSHR, false, false},
               {"any", SLUICE_FAIL_MSHR, false, true},   {"any", SLUICE_FAIL_QUEUE, false, true},
               {"any", SLUICE_FAIL_MERGE, true, false},  {"none", SLUICE_FAIL_WAYS, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig g;
    rig_init(&g, &technique_mrpb);
    rig_choose(&g, "bypass", cases[i].mode);
    void *b = g.t->l1_bypass->open(&g.env);
    struct sluice_request r = {.pending = cases[i].pending};
    assert_int_equal(g.t->l1_bypass->access(b, &r, cases[i].why, 0), cases[i].past);
    g.t->l1_bypass->close(b);
  }
}

static bool enqueue(struct rig *g, void *m, uint32_t h, uint32_t warp, enum sluice_kind k, uint64_t cycle) {
  return g->t->l1_order->insert(m, h, &(struct sluice_request){.warp = warp, .kind = (uint8_t)k}, cycle);
}

/* The lowest queue first; one with a write before all; an old request before that. */
static void mrpb_priorities(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mrpb);
  void *m = g.t->l1_order->open(&g.env);
  assert_true(enqueue(&g, m, 0, 5, SLUICE_READ, 0));
  assert_true(enqueue(&g, m, 1, 3, SLUICE_READ, 1));
  assert_int_equal(g.t->l1_order->pick(m, 2), 1);
  assert_true(enqueue(&g, m, 2, 5, SLUICE_WRITE, 2));
  assert_int_equal(g.t->l1_order->pick(m, 3), 0); /* what is before the write goes first */
  g.t->l1_order->took(m, 0, 3);
  assert_int_equal(g.t->l1_order->pick(m, 4), 2);
  g.t->l1_order->took(m, 2, 4);
  assert_true(enqueue(&g, m, 3, 0, SLUICE_READ, 9000));
  assert_int_equal(g.t->l1_order->pick(m, 9001), 3);
  assert_int_equal(g.t->l1_order->pick(m, 10001), 1); /* it has waited 10000 cycles */
  g.t->l1_order->close(m);
}

static void mrpb_full_queue_stalls(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_mrpb);
  void *m = g.t->l1_order->open(&g.env);
  for (uint32_t i = 0; i < 8; i++)
    assert_true(enqueue(&g, m, i, 1, SLUICE_READ, i));
  assert_false(enqueue(&g, m, 8, 1, SLUICE_READ, 8));
  assert_true(enqueue(&g, m, 9, 2, SLUICE_READ, 8));
  g.t->l1_order->close(m);
}

static void racb_bypass_causes(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_racb);
  void *l1 = g.t->l1_bypass->open(&g.env), *l2 = g.t->l2_bypass->open(&g.env);
  struct sluice_request r = {0};
  static const bool past[SLUICE_NFAILS] = {true, true, true, false, false};
  for (int why = 0; why < SLUICE_NFAILS; why++) {
    assert_int_equal(g.t->l1_bypass->access(l1, &r, why, 0), past[why]);
    assert_int_equal(g.t->l2_bypass->access(l2, &r, why, 0), past[why]);
  }
  assert_int_equal(g.t->l1_bypass->queue(&g.env), 8);
  g.t->l1_bypass->close(l1);
  g.t->l2_bypass->close(l2);
  rig_choose(&g, "causes", "mshr");
  rig_set(&g, "l2", 0);
  l1 = g.t->l1_bypass->open(&g.env), l2 = g.t->l2_bypass->open(&g.env);
  assert_false(g.t->l1_bypass->access(l1, &r, SLUICE_FAIL_WAYS, 0));
  assert_true(g.t->l1_bypass->access(l1, &r, SLUICE_FAIL_MSHR, 0));
  assert_false(g.t->l2_bypass->access(l2, &r, SLUICE_FAIL_MSHR, 0));
  g.t->l1_bypass->close(l1);
  g.t->l2_bypass->close(l2);
}

static uint64_t allowed(const struct rig *g, void *s, uint64_t cycle, bool loads) {
  uint64_t any[4] = {UINT64_MAX, 0, 0, 0}, load[4] = {UINT64_MAX, 0, 0, 0};
  g->t->gate->allow(s, cycle, any, load);
  return (loads ? load[0] : any[0]) & 0xff;
}

/* The oldest W may issue; an exit lets the next in; those a barrier waits for are let in too. */
static void swl_limits_warps(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_swl);
  rig_set(&g, "warps", 2);
  void *s = g.t->gate->open(&g.env);
  for (uint32_t w = 0; w < 4; w++)
    g.t->gate->start(s, w, w / 2, w); /* CTA 0: warps 0 and 1; CTA 1: 2 and 3 */
  assert_int_equal(allowed(&g, s, 0, false), 3);
  g.t->gate->exit(s, 0, 10);
  assert_int_equal(allowed(&g, s, 10, false), 6);
  g.t->gate->barrier(s, 2, true, 20); /* it waits for warp 3 */
  assert_int_equal(allowed(&g, s, 20, false), 14);
  g.t->gate->barrier(s, 2, false, 30);
  assert_int_equal(allowed(&g, s, 30, false), 6);
  g.t->gate->close(s);
}

/* A miss on a line that was taken from the warp raises its score; then the warps above the cutoff may not load. */
static void ccws_holds_back_others(void **state) {
  (void)state;
  struct rig g;
  rig_init(&g, &technique_ccws);
  void *s = g.t->gate->open(&g.env);
  for (uint32_t w = 0; w < 4; w++)
    g.t->gate->start(s, w, 0, 0);
  for (int i = 0; i < 10; i++)
    g.t->gate->issued(s, 0, 0);
  assert_int_equal(allowed(&g, s, 0, true) & 15, 15);
  g.t->gate->loaded(s, 2, 4096, SLUICE_MISSED, 5); /* not among its victims */
  g.t->gate->evicted(s, 2, 4096, 6);
  g.t->gate->loaded(s, 1, 4096, SLUICE_MISSED, 7); /* another warp's victim */
  assert_int_equal(rig_count(&g, "hits"), 0);
  g.t->gate->loaded(s, 2, 4096, SLUICE_MISSED, 10);
  assert_int_equal(rig_count(&g, "hits"), 1);
  /* cutoff 400; 1 hit / 10 instructions × 8 × 400 = 320: 420 is above the cutoff alone, so only warp 2 loads */
  assert_int_equal(rig_count(&g, "raised"), 320);
  assert_int_equal(allowed(&g, s, 10, true) & 15, 4);
  assert_int_equal(allowed(&g, s, 10, false) & 15, 15);
  assert_int_equal(allowed(&g, s, 110, true) & 15, 4);     /* 320 + 100 > 400 */
  assert_int_equal(allowed(&g, s, 130, true) & 15, 4 | 1); /* 300 + 100: the oldest joins */
  assert_int_equal(allowed(&g, s, 330, true) & 15, 15);    /* back at 100 */
  g.t->gate->evicted(s, 2, 8192, 400);
  g.t->gate->stored(s, 8192, 401); /* a store makes the tag worthless */
  g.t->gate->loaded(s, 2, 8192, SLUICE_MISSED, 402);
  assert_int_equal(rig_count(&g, "hits"), 1);
  g.t->gate->close(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bucl_bypasses_loads_above_tucd),
      cmocka_unit_test(bucl_dyn_follows_the_hit_rate),
      cmocka_unit_test(bucl_counts_merges_as_misses),
      cmocka_unit_test(bucl_bypasses_refused_accesses),
      cmocka_unit_test(bucl_prf_takes_the_best),
      cmocka_unit_test(mrpb_bypass_causes),
      cmocka_unit_test(mrpb_priorities),
      cmocka_unit_test(mrpb_full_queue_stalls),
      cmocka_unit_test(racb_bypass_causes),
      cmocka_unit_test(swl_limits_warps),
      cmocka_unit_test(ccws_holds_back_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
