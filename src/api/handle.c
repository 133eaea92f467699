/* Handles: made, broken, destroyed; what became of calls. */
#include "api/handle.h"
#include "base/mem.h"
#include "tables.h"
#include <stdlib.h>
#include <string.h>

#define NUMBERS_(a, b, c) #a "." #b "." #c
#define NUMBERS(a, b, c)  NUMBERS_(a, b, c)

const char *sluice_version(void) {
  _Static_assert(sizeof SLUICE_VERSION ==
                     sizeof NUMBERS(SLUICE_VERSION_MAJOR, SLUICE_VERSION_MINOR, SLUICE_VERSION_PATCH),
                 "sluice_api.h has the version of meson.build");
  return SLUICE_VERSION;
}

const char *sluice_status_name(enum sluice_status status) {
  static const char *const names[] = {"SLUICE_OK",       "SLUICE_E_HOST",    "SLUICE_E_INPUT",
                                      "SLUICE_E_KERNEL", "SLUICE_E_STALL",   "SLUICE_E_CANCELLED",
                                      "SLUICE_E_MEMORY", "SLUICE_E_INTERNAL"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "?";
}

static void make(void *handle) {
  struct sluice *s = handle;
  s->o.size = sizeof s->o;
  s->conf = tables_conf();
}

struct sluice *sluice_create(void) {
  struct sluice *s = calloc(1, sizeof *s); /* nothing to say it with where this fails */
  struct rescue why;
  if (!s || !(s->pool = pool_new())) {
    free(s);
    return NULL;
  }
  struct pool *outside = pool_enter(s->pool);
  bool ok = rescue_run(&why, make, s);
  pool_enter(outside);
  if (ok)
    return s;
  pool_release(s->pool);
  free(s);
  return NULL;
}

void handle_forget(struct sluice *s) {
  report_free(&s->report);
  free(s->what);
  s->what = NULL;
  s->report = (struct report){0};
  s->stale = false;
}

static void give_back(struct sluice *s) {
  handle_forget(s);
  runner_close(s->runner);
  machine_free(s->machine);
  for (size_t i = 0; i < s->nmodules; i++)
    free(s->modules[i]);
  free(s->modules);
  for (int i = 0; i < HANDLE_TEXTS; i++)
    free(s->text[i]);
  conf_free(s->conf);
  error_clear(&s->err);
}

void sluice_destroy(struct sluice *s) {
  if (!s)
    return;
  if (s->broken) { /* nobody knows what is whole */
    pool_release(s->pool);
  } else {
    struct pool *outside = pool_enter(s->pool);
    give_back(s);
    pool_enter(outside);
    pool_drop(s->pool);
  }
  free(s);
}

void handle_broke(struct sluice *s, const struct rescue *why) {
  s->broken = true;
  s->why.cause = why->cause;
  memcpy(s->why.text, why->text, sizeof why->text);
}

bool handle_refuse(struct sluice *s, const char *format, const char *what) {
  error_set(&s->err, EXIT_USAGE, format, what);
  return false;
}

const char *sluice_error(const struct sluice *s) {
  return s->broken ? s->why.text : s->err.code && s->err.text ? s->err.text : "";
}

enum sluice_status sluice_error_code(const struct sluice *s) {
  if (s->broken)
    return s->why.cause == RESCUE_MEMORY ? SLUICE_E_MEMORY : SLUICE_E_INTERNAL;
  return s->err.code > EXIT_STALL ? SLUICE_E_CANCELLED : (enum sluice_status)s->err.code;
}
