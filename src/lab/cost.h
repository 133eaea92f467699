/* What a point will take: length of its stream times a measured rate.
 *
 * Best known comes first: what the same workload took on the same GPU, or on another; the instructions that
 * measured.yaml counts at this size, at the rate of this database's points (on the same GPU, or all); at the rate of
 * a small run made for the purpose. */
#ifndef SLUICE_LAB_COST_H
#define SLUICE_LAB_COST_H

#include "lab/store.h"

struct lab_cost {
  double seconds; /* of one processor */
  uint64_t kib;   /* of memory */
  bool known;     /* false: the mean of those that are */
};

/* One for each point; free it. `s` may be NULL: no results yet. */
struct lab_cost *lab_costs(struct lab_store *s, const struct lab_points *p);

#endif
