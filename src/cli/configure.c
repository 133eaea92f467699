/* The configuration that a command line asks for. */
#include "cli/cli.h"
#include "cli/workload.h"
#include "gpu/presets.h"
#include "sluice.h"
#include "tables.h"
#include "tech/tech.h"
#include <stdio.h>
#include <string.h>

/* Options that are parameters under a shorter name. */
static const char *const shortcuts[][2] = {
    {"memcheck", "front.memcheck"},     {"cta-order", "front.cta_order"},
    {"warp-width", "front.warp_width"}, {"max-instructions", "front.max_instructions"},
    {"registers", "front.registers"},
};

static void apply_option(struct conf *c, const struct cli_given *g, struct error *err) {
  if (strcmp(g->option->name, "set") == 0)
    conf_set(c, g->value, err);
  if (strcmp(g->option->name, "with") == 0)
    tech_with(c, g->value, err);
  for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; i++)
    if (strcmp(g->option->name, shortcuts[i][0]) == 0) {
      char origin[32];
      snprintf(origin, sizeof origin, "--%s", shortcuts[i][0]);
      conf_assign(c, shortcuts[i][1], g->value, origin, err);
    }
}

void cli_plugins(const struct cli_args *a, struct error *err) {
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "plugin") == 0)
      tech_plugin(a->given[i].value, err);
}

static void handle_option(struct sluice *s, const struct cli_given *g, struct error *err) {
  if (strcmp(g->option->name, "set") == 0)
    cli_told(s, sluice_assign(s, g->value), err);
  if (strcmp(g->option->name, "with") == 0)
    cli_told(s, sluice_with(s, g->value), err);
  for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; i++)
    if (strcmp(g->option->name, shortcuts[i][0]) == 0) {
      char origin[32];
      snprintf(origin, sizeof origin, "--%s", shortcuts[i][0]);
      cli_told(s, sluice_set_from(s, shortcuts[i][1], g->value, origin), err);
    }
}

struct sluice *cli_handle(const struct cli_args *a, struct error *err) {
  /* --functional has no GPU: its buffers keep the gaps that show overruns */
  return cli_handle_of(a, cli_flag(a, "functional") ? NULL : GPU_PRESET_DEFAULT, err);
}

struct sluice *cli_handle_of(const struct cli_args *a, const char *initial, struct error *err) {
  char why[600];
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "plugin") == 0 &&
        sluice_technique_load(a->given[i].value, why, sizeof why))
      error_add(err, EXIT_USAGE, "%s", why);
  struct sluice *s = sluice_create();
  if (!s) {
    error_add(err, EXIT_RUNTIME, "out of memory");
    return NULL;
  }
  const char *gpu = cli_value(a, "gpu") ? cli_value(a, "gpu") : initial;
  if (gpu)
    cli_told(s, sluice_gpu(s, gpu), err);
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "config") == 0)
      cli_told(s, sluice_config(s, a->given[i].value), err);
  for (size_t i = 0; i < a->ngiven; i++)
    handle_option(s, &a->given[i], err);
  return s;
}

/* The GPU first, then files, then the command line in its order, whatever way they are mixed. */
struct conf *cli_configure(const struct cli_args *a, struct error *err) {
  cli_plugins(a, err); /* they bring parameters of their own */
  struct conf *c = tables_conf();
  const char *gpu = cli_value(a, "gpu");
  if (!gpu && !cli_flag(a, "functional")) /* which has no GPU: its buffers keep the gaps that show overruns */
    gpu = GPU_PRESET_DEFAULT;
  if (gpu)
    gpu_preset_load(c, gpu, err);
  for (size_t i = 0; i < a->ngiven; i++)
    if (strcmp(a->given[i].option->name, "config") == 0)
      conf_load_file(c, a->given[i].value, err);
  for (size_t i = 0; i < a->ngiven; i++)
    apply_option(c, &a->given[i], err);
  return c;
}
