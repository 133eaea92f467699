/* A workload's launches on the executor, or on the machine that the runner drives. */
#include "base/mem.h"
#include "workload/device.h"
#include <stdlib.h>
#include <string.h>

struct sim {
  struct wl_device d; /* first */
  struct runner *runner;
  struct launch_file f; /* the buffers, and the step under way: what binding needs */
  uint64_t *addr;
  size_t cap_buffers, naddr, cap_addr;
};

static bool sim_alloc(struct wl_device *d, const char *name, uint64_t bytes, struct error *err) {
  struct sim *s = (struct sim *)d;
  uint64_t addr = devmem_alloc(runner_memory(s->runner), bytes, name, err);
  if (!addr)
    return false;
  VEC_PUSH(s->addr, s->naddr, s->cap_addr) = addr;
  VEC_PUSH(s->f.buffers, s->f.nbuffers, s->cap_buffers) =
      (struct launch_buffer){.name = xstrdup(name), .bytes = bytes};
  return true;
}

static bool sim_write(struct wl_device *d, uint32_t buffer, uint64_t offset, const void *from, uint64_t bytes,
                      struct error *err) {
  struct sim *s = (struct sim *)d;
  return !bytes || devmem_write(runner_memory(s->runner), s->addr[buffer] + offset, from, bytes) ||
         error_add(err, EXIT_RUNTIME, "%s: write beyond '%s'", s->f.path, s->f.buffers[buffer].name);
}

static bool sim_read(struct wl_device *d, uint32_t buffer, uint64_t offset, void *to, uint64_t bytes,
                     struct error *err) {
  struct sim *s = (struct sim *)d;
  return !bytes || devmem_read(runner_memory(s->runner), s->addr[buffer] + offset, to, bytes) ||
         error_add(err, EXIT_RUNTIME, "%s: read beyond '%s'", s->f.path, s->f.buffers[buffer].name);
}

static bool sim_launch(struct wl_device *d, struct launch_step *step, struct error *err) {
  struct sim *s = (struct sim *)d;
  size_t n;
  const struct kernel_info *const *kernels = runner_kernels(s->runner, &n);
  struct launch_bound bound;
  s->f.steps = step;
  s->f.nsteps = 1;
  bool ok = launch_bind(&s->f, 0, kernels, n, s->addr, &bound, err) &&
            runner_launch(s->runner, bound.kernel, &bound.launch, err);
  free(bound.params);
  wl_step_free(step);
  return ok;
}

static bool sim_generate(struct wl_device *d, gen_open_fn *open, const void *what, struct error *err) {
  struct sim *s = (struct sim *)d;
  return runner_generate(s->runner, open, what, s->addr, err);
}

static void sim_settle(struct wl_device *d, uint32_t times) {
  (void)d, (void)times;
}

static bool sim_expect(struct wl_device *d, uint32_t buffer, uint64_t offset, const void *want,
                       uint64_t bytes, enum elem_type type, double tolerance, struct error *err) {
  (void)d, (void)buffer, (void)offset, (void)want, (void)bytes, (void)type, (void)tolerance, (void)err;
  return true;
}

static void sim_close(struct wl_device *d) {
  struct sim *s = (struct sim *)d;
  for (size_t i = 0; i < s->f.nbuffers; i++)
    free(s->f.buffers[i].name);
  free(s->f.buffers);
  free(s->f.path);
  free(s->addr);
  free(s);
}

void wl_step_free(struct launch_step *s) {
  for (size_t i = 0; i < s->nargs; i++)
    free(s->args[i].bytes);
  free(s->args);
  free(s->kernel);
  fill_free(&s->fill);
}

struct wl_device *wl_device_sim(struct runner *r, const char *name) {
  static const struct wl_device_ops ops = {
      .alloc = sim_alloc,
      .write = sim_write,
      .read = sim_read,
      .launch = sim_launch,
      .generate = sim_generate,
      .settle = sim_settle,
      .expect = sim_expect,
      .close = sim_close,
  };
  struct sim *s = xcalloc(1, sizeof *s);
  s->d.ops = &ops;
  s->runner = r;
  s->f.path = xstrdup(name);
  return &s->d;
}
