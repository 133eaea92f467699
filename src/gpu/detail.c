#include "gpu/detail.h"
#include "base/mem.h"
#include <string.h>

void detail_grids(const struct gpu *g, const uint64_t *after, const uint64_t *before, struct stat_detail *d) {
  size_t at = 0;
  for (int k = 0; k < KINDS; k++) {
    const struct counter_group *group = &counter_groups[k];
    size_t units = counters_units(g, (enum counter_kind)k), n = units * group->nrows;
    if (k != KIND_GPU && units) {
      struct stat_grid grid = {
          .kind = group->kind, .rows = group->rows, .nrows = group->nrows, .nunits = units};
      grid.value = xmalloc(n * sizeof *grid.value);
      for (size_t i = 0; i < n; i++)
        grid.value[i] = after[at + i] - before[at + i];
      VEC_PUSH(d->grid, d->ngrids, d->cap_grids) = grid;
    }
    at += n;
  }
}

const struct stat_row detail_histogram_rows[DETAIL_HISTOGRAMS] = {
    {"latency.sum", STAT_U64, "cycles", "All of the way."},
#define X(id, name, help) {"latency." name, STAT_U64, "cycles", help},
    STAGES(X)
#undef X
};

void detail_latencies_take(const struct gpu *g, struct detail_latencies *to) {
  *to = (struct detail_latencies){0};
  for (uint32_t i = 0; i < g->k.sms; i++) {
    const struct sm_stats *s = &g->sm[i].stats;
    for (unsigned b = 0; b < STAT_BUCKETS; b++) {
      to->bucket[0][b] += s->latency_bucket[b];
      for (unsigned k = 0; k < NSTAGES; k++)
        to->bucket[1 + k][b] += s->stage_bucket[k][b];
    }
  }
}

void detail_histograms(const struct detail_latencies *after, const struct detail_latencies *before,
                       struct stat_detail *d) {
  for (unsigned i = 0; i < DETAIL_HISTOGRAMS; i++) {
    struct stat_histogram h = {.row = &detail_histogram_rows[i]};
    for (unsigned b = 0; b < STAT_BUCKETS; b++)
      h.bucket[b] = after->bucket[i][b] - before->bucket[i][b];
    VEC_PUSH(d->histogram, d->nhistograms, d->cap_histograms) = h;
  }
}

struct stat_series *detail_series_new(const struct gpu *g, uint64_t every) {
  struct stat_series *s = xcalloc(1, sizeof *s);
  *s = (struct stat_series){.every = every, .nrows = NCOUNTERS + tech_counters(g->tech)};
  s->rows = xmalloc(s->nrows * sizeof *s->rows);
  memcpy(s->rows, counter_rows, sizeof counter_rows);
  tech_counter_rows(g->tech, s->rows + NCOUNTERS);
  return s;
}

uint64_t detail_series_end(const struct stat_series *s) {
  return s->n ? s->end[s->n - 1] : 0;
}

void detail_series_add(struct stat_series *s, const struct gpu *g, const uint64_t *after,
                       const uint64_t *before, uint64_t cycle) {
  if (!(s->n & (s->n - 1))) { /* full at every power of two */
    size_t cap = s->n ? 2 * s->n : 1;
    s->end = xrealloc(s->end, cap * sizeof *s->end);
    s->value = xrealloc(s->value, cap * s->nrows * sizeof *s->value);
  }
  s->end[s->n] = cycle;
  counters_total(g, after, before, s->value + s->n * s->nrows);
  counters_techniques(g, after, before, s->value + s->n * s->nrows + NCOUNTERS);
  s->n++;
}
