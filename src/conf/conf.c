#include "conf/conf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "conf/internal.h"
#include "conf/yaml.h"
#include <stdlib.h>
#include <string.h>

/* Where the name is in the hash table, or where it would be. */
static uint32_t *place_of(const struct conf *c, const char *name) {
  uint32_t i = (uint32_t)hash_str(name) & c->mask;
  while (c->place[i] && strcmp(c->names[c->place[i] - 1], name) != 0)
    i = (i + 1) & c->mask;
  return &c->place[i];
}

struct conf *conf_new(const struct conf_table *const *tables, size_t n) {
  struct conf *c = xcalloc(1, sizeof *c);
  size_t total = 0;
  for (size_t t = 0; t < n; t++)
    total += tables[t]->n;
  c->values = xcalloc(total, sizeof *c->values);
  c->names = xcalloc(total, sizeof *c->names);
  while (c->mask < 2 * total)
    c->mask = 2 * c->mask + 1;
  c->place = xcalloc(c->mask + (size_t)1, sizeof *c->place);
  for (size_t t = 0; t < n; t++)
    for (size_t i = 0; i < tables[t]->n; i++) {
      const struct conf_param *p = &tables[t]->params[i];
      struct error e = {0};
      uint32_t *place = place_of(c, p->name);
      if (*place)
        panic("parameter %s is declared twice", p->name);
      struct conf_value *v = &c->values[c->n];
      c->names[c->n++] = p->name;
      *place = (uint32_t)c->n;
      v->param = p;
      v->table = tables[t];
      if (!conf_parse(p, p->initial, &v->v, "default", &e))
        panic("%s", e.text);
      v->text = xstrdup(p->initial);
      v->origin = xstrdup("default");
    }
  return c;
}

void conf_free(struct conf *c) {
  if (!c)
    return;
  for (size_t i = 0; i < c->n; i++) {
    free(c->values[i].text);
    free(c->values[i].origin);
  }
  free(c->values);
  free(c->names), free(c->place);
  free(c);
}

struct conf_value *conf_find(const struct conf *c, const char *name) {
  uint32_t place = *place_of(c, name);
  return place ? &c->values[place - 1] : NULL;
}

static bool unknown(const struct conf *c, const char *name, const char *value, const char *where,
                    struct error *err) {
  const char *near = nearest_match(name, c->names, (int)c->n);
  /* "windw" for "front.windw": compare the last parts too */
  for (size_t i = 0; !near && i < c->n; i++) {
    const char *last = strrchr(c->names[i], '.');
    if (last && nearest_match(name, (const char *const[]){last + 1}, 1))
      near = c->names[i];
  }
  bool shown = value && *value;
  return error_add(err, EXIT_USAGE, "%s: unknown parameter '%.80s'%s%.60s%s%s%s%s", where, name,
                   shown ? " (value '" : "", shown ? value : "", shown ? "')" : "",
                   near ? "; did you mean '" : "; `sluice list params` shows all", near ? near : "",
                   near ? "'?" : "");
}

static bool assign(struct conf *c, struct conf_value *v, const char *text, const char *origin,
                   struct error *err) {
  (void)c;
  if (!conf_parse(v->param, text, &v->v, origin, err))
    return false;
  char *copy = xstrdup(text), *from = xstrdup(origin);
  free(v->text);
  free(v->origin);
  v->text = copy;
  v->origin = from;
  return true;
}

bool conf_assign(struct conf *c, const char *name, const char *value, const char *origin, struct error *err) {
  struct conf_value *v = conf_find(c, name);
  if (!v)
    return unknown(c, name, value, origin, err);
  return assign(c, v, value, origin, err);
}

bool conf_set(struct conf *c, const char *assignment, struct error *err) {
  const char *eq = strchr(assignment, '=');
  if (!eq || eq == assignment)
    return error_add(err, EXIT_USAGE, "--set: '%.80s' is not of the form name=value", assignment);
  char *name = xstrndup(assignment, (size_t)(eq - assignment));
  bool ok = conf_assign(c, name, eq + 1, "--set", err);
  free(name);
  return ok;
}

static bool load_node(struct conf *c, const struct yaml_node *n, struct error *err) {
  struct strbuf path = {0}, where = {0};
  yaml_path(n, &path);
  const char *name = strbuf_str(&path);
  struct conf_value *v = conf_find(c, name);
  bool ok = true;
  strbuf_addf(&where, "%s:%u", n->doc->file, n->line);
  if (!v && n->kind == YAML_MAP) {
    for (size_t i = 0; i < n->n; i++)
      ok &= load_node(c, n->items[i], err);
  } else if (!v) {
    ok = unknown(c, name, n->kind == YAML_SCALAR ? n->text : NULL, where.s, err);
  } else if (n->kind != YAML_SCALAR) {
    ok = error_add(err, EXIT_USAGE, "%s: %s: a single value is needed here, not a %s", where.s, name,
                   n->kind == YAML_MAP ? "map" : "sequence");
  } else if (yaml_is_null(n)) {
    ok = error_add(err, EXIT_USAGE, "%s: %s: a value is missing", where.s, name);
  } else if (v->load == c->loads) {
    ok = error_add(err, EXIT_USAGE, "%s: %s: set twice (first at %s)", where.s, name, v->origin);
  } else {
    ok = assign(c, v, n->text, where.s, err);
    if (ok)
      v->load = c->loads;
  }
  strbuf_free(&path);
  strbuf_free(&where);
  return ok;
}

static bool load_doc(struct conf *c, struct yaml_doc *d, struct error *err) {
  if (!d)
    return false;
  bool ok = true;
  c->loads++;
  if (d->root && d->root->kind != YAML_MAP)
    ok = error_add(err, EXIT_USAGE, "%s:%u: a map of parameters is needed", d->file, d->root->line);
  else if (d->root)
    ok = load_node(c, d->root, err);
  yaml_close(d);
  return ok;
}

bool conf_load_file(struct conf *c, const char *path, struct error *err) {
  return load_doc(c, yaml_parse_file(path, err), err);
}

bool conf_load_text(struct conf *c, const char *name, const char *text, size_t n, struct error *err) {
  return load_doc(c, yaml_parse_text(name, text, n, err), err);
}

static const struct conf_value *need(const struct conf *c, const char *name, enum conf_type t) {
  const struct conf_value *v = conf_find(c, name);
  if (!v || (v->param->type != t && !(t == CONF_STRING && v->param->type == CONF_ENUM)))
    panic("no %s parameter %s", conf_type_name(t), name);
  return v;
}

bool conf_bool(const struct conf *c, const char *name) {
  return need(c, name, CONF_BOOL)->v.b;
}
int64_t conf_i64(const struct conf *c, const char *name) {
  return need(c, name, CONF_INT)->v.i;
}
uint64_t conf_u64(const struct conf *c, const char *name) {
  return need(c, name, CONF_UINT)->v.u;
}
double conf_f64(const struct conf *c, const char *name) {
  return need(c, name, CONF_FLOAT)->v.f;
}
const char *conf_str(const struct conf *c, const char *name) {
  return need(c, name, CONF_STRING)->text;
}
int conf_enum(const struct conf *c, const char *name) {
  return need(c, name, CONF_ENUM)->v.choice;
}

static void fill(const struct conf_value *v, char *to) {
  const struct conf_param *p = v->param;
  uint32_t word = p->type == CONF_ENUM ? (uint32_t)v->v.choice : (uint32_t)v->v.u;
  const void *from = p->type == CONF_STRING   ? (const void *)&v->text
                     : p->type == CONF_BOOL   ? (const void *)&v->v.b
                     : p->size == sizeof word ? (const void *)&word
                     : p->type == CONF_FLOAT  ? (const void *)&v->v.f
                                              : (const void *)&v->v.u;
  size_t size = p->type == CONF_STRING                           ? sizeof v->text
                : p->type == CONF_BOOL                           ? sizeof v->v.b
                : p->type == CONF_ENUM                           ? sizeof word
                : p->type == CONF_UINT && p->size == sizeof word ? sizeof word
                                                                 : sizeof v->v.u;
  if (size != p->size)
    panic("parameter %s does not fit its field", p->name);
  memcpy(to + p->at, from, size);
}

void conf_fill(const struct conf *c, const struct conf_table *t, void *into) {
  for (size_t i = 0; i < t->n; i++)
    if (t->params[i].size)
      fill(need(c, t->params[i].name, t->params[i].type), into);
}

bool conf_has(const struct conf *c, const char *name) {
  return conf_find(c, name);
}

const char *conf_origin(const struct conf *c, const char *name) {
  const struct conf_value *v = conf_find(c, name);
  if (!v)
    panic("no parameter %s", name);
  return v->origin;
}
