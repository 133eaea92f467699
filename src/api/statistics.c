/* What a handle has counted, as numbers by name and as texts. */
#include "api/handle.h"
#include "base/mem.h"
#include "front/count.h"
#include "tables.h"
#include <stdlib.h>
#include <string.h>

/* Brings the totals of the caller's own launches up to date; inside a callback of an interval, those of the moment. */
static const struct stats *totals(struct sluice *s, const struct stat_detail **detail) {
  if (s->inside) {
    if (!s->live) {
      s->live = tables_stats();
      front_counters_put(s->executed, s->live);
      s->machine->put_total(s->machine, s->live, &s->live_detail);
    }
    *detail = &s->live_detail;
    return s->live;
  }
  if (s->stale && s->runner) {
    const char *status = s->report.status;
    if (s->report.total)
      stats_free(s->report.total);
    stat_detail_free(&s->report.detail);
    s->report.detail = (struct stat_detail){0};
    s->report.total = NULL;
    runner_finish(s->runner, true, &s->err);
    s->report.status = status;
    s->stale = false;
  }
  *detail = &s->report.detail;
  return s->report.total;
}

/* "l2[5].hits": the row l2.hits of unit 5. */
static bool unit_stat(const struct stat_detail *d, const char *name, double *value) {
  const char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;
  char row[96];
  char *end;
  if (!close || (size_t)(open - name) + strlen(close) >= sizeof row)
    return false;
  unsigned long long unit = strtoull(open + 1, &end, 10);
  snprintf(row, sizeof row, "%.*s%s", (int)(open - name), name, close + 1);
  for (size_t g = 0; g < d->ngrids && end == close && end > open + 1; g++) {
    const struct stat_grid *k = &d->grid[g];
    for (size_t r = 0; unit < k->nunits && r < k->nrows; r++)
      if (strcmp(k->rows[r].name, row) == 0) {
        *value = (double)k->value[unit * k->nrows + r];
        return true;
      }
  }
  return false;
}

static bool stat_of(const struct stats *s, const struct stat_detail *d, const char *name, double *value) {
  return strchr(name, '[') ? unit_stat(d, name, value) : s && stats_get(s, name, value);
}

static bool total_stat(struct sluice *s, const char *name, double *value) {
  const struct stat_detail *d;
  const struct stats *t = totals(s, &d);
  return stat_of(t, d, name, value);
}

bool sluice_stat(struct sluice *s, const char *name, double *value) {
  return ON_HANDLE(s, total_stat(s, name, value), false);
}

uint32_t sluice_launches(const struct sluice *s) {
  return s->broken ? 0 : (uint32_t)s->report.n;
}

const char *sluice_launch_kernel(const struct sluice *s, uint32_t launch) {
  return launch < sluice_launches(s) ? s->report.kernels[launch].name : NULL;
}

bool sluice_launch_stat(struct sluice *s, uint32_t launch, const char *name, double *value) {
  if (launch >= sluice_launches(s))
    return false;
  const struct report_kernel *k = &s->report.kernels[launch];
  return ON_HANDLE(s, stat_of(k->stats, &k->detail, name, value), false);
}

/* Of a launch that has ended, or of the one that runs. */
static const struct stat_series *series_of(const struct sluice *s, uint32_t launch) {
  if (s->broken)
    return NULL;
  if (launch < s->report.n)
    return s->report.kernels[launch].detail.series;
  return s->inside && launch == s->report.n ? s->machine->series : NULL;
}

uint32_t sluice_intervals(const struct sluice *s, uint32_t launch) {
  const struct stat_series *k = series_of(s, launch);
  return k ? (uint32_t)k->n : 0;
}

uint64_t sluice_interval_end(const struct sluice *s, uint32_t launch, uint32_t interval) {
  const struct stat_series *k = series_of(s, launch);
  return k && interval < k->n ? k->end[interval] : 0;
}

bool sluice_interval_stat(struct sluice *s, uint32_t launch, uint32_t interval, const char *name,
                          double *value) {
  const struct stat_series *k = series_of(s, launch);
  if (!k || interval >= k->n)
    return false;
  for (size_t r = 0; r < k->nrows; r++)
    if (strcmp(k->rows[r]->name, name) == 0) {
      *value = (double)k->value[interval * k->nrows + r];
      return true;
    }
  for (size_t r = 0; r < k->nmeasures; r++)
    if (strcmp(k->measures[r].name, name) == 0) {
      *value = k->measure[interval * k->nmeasures + r];
      return true;
    }
  return false;
}

static bool histogram(struct sluice *s, const char *name, uint64_t *bucket) {
  _Static_assert((int)SLUICE_BUCKETS == (int)STAT_BUCKETS, "the header has as many buckets");
  const struct stat_detail *d;
  totals(s, &d);
  for (size_t i = 0; i < d->nhistograms; i++)
    if (strcmp(d->histogram[i].row->name, name) == 0) {
      memcpy(bucket, d->histogram[i].bucket, sizeof d->histogram[i].bucket);
      return true;
    }
  return false;
}

bool sluice_histogram(struct sluice *s, const char *name, uint64_t bucket[SLUICE_BUCKETS]) {
  return ON_HANDLE(s, histogram(s, name, bucket), false);
}

static bool about(uint32_t i, struct sluice_stat_about *to) {
  struct stats *all = tables_stats();
  struct stat_value v;
  bool there = i < stats_count(all);
  if (there) {
    stats_at(all, i, &v);
    struct sluice_stat_about a = {
        .size = to->size, .name = v.row->name, .unit = v.row->unit, .help = v.row->help};
    memcpy(to, &a, to->size < sizeof a ? to->size : sizeof a);
  }
  stats_free(all);
  return there;
}

bool sluice_stat_about(struct sluice *s, uint32_t i, struct sluice_stat_about *to) {
  return ON_HANDLE(s, about(i, to), false);
}

static char *text_of(struct sluice *s, enum sluice_report form) {
  static void (*const forms[])(const struct report *, struct strbuf *) = {
      report_summary, report_table, report_json, report_csv, report_series_csv};
  struct strbuf to = {0};
  const struct stat_detail *unused;
  if (form == SLUICE_CONFIG) {
    conf_echo(s->conf, &to);
    return strbuf_take(&to);
  }
  if ((unsigned)form > SLUICE_CONFIG || s->inside || !totals(s, &unused))
    return NULL;
  forms[form](&s->report, &to);
  if ((form == SLUICE_SUMMARY || form == SLUICE_TABLE) && s->report.note)
    strbuf_addf(&to, "\n%s\n", s->report.note);
  return strbuf_take(&to);
}

static bool value_at(struct sluice *s, uint32_t i, struct sluice_stat_value *to) {
  static const enum sluice_stat_kind kinds[] = {
      [STAT_U64] = SLUICE_STAT_COUNT, [STAT_F64] = SLUICE_STAT_REAL, [STAT_TEXT] = SLUICE_STAT_TEXT};
  const struct stat_detail *unused;
  const struct stats *all = totals(s, &unused);
  struct stat_value v;
  if (!all || i >= stats_count(all))
    return false;
  bool there = stats_at(all, i, &v);
  struct sluice_stat_value k = {.size = to->size, .kind = SLUICE_STAT_NONE, .name = v.row->name};
  if (there) {
    k.kind = kinds[v.row->type];
    k.count = v.row->type == STAT_U64 ? v.u : 0;
    k.real = v.row->type == STAT_F64 ? v.f : v.row->type == STAT_U64 ? (double)v.u : 0;
    k.text = v.row->type == STAT_TEXT ? v.text : NULL;
  }
  memcpy(to, &k, to->size < sizeof k ? to->size : sizeof k);
  return true;
}

bool sluice_stat_at(struct sluice *s, uint32_t i, struct sluice_stat_value *value) {
  return ON_HANDLE(s, value_at(s, i, value), false);
}

const char *sluice_outcome(const struct sluice *s) {
  if (s->broken || !s->what)
    return NULL;
  return s->report.status ? s->report.status : "complete";
}

/* The caller's from now on. */
static char *text(struct sluice *s, enum sluice_report form) {
  char *t = text_of(s, form);
  pool_forget(t);
  return t;
}

char *sluice_text(struct sluice *s, enum sluice_report form) {
  return ON_HANDLE(s, text(s, form), NULL);
}

void sluice_text_free(char *text_) {
  free(text_);
}
