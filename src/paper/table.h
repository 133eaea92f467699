/* A figure's numbers, from results.
 *
 * Rows are workloads and, behind each group, its average. A run that is missing leaves its cell empty and its workload
 * out of the averages of all series, so that averages in one figure are over the same workloads; the figure says so
 * on its face. */
#ifndef SLUICE_PAPER_TABLE_H
#define SLUICE_PAPER_TABLE_H

#include "paper/plan.h"

/* Where results come from. `stat` is false if the point has no result, or not that statistic; `why` says what became of
 * a point that has none ("stalled", "not run"). */
struct paper_results {
  void *self;
  bool (*stat)(void *self, const struct lab_point *p, const char *name, double *out);
  bool (*done)(void *self, const struct lab_point *p, const char **why);
};

struct paper_row {
  const char *label;
  size_t workload; /* SIZE_MAX: an average */
  const struct paper_group *group;
};

struct paper_table {
  const struct paper_figure *figure;
  struct paper_row *rows;
  size_t nrows;
  double *value;        /* [row * nseries + series], scaled as the figure says; NaN: none */
  bool *undefined;      /* no value although the run is there: 0 / 0 */
  double *low, *high;   /* ends of error bars, of averages; NaN: none */
  double *cost;         /* of each series, where the figure has one; NaN: no run tells */
  size_t runs, missing; /* runs the figure needs, and of those without result */
  struct strbuf note;   /* what it lacks, for its face; empty: nothing */
};

void paper_table_make(struct paper_table *t, const struct paper_plan *plan, const struct paper_figure *f,
                      const struct paper_results *r);
void paper_table_free(struct paper_table *t);
void paper_table_order(struct paper_table *t); /* as its figure wants it */
/* Row of a label; SIZE_MAX: none in this form. */
size_t paper_table_row(const struct paper_table *t, const char *label);

struct figure *paper_table_draw(const struct paper_table *t, const struct paper_plan *plan);

#endif
