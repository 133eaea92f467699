#include "paper/mean.h"
#include "lab/aggregate.h"
#include <math.h>
#include <stdbool.h>

const char *const mean_names[] = {"none", "geomean", "mean", 0};

double mean_of(enum mean_kind kind, const double *values, size_t n) {
  if (kind == MEAN_NONE)
    return NAN;
  struct lab_mean m = kind == MEAN_GEOMETRIC ? lab_geomean(values, n) : lab_mean(values, n);
  return m.missing ? (double)NAN : m.value;
}

const char *const spread_names[] = {"none", "range", "deviation", 0};

static double deviation(const double *v, size_t n, double mean, bool logs) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double d = (logs ? log(v[i]) : v[i]) - mean;
    sum += d * d;
  }
  return sqrt(sum / (double)(n - 1));
}

void spread_of(enum spread_kind spread, enum mean_kind kind, const double *v, size_t n, double *low,
               double *high) {
  double mean = mean_of(kind, v, n);
  *low = *high = NAN;
  if (spread == SPREAD_NONE || n < 2 || isnan(mean))
    return;
  if (spread == SPREAD_DEVIATION && kind == MEAN_GEOMETRIC) {
    double d = exp(deviation(v, n, log(mean), true));
    *low = mean / d, *high = mean * d;
  } else if (spread == SPREAD_DEVIATION) {
    double d = deviation(v, n, mean, false);
    *low = mean - d, *high = mean + d;
  } else {
    *low = *high = v[0];
    for (size_t i = 1; i < n; i++)
      *low = fmin(*low, v[i]), *high = fmax(*high, v[i]);
  }
}
