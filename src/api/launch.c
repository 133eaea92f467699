/* Launches of the caller's own: device memory, modules, kernels, streams. */
#include "api/handle.h"
#include "base/mem.h"
#include "front/count.h"
#include "front/params.h"
#include "front/ptx/ops.h"
#include <stdlib.h>
#include <string.h>

struct sluice_stream {
  struct sluice *s;
  struct sluice_module *m;
  struct exec *x;
  struct front_counters counted;
};

/* Made when first needed, so that memory.* can be set before. */
static struct runner *runner(struct sluice *s) {
  if (s->runner)
    return s->runner;
  handle_forget(s);
  handle_how(s);
  s->what = xstrdup("launches");
  s->report =
      (struct report){.workload = s->what, .conf = s->conf, .model = s->o.model, .command = s->o.command};
  return s->runner = runner_open(s->conf, &s->how, &s->report);
}

static uint64_t alloc(struct sluice *s, uint64_t bytes, const char *name) {
  error_clear(&s->err);
  return devmem_alloc(runner_memory(runner(s)), bytes, name ? name : "buffer", &s->err);
}

uint64_t sluice_alloc(struct sluice *s, uint64_t bytes, const char *name) {
  return ON_HANDLE(s, alloc(s, bytes, name), 0);
}

static bool at(struct sluice *s, bool ok, uint64_t address) {
  error_clear(&s->err);
  if (ok)
    return true;
  char near[256];
  devmem_describe(runner_memory(runner(s)), address, near, sizeof near);
  return error_set(&s->err, EXIT_USAGE, "address 0x%llx: %s", (unsigned long long)address, near);
}

enum sluice_status sluice_free(struct sluice *s, uint64_t address) {
  return STATUS_OF(s, at(s, devmem_free(runner_memory(runner(s)), address), address));
}
enum sluice_status sluice_write(struct sluice *s, uint64_t address, const void *from, uint64_t bytes) {
  return STATUS_OF(s, at(s, devmem_write(runner_memory(runner(s)), address, from, bytes), address));
}
enum sluice_status sluice_read(struct sluice *s, uint64_t address, void *to, uint64_t bytes) {
  return STATUS_OF(s, at(s, devmem_read(runner_memory(runner(s)), address, to, bytes), address));
}

static struct sluice_module *load(struct sluice *s, const char *path, const char *ptx, size_t n) {
  error_clear(&s->err);
  struct runner *r = runner(s);
  size_t unit = runner_units(r);
  if (!runner_load(r, path, ptx, n, &s->err))
    return NULL;
  struct sluice_module *m = xcalloc(1, sizeof *m);
  m->unit = unit;
  return VEC_PUSH(s->modules, s->nmodules, s->cap) = m;
}

struct sluice_module *sluice_load_file(struct sluice *s, const char *path) {
  return ON_HANDLE(s, load(s, path, NULL, 0), NULL);
}

struct sluice_module *sluice_load_text(struct sluice *s, const char *ptx, size_t n, const char *name) {
  return ON_HANDLE(s, load(s, name ? name : "ptx", ptx, n), NULL);
}

static bool symbol(struct sluice *s, const struct sluice_module *m, const char *name, uint64_t *address,
                   uint64_t *bytes) {
  error_clear(&s->err);
  return program_symbol(runner_program(s->runner, m->unit), name, address, bytes) ||
         handle_refuse(s, "no .global or .const variable '%s'", name);
}

enum sluice_status sluice_symbol(struct sluice *s, const struct sluice_module *m, const char *name,
                                 uint64_t *address, uint64_t *bytes) {
  return STATUS_OF(s, symbol(s, m, name, address, bytes));
}

/* The launch as the front end takes it, and the kernel of the module; NULL after an error. */
static const struct kernel_info *bind(struct sluice *s, const struct sluice_module *m,
                                      const struct sluice_launch *l, struct launch *to) {
  error_clear(&s->err);
  const struct kernel_info *k = program_kernel(runner_program(s->runner, m->unit), l->kernel, &s->err);
  if (!k)
    return NULL;
  /* sizeof a struct with the parameters as members may count padding at its end */
  size_t padded = (k->param_bytes + (size_t)15) & ~(size_t)15;
  if (l->param_bytes < k->param_bytes || l->param_bytes > padded || (k->param_bytes && !l->params)) {
    error_set(&s->err, EXIT_USAGE, "kernel '%s' takes %u bytes of parameters, not %zu", l->kernel,
              k->param_bytes, l->params ? l->param_bytes : 0);
    return NULL;
  }
  *to = (struct launch){.kernel = l->kernel, .dynamic_shared = l->dynamic_shared, .params = l->params};
  memcpy(to->grid, l->grid, sizeof to->grid);
  memcpy(to->block, l->block, sizeof to->block);
  return k;
}

static struct sluice_stream *open_stream(struct sluice *s, struct sluice_module *m,
                                         const struct sluice_launch *l) {
  struct launch launch;
  if (!bind(s, m, l, &launch))
    return NULL;
  struct exec *x = exec_open(runner_program(s->runner, m->unit), runner_memory(s->runner), &launch,
                             runner_exec(s->runner), &s->err);
  if (!x)
    return NULL;
  struct sluice_stream *t = xcalloc(1, sizeof *t);
  t->s = s, t->m = m, t->x = x;
  return t;
}

struct sluice_stream *sluice_open(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l) {
  return ON_HANDLE(s, open_stream(s, m, l), NULL);
}

static int next(struct sluice_stream *t, struct sluice_segment *segment) {
  int more = exec_next(t->x, segment, &t->s->err);
  if (more > 0)
    runner_count(t->s->runner, t->m->unit, t->x, segment, &t->counted);
  return more;
}

int sluice_next(struct sluice_stream *t, struct sluice_segment *segment) {
  return ON_HANDLE(t->s, next(t, segment), -1);
}

struct sluice_block sluice_describe(const struct sluice_stream *t, uint32_t block) {
  return exec_block(t->x, block);
}

static bool close_stream(struct sluice_stream *t) {
  t->counted.ctas = exec_ctas_done(t->x);
  t->counted.memcheck_violations = exec_violations(t->x);
  runner_counted(t->s->runner, &t->counted);
  t->s->stale = true;
  exec_close(t->x);
  free(t);
  return true;
}

void sluice_close(struct sluice_stream *t) {
  if (t)
    (void)ON_HANDLE(t->s, close_stream(t), false);
}

/* The number of a module's kernel among those of all modules. */
static size_t number_of(const struct sluice *s, const struct sluice_module *m, const struct kernel_info *k) {
  size_t n, i = 0;
  const struct kernel_info *const *all = runner_kernels(s->runner, &n);
  while (i < n && (runner_unit_of(s->runner, i) != m->unit || strcmp(all[i]->name, k->name) != 0))
    i++;
  return i;
}

static bool launch_it(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l) {
  struct launch launch;
  const struct kernel_info *k = bind(s, m, l, &launch);
  if (!k || !kernel_usable(k, &s->err))
    return false;
  if (!s->machine && handle_timed(s)) {
    if (!handle_machine(s))
      return false;
    runner_use(s->runner, s->machine);
  }
  s->stale = true;
  bool ok = runner_launch(s->runner, number_of(s, m, k), &launch, &s->err);
  s->spent = !ok && s->machine; /* its units hold what the launch left */
  return ok;
}

static bool launch_once(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l) {
  return s->spent
             ? handle_refuse(s, "%s", "the GPU cannot go on after a launch that failed; make another handle")
             : launch_it(s, m, l);
}

enum sluice_status sluice_launch(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l) {
  return STATUS_OF(s, launch_once(s, m, l));
}

const char *sluice_unit_name(unsigned unit) {
  static const char *const names[] = {
      "int",         "imul",       "idiv",     "fp32", "fp16",   "fp64",  "fdiv",   "ddiv",   "sfu",  "cvt",
      "shuffle",     "ctrl",       "bar",      "mem",  "tensor", "logic", "imad",   "imax",   "fma",  "fmax",
      "froot",       "droot",      "setp",     "icvt", "i2f",    "bits",  "imul64", "imad64", "vote", "redux",
      "tensor_half", "tensor_f64", "sfu_full", "trig", "fp16x2", "hcvt",  "guard",  "idiv64", "frcp", "drcp"};
  _Static_assert(sizeof names / sizeof *names == PTX_NUNITS, "one name for each unit");
  return unit < PTX_NUNITS ? names[unit] : "?";
}
