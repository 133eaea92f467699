/* What `sluice run` and `sluice launch-plan` share: a workload by name, or a launch file. */
#ifndef SLUICE_CLI_WORKLOAD_H
#define SLUICE_CLI_WORKLOAD_H

#include "cli/cli.h"
#include "workload/workload.h"

/* Rows of a table of options. */
#define CLI_WORKLOAD_OPTIONS                                                                                 \
  {"size", 0,    "SIZE", "Size of a workload: small (default), medium, large.", workload_size_names,         \
   false,  false},                                                                                           \
      {"seed", 0, "N", "Seed of a workload's random input (default 1).", NULL, false, false},                \
      {"param",      'p',                                                                                    \
       "NAME=VALUE", "Change a parameter of a workload; `sluice list workloads --json` shows them.",         \
       NULL,         false,                                                                                  \
       true},                                                                                                \
  {                                                                                                          \
    "input", 0, "FILE", "A graph or matrix (Matrix Market, DIMACS, edge list) for a workload.", NULL, true,  \
        false                                                                                                \
  }

/* The workload of that name. NULL without an error: it is a launch file, by its ending, a slash in it, or
 * because there is such a file and no such workload. NULL with an error: neither. */
const struct workload *cli_workload(const char *command, const char *what, struct error *err);
/* Reads the options above. With k NULL (a launch file) any of them is refused. q->params must be freed. */
bool cli_workload_request(const struct cli_args *a, const struct workload *k, struct workload_request *q,
                          struct error *err);

#endif
