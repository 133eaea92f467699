/* Results against the CPU reference: the first elements that differ, in words. */
#include "base/num.h"
#include "workload/wl.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 8 };

/* As an output of a launch file is compared (front/launch/output.c). */
static bool same(enum elem_type t, const uint8_t *got, const uint8_t *want, double tolerance, double *error) {
  *error = 0;
  if (memcmp(got, want, elem_bytes(t)) == 0)
    return true;
  double g = elem_load_f64(t, got), v = elem_load_f64(t, want), scale = fmax(1, fabs(v));
  if (isnan(g) && isnan(v))
    return true;
  *error = g == v ? 0 : fabs(g - v) / scale;
  if (elem_kind(t) != 'f' && tolerance == 0)
    return false;
  return isfinite(g) && isfinite(v) ? fabs(g - v) <= tolerance * scale : g == v;
}

static void report(struct wl *w, wl_buffer b, enum elem_type t, const uint8_t *got, const uint8_t *want,
                   uint64_t n, double tolerance) {
  struct strbuf s = {0};
  uint64_t differing = 0;
  double largest = 0, e;
  unsigned size = elem_bytes(t);
  char g[40], v[40], num[NUM_F64_MAX];
  for (uint64_t i = 0; i < n; i++) {
    bool ok = same(t, got + i * size, want + i * size, tolerance, &e);
    if (!(e <= largest))
      largest = e;
    if (!ok && differing++ < MOST_SHOWN)
      strbuf_addf(&s, "\n  [%" PRIu64 "] got %s, expected %s", i, elem_print(t, got + i * size, g, sizeof g),
                  elem_print(t, want + i * size, v, sizeof v));
  }
  if (differing > MOST_SHOWN)
    strbuf_addf(&s, "\n  ... and %" PRIu64 " more", differing - MOST_SHOWN);
  error_add(w->err, EXIT_RUNTIME,
            "%s: wrong result: '%s' differs in %" PRIu64 " of %" PRIu64 " %s elements; largest error %s%s",
            w->workload->name, w->buffers[b.id].name, differing, n, elem_name(t), num_print_f64(num, largest),
            s.s);
  strbuf_free(&s);
}

void wl_check(struct wl *w, wl_buffer b, enum elem_type type, const void *want, uint64_t n,
              double tolerance) {
  unsigned size = elem_bytes(type);
  uint8_t *got = wl_host(w, n, size);
  const uint8_t *as = want;
  double e;
  wl_read_loose(w, b, 0, got, n * size);
  for (uint64_t i = 0; i < n; i++)
    if (!same(type, got + i * size, as + i * size, tolerance, &e)) {
      report(w, b, type, got, as, n, tolerance);
      w->mismatch = true;
      wl_leave(w);
    }
  if (!w->device->ops->expect(w->device, b.id, 0, want, n * size, type, tolerance, w->err))
    wl_leave(w);
}

void wl_check_f32(struct wl *w, wl_buffer b, const float *want, uint64_t n, double tolerance) {
  wl_check(w, b, ELEM_F32, want, n, tolerance);
}
void wl_check_u32(struct wl *w, wl_buffer b, const uint32_t *want, uint64_t n) {
  wl_check(w, b, ELEM_U32, want, n, 0);
}
void wl_check_s32(struct wl *w, wl_buffer b, const int32_t *want, uint64_t n) {
  wl_check(w, b, ELEM_S32, want, n, 0);
}

void wl_require(struct wl *w, bool holds, const char *fmt, ...) {
  char message[512];
  if (holds)
    return;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  error_add(w->err, EXIT_RUNTIME, "%s: wrong result: %s", w->workload->name, message);
  w->mismatch = true;
  wl_leave(w);
}
