#include "paper/mean.h"
#include "lab/aggregate.h"
#include <math.h>

const char *const mean_names[] = {"none", "geomean", "mean", 0};

double mean_of(enum mean_kind kind, const double *values, size_t n) {
  if (kind == MEAN_NONE)
    return NAN;
  struct lab_mean m = kind == MEAN_GEOMETRIC ? lab_geomean(values, n) : lab_mean(values, n);
  return m.missing ? (double)NAN : m.value;
}
