#include "view/view.h"
#include "base/file.h"
#include "base/mem.h"
#include "gpu/record.h"
#include "timeline/buffer.h"
#include "view/page.h"
#include "view/pyramid.h"
#include "view/source.h"
#include <stdlib.h>
#include <string.h>

enum {
  TOTALS_CHUNK = 1024,
  UNITS_CHUNK = 128,
  EVENTS_CHUNK = 4096,
  MOST_ROWS = 100000,    /* of a run all of whose totals are on the page; else those that panels show */
  MOST_CELLS = 24000000, /* of units: more of them begin at a coarser level */
  MOST_COMMANDS = 2000000,
};

/* Totals that panels show, by how they begin. */
static const char *const shown_totals[] = {
    "gpu.cycles",  "sm.",         "stall.",     "sched.",        "latency.", "l1d.accesses", "l1d.hits",
    "l2.accesses", "l2.hits",     "l2.wait",    "dram.bytes",    "dram.bus", "dram.row",     "dram.activates",
    "dram.reads",  "dram.writes", "l1.refused", "ldst.accesses",
};
/* Statistics of units that the heat maps show. */
static const char *const shown_units[] = {
    "sm.warp_cycles",    "sm.issued",          "l1d.accesses",      "l1d.hits",
    "l1.refused_cycles", "sm.shared_cycles",   "l2.accesses",       "l2.hits",
    "l2.wait_cycles",    "dram.bus_cycles",    "dram.queue_cycles", "dram.row_hits",
    "dram.row_misses",   "dram.row_conflicts", "bank.columns",      "bank.activates",
};

struct unit_stat {
  const struct timeline_group *of;
  uint32_t stat;
  struct pyramid pyramid;
};

struct events {
  struct tl_out out;
  char id[32];
  size_t n, total, chunks;
  uint64_t from, to;
  struct json index; /* [[events, from, to], …] */
};

struct collector {
  FILE *to;
  const struct timeline_head *head;
  unsigned run;
  size_t rows;
  uint64_t *sum; /* of each total */
  size_t *total; /* columns that are on the page */
  size_t ntotals;
  struct pyramid totals;
  struct unit_stat *unit;
  size_t nunits;
  uint64_t *row;
  uint64_t begin, last;
  struct json launches;
  struct events ctas, commands;
  char *report;
  size_t report_n;
};

static bool in(const char *const *list, size_t n, const char *name, bool whole) {
  for (size_t i = 0; i < n; i++)
    if (whole ? strcmp(list[i], name) == 0 : strncmp(list[i], name, strlen(list[i])) == 0)
      return true;
  return false;
}

/* First pass: how much there is, and what is not zero. */
static void count_rows(void *ctx, size_t n, const uint64_t *end, const uint64_t *value) {
  struct collector *c = ctx;
  (void)end;
  const struct timeline_group *g = &c->head->group[0];
  c->rows += n;
  for (uint32_t s = 0; s < g->nstats; s++)
    for (size_t i = 0; i < n; i++)
      c->sum[s] += value[(g->first + s) * n + i];
}

static void open_totals(struct collector *c) {
  const struct timeline_group *g = &c->head->group[0];
  char id[32];
  c->total = xcalloc(g->nstats + 1, sizeof *c->total);
  for (uint32_t s = 0; s < g->nstats; s++)
    if (strcmp(g->stat[s], "gpu.cycles") != 0 && c->sum[s] &&
        (c->rows <= MOST_ROWS ||
         in(shown_totals, sizeof shown_totals / sizeof *shown_totals, g->stat[s], false)))
      c->total[c->ntotals++] = s;
  snprintf(id, sizeof id, "d%u.t", c->run);
  pyramid_init(&c->totals, c->to, id, c->ntotals + 1, TOTALS_CHUNK, 0);
}

static void open_units(struct collector *c) {
  size_t cells = 0;
  for (uint32_t g = 1; g < c->head->ngroups; g++)
    for (uint32_t s = 0; s < c->head->group[g].nstats; s++) {
      const struct timeline_group *k = &c->head->group[g];
      if (strcmp(k->kind, "bucket") != 0 &&
          !in(shown_units, sizeof shown_units / sizeof *shown_units, k->stat[s], true) &&
          record_is_usual(k->stat[s]))
        continue;
      c->unit = xrealloc(c->unit, (c->nunits + 1) * sizeof *c->unit);
      c->unit[c->nunits++] = (struct unit_stat){.of = k, .stat = s};
      cells += k->units;
    }
  unsigned finest = 0;
  for (size_t rows = c->rows; rows * cells > MOST_CELLS && finest + 1 < PYRAMID_LEVELS; finest++)
    rows /= PYRAMID_FACTOR;
  for (size_t i = 0; i < c->nunits; i++) {
    char id[120];
    const struct unit_stat *u = &c->unit[i];
    snprintf(id, sizeof id, "d%u.%.30s.%.60s", c->run, u->of->kind, u->of->stat[u->stat]);
    pyramid_init(&c->unit[i].pyramid, c->to, id, u->of->units + 1, UNITS_CHUNK, finest);
  }
}

static void rows(void *ctx, size_t n, const uint64_t *end, const uint64_t *value) {
  struct collector *c = ctx;
  for (size_t i = 0; i < n; i++) {
    c->row[0] = end[i] - c->last;
    c->last = end[i];
    for (size_t k = 0; k < c->ntotals; k++)
      c->row[1 + k] = value[c->total[k] * n + i];
    pyramid_push(&c->totals, c->row);
    for (size_t u = 0; u < c->nunits; u++) {
      const struct timeline_group *g = c->unit[u].of;
      size_t first = g->first + (size_t)c->unit[u].stat * g->units;
      for (uint32_t k = 0; k < g->units; k++)
        c->row[1 + k] = value[(first + k) * n + i];
      pyramid_push(&c->unit[u].pyramid, c->row);
    }
  }
}

static void events_flush(struct collector *c, struct events *e) {
  if (!e->n)
    return;
  char id[64];
  snprintf(id, sizeof id, "%s.%zu", e->id, e->chunks++);
  page_bytes(c->to, id, e->out.at, e->out.n);
  const uint64_t line[3] = {e->n, e->from, e->to};
  json_u64s(&e->index, NULL, line, 3);
  e->out.n = 0;
  e->n = 0;
}

static void events_add(struct collector *c, struct events *e, uint64_t from, uint64_t to) {
  e->from = e->n && e->from < from ? e->from : from;
  e->to = e->n && e->to > to ? e->to : to;
  e->total++;
  if (++e->n == EVENTS_CHUNK)
    events_flush(c, e);
}

static void launch(void *ctx, const struct timeline_launch *l) {
  struct collector *c = ctx;
  c->begin = l->begin, c->last = 0;
  json_open(&c->launches, NULL, '{');
  json_str(&c->launches, "kernel", l->kernel);
  const uint64_t grid[3] = {l->grid[0], l->grid[1], l->grid[2]},
                 block[3] = {l->block[0], l->block[1], l->block[2]};
  json_u64s(&c->launches, "grid", grid, 3);
  json_u64s(&c->launches, "block", block, 3);
  json_u64(&c->launches, "begin", l->begin);
}

static void ended(void *ctx, uint64_t cycles) {
  struct collector *c = ctx;
  json_u64(&c->launches, "cycles", cycles);
  json_close(&c->launches);
}

static void ctas(void *ctx, size_t n, const struct timeline_cta *t) {
  struct collector *c = ctx;
  for (size_t i = 0; i < n; i++) {
    uint64_t from = c->begin + t[i].begin, to = c->begin + t[i].end;
    tl_put(&c->ctas.out, t[i].sm);
    tl_put(&c->ctas.out, t[i].cta);
    tl_put(&c->ctas.out, from);
    tl_put(&c->ctas.out, to - from);
    events_add(c, &c->ctas, from, to);
  }
}

static void commands(void *ctx, size_t n, const struct timeline_command *t) {
  struct collector *c = ctx;
  for (size_t i = 0; i < n && c->commands.total < MOST_COMMANDS; i++) {
    uint64_t tick = c->begin * c->head->tick_core + t[i].tick, cycle = tick / c->head->tick_core;
    tl_put(&c->commands.out, t[i].channel);
    tl_put(&c->commands.out, t[i].bank);
    tl_put(&c->commands.out, t[i].command);
    tl_put(&c->commands.out, t[i].row);
    tl_put(&c->commands.out, tick);
    events_add(c, &c->commands, cycle, cycle + 1);
  }
}

static void report(void *ctx, const char *json, size_t n) {
  struct collector *c = ctx;
  c->report = xstrndup(json, n);
  c->report_n = n;
}

static void names_json(struct json *j, const char *key, const char *const *names, size_t n) {
  json_open(j, key, '[');
  for (size_t i = 0; i < n; i++)
    json_str(j, NULL, names[i]);
  json_close(j);
}

static void index_json(const struct collector *c, const struct view_source *s, struct json *j) {
  const struct timeline_head *h = c->head;
  const char *slash = strrchr(s->name, '/');
  json_open(j, NULL, '{');
  json_str(j, "name", slash ? slash + 1 : s->name);
  json_str(j, "form", s->form);
  json_u64(j, "interval", h->interval);
  json_u64(j, "tickCore", h->tick_core);
  json_u64(j, "tickDram", h->tick_dram);
  json_u64(j, "channels", h->channels);
  json_u64(j, "banks", h->banks);
  json_u64s(j, "detail", h->window, 2);
  names_json(j, "commandNames", h->command, h->ncommands);
  json_open(j, "totals", '{');
  json_open(j, "columns", '[');
  json_str(j, NULL, "gpu.cycles");
  for (size_t i = 0; i < c->ntotals; i++)
    json_str(j, NULL, h->group[0].stat[c->total[i]]);
  json_close(j);
  pyramid_json(&c->totals, j);
  json_close(j);
  json_open(j, "units", '[');
  for (size_t i = 0; i < c->nunits; i++) {
    const struct unit_stat *u = &c->unit[i];
    json_open(j, NULL, '{');
    json_str(j, "kind", u->of->kind);
    json_str(j, "stat", u->of->stat[u->stat]);
    json_u64(j, "units", u->of->units);
    pyramid_json(&u->pyramid, j);
    json_close(j);
  }
  json_close(j);
  json_close(j);
}

static void raw_json(FILE *to, const char *key, const struct json *j, bool comma) {
  fprintf(to, "\"%s\":%s%s", key, j->out.n ? j->out.s : "[]", comma ? "," : "");
}

/* Text inside an element of scripts: nothing in it may look like its end. */
static void text_in_script(FILE *to, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == '<')
      fputs("\\u003c", to);
    else
      fputc(s[i], to);
}

static bool collect(FILE *to, struct view_source *s, unsigned run, struct error *err) {
  const struct timeline_head *h = s->head;
  struct collector c = {.to = to, .head = h, .run = run};
  c.sum = xcalloc(h->group[0].nstats + 1, sizeof *c.sum);
  size_t wide = h->group[0].nstats;
  for (uint32_t g = 1; g < h->ngroups; g++)
    wide = h->group[g].units > wide ? h->group[g].units : wide;
  c.row = xcalloc(wide + 2, sizeof *c.row);
  bool ok = s->walk(s->self, &(struct timeline_visit){.ctx = &c, .rows = count_rows}, err);
  if (ok) {
    open_totals(&c);
    open_units(&c);
    json_open(&c.launches, NULL, '[');
    struct events *const events[2] = {&c.ctas, &c.commands};
    for (int i = 0; i < 2; i++) {
      snprintf(events[i]->id, sizeof events[i]->id, "d%u.%s", run, i ? "commands" : "ctas");
      json_open(&events[i]->index, NULL, '[');
    }
    ok = s->walk(s->self,
                 &(struct timeline_visit){.ctx = &c,
                                          .launch = launch,
                                          .rows = rows,
                                          .ctas = ctas,
                                          .commands = commands,
                                          .ended = ended,
                                          .report = report},
                 err);
    json_close(&c.launches);
    for (int i = 0; i < 2; i++) {
      events_flush(&c, events[i]);
      json_close(&events[i]->index);
    }
    pyramid_end(&c.totals);
    for (size_t i = 0; i < c.nunits; i++)
      pyramid_end(&c.unit[i].pyramid);
  }
  if (ok) {
    struct json j = {0}, *index = &j;
    index_json(&c, s, index);
    fprintf(to, "<script type=\"application/json\" class=\"run\">{\"index\":");
    text_in_script(to, j.out.s, j.out.n);
    fputs(",\"launches\":", to);
    text_in_script(to, c.launches.out.s, c.launches.out.n);
    fputc(',', to);
    raw_json(to, "ctas", &c.ctas.index, true);
    raw_json(to, "commands", &c.commands.index, true);
    fputs("\"report\":", to);
    text_in_script(to, c.report ? c.report : "null", c.report ? c.report_n : 4);
    fputs("}</script>\n", to);
    strbuf_free(&j.out);
  }
  pyramid_free(&c.totals);
  for (size_t i = 0; i < c.nunits; i++)
    pyramid_free(&c.unit[i].pyramid);
  strbuf_free(&c.launches.out), strbuf_free(&c.ctas.index.out), strbuf_free(&c.commands.index.out);
  tl_out_free(&c.ctas.out), tl_out_free(&c.commands.out);
  free(c.sum), free(c.total), free(c.unit), free(c.row), free(c.report);
  return ok;
}

bool view_write(const char *const *sources, size_t n, const char *path, struct error *err) {
  struct page_library lib;
  struct file_stream file;
  if (!page_library_find(&lib, err))
    return false;
  struct view_source s[VIEW_MOST_RUNS] = {{0}};
  bool ok = true;
  for (size_t i = 0; i < n && ok; i++)
    ok = view_source_open(&s[i], sources[i], err);
  if (ok && (ok = file_stream_open(&file, path, err))) {
    page_head(file.to, &lib);
    for (size_t i = 0; i < n && ok; i++)
      ok = collect(file.to, &s[i], (unsigned)i, err);
    page_foot(file.to, &lib);
    if (ok)
      ok = file_stream_commit(&file, err);
    else
      file_stream_abort(&file);
  }
  for (size_t i = 0; i < n; i++)
    view_source_close(&s[i]);
  page_library_free(&lib);
  return ok;
}
