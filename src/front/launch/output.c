/* What becomes of results: written to a file, whole or not at all, or compared. */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "front/launch/launch.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct difference {
  uint64_t count, first;
  uint8_t got[8], want[8]; /* of the first */
  double largest;          /* relative as the tolerance is, or in ulp */
};

static bool same(const struct launch_output *o, const uint8_t *got, const uint8_t *want, double *error) {
  if (o->use_ulp) {
    uint64_t u = elem_ulps(o->type, got, want);
    *error = (double)u;
    return u <= o->ulp;
  }
  double g = elem_load_f64(o->type, got), w = elem_load_f64(o->type, want);
  if (isnan(g) && isnan(w)) {
    *error = 0;
    return true;
  }
  double scale = fmax(1, fabs(w));
  *error = g == w ? 0 : fabs(g - w) / scale;
  if (o->tolerance == 0 && elem_kind(o->type) != 'f') /* 64-bit integers exceed a double */
    return memcmp(got, want, elem_bytes(o->type)) == 0;
  if (!isfinite(g) || !isfinite(w))
    return g == w;
  return fabs(g - w) <= o->tolerance * scale;
}

static void compare_chunk(const struct launch_output *o, const uint8_t *got, const uint8_t *want,
                          uint64_t bytes, uint64_t at, struct difference *d) {
  unsigned size = elem_bytes(o->type);
  if (memcmp(got, want, (size_t)bytes) == 0)
    return;
  for (uint64_t i = 0; i < bytes; i += size) {
    double error;
    if (memcmp(got + i, want + i, size) == 0)
      continue;
    bool ok = same(o, got + i, want + i, &error);
    if (error > d->largest || isnan(error))
      d->largest = error;
    if (ok)
      continue;
    if (!d->count++) {
      d->first = (at + i) / size;
      memcpy(d->got, got + i, size);
      memcpy(d->want, want + i, size);
    }
  }
}

static bool report(const struct launch_file *f, const struct launch_output *o, uint64_t bytes,
                   const char *what, size_t index, unsigned line, const struct difference *d,
                   struct error *err) {
  const struct launch_buffer *b = &f->buffers[o->buffer];
  char got[40], want[40], largest[NUM_F64_MAX], allowed[NUM_F64_MAX];
  return launch_error(
      f, line, what, index, err, EXIT_RUNTIME,
      "buffer '%s' differs in %" PRIu64 " of %" PRIu64 " %s elements; first at %" PRIu64
      ": got %s, expected %s; largest error %s%s (allowed: %s)",
      b->name, d->count, bytes / elem_bytes(o->type), o->type == ELEM_NONE ? "byte" : elem_name(o->type),
      d->first, elem_print(o->type, d->got, got, sizeof got), elem_print(o->type, d->want, want, sizeof want),
      num_print_f64(largest, d->largest), o->use_ulp ? " ulp" : "",
      num_print_f64(allowed, o->use_ulp ? (double)o->ulp : o->tolerance));
}

static bool compare(const struct launch_file *f, size_t index, const uint8_t *data, struct error *err) {
  enum { CHUNK = 1 << 16 };
  const struct launch_output *o = &f->outputs[index];
  uint64_t bytes = f->buffers[o->buffer].bytes;
  struct fill_stream s;
  struct difference d = {0};
  if (!fill_open(&s, &o->want, err))
    return false;
  uint8_t *want = xmalloc(CHUNK);
  bool ok = true;
  for (uint64_t at = 0; at < bytes && ok; at += CHUNK) {
    uint64_t n = bytes - at < CHUNK ? bytes - at : CHUNK;
    ok = fill_read(&s, want, n, err);
    launch_apply_sets(o->sets, o->nsets, o->type, want, at, n);
    if (ok)
      compare_chunk(o, data + at, want, n, at, &d);
  }
  free(want);
  fill_close(&s);
  return ok && (!d.count || report(f, o, bytes, "outputs", index, o->line, &d, err));
}

bool launch_check(const struct launch_file *f, size_t step, const uint8_t *data, struct error *err) {
  const struct launch_step *s = &f->steps[step];
  const struct launch_output as = {.buffer = s->buffer, .type = s->type, .tolerance = s->tolerance};
  struct difference d = {0};
  uint8_t *want = xmalloc((size_t)s->bytes);
  bool ok = fill_apply(&s->fill, want, s->bytes, err);
  if (ok)
    compare_chunk(&as, data, want, s->bytes, s->offset, &d);
  free(want);
  return ok && (!d.count || report(f, &as, s->bytes, "launches", step, s->line, &d, err));
}

bool launch_output_check(const struct launch_file *f, size_t i, const uint8_t *data, const char *dir,
                         struct error *err) {
  const struct launch_output *o = &f->outputs[i];
  if (o->kind == OUTPUT_COMPARE)
    return compare(f, i, data, err);
  char *path = launch_resolve(dir ? dir : f->dir, o->path);
  bool ok = file_write_atomic(path, data, (size_t)f->buffers[o->buffer].bytes, err);
  free(path);
  return ok;
}
