#include "paper/plan.h"
#include "base/strbuf.h"
#include <stdlib.h>
#include <string.h>

bool paper_plan_shows(const struct paper_plan *plan, const struct paper_figure *f) {
  for (size_t i = 0; i < plan->nonly; i++)
    if (strcmp(plan->only[i], f->id) == 0)
      return true;
  return plan->nonly == 0 && (!plan->quick || f->quick);
}

static bool check_only(const struct paper *p, const struct paper_form *form, struct error *err) {
  const char **ids = xcalloc(p->nfigures + 1, sizeof *ids);
  for (size_t i = 0; i < p->nfigures; i++)
    ids[i] = p->figures[i].id;
  for (size_t i = 0; i < form->nonly; i++) {
    bool known = false;
    for (size_t k = 0; k < p->nfigures; k++)
      known |= strcmp(ids[k], form->only[i]) == 0;
    const char *near = known ? NULL : nearest_match(form->only[i], ids, (int)p->nfigures);
    if (!known)
      error_add(err, EXIT_USAGE, "%s: there is no figure '%.60s'%s%s%s", p->file, form->only[i],
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  free(ids);
  return !err->code;
}

size_t paper_plan_values(const struct paper_plan *plan, const struct paper_config *c,
                         const char *const **values) {
  static const char *const none[] = {NULL};
  *values = !c->best ? none : plan->quick ? c->quick_values : c->values;
  return !c->best ? 1 : plan->quick ? c->nquick_values : c->nvalues;
}

static size_t *slot(const struct paper_plan *plan, const struct paper_config *c, size_t workload) {
  return &plan->first[(size_t)(c - plan->paper->configs) * plan->paper->nworkloads + workload];
}

const struct lab_point *paper_plan_point(const struct paper_plan *plan, const struct paper_config *c,
                                         size_t workload, size_t i) {
  size_t first = *slot(plan, c, workload);
  return first == SIZE_MAX ? NULL : &plan->points.at[first + i];
}

static bool add_point(struct paper_plan *plan, const struct paper_config *c, const struct paper_workload *w,
                      const char *value, struct error *err) {
  struct error why = {0};
  struct lab_point p = {
      .workload = {.name = w->name, .size = plan->quick ? w->quick_size : w->size, .seed = 1},
      .gpu = c->gpu,
      .with = c->with,
      .label = c->name};
  for (size_t i = 0; i < w->nparams; i++)
    lab_pairs_put(&p.workload.params, w->params[i].name, w->params[i].value);
  for (size_t i = 0; i < c->nset; i++)
    lab_pairs_put(&p.set, c->set[i].name, c->set[i].value);
  if (value) {
    lab_pairs_put(&p.set, c->best, value);
    p.best_param = c->best;
    p.best_by = "cycles";
  }
  bool ok = lab_points_add(&plan->points, &p, &why);
  if (!ok)
    error_add(err, EXIT_USAGE, "%s:%u: configs.%s: %s", plan->paper->file, c->line, c->name, why.text);
  lab_pairs_free(&p.workload.params);
  lab_pairs_free(&p.set);
  error_clear(&why);
  return ok;
}

/* Every candidate of a configuration on one workload, once. */
static bool need(struct paper_plan *plan, const struct paper_config *c, size_t workload, struct error *err) {
  const char *const *values;
  size_t n = paper_plan_values(plan, c, &values);
  if (*slot(plan, c, workload) != SIZE_MAX)
    return true;
  *slot(plan, c, workload) = plan->points.n;
  for (size_t i = 0; i < n; i++)
    if (!add_point(plan, c, &plan->paper->workloads[workload], c->best ? values[i] : NULL, err))
      return false;
  return true;
}

static bool need_figure(struct paper_plan *plan, const struct paper_figure *f, struct error *err) {
  for (size_t g = 0; g < f->ngroups; g++)
    for (size_t i = 0; i < f->groups[g].set->n; i++) {
      size_t w = f->groups[g].set->workloads[i];
      if (plan->quick && !plan->paper->quick[w])
        continue;
      for (size_t s = 0; s < f->nseries; s++)
        if ((f->series[s].over && !need(plan, f->series[s].over, w, err)) ||
            !need(plan, f->series[s].config, w, err))
          return false;
    }
  return true;
}

bool paper_plan_make(struct paper_plan *plan, const struct paper *p, struct paper_form form,
                     struct error *err) {
  *plan = (struct paper_plan){.paper = p, .quick = form.quick, .only = form.only, .nonly = form.nonly};
  if (form.quick && !p->has_quick)
    error_add(err, EXIT_USAGE, "%s: there is no quick form: the file has no `quick`", p->file);
  if (!check_only(p, &form, err))
    return false;
  size_t n = p->nconfigs * p->nworkloads;
  struct strbuf sweep = {0};
  strbuf_addf(&sweep, "paper-%s%s", p->name, form.quick ? "-quick" : "");
  plan->points.sweep = strbuf_take(&sweep);
  plan->first = xmalloc((n + 1) * sizeof *plan->first);
  for (size_t i = 0; i < n; i++)
    plan->first[i] = SIZE_MAX;
  for (size_t i = 0; i < p->nfigures; i++)
    if (paper_plan_shows(plan, &p->figures[i]) && !need_figure(plan, &p->figures[i], err)) {
      paper_plan_free(plan);
      return false;
    }
  return true;
}

void paper_plan_free(struct paper_plan *plan) {
  lab_points_free(&plan->points);
  free(plan->first);
  *plan = (struct paper_plan){0};
}
