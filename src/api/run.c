/* Whole runs: workloads, launch files, recordings. And what callbacks are told while something runs. */
#include "api/handle.h"
#include "base/mem.h"
#include "front/count.h"
#include "front/launch/launch.h"
#include "front/trace/trace.h"
#include "workload/workload.h"
#include <stdlib.h>
#include <string.h>

static bool progress(void *ctx, uint64_t launch, uint64_t ctas, const struct functional_progress *p) {
  struct sluice *s = ctx;
  struct sluice_progress q = {.size = sizeof q,
                              .launch = (uint32_t)launch,
                              .cycles = p->cycles,
                              .thread_instructions = p->thread_instructions,
                              .ctas_done = p->ctas,
                              .ctas = ctas};
  return !s->progress || s->progress(s->progress_ctx, &q);
}

static bool interval(void *ctx, uint64_t launch, uint64_t cycle, const struct front_counters *executed) {
  struct sluice *s = ctx;
  struct front_counters copy = *executed;
  s->inside = true;
  s->executed = &copy;
  const struct stat_series *series = s->machine->series;
  bool go = s->interval(s->interval_ctx, s, (uint32_t)launch, series ? (uint32_t)series->n - 1 : 0, cycle);
  s->inside = false;
  s->executed = NULL;
  if (s->live)
    stats_free(s->live);
  s->live = NULL;
  stat_detail_free(&s->live_detail);
  s->live_detail = (struct stat_detail){0};
  return go;
}

static void warn(void *ctx, const char *text) {
  const struct sluice *s = ctx;
  if (s->warning)
    s->warning(s->warning_ctx, text);
}

void handle_how(struct sluice *s) {
  static const enum progress_mode shows[] = {PROGRESS_NONE, PROGRESS_AUTO, PROGRESS_PLAIN};
  s->watch = (struct functional_watch){
      .ctx = s, .progress = progress, .interval = s->interval ? interval : NULL, .warn = warn};
  s->how = (struct functional_options){.watch = &s->watch,
                                       .machine = s->machine,
                                       .progress = shows[s->o.show < 3 ? s->o.show : 0],
                                       .printf_to = s->o.printf_to,
                                       .no_verify = s->o.no_verify,
                                       .record = s->o.record};
}

static enum sluice_subject subject(struct sluice *s, const char *what) {
  error_clear(&s->err);
  if (trace_is(what))
    return SLUICE_RECORDING;
  if (workload_or_file(what, &s->err))
    return SLUICE_WORKLOAD;
  return s->err.code ? SLUICE_NOTHING : SLUICE_LAUNCH_FILE;
}

enum sluice_subject sluice_subject(struct sluice *s, const char *what) {
  return ON_HANDLE(s, subject(s, what), SLUICE_NOTHING);
}

static bool read_input(const struct sluice *s, const struct sluice_input *given, struct workload_request *q,
                       struct error *err) {
  struct sluice_input in = {0};
  if (given && (given->size < sizeof given->size || given->size > sizeof in))
    return error_set(err, EXIT_USAGE,
                     "struct sluice_input: its size must be set, and no more than this library's (%s)",
                     SLUICE_VERSION);
  if (given)
    memcpy(&in, given, given->size);
  *q = (struct workload_request){
      .seed = in.seed ? *in.seed : 1, .input = in.file, .params = in.params, .nparams = in.nparams};
  if (in.scale && !workload_size_read(in.scale, &q->size, err))
    return false;
  q->verify = in.check || (q->size == SIZE_SMALL && !s->o.no_verify);
  return true;
}

/* A stream into memory, which is left alone where nobody closes it. */
struct in_memory {
  FILE *to;
  char *data;
  size_t n;
};
static void drop(void *memory) {
  struct in_memory *m = memory;
  (void)fclose(m->to);
  free(m->data);
}

static bool write_plan(struct sluice *s, const struct launch_file *f, char **plan, size_t *bytes) {
  struct in_memory *m = xcalloc(1, sizeof *m);
  m->to = open_memstream(&m->data, &m->n);
  if (!m->to)
    out_of_memory(0);
  pool_ends(drop, m);
  bool ok = launch_file_write_plan(f, m->to, &s->err);
  pool_ended(m);
  if (fclose(m->to) != 0)
    out_of_memory(m->n);
  if (ok)
    *plan = m->data, *bytes = m->n;
  else
    free(m->data);
  free(m);
  return ok;
}

static bool plan_of(struct sluice *s, const char *what, const struct sluice_input *input, char **plan,
                    size_t *bytes) {
  enum sluice_subject kind = subject(s, what);
  struct workload_request q;
  if (kind == SLUICE_NOTHING || !read_input(s, input, &q, &s->err))
    return false;
  if (kind == SLUICE_RECORDING)
    return handle_refuse(s, "'%.200s' is a recorded stream: there are no kernels to plan", what);
  q.verify = true; /* what is expected is part of the plan */
  struct launch_file *f = kind == SLUICE_WORKLOAD
                              ? workload_record(workload_find(what, &s->err), &q, s->conf, &s->err)
                              : launch_file_load(what, &s->err);
  bool ok = f && write_plan(s, f, plan, bytes);
  launch_file_free(f);
  return ok;
}

enum sluice_status sluice_plan(struct sluice *s, const char *what, const struct sluice_input *input,
                               char **plan, size_t *bytes) {
  return STATUS_OF(s, plan_of(s, what, input, plan, bytes));
}

static void execute(struct sluice *s, const char *what, enum sluice_subject kind,
                    const struct workload_request *q) {
  if (kind == SLUICE_RECORDING)
    functional_replay(what, s->conf, &s->how, &s->report, &s->err);
  else if (kind == SLUICE_WORKLOAD)
    workload_run(workload_find(what, &s->err), q, s->conf, &s->how, &s->report, &s->err);
  else
    functional_run(what, s->conf, &s->how, &s->report, &s->err);
}

static bool run(struct sluice *s, const char *what, const struct sluice_input *input) {
  enum sluice_subject kind = subject(s, what);
  struct workload_request q;
  if (kind == SLUICE_NOTHING)
    return false;
  if (s->runner)
    return handle_refuse(s, "'%s': this handle has memory and modules of its own; another one can run it",
                         what);
  if (kind == SLUICE_RECORDING && s->o.record)
    return handle_refuse(s, "'%.200s' is a recorded stream already; recording it is of no use", what);
  if (!read_input(s, input, &q, &s->err) || !handle_machine(s))
    return false;
  handle_forget(s);
  handle_how(s);
  s->what = xstrdup(what);
  s->report =
      (struct report){.workload = s->what, .conf = s->conf, .model = s->o.model, .command = s->o.command};
  execute(s, what, kind, &q);
  struct error e = {0};
  if (s->report.total && !machine_recorded(s->machine, &s->report, &e))
    error_add(&s->err, e.code, "%s", e.text);
  error_clear(&e);
  machine_free(s->machine);
  s->machine = NULL;
  return !s->err.code;
}

enum sluice_status sluice_run(struct sluice *s, const char *what, const struct sluice_input *input) {
  return STATUS_OF(s, run(s, what, input));
}
