/* Points with the same coordinates, of which the best is taken, and what each is measured against. */
#ifndef SLUICE_PLOT_GROUP_H
#define SLUICE_PLOT_GROUP_H

#include "plot/points.h"

struct plot_group {
  size_t *point; /* of the points */
  size_t n, cap;
  size_t best;        /* the point that is taken; SIZE_MAX: none is done */
  size_t undone;      /* points without result */
  size_t base;        /* the group it is measured against; SIZE_MAX: none */
  size_t row, series; /* where it is shown; SIZE_MAX: nowhere */
  size_t apart;       /* which of the combinations that are averaged over */
  bool whole;         /* every group of that combination has a value */
};

struct plot_groups {
  const struct plot_points *points;
  struct plot_group *at; /* in the order of the sweep */
  size_t n, cap;
};

void plot_groups_make(struct plot_groups *g, struct lab_store *s, const struct plot_points *p);
void plot_groups_free(struct plot_groups *g);

/* Coordinates of a group are those of its first point. */
const char *plot_group_at(const struct plot_groups *g, size_t i, const char *axis);

/* Finds what each group is measured against: the group with the baseline's coordinates and else the same ones. False
 * after an error: no group has those of the baseline, or one has several to choose from. */
bool plot_groups_over(struct plot_groups *g, const struct lab_pairs *over, struct error *err);

#endif
