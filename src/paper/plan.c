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

static size_t *slot(const struct paper_plan *plan, size_t variant, const struct paper_config *c,
                    size_t workload) {
  size_t config = variant * plan->paper->nconfigs + (size_t)(c - plan->paper->configs);
  return &plan->first[config * plan->paper->nworkloads + workload];
}

const struct paper_figure *paper_plan_figure(const struct paper_plan *plan, const char *id) {
  for (size_t i = 0; i < plan->nfigures; i++)
    if (strcmp(plan->figures[i].id, id) == 0)
      return &plan->figures[i];
  return NULL;
}

const struct lab_point *paper_plan_point(const struct paper_plan *plan, size_t variant,
                                         const struct paper_config *c, size_t workload, size_t i) {
  size_t first = *slot(plan, variant, c, workload);
  return first == SIZE_MAX ? NULL : &plan->points.at[first + i];
}

/* Under which name a run enters the database: runs that do not assume what the chosen reading says are told apart. */
static const char *label_of(struct paper_plan *plan, const struct paper_config *c,
                            const struct paper_variant *v) {
  struct strbuf s = {0};
  bool chosen = v->reading == &plan->paper->readings[plan->paper->chosen];
  if (chosen && !v->change)
    return c->name;
  strbuf_addf(&s, "%s [%s%s%s]", c->name, chosen ? "" : v->reading->is.name, !chosen && v->change ? ", " : "",
              v->change ? v->change->is.name : "");
  const char *kept = arena_strndup(&plan->mem, s.s, s.n);
  strbuf_free(&s);
  return kept;
}

static void put(struct lab_pairs *to, const struct paper_setting *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    lab_pairs_put(to, s[i].name, s[i].value);
}

/* From the weakest to the strongest: the file's settings, the reading's, the configuration's own, the change's. */
static void put_assumptions(struct lab_point *p, const struct paper_config *c, const struct paper_variant *v,
                            size_t workload) {
  const struct paper_assumption *both[] = {&v->reading->is, v->change ? &v->change->is : NULL};
  put(&p->set, c->set, c->nshared);
  put(&p->set, both[0]->set, both[0]->nset);
  put(&p->set, c->set + c->nshared, c->nset - c->nshared);
  if (both[1])
    put(&p->set, both[1]->set, both[1]->nset);
  for (int i = 0; i < 2 && both[i]; i++) {
    for (size_t k = 0; k < both[i]->nparams; k++)
      if (both[i]->params[k].workload == workload)
        put(&p->workload.params, &both[i]->params[k].setting, 1);
    if (both[i]->gpu && !c->own_gpu)
      p->gpu = both[i]->gpu;
  }
}

static bool add_point(struct paper_plan *plan, size_t variant, const struct paper_config *c, size_t workload,
                      const char *value, struct error *err) {
  struct error why = {0};
  const struct paper_workload *w = &plan->paper->workloads[workload];
  const struct paper_variant *v = &plan->variants[variant];
  struct lab_point p = {
      .workload = {.name = w->name, .size = plan->quick ? w->quick_size : w->size, .seed = 1},
      .gpu = c->gpu,
      .with = c->with,
      .label = label_of(plan, c, v)};
  put(&p.workload.params, w->params, w->nparams);
  put_assumptions(&p, c, v, workload);
  if (value) {
    lab_pairs_put(&p.set, c->best, value);
    p.best_param = c->best;
    p.best_by = "cycles";
  }
  bool ok = lab_points_add(&plan->points, &p, &why), named = *v->reading->is.name;
  if (!ok)
    error_add(err, EXIT_USAGE, "%s:%u: configs.%s%s%s%s%s: %s", plan->paper->file, c->line, c->name,
              named ? ", reading " : "", v->reading->is.name, v->change ? ", change " : "",
              v->change ? v->change->is.name : "", why.text);
  lab_pairs_free(&p.workload.params);
  lab_pairs_free(&p.set);
  error_clear(&why);
  return ok;
}

/* Every candidate of a configuration on one workload, once. */
static bool need(struct paper_plan *plan, size_t variant, const struct paper_config *c, size_t workload,
                 struct error *err) {
  const char *const *values;
  size_t n = paper_plan_values(plan, c, &values);
  if (*slot(plan, variant, c, workload) != SIZE_MAX)
    return true;
  *slot(plan, variant, c, workload) = plan->points.n;
  for (size_t i = 0; i < n; i++)
    if (!add_point(plan, variant, c, workload, c->best ? values[i] : NULL, err))
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
        if ((f->series[s].over && !need(plan, f->series[s].variant, f->series[s].over, w, err)) ||
            !need(plan, f->series[s].variant, f->series[s].config, w, err))
          return false;
    }
  return true;
}

/* The readings that the form asks for, in that order. */
static bool choose_readings(struct paper_plan *plan, const struct paper_form *form, struct error *err) {
  const struct paper *p = plan->paper;
  size_t *to = arena_alloc(&plan->mem, (p->nreadings + form->nreadings + 1) * sizeof *to);
  const char **names = arena_alloc(&plan->mem, (p->nreadings + 1) * sizeof *names);
  plan->readings = to;
  for (size_t i = 0; i < p->nreadings; i++)
    names[i] = p->readings[i].is.name;
  if (form->all_readings) /* the chosen one first */
    for (size_t i = 0; i < p->nreadings; i++)
      to[plan->nreadings++] = i == 0 ? p->chosen : i <= p->chosen ? i - 1 : i;
  for (size_t i = 0; i < form->nreadings; i++) {
    size_t found = paper_reading(p, form->readings[i]);
    if (found == SIZE_MAX) {
      const char *near = *names[0] ? nearest_match(form->readings[i], names, (int)p->nreadings) : NULL;
      error_add(err, EXIT_USAGE, "%s: there is no reading '%.60s'%s%s%s", p->file, form->readings[i],
                !*names[0] ? "; the file has none"
                : near     ? "; did you mean '"
                           : "",
                near ? near : "", near ? "'?" : "");
      return false;
    }
    bool again = false;
    for (size_t k = 0; k < plan->nreadings; k++)
      again |= to[k] == found;
    if (!again)
      to[plan->nreadings++] = found;
  }
  if (!plan->nreadings)
    to[plan->nreadings++] = p->chosen;
  return true;
}

/* What `sluice report` finds the runs by. */
static char *sweep_name(const struct paper_plan *plan) {
  const struct paper *p = plan->paper;
  struct strbuf s = {0};
  strbuf_addf(&s, "paper-%s%s", p->name, plan->quick ? "-quick" : "");
  if (plan->nreadings > 1)
    strbuf_add(&s, "@all");
  else if (plan->readings[0] != p->chosen)
    strbuf_addf(&s, "@%s", p->readings[plan->readings[0]].is.name);
  return strbuf_take(&s);
}

bool paper_plan_make(struct paper_plan *plan, const struct paper *p, struct paper_form form,
                     struct error *err) {
  *plan = (struct paper_plan){.paper = p, .quick = form.quick, .only = form.only, .nonly = form.nonly};
  if (form.quick && !p->has_quick)
    error_add(err, EXIT_USAGE, "%s: there is no quick form: the file has no `quick`", p->file);
  if (!check_only(p, &form, err) || !choose_readings(plan, &form, err)) {
    paper_plan_free(plan);
    return false;
  }
  paper_plan_expand(plan);
  size_t n = plan->nvariants * p->nconfigs * p->nworkloads;
  plan->points.sweep = sweep_name(plan);
  plan->first = xmalloc((n + 1) * sizeof *plan->first);
  for (size_t i = 0; i < n; i++)
    plan->first[i] = SIZE_MAX;
  for (size_t i = 0; i < plan->nfigures; i++)
    if (paper_plan_shows(plan, &plan->figures[i]) && !need_figure(plan, &plan->figures[i], err)) {
      paper_plan_free(plan);
      return false;
    }
  return true;
}

void paper_plan_free(struct paper_plan *plan) {
  lab_points_free(&plan->points);
  free(plan->first);
  free(plan->variants);
  arena_free(&plan->mem);
  *plan = (struct paper_plan){0};
}
