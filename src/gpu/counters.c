#include "gpu/counters.h"
#include "cache/cache.h"
#include <string.h>

#define X(id, name, unit, help, ...)   {name, STAT_U64, unit, help},
#define S(id, field, name, unit, help) {name, STAT_U64, unit, help},
static const struct stat_row gpu_rows[] = {COUNTERS_GPU(X)};
static const struct stat_row noc_rows[] = {NOC_COUNTERS(X)};
static const struct stat_row stream1_rows[] = {STREAM1_COUNTERS(X)};
static const struct stat_row stream2_rows[] = {STREAM2_COUNTERS(X)};
static const struct stat_row l2_rows[] = {L2_COUNTERS(X, S)};
static const struct stat_row dram_rows[] = {COUNTERS_DRAM(X, X)};
#undef X
static const struct stat_row sm_rows[] = {
#define X(id, name, unit, help, where) {name, STAT_U64, unit, help},
    SM_COUNTERS(X, S)
#undef X
#define X(id, name, what) {"exec." name, STAT_U64, "lanes", WORK_HELP(what)},
        WORK_CLASSES(X)
#undef X
#define X(id, name, help) {"stall." name, STAT_U64, "warp cycles", STALL_HELP(help)},
            STALLS(X)
#undef X
#define X(id, name, help) {"latency." name, STAT_U64, "cycles", STAGE_HELP(help)},
                STAGES(X)
#undef X
};
#undef S

#define ROWS(rows) rows, sizeof rows / sizeof *rows
const struct counter_group counter_groups[KINDS] = {
    [KIND_GPU] = {"gpu", ROWS(gpu_rows), C_cycles},
    [KIND_SM] = {"sm", ROWS(sm_rows), C_issued},
    [KIND_NOC] = {"noc", ROWS(noc_rows), C_request_messages},
    [KIND_STREAM1] = {"stream_l1", ROWS(stream1_rows), C_stream1_accesses},
    [KIND_STREAM2] = {"stream_l2", ROWS(stream2_rows), C_stream2_accesses},
    [KIND_L2] = {"l2", ROWS(l2_rows), C_l2_accesses},
    [KIND_DRAM] = {"dram", ROWS(dram_rows), C_dram_reads},
};

const struct stat_row *const counter_rows[NCOUNTERS] = {
#define X(id, name, unit, help, where) &gpu_rows[C_##id - C_cycles],
    COUNTERS_GPU(X)
#undef X
#define X(id, name, unit, help, where) &sm_rows[C_##id - C_issued],
#define S(id, field, name, unit, help) &sm_rows[C_##id - C_issued],
        SM_COUNTERS(X, S)
#undef X
#undef S
#define X(id, name, what) &sm_rows[C_exec_##id - C_issued],
            WORK_CLASSES(X)
#undef X
#define X(id, name, help) &sm_rows[C_stall_##id - C_issued],
                STALLS(X)
#undef X
#define X(id, name, help) &sm_rows[C_stage_##id - C_issued],
                    STAGES(X)
#undef X
#define X(id, name, unit, help, where) &noc_rows[C_##id - C_request_messages],
                        NOC_COUNTERS(X)
#undef X
#define X(id, name, unit, help, where) &stream1_rows[C_##id - C_stream1_accesses],
                            STREAM1_COUNTERS(X)
#undef X
#define X(id, name, unit, help, where) &stream2_rows[C_##id - C_stream2_accesses],
                                STREAM2_COUNTERS(X)
#undef X
#define X(id, name, unit, help, where) &l2_rows[C_##id - C_l2_accesses],
#define S(id, field, name, unit, help) &l2_rows[C_##id - C_l2_accesses],
                                    L2_COUNTERS(X, S)
#undef X
#undef S
#define X(id, name, unit, help) &dram_rows[C_dram_##id - C_dram_reads],
                                        COUNTERS_DRAM(X, X)
#undef X
};

size_t counters_units(const struct gpu *g, enum counter_kind k) {
  switch (k) {
  case KIND_SM:
    return g->k.sms;
  case KIND_STREAM1:
  case KIND_STREAM2:
    return g->k.stream.levels > k - KIND_STREAM1 ? (size_t)g->nlinks * NSTREAMS : 0;
  case KIND_L2:
    return g->nslices;
  case KIND_DRAM:
    return g->k.l2.channels;
  default:
    return 1;
  }
}

size_t counters_size(const struct gpu *g) {
  size_t n = 0;
  for (int k = 0; k < KINDS; k++)
    n += counters_units(g, (enum counter_kind)k) * counter_groups[k].nrows;
  return n + tech_counters(g->tech);
}

static uint64_t links_wait(const struct gpu *g) {
  uint64_t n = 0;
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    n += g->link[i].wait_cycles;
  return n;
}

static uint64_t links_answers(const struct gpu *g) {
  uint64_t n = 0;
  for (uint32_t i = 0; g->link && i < g->nlinks; i++)
    n += g->link[i].route ? g->link[i].route->answers : 0;
  return n;
}

static uint64_t streams_sum(const struct gpu *g, bool answers) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < g->nstreams; i++)
    n += answers ? g->stream[i].answers : g->stream[i].sent;
  return n;
}

#define X(id, name, unit, help, where) *to++ = where;
#define S(id, field, name, unit, help) *to++ = s->stats.field;
static uint64_t *take_gpu(const struct gpu *g, uint64_t *to) {
  COUNTERS_GPU(X)
  return to;
}

static uint64_t *take_sm(const struct sm *s, uint64_t *to) {
  const struct cache_stats *d = cache_stats(s->l1d), *c = cache_stats(s->l1c), *i = cache_stats(s->l1i),
                           *t = cache_stats(s->l1t);
  const struct work_sum w = work_sum(s->launch->work, s->work);
  SM_COUNTERS(X, S)
  memcpy(to, w.lanes, sizeof w.lanes);
  to += NWORKS;
  memcpy(to, s->stats.stall, sizeof s->stats.stall);
  to += NSTALLS;
  memcpy(to, s->stats.stage, sizeof s->stats.stage);
  to += NSTAGES;
  return to;
}

static uint64_t *take_noc(const struct gpu *g, uint64_t *to) {
  NOC_COUNTERS(X)
  return to;
}

/* The two levels count the same. */
static uint64_t *take_stream(const struct stream_caches *s, uint64_t *to) {
  static const struct cache_stats none;
  for (unsigned i = 0; i < NSTREAMS; i++) {
    const struct cache_stats *c = s->of[i].cache ? cache_stats(s->of[i].cache) : &none;
    STREAM1_COUNTERS(X)
  }
  return to;
}

static uint64_t *take_l2(const struct l2_slice *s, uint64_t *to) {
  const struct cache_stats *c = cache_stats(s->cache);
  L2_COUNTERS(X, S)
  return to;
}
#undef X
#undef S

static uint64_t *take_dram(const struct memory *m, uint64_t *to) {
  struct dram_counters n;
  dram_counts(m->dram, &n);
#define X(id, name, unit, help) *to++ = n.id;
  COUNTERS_DRAM(X, X)
#undef X
  return to;
}

void counters_take(const struct gpu *g, uint64_t *to) {
  to = take_gpu(g, to);
  for (uint32_t i = 0; i < g->k.sms; i++)
    to = take_sm(&g->sm[i], to);
  to = take_noc(g, to);
  for (uint32_t i = 0; i < g->nstreams; i++)
    to = take_stream(&g->stream[i], to);
  for (uint32_t i = 0; i < g->nslices; i++)
    to = take_l2(&g->partition[i / g->k.l2.slices_per_channel].slice[i % g->k.l2.slices_per_channel], to);
  for (uint32_t i = 0; i < g->k.l2.channels; i++)
    to = take_dram(&g->partition[i].memory, to);
  tech_counters_take(g->tech, to);
}

void counters_total(const struct gpu *g, const uint64_t *after, const uint64_t *before,
                    uint64_t total[NCOUNTERS]) {
  memset(total, 0, NCOUNTERS * sizeof *total);
  size_t at = 0;
  for (int k = 0; k < KINDS; k++)
    for (size_t u = 0; u < counters_units(g, (enum counter_kind)k); u++)
      for (size_t r = 0; r < counter_groups[k].nrows; r++, at++)
        total[counter_groups[k].first + r] += after[at] - (before ? before[at] : 0);
}

void counters_techniques(const struct gpu *g, const uint64_t *after, const uint64_t *before, uint64_t *to) {
  size_t n = tech_counters(g->tech), at = counters_size(g) - n;
  for (size_t i = 0; i < n; i++)
    to[i] = after[at + i] - before[at + i];
}
