/* Reads what plan.c writes. A damaged plan is refused, never trusted. */
#include "base/mem.h"
#include "front/launch/launch.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC   "sluice-plan"
#define VERSION 2

struct reader {
  const uint8_t *at, *end;
  bool ok;
};

static void skip_blanks(struct reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n'))
    r->at++;
}

/* The next word is `word`. */
static bool is_word(struct reader *r, const char *word) {
  size_t n = strlen(word);
  skip_blanks(r);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
    return false;
  r->at += n;
  return true;
}

static void need_word(struct reader *r, const char *word) {
  r->ok = r->ok && is_word(r, word);
}

/* Once something failed, every further number is 0: loops end, lengths are nothing. */
static uint64_t get(struct reader *r, uint64_t max) {
  uint64_t v = 0;
  unsigned digits = 0;
  skip_blanks(r);
  for (; r->ok && r->at < r->end && digits < 17; r->at++, digits++) {
    uint8_t c = *r->at;
    if (c >= '0' && c <= '9')
      v = v << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      v = v << 4 | (uint64_t)(c - 'a' + 10);
    else
      break;
  }
  if (!digits || digits > 16 || v > max)
    r->ok = false;
  return r->ok ? v : 0;
}

static double get_f64(struct reader *r) {
  uint64_t u = get(r, UINT64_MAX);
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}

static void *get_blob(struct reader *r, uint64_t *n) {
  *n = get(r, UINT64_MAX);
  if (!r->ok || r->at == r->end || *r->at++ != ' ' || *n > (uint64_t)(r->end - r->at)) {
    r->ok = false;
    *n = 0;
  }
  char *p = xstrndup((const char *)r->at, (size_t)*n);
  r->at += *n;
  return p;
}

/* A string without NUL inside. */
static char *get_text(struct reader *r) {
  uint64_t n;
  char *s = get_blob(r, &n);
  if (strlen(s) != n || !n)
    r->ok = false;
  return s;
}

/* A count of things that take at least a byte each. */
static size_t get_count(struct reader *r, uint64_t max) {
  uint64_t n = get(r, max);
  if (n > (uint64_t)(r->end - r->at))
    r->ok = false;
  return r->ok ? (size_t)n : 0;
}

static struct number get_number(struct reader *r) {
  struct number v = {.whole = get(r, 1) != 0};
  v.negative = get(r, 1) != 0;
  v.u = get(r, UINT64_MAX);
  v.f = get_f64(r);
  return v;
}

static enum elem_type get_type(struct reader *r) {
  return (enum elem_type)get(r, ELEM_NTYPES - 1);
}

/* bytes: what the fill has to provide, a whole number of its elements. */
static void get_fill(struct reader *r, struct fill *f, uint64_t bytes) {
  f->kind = (enum fill_kind)get(r, FILL_FILE);
  f->type = get_type(r);
  f->start = get_number(r);
  f->step = get_number(r);
  f->has_modulo = get(r, 1) != 0;
  f->modulo = get_number(r);
  f->seed = get(r, UINT64_MAX);
  f->skip = get(r, UINT64_MAX);
  if (f->has_modulo && f->kind != FILL_ZERO && !(f->modulo.f > 0))
    r->ok = false;
  if (f->has_modulo && !f->modulo.u && (f->kind == FILL_XORSHIFT64 || elem_kind(f->type) != 'f'))
    r->ok = false;
  if (f->kind == FILL_FILE)
    f->data = get_blob(r, &f->bytes);
  if (f->kind == FILL_FILE ? f->bytes < bytes : bytes % elem_bytes(f->type) != 0)
    r->ok = false;
}

static void get_ptx(struct reader *r, struct launch_ptx *p) {
  uint64_t n;
  need_word(r, "ptx");
  p->line = (unsigned)get(r, UINT32_MAX);
  p->text = get_blob(r, &n);
  p->n = (size_t)n;
}

static void get_sets(struct reader *r, uint64_t bytes, enum elem_type type, struct launch_set **sets,
                     size_t *nsets) {
  size_t n = get_count(r, LAUNCH_MAX_SETS);
  uint64_t elements = bytes / elem_bytes(type);
  *sets = xcalloc(n, sizeof **sets);
  *nsets = n;
  for (size_t i = 0; i < n && r->ok; i++) {
    (*sets)[i].index = get(r, elements ? elements - 1 : 0);
    (*sets)[i].value = get_number(r);
  }
  if (n && !elements)
    r->ok = false;
}

static void get_buffer(struct reader *r, struct launch_buffer *b) {
  need_word(r, "buffer");
  b->line = (unsigned)get(r, UINT32_MAX);
  b->name = get_text(r);
  b->bytes = get(r, LAUNCH_MAX_BUFFER_BYTES);
  b->type = get_type(r);
  b->fixed = get(r, 1) != 0;
  b->at = get(r, UINT64_MAX);
  get_fill(r, &b->fill, b->bytes);
  get_sets(r, b->bytes, b->type, &b->sets, &b->nsets);
}

static size_t get_index(struct reader *r, const struct launch_file *f) {
  size_t i = (size_t)get(r, f->nbuffers ? f->nbuffers - 1 : 0);
  if (!f->nbuffers)
    r->ok = false;
  return i;
}

static void get_arg(struct reader *r, const struct launch_file *f, struct launch_arg *a) {
  a->kind = (enum launch_arg_kind)get(r, ARG_LOCAL);
  a->line = (unsigned)get(r, UINT32_MAX);
  a->buffer = (size_t)get(r, LAUNCH_MAX_BUFFERS);
  a->offset = get(r, LAUNCH_MAX_BUFFER_BYTES);
  a->type = get_type(r);
  uint64_t n;
  a->bytes = get_blob(r, &n);
  a->nbytes = (uint32_t)n;
  if (n > LAUNCH_MAX_PARAM_BYTES || (a->kind == ARG_VALUE && n != elem_bytes(a->type)))
    r->ok = false;
  if (a->kind == ARG_BUFFER && (a->buffer >= f->nbuffers || a->offset > f->buffers[a->buffer].bytes))
    r->ok = false;
  if (a->kind == ARG_LOCAL && a->offset > LAUNCH_MAX_SHARED)
    r->ok = false;
  if (a->kind == ARG_BUFFER || a->kind == ARG_LOCAL) {
    free(a->bytes);
    a->bytes = NULL;
    a->nbytes = 0;
  }
}

/* A step about a part of a buffer. */
static void get_part(struct reader *r, const struct launch_file *f, struct launch_step *s) {
  s->line = (unsigned)get(r, UINT32_MAX);
  s->buffer = get_index(r, f);
  uint64_t all = r->ok ? f->buffers[s->buffer].bytes : 0;
  s->offset = get(r, all);
  s->bytes = get(r, all - s->offset);
  get_fill(r, &s->fill, s->bytes);
  if (s->kind == STEP_FILL)
    return;
  s->type = get_type(r);
  s->tolerance = get_f64(r);
  if (s->bytes % elem_bytes(s->type))
    r->ok = false;
}

static void get_step(struct reader *r, const struct launch_file *f, struct launch_step *s) {
  s->kind = is_word(r, "refill") ? STEP_FILL : is_word(r, "check") ? STEP_CHECK : STEP_LAUNCH;
  if (s->kind != STEP_LAUNCH) {
    get_part(r, f, s);
    return;
  }
  need_word(r, "launch");
  s->line = (unsigned)get(r, UINT32_MAX);
  s->kernel = get_text(r);
  for (int i = 0; i < 3; i++)
    s->grid[i] = (uint32_t)get(r, INT32_MAX);
  for (int i = 0; i < 3; i++)
    s->block[i] = (uint32_t)get(r, 1024);
  s->shared = get(r, LAUNCH_MAX_SHARED);
  s->repeat = get(r, 1000000000);
  size_t n = get_count(r, LAUNCH_MAX_ARGS);
  s->args = xcalloc(n, sizeof *s->args);
  s->nargs = n;
  for (size_t i = 0; i < n && r->ok; i++)
    get_arg(r, f, &s->args[i]);
}

static void get_output(struct reader *r, const struct launch_file *f, struct launch_output *o) {
  bool writes = is_word(r, "write");
  if (!writes)
    need_word(r, "compare");
  o->kind = writes ? OUTPUT_WRITE : OUTPUT_COMPARE;
  o->line = (unsigned)get(r, UINT32_MAX);
  o->buffer = get_index(r, f);
  if (!r->ok)
    return;
  if (writes) {
    o->path = get_text(r);
    return;
  }
  uint64_t bytes = f->buffers[o->buffer].bytes;
  o->type = get_type(r);
  o->tolerance = get_f64(r);
  o->ulp = get(r, UINT64_MAX);
  o->use_ulp = get(r, 1) != 0;
  get_fill(r, &o->want, bytes);
  get_sets(r, bytes, o->type, &o->sets, &o->nsets);
  if (bytes % elem_bytes(o->type))
    r->ok = false;
}

static void get_all(struct reader *r, struct launch_file *f) {
  need_word(r, MAGIC);
  if (get(r, UINT64_MAX) != VERSION)
    r->ok = false;
  f->path = get_text(r);
  need_word(r, "ptx");
  f->nptx = get_count(r, LAUNCH_MAX_PTX);
  f->ptx = xcalloc(f->nptx, sizeof *f->ptx);
  for (size_t i = 0; i < f->nptx && r->ok; i++)
    get_ptx(r, &f->ptx[i]);
  need_word(r, "buffers");
  f->nbuffers = get_count(r, LAUNCH_MAX_BUFFERS);
  f->buffers = xcalloc(f->nbuffers, sizeof *f->buffers);
  for (size_t i = 0; i < f->nbuffers && r->ok; i++)
    get_buffer(r, &f->buffers[i]);
  need_word(r, "steps");
  f->nsteps = get_count(r, LAUNCH_MAX_STEPS);
  f->steps = xcalloc(f->nsteps, sizeof *f->steps);
  for (size_t i = 0; i < f->nsteps && r->ok; i++)
    get_step(r, f, &f->steps[i]);
  need_word(r, "outputs");
  f->noutputs = get_count(r, LAUNCH_MAX_OUTPUTS);
  f->outputs = xcalloc(f->noutputs, sizeof *f->outputs);
  for (size_t i = 0; i < f->noutputs && r->ok; i++)
    get_output(r, f, &f->outputs[i]);
}

struct launch_file *launch_file_read_plan(const uint8_t *data, size_t n, const char *path,
                                          struct error *err) {
  struct launch_file *f = xcalloc(1, sizeof *f);
  struct reader r = {.at = data, .end = data + n, .ok = true};
  f->dir = xstrdup(".");
  get_all(&r, f);
  if (r.ok)
    return f;
  error_add(err, EXIT_USAGE, "%s: not a plan of version %d, or damaged (near byte %zu)", path, VERSION,
            (size_t)(r.at - data));
  launch_file_free(f);
  return NULL;
}
