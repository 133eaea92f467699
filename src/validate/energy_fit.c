/* Non-negative least squares (Lawson and Hanson, 1974): of all coefficients from 0 up those with the least sum of squared
 * relative errors. */
#include "base/mem.h"
#include "validate/energy.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TURNS = 1000 };

/* a is m x n, by rows. */
struct system {
  size_t m, n;
  double *a, *b;
};

/* x of the columns in `in`, by normal equations and Cholesky's factors; false: they depend on each other. */
static bool solve(const struct system *s, const bool *in, double *x) {
  size_t k = 0, *at = xcalloc(s->n + 1, sizeof *at);
  for (size_t j = 0; j < s->n; j++)
    if (in[j])
      at[k++] = j;
  double *c = xcalloc(k * k + 1, sizeof *c), *y = xcalloc(k + 1, sizeof *y);
  bool ok = true;
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j <= i; j++)
      for (size_t r = 0; r < s->m; r++)
        c[i * k + j] += s->a[r * s->n + at[i]] * s->a[r * s->n + at[j]];
    for (size_t r = 0; r < s->m; r++)
      y[i] += s->a[r * s->n + at[i]] * s->b[r];
  }
  for (size_t i = 0; i < k && ok; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = c[i * k + j], whole = sum;
      for (size_t q = 0; q < j; q++)
        sum -= c[i * k + q] * c[j * k + q];
      if (i == j && !(sum > 1e-10 * whole)) {
        ok = false;
        break;
      }
      c[i * k + j] = i == j ? sqrt(sum) : sum / c[j * k + j];
    }
  for (size_t i = 0; i < k && ok; i++) {
    for (size_t q = 0; q < i; q++)
      y[i] -= c[i * k + q] * y[q];
    y[i] /= c[i * k + i];
  }
  for (size_t i = k; i-- && ok;) {
    for (size_t q = i + 1; q < k; q++)
      y[i] -= c[q * k + i] * y[q];
    y[i] /= c[i * k + i];
  }
  memset(x, 0, s->n * sizeof *x);
  for (size_t i = 0; i < k && ok; i++)
    x[at[i]] = y[i];
  free(at), free(c), free(y);
  return ok;
}

/* The column whose coefficient would lower the sum most, of those outside; s->n: none. */
static size_t steepest(const struct system *s, const bool *in, const bool *tried, const double *x) {
  size_t best = s->n;
  double most = 1e-9;
  for (size_t j = 0; j < s->n; j++) {
    double w = 0, norm = 0;
    if (in[j] || tried[j])
      continue;
    for (size_t r = 0; r < s->m; r++) {
      double rest = s->b[r];
      for (size_t q = 0; q < s->n; q++)
        rest -= s->a[r * s->n + q] * x[q];
      w += s->a[r * s->n + j] * rest;
      norm += s->a[r * s->n + j] * s->a[r * s->n + j];
    }
    if (norm > 0 && w / sqrt(norm) > most)
      most = w / sqrt(norm), best = j;
  }
  return best;
}

static void least_squares(const struct system *s, double *x) {
  bool *in = xcalloc(s->n + 1, sizeof *in), *tried = xcalloc(s->n + 1, sizeof *tried);
  double *z = xcalloc(s->n + 1, sizeof *z);
  size_t j;
  memset(x, 0, s->n * sizeof *x);
  for (int turn = 0; turn < MOST_TURNS && (j = steepest(s, in, tried, x)) < s->n; turn++) {
    in[j] = true;
    if (!solve(s, in, z) || z[j] <= 0) {
      in[j] = false, tried[j] = true;
      continue;
    }
    memset(tried, 0, s->n * sizeof *tried);
    for (;;) {
      double step = 1;
      for (size_t q = 0; q < s->n; q++)
        if (in[q] && z[q] <= 0 && x[q] / (x[q] - z[q]) < step)
          step = x[q] / (x[q] - z[q]);
      for (size_t q = 0; q < s->n; q++)
        x[q] += step * (z[q] - x[q]);
      if (step >= 1)
        break;
      for (size_t q = 0; q < s->n; q++)
        if (in[q] && x[q] <= 1e-12)
          in[q] = false, x[q] = 0;
      if (!solve(s, in, z))
        break;
    }
  }
  free(in), free(tried), free(z);
}

static bool is_fitted(const struct energy_table *t, int row) {
  return t->row[row].known && strncmp(t->row[row].source, "fit:", 4) == 0;
}

/* Microjoules of a launch on the card for a coefficient of 1. */
static double column(const struct energy_case *c, int row) {
  if (c->kind == ENERGY_REST)
    return row == ROW_BOARD ? 1 : 0;
  if (energy_rows[row].unit == UNIT_PJ)
    return 1e-6 * c->amount[row];
  double cycles = c->amount[ROW_BOARD]; /* gpu.cycles */
  return cycles > 0 ? c->us * c->amount[row] / cycles : 0;
}

bool energy_fit(const struct energy_set *e, const struct energy_table *t, double value[NROWS],
                struct error *err) {
  size_t which[NROWS], n = 0, m = 0;
  for (int r = 0; r < NROWS; r++) {
    value[r] = t->row[r].value;
    if (is_fitted(t, r))
      which[n++] = (size_t)r;
  }
  struct system s = {.n = n, .a = xcalloc(e->n * n + 1, sizeof *s.a), .b = xcalloc(e->n + 1, sizeof *s.b)};
  for (size_t i = 0; i < e->n; i++) {
    const struct energy_case *c = &e->at[i];
    double uj = c->watts * c->us, rest = uj;
    if (!c->fitted || (c->kind == ENERGY_MICRO && !isfinite(c->sim_us)))
      continue;
    for (int r = 0; r < NROWS; r++)
      if (t->row[r].known && !is_fitted(t, r))
        rest -= t->row[r].value * column(c, r);
    for (size_t k = 0; k < n; k++)
      s.a[m * n + k] = column(c, (int)which[k]) / uj;
    s.b[m++] = rest / uj;
  }
  s.m = m;
  bool ok =
      m >= n || error_add(err, EXIT_USAGE,
                          "%zu microbenchmarks are too few for %zu coefficients (--micro runs them)", m, n);
  if (ok) {
    double *x = xcalloc(n + 1, sizeof *x);
    least_squares(&s, x);
    for (size_t k = 0; k < n; k++)
      value[which[k]] = x[k];
    free(x);
  }
  free(s.a), free(s.b);
  return ok;
}
