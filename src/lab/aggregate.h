/* Numbers over several points. What is missing never counts as something else: it is counted apart. */
#ifndef SLUICE_LAB_AGGREGATE_H
#define SLUICE_LAB_AGGREGATE_H

#include "lab/store.h"

/* A mean over values of which some are missing (NAN). */
struct lab_mean {
  double value; /* NAN without values */
  size_t n, missing;
};
struct lab_mean lab_geomean(const double *v, size_t n); /* a value that is not positive is missing, too */
struct lab_mean lab_mean(const double *v, size_t n);

/* A statistic of a point, NAN unless it is done and has it. */
double lab_stat(struct lab_store *s, const struct lab_point *p, const char *name);
/* Statistic of `p` over that of `base`: NAN if either is missing or the base is zero. */
double lab_ratio(struct lab_store *s, const struct lab_point *p, const struct lab_point *base,
                 const char *name);
/* How many times faster: cycles of `base` over those of `p`. */
double lab_speedup(struct lab_store *s, const struct lab_point *p, const struct lab_point *base);

/* Of the points that differ from point i only in its best_param, the one that is best by its best_by, the
 * first of equals. A point without best_param is its own best. */
struct lab_best {
  size_t index;   /* SIZE_MAX: none is done */
  size_t missing; /* candidates that are not done: the choice may be another with them */
};
struct lab_best lab_best(struct lab_store *s, const struct lab_points *p, size_t i);

#endif
