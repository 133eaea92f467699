/* A launch file meets its kernels: arguments are checked against parameters and laid out, buffers
 * allocated and filled. */
#include "base/mem.h"
#include "front/launch/launch.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_ALIGN 16
#define MAX_FINDINGS 20

struct binder {
  const struct launch_file *f;
  const struct kernel_info *const *kernels;
  size_t nkernels;
  struct error *err;
  unsigned findings;
};

static void finding(struct binder *b, const struct launch_step *s, unsigned line, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
static void finding(struct binder *b, const struct launch_step *s, unsigned line, const char *fmt, ...) {
  char message[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(message, sizeof message, fmt, ap);
  va_end(ap);
  launch_error(b->f, line, "launches", (size_t)(s - b->f->steps), b->err, EXIT_USAGE, "%s", message);
  b->findings++;
}

static bool find_kernel(struct binder *b, const struct launch_step *s, size_t *out) {
  for (size_t i = 0; i < b->nkernels; i++)
    if (strcmp(b->kernels[i]->name, s->kernel) == 0) {
      *out = i;
      return true;
    }
  const char **names = xcalloc(b->nkernels, sizeof *names);
  for (size_t i = 0; i < b->nkernels; i++)
    names[i] = b->kernels[i]->name;
  const char *near = nearest_match(s->kernel, names, (int)b->nkernels);
  if (near)
    finding(b, s, s->line, "there is no kernel '%s' in the PTX; did you mean '%s'?", s->kernel, near);
  else
    finding(b, s, s->line, "there is no kernel '%s' among the %zu of the PTX", s->kernel, b->nkernels);
  free(names);
  return false;
}

/* ".u64", or ".b8[12]" for a struct */
static const char *param_text(const struct ptx_var *p, char *buf, size_t n) {
  uint64_t one = ptx_type_bits((enum ptx_type)p->type) / 8;
  if (one && p->size != one)
    snprintf(buf, n, ".%s[%" PRIu64 "]", ptx_type_name((enum ptx_type)p->type), p->size / one);
  else
    snprintf(buf, n, ".%s", ptx_type_name((enum ptx_type)p->type));
  return buf;
}

static bool is_array(const struct ptx_var *p) {
  return p->size != ptx_type_bits((enum ptx_type)p->type) / 8;
}

/* Why argument a cannot be parameter p, or NULL. */
static const char *mismatch(const struct launch_arg *a, const struct ptx_var *p) {
  char kind = ptx_type_kind((enum ptx_type)p->type);
  bool to_shared = p->ptr_space == PTX_SHARED;
  switch (a->kind) {
  case ARG_BUFFER:
    if (p->size != 8 || kind == 'f' || is_array(p))
      return "a buffer's address is a 64-bit integer";
    return to_shared ? "this parameter points to shared memory: use {local: BYTES}" : NULL;
  case ARG_LOCAL:
    if ((p->size != 8 && p->size != 4) || kind == 'f' || is_array(p))
      return "a pointer to local memory is a 32- or 64-bit integer";
    return p->ptr_space && !to_shared ? "this parameter does not point to shared memory" : NULL;
  case ARG_BYTES:
    return p->size != a->nbytes ? "the sizes differ" : NULL;
  case ARG_VALUE:
    break;
  }
  if (p->size != a->nbytes)
    return "the sizes differ";
  if (is_array(p))
    return "an array or struct is given as {bytes: \"hex\"}";
  char given = elem_kind(a->type);
  bool clash = kind != 'b' && given != 'b' && (kind == 'f') != (given == 'f');
  return clash ? "one is an integer, the other a float" : NULL;
}

static const char *arg_text(const struct binder *b, const struct launch_arg *a, char *buf, size_t n) {
  switch (a->kind) {
  case ARG_BUFFER:
    snprintf(buf, n, "buffer '%s'", b->f->buffers[a->buffer].name);
    break;
  case ARG_VALUE:
    snprintf(buf, n, "%s", elem_name(a->type));
    break;
  case ARG_BYTES:
    snprintf(buf, n, "%" PRIu32 " bytes", a->nbytes);
    break;
  case ARG_LOCAL:
    snprintf(buf, n, "local memory");
    break;
  }
  return buf;
}

static void check_args(struct binder *b, const struct launch_step *s, const struct kernel_info *k) {
  char given[100], wanted[64];
  if (s->nargs != k->nparams) {
    finding(b, s, s->line, "kernel '%s' takes %" PRIu32 " arguments, %zu are given", k->name, k->nparams,
            s->nargs);
    return;
  }
  for (size_t i = 0; i < s->nargs && b->findings < MAX_FINDINGS; i++) {
    const char *why = mismatch(&s->args[i], &k->params[i]);
    if (why)
      finding(b, s, s->args[i].line,
              "argument %zu (%s) does not fit parameter %s of kernel '%s' (%s, %" PRIu64 " bytes): %s", i,
              arg_text(b, &s->args[i], given, sizeof given), k->params[i].name, k->name,
              param_text(&k->params[i], wanted, sizeof wanted), k->params[i].size, why);
  }
}

static void check_block(struct binder *b, const struct launch_step *s, const struct kernel_info *k) {
  uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2], most = 1;
  const uint32_t *req = k->reqntid, *max = k->maxntid;
  for (int i = 0; i < 3; i++)
    most *= max[i] ? max[i] : 1;
  if (req[0] &&
      (req[0] != s->block[0] || (req[1] ? req[1] : 1) != s->block[1] || (req[2] ? req[2] : 1) != s->block[2]))
    finding(b, s, s->line,
            "kernel '%s' was compiled for blocks of exactly %ux%ux%u threads (.reqntid), not %ux%ux%u",
            k->name, req[0], req[1] ? req[1] : 1, req[2] ? req[2] : 1, s->block[0], s->block[1], s->block[2]);
  else if (max[0] && threads > most)
    finding(b, s, s->line,
            "kernel '%s' was compiled for at most %" PRIu64 " threads per block (.maxntid), not %" PRIu64,
            k->name, most, threads);
}

static uint64_t align_up(uint64_t v, uint64_t align) {
  return (v + align - 1) / align * align;
}

/* Shared memory of a block: static variables, the launch's dynamic bytes, then the local arrays. */
static void place_locals(struct binder *b, const struct launch_step *s, const struct kernel_info *k,
                         struct launch_bound *to) {
  uint64_t at = align_up(k->static_shared, SHARED_ALIGN) + s->shared;
  bool any = false;
  for (size_t i = 0; i < s->nargs; i++) {
    const struct launch_arg *a = &s->args[i];
    if (a->kind != ARG_LOCAL)
      continue;
    uint64_t align = k->params[i].ptr_align;
    at = align_up(at, align > SHARED_ALIGN ? align : SHARED_ALIGN);
    memcpy(to->params + k->param_offset[i], &at, (size_t)k->params[i].size);
    at += a->offset;
    any = true;
  }
  to->launch.dynamic_shared = any ? at - k->static_shared : s->shared;
  if (to->launch.dynamic_shared > LAUNCH_MAX_SHARED)
    finding(b, s, s->line, "%" PRIu64 " bytes of dynamic shared memory (allowed: at most %" PRIu64 ")",
            to->launch.dynamic_shared, LAUNCH_MAX_SHARED);
}

static void bind_step(struct binder *b, const struct launch_step *s, struct launch_bound *to) {
  if (!find_kernel(b, s, &to->kernel))
    return;
  const struct kernel_info *k = b->kernels[to->kernel];
  unsigned before = b->findings;
  if (k->refused) {
    finding(b, s, s->line, "kernel '%s' cannot run:", k->name);
    error_add(b->err, EXIT_USAGE, "%s", k->refused);
  }
  check_args(b, s, k);
  check_block(b, s, k);
  if (b->findings != before)
    return;
  to->params = xcalloc(k->param_bytes, 1);
  to->launch = (struct launch){.kernel = k->name, .params = to->params, .registers = s->registers};
  memcpy(to->launch.grid, s->grid, sizeof s->grid);
  memcpy(to->launch.block, s->block, sizeof s->block);
  for (size_t i = 0; i < s->nargs; i++)
    if (s->args[i].bytes)
      memcpy(to->params + k->param_offset[i], s->args[i].bytes, s->args[i].nbytes);
  place_locals(b, s, k, to);
}

static bool allocate(struct launch_setup *s, size_t i, struct error *err) {
  const struct launch_buffer *b = &s->file->buffers[i];
  struct error why = {0};
  bool ok = true;
  if (b->fixed)
    ok = devmem_alloc_at(s->mem, b->at, b->bytes, b->name, &why);
  s->addr[i] = b->fixed ? b->at : devmem_alloc(s->mem, b->bytes, b->name, &why);
  ok = ok && s->addr[i];
  const struct devbuf *d = ok ? devmem_find(s->mem, s->addr[i]) : NULL;
  if (d)
    ok = launch_buffer_fill(b, d->host, true, &why);
  if (!ok)
    error_add(err, why.code, "%s:%u: buffers.%s: %s", s->file->path, b->line, b->name, why.text);
  error_clear(&why);
  return ok;
}

/* Fixed addresses first, so that automatic placement steps around them. */
static bool allocate_all(struct launch_setup *s, struct error *err) {
  const struct launch_file *f = s->file;
  bool ok = true;
  for (int fixed = 1; fixed >= 0; fixed--)
    for (size_t i = 0; i < f->nbuffers && ok; i++)
      if (f->buffers[i].fixed == (fixed == 1))
        ok = allocate(s, i, err);
  return ok;
}

static void put_addresses(const struct launch_step *st, const struct kernel_info *k, const uint64_t *addr,
                          struct launch_bound *to) {
  for (size_t a = 0; a < st->nargs; a++)
    if (st->args[a].kind == ARG_BUFFER) {
      uint64_t v = addr[st->args[a].buffer] + st->args[a].offset;
      memcpy(to->params + k->param_offset[a], &v, sizeof v);
    }
}

bool launch_bind(const struct launch_file *f, size_t step, const struct kernel_info *const *kernels,
                 size_t nkernels, const uint64_t *addr, struct launch_bound *to, struct error *err) {
  struct binder b = {.f = f, .kernels = kernels, .nkernels = nkernels, .err = err};
  *to = (struct launch_bound){0};
  bind_step(&b, &f->steps[step], to);
  if (!b.findings)
    put_addresses(&f->steps[step], kernels[to->kernel], addr, to);
  return !b.findings;
}

struct launch_setup *launch_prepare(const struct launch_file *f, struct devmem *mem,
                                    const struct kernel_info *const *kernels, size_t nkernels,
                                    struct error *err) {
  struct launch_setup *s = xcalloc(1, sizeof *s);
  struct binder b = {.f = f, .kernels = kernels, .nkernels = nkernels, .err = err};
  s->file = f;
  s->mem = mem;
  s->addr = xcalloc(f->nbuffers, sizeof *s->addr);
  s->bound = xcalloc(f->nsteps, sizeof *s->bound);
  for (size_t i = 0; i < f->nsteps && b.findings < MAX_FINDINGS; i++)
    if (f->steps[i].kind == STEP_LAUNCH)
      bind_step(&b, &f->steps[i], &s->bound[i]);
  if (b.findings || !allocate_all(s, err)) {
    launch_setup_free(s);
    return NULL;
  }
  for (size_t i = 0; i < f->nsteps; i++)
    if (f->steps[i].kind == STEP_LAUNCH)
      put_addresses(&f->steps[i], kernels[s->bound[i].kernel], s->addr, &s->bound[i]);
  return s;
}

void launch_setup_free(struct launch_setup *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->file->nsteps; i++)
    free(s->bound[i].params);
  free(s->bound);
  free(s->addr);
  free(s);
}

bool launch_step_fill(struct launch_setup *s, size_t step, struct error *err) {
  const struct launch_step *st = &s->file->steps[step];
  const struct devbuf *d = devmem_find(s->mem, s->addr[st->buffer]);
  return !d || fill_apply(&st->fill, d->host + st->offset, st->bytes, err);
}

bool launch_step_check(const struct launch_setup *s, size_t step, struct error *err) {
  const struct launch_step *st = &s->file->steps[step];
  const struct devbuf *d = devmem_find(s->mem, s->addr[st->buffer]);
  return !d || launch_check(s->file, step, d->host + st->offset, err);
}

bool launch_outputs(const struct launch_setup *s, const char *dir, bool write_only, struct error *err) {
  bool ok = true;
  for (size_t i = 0; i < s->file->noutputs; i++) {
    if (write_only && s->file->outputs[i].kind == OUTPUT_COMPARE)
      continue;
    const struct devbuf *d = devmem_find(s->mem, s->addr[s->file->outputs[i].buffer]);
    static const uint8_t nothing[1];
    ok &= launch_output_check(s->file, i, d ? d->host : nothing, dir, err);
  }
  return ok;
}
