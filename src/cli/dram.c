/* sluice dram: a trace of requests against one DRAM. */
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "dram/driver.h"
#include "dram/log.h"
#include "dram/params.h"
#include "stat/report.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
  struct dram_device device;
  struct dram_profile profile;
  struct dram *dram;
  struct dram_trace_request *requests;
  size_t n;
  enum progress_mode mode;
  struct progress progress;
  struct file_stream *logs;
  uint32_t nlogs;
  struct report report;
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

static void log_command(void *ctx, const struct dram_issue *i) {
  const struct session *s = ctx;
  dram_log_line(s->logs[i->channel].to, i);
}

static bool open_logs(struct session *s, const char *path, uint32_t channels, struct error *err) {
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
    dram_log_header(s->logs[i].to, &s->device, i, (enum dram_refresh)conf_enum(s->conf, "dram.refresh"),
                    (uint32_t)conf_u64(s->conf, "dram.lockstep"));
  }
  return true;
}

static bool make_dram(struct session *s, struct error *err) {
  const char *mapping = conf_str(s->conf, "dram.mapping"), *log = cli_value(s->args, "commands");
  bool ok = dram_device_load(&s->device, conf_str(s->conf, "dram.device"), err);
  ok &= dram_profile_load(&s->profile, conf_str(s->conf, "dram.controller"), err);
  if (!ok)
    return false;
  if (!s->device.t.refi && strcmp(conf_origin(s->conf, "dram.refresh"), "default") == 0)
    conf_assign(s->conf, "dram.refresh", "none", "the device has no refresh", err);
  struct dram_options o = {.device = &s->device,
                           .profile = &s->profile,
                           .mapping = strcmp(mapping, "device") == 0 ? NULL : mapping,
                           .refresh = (enum dram_refresh)conf_enum(s->conf, "dram.refresh"),
                           .ideal = (enum dram_ideal)conf_enum(s->conf, "dram.free"),
                           .channels = (uint32_t)conf_u64(s->conf, "dram.channels"),
                           .lockstep = (uint32_t)conf_u64(s->conf, "dram.lockstep"),
                           .no_skip = cli_flag(s->args, "no-skip"),
                           .general = cli_flag(s->args, "general"),
                           .log = log ? log_command : NULL,
                           .log_ctx = s};
  s->dram = dram_new(&o, err);
  return s->dram != NULL;
}

static bool load_trace(struct session *s, struct error *err) {
  const char *name = s->args->operands[0], *form = cli_value(s->args, "format");
  struct dram_trace_options o = {.transaction = (uint32_t)dram_transaction(s->dram)};
  if (form && !dram_trace_format_parse(&o.format, form, err))
    return false;
  if (!dram_trace_load(name, &o, &s->requests, &s->n, err))
    return false;
  uint64_t capacity = dram_capacity(s->dram);
  bool generated = strncmp(name, "gen:", 4) == 0; /* knows nothing of the device: wraps */
  for (size_t i = 0; i < s->n; i++) {
    if (s->requests[i].cycle >> 62)
      return error_set(err, EXIT_USAGE, "%s: request %zu: cycle %llu is too far away (allowed: below 2^62)",
                       name, i + 1, (unsigned long long)s->requests[i].cycle);
    if (generated)
      s->requests[i].address %= capacity;
    else if (s->requests[i].address >= capacity)
      return error_set(err, EXIT_USAGE, "%s: request %zu: address 0x%llx is beyond the %llu bytes of %s",
                       name, i + 1, (unsigned long long)s->requests[i].address, (unsigned long long)capacity,
                       s->device.name);
  }
  return true;
}

static void show(void *ctx, uint64_t done, uint64_t total, uint64_t cycle) {
  (void)cycle;
  progress_update(&((struct session *)ctx)->progress, done, total, done);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void simulate(struct session *s, double wall) {
  struct dram_driver driver = {
      .as_fast_as_accepted = conf_enum(s->conf, "dram.pace") == 1, .progress = show, .ctx = s};
  struct dram_counters *n = xcalloc(1, sizeof *n);
  progress_start(&s->progress, s->mode, "requests");
  double start = cpu_seconds();
  uint64_t cycles = dram_drive(s->dram, s->requests, s->n, &driver);
  double took = cpu_seconds() - start;
  progress_end(&s->progress);
  dram_counters(s->dram, n);
  s->report = (struct report){.workload = s->args->operands[0], .conf = s->conf, .total = tables_stats()};
  s->device.power.lockstep = (uint32_t)conf_u64(s->conf, "dram.lockstep");
  dram_counters_put(n, &s->device, cycles, s->report.total);
  if (took > 0) {
    stats_put_f64(s->report.total, "sim.requests_per_second", (double)s->n / took);
    stats_put_f64(s->report.total, "sim.cycles_per_second", (double)cycles / took);
  }
  stats_put_host(s->report.total, wall);
  free(n);
}

/* A write that fails is reported beside the others. */
static void write_form(const struct report *r, const char *path,
                       void (*form)(const struct report *, struct strbuf *), struct error *err) {
  struct strbuf text = {0};
  struct error e = {0};
  form(r, &text);
  if (!file_write_atomic(path, text.s, text.n, &e))
    error_add(err, e.code, "%s", e.text);
  error_clear(&e);
  strbuf_free(&text);
}

static double value(const struct session *s, const char *name) {
  double v = 0;
  stats_get(s->report.total, name, &v);
  return v;
}

/* Do two mappings put every block at the same place? A mapping is linear in the bits of the address, hashes included: it is
 * enough to compare one bit after the other. */
static bool same_mapping(const struct dram_map *a, const struct dram_map *b) {
  for (unsigned bit = 0; bit < a->bits; bit++) {
    uint64_t address = UINT64_C(1) << (a->shift + bit);
    struct dram_place x = dram_map_place(a, address), y = dram_map_place(b, address);
    if (memcmp(&x, &y, sizeof x) != 0)
      return false;
  }
  return true;
}

/* Other names of the mapping in use, on this device. */
static void say_same_mappings(const struct session *s, struct strbuf *to) {
  const struct dram_map *used = dram_mapping(s->dram);
  const char *asked = conf_str(s->conf, "dram.mapping");
  const char *own = *s->device.mapping ? s->device.mapping : "bglow";
  bool device = strcmp(asked, "device") == 0;
  if (!device && strcmp(asked, own) == 0)
    strbuf_addf(to, "  mapping %s is the device's own\n", asked);
  for (size_t i = 0; mapping_names[i]; i++) {
    struct dram_map other;
    struct error e = {0};
    if (strcmp(mapping_names[i], device ? own : asked) != 0 &&
        dram_map_parse(&other, mapping_names[i], &s->device, (uint32_t)conf_u64(s->conf, "dram.channels"),
                       (uint32_t)conf_u64(s->conf, "dram.lockstep"), &e) &&
        same_mapping(used, &other))
      strbuf_addf(to, "  mappings %s and %s are the same here: every block is at the same place\n",
                  device ? own : asked, mapping_names[i]);
    error_clear(&e);
  }
}

static void summarize(const struct session *s, struct strbuf *to) {
  double reads = value(s, "dram.reads"), writes = value(s, "dram.writes");
  strbuf_addf(to, "\n%.0f reads and %.0f writes in %.0f cycles of %s: %.1f GB/s, %.0f %% of the data bus\n",
              reads, writes, value(s, "cycles"), s->device.name, value(s, "dram.bandwidth_gbps"),
              100 * value(s, "dram.bus_utilisation"));
  strbuf_addf(to, "  rows: %.1f %% hits, %.1f columns for each activation\n",
              100 * value(s, "dram.row_hit_rate"), value(s, "dram.cas_per_act"));
  if (reads > 0)
    strbuf_addf(to, "  reads take %.0f cycles on average, %.0f at the 95th and %.0f at the 99th percentile\n",
                value(s, "dram.mean_read_latency"), value(s, "dram.read_latency_p95"),
                value(s, "dram.read_latency_p99"));
  say_same_mappings(s, to);
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
    struct strbuf text = {0};
    report_table(&s->report, &text);
    summarize(s, &text);
    fwrite(text.s, 1, text.n, stdout);
    strbuf_free(&text);
  }
  if (json)
    write_form(&s->report, json, report_json, err);
  if (csv)
    write_form(&s->report, csv, report_csv, err);
}

static int run_dram(const struct cli_args *a, struct error *err) {
  double wall = stats_wall_clock();
  struct session s = {.args = a, .conf = configure(a, err)};
  const char *log = cli_value(a, "commands");
  if (read_options(&s, err) && make_dram(&s, err) && load_trace(&s, err) &&
      (!log || open_logs(&s, log, dram_channels(s.dram), err))) {
    simulate(&s, wall);
    write_results(&s, err);
  }
  while (s.nlogs)
    file_stream_abort(&s.logs[--s.nlogs]);
  free(s.logs);
  free(s.requests);
  dram_free(s.dram);
  report_free(&s.report);
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
