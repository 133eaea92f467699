/* The DRAM as the public header shows it. */
#include "base/mem.h"
#include "dram/handle.h"
#include "dram/params.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sluice_status sluice_dram_status(const struct sluice_dram *d) {
  return !d->broken ? SLUICE_OK : d->why.cause == RESCUE_MEMORY ? SLUICE_E_MEMORY : SLUICE_E_INTERNAL;
}
const char *sluice_dram_error(const struct sluice_dram *d) {
  return d->broken ? d->why.text : d->err.code && d->err.text ? d->err.text : "";
}

static bool parse_refresh(const char *text, const struct dram_device *d, enum dram_refresh *out,
                          struct error *err) {
  *out = d->t.refi ? DRAM_REFRESH_ALLBANK : DRAM_REFRESH_NONE;
  if (!text)
    return true;
  for (int i = 0; dram_refresh_names[i]; i++)
    if (strcmp(text, dram_refresh_names[i]) == 0) {
      *out = (enum dram_refresh)i;
      return true;
    }
  return error_set(err, EXIT_USAGE, "refresh '%.60s' (allowed: none, allbank, perbank)", text);
}

static bool parse_ideal(const char *text, enum dram_ideal *out, struct error *err) {
  for (int i = 0; text && dram_ideal_names[i]; i++)
    if (strcmp(text, dram_ideal_names[i]) == 0) {
      *out = (enum dram_ideal)i;
      return true;
    }
  return !text || error_set(err, EXIT_USAGE, "ideal '%.60s' (allowed: none, rows, order)", text);
}

static void log_command(void *ctx, const struct dram_issue *i) {
  struct sluice_dram *d = ctx;
  dram_handle_begin_log(d, i->channel);
  if (d->log[i->channel].to)
    dram_log_line(d->log[i->channel].to, i);
}

/* What it is made of, as parameters. */
static void describe(struct sluice_dram *d, const struct sluice_dram_options *o, struct error *err) {
  const struct conf_table *const tables[] = {&dram_params};
  char channels[16], lockstep[16];
  d->channels = dram_channels(d->dram);
  d->lockstep = o->lockstep ? o->lockstep : 1;
  d->log = xcalloc(d->channels, sizeof *d->log);
  d->conf = conf_new(tables, 1);
  snprintf(channels, sizeof channels, "%u", d->channels);
  snprintf(lockstep, sizeof lockstep, "%u", d->lockstep);
  const char *const given[][2] = {{"dram.device", o->device},
                                  {"dram.mapping", o->mapping},
                                  {"dram.controller", o->controller},
                                  {"dram.refresh", dram_refresh_names[d->refresh]},
                                  {"dram.free", o->ideal},
                                  {"dram.channels", channels},
                                  {"dram.lockstep", lockstep}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    if (given[i][1])
      conf_assign(d->conf, given[i][0], given[i][1], "sluice_dram_options", err);
}

static bool open_dram(struct sluice_dram *d, const struct sluice_dram_options *given, char *why,
                      size_t size) {
  struct sluice_dram_options copy = {0}, *o = &copy;
  struct error err = {0};
  struct dram_profile profile;
  bool sized = given->size >= sizeof given->size && given->size <= sizeof copy;
  memcpy(o, given, sized ? given->size : 0);
  struct dram_options made = {.device = &d->device,
                              .profile = &profile,
                              .mapping = o->mapping,
                              .channels = o->channels,
                              .lockstep = o->lockstep,
                              .no_skip = o->no_skip,
                              .general = o->general,
                              .log = o->logs ? log_command : NULL,
                              .log_ctx = d};
  d->logs = o->logs;
  d->wall = stats_wall_clock();
  if (!sized)
    error_set(&err, EXIT_USAGE,
              "struct sluice_dram_options: its size must be set, and no more than this library's (%s)",
              SLUICE_VERSION);
  else if (!o->device)
    error_set(&err, EXIT_USAGE, "no device named");
  else if (dram_device_load(&d->device, o->device, &err) &&
           dram_profile_load(&profile, o->controller ? o->controller : "sluice", &err) &&
           parse_refresh(o->refresh, &d->device, &made.refresh, &err) &&
           parse_ideal(o->ideal, &made.ideal, &err))
    d->dram = dram_new(&made, &err);
  d->refresh = made.refresh;
  if (d->dram)
    describe(d, o, &err);
  if (why && size)
    snprintf(why, size, "%s", err.text ? err.text : "");
  error_clear(&err);
  return d->dram;
}

static struct sluice_dram *none(struct sluice_dram *d, char *why, size_t size) {
  if (why && size && (!d || d->broken))
    snprintf(why, size, "%s", d ? d->why.text : "out of memory");
  sluice_dram_close(d);
  return NULL;
}

static struct sluice_dram *opened(struct sluice_dram *d, const struct sluice_dram_options *o, char *why,
                                  size_t size) {
  return ON_DRAM(d, open_dram(d, o, why, size), false) ? d : none(d, why, size);
}

struct sluice_dram *sluice_dram_open(const struct sluice_dram_options *o, char *why, size_t size) {
  struct sluice_dram *d = calloc(1, sizeof *d);
  if (d && !(d->pool = pool_new())) {
    free(d);
    d = NULL;
  }
  return d ? opened(d, o, why, size) : none(NULL, why, size);
}

void sluice_dram_close(struct sluice_dram *d) {
  if (!d)
    return;
  if (d->broken) {
    pool_release(d->pool);
  } else {
    struct pool *outside = pool_enter(d->pool);
    dram_free(d->dram);
    report_free(&d->report);
    if (d->conf)
      conf_free(d->conf);
    error_clear(&d->err);
    free(d->log), free(d->trace);
    pool_enter(outside);
    pool_drop(d->pool);
  }
  free(d);
}

bool sluice_dram_push(struct sluice_dram *d, const struct sluice_dram_request *r) {
  struct dram_request q = {.address = r->address, .tag = r->tag, .mask = r->mask, .write = r->write};
  return ON_DRAM(d, dram_push(d->dram, &q), false);
}

void sluice_dram_advance(struct sluice_dram *d, uint64_t until) {
  (void)ON_DRAM(d, (dram_advance(d->dram, until), true), false);
}

bool sluice_dram_pop(struct sluice_dram *d, struct sluice_dram_answer *out) {
  struct dram_completion c;
  if (d->broken || !dram_pop(d->dram, &c))
    return false;
  *out = (struct sluice_dram_answer){.tag = c.tag, .done = c.done, .latency = c.latency, .write = c.write};
  return true;
}

uint64_t sluice_dram_cycle(const struct sluice_dram *d) {
  return dram_cycle(d->dram);
}

uint64_t sluice_dram_next_event(const struct sluice_dram *d) {
  return dram_next_event(d->dram);
}

uint64_t sluice_dram_transaction(const struct sluice_dram *d) {
  return dram_transaction(d->dram);
}

static bool stat_of(const struct sluice_dram *d, const char *name, double *value) {
  struct dram_counters *n = xcalloc(1, sizeof *n);
  const struct stat_table *const tables[] = {&dram_stats};
  struct stats *s = stats_new(tables, 1);
  dram_counters(d->dram, n);
  dram_counters_put(n, &d->device, dram_cycle(d->dram), s);
  bool found = stats_get(s, name, value);
  stats_free(s);
  free(n);
  return found;
}

bool sluice_dram_stat(struct sluice_dram *d, const char *name, double *value) {
  return ON_DRAM(d, stat_of(d, name, value), false);
}
