/* What two results differ in: runs (the JSON or CSV of `sluice run`) or databases, by name and size of the
 * change. */
#ifndef SLUICE_LAB_DIFF_H
#define SLUICE_LAB_DIFF_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

/* What a reader asks first comes first: did it end, how long did it take, how well did caches and DRAM do; then
 * where the time went; then everything else; what was asked for stands apart. */
enum lab_part {
  LAB_PART_HEAD,   /* state, cycles, IPC, hit rates, bandwidth: in this order */
  LAB_PART_STACKS, /* stall.* and latency.*: by points of their stack */
  LAB_PART_REST,   /* by the ratio; then what was or became zero, by size */
  LAB_PART_CONFIG, /* configuration and choices, by name */
};
extern const char *const lab_part_names[]; /* answer, stacks, statistics, configuration; NULL at the end */

/* A statistic, parameter or state of one point (of a run: where is ""). */
struct lab_change {
  enum lab_part part;
  char *where, *name;
  char *a, *b;   /* as text; NULL: not there */
  double change; /* relative, (b - a) / |a|; infinite where that says nothing */
  double points; /* of its stack, in percent; NaN: it is part of none */
};
struct lab_diff {
  struct lab_change *at; /* by part, and in it by what counts there */
  size_t n, cap;
  size_t compared, points, only_a, only_b; /* values; points of both; points of one */
};

/* False after filling err. What tells of the host (sim.) is not compared. */
bool lab_diff(const char *a, const char *b, struct lab_diff *out, struct error *err);
void lab_diff_free(struct lab_diff *d);

#endif
