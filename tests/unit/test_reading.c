/* Readings of a paper: what their runs assume, how figures show them, and verdicts by the size of the effect. */
#include "check.h"

#include "paper/page.h"
#include "paper/verdict.h"
#include <math.h>
#include <stdlib.h>

/* Two readings; L2 ways say which run it is. */
static const char text[] =
    "paper: test\n"
    "title: A test\n"
    "gpu: gtx480\n"
    "size: small\n"
    "set: {l2.mshrs: 8}\n"
    "workloads: {scan: {label: A, params: {n: 1024}}, spmv: B}\n"
    "sets: {both: [A, B]}\n"
    "configs: {base: {}, new: {with: cart}, fixed: {gpu: cart28, set: {l2.ways: 4}}}\n"
    "readings:\n"
    "  plain: {basis: choice, reason: as it is}\n"
    "  wide: {chosen: true, basis: text, reason: Section 2, support: Table 1, set: {l2.ways: 16},\n"
    "         params: {A: {n: 2048}}, gpu: fermi15}\n"
    "quick: {workloads: [A], figures: [gain]}\n"
    "figures:\n"
    "  - id: gain\n"
    "    title: Gain\n"
    "    groups: [{set: both, mean: mean, label: mean}]\n"
    "    series: [new]\n"
    "    metric: ipc\n"
    "    over: base\n"
    "    as: change\n"
    "    y: \"%\"\n"
    "    paper: [{series: new, at: mean, value: 40}, {series: new, at: A, value: 50}]\n"
    "  - id: fixed\n"
    "    title: Own settings\n"
    "    groups: [{set: both}]\n"
    "    series: [fixed]\n"
    "    metric: ipc\n"
    "    y: \"\"\n"
    "  - id: decides\n"
    "    title: What decides\n"
    "    kind: tornado\n"
    "    shape: changes\n"
    "    groups: [{set: both, mean: mean, label: mean}]\n"
    "    series: [new]\n"
    "    metric: ipc\n"
    "    over: base\n"
    "    as: change\n"
    "    y: \"%\"\n"
    "    changes:\n"
    "      - {name: fewer ways, set: {l2.ways: 2}}\n"
    "      - {name: many ways, set: {l2.ways: 32}}\n"
    "      - {name: over itself, over: new}\n"
    "    paper: [{series: new, at: mean, value: 40}]\n";

static double ways(const struct lab_point *p) {
  const char *v = lab_pairs_get(&p->set, "l2.ways");
  return v ? atof(v) : 8;
}

/* The technique gains as many percent as the L2 has ways. */
static bool fake_stat(void *self, const struct lab_point *p, const char *name, double *out) {
  (void)self;
  (void)name;
  *out = *p->with ? 1 + ways(p) / 100 : 1;
  return true;
}

static bool fake_done(void *self, const struct lab_point *p, const char **why) {
  (void)self;
  (void)p;
  *why = "";
  return true;
}

static struct paper_results results = {NULL, fake_stat, fake_done};

struct fixture {
  struct paper *paper;
  struct paper_plan plan;
};

static void open_fixture(struct fixture *x, struct paper_form form) {
  struct error err = {0};
  x->paper = paper_load_text("test.yaml", text, sizeof text - 1, &err);
  if (!x->paper)
    fail_msg("%s", err.text);
  if (!paper_plan_make(&x->plan, x->paper, form, &err))
    fail_msg("%s", err.text);
}

static void close_fixture(struct fixture *x) {
  paper_plan_free(&x->plan);
  paper_free(x->paper);
}

static const struct lab_point *point(const struct fixture *x, size_t variant, const char *config, size_t w) {
  return paper_plan_point(&x->plan, variant, paper_config(x->paper, config), w, 0);
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* The file's settings, then the reading's, then a configuration's own. */
static void a_reading_lies_between_the_file_and_a_configuration(void **state) {
  (void)state;
  struct fixture x;
  open_fixture(&x, (struct paper_form){0});
  const struct lab_point *p = point(&x, 0, "new", 0), *own = point(&x, 0, "fixed", 0);
  assert_string_equal(lab_pairs_get(&p->set, "l2.ways"), "16");
  assert_string_equal(lab_pairs_get(&p->set, "l2.mshrs"), "8");
  assert_string_equal(lab_pairs_get(&p->workload.params, "n"), "2048");
  assert_string_equal(p->gpu, "fermi15");
  assert_string_equal(p->label, "new"); /* the chosen reading needs no name */
  assert_string_equal(lab_pairs_get(&own->set, "l2.ways"), "4");
  assert_string_equal(own->gpu, "cart28");
  assert_null(lab_pairs_get(&point(&x, 0, "new", 1)->workload.params, "n"));
  close_fixture(&x);
}

static void another_reading_is_another_run(void **state) {
  (void)state;
  struct fixture x;
  static const char *const names[] = {"plain"};
  open_fixture(&x, (struct paper_form){.readings = names, .nreadings = 1});
  const struct lab_point *p = point(&x, 0, "new", 0);
  assert_null(lab_pairs_get(&p->set, "l2.ways"));
  assert_string_equal(lab_pairs_get(&p->workload.params, "n"), "1024");
  assert_string_equal(p->gpu, "gtx480");
  assert_string_equal(p->label, "new [plain]");
  assert_string_equal(x.plan.points.sweep, "paper-test@plain");
  close_fixture(&x);
}

static void all_readings_stand_side_by_side_the_chosen_one_first(void **state) {
  (void)state;
  struct fixture x;
  struct paper_table t;
  struct paper_report r = {.command = "sluice paper test --readings all"};
  struct strbuf page = {0};
  open_fixture(&x, (struct paper_form){.all_readings = true});
  const struct paper_figure *f = paper_plan_figure(&x.plan, "gain");
  assert_int_equal(f->nseries, 2);
  assert_string_equal(f->series[0].name, "new, wide");
  assert_string_equal(f->series[1].name, "new, plain");
  paper_table_make(&t, &x.plan, f, &results);
  size_t mean = paper_table_row(&t, "mean");
  assert_near(t.value[mean * 2], 16);
  assert_near(t.value[mean * 2 + 1], 8);
  assert_int_equal(t.runs, 2 * 2 * 2); /* workloads, readings, with and without */
  assert_near(paper_verdict(&t, &f->numbers[0]).share, 0.4);
  assert_near(paper_verdict(&t, &f->numbers[1]).share, 0.2);
  paper_table_free(&t);
  paper_report_make(&r, &x.plan, &results);
  page_markdown(&r, &page);
  assert_contains(page.s, "| series | at | paper | wide | | plain | |");
  assert_contains(
      page.s, "| new | mean | 40 | 16.0 | 40 % of the paper's effect | 8.00 | 20 % of the paper's effect |");
  assert_contains(
      page.s, "| wide (chosen) | text | Section 2 | Table 1 | `--gpu fermi15`, `l2.ways=16`, A `n=2048` |");
  strbuf_free(&page);
  paper_report_free(&r);
  close_fixture(&x);
}

/* From the chosen reading's +16: fewer ways +2 (14 less), many +32 (16 more), against itself 0 (16 less). */
static void what_decides_is_each_change_alone_the_greatest_first(void **state) {
  (void)state;
  struct fixture x;
  struct paper_table t;
  static const char *const only[] = {"decides"};
  open_fixture(&x, (struct paper_form){.only = only, .nonly = 1, .all_readings = true});
  assert_int_equal(x.plan.points.n, 2 * (2 + 2 + 2)); /* base and new, as read and with two changes */
  const struct paper_figure *f = paper_plan_figure(&x.plan, "decides");
  paper_table_make(&t, &x.plan, f, &results);
  struct figure *g = paper_table_draw(&t, &x.plan);
  assert_int_equal(g->ncategories, 4);
  assert_near(g->baseline, 16);
  assert_near(g->paper[0], 40);
  assert_string_equal(g->categories[0], "wide");
  assert_string_equal(g->categories[1], "many ways");
  assert_near(g->value[1], 32);
  assert_string_equal(g->categories[2], "over itself");
  assert_near(g->value[2], 0);
  assert_string_equal(g->categories[3], "fewer ways");
  assert_near(g->value[3], 2);
  figure_free(g);
  paper_table_free(&t);
  close_fixture(&x);
}

static void the_size_of_the_effect_decides_the_verdict(void **state) {
  (void)state;
  static const struct {
    enum paper_scale scale;
    double paper, ours;
    enum verdict_size size;
    const char *text, *class;
  } cases[] = {
      {SCALE_CHANGE, 34.2, 1.5, VERDICT_MISSED, "4 % of the paper's effect", "bad"},
      {SCALE_CHANGE, 34.2, 17.2, VERDICT_MET, "50 % of the paper's effect", "good"},
      {SCALE_CHANGE, 34.2, 16.9, VERDICT_PART, "49 % of the paper's effect", "part"},
      {SCALE_CHANGE, -20, -40, VERDICT_MORE, "200 % of the paper's effect", "part"},
      {SCALE_CHANGE, -20, 10, VERDICT_REVERSE, "-50 % of the paper's effect", "bad"},
      {SCALE_RATIO, 1.2, 1.1, VERDICT_MET, "50 % of the paper's effect", "good"},
      {SCALE_CHANGE, 0.5, 0.9, VERDICT_MET, "none in both", "good"},
      {SCALE_CHANGE, 0.5, 3, VERDICT_MISSED, "none in the paper", "bad"},
      {SCALE_PERCENT, 68, 29, VERDICT_PART, "43 % of the paper's value", "part"},
      {SCALE_VALUE, 400, 380, VERDICT_MET, "95 % of the paper's value", "good"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct paper_number n = {.value = cases[i].paper, .at = "mean", .min = -INFINITY, .max = INFINITY};
    struct paper_figure f = {.scale = cases[i].scale, .nseries = 1};
    struct paper_row row = {"mean", SIZE_MAX, NULL};
    double v = cases[i].ours;
    struct paper_table t = {.figure = &f, .rows = &row, .nrows = 1, .value = &v};
    struct paper_verdict verdict = paper_verdict(&t, &n);
    struct strbuf s = {0};
    paper_verdict_text(&verdict, &s);
    assert_int_equal(verdict.size, cases[i].size);
    assert_string_equal(s.s, cases[i].text);
    assert_string_equal(paper_verdict_class(&verdict), cases[i].class);
    strbuf_free(&s);
  }
}

static void mistakes_name_file_line_and_key(void **state) {
  (void)state;
  static const struct {
    const char *old, *bad, *message;
  } cases[] = {
      {"chosen: true, ", "", "0 readings are `chosen: true`; one must be"},
      {"basis: text", "basis: tetx", "test.yaml:11: readings.wide.basis"},
      {"basis: choice, ", "", "readings.plain"},
      {"{A: {n: 2048}}", "{C: {n: 2048}}", "'C' is not among the file's workloads"},
      {"  plain:", "  all:", "'all' names all readings together"},
      {"gpu: fermi15", "gpu: fermi51", "there is no GPU 'fermi51'"},
      {"set: {l2.ways: 2}", "", "changes nothing"},
      {"    kind: tornado\n", "", "kind bars does not go with shape changes"},
      {"over: new}", "over: nwe}", "there is no configuration 'nwe'"},
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

static void an_unknown_reading_is_refused_with_the_nearest(void **state) {
  (void)state;
  static const char *const names[] = {"wid"};
  struct error err = {0};
  struct paper_plan plan;
  struct paper *p = paper_load_text("test.yaml", text, sizeof text - 1, &err);
  assert_false(paper_plan_make(&plan, p, (struct paper_form){.readings = names, .nreadings = 1}, &err));
  assert_contains(err.text, "test.yaml: there is no reading 'wid'; did you mean 'wide'?");
  error_clear(&err);
  paper_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reading_lies_between_the_file_and_a_configuration),
      cmocka_unit_test(another_reading_is_another_run),
      cmocka_unit_test(all_readings_stand_side_by_side_the_chosen_one_first),
      cmocka_unit_test(what_decides_is_each_change_alone_the_greatest_first),
      cmocka_unit_test(the_size_of_the_effect_decides_the_verdict),
      cmocka_unit_test(mistakes_name_file_line_and_key),
      cmocka_unit_test(an_unknown_reading_is_refused_with_the_nearest),
  };
  return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
}
