/* Readings of a paper, and assumptions changed one at a time. */
#include "paper/load.h"
#include <string.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

const char *const paper_basis_names[] = {"text", "simulator", "choice", NULL};

size_t paper_reading(const struct paper *p, const char *name) {
  for (size_t i = 0; i < p->nreadings; i++)
    if (strcmp(p->readings[i].is.name, name) == 0)
      return i;
  return SIZE_MAX;
}

/* params: {workload: {name: value}}, as many rows as there are values. */
static void params(struct paper_loader *l, const struct yaml_node *n, struct paper_assumption *a) {
  if (!n || !yaml_check_kind(n, YAML_MAP, l->err))
    return;
  size_t most = 0;
  for (size_t i = 0; i < n->n; i++)
    most += n->items[i]->kind == YAML_MAP ? n->items[i]->n : 0;
  a->params = arena_alloc(&l->p->mem, (most + 1) * sizeof *a->params);
  for (size_t i = 0; i < n->n; i++) {
    size_t w = paper_workload_index(l, n->items[i], n->keys[i]), count;
    struct paper_setting *s = paper_read_pairs(l, n->items[i], &count);
    for (size_t k = 0; k < count; k++)
      a->params[a->nparams++] = (struct paper_param){w, s[k]};
  }
}

void paper_read_assumption(struct paper_loader *l, const struct yaml_node *n, struct paper_assumption *a) {
  a->line = n->line;
  a->gpu = paper_read_gpu(l, n, NULL);
  a->set = paper_read_pairs(l, yaml_get(n, "set"), &a->nset);
  params(l, yaml_get(n, "params"), a);
}

/* True if the file calls this reading the chosen one. */
static bool load_reading(struct paper_loader *l, const struct yaml_node *n, const char *name,
                         struct paper_reading *r) {
  static const char *const keys[] = {"chosen", "basis", "reason", "support", "gpu", "set", "params"};
  bool chosen = false;
  int basis = BASIS_CHOICE;
  r->is.name = arena_strndup(&l->p->mem, name, strlen(name));
  r->reason = r->support = "";
  if (!*name ||
      strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") != strlen(name))
    yaml_error(n, l->err, "'%.60s' is no name of a reading (allowed: letters, digits, '.', '-')", name);
  if (strcmp(name, "all") == 0)
    yaml_error(n, l->err, "'all' names all readings together");
  if (!yaml_check_keys(n, keys, COUNT(keys), l->err) && n->kind != YAML_MAP)
    return false;
  const struct yaml_node *b = yaml_need(n, "basis", l->err);
  if (b)
    yaml_enum(b, paper_basis_names, COUNT(paper_basis_names) - 1, &basis, l->err);
  r->basis = (enum paper_basis)basis;
  r->reason = paper_read_text(l, yaml_need(n, "reason", l->err));
  r->support = paper_read_optional(l, n, "support", "");
  if (yaml_get(n, "chosen"))
    yaml_bool(yaml_get(n, "chosen"), &chosen, l->err);
  paper_read_assumption(l, n, &r->is);
  return chosen;
}

void paper_read_readings(struct paper_loader *l, const struct yaml_node *root) {
  const struct yaml_node *n = yaml_get(root, "readings");
  struct paper *p = l->p;
  size_t chosen = 0, count = n && n->kind == YAML_MAP ? n->n : 0;
  p->readings = arena_alloc(&p->mem, (count + 1) * sizeof *p->readings);
  p->nreadings = count ? count : 1;
  p->readings[0] = (struct paper_reading){.is.name = "", .reason = "", .support = ""};
  if (!n || !yaml_check_kind(n, YAML_MAP, l->err))
    return;
  for (size_t i = 0; i < count; i++)
    if (load_reading(l, n->items[i], n->keys[i], &p->readings[i])) {
      p->chosen = i;
      chosen++;
    }
  if (chosen != 1)
    yaml_error(n, l->err, "%zu readings are `chosen: true`; one must be", chosen);
}

void paper_read_changes(struct paper_loader *l, const struct yaml_node *n, struct paper_figure *f) {
  static const char *const keys[] = {"name", "gpu", "set", "params", "config", "over"};
  f->nchanges = paper_read_list(l, n);
  f->changes = arena_alloc(&l->p->mem, (f->nchanges + 1) * sizeof *f->changes);
  for (size_t i = 0; i < f->nchanges; i++) {
    const struct yaml_node *c = n->items[i];
    struct paper_change *to = &f->changes[i];
    to->is.name = "";
    if (!yaml_check_keys(c, keys, COUNT(keys), l->err) && c->kind != YAML_MAP)
      continue;
    to->is.name = paper_read_text(l, yaml_need(c, "name", l->err));
    paper_read_assumption(l, c, &to->is);
    to->config = yaml_get(c, "config") ? paper_read_config(l, yaml_get(c, "config")) : NULL;
    to->over = yaml_get(c, "over") ? paper_read_config(l, yaml_get(c, "over")) : NULL;
    if (!to->is.nset && !to->is.nparams && !to->is.gpu && !to->config && !to->over)
      yaml_error(c, l->err, "changes nothing (allowed: gpu, set, params, config, over)");
  }
}
