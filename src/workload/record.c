/* A workload's launches, executed and noted: the host program becomes a list of steps that needs no host
 * program. Loops are unrolled as they ran; what the host read back stands between as a check. */
#include "base/mem.h"
#include "workload/device.h"
#include <stdlib.h>
#include <string.h>

struct record {
  struct wl_device d; /* first */
  struct wl_device *inner;
  struct launch_file *f;
  size_t cap_buffers, cap_steps;
};

static bool add_step(struct record *r, struct launch_step *s, struct error *err) {
  if (r->f->nsteps == LAUNCH_MAX_STEPS) {
    wl_step_free(s);
    return error_add(err, EXIT_USAGE, "%s: more than %d steps cannot be recorded; use a smaller size",
                     r->f->path, LAUNCH_MAX_STEPS);
  }
  VEC_PUSH(r->f->steps, r->f->nsteps, r->cap_steps) = *s;
  return true;
}

static struct fill bytes_fill(const void *from, uint64_t bytes) {
  struct fill fill = {.kind = FILL_FILE, .bytes = bytes, .data = xmalloc(bytes ? (size_t)bytes : 1)};
  memcpy(fill.data, from, (size_t)bytes);
  return fill;
}

static bool record_alloc(struct wl_device *d, const char *name, uint64_t bytes, struct error *err) {
  struct record *r = (struct record *)d;
  if (!r->inner->ops->alloc(r->inner, name, bytes, err))
    return false;
  if (r->f->nbuffers == LAUNCH_MAX_BUFFERS)
    return error_add(err, EXIT_USAGE, "%s: more than %d buffers cannot be recorded", r->f->path,
                     LAUNCH_MAX_BUFFERS);
  VEC_PUSH(r->f->buffers, r->f->nbuffers, r->cap_buffers) =
      (struct launch_buffer){.name = xstrdup(name), .bytes = bytes};
  return true;
}

static bool record_write(struct wl_device *d, uint32_t buffer, uint64_t offset, const void *from,
                         uint64_t bytes, struct error *err) {
  struct record *r = (struct record *)d;
  struct launch_step s = {.kind = STEP_FILL, .buffer = buffer, .offset = offset, .bytes = bytes};
  if (!r->inner->ops->write(r->inner, buffer, offset, from, bytes, err))
    return false;
  s.fill = bytes_fill(from, bytes);
  return add_step(r, &s, err);
}

static bool record_read(struct wl_device *d, uint32_t buffer, uint64_t offset, void *to, uint64_t bytes,
                        struct error *err) {
  struct record *r = (struct record *)d;
  return r->inner->ops->read(r->inner, buffer, offset, to, bytes, err);
}

static struct launch_step copy_step(const struct launch_step *s) {
  struct launch_step c = *s;
  c.kernel = xstrdup(s->kernel);
  c.args = xcalloc(s->nargs, sizeof *c.args);
  for (size_t i = 0; i < s->nargs; i++) {
    c.args[i] = s->args[i];
    if (s->args[i].bytes) {
      c.args[i].bytes = xmalloc(s->args[i].nbytes);
      memcpy(c.args[i].bytes, s->args[i].bytes, s->args[i].nbytes);
    }
  }
  return c;
}

static bool record_launch(struct wl_device *d, struct launch_step *step, struct error *err) {
  struct record *r = (struct record *)d;
  struct launch_step copy = copy_step(step);
  if (r->inner->ops->launch(r->inner, step, err))
    return add_step(r, &copy, err);
  wl_step_free(&copy);
  return false;
}

static bool record_generate(struct wl_device *d, gen_open_fn *open, const void *what, struct error *err) {
  (void)open, (void)what;
  return error_add(err, EXIT_USAGE, "%s: a generated stream has no kernel that a real GPU could run",
                   ((struct record *)d)->f->path);
}

static void record_settle(struct wl_device *d, uint32_t times) {
  struct record *r = (struct record *)d;
  size_t i = r->f->nsteps;
  while (i && r->f->steps[i - 1].kind != STEP_LAUNCH)
    i--;
  if (i)
    r->f->steps[i - 1].repeat += times;
}

static bool record_expect(struct wl_device *d, uint32_t buffer, uint64_t offset, const void *want,
                          uint64_t bytes, enum elem_type type, double tolerance, struct error *err) {
  struct launch_step s = {.kind = STEP_CHECK,
                          .buffer = buffer,
                          .offset = offset,
                          .bytes = bytes,
                          .fill = bytes_fill(want, bytes),
                          .type = type,
                          .tolerance = tolerance};
  return add_step((struct record *)d, &s, err);
}

static void record_close(struct wl_device *d) {
  struct record *r = (struct record *)d;
  r->inner->ops->close(r->inner);
  free(r);
}

struct wl_device *wl_device_record(struct wl_device *inner, struct launch_file *f) {
  static const struct wl_device_ops ops = {
      .alloc = record_alloc,
      .write = record_write,
      .read = record_read,
      .launch = record_launch,
      .generate = record_generate,
      .settle = record_settle,
      .expect = record_expect,
      .close = record_close,
  };
  struct record *r = xcalloc(1, sizeof *r);
  r->d.ops = &ops;
  r->inner = inner;
  r->f = f;
  return &r->d;
}
