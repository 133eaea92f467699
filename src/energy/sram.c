#include "energy/fit.h"

/* What of two memories is equal or lies between: size, block, ways, node, sets. */
enum { MEASURES = 5 };

static void measure(const struct sram *m, double v[MEASURES]) {
  v[0] = m->bytes;
  v[1] = m->block_bytes;
  v[2] = m->ways;
  v[3] = m->node_nm;
  v[4] = m->bytes / m->block_bytes / m->ways;
}

static bool same(const struct sram *a, const struct sram *b) {
  return a->kind == b->kind && a->node_nm == b->node_nm && a->ways == b->ways &&
         fabs(a->bytes - b->bytes) < 1e-9 && fabs(a->block_bytes - b->block_bytes) < 1e-9;
}

struct range {
  double least[MEASURES], most[MEASURES];
};

static struct range range_of(enum sram_kind kind) {
  struct range r;
  double at[MEASURES];
  for (int i = 0; i < MEASURES; i++)
    r.least[i] = INFINITY, r.most[i] = 0;
  for (const struct sram_point *p = sram_points; p < sram_points + sram_npoints; p++)
    if (p->of.kind == kind) {
      measure(&p->of, at);
      for (int i = 0; i < MEASURES; i++)
        r.least[i] = fmin(r.least[i], at[i]), r.most[i] = fmax(r.most[i], at[i]);
    }
  return r;
}

static bool outside(const struct sram *m, const struct range *r) {
  double v[MEASURES];
  measure(m, v);
  bool out = false;
  for (int i = 0; i < MEASURES; i++)
    out |= v[i] < r->least[i] * (1 - 1e-9) || v[i] > r->most[i] * (1 + 1e-9);
  return out;
}

static struct sram_cost of_columns(const double v[SRAM_COLUMNS], bool beyond) {
  struct sram_cost out = {.beyond = beyond};
#define X(field, unit, help) out.field = v[SRAM_##field];
  SRAM_COSTS(X)
#undef X
  return out;
}

/* Larger than all points: as many more cells as bytes, and wires as long as their area's edge. */
static double growth(int column, double more) {
  return column == SRAM_area_mm2 || column == SRAM_leakage_mw ? more : sqrt(more);
}

struct sram_cost sram_fitted(const struct sram *m) {
  double at[FIT_AXES], x[FIT_AXES], v[SRAM_COLUMNS];
  struct range r = range_of(m->kind);
  double more = fmax(m->bytes / r.most[0], 1); /* times the largest that CACTI was asked about */
  struct sram of = *m;
  of.bytes /= more;
  fit_place(&of, at);
  for (int c = 0; c < SRAM_COLUMNS; c++)
    v[c] = fit_means[m->kind][c];
  for (size_t i = 0; i < sram_npoints; i++) {
    if (sram_points[i].of.kind != m->kind)
      continue;
    fit_place(&sram_points[i].of, x);
    for (int c = 0; c < SRAM_COLUMNS; c++)
      if (sram_points[i].cost[c] > 0)
        v[c] += fit_weights[i][c] * fit_covariance(&fit_shapes[m->kind][c], at, x);
  }
  for (int c = 0; c < SRAM_COLUMNS; c++) /* what a kind does not have has no shape */
    v[c] = fit_shapes[m->kind][c].noise > 0 ? exp(v[c]) * growth(c, more) : 0;
  return of_columns(v, outside(m, &r));
}

struct sram_cost sram_cost(const struct sram *m) {
  for (size_t i = 0; i < sram_npoints; i++)
    if (same(&sram_points[i].of, m))
      return of_columns(sram_points[i].cost, false);
  return sram_fitted(m);
}

const char *const sram_kind_names[SRAM_KINDS] = {
#define X(constant, name) name,
    SRAM_KIND(X)
#undef X
};
