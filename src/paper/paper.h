/* A paper's experiments: which runs, what is read from them, and what the paper found.
 *
 *   papers/NAME.yaml ── paper_load ──▶ struct paper ── plan.h ──▶ points ── lab ──▶ results
 *                                           └──────── table.h ◀──────────────────────┘
 *                                                        └──▶ figures, verdicts (verdict.h), pages (page.h)
 *
 * docs/papers.md describes the file. A figure is a table of workloads against series; a series is a configuration
 * (a GPU with techniques and parameters) under a metric. All names in it are checked when it is loaded. */
#ifndef SLUICE_PAPER_PAPER_H
#define SLUICE_PAPER_PAPER_H

#include "base/error.h"
#include "base/mem.h"
#include "figure/figure.h"
#include "paper/expr.h"
#include "paper/mean.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct paper_setting {
  const char *name, *value;
};

struct paper_config {
  const char *name, *gpu;
  const char *with;          /* as --with takes it; "" for none */
  struct paper_setting *set; /* the file's own `set` first, then this configuration's */
  size_t nset, nshared;      /* nshared: how many of them are the file's */
  bool own_gpu;              /* names its GPU itself, so that a reading's does not replace it */
  const char *best;          /* parameter of which the best value is taken for each workload, or NULL */
  const char **values, **quick_values;
  size_t nvalues, nquick_values;
  const struct expr *by; /* the greatest of this is best */
  double x;              /* where it lies in a figure over x; NaN: not given */
  uint32_t subset;       /* of `subsets`: bit i for the i-th technique */
  bool is_subset;
  unsigned line; /* of the file */
};

struct paper_workload {
  const char *name;  /* of the workload */
  const char *label; /* the paper's name for it */
  const char *size, *quick_size;
  struct paper_setting *params;
  size_t nparams;
};

struct paper_set {
  const char *name;
  size_t *workloads; /* of the paper */
  size_t n;
};

/* What a run assumes beyond its configuration: settings under those of configurations, parameters of workloads. */
struct paper_param {
  size_t workload;
  struct paper_setting setting;
};
struct paper_assumption {
  const char *name;
  const char *gpu; /* in place of the file's, or NULL */
  struct paper_setting *set;
  size_t nset;
  struct paper_param *params;
  size_t nparams;
  unsigned line; /* of the file */
};

/* A named set of assumptions under which all figures can be made. `basis` says where it comes from. */
enum paper_basis { BASIS_TEXT, BASIS_SIMULATOR, BASIS_CHOICE };
extern const char *const paper_basis_names[]; /* text, simulator, choice; NULL at the end */
struct paper_reading {
  struct paper_assumption is;
  enum paper_basis basis;
  const char *reason, *support;
};

/* One assumption changed alone: a bar of a figure of kind tornado. Configurations that it does not replace are NULL. */
struct paper_change {
  struct paper_assumption is;
  const struct paper_config *config, *over;
};

enum paper_scale { SCALE_VALUE, SCALE_RATIO, SCALE_PERCENT, SCALE_CHANGE }; /* CHANGE: 100 (x - 1) */

struct paper_group {
  const struct paper_set *set;
  enum mean_kind mean;
  const char *label; /* of its average */
};

struct paper_series {
  const char *name;
  const struct paper_config *config;
  const struct paper_config *over; /* values are divided by those of this one; NULL: not */
  const struct expr *metric;
  const char *curve; /* shape curves: the line it is a point of */
  double x;          /* ... and where */
  size_t variant;    /* in a plan: what its runs assume (plan.h) */
};

/* What the paper says about one cell: a number, or bounds. */
struct paper_number {
  size_t series;
  size_t reading;  /* in a plan: which of the readings that are shown */
  const char *at;  /* a workload's label or an average's */
  double value;    /* NaN: only bounds */
  double min, max; /* -inf, inf: none */
  unsigned line;   /* of the file */
};

/* WORKLOADS: rows across, a colour for each series. SERIES: series across, a colour for each row. AVERAGES: the same with
 * averages only. CURVES: series are points of lines, of the first average or else the first workload. PAIRS, PARETO: of
 * the file's subsets. CHANGES: the first average (or workload) of the only series, with each of `changes` alone. */
enum paper_shape {
  SHAPE_WORKLOADS,
  SHAPE_SERIES,
  SHAPE_AVERAGES,
  SHAPE_CURVES,
  SHAPE_PAIRS,
  SHAPE_PARETO,
  SHAPE_CHANGES
};

/* Workloads of a group: as the file has them, by name, or by the first series' value. */
enum paper_order { ORDER_FILE, ORDER_NAME, ORDER_VALUE };

struct paper_figure {
  const char *id, *title, *about;
  enum figure_kind kind;
  enum paper_shape shape;
  const char *xlabel, *ylabel;
  bool log_x, log_y, quick;
  enum paper_scale scale;
  const struct paper_config *over; /* of series that name none */
  struct paper_group *groups;
  size_t ngroups;
  struct paper_group overall; /* over all groups; mean NONE: none */
  struct paper_series *series;
  size_t nseries;
  const struct expr *cost; /* shape pareto: how far to the right */
  const struct paper_config
      *cost_over; /* its mean change against this, in percent; NULL: of one workload, as it is */
  struct paper_change *changes;
  size_t nchanges;
  size_t nreadings; /* in a plan: series and numbers lie in groups of this many, one for each reading */
  struct paper_number *numbers;
  size_t nnumbers;
  struct figure_look look;
  enum paper_order order;
  enum spread_kind spread; /* error bars of averages */
};

struct paper_absent { /* what the paper shows and simulation here does not */
  const char *id, *what, *why;
};

struct paper {
  const char *file; /* as given, for messages */
  const char *name, *title, *about;
  struct paper_workload *workloads;
  size_t nworkloads;
  struct paper_set *sets;
  size_t nsets;
  struct paper_config *configs;
  size_t nconfigs;
  struct paper_figure *figures;
  size_t nfigures;
  struct paper_absent *absent;
  size_t nabsent;
  struct paper_reading *readings; /* at least one; the file may name none */
  size_t nreadings, chosen;
  const char **subsets; /* techniques of which all subsets are configurations */
  size_t nsubsets;
  bool has_quick; /* there is a quick form */
  bool *quick;    /* its workloads */
  struct arena mem;
};

/* The name of one of papers/ (compiled in) or a file. NULL after reporting every mistake. */
struct paper *paper_load(const char *name_or_path, struct error *err);
struct paper *paper_load_text(const char *file, const char *text, size_t n, struct error *err);
void paper_free(struct paper *p);
const struct paper_config *paper_config(const struct paper *p, const char *name); /* or NULL */

size_t paper_reading(const struct paper *p, const char *name); /* SIZE_MAX: none of that name */

/* The category of a figure that `at` names: a workload of its groups or an average. */
bool paper_figure_has(const struct paper *p, const struct paper_figure *f, const char *at);

#endif
