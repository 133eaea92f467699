#include "lab/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "conf/yaml.h"
#include "lab/store.h"
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 1 << 30 };

const char *const lab_part_names[] = {"answer", "stacks", "statistics", "configuration", NULL};

/* Statistics that a reader asks for first, in this order. */
static const char *const first_names[] = {"state",          "status",
                                          "cycles",         "ipc",
                                          "occupancy",      "l1d.hit_rate",
                                          "l2.hit_rate",    "dram.row_hit_rate",
                                          "latency.mean",   "dram.bandwidth_gbps",
                                          "energy.total_mj"};
enum { NHEAD = sizeof first_names / sizeof *first_names };

/* Parts of a whole: those that begin so, but for what is no part of it. */
static const struct stack {
  const char *prefix, *whole, *apart[4];
} stacks[] = {
    {"stall.", "sm.warp_cycles", {NULL}},
    {"latency.", "latency.sum", {"latency.sum", "latency.count", "latency.fetched", "latency.mean"}}};

/* One value of a result. */
struct value {
  char *where, *name, *text;
  bool config;
};
struct values {
  struct value *at;
  size_t n, cap;
};

static void put(struct values *v, const char *where, const char *name, const char *text) {
  if (strncmp(name, "sim.", 4) != 0)
    VEC_PUSH(v->at, v->n, v->cap) = (struct value){xstrdup(where), xstrdup(name), xstrdup(text), false};
}

static void values_free(struct values *v) {
  for (size_t i = 0; i < v->n; i++)
    free(v->at[i].where), free(v->at[i].name), free(v->at[i].text);
  free(v->at);
}

static void put_map(struct values *v, const struct yaml_node *map, bool config) {
  for (size_t i = 0; map && map->kind == YAML_MAP && i < map->n; i++)
    if (map->items[i]->kind == YAML_SCALAR) {
      put(v, "", map->keys[i], map->items[i]->text);
      if (v->n)
        v->at[v->n - 1].config |= config;
    }
}

/* The totals of a run's JSON, and unless plain its choices, configuration and status. */
static bool read_json(struct values *v, const char *path, bool plain, struct error *err) {
  struct yaml_doc *d = yaml_parse_file(path, err);
  if (!d)
    return false;
  const struct yaml_node *stats = yaml_get(d->root, "stats"), *status = yaml_get(d->root, "status");
  bool ok = stats || error_add(err, EXIT_USAGE, "%s: no result of a run: it has no `stats`", path);
  put_map(v, stats, false);
  if (!plain) {
    put_map(v, yaml_get(d->root, "choices"), true);
    put_map(v, yaml_get(d->root, "config"), true);
  }
  if (!plain && status && status->kind == YAML_SCALAR)
    put(v, "", "status", status->text);
  yaml_close(d);
  return ok;
}

/* The totals of a run's CSV: total,,statistic,value,unit */
static bool read_csv(struct values *v, const char *path, struct error *err) {
  size_t n;
  char *text = file_read(path, SOURCE_MAX, &n, err), *rest = text;
  if (!text)
    return false;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *field[4];
    int k = 0;
    while (k < 4 && (field[k] = strsep(&line, ",")))
      k++;
    if (k == 4 && strcmp(field[0], "total") == 0)
      put(v, "", field[2], field[3]);
  }
  free(text);
  return v->n || error_add(err, EXIT_USAGE, "%s: no result of a run: it has no line for the total", path);
}

/* Points by what was asked for: their hash differs where the model does. */
static const char points[] =
    "SELECT workload || ' ' || ifnull(size, '') || CASE params WHEN '{}' THEN '' ELSE ' ' || params END || ' "
    "on ' || gpu "
    "|| ' with ' || CASE \"with\" WHEN '' THEN 'none' ELSE \"with\" END || CASE \"set\" WHEN '{}' THEN '' "
    "ELSE ' ' || "
    "\"set\" END || CASE seed WHEN 1 THEN '' ELSE ' seed ' || seed END, name, value FROM point JOIN "
    "(SELECT point, name, value FROM stat UNION ALL SELECT id, 'state', state FROM point) ON point = id "
    "WHERE state = 'done' OR name = 'state'";

static bool read_db(struct values *v, const char *path, struct error *err) {
  struct lab_store *s = lab_store_open(path, LAB_READ, err);
  if (!s)
    return false;
  sqlite3 *db = lab_store_handle(s);
  sqlite3_stmt *q;
  int code = sqlite3_prepare_v2(db, points, -1, &q, NULL);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    if ((code = sqlite3_step(q)) != SQLITE_ROW)
      break;
    char number[NUM_F64_MAX];
    bool real = sqlite3_column_type(q, 2) == SQLITE_FLOAT;
    put(v, (const char *)sqlite3_column_text(q, 0), (const char *)sqlite3_column_text(q, 1),
        real ? num_print_f64(number, sqlite3_column_double(q, 2)) : (const char *)sqlite3_column_text(q, 2));
  }
  bool ok =
      code == SQLITE_DONE || error_add(err, EXIT_RUNTIME, "%s: cannot read: %s", path, sqlite3_errmsg(db));
  sqlite3_finalize(q);
  lab_store_close(s);
  return ok;
}

enum kind { RUN_JSON, RUN_CSV, DATABASE };
static enum kind kind_of(const char *path) {
  char head[16] = "";
  FILE *f = fopen(path, "rb");
  size_t n = f ? fread(head, 1, sizeof head - 1, f) : 0;
  if (f)
    fclose(f);
  if (n == 15 && memcmp(head, "SQLite format 3", 15) == 0)
    return DATABASE;
  return strncmp(head, "launch,", 7) == 0 ? RUN_CSV : RUN_JSON;
}

/* A CSV has statistics only. */
static bool read_both(const char *const path[2], struct values v[2], struct error *err) {
  enum kind kind[2] = {kind_of(path[0]), kind_of(path[1])};
  if ((kind[0] == DATABASE) != (kind[1] == DATABASE))
    return error_add(err, EXIT_USAGE, "%s is a database, the other is not", path[kind[1] == DATABASE]);
  bool plain = kind[0] == RUN_CSV || kind[1] == RUN_CSV, ok = true;
  for (int i = 0; i < 2; i++)
    ok &= kind[i] == DATABASE  ? read_db(&v[i], path[i], err)
          : kind[i] == RUN_CSV ? read_csv(&v[i], path[i], err)
                               : read_json(&v[i], path[i], plain, err);
  return ok;
}

static int by_name(const void *a, const void *b) {
  const struct value *x = a, *y = b;
  int c = strcmp(x->where, y->where);
  return c ? c : strcmp(x->name, y->name);
}

static double relative(const char *a, const char *b) {
  double x, y;
  if (!a || !b || num_f64(a, &x) != NUM_OK || num_f64(b, &y) != NUM_OK || x == 0)
    return INFINITY;
  return (y - x) / fabs(x);
}

static size_t head_place(const char *name) {
  size_t i = 0;
  while (i < NHEAD && strcmp(first_names[i], name) != 0)
    i++;
  return i;
}

static const struct stack *stack_of(const char *name) {
  for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) {
    bool part = strncmp(name, stacks[i].prefix, strlen(stacks[i].prefix)) == 0;
    for (int k = 0; k < 4 && part && stacks[i].apart[k]; k++)
      part = strcmp(stacks[i].apart[k], name) != 0;
    if (part)
      return &stacks[i];
  }
  return NULL;
}

/* Percent of its stack; NaN: the stack is not there. Values are sorted. */
static double share(const struct values *all, const struct value *v, const struct stack *s) {
  struct value whole = {.where = v->where, .name = (char *)s->whole};
  const struct value *w = bsearch(&whole, all->at, all->n, sizeof whole, by_name);
  double part, sum;
  return w && num_f64(v->text, &part) == NUM_OK && num_f64(w->text, &sum) == NUM_OK && sum > 0
             ? 100 * part / sum
             : (double)NAN;
}

static void note(struct lab_diff *d, const struct values *of_a, const struct values *of_b,
                 const struct value *a, const struct value *b) {
  const struct value *any = a ? a : b;
  const struct stack *s = any->config ? NULL : stack_of(any->name);
  if (a && b && strcmp(a->text, b->text) == 0)
    return;
  struct lab_change c = {.part = any->config                     ? LAB_PART_CONFIG
                                 : head_place(any->name) < NHEAD ? LAB_PART_HEAD
                                                                 : LAB_PART_REST,
                         .where = xstrdup(any->where),
                         .name = xstrdup(any->name),
                         .a = a ? xstrdup(a->text) : NULL,
                         .b = b ? xstrdup(b->text) : NULL,
                         .change = relative(a ? a->text : NULL, b ? b->text : NULL),
                         .points = NAN};
  if (s && a && b)
    c.points = share(of_b, b, s) - share(of_a, a, s);
  if (!isnan(c.points))
    c.part = LAB_PART_STACKS;
  VEC_PUSH(d->at, d->n, d->cap) = c;
}

/* Of two numbers that are not zero: how many times one is the other, as a logarithm. -1: no ratio says it, -2: one of
 * them lacks it. */
static double ratio(const struct lab_change *c) {
  double x, y;
  if (!c->a || !c->b)
    return -2;
  if (num_f64(c->a, &x) != NUM_OK || num_f64(c->b, &y) != NUM_OK || !(x / y > 0) || isinf(x / y))
    return -1;
  return fabs(log(y / x));
}

static double size(const struct lab_change *c) {
  double x = 0, y = 0;
  if (c->a)
    num_f64(c->a, &x);
  if (c->b)
    num_f64(c->b, &y);
  return fmax(fabs(x), fabs(y));
}

static int greater(double p, double q) {
  return (p < q) - (p > q);
}

static int by_change(const void *a, const void *b) {
  const struct lab_change *x = a, *y = b;
  int c = (x->part > y->part) - (x->part < y->part);
  if (!c && x->part == LAB_PART_HEAD)
    c = head_place(x->name) < head_place(y->name)   ? -1
        : head_place(x->name) > head_place(y->name) ? 1
                                                    : greater(ratio(x), ratio(y));
  if (!c && x->part == LAB_PART_STACKS)
    c = greater(fabs(x->points), fabs(y->points));
  if (!c && x->part == LAB_PART_REST)
    c = greater(ratio(x), ratio(y));
  if (!c && x->part == LAB_PART_REST && ratio(x) < 0)
    c = greater(size(x), size(y));
  if (!c)
    c = strcmp(x->where, y->where);
  return c ? c : strcmp(x->name, y->name);
}

/* Values of points that only one of them has are no changes. */
static size_t skip_point(const struct values *v, size_t i) {
  size_t k = i;
  while (k < v->n && strcmp(v->at[k].where, v->at[i].where) == 0)
    k++;
  return k;
}

static void merge(struct lab_diff *d, const struct values *a, const struct values *b) {
  size_t i = 0, k = 0;
  const char *point = NULL; /* that both have */
  while (i < a->n || k < b->n) {
    int c = i == a->n ? 1 : k == b->n ? -1 : by_name(&a->at[i], &b->at[k]);
    int w = i == a->n ? 1 : k == b->n ? -1 : strcmp(a->at[i].where, b->at[k].where);
    if (!w && (!point || strcmp(point, a->at[i].where) != 0)) {
      point = a->at[i].where;
      d->points++;
    }
    if (w < 0 && (!point || strcmp(point, a->at[i].where) != 0)) {
      d->only_a++;
      i = skip_point(a, i);
      continue;
    }
    if (w > 0 && (!point || strcmp(point, b->at[k].where) != 0)) {
      d->only_b++;
      k = skip_point(b, k);
      continue;
    }
    d->compared++;
    note(d, a, b, c <= 0 ? &a->at[i] : NULL, c >= 0 ? &b->at[k] : NULL);
    i += c <= 0, k += c >= 0;
  }
}

bool lab_diff(const char *a, const char *b, struct lab_diff *out, struct error *err) {
  struct values v[2] = {0};
  *out = (struct lab_diff){0};
  bool ok = read_both((const char *const[]){a, b}, v, err);
  if (ok) {
    for (int i = 0; i < 2; i++)
      if (v[i].n)
        qsort(v[i].at, v[i].n, sizeof *v[i].at, by_name);
    merge(out, &v[0], &v[1]);
    if (out->n)
      qsort(out->at, out->n, sizeof *out->at, by_change);
    if (!out->points && v[0].n && v[1].n)
      ok = error_add(err, EXIT_USAGE, "%s and %s have no point in common", a, b);
  }
  values_free(&v[0]), values_free(&v[1]);
  return ok;
}

void lab_diff_free(struct lab_diff *d) {
  for (size_t i = 0; i < d->n; i++)
    free(d->at[i].where), free(d->at[i].name), free(d->at[i].a), free(d->at[i].b);
  free(d->at);
  *d = (struct lab_diff){0};
}
