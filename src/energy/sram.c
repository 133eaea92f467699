#include "energy/sram.h"
#include <math.h>

enum { AXES = 3, COLUMNS = 5, MOST_VALUES = 16 }; /* node, ways, block; sizes are each series' own */

static double axis(const struct sram *m, int i) {
  return i == 0 ? m->node_nm : i == 1 ? m->ways : m->block_bytes;
}

/* Where a value lies on a logarithmic axis: between `low` and `high`, or outside, `part` of the way. */
struct place {
  double low, high, part;
};

static double part_of_way(double v, double low, double high) {
  return low < high ? log(v / low) / log(high / low) : 0;
}

/* The values there are along an axis, ascending. */
static size_t values(enum sram_kind kind, int along, double *v) {
  size_t n = 0;
  for (size_t i = 0; i < sram_npoints; i++) {
    double x = axis(&sram_points[i].of, along);
    size_t k = 0;
    while (k < n && v[k] < x)
      k++;
    if (sram_points[i].of.kind != kind || (k < n && v[k] <= x) || n == MOST_VALUES)
      continue;
    for (size_t j = n++; j > k; j--)
      v[j] = v[j - 1];
    v[k] = x;
  }
  return n;
}

static struct place place_of(const struct sram *m, int along) {
  double v[MOST_VALUES], x = axis(m, along);
  size_t n = values(m->kind, along, v), i = 1;
  if (n < 2)
    return (struct place){v[0], v[0], 0};
  while (i + 1 < n && v[i] < x)
    i++;
  return (struct place){v[i - 1], v[i], part_of_way(x, v[i - 1], v[i])};
}

/* The sizes of one kind, node, ways and block: three at least. */
static const struct sram_point *series_of(enum sram_kind kind, const double corner[AXES], size_t *n) {
  const struct sram_point *first = NULL;
  *n = 0;
  for (const struct sram_point *p = sram_points; p < sram_points + sram_npoints; p++) {
    bool here = p->of.kind == kind;
    for (int i = 0; i < AXES; i++)
      here &= fabs(axis(&p->of, i) - corner[i]) < 1e-9;
    first = here && !first ? p : first;
    *n += here;
  }
  return first;
}

/* Adds `weight` times the logarithms of a series' costs at m's size. */
static void add_series(const struct sram_point *s, size_t n, const struct sram *m, double weight,
                       double sum[COLUMNS], bool *beyond) {
  size_t i = 1;
  while (i + 1 < n && s[i].of.bytes < m->bytes)
    i++;
  const struct sram_point *a = &s[i - 1], *b = &s[i];
  double part = part_of_way(m->bytes, a->of.bytes, b->of.bytes);
  *beyond |= part < 0 || part > 1;
  for (int k = 0; k < COLUMNS; k++)
    if (a->cost[k] > 0) /* what a kind does not have is 0 in all of it */
      sum[k] += weight * (log(a->cost[k]) + part * log(b->cost[k] / a->cost[k]));
}

struct sram_cost sram_cost(const struct sram *m) {
  struct place at[AXES];
  double sum[COLUMNS] = {0};
  struct sram_cost out = {0};
  const struct sram_point *s = NULL;
  for (int i = 0; i < AXES; i++) {
    at[i] = place_of(m, i);
    out.beyond |= at[i].part < 0 || at[i].part > 1;
  }
  for (unsigned c = 0; c < 1u << AXES; c++) {
    double corner[AXES], weight = 1;
    for (int i = 0; i < AXES; i++) {
      bool high = c >> i & 1;
      corner[i] = high ? at[i].high : at[i].low;
      weight *= high ? at[i].part : 1 - at[i].part;
    }
    size_t n;
    s = series_of(m->kind, corner, &n);
    if (fabs(weight) > 1e-12)
      add_series(s, n, m, weight, sum, &out.beyond);
  }
  int k = 0;
#define X(field, unit, help)                                                                                 \
  out.field = s->cost[k] > 0 ? exp(sum[k]) : 0;                                                              \
  k++;
  SRAM_COSTS(X)
#undef X
  return out;
}
