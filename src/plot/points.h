/* The points of a sweep by their coordinates.
 *
 * A coordinate is a value on an axis: workload, gpu, technique (its label), size, seed, or a parameter that the sweep
 * sets. A point lacks the axes that it does not set. A parameter of which a sweep takes the best value is no axis. */
#ifndef SLUICE_PLOT_POINTS_H
#define SLUICE_PLOT_POINTS_H

#include "lab/store.h"

struct plot_axis {
  const char *name;
  const char **value; /* different ones, in the order of the sweep; all numbers: in their order */
  size_t n, cap;
  bool numbers, lacking; /* some points lack it */
  bool dependent;        /* workload, technique or GPU determines it */
};

struct plot_point {
  const char *id, *state;
  struct lab_pairs at;
  const char *best_param, *best_by; /* of several points with the same coordinates; NULL: the only one */
  const char *best_value;
};

struct plot_points {
  const char *sweep;
  struct plot_point *point;
  size_t n, cap;
  struct plot_axis *axis;
  size_t naxes, cap_axes;
  struct arena mem;
};

/* `sweep` NULL: the only one there is. */
bool plot_points_read(struct lab_store *s, const char *sweep, struct plot_points *out, struct error *err);
/* Keeps the points that have one of the values on the axis: "AXIS=VALUE,VALUE". */
bool plot_points_where(struct plot_points *p, const char *rule, struct error *err);
void plot_points_free(struct plot_points *p);

/* An axis by name ("label" and "with" are the technique's); NULL after an error that lists the axes. */
const struct plot_axis *plot_axis_find(const struct plot_points *p, const char *name, struct error *err);
const char *plot_at(const struct plot_point *p, const char *axis); /* "" where it lacks the axis */
bool plot_varies(const struct plot_axis *a); /* points differ there that are else the same */
bool plot_done(const struct plot_point *p);

#endif
