/* sluice trace: record a stream of warp operations, and say what is in one. */
#include "base/json.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/workload.h"
#include "dram/trace.h"
#include "front/accelsim/accelsim.h"
#include "front/gen/locality.h"
#include "front/ptx/assemble/assemble.h"
#include "front/trace/trace.h"
#include "front/walk.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"record", "info", "locality", "import", "export", NULL};

static const struct cli_option options[] = {
    CLI_WORKLOAD_OPTIONS,
    {"output", 'o', "FILE", "record, import: where the stream goes; export: the folder for the trace.", NULL,
     true, false},
    {"unknown", 0, "UNIT", "import: take opcodes that are not known for arithmetic of this kind.",
     sass_unknown_names, false, false},
    {"partial", 0, NULL, "import: take kernels whose last thread blocks are missing.", NULL, false, false},
    {"gpu", 'g', "GPU", "record: the GPU it is meant for, which may lay out memory in its own way.",
     gpu_preset_names, false, false},
    {"set", 's', "NAME=VALUE", "record: set a parameter; `sluice list params` shows them.", NULL, false,
     true},
    {"config", 'c', "FILE", "record: read parameters from a YAML file.", NULL, true, true},
    {"warp-width", 0, "N", "record: threads of a warp, 1 to 64 (default 32).", NULL, false, false},
    {"json", 0, NULL, "info, locality: as JSON.", NULL, false, false},
    {"quiet", 'q', NULL, "record, import, export: print nothing but errors.", NULL, false, false},
    CLI_PROGRESS_OPTION,
};

static int record(const struct cli_args *a, const char *what, struct error *err) {
  struct sluice_options o = {.size = sizeof o, .functional = true, .record = cli_value(a, "output")};
  o.show = cli_show(a, err);
  if (!o.record)
    error_add(err, EXIT_USAGE, "sluice trace record: name the file to write with -o");
  if (trace_is(what))
    error_add(err, EXIT_USAGE, "sluice trace record: '%.200s' is a recorded stream already", what);
  struct sluice *s = cli_handle_of(a, NULL, err);
  struct cli_input input = {0};
  double n;
  if (s && !err->code && cli_input_read(a, s, "trace record", what, &input, err) &&
      cli_told(s, sluice_options(s, &o), err) && cli_simulate(s, what, &input.in, err) &&
      !cli_flag(a, "quiet") && sluice_stat(s, "warp_instructions", &n))
    printf("%s: %.0f warp instructions\n", o.record, n);
  cli_input_free(&input);
  sluice_destroy(s);
  return err->code;
}

static int import(const struct cli_args *a, const char *list, struct error *err) {
  const char *output = cli_value(a, "output"), *unknown = cli_value(a, "unknown");
  bool quiet = cli_flag(a, "quiet");
  struct accelsim_import o = {.partial = cli_flag(a, "partial"), .progress = cli_progress(a, err)};
  if (!output)
    error_add(err, EXIT_USAGE, "sluice trace import: name the file to write with -o");
  if (unknown && !sass_unknown_named(unknown, &o.unknown)) {
    const char *near = nearest_match(unknown, sass_unknown_names, 4);
    error_add(err, EXIT_USAGE, "--unknown: no '%.60s' (allowed: int, fp32, fp64, sfu)%s%s%s", unknown,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  if (!err->code && accelsim_import(list, output, &o, err) && !quiet) {
    printf("%s: %llu kernels, %llu CTAs, %llu warp instructions of %.1f MB of text\n", output,
           (unsigned long long)o.kernels, (unsigned long long)o.ctas, (unsigned long long)o.instructions,
           (double)o.bytes / 1e6);
    fputs(strbuf_str(&o.notes), stdout);
  }
  strbuf_free(&o.notes);
  return err->code;
}

static int export(const struct cli_args *a, const char *stream, struct error *err) {
  const char *output = cli_value(a, "output");
  struct accelsim_export o = {.progress = cli_progress(a, err)};
  if (!output)
    error_add(err, EXIT_USAGE, "sluice trace export: name the folder to write with -o");
  if (!err->code && accelsim_export(stream, output, &o, err) && !cli_flag(a, "quiet"))
    printf("%s/kernelslist.g: %llu kernels, %llu CTAs, %llu warp instructions\n", output,
           (unsigned long long)o.kernels, (unsigned long long)o.ctas, (unsigned long long)o.instructions);
  return err->code;
}

static const char *order_of(const struct trace_head *h) {
  return h->origin == TRACE_ACCELSIM ? "traced" : h->schedule != SCHEDULE_PTX ? "assembler" : "PTX";
}

static void as_text(const struct trace_reader *t, const struct trace_head *h) {
  printf("%zu launches, warps of %u threads, instructions in %s order, window of %u CTAs, %llu bytes of "
         "buffers, %llu bytes on disk\n",
         h->launches, h->warp_width, order_of(h), h->window, (unsigned long long)h->footprint,
         (unsigned long long)h->bytes);
  printf("%-24s %-18s %-14s %8s %10s %14s\n", "kernel", "grid", "block", "CTAs", "registers", "stream words");
  for (size_t i = 0; i < h->launches; i++) {
    const struct trace_launch *l = trace_launch_at(t, i);
    char grid[48], block[48];
    snprintf(grid, sizeof grid, "%u x %u x %u", l->grid[0], l->grid[1], l->grid[2]);
    snprintf(block, sizeof block, "%u x %u x %u", l->block[0], l->block[1], l->block[2]);
    printf("%-24s %-18s %-14s %8llu %10u %14llu\n", l->kernel, grid, block, (unsigned long long)l->ctas_done,
           l->registers, (unsigned long long)l->words);
  }
}

static void as_json(const struct trace_reader *t, const struct trace_head *h) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_u64(&j, "warp_width", h->warp_width);
  json_u64(&j, "window", h->window);
  json_u64(&j, "turn", h->turn);
  json_str(&j, "origin", h->origin == TRACE_ACCELSIM ? "accel-sim" : "recorded");
  json_str(&j, "schedule",
           h->origin == TRACE_ACCELSIM          ? "traced"
           : h->schedule == SCHEDULE_ASSEMBLER9 ? "assembler9"
           : h->schedule == SCHEDULE_ASSEMBLER  ? "assembler"
                                                : "ptx");
  json_u64(&j, "footprint", h->footprint);
  json_u64(&j, "bytes", h->bytes);
  json_open(&j, "launches", '[');
  for (size_t i = 0; i < h->launches; i++) {
    const struct trace_launch *l = trace_launch_at(t, i);
    json_open(&j, NULL, '{');
    json_str(&j, "kernel", l->kernel);
    for (int d = 0; d < 2; d++) {
      json_open(&j, d ? "block" : "grid", '[');
      for (int k = 0; k < 3; k++)
        json_u64(&j, NULL, d ? l->block[k] : l->grid[k]);
      json_close(&j);
    }
    json_u64(&j, "ctas", l->ctas_done);
    json_u64(&j, "registers", l->registers);
    json_u64(&j, "words", l->words);
    json_close(&j);
  }
  json_close(&j);
  json_close(&j);
  printf("%s\n", strbuf_str(&j.out));
  strbuf_free(&j.out);
}

static int info(const struct cli_args *a, const char *path, struct error *err) {
  struct trace_reader *t = trace_open(path, err);
  if (!t)
    return err->code;
  struct trace_head h = trace_head(t);
  if (cli_flag(a, "json"))
    as_json(t, &h);
  else
    as_text(t, &h);
  trace_free(t);
  return EXIT_OK;
}

static void add_lines(void *ctx, const struct walk_access *a) {
  uint64_t line[1024];
  for (unsigned i = 0, n = walk_lines(a, line); i < n; i++)
    locality_add(ctx, line[i]);
}

/* The requests of every access, in the order of the stream. */
static bool see_stream(const char *path, struct locality *l, struct error *err) {
  struct trace_reader *t = trace_open(path, err);
  for (size_t i = 0; t && !err->code && i < trace_head(t).launches; i++) {
    struct exec *x = trace_exec(t, i);
    struct sluice_segment s;
    while (exec_next(x, &s, err) > 0)
      walk_global(x, &s, add_lines, l);
    exec_close(x);
  }
  trace_free(t);
  return !err->code;
}

/* Requests to a DRAM, as text or from a generator. */
static bool see_requests(const char *path, struct locality *l, struct error *err) {
  struct dram_trace_request some[256];
  struct dram_trace *t = dram_trace_open(path, &(struct dram_trace_options){.transaction = 64}, err);
  for (size_t n; t && (n = dram_trace_next(t, some, 256, err));)
    for (size_t i = 0; i < n; i++)
      locality_add(l, some[i].address);
  if (t)
    dram_trace_close(t);
  return !err->code;
}

static void show_locality(const struct locality *l, bool as_object) {
  if (!as_object)
    printf("%-8s %s\n", "window", "requests to a 4 KB page");
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_u64(&j, "requests", locality_requests(l));
  json_open(&j, "locality", '{');
  for (unsigned i = 0; i < LOCALITY_WINDOWS && LOCALITY_WINDOW(i) <= locality_requests(l); i++) {
    char window[16];
    snprintf(window, sizeof window, "%u", LOCALITY_WINDOW(i));
    json_f64(&j, window, locality_mean(l, i));
    if (!as_object)
      printf("%-8s %.2f\n", window, locality_mean(l, i));
  }
  json_close(&j);
  json_close(&j);
  if (as_object)
    printf("%s\n", strbuf_str(&j.out));
  else
    printf("of %llu requests\n", (unsigned long long)locality_requests(l));
  strbuf_free(&j.out);
}

static int locality(const struct cli_args *a, const char *path, struct error *err) {
  struct locality *l = locality_new();
  if (trace_is(path) ? see_stream(path, l, err) : see_requests(path, l, err))
    show_locality(l, cli_flag(a, "json"));
  locality_free(l);
  return err->code;
}

static int run_trace(const struct cli_args *a, struct error *err) {
  if (a->noperands != 2) {
    error_set(
        err, EXIT_USAGE,
        "sluice trace: say `record WHAT -o FILE`, `info FILE`, `locality FILE`, `import LIST -o FILE` or "
        "`export FILE -o FOLDER`");
    return EXIT_USAGE;
  }
  if (strcmp(a->operands[0], "record") == 0)
    return record(a, a->operands[1], err);
  if (strcmp(a->operands[0], "info") == 0)
    return info(a, a->operands[1], err);
  if (strcmp(a->operands[0], "locality") == 0)
    return locality(a, a->operands[1], err);
  if (strcmp(a->operands[0], "import") == 0)
    return import(a, a->operands[1], err);
  if (strcmp(a->operands[0], "export") == 0)
    return export(a, a->operands[1], err);
  const char *near = nearest_match(a->operands[0], words, 5);
  error_set(err, EXIT_USAGE,
            "sluice trace: no '%.60s' (allowed: record, info, locality, import, export)%s%s%s",
            a->operands[0], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return EXIT_USAGE;
}

static const struct cli_example examples[] = {
    {"sluice trace record bfs --size medium -o bfs.stream", "execute a workload once and keep its stream"},
    {"sluice trace info bfs.stream", "its launches and sizes"},
    {"sluice trace locality bfs.stream", "requests to a 4 KB page in windows of 128 to 16384 of them"},
    {"sluice run bfs.stream --gpu cart28 --with cart",
     "run it on a GPU: the same numbers as `sluice run bfs`"},
    {"sluice trace import traces/kernelslist.g -o app.stream", "read a trace of Accel-Sim"},
    {"sluice trace export bfs.stream -o traces", "write one: traces/kernelslist.g and its kernels"},
};

const struct cli_command cli_trace = {
    .name = "trace",
    .summary = "Record the stream of a run, describe it, or exchange it with Accel-Sim.",
    .operands = "record WHAT | info FILE | locality FILE | import LIST | export FILE",
    .details =
        "A recorded stream holds what every warp did: basic blocks, active lanes, addresses. It is "
        "compressed, "
        "indexed and checksummed, and `sluice run FILE` runs it on any GPU with the same statistics as "
        "the run it came from, without executing the kernels again. docs/traces.md describes the format. "
        "`locality` cuts its requests (128-byte lines of each access, in the order of the stream) into "
        "windows, and "
        "prints the mean number of them to each 4 KB page in a window. It reads DRAM traces, too "
        "(docs/dram-traces.md; blocks are of 64 bytes). `import` reads instruction traces of Accel-Sim, "
        "named by "
        "their kernelslist.g, into a stream, and `export` writes them from one.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .words = words,
    .run = run_trace,
};
