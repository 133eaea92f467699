/* Reads what was recorded. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "validate/csv.h"
#include "validate/validate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[V_NUMBER] = {
    [V_CYCLES] = "elapsed",
    [V_ACTIVE] = "active",
    [V_INSTRUCTIONS] = "instructions",
    [V_THREADS] = "thread_instructions",
    [V_L1_LOADS] = "l1_load_sectors",
    [V_L1_HITS] = "l1_load_hits",
    [V_L2_SECTORS] = "l2_sectors",
    [V_L2_HITS] = "l2_hits",
    [V_DRAM_READ] = "dram_read_bytes",
    [V_DRAM_WRITE] = "dram_write_bytes",
    [V_REGISTERS] = "registers",
};

static bool grid_ctas(const char *text, double *to) {
  unsigned long x, y, z;
  if (sscanf(text, "%lux%lux%lu", &x, &y, &z) != 3)
    return false;
  *to = (double)x * (double)y * (double)z;
  return true;
}

static bool read_rows(struct validate_set *s, const char *path, enum validate_kind kind, bool warm,
                      struct error *err) {
  struct csv c;
  bool ok = csv_open(&c, path, err);
  while (ok && csv_next(&c)) {
    struct validate_row r = {.kind = kind, .warm = warm};
    const char *name = csv_get(&c, "name", err), *kernel = csv_get(&c, "kernel", err),
               *grid = csv_get(&c, "grid", err);
    double launch = 0;
    ok = name && kernel && grid && csv_number(&c, "launch", &launch, err);
    for (int i = 0; i < V_NUMBER && ok; i++) {
      r.ours[i] = NAN;
      if (columns[i])
        ok = csv_number(&c, columns[i], &r.card[i], err);
    }
    if (!ok)
      break;
    if (!grid_ctas(grid, &r.card[V_CTAS])) {
      ok = error_add(err, EXIT_USAGE, "%s:%zu: grid '%.40s': X x Y x Z is wanted, as in 8x8x1", path, c.line,
                     grid);
      break;
    }
    r.launch = (unsigned)launch;
    r.name = xstrdup(name);
    r.kernel = xstrdup(kernel);
    VEC_PUSH(s->row, s->n, s->cap) = r;
  }
  free(c.text);
  return ok;
}

static bool read_micro(struct validate_set *s, const char *path, struct error *err) {
  struct csv c;
  bool ok = csv_open(&c, path, err);
  while (ok && csv_next(&c)) {
    struct validate_micro m = {0};
    const char *name = csv_get(&c, "micro", err);
    ok = name && csv_number(&c, "steps", &m.steps, err) && csv_number(&c, "short", &m.length[0], err) &&
         csv_number(&c, "long", &m.length[1], err);
    if (ok && !(m.steps > 0 && m.length[1] > m.length[0]))
      ok = error_add(err, EXIT_USAGE, "%s:%zu: 'steps' above 0 and 'long' above 'short' are wanted", path,
                     c.line);
    const char *caches = ok ? csv_get(&c, "caches", err) : NULL;
    bool cold = caches && strcmp(caches, "cold") == 0;
    ok = ok && caches;
    if (ok && !cold && strcmp(caches, "warm") != 0)
      ok = error_add(err, EXIT_USAGE, "%s:%zu: caches '%.40s': cold or warm is wanted", path, c.line, caches);
    for (size_t i = 0; i < s->n && ok && cold; i++)
      if (s->row[i].kind == VALIDATE_MICRO && strcmp(s->row[i].name, name) == 0)
        s->row[i].warm = false;
    if (ok) {
      m.name = xstrdup(name);
      VEC_PUSH(s->micro, s->nmicro, s->capmicro) = m;
    }
  }
  free(c.text);
  return ok;
}

static const char *const classes[] = {"bandwidth", "latency", "compute", "divergent", "atomic"};

static const char *class_named(const char *name) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(classes[i], name) == 0)
      return classes[i];
  return NULL;
}

static bool read_classes(struct validate_set *s, const char *path, struct error *err) {
  struct csv c;
  bool ok = csv_open(&c, path, err);
  while (ok && csv_next(&c)) {
    const char *name = csv_get(&c, "kernel", err), *class = csv_get(&c, "class", err), *known = NULL;
    ok = name && class;
    if (ok && !(known = class_named(class)))
      ok = error_add(err, EXIT_USAGE,
                     "%s:%zu: class '%.40s': bandwidth, latency, compute, divergent or atomic is wanted",
                     path, c.line, class);
    for (size_t i = 0; i < s->n && ok; i++)
      if (s->row[i].kind == VALIDATE_KERNEL && strcmp(s->row[i].name, name) == 0)
        s->row[i].class = known;
  }
  free(c.text);
  return ok;
}

static bool read_split(struct validate_set *s, const char *path, struct error *err) {
  struct csv c;
  bool ok = csv_open(&c, path, err);
  while (ok && csv_next(&c)) {
    const char *name = csv_get(&c, "name", err), *set = csv_get(&c, "set", err);
    if (!(ok = name && set))
      break;
    bool calibration = strcmp(set, "calibration") == 0;
    if (!calibration && strcmp(set, "validation") != 0)
      ok = error_add(err, EXIT_USAGE, "%s:%zu: set '%.40s': calibration or validation is wanted", path,
                     c.line, set);
    for (size_t i = 0; i < s->n && calibration; i++)
      if (s->row[i].kind != VALIDATE_MICRO && strcmp(s->row[i].name, name) == 0)
        s->row[i].calibration = true;
  }
  free(c.text);
  return ok;
}

/* Workloads carry no class: their counters tell. Fewer than 70 % active threads are divergence; what comes within half of the
 * roofline is bound by its largest part; the rest waits. */
static const char *class_of(const struct validate_row *r) {
  if (r->card[V_INSTRUCTIONS] > 0 && r->card[V_THREADS] < 0.7 * 32 * r->card[V_INSTRUCTIONS])
    return "divergent";
  double issue = r->card[V_INSTRUCTIONS] / (132 * 4), roof = validate_roofline(r);
  if (roof < 0.5 * r->card[V_CYCLES])
    return "latency";
  return issue > 0.5 * (roof - 3000) ? "compute" : "bandwidth";
}

static const char first[] = "kernels";

bool validate_first(const struct validate_set *s) {
  return strcmp(s->kernels, first) == 0;
}

void validate_looks(const struct validate_set *s, char *path, size_t n) {
  if (validate_first(s))
    snprintf(path, n, "%s/looks.csv", s->dir);
  else
    snprintf(path, n, "%s/%s_looks.csv", s->dir, s->kernels);
}

bool validate_load(struct validate_set *s, const char *dir, const char *kernels, struct error *err) {
  *s = (struct validate_set){.dir = xstrdup(dir), .kernels = xstrdup(kernels ? kernels : first)};
  bool all = validate_first(s), ok = true;
  char path[4096], cold[256], warm[256], classes_in[256], split[256];
  snprintf(cold, sizeof cold, "recorded/%.200s_cold.csv", s->kernels);
  snprintf(warm, sizeof warm, "recorded/%.200s_warm.csv", s->kernels);
  snprintf(classes_in, sizeof classes_in, "%.200s.csv", s->kernels);
  snprintf(split, sizeof split, all ? "split.csv" : "%.200s_split.csv", s->kernels);
  const struct {
    const char *file;
    enum validate_kind kind;
    bool warm, there;
  } parts[] = {{"recorded/micro.csv", VALIDATE_MICRO, true, all},
               {cold, VALIDATE_KERNEL, false, true},
               {warm, VALIDATE_KERNEL, true, true},
               {"recorded/workloads_cold.csv", VALIDATE_WORKLOAD, false, all}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts && ok; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, parts[i].file);
    ok = !parts[i].there || read_rows(s, path, parts[i].kind, parts[i].warm, err);
  }
  const struct {
    const char *file;
    bool (*read)(struct validate_set *, const char *, struct error *);
    bool there;
  } tables[] = {{"micro.csv", read_micro, all}, {classes_in, read_classes, true}, {split, read_split, true}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables && ok; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, tables[i].file);
    ok = !tables[i].there || tables[i].read(s, path, err);
  }
  for (size_t i = 0; i < s->n && ok; i++)
    if (!s->row[i].class)
      s->row[i].class = class_of(&s->row[i]);
  return ok;
}

void validate_free(struct validate_set *s) {
  for (size_t i = 0; i < s->n; i++)
    free(s->row[i].name), free(s->row[i].kernel);
  for (size_t i = 0; i < s->nmicro; i++)
    free(s->micro[i].name);
  free(s->row), free(s->micro), free(s->dir), free(s->kernels);
}
