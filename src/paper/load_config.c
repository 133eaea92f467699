/* Configurations: GPUs with techniques and parameters, and all subsets of some techniques. */
#include "paper/load.h"
#include "gpu/presets.h"
#include <math.h>
#include <string.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))
enum { MAX_SUBSETS = 6 };

const struct paper_config *paper_config(const struct paper *p, const char *name) {
  for (size_t i = 0; i < p->nconfigs; i++)
    if (strcmp(p->configs[i].name, name) == 0)
      return &p->configs[i];
  return NULL;
}

const char *paper_read_gpu(struct paper_loader *l, const struct yaml_node *map, const char *otherwise) {
  const struct yaml_node *n = yaml_get(map, "gpu");
  if (!n)
    return otherwise;
  char *name = paper_read_text(l, n);
  for (size_t i = 0; i < gpu_preset_count; i++)
    if (strcmp(gpu_preset_names[i], name) == 0)
      return name;
  if (strchr(name, '.') || strchr(name, '/'))
    return name;
  const char *near = nearest_match(name, gpu_preset_names, (int)gpu_preset_count);
  yaml_error(n, l->err, "there is no GPU '%.60s'%s%s%s", name, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
  return name;
}

/* The file's `set` first, then the configuration's own. */
static void settings(struct paper_loader *l, struct paper_config *c, const struct yaml_node *all,
                     const struct yaml_node *own) {
  size_t n = (all ? all->n : 0) + (own ? own->n : 0);
  c->set = arena_alloc(&l->p->mem, (n + 1) * sizeof *c->set);
  const struct yaml_node *maps[] = {all, own};
  c->nshared = all && all->kind == YAML_MAP ? all->n : 0;
  for (int m = 0; m < 2; m++) {
    if (!maps[m] || !yaml_check_kind(maps[m], YAML_MAP, l->err))
      continue;
    for (size_t i = 0; i < maps[m]->n; i++)
      c->set[c->nset++] =
          (struct paper_setting){arena_strndup(&l->p->mem, maps[m]->keys[i], strlen(maps[m]->keys[i])),
                                 paper_read_text(l, maps[m]->items[i])};
  }
}

static void best_of(struct paper_loader *l, struct paper_config *c, const struct yaml_node *n) {
  if (!n || !yaml_check_kind(n, YAML_MAP, l->err))
    return;
  if (n->n != 1) {
    yaml_error(n, l->err, "names one parameter and a list of its values");
    return;
  }
  const struct yaml_node *list = n->items[0];
  c->best = arena_strndup(&l->p->mem, n->keys[0], strlen(n->keys[0]));
  c->nvalues = paper_read_list(l, list);
  c->values = arena_alloc(&l->p->mem, (c->nvalues + 1) * sizeof *c->values);
  for (size_t i = 0; i < c->nvalues; i++)
    c->values[i] = paper_read_text(l, list->items[i]);
  if (c->nvalues == 0)
    yaml_error(list, l->err, "has no values");
  c->quick_values = c->values;
  c->nquick_values = c->nvalues;
}

static void load_config(struct paper_loader *l, const struct yaml_node *n, const char *name, const char *gpu,
                        const struct yaml_node *all, struct paper_config *c) {
  static const char *const keys[] = {"gpu", "with", "set", "best_of", "by", "x"};
  *c = (struct paper_config){.name = arena_strndup(&l->p->mem, name, strlen(name)), .with = "", .x = NAN};
  c->line = n->line;
  c->gpu = gpu;
  if (n->kind == YAML_MAP)
    yaml_check_keys(n, keys, COUNT(keys), l->err);
  else if (!yaml_is_null(n))
    yaml_check_kind(n, YAML_MAP, l->err);
  c->gpu = paper_read_gpu(l, n, gpu);
  c->own_gpu = yaml_get(n, "gpu");
  c->with = paper_read_optional(l, n, "with", "");
  settings(l, c, all, yaml_get(n, "set"));
  best_of(l, c, yaml_get(n, "best_of"));
  if (yaml_get(n, "x"))
    yaml_f64(yaml_get(n, "x"), &c->x, l->err);
  if (c->best && yaml_need(n, "by", l->err))
    c->by = paper_read_metric(l, yaml_get(n, "by"));
}

/* none, a, b, a+b, ...: in the order of how many are in it. */
static void load_subsets(struct paper_loader *l, const struct yaml_node *n, const char *gpu,
                         const struct yaml_node *all) {
  struct paper *p = l->p;
  if (n->n > MAX_SUBSETS) {
    yaml_error(n, l->err, "%zu techniques have too many subsets (allowed: up to %d)", n->n, MAX_SUBSETS);
    return;
  }
  p->nsubsets = n->n;
  p->subsets = arena_alloc(&p->mem, (n->n + 1) * sizeof *p->subsets);
  for (size_t i = 0; i < n->n; i++)
    p->subsets[i] = arena_strndup(&p->mem, n->keys[i], strlen(n->keys[i]));
  for (int members = 0; members <= (int)n->n; members++)
    for (uint32_t mask = 0; mask < 1u << n->n; mask++) {
      struct strbuf name = {0}, with = {0};
      if (__builtin_popcount(mask) != members)
        continue;
      for (size_t i = 0; i < n->n; i++) {
        if (!(mask >> i & 1))
          continue;
        strbuf_addf(&name, "%s%s", name.n ? "+" : "", n->keys[i]);
        strbuf_addf(&with, "%s%s", with.n ? "," : "", paper_read_text(l, n->items[i]));
      }
      struct paper_config *c = &p->configs[p->nconfigs++];
      *c = (struct paper_config){.gpu = gpu, .x = NAN, .subset = mask, .is_subset = true, .line = n->line};
      c->name = arena_strndup(&p->mem, mask ? name.s : "none", mask ? name.n : 4);
      c->with = arena_strndup(&p->mem, strbuf_str(&with), with.n);
      settings(l, c, all, NULL);
      strbuf_free(&name);
      strbuf_free(&with);
    }
}

void paper_read_configs(struct paper_loader *l, const struct yaml_node *root) {
  const struct yaml_node *n = yaml_get(root, "configs"), *s = yaml_get(root, "subsets"),
                         *all = yaml_get(root, "set");
  struct paper *p = l->p;
  const char *gpu = paper_read_gpu(l, root, GPU_PRESET_DEFAULT);
  if (n && !yaml_check_kind(n, YAML_MAP, l->err))
    return;
  if (s && !yaml_check_kind(s, YAML_MAP, l->err))
    return;
  p->configs = arena_alloc(&p->mem, ((n ? n->n : 0) + (1u << MAX_SUBSETS) + 1) * sizeof *p->configs);
  for (size_t i = 0; n && i < n->n; i++)
    load_config(l, n->items[i], n->keys[i], gpu, all, &p->configs[p->nconfigs++]);
  if (s)
    load_subsets(l, s, gpu, all);
  if (p->nconfigs == 0)
    yaml_error(root, l->err, "neither configs nor subsets: nothing to run");
}
