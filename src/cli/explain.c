/* sluice explain: what limits a run, and what changed between two. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/cli.h"
#include "cli/workload.h"
#include "explain/explain.h"
#include "explain/whatif.h"
#include "front/trace/trace.h"
#include "timeline/timeline.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_option options[] = {
    {"what-if", 0, "NAME,...",
     "Run ideals on the recorded stream and print how fast they are: dram=free, dram=rows, dram=order, "
     "l2=infinite, l2=fast, noc=ideal, "
     "misses=unlimited, l1=infinite, l1=wide, shared=free, issue=wide, latency=none, or all.",
     whatif_names, false, false},
    {"versus", 0, "TECHNIQUE[:NAME=VALUE],...",
     "Run the workload a second time with these techniques, and say what they change.", NULL, false, false},
    {"stream", 0, "FILE", "The recorded stream for --what-if (else the workload is executed again).", NULL,
     true, false},
    {"launch", 0, "N", "Explain one launch, by its number from 0.", NULL, false, false},
    {"json", 0, NULL, "Print JSON.", NULL, false, false},
    CLI_WORKLOAD_OPTIONS,
    {"gpu", 'g', "GPU", "The GPU, if a workload or launch file is to be run first.", gpu_preset_names, false,
     false},
    {"with", 'w', "TECHNIQUE[:NAME=VALUE],...", "The same: techniques.", NULL, false, true},
    {"plugin", 0, "FILE.so", "The same: a technique from a shared object.", NULL, true, true},
    {"set", 's', "NAME=VALUE", "The same: a parameter.", NULL, false, true},
    {"config", 'c', "FILE", "The same: parameters from a YAML file.", NULL, true, true},
};

struct explain_files {
  struct strbuf folder; /* of temporaries; empty: none yet */
  struct strbuf stream; /* what --what-if runs */
  struct strbuf timeline[2];
};

static bool need_folder(struct explain_files *w, struct error *err) {
  if (w->folder.n)
    return true;
  const char *tmp = getenv("TMPDIR");
  strbuf_addf(&w->folder, "%s/sluice-explain-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(w->folder.s))
    return true;
  strbuf_free(&w->folder);
  return error_set(err, EXIT_RUNTIME, "sluice explain: no folder for temporary files in %s",
                   tmp && *tmp ? tmp : "/tmp");
}

static void clean(struct explain_files *w) {
  struct strbuf *const files[] = {&w->stream, &w->timeline[0], &w->timeline[1]};
  for (int i = 0; i < 3; i++) {
    if (w->folder.n && files[i]->n && strncmp(files[i]->s, w->folder.s, w->folder.n) == 0)
      remove(files[i]->s);
    strbuf_free(files[i]);
  }
  if (w->folder.n)
    rmdir(w->folder.s);
  strbuf_free(&w->folder);
}

/* Is it a result, not something to be run? */
static bool is_result(const char *what) {
  size_t n = strlen(what);
  return timeline_is(what) || strstr(what, ".db#") || (n > 5 && strcmp(what + n - 5, ".json") == 0);
}

/* Runs it, recording a timeline or (NULL) only the stream. */
static bool run_it(struct sluice *s, const char *what, const struct sluice_input *in, const char *timeline,
                   const char *record, struct error *err) {
  struct sluice_options o = {.size = sizeof o, .functional = !timeline, .timeline = timeline};
  o.record = record, o.printf_to = stderr;
  return cli_told(s, sluice_options(s, &o), err) && cli_simulate(s, what, in, err);
}

/* Runs what the command line names; afterwards there is a timeline of it, and a stream if --what-if wants one. */
static bool run_operand(const struct cli_args *a, const char *what, size_t i, bool stream,
                        struct explain_files *w, struct error *err) {
  struct sluice *s = cli_handle(a, err);
  struct cli_input input = {0};
  if (s && i && cli_value(a, "versus"))
    cli_told(s, sluice_with(s, cli_value(a, "versus")), err);
  if (s && !err->code && cli_input_read(a, s, "explain", what, &input, err) && need_folder(w, err)) {
    bool recorded = input.kind == SLUICE_RECORDING;
    strbuf_addf(&w->timeline[i], "%s/%zu.tl", w->folder.s, i);
    if (stream && !w->stream.n)
      strbuf_addf(&w->stream, "%s%s", recorded ? "" : w->folder.s, recorded ? what : "/run.stream");
    run_it(s, what, &input.in, w->timeline[i].s, stream && !recorded ? w->stream.s : NULL, err);
  }
  cli_input_free(&input);
  sluice_destroy(s);
  return !err->code;
}

/* Choices of a run's JSON as the input that made them. */
static void input_of(const struct yaml_node *choices, struct cli_input *k, struct strbuf *params) {
  k->seed = 1;
  k->in = (struct sluice_input){.size = sizeof k->in, .seed = &k->seed};
  for (size_t i = 0; choices && choices->kind == YAML_MAP && i < choices->n; i++) {
    const char *name = choices->keys[i],
               *value = choices->items[i]->kind == YAML_SCALAR ? choices->items[i]->text : "";
    if (strcmp(name, "size") == 0) {
      k->in.scale = value;
    } else if (strcmp(name, "seed") == 0) {
      num_u64(value, &k->seed);
    } else if (strcmp(name, "input") == 0) {
      k->in.file = value;
    } else {
      strbuf_addf(params, "%s=%s", name, value);
      strbuf_addc(params, '\0');
      k->in.nparams++;
    }
  }
  const char **list = xcalloc(k->in.nparams + 1, sizeof *list), *at = params->s;
  for (size_t i = 0; i < k->in.nparams; i++, at += strlen(at) + 1)
    list[i] = at;
  k->in.params = list;
}

/* The stream of a run that a result tells of: its workload is executed again, with the same choices and configuration. */
static bool stream_again(const struct explain *e, const struct yaml_node *root, struct explain_files *w,
                         struct error *err) {
  if (trace_is(e->workload)) {
    strbuf_add(&w->stream, e->workload);
    return true;
  }
  struct cli_input input = {0};
  struct strbuf params = {0};
  struct error why = {0};
  struct sluice *s = sluice_create();
  input_of(yaml_get(root, "choices"), &input, &params);
  input.kind = s ? sluice_subject(s, e->workload) : SLUICE_NOTHING;
  if (input.kind == SLUICE_LAUNCH_FILE)
    input.in.size = 0;
  if (input.kind == SLUICE_NOTHING)
    error_set(&why, EXIT_USAGE, "sluice explain: %s", s ? sluice_error(s) : "out of memory");
  else if (whatif_configure(s, yaml_get(root, "config"), &why) && need_folder(w, &why)) {
    strbuf_addf(&w->stream, "%s/run.stream", w->folder.s);
    run_it(s, e->workload, &input.in, NULL, w->stream.s, &why);
  }
  sluice_destroy(s);
  if (why.code)
    error_set(err, why.code,
              "sluice explain: --what-if needs the stream of '%s', which cannot be executed again: "
              "%s\n(--stream FILE names a stream that "
              "`sluice run … --record FILE` wrote)",
              e->workload, why.text ? why.text : "");
  error_clear(&why);
  cli_input_free(&input);
  strbuf_free(&params);
  return !err->code;
}

static bool what_if(const struct cli_args *a, const struct explain *e, struct explain_files *w,
                    struct strbuf *to, struct error *err) {
  const char *list = cli_value(a, "what-if"), *stream = cli_value(a, "stream");
  struct yaml_doc *d = yaml_parse_text(e->source, e->report, strlen(e->report), err);
  if (!d)
    return false;
  if (stream && !w->stream.n) {
    if (trace_is(stream))
      strbuf_add(&w->stream, stream);
    else
      error_set(err, EXIT_USAGE, "sluice explain: --stream '%.200s' is no recorded stream", stream);
  }
  if (!err->code && (w->stream.n || stream_again(e, d->root, w, err))) {
    struct whatif_result *r;
    size_t n = whatif_run(list, yaml_get(d->root, "config"), w->stream.s, &r);
    if (cli_flag(a, "json")) {
      struct json j = {0};
      json_open(&j, NULL, '{');
      json_u64(&j, "cycles", (uint64_t)e->run.cycles);
      json_open(&j, "what_if", '[');
      for (size_t i = 0; i < n; i++) {
        json_open(&j, NULL, '{');
        json_str(&j, "name", r[i].name);
        if (r[i].cycles)
          json_u64(&j, "cycles", r[i].cycles);
        else
          json_str(&j, "error", r[i].why);
        json_str(&j, "settings", r[i].settings);
        json_close(&j);
      }
      json_close(&j);
      json_close(&j);
      strbuf_addf(to, "%s\n", strbuf_str(&j.out));
      strbuf_free(&j.out);
    } else {
      whatif_table(r, n, (uint64_t)e->run.cycles, to);
    }
    whatif_free(r, n);
  }
  yaml_close(d);
  return !err->code;
}

/* Puts a launch in the place of the run. */
static bool choose_launch(struct explain *e, const char *text, struct error *err) {
  uint64_t n;
  if (num_u64(text, &n) != NUM_OK || n >= e->nlaunches)
    return error_set(err, EXIT_USAGE, "sluice explain: --launch '%.40s': %s has launches 0 to %zu", text,
                     e->source, e->nlaunches ? e->nlaunches - 1 : 0);
  char *name = e->run.name;
  e->run = e->launch[n];
  e->run.name = name;
  struct strbuf workload = {0};
  strbuf_addf(&workload, "%s, launch %llu (%s)", e->workload, (unsigned long long)n, e->launch[n].name);
  free(e->workload);
  e->workload = strbuf_take(&workload);
  return true;
}

static void print(const struct cli_args *a, struct explain *e, size_t n, struct explain_files *w,
                  struct error *err) {
  struct strbuf text = {0};
  const struct explain *const list[2] = {&e[0], &e[1]};
  bool ideals = cli_value(a, "what-if") != NULL;
  if (cli_flag(a, "json") && !ideals)
    explain_json(list, n, &text);
  else if (n == 2) {
    if (cli_value(a, "versus"))
      explain_first(&e[0], &text);
    explain_compare(&e[0], &e[1], &text);
  } else if (!cli_flag(a, "json"))
    explain_words(&e[0], &text);
  if (ideals)
    what_if(a, &e[0], w, &text, err);
  fwrite(strbuf_str(&text), 1, text.n, stdout);
  strbuf_free(&text);
}

static int run_explain(const struct cli_args *a, struct error *err) {
  struct explain_files w = {0};
  struct explain e[2] = {{0}};
  size_t n = 0;
  bool ideals = cli_value(a, "what-if") != NULL;
  if (a->noperands < 1 || a->noperands > 2)
    error_add(err, EXIT_USAGE,
              "sluice explain: name one run, or two to compare (%zu given); see `sluice explain --help`",
              a->noperands);
  if (ideals)
    whatif_check(cli_value(a, "what-if"), err);
  if (ideals && a->noperands == 2)
    error_add(err, EXIT_USAGE, "sluice explain: --what-if is about one run");
  if (cli_value(a, "launch") && (ideals || a->noperands == 2))
    error_add(err, EXIT_USAGE, "sluice explain: --launch is about one run as it is");
  const char *versus = cli_value(a, "versus");
  if (versus && (a->noperands != 1 || ideals || cli_value(a, "launch")))
    error_add(err, EXIT_USAGE, "sluice explain: --versus is about one workload, launch file or stream");
  else if (versus && is_result(a->operands[0]))
    error_add(
        err, EXIT_USAGE,
        "sluice explain: --versus runs a workload, launch file or stream; '%.200s' is the result of one",
        a->operands[0]);
  for (size_t i = 0; i < (versus ? 2 : a->noperands) && !err->code; i++) {
    const char *what = a->operands[versus ? 0 : i];
    if (!is_result(what) && !run_operand(a, what, i, ideals, &w, err))
      break;
    if (!explain_read(&e[n], w.timeline[i].n ? w.timeline[i].s : what, err))
      break;
    struct strbuf source = {0};
    strbuf_addf(&source, "%s%s%s", what, versus && i ? " with " : "", versus && i ? versus : "");
    free(e[n].source);
    e[n++].source = strbuf_take(&source);
  }
  if (!err->code && cli_value(a, "launch"))
    choose_launch(&e[0], cli_value(a, "launch"), err);
  if (!err->code)
    print(a, e, n, &w, err);
  for (size_t i = 0; i < n; i++)
    explain_free(&e[i]);
  clean(&w);
  return err->code;
}

static const struct cli_example examples[] = {
    {"sluice explain bfs --gpu cart28", "run a workload and say what limits it"},
    {"sluice explain bfs.tl", "the same of a run that was recorded with --timeline"},
    {"sluice explain base.tl cart.tl", "what changed between two runs, and what changed first"},
    {"sluice explain spmv --gpu cart28 --versus cart", "run it twice: what limits it, and what CART changes"},
    {"sluice explain bfs.tl --what-if dram=free,l2=infinite,noc=ideal",
     "how fast it would be with a free DRAM, a huge L2, ideal crossbars"},
    {"sluice explain k.yaml --gpu v100 --what-if all", "all ideals, on the stream that the run recorded"},
};

const struct cli_command cli_explain = {
    .name = "explain",
    .summary = "Say what limits a run and how that is known, or what changed between two.",
    .operands = "RUN [RUN]",
    .details = "A run is a timeline (`sluice run … --timeline FILE`), the JSON of a run, a point of a "
               "database (FILE.db#ID), or a workload, "
               "launch file or recorded stream, which is then run first. The answer is a list of limiters "
               "with the share of time of each, the "
               "statistics that show it, and the most that its absence could gain; --what-if runs ideals, "
               "which are settings like any other, "
               "to see what it would gain. Two runs are compared link by link from the schedulers to the "
               "DRAM. docs/seeing.md has the rules.\n\n"
               "Exit codes: 0 success; 1 a file cannot be written; 2 a mistake in the command line, or a "
               "file that is no run; others as of "
               "`sluice run` where something is run.",
    .options = options,
    .noptions = sizeof options / sizeof *options,
    .examples = examples,
    .nexamples = sizeof examples / sizeof *examples,
    .run = run_explain,
};
