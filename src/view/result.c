/* The JSON of a run as a source: its intervals, or else its launches, are the rows. */
#include "base/mem.h"
#include "base/num.h"
#include "conf/yaml.h"
#include "view/source.h"
#include <stdlib.h>
#include <string.h>

struct result {
  struct timeline_head head;
  struct yaml_doc *doc;
  char *text;
  size_t n;
};

static uint64_t number(const struct yaml_node *n) {
  uint64_t v = 0;
  return n && n->kind == YAML_SCALAR && num_u64(n->text, &v) == NUM_OK ? v : 0;
}

static const struct yaml_node *at(const struct yaml_node *list, size_t i) {
  return list && list->kind == YAML_SEQ && i < list->n ? list->items[i] : NULL;
}

/* Launches, or the run as a whole where there are none. */
static size_t launches(const struct result *r) {
  const struct yaml_node *k = yaml_get(r->doc->root, "kernels");
  return k && k->kind == YAML_SEQ && k->n ? k->n : 1;
}

static const struct yaml_node *launch(const struct result *r, size_t i) {
  const struct yaml_node *k = at(yaml_get(r->doc->root, "kernels"), i);
  return k ? k : r->doc->root;
}

/* Is it a count, of which launches add up to the run? */
static bool adds_up(const struct result *r, const char *name) {
  uint64_t sum = 0;
  for (size_t i = 0; i < launches(r); i++)
    sum += number(yaml_get(yaml_get(launch(r, i), "stats"), name));
  return sum == number(yaml_get(yaml_get(r->doc->root, "stats"), name));
}

static void add_group(struct result *r, const char *kind, const struct yaml_node *map, size_t units,
                      bool counters) {
  struct timeline_group *g = &r->head.group[r->head.ngroups++];
  *g = (struct timeline_group){.kind = xstrdup(kind), .units = (uint32_t)units};
  g->stat = xcalloc(map->n + 1, sizeof *g->stat);
  for (size_t i = 0; i < map->n; i++) {
    const struct yaml_node *v = map->items[i];
    uint64_t n;
    if (counters && (v->kind != YAML_SCALAR || num_u64(v->text, &n) != NUM_OK || !adds_up(r, map->keys[i])))
      continue;
    if (strcmp(map->keys[i], "every") != 0 && strcmp(map->keys[i], "end") != 0)
      g->stat[g->nstats++] = xstrdup(map->keys[i]);
  }
}

static void groups(struct result *r) {
  const struct yaml_node *first = launch(r, 0), *intervals = yaml_get(first, "intervals"),
                         *units = yaml_get(first, "units"), *histograms = yaml_get(first, "histograms");
  r->head.group = xcalloc(12, sizeof *r->head.group);
  if (intervals && intervals->kind == YAML_MAP)
    add_group(r, "total", intervals, 1, false);
  else
    add_group(r, "total", yaml_get(first, "stats"), 1, true);
  static const char *const kinds[] = {"sm", "l2", "dram"};
  for (int k = 0; k < 3 && !intervals; k++) {
    const struct yaml_node *u = yaml_get(units, kinds[k]);
    if (u && u->kind == YAML_MAP && u->n && u->items[0]->kind == YAML_SEQ)
      add_group(r, kinds[k], u, u->items[0]->n, false);
  }
  if (!intervals && histograms && histograms->kind == YAML_MAP)
    add_group(r, "bucket", histograms, 33, false);
  r->head.interval = intervals ? number(yaml_get(intervals, "every")) : 1;
  r->head.tick_core = r->head.tick_dram = 1;
  timeline_columns(&r->head);
}

/* The numbers of a launch for a group: an array each, or (totals without intervals) a number. */
static const struct yaml_node *numbers(const struct yaml_node *l, const char *kind) {
  if (strcmp(kind, "total") == 0) {
    const struct yaml_node *intervals = yaml_get(l, "intervals");
    return intervals ? intervals : yaml_get(l, "stats");
  }
  return strcmp(kind, "bucket") == 0 ? yaml_get(l, "histograms") : yaml_get(yaml_get(l, "units"), kind);
}

static void rows(const struct result *r, const struct yaml_node *l, const struct timeline_visit *v) {
  const struct yaml_node *intervals = yaml_get(l, "intervals"), *ends = yaml_get(intervals, "end");
  size_t n = intervals ? (ends && ends->kind == YAML_SEQ ? ends->n : 0) : 1;
  if (!n)
    return;
  uint64_t *end = xcalloc(n, sizeof *end), *value = xcalloc(n * r->head.ncolumns + 1, sizeof *value);
  for (size_t i = 0; i < n; i++)
    end[i] = intervals ? number(at(ends, i)) : number(yaml_get(yaml_get(l, "stats"), "gpu.cycles"));
  for (uint32_t g = 0; g < r->head.ngroups; g++) {
    const struct timeline_group *k = &r->head.group[g];
    const struct yaml_node *map = numbers(l, k->kind);
    for (uint32_t s = 0; s < k->nstats; s++) {
      const struct yaml_node *of = yaml_get(map, k->stat[s]);
      for (uint32_t u = 0; u < k->units; u++)
        for (size_t i = 0; i < n; i++)
          value[(k->first + (size_t)s * k->units + u) * n + i] =
              number(k->units > 1 || intervals ? at(of, k->units > 1 ? u : i) : of);
    }
  }
  if (v->rows)
    v->rows(v->ctx, n, end, value);
  free(end), free(value);
}

static bool walk(void *self, const struct timeline_visit *v, struct error *err) {
  struct result *r = self;
  (void)err;
  uint64_t begin = 0;
  for (size_t i = 0; i < launches(r); i++) {
    const struct yaml_node *l = launch(r, i), *name = yaml_get(l, "name");
    struct timeline_launch t = {.kernel = name && name->kind == YAML_SCALAR ? name->text : "run",
                                .begin = begin};
    for (size_t k = 0; k < 3; k++) {
      t.grid[k] = (uint32_t)number(at(yaml_get(l, "grid"), k));
      t.block[k] = (uint32_t)number(at(yaml_get(l, "block"), k));
    }
    uint64_t cycles = number(yaml_get(yaml_get(l, "stats"), "gpu.cycles"));
    if (v->launch)
      v->launch(v->ctx, &t);
    rows(r, l, v);
    if (v->ended)
      v->ended(v->ctx, cycles);
    begin += cycles;
  }
  if (v->report)
    v->report(v->ctx, r->text, r->n);
  return true;
}

static void free_result(void *self) {
  struct result *r = self;
  for (uint32_t g = 0; g < r->head.ngroups; g++) {
    for (uint32_t s = 0; s < r->head.group[g].nstats; s++)
      free((void *)r->head.group[g].stat[s]);
    free((void *)r->head.group[g].stat), free((void *)r->head.group[g].kind);
  }
  free(r->head.group);
  if (r->doc)
    yaml_close(r->doc);
  free(r->text), free(r);
}

bool view_result_open(struct view_source *s, const char *name, const char *form, char *text, size_t n,
                      struct error *err) {
  struct result *r = xcalloc(1, sizeof *r);
  *s = (struct view_source){
      .name = name, .form = form, .self = r, .head = &r->head, .walk = walk, .close = free_result};
  r->text = text, r->n = n;
  r->doc = yaml_parse_text(name, text, n, err);
  const struct yaml_node *stats = r->doc ? yaml_get(r->doc->root, "stats") : NULL;
  bool ok = r->doc != NULL;
  if (ok && (!stats || stats->kind != YAML_MAP || !yaml_get(stats, "gpu.cycles")))
    ok = error_set(
        err, EXIT_USAGE,
        "%s: no timeline, and no result of a run on the timing model (`sluice run … --timeline FILE` records "
        "the one, --json FILE writes the other)",
        name);
  if (ok) {
    groups(r);
    return true;
  }
  free_result(r);
  s->self = NULL;
  return false;
}
