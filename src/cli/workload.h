/* What commands that run something share: the workload, launch file or recorded stream with its input, and the run, through the public
 * interface (sluice.h). */
#ifndef SLUICE_CLI_WORKLOAD_H
#define SLUICE_CLI_WORKLOAD_H

#include "cli/cli.h"
#include "cli/names.h"
#include "sluice.h"

struct cli_input {
  enum sluice_subject kind;
  struct sluice_input in; /* size 0: none, of a launch file or recorded stream */
  uint64_t seed;
};

/* Reads CLI_WORKLOAD_OPTIONS, --verify and --no-verify; `command` is for messages. With a launch file or stream any of them is refused. */
bool cli_input_read(const struct cli_args *a, struct sluice *s, const char *command, const char *what,
                    struct cli_input *to, struct error *err);
void cli_input_free(struct cli_input *k);

/* Runs it; warnings go to standard error. False after an error, with the exit code that it stands for. */
bool cli_simulate(struct sluice *s, const char *what, const struct sluice_input *in, struct error *err);
/* --progress and --quiet for sluice_options.show. */
uint32_t cli_show(const struct cli_args *a, struct error *err);
/* A call on a handle: its failure is the command's. */
bool cli_told(struct sluice *s, enum sluice_status status, struct error *err);

#endif
