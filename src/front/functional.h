/* A launch file from end to end, without a timing model: load, execute, count, check its outputs. */
#ifndef SLUICE_FRONT_FUNCTIONAL_H
#define SLUICE_FRONT_FUNCTIONAL_H

#include "base/progress.h"
#include "conf/conf.h"
#include "stat/report.h"
#include <stdio.h>

struct functional_options {
  enum progress_mode progress;
  FILE *printf_to; /* what kernels print; NULL: stdout */
};

/* Fills report->total, ->kernels and ->status. False with err when the run was cut off or an output differs;
 * the report then holds what was counted until there (report->total is NULL if nothing ran). */
bool functional_run(const char *path, const struct conf *conf, const struct functional_options *o,
                    struct report *report, struct error *err);

#endif
