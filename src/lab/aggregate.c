#include "lab/aggregate.h"
#include <math.h>
#include <string.h>

struct lab_mean lab_geomean(const double *v, size_t n) {
  struct lab_mean m = {0};
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(v[i]) && v[i] > 0) {
      sum += log(v[i]);
      m.n++;
    }
  m.missing = n - m.n;
  m.value = m.n ? exp(sum / (double)m.n) : NAN;
  return m;
}

struct lab_mean lab_mean(const double *v, size_t n) {
  struct lab_mean m = {0};
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(v[i])) {
      sum += v[i];
      m.n++;
    }
  m.missing = n - m.n;
  m.value = m.n ? sum / (double)m.n : NAN;
  return m;
}

double lab_stat(struct lab_store *s, const struct lab_point *p, const char *name) {
  double v;
  return lab_store_stat(s, p->id, name, &v) ? v : NAN;
}

double lab_ratio(struct lab_store *s, const struct lab_point *p, const struct lab_point *base,
                 const char *name) {
  double a = lab_stat(s, p, name), b = lab_stat(s, base, name);
  return b != 0 ? a / b : NAN;
}

double lab_speedup(struct lab_store *s, const struct lab_point *p, const struct lab_point *base) {
  return lab_ratio(s, base, p, "cycles");
}

static bool same(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* Equal but for the parameter that is chosen. */
static bool candidates(const struct lab_point *a, const struct lab_point *b) {
  if (!same(a->workload.identity, b->workload.identity) || !same(a->gpu_label, b->gpu_label) ||
      !same(a->label, b->label) || !same(a->best_param, b->best_param) || a->set.n != b->set.n)
    return false;
  for (size_t i = 0; i < a->set.n; i++)
    if (!same(a->set.at[i].name, a->best_param) &&
        !same(a->set.at[i].value, lab_pairs_get(&b->set, a->set.at[i].name)))
      return false;
  return true;
}

struct lab_best lab_best(struct lab_store *s, const struct lab_points *p, size_t i) {
  const struct lab_point *of = &p->at[i];
  struct lab_best best = {.index = SIZE_MAX};
  double found = NAN;
  bool most = of->best_by && *of->best_by == '+';
  const char *by = of->best_by ? of->best_by + most : "cycles";
  for (size_t k = 0; k < p->n; k++) {
    if (of->best_param ? !candidates(of, &p->at[k]) : k != i)
      continue;
    double v = lab_stat(s, &p->at[k], by);
    if (isnan(v)) {
      best.missing++;
    } else if (isnan(found) || (most ? v > found : v < found)) {
      found = v;
      best.index = k;
    }
  }
  return best;
}
