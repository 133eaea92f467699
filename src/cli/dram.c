/* sluice dram: a trace of requests against one DRAM. */
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "cli/names.h"
#include "dram/params.h"
#include "sluice.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const profile_names[] = {
    "sluice", "sluice-single", "like-dramsim3", "like-ramulator2", "frfcfs-64", "frfcfs-16", NULL};
static const char *const mapping_names[] = {"bglow", "collow", NULL};

static const struct cli_option options[] = {
    {"device", 'd', "PRESET", "A device preset (presets/dram) or file; default ref-ddr4.", NULL, true, false},
    {"mapping", 'm', "MAPPING", "bglow, collow, or a bit string like r16b2c7g2,b0^r0; default: the device's.",
     mapping_names, false, false},
    {"controller", 0, "PROFILE",
     "sluice (default), sluice-single, like-dramsim3, like-ramulator2, frfcfs-64, frfcfs-16, or a YAML file.",
     profile_names, false, false},
    {"refresh", 0, "MODE", "none, allbank (default), perbank.", dram_refresh_names, false, false},
    {"free", 0, "WHAT",
     "An idealisation: none (default), rows (all open), order (only the data bus is left).", dram_ideal_names,
     false, false},
    {"channels", 0, "N", "Independent channels, a power of two; default 1.", NULL, false, false},
    {"lockstep", 0, "N", "Physical channels that act as one wide channel; default 1.", NULL, false, false},
    {"as-fast-as-accepted", 0, NULL, "Present each request as soon as the one before is accepted.", NULL,
     false, false},
    {"at-trace-cycles", 0, NULL, "Present no request before its cycle in the trace (default).", NULL, false,
     false},
    {"format", 0, "FORM", "Form of the trace: auto (default), block, bytes, dramsim3, ramulator.",
     dram_trace_format_names, false, false},
    {"json", 0, "FILE", "Write the result as JSON; - is standard output.", NULL, true, false},
    {"csv", 0, "FILE", "Write the result as CSV; - is standard output.", NULL, true, false},
    {"commands", 0, "FILE", "Write every command; channel c > 0 goes to FILE.c.", NULL, true, false},
    {"general", 0, NULL, "Take no fast path: slow, the same result; for checking.", NULL, false, false},
    {"no-skip", 0, NULL, "Evaluate every cycle: slow, the same result; for checking.", NULL, false, false},
    {"quiet", 'q', NULL, "Print no table.", NULL, false, false},
    CLI_PROGRESS_OPTION,
};

/* Options that are parameters under a shorter name. */
static const char *const shortcuts[] = {"device", "mapping",  "controller", "refresh",
                                        "free",   "channels", "lockstep"};

static struct conf *configure(const struct cli_args *a, struct error *err) {
  const struct conf_table *tables[] = {&dram_params};
  struct conf *c = conf_new(tables, 1);
  for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; i++) {
    char name[32], origin[32];
    const char *value = cli_value(a, shortcuts[i]);
    snprintf(name, sizeof name, "dram.%s", shortcuts[i]);
    snprintf(origin, sizeof origin, "--%s", shortcuts[i]);
    if (value)
      conf_assign(c, name, value, origin, err);
  }
  if (cli_flag(a, "as-fast-as-accepted") && cli_flag(a, "at-trace-cycles"))
    error_add(err, EXIT_USAGE, "sluice dram: --as-fast-as-accepted and --at-trace-cycles exclude each other");
  if (cli_flag(a, "as-fast-as-accepted"))
    conf_assign(c, "dram.pace", "as-fast-as-accepted", "--as-fast-as-accepted", err);
  return c;
}

struct session {
  const struct cli_args *args;
  struct conf *conf;
  struct sluice_dram *dram;
  enum progress_mode mode;
  struct progress progress;
  struct file_stream *logs;
  uint32_t nlogs;
};

static bool to_stdout(const char *path) {
  return path && strcmp(path, "-") == 0;
}

static bool read_options(struct session *s, struct error *err) {
  const struct cli_args *a = s->args;
  int outputs =
      to_stdout(cli_value(a, "json")) + to_stdout(cli_value(a, "csv")) + to_stdout(cli_value(a, "commands"));
  if (a->noperands != 1)
    error_add(err, EXIT_USAGE, "sluice dram: name one trace (%zu given); see `sluice dram --help`",
              a->noperands);
  if (outputs > 1)
    error_add(err, EXIT_USAGE,
              "sluice dram: only one of --json, --csv and --commands can go to standard output");
  s->mode = cli_progress(a, err);
  return !err->code;
}

static bool told(struct session *s, enum sluice_status status, struct error *err) {
  int code = status == SLUICE_E_MEMORY || status == SLUICE_E_INTERNAL ? EXIT_RUNTIME : (int)status;
  return !status || error_add(err, code, "%s", sluice_dram_error(s->dram));
}

static bool open_logs(struct session *s, const char *path, struct error *err) {
  uint32_t channels = sluice_dram_channels(s->dram);
  s->logs = xcalloc(channels, sizeof *s->logs);
  if (to_stdout(path) && channels > 1)
    return error_add(err, EXIT_USAGE, "sluice dram: --commands - needs one channel");
  for (uint32_t i = 0; i < channels; i++) {
    struct strbuf name = {0};
    strbuf_add(&name, path);
    if (i)
      strbuf_addf(&name, ".%u", i);
    bool ok = file_stream_open(&s->logs[i], name.s, err);
    strbuf_free(&name);
    if (!ok)
      return false;
    s->nlogs++;
    if (!told(s, sluice_dram_log(s->dram, i, s->logs[i].to), err))
      return false;
  }
  return true;
}

static bool make_dram(struct session *s, struct error *err) {
  const struct conf *c = s->conf;
  const char *mapping = conf_str(c, "dram.mapping");
  bool refresh = strcmp(conf_origin(c, "dram.refresh"), "default") != 0;
  struct sluice_dram_options o = {.size = sizeof o,
                                  .device = conf_str(c, "dram.device"),
                                  .mapping = strcmp(mapping, "device") == 0 ? NULL : mapping,
                                  .controller = conf_str(c, "dram.controller"),
                                  .refresh = refresh ? cli_value(s->args, "refresh") : NULL,
                                  .channels = (uint32_t)conf_u64(c, "dram.channels"),
                                  .lockstep = (uint32_t)conf_u64(c, "dram.lockstep"),
                                  .ideal = cli_value(s->args, "free"),
                                  .no_skip = cli_flag(s->args, "no-skip"),
                                  .general = cli_flag(s->args, "general"),
                                  .logs = cli_value(s->args, "commands")};
  char why[2000];
  s->dram = sluice_dram_open(&o, why, sizeof why);
  return s->dram || error_add(err, EXIT_USAGE, "%s", why);
}

static void show(void *ctx, uint64_t done, uint64_t total) {
  progress_update(&((struct session *)ctx)->progress, done, total, done);
}

static bool simulate(struct session *s, struct error *err) {
  struct sluice_dram_trace t = {.size = sizeof t,
                                .name = s->args->operands[0],
                                .format = cli_value(s->args, "format"),
                                .as_fast_as_accepted = cli_flag(s->args, "as-fast-as-accepted"),
                                .progress = show,
                                .ctx = s};
  progress_start(&s->progress, s->mode, "requests");
  enum sluice_status status = sluice_dram_run(s->dram, &t);
  progress_end(&s->progress);
  return told(s, status, err);
}

/* A write that fails is reported beside the others. */
static void write_form(struct session *s, const char *path, enum sluice_report form, struct error *err) {
  struct error e = {0};
  char *text = sluice_dram_text(s->dram, form);
  if (text && !file_write_atomic(path, text, strlen(text), &e))
    error_add(err, e.code, "%s", e.text);
  error_clear(&e);
  sluice_text_free(text);
}

static void write_results(struct session *s, struct error *err) {
  const char *json = cli_value(s->args, "json"), *csv = cli_value(s->args, "csv");
  while (s->nlogs) {
    struct error e = {0};
    if (!file_stream_commit(&s->logs[--s->nlogs], &e))
      error_add(err, e.code, "%s", e.text);
    error_clear(&e);
  }
  if (!cli_flag(s->args, "quiet") && !to_stdout(json) && !to_stdout(csv) &&
      !to_stdout(cli_value(s->args, "commands"))) {
    char *table = sluice_dram_text(s->dram, SLUICE_TABLE),
         *summary = sluice_dram_text(s->dram, SLUICE_SUMMARY);
    printf("%s\n%s", table ? table : "", summary ? summary : "");
    sluice_text_free(table);
    sluice_text_free(summary);
  }
  if (json)
    write_form(s, json, SLUICE_JSON, err);
  if (csv)
    write_form(s, csv, SLUICE_CSV, err);
}

static int run_dram(const struct cli_args *a, struct error *err) {
  struct session s = {.args = a, .conf = configure(a, err)};
  const char *log = cli_value(a, "commands");
  if (read_options(&s, err) && make_dram(&s, err) && (!log || open_logs(&s, log, err)) && simulate(&s, err))
    write_results(&s, err);
  while (s.nlogs)
    file_stream_abort(&s.logs[--s.nlogs]);
  free(s.logs);
  sluice_dram_close(s.dram);
  conf_free(s.conf);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice dram gen:random,n=100000 --device ref-hbm2", "random reads against one pseudo channel of HBM2"},
    {"sluice dram trace.txt --device gddr5-8gb --json out.json --commands log.txt",
     "a trace file; the result as JSON and every DRAM command"},
    {"sluice dram trace.txt --controller like-ramulator2 --refresh none --mapping collow",
     "another simulator's scheduling rules, no refresh, consecutive blocks in one row"},
};

const struct cli_command cli_dram = {
    .name = "dram",
    .summary = "Run a trace of memory requests against a DRAM.",
    .operands = "TRACE",
    .details =
        "Presents the requests of a trace to a DRAM controller and its device, command by command, and "
        "prints what "
        "was counted. TRACE is a file (`BLOCK R|W CYCLE`, byte addresses in hexadecimal, the forms of "
        "DRAMsim3 and "
        "Ramulator) or a generator, `gen:NAME,option=value...`. Requests are handed over in order, at most "
        "one per "
        "cycle and channel; one that finds its queue full holds up those behind it. docs/dram.md describes "
        "the model, "
        "mappings, profiles and the command log.\n\n"
        "Exit codes: 0 success; 1 a file cannot be written; 2 a mistake in the command line, the device, the "
        "controller or the trace.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_dram,
};
