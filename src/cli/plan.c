/* sluice launch-plan: a workload or launch file with everything it names in one file, for tools/hw. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/workload.h"
#include "front/launch/launch.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>

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

/* A workload runs on the executor to find out what its host does. */
static struct launch_file *record(const struct cli_args *a, const struct workload *k, struct error *err) {
  struct workload_request q;
  struct launch_file *f = NULL;
  if (cli_workload_request(a, k, &q, err)) {
    struct conf *conf = tables_conf();
    q.verify = true;
    f = workload_record(k, &q, conf, err);
    conf_free(conf);
  }
  free((void *)q.params);
  return f;
}

static struct launch_file *load(const struct cli_args *a, struct error *err) {
  const struct workload *k = cli_workload("launch-plan", a->operands[0], err);
  struct workload_request q;
  if (k)
    return record(a, k, err);
  return !err->code && cli_workload_request(a, NULL, &q, err) ? launch_file_load(a->operands[0], err) : NULL;
}

static int run_plan(const struct cli_args *a, struct error *err) {
  const char *output = cli_value(a, "output");
  if (a->noperands != 1) {
    error_add(err, EXIT_USAGE, "sluice launch-plan: name one workload or launch file (%zu given)",
              a->noperands);
    return EXIT_USAGE;
  }
  struct launch_file *f = load(a, err);
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
