/* The result of a run, and its three forms: a table for people, JSON, CSV. */
#ifndef SLUICE_STAT_REPORT_H
#define SLUICE_STAT_REPORT_H

#include "conf/conf.h"
#include "stat/detail.h"
#include "stat/stat.h"

#define REPORT_SCHEMA 1

struct report_kernel {
  char *name;
  uint32_t grid[3], block[3];
  struct stats *stats;
  struct stat_detail detail;
};

/* What was chosen for a workload: its size, seed and parameters. */
struct report_choice {
  char *name, *value;
};

struct report {
  const char *workload; /* what was run, as given by the user */
  const char *
      status; /* NULL: complete; else what cut the run off or failed: "fault", "stall", "cut", "mismatch", "interrupted" */
  const char *model, *command; /* of the program and how it was called, for the JSON; NULL: not told */
  const char *note;            /* what its numbers leave out, a line each; NULL: nothing */
  const struct conf *conf;     /* resolved */
  struct stats *total;
  struct stat_detail detail;     /* of the run as a whole */
  struct report_kernel *kernels; /* one for each launch, in order */
  size_t n, cap;
  struct report_choice *choices;
  size_t nchoices, cap_choices;
};

/* Takes `stats` and what `detail` (may be NULL) points to. */
void report_add_kernel(struct report *r, const char *name, const uint32_t grid[3], const uint32_t block[3],
                       struct stats *stats, const struct stat_detail *detail);
void report_add_choice(struct report *r, const char *name, const char *value);
void report_free(struct report *r); /* total included, conf not */

void report_table(const struct report *r, struct strbuf *to);
/* What a person reads in ten seconds; for runs on a timing model. */
void report_summary(const struct report *r, struct strbuf *to);
void report_kernels(const struct report *r, const char *const *columns, size_t n, struct strbuf *to);
/* {schema, version, workload, sim.model, sim.command, sim.date, choices: {name: value}, status, note, config: {name: value}, stats: {name: number}, units,
 * histograms, kernels: [{name, grid, block, stats, units, intervals, histograms}]} */
void report_json(const struct report *r, struct strbuf *to);
/* launch,kernel,statistic,value,unit; the run as a whole has launch "total" */
void report_csv(const struct report *r, struct strbuf *to);
/* The intervals of all launches: launch,kernel,cycle and a column for each counter */
void report_series_csv(const struct report *r, struct strbuf *to);

#endif
