#include "gpu/record.h"
#include "gpu/power.h"
#include "base/mem.h"
#include "cache/cache.h"
#include "gpu/detail.h"
#include "timeline/timeline.h"
#include <stdlib.h>
#include <string.h>

/* Commands of a channel in an interval; more are not recorded. */
enum { MOST_COMMANDS = 1 << 20 };

/* What lies in a column: a number of the snapshot, or one that is counted here. */
struct source {
  size_t index; /* in a snapshot; or of the channel or bank */
  enum source_from {
    FROM_SNAPSHOT,
    FROM_QUEUE,
    FROM_ACTIVATES,
    FROM_COLUMNS,
    FROM_FILLED,
    FROM_REFETCHED,
    FROM_HISTOGRAM
  } from;
};

struct bank_counts {
  uint64_t activates, columns;
};

struct channel_log {
  struct record *of;
  uint32_t channel;
  struct bank_counts *bank;
  struct timeline_command *command;
  size_t ncommands, cap_commands;
};

/* Which lines an L1 replaced: the last different ones, four times as many as it holds. Tags in sets of eight by a hash of the
 * address, the last one first. */
enum { GHOST_WAYS = 8 };
struct ghost {
  uint64_t filled, refetched; /* sectors or lines that came; of them, of lines that it had replaced */
  uint64_t filled_before, refetched_before; /* the interval */
  uint64_t *line;                           /* [set][way] */
  unsigned bits;                            /* of the number of sets */
};

struct record {
  struct gpu *gpu;
  struct ghost *ghost; /* by SM; without lines where somebody else watches the L1 */
  struct timeline_writer *to;
  struct timeline_head head;
  struct source *source; /* by column, behind the totals */
  size_t nsources, ntotals, cap_sources;
  uint64_t *row;
  struct channel_log *log;
  struct bank_counts *bank_now, *bank_before; /* of all channels */
  uint64_t *queue_now, *queue_before;         /* requests times cycles in the queues of each channel */
  struct detail_latencies *latencies_now, *latencies_before;
  size_t nbanks;
  struct sm_waits *waits; /* by SM */
  uint64_t from, to_tick; /* the window in ticks, of the launch that runs */
  uint64_t start_tick;
  uint32_t ranks, groups, banks;
  bool open, noting, with_waits; /* a launch; warps' waits, now and in windows of detail */
  const struct power *power;     /* NULL: the energy of the whole GPU is not known */
  double energy[NPARTS];         /* nanojoules of each part so far; what is written of them */
  uint64_t energy_written[NPARTS];
};

static const char *const kinds[] = {"sm", "l2", "dram", "bank", NULL};

/* What views and explanations need of units, unless something else is asked for. */
static const char *const usual[] = {
    "sm.issued",        "sm.thread_issued",   "sm.active_cycles",  "sm.warp_cycles",
    "sm.shared_cycles", "ldst.accesses",      "l1.refused_cycles", "l1.reservation_cycles.*",
    "l1d.accesses",     "l1d.hits",           "l1d.data_reads",    "l1d.data_writes",
    "l1d.filled",       "l1d.refetched",      "noc.requests",      "noc.answers",
    "sched.*",          "l2.accesses",        "l2.hits",           "l2.requests",
    "l2.answers",       "l2.atomics",         "l2.wait_cycles",    "l2.reservation_cycles.*",
    "dram.reads",       "dram.writes",        "dram.activates",    "dram.row_hits",
    "dram.row_misses",  "dram.row_conflicts", "dram.bus_cycles",   "dram.busy_cycles",
    "dram.turnarounds", "dram.queue_cycles",  "bank.activates",    "bank.columns",
};

static bool matches(const char *pattern, size_t n, const char *name) {
  if (n && pattern[n - 1] == '*')
    return strncmp(pattern, name, n - 1) == 0;
  return strlen(name) == n && memcmp(pattern, name, n) == 0;
}

static bool in_list(const char *list, const char *name) {
  while (list && *list) {
    size_t n = strcspn(list, ",");
    if (matches(list, n, name))
      return true;
    list += n + (list[n] == ',');
  }
  return false;
}

static bool kind_wanted(const struct record_options *o, const char *kind) {
  return !o->units || in_list(o->units, kind);
}

static bool stat_wanted(const struct record_options *o, const char *name) {
  return o->stats ? in_list(o->stats, name) : record_is_usual(name);
}

bool record_is_usual(const char *name) {
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (matches(usual[i], strlen(usual[i]), name))
      return true;
  return false;
}

/* Statistics that are counted here and by no unit. */
static const char *const own[] = {"dram.queue_cycles", "bank.activates", "bank.columns", "l1d.filled",
                                  "l1d.refetched"};

static bool any_stat(const char *list, size_t n) {
  static const enum counter_kind of[] = {KIND_SM, KIND_L2, KIND_DRAM};
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < counter_groups[of[k]].nrows; i++)
      if (matches(list, n, counter_groups[of[k]].rows[i].name))
        return true;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (matches(list, n, own[i]))
      return true;
  return false;
}

bool record_check(const struct record_options *o, struct error *err) {
  for (const char *list = o->units; list && *list && strcmp(o->units, "none") != 0;) {
    size_t n = strcspn(list, ",");
    bool known = false;
    for (int i = 0; kinds[i]; i++)
      known |= strlen(kinds[i]) == n && memcmp(kinds[i], list, n) == 0;
    if (!known) {
      char word[40];
      snprintf(word, sizeof word, "%.*s", (int)(n < 39 ? n : 39), list);
      const char *near = nearest_match(word, kinds, 4);
      error_add(err, EXIT_USAGE, "--timeline-units: no kind of unit '%s' (sm, l2, dram, bank, or none)%s%s%s",
                word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    list += n + (list[n] == ',');
  }
  for (const char *list = o->stats; list && *list;) {
    size_t n = strcspn(list, ",");
    if (!any_stat(list, n))
      error_add(err, EXIT_USAGE,
                "--timeline-stats: no SM, L2 slice or channel counts '%.*s' (`sluice list stats` shows what "
                "they do)",
                (int)(n < 60 ? n : 60), list);
    list += n + (list[n] == ',');
  }
  return !err->code;
}

static void log_command(void *ctx, const struct dram_issue *i) {
  struct channel_log *l = ctx;
  struct record *r = l->of;
  uint32_t b = ((i->channel * r->ranks + i->rank) * r->groups + i->group) * r->banks + i->bank;
  l->bank[b].activates += i->command == DRAM_ACT;
  l->bank[b].columns += i->command >= DRAM_RD && i->command <= DRAM_WRA;
  uint64_t tick = i->cycle * r->head.tick_dram;
  if (tick < r->from || tick >= r->to_tick || l->ncommands == MOST_COMMANDS)
    return;
  VEC_PUSH(l->command, l->ncommands, l->cap_commands) = (struct timeline_command){
      .channel = l->channel,
      .bank = b,
      .command = i->command,
      .row = i->command == DRAM_ACT || (i->command >= DRAM_RD && i->command <= DRAM_WRA) ? i->row : 0,
      .tick = tick - r->start_tick};
}

static void watch_line(void *ctx, uint64_t line, uint32_t valid) {
  struct ghost *g = ctx;
  uint64_t *set = &g->line[(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - g->bits)) * GHOST_WAYS];
  unsigned w = 0;
  while (w < GHOST_WAYS && set[w] != line)
    w++;
  if (valid) {
    g->filled++;
    g->refetched += w < GHOST_WAYS;
    return;
  }
  memmove(set + 1, set, (w < GHOST_WAYS ? w : GHOST_WAYS - 1) * sizeof *set);
  set[0] = line;
}

static void ghosts_new(struct record *r) {
  r->ghost = xcalloc(r->gpu->k.sms, sizeof *r->ghost);
  uint64_t lines = (uint64_t)r->gpu->k.l1.d.sets * r->gpu->k.l1.d.ways * 4;
  for (uint32_t i = 0; i < r->gpu->k.sms; i++) {
    struct ghost *g = &r->ghost[i];
    if (!r->gpu->sm[i].l1d || cache_watched(r->gpu->sm[i].l1d))
      continue;
    while ((uint64_t)GHOST_WAYS << g->bits < lines || !g->bits)
      g->bits++;
    g->line = xmalloc((GHOST_WAYS * sizeof *g->line) << g->bits);
    cache_notify_changes(r->gpu->sm[i].l1d, watch_line, g);
  }
}

/* A launch begins with an empty L1: what the end of the one before took out is not missed for want of room. */
static void ghosts_clear(struct record *r) {
  for (uint32_t i = 0; i < r->gpu->k.sms; i++)
    if (r->ghost[i].line)
      memset(r->ghost[i].line, 0xff, (GHOST_WAYS * sizeof *r->ghost[i].line) << r->ghost[i].bits);
}

static struct timeline_group *add_group(struct record *r, const char *kind, size_t units) {
  struct timeline_group *g = &r->head.group[r->head.ngroups++];
  *g = (struct timeline_group){.kind = kind, .units = (uint32_t)units};
  return g;
}

static void add_stat(struct timeline_group *g, const char *name) {
  g->stat = xrealloc((void *)g->stat, (g->nstats + 1) * sizeof *g->stat);
  g->stat[g->nstats++] = name;
}

static void add_source(struct record *r, size_t index, enum source_from from) {
  VEC_PUSH(r->source, r->nsources, r->cap_sources) = (struct source){.index = index, .from = from};
}

static const char *const energy_columns[NPARTS] = {
#define X(id, name, what) "energy." name "_nj",
    ENERGY_PARTS(X)
#undef X
};

static void totals_columns(struct record *r) {
  struct timeline_group *g = add_group(r, "total", 1);
  size_t n = tech_counters(r->gpu->tech);
  const struct stat_row **rows = xmalloc((n + 1) * sizeof *rows);
  tech_counter_rows(r->gpu->tech, rows);
  for (size_t i = 0; i < NCOUNTERS; i++)
    add_stat(g, counter_rows[i]->name);
  for (size_t i = 0; i < n; i++)
    add_stat(g, rows[i]->name);
  free(rows);
  for (size_t i = 0; r->power && i < NPARTS; i++)
    add_stat(g, energy_columns[i]);
  r->ntotals = NCOUNTERS + n + (r->power ? NPARTS : 0);
}

static void unit_columns(struct record *r, const struct record_options *o, enum counter_kind k) {
  size_t at = 0, units = counters_units(r->gpu, k);
  for (int i = 0; i < (int)k; i++)
    at += counters_units(r->gpu, (enum counter_kind)i) * counter_groups[i].nrows;
  const struct counter_group *c = &counter_groups[k];
  if (!kind_wanted(o, c->kind))
    return;
  struct timeline_group *g = add_group(r, c->kind, units);
  for (size_t i = 0; i < c->nrows; i++) {
    if (!stat_wanted(o, c->rows[i].name))
      continue;
    add_stat(g, c->rows[i].name);
    for (size_t u = 0; u < units; u++)
      add_source(r, at + u * c->nrows + i, FROM_SNAPSHOT);
  }
  static const char *const l1[] = {"l1d.filled", "l1d.refetched"};
  for (int i = 0; k == KIND_SM && i < 2; i++) {
    if (!stat_wanted(o, l1[i]))
      continue;
    add_stat(g, l1[i]);
    for (size_t u = 0; u < units; u++)
      add_source(r, u, i ? FROM_REFETCHED : FROM_FILLED);
  }
  if (k == KIND_DRAM && stat_wanted(o, "dram.queue_cycles")) {
    add_stat(g, "dram.queue_cycles");
    for (size_t u = 0; u < units; u++)
      add_source(r, u, FROM_QUEUE);
  }
}

static void bank_columns(struct record *r, const struct record_options *o) {
  if (!r->nbanks || !kind_wanted(o, "bank"))
    return;
  struct timeline_group *g = add_group(r, "bank", r->nbanks);
  static const char *const names[] = {"bank.activates", "bank.columns"};
  for (int i = 0; i < 2; i++) {
    if (!stat_wanted(o, names[i]))
      continue;
    add_stat(g, names[i]);
    for (size_t b = 0; b < r->nbanks; b++)
      add_source(r, b, i ? FROM_COLUMNS : FROM_ACTIVATES);
  }
}

/* Histograms of latencies: a bucket is a unit. */
static void histogram_columns(struct record *r) {
  struct timeline_group *g = add_group(r, "bucket", STAT_BUCKETS);
  for (size_t i = 0; i < DETAIL_HISTOGRAMS; i++) {
    add_stat(g, detail_histogram_rows[i].name);
    for (size_t b = 0; b < STAT_BUCKETS; b++)
      add_source(r, i * STAT_BUCKETS + b, FROM_HISTOGRAM);
  }
}

static const char *const cause_names[NSTALLS] = {
#define X(id, name, help) name,
    STALLS(X)
#undef X
};

static void logs_new(struct record *r, const struct dram_device *d) {
  uint32_t channels = r->gpu->k.l2.channels;
  r->ranks = d->ranks, r->groups = d->bank_groups, r->banks = d->banks;
  r->head.channels = channels;
  r->head.banks = r->gpu->k.memory.model == MEMORY_FIXED
                      ? 0
                      : r->gpu->k.memory.controllers * d->ranks * d->bank_groups * d->banks;
  r->nbanks = (size_t)r->head.banks * channels;
  r->bank_now = xcalloc(r->nbanks + 1, sizeof *r->bank_now);
  r->bank_before = xcalloc(r->nbanks + 1, sizeof *r->bank_before);
  r->queue_now = xcalloc(channels, sizeof *r->queue_now);
  r->queue_before = xcalloc(channels, sizeof *r->queue_before);
  r->log = xcalloc(channels, sizeof *r->log);
  for (uint32_t i = 0; i < channels; i++) {
    r->log[i] = (struct channel_log){
        .of = r, .channel = i, .bank = xcalloc(r->head.banks + 1, sizeof(struct bank_counts))};
    if (r->gpu->partition[i].memory.dram)
      dram_set_log(r->gpu->partition[i].memory.dram, log_command, &r->log[i]);
  }
}

static bool has_energy(const struct gpu *g, const struct power *p) {
  uint64_t *none = xcalloc(NCOUNTERS + tech_counters(g->tech) + 1, sizeof *none);
  double watts[NPARTS];
  bool is = power_interval(p, g, none, none + NCOUNTERS, watts);
  free(none);
  return is;
}

struct record *record_new(struct gpu *g, const struct power *p, const struct record_options *o,
                          struct error *err) {
  struct dram_device d;
  if (!record_check(o, err) || !dram_device_load(&d, g->k.memory.device, err))
    return NULL;
  struct record *r = xcalloc(1, sizeof *r);
  r->gpu = g;
  r->power = has_energy(g, p) ? p : NULL;
  r->with_waits = o->waits;
  r->head = (struct timeline_head){.interval = o->interval,
                                   .tick_core = g->parallel.shard[0].period[DOMAIN_CORE],
                                   .tick_dram = g->parallel.shard[0].period[DOMAIN_DRAM],
                                   .window = {o->window[0], o->window[1]},
                                   .cause = (const char **)cause_names,
                                   .ncauses = NSTALLS,
                                   .command = (const char **)dram_command_names,
                                   .ncommands = DRAM_COMMANDS,
                                   .group = xcalloc(8, sizeof *r->head.group)};
  logs_new(r, &d);
  ghosts_new(r);
  r->waits = xcalloc(g->k.sms, sizeof *r->waits);
  totals_columns(r);
  unit_columns(r, o, KIND_SM);
  unit_columns(r, o, KIND_L2);
  unit_columns(r, o, KIND_DRAM);
  bank_columns(r, o);
  histogram_columns(r);
  r->latencies_now = xcalloc(1, sizeof *r->latencies_now);
  r->latencies_before = xcalloc(1, sizeof *r->latencies_before);
  timeline_columns(&r->head);
  r->row = xcalloc(r->head.ncolumns + 1, sizeof *r->row);
  r->to = timeline_create(o->path, &r->head, err);
  if (r->to)
    return r;
  record_free(r);
  return NULL;
}

static void counts_take(struct record *r) {
  for (uint32_t i = 0; i < r->head.channels; i++) {
    memcpy(r->bank_now + (size_t)i * r->head.banks, r->log[i].bank, r->head.banks * sizeof *r->bank_now);
    struct dram_counters n;
    dram_counts(r->gpu->partition[i].memory.dram, &n);
    r->queue_now[i] = n.read_queue_area + n.write_queue_area;
  }
  detail_latencies_take(r->gpu, r->latencies_now);
}

static void counts_keep(struct record *r) {
  memcpy(r->bank_before, r->bank_now, r->nbanks * sizeof *r->bank_now);
  memcpy(r->queue_before, r->queue_now, r->head.channels * sizeof *r->queue_now);
  *r->latencies_before = *r->latencies_now;
  for (uint32_t i = 0; i < r->gpu->k.sms; i++) {
    r->ghost[i].filled_before = r->ghost[i].filled;
    r->ghost[i].refetched_before = r->ghost[i].refetched;
  }
}

static void note_waits(struct record *r, bool on) {
  if (r->noting == on)
    return;
  r->noting = on;
  for (uint32_t i = 0; i < r->gpu->k.sms; i++)
    sm_note_waits(&r->gpu->sm[i], on ? &r->waits[i] : NULL);
}

void record_launch(struct record *r, const char *kernel, const uint32_t grid[3], const uint32_t block[3],
                   uint64_t begin) {
  struct timeline_launch l = {.kernel = kernel, .begin = begin};
  memcpy(l.grid, grid, sizeof l.grid);
  memcpy(l.block, block, sizeof l.block);
  timeline_launch(r->to, &l);
  uint64_t start = engine_cycle(&r->gpu->parallel.shard[0], DOMAIN_CORE);
  r->start_tick = start * r->head.tick_core;
  r->from = (start + r->head.window[0]) * r->head.tick_core;
  r->to_tick = (start + r->head.window[1]) * r->head.tick_core;
  for (uint32_t i = 0; i < r->gpu->k.sms; i++)
    r->waits[i].from = start + 1 + r->head.window[0], r->waits[i].to = start + 1 + r->head.window[1];
  ghosts_clear(r);
  note_waits(r, r->with_waits && r->head.window[1] != 0);
  counts_take(r);
  counts_keep(r);
  r->open = true;
}

static void events(struct record *r) {
  for (uint32_t i = 0; i < r->head.channels; i++) {
    for (size_t k = 0; k < r->log[i].ncommands; k++)
      timeline_command(r->to, &r->log[i].command[k]);
    r->log[i].ncommands = 0;
  }
  uint64_t start = r->start_tick / r->head.tick_core;
  for (uint32_t i = 0; i < r->gpu->k.sms; i++) {
    struct sm_waits *w = &r->waits[i];
    for (size_t k = 0; k < w->n; k++)
      timeline_wait(r->to, &(struct timeline_wait){.sm = i,
                                                   .warp = w->at[k].warp,
                                                   .cause = w->at[k].why,
                                                   .begin = w->at[k].begin - start - 1,
                                                   .cycles = w->at[k].end - w->at[k].begin});
    w->n = 0;
  }
}

/* Whole nanojoules, so that their sum is that of the run. */
static void put_energy(struct record *r, uint64_t *to) {
  double watts[NPARTS], us = (double)r->row[C_cycles] / (double)r->gpu->k.core_mhz;
  power_interval(r->power, r->gpu, r->row, r->row + NCOUNTERS, watts);
  for (size_t i = 0; i < NPARTS; i++) {
    r->energy[i] += watts[i] * us * 1e3;
    to[i] = (uint64_t)(r->energy[i] + 0.5) - r->energy_written[i];
    r->energy_written[i] += to[i];
  }
}

void record_interval(struct record *r, const uint64_t *after, const uint64_t *before, uint64_t age) {
  counters_total(r->gpu, after, before, r->row);
  counters_techniques(r->gpu, after, before, r->row + NCOUNTERS);
  if (r->power)
    put_energy(r, r->row + r->ntotals - NPARTS);
  counts_take(r);
  uint64_t *to = r->row + r->ntotals;
  for (size_t i = 0; i < r->nsources; i++) {
    size_t k = r->source[i].index;
    switch (r->source[i].from) {
    case FROM_SNAPSHOT:
      *to++ = after[k] - before[k];
      break;
    case FROM_QUEUE:
      *to++ = r->queue_now[k] - r->queue_before[k];
      break;
    case FROM_ACTIVATES:
      *to++ = r->bank_now[k].activates - r->bank_before[k].activates;
      break;
    case FROM_COLUMNS:
      *to++ = r->bank_now[k].columns - r->bank_before[k].columns;
      break;
    case FROM_FILLED:
      *to++ = r->ghost[k].filled - r->ghost[k].filled_before;
      break;
    case FROM_REFETCHED:
      *to++ = r->ghost[k].refetched - r->ghost[k].refetched_before;
      break;
    case FROM_HISTOGRAM:
      *to++ = r->latencies_now->bucket[k / STAT_BUCKETS][k % STAT_BUCKETS] -
              r->latencies_before->bucket[k / STAT_BUCKETS][k % STAT_BUCKETS];
      break;
    }
  }
  counts_keep(r);
  timeline_row(r->to, age, r->row);
  events(r);
  if (age >= r->head.window[1])
    note_waits(r, false);
}

void record_cta(struct record *r, uint32_t sm, const struct supply_cta *c) {
  uint64_t start = r->start_tick / r->head.tick_core;
  timeline_cta(r->to, &(struct timeline_cta){
                          .sm = sm, .cta = c->linear, .begin = c->begun - start, .end = c->ended - start});
}

void record_ended(struct record *r, uint64_t cycles) {
  if (!r->open)
    return;
  events(r);
  timeline_ended(r->to, cycles);
  r->open = false;
}

bool record_finish(struct record *r, const char *json, size_t n, struct error *err) {
  timeline_report(r->to, json, n);
  bool ok = timeline_close(r->to, true, err);
  r->to = NULL;
  return ok;
}

void record_free(struct record *r) {
  if (!r)
    return;
  if (r->to)
    timeline_close(r->to, false, NULL);
  note_waits(r, false);
  for (uint32_t i = 0; i < r->gpu->k.sms; i++)
    free(r->waits[i].at);
  for (uint32_t i = 0; i < r->gpu->k.sms; i++) {
    if (r->ghost[i].line)
      cache_notify_changes(r->gpu->sm[i].l1d, NULL, NULL);
    free(r->ghost[i].line);
  }
  free(r->ghost);
  for (uint32_t i = 0; i < r->head.channels; i++) {
    if (r->gpu->partition[i].memory.dram)
      dram_set_log(r->gpu->partition[i].memory.dram, NULL, NULL);
    free(r->log[i].bank), free(r->log[i].command);
  }
  for (uint32_t g = 0; g < r->head.ngroups; g++)
    free((void *)r->head.group[g].stat);
  free(r->head.group), free(r->source), free(r->row), free(r->log), free(r->bank_now), free(r->bank_before);
  free(r->latencies_now), free(r->latencies_before);
  free(r->queue_now), free(r->queue_before), free(r->waits), free(r);
}
