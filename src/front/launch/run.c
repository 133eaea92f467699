#include "front/launch/run.h"
#include "base/mem.h"
#include <stdlib.h>

struct launch_run_options launch_run_defaults(void) {
  return (struct launch_run_options){.exec = exec_defaults(), .mem = devmem_defaults()};
}

static bool load_programs(struct launch_session *s, struct error *err) {
  const struct launch_file *f = s->file;
  s->programs = xcalloc(f->nptx, sizeof *s->programs);
  for (size_t i = 0; i < f->nptx; i++) {
    const struct launch_ptx *p = &f->ptx[i];
    const char *path = p->path ? p->path : f->path;
    struct ptx_module *m = p->text ? ptx_parse(p->text, p->n, path, err) : ptx_parse_file(path, err);
    s->programs[i] = m ? program_load(m, s->mem, err) : NULL;
    if (!s->programs[i])
      return false;
    s->nkernels += program_kernels(s->programs[i]);
  }
  return true;
}

static void list_kernels(struct launch_session *s) {
  s->kernels = xcalloc(s->nkernels, sizeof *s->kernels);
  s->program_of = xcalloc(s->nkernels, sizeof *s->program_of);
  size_t n = 0;
  for (size_t i = 0; i < s->file->nptx; i++)
    for (size_t k = 0; k < program_kernels(s->programs[i]); k++) {
      s->kernels[n] = program_kernel_at(s->programs[i], k);
      s->program_of[n++] = i;
    }
}

struct launch_session *launch_session_open(const char *path, const struct devmem_options *o,
                                           struct error *err) {
  struct launch_session *s = xcalloc(1, sizeof *s);
  s->file = launch_file_load(path, err);
  if (s->file) {
    s->mem = devmem_create(o);
    if (load_programs(s, err)) {
      list_kernels(s);
      s->setup = launch_prepare(s->file, s->mem, s->kernels, s->nkernels, err);
    }
  }
  if (s->setup)
    return s;
  launch_session_close(s);
  return NULL;
}

void launch_session_close(struct launch_session *s) {
  if (!s)
    return;
  launch_setup_free(s->setup);
  for (size_t i = 0; s->programs && i < s->file->nptx; i++)
    if (s->programs[i])
      program_free(s->programs[i]);
  free(s->programs);
  free(s->kernels);
  free(s->program_of);
  devmem_destroy(s->mem);
  launch_file_free(s->file);
  free(s);
}

struct runner {
  struct launch_session *s;
  const struct launch_run_options *o;
  struct front_counter **counters; /* one for each program */
  struct launch_progress progress;
};

static bool run_once(struct runner *r, size_t step, uint64_t repetition, struct error *err) {
  struct launch_session *s = r->s;
  const struct launch_bound *b = &s->setup->bound[step];
  size_t program = s->program_of[b->kernel];
  struct launch_result result = {
      .step = &s->file->steps[step], .launch = r->progress.launch, .repetition = repetition};
  struct exec *x = exec_open(s->programs[program], s->mem, &b->launch, &r->o->exec, err);
  if (!x)
    return false;
  struct stream_segment seg;
  uint64_t before = r->progress.warp_instructions;
  int more;
  r->progress.ctas = exec_ctas(x);
  while ((more = exec_next(x, &seg, err)) > 0) {
    front_count(r->counters[program], x, &seg, &result.counters);
    r->progress.cta = exec_ctas_done(x);
    r->progress.warp_instructions = before + result.counters.warp_instructions;
    if (r->o->progress)
      r->o->progress(r->o->ctx, &r->progress);
  }
  result.complete = more == 0;
  result.counters.ctas = exec_ctas_done(x);
  result.counters.memcheck_violations = exec_violations(x);
  exec_close(x);
  if (r->o->launched)
    r->o->launched(r->o->ctx, &result);
  r->progress.launch++;
  return result.complete;
}

bool launch_session_run(struct launch_session *s, const struct launch_run_options *o, struct error *err) {
  const struct launch_file *f = s->file;
  struct runner r = {.s = s, .o = o, .counters = xcalloc(f->nptx, sizeof *r.counters)};
  for (size_t i = 0; i < f->nptx; i++)
    r.counters[i] = front_counter_new();
  for (size_t i = 0; i < f->nsteps; i++)
    if (f->steps[i].kind == STEP_LAUNCH)
      r.progress.launches += f->steps[i].repeat;
  bool ok = true;
  for (size_t i = 0; i < f->nsteps && ok; i++) {
    if (f->steps[i].kind == STEP_FILL)
      ok = launch_step_fill(s->setup, i, err);
    else
      for (uint64_t n = 0; n < f->steps[i].repeat && ok; n++)
        ok = run_once(&r, i, n, err);
  }
  for (size_t i = 0; i < f->nptx; i++)
    front_counter_free(r.counters[i]);
  free(r.counters);
  return ok;
}

bool run_launch_file(const char *path, const struct launch_run_options *o, struct error *err) {
  struct launch_session *s = launch_session_open(path, &o->mem, err);
  bool ok = s && launch_session_run(s, o, err) && launch_outputs(s->setup, o->output_dir, err);
  launch_session_close(s);
  return ok;
}
