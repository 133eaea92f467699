/* What `sluice sweep` and `sluice paper` have in common: options of running points, plans, the summary. */
#ifndef SLUICE_CLI_LAB_H
#define SLUICE_CLI_LAB_H

#include "cli/cli.h"
#include "lab/run.h"

/* Rows of a table of options. */
#define CLI_LAB_OPTIONS                                                                                      \
  {                                                                                                          \
      "plan", 0,     NULL, "Print how many points there are and what they will take, and stop.",             \
      NULL,   false, false},                                                                                 \
      {"plugin",  0,                                                                                         \
       "FILE.so", "A technique of one's own, from a shared object (docs/techniques/plugin.md).",             \
       NULL,      true,                                                                                      \
       true},                                                                                                \
      {"jobs", 'j', "N", "Points at once (default: as many as there are processors).", NULL, false, false},  \
      {"memory", 0,     "SIZE", "Memory the points may have together (default: 90 % of what is available).", \
       NULL,     false, false},                                                                              \
      {"retry", 0, NULL, "Run points again that failed, stalled or were cut off.", NULL, false, false},      \
      {"launcher",                                                                                           \
       0,                                                                                                    \
       "NAME",                                                                                               \
       "local (default): processes of this machine; slurm: job arrays of a cluster.",                        \
       lab_launcher_names,                                                                                   \
       false,                                                                                                \
       false},                                                                                               \
      {"sbatch",    0,                                                                                       \
       "ARGUMENTS", "slurm: further arguments of sbatch, as in '--partition=long --time=2:00:00'.",          \
       NULL,        false,                                                                                   \
       false},                                                                                               \
      {"cache", 0,    "DIR", "Where recorded streams are kept (default: in the user's cache).",              \
       NULL,    true, false},                                                                                \
      {"cache-limit", 0,                                                                                     \
       "SIZE",        "The most they may take (default 16GiB); 0: record none, execute for each point.",     \
       NULL,          false,                                                                                 \
       false},                                                                                               \
      CLI_PROGRESS_OPTION, {                                                                                 \
    "quiet", 'q', NULL, "Print nothing but errors.", NULL, false, false                                      \
  }

/* False after an error. `*cache` is the folder of streams that `o` points to: free it. */
bool cli_lab_options(const struct cli_args *a, struct lab_options *o, char **cache, struct error *err);
/* Prints what lab_plan() says, or what lab_run() did and which points have no result. The exit code. */
int cli_lab_plan(const struct lab_points *p, const char *db, const struct lab_options *o, struct error *err);
int cli_lab_run(const struct lab_points *p, const char *db, const struct lab_options *o, bool quiet,
                struct error *err);

#endif
