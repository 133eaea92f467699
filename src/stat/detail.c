#include "stat/detail.h"
#include "base/mem.h"
#include "base/num.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stat_detail_free(struct stat_detail *d) {
  for (size_t i = 0; i < d->ngrids; i++)
    free(d->grid[i].value);
  free(d->grid);
  if (d->series) {
    free(d->series->rows);
    free(d->series->end);
    free(d->series->value);
    free(d->series->measure);
    free(d->series);
  }
  free(d->histogram);
  *d = (struct stat_detail){0};
}

static void grids_json(const struct stat_detail *d, struct json *j) {
  if (!d->ngrids)
    return;
  json_open(j, "units", '{');
  for (size_t g = 0; g < d->ngrids; g++) {
    const struct stat_grid *k = &d->grid[g];
    json_open(j, k->kind, '{');
    uint64_t *column = xmalloc((k->nunits + 1) * sizeof *column);
    for (size_t r = 0; r < k->nrows; r++) {
      for (size_t u = 0; u < k->nunits; u++)
        column[u] = k->value[u * k->nrows + r];
      json_u64s(j, k->rows[r].name, column, k->nunits);
    }
    free(column);
    json_close(j);
  }
  json_close(j);
}

static void series_json(const struct stat_series *s, struct json *j) {
  json_open(j, "intervals", '{');
  json_u64(j, "every", s->every);
  json_u64s(j, "end", s->end, s->n);
  uint64_t *column = xmalloc((s->n + 1) * sizeof *column);
  for (size_t r = 0; r < s->nrows; r++) {
    for (size_t i = 0; i < s->n; i++)
      column[i] = s->value[i * s->nrows + r];
    json_u64s(j, s->rows[r]->name, column, s->n);
  }
  free(column);
  for (size_t r = 0; r < s->nmeasures; r++) {
    json_open(j, s->measures[r].name, '[');
    for (size_t i = 0; i < s->n; i++)
      json_f64(j, NULL, s->measure[i * s->nmeasures + r]);
    json_close(j);
  }
  json_close(j);
}

static size_t buckets_used(const struct stat_histogram *h) {
  size_t n = STAT_BUCKETS;
  while (n && !h->bucket[n - 1])
    n--;
  return n;
}

static void histograms_json(const struct stat_detail *d, struct json *j) {
  if (!d->nhistograms)
    return;
  json_open(j, "histograms", '{');
  for (size_t i = 0; i < d->nhistograms; i++)
    json_u64s(j, d->histogram[i].row->name, d->histogram[i].bucket, buckets_used(&d->histogram[i]));
  json_close(j);
}

void stat_detail_json(const struct stat_detail *d, struct json *j) {
  grids_json(d, j);
  if (d->series)
    series_json(d->series, j);
  histograms_json(d, j);
}

void stat_grids_walk(const struct stat_detail *d,
                     void (*line)(void *ctx, const struct stat_value *v, const char *name), void *ctx) {
  for (size_t g = 0; g < d->ngrids; g++) {
    const struct stat_grid *k = &d->grid[g];
    for (size_t u = 0; u < k->nunits; u++)
      for (size_t r = 0; r < k->nrows; r++) {
        char name[96];
        const char *dot = strchr(k->rows[r].name, '.');
        int first = dot ? (int)(dot - k->rows[r].name) : (int)strlen(k->rows[r].name);
        snprintf(name, sizeof name, "%.*s[%zu]%s", first, k->rows[r].name, u, dot ? dot : "");
        line(ctx, &(struct stat_value){.row = &k->rows[r], .u = k->value[u * k->nrows + r]}, name);
      }
  }
}

void stat_series_csv_head(const struct stat_series *s, struct strbuf *to) {
  strbuf_add(to, "launch,kernel,cycle");
  for (size_t r = 0; r < s->nrows; r++)
    strbuf_addf(to, ",%s", s->rows[r]->name);
  for (size_t r = 0; r < s->nmeasures; r++)
    strbuf_addf(to, ",%s", s->measures[r].name);
  strbuf_addc(to, '\n');
}

void stat_series_csv(const struct stat_series *s, const char *launch, const char *kernel, struct strbuf *to) {
  for (size_t i = 0; i < s->n; i++) {
    strbuf_addf(to, "%s,", launch);
    stat_csv_text(kernel, to);
    strbuf_addf(to, ",%" PRIu64, s->end[i]);
    for (size_t r = 0; r < s->nrows; r++)
      strbuf_addf(to, ",%" PRIu64, s->value[i * s->nrows + r]);
    for (size_t r = 0; r < s->nmeasures; r++) {
      char text[NUM_F64_MAX];
      strbuf_addf(to, ",%s", num_print_f64(text, s->measure[i * s->nmeasures + r]));
    }
    strbuf_addc(to, '\n');
  }
}

void stat_histograms_text(const struct stat_detail *d, struct strbuf *to) {
  enum { WIDTH = 40 };
  for (size_t i = 0; i < d->nhistograms; i++) {
    const struct stat_histogram *h = &d->histogram[i];
    uint64_t most = 0, all = 0;
    size_t n = buckets_used(h), first = 0;
    for (size_t b = 0; b < n; b++) {
      most = h->bucket[b] > most ? h->bucket[b] : most;
      all += h->bucket[b];
    }
    if (!all)
      continue;
    while (!h->bucket[first])
      first++;
    strbuf_addf(to, "\n%s (%s)\n", h->row->name, h->row->unit);
    for (size_t b = first; b < n; b++) {
      uint64_t from = b ? UINT64_C(1) << (b - 1) : 0, last = b ? 2 * from - 1 : 0;
      int bar = (int)((h->bucket[b] * WIDTH + most - 1) / most);
      strbuf_addf(to, "%8" PRIu64 " - %-8" PRIu64 " %5.1f %% %.*s\n", from, last,
                  100 * (double)h->bucket[b] / (double)all, bar, "########################################");
    }
  }
}
