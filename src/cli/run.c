/* sluice run: execute a workload or a launch file and report what it did. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/cli.h"
#include "cli/workload.h"
#include "front/functional.h"
#include "front/trace/trace.h"
#include "gpu/machine.h"
#include "gpu/presets.h"
#include "gpu/record.h"
#include "lab/point.h"
#include "tables.h"
#include "tech/tech.h"
#include "view/perfetto.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const memcheck_names[] = {"error", "warn", "off", "reads", NULL};
static const char *const order_names[] = {"ascending", "reversed", NULL};

static const struct cli_option options[] = {
    CLI_WORKLOAD_OPTIONS,
    {"verify", 0, NULL, "Check a workload's result against its CPU reference (default at size small).", NULL,
     false, false},
    {"no-verify", 0, NULL, "Do not; of a launch file, do not compare outputs with what is expected.", NULL,
     false, false},
    {"functional", 0, NULL, "Execute without a timing model: results and counts, no cycles.", NULL, false,
     false},
    {"max-cycles", 0, "N", "End a launch after this many core cycles; 0 is no limit.", NULL, false, false},
    {"general", 0, NULL, "Take no fast path, only the general forms: the same numbers, slowly.", NULL, false,
     false},
    {"no-skip", 0, NULL, "Simulate every cycle of every unit: the same numbers, slowly.", NULL, false, false},
    {"shuffle", 0, "SEED", "Run the units in another order at every instant: the same numbers.", NULL, false,
     false},
    {"delays", 0, "SEED",
     "Let threads dawdle at random where they meet and where they share state: the same numbers, slowly.",
     NULL, false, false},
    {"threads", 0, "N",
     "The most threads that simulate, 1 to 64, or auto (default), as many as help: the same numbers, sooner. "
     "Fewer run "
     "where more would only wait; of six or more, one executes the kernel ahead.",
     NULL, false, false},
    {"gpu", 'g', "GPU", "The GPU: a preset (`sluice list gpus` shows them) or a file of parameters.",
     gpu_preset_names, false, false},
    {"with", 'w', "TECHNIQUE[:NAME=VALUE],...",
     "Build the GPU with techniques and their parameters; `sluice list techniques` shows them.", NULL, false,
     true},
    {"plugin", 0, "FILE.so", "Load a technique from a shared object (docs/techniques/plugin.md).", NULL, true,
     true},
    {"set", 's', "NAME=VALUE", "Set a parameter; `sluice list params` shows them.", NULL, false, true},
    {"config", 'c', "FILE", "Read parameters from a YAML file.", NULL, true, true},
    {"echo-config", 0, NULL, "Print the resolved configuration with the origin of every value, and stop.",
     NULL, false, false},
    {"json", 0, "FILE", "Write the result as JSON; - is standard output.", NULL, true, false},
    {"csv", 0, "FILE", "Write the result as CSV; - is standard output.", NULL, true, false},
    {"verbose", 'v', NULL, "Print every statistic instead of the summary.", NULL, false, false},
    {"per-unit", 0, NULL,
     "Count each SM, L2 slice and DRAM channel too: `l2[5].hits` (--verbose, JSON, CSV).", NULL, false,
     false},
    {"interval", 0, "N", "Count every N core cycles of a launch too (in --json and --series).", NULL, false,
     false},
    {"series", 0, "FILE", "Write what --interval counts as CSV: a line for each interval.", NULL, true,
     false},
    {"timeline", 0, "FILE",
     "Record what happens over time: every statistic in every interval (--interval, 1000 cycles by default), "
     "units by "
     "themselves, CTAs; `sluice view` and `sluice explain` read it.",
     NULL, true, false},
    {"timeline-units", 0, "KINDS",
     "Units that are recorded by themselves: sm,l2,dram,bank (default), some, or none.", NULL, false, false},
    {"timeline-stats", 0, "NAMES",
     "What is recorded of units: names, or beginnings with a *, separated by commas (default: what views "
     "show).",
     NULL, false, false},
    {"timeline-detail", 0, "FROM-TO",
     "Cycles of each launch in which DRAM commands, and what warps wait for (if this or --perfetto is "
     "given), are "
     "recorded one by one (default 0-1000), or none.",
     NULL, false, false},
    {"perfetto", 0, "FILE",
     "Write the same as a trace for ui.perfetto.dev: kernels, CTAs, warps' waits, DRAM commands, counters.",
     NULL, true, false},
    {"memcheck", 0, "MODE", "What an illegal access does: error (default), warn, off, reads.", memcheck_names,
     false, false},
    {"cta-order", 0, "ORDER", "Order of CTAs: ascending (default), reversed, or a seed to shuffle.",
     order_names, false, false},
    {"warp-width", 0, "N", "Threads of a warp, 1 to 64 (default 32).", NULL, false, false},
    {"registers", 0, "N|KERNEL=N|SOURCE,...",
     "Registers per thread, which limit the CTAs of an SM: of all kernels, of one, or where they come from "
     "(front.registers).",
     NULL, false, false},
    {"max-instructions", 0, "N", "End a launch after this many warp instructions; 0 is no limit.", NULL,
     false, false},
    {"record", 0, "FILE", "Write the stream of warp operations too; `sluice run FILE` runs it again.", NULL,
     true, false},
    {"quiet", 'q', NULL, "Print nothing but what kernels print, and errors.", NULL, false, false},
    CLI_PROGRESS_OPTION,
};

static bool to_stdout(const char *path) {
  return path && strcmp(path, "-") == 0;
}

struct request {
  const char *what, *json, *csv, *series, *perfetto;
  char *timeline; /* FILE of --timeline, or a temporary for --perfetto */
  bool keep_timeline;
  struct record_options record;
  const struct workload *workload; /* NULL: a launch file */
  struct workload_request of;
  enum progress_mode progress;
  bool quiet, functional, verbose;
  bool replay; /* a recorded stream */
};

/* The options of a timeline. */
static void read_timeline(const struct cli_args *a, struct request *q, struct error *err) {
  static const char *const needs[] = {"timeline-units", "timeline-stats", "timeline-detail"};
  const char *path = cli_value(a, "timeline"), *detail = cli_value(a, "timeline-detail");
  q->perfetto = cli_value(a, "perfetto");
  for (int i = 0; i < 3; i++)
    if (cli_value(a, needs[i]) && !path && !q->perfetto)
      error_add(err, EXIT_USAGE, "sluice run: --%s needs --timeline FILE or --perfetto FILE", needs[i]);
  if (!path && !q->perfetto)
    return;
  if (to_stdout(path) || to_stdout(q->perfetto))
    error_add(err, EXIT_USAGE, "sluice run: --timeline and --perfetto need a file, not standard output");
  struct strbuf name = {0};
  strbuf_addf(&name, path ? "%s" : "%s.timeline", path ? path : q->perfetto);
  q->timeline = strbuf_take(&name);
  q->keep_timeline = path != NULL;
  q->record = (struct record_options){.path = q->timeline,
                                      .interval = 1000,
                                      .window = {0, 1000},
                                      .waits = q->perfetto || detail,
                                      .units = cli_value(a, "timeline-units"),
                                      .stats = cli_value(a, "timeline-stats")};
  const char *interval = cli_value(a, "interval");
  if (interval)
    num_u64(interval, &q->record.interval); /* timing() says what is wrong with it */
  if (detail && strcmp(detail, "none") == 0) {
    q->record.window[1] = 0;
  } else if (detail) {
    const char *dash = strchr(detail, '-');
    char *from = xstrndup(detail, dash ? (size_t)(dash - detail) : 0);
    if (!dash || num_u64(from, &q->record.window[0]) != NUM_OK ||
        num_u64(dash + 1, &q->record.window[1]) != NUM_OK || q->record.window[0] >= q->record.window[1])
      error_add(err, EXIT_USAGE,
                "sluice run: --timeline-detail '%.60s': two cycles, the first before the second, as in "
                "0-20000, or none "
                "is wanted",
                detail);
    free(from);
  }
  struct error list = {0};
  if (!record_check(&q->record, &list))
    error_add(err, list.code, "sluice run: %s", list.text);
  error_clear(&list);
}

static bool read_request(const struct cli_args *a, struct request *q, struct error *err) {
  q->json = cli_value(a, "json");
  q->csv = cli_value(a, "csv");
  q->series = cli_value(a, "series");
  q->quiet = cli_flag(a, "quiet");
  q->verbose = cli_flag(a, "verbose");
  q->functional = cli_flag(a, "functional");
  static const char *const timing_only[] = {"per-unit", "interval", "series", "timeline", "perfetto"};
  for (int i = 0; i < 5; i++)
    if (q->functional && (cli_flag(a, timing_only[i]) || cli_value(a, timing_only[i])))
      error_add(err, EXIT_USAGE, "sluice run: --%s counts what a timing model does; --functional has none",
                timing_only[i]);
  static const char *const units_only[] = {"threads", "delays"};
  for (int i = 0; i < 2; i++)
    if (q->functional && cli_value(a, units_only[i]))
      error_add(err, EXIT_USAGE, "sluice run: --%s runs the timing model's units; --functional has none",
                units_only[i]);
  if (q->series && !cli_value(a, "interval"))
    error_add(err, EXIT_USAGE, "sluice run: --series needs --interval N");
  read_timeline(a, q, err);
  if (cli_value(a, "interval") && !q->series && !q->json && !q->timeline)
    error_add(err, EXIT_USAGE,
              "sluice run: --interval is written to --json, --series or --timeline; name one");
  if (a->noperands == 1) {
    q->what = a->operands[0];
    q->replay = trace_is(q->what);
    if (q->replay && cli_value(a, "record"))
      error_add(err, EXIT_USAGE, "sluice run: '%.200s' is a recorded stream already; --record is of no use",
                q->what);
    q->workload = q->replay ? NULL : cli_workload("run", q->what, err);
    if (!err->code)
      cli_workload_request(a, q->workload, &q->of, err);
  } else {
    error_add(err, EXIT_USAGE,
              "sluice run: name one workload or launch file (%zu given); see `sluice run --help`",
              a->noperands);
  }
  if (to_stdout(q->json) + to_stdout(q->csv) + to_stdout(q->series) > 1)
    error_add(err, EXIT_USAGE,
              "sluice run: only one of --json, --csv and --series can go to standard output");
  q->progress = cli_progress(a, err);
  return !err->code;
}

/* A write that fails is reported beside what the run itself had to say. */
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

static void write_report(const struct request *q, const struct report *r, struct error *err) {
  if (!q->quiet && !to_stdout(q->json) && !to_stdout(q->csv) && !to_stdout(q->series)) {
    struct strbuf text = {0};
    if (q->functional || q->verbose)
      report_table(r, &text);
    else
      report_summary(r, &text);
    if (r->note)
      strbuf_addf(&text, "\n%s\n", r->note);
    fwrite(text.s, 1, text.n, stdout);
    strbuf_free(&text);
  }
  if (q->json)
    write_form(r, q->json, report_json, err);
  if (q->csv)
    write_form(r, q->csv, report_csv, err);
  if (q->series)
    write_form(r, q->series, report_series_csv, err);
}

/* Completes the timeline, and makes of it what else was asked for. */
static void write_timeline(const struct request *q, struct functional_machine *m, const struct report *r,
                           struct error *err) {
  struct error e = {0};
  if (!q->timeline)
    return;
  if (machine_recorded(m, r, &e) && q->perfetto)
    perfetto_write(q->timeline, q->perfetto, &e);
  if (!q->keep_timeline)
    remove(q->timeline);
  if (e.code)
    error_add(err, e.code, "%s", e.text);
  error_clear(&e);
}

static int echo(const struct conf *c) {
  struct strbuf text = {0};
  conf_echo(c, &text);
  fwrite(text.s, 1, text.n, stdout);
  strbuf_free(&text);
  return EXIT_OK;
}

/* The GPU that the parameters describe. */
static struct functional_machine *timing(const struct cli_args *a, const struct request *q,
                                         const struct conf *conf, struct error *err) {
  struct machine_options o = {.no_skip = cli_flag(a, "no-skip"),
                              .general = cli_flag(a, "general"),
                              .per_unit = cli_flag(a, "per-unit")};
  static const char *const names[] = {"shuffle", "max-cycles", "interval", "delays"};
  uint64_t *const values[] = {&o.shuffle, &o.max_cycles, &o.interval, &o.delays};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cli_whole(a, names[i], values[i], err);
  }
  if (cli_value(a, "interval") && !o.interval)
    error_add(err, EXIT_USAGE, "sluice run: --interval 0: at least one cycle is wanted");
  if (cli_value(a, "delays") && !o.delays)
    error_add(err, EXIT_USAGE, "sluice run: --delays 0: a seed of at least 1 is wanted");
  const char *threads = cli_value(a, "threads");
  if (threads && !machine_threads(threads, &o.threads))
    error_add(err, EXIT_USAGE, "sluice run: --threads '%.60s': auto or 1 to %d is wanted", threads,
              MACHINE_MAX_THREADS);
  if (o.delays && !o.threads)
    error_add(err, EXIT_USAGE,
              "sluice run: --delays needs --threads N, the most that run, whether they help or not");
  if (q->timeline) {
    o.record = &q->record;
    if (!q->series && !q->json) /* else the result holds the intervals too */
      o.interval = 0;
  }
  return err->code ? NULL : machine_new(conf, &o, err);
}

static int run_run(const struct cli_args *a, struct error *err) {
  struct request q = {0};
  struct conf *conf = cli_configure(a, err);
  int code = EXIT_USAGE;
  if (cli_flag(a, "echo-config")) {
    if (!err->code)
      code = echo(conf);
  } else if (read_request(a, &q, err)) {
    struct functional_machine *machine = NULL;
    cli_soft_interrupts();
    if (q.functional || (machine = timing(a, &q, conf, err))) {
      char *command = cli_command_line(a);
      struct report report = {.workload = q.what, .conf = conf, .model = lab_model(), .command = command};
      struct functional_options o = {.progress = q.progress, .machine = machine};
      /* what kernels print must not end up inside JSON or CSV */
      if (to_stdout(q.json) || to_stdout(q.csv) || to_stdout(q.series))
        o.printf_to = stderr;
      o.record = cli_value(a, "record");
      o.no_verify = cli_flag(a, "no-verify");
      if (q.replay)
        functional_replay(q.what, conf, &o, &report, err);
      else if (q.workload)
        workload_run(q.workload, &q.of, conf, &o, &report, err);
      else
        functional_run(q.what, conf, &o, &report, err);
      if (report.total) {
        write_report(&q, &report, err);
        write_timeline(&q, machine, &report, err);
      }
      report_free(&report);
      free(command);
      machine_free(machine);
      code = err->code;
    }
  }
  free(q.timeline);
  free((void *)q.of.params);
  conf_free(conf);
  return code;
}

static const struct cli_example examples[] = {
    {"sluice run bfs --size medium --gpu cart28", "a workload, on the timing model of a GPU"},
    {"sluice run bfs --functional --param graph=rmat --param nodes=20000 --seed 7",
     "a workload with another input, executed, checked and counted"},
    {"sluice run examples/gpgpusim/matmul_128.yaml --functional",
     "execute a launch file, check its outputs, count"},
    {"sluice run bfs --functional --record bfs.stream && sluice run bfs.stream --gpu v100",
     "execute once, and time the recorded stream as often as wanted"},
    {"sluice run k.yaml --gpu fermi15 --with bucl,cart:rows=8",
     "BUCL at the L1 together with a wider CART at the L2"},
    {"sluice run k.yaml --gpu v100 --set l2.warm=false", "the timing model of a V100 whose L2 is cold"},
    {"sluice run k.yaml --gpu gtx480 --interval 1000 --series time.csv --per-unit --json out.json",
     "what was counted in every 1000 cycles, and by each unit"},
    {"sluice run k.yaml --threads 2", "the same numbers on no more than two processors"},
    {"sluice run k.yaml --functional --json out.json --set front.window=64",
     "the same with a smaller window of resident CTAs, and the result as JSON"},
    {"sluice run k.yaml --functional --memcheck warn --cta-order reversed",
     "go on after illegal accesses; other counts than in ascending order mean that the kernel depends on "
     "order"},
};

const struct cli_command cli_run = {
    .name = "run",
    .summary = "Run a workload, or the kernels of a launch file.",
    .operands = "NAME|FILE.yaml|FILE.stream",
    .details =
        "Runs a workload (`sluice list workloads` shows them): its input comes from a seed, and its result "
        "is "
        "checked against a CPU reference. Or runs the launches of a launch file (a YAML file that names PTX, "
        "buffers, launches and outputs; "
        "docs/launch-files.md describes it), checks or writes its outputs and prints what was counted: a "
        "summary, or with --verbose every statistic. The "
        "launches run on the timing model of the GPU that --gpu names and --config and --set change "
        "(gtx480, if none is named); "
        "--functional executes and counts only. A recorded stream (`sluice trace` makes one) gives the same "
        "numbers as the run it was recorded from, without executing anything.\n\n"
        "Exit codes: 0 success; 1 an output differs or a file cannot be written; 2 a mistake in the command "
        "line, configuration, launch file or PTX; 3 an illegal access or a trap in a kernel; 4 a kernel "
        "makes "
        "no progress.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_run,
};
