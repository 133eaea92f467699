/* Reading a paper's file: the frame, workloads and what is left out. */
#include "paper/load.h"
#include "base/file.h"
#include "paper/presets.h"
#include "tables.h"
#include "tech/tech.h"
#include "workload/workload.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 1 << 20 };

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

char *paper_read_text(struct paper_loader *l, const struct yaml_node *n) {
  const char *s = "";
  if (n)
    yaml_str(n, &s, l->err);
  return arena_strndup(&l->p->mem, s, strlen(s));
}

char *paper_read_optional(struct paper_loader *l, const struct yaml_node *map, const char *key,
                          const char *otherwise) {
  const struct yaml_node *n = yaml_get(map, key);
  return n ? paper_read_text(l, n) : arena_strndup(&l->p->mem, otherwise, strlen(otherwise));
}

size_t paper_read_list(struct paper_loader *l, const struct yaml_node *n) {
  return n && yaml_check_kind(n, YAML_SEQ, l->err) ? n->n : 0;
}

static bool known_stat(const char *name, void *self) {
  const struct stats *s = self;
  struct stat_value v;
  for (size_t i = 0; i < stats_count(s); i++) {
    stats_at(s, i, &v);
    if (strcmp(v.row->name, name) == 0)
      return true;
  }
  return false;
}

const struct expr *paper_read_metric(struct paper_loader *l, const struct yaml_node *n) {
  struct error why = {0};
  const char *text = paper_read_text(l, n);
  const struct expr *e = expr_parse(text, &l->p->mem, known_stat, l->stats, &why);
  if (!e)
    yaml_error(n, l->err, "%s", why.text);
  error_clear(&why);
  return e;
}

static bool valid_size(struct paper_loader *l, const struct yaml_node *n) {
  int size;
  return !n || yaml_enum(n, workload_size_names, SIZE_COUNT, &size, l->err);
}

struct paper_setting *paper_read_pairs(struct paper_loader *l, const struct yaml_node *n, size_t *count) {
  *count = 0;
  if (!n || !yaml_check_kind(n, YAML_MAP, l->err))
    return NULL;
  struct paper_setting *s = arena_alloc(&l->p->mem, (n->n + 1) * sizeof *s);
  for (size_t i = 0; i < n->n; i++) {
    s[i].name = arena_strndup(&l->p->mem, n->keys[i], strlen(n->keys[i]));
    s[i].value = paper_read_text(l, n->items[i]);
  }
  *count = n->n;
  return s;
}

static bool known_workload(struct paper_loader *l, const struct yaml_node *at, const char *name) {
  for (size_t i = 0; i < workload_count; i++)
    if (strcmp(workload_names[i], name) == 0)
      return true;
  const char *near = nearest_match(name, workload_names, (int)workload_count);
  return yaml_error(at, l->err, "there is no workload '%.60s'%s%s%s", name, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
}

static void load_workload(struct paper_loader *l, const struct yaml_node *n, const char *key,
                          const char *size, struct paper_workload *w) {
  static const char *const keys[] = {"workload", "label", "size", "quick_size", "params"};
  const struct yaml_node *other = n->kind == YAML_MAP ? yaml_get(n, "workload") : NULL;
  const char *name = other ? paper_read_text(l, other) : key;
  known_workload(l, other ? other : n, name);
  w->name = arena_strndup(&l->p->mem, name, strlen(name));
  w->size = w->quick_size = size;
  if (n->kind == YAML_SCALAR) {
    w->label = paper_read_text(l, n);
    return;
  }
  yaml_check_keys(n, keys, COUNT(keys), l->err);
  valid_size(l, yaml_get(n, "size"));
  valid_size(l, yaml_get(n, "quick_size"));
  w->label = paper_read_optional(l, n, "label", key);
  w->size = paper_read_optional(l, n, "size", size);
  w->quick_size = paper_read_optional(l, n, "quick_size", w->size);
  w->params = paper_read_pairs(l, yaml_get(n, "params"), &w->nparams);
}

void paper_read_workloads(struct paper_loader *l, const struct yaml_node *root) {
  const struct yaml_node *n = yaml_need(root, "workloads", l->err);
  valid_size(l, yaml_get(root, "size"));
  if (!n || !yaml_check_kind(n, YAML_MAP, l->err))
    return;
  struct paper *p = l->p;
  const char *size = paper_read_optional(l, root, "size", "medium");
  p->workloads = arena_alloc(&p->mem, (n->n + 1) * sizeof *p->workloads);
  p->quick = arena_alloc(&p->mem, n->n + 1);
  for (size_t i = 0; i < n->n; i++)
    load_workload(l, n->items[i], n->keys[i], size, &p->workloads[i]);
  p->nworkloads = n->n;
}

size_t paper_workload_index(struct paper_loader *l, const struct yaml_node *at, const char *name) {
  for (size_t i = 0; i < l->p->nworkloads; i++)
    if (strcmp(l->p->workloads[i].label, name) == 0 || strcmp(l->p->workloads[i].name, name) == 0)
      return i;
  yaml_error(at, l->err, "'%.60s' is not among the file's workloads", name);
  return 0;
}

static size_t workload_index(struct paper_loader *l, const struct yaml_node *n) {
  return paper_workload_index(l, n, paper_read_text(l, n));
}

void paper_read_sets(struct paper_loader *l, const struct yaml_node *root) {
  const struct yaml_node *n = yaml_need(root, "sets", l->err);
  if (!n || !yaml_check_kind(n, YAML_MAP, l->err))
    return;
  struct paper *p = l->p;
  p->sets = arena_alloc(&p->mem, (n->n + 1) * sizeof *p->sets);
  p->nsets = n->n;
  for (size_t i = 0; i < n->n; i++) {
    struct paper_set *s = &p->sets[i];
    s->name = arena_strndup(&p->mem, n->keys[i], strlen(n->keys[i]));
    s->n = paper_read_list(l, n->items[i]);
    s->workloads = arena_alloc(&p->mem, (s->n + 1) * sizeof *s->workloads);
    for (size_t k = 0; k < s->n; k++)
      s->workloads[k] = workload_index(l, n->items[i]->items[k]);
  }
}

/* The quick form: some workloads, at their quick size, and some figures. */
static void quick_values(struct paper_loader *l, const struct yaml_node *n) {
  for (size_t i = 0; n && i < n->n; i++) {
    const struct yaml_node *list = n->items[i];
    size_t count = paper_read_list(l, list);
    const char **values = arena_alloc(&l->p->mem, (count + 1) * sizeof *values);
    for (size_t k = 0; k < count; k++)
      values[k] = paper_read_text(l, list->items[k]);
    bool used = false;
    for (size_t c = 0; c < l->p->nconfigs; c++) {
      struct paper_config *config = &l->p->configs[c];
      if (!config->best || strcmp(config->best, n->keys[i]) != 0)
        continue;
      config->quick_values = values;
      config->nquick_values = count;
      used = true;
    }
    if (!used)
      yaml_error(list, l->err, "no configuration takes the best of '%s'", n->keys[i]);
  }
}

void paper_read_quick(struct paper_loader *l, const struct yaml_node *root) {
  static const char *const keys[] = {"size", "workloads", "figures", "values"};
  const struct yaml_node *q = yaml_get(root, "quick");
  l->p->has_quick = q;
  if (!q || !yaml_check_keys(q, keys, COUNT(keys), l->err))
    return;
  struct paper *p = l->p;
  const struct yaml_node *size = yaml_get(q, "size"), *w = yaml_need(q, "workloads", l->err),
                         *f = yaml_need(q, "figures", l->err), *v = yaml_get(q, "values");
  if (size && valid_size(l, size))
    for (size_t i = 0; i < p->nworkloads; i++)
      p->workloads[i].quick_size = paper_read_text(l, size);
  for (size_t i = 0, n = paper_read_list(l, w); i < n && p->nworkloads; i++)
    p->quick[workload_index(l, w->items[i])] = true;
  for (size_t i = 0, n = paper_read_list(l, f); i < n; i++) {
    const char *id = paper_read_text(l, f->items[i]);
    bool found = false;
    for (size_t k = 0; k < p->nfigures; k++)
      if (strcmp(p->figures[k].id, id) == 0)
        found = p->figures[k].quick = true;
    if (!found)
      yaml_error(f->items[i], l->err, "there is no figure '%.60s'", id);
  }
  if (!v || yaml_check_kind(v, YAML_MAP, l->err))
    quick_values(l, v);
}

static void load_absent(struct paper_loader *l, const struct yaml_node *root) {
  static const char *const keys[] = {"id", "what", "why"};
  const struct yaml_node *n = yaml_get(root, "absent");
  struct paper *p = l->p;
  p->nabsent = paper_read_list(l, n);
  p->absent = arena_alloc(&p->mem, (p->nabsent + 1) * sizeof *p->absent);
  for (size_t i = 0; i < p->nabsent; i++) {
    const struct yaml_node *a = n->items[i];
    if (!yaml_check_keys(a, keys, COUNT(keys), l->err))
      continue;
    p->absent[i] = (struct paper_absent){.id = paper_read_text(l, yaml_need(a, "id", l->err)),
                                         .what = paper_read_text(l, yaml_need(a, "what", l->err)),
                                         .why = paper_read_text(l, yaml_need(a, "why", l->err))};
  }
}

/* Techniques from shared objects, whose paths start from the folder of the file. */
static void load_plugins(struct paper_loader *l, const struct yaml_node *root) {
  const struct yaml_node *n = yaml_get(root, "plugins");
  const char *slash = strrchr(l->p->file, '/');
  for (size_t i = 0, count = paper_read_list(l, n); i < count; i++) {
    struct strbuf path = {0};
    struct error why = {0};
    const char *file = paper_read_text(l, n->items[i]);
    if (slash && *file != '/')
      strbuf_addn(&path, l->p->file, (size_t)(slash + 1 - l->p->file));
    strbuf_add(&path, file);
    if (*file && !tech_plugin(path.s, &why))
      yaml_error(n->items[i], l->err, "%s", why.text);
    error_clear(&why);
    strbuf_free(&path);
  }
}

static bool load_all(struct paper_loader *l, const struct yaml_doc *doc) {
  static const char *const keys[] = {"paper",   "title",   "about",     "gpu",     "size",
                                     "set",     "quick",   "workloads", "sets",    "configs",
                                     "subsets", "figures", "absent",    "plugins", "readings"};
  const struct yaml_node *root = doc->root;
  if (!root)
    return error_set(l->err, EXIT_USAGE, "%s: an empty file describes no paper", l->p->file);
  if (!yaml_check_keys(root, keys, COUNT(keys), l->err) && root->kind != YAML_MAP)
    return false;
  load_plugins(l, root);
  l->stats = tables_stats(); /* plugins bring their own */
  l->p->name = paper_read_text(l, yaml_need(root, "paper", l->err));
  l->p->title = paper_read_text(l, yaml_need(root, "title", l->err));
  l->p->about = paper_read_optional(l, root, "about", "");
  paper_read_workloads(l, root);
  paper_read_sets(l, root);
  paper_read_configs(l, root);
  paper_read_readings(l, root);
  if (!l->err->code) /* what refers to them would only repeat their mistakes */
    paper_read_figures(l, root);
  if (!l->err->code)
    paper_read_quick(l, root);
  load_absent(l, root);
  return !l->err->code;
}

struct paper *paper_load_text(const char *file, const char *text, size_t n, struct error *err) {
  struct yaml_doc *doc = yaml_parse_text(file, text, n, err);
  if (!doc)
    return NULL;
  struct paper *p = xcalloc(1, sizeof *p);
  struct paper_loader l = {.p = p, .err = err};
  p->file = arena_strndup(&p->mem, file, strlen(file));
  bool ok = load_all(&l, doc);
  stats_free(l.stats);
  yaml_close(doc);
  if (ok)
    return p;
  paper_free(p);
  return NULL;
}

struct paper *paper_load(const char *name_or_path, struct error *err) {
  for (size_t i = 0; i < paper_preset_count; i++)
    if (strcmp(paper_preset_files[i].name, name_or_path) == 0) {
      struct strbuf file = {0};
      strbuf_addf(&file, "papers/%s.yaml", name_or_path);
      struct paper *p = paper_load_text(file.s, paper_preset_files[i].text, paper_preset_files[i].n, err);
      strbuf_free(&file);
      return p;
    }
  if (!strchr(name_or_path, '.') && !strchr(name_or_path, '/')) {
    struct strbuf names = {0};
    for (size_t i = 0; i < paper_preset_count; i++)
      strbuf_addf(&names, "%s%s", i ? ", " : "", paper_preset_names[i]);
    const char *near = nearest_match(name_or_path, paper_preset_names, (int)paper_preset_count);
    error_set(err, EXIT_USAGE, "there is no paper '%.60s' (allowed: %s, or a file)%s%s%s", name_or_path,
              names.s, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    strbuf_free(&names);
    return NULL;
  }
  size_t n;
  char *text = file_read(name_or_path, MAX_FILE, &n, err);
  struct paper *p = text ? paper_load_text(name_or_path, text, n, err) : NULL;
  free(text);
  return p;
}

void paper_free(struct paper *p) {
  if (!p)
    return;
  struct arena mem = p->mem;
  free(p);
  arena_free(&mem);
}
