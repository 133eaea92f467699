#include "lab/work.h"
#include "base/file.h"
#include "front/functional.h"
#include "front/trace/trace.h"
#include "gpu/machine.h"
#include "lab/streams.h"
#include "tables.h"
#include "tech/tech.h"
#include "workload/workload.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SPEC_MAX = 4 << 20, REASON_MAX = 2000 };

struct work {
  struct lab_spec spec;
  const struct workload *workload; /* NULL: a file */
  struct workload_request request;
  struct arena mem;
  struct conf *conf;
  double wall_s, cpu_s;
};

static bool prepare(struct work *w, struct error *err) {
  const struct lab_workload *k = &w->spec.workload;
  for (size_t i = 0; i < w->spec.nplugins; i++)
    tech_plugin(w->spec.plugins[i], err);
  w->conf = tables_conf();
  conf_load_text(w->conf, "point", w->spec.config, strlen(w->spec.config), err);
  w->workload = trace_is(k->name) ? NULL : workload_or_file(k->name, err);
  w->request = (struct workload_request){.seed = k->seed, .input = k->input, .nparams = k->params.n};
  if (k->size)
    workload_size_read(k->size, &w->request.size, err);
  w->request.verify = w->request.size == SIZE_SMALL;
  w->request.params = lab_workload_params(k, &w->mem);
  return !err->code;
}

static void release(struct work *w) {
  arena_free(&w->mem);
  conf_free(w->conf);
  lab_spec_free(&w->spec);
}

static bool execute(struct work *w, const struct functional_options *o, struct report *r, struct error *err) {
  if (w->workload)
    return workload_run(w->workload, &w->request, w->conf, o, r, err);
  return functional_run(w->spec.workload.name, w->conf, o, r, err);
}

/* A recording that fails is no result: the run that follows will say what is wrong. */
static bool record(void *ctx, const char *path) {
  struct work *w = ctx;
  struct report report = {.workload = w->spec.workload.name, .conf = w->conf};
  struct functional_options o = {.progress = PROGRESS_NONE, .printf_to = stderr, .record = path};
  struct error err = {0};
  bool ok = execute(w, &o, &report, &err);
  report_free(&report);
  error_clear(&err);
  return ok;
}

/* One run on a machine of its own; `stream` NULL: executes. */
static bool timed(struct work *w, const char *stream, struct report *r, struct error *err) {
  struct machine_options o = {.max_cycles = w->spec.max_cycles, .threads = (unsigned)w->spec.threads};
  struct functional_machine *m = machine_new(w->conf, &o, err);
  if (!m)
    return false;
  struct functional_options f = {.machine = m, .progress = PROGRESS_NONE, .printf_to = stderr};
  double wall = stats_wall_clock(), cpu = stats_cpu_clock();
  bool ok = stream ? functional_replay(stream, w->conf, &f, r, err) : execute(w, &f, r, err);
  w->wall_s = stats_wall_clock() - wall;
  w->cpu_s = stats_cpu_clock() - cpu;
  machine_free(m);
  return ok;
}

static bool run_cached(struct work *w, struct report *r, struct error *err) {
  const struct lab_streams *c = &w->spec.streams;
  const char *id = w->spec.stream_id;
  for (int attempt = 0; attempt < 2 && lab_streams_need(c, id, record, w); attempt++) {
    struct strbuf path = {0};
    struct report fresh = {.workload = r->workload, .conf = r->conf};
    error_clear(err);
    lab_streams_path(c, id, &path);
    bool ok = timed(w, path.s, &fresh, err);
    strbuf_free(&path);
    /* what is wrong with the point itself shows again when it is executed */
    bool unread = err->code == EXIT_USAGE || err->code == EXIT_RUNTIME;
    if (ok || (!lab_streams_damaged(c, id) && !unread)) {
      *r = fresh;
      return ok;
    }
    report_free(&fresh);
  }
  error_clear(err);
  return timed(w, NULL, r, err);
}

static bool run(struct work *w, struct report *r, struct error *err) {
  if (!*w->spec.stream_id)
    return timed(w, w->spec.workload.name, r, err);
  return w->spec.streams.folder ? run_cached(w, r, err) : timed(w, NULL, r, err);
}

static enum lab_state state_of(const struct report *r, bool ok, const struct error *why) {
  if (ok)
    return LAB_DONE;
  if (why->code != EXIT_STALL)
    return LAB_FAILED;
  return r->status && strcmp(r->status, "cut") == 0 ? LAB_CUT : LAB_STALLED;
}

static void put_stats(struct lab_result *to, const struct stats *s) {
  struct stat_value v;
  for (size_t i = 0; s && i < stats_count(s); i++) {
    if (!stats_at(s, i, &v) || v.row->type == STAT_TEXT || strncmp(v.row->name, "sim.", 4) == 0)
      continue;
    bool real = v.row->type == STAT_F64 || v.u > INT64_MAX;
    VEC_PUSH(to->values, to->n, to->cap) =
        (struct lab_value){.name = v.row->name,
                           .real = real,
                           .i = real ? 0 : (int64_t)v.u,
                           .f = v.row->type == STAT_F64 ? v.f : (double)v.u};
  }
}

static bool put_result(const struct work *w, const struct report *r, bool ok, const struct error *why,
                       const char *path, struct error *err) {
  struct lab_result result = {.id = w->spec.id ? w->spec.id : ""};
  struct lab_outcome *o = &result.outcome;
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  o->state = state_of(r, ok, why);
  o->reason = ok ? "" : arena_strndup(&result.mem, why->text, strnlen(why->text, REASON_MAX));
  o->wall_s = w->wall_s, o->cpu_s = w->cpu_s;
  o->peak_kib = (uint64_t)u.ru_maxrss;
  put_stats(&result, r->total);
  struct strbuf text = {0};
  lab_result_write(&result, &text);
  bool written = file_write_atomic(path, text.s, text.n, err);
  strbuf_free(&text);
  lab_result_free(&result);
  return written;
}

bool lab_work(const char *spec, const char *result, struct error *err) {
  struct work w = {0};
  size_t n;
  char *text = file_read(spec, SPEC_MAX, &n, err);
  if (!text)
    return false;
  bool ok = lab_spec_read(spec, text, n, &w.spec, err);
  free(text);
  if (ok) {
    struct error why = {0};
    struct report report = {.workload = w.spec.workload.name};
    bool done = prepare(&w, &why);
    report.conf = w.conf;
    done = done && run(&w, &report, &why);
    ok = put_result(&w, &report, done, &why, result, err);
    report_free(&report);
    error_clear(&why);
  }
  release(&w);
  return ok;
}
