#include "lab/sweep.h"
#include "front/trace/trace.h"
#include "gpu/presets.h"
#include "lab/axis.h"
#include "tech/tech.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS_MAX = 100000 };

struct gpu {
  const char *name, *label;
  struct lab_axes set;
};

struct technique {
  const char *with, *label;
  struct lab_axes set;
  struct lab_axes best; /* at most one */
  const char *by;
};

struct sweep {
  const struct yaml_node *root;
  const char *folder;
  struct lab_points *out;
  struct error *err;
  struct arena mem;
  struct lab_workload *workload;
  size_t nworkloads, cap_workloads;
  struct gpu *gpu;
  size_t ngpus, cap_gpus;
  struct technique *technique;
  size_t ntechniques, cap_techniques;
  struct lab_axes set; /* grid and zips */
  const struct yaml_node *exclude;
  const char *size;
  uint64_t seed, max_cycles;
};

/* A file's path as the sweep's reader wrote it, or NULL if it is no path. */
static const char *path_of(struct sweep *s, const char *name) {
  if (*name == '/' || !*s->folder)
    return name;
  struct strbuf p = {0};
  strbuf_addf(&p, "%s/%s", s->folder, name);
  const char *path = arena_strndup(&s->mem, p.s, p.n);
  strbuf_free(&p);
  return path;
}

static bool too_many(struct sweep *s, size_t n, const struct yaml_node *at) {
  if (n > POINTS_MAX && !s->err->code)
    yaml_error(at, s->err, "more than %d points", POINTS_MAX);
  return n > POINTS_MAX;
}

/* Each combination of the lists among its parameters is a workload of its own. */
static void add_workloads(struct sweep *s, struct lab_workload w, const struct yaml_node *params,
                          const struct yaml_node *at) {
  struct lab_axes axes = {0};
  if (params)
    lab_axes_read(&axes, params, s->err);
  size_t n = lab_axes_points(&axes);
  for (size_t i = 0; i < n && !too_many(s, n, at); i++) {
    struct lab_workload k = w;
    struct error why = {0};
    k.params = (struct lab_pairs){0};
    lab_axes_put(&axes, i, &k.params);
    if (!lab_workload_identify(&k, &s->mem, &why))
      yaml_error(at, s->err, "%s", why.text);
    error_clear(&why);
    VEC_PUSH(s->workload, s->nworkloads, s->cap_workloads) = k;
  }
  lab_axes_free(&axes);
}

static void read_workload(struct sweep *s, const struct yaml_node *n) {
  static const char *const keys[] = {"name", "file", "label", "size", "seed", "input", "params"};
  struct lab_workload w = {.seed = s->seed};
  const struct yaml_node *params = NULL, *v;
  bool file = false;
  if (n->kind == YAML_MAP) {
    if (!yaml_check_keys(n, keys, sizeof keys / sizeof *keys, s->err))
      return;
    const struct yaml_node *f = yaml_get(n, "file"), *name = yaml_get(n, "name");
    file = f;
    if (!f == !name) {
      yaml_error(n, s->err, "a workload has a name or a file");
      return;
    }
    yaml_str(file ? f : name, &w.name, s->err);
    w.size = file ? NULL : s->size;
    if ((v = yaml_get(n, "size")))
      yaml_str(v, &w.size, s->err);
    if ((v = yaml_get(n, "label")))
      yaml_str(v, &w.label, s->err);
    if ((v = yaml_get(n, "seed")))
      yaml_u64(v, 0, UINT64_MAX, &w.seed, s->err);
    if ((v = yaml_get(n, "input")) && yaml_str(v, &w.input, s->err))
      w.input = path_of(s, w.input);
    params = yaml_get(n, "params");
  } else if (yaml_str(n, &w.name, s->err)) {
    size_t k = strlen(w.name);
    file = strchr(w.name, '/') || (k > 5 && strcmp(w.name + k - 5, ".yaml") == 0) ||
           (k > 7 && strcmp(w.name + k - 7, ".stream") == 0);
    w.size = file ? NULL : s->size;
  }
  if (!w.name)
    return;
  if (file)
    w.name = path_of(s, w.name);
  add_workloads(s, w, params, n);
}

static void read_gpu(struct sweep *s, const struct yaml_node *n) {
  static const char *const keys[] = {"gpu", "label", "set"};
  struct gpu g = {0};
  const struct yaml_node *v;
  if (n->kind == YAML_MAP) {
    if (!yaml_check_keys(n, keys, 3, s->err) || !(v = yaml_need(n, "gpu", s->err)))
      return;
    yaml_str(v, &g.name, s->err);
    if ((v = yaml_get(n, "label")))
      yaml_str(v, &g.label, s->err);
    if ((v = yaml_get(n, "set")))
      lab_axes_read(&g.set, v, s->err);
  } else {
    yaml_str(n, &g.name, s->err);
  }
  if (g.name && strchr(g.name, '/'))
    g.name = path_of(s, g.name);
  VEC_PUSH(s->gpu, s->ngpus, s->cap_gpus) = g;
}

static void read_best(struct sweep *s, const struct yaml_node *n, struct technique *t) {
  lab_axes_read(&t->best, n, s->err);
  if (t->best.n != 1)
    yaml_error(n, s->err, "the best of one parameter is chosen; %zu are given", t->best.n);
}

static void read_technique(struct sweep *s, const struct yaml_node *n) {
  static const char *const keys[] = {"with", "label", "set", "best_of", "by"};
  struct technique t = {.by = "cycles"};
  const struct yaml_node *v;
  if (n->kind == YAML_MAP) {
    if (!yaml_check_keys(n, keys, 5, s->err) || !(v = yaml_need(n, "with", s->err)))
      return;
    yaml_str(v, &t.with, s->err);
    if ((v = yaml_get(n, "label")))
      yaml_str(v, &t.label, s->err);
    if ((v = yaml_get(n, "set")))
      lab_axes_read(&t.set, v, s->err);
    if ((v = yaml_get(n, "by")))
      yaml_str(v, &t.by, s->err);
    if (v && !yaml_get(n, "best_of"))
      yaml_error(v, s->err, "is what best_of chooses by; there is no best_of");
    if ((v = yaml_get(n, "best_of")))
      read_best(s, v, &t);
  } else {
    yaml_str(n, &t.with, s->err);
  }
  if (!t.with)
    return;
  if (strcmp(t.with, "none") == 0) {
    t.with = "";
    t.label = t.label ? t.label : "none";
  }
  VEC_PUSH(s->technique, s->ntechniques, s->cap_techniques) = t;
}

static void read_plugin(struct sweep *s, const struct yaml_node *n) {
  const char *path;
  if (!yaml_str(n, &path, s->err))
    return;
  struct error why = {0};
  if (!tech_plugin(path_of(s, path), &why))
    yaml_error(n, s->err, "%s", why.text);
  error_clear(&why);
}

static void read_list(struct sweep *s, const char *key,
                      void (*read)(struct sweep *, const struct yaml_node *)) {
  const struct yaml_node *n = yaml_get(s->root, key);
  if (!n)
    return;
  if (n->kind != YAML_SEQ)
    read(s, n);
  for (size_t i = 0; n->kind == YAML_SEQ && i < n->n; i++)
    read(s, n->items[i]);
}

static void read_zip(struct sweep *s, const struct yaml_node *n) {
  lab_axes_read_zip(&s->set, n, s->err);
}

static void read_root(struct sweep *s) {
  static const char *const keys[] = {"name",       "size", "seed", "max_cycles", "workloads", "gpus",
                                     "techniques", "set",  "zip",  "exclude",    "plugins"};
  const struct yaml_node *v;
  if (!yaml_check_keys(s->root, keys, sizeof keys / sizeof *keys, s->err))
    return;
  const char *name = NULL;
  if ((v = yaml_get(s->root, "name")) && yaml_str(v, &name, s->err) && !s->out->sweep)
    s->out->sweep = xstrdup(name);
  if ((v = yaml_get(s->root, "size")))
    yaml_str(v, &s->size, s->err);
  if ((v = yaml_get(s->root, "seed")))
    yaml_u64(v, 0, UINT64_MAX, &s->seed, s->err);
  if ((v = yaml_get(s->root, "max_cycles")))
    yaml_u64(v, 0, UINT64_MAX, &s->max_cycles, s->err);
  read_list(s, "plugins", read_plugin);
  if (yaml_need(s->root, "workloads", s->err))
    read_list(s, "workloads", read_workload);
  read_list(s, "gpus", read_gpu);
  if (!s->ngpus)
    VEC_PUSH(s->gpu, s->ngpus, s->cap_gpus) = (struct gpu){.name = GPU_PRESET_DEFAULT};
  read_list(s, "techniques", read_technique);
  if (!s->ntechniques)
    VEC_PUSH(s->technique, s->ntechniques, s->cap_techniques) =
        (struct technique){.with = "", .label = "none"};
  read_list(s, "zip", read_zip);
  if ((v = yaml_get(s->root, "set")))
    lab_axes_read(&s->set, v, s->err);
  s->exclude = yaml_get(s->root, "exclude");
}

static const char *told(const struct lab_point *p, const char *key) {
  if (strcmp(key, "workload") == 0)
    return p->workload.label;
  if (strcmp(key, "gpu") == 0)
    return p->gpu_label ? p->gpu_label : p->gpu;
  if (strcmp(key, "technique") == 0)
    return p->label ? p->label : p->with;
  if (strcmp(key, "size") == 0)
    return p->workload.size ? p->workload.size : "";
  const char *v = lab_pairs_get(&p->set, key);
  return v ? v : lab_pairs_get(&p->workload.params, key);
}

static bool among(const struct yaml_node *n, const char *value) {
  if (!value)
    return false;
  if (n->kind == YAML_SCALAR)
    return strcmp(n->text, value) == 0;
  for (size_t i = 0; i < n->n; i++)
    if (among(n->items[i], value))
      return true;
  return false;
}

/* A rule excludes a point when all its keys match; a rule that never does is a mistake (exclude_check). */
static bool excluded(const struct sweep *s, const struct lab_point *p, bool *used) {
  bool out = false;
  for (size_t i = 0; s->exclude && i < s->exclude->n; i++) {
    const struct yaml_node *rule = s->exclude->items[i];
    bool all = rule->kind == YAML_MAP && rule->n;
    for (size_t k = 0; all && k < rule->n; k++)
      all = among(rule->items[k], told(p, rule->keys[k]));
    used[i] |= all;
    out |= all;
  }
  return out;
}

static void exclude_check(const struct sweep *s, const bool *used) {
  for (size_t i = 0; s->exclude && i < s->exclude->n; i++)
    if (!used[i])
      yaml_error(s->exclude->items[i], s->err,
                 "excludes no point (keys: workload, gpu, technique, size, or a parameter that varies)");
}

static void add_point(struct sweep *s, struct lab_point *p, const size_t at[4], const struct gpu *g,
                      const struct technique *t, bool *used) {
  p->set = (struct lab_pairs){0};
  lab_axes_put(&s->set, at[0], &p->set);
  lab_axes_put(&g->set, at[1], &p->set);
  lab_axes_put(&t->set, at[2], &p->set);
  lab_axes_put(&t->best, at[3], &p->set);
  if (!excluded(s, p, used))
    lab_points_add(s->out, p, s->err);
  lab_pairs_free(&p->set);
}

static void combine(struct sweep *s, const struct lab_workload *w, const struct gpu *g,
                    const struct technique *t, bool *used) {
  struct lab_point p = {.workload = *w,
                        .gpu = g->name,
                        .gpu_label = g->label,
                        .with = t->with,
                        .label = t->label,
                        .best_param = t->best.n ? t->best.at[0].name[0] : NULL,
                        .best_by = t->best.n ? t->by : NULL,
                        .max_cycles = s->max_cycles};
  const struct lab_axes *axes[4] = {&s->set, &g->set, &t->set, &t->best};
  size_t n[4], total = 1;
  for (int i = 0; i < 4 && total <= POINTS_MAX; i++)
    total *= n[i] = lab_axes_points(axes[i]);
  if (too_many(s, s->out->n + total, s->root))
    return;
  for (size_t i = 0; i < total; i++) {
    size_t at[4], rest = i;
    for (int k = 3; k >= 0; k--) {
      at[k] = rest % n[k];
      rest /= n[k];
    }
    add_point(s, &p, at, g, t, used);
  }
}

static void release(struct sweep *s) {
  for (size_t i = 0; i < s->nworkloads; i++)
    lab_pairs_free(&s->workload[i].params);
  for (size_t i = 0; i < s->ngpus; i++)
    lab_axes_free(&s->gpu[i].set);
  for (size_t i = 0; i < s->ntechniques; i++) {
    lab_axes_free(&s->technique[i].set);
    lab_axes_free(&s->technique[i].best);
  }
  lab_axes_free(&s->set);
  free(s->workload), free(s->gpu), free(s->technique);
  arena_free(&s->mem);
}

bool lab_expand_node(const struct yaml_node *root, const char *folder, struct lab_points *out,
                     struct error *err) {
  struct error own = {0};
  struct sweep s = {.root = root, .folder = folder, .out = out, .err = &own, .size = NULL, .seed = 1};
  read_root(&s);
  if (!own.code) {
    bool *used = xcalloc(s.exclude ? s.exclude->n + 1 : 1, sizeof *used);
    for (size_t w = 0; w < s.nworkloads; w++)
      for (size_t g = 0; g < s.ngpus; g++)
        for (size_t t = 0; t < s.ntechniques; t++)
          combine(&s, &s.workload[w], &s.gpu[g], &s.technique[t], used);
    if (!own.code)
      exclude_check(&s, used);
    free(used);
  }
  release(&s);
  bool ok = !own.code;
  if (!ok)
    error_add(err, own.code, "%s", own.text);
  error_clear(&own);
  return ok;
}

static bool expand(struct yaml_doc *d, const char *folder, struct lab_points *out, struct error *err) {
  if (!d)
    return false;
  bool ok = d->root ? lab_expand_node(d->root, folder, out, err)
                    : error_add(err, EXIT_USAGE, "%s: empty; a sweep has at least workloads", d->file);
  yaml_close(d);
  return ok;
}

bool lab_expand_file(const char *path, struct lab_points *out, struct error *err) {
  const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path, *dot = strrchr(stem, '.');
  char *folder = xstrndup(path, slash ? (size_t)(slash - path) : 0);
  bool ok = expand(yaml_parse_file(path, err), slash == path ? "/" : folder, out, err);
  free(folder);
  if (ok && !out->sweep)
    out->sweep = xstrndup(stem, dot && dot > stem ? (size_t)(dot - stem) : strlen(stem));
  return ok;
}

bool lab_expand_text(const char *name, const char *text, size_t n, struct lab_points *out,
                     struct error *err) {
  return expand(yaml_parse_text(name, text, n, err), "", out, err);
}
