/* The public interface: a device memory, modules and launches behind one handle. See sluice.h. */
#include "sluice.h"
#include "base/mem.h"
#include "front/count.h"
#include "front/params.h"
#include "front/ptx/ops.h"
#include "tables.h"
#include "tech/tech.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sluice_module {
  struct program *program;
  struct front_counter *counter;
};

struct sluice {
  struct conf *conf;
  struct devmem *mem; /* made when first needed, so that memory.* can be set before */
  struct sluice_module **modules;
  size_t nmodules, cap;
  struct front_counters total;
  struct stats *stats;
  struct error err;
};

struct sluice_stream {
  struct sluice *s;
  struct sluice_module *m;
  struct exec *x;
  struct front_counters counted;
};

const char *sluice_version(void) {
  return SLUICE_VERSION;
}

struct sluice *sluice_create(void) {
  struct sluice *s = xcalloc(1, sizeof *s);
  s->conf = tables_conf();
  s->stats = tables_stats();
  return s;
}

void sluice_destroy(struct sluice *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->nmodules; i++) {
    front_counter_free(s->modules[i]->counter);
    program_free(s->modules[i]->program);
    free(s->modules[i]);
  }
  free(s->modules);
  if (s->mem)
    devmem_destroy(s->mem);
  conf_free(s->conf);
  stats_free(s->stats);
  error_clear(&s->err);
  free(s);
}

const char *sluice_error(const struct sluice *s) {
  return s->err.code ? s->err.text : "";
}
int sluice_error_code(const struct sluice *s) {
  return s->err.code;
}

static struct devmem *memory(struct sluice *s) {
  struct devmem_options o = front_devmem_options(s->conf);
  if (!s->mem)
    s->mem = devmem_create(&o);
  return s->mem;
}

static int refuse(struct sluice *s, const char *text, const char *what) {
  error_set(&s->err, EXIT_USAGE, text, what);
  return s->err.code;
}

int sluice_set(struct sluice *s, const char *key, const char *value) {
  error_clear(&s->err);
  if (s->mem && !strncmp(key, "memory.", 7))
    return refuse(s, "%s cannot change once device memory is in use", key);
  return conf_assign(s->conf, key, value, "sluice_set", &s->err) ? 0 : s->err.code;
}

uint64_t sluice_alloc(struct sluice *s, uint64_t bytes, const char *name) {
  error_clear(&s->err);
  return devmem_alloc(memory(s), bytes, name ? name : "buffer", &s->err);
}

static int address_result(struct sluice *s, bool ok, uint64_t address) {
  error_clear(&s->err);
  if (ok)
    return 0;
  char near[256];
  devmem_describe(memory(s), address, near, sizeof near);
  error_set(&s->err, EXIT_USAGE, "address 0x%llx: %s", (unsigned long long)address, near);
  return s->err.code;
}

int sluice_free(struct sluice *s, uint64_t address) {
  return address_result(s, devmem_free(memory(s), address), address);
}
int sluice_write(struct sluice *s, uint64_t address, const void *from, uint64_t bytes) {
  return address_result(s, devmem_write(memory(s), address, from, bytes), address);
}
int sluice_read(struct sluice *s, uint64_t address, void *to, uint64_t bytes) {
  return address_result(s, devmem_read(memory(s), address, to, bytes), address);
}

static struct sluice_module *add_module(struct sluice *s, struct ptx_module *ast) {
  struct program *p = program_load_as(ast, conf_enum(s->conf, "front.schedule"), memory(s), &s->err);
  if (!p)
    return NULL;
  struct sluice_module *m = xcalloc(1, sizeof *m);
  m->program = p;
  m->counter = front_counter_new();
  return VEC_PUSH(s->modules, s->nmodules, s->cap) = m;
}

struct sluice_module *sluice_load_file(struct sluice *s, const char *path) {
  error_clear(&s->err);
  return add_module(s, ptx_parse_file(path, &s->err));
}

struct sluice_module *sluice_load_text(struct sluice *s, const char *ptx, size_t n, const char *name) {
  error_clear(&s->err);
  return add_module(s, ptx_parse(ptx, n, name ? name : "ptx", &s->err));
}

int sluice_symbol(struct sluice *s, const struct sluice_module *m, const char *name, uint64_t *address,
                  uint64_t *bytes) {
  error_clear(&s->err);
  return program_symbol(m->program, name, address, bytes)
             ? 0
             : refuse(s, "no .global or .const variable '%s'", name);
}

struct sluice_stream *sluice_open(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l) {
  error_clear(&s->err);
  const struct kernel_info *k = program_kernel(m->program, l->kernel, &s->err);
  if (!k)
    return NULL;
  /* sizeof a struct with the parameters as members may count padding at its end */
  size_t padded = (k->param_bytes + (size_t)15) & ~(size_t)15;
  if (l->param_bytes < k->param_bytes || l->param_bytes > padded || (k->param_bytes && !l->params)) {
    error_set(&s->err, EXIT_USAGE, "kernel '%s' takes %u bytes of parameters, not %zu", l->kernel,
              k->param_bytes, l->params ? l->param_bytes : 0);
    return NULL;
  }
  struct launch launch = {.kernel = l->kernel, .dynamic_shared = l->dynamic_shared, .params = l->params};
  memcpy(launch.grid, l->grid, sizeof launch.grid);
  memcpy(launch.block, l->block, sizeof launch.block);
  struct exec_options o = front_exec_options(s->conf);
  struct exec *x = exec_open(m->program, memory(s), &launch, &o, &s->err);
  if (!x)
    return NULL;
  struct sluice_stream *t = xcalloc(1, sizeof *t);
  t->s = s, t->m = m, t->x = x;
  return t;
}

int sluice_next(struct sluice_stream *t, struct sluice_segment *segment) {
  int more = exec_next(t->x, segment, &t->s->err);
  if (more > 0)
    front_count(t->m->counter, t->x, segment, &t->counted);
  return more;
}

struct sluice_block sluice_describe(const struct sluice_stream *t, uint32_t block) {
  return exec_block(t->x, block);
}

void sluice_close(struct sluice_stream *t) {
  if (!t)
    return;
  t->counted.ctas = exec_ctas_done(t->x);
  t->counted.memcheck_violations = exec_violations(t->x);
  front_counters_add(&t->s->total, &t->counted);
  front_counters_put(&t->s->total, t->s->stats);
  exec_close(t->x);
  free(t);
}

int sluice_launch(struct sluice *s, struct sluice_module *m, const struct sluice_launch *l) {
  struct sluice_stream *t = sluice_open(s, m, l);
  if (!t)
    return s->err.code;
  struct sluice_segment segment;
  int more;
  while ((more = sluice_next(t, &segment)) > 0) {
  }
  sluice_close(t);
  return more == 0 ? 0 : s->err.code;
}

bool sluice_stat(const struct sluice *s, const char *name, double *value) {
  return stats_get(s->stats, name, value);
}

/* The same of a technique: its reason goes into the caller's text. */
static enum sluice_status technique(bool ok, struct error *e, char *why, size_t size) {
  if (!ok && why && size)
    snprintf(why, size, "%s", e->text ? e->text : "");
  error_clear(e);
  return ok ? SLUICE_OK : SLUICE_E_INPUT;
}

enum sluice_status sluice_technique_register(const struct sluice_technique *t, char *why, size_t size) {
  struct error e = {0};
  return technique(tech_register(t, &e), &e, why, size);
}

enum sluice_status sluice_technique_load(const char *path, char *why, size_t size) {
  struct error e = {0};
  return technique(tech_plugin(path, &e), &e, why, size);
}

const char *sluice_unit_name(unsigned unit) {
  static const char *const names[] = {
      "int",  "imul", "idiv",    "fp32",   "fp16",  "fp64",  "fdiv",        "ddiv",
      "sfu",  "cvt",  "shuffle", "ctrl",   "bar",   "mem",   "tensor",      "logic",
      "imad", "imax", "fma",     "fmax",   "froot", "droot", "setp",        "icvt",
      "i2f",  "bits", "imul64",  "imad64", "vote",  "redux", "tensor_half", "tensor_f64"};
  _Static_assert(sizeof names / sizeof *names == PTX_NUNITS, "one name for each unit");
  return unit < PTX_NUNITS ? names[unit] : "?";
}
