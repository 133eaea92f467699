#include "lab/axis.h"
#include <stdlib.h>

static size_t length(const struct yaml_node *n) {
  return n->kind == YAML_SEQ ? n->n : 1;
}

/* Column `name` of an axis. */
static bool read_values(struct lab_axis *x, size_t name, const struct yaml_node *n, struct error *err) {
  bool ok = true;
  for (size_t i = 0; i < x->n; i++) {
    const struct yaml_node *v = n->kind == YAML_SEQ ? n->items[i] : n;
    x->value[i * x->nnames + name] = "";
    ok &= yaml_str(v, &x->value[i * x->nnames + name], err);
  }
  return ok;
}

static bool read_axis(struct lab_axes *a, const struct yaml_node *map, size_t from, size_t nnames,
                      struct error *err) {
  struct lab_axis x = {.nnames = nnames, .n = length(map->items[from])};
  x.name = xcalloc(nnames, sizeof *x.name);
  x.value = xcalloc(x.n * nnames + 1, sizeof *x.value);
  bool ok = x.n > 0 || yaml_error(map->items[from], err, "an empty list leaves no point");
  for (size_t i = 0; i < nnames; i++) {
    const struct yaml_node *v = map->items[from + i];
    x.name[i] = map->keys[from + i];
    if (length(v) != x.n)
      ok = yaml_error(v, err, "%zu values; what varies together has as many (%zu)", length(v), x.n);
    else
      ok &= read_values(&x, i, v, err);
  }
  VEC_PUSH(a->at, a->n, a->cap) = x;
  return ok;
}

bool lab_axes_read(struct lab_axes *a, const struct yaml_node *map, struct error *err) {
  bool ok = yaml_check_kind(map, YAML_MAP, err);
  for (size_t i = 0; map->kind == YAML_MAP && i < map->n; i++)
    ok &= read_axis(a, map, i, 1, err);
  return ok;
}

bool lab_axes_read_zip(struct lab_axes *a, const struct yaml_node *map, struct error *err) {
  if (!yaml_check_kind(map, YAML_MAP, err))
    return false;
  return map->n ? read_axis(a, map, 0, map->n, err) : yaml_error(map, err, "names no parameter");
}

void lab_axes_free(struct lab_axes *a) {
  for (size_t i = 0; i < a->n; i++) {
    free(a->at[i].name);
    free(a->at[i].value);
  }
  free(a->at);
  *a = (struct lab_axes){0};
}

size_t lab_axes_points(const struct lab_axes *a) {
  size_t n = 1;
  for (size_t i = 0; i < a->n && n < LAB_AXES_MAX; i++)
    n *= a->at[i].n;
  return n < LAB_AXES_MAX ? n : LAB_AXES_MAX;
}

void lab_axes_put(const struct lab_axes *a, size_t i, struct lab_pairs *to) {
  size_t below = lab_axes_points(a);
  for (size_t k = 0; k < a->n; k++) {
    const struct lab_axis *x = &a->at[k];
    below /= x->n;
    for (size_t j = 0; j < x->nnames; j++)
      lab_pairs_put(to, x->name[j], x->value[i / below % x->n * x->nnames + j]);
  }
}
