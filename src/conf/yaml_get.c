/* Typed reading of YAML nodes, with errors that name file, line, key, value and what is allowed. */
#include "base/mem.h"
#include "base/num.h"
#include "conf/yaml.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void yaml_path(const struct yaml_node *n, struct strbuf *to) {
  const struct yaml_node *p = n->parent;
  if (!p)
    return;
  yaml_path(p, to);
  if (p->kind == YAML_SEQ)
    strbuf_addf(to, "[%zu]", n->index);
  else
    strbuf_addf(to, "%s%s", to->n ? "." : "", p->keys[n->index]);
}

bool yaml_error(const struct yaml_node *n, struct error *err, const char *fmt, ...) {
  struct strbuf path = {0};
  yaml_path(n, &path);
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int len = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  char *message = xcalloc(1, (size_t)(len < 0 ? 0 : len) + 1);
  vsnprintf(message, (size_t)(len < 0 ? 0 : len) + 1, fmt, again);
  va_end(again);
  error_add(err, EXIT_USAGE, "%s:%u: %s%s%s", n->doc->file, n->line, strbuf_str(&path), path.n ? ": " : "",
            message);
  free(message);
  strbuf_free(&path);
  return false;
}

bool yaml_is_null(const struct yaml_node *n) {
  if (!n)
    return true;
  return n->kind == YAML_SCALAR && !n->quoted &&
         (!*n->text || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key) {
  if (!map || map->kind != YAML_MAP)
    return NULL;
  for (size_t i = 0; i < map->n; i++)
    if (strcmp(map->keys[i], key) == 0)
      return map->items[i];
  return NULL;
}

const struct yaml_node *yaml_need(const struct yaml_node *map, const char *key, struct error *err) {
  const struct yaml_node *n = yaml_get(map, key);
  if (!n)
    yaml_error(map, err, "key '%s' is missing", key);
  return n;
}

static const char *kind_name(const struct yaml_node *n) {
  return n->kind == YAML_MAP ? "a map" : n->kind == YAML_SEQ ? "a sequence" : "a single value";
}

bool yaml_check_kind(const struct yaml_node *n, enum yaml_kind kind, struct error *err) {
  if (n->kind == kind)
    return true;
  const struct yaml_node wanted = {.kind = kind};
  return yaml_error(n, err, "%s is needed here, not %s", kind_name(&wanted), kind_name(n));
}

/* "a, b, c" cut off where a list gets too long to read */
static void list_names(struct strbuf *b, const char *const *names, int n) {
  for (int i = 0; i < n; i++) {
    if (b->n > 200) {
      strbuf_add(b, ", ...");
      return;
    }
    strbuf_addf(b, "%s%s", i ? ", " : "", names[i]);
  }
}

bool yaml_check_keys(const struct yaml_node *map, const char *const *names, int n, struct error *err) {
  if (!yaml_check_kind(map, YAML_MAP, err))
    return false;
  bool ok = true;
  for (size_t i = 0; i < map->n; i++) {
    bool known = false;
    for (int j = 0; j < n && !known; j++)
      known = strcmp(map->keys[i], names[j]) == 0;
    if (known)
      continue;
    struct strbuf path = {0}, allowed = {0};
    yaml_path(map, &path);
    const char *near = nearest_match(map->keys[i], names, n);
    if (near)
      strbuf_addf(&allowed, "did you mean '%s'?", near);
    else {
      strbuf_add(&allowed, "allowed: ");
      list_names(&allowed, names, n);
    }
    ok = error_add(err, EXIT_USAGE, "%s:%u: %s%sunknown key '%s'; %s", map->doc->file, map->key_lines[i],
                   strbuf_str(&path), path.n ? ": " : "", map->keys[i], strbuf_str(&allowed));
    strbuf_free(&path);
    strbuf_free(&allowed);
  }
  return ok;
}

/* Long values are cut in messages. */
#define SHOWN "%.60s"

bool yaml_u64(const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *out, struct error *err) {
  if (!yaml_check_kind(n, YAML_SCALAR, err))
    return false;
  uint64_t v = 0;
  int64_t negative;
  enum num_result r = num_u64(n->text, &v);
  if (r == NUM_SYNTAX && num_i64(n->text, &negative) != NUM_SYNTAX)
    r = NUM_RANGE;
  if (r == NUM_SYNTAX)
    return yaml_error(n, err, "'" SHOWN "' is not a whole number (allowed: %" PRIu64 "..%" PRIu64 ")",
                      n->text, min, max);
  if (r == NUM_RANGE || v < min || v > max)
    return yaml_error(n, err, "'" SHOWN "' is out of range (allowed: %" PRIu64 "..%" PRIu64 ")", n->text, min,
                      max);
  *out = v;
  return true;
}

bool yaml_i64(const struct yaml_node *n, int64_t min, int64_t max, int64_t *out, struct error *err) {
  if (!yaml_check_kind(n, YAML_SCALAR, err))
    return false;
  int64_t v = 0;
  enum num_result r = num_i64(n->text, &v);
  if (r == NUM_SYNTAX)
    return yaml_error(n, err, "'" SHOWN "' is not a whole number (allowed: %" PRId64 "..%" PRId64 ")",
                      n->text, min, max);
  if (r == NUM_RANGE || v < min || v > max)
    return yaml_error(n, err, "'" SHOWN "' is out of range (allowed: %" PRId64 "..%" PRId64 ")", n->text, min,
                      max);
  *out = v;
  return true;
}

bool yaml_f64(const struct yaml_node *n, double *out, struct error *err) {
  if (!yaml_check_kind(n, YAML_SCALAR, err))
    return false;
  const char *s = n->text;
  if (*s == '.' || ((*s == '-' || *s == '+') && s[1] == '.')) {
    /* YAML writes .inf, -.inf, .nan */
    const char *rest = s + (*s != '.') + 1;
    if (strcmp(rest, "inf") == 0 || strcmp(rest, "nan") == 0) {
      double v = rest[0] == 'i' ? __builtin_inf() : __builtin_nan("");
      *out = *s == '-' ? -v : v;
      return true;
    }
  }
  double v;
  enum num_result r = num_f64(s, &v);
  if (r != NUM_OK)
    return yaml_error(n, err, "'" SHOWN "' is %s", s, r == NUM_RANGE ? "out of range" : "not a number");
  *out = v;
  return true;
}

bool yaml_bool(const struct yaml_node *n, bool *out, struct error *err) {
  if (!yaml_check_kind(n, YAML_SCALAR, err))
    return false;
  if (num_bool(n->text, out) != NUM_OK)
    return yaml_error(n, err, "'" SHOWN "' is neither true nor false", n->text);
  return true;
}

bool yaml_str(const struct yaml_node *n, const char **out, struct error *err) {
  if (!yaml_check_kind(n, YAML_SCALAR, err))
    return false;
  if (yaml_is_null(n))
    return yaml_error(n, err, "a value is missing");
  *out = n->text;
  return true;
}

bool yaml_enum(const struct yaml_node *n, const char *const *names, int count, int *out, struct error *err) {
  if (!yaml_check_kind(n, YAML_SCALAR, err))
    return false;
  for (int i = 0; i < count; i++)
    if (strcmp(n->text, names[i]) == 0) {
      *out = i;
      return true;
    }
  struct strbuf allowed = {0};
  list_names(&allowed, names, count);
  const char *near = nearest_match(n->text, names, count);
  yaml_error(n, err, "'" SHOWN "' is not allowed here (allowed: %s)%s%s%s", n->text, strbuf_str(&allowed),
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  strbuf_free(&allowed);
  return false;
}
