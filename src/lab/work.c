#include "lab/work.h"
#include "base/file.h"
#include "lab/streams.h"
#include "sluice.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SPEC_MAX = 4 << 20, REASON_MAX = 2000 };

struct work {
  struct lab_spec spec;
  struct sluice_input input;
  struct arena mem;
  struct sluice *s; /* of the last run; NULL: none */
  double wall_s, cpu_s;
};

static bool failed(enum sluice_status status, const char *why, struct error *err) {
  int code = status == SLUICE_E_MEMORY ? EXIT_RUNTIME : (int)status;
  return !status || error_set(err, code, "%s", why);
}

static bool prepare(struct work *w, struct error *err) {
  const struct lab_workload *k = &w->spec.workload;
  char why[600];
  for (size_t i = 0; i < w->spec.nplugins; i++)
    if (!failed(sluice_technique_load(w->spec.plugins[i], why, sizeof why), why, err))
      return false;
  w->input = (struct sluice_input){.size = sizeof w->input,
                                   .scale = k->size,
                                   .file = k->input,
                                   .seed = &w->spec.workload.seed,
                                   .nparams = (uint32_t)k->params.n,
                                   .params = lab_workload_params(k, &w->mem)};
  return true;
}

static void release(struct work *w) {
  sluice_destroy(w->s);
  arena_free(&w->mem);
  lab_spec_free(&w->spec);
}

/* Runs something on a handle of its own, which stays until the next. */
static bool execute(struct work *w, const char *what, const struct sluice_options *o, struct error *err) {
  sluice_destroy(w->s);
  struct sluice *s = w->s = sluice_create();
  if (!s)
    return error_set(err, EXIT_RUNTIME, "out of memory");
  bool ok = !sluice_options(s, o) &&
            !sluice_config_text(s, "point", w->spec.config, strlen(w->spec.config)) &&
            !sluice_run(s, what, &w->input);
  return ok || failed(sluice_error_code(s), sluice_error(s), err);
}

/* A recording that fails is no result: the run that follows will say what is wrong. */
static bool record(void *ctx, const char *path) {
  struct work *w = ctx;
  struct sluice_options o = {.size = sizeof o, .functional = true, .printf_to = stderr, .record = path};
  struct error err = {0};
  bool ok = execute(w, w->spec.workload.name, &o, &err);
  error_clear(&err);
  return ok;
}

/* One run on the GPU; `stream` NULL: executes. */
static bool timed(struct work *w, const char *stream, struct error *err) {
  struct sluice_options o = {.size = sizeof o,
                             .threads = (uint32_t)w->spec.threads,
                             .max_cycles = w->spec.max_cycles,
                             .printf_to = stderr,
                             .timed = true};
  double wall = stats_wall_clock(), cpu = stats_cpu_clock();
  bool ok = execute(w, stream ? stream : w->spec.workload.name, &o, err);
  w->wall_s = stats_wall_clock() - wall;
  w->cpu_s = stats_cpu_clock() - cpu;
  return ok;
}

static bool run_cached(struct work *w, struct error *err) {
  const struct lab_streams *c = &w->spec.streams;
  const char *id = w->spec.stream_id;
  for (int attempt = 0; attempt < 2 && lab_streams_need(c, id, record, w); attempt++) {
    struct strbuf path = {0};
    error_clear(err);
    lab_streams_path(c, id, &path);
    bool ok = timed(w, path.s, err);
    strbuf_free(&path);
    /* what is wrong with the point itself shows again when it is executed */
    bool unread = err->code == EXIT_USAGE || err->code == EXIT_RUNTIME;
    if (ok || (!lab_streams_damaged(c, id) && !unread))
      return ok;
  }
  error_clear(err);
  return timed(w, NULL, err);
}

static bool run(struct work *w, struct error *err) {
  if (!*w->spec.stream_id)
    return timed(w, w->spec.workload.name, err);
  return w->spec.streams.folder ? run_cached(w, err) : timed(w, NULL, err);
}

static enum lab_state state_of(const struct work *w, bool ok, const struct error *why) {
  if (ok)
    return LAB_DONE;
  if (why->code != EXIT_STALL)
    return LAB_FAILED;
  const char *outcome = w->s ? sluice_outcome(w->s) : NULL;
  return outcome && strcmp(outcome, "cut") == 0 ? LAB_CUT : LAB_STALLED;
}

static void put_stats(struct lab_result *to, struct sluice *s) {
  struct sluice_stat_value v = {.size = sizeof v};
  for (uint32_t i = 0; s && sluice_stat_at(s, i, &v); i++) {
    if (v.kind == SLUICE_STAT_NONE || v.kind == SLUICE_STAT_TEXT || strncmp(v.name, "sim.", 4) == 0)
      continue;
    bool real = v.kind == SLUICE_STAT_REAL || v.count > INT64_MAX;
    VEC_PUSH(to->values, to->n, to->cap) =
        (struct lab_value){.name = v.name, .real = real, .i = real ? 0 : (int64_t)v.count, .f = v.real};
  }
}

static bool put_result(const struct work *w, bool ok, const struct error *why, const char *path,
                       struct error *err) {
  struct lab_result result = {.id = w->spec.id ? w->spec.id : ""};
  struct lab_outcome *o = &result.outcome;
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  o->state = state_of(w, ok, why);
  o->reason = ok ? "" : arena_strndup(&result.mem, why->text, strnlen(why->text, REASON_MAX));
  o->wall_s = w->wall_s, o->cpu_s = w->cpu_s;
  o->peak_kib = (uint64_t)u.ru_maxrss;
  put_stats(&result, w->s);
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
    bool done = prepare(&w, &why) && run(&w, &why);
    ok = put_result(&w, done, &why, result, err);
    error_clear(&why);
  }
  release(&w);
  return ok;
}
