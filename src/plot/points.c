#include "plot/points.h"
#include "base/num.h"
#include "conf/yaml.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct plot_points *p, const char *s) {
  return s ? arena_strndup(&p->mem, s, strlen(s)) : NULL;
}

static const char *column(sqlite3_stmt *q, int i) {
  return (const char *)sqlite3_column_text(q, i);
}

/* Names of the sweeps, for a message; how many there are. */
static size_t sweeps(struct lab_store *s, struct strbuf *names) {
  sqlite3_stmt *q = NULL;
  size_t n = 0;
  sqlite3_prepare_v2(lab_store_handle(s), "SELECT DISTINCT sweep FROM member", -1, &q, NULL);
  for (; q && sqlite3_step(q) == SQLITE_ROW; n++)
    strbuf_addf(names, "%s%s", n ? ", " : "", column(q, 0));
  sqlite3_finalize(q);
  return n;
}

static bool choose_sweep(struct lab_store *s, const char *wanted, struct plot_points *p, struct error *err) {
  struct strbuf names = {0};
  size_t n = sweeps(s, &names);
  bool ok = true;
  p->sweep = keep(p, wanted ? wanted : strbuf_str(&names));
  if (n == 0)
    ok = error_add(err, EXIT_USAGE, "there is no sweep in the database");
  else if (!wanted && n > 1)
    ok = error_add(err, EXIT_USAGE, "there are %zu sweeps in the database; choose one with --sweep (%s)", n,
                   names.s);
  strbuf_free(&names);
  return ok;
}

/* {"name": "value", …} as the database has it. */
static void put_pairs(struct plot_points *p, struct plot_point *k, const char *json) {
  struct error none = {0};
  struct yaml_doc *d = json ? yaml_parse_text("set", json, strlen(json), &none) : NULL;
  for (size_t i = 0; d && d->root && d->root->kind == YAML_MAP && i < d->root->n; i++)
    if (d->root->items[i]->kind == YAML_SCALAR)
      lab_pairs_put(&k->at, keep(p, d->root->keys[i]), keep(p, d->root->items[i]->text));
  if (d)
    yaml_close(d);
  error_clear(&none);
}

static void remove_best(struct plot_point *k) {
  for (size_t i = 0; k->best_param && i < k->at.n; i++)
    if (strcmp(k->at.at[i].name, k->best_param) == 0) {
      k->best_value = k->at.at[i].value;
      memmove(&k->at.at[i], &k->at.at[i + 1], (--k->at.n - i) * sizeof *k->at.at);
      return;
    }
}

static void read_rows(struct lab_store *s, struct plot_points *p) {
  static const char sql[] = "SELECT r.point, r.state, m.best_param, m.best_by, r.workload, r.gpu, r.label, "
                            "r.size, r.seed, r.params, r.\"set\" "
                            "FROM result r JOIN member m ON m.sweep = r.sweep AND m.number = r.number WHERE "
                            "r.sweep = ?1 ORDER BY r.number";
  static const char *const axes[] = {"workload", "gpu", "technique", "size", "seed"};
  sqlite3_stmt *q = NULL;
  sqlite3_prepare_v2(lab_store_handle(s), sql, -1, &q, NULL);
  sqlite3_bind_text(q, 1, p->sweep, -1, SQLITE_STATIC);
  while (q && sqlite3_step(q) == SQLITE_ROW) {
    struct plot_point k = {.id = keep(p, column(q, 0)),
                           .state = keep(p, column(q, 1)),
                           .best_param = keep(p, column(q, 2)),
                           .best_by = keep(p, column(q, 3))};
    for (int i = 0; i < 5; i++)
      if (column(q, 4 + i))
        lab_pairs_put(&k.at, axes[i], keep(p, column(q, 4 + i)));
    put_pairs(p, &k, column(q, 9));
    put_pairs(p, &k, column(q, 10));
    remove_best(&k);
    VEC_PUSH(p->point, p->n, p->cap) = k;
  }
  sqlite3_finalize(q);
}

static struct plot_axis *axis(struct plot_points *p, const char *name) {
  for (size_t i = 0; i < p->naxes; i++)
    if (strcmp(p->axis[i].name, name) == 0)
      return &p->axis[i];
  VEC_PUSH(p->axis, p->naxes, p->cap_axes) = (struct plot_axis){.name = name};
  return &p->axis[p->naxes - 1];
}

static double number(const char *s, bool *ok) {
  uint64_t u;
  double f = 0;
  if (num_u64(s, &u) == NUM_OK)
    return (double)u;
  *ok &= num_f64(s, &f) == NUM_OK;
  return f;
}

static int by_number(const void *a, const void *b) {
  bool ok = true;
  double x = number(*(const char *const *)a, &ok), y = number(*(const char *const *)b, &ok);
  return (x > y) - (x < y);
}

static void free_axes(struct plot_points *p) {
  for (size_t i = 0; i < p->naxes; i++)
    free(p->axis[i].value);
  free(p->axis);
  p->axis = NULL;
  p->naxes = p->cap_axes = 0;
}

/* Do all points with the same value on `by` have the same on the axis? Then the former's name stands for both. */
static bool follows(const struct plot_points *p, const struct plot_axis *a, const char *by) {
  for (size_t i = 0; i < p->naxes; i++) {
    const struct plot_axis *b = &p->axis[i];
    if (strcmp(b->name, by) != 0)
      continue;
    for (size_t v = 0; v < b->n; v++) {
      const char *first = NULL;
      for (size_t k = 0; k < p->n; k++) {
        if (strcmp(plot_at(&p->point[k], by), b->value[v]) != 0)
          continue;
        const char *here = plot_at(&p->point[k], a->name);
        if (first && strcmp(first, here) != 0)
          return false;
        first = here;
      }
    }
  }
  return true;
}

static void find_dependent(struct plot_points *p) {
  static const char *const own[] = {"workload", "technique", "gpu"};
  for (size_t i = 0; i < p->naxes; i++) {
    struct plot_axis *a = &p->axis[i];
    bool named = false;
    for (int k = 0; k < 3; k++)
      named |= strcmp(a->name, own[k]) == 0;
    for (int k = 0; k < 3 && !named; k++)
      a->dependent |= follows(p, a, own[k]);
  }
}

static void find_axes(struct plot_points *p) {
  free_axes(p);
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->point[i].at.n; k++) {
      struct plot_axis *a = axis(p, p->point[i].at.at[k].name);
      const char *v = p->point[i].at.at[k].value;
      size_t at = 0;
      while (at < a->n && strcmp(a->value[at], v) != 0)
        at++;
      if (at == a->n)
        VEC_PUSH(a->value, a->n, a->cap) = v;
    }
  for (size_t i = 0; i < p->naxes; i++) {
    struct plot_axis *a = &p->axis[i];
    a->numbers = true;
    for (size_t k = 0; k < a->n; k++)
      number(a->value[k], &a->numbers);
    if (a->numbers)
      qsort(a->value, a->n, sizeof *a->value, by_number);
    for (size_t k = 0; k < p->n; k++)
      a->lacking |= !lab_pairs_get(&p->point[k].at, a->name);
  }
  find_dependent(p);
}

bool plot_points_read(struct lab_store *s, const char *sweep, struct plot_points *out, struct error *err) {
  *out = (struct plot_points){0};
  if (!choose_sweep(s, sweep, out, err))
    return false;
  read_rows(s, out);
  find_axes(out);
  struct strbuf names = {0};
  sweeps(s, &names);
  if (out->n == 0)
    error_add(err, EXIT_USAGE, "there is no sweep '%.60s' in the database (there: %s)", out->sweep, names.s);
  strbuf_free(&names);
  return out->n > 0;
}

void plot_points_free(struct plot_points *p) {
  for (size_t i = 0; i < p->n; i++)
    lab_pairs_free(&p->point[i].at);
  free(p->point);
  free_axes(p);
  arena_free(&p->mem);
  *p = (struct plot_points){0};
}

const struct plot_axis *plot_axis_find(const struct plot_points *p, const char *name, struct error *err) {
  const char **names = xcalloc(p->naxes + 1, sizeof *names);
  struct strbuf all = {0};
  const struct plot_axis *found = NULL;
  if (strcmp(name, "label") == 0 || strcmp(name, "with") == 0)
    name = "technique";
  for (size_t i = 0; i < p->naxes; i++) {
    names[i] = p->axis[i].name;
    strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    if (strcmp(names[i], name) == 0)
      found = &p->axis[i];
  }
  const char *near = found ? NULL : nearest_match(name, names, (int)p->naxes);
  if (!found)
    error_add(err, EXIT_USAGE, "the sweep has no axis '%.60s' (allowed: %s)%s%s%s", name, strbuf_str(&all),
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&all);
  free(names);
  return found;
}

const char *plot_at(const struct plot_point *p, const char *name) {
  const char *v = lab_pairs_get(&p->at, name);
  return v ? v : "";
}

bool plot_varies(const struct plot_axis *a) {
  return !a->dependent && (a->n > 1 || (a->n == 1 && a->lacking));
}

bool plot_done(const struct plot_point *p) {
  return strcmp(p->state, "done") == 0;
}

static bool among(const char *list, const char *value) {
  size_t n = strlen(value);
  for (; *list; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ','))
    if (strcspn(list, ",") == n && memcmp(list, value, n) == 0)
      return true;
  return false;
}

bool plot_points_where(struct plot_points *p, const char *rule, struct error *err) {
  const char *equals = strchr(rule, '=');
  if (!equals)
    return error_add(err, EXIT_USAGE, "'%.60s' chooses nothing (allowed: AXIS=VALUE,VALUE)", rule);
  char *name = xstrndup(rule, (size_t)(equals - rule));
  const struct plot_axis *a = plot_axis_find(p, name, err);
  free(name);
  if (!a)
    return false;
  const char *axis_name = a->name;
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++)
    n += among(equals + 1, plot_at(&p->point[i], axis_name));
  if (n == 0) {
    struct strbuf all = {0};
    for (size_t i = 0; i < a->n; i++)
      strbuf_addf(&all, "%s%s", i ? ", " : "", a->value[i]);
    error_add(err, EXIT_USAGE, "no point has '%.60s' (allowed: %s)", rule, strbuf_str(&all));
    strbuf_free(&all);
    return false;
  }
  n = 0;
  for (size_t i = 0; i < p->n; i++)
    if (among(equals + 1, plot_at(&p->point[i], axis_name)))
      p->point[n++] = p->point[i];
    else
      lab_pairs_free(&p->point[i].at);
  p->n = n;
  find_axes(p);
  return true;
}
