/* The runs that a paper's figures need, each once, as points of the lab. */
#ifndef SLUICE_PAPER_PLAN_H
#define SLUICE_PAPER_PLAN_H

#include "lab/point.h"
#include "paper/paper.h"

/* What runs assume beyond their configuration: a reading, and for a figure of changes one of those. */
struct paper_variant {
  const struct paper_reading *reading;
  const struct paper_change *change; /* or NULL */
};

struct paper_plan {
  const struct paper *paper;
  const size_t *readings; /* of the paper, in the order they are shown in */
  size_t nreadings;
  struct paper_figure *figures; /* the paper's, with a series for each reading (or each change) */
  size_t nfigures;
  struct paper_variant *variants; /* the readings, then what figures of changes need */
  size_t nvariants, capvariants;
  bool quick;
  const char *const *only; /* ids of the figures wanted; nonly 0: all */
  size_t nonly;
  struct lab_points points;
  /* [(variant * nconfigs + config) * nworkloads + workload]: its first point (one for each value of a best-of);
   * SIZE_MAX: none */
  size_t *first;
  struct arena mem;
};

struct paper_form {
  bool quick; /* the workloads and figures that the file's `quick` names */
  const char *const *only;
  size_t nonly;
  bool all_readings;
  const char *const *readings; /* by name; none: the chosen one */
  size_t nreadings;
};
/* False after an error that names file, line and configuration. What `form` points to must outlive the plan. */
bool paper_plan_make(struct paper_plan *plan, const struct paper *p, struct paper_form form,
                     struct error *err);
void paper_plan_free(struct paper_plan *plan);

bool paper_plan_shows(const struct paper_plan *plan, const struct paper_figure *f);
/* A figure of the plan by its id; NULL: none. */
const struct paper_figure *paper_plan_figure(const struct paper_plan *plan, const char *id);
/* Fills figures and variants for the plan's readings; part of paper_plan_make(). */
void paper_plan_expand(struct paper_plan *plan);
/* Candidates of a configuration in this form. */
size_t paper_plan_values(const struct paper_plan *plan, const struct paper_config *c,
                         const char *const **values);
/* The i-th candidate's point, or NULL if no figure needs it. */
const struct lab_point *paper_plan_point(const struct paper_plan *plan, size_t variant,
                                         const struct paper_config *c, size_t workload, size_t i);

#endif
