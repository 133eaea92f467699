/* A figure of any sweep: its points by two of its axes, as they are or measured against a baseline.
 *
 *   database ── points.h ──▶ points by coordinates ── plot_make ──▶ figure
 *
 * What varies beside x and series: workloads and seeds are averaged, other axes make more series. */
#ifndef SLUICE_PLOT_PLOT_H
#define SLUICE_PLOT_PLOT_H

#include "figure/figure.h"
#include "paper/paper.h"
#include "plot/points.h"

struct plot_request {
  const char *x, *series;    /* axes; NULL: chosen */
  const char *const *metric; /* expressions over statistics, or "speedup" */
  size_t nmetrics;           /* 0: the speed-up where there is a baseline, else ipc */
  const char *against;       /* kind scatter: expression to the right */
  const char *over; /* the baseline: a technique's label, or AXIS=VALUE,AXIS=VALUE; "" for none; NULL: the
                                technique "none" where the sweep has it */
  int as;           /* enum paper_scale; -1: a ratio with a baseline, else a value */
  int mean;         /* enum mean_kind; -1: geometric with a baseline, else arithmetic */
  int kind;         /* enum figure_kind; -1: lines over numbers, else bars */
  enum spread_kind spread; /* error bars of averages */
  enum paper_order order;
  bool log_x, log_y;
  const char *title, *xlabel, *ylabel; /* NULL: chosen */
  struct figure_look look;
};

/* NULL after filling err. */
struct figure *plot_make(struct lab_store *s, const struct plot_points *p, const struct plot_request *r,
                         struct error *err);

/* The figure's numbers: for a terminal, and as a page with the drawing. `command` makes it again. */
void plot_text(const struct figure *f, struct strbuf *to);
void plot_page(const struct figure *f, const struct strbuf *svg, const char *command, struct strbuf *to);

#endif
