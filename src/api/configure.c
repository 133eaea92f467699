/* What a handle simulates: parameters, techniques, options, callbacks. */
#include "api/handle.h"
#include "base/mem.h"
#include "base/stop.h"
#include "gpu/presets.h"
#include "tech/tech.h"
#include <stdlib.h>
#include <string.h>

/* May the parameter still change? */
static bool open_to(struct sluice *s, const char *key) {
  error_clear(&s->err);
  if (s->machine)
    return handle_refuse(s, "%s cannot change once the GPU is built; another handle can have it", key);
  if (s->runner && !strncmp(key, "memory.", 7))
    return handle_refuse(s, "%s cannot change once device memory is in use", key);
  return true;
}

/* The executor of launches sees what has changed. */
static bool changed(struct sluice *s, bool ok) {
  if (s->runner)
    runner_configure(s->runner, s->conf);
  return ok;
}

static bool gpu(struct sluice *s, const char *name) {
  if (!open_to(s, "the GPU") || !changed(s, gpu_preset_load(s->conf, name, &s->err)))
    return false;
  return s->gpu = true;
}

static bool set(struct sluice *s, const char *key, const char *value, const char *origin) {
  return open_to(s, key) && changed(s, conf_assign(s->conf, key, value, origin, &s->err));
}

enum sluice_status sluice_gpu(struct sluice *s, const char *preset_or_file) {
  return STATUS_OF(s, gpu(s, preset_or_file));
}
enum sluice_status sluice_config(struct sluice *s, const char *file) {
  return STATUS_OF(s, open_to(s, file) && changed(s, conf_load_file(s->conf, file, &s->err)));
}
enum sluice_status sluice_config_text(struct sluice *s, const char *name, const char *text, size_t n) {
  return STATUS_OF(s, open_to(s, name) && changed(s, conf_load_text(s->conf, name, text, n, &s->err)));
}
enum sluice_status sluice_set(struct sluice *s, const char *key, const char *value) {
  return STATUS_OF(s, set(s, key, value, "sluice_set"));
}
enum sluice_status sluice_set_from(struct sluice *s, const char *key, const char *value, const char *origin) {
  return STATUS_OF(s, set(s, key, value, origin));
}
enum sluice_status sluice_assign(struct sluice *s, const char *assignment) {
  return STATUS_OF(s, open_to(s, assignment) && changed(s, conf_set(s->conf, assignment, &s->err)));
}
enum sluice_status sluice_with(struct sluice *s, const char *techniques) {
  return STATUS_OF(s, open_to(s, "the techniques") && tech_with(s->conf, techniques, &s->err));
}

static struct record_options record_of(const struct sluice_options *o) {
  return (struct record_options){.path = o->timeline,
                                 .interval = o->timeline_interval ? o->timeline_interval : 1000,
                                 .window = {o->timeline_window[0], o->timeline_window[1]},
                                 .waits = o->timeline_waits,
                                 .units = o->timeline_units,
                                 .stats = o->timeline_stats};
}

struct machine_options handle_options(const struct sluice *s, struct record_options *record) {
  *record = record_of(&s->o);
  return (struct machine_options){.threads = s->o.threads,
                                  .no_skip = s->o.no_skip,
                                  .general = s->o.general,
                                  .shuffle = s->o.shuffle,
                                  .delays = s->o.delays,
                                  .max_cycles = s->o.max_cycles,
                                  .interval = s->o.interval,
                                  .per_unit = s->o.per_unit,
                                  .record = s->o.timeline ? record : NULL};
}

bool handle_timed(const struct sluice *s) {
  return (s->gpu || s->o.timed) && !s->o.functional;
}

bool handle_machine(struct sluice *s) {
  struct record_options record;
  struct machine_options o = handle_options(s, &record);
  if (!handle_timed(s))
    return true;
  s->machine = machine_new(s->conf, &o, &s->err);
  if (!s->machine) /* whatever is refused was asked for: a parameter, a folder for the timeline that is not there */
    s->err.code = EXIT_USAGE;
  return s->machine;
}

static bool check(struct sluice *s) {
  error_clear(&s->err);
  if (s->machine)
    return true;
  if (!handle_machine(s))
    return false;
  machine_free(s->machine);
  s->machine = NULL;
  return true;
}

enum sluice_status sluice_check(struct sluice *s) {
  return STATUS_OF(s, check(s));
}

static bool good_options(const struct sluice_options *o, struct error *err) {
  if (o->threads > SLUICE_MAX_THREADS)
    error_add(err, EXIT_USAGE, "threads %u: 0 (as many as help) or 1 to %d are wanted", o->threads,
              SLUICE_MAX_THREADS);
  if (o->delays && !o->threads)
    error_add(err, EXIT_USAGE,
              "delays need a number of threads: the most that run, whether they help or not");
  struct record_options record = record_of(o);
  if (o->timeline && record.window[1] && record.window[0] >= record.window[1])
    error_add(err, EXIT_USAGE, "timeline_window: the first cycle comes before the second");
  if (o->timeline)
    record_check(&record, err);
  return !err->code;
}

static bool options(struct sluice *s, const struct sluice_options *given) {
  struct sluice_options o = {0};
  error_clear(&s->err);
  if (s->machine || s->runner)
    return handle_refuse(s, "%s cannot change once there is memory, a module or a GPU", "options");
  if (given->size < sizeof given->size || given->size > sizeof o)
    return handle_refuse(s,
                         "struct sluice_options: its size must be set, and no more than this library's (%s)",
                         SLUICE_VERSION);
  memcpy(&o, given, given->size);
  if (!good_options(&o, &s->err))
    return false;
  const char **const texts[HANDLE_TEXTS] = {&o.record,         &o.timeline, &o.timeline_units,
                                            &o.timeline_stats, &o.model,    &o.command};
  for (int i = 0; i < HANDLE_TEXTS; i++) {
    free(s->text[i]);
    *texts[i] = s->text[i] = *texts[i] ? xstrdup(*texts[i]) : NULL;
  }
  s->o = o;
  return true;
}

enum sluice_status sluice_options(struct sluice *s, const struct sluice_options *o) {
  return STATUS_OF(s, options(s, o));
}

enum sluice_status sluice_on_progress(struct sluice *s, sluice_progress_fn *fn, void *ctx) {
  s->progress = fn, s->progress_ctx = ctx;
  return sluice_error_code(s);
}
enum sluice_status sluice_on_interval(struct sluice *s, sluice_interval_fn *fn, void *ctx) {
  s->interval = fn, s->interval_ctx = ctx;
  return sluice_error_code(s);
}
enum sluice_status sluice_on_warning(struct sluice *s, sluice_warning_fn *fn, void *ctx) {
  s->warning = fn, s->warning_ctx = ctx;
  return sluice_error_code(s);
}

void sluice_stop_all(int signal) {
  stop_ask(signal);
}

/* A technique's reason goes into the caller's text. */
static enum sluice_status technique(bool ok, struct error *e, char *why, size_t size) {
  if (why && size)
    snprintf(why, size, "%s", e->text ? e->text : "");
  error_clear(e);
  return ok ? SLUICE_OK : SLUICE_E_INPUT;
}

static enum sluice_status no_memory(const struct rescue *r, char *why, size_t size) {
  if (why && size)
    snprintf(why, size, "%s", r->text);
  return r->cause == RESCUE_MEMORY ? SLUICE_E_MEMORY : SLUICE_E_INTERNAL;
}

/* An expression that returns a status, with a pool of its own. */
#define IN_POOL(expression)                                                                                  \
  ({                                                                                                         \
    struct rescue r_ = {.cause = RESCUE_MEMORY, .text = "out of memory"};                                    \
    struct pool *const pool_ = pool_new(), *const outside_ = pool_enter(pool_);                              \
    enum sluice_status status_ =                                                                             \
        pool_ ? RESCUE(&r_, expression, (void)0, no_memory(&r_, why, size)) : no_memory(&r_, why, size);     \
    pool_enter(outside_);                                                                                    \
    if (status_ == SLUICE_E_MEMORY || status_ == SLUICE_E_INTERNAL)                                          \
      pool_release(pool_);                                                                                   \
    else                                                                                                     \
      pool_drop(pool_);                                                                                      \
    status_;                                                                                                 \
  })

enum sluice_status sluice_technique_register(const struct sluice_technique *t, char *why, size_t size) {
  struct error e = {0};
  return IN_POOL(technique(tech_register(t, &e), &e, why, size));
}

enum sluice_status sluice_technique_load(const char *path, char *why, size_t size) {
  struct error e = {0};
  return IN_POOL(technique(tech_plugin(path, &e), &e, why, size));
}
