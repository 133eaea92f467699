/* What `sluice run` and `sluice launch-plan` share: a workload by name, or a launch file. */
#ifndef SLUICE_CLI_WORKLOAD_H
#define SLUICE_CLI_WORKLOAD_H

#include "cli/cli.h"
#include "cli/names.h"
#include "workload/workload.h"

/* The workload of that name. NULL without an error: it is a launch file, by its ending, a slash in it, or
 * because there is such a file and no such workload. NULL with an error: neither. */
const struct workload *cli_workload(const char *command, const char *what, struct error *err);
/* Reads the options above. With k NULL (a launch file) any of them is refused. q->params must be freed. */
bool cli_workload_request(const struct cli_args *a, const struct workload *k, struct workload_request *q,
                          struct error *err);

#endif
