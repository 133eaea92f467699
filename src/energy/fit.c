#include "energy/fit.h"
#include <stdlib.h>

static void *must(void *p) {
  if (!p)
    abort();
  return p;
}

/* The lower half of a symmetric matrix becomes its Cholesky factor. False: not positive definite. */
static bool factor(double *a, size_t n) {
  for (size_t j = 0; j < n; j++)
    for (size_t i = j; i < n; i++) {
      const double *u = a + i * n, *v = a + j * n;
      double sum = u[j];
      for (size_t k = 0; k < j; k++)
        sum -= u[k] * v[k];
      if (i == j && !(sum > 0))
        return false;
      a[i * n + j] = i == j ? sqrt(sum) : sum / v[j];
    }
  return true;
}

double fit_solve(const struct fit_shape *s, const struct sram_point *const *p, size_t n, int column,
                 double *weight, double *mean) {
  double(*x)[FIT_AXES] = must(calloc(n, sizeof *x)), *a = must(calloc(n * n, sizeof *a)), unlikely = 0;
  *mean = 0;
  for (size_t i = 0; i < n; i++) {
    fit_place(&p[i]->of, x[i]);
    *mean += log(p[i]->cost[column]) / (double)n;
    for (size_t j = 0; j <= i; j++)
      a[i * n + j] = fit_covariance(s, x[i], x[j]);
    a[i * n + i] += s->noise * s->noise;
  }
  bool solved = factor(a, n);
  for (size_t i = 0; solved && i < n; i++) {
    double sum = log(p[i]->cost[column]) - *mean;
    for (size_t k = 0; k < i; k++)
      sum -= a[i * n + k] * weight[k];
    weight[i] = sum / a[i * n + i];
    unlikely += log(a[i * n + i]) + weight[i] * weight[i] / 2;
  }
  for (size_t i = n; solved && i-- > 0;) {
    for (size_t k = i + 1; k < n; k++)
      weight[i] -= a[k * n + i] * weight[k];
    weight[i] /= a[i * n + i];
  }
  free(x);
  free(a);
  return solved ? unlikely : INFINITY;
}

double fit_cost(const struct fit_shape *s, const struct sram_point *const *p, size_t n, const double *weight,
                double mean, const struct sram *of) {
  double x[FIT_AXES], at[FIT_AXES];
  fit_place(of, at);
  for (size_t i = 0; i < n; i++) {
    fit_place(&p[i]->of, x);
    mean += weight[i] * fit_covariance(s, at, x);
  }
  return exp(mean);
}

struct fit_shape fit_search(const struct sram_point *const *p, size_t n, int column) {
  enum { PARAMETERS = FIT_AXES + 3, ROUNDS = 8 };
  const double least[PARAMETERS] = {0.3, 0.3, 0.3, 0.3, 0.003, 0.0005, 0.003}, most = 60;
  struct fit_shape s = {{3, 2, 3, 2}, 0.5, 0.1, 0.03};
  double *const value[PARAMETERS] = {&s.length[0], &s.length[1], &s.length[2], &s.length[3],
                                     &s.amplitude, &s.jump,      &s.noise};
  double step[PARAMETERS] = {1, 1, 1, 1, 1, 1, 1}, *weight = must(calloc(n, sizeof *weight)), mean;
  double best = fit_solve(&s, p, n, column, weight, &mean);
  for (int round = 0; round < ROUNDS; round++)
    for (int k = 0; k < PARAMETERS; k++) {
      double old = *value[k];
      bool better = false;
      for (int sign = -1; sign <= 1 && !better; sign += 2) {
        *value[k] = old * exp(sign * step[k]);
        if (*value[k] < least[k] || *value[k] > most)
          continue;
        double now = fit_solve(&s, p, n, column, weight, &mean);
        better = now < best - 1e-3;
        best = better ? now : best;
      }
      *value[k] = better ? *value[k] : old;
      step[k] *= better ? 1.2 : 0.5;
    }
  free(weight);
  return s;
}

static uint32_t mix(uint32_t h) {
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

unsigned fit_fold(const struct sram *m, unsigned seed, unsigned folds, bool whole_sizes) {
  uint32_t h = mix(mix(seed) ^ (uint32_t)m->bytes);
  if (!whole_sizes)
    h = mix(mix(mix(h ^ (uint32_t)m->block_bytes) ^ m->ways) ^ m->node_nm);
  return h % folds;
}
