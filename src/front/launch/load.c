/* A launch file from YAML: the frame, buffers and outputs. Fills are in load_fill.c, launches in
 * load_launch.c. All mistakes are collected, up to a bound. */
#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "front/launch/load.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool load_give_up(const struct loader *l) {
  return l->findings >= LOAD_MAX_FINDINGS;
}

bool load_fail(struct loader *l, const struct yaml_node *n, const char *fmt, ...) {
  struct strbuf text = {0};
  char part[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(part, sizeof part, fmt, ap);
  va_end(ap);
  strbuf_add(&text, part);
  yaml_error(n, l->err, "%s", strbuf_str(&text));
  strbuf_free(&text);
  l->findings++;
  return false;
}

bool load_keys(struct loader *l, const struct yaml_node *map, const char *const *names, int n) {
  if (map->kind == YAML_MAP && map->n > (size_t)n + LOAD_MAX_FINDINGS)
    return load_fail(l, map, "%zu keys, of which at most %d are known", map->n, n);
  if (yaml_check_keys(map, names, n, l->err))
    return true;
  l->findings++;
  return false;
}

bool load_list(struct loader *l, const struct yaml_node *n, size_t max) {
  if (!yaml_check_kind(n, YAML_SEQ, l->err)) {
    l->findings++;
    return false;
  }
  if (n->n > max)
    return load_fail(l, n, "%zu entries (allowed: at most %zu)", n->n, max);
  return true;
}

bool load_u64(struct loader *l, const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *out) {
  if (yaml_u64(n, min, max, out, l->err))
    return true;
  l->findings++;
  return false;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct name_index *)a)->name, ((const struct name_index *)b)->name);
}

bool load_buffer_name(struct loader *l, const struct yaml_node *n, size_t *out) {
  const struct launch_file *f = l->f;
  if (n->kind != YAML_SCALAR)
    return load_fail(l, n, "the name of a buffer is needed here");
  struct name_index key = {.name = n->text}, *hit = NULL;
  if (f->nbuffers)
    hit = bsearch(&key, l->names, f->nbuffers, sizeof *l->names, by_name);
  if (hit) {
    *out = hit->index;
    return true;
  }
  const char **names = xcalloc(f->nbuffers, sizeof *names);
  for (size_t i = 0; i < f->nbuffers; i++)
    names[i] = f->buffers[i].name;
  const char *near = nearest_match(n->text, names, (int)f->nbuffers);
  if (near)
    load_fail(l, n, "there is no buffer '%.60s'; did you mean '%s'?", n->text, near);
  else
    load_fail(l, n, "there is no buffer '%.60s'", n->text);
  free(names);
  return false;
}

static void load_ptx(struct loader *l, const struct yaml_node *n) {
  struct launch_file *f = l->f;
  bool list = n->kind == YAML_SEQ;
  size_t count = list ? n->n : 1;
  if (list && (!load_list(l, n, LAUNCH_MAX_PTX) || (!count && !load_fail(l, n, "no PTX file is named"))))
    return;
  f->ptx = xcalloc(count, sizeof *f->ptx);
  f->nptx = count;
  for (size_t i = 0; i < count && !load_give_up(l); i++) {
    const struct yaml_node *item = list ? n->items[i] : n;
    uint64_t bytes;
    f->ptx[i].line = item->line;
    load_input_file(l, item, &f->ptx[i].path, &bytes);
  }
}

/* Names appear in messages, plans and files; letters, digits, _ . - suffice. */
static bool good_name(const char *s) {
  size_t n = strlen(s);
  return n && n < 64 && s[0] != '-' && s[0] != '.' &&
         strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == n;
}

static bool buffer_size(struct loader *l, const struct yaml_node *n, struct launch_buffer *b) {
  const struct yaml_node *bytes = yaml_get(n, "bytes"), *count = yaml_get(n, "count");
  if (count && bytes)
    return load_fail(l, n, "'bytes' and 'count' are two sizes; give one");
  if (count) {
    if (b->type == ELEM_NONE)
      return load_fail(l, n, "'count' needs a 'type'");
    uint64_t size = elem_bytes(b->type), elements;
    if (!load_u64(l, count, 0, LAUNCH_MAX_BUFFER_BYTES / size, &elements))
      return false;
    b->bytes = elements * size;
    return true;
  }
  if (bytes)
    return load_u64(l, bytes, 0, LAUNCH_MAX_BUFFER_BYTES, &b->bytes);
  return yaml_get(n, "file") ||
         load_fail(l, n, "the size is missing: give 'bytes', 'count' and 'type', or 'file'");
}

static bool buffer_contents(struct loader *l, const struct yaml_node *n, struct launch_buffer *b) {
  const struct yaml_node *fill = yaml_get(n, "fill"), *file = yaml_get(n, "file"),
                         *offset = yaml_get(n, "offset");
  if (file && fill)
    return load_fail(l, n, "'file' and 'fill' are two contents; give one");
  if (!file && offset)
    return load_fail(l, offset, "only a buffer from a file has an offset");
  if (file) {
    bool given = yaml_get(n, "bytes") || yaml_get(n, "count");
    if (given && !b->bytes)
      return true;
    if (!load_file_fill(l, n, &b->bytes, &b->fill))
      return false;
    if (b->bytes > LAUNCH_MAX_BUFFER_BYTES)
      return load_fail(l, file, "larger than %" PRIu64 " bytes", LAUNCH_MAX_BUFFER_BYTES);
  } else if (fill && !load_fill(l, fill, b->type, b->bytes, &b->fill)) {
    return false;
  }
  if (b->type == ELEM_NONE)
    b->type = b->fill.type;
  if (b->bytes % elem_bytes(b->type))
    return load_fail(l, n, "%" PRIu64 " bytes are not a whole number of %s elements", b->bytes,
                     elem_name(b->type));
  return true;
}

static bool load_sets(struct loader *l, const struct yaml_node *n, enum elem_type type, uint64_t bytes,
                      struct launch_set **sets, size_t *nsets) {
  if (!yaml_check_kind(n, YAML_MAP, l->err)) {
    l->findings++;
    return false;
  }
  if (n->n > LAUNCH_MAX_SETS)
    return load_fail(l, n, "%zu entries (allowed: at most %d)", n->n, LAUNCH_MAX_SETS);
  if (type == ELEM_NONE)
    return load_fail(l, n, "'set' needs the elements to have a type");
  uint64_t elements = bytes / elem_bytes(type);
  *sets = xcalloc(n->n, sizeof **sets);
  *nsets = n->n;
  for (size_t i = 0; i < n->n && !load_give_up(l); i++) {
    struct launch_set *s = &(*sets)[i];
    if (num_u64(n->keys[i], &s->index) != NUM_OK || s->index >= elements)
      load_fail(l, n->items[i], "'%.60s' is no element of this buffer (it has %" PRIu64 ")", n->keys[i],
                elements);
    load_number(l, n->items[i], type, &s->value);
  }
  return true;
}

static void load_buffer(struct loader *l, const struct yaml_node *n, const char *name,
                        struct launch_buffer *b) {
  static const char *const keys[] = {"bytes", "count", "type", "fill", "set", "at", "file", "offset"};
  b->name = xstrdup(name);
  b->line = n->line;
  if (!good_name(name))
    load_fail(l, n, "'%.70s' cannot be a name (allowed: up to 63 of a-z A-Z 0-9 _ . -)", name);
  if (!load_keys(l, n, keys, sizeof keys / sizeof *keys))
    return;
  const struct yaml_node *type = yaml_get(n, "type"), *at = yaml_get(n, "at"), *set = yaml_get(n, "set");
  if ((type && !load_type(l, type, &b->type)) || !buffer_size(l, n, b) || !buffer_contents(l, n, b))
    return;
  if (at && load_u64(l, at, DEVMEM_BASE, DEVMEM_LIMIT - 1, &b->at))
    b->fixed = true;
  if (set)
    load_sets(l, set, b->type, b->bytes, &b->sets, &b->nsets);
}

static void load_buffers(struct loader *l, const struct yaml_node *n) {
  struct launch_file *f = l->f;
  if (yaml_is_null(n))
    return;
  if (!yaml_check_kind(n, YAML_MAP, l->err)) {
    l->findings++;
    return;
  }
  if (n->n > LAUNCH_MAX_BUFFERS) {
    load_fail(l, n, "%zu buffers (allowed: at most %d)", n->n, LAUNCH_MAX_BUFFERS);
    return;
  }
  f->buffers = xcalloc(n->n, sizeof *f->buffers);
  f->nbuffers = n->n;
  l->names = xcalloc(n->n, sizeof *l->names);
  for (size_t i = 0; i < n->n; i++) {
    if (load_give_up(l))
      f->buffers[i].name = xstrdup(n->keys[i]);
    else
      load_buffer(l, n->items[i], n->keys[i], &f->buffers[i]);
    l->names[i] = (struct name_index){f->buffers[i].name, i};
  }
  qsort(l->names, n->n, sizeof *l->names, by_name);
}

static bool output_compare(struct loader *l, const struct yaml_node *n, struct launch_output *o) {
  const struct launch_buffer *b = &l->f->buffers[o->buffer];
  const struct yaml_node *compare = yaml_get(n, "compare"), *type = yaml_get(n, "type");
  const struct yaml_node *tolerance = yaml_get(n, "tolerance"), *ulp = yaml_get(n, "ulp");
  o->kind = OUTPUT_COMPARE;
  o->type = b->type;
  if (type && !load_type(l, type, &o->type))
    return false;
  if (compare) {
    uint64_t have;
    o->want.kind = FILL_FILE;
    if (!load_input_file(l, compare, &o->want.path, &have))
      return false;
    if (have != b->bytes)
      return load_fail(l, compare, "'%s' has %" PRIu64 " bytes, the buffer '%s' has %" PRIu64, o->want.path,
                       have, b->name, b->bytes);
    o->want.bytes = have;
  } else if (!load_fill(l, yaml_get(n, "equals"), o->type, b->bytes, &o->want)) {
    return false;
  }
  if (!type && o->want.kind != FILL_FILE && o->want.type != ELEM_NONE)
    o->type = o->want.type;
  if (b->bytes % elem_bytes(o->type))
    return load_fail(l, n, "%" PRIu64 " bytes are not a whole number of %s elements", b->bytes,
                     elem_name(o->type));
  /* Both sides advance in step, chunk by chunk. */
  if (o->want.kind != FILL_FILE && o->want.kind != FILL_ZERO &&
      elem_bytes(o->want.type) != elem_bytes(o->type))
    return load_fail(l, n, "elements of %s cannot be compared with a fill of %s", elem_name(o->type),
                     elem_name(o->want.type));
  if (tolerance && ulp)
    return load_fail(l, n, "'tolerance' and 'ulp' are two bounds; give one");
  if (tolerance) {
    if (!yaml_f64(tolerance, &o->tolerance, l->err)) {
      l->findings++;
      return false;
    }
    if (!(o->tolerance >= 0) || !isfinite(o->tolerance))
      return load_fail(l, tolerance, "'%.60s': a tolerance is a number, 0 or above", tolerance->text);
  }
  const struct yaml_node *set = yaml_get(n, "set");
  if (set && !load_sets(l, set, o->type, b->bytes, &o->sets, &o->nsets))
    return false;
  o->use_ulp = ulp != NULL;
  return !ulp || load_u64(l, ulp, 0, UINT64_MAX - 1, &o->ulp);
}

static void load_output(struct loader *l, const struct yaml_node *n, struct launch_output *o) {
  static const char *const keys[] = {"buffer", "file", "equals",    "compare",
                                     "set",    "type", "tolerance", "ulp"};
  o->line = n->line;
  if (!load_keys(l, n, keys, sizeof keys / sizeof *keys))
    return;
  const struct yaml_node *buffer = yaml_need(n, "buffer", l->err), *file = yaml_get(n, "file");
  if (!buffer) {
    l->findings++;
    return;
  }
  if (!load_buffer_name(l, buffer, &o->buffer))
    return;
  if ((file != NULL) + (yaml_get(n, "equals") != NULL) + (yaml_get(n, "compare") != NULL) != 1) {
    load_fail(l, n, "an output has one of 'file' (written), 'equals' or 'compare'");
    return;
  }
  if (!file) {
    output_compare(l, n, o);
    return;
  }
  const char *path;
  if (yaml_get(n, "tolerance") || yaml_get(n, "ulp") || yaml_get(n, "type") || yaml_get(n, "set"))
    load_fail(l, n,
              "'type', 'set', 'tolerance' and 'ulp' belong to a comparison, not to a file that is written");
  else if (yaml_str(file, &path, l->err))
    o->path = xstrdup(path);
  else
    l->findings++;
}

static void load_outputs(struct loader *l, const struct yaml_node *n) {
  struct launch_file *f = l->f;
  if (yaml_is_null(n) || !load_list(l, n, LAUNCH_MAX_OUTPUTS))
    return;
  f->outputs = xcalloc(n->n, sizeof *f->outputs);
  f->noutputs = n->n;
  for (size_t i = 0; i < n->n && !load_give_up(l); i++)
    load_output(l, n->items[i], &f->outputs[i]);
}

static void load_root(struct loader *l, const struct yaml_node *root) {
  static const char *const keys[] = {"ptx", "buffers", "launches", "outputs"};
  load_keys(l, root, keys, 4);
  if (root->kind != YAML_MAP)
    return;
  const struct yaml_node *ptx = yaml_need(root, "ptx", l->err),
                         *launches = yaml_need(root, "launches", l->err);
  l->findings += (unsigned)(!ptx + !launches);
  if (ptx)
    load_ptx(l, ptx);
  load_buffers(l, yaml_get(root, "buffers"));
  if (launches && !load_give_up(l))
    load_steps(l, launches);
  if (!load_give_up(l))
    load_outputs(l, yaml_get(root, "outputs"));
  if (load_give_up(l))
    error_add(l->err, EXIT_USAGE, "%s: more mistakes may follow; these were the first", l->f->path);
}

static struct launch_file *from_doc(struct yaml_doc *doc, const char *path, struct error *err) {
  struct loader l = {.f = xcalloc(1, sizeof *l.f), .err = err};
  struct error mine = {0};
  if (!err)
    l.err = &mine;
  const char *slash = strrchr(path, '/');
  l.f->path = xstrdup(path);
  l.f->dir = slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
  if (yaml_is_null(doc->root)) {
    error_add(l.err, EXIT_USAGE, "%s: is empty; a launch file has the keys ptx, buffers, launches, outputs",
              path);
    l.findings++;
  } else {
    load_root(&l, doc->root);
  }
  yaml_close(doc);
  free(l.names);
  error_clear(&mine);
  if (!l.findings)
    return l.f;
  launch_file_free(l.f);
  return NULL;
}

struct launch_file *launch_file_load(const char *path, struct error *err) {
  struct yaml_doc *doc = yaml_parse_file(path, err);
  return doc ? from_doc(doc, path, err) : NULL;
}

struct launch_file *launch_file_parse(const char *text, size_t n, const char *path, struct error *err) {
  struct yaml_doc *doc = yaml_parse_text(path, text, n, err);
  return doc ? from_doc(doc, path, err) : NULL;
}
