/* What two results differ in: runs (the JSON or CSV of `sluice run`) or databases, by name and size of the
 * change. */
#ifndef SLUICE_LAB_DIFF_H
#define SLUICE_LAB_DIFF_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

/* A statistic, parameter or state of one point (of a run: where is ""). */
struct lab_change {
  char *where, *name;
  char *a, *b;   /* as text; NULL: not there */
  double change; /* relative, (b - a) / |a|; infinite where that says nothing: those come first,
                    what one of them lacks comes last */
};
struct lab_diff {
  struct lab_change *at; /* largest change first */
  size_t n, cap;
  size_t compared, points, only_a, only_b; /* values; points of both; points of one */
};

/* False after filling err. What tells of the host (sim.) is not compared. */
bool lab_diff(const char *a, const char *b, struct lab_diff *out, struct error *err);
void lab_diff_free(struct lab_diff *d);

#endif
