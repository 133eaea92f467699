/* sluice run: execute a workload or a launch file and report what it did, through the public interface (sluice.h). */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/cli.h"
#include "cli/workload.h"
#include "lab/point.h"
#include "view/perfetto.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  bool keep_timeline, quiet, verbose;
  struct sluice_options o;
  struct cli_input input;
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
  q->o.timeline = q->timeline;
  q->o.timeline_window[1] = 1000;
  q->o.timeline_waits = q->perfetto || detail;
  q->o.timeline_units = cli_value(a, "timeline-units");
  q->o.timeline_stats = cli_value(a, "timeline-stats");
  if (detail && strcmp(detail, "none") == 0) {
    q->o.timeline_window[1] = 0;
  } else if (detail) {
    const char *dash = strchr(detail, '-');
    char *from = xstrndup(detail, dash ? (size_t)(dash - detail) : 0);
    if (!dash || num_u64(from, &q->o.timeline_window[0]) != NUM_OK ||
        num_u64(dash + 1, &q->o.timeline_window[1]) != NUM_OK ||
        q->o.timeline_window[0] >= q->o.timeline_window[1])
      error_add(err, EXIT_USAGE,
                "sluice run: --timeline-detail '%.60s': two cycles, the first before the second, as in "
                "0-20000, or none "
                "is wanted",
                detail);
    free(from);
  }
}

/* Options of the simulation: how, and what of it is kept. */
static void read_simulation(const struct cli_args *a, struct request *q, struct error *err) {
  static const char *const names[] = {"shuffle", "max-cycles", "interval", "delays"};
  uint64_t *const values[] = {&q->o.shuffle, &q->o.max_cycles, &q->o.interval, &q->o.delays};
  const char *threads = cli_value(a, "threads");
  uint64_t n = 0;
  q->o.no_skip = cli_flag(a, "no-skip");
  q->o.general = cli_flag(a, "general");
  q->o.per_unit = cli_flag(a, "per-unit");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cli_whole(a, names[i], values[i], err);
  if (cli_value(a, "interval") && !q->o.interval)
    error_add(err, EXIT_USAGE, "sluice run: --interval 0: at least one cycle is wanted");
  if (cli_value(a, "delays") && !q->o.delays)
    error_add(err, EXIT_USAGE, "sluice run: --delays 0: a seed of at least 1 is wanted");
  if (threads && strcmp(threads, "auto") != 0 &&
      (num_u64(threads, &n) != NUM_OK || n < 1 || n > SLUICE_MAX_THREADS))
    error_add(err, EXIT_USAGE, "sluice run: --threads '%.60s': auto or 1 to %d is wanted", threads,
              SLUICE_MAX_THREADS);
  q->o.threads = (uint32_t)n;
  if (q->o.delays && !threads)
    error_add(err, EXIT_USAGE,
              "sluice run: --delays needs --threads N, the most that run, whether they help or not");
  if (q->timeline) {
    q->o.timeline_interval = (uint32_t)(q->o.interval < UINT32_MAX ? q->o.interval : UINT32_MAX);
    if (!q->series && !q->json) /* else the result holds the intervals too */
      q->o.interval = 0;
  }
}

/* What is run, and with which input. */
static void read_input(const struct cli_args *a, struct sluice *s, struct request *q, struct error *err) {
  q->what = a->operands[0];
  cli_input_read(a, s, "run", q->what, &q->input, err);
  if (q->input.kind == SLUICE_RECORDING && cli_value(a, "record"))
    error_add(err, EXIT_USAGE, "sluice run: '%.200s' is a recorded stream already; --record is of no use",
              q->what);
}

static bool read_request(const struct cli_args *a, struct sluice *s, struct request *q, struct error *err) {
  q->o.size = sizeof q->o;
  q->json = cli_value(a, "json");
  q->csv = cli_value(a, "csv");
  q->series = cli_value(a, "series");
  q->quiet = cli_flag(a, "quiet");
  q->verbose = cli_flag(a, "verbose");
  q->o.functional = cli_flag(a, "functional");
  static const char *const timing_only[] = {"per-unit", "interval", "series", "timeline", "perfetto"};
  for (int i = 0; i < 5; i++)
    if (q->o.functional && (cli_flag(a, timing_only[i]) || cli_value(a, timing_only[i])))
      error_add(err, EXIT_USAGE, "sluice run: --%s counts what a timing model does; --functional has none",
                timing_only[i]);
  static const char *const units_only[] = {"threads", "delays"};
  for (int i = 0; i < 2; i++)
    if (q->o.functional && cli_value(a, units_only[i]))
      error_add(err, EXIT_USAGE, "sluice run: --%s runs the timing model's units; --functional has none",
                units_only[i]);
  if (q->series && !cli_value(a, "interval"))
    error_add(err, EXIT_USAGE, "sluice run: --series needs --interval N");
  read_timeline(a, q, err);
  read_simulation(a, q, err);
  if (cli_value(a, "interval") && !q->series && !q->json && !q->timeline)
    error_add(err, EXIT_USAGE,
              "sluice run: --interval is written to --json, --series or --timeline; name one");
  if (a->noperands == 1) {
    read_input(a, s, q, err);
  } else {
    error_add(err, EXIT_USAGE,
              "sluice run: name one workload or launch file (%zu given); see `sluice run --help`",
              a->noperands);
  }
  if (to_stdout(q->json) + to_stdout(q->csv) + to_stdout(q->series) > 1)
    error_add(err, EXIT_USAGE,
              "sluice run: only one of --json, --csv and --series can go to standard output");
  q->o.show = cli_show(a, err);
  q->o.record = cli_value(a, "record");
  q->o.no_verify = cli_flag(a, "no-verify");
  /* what kernels print must not end up inside JSON or CSV */
  if (to_stdout(q->json) || to_stdout(q->csv) || to_stdout(q->series))
    q->o.printf_to = stderr;
  if (!err->code && sluice_options(s, &q->o))
    error_add(err, (int)sluice_error_code(s), "sluice run: %s", sluice_error(s));
  return !err->code;
}

/* A write that fails is reported beside what the run itself had to say. */
static void write_form(struct sluice *s, const char *path, enum sluice_report form, struct error *err) {
  struct error e = {0};
  char *text = sluice_text(s, form);
  if (text && !file_write_atomic(path, text, strlen(text), &e))
    error_add(err, e.code, "%s", e.text);
  error_clear(&e);
  sluice_text_free(text);
}

static void write_report(const struct request *q, struct sluice *s, struct error *err) {
  if (!q->quiet && !to_stdout(q->json) && !to_stdout(q->csv) && !to_stdout(q->series)) {
    char *text = sluice_text(s, q->o.functional || q->verbose ? SLUICE_TABLE : SLUICE_SUMMARY);
    if (text)
      fputs(text, stdout);
    sluice_text_free(text);
  }
  if (q->json)
    write_form(s, q->json, SLUICE_JSON, err);
  if (q->csv)
    write_form(s, q->csv, SLUICE_CSV, err);
  if (q->series)
    write_form(s, q->series, SLUICE_SERIES, err);
}

/* Of the timeline, which the run has written, what else was asked for. */
static void write_timeline(const struct request *q, struct error *err) {
  struct error e = {0};
  if (q->timeline && q->perfetto && access(q->timeline, R_OK) == 0)
    perfetto_write(q->timeline, q->perfetto, &e);
  if (q->timeline && !q->keep_timeline)
    remove(q->timeline);
  if (e.code)
    error_add(err, e.code, "%s", e.text);
  error_clear(&e);
}

static void simulate(struct sluice *s, struct request *q, struct error *err) {
  cli_simulate(s, q->what, &q->input.in, err);
  write_report(q, s, err);
  write_timeline(q, err);
}

static int run_run(const struct cli_args *a, struct error *err) {
  struct request q = {0};
  char *command = cli_command_line(a);
  struct sluice *s = cli_handle(a, err);
  int code = EXIT_USAGE;
  q.o.model = lab_model(), q.o.command = command;
  if (!s) {
    code = err->code;
  } else if (cli_flag(a, "echo-config")) {
    char *text = err->code ? NULL : sluice_text(s, SLUICE_CONFIG);
    if (text)
      fputs(text, stdout), code = EXIT_OK;
    sluice_text_free(text);
  } else if (read_request(a, s, &q, err)) {
    cli_soft_interrupts();
    simulate(s, &q, err);
    code = err->code;
  }
  free(q.timeline);
  free(command);
  cli_input_free(&q.input);
  sluice_destroy(s);
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
