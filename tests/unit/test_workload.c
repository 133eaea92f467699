/* Graphs and matrices: what readers accept and refuse, and the shape of what generators make. Workloads: what
 * a wrong result says, what a recording holds, and what is wrong with a description. */
#include "base/mem.h"
#include "base/rng.h"
#include "tables.h"
#include "workload/host.h"
#include "workload/triplets.h"
#include "workload/values.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct triplets parsed(const char *text) {
  struct error e = {0};
  struct triplets t;
  if (!triplets_parse(&t, "f", text, strlen(text), &e))
    fail_msg("%s", e.text);
  return t;
}

static void refused(const char *text, const char *why) {
  struct error e = {0};
  struct triplets t;
  assert_false(triplets_parse(&t, "f", text, strlen(text), &e));
  assert_int_equal(e.code, EXIT_USAGE);
  if (!strstr(e.text, why))
    fail_msg("'%s' does not say '%s'", e.text, why);
  error_clear(&e);
}

static void entry(const struct triplets *t, size_t i, uint32_t row, uint32_t column, double value) {
  assert_true(i < t->n);
  assert_int_equal(t->items[i].row, row);
  assert_int_equal(t->items[i].column, column);
  assert_true(t->items[i].value == value);
}

#define MM "%%MatrixMarket matrix coordinate "

static void matrix_market_counts_from_one_and_symmetric_entries_come_twice(void **state) {
  (void)state;
  struct triplets t = parsed(MM "real general\n% a comment\n2 3 2\n1 3 0.5\n2 1 -4\n");
  assert_int_equal(t.rows, 2);
  assert_int_equal(t.columns, 3);
  assert_int_equal(t.n, 2);
  entry(&t, 0, 0, 2, 0.5);
  entry(&t, 1, 1, 0, -4);
  triplets_free(&t);
  t = parsed(MM "real skew-symmetric\n3 3 1\n3 1 2\n");
  entry(&t, 0, 2, 0, 2);
  entry(&t, 1, 0, 2, -2);
  triplets_free(&t);
  t = parsed(MM "pattern symmetric\n3 3 2\n2 2\n3 2\n");
  assert_int_equal(t.n, 3);
  entry(&t, 0, 1, 1, 1);
  triplets_free(&t);
}

static void dimacs_arcs_have_a_direction_and_edges_have_none(void **state) {
  (void)state;
  struct triplets t = parsed("c roads\np sp 3 2\na 1 2 70\na 3 1 5\n");
  assert_int_equal(t.rows, 3);
  assert_int_equal(t.n, 2);
  entry(&t, 0, 0, 1, 70);
  triplets_free(&t);
  t = parsed("p edge 3 1\ne 1 3\n");
  assert_int_equal(t.n, 2);
  entry(&t, 1, 2, 0, 1);
  triplets_free(&t);
}

static void an_edge_list_counts_from_zero(void **state) {
  (void)state;
  struct triplets t = parsed("# from to\n0 1\n\n4 2 1.5\n");
  assert_int_equal(t.rows, 5);
  entry(&t, 0, 0, 1, 1);
  entry(&t, 1, 4, 2, 1.5);
  triplets_free(&t);
}

static void bad_files_are_refused_with_their_line(void **state) {
  (void)state;
  refused(MM "real general\n2 2 2\n1 1 1\n", "f:3: the file ends after 1 of 2 entries");
  refused(MM "real general\n2 2 1\n1 3 1\n", "f:3: column 3 (allowed: 1 to 2)");
  refused(MM "real general\n2 2 1\n-1 1 1\n", "f:3: row -1");
  refused(MM "real general\n2 2 1\n1 1 x\n", "f:3: value 'x' is not a finite number");
  refused(MM "real general\n2 2 1\n1 1 1\n1 2 1\n", "f:4: more than the 1 entries announced");
  refused(MM "real general\n4294967296 2 1\n1 1 1\n", "f:2: rows 4294967296");
  refused(MM "real general\n2 2 99999999999999999999\n", "f:2: entries");
  refused(MM "complex general\n2 2 1\n", "f:1: field 'complex'");
  refused(MM "real hermitian\n2 2 1\n", "f:1: symmetry 'hermitian'");
  refused("%%MatrixMarket matrix array real general\n2 2\n", "f:1: 'matrix array'");
  refused(MM "real general\n", "f:1: the line with rows");
  refused("p sp 2 1\na 1 2\n", "f:2: weight is missing");
  refused("p sp 2 1\na 1 2 -7\n", "f:2: weight -7");
  refused("p sp 2 2\na 1 2 7\n", "f:2: the file ends after 1 of 2");
  refused("0 1\n2 -3\n", "f:2: node -3");
  refused("0 1\n2 99999999999\n", "f:2: node 99999999999");
  refused("0 1 1 1\n", "f:1: '1' is too much");
  refused("zero 1\n", "f:1: node 'zero' is not a whole number");
  refused("", "no edge");
}

static void generators_make_the_degrees_they_state(void **state) {
  (void)state;
  struct triplets t;
  uint64_t rng = 7;
  triplets_generate(&t, FORM_UNIFORM, 1000, 6, &rng);
  assert_int_equal(t.n, 6000);
  triplets_free(&t);
  triplets_generate(&t, FORM_RMAT, 1000, 8, &rng);
  assert_int_equal(t.n, 8000);
  size_t low = 0; /* rows of the lower half by number: 0.76 of the edges of a power of two, more here */
  for (size_t i = 0; i < t.n; i++) {
    assert_true(t.items[i].row < 1000 && t.items[i].column < 1000);
    low += t.items[i].row < 512;
  }
  assert_in_range(low, 5900, 6500);
  triplets_free(&t);
  triplets_generate(&t, FORM_MESH, 110, 1, &rng); /* 10 x 10: 2 * 2 * 10 * 9 edges */
  assert_int_equal(t.rows, 100);
  assert_int_equal(t.n, 360);
  triplets_free(&t);
  triplets_generate(&t, FORM_ROAD, 10000, 1, &rng); /* all 9900 across, 99 + a quarter of 9801 down */
  assert_in_range(t.n, 2 * (9900 + 99 + 2300), 2 * (9900 + 99 + 2600));
  triplets_free(&t);
}

static void the_same_seed_gives_the_same_graph(void **state) {
  (void)state;
  struct triplets a, b, c;
  uint64_t x = 3, y = 3, z = 4;
  triplets_generate(&a, FORM_RMAT, 300, 4, &x);
  triplets_generate(&b, FORM_RMAT, 300, 4, &y);
  triplets_generate(&c, FORM_RMAT, 300, 4, &z);
  assert_memory_equal(a.items, b.items, a.n * sizeof *a.items);
  assert_memory_not_equal(a.items, c.items, a.n * sizeof *a.items);
  triplets_free(&a);
  triplets_free(&b);
  triplets_free(&c);
}

/* A workload made here: no kernel, and a check that `wrong` lets fail. */
static const char ptx[] = ".version 7.5\n.target sm_75\n.address_size 64\n";
#define ABOUT "what: x\nsuite: x\naccess: x\n"
static const char about[] = ABOUT
    "params: {wrong: {help: h, max: 1}}\nsizes: {small: {wrong: 0}, medium: {wrong: 1}, large: {wrong: 1}}\n";

static void host(struct wl *w) {
  static const uint32_t data[4] = {5, 6, 7, 8};
  uint32_t want[4] = {5, 6, 7, 8};
  wl_buffer b = wl_upload(w, "b", data, sizeof data);
  uint32_t read;
  wl_read(w, b, 4, &read, sizeof read);
  assert_int_equal(read, 6);
  if (wl_u32(w, "wrong"))
    want[1] = want[3] = 60;
  wl_check_u32(w, b, want, 4);
}

static const struct workload made = {"made", host, ptx, about, "", sizeof ptx - 1, sizeof about - 1, 0};

static struct error run_made(enum workload_size size, struct report *r) {
  struct error e = {0};
  struct conf *c = tables_conf();
  struct workload_request q = {.size = size, .seed = 1, .verify = true};
  struct functional_options o = {.progress = PROGRESS_NONE};
  *r = (struct report){.workload = "made", .conf = c};
  bool ok = workload_run(&made, &q, c, &o, r, &e);
  assert_int_equal(ok, !e.code);
  conf_free(c);
  return e;
}

static void a_wrong_result_names_the_first_elements_that_differ(void **state) {
  (void)state;
  struct report r;
  struct error e = run_made(SIZE_SMALL, &r);
  assert_int_equal(e.code, 0);
  assert_null(r.status);
  report_free(&r);
  e = run_made(SIZE_MEDIUM, &r);
  assert_int_equal(e.code, EXIT_RUNTIME);
  assert_string_equal(r.status, "mismatch");
  assert_non_null(strstr(e.text, "made: wrong result: 'b' differs in 2 of 4 u32 elements"));
  assert_non_null(strstr(e.text, "\n  [1] got 6, expected 60\n  [3] got 8, expected 60"));
  report_free(&r);
  error_clear(&e);
}

static void a_recording_holds_writes_read_backs_and_checks_in_order(void **state) {
  (void)state;
  struct error e = {0};
  struct conf *c = tables_conf();
  struct workload_request q = {.seed = 1, .verify = true};
  struct launch_file *f = workload_record(&made, &q, c, &e);
  assert_non_null(f);
  assert_int_equal(f->nbuffers, 1);
  assert_int_equal(f->nsteps, 3);
  assert_int_equal(f->steps[0].kind, STEP_FILL);
  assert_int_equal(f->steps[1].kind, STEP_CHECK);
  assert_int_equal(f->steps[1].offset, 4);
  assert_int_equal(f->steps[1].bytes, 4);
  assert_int_equal(f->steps[2].kind, STEP_CHECK);
  uint32_t data[4] = {5, 6, 7, 8};
  assert_true(launch_check(f, 2, (const uint8_t *)data, &e));
  data[2] = 1;
  assert_false(launch_check(f, 2, (const uint8_t *)data, &e));
  assert_int_equal(e.code, EXIT_RUNTIME);
  error_clear(&e);
  launch_file_free(f);
  conf_free(c);
}

static void describes_wrongly(const char *text, const char *why) {
  struct error e = {0};
  struct workload_about a;
  struct workload k = made;
  k.about = text;
  k.about_n = strlen(text);
  assert_false(workload_about_read(&a, &k, &e));
  assert_int_equal(e.code, EXIT_USAGE);
  if (!strstr(e.text, why))
    fail_msg("'%s' does not say '%s'", e.text, why);
  error_clear(&e);
}

static void mistakes_in_a_description_are_named_with_their_line(void **state) {
  (void)state;
  describes_wrongly(ABOUT "params: {n: {help: h}}\nsizes: {small: {n: 1}, medium: {n: 2}}\n", "large");
  describes_wrongly(
      ABOUT "params: {n: {help: h, max: 3}}\nsizes:\n  small: {n: 1}\n  medium: {n: 2}\n  large: {n: 4}\n",
      "about.yaml:8: sizes.large.n: n: '4' (allowed: whole numbers from 0 to 3)");
  describes_wrongly(
      ABOUT
      "params: {k: {help: h, values: [a, bee]}}\nsizes: {small: {k: be}, medium: {k: a}, large: {k: a}}\n",
      "did you mean 'bee'?");
  describes_wrongly("what: x\nsuit: x\n", "about.yaml:2");
  describes_wrongly("", "empty");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrix_market_counts_from_one_and_symmetric_entries_come_twice),
      cmocka_unit_test(dimacs_arcs_have_a_direction_and_edges_have_none),
      cmocka_unit_test(an_edge_list_counts_from_zero),
      cmocka_unit_test(bad_files_are_refused_with_their_line),
      cmocka_unit_test(generators_make_the_degrees_they_state),
      cmocka_unit_test(the_same_seed_gives_the_same_graph),
      cmocka_unit_test(a_wrong_result_names_the_first_elements_that_differ),
      cmocka_unit_test(a_recording_holds_writes_read_backs_and_checks_in_order),
      cmocka_unit_test(mistakes_in_a_description_are_named_with_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
