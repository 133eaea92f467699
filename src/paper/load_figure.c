/* Figures, and what the paper says about them. */
#include "paper/load.h"
#include <math.h>
#include <string.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static const char *const scale_names[] = {"value", "ratio", "percent", "change", NULL};
static const char *const shape_names[] = {"workloads", "series", "averages", "curves",
                                          "pairs",     "pareto", "changes",  NULL};

const struct paper_config *paper_read_config(struct paper_loader *l, const struct yaml_node *n) {
  const char *name = paper_read_text(l, n);
  const struct paper_config *c = paper_config(l->p, name);
  if (!c)
    yaml_error(n, l->err, "there is no configuration '%.60s' in this file", name);
  return c;
}

static const struct paper_set *set_of(struct paper_loader *l, const struct yaml_node *n) {
  const char *name = paper_read_text(l, n);
  for (size_t i = 0; i < l->p->nsets; i++)
    if (strcmp(l->p->sets[i].name, name) == 0)
      return &l->p->sets[i];
  if (n)
    yaml_error(n, l->err, "there is no set '%.60s' in this file", name);
  return NULL;
}

static void load_group(struct paper_loader *l, const struct yaml_node *n, bool whole, struct paper_group *g) {
  static const char *const keys[] = {"mean", "label", "set"};
  int mean = MEAN_NONE;
  if (!yaml_check_keys(n, keys, whole ? 2 : 3, l->err))
    return;
  if (!whole)
    g->set = set_of(l, yaml_need(n, "set", l->err));
  if (yaml_get(n, "mean"))
    yaml_enum(yaml_get(n, "mean"), mean_names, 3, &mean, l->err);
  g->mean = (enum mean_kind)mean;
  g->label = paper_read_optional(l, n, "label", mean_names[mean]);
}

static void load_groups(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f) {
  const struct yaml_node *groups = yaml_need(n, "groups", l->err), *overall = yaml_get(n, "overall");
  f->ngroups = paper_read_list(l, groups);
  f->groups = arena_alloc(&l->p->mem, (f->ngroups + 1) * sizeof *f->groups);
  for (size_t i = 0; i < f->ngroups; i++)
    load_group(l, groups->items[i], false, &f->groups[i]);
  if (overall)
    load_group(l, overall, true, &f->overall);
}

static void load_one_series(struct paper_loader *l, const struct yaml_node *n, const struct yaml_node *figure,
                            const struct paper_figure *f, struct paper_series *s) {
  static const char *const keys[] = {"name", "config", "over", "metric", "curve", "x"};
  const struct yaml_node *metric = yaml_get(n, "metric"), *config = yaml_get(n, "config");
  if (n->kind == YAML_SCALAR) {
    s->config = paper_read_config(l, n);
    s->name = s->config ? s->config->name : "";
  } else if (yaml_check_keys(n, keys, COUNT(keys), l->err)) {
    s->name = paper_read_text(l, yaml_need(n, "name", l->err));
    config = config ? config : yaml_need(figure, "config", l->err);
    s->config = config ? paper_read_config(l, config) : NULL;
  }
  s->over = yaml_get(n, "over") ? paper_read_config(l, yaml_get(n, "over")) : f->over;
  if (f->scale == SCALE_CHANGE && !yaml_get(n, "over") && !yaml_get(figure, "over"))
    yaml_error(n, l->err, "a change needs `over`, the configuration it is measured against");
  s->curve = paper_read_optional(l, n, "curve", "");
  s->x = s->config ? s->config->x : (double)NAN;
  if (yaml_get(n, "x"))
    yaml_f64(yaml_get(n, "x"), &s->x, l->err);
  metric = metric ? metric : yaml_need(figure, "metric", l->err);
  s->metric = metric ? paper_read_metric(l, metric) : NULL;
}

static void all_subsets(struct paper_loader *l, const struct yaml_node *figure, struct paper_figure *f) {
  const struct yaml_node *metric = yaml_need(figure, "metric", l->err);
  if (f->scale == SCALE_CHANGE && !yaml_get(figure, "over"))
    yaml_error(figure, l->err, "a change needs `over`, the configuration it is measured against");
  f->series = arena_alloc(&l->p->mem, (l->p->nconfigs + 1) * sizeof *f->series);
  for (size_t i = 0; i < l->p->nconfigs; i++)
    if (l->p->configs[i].is_subset)
      f->series[f->nseries++] = (struct paper_series){.name = l->p->configs[i].name,
                                                      .config = &l->p->configs[i],
                                                      .over = f->over,
                                                      .metric = metric ? paper_read_metric(l, metric) : NULL,
                                                      .x = NAN};
}

static void load_series(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f) {
  const struct yaml_node *list = yaml_need(n, "series", l->err);
  if (list && list->kind == YAML_SCALAR && strcmp(list->text, "subsets") == 0) {
    if (l->p->nsubsets == 0)
      yaml_error(list, l->err, "the file has no subsets");
    all_subsets(l, n, f);
    return;
  }
  f->nseries = paper_read_list(l, list);
  f->series = arena_alloc(&l->p->mem, (f->nseries + 1) * sizeof *f->series);
  for (size_t i = 0; i < f->nseries; i++)
    load_one_series(l, list->items[i], n, f, &f->series[i]);
}

bool paper_figure_has(const struct paper *p, const struct paper_figure *f, const char *at) {
  for (size_t g = 0; g < f->ngroups; g++) {
    if (f->groups[g].mean != MEAN_NONE && strcmp(f->groups[g].label, at) == 0)
      return true;
    for (size_t w = 0; f->groups[g].set && w < f->groups[g].set->n; w++)
      if (strcmp(p->workloads[f->groups[g].set->workloads[w]].label, at) == 0)
        return true;
  }
  return f->overall.mean != MEAN_NONE && strcmp(f->overall.label, at) == 0;
}

static void load_number(struct paper_loader *l, const struct yaml_node *n, const struct paper_figure *f,
                        struct paper_number *out) {
  static const char *const keys[] = {"series", "at", "value", "min", "max"};
  *out = (struct paper_number){.value = NAN, .min = -INFINITY, .max = INFINITY, .line = n->line, .at = ""};
  if (!yaml_check_keys(n, keys, COUNT(keys), l->err))
    return;
  const struct yaml_node *series = yaml_need(n, "series", l->err), *at = yaml_need(n, "at", l->err);
  const char *name = paper_read_text(l, series);
  out->series = f->nseries;
  for (size_t i = 0; i < f->nseries; i++)
    if (strcmp(f->series[i].name, name) == 0)
      out->series = i;
  if (series && out->series == f->nseries)
    yaml_error(series, l->err, "the figure has no series '%.60s'", name);
  out->at = paper_read_text(l, at);
  if (at && !paper_figure_has(l->p, f, out->at))
    yaml_error(at, l->err, "the figure has neither a workload nor an average '%.60s'", out->at);
  if (yaml_get(n, "value"))
    yaml_f64(yaml_get(n, "value"), &out->value, l->err);
  if (yaml_get(n, "min"))
    yaml_f64(yaml_get(n, "min"), &out->min, l->err);
  if (yaml_get(n, "max"))
    yaml_f64(yaml_get(n, "max"), &out->max, l->err);
  if (isnan(out->value) && isinf(out->min) && isinf(out->max))
    yaml_error(n, l->err, "neither value nor min nor max");
}

/* A scatter of another shape would have no x, a table of pairs no cells. */
static void check_shape(struct paper_loader *l, const struct yaml_node *n, const struct paper_figure *f) {
  if (f->kind == FIGURE_UPSET && f->shape != SHAPE_SERIES && f->shape != SHAPE_AVERAGES)
    yaml_error(n, l->err, "kind upset needs series across: shape series or averages");
  bool pairs = f->shape == SHAPE_PAIRS, pareto = f->shape == SHAPE_PARETO;
  bool changes = f->shape == SHAPE_CHANGES;
  if (pairs != (f->kind == FIGURE_HEATMAP) || pareto != (f->kind == FIGURE_PARETO) ||
      changes != (f->kind == FIGURE_TORNADO))
    yaml_error(n, l->err, "kind %s does not go with shape %s", figure_kind_names[f->kind],
               shape_names[f->shape]);
  if (pareto != !!f->cost)
    yaml_error(n, l->err, pareto ? "shape pareto needs `cost`" : "`cost` is for shape pareto");
  if ((pairs || pareto) && l->p->nsubsets == 0)
    yaml_error(n, l->err, "shape %s needs the file's subsets", shape_names[f->shape]);
  if (changes != !!f->nchanges)
    yaml_error(n, l->err, changes ? "shape changes needs `changes`" : "`changes` is for shape changes");
  if (changes && f->nseries != 1)
    yaml_error(n, l->err, "shape changes shows one series, not %zu", f->nseries);
  bool average = f->overall.mean != MEAN_NONE;
  for (size_t g = 0; g < f->ngroups; g++)
    average |= f->groups[g].mean != MEAN_NONE;
  for (size_t i = 0; f->shape == SHAPE_CURVES && i < f->nseries; i++)
    if (!f->series[i].curve || !*f->series[i].curve || isnan(f->series[i].x))
      yaml_error(n, l->err, "series '%s' needs curve and x for shape curves", f->series[i].name);
  if ((f->shape == SHAPE_AVERAGES || pairs || pareto) && !average)
    yaml_error(n, l->err, "shape %s needs an average", shape_names[f->shape]);
}

static bool sound_id(const char *id) {
  return *id && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(id);
}

static void load_figure(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f) {
  static const char *const keys[] = {
      "id",    "title",  "about", "kind", "shape",  "groups", "overall", "series",    "config",    "metric",
      "over",  "as",     "x",     "y",    "log_x",  "log_y",  "paper",   "cost",      "cost_over", "changes",
      "width", "height", "font",  "clip", "legend", "order",  "error",   "show_title"};
  int kind = FIGURE_BARS, shape = SHAPE_WORKLOADS, scale = SCALE_VALUE;
  if (!yaml_check_keys(n, keys, COUNT(keys), l->err) && n->kind != YAML_MAP)
    return;
  const struct yaml_node *id = yaml_need(n, "id", l->err), *numbers = yaml_get(n, "paper");
  f->id = paper_read_text(l, id);
  if (id && !sound_id(f->id))
    yaml_error(id, l->err, "'%.60s' would make no good file name (allowed: a-z 0-9 -)", f->id);
  f->title = paper_read_text(l, yaml_need(n, "title", l->err));
  f->about = paper_read_optional(l, n, "about", "");
  f->xlabel = paper_read_optional(l, n, "x", "");
  f->ylabel = paper_read_text(l, yaml_need(n, "y", l->err));
  if (yaml_get(n, "kind"))
    yaml_enum(yaml_get(n, "kind"), figure_kind_names, FIGURE_KINDS, &kind, l->err);
  if (yaml_get(n, "shape"))
    yaml_enum(yaml_get(n, "shape"), shape_names, COUNT(shape_names) - 1, &shape, l->err);
  if (yaml_get(n, "as"))
    yaml_enum(yaml_get(n, "as"), scale_names, 4, &scale, l->err);
  if (yaml_get(n, "log_x"))
    yaml_bool(yaml_get(n, "log_x"), &f->log_x, l->err);
  if (yaml_get(n, "log_y"))
    yaml_bool(yaml_get(n, "log_y"), &f->log_y, l->err);
  f->kind = (enum figure_kind)kind;
  f->shape = (enum paper_shape)shape;
  f->scale = (enum paper_scale)scale;
  f->over = yaml_get(n, "over") ? paper_read_config(l, yaml_get(n, "over")) : NULL;
  load_groups(l, n, f);
  load_series(l, n, f);
  f->cost = yaml_get(n, "cost") ? paper_read_metric(l, yaml_get(n, "cost")) : NULL;
  f->cost_over = yaml_get(n, "cost_over") ? paper_read_config(l, yaml_get(n, "cost_over")) : NULL;
  if (f->cost_over && !f->cost)
    yaml_error(yaml_get(n, "cost_over"), l->err, "what `cost` is measured against; there is no `cost`");
  paper_read_changes(l, yaml_get(n, "changes"), f);
  check_shape(l, n, f);
  paper_read_look(l, n, f);
  f->nnumbers = paper_read_list(l, numbers);
  f->numbers = arena_alloc(&l->p->mem, (f->nnumbers + 1) * sizeof *f->numbers);
  for (size_t i = 0; i < f->nnumbers; i++)
    load_number(l, numbers->items[i], f, &f->numbers[i]);
}

void paper_read_figures(struct paper_loader *l, const struct yaml_node *root) {
  const struct yaml_node *n = yaml_need(root, "figures", l->err);
  struct paper *p = l->p;
  p->nfigures = paper_read_list(l, n);
  p->figures = arena_alloc(&p->mem, (p->nfigures + 1) * sizeof *p->figures);
  for (size_t i = 0; i < p->nfigures; i++) {
    load_figure(l, n->items[i], &p->figures[i]);
    for (size_t k = 0; k < i; k++)
      if (p->figures[i].id && p->figures[k].id && strcmp(p->figures[i].id, p->figures[k].id) == 0)
        yaml_error(n->items[i], l->err, "figure '%s' is there twice", p->figures[i].id);
  }
}
