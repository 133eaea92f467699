/* The runs that a paper's figures need, each once, as points of the lab. */
#ifndef SLUICE_PAPER_PLAN_H
#define SLUICE_PAPER_PLAN_H

#include "lab/point.h"
#include "paper/paper.h"

struct paper_plan {
  const struct paper *paper;
  bool quick;
  const char *const *only; /* ids of the figures wanted; nonly 0: all */
  size_t nonly;
  struct lab_points points;
  size_t *
      first; /* [config * nworkloads + workload]: its first point (one for each value of a best-of); SIZE_MAX: none */
};

struct paper_form {
  bool quick; /* the workloads and figures that the file's `quick` names */
  const char *const *only;
  size_t nonly;
};
/* False after an error that names file, line and configuration. What `form` points to must outlive the plan. */
bool paper_plan_make(struct paper_plan *plan, const struct paper *p, struct paper_form form,
                     struct error *err);
void paper_plan_free(struct paper_plan *plan);

bool paper_plan_shows(const struct paper_plan *plan, const struct paper_figure *f);
/* Candidates of a configuration in this form. */
size_t paper_plan_values(const struct paper_plan *plan, const struct paper_config *c,
                         const char *const **values);
/* The i-th candidate's point, or NULL if no figure needs it. */
const struct lab_point *paper_plan_point(const struct paper_plan *plan, const struct paper_config *c,
                                         size_t workload, size_t i);

#endif
