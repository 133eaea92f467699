/* sluice point: one point of a sweep, in a process of its own. */
#include "cli/cli.h"
#include "lab/work.h"

static const struct cli_option options[] = {
    {"output", 'o', "FILE", "Where the result goes; - (default) is standard output.", NULL, true, false},
};

static int run_point(const struct cli_args *a, struct error *err) {
  if (a->noperands != 1) {
    error_add(err, EXIT_USAGE, "sluice point: name one file that describes a point");
    return EXIT_USAGE;
  }
  const char *output = cli_value(a, "output");
  lab_work(a->operands[0], output ? output : "-", err);
  return err->code;
}

const struct cli_command cli_point = {
    .name = "point",
    .summary = "Run one point of a sweep.",
    .operands = "FILE",
    .details = "Runs the point that a file describes and writes its result: what the launchers of `sluice "
               "sweep` start.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .hidden = true,
    .run = run_point,
};
