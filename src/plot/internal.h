/* Shared by the files that make a figure of points: choose.c (what is asked for), plot.c (cells). */
#ifndef SLUICE_PLOT_INTERNAL_H
#define SLUICE_PLOT_INTERNAL_H

#include "plot/group.h"
#include "plot/plot.h"

struct names {
  char **at;
  size_t n, cap;
};

struct metric {
  const char *text;
  const struct expr *expr;
  bool inverse; /* speed-up: less is better */
};

struct plotter {
  struct lab_store *store;
  const struct plot_points *p;
  const struct plot_request *r;
  struct error *err;
  struct arena mem;
  struct plot_groups groups;
  const struct plot_axis *x, *series; /* series NULL: what varies otherwise */
  struct lab_pairs over;
  struct metric *metric;
  size_t nmetrics;
  const struct expr *against;
  struct names stats, rows, lines,
      apart; /* lines: names of series, without metrics; apart: what is averaged over */
  enum figure_kind kind;
  enum mean_kind mean;
  enum paper_scale as;
};

/* The number of a name, which joins those that are there. */
size_t plot_name(struct names *n, const char *name);
void plot_names_free(struct names *n);
bool plot_is_axis(const struct plot_axis *a, const char *name);
/* Statistics that the points have, baseline, metrics and axes, as asked for. */
bool plot_choose(struct plotter *q);

#endif
