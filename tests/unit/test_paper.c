/* A paper's file, its runs, and the numbers of its figures, computed by hand. */
#include "check.h"

#include "paper/page.h"
#include "paper/presets.h"
#include "paper/verdict.h"
#include <math.h>
#include <stdlib.h>

/* Two workloads in one group, a best-of, and a workload alone. */
static const char text[] =
    "paper: test\n"
    "title: A test\n"
    "gpu: gtx480\n"
    "size: small\n"
    "workloads: {scan: A, spmv: B, transpose: C}\n"
    "sets: {both: [A, B], third: [C]}\n"
    "configs:\n"
    "  base: {}\n"
    "  new: {with: cart}\n"
    "  swl: {with: swl, best_of: {swl.warps: [4, 8, 16]}, by: ipc}\n"
    "quick: {workloads: [A], figures: [gain], values: {swl.warps: [4]}}\n"
    "figures:\n"
    "  - id: gain\n"
    "    title: Gain\n"
    "    groups: [{set: both, mean: geomean, label: GM}, {set: third}]\n"
    "    overall: {mean: mean, label: all}\n"
    "    series: [new, swl]\n"
    "    metric: ipc\n"
    "    over: base\n"
    "    as: change\n"
    "    y: \"%\"\n"
    "    paper:\n"
    "      - {series: new, at: GM, value: 20}\n"
    "      - {series: swl, at: GM, value: 10}\n"
    "      - {series: new, at: A, max: 0}\n"
    "  - id: rate\n"
    "    title: Rate\n"
    "    groups: [{set: both}]\n"
    "    series:\n"
    "      - {name: rate, config: new, metric: l2.hits / (l2.hits + l2.misses)}\n"
    "      - {name: warps, config: swl, metric: best(swl.warps)}\n"
    "    y: \"\"\n"
    "  - id: own\n"
    "    title: Each against its own\n"
    "    groups: [{set: both}]\n"
    "    series: [{name: new, config: new, over: swl}, {name: swl, config: swl, over: base}]\n"
    "    metric: ipc\n"
    "    as: change\n"
    "    y: \"%\"\n";

/* ipc of a workload and configuration; a best-of has three. NaN: no result. */
struct fake {
  double base[3], renewed[3], swl[3][3];
  double hits, misses;
};

static size_t which(const char *workload) {
  return strcmp(workload, "scan") == 0 ? 0 : strcmp(workload, "spmv") == 0 ? 1 : 2;
}

static double ipc(const struct fake *f, const struct lab_point *p) {
  size_t w = which(p->workload.name);
  if (strcmp(p->label, "base") == 0)
    return f->base[w];
  if (strcmp(p->label, "new") == 0)
    return f->renewed[w];
  const char *warps = lab_pairs_get(&p->set, "swl.warps");
  return f->swl[w][strcmp(warps, "4") == 0 ? 0 : strcmp(warps, "8") == 0 ? 1 : 2];
}

static bool fake_stat(void *self, const struct lab_point *p, const char *name, double *out) {
  const struct fake *f = self;
  if (isnan(ipc(f, p)))
    return false;
  *out = strcmp(name, "ipc") == 0 ? ipc(f, p) : strcmp(name, "l2.hits") == 0 ? f->hits : f->misses;
  return true;
}

static bool fake_done(void *self, const struct lab_point *p, const char **why) {
  *why = "stalled";
  return !isnan(ipc(self, p));
}

/* A: 2 -> 4 (x2), SWL-best of 1, 3, 2 is 3 with 8 warps (x1.5). B: 10 -> 5 (x0.5), best 10, 10, 9: the first (x1).
 * C: 1 -> 3 (x3), best 2 (x2). */
static const struct fake whole = {.base = {2, 10, 1},
                                  .renewed = {4, 5, 3},
                                  .swl = {{1, 3, 2}, {10, 10, 9}, {2, 1, 1}},
                                  .hits = 3,
                                  .misses = 1};

struct fixture {
  struct paper *paper;
  struct paper_plan plan;
  struct fake fake;
  struct paper_results results;
  struct paper_table table;
};

static void open_fixture(struct fixture *x, struct fake fake, bool quick, const char *figure) {
  struct error err = {0};
  x->fake = fake;
  x->results = (struct paper_results){&x->fake, fake_stat, fake_done};
  x->paper = paper_load_text("test.yaml", text, sizeof text - 1, &err);
  if (!x->paper)
    fail_msg("%s", err.text);
  if (!paper_plan_make(&x->plan, x->paper, (struct paper_form){.quick = quick}, &err))
    fail_msg("%s", err.text);
  paper_table_make(&x->table, &x->plan, paper_plan_figure(&x->plan, figure), &x->results);
}

static void close_fixture(struct fixture *x) {
  paper_table_free(&x->table);
  paper_plan_free(&x->plan);
  paper_free(x->paper);
}

static double value(const struct fixture *x, const char *row, size_t series) {
  size_t i = paper_table_row(&x->table, row);
  assert_true(i != SIZE_MAX);
  return x->table.value[i * x->table.figure->nseries + series];
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void changes_and_averages_are_as_by_hand(void **state) {
  (void)state;
  struct fixture x;
  open_fixture(&x, whole, false, "gain");
  assert_near(value(&x, "A", 0), 100);
  assert_near(value(&x, "B", 0), -50);
  assert_near(value(&x, "C", 0), 200);
  assert_near(value(&x, "A", 1), 50);
  assert_near(value(&x, "GM", 0), 0);                     /* sqrt(2 * 0.5) = 1 */
  assert_near(value(&x, "GM", 1), 100 * (sqrt(1.5) - 1)); /* sqrt(1.5 * 1) */
  assert_near(value(&x, "all", 0), 100 * (5.5 / 3 - 1));  /* (2 + 0.5 + 3) / 3 */
  assert_int_equal(x.table.runs, 3 * (1 + 1 + 3));
  assert_int_equal(x.table.missing, 0);
  assert_int_equal(x.table.note.n, 0);
  close_fixture(&x);
}

static void a_series_may_be_against_a_configuration_of_its_own(void **state) {
  (void)state;
  struct fixture x;
  open_fixture(&x, whole, false, "own");
  assert_near(value(&x, "A", 0), 100 * (4.0 / 3 - 1)); /* the best of 1, 3 and 2 */
  assert_near(value(&x, "A", 1), 50);
  assert_near(value(&x, "B", 0), -50);
  assert_near(value(&x, "B", 1), 0);
  assert_int_equal(x.table.runs, 2 * (1 + 1 + 3));
  close_fixture(&x);
}

/* What a newcomer sees first is a GPU that a paper has, and techniques against the same one without them. */
static void the_first_look_is_on_gpus_of_papers(void **state) {
  (void)state;
  struct error err = {0};
  struct paper *p = paper_load("examples/first-look.yaml", &err);
  if (!p)
    fail_msg("%s", err.text);
  for (size_t i = 0; i < p->nconfigs; i++) {
    assert_int_equal(p->configs[i].nset, 0);
    assert_string_not_equal(p->configs[i].gpu, "");
  }
  for (size_t i = 0; i < p->nfigures; i++)
    for (size_t k = 0; k < p->figures[i].nseries; k++) {
      const struct paper_series *s = &p->figures[i].series[k];
      assert_string_equal(s->config->gpu, s->over->gpu);
      assert_string_equal(s->over->with, "");
    }
  paper_free(p);
}

static void a_missing_run_is_in_no_average_and_named(void **state) {
  (void)state;
  struct fixture x;
  struct fake fake = whole;
  fake.renewed[1] = NAN;
  open_fixture(&x, fake, false, "gain");
  assert_true(isnan(value(&x, "B", 0)));
  assert_near(value(&x, "GM", 0), 100);  /* A alone */
  assert_near(value(&x, "GM", 1), 50);   /* A alone, too: the same workloads */
  assert_near(value(&x, "all", 0), 150); /* (2 + 3) / 2 */
  assert_int_equal(x.table.missing, 1);
  assert_contains(strbuf_str(&x.table.note), "1 of 15 runs missing");
  assert_contains(strbuf_str(&x.table.note), "B with new (stalled)");
  close_fixture(&x);
}

static void best_of_takes_the_best_that_is_there_and_says_what_is_not(void **state) {
  (void)state;
  struct fixture x;
  struct fake fake = whole;
  fake.swl[0][1] = NAN;
  open_fixture(&x, fake, false, "gain");
  assert_near(value(&x, "A", 1), 0); /* 2 of 1, -, 2 */
  assert_contains(strbuf_str(&x.table.note), "A with swl 8 (stalled)");
  close_fixture(&x);
}

static void expressions_and_chosen_values(void **state) {
  (void)state;
  struct fixture x;
  open_fixture(&x, whole, false, "rate");
  assert_near(value(&x, "A", 0), 0.75);
  assert_near(value(&x, "A", 1), 8);
  assert_near(value(&x, "B", 1), 4); /* the first of equals */
  close_fixture(&x);
}

static void nothing_over_nothing_is_undefined_not_missing(void **state) {
  (void)state;
  struct fixture x;
  struct fake fake = whole;
  fake.hits = fake.misses = 0;
  open_fixture(&x, fake, false, "rate");
  assert_true(isnan(value(&x, "A", 0)) && x.table.undefined[0]);
  assert_int_equal(x.table.missing, 0);
  close_fixture(&x);
}

static void the_quick_form_says_so(void **state) {
  (void)state;
  struct fixture x;
  open_fixture(&x, whole, true, "gain");
  assert_int_equal(x.plan.points.n, 3);
  assert_true(paper_table_row(&x.table, "B") == SIZE_MAX);
  assert_near(value(&x, "A", 1), -50); /* 4 warps only: 1 of 2 */
  assert_contains(strbuf_str(&x.table.note), "1 of 3 workloads");
  close_fixture(&x);
}

static void verdicts(void **state) {
  (void)state;
  struct fixture x;
  struct fake fake = whole;
  fake.renewed[1] = 20;
  open_fixture(&x, fake, false, "gain"); /* GM: new sqrt(2 * 2) = +100, swl +22.5 */
  const struct paper_figure *f = x.table.figure;
  struct paper_verdict five = paper_verdict(&x.table, &f->numbers[0]);
  assert_near(five.share, 5); /* +100 where the paper has +20 */
  assert_int_equal(five.size, VERDICT_MORE);
  struct paper_verdict bound = paper_verdict(&x.table, &f->numbers[2]);
  assert_true(bound.bounded && !bound.within); /* +100 where the paper has at most 0 */
  struct paper_ranking r = paper_ranking(&x.table, 0);
  assert_int_equal(r.pairs, 1);
  assert_int_equal(r.same, 1);
  close_fixture(&x);
  open_fixture(&x, whole, false, "gain"); /* GM: new 0, swl +22.5: the paper has them the other way round */
  assert_int_equal(paper_verdict(&x.table, &x.table.figure->numbers[0]).size, VERDICT_MISSED);
  assert_int_equal(paper_ranking(&x.table, 0).same, 0);
  close_fixture(&x);
}

static void pairs_are_against_the_product_of_their_parts(void **state) {
  (void)state;
  static const char subsets[] =
      "paper: t\ntitle: t\ngpu: gtx480\nsize: small\nworkloads: {scan: A}\nsets: {s: [A]}\n"
      "subsets: {x: cart, y: mars}\nquick: {workloads: [], figures: []}\n"
      "figures:\n  - {id: f, title: t, kind: heatmap, shape: pairs, series: subsets, y: '',\n"
      "     groups: [{set: s, mean: geomean}], metric: ipc, over: none, as: change}\n";
  struct error err = {0};
  struct paper *p = paper_load_text("t.yaml", subsets, sizeof subsets - 1, &err);
  assert_non_null(p);
  assert_int_equal(p->nconfigs, 4);
  assert_string_equal(p->configs[0].name, "none");
  assert_string_equal(p->configs[3].name, "x+y");
  assert_string_equal(p->configs[3].with, "cart,mars");
  struct paper_plan plan = {.paper = p};
  struct paper_row row = {"geomean", SIZE_MAX, &p->figures[0].groups[0]};
  double v[] = {0, 20, 50, 98}; /* 1.98 / (1.2 * 1.5) = 1.1 */
  bool undefined[4] = {0};
  struct paper_table t = {
      .figure = &p->figures[0], .rows = &row, .nrows = 1, .value = v, .undefined = undefined};
  struct figure *g = paper_table_draw(&t, &plan);
  assert_near(g->value[1], 10);
  assert_near(g->value[2], 10);
  assert_true(g->empty[0] && g->empty[3]);
  figure_free(g);
  paper_free(p);
}

static void mistakes_name_file_line_and_key(void **state) {
  (void)state;
  static const struct {
    const char *old, *bad, *message;
  } cases[] = {
      {"scan: A", "scna: A",
       "test.yaml:5: workloads.scna: there is no workload 'scna'; did you mean 'scan'?"},
      {"[A, B]", "[A, D]", "test.yaml:6: sets.both[1]: 'D' is not among"},
      {"gtx480", "gtx481", "test.yaml:3: gpu: there is no GPU 'gtx481'"},
      {"metric: ipc", "metric: ipx", "'ipx' is no statistic"},
      {"l2.misses)", "l2.misses", ") expected at 'the end'"},
      {"over: base", "over: bse", "there is no configuration 'bse'"},
      {"id: rate", "id: gain", "figure 'gain' is there twice"},
      {"at: GM, value: 20", "at: GX, value: 20", "neither a workload nor an average 'GX'"},
      {"figures: [gain]", "figures: [gian]", "there is no figure 'gian'"},
      {"    y: \"\"\n", "    y: \"\"\n    colour: red\n", "colour"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct error err = {0};
    char changed[sizeof text + 64];
    const char *at = strstr(text, cases[i].old);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, cases[i].bad,
             at + strlen(cases[i].old));
    assert_null(paper_load_text("test.yaml", changed, strlen(changed), &err));
    assert_int_equal(err.code, EXIT_USAGE);
    assert_contains(err.text, cases[i].message);
    error_clear(&err);
  }
}

/* The papers that are compiled in: every configuration is one that a GPU can be built with. */
static void all_papers_can_be_planned(void **state) {
  (void)state;
  for (size_t i = 0; i < paper_preset_count; i++)
    for (int quick = 0; quick < 2; quick++) {
      struct error err = {0};
      struct paper *p = paper_load(paper_preset_names[i], &err);
      if (!p)
        fail_msg("%s", err.text);
      struct paper_plan plan;
      if (!paper_plan_make(&plan, p, (struct paper_form){.quick = quick}, &err))
        fail_msg("%s", err.text);
      assert_true(plan.points.n > 0);
      paper_plan_free(&plan);
      paper_free(p);
    }
}

static void a_run_can_be_repeated_alone(void **state) {
  (void)state;
  struct fixture x;
  struct strbuf s = {0};
  open_fixture(&x, whole, false, "gain");
  page_run_command(paper_plan_point(&x.plan, 0, paper_config(x.paper, "swl"), 0, 1), &s);
  assert_string_equal(s.s, "sluice run scan --size small --gpu gtx480 --with swl --set swl.warps=8");
  strbuf_free(&s);
  close_fixture(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_and_averages_are_as_by_hand),
      cmocka_unit_test(a_series_may_be_against_a_configuration_of_its_own),
      cmocka_unit_test(the_first_look_is_on_gpus_of_papers),
      cmocka_unit_test(a_missing_run_is_in_no_average_and_named),
      cmocka_unit_test(best_of_takes_the_best_that_is_there_and_says_what_is_not),
      cmocka_unit_test(expressions_and_chosen_values),
      cmocka_unit_test(nothing_over_nothing_is_undefined_not_missing),
      cmocka_unit_test(the_quick_form_says_so),
      cmocka_unit_test(verdicts),
      cmocka_unit_test(pairs_are_against_the_product_of_their_parts),
      cmocka_unit_test(mistakes_name_file_line_and_key),
      cmocka_unit_test(all_papers_can_be_planned),
      cmocka_unit_test(a_run_can_be_repeated_alone),
  };
  return cmocka_run_group_tests_name("paper", tests, NULL, NULL);
}
