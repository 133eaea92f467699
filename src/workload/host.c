/* The functions of host.h but those that check. */
#include "workload/host.h"
#include "base/hash.h"
#include "base/num.h"
#include "base/rng.h"
#include "workload/wl.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void wl_leave(struct wl *w) {
  longjmp(w->out, 1);
}

static void must(struct wl *w, bool ok) {
  if (!ok)
    wl_leave(w);
}

void wl_refuse(struct wl *w, const char *fmt, ...) {
  char message[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  error_add(w->err, EXIT_USAGE, "%s: %s", w->workload->name, message);
  wl_leave(w);
}

static const char *value(const struct wl *w, const char *name, int type) {
  const char *text;
  const struct workload_param *p = values_find(&w->values, name, &text);
  if ((int)p->type != type)
    panic("parameter '%s' of a workload is of another type", name);
  return text;
}

uint64_t wl_u64(const struct wl *w, const char *name) {
  uint64_t v = 0;
  num_u64(value(w, name, PARAM_INTEGER), &v);
  return v;
}
uint32_t wl_u32(const struct wl *w, const char *name) {
  uint64_t v = wl_u64(w, name);
  if (v > UINT32_MAX)
    panic("parameter '%s' of a workload is declared wider than 32 bits", name);
  return (uint32_t)v;
}
double wl_f64(const struct wl *w, const char *name) {
  double v = 0;
  num_f64(value(w, name, PARAM_FLOAT), &v);
  return v;
}
const char *wl_text(const struct wl *w, const char *name) {
  return value(w, name, PARAM_CHOICE);
}
unsigned wl_choice(const struct wl *w, const char *name) {
  const char *text;
  const struct workload_param *p = values_find(&w->values, name, &text);
  unsigned i = 0;
  while (i + 1 < p->nvalues && strcmp(p->values[i], text) != 0)
    i++;
  return i;
}
const char *wl_input(const struct wl *w) {
  return w->request->input;
}
bool wl_verify(const struct wl *w) {
  return w->request->verify;
}

void *wl_host(struct wl *w, uint64_t count, size_t size) {
  if (size && count > SIZE_MAX / 2 / size)
    wl_refuse(w, "%" PRIu64 " elements of %zu bytes do not fit into memory", count, size);
  return arena_alloc(&w->host, (size_t)count * size);
}

uint64_t wl_random(struct wl *w) {
  return rng_splitmix(&w->rng);
}
uint64_t wl_random_below(struct wl *w, uint64_t n) {
  return rng_below(&w->rng, n);
}
double wl_random_unit(struct wl *w) {
  return rng_unit(&w->rng);
}
void wl_random_f32(struct wl *w, float *to, uint64_t n, float low, float high) {
  for (uint64_t i = 0; i < n; i++)
    to[i] = low + (high - low) * (float)wl_random_unit(w);
}
void wl_random_u32(struct wl *w, uint32_t *to, uint64_t n, uint32_t below) {
  for (uint64_t i = 0; i < n; i++)
    to[i] = (uint32_t)(below ? wl_random_below(w, below) : wl_random(w) >> 32);
}

wl_buffer wl_alloc(struct wl *w, const char *name, uint64_t bytes) {
  must(w, w->device->ops->alloc(w->device, name, bytes, w->err));
  VEC_PUSH(w->buffers, w->nbuffers, w->cap) = (struct wl_extent){name, bytes};
  return (wl_buffer){(uint32_t)w->nbuffers - 1};
}

wl_buffer wl_upload(struct wl *w, const char *name, const void *from, uint64_t bytes) {
  wl_buffer b = wl_alloc(w, name, bytes);
  wl_write(w, b, 0, from, bytes);
  return b;
}

/* A range outside its buffer is a mistake in host.c. */
static void check_range(struct wl *w, wl_buffer b, uint64_t offset, uint64_t bytes) {
  uint64_t all = w->buffers[b.id].bytes;
  if (offset > all || bytes > all - offset)
    panic("%s: bytes %" PRIu64 " to %" PRIu64 " of buffer '%s', which has %" PRIu64, w->workload->name,
          offset, offset + bytes, w->buffers[b.id].name, all);
}

void wl_write(struct wl *w, wl_buffer to, uint64_t offset, const void *from, uint64_t bytes) {
  check_range(w, to, offset, bytes);
  must(w, w->device->ops->write(w->device, to.id, offset, from, bytes, w->err));
}

void wl_zero(struct wl *w, wl_buffer to, uint64_t offset, uint64_t bytes) {
  void *zero = xcalloc((size_t)bytes, 1);
  check_range(w, to, offset, bytes);
  bool ok = w->device->ops->write(w->device, to.id, offset, zero, bytes, w->err);
  free(zero);
  must(w, ok);
}

void wl_read_loose(struct wl *w, wl_buffer from, uint64_t offset, void *to, uint64_t bytes) {
  check_range(w, from, offset, bytes);
  must(w, w->device->ops->read(w->device, from.id, offset, to, bytes, w->err));
}

void wl_read(struct wl *w, wl_buffer from, uint64_t offset, void *to, uint64_t bytes) {
  wl_read_loose(w, from, offset, to, bytes);
  must(w, w->device->ops->expect(w->device, from.id, offset, to, bytes, ELEM_NONE, 0, w->err));
}

uint32_t wl_read_u32(struct wl *w, wl_buffer from, uint64_t index) {
  uint32_t v;
  wl_read(w, from, index * sizeof v, &v, sizeof v);
  return v;
}
void wl_write_u32(struct wl *w, wl_buffer to, uint64_t index, uint32_t v) {
  wl_write(w, to, index * sizeof v, &v, sizeof v);
}

struct wl_range wl_range3(uint64_t x, uint64_t y, uint64_t z, uint32_t lx, uint32_t ly, uint32_t lz) {
  return (struct wl_range){{x, y, z}, {lx, ly, lz}};
}
struct wl_range wl_range2(uint64_t x, uint64_t y, uint32_t lx, uint32_t ly) {
  return wl_range3(x, y, 1, lx, ly, 1);
}
struct wl_range wl_range1(uint64_t x, uint32_t lx) {
  return wl_range3(x, 1, 1, lx, 1, 1);
}
uint64_t wl_up(uint64_t n, uint64_t local) {
  return (n + local - 1) / local * local;
}

static struct wl_arg plain(enum elem_type type, const void *v, uint32_t n) {
  struct wl_arg a = {.kind = WL_ARG_VALUE, .type = type, .n = n};
  memcpy(a.value, v, n);
  return a;
}
struct wl_arg wl_buf(wl_buffer b) {
  return wl_buf_at(b, 0);
}
struct wl_arg wl_buf_at(wl_buffer b, uint64_t offset) {
  return (struct wl_arg){.kind = WL_ARG_BUFFER, .buffer = b, .offset = offset};
}
struct wl_arg wl_int(uint64_t v) {
  if (v > UINT32_MAX)
    panic("wl_int: %" PRIu64 " does not fit into 32 bits", v);
  return plain(ELEM_B32, &(uint32_t){(uint32_t)v}, 4);
}
struct wl_arg wl_sint(int32_t v) {
  return plain(ELEM_B32, &v, 4);
}
struct wl_arg wl_long(uint64_t v) {
  return plain(ELEM_B64, &v, 8);
}
struct wl_arg wl_float(float v) {
  return plain(ELEM_F32, &v, 4);
}
struct wl_arg wl_double(double v) {
  return plain(ELEM_F64, &v, 8);
}
struct wl_arg wl_struct(const void *v, uint32_t bytes) {
  struct wl_arg a = {.kind = WL_ARG_BYTES, .n = bytes};
  if (bytes > sizeof a.value)
    panic("wl_struct: %" PRIu32 " bytes", bytes);
  memcpy(a.value, v, bytes);
  return a;
}
struct wl_arg wl_local(uint64_t bytes) {
  return (struct wl_arg){.kind = WL_ARG_LOCAL, .offset = bytes};
}

static void fill_arg(struct launch_arg *to, const struct wl_arg *a) {
  static const enum launch_arg_kind kinds[] = {[WL_ARG_BUFFER] = ARG_BUFFER,
                                               [WL_ARG_VALUE] = ARG_VALUE,
                                               [WL_ARG_BYTES] = ARG_BYTES,
                                               [WL_ARG_LOCAL] = ARG_LOCAL};
  *to = (struct launch_arg){.kind = kinds[a->kind], .buffer = a->buffer.id, .offset = a->offset};
  if (!a->n)
    return;
  to->type = a->type;
  to->nbytes = a->n;
  to->bytes = xmalloc(a->n);
  memcpy(to->bytes, a->value, a->n);
}

/* Work-items become CTAs; a size that is no whole number of them, or too large, is a mistake of host.c. */
static void set_range(struct wl *w, const char *kernel, struct wl_range r, struct launch_step *s) {
  static const uint64_t most[3] = {INT32_MAX, 65535, 65535};
  for (int i = 0; i < 3; i++) {
    uint64_t groups = r.local[i] ? r.global[i] / r.local[i] : 0;
    if (!groups || groups * r.local[i] != r.global[i] || groups > most[i])
      wl_refuse(w, "kernel '%s': %" PRIu64 " work-items in groups of %" PRIu32 " along axis %d", kernel,
                r.global[i], r.local[i], i);
    s->grid[i] = (uint32_t)groups;
    s->block[i] = r.local[i];
  }
  uint64_t threads = (uint64_t)r.local[0] * r.local[1] * r.local[2];
  if (threads > 1024)
    wl_refuse(w, "kernel '%s': %" PRIu64 " work-items in a group (allowed: at most 1024)", kernel, threads);
}

void wl_settle(struct wl *w, uint32_t times) {
  w->device->ops->settle(w->device, times);
}

void wl_launch(struct wl *w, const char *kernel, struct wl_range range, const struct wl_arg *args,
               size_t nargs) {
  struct launch_step s = {.kind = STEP_LAUNCH, .repeat = 1, .nargs = nargs};
  const struct workload_about *about = w->values.about;
  for (size_t i = 0; i < about->nregisters; i++)
    if (strcmp(about->registers_of[i], kernel) == 0)
      s.registers = about->registers[i];
  set_range(w, kernel, range, &s);
  for (size_t i = 0; i < nargs; i++)
    if (args[i].kind == WL_ARG_BUFFER)
      check_range(w, args[i].buffer, args[i].offset, 0);
  s.kernel = xstrdup(kernel);
  s.args = xcalloc(nargs, sizeof *s.args);
  for (size_t i = 0; i < nargs; i++)
    fill_arg(&s.args[i], &args[i]);
  must(w, w->device->ops->launch(w->device, &s, w->err));
}

void wl_generate(struct wl *w, gen_open_fn *open, const void *what) {
  must(w, w->device->ops->generate(w->device, open, what, w->err));
}

uint64_t wl_seed(const struct wl *w) {
  return w->request->seed;
}
