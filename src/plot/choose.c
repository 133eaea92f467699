/* What a figure is asked for: baseline, metrics, axes. */
#include "plot/internal.h"
#include "base/num.h"
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t plot_name(struct names *n, const char *name) {
  for (size_t i = 0; i < n->n; i++)
    if (strcmp(n->at[i], name) == 0)
      return i;
  VEC_PUSH(n->at, n->n, n->cap) = xstrdup(name);
  return n->n - 1;
}

void plot_names_free(struct names *n) {
  for (size_t i = 0; i < n->n; i++)
    free(n->at[i]);
  free(n->at);
}

static bool known_stat(const char *name, void *self) {
  struct plotter *q = self;
  for (size_t i = 0; i < q->stats.n; i++)
    if (strcmp(q->stats.at[i], name) == 0)
      return true;
  return false;
}

static void read_stats(struct plotter *q) {
  sqlite3_stmt *s = NULL;
  sqlite3_prepare_v2(lab_store_handle(q->store), "SELECT DISTINCT name FROM stat", -1, &s, NULL);
  while (s && sqlite3_step(s) == SQLITE_ROW)
    VEC_PUSH(q->stats.at, q->stats.n, q->stats.cap) = xstrdup((const char *)sqlite3_column_text(s, 0));
  sqlite3_finalize(s);
}

static const struct expr *parse(struct plotter *q, const char *text) {
  struct error why = {0};
  const struct expr *e = expr_parse(text, &q->mem, known_stat, q, &why);
  if (!e) {
    const char *near = nearest_match(text, (const char *const *)q->stats.at, (int)q->stats.n);
    error_add(q->err, EXIT_USAGE, "%s%s%s%s", why.text, near ? "; did you mean '" : "", near ? near : "",
              near ? "'?" : "");
  }
  error_clear(&why);
  return e;
}

/* "none" or "technique=none,l2.mshrs=32" into pairs. */
static bool read_over(struct plotter *q) {
  const char *text = q->r->over;
  if (!text) {
    for (size_t i = 0; i < q->p->naxes; i++)
      for (size_t k = 0; strcmp(q->p->axis[i].name, "technique") == 0 && k < q->p->axis[i].n; k++)
        if (strcmp(q->p->axis[i].value[k], "none") == 0 && q->p->axis[i].n > 1)
          lab_pairs_put(&q->over, "technique", "none");
    return true;
  }
  if (*text && !strchr(text, '='))
    lab_pairs_put(&q->over, "technique", text);
  for (const char *at = text; strchr(text, '=') && *at;
       at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    size_t n = strcspn(at, ","), k = strcspn(at, "=");
    if (k >= n)
      return error_add(q->err, EXIT_USAGE,
                       "--over '%.60s': a technique's label or AXIS=VALUE,AXIS=VALUE is wanted", text);
    char *name = arena_strndup(&q->mem, at, k);
    const struct plot_axis *a = plot_axis_find(q->p, name, q->err);
    if (!a)
      return false;
    lab_pairs_put(&q->over, a->name, arena_strndup(&q->mem, at + k + 1, n - k - 1));
  }
  return true;
}

static bool read_metrics(struct plotter *q) {
  static const char *const speedup[] = {"speedup"}, *const ipc[] = {"ipc"};
  const char *const *text = q->r->nmetrics ? q->r->metric : q->over.n ? speedup : ipc;
  q->nmetrics = q->r->nmetrics ? q->r->nmetrics : 1;
  q->metric = arena_alloc(&q->mem, q->nmetrics * sizeof *q->metric);
  for (size_t i = 0; i < q->nmetrics; i++) {
    bool inverse = strcmp(text[i], "speedup") == 0;
    if (inverse && !q->over.n)
      return error_add(q->err, EXIT_USAGE, "a speed-up needs a baseline: --over LABEL");
    q->metric[i] = (struct metric){text[i], parse(q, inverse ? "cycles" : text[i]), inverse};
    if (!q->metric[i].expr)
      return false;
  }
  return !q->r->against || (q->against = parse(q, q->r->against));
}

bool plot_is_axis(const struct plot_axis *a, const char *name) {
  return strcmp(a->name, name) == 0;
}

/* Workloads if there are several, else the first parameter that varies, else techniques. */
static const struct plot_axis *usual_x(const struct plotter *q) {
  const struct plot_axis *workload = NULL, *technique = NULL, *other = NULL;
  for (size_t i = 0; i < q->p->naxes; i++) {
    const struct plot_axis *a = &q->p->axis[i];
    if (plot_is_axis(a, "workload"))
      workload = a;
    else if (plot_is_axis(a, "technique"))
      technique = a;
    else if (!other && plot_varies(a) && !a->lacking && !plot_is_axis(a, "seed"))
      other = a;
  }
  if (q->kind == FIGURE_UPSET || q->kind == FIGURE_PARETO)
    return technique;
  return plot_varies(workload) ? workload : other ? other : plot_varies(technique) ? technique : workload;
}

static bool choose_axes(struct plotter *q) {
  q->kind = q->r->kind >= 0 ? (enum figure_kind)q->r->kind : FIGURE_BARS;
  q->x = q->r->x ? plot_axis_find(q->p, q->r->x, q->err) : usual_x(q);
  q->series = q->r->series ? plot_axis_find(q->p, q->r->series, q->err) : NULL;
  if (!q->x || (q->r->series && !q->series))
    return false;
  if (q->r->kind < 0 && q->x->numbers && q->x->n > 1 && !plot_is_axis(q->x, "workload"))
    q->kind = FIGURE_LINES;
  if (q->r->kind < 0 && q->against)
    q->kind = FIGURE_SCATTER;
  bool right = q->kind == FIGURE_SCATTER || q->kind == FIGURE_PARETO;
  if (right != !!q->against)
    return error_add(q->err, EXIT_USAGE,
                     right ? "kind %s needs --against, what is drawn to the right"
                           : "--against is for kinds scatter and pareto, not %s",
                     figure_kind_names[q->kind]);
  if (q->kind == FIGURE_TORNADO)
    return error_add(q->err, EXIT_USAGE, "kind tornado is for experiment files (docs/papers.md)");
  if (q->kind == FIGURE_LINES && !q->x->numbers)
    return error_add(q->err, EXIT_USAGE, "kind lines needs numbers to the right; '%s' has none (--x)",
                     q->x->name);
  return true;
}

bool plot_choose(struct plotter *q) {
  read_stats(q);
  return read_over(q) && read_metrics(q) && choose_axes(q);
}
