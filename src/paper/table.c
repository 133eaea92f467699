#include "paper/table.h"
#include "base/num.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 3 }; /* missing runs that a note names */

/* One point as the source of an expression. */
struct source {
  const struct paper_results *r;
  const struct lab_point *p;
  const struct paper_config *config;
  const char *chosen; /* value of its best-of, or NULL */
};

static bool source_stat(void *self, const char *name, double *out) {
  struct source *s = self;
  return s->r->stat(s->r->self, s->p, name, out);
}

static bool source_best(void *self, const char *param, double *out) {
  struct source *s = self;
  return s->chosen && strcmp(s->config->best, param) == 0 && num_f64(s->chosen, out) == NUM_OK;
}

static bool evaluate(struct source *s, const struct expr *e, double *out) {
  struct expr_values v = {s, source_stat, source_best};
  return expr_value(e, &v, out);
}

/* The point that stands for a configuration on a workload: the only one, or the best of those with results. */
static bool choose(const struct paper_plan *plan, const struct paper_results *r, size_t variant,
                   const struct paper_config *c, size_t w, struct source *out) {
  const char *const *values, *why;
  double best = -INFINITY;
  bool found = false;
  for (size_t i = 0, n = paper_plan_values(plan, c, &values); i < n; i++) {
    struct source s = {r, paper_plan_point(plan, variant, c, w, i), c, values[i]};
    double v = 0;
    if (!s.p || !r->done(r->self, s.p, &why) || (c->best && !evaluate(&s, c->by, &v)))
      continue;
    if (!found || v > best) {
      *out = s;
      best = v;
      found = true;
    }
  }
  return found;
}

/* Unscaled; false: no run. NaN: not defined. */
static bool cell(const struct paper_plan *plan, const struct paper_results *r, size_t w,
                 const struct paper_series *s, double *out) {
  struct source own, base;
  double below;
  if (!choose(plan, r, s->variant, s->config, w, &own) || !evaluate(&own, s->metric, out))
    return false;
  if (!s->over)
    return true;
  if (!choose(plan, r, s->variant, s->over, w, &base) || !evaluate(&base, s->metric, &below))
    return false;
  *out = below == 0 ? (double)NAN : *out / below;
  return true;
}

static double scaled(const struct paper_figure *f, double v) {
  switch (f->scale) {
  case SCALE_PERCENT:
    return 100 * v;
  case SCALE_CHANGE:
    return 100 * (v - 1);
  default:
    return v;
  }
}

static void push_row(struct paper_table *t, const char *label, size_t workload, const struct paper_group *g) {
  t->rows[t->nrows++] = (struct paper_row){label, workload, g};
}

static void make_rows(struct paper_table *t, const struct paper_plan *plan) {
  const struct paper_figure *f = t->figure;
  size_t most = f->ngroups + 1;
  for (size_t g = 0; g < f->ngroups; g++)
    most += f->groups[g].set->n;
  t->rows = xcalloc(most, sizeof *t->rows);
  for (size_t g = 0; g < f->ngroups; g++) {
    const struct paper_group *group = &f->groups[g];
    size_t before = t->nrows;
    for (size_t i = 0; i < group->set->n; i++)
      if (!plan->quick || plan->paper->quick[group->set->workloads[i]])
        push_row(t, plan->paper->workloads[group->set->workloads[i]].label, group->set->workloads[i], group);
    if (group->mean != MEAN_NONE && t->nrows > before)
      push_row(t, group->label, SIZE_MAX, group);
  }
  if (f->overall.mean != MEAN_NONE)
    push_row(t, f->overall.label, SIZE_MAX, &f->overall);
}

/* A series of which no run has a result leaves no workload out of the others' averages. */
static bool has_any(const struct paper_table *t, size_t s) {
  for (size_t i = 0; i < t->nrows; i++)
    if (t->rows[i].workload != SIZE_MAX &&
        (!isnan(t->value[i * t->figure->nseries + s]) || t->undefined[i * t->figure->nseries + s]))
      return true;
  return false;
}

/* Over the workloads of its group for which every series has a run. */
static double average(const struct paper_table *t, const struct paper_row *row, size_t s, double *low,
                      double *high) {
  size_t n = 0, series = t->figure->nseries;
  double *v = xcalloc(t->nrows + 1, sizeof *v);
  for (size_t i = 0; i < t->nrows; i++) {
    bool whole = t->rows[i].workload != SIZE_MAX &&
                 (row->group == &t->figure->overall || t->rows[i].group == row->group);
    for (size_t k = 0; k < series && whole; k++)
      whole = !isnan(t->value[i * series + k]) || t->undefined[i * series + k] || !has_any(t, k);
    if (whole && !isnan(t->value[i * series + s]))
      v[n++] = t->value[i * series + s];
  }
  double mean = mean_of(row->group->mean, v, n);
  spread_of(t->figure->spread, row->group->mean, v, n, low, high);
  free(v);
  return mean;
}

static void fill(struct paper_table *t, const struct paper_plan *plan, const struct paper_results *r) {
  size_t n = t->figure->nseries;
  t->value = xcalloc(t->nrows * n + 1, sizeof *t->value);
  t->undefined = xcalloc(t->nrows * n + 1, sizeof *t->undefined);
  t->low = xcalloc(t->nrows * n + 1, sizeof *t->low);
  t->high = xcalloc(t->nrows * n + 1, sizeof *t->high);
  for (size_t i = 0; i < t->nrows; i++)
    for (size_t s = 0; s < n; s++) {
      double v = NAN;
      bool there =
          t->rows[i].workload != SIZE_MAX && cell(plan, r, t->rows[i].workload, &t->figure->series[s], &v);
      t->value[i * n + s] = there ? v : (double)NAN;
      t->undefined[i * n + s] = there && isnan(v);
      t->low[i * n + s] = t->high[i * n + s] = NAN;
    }
  paper_table_order(t);
  for (size_t i = 0; i < t->nrows; i++)
    for (size_t s = 0; s < n && t->rows[i].workload == SIZE_MAX; s++)
      t->value[i * n + s] = average(t, &t->rows[i], s, &t->low[i * n + s], &t->high[i * n + s]);
  for (size_t i = 0; i < t->nrows * n; i++) {
    t->value[i] = scaled(t->figure, t->value[i]);
    t->low[i] = scaled(t->figure, t->low[i]);
    t->high[i] = scaled(t->figure, t->high[i]);
  }
}

/* What a series costs against another configuration, geometric mean over the workloads that both have, as a change in percent. */
static double mean_cost(const struct paper_table *t, const struct paper_plan *plan,
                        const struct paper_results *r, const struct paper_series *of) {
  double logs = 0;
  size_t n = 0;
  for (size_t i = 0; i < t->nrows; i++) {
    size_t w = t->rows[i].workload;
    struct source own, base;
    double above, below;
    if (w == SIZE_MAX || !choose(plan, r, of->variant, of->config, w, &own) ||
        !choose(plan, r, of->variant, t->figure->cost_over, w, &base) ||
        !evaluate(&own, t->figure->cost, &above) || !evaluate(&base, t->figure->cost, &below) ||
        !(above > 0 && below > 0))
      continue;
    logs += log(above / below);
    n++;
  }
  return n ? 100 * (exp(logs / (double)n) - 1) : (double)NAN;
}

/* Of the first run that has a result: what a configuration adds to the GPU is the same in all. Or the mean of all. */
static void costs(struct paper_table *t, const struct paper_plan *plan, const struct paper_results *r) {
  t->cost = xcalloc(t->figure->nseries + 1, sizeof *t->cost);
  for (size_t s = 0; t->figure->cost && s < t->figure->nseries; s++) {
    struct source own;
    t->cost[s] = NAN;
    if (t->figure->cost_over) {
      t->cost[s] = mean_cost(t, plan, r, &t->figure->series[s]);
      continue;
    }
    for (size_t i = 0; i < t->nrows && isnan(t->cost[s]); i++)
      if (t->rows[i].workload != SIZE_MAX &&
          choose(plan, r, t->figure->series[s].variant, t->figure->series[s].config, t->rows[i].workload,
                 &own) &&
          !evaluate(&own, t->figure->cost, &t->cost[s]))
        t->cost[s] = NAN;
  }
}

/* Counts runs of one configuration and workload; names the first ones that are missing. */
static void count_runs(struct paper_table *t, const struct paper_plan *plan, const struct paper_results *r,
                       size_t variant, const struct paper_config *c, const struct paper_row *row,
                       struct strbuf *names) {
  const char *const *values, *why;
  for (size_t i = 0, n = paper_plan_values(plan, c, &values); i < n; i++) {
    t->runs++;
    const struct lab_point *p = paper_plan_point(plan, variant, c, row->workload, i);
    if (r->done(r->self, p, &why))
      continue;
    if (t->missing++ < NAMED)
      strbuf_addf(names, "%s%s with %s%s%s (%s)", names->n ? ", " : "", row->label, p->label,
                  c->best ? " " : "", c->best ? values[i] : "", why);
  }
}

static void note(struct paper_table *t, const struct paper_plan *plan, const struct paper_results *r) {
  struct strbuf names = {0};
  size_t nconfigs = plan->paper->nconfigs, most = plan->nvariants * nconfigs;
  bool *counted = xcalloc(most + 1, sizeof *counted);
  size_t workloads = 0, all = 0;
  for (size_t i = 0; i < t->nrows; i++) {
    if (t->rows[i].workload == SIZE_MAX)
      continue;
    workloads++;
    memset(counted, 0, most * sizeof *counted);
    for (size_t s = 0; s < 2 * t->figure->nseries; s++) { /* each, then what it is measured against */
      const struct paper_series *of = &t->figure->series[s % t->figure->nseries];
      const struct paper_config *c = s < t->figure->nseries ? of->config : of->over;
      bool *once = c ? &counted[of->variant * nconfigs + (size_t)(c - plan->paper->configs)] : NULL;
      if (!once || *once)
        continue;
      *once = true;
      count_runs(t, plan, r, of->variant, c, &t->rows[i], &names);
    }
  }
  for (size_t g = 0; g < t->figure->ngroups; g++)
    all += t->figure->groups[g].set->n;
  if (t->missing)
    strbuf_addf(&t->note, "%zu of %zu runs missing and in no average: %s%s", t->missing, t->runs,
                strbuf_str(&names), t->missing > NAMED ? ", …" : "");
  if (plan->quick)
    strbuf_addf(&t->note, "%squick form: %zu of %zu workloads", t->note.n ? "; " : "", workloads, all);
  strbuf_free(&names);
  free(counted);
}

void paper_table_make(struct paper_table *t, const struct paper_plan *plan, const struct paper_figure *f,
                      const struct paper_results *r) {
  *t = (struct paper_table){.figure = f};
  make_rows(t, plan);
  fill(t, plan, r);
  costs(t, plan, r);
  note(t, plan, r);
}

void paper_table_free(struct paper_table *t) {
  free(t->rows);
  free(t->value);
  free(t->undefined);
  free(t->low);
  free(t->high);
  free(t->cost);
  strbuf_free(&t->note);
  *t = (struct paper_table){0};
}

size_t paper_table_row(const struct paper_table *t, const char *label) {
  for (size_t i = 0; i < t->nrows; i++)
    if (strcmp(t->rows[i].label, label) == 0)
      return i;
  return SIZE_MAX;
}
