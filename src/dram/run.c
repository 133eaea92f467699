/* A trace of requests against one DRAM, through the public interface: what it was, what was counted, as texts. */
#include "base/mem.h"
#include "dram/driver.h"
#include "dram/handle.h"
#include "dram/stats.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
  struct sluice_dram *d;
  struct sluice_dram_trace how;
  struct dram_trace_request *requests;
  size_t n;
};

static bool load(struct session *s, struct error *err) {
  const struct sluice_dram *d = s->d;
  const char *name = s->how.name;
  struct dram_trace_options o = {.transaction = (uint32_t)dram_transaction(d->dram)};
  if (s->how.format && !dram_trace_format_parse(&o.format, s->how.format, err))
    return false;
  if (!dram_trace_load(name, &o, &s->requests, &s->n, err))
    return false;
  uint64_t capacity = dram_capacity(d->dram);
  bool generated = strncmp(name, "gen:", 4) == 0; /* knows nothing of the device: wraps */
  for (size_t i = 0; i < s->n; i++) {
    if (s->requests[i].cycle >> 62)
      return error_set(err, EXIT_USAGE, "%s: request %zu: cycle %llu is too far away (allowed: below 2^62)",
                       name, i + 1, (unsigned long long)s->requests[i].cycle);
    if (generated)
      s->requests[i].address %= capacity;
    else if (s->requests[i].address >= capacity)
      return error_set(err, EXIT_USAGE, "%s: request %zu: address 0x%llx is beyond the %llu bytes of %s",
                       name, i + 1, (unsigned long long)s->requests[i].address, (unsigned long long)capacity,
                       d->device.name);
  }
  return true;
}

static void show(void *ctx, uint64_t done, uint64_t total, uint64_t cycle) {
  const struct session *s = ctx;
  (void)cycle;
  if (s->how.progress)
    s->how.progress(s->how.ctx, done, total);
}

static void simulate(struct session *s) {
  struct sluice_dram *d = s->d;
  struct dram_driver driver = {.as_fast_as_accepted = s->how.as_fast_as_accepted, .progress = show, .ctx = s};
  struct dram_counters *n = xcalloc(1, sizeof *n);
  const struct stat_table *const tables[] = {&dram_stats, &host_stats};
  for (uint32_t i = 0; i < d->channels; i++)
    dram_handle_begin_log(d, i);
  double start = stats_cpu_clock();
  uint64_t cycles = dram_drive(d->dram, s->requests, s->n, &driver);
  double took = stats_cpu_clock() - start;
  dram_counters(d->dram, n);
  d->report = (struct report){.workload = d->trace, .conf = d->conf, .total = stats_new(tables, 2)};
  d->device.power.lockstep = d->lockstep;
  dram_counters_put(n, &d->device, cycles, d->report.total);
  if (took > 0) {
    stats_put_f64(d->report.total, "sim.requests_per_second", (double)s->n / took);
    stats_put_f64(d->report.total, "sim.cycles_per_second", (double)cycles / took);
  }
  stats_put_host(d->report.total, d->wall);
  free(n);
}

static bool run(struct sluice_dram *d, const struct sluice_dram_trace *given) {
  struct session s = {.d = d};
  error_clear(&d->err);
  if (given->size < sizeof given->size || given->size > sizeof s.how)
    return error_set(&d->err, EXIT_USAGE,
                     "struct sluice_dram_trace: its size must be set, and no more than this library's (%s)",
                     SLUICE_VERSION);
  memcpy(&s.how, given, given->size);
  if (!s.how.name)
    return error_set(&d->err, EXIT_USAGE, "no trace named");
  if (dram_cycle(d->dram))
    return error_set(&d->err, EXIT_USAGE, "'%.200s': this DRAM has run already; open another", s.how.name);
  free(d->trace);
  d->trace = xstrdup(s.how.name);
  if (load(&s, &d->err)) {
    if (s.how.as_fast_as_accepted)
      conf_assign(d->conf, "dram.pace", "as-fast-as-accepted", "sluice_dram_run", &d->err);
    simulate(&s);
  }
  free(s.requests);
  return !d->err.code;
}

enum sluice_status sluice_dram_run(struct sluice_dram *d, const struct sluice_dram_trace *t) {
  (void)ON_DRAM(d, run(d, t), false);
  return d->broken ? sluice_dram_status(d) : (enum sluice_status)d->err.code;
}

static double value(const struct sluice_dram *d, const char *name) {
  double v = 0;
  stats_get(d->report.total, name, &v);
  return v;
}

/* Do two mappings put every block at the same place? A mapping is linear in the bits of the address, hashes included: it is
 * enough to compare one bit after the other. */
static bool same_mapping(const struct dram_map *a, const struct dram_map *b) {
  for (unsigned bit = 0; bit < a->bits; bit++) {
    uint64_t address = UINT64_C(1) << (a->shift + bit);
    struct dram_place x = dram_map_place(a, address), y = dram_map_place(b, address);
    if (memcmp(&x, &y, sizeof x) != 0)
      return false;
  }
  return true;
}

/* Other names of the mapping in use, on this device. */
static void say_same_mappings(const struct sluice_dram *d, struct strbuf *to) {
  static const char *const names[] = {"bglow", "collow"};
  const struct dram_map *used = dram_mapping(d->dram);
  const char *asked = conf_str(d->conf, "dram.mapping");
  const char *own = *d->device.mapping ? d->device.mapping : "bglow";
  bool device = strcmp(asked, "device") == 0;
  if (!device && strcmp(asked, own) == 0)
    strbuf_addf(to, "  mapping %s is the device's own\n", asked);
  for (size_t i = 0; i < 2; i++) {
    struct dram_map other;
    struct error e = {0};
    if (strcmp(names[i], device ? own : asked) != 0 &&
        dram_map_parse(&other, names[i], &d->device, d->channels, d->lockstep, &e) &&
        same_mapping(used, &other))
      strbuf_addf(to, "  mappings %s and %s are the same here: every block is at the same place\n",
                  device ? own : asked, names[i]);
    error_clear(&e);
  }
}

static void summarize(const struct sluice_dram *d, struct strbuf *to) {
  double reads = value(d, "dram.reads"), writes = value(d, "dram.writes");
  strbuf_addf(to, "%.0f reads and %.0f writes in %.0f cycles of %s: %.1f GB/s, %.0f %% of the data bus\n",
              reads, writes, value(d, "cycles"), d->device.name, value(d, "dram.bandwidth_gbps"),
              100 * value(d, "dram.bus_utilisation"));
  strbuf_addf(to, "  rows: %.1f %% hits, %.1f columns for each activation\n",
              100 * value(d, "dram.row_hit_rate"), value(d, "dram.cas_per_act"));
  if (reads > 0)
    strbuf_addf(to, "  reads take %.0f cycles on average, %.0f at the 95th and %.0f at the 99th percentile\n",
                value(d, "dram.mean_read_latency"), value(d, "dram.read_latency_p95"),
                value(d, "dram.read_latency_p99"));
  say_same_mappings(d, to);
}

static char *text(const struct sluice_dram *d, enum sluice_report form) {
  struct strbuf to = {0};
  if (!d->report.total)
    return NULL;
  switch (form) {
  case SLUICE_SUMMARY:
    summarize(d, &to);
    break;
  case SLUICE_TABLE:
    report_table(&d->report, &to);
    break;
  case SLUICE_JSON:
    report_json(&d->report, &to);
    break;
  case SLUICE_CSV:
    report_csv(&d->report, &to);
    break;
  default:
    return NULL;
  }
  char *t = strbuf_take(&to);
  pool_forget(t); /* the caller's from now on */
  return t;
}

char *sluice_dram_text(struct sluice_dram *d, enum sluice_report form) {
  return ON_DRAM(d, text(d, form), NULL);
}

static bool log_to(struct sluice_dram *d, uint32_t channel, FILE *to) {
  error_clear(&d->err);
  if (channel >= d->channels)
    return error_set(&d->err, EXIT_USAGE, "channel %u: there are %u", channel, d->channels);
  if (to && !d->logs)
    return error_set(&d->err, EXIT_USAGE, "sluice_dram_log: this DRAM was opened without options.logs");
  d->log[channel] = (struct dram_log){.to = to};
  return true;
}

enum sluice_status sluice_dram_log(struct sluice_dram *d, uint32_t channel, FILE *to) {
  (void)ON_DRAM(d, log_to(d, channel, to), false);
  return d->broken ? sluice_dram_status(d) : (enum sluice_status)d->err.code;
}

uint32_t sluice_dram_channels(const struct sluice_dram *d) {
  return d->channels;
}
