/* Figures: what their CSV holds, what a Pareto front is, and what gnuplot makes of them. */
#include "check.h"

#include "figure/figure.h"
#include <math.h>
#include <stdlib.h>

static struct figure *sample(enum figure_kind kind) {
  struct figure *f = figure_new(kind, 2, 2);
  figure_text(&f->id, "sample-1");
  figure_text(&f->title, "50 % of <a> & 'b'");
  figure_text(&f->categories[0], "one, two");
  figure_text(&f->categories[1], "a_b^c");
  figure_text(&f->series[0], "left");
  figure_text(&f->series[1], "right");
  f->value[0] = 1.5;
  f->value[1] = -2;
  f->value[2] = 4;
  f->paper[1] = 3;
  return f;
}

static void csv_has_every_cell_and_leaves_missing_ones_empty(void **state) {
  (void)state;
  struct figure *f = sample(FIGURE_BARS);
  struct strbuf csv = {0};
  figure_csv(f, &csv);
  assert_string_equal(csv.s, "category,series,x,value,paper\n"
                             "\"one, two\",left,0,1.5,\n"
                             "\"one, two\",right,0,-2,3\n"
                             "a_b^c,left,1,4,\n"
                             "a_b^c,right,1,,\n");
  strbuf_free(&csv);
  figure_free(f);
}

/* Cheaper is smaller x, better is greater y. By hand: b is beaten by a (same x, greater y), d by c, e has no value. */
static void the_front_is_what_no_cheaper_point_beats(void **state) {
  (void)state;
  const double x[] = {1, 1, 2, 3, 0, 9}, y[] = {5, 4, 7, 7, NAN, 8};
  const bool expected[] = {true, false, true, false, false, true};
  bool front[6];
  figure_front(x, y, 6, front);
  for (int i = 0; i < 6; i++)
    assert_int_equal(front[i], expected[i]);
}

static void of_equal_points_one_is_in_the_front(void **state) {
  (void)state;
  const double x[] = {1, 1}, y[] = {2, 2};
  bool front[2];
  figure_front(x, y, 2, front);
  assert_true(front[0] && !front[1]);
}

static void a_note_and_missing_cells_are_on_the_figure(void **state) {
  (void)state;
  struct figure *f = sample(FIGURE_BARS);
  struct strbuf script = {0}, whole = {0};
  figure_text(&f->note, "1 of 4 runs missing");
  figure_script(f, FIGURE_SVG, &script);
  assert_contains(script.s, "1 of 4 runs missing");
  assert_contains(script.s, "title 'missing'");
  assert_contains(script.s, "title 'paper'");
  f->empty[3] = true; /* nothing is wanted there */
  figure_script(f, FIGURE_SVG, &whole);
  assert_null(strstr(whole.s, "title 'missing'"));
  strbuf_free(&script);
  strbuf_free(&whole);
  figure_free(f);
}

static bool has_gnuplot(void) {
  return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

static void every_kind_is_drawn(void **state) {
  (void)state;
  if (!has_gnuplot()) {
    print_message("skipped: gnuplot is not installed\n");
    skip();
  }
  for (int kind = 0; figure_kind_names[kind]; kind++) {
    struct figure *f = sample((enum figure_kind)kind);
    struct strbuf svg = {0}, pdf = {0};
    struct error err = {0};
    assert_true(figure_draw(f, FIGURE_SVG, &svg, &err));
    assert_contains(svg.s, "<svg");
    assert_contains(svg.s, "50 % of &lt;a> &amp; 'b'");
    assert_true(figure_draw(f, FIGURE_PDF, &pdf, &err));
    assert_memory_equal(pdf.s, "%PDF", 4);
    strbuf_free(&svg);
    strbuf_free(&pdf);
    figure_free(f);
  }
}

static void without_gnuplot_the_error_names_the_package(void **state) {
  (void)state;
  struct figure *f = sample(FIGURE_BARS);
  struct strbuf svg = {0};
  struct error err = {0};
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  assert_false(figure_draw(f, FIGURE_SVG, &svg, &err));
  setenv("PATH", path, 1);
  assert_contains(err.text, "gnuplot-nox");
  assert_int_equal(err.code, EXIT_RUNTIME);
  free(path);
  error_clear(&err);
  strbuf_free(&svg);
  figure_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_has_every_cell_and_leaves_missing_ones_empty),
      cmocka_unit_test(the_front_is_what_no_cheaper_point_beats),
      cmocka_unit_test(of_equal_points_one_is_in_the_front),
      cmocka_unit_test(a_note_and_missing_cells_are_on_the_figure),
      cmocka_unit_test(every_kind_is_drawn),
      cmocka_unit_test(without_gnuplot_the_error_names_the_package),
  };
  return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}
