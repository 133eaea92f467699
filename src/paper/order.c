/* The order of a figure's workloads. */
#include "paper/table.h"
#include <math.h>
#include <string.h>

static void swap_rows(struct paper_table *t, size_t a, size_t b) {
  size_t n = t->figure->nseries;
  struct paper_row row = t->rows[a];
  t->rows[a] = t->rows[b];
  t->rows[b] = row;
  for (size_t s = 0; s < n; s++) {
    double v = t->value[a * n + s];
    bool u = t->undefined[a * n + s];
    t->value[a * n + s] = t->value[b * n + s];
    t->undefined[a * n + s] = t->undefined[b * n + s];
    t->value[b * n + s] = v;
    t->undefined[b * n + s] = u;
  }
}

/* By the first series, least first; what is missing comes last. */
static bool before(const struct paper_table *t, size_t a, size_t b) {
  if (t->figure->order == ORDER_NAME)
    return strcmp(t->rows[a].label, t->rows[b].label) < 0;
  double x = t->value[a * t->figure->nseries], y = t->value[b * t->figure->nseries];
  return isnan(y) ? !isnan(x) : x < y;
}

/* Within each group, before its average. */
void paper_table_order(struct paper_table *t) {
  if (t->figure->order == ORDER_FILE || t->figure->nseries == 0)
    return;
  for (size_t i = 1; i < t->nrows; i++)
    for (size_t k = i; k && t->rows[k].workload != SIZE_MAX && t->rows[k - 1].workload != SIZE_MAX &&
                       t->rows[k].group == t->rows[k - 1].group && before(t, k, k - 1);
         k--)
      swap_rows(t, k, k - 1);
}
