/* A table in the shape its figure asks for. */
#include "paper/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value(const struct paper_table *t, size_t row, size_t series) {
  return t->value[row * t->figure->nseries + series];
}

static bool average(const struct paper_table *t, size_t row) {
  return t->rows[row].workload == SIZE_MAX;
}

/* By row and series, as the figure has them or turned by 90 degrees. */
static double *at(struct figure *g, double *cells, bool turned, size_t row, size_t series) {
  return &cells[turned ? series * g->nseries + row : row * g->nseries + series];
}

static bool has_number(const struct paper_figure *f, const char *at) {
  for (size_t k = 0; k < f->nnumbers; k++)
    if (strcmp(f->numbers[k].at, at) == 0)
      return true;
  return false;
}

enum { MANY_BARS = 80 };

/* Of several readings a figure with too many bars shows averages and what the paper has numbers for. */
static bool crowded(const struct paper_table *t) {
  bool some = false;
  for (size_t i = 0; i < t->nrows; i++)
    some |= average(t, i) || has_number(t->figure, t->rows[i].label);
  return t->figure->nreadings > 1 && some && t->nrows * t->figure->nseries > MANY_BARS;
}

/* Rows against series: workloads across, or (turned) configurations across with a colour for each of `rows`. */
static struct figure *plain(const struct paper_table *t, bool turned, bool averages_only) {
  const struct paper_figure *f = t->figure;
  size_t nrows = 0;
  bool few = crowded(t);
  bool *shown = xcalloc(t->nrows + 1, sizeof *shown);
  for (size_t i = 0; i < t->nrows; i++) {
    shown[i] = average(t, i) || (!averages_only && (!few || has_number(f, t->rows[i].label)));
    nrows += shown[i];
  }
  struct figure *g = figure_new(f->kind, turned ? f->nseries : nrows, turned ? nrows : f->nseries);
  for (size_t s = 0; s < f->nseries; s++) {
    figure_text(turned ? &g->categories[s] : &g->series[s], f->series[s].name);
    if (turned && !isnan(f->series[s].x))
      g->x[s] = f->series[s].x;
  }
  for (size_t i = 0, to = 0; i < t->nrows; i++) {
    if (!shown[i])
      continue;
    figure_text(turned ? &g->series[to] : &g->categories[to], t->rows[i].label);
    if (!turned)
      g->summary[to] = average(t, i);
    for (size_t s = 0; s < f->nseries; s++) {
      *at(g, g->value, turned, to, s) = value(t, i, s);
      *at(g, g->low, turned, to, s) = t->low[i * f->nseries + s];
      *at(g, g->high, turned, to, s) = t->high[i * f->nseries + s];
      for (size_t k = 0; k < f->nnumbers; k++)
        if (f->numbers[k].series == s && strcmp(f->numbers[k].at, t->rows[i].label) == 0)
          *at(g, g->paper, turned, to, s) = f->numbers[k].value;
      g->empty[(turned ? s * nrows + to : to * f->nseries + s)] = t->undefined[i * f->nseries + s];
    }
    to++;
  }
  free(shown);
  return g;
}

static size_t first_average(const struct paper_table *t) {
  for (size_t i = 0; i < t->nrows; i++)
    if (average(t, i))
      return i;
  return SIZE_MAX;
}

/* Places of the curves and of their x, in the order of the file. */
static size_t curve_of(const struct paper_figure *f, size_t s) {
  size_t before = 0;
  for (size_t i = 0; i < s; i++) {
    if (strcmp(f->series[i].curve, f->series[s].curve) == 0)
      return curve_of(f, i);
    bool first = true;
    for (size_t k = 0; k < i; k++)
      first &= strcmp(f->series[k].curve, f->series[i].curve) != 0;
    before += first;
  }
  return before;
}

static size_t x_of(const struct paper_figure *f, size_t s) {
  size_t before = 0;
  for (size_t i = 0; i < s; i++) {
    if (f->series[i].x == f->series[s].x)
      return x_of(f, i);
    bool first = true;
    for (size_t k = 0; k < i; k++)
      first &= f->series[k].x != f->series[i].x;
    before += first;
  }
  return before;
}

static struct figure *curves(const struct paper_table *t) {
  const struct paper_figure *f = t->figure;
  size_t ncurves = 0, nx = 0, row = first_average(t);
  row = row == SIZE_MAX ? 0 : row;
  for (size_t s = 0; s < f->nseries; s++) {
    ncurves = curve_of(f, s) + 1 > ncurves ? curve_of(f, s) + 1 : ncurves;
    nx = x_of(f, s) + 1 > nx ? x_of(f, s) + 1 : nx;
  }
  struct figure *g = figure_new(f->kind, nx, ncurves);
  for (size_t i = 0; i < nx * ncurves; i++)
    g->empty[i] = true;
  for (size_t s = 0; s < f->nseries; s++) {
    size_t c = curve_of(f, s), x = x_of(f, s);
    char label[32];
    snprintf(label, sizeof label, "%g", f->series[s].x);
    figure_text(&g->categories[x], label);
    figure_text(&g->series[c], f->series[s].curve);
    g->x[x] = f->series[s].x;
    g->value[x * ncurves + c] = t->nrows ? value(t, row, s) : (double)NAN;
    g->empty[x * ncurves + c] = false;
  }
  return g;
}

/* The ratio behind a scaled value. */
static double ratio(const struct paper_table *t, double v) {
  switch (t->figure->scale) {
  case SCALE_PERCENT:
    return v / 100;
  case SCALE_CHANGE:
    return v / 100 + 1;
  default:
    return v;
  }
}

static double subset_ratio(const struct paper_table *t, size_t row, uint32_t subset) {
  for (size_t s = 0; s < t->figure->nseries && row != SIZE_MAX; s++) {
    const struct paper_config *c = t->figure->series[s].config;
    if (c->is_subset && c->subset == subset)
      return ratio(t, value(t, row, s));
  }
  return NAN;
}

/* What two techniques together gain beyond the product of what each gains alone, in percent. */
static struct figure *pairs(const struct paper_table *t, const struct paper *p) {
  size_t n = p->nsubsets, row = first_average(t);
  struct figure *g = figure_new(FIGURE_HEATMAP, n, n);
  for (size_t i = 0; i < n; i++) {
    figure_text(&g->categories[i], p->subsets[i]);
    figure_text(&g->series[i], p->subsets[i]);
    for (size_t k = 0; k < n; k++) {
      double parts = subset_ratio(t, row, 1u << i) * subset_ratio(t, row, 1u << k);
      g->empty[i * n + k] = i == k;
      if (i != k)
        g->value[i * n + k] = 100 * (subset_ratio(t, row, 1u << i | 1u << k) / parts - 1);
    }
  }
  return g;
}

static struct figure *pareto(const struct paper_table *t) {
  const struct paper_figure *f = t->figure;
  struct figure *g = figure_new(FIGURE_PARETO, f->nseries, 1);
  size_t row = first_average(t);
  figure_text(&g->series[0], row == SIZE_MAX ? "" : t->rows[row].label);
  for (size_t s = 0; s < f->nseries; s++) {
    figure_text(&g->categories[s], f->series[s].name);
    g->x[s] = t->cost[s];
    g->value[s] = row == SIZE_MAX ? (double)NAN : value(t, row, s);
  }
  return g;
}

static size_t farther(const struct figure *g, size_t a, size_t b) {
  double x = fabs(g->value[a] - g->baseline), y = fabs(g->value[b] - g->baseline);
  return isnan(x) ? 0 : isnan(y) ? 1 : x > y;
}

static void swap(struct figure *g, size_t a, size_t b) {
  char *name = g->categories[a];
  double v = g->value[a];
  g->categories[a] = g->categories[b];
  g->value[a] = g->value[b];
  g->categories[b] = name;
  g->value[b] = v;
}

/* What was read first, then the changes, the one with the greatest effect on top. */
static struct figure *changes(const struct paper_table *t) {
  const struct paper_figure *f = t->figure;
  struct figure *g = figure_new(FIGURE_TORNADO, f->nseries, 1);
  size_t row = first_average(t);
  row = row == SIZE_MAX ? 0 : row;
  figure_text(&g->series[0], t->nrows ? t->rows[row].label : "");
  for (size_t s = 0; s < f->nseries; s++) {
    figure_text(&g->categories[s], f->series[s].name);
    g->value[s] = t->nrows ? value(t, row, s) : (double)NAN;
  }
  for (size_t k = 0; k < f->nnumbers; k++)
    if (t->nrows && strcmp(f->numbers[k].at, t->rows[row].label) == 0)
      g->paper[0] = f->numbers[k].value;
  g->baseline = g->value[0];
  for (size_t i = 1; i < f->nseries; i++)
    for (size_t k = i; k > 1 && farther(g, k, k - 1); k--)
      swap(g, k, k - 1);
  return g;
}

struct figure *paper_table_draw(const struct paper_table *t, const struct paper_plan *plan) {
  const struct paper_figure *f = t->figure;
  struct figure *g;
  switch (f->shape) {
  case SHAPE_CURVES:
    g = curves(t);
    break;
  case SHAPE_PAIRS:
    g = pairs(t, plan->paper);
    break;
  case SHAPE_PARETO:
    g = pareto(t);
    break;
  case SHAPE_CHANGES:
    g = changes(t);
    break;
  default:
    g = plain(t, f->shape != SHAPE_WORKLOADS, f->shape == SHAPE_AVERAGES);
  }
  figure_text(&g->title, f->title);
  figure_text(&g->id, f->id);
  figure_text(&g->xlabel, f->xlabel);
  figure_text(&g->ylabel, f->ylabel);
  if (t->note.n)
    figure_text(&g->note, t->note.s);
  if (f->shape != SHAPE_CHANGES || isnan(g->baseline))
    g->baseline = f->scale == SCALE_RATIO ? 1 : 0;
  g->look = f->look;
  g->log_x = f->log_x;
  g->log_y = f->log_y;
  return g;
}
