/* Axes: what varies in a sweep. An axis is one parameter with a list of values, or several that vary together
 * (a zip); a set of axes stands for every combination, the last axis varying fastest. */
#ifndef SLUICE_LAB_AXIS_H
#define SLUICE_LAB_AXIS_H

#include "conf/yaml.h"
#include "lab/point.h"

struct lab_axis {
  const char **name;  /* [nnames] */
  const char **value; /* [n][nnames] */
  size_t nnames, n;
};
struct lab_axes {
  struct lab_axis *at;
  size_t n, cap;
};

/* {name: value | [values], …}: an axis for each name. The strings are the document's. */
bool lab_axes_read(struct lab_axes *a, const struct yaml_node *map, struct error *err);
/* {name: [values], …}: one axis; the lists have the same length. */
bool lab_axes_read_zip(struct lab_axes *a, const struct yaml_node *map, struct error *err);
void lab_axes_free(struct lab_axes *a);

enum { LAB_AXES_MAX = 1 << 24 };
/* Combinations, 1 without axes; LAB_AXES_MAX stands for all that are more. */
size_t lab_axes_points(const struct lab_axes *a);
/* Puts the values of combination i. */
void lab_axes_put(const struct lab_axes *a, size_t i, struct lab_pairs *to);

#endif
