#include "stat/report.h"
#include "base/mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void report_add_kernel(struct report *r, const char *name, const uint32_t grid[3], const uint32_t block[3],
                       struct stats *stats, const struct stat_detail *detail) {
  struct report_kernel k = {.name = xstrdup(name), .stats = stats};
  if (detail)
    k.detail = *detail;
  memcpy(k.grid, grid, sizeof k.grid);
  memcpy(k.block, block, sizeof k.block);
  VEC_PUSH(r->kernels, r->n, r->cap) = k;
}

void report_add_choice(struct report *r, const char *name, const char *value) {
  VEC_PUSH(r->choices, r->nchoices, r->cap_choices) = (struct report_choice){xstrdup(name), xstrdup(value)};
}

void report_free(struct report *r) {
  for (size_t i = 0; i < r->nchoices; i++) {
    free(r->choices[i].name);
    free(r->choices[i].value);
  }
  free(r->choices);
  for (size_t i = 0; i < r->n; i++) {
    free(r->kernels[i].name);
    stats_free(r->kernels[i].stats);
    stat_detail_free(&r->kernels[i].detail);
  }
  free(r->kernels);
  stats_free(r->total);
  stat_detail_free(&r->detail);
  *r = (struct report){0};
}

/* 1234567 → 1,234,567; only for people */
static void grouped(const struct stat_value *v, struct strbuf *to) {
  if (v->row->type == STAT_F64) {
    strbuf_addf(to, "%.3f", v->f);
    return;
  }
  if (v->row->type == STAT_TEXT) {
    strbuf_add(to, v->text);
    return;
  }
  struct strbuf digits = {0};
  stat_print(v, &digits);
  for (size_t i = 0; i < digits.n; i++) {
    if (i && (digits.n - i) % 3 == 0)
      strbuf_addc(to, ',');
    strbuf_addc(to, digits.s[i]);
  }
  strbuf_free(&digits);
}

static void cell(const struct stats *s, const char *name, int width, struct strbuf *to) {
  struct strbuf text = {0};
  struct stat_value v;
  for (size_t i = 0; i < stats_count(s); i++)
    if (stats_at(s, i, &v) && strcmp(v.row->name, name) == 0)
      grouped(&v, &text);
  strbuf_addf(to, "  %*s", width, text.n ? text.s : "-");
  strbuf_free(&text);
}

static const char *const counts[] = {"warp_instructions", "thread_instructions", "loads", "stores",
                                     "atomics"};
enum { NCOUNTS = sizeof counts / sizeof *counts, MOST_KERNELS = 20 };

static int column_width(const char *name) {
  int n = (int)strlen(name);
  return n < 12 ? 12 : n;
}

void report_kernels(const struct report *r, const char *const *columns, size_t n, struct strbuf *to) {
  size_t shown = r->n > MOST_KERNELS ? MOST_KERNELS : r->n;
  int wide = 6;
  for (size_t i = 0; i < shown; i++)
    if ((int)strlen(r->kernels[i].name) > wide)
      wide = (int)strlen(r->kernels[i].name);
  if (wide > 40)
    wide = 40;
  strbuf_addf(to, "%-*s  %-14s  %-12s", wide, "kernel", "grid", "block");
  for (size_t c = 0; c < n; c++)
    strbuf_addf(to, "  %*s", column_width(columns[c]), columns[c]);
  strbuf_addc(to, '\n');
  for (size_t i = 0; i < shown; i++) {
    const struct report_kernel *k = &r->kernels[i];
    char grid[40], block[40];
    snprintf(grid, sizeof grid, "%u x %u x %u", k->grid[0], k->grid[1], k->grid[2]);
    snprintf(block, sizeof block, "%u x %u x %u", k->block[0], k->block[1], k->block[2]);
    strbuf_addf(to, "%-*.*s  %-14s  %-12s", wide, wide, k->name, grid, block);
    for (size_t c = 0; c < n; c++)
      cell(k->stats, columns[c], column_width(columns[c]), to);
    strbuf_addc(to, '\n');
  }
  if (shown < r->n)
    strbuf_addf(to, "... and %zu more launches (--json or --csv hold all)\n", r->n - shown);
}

static void unit_line(void *ctx, const struct stat_value *v, const char *name) {
  struct strbuf value = {0}, *to = ctx;
  grouped(v, &value);
  strbuf_addf(to, "%-40s  %18s  %s\n", name, strbuf_str(&value), v->row->unit);
  strbuf_free(&value);
}

void report_table(const struct report *r, struct strbuf *to) {
  if (r->n) {
    report_kernels(r, counts, NCOUNTS, to);
    strbuf_addc(to, '\n');
  }
  struct stat_value v;
  int wide = 4;
  for (size_t i = 0; i < stats_count(r->total); i++)
    if (stats_at(r->total, i, &v) && (int)strlen(v.row->name) > wide)
      wide = (int)strlen(v.row->name);
  for (size_t i = 0; i < stats_count(r->total); i++) {
    if (!stats_at(r->total, i, &v))
      continue;
    struct strbuf value = {0};
    grouped(&v, &value);
    strbuf_addf(to, "%-*s  %18s  %s\n", wide, v.row->name, strbuf_str(&value), v.row->unit);
    strbuf_free(&value);
  }
  stat_grids_walk(&r->detail, unit_line, to);
  stat_histograms_text(&r->detail, to);
}

static void json_stats(struct json *j, const struct stats *s) {
  struct stat_value v;
  json_open(j, "stats", '{');
  for (size_t i = 0; i < stats_count(s); i++) {
    if (!stats_at(s, i, &v))
      continue;
    if (v.row->type == STAT_U64)
      json_u64(j, v.row->name, v.u);
    else if (v.row->type == STAT_TEXT)
      json_str(j, v.row->name, v.text);
    else
      json_f64(j, v.row->name, v.f);
  }
  json_close(j);
}

static void json_triple(struct json *j, const char *key, const uint32_t v[3]) {
  json_open(j, key, '[');
  for (int i = 0; i < 3; i++)
    json_u64(j, NULL, v[i]);
  json_close(j);
}

void report_json(const struct report *r, struct strbuf *to) {
  struct json j = {0};
  json_open(&j, NULL, '{');
  json_u64(&j, "schema", REPORT_SCHEMA);
  json_str(&j, "version", SLUICE_VERSION);
  json_str(&j, "workload", r->workload);
  if (r->model)
    json_str(&j, "sim.model", r->model);
  if (r->command)
    json_str(&j, "sim.command", r->command);
  if (r->command) {
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    json_str(&j, "sim.date", date);
  }
  if (r->nchoices) {
    json_open(&j, "choices", '{');
    for (size_t i = 0; i < r->nchoices; i++)
      json_str(&j, r->choices[i].name, r->choices[i].value);
    json_close(&j);
  }
  json_str(&j, "status", r->status ? r->status : "complete");
  if (r->note)
    json_str(&j, "note", r->note);
  json_open(&j, "config", '{');
  conf_json(r->conf, &j);
  json_close(&j);
  json_stats(&j, r->total);
  stat_detail_json(&r->detail, &j);
  json_open(&j, "kernels", '[');
  for (size_t i = 0; i < r->n; i++) {
    const struct report_kernel *k = &r->kernels[i];
    json_open(&j, NULL, '{');
    json_str(&j, "name", k->name);
    json_triple(&j, "grid", k->grid);
    json_triple(&j, "block", k->block);
    json_stats(&j, k->stats);
    stat_detail_json(&k->detail, &j);
    json_close(&j);
  }
  json_close(&j);
  json_close(&j);
  strbuf_addn(to, j.out.s, j.out.n);
  strbuf_free(&j.out);
}

struct csv {
  const char *launch, *kernel;
  struct strbuf *to;
};

static void csv_line(void *ctx, const struct stat_value *v, const char *name) {
  const struct csv *c = ctx;
  strbuf_addf(c->to, "%s,", c->launch);
  stat_csv_text(c->kernel, c->to);
  strbuf_addf(c->to, ",%s,", name);
  stat_print(v, c->to);
  strbuf_addf(c->to, ",%s\n", v->row->unit);
}

static void csv_stats(const struct stats *s, const struct stat_detail *d, struct csv c) {
  struct stat_value v;
  for (size_t i = 0; i < stats_count(s); i++)
    if (stats_at(s, i, &v))
      csv_line(&c, &v, v.row->name);
  stat_grids_walk(d, csv_line, &c);
}

void report_csv(const struct report *r, struct strbuf *to) {
  strbuf_add(to, "launch,kernel,statistic,value,unit\n");
  for (size_t i = 0; i < r->n; i++) {
    char launch[24];
    snprintf(launch, sizeof launch, "%zu", i);
    csv_stats(r->kernels[i].stats, &r->kernels[i].detail, (struct csv){launch, r->kernels[i].name, to});
  }
  csv_stats(r->total, &r->detail, (struct csv){"total", "", to});
}

void report_series_csv(const struct report *r, struct strbuf *to) {
  for (size_t i = 0; i < r->n; i++) {
    const struct stat_series *s = r->kernels[i].detail.series;
    char launch[24];
    snprintf(launch, sizeof launch, "%zu", i);
    if (s && !to->n)
      stat_series_csv_head(s, to);
    if (s)
      stat_series_csv(s, launch, r->kernels[i].name, to);
  }
}
