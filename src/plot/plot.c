/* From groups of points to a figure's cells. */
#include "plot/internal.h"
#include "base/num.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the axis neither to the right nor in the names of series? */
static bool averaged(const struct plotter *q, const struct plot_axis *a) {
  return a != q->x && a != q->series && (plot_is_axis(a, "workload") || plot_is_axis(a, "seed"));
}

/* The parameter of a technique without the technique's name. */
static const char *shorter(const char *name, const char *technique) {
  size_t n = strlen(technique);
  return strncmp(name, technique, n) == 0 && name[n] == '.' ? name + n + 1 : name;
}

static void line_name(const struct plotter *q, size_t g, struct strbuf *to) {
  const char *technique = plot_group_at(&q->groups, g, "technique");
  for (int pass = 0; pass < 2; pass++) /* the axis that was asked for stands first */
    for (size_t i = 0; i < q->p->naxes; i++) {
      const struct plot_axis *a = &q->p->axis[i];
      const char *v = plot_group_at(&q->groups, g, a->name);
      bool asked = q->series ? a == q->series : plot_is_axis(a, "technique");
      if (a == q->x || averaged(q, a) || !*v || asked != !pass || !(plot_varies(a) || a == q->series))
        continue;
      bool plain = plot_is_axis(a, "technique") || plot_is_axis(a, "gpu") || plot_is_axis(a, "workload") ||
                   plot_is_axis(a, "size");
      strbuf_addf(to, "%s%s%s%s", to->n ? ", " : "", plain ? "" : shorter(a->name, technique),
                  plain ? "" : "=", v);
    }
}

static void place_groups(struct plotter *q) {
  for (size_t i = 0; i < q->x->n; i++)
    plot_name(&q->rows, q->x->value[i]);
  for (size_t g = 0; g < q->groups.n; g++) {
    struct plot_group *k = &q->groups.at[g];
    struct strbuf line = {0}, apart = {0};
    const char *x = plot_group_at(&q->groups, g, q->x->name);
    line_name(q, g, &line);
    k->row = *x ? plot_name(&q->rows, x) : SIZE_MAX;
    k->series = *x ? plot_name(&q->lines, strbuf_str(&line)) : SIZE_MAX;
    for (size_t i = 0; i < q->p->naxes; i++)
      if (averaged(q, &q->p->axis[i]))
        strbuf_addf(&apart, "%s\n", plot_group_at(&q->groups, g, q->p->axis[i].name));
    k->apart = plot_name(&q->apart, strbuf_str(&apart));
    strbuf_free(&apart);
    strbuf_free(&line);
  }
}

struct source {
  const struct plotter *q;
  const struct plot_point *p;
};

static bool source_stat(void *self, const char *name, double *out) {
  struct source *s = self;
  return lab_store_stat(s->q->store, s->p->id, name, out);
}

static bool source_best(void *self, const char *param, double *out) {
  struct source *s = self;
  return s->p->best_param && s->p->best_value && strcmp(s->p->best_param, param) == 0 &&
         num_f64(s->p->best_value, out) == NUM_OK;
}

static double evaluate(const struct plotter *q, size_t g, const struct expr *e) {
  const struct plot_group *k = &q->groups.at[g];
  double v;
  if (k->best == SIZE_MAX)
    return NAN;
  struct source s = {q, &q->p->point[k->best]};
  struct expr_values values = {&s, source_stat, source_best};
  return expr_value(e, &values, &v) ? v : (double)NAN;
}

/* Unscaled. */
static double value_of(const struct plotter *q, size_t g, const struct metric *m) {
  double v = evaluate(q, g, m->expr);
  if (!q->over.n)
    return v;
  if (q->groups.at[g].base == SIZE_MAX)
    return NAN;
  double base = evaluate(q, q->groups.at[g].base, m->expr);
  return m->inverse ? base / v : v / base;
}

static double scaled(const struct plotter *q, double v) {
  return q->as == SCALE_PERCENT ? 100 * v : q->as == SCALE_CHANGE ? 100 * (v - 1) : v;
}

/* Series that are the baseline throughout say nothing: all ones. */
static bool only_base(const struct plotter *q, size_t line) {
  bool any = false;
  for (size_t g = 0; g < q->groups.n; g++)
    if (q->groups.at[g].series == line) {
      any = true;
      if (q->groups.at[g].base != g)
        return false;
    }
  return any && q->over.n;
}

static void drop_base(struct plotter *q) {
  size_t left = 0;
  for (size_t i = 0; i < q->lines.n; i++)
    left += !only_base(q, i);
  for (size_t i = 0; left && i < q->lines.n;) {
    if (!only_base(q, i)) {
      i++;
      continue;
    }
    free(q->lines.at[i]);
    memmove(&q->lines.at[i], &q->lines.at[i + 1], (--q->lines.n - i) * sizeof *q->lines.at);
    for (size_t g = 0; g < q->groups.n; g++) {
      struct plot_group *k = &q->groups.at[g];
      k->series = k->series == SIZE_MAX || k->series == i ? SIZE_MAX : k->series - (k->series > i);
    }
  }
}

static bool shown(const struct plot_group *k) {
  return k->series != SIZE_MAX && k->row != SIZE_MAX;
}

static bool has_value(const struct plotter *q, size_t g) {
  const struct plot_group *k = &q->groups.at[g];
  return k->best != SIZE_MAX &&
         (!q->over.n || (k->base != SIZE_MAX && q->groups.at[k->base].best != SIZE_MAX));
}

/* What is averaged over is the same for all cells: a workload of which one run is missing is in none. */
static void find_whole(struct plotter *q) {
  bool *bad = xcalloc(q->apart.n + 1, sizeof *bad);
  bool *any =
      xcalloc(q->rows.n * q->lines.n + 1, sizeof *any); /* a place without any result leaves nothing out */
  for (size_t g = 0; g < q->groups.n; g++)
    if (shown(&q->groups.at[g]) && has_value(q, g))
      any[q->groups.at[g].row * q->lines.n + q->groups.at[g].series] = true;
  for (size_t g = 0; g < q->groups.n; g++)
    if (shown(&q->groups.at[g]) && !has_value(q, g) &&
        any[q->groups.at[g].row * q->lines.n + q->groups.at[g].series])
      bad[q->groups.at[g].apart] = true;
  free(any);
  for (size_t g = 0; g < q->groups.n; g++)
    q->groups.at[g].whole = !bad[q->groups.at[g].apart];
  free(bad);
}

/* One cell: the only value, or the average of several. */
static bool fill_cell(struct plotter *q, struct figure *f, size_t row, size_t line, size_t m) {
  size_t n = 0, groups = 0, cell = row * f->nseries + line * q->nmetrics + m;
  double *v = xcalloc(q->groups.n + 1, sizeof *v);
  size_t last = SIZE_MAX;
  for (size_t g = 0; g < q->groups.n; g++)
    if (q->groups.at[g].row == row && q->groups.at[g].series == line) {
      groups++;
      last = g;
    }
  for (size_t g = 0; g < q->groups.n && groups > 1; g++)
    if (q->groups.at[g].row == row && q->groups.at[g].series == line && q->groups.at[g].whole)
      v[n++] = value_of(q, g, &q->metric[m]);
  bool ok = true;
  f->empty[cell] = groups == 0;
  if (groups == 1) {
    f->value[cell] = scaled(q, value_of(q, last, &q->metric[m]));
  } else if (groups > 1 && q->mean == MEAN_NONE) {
    ok = error_add(q->err, EXIT_USAGE,
                   "%zu points are at one place (%s, %s): average them (--mean) or choose some (--where)",
                   groups, q->rows.at[row], q->lines.at[line]);
  } else if (groups > 1) {
    double low, high;
    spread_of(q->r->spread, q->mean, v, n, &low, &high);
    f->value[cell] = scaled(q, mean_of(q->mean, v, n));
    f->low[cell] = scaled(q, low), f->high[cell] = scaled(q, high);
  }
  free(v);
  return ok;
}

static bool any_value(const struct figure *f, size_t nrows, size_t s) {
  for (size_t r = 0; r < nrows; r++)
    if (!isnan(f->value[r * f->nseries + s]))
      return true;
  return false;
}

/* Over the rows that have a value of every series. */
static void fill_mean(struct plotter *q, struct figure *f, size_t nrows) {
  double *v = xcalloc(nrows + 1, sizeof *v);
  for (size_t s = 0; s < f->nseries; s++) {
    size_t n = 0;
    for (size_t r = 0; r < nrows; r++) {
      bool all = true;
      for (size_t k = 0; k < f->nseries; k++)
        all &=
            !isnan(f->value[r * f->nseries + k]) || f->empty[r * f->nseries + k] || !any_value(f, nrows, k);
      double scale = q->as == SCALE_PERCENT  ? f->value[r * f->nseries + s] / 100
                     : q->as == SCALE_CHANGE ? f->value[r * f->nseries + s] / 100 + 1
                                             : f->value[r * f->nseries + s];
      if (all && !isnan(scale))
        v[n++] = scale;
    }
    double low, high;
    spread_of(q->r->spread, q->mean, v, n, &low, &high);
    f->value[nrows * f->nseries + s] = scaled(q, mean_of(q->mean, v, n));
    f->low[nrows * f->nseries + s] = scaled(q, low);
    f->high[nrows * f->nseries + s] = scaled(q, high);
  }
  free(v);
}

static void over_text(const struct plotter *q, struct strbuf *to) {
  for (size_t i = 0; i < q->over.n; i++) {
    bool technique = strcmp(q->over.at[i].name, "technique") == 0;
    strbuf_addf(to, "%s%s%s%s", i ? ", " : "", technique ? "" : q->over.at[i].name, technique ? "" : " ",
                q->over.at[i].value);
  }
}

/* "speed-up over none", "change of ipc against none (%)", "ipc" */
static void y_label(const struct plotter *q, struct strbuf *to) {
  struct strbuf over = {0};
  const char *what = q->nmetrics > 1 ? "value" : q->metric[0].inverse ? "speed-up" : q->metric[0].text;
  over_text(q, &over);
  if (!q->over.n)
    strbuf_addf(to, "%s%s", what, q->as == SCALE_PERCENT ? " (%)" : "");
  else if (q->as == SCALE_CHANGE)
    strbuf_addf(to, "%s%s over %s (%%)", q->metric[0].inverse ? "" : "change of ", what, over.s);
  else if (q->as == SCALE_PERCENT)
    strbuf_addf(to, "%s (%% of %s)", what, over.s);
  else
    strbuf_addf(to, q->metric[0].inverse ? "%s over %s" : "%s relative to %s", what, over.s);
  strbuf_free(&over);
}

static void series_names(struct plotter *q, struct figure *f) {
  for (size_t l = 0; l < q->lines.n; l++)
    for (size_t m = 0; m < q->nmetrics; m++) {
      struct strbuf name = {0};
      bool metric = q->nmetrics > 1;
      strbuf_addf(&name, "%s%s%s", q->lines.at[l], metric && *q->lines.at[l] ? ", " : "",
                  metric || !*q->lines.at[l] ? q->metric[m].text : "");
      figure_text(&f->series[l * q->nmetrics + m], name.s);
      strbuf_free(&name);
    }
}

static void note(const struct plotter *q, struct figure *f) {
  size_t runs = 0, missing = 0;
  for (size_t g = 0; g < q->groups.n; g++)
    if (shown(&q->groups.at[g])) {
      runs += q->groups.at[g].n;
      missing += q->groups.at[g].undone;
    }
  struct strbuf text = {0};
  strbuf_addf(&text, "%zu of %zu runs have no result", missing, runs);
  if (missing)
    figure_text(&f->note, text.s);
  strbuf_free(&text);
}

static bool doubling(const struct figure *f) {
  for (size_t i = 1; i < f->ncategories; i++)
    if (!(f->x[i - 1] > 0 && f->x[i] / f->x[i - 1] >= 1.5))
      return false;
  return f->ncategories >= 3;
}

static void place_rows(struct plotter *q, struct figure *f) {
  for (size_t r = 0; r < q->rows.n; r++) {
    uint64_t u;
    figure_text(&f->categories[r], q->rows.at[r]);
    if (q->kind != FIGURE_LINES ||
        (num_u64(q->rows.at[r], &u) != NUM_OK && num_f64(q->rows.at[r], &f->x[r]) != NUM_OK))
      continue;
    f->x[r] = num_u64(q->rows.at[r], &u) == NUM_OK ? (double)u : f->x[r];
  }
  f->log_x = q->r->log_x || (q->kind == FIGURE_LINES && doubling(f));
}

static void costs(struct plotter *q, struct figure *f) {
  for (size_t r = 0; r < q->rows.n; r++) {
    double *v = xcalloc(q->groups.n + 1, sizeof *v);
    size_t n = 0;
    for (size_t g = 0; g < q->groups.n; g++)
      if (q->groups.at[g].row == r && !isnan(evaluate(q, g, q->against)))
        v[n++] = evaluate(q, g, q->against);
    f->x[r] = mean_of(MEAN_ARITHMETIC, v, n);
    free(v);
  }
}

static int compare(const struct figure *f, const struct plotter *q, size_t a, size_t b) {
  if (q->r->order == ORDER_NAME)
    return strcmp(f->categories[a], f->categories[b]);
  double x = f->value[a * f->nseries], y = f->value[b * f->nseries];
  return isnan(x) ? !isnan(y) : isnan(y) ? -1 : (x > y) - (x < y);
}

static void swap_rows(struct figure *f, size_t a, size_t b) {
#define SWAP(type, array, i, k)                                                                              \
  do {                                                                                                       \
    type swap_ = (array)[i];                                                                                 \
    (array)[i] = (array)[k];                                                                                 \
    (array)[k] = swap_;                                                                                      \
  } while (0)
  SWAP(char *, f->categories, a, b);
  SWAP(double, f->x, a, b);
  for (size_t s = 0; s < f->nseries; s++) {
    size_t i = a * f->nseries + s, k = b * f->nseries + s;
    SWAP(double, f->value, i, k);
    SWAP(double, f->low, i, k);
    SWAP(double, f->high, i, k);
    SWAP(bool, f->empty, i, k);
  }
#undef SWAP
}

static void order_rows(struct plotter *q, struct figure *f) {
  if (q->r->order == ORDER_FILE || q->kind == FIGURE_LINES)
    return;
  for (size_t i = 1; i < q->rows.n; i++)
    for (size_t k = i; k && compare(f, q, k, k - 1) < 0; k--)
      swap_rows(f, k, k - 1);
}

/* Rows against series, and behind workloads their average. */
static struct figure *pivot(struct plotter *q) {
  bool summary = plot_is_axis(q->x, "workload") && q->mean != MEAN_NONE && q->rows.n > 1 &&
                 (q->kind == FIGURE_BARS || q->kind == FIGURE_HEATMAP || q->kind == FIGURE_STACKED);
  struct figure *f = figure_new(q->kind, q->rows.n + summary, q->lines.n * q->nmetrics);
  place_rows(q, f);
  series_names(q, f);
  for (size_t r = 0; r < q->rows.n; r++)
    for (size_t l = 0; l < q->lines.n; l++)
      for (size_t m = 0; m < q->nmetrics; m++)
        if (!fill_cell(q, f, r, l, m)) {
          figure_free(f);
          return NULL;
        }
  if (q->kind == FIGURE_PARETO)
    costs(q, f);
  order_rows(q, f);
  if (summary) {
    figure_text(&f->categories[q->rows.n], mean_names[q->mean]);
    f->summary[q->rows.n] = true;
    fill_mean(q, f, q->rows.n);
  }
  return f;
}

/* Each group is a mark of its own. */
static struct figure *scatter(struct plotter *q) {
  size_t n = 0;
  for (size_t g = 0; g < q->groups.n; g++)
    n += shown(&q->groups.at[g]);
  struct figure *f = figure_new(FIGURE_SCATTER, n, q->lines.n * q->nmetrics);
  series_names(q, f);
  for (size_t i = 0; i < f->ncategories * f->nseries; i++)
    f->empty[i] = true;
  n = 0;
  for (size_t g = 0; g < q->groups.n; g++) {
    const struct plot_group *k = &q->groups.at[g];
    if (!shown(k))
      continue;
    figure_text(&f->categories[n], q->rows.at[k->row]);
    f->x[n] = evaluate(q, g, q->against);
    for (size_t m = 0; m < q->nmetrics; m++)
      f->value[n * f->nseries + k->series * q->nmetrics + m] = scaled(q, value_of(q, g, &q->metric[m]));
    n++;
  }
  return f;
}

/* What fits a column goes there. */
static double usual_width(const struct figure *f) {
  size_t marks = f->kind == FIGURE_BARS      ? f->ncategories * f->nseries
                 : f->kind == FIGURE_HEATMAP ? 3 * f->nseries
                 : f->kind == FIGURE_LINES   ? 0
                                             : f->ncategories;
  return marks <= 12 && f->kind != FIGURE_PARETO ? FIGURE_COLUMN : FIGURE_PAGE;
}

static void label(const struct plotter *q, struct figure *f) {
  struct strbuf y = {0};
  const struct plot_request *r = q->r;
  y_label(q, &y);
  figure_text(&f->id, q->p->sweep);
  figure_text(&f->title, r->title ? r->title : "");
  figure_text(&f->ylabel, r->ylabel ? r->ylabel : y.s);
  figure_text(&f->xlabel, r->xlabel                                                           ? r->xlabel
                          : q->against                                                        ? r->against
                          : plot_is_axis(q->x, "workload") || plot_is_axis(q->x, "technique") ? ""
                                                                                              : q->x->name);
  f->baseline = q->over.n && (q->as == SCALE_RATIO || q->as == SCALE_VALUE) ? 1 : 0;
  f->log_y = r->log_y;
  f->look = r->look;
  if (!(f->look.width > 0))
    f->look.width = usual_width(f);
  note(q, f);
  strbuf_free(&y);
}

static struct figure *make(struct plotter *q) {
  if (!plot_choose(q))
    return NULL;
  q->as = q->r->as >= 0 ? (enum paper_scale)q->r->as : q->over.n ? SCALE_RATIO : SCALE_VALUE;
  q->mean = q->r->mean >= 0 ? (enum mean_kind)q->r->mean : q->over.n ? MEAN_GEOMETRIC : MEAN_ARITHMETIC;
  if ((q->as == SCALE_RATIO || q->as == SCALE_CHANGE) && !q->over.n) {
    error_add(q->err, EXIT_USAGE, "a ratio or change needs a baseline: --over LABEL");
    return NULL;
  }
  plot_groups_make(&q->groups, q->store, q->p);
  if (q->over.n && !plot_groups_over(&q->groups, &q->over, q->err))
    return NULL;
  place_groups(q);
  drop_base(q);
  find_whole(q);
  struct figure *f = q->kind == FIGURE_SCATTER ? scatter(q) : pivot(q);
  if (f)
    label(q, f);
  return f;
}

struct figure *plot_make(struct lab_store *s, const struct plot_points *p, const struct plot_request *r,
                         struct error *err) {
  struct plotter q = {.store = s, .p = p, .r = r, .err = err};
  struct figure *f = make(&q);
  plot_groups_free(&q.groups);
  plot_names_free(&q.stats);
  plot_names_free(&q.rows);
  plot_names_free(&q.lines);
  plot_names_free(&q.apart);
  lab_pairs_free(&q.over);
  arena_free(&q.mem);
  return f;
}
