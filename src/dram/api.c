/* The DRAM as the public header shows it. */
#include "base/mem.h"
#include "dram/dram.h"
#include "sluice.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sluice_dram {
  struct dram *dram;
  struct dram_device device;
};

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

struct sluice_dram *sluice_dram_open(const struct sluice_dram_options *o, char *why, size_t size) {
  struct sluice_dram *d = xcalloc(1, sizeof *d);
  struct error err = {0};
  struct dram_profile profile;
  struct dram_options made = {.device = &d->device,
                              .profile = &profile,
                              .mapping = o->mapping,
                              .channels = o->channels,
                              .lockstep = o->lockstep};
  if (!o->device)
    error_set(&err, EXIT_USAGE, "no device named");
  else if (dram_device_load(&d->device, o->device, &err) &&
           dram_profile_load(&profile, o->controller ? o->controller : "sluice", &err) &&
           parse_refresh(o->refresh, &d->device, &made.refresh, &err))
    d->dram = dram_new(&made, &err);
  if (why && size)
    snprintf(why, size, "%s", err.text ? err.text : "");
  error_clear(&err);
  if (d->dram)
    return d;
  free(d);
  return NULL;
}

void sluice_dram_close(struct sluice_dram *d) {
  if (d)
    dram_free(d->dram);
  free(d);
}

bool sluice_dram_push(struct sluice_dram *d, const struct sluice_dram_request *r) {
  return dram_push(d->dram, &(struct dram_request){
                                .address = r->address, .tag = r->tag, .mask = r->mask, .write = r->write});
}

void sluice_dram_advance(struct sluice_dram *d, uint64_t until) {
  dram_advance(d->dram, until);
}

bool sluice_dram_pop(struct sluice_dram *d, struct sluice_dram_answer *out) {
  struct dram_completion c;
  if (!dram_pop(d->dram, &c))
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

bool sluice_dram_stat(const struct sluice_dram *d, const char *name, double *value) {
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
