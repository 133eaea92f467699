/* libyaml's events → our tree. What a configuration never needs and an attacker likes is refused here. */
#include "conf/yaml.h"
#include "base/mem.h"
#include "base/pool.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_BYTES = 4 << 20, MAX_DEPTH = 64, MAX_KEY = 255 };

struct doc_memory {
  struct yaml_doc doc; /* first: the public part */
  struct arena arena;
};

struct reader {
  struct doc_memory *d;
  yaml_parser_t parser;
  struct error *err;
  yaml_event_t event[MAX_DEPTH + 4]; /* those that are being read: of each open collection, and the latest */
  unsigned nevents;
};

/* Memory of libyaml. */
static void reader_end(void *reader) {
  struct reader *r = reader;
  while (r->nevents)
    yaml_event_delete(&r->event[--r->nevents]);
  yaml_parser_delete(&r->parser);
}

/* The latest event is through. */
static void done(struct reader *r) {
  yaml_event_delete(&r->event[--r->nevents]);
}

static bool refuse(struct reader *r, yaml_mark_t at, const char *what) {
  return error_set(r->err, EXIT_USAGE, "%s:%zu: %s", r->d->doc.file, at.line + 1, what);
}

static bool failed(struct reader *r) {
  const yaml_parser_t *p = &r->parser;
  const char *file = r->d->doc.file;
  size_t line = p->problem_mark.line + 1;
  if (p->error == YAML_MEMORY_ERROR)
    return error_set(r->err, EXIT_RUNTIME, "%s: out of memory", file);
  if (p->error == YAML_READER_ERROR)
    return error_set(r->err, EXIT_USAGE, "%s: not UTF-8 text (%s at byte %zu)", file,
                     p->problem ? p->problem : "bad byte", p->problem_offset);
  return error_set(r->err, EXIT_USAGE, "%s:%zu: not valid YAML: %s%s%s", file, line,
                   p->problem ? p->problem : "syntax error", p->context ? " " : "",
                   p->context ? p->context : "");
}

/* NULL: there is none. */
static const yaml_event_t *next_event(struct reader *r) {
  yaml_event_t *e = &r->event[r->nevents];
  if (!yaml_parser_parse(&r->parser, e)) {
    failed(r);
    return NULL;
  }
  r->nevents++;
  return e;
}

static struct yaml_node *new_node(struct reader *r, enum yaml_kind kind, yaml_mark_t at) {
  struct yaml_node *n = arena_alloc(&r->d->arena, sizeof *n);
  n->kind = kind;
  n->line = (unsigned)at.line + 1;
  n->col = (unsigned)at.column + 1;
  n->doc = &r->d->doc;
  return n;
}

static struct yaml_node *scalar(struct reader *r, const yaml_event_t *e) {
  const char *s = (const char *)e->data.scalar.value;
  size_t n = e->data.scalar.length;
  if (memchr(s, 0, n)) {
    refuse(r, e->start_mark, "a NUL character in a value");
    return NULL;
  }
  struct yaml_node *node = new_node(r, YAML_SCALAR, e->start_mark);
  node->text = arena_strndup(&r->d->arena, s, n);
  node->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  return node;
}

/* Children gathered while a collection is open. */
struct gather {
  struct yaml_node **items;
  const char **keys;
  unsigned *lines;
  size_t n, cap_items, cap_keys, cap_lines;
};

static void gather_add(struct gather *g, struct yaml_node *item, const char *key, unsigned line) {
  size_t n = g->n;
  g->items = vec_grow(g->items, n, &g->cap_items, sizeof *g->items);
  g->keys = vec_grow(g->keys, n, &g->cap_keys, sizeof *g->keys);
  g->lines = vec_grow(g->lines, n, &g->cap_lines, sizeof *g->lines);
  g->items[n] = item;
  g->keys[n] = key;
  g->lines[n] = line;
  g->n = n + 1;
}

static int by_key(const void *a, const void *b) {
  const char *const *x = *(const char *const *const *)a, *const *y = *(const char *const *const *)b;
  int c = strcmp(*x, *y);
  return c ? c : (x > y) - (x < y);
}

/* Sorting pointers to the keys keeps a map of n keys at n log n and finds the later duplicate. */
static bool check_duplicates(struct reader *r, const struct gather *g) {
  if (g->n < 2)
    return true;
  const char ***sorted = xmalloc(g->n * sizeof *sorted);
  for (size_t i = 0; i < g->n; i++)
    sorted[i] = &g->keys[i];
  qsort(sorted, g->n, sizeof *sorted, by_key);
  bool ok = true;
  for (size_t i = 1; i < g->n && ok; i++)
    if (strcmp(*sorted[i - 1], *sorted[i]) == 0) {
      size_t first = (size_t)(sorted[i - 1] - g->keys), second = (size_t)(sorted[i] - g->keys);
      ok = error_set(r->err, EXIT_USAGE, "%s:%u: key '%s' appears twice (first in line %u)", r->d->doc.file,
                     g->lines[second], g->keys[second], g->lines[first]);
    }
  free(sorted);
  return ok;
}

static void *keep(struct reader *r, const void *from, size_t bytes) {
  void *to = arena_alloc(&r->d->arena, bytes);
  if (bytes)
    memcpy(to, from, bytes);
  return to;
}

static void close_collection(struct reader *r, struct yaml_node *node, const struct gather *g) {
  node->n = g->n;
  node->items = keep(r, g->items, g->n * sizeof *g->items);
  if (node->kind == YAML_MAP) {
    node->keys = keep(r, g->keys, g->n * sizeof *g->keys);
    node->key_lines = keep(r, g->lines, g->n * sizeof *g->lines);
  }
  for (size_t i = 0; i < g->n; i++) {
    node->items[i]->parent = node;
    node->items[i]->index = i;
  }
}

static struct yaml_node *read_node(struct reader *r, const yaml_event_t *e, unsigned depth);

static bool read_key(struct reader *r, const yaml_event_t *e, const char **key) {
  if (e->type != YAML_SCALAR_EVENT || e->data.scalar.anchor || e->data.scalar.tag)
    return refuse(r, e->start_mark, "a key must be a plain word");
  size_t n = e->data.scalar.length;
  if (n > MAX_KEY || memchr(e->data.scalar.value, 0, n))
    return refuse(r, e->start_mark, "a key must be text of at most 255 bytes");
  *key = arena_strndup(&r->d->arena, (const char *)e->data.scalar.value, n);
  return true;
}

static bool read_children(struct reader *r, struct yaml_node *node, struct gather *g, unsigned depth) {
  bool map = node->kind == YAML_MAP;
  for (;;) {
    const yaml_event_t *e = next_event(r);
    if (!e)
      return false;
    if (e->type == YAML_MAPPING_END_EVENT || e->type == YAML_SEQUENCE_END_EVENT) {
      done(r);
      return true;
    }
    const char *key = NULL;
    unsigned line = (unsigned)e->start_mark.line + 1;
    if (map) {
      bool ok = read_key(r, e, &key);
      done(r);
      if (!ok || !(e = next_event(r)))
        return false;
    }
    struct yaml_node *child = read_node(r, e, depth);
    done(r);
    if (!child)
      return false;
    gather_add(g, child, key, line);
  }
}

static struct yaml_node *collection(struct reader *r, enum yaml_kind kind, yaml_mark_t at, unsigned depth) {
  if (depth >= MAX_DEPTH) {
    refuse(r, at, "nested deeper than 64 levels");
    return NULL;
  }
  struct yaml_node *node = new_node(r, kind, at);
  struct gather g = {0};
  bool ok = read_children(r, node, &g, depth + 1) && (kind == YAML_SEQ || check_duplicates(r, &g));
  if (ok)
    close_collection(r, node, &g);
  free(g.items);
  free(g.keys);
  free(g.lines);
  return ok ? node : NULL;
}

static struct yaml_node *read_node(struct reader *r, const yaml_event_t *e, unsigned depth) {
  const yaml_char_t *anchor = NULL, *tag = NULL;
  switch (e->type) {
  case YAML_SCALAR_EVENT:
    anchor = e->data.scalar.anchor;
    tag = e->data.scalar.tag;
    break;
  case YAML_MAPPING_START_EVENT:
    anchor = e->data.mapping_start.anchor;
    tag = e->data.mapping_start.tag;
    break;
  case YAML_SEQUENCE_START_EVENT:
    anchor = e->data.sequence_start.anchor;
    tag = e->data.sequence_start.tag;
    break;
  case YAML_ALIAS_EVENT:
    refuse(r, e->start_mark, "aliases (*name) are not supported");
    return NULL;
  default:
    refuse(r, e->start_mark, "a value is missing");
    return NULL;
  }
  if (anchor || tag) {
    refuse(r, e->start_mark, anchor ? "anchors (&name) are not supported" : "tags (!name) are not supported");
    return NULL;
  }
  if (e->type == YAML_SCALAR_EVENT)
    return scalar(r, e);
  return collection(r, e->type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_SEQ, e->start_mark, depth);
}

static bool read_stream(struct reader *r) {
  unsigned documents = 0;
  for (;;) {
    const yaml_event_t *e = next_event(r);
    if (!e)
      return false;
    bool ok = true, end = false;
    switch (e->type) {
    case YAML_STREAM_END_EVENT:
      end = true;
      break;
    case YAML_DOCUMENT_START_EVENT:
      if (documents++)
        ok = refuse(r, e->start_mark, "a second document; one is allowed");
      break;
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
      break;
    default:
      r->d->doc.root = read_node(r, e, 0);
      ok = r->d->doc.root != NULL;
    }
    done(r);
    if (!ok || end)
      return ok;
  }
}

struct yaml_doc *yaml_parse_text(const char *name, const char *text, size_t n, struct error *err) {
  if (n > MAX_BYTES) {
    error_set(err, EXIT_USAGE, "%s: %zu bytes of YAML; at most %d are allowed", name, n, MAX_BYTES);
    return NULL;
  }
  struct doc_memory *d = xcalloc(1, sizeof *d);
  d->doc.file = arena_strndup(&d->arena, name, strlen(name));
  struct reader *r = xcalloc(1, sizeof *r);
  r->d = d, r->err = err;
  if (!yaml_parser_initialize(&r->parser))
    out_of_memory(sizeof r->parser);
  pool_ends(reader_end, r);
  yaml_parser_set_input_string(&r->parser, (const unsigned char *)(n ? text : ""), n);
  bool ok = read_stream(r);
  pool_ended(r);
  reader_end(r);
  free(r);
  if (ok && d->doc.root && yaml_is_null(d->doc.root))
    d->doc.root = NULL;
  if (ok)
    return &d->doc;
  yaml_close(&d->doc);
  return NULL;
}

struct yaml_doc *yaml_parse_file(const char *path, struct error *err) {
  FILE *f = pool_file(fopen(path, "rb"));
  if (!f) {
    error_set(err, EXIT_USAGE, "%s: %s", path, strerror(errno));
    return NULL;
  }
  struct strbuf text = {0};
  char part[4096];
  for (size_t n; text.n <= MAX_BYTES && (n = fread(part, 1, sizeof part, f));)
    strbuf_addn(&text, part, n);
  bool bad = ferror(f) != 0;
  int why = errno;
  pool_fclose(f);
  struct yaml_doc *d = NULL;
  if (bad)
    error_set(err, EXIT_USAGE, "%s: %s", path, strerror(why));
  else
    d = yaml_parse_text(path, strbuf_str(&text), text.n, err);
  strbuf_free(&text);
  return d;
}

void yaml_close(struct yaml_doc *d) {
  if (!d)
    return;
  struct doc_memory *m = (struct doc_memory *)d;
  arena_free(&m->arena);
  free(m);
}
