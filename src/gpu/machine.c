/* The GPU as something launches run on: snapshots around each launch, and what is made of them. */
#include "gpu/machine.h"
#include "base/num.h"
#include "gpu/detail.h"
#include "gpu/invariants.h"
#include "gpu/power.h"
#include "gpu/presets.h"
#include "gpu/ratios.h"
#include "gpu/record.h"
#include "gpu/warm.h"
#include <string.h>

struct machine {
  struct functional_machine m; /* first */
  struct gpu *gpu;
  struct machine_options o;
  struct dram_device device;
  struct power *power;
  unsigned width;
  size_t size;                           /* of a snapshot */
  uint64_t *first, *before, *last, *now; /* snapshots: of the GPU as built, of the launch's beginning … */
  struct dram_counters dram_first, dram_before, dram_now; /* the same, with latencies */
  bool
      taken; /* `now` and its like are those of the end of the last launch, since when nothing has happened */
  struct stat_series *series; /* of the launch that runs, or ran last */
  struct record *record;      /* NULL: no timeline */
  uint64_t paused;            /* age of the launch at the end of its last interval */
  struct detail_latencies latencies_first, latencies_before, latencies_now;
  uint64_t ctas_before;
  bool warned;         /* of contended locks */
  bool latencies_told; /* those shorter than the arrays allow */
};

static void dram_take(const struct gpu *g, struct dram_counters *sum) {
  *sum = (struct dram_counters){0};
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    dram_add_counters(g->partition[i].memory.dram, sum);
}

/* Snapshots between launches, as large as the GPU has units: they are taken once. */
static void take(struct machine *m) {
  if (m->taken)
    return;
  counters_take(m->gpu, m->now);
  dram_take(m->gpu, &m->dram_now);
  detail_latencies_take(m->gpu, &m->latencies_now);
  m->taken = true;
}

/* The power of the stretch of cycles that was added last. */
static void add_power(struct machine *m) {
  struct stat_series *s = m->series;
  double watts[NPARTS];
  const uint64_t *total = s->value + (s->n - 1) * s->nrows;
  if (!power_interval(m->power, m->gpu, total, total + NCOUNTERS, watts))
    return;
  s->measures = power_rows;
  s->nmeasures = NPARTS;
  s->measure = xrealloc(s->measure, s->n * sizeof watts);
  memcpy(s->measure + (s->n - 1) * NPARTS, watts, sizeof watts);
}

/* A stretch of cycles is over. */
static void pause(void *ctx, uint64_t cycle) {
  struct machine *m = ctx;
  counters_take(m->gpu, m->now);
  m->taken = false;
  if (m->series)
    detail_series_add(m->series, m->gpu, m->now, m->last, cycle);
  if (m->record)
    record_interval(m->record, m->now, m->last, cycle);
  m->paused = cycle;
  if (m->series)
    add_power(m);
  memcpy(m->last, m->now, m->size * sizeof *m->now);
  if (m->series && m->m.interval && !m->m.interval(m->m.ctx, cycle))
    m->m.cancelled = true;
}

static void cta(void *ctx, uint32_t sm, const struct supply_cta *c) {
  struct machine *m = ctx;
  record_cta(m->record, sm, c);
}

static void progress(void *ctx, uint64_t cycle) {
  struct machine *m = ctx;
  if (!m->m.progress)
    return;
  struct functional_progress p = {.cycles = m->gpu->cycles + cycle};
  for (uint32_t i = 0; i < m->gpu->k.sms; i++) {
    p.ctas += m->gpu->sm[i].stats.ctas;
    p.thread_instructions += m->gpu->sm[i].stats.thread_issued;
  }
  p.ctas -= m->ctas_before;
  if (!m->m.progress(m->m.ctx, &p))
    m->m.cancelled = true;
}

/* A launch whose locks change hands faster than they could has a time that says little. Once in a run. */
static void warn_of_spins(struct machine *m, const struct exec *x, const struct kernel_info *k) {
  uint64_t total[NCOUNTERS];
  counters_total(m->gpu, m->now, m->before, total);
  uint64_t early = total[C_spin_early], all = total[C_l2_atomics];
  if (m->warned || early * 100 <= all)
    return;
  m->warned = true;
  char text[400];
  snprintf(
      text, sizeof text,
      "kernel '%.100s': %llu of %llu atomics took a lock sooner than its last holder could have released "
      "it (spin.early): the time of contended locks is not modelled (docs/timing.md, \"What the timing "
      "cannot change\")",
      k->name, (unsigned long long)early, (unsigned long long)all);
  exec_warn(x, text);
}

/* Once in a run. */
static void warn_of_latencies(struct machine *m, const struct exec *x) {
  char text[400];
  for (int i = 0; i < POWER_LATENCIES && !m->latencies_told; i++)
    if (power_latency(m->power, m->gpu, i, text, sizeof text))
      exec_warn(x, text);
  m->latencies_told = true;
}

static bool run(struct functional_machine *self, struct exec *x, const struct kernel_info *k,
                const struct launch *l, struct error *err) {
  struct machine *m = (struct machine *)self;
  uint64_t total[NCOUNTERS];
  warn_of_latencies(m, x);
  m->taken &= !m->gpu->k.l2.cold_launches;
  for (uint32_t i = 0; m->gpu->k.l2.cold_launches && i < m->gpu->k.l2.channels; i++)
    partition_empty(&m->gpu->partition[i]);
  take(m);
  memcpy(m->before, m->now, m->size * sizeof *m->now);
  m->dram_before = m->dram_now, m->latencies_before = m->latencies_now;
  m->taken = false;
  counters_total(m->gpu, m->before, NULL, total);
  m->ctas_before = total[C_ctas];
  uint64_t cycles = m->gpu->cycles;
  bool counts = m->o.interval || m->record;
  m->paused = 0;
  if (counts)
    memcpy(m->last, m->before, m->size * sizeof *m->last);
  if (m->o.interval)
    m->m.series = m->series = detail_series_new(m->gpu, m->o.interval);
  if (m->record)
    record_launch(m->record, k->name, l->grid, l->block, cycles);
  bool ok = gpu_run(m->gpu, x, k, l, self, m->width, m->o.max_cycles, err);
  m->taken = false; /* whoever looked on may have taken snapshots */
  if (counts && m->gpu->cycles - cycles > m->paused)
    pause(m, m->gpu->cycles - cycles);
  if (m->record)
    record_ended(m->record, m->gpu->cycles - cycles);
  if (!ok)
    return false;
  take(m);
  warn_of_spins(m, x, k);
  counters_total(m->gpu, m->now, m->first, total);
  return invariants_hold(m->gpu, total, err);
}

static void put(struct machine *m, const uint64_t *before, const struct dram_counters *dram_before,
                const struct detail_latencies *latencies_before, struct stats *s, struct stat_detail *d) {
  uint64_t total[NCOUNTERS];
  take(m);
  counters_total(m->gpu, m->now, before, total);
  struct dram_counters dram = m->dram_now;
  dram_counters_since(&dram, dram_before);
  dram_counters_put(&dram, &m->device, dram.cycles, s);
  ratios_put(m->gpu, total, &m->device, s);
  uint64_t *techniques = xcalloc(tech_counters(m->gpu->tech) + 1, sizeof *techniques);
  counters_techniques(m->gpu, m->now, before, techniques);
  tech_counters_put(m->gpu->tech, techniques, s);
  power_put(m->power, m->gpu, total, techniques, s);
  free(techniques);
  detail_histograms(&m->latencies_now, latencies_before, d);
  if (m->o.per_unit)
    detail_grids(m->gpu, m->now, before, d);
}

static void put_launch(struct functional_machine *self, struct stats *s, struct stat_detail *d) {
  struct machine *m = (struct machine *)self;
  put(m, m->before, &m->dram_before, &m->latencies_before, s, d);
  occupancy_put(&m->gpu->occupancy, s);
  d->series = m->series;
  m->m.series = m->series = NULL;
}

static void put_total(struct functional_machine *self, struct stats *s, struct stat_detail *d) {
  struct machine *m = (struct machine *)self;
  put(m, m->first, &m->dram_first, &m->latencies_first, s, d);
  uint64_t waited = 0;
  for (uint32_t i = 0; m->gpu->k.check_requests && i < m->gpu->k.sms; i++)
    if (checker_longest(m->gpu->sm[i].checker) > waited)
      waited = checker_longest(m->gpu->sm[i].checker);
  if (m->gpu->k.check_requests)
    stats_put_u64(s, "check.waited", waited);
  ratios_put_locality(m->gpu, s);
  const struct parallel_engine *c = &m->gpu->parallel;
  double average;
  unsigned most = parallel_ran(c, &average), ahead = m->gpu->mode == SUPPLY_AHEAD && !c->guest;
  stats_put_u64(s, "sim.threads", most + ahead);
  stats_put_f64(s, "sim.threads_average", average + ahead);
  stats_put_f64(s, "sim.window_cycles", (double)c->window / (double)c->shard[0].period[DOMAIN_CORE]);
  stats_put_u64(s, "sim.windows", c->own.windows);
  stats_put_u64(s, "sim.unit_cycles", parallel_steps(c));
}

static void forget_next(struct functional_machine *self) {
  gpu_forget_next(((struct machine *)self)->gpu);
}

static void spill(struct functional_machine *self, struct kernel_info *k, const struct launch *l) {
  struct machine *m = (struct machine *)self;
  occupancy_spill(&m->gpu->k, k, l, m->width);
}

static void warm(struct functional_machine *self, const struct functional_buffer *b, size_t n) {
  struct machine *m = (struct machine *)self;
  if (m->gpu->k.l2.warm)
    gpu_warm_l2(m->gpu, b, n);
  counters_take(m->gpu, m->first); /* what warming moved is not counted */
  m->taken = false;
}

bool machine_threads(const char *text, unsigned *threads) {
  uint64_t n = 0;
  if (strcmp(text, "auto") != 0 && (num_u64(text, &n) != NUM_OK || n < 1 || n > MACHINE_MAX_THREADS))
    return false;
  *threads = (unsigned)n;
  return true;
}

struct functional_machine *machine_new(const struct conf *c, const struct machine_options *o,
                                       struct error *err) {
  struct gpu_config k;
  if (!gpu_config_read(&k, c, err))
    return NULL;
  struct machine *m = xcalloc(1, sizeof *m);
  struct gpu_options g = {.threads = o->threads,
                          .shards = o->shards,
                          .exact = o->exact,
                          .profiler = o->profiler,
                          .no_skip = o->no_skip,
                          .general = o->general,
                          .shuffle = o->shuffle,
                          .delays = o->delays,
                          .forgets = o->forgets};
  if (!dram_device_load(&m->device, k.memory.device, err) || !(m->gpu = gpu_new(&k, c, &g, err)) ||
      !(m->power = power_new(m->gpu, &m->device, err))) {
    machine_free(&m->m);
    return NULL;
  }
  m->device.power.lockstep = k.memory.lockstep;
  if (k.memory.model == MEMORY_FIXED) { /* of the device only the places are used */
    m->device.tck_fs = 1000000000 / k.dram_mhz;
    m->device.power.known = false;
  }
  uint64_t every = o->interval ? o->interval : o->record ? o->record->interval : 0;
  m->gpu->watch = (struct gpu_watch){.ctx = m,
                                     .every = every,
                                     .pause = every ? pause : NULL,
                                     .progress = progress,
                                     .cancelled = &m->m.cancelled,
                                     .cta = o->record ? cta : NULL};
  m->o = *o;
  m->width = (unsigned)conf_u64(c, "front.warp_width");
  m->size = counters_size(m->gpu);
  uint64_t **const snapshots[] = {&m->first, &m->before, &m->last, &m->now};
  for (size_t i = 0; i < sizeof snapshots / sizeof *snapshots; i++)
    *snapshots[i] = xcalloc(m->size, sizeof **snapshots[i]);
  if (o->record && !(m->record = record_new(m->gpu, m->power, o->record, err))) {
    machine_free(&m->m);
    return NULL;
  }
  m->m = (struct functional_machine){.run = run,
                                     .put_launch = put_launch,
                                     .put_total = put_total,
                                     .warm = warm,
                                     .spill = spill,
                                     .forget_next = forget_next};
  return &m->m;
}

bool machine_recorded(struct functional_machine *self, const struct report *r, struct error *err) {
  struct machine *m = (struct machine *)self;
  if (!m || !m->record)
    return true;
  struct strbuf text = {0};
  report_json(r, &text);
  bool ok = record_finish(m->record, text.s, text.n, err);
  strbuf_free(&text);
  return ok;
}

const struct parallel_engine *machine_engine(const struct functional_machine *self) {
  return &((const struct machine *)self)->gpu->parallel;
}

void machine_free(struct functional_machine *self) {
  if (!self)
    return;
  struct machine *m = (struct machine *)self;
  record_free(m->record);
  power_free(m->power);
  gpu_free(m->gpu);
  free(m->first), free(m->before), free(m->last), free(m->now);
  free(m);
}
