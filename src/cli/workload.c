#include "cli/workload.h"
#include "base/mem.h"
#include "base/stop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse_options(const struct cli_args *a, const char *command, const char *what, bool recorded,
                           struct error *err) {
  static const char *const names[] = {"size", "seed", "param", "input", "verify"};
  for (size_t i = 0; i < a->ngiven; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      if (strcmp(a->given[i].option->name, names[k]) == 0)
        error_add(err, EXIT_USAGE, "sluice %s: --%s belongs to workloads; '%.200s' is a %s", command,
                  names[k], what, recorded ? "recorded stream" : "launch file");
}

bool cli_input_read(const struct cli_args *a, struct sluice *s, const char *command, const char *what,
                    struct cli_input *to, struct error *err) {
  *to = (struct cli_input){.kind = sluice_subject(s, what), .seed = 1};
  if (to->kind == SLUICE_NOTHING)
    error_add(err, (int)sluice_error_code(s), "sluice %s: %s", command, sluice_error(s));
  else if (to->kind != SLUICE_WORKLOAD)
    refuse_options(a, command, what, to->kind == SLUICE_RECORDING, err);
  if (to->kind != SLUICE_WORKLOAD)
    return !err->code;
  const char **params = xcalloc(a->ngiven + 1, sizeof *params);
  cli_whole(a, "seed", &to->seed, err);
  to->in = (struct sluice_input){.size = sizeof to->in,
                                 .scale = cli_value(a, "size"),
                                 .file = cli_value(a, "input"),
                                 .seed = &to->seed,
                                 .params = params,
                                 .check = cli_flag(a, "verify")};
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "param") == 0)
      params[to->in.nparams++] = a->given[i].value;
  if (to->in.check && cli_flag(a, "no-verify"))
    error_add(err, EXIT_USAGE, "sluice %s: --verify and --no-verify exclude each other", command);
  cli_workload_size(command, to->in.scale, err);
  return !err->code;
}

void cli_input_free(struct cli_input *k) {
  free((void *)k->in.params);
}

/* The exit code of a failure; a signal that asked for it: 128 + signal. A bug ends the process where somebody may look at it. */
static int exit_code(struct sluice *s, enum sluice_status status) {
  if (status == SLUICE_E_INTERNAL) {
    fprintf(stderr, "sluice: internal error: %s\n", sluice_error(s));
    abort();
  }
  return status == SLUICE_E_CANCELLED ? 128 + stop_asked()
         : status == SLUICE_E_MEMORY  ? EXIT_RUNTIME
                                      : (int)status;
}

bool cli_told(struct sluice *s, enum sluice_status status, struct error *err) {
  return !status || error_add(err, exit_code(s, status), "%s", sluice_error(s));
}

static void warn(void *unused, const char *text) {
  (void)unused;
  fflush(stdout);
  fprintf(stderr, "%s\n", text);
}

bool cli_simulate(struct sluice *s, const char *what, const struct sluice_input *in, struct error *err) {
  sluice_on_warning(s, warn, NULL);
  return cli_told(s, sluice_run(s, what, in->size ? in : NULL), err);
}

uint32_t cli_show(const struct cli_args *a, struct error *err) {
  static const uint32_t shows[] = {[PROGRESS_NONE] = 0, [PROGRESS_AUTO] = 1, [PROGRESS_PLAIN] = 2};
  return shows[cli_progress(a, err)];
}
