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

/* Subsets of five techniques by added KiB: points that lie on each other, and a long name at each. */
static struct figure *crowded(void) {
  static const struct {
    const char *name;
    double x, y;
  } points[] = {{"none", 0, 0},
                {"bucl", 0.014, 0.14},
                {"rata", 13.1, 3.47},
                {"cart", 19, 55.6},
                {"cart+bucl", 19.01, 56.4},
                {"cart+mars+bucl", 24.4, 56.6},
                {"cart+rata", 32.1, 61.9},
                {"frc", 66.5, 66.3},
                {"bucl+frc", 66.51, 67.15},
                {"mars+bucl+frc", 71.9, 67.8},
                {"rata+frc", 79.6, 73},
                {"mars+rata+frc", 85.02, 73.8},
                {"cart+frc", 85.5, 75.5},
                {"cart+bucl+frc", 85.51, 77.2},
                {"cart+rata+frc", 98.6, 82.9},
                {"cart+mars+rata+frc", 104, 83.5}};
  size_t n = sizeof points / sizeof *points;
  struct figure *f = figure_new(FIGURE_PARETO, n, 1);
  for (size_t i = 0; i < n; i++) {
    figure_text(&f->categories[i], points[i].name);
    f->x[i] = points[i].x;
    f->value[i] = points[i].y;
  }
  figure_text(&f->title, "Performance against added storage");
  figure_text(&f->xlabel, "added storage (KiB)");
  figure_text(&f->ylabel, "IPC against none (%)");
  return f;
}

/* Every point is on the front and so is named. A letter is about 7.5 pixels wide, a line 14 high; the plot takes the
 * picture less about 110 and 150 pixels. */
static void names_on_a_front_do_not_overlap(void **state) {
  (void)state;
  struct figure *f = crowded();
  struct strbuf s = {0};
  double x0, x1, y0, y1, left[32], low[32], width[32];
  size_t n = 0;
  figure_script(f, FIGURE_SVG, &s);
  const char *range = strstr(s.s, "set xrange");
  assert_int_equal(sscanf(range, "set xrange [%lf:%lf]\nset yrange [%lf:%lf]", &x0, &x1, &y0, &y1), 4);
  assert_true(x0 == 0); /* no storage is negative */
  for (const char *at = s.s; (at = strstr(at, "set label ")); at++) {
    char name[64];
    double x, y;
    if (sscanf(at, "set label %*d '%63[^']' at %lf ,%lf", name, &x, &y) != 3)
      continue;
    left[n] = (x - x0) / (x1 - x0) * (720 - 110);
    low[n] = (y - y0) / (y1 - y0) * (400 - 150);
    width[n++] = 7.5 * (double)strlen(name);
  }
  assert_int_equal(n, f->ncategories);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (left[i] < left[k] + width[k] && left[k] < left[i] + width[i] && fabs(low[i] - low[k]) < 14)
        fail_msg("names %zu and %zu overlap", k, i);
  strbuf_free(&s);
  figure_free(f);
}

static void a_legend_with_one_entry_is_left_out(void **state) {
  (void)state;
  struct figure *f = figure_new(FIGURE_BARS, 2, 1);
  struct strbuf one = {0}, two = {0};
  f->value[0] = f->value[1] = 1;
  figure_script(f, FIGURE_SVG, &one);
  assert_contains(one.s, "unset key");
  f->paper[0] = 2; /* a second entry */
  f->look.legend = LEGEND_RIGHT;
  figure_script(f, FIGURE_SVG, &two);
  assert_contains(two.s, "set key outside right");
  strbuf_free(&one);
  strbuf_free(&two);
  figure_free(f);
}

/* 3.3 inches are 316.8 pixels at 96 to the inch. */
static void a_figure_has_the_size_it_is_given(void **state) {
  (void)state;
  struct figure *f = sample(FIGURE_BARS);
  struct error why = {0};
  struct strbuf svg = {0}, pdf = {0};
  assert_true(figure_look_width(&f->look, "column", &why));
  f->look.height = 2.5;
  f->look.font = 7;
  figure_script(f, FIGURE_SVG, &svg);
  figure_script(f, FIGURE_PDF, &pdf);
  assert_contains(svg.s, "size 316,240 font");
  assert_contains(pdf.s, "size 3.292in,2.500in font 'DejaVu Sans,7'");
  assert_false(figure_look_width(&f->look, "wide", &why));
  assert_contains(why.text, "allowed: column, page");
  error_clear(&why);
  assert_false(figure_look_clip(&f->look, "5:1", &why));
  error_clear(&why);
  strbuf_free(&svg);
  strbuf_free(&pdf);
  figure_free(f);
}

static void what_is_cut_is_written(void **state) {
  (void)state;
  struct figure *f = sample(FIGURE_BARS);
  struct error why = {0};
  struct strbuf s = {0};
  assert_true(figure_look_clip(&f->look, "-1:3", &why));
  figure_script(f, FIGURE_SVG, &s); /* values 1.5, -2 and 4 */
  assert_contains(s.s, "set yrange [-1 :3 ]");
  assert_contains(strstr(s.s, "$above"), "3 \"4\"\nEOD");
  assert_contains(strstr(s.s, "$below"), "-1 \"-2\"\nEOD");
  strbuf_free(&s);
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
    assert_null(strstr(svg.s, "gnuplot_svg")); /* no script that is elsewhere */
    if (kind == FIGURE_BARS)
      assert_contains(svg.s, "<title>one, two, left: 1.5</title>");
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
      cmocka_unit_test(names_on_a_front_do_not_overlap),
      cmocka_unit_test(a_legend_with_one_entry_is_left_out),
      cmocka_unit_test(a_figure_has_the_size_it_is_given),
      cmocka_unit_test(what_is_cut_is_written),
      cmocka_unit_test(every_kind_is_drawn),
      cmocka_unit_test(without_gnuplot_the_error_names_the_package),
  };
  return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}
