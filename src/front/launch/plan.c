/* A plan: a launch file flattened for a machine that has neither YAML nor the files it names.
 *
 * Words separated by blanks, numbers in hexadecimal, and raw bytes where a length announces them:
 *
 *   sluice-plan 2 PATH
 *   ptx N       ptx LINE TEXT                              one line each; TEXT, PATH: "length bytes"
 *   buffers N   buffer LINE NAME BYTES TYPE FIXED AT FILL SETS
 *   steps N     launch LINE KERNEL GRIDx3 BLOCKx3 SHARED REPEAT ARGS {arg ...}
 *               refill LINE BUFFER OFFSET BYTES FILL
 *               check LINE BUFFER OFFSET BYTES FILL TYPE TOLERANCE
 *   outputs N   write LINE BUFFER PATH
 *               compare LINE BUFFER TYPE TOLERANCE ULP USE_ULP FILL SETS
 *   SETS        N {INDEX NUMBER}
 *
 * Buffers stay symbolic (index + offset); files are embedded. */
#include "base/file.h"
#include "base/mem.h"
#include "front/launch/launch.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC   "sluice-plan"
#define VERSION 2

struct writer {
  FILE *to;
  struct error *err;
  bool ok;
};

static void put(struct writer *w, uint64_t v) {
  fprintf(w->to, " %" PRIx64, v);
}

static void put_blob(struct writer *w, const void *data, size_t n) {
  put(w, n);
  fputc(' ', w->to);
  fwrite(data, 1, n, w->to);
}

static void put_text(struct writer *w, const char *s) {
  put_blob(w, s, strlen(s));
}

static uint64_t f64_bits(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}

static void put_number(struct writer *w, struct number v) {
  put(w, v.whole);
  put(w, v.negative);
  put(w, v.u);
  put(w, f64_bits(v.f));
}

static void put_fill(struct writer *w, const struct fill *f) {
  put(w, f->kind);
  put(w, f->type);
  put_number(w, f->start);
  put_number(w, f->step);
  put(w, f->has_modulo);
  put_number(w, f->modulo);
  put(w, f->seed);
  put(w, f->skip);
  if (f->kind != FILL_FILE)
    return;
  uint8_t *data = xmalloc((size_t)f->bytes);
  w->ok = w->ok && fill_apply(f, data, f->bytes, w->err);
  if (w->ok)
    put_blob(w, data, (size_t)f->bytes);
  free(data);
}

static void put_sets(struct writer *w, const struct launch_set *sets, size_t n) {
  put(w, n);
  for (size_t i = 0; i < n; i++) {
    put(w, sets[i].index);
    put_number(w, sets[i].value);
  }
}

static void put_ptx(struct writer *w, const struct launch_ptx *p) {
  size_t n = p->n;
  char *text = p->text ? NULL : file_read(p->path, UINT64_C(1) << 32, &n, w->err);
  w->ok = w->ok && (text || p->text);
  fprintf(w->to, "ptx");
  put(w, p->line);
  if (w->ok)
    put_blob(w, text ? text : p->text, n);
  fputc('\n', w->to);
  free(text);
}

static void put_buffer(struct writer *w, const struct launch_buffer *b) {
  fprintf(w->to, "buffer");
  put(w, b->line);
  put_text(w, b->name);
  put(w, b->bytes);
  put(w, b->type);
  put(w, b->fixed);
  put(w, b->at);
  put_fill(w, &b->fill);
  put_sets(w, b->sets, b->nsets);
  fputc('\n', w->to);
}

static void put_step(struct writer *w, const struct launch_step *s) {
  static const char *const words[] = {
      [STEP_LAUNCH] = "launch", [STEP_FILL] = "refill", [STEP_CHECK] = "check"};
  fprintf(w->to, "%s", words[s->kind]);
  put(w, s->line);
  if (s->kind != STEP_LAUNCH) {
    put(w, s->buffer);
    put(w, s->offset);
    put(w, s->bytes);
    put_fill(w, &s->fill);
    if (s->kind == STEP_CHECK) {
      put(w, s->type);
      put(w, f64_bits(s->tolerance));
    }
  } else {
    put_text(w, s->kernel);
    for (int i = 0; i < 3; i++)
      put(w, s->grid[i]);
    for (int i = 0; i < 3; i++)
      put(w, s->block[i]);
    put(w, s->shared);
    put(w, s->repeat);
    put(w, s->nargs);
    for (size_t i = 0; i < s->nargs; i++) {
      const struct launch_arg *a = &s->args[i];
      put(w, a->kind);
      put(w, a->line);
      put(w, a->buffer);
      put(w, a->offset);
      put(w, a->type);
      put_blob(w, a->bytes ? a->bytes : (const uint8_t *)"", a->nbytes);
    }
  }
  fputc('\n', w->to);
}

static void put_output(struct writer *w, const struct launch_output *o) {
  fprintf(w->to, o->kind == OUTPUT_WRITE ? "write" : "compare");
  put(w, o->line);
  put(w, o->buffer);
  if (o->kind == OUTPUT_WRITE) {
    put_text(w, o->path);
  } else {
    put(w, o->type);
    put(w, f64_bits(o->tolerance));
    put(w, o->ulp);
    put(w, o->use_ulp);
    put_fill(w, &o->want);
    put_sets(w, o->sets, o->nsets);
  }
  fputc('\n', w->to);
}

bool launch_file_write_plan(const struct launch_file *f, FILE *to, struct error *err) {
  struct writer w = {.to = to, .err = err, .ok = true};
  fprintf(to, MAGIC " %d", VERSION);
  put_text(&w, f->path);
  fprintf(to, "\nptx %zx\n", f->nptx);
  for (size_t i = 0; i < f->nptx && w.ok; i++)
    put_ptx(&w, &f->ptx[i]);
  fprintf(to, "buffers %zx\n", f->nbuffers);
  for (size_t i = 0; i < f->nbuffers && w.ok; i++)
    put_buffer(&w, &f->buffers[i]);
  fprintf(to, "steps %zx\n", f->nsteps);
  for (size_t i = 0; i < f->nsteps && w.ok; i++)
    put_step(&w, &f->steps[i]);
  fprintf(to, "outputs %zx\n", f->noutputs);
  for (size_t i = 0; i < f->noutputs && w.ok; i++)
    put_output(&w, &f->outputs[i]);
  if (w.ok && (fflush(to) != 0 || ferror(to)))
    return error_add(err, EXIT_RUNTIME, "%s: the plan cannot be written", f->path);
  return w.ok;
}
