#include "base/mem.h"
#include "base/num.h"
#include "explain/stretch.h"
#include "view/source.h"
#include <stdlib.h>
#include <string.h>

enum { STRETCHES = 64 }; /* of a launch, at most */

const char *const limiter_names[NLIMITERS + 1] = {
#define X(id, name, words) name,
    LIMITERS(X)
#undef X
        NULL};
const char *const limiter_words[NLIMITERS] = {
#define X(id, name, words) words,
    LIMITERS(X)
#undef X
};

const struct explain_link explain_links[] = {
#define X(words, top, bottom, share) {words, top, bottom, share},
    LINKS(X)
#undef X
};
const size_t explain_nlinks = sizeof explain_links / sizeof *explain_links;
_Static_assert(sizeof explain_links / sizeof *explain_links == EXPLAIN_LINKS, "EXPLAIN_LINKS");

static const char *const stage_names[] = {"latency.l1_queue", "latency.request", "latency.l2_delay",
                                          "latency.l2_queue", "latency.dram",    "latency.l2",
                                          "latency.response", "latency.sum"};

struct reader {
  struct explain *e;
  const struct timeline_head *head;
  struct explain_machine machine;
  struct yaml_doc *doc;
  /* columns; SIZE_MAX: not there */
  size_t total[NTOTALS], unit[NUNITS], stall[64], stage[8], reads, top[EXPLAIN_LINKS], bottom[EXPLAIN_LINKS];
  struct explain_step step; /* so far */
  struct stall_index index;
  struct stretch at;
  double *lengths; /* of launches */
  size_t nlengths, cap_lengths, which;
  double target;
  struct stretch_launch launch;
  struct explain_part *part;
};

static void keep_length(void *ctx, uint64_t cycles) {
  struct reader *r = ctx;
  VEC_PUSH(r->lengths, r->nlengths, r->cap_lengths) = (double)cycles;
}

static void keep_report(void *ctx, const char *json, size_t n) {
  struct reader *r = ctx;
  free(r->e->report);
  r->e->report = xstrndup(json, n);
}

static int cause(const struct reader *r, const char *name) {
  for (size_t i = 0; i < r->e->ncauses; i++)
    if (strcmp(r->e->cause[i], name) == 0)
      return (int)i;
  return -1;
}

static void find_stalls(struct reader *r, const struct timeline_group *g) {
  struct explain *e = r->e;
  for (uint32_t s = 0; s < g->nstats && e->ncauses < 64; s++) {
    if (strncmp(g->stat[s], "stall.", 6) != 0)
      continue;
    e->cause = xrealloc(e->cause, (e->ncauses + 1) * sizeof *e->cause);
    r->stall[e->ncauses] = g->first + s;
    e->cause[e->ncauses++] = xstrdup(g->stat[s] + 6);
  }
  r->index = (struct stall_index){.fetch = cause(r, "fetch"),
                                  .scoreboard = cause(r, "scoreboard"),
                                  .pipe = cause(r, "pipe"),
                                  .barrier = cause(r, "barrier"),
                                  .fence = cause(r, "fence"),
                                  .drain = cause(r, "drain"),
                                  .shared = cause(r, "shared"),
                                  .ldst = cause(r, "ldst_queue"),
                                  .l1_ways = cause(r, "l1_ways"),
                                  .l1_mshr = cause(r, "l1_mshr"),
                                  .l1_merge = cause(r, "l1_merge"),
                                  .l1_queue = cause(r, "l1_queue"),
                                  .request = cause(r, "request"),
                                  .l2_queue = cause(r, "l2_queue"),
                                  .l2_ways = cause(r, "l2_ways"),
                                  .l2_mshr = cause(r, "l2_mshr"),
                                  .l2_merge = cause(r, "l2_merge"),
                                  .l2_miss_queue = cause(r, "l2_miss_queue"),
                                  .l2_response = cause(r, "l2_response"),
                                  .l2 = cause(r, "l2"),
                                  .dram_queue = cause(r, "dram_queue"),
                                  .dram = cause(r, "dram"),
                                  .dram_row = cause(r, "dram_row"),
                                  .dram_bus = cause(r, "dram_bus"),
                                  .response = cause(r, "response"),
                                  .l1 = cause(r, "l1"),
                                  .select = cause(r, "select"),
                                  .issued = cause(r, "issued"),
                                  .unfinished = cause(r, "unfinished")};
}

static void find_columns(struct reader *r) {
  static const char *const totals[NTOTALS] = {
#define X(id, name) name,
      STRETCH_TOTALS(X)
#undef X
  };
  static const char *const kinds[NUNITS] = {
#define X(id, kind, name) kind,
      STRETCH_UNITS(X)
#undef X
  };
  static const char *const units[NUNITS] = {
#define X(id, kind, name) name,
      STRETCH_UNITS(X)
#undef X
  };
  const struct timeline_group *g = timeline_group(r->head, "total");
  for (int i = 0; i < NTOTALS; i++) {
    r->total[i] = SIZE_MAX;
    timeline_stat(g, totals[i], &r->total[i]);
  }
  for (int i = 0; i < 8; i++) {
    r->stage[i] = SIZE_MAX;
    timeline_stat(g, stage_names[i], &r->stage[i]);
  }
  r->reads = SIZE_MAX;
  timeline_stat(g, "latency.count", &r->reads);
  for (size_t i = 0; i < EXPLAIN_LINKS; i++) {
    r->top[i] = r->bottom[i] = SIZE_MAX;
    timeline_stat(g, explain_links[i].top, &r->top[i]);
    timeline_stat(g, explain_links[i].bottom, &r->bottom[i]);
  }
  for (int i = 0; i < NUNITS; i++) {
    const struct timeline_group *k = timeline_group(r->head, kinds[i]);
    r->unit[i] = SIZE_MAX;
    if (!k || !timeline_stat(k, units[i], &r->unit[i]))
      continue;
    r->at.unit[i] = xcalloc(k->units + 1, sizeof *r->at.unit[i]);
    r->at.nunits[i] = k->units;
    r->e->units = true;
  }
  find_stalls(r, g);
}

static double number(const struct yaml_node *map, const char *name) {
  const struct yaml_node *n = yaml_get(map, name);
  double v;
  return n && n->kind == YAML_SCALAR && num_f64(n->text, &v) == NUM_OK ? v : 0;
}

static void launch(void *ctx, const struct timeline_launch *l) {
  struct reader *r = ctx;
  struct explain *e = r->e;
  const struct yaml_node *kernels = yaml_get(r->doc->root, "kernels"),
                         *k = kernels && kernels->kind == YAML_SEQ && r->which < kernels->n
                                  ? kernels->items[r->which]
                                  : NULL,
                         *stats = yaml_get(k, "stats");
  double length = r->which < r->nlengths ? r->lengths[r->which] : 0,
         ctas = (double)l->grid[0] * l->grid[1] * l->grid[2],
         threads = (double)l->block[0] * l->block[1] * l->block[2],
         width = number(yaml_get(r->doc->root, "config"), "front.warp_width"),
         most = number(stats, "ctas_per_sm"),
         here = (double)(uint64_t)((ctas + r->machine.sms - 1) / r->machine.sms);
  r->which++;
  r->target = length / STRETCHES;
  double per = width > 0 ? (double)(uint64_t)((threads + width - 1) / width) : 0;
  r->launch = (struct stretch_launch){.warps = (most > 0 && most < here ? most : here) * per,
                                      .covers = ctas >= r->machine.sms};
  VEC_PUSH(e->launch, e->nlaunches, e->cap_launches) = (struct explain_part){.name = xstrdup(l->kernel)};
  r->part = &e->launch[e->nlaunches - 1];
  const struct yaml_node *limit = yaml_get(stats, "ctas_per_sm.limit");
  if (limit && limit->kind == YAML_SCALAR && (!e->occupancy_limit || length >= r->lengths[0])) {
    free(e->occupancy_limit);
    e->occupancy_limit = xstrdup(limit->text);
  }
}

static void clear(struct reader *r) {
  memset(r->at.total, 0, sizeof r->at.total);
  memset(r->at.stall, 0, sizeof r->at.stall);
  for (int i = 0; i < NUNITS; i++)
    if (r->at.unit[i])
      memset(r->at.unit[i], 0, r->at.nunits[i] * sizeof *r->at.unit[i]);
}

static void finish_stretch(struct reader *r) {
  if (r->at.total[T_CYCLES] <= 0)
    return;
  VEC_PUSH(r->e->step, r->e->nsteps, r->e->cap_steps) = r->step;
  stretch_explain(&r->at, &r->index, &r->machine, &r->launch, r->part);
  stretch_explain(&r->at, &r->index, &r->machine, &r->launch, &r->e->run);
  clear(r);
}

static void rows(void *ctx, size_t n, const uint64_t *end, const uint64_t *value) {
  struct reader *r = ctx;
  (void)end;
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < NTOTALS; k++)
      if (r->total[k] != SIZE_MAX)
        r->at.total[k] += (double)value[r->total[k] * n + i];
    for (size_t k = 0; k < r->e->ncauses; k++)
      r->at.stall[k] += (double)value[r->stall[k] * n + i];
    for (int k = 0; k < NUNITS; k++)
      for (size_t u = 0; r->at.unit[k] && u < r->at.nunits[k]; u++)
        r->at.unit[k][u] += (double)value[(r->unit[k] + u) * n + i];
    for (int k = 0; k < 8; k++)
      if (r->stage[k] != SIZE_MAX)
        r->e->latency[k] += (double)value[r->stage[k] * n + i];
    if (r->reads != SIZE_MAX)
      r->e->reads += (double)value[r->reads * n + i];
    if (r->total[T_WORK] != SIZE_MAX)
      r->e->work_done += (double)value[r->total[T_WORK] * n + i];
    r->step.work = r->e->work_done;
    for (size_t k = 0; k < EXPLAIN_LINKS; k++) {
      r->step.top[k] += r->top[k] != SIZE_MAX ? (double)value[r->top[k] * n + i] : 0;
      r->step.bottom[k] += r->bottom[k] != SIZE_MAX ? (double)value[r->bottom[k] * n + i] : 0;
    }
    if (r->at.total[T_CYCLES] >= r->target)
      finish_stretch(r);
  }
}

static void ended(void *ctx, uint64_t cycles) {
  (void)cycles;
  finish_stretch(ctx);
}

static bool read_all(struct reader *r, struct view_source *s, struct error *err) {
  struct explain *e = r->e;
  if (!s->walk(s->self, &(struct timeline_visit){.ctx = r, .ended = keep_length, .report = keep_report}, err))
    return false;
  if (!e->report || !(r->doc = yaml_parse_text(s->name, e->report, strlen(e->report), err)))
    return err->code ? false
                     : error_set(err, EXIT_USAGE, "%s: the timeline has no result: its run failed", s->name);
  if (!explain_machine_read(&r->machine, yaml_get(r->doc->root, "config"), err))
    return false;
  const struct yaml_node *workload = yaml_get(r->doc->root, "workload");
  e->workload = xstrdup(workload && workload->kind == YAML_SCALAR ? workload->text : s->name);
  find_columns(r);
  return s->walk(s->self, &(struct timeline_visit){.ctx = r, .launch = launch, .rows = rows, .ended = ended},
                 err);
}

bool explain_read(struct explain *e, const char *source, struct error *err) {
  struct view_source s;
  *e = (struct explain){.source = xstrdup(source), .run = {.name = xstrdup("run")}};
  if (!view_source_open(&s, source, err)) {
    explain_free(e);
    return false;
  }
  struct reader r = {.e = e, .head = s.head};
  bool ok = read_all(&r, &s, err);
  for (int i = 0; i < NUNITS; i++)
    free(r.at.unit[i]);
  if (r.doc)
    yaml_close(r.doc);
  free(r.lengths);
  view_source_close(&s);
  if (!ok)
    explain_free(e);
  return ok;
}

void explain_free(struct explain *e) {
  for (size_t i = 0; i < e->nlaunches; i++)
    free(e->launch[i].name);
  for (size_t i = 0; i < e->ncauses; i++)
    free(e->cause[i]);
  free(e->run.name), free(e->launch), free(e->cause), free(e->source), free(e->workload),
      free(e->occupancy_limit);
  free(e->report), free(e->step);
  *e = (struct explain){0};
}

void explain_order(const struct explain_part *p, enum limiter order[NLIMITERS]) {
  for (int i = 0; i < NLIMITERS; i++) {
    int at = i;
    while (at > 0 && p->limit[order[at - 1]] < p->limit[i]) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = (enum limiter)i;
  }
}
