/* Fills and numbers of a launch file. */
#include "base/mem.h"
#include "base/num.h"
#include "front/launch/load.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool load_type(struct loader *l, const struct yaml_node *n, enum elem_type *out) {
  int i;
  if (!yaml_enum(n, elem_names, ELEM_NTYPES - 1, &i, l->err)) {
    l->findings++;
    return false;
  }
  *out = (enum elem_type)(i + 1);
  return true;
}

bool load_number(struct loader *l, const struct yaml_node *n, enum elem_type t, struct number *out) {
  char range[80];
  struct number v;
  if (n->kind != YAML_SCALAR)
    return load_fail(l, n, "a number is needed here");
  if (!number_parse(n->text, &v) || !elem_fits(t, v))
    return load_fail(l, n, "'%.60s' is not %s (%s)", n->text, elem_range(t, range, sizeof range),
                     elem_name(t));
  *out = v;
  return true;
}

bool load_input_file(struct loader *l, const struct yaml_node *n, char **path, uint64_t *bytes) {
  const char *name;
  if (!yaml_str(n, &name, l->err)) {
    l->findings++;
    return false;
  }
  char *full = launch_resolve(l->f->dir, name);
  struct stat st;
  const char *why = NULL;
  if (stat(full, &st) != 0)
    why = strerror(errno);
  else if (!S_ISREG(st.st_mode))
    why = "not a regular file";
  if (why) {
    load_fail(l, n, "cannot read '%s': %s", full, why);
    free(full);
    return false;
  }
  *path = full;
  *bytes = (uint64_t)st.st_size;
  return true;
}

bool load_file_fill(struct loader *l, const struct yaml_node *map, uint64_t *size, struct fill *out) {
  const struct yaml_node *file = yaml_get(map, "file"), *offset = yaml_get(map, "offset");
  uint64_t have;
  out->kind = FILL_FILE;
  if (!load_input_file(l, file, &out->path, &have))
    return false;
  if (offset && !load_u64(l, offset, 0, have, &out->offset))
    return false;
  have -= out->offset;
  if (!*size) {
    const struct yaml_node *bytes = yaml_get(map, "bytes");
    *size = have;
    if (bytes && !load_u64(l, bytes, 0, have, size))
      return false;
  }
  if (*size > have)
    return load_fail(l, file, "'%s' has %" PRIu64 " bytes from offset %" PRIu64 ", %" PRIu64 " are needed",
                     out->path, have, out->offset, *size);
  out->bytes = *size;
  return true;
}

static bool get_number(struct loader *l, const struct yaml_node *map, const char *key, enum elem_type t,
                       struct number *out) {
  const struct yaml_node *n = yaml_get(map, key);
  return !n || load_number(l, n, t, out);
}

static bool must_be_finite(struct loader *l, const struct yaml_node *n, struct number v) {
  return isfinite(v.f) || load_fail(l, n, "a finite number is needed here");
}

/* Steps and moduli are arithmetic, not elements: any 64-bit whole number will do for an integer type. */
static enum elem_type wide(enum elem_type t) {
  return elem_kind(t) == 'f' ? ELEM_F64 : ELEM_B64;
}

static bool get_modulo(struct loader *l, const struct yaml_node *map, enum elem_type t, struct fill *out) {
  const struct yaml_node *n = yaml_get(map, "modulo");
  if (!n)
    return true;
  if (!load_number(l, n, t, &out->modulo))
    return false;
  if (!(out->modulo.f > 0) || out->modulo.negative)
    return load_fail(l, n, "'%.60s': the modulo must be above 0", n->text);
  out->has_modulo = true;
  return must_be_finite(l, n, out->modulo);
}

static bool load_iota(struct loader *l, const struct yaml_node *map, struct fill *out) {
  static const char *const keys[] = {"type", "start", "step", "modulo"};
  if (!load_keys(l, map, keys, 4))
    return false;
  out->start = number_u64(0);
  out->step = number_u64(1);
  enum elem_type t = wide(out->type);
  return get_number(l, map, "start", t, &out->start) && must_be_finite(l, map, out->start) &&
         get_number(l, map, "step", t, &out->step) && must_be_finite(l, map, out->step) &&
         get_modulo(l, map, t, out);
}

static bool load_xorshift(struct loader *l, const struct yaml_node *map, struct fill *out) {
  static const char *const keys[] = {"type", "seed", "skip", "modulo"};
  if (!load_keys(l, map, keys, 4))
    return false;
  const struct yaml_node *seed = yaml_get(map, "seed"), *skip = yaml_get(map, "skip");
  out->seed = UINT64_C(0x9E3779B97F4A7C15);
  return (!seed || load_u64(l, seed, 1, UINT64_MAX, &out->seed)) &&
         (!skip || load_u64(l, skip, 0, UINT64_MAX, &out->skip)) && get_modulo(l, map, ELEM_U64, out);
}

/* Without min and max: all values of an integer type, 0 to 1 of a float. */
static void random_defaults(struct fill *out) {
  unsigned bits = 8 * elem_bytes(out->type);
  uint64_t all = UINT64_MAX >> (64 - bits);
  out->start = number_u64(0);
  out->step = number_u64(1);
  if (elem_kind(out->type) == 's') {
    out->start =
        (struct number){.whole = true, .negative = true, .u = ~(all >> 1), .f = -(double)(all >> 1) - 1};
    out->step = number_u64(all >> 1);
  } else if (elem_kind(out->type) != 'f') {
    out->step = number_u64(all);
  }
}

/* a <= b, exact for whole numbers. */
static bool ordered(struct number a, struct number b) {
  if (!a.whole || !b.whole)
    return a.f <= b.f;
  if (a.negative != b.negative)
    return a.negative;
  return a.negative ? (int64_t)a.u <= (int64_t)b.u : a.u <= b.u;
}

static bool load_random(struct loader *l, const struct yaml_node *map, struct fill *out) {
  static const char *const keys[] = {"type", "seed", "min", "max"};
  if (!load_keys(l, map, keys, 4))
    return false;
  const struct yaml_node *seed = yaml_get(map, "seed"), *min = yaml_get(map, "min");
  random_defaults(out);
  if ((seed && !load_u64(l, seed, 0, UINT64_MAX, &out->seed)) ||
      !get_number(l, map, "min", out->type, &out->start) || !must_be_finite(l, map, out->start) ||
      !get_number(l, map, "max", out->type, &out->step) || !must_be_finite(l, map, out->step))
    return false;
  return ordered(out->start, out->step) || load_fail(l, min ? min : map, "min is above max");
}

static bool load_value(struct loader *l, const struct yaml_node *n, struct fill *out) {
  return load_number(l, n, out->type, &out->start);
}

static const struct {
  const char *name;
  enum fill_kind kind;
  bool is_map; /* with a `type` of its own */
  bool (*load)(struct loader *, const struct yaml_node *, struct fill *);
} forms[] = {
    {"value", FILL_VALUE, false, load_value},
    {"iota", FILL_IOTA, true, load_iota},
    {"xorshift64", FILL_XORSHIFT64, true, load_xorshift},
    {"random", FILL_RANDOM, true, load_random},
};
enum { NFORMS = sizeof forms / sizeof *forms };

static bool load_form(struct loader *l, const struct yaml_node *map, int form, enum elem_type type,
                      uint64_t bytes, struct fill *out) {
  const struct yaml_node *body = yaml_get(map, forms[form].name), *inner = yaml_get(body, "type");
  const struct yaml_node *named = inner ? inner : yaml_get(map, "type");
  struct yaml_node nothing = *body;
  if (forms[form].is_map && yaml_is_null(body)) { /* `iota:` alone means all defaults */
    nothing.kind = YAML_MAP;
    body = &nothing;
  }
  if (forms[form].is_map && !yaml_check_kind(body, YAML_MAP, l->err)) {
    l->findings++;
    return false;
  }
  if (named && !load_type(l, named, &type))
    return false;
  if (type == ELEM_NONE)
    return load_fail(l, map, "which type? give the buffer or the fill a type, such as f32");
  out->kind = forms[form].kind;
  out->type = type;
  if (bytes % elem_bytes(type))
    return load_fail(l, map, "%" PRIu64 " bytes are not a whole number of %s elements", bytes,
                     elem_name(type));
  return forms[form].load(l, body, out);
}

bool load_fill(struct loader *l, const struct yaml_node *n, enum elem_type type, uint64_t bytes,
               struct fill *out) {
  static const char *const keys[] = {"zero",   "value", "iota", "xorshift64",
                                     "random", "file",  "type", "offset"};
  static const char allowed[] = "allowed: zero, or one of value, iota, xorshift64, random, file";
  *out = (struct fill){.kind = FILL_ZERO, .type = type};
  if (n->kind == YAML_SCALAR) {
    if (strcmp(n->text, "zero") == 0)
      return true;
    const char *near = nearest_match(n->text, keys, 6);
    return load_fail(l, n, "'%.60s' is no fill (%s)%s%s%s", n->text, allowed, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
  }
  if (!load_keys(l, n, keys, 8))
    return false;
  int form = -1, found = 0;
  for (int i = 0; i < NFORMS; i++)
    if (yaml_get(n, forms[i].name)) {
      form = i;
      found++;
    }
  bool is_file = yaml_get(n, "file") != NULL;
  found += is_file + (yaml_get(n, "zero") != NULL);
  if (found != 1)
    return load_fail(l, n, "%s here (%s)", found ? "more than one kind of fill" : "no kind of fill", allowed);
  if (is_file) {
    if (!bytes) /* nothing to read, whatever the file holds */
      return load_input_file(l, yaml_get(n, "file"), &out->path, &out->bytes);
    return load_file_fill(l, n, &bytes, out);
  }
  if (yaml_get(n, "offset"))
    return load_fail(l, yaml_get(n, "offset"), "only a fill from a file has an offset");
  return form < 0 || load_form(l, n, form, type, bytes, out);
}
