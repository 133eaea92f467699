/* sluice launch-plan: a workload or launch file with everything it names in one file, for tools/hw. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/workload.h"

static const struct cli_option options[] = {
    CLI_WORKLOAD_OPTIONS,
    {"output", 'o', "FILE", "Where to write the plan; - (default) is standard output.", NULL, true, false},
};

static const struct cli_example examples[] = {
    {"sluice launch-plan examples/gpgpusim/bfs_16K.yaml -o bfs.plan",
     "then, where the GPU is: hwrun bfs.plan"},
    {"sluice launch-plan bfs --size small -o bfs.plan",
     "a workload: what its host did, with what it read back and expected"},
};

static int run_plan(const struct cli_args *a, struct error *err) {
  const char *output = cli_value(a, "output");
  if (a->noperands != 1) {
    error_add(err, EXIT_USAGE, "sluice launch-plan: name one workload or launch file (%zu given)",
              a->noperands);
    return EXIT_USAGE;
  }
  struct sluice *s = cli_handle_of(a, NULL, err);
  struct cli_input input = {0};
  char *plan = NULL;
  size_t n = 0;
  if (s && cli_input_read(a, s, "launch-plan", a->operands[0], &input, err) &&
      cli_told(s, sluice_plan(s, a->operands[0], input.in.size ? &input.in : NULL, &plan, &n), err))
    file_write_atomic(output ? output : "-", plan, n, err);
  sluice_text_free(plan);
  cli_input_free(&input);
  sluice_destroy(s);
  return err->code;
}

const struct cli_command cli_plan = {
    .name = "launch-plan",
    .summary = "Write a workload or launch file as a plan for a real GPU.",
    .operands = "NAME|FILE.yaml",
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
