/* sluice launch-plan: a launch file with everything it names in one file, for tools/hw. */
#include "base/file.h"
#include "cli/cli.h"
#include "front/launch/launch.h"
#include <stdio.h>
#include <stdlib.h>

static const struct cli_option options[] = {
    {"output", 'o', "FILE", "Where to write the plan; - (default) is standard output.", NULL, true, false},
};

static const struct cli_example examples[] = {
    {"sluice launch-plan examples/gpgpusim/bfs_16K.yaml -o bfs.plan",
     "then, where the GPU is: hwrun bfs.plan"},
};

static int run_plan(const struct cli_args *a, struct error *err) {
  const char *output = cli_value(a, "output");
  if (a->noperands != 1) {
    error_add(err, EXIT_USAGE, "sluice launch-plan: name one launch file (%zu given)", a->noperands);
    return EXIT_USAGE;
  }
  struct launch_file *f = launch_file_load(a->operands[0], err);
  if (!f)
    return err->code;
  char *data = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&data, &n);
  bool ok = to && launch_file_write_plan(f, to, err);
  if (!to || fclose(to) != 0)
    ok = error_add(err, EXIT_RUNTIME, "sluice launch-plan: out of memory");
  if (ok)
    file_write_atomic(output ? output : "-", data, n, err);
  free(data);
  launch_file_free(f);
  return err->code;
}

const struct cli_command cli_plan = {
    .name = "launch-plan",
    .summary = "Write a launch file as a plan for a real GPU.",
    .operands = "FILE.yaml",
    .details =
        "Writes one file that holds the launches with the PTX, the inputs and the expected results they "
        "name. tools/hw/hwrun executes it through the CUDA driver, on a machine that needs nothing else "
        "of Sluice (docs/launch-files.md).",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_plan,
};
