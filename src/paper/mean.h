/* Averages. NaN values must not be given: what is missing never enters an average. */
#ifndef SLUICE_PAPER_MEAN_H
#define SLUICE_PAPER_MEAN_H

#include <stddef.h>

enum mean_kind { MEAN_NONE, MEAN_GEOMETRIC, MEAN_ARITHMETIC };
extern const char *const mean_names[]; /* none, geomean, mean; NULL at the end */

/* NaN for no values, and for a geometric mean of values that are not all above zero. */
double mean_of(enum mean_kind kind, const double *values, size_t n);

/* How far values lie around their mean: from the least to the greatest, or by a standard deviation (of the logarithms, for
 * a geometric mean). NaN for fewer than two values. */
enum spread_kind { SPREAD_NONE, SPREAD_RANGE, SPREAD_DEVIATION };
extern const char *const spread_names[]; /* none, range, deviation; NULL at the end */
void spread_of(enum spread_kind spread, enum mean_kind mean, const double *values, size_t n, double *low,
               double *high);

#endif
