#include "cli/workload.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

const struct workload *cli_workload(const char *command, const char *what, struct error *err) {
  struct error why = {0};
  const struct workload *k = workload_or_file(what, &why);
  if (why.code)
    error_add(err, why.code, "sluice %s: %s", command, why.text);
  error_clear(&why);
  return k;
}

bool cli_workload_size(const char *command, const char *size, struct error *err) {
  struct error why = {0};
  enum workload_size unused;
  bool ok = !size || workload_size_read(size, &unused, &why);
  if (!ok)
    error_add(err, why.code, "sluice %s: --%s", command, why.text);
  error_clear(&why);
  return ok;
}

static void read_size(const struct cli_args *a, struct workload_request *q, struct error *err) {
  const char *size = cli_value(a, "size");
  struct error why = {0};
  if (size && !workload_size_read(size, &q->size, &why))
    error_add(err, why.code, "sluice %s: --%s", a->command->name, why.text);
  error_clear(&why);
}

static void refuse_options(const struct cli_args *a, struct error *err) {
  static const char *const names[] = {"size", "seed", "param", "input", "verify"};
  for (size_t i = 0; i < a->ngiven; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      if (strcmp(a->given[i].option->name, names[k]) == 0)
        error_add(err, EXIT_USAGE, "sluice %s: --%s belongs to workloads; '%.200s' is a launch file",
                  a->command->name, names[k], a->operands[0]);
}

bool cli_workload_request(const struct cli_args *a, const struct workload *k, struct workload_request *q,
                          struct error *err) {
  *q = (struct workload_request){.seed = 1};
  if (!k) {
    refuse_options(a, err);
    return !err->code;
  }
  read_size(a, q, err);
  cli_whole(a, "seed", &q->seed, err);
  bool verify = cli_flag(a, "verify"), not = cli_flag(a, "no-verify");
  if (verify && not )
    error_add(err, EXIT_USAGE, "sluice %s: --verify and --no-verify exclude each other", a->command->name);
  q->verify = verify || (q->size == SIZE_SMALL && !not );
  q->input = cli_value(a, "input");
  const char **params = xcalloc(a->ngiven + 1, sizeof *params);
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "param") == 0)
      params[q->nparams++] = a->given[i].value;
  q->params = params;
  return !err->code;
}
