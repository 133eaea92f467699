#include "front/functional.h"
#include "base/mem.h"
#include "front/devmem.h"
#include "front/launch/launch.h"
#include "front/runner.h"
#include "front/trace/trace.h"
#include <stdlib.h>

void functional_warm(struct functional_machine *m, const struct devmem *mem) {
  struct functional_buffer *b = xcalloc(devmem_count(mem) + 1, sizeof *b);
  size_t n = 0;
  for (size_t i = 0; i < devmem_count(mem); i++) {
    const struct devbuf *k = devmem_at(mem, i);
    if (!k->freed)
      b[n++] = (struct functional_buffer){k->addr, k->size};
  }
  m->warm(m, b, n);
  free(b);
}

bool functional_cancelled(const struct functional_machine *m, struct error *err) {
  return !m->cancelled || error_set(err, EXIT_CANCELLED, "cancelled; what was counted until then is partial");
}

static bool load(struct runner *r, const struct launch_file *f, struct error *err) {
  uint64_t launches = 0;
  for (size_t i = 0; i < f->nptx; i++) {
    const struct launch_ptx *ptx = &f->ptx[i];
    if (!runner_load(r, ptx->path ? ptx->path : f->path, ptx->text, ptx->n, err))
      return false;
  }
  for (size_t i = 0; i < f->nsteps; i++)
    if (f->steps[i].kind == STEP_LAUNCH)
      launches += f->steps[i].repeat;
  runner_expect(r, launches);
  return true;
}

/* The steps of a launch file. */
struct steps {
  struct launch_setup *s;
  bool no_verify;
  size_t at;      /* the step that runs */
  uint64_t times; /* of a launch: how often it has run */
  size_t filled;  /* steps before this one have been done */
};

/* What comes after the launch that runs. A check of buffers waits for its turn. */
static bool next_launch(void *steps, struct runner_next *n) {
  struct steps *t = steps;
  size_t i = t->at;
  bool again = t->times + 1 < t->s->file->steps[i].repeat;
  struct error ignored = {0}; /* a fill that fails is done again in its turn */
  for (i += !again; i < t->s->file->nsteps; i++) {
    const struct launch_step *step = &t->s->file->steps[i];
    if (step->kind == STEP_LAUNCH && step->repeat) {
      *n = (struct runner_next){t->s->bound[i].kernel, &t->s->bound[i].launch};
      return true;
    }
    bool done = step->kind == STEP_FILL ? launch_step_fill(t->s, i, &ignored)
                                        : step->kind != STEP_CHECK || t->no_verify;
    error_clear(&ignored);
    if (!done)
      return false;
    t->filled = i + 1;
  }
  return false;
}

static bool execute(struct runner *r, struct steps *t, struct error *err) {
  runner_ahead(r, next_launch, t);
  for (size_t i = 0; i < t->s->file->nsteps; i++) {
    const struct launch_step *step = &t->s->file->steps[i];
    const struct launch_bound *b = &t->s->bound[i];
    if (step->kind == STEP_FILL && i >= t->filled && !launch_step_fill(t->s, i, err))
      return false;
    if (step->kind == STEP_CHECK && !t->no_verify && !launch_step_check(t->s, i, err))
      return false;
    t->at = i;
    for (t->times = 0; step->kind == STEP_LAUNCH && t->times < step->repeat; t->times++)
      if (!runner_launch(r, b->kernel, &b->launch, err))
        return false;
  }
  return true;
}

bool functional_run(const char *path, const struct conf *conf, const struct functional_options *o,
                    struct report *report, struct error *err) {
  struct launch_file *f = launch_file_load(path, err);
  if (!f)
    return false;
  struct runner *r = runner_open(conf, o, report);
  size_t n;
  bool ok = load(r, f, err) && runner_check(r, err);
  const struct kernel_info *const *kernels = runner_kernels(r, &n);
  struct launch_setup *setup = ok ? launch_prepare(f, runner_memory(r), kernels, n, err) : NULL;
  if (setup) {
    struct steps steps = {.s = setup, .no_verify = o->no_verify};
    ok = execute(r, &steps, err);
    runner_finish(r, ok, err);
    ok = ok && runner_keep(r, err);
    if (ok && !launch_outputs(setup, NULL, o->no_verify, err)) {
      ok = false;
      report->status = "mismatch";
    }
  }
  runner_close(r); /* which may know launches of the setup */
  launch_setup_free(setup);
  launch_file_free(f);
  return ok && setup;
}

static const char imported[] =
    "Imported from a trace of Accel-Sim, which has no values: nothing was executed, checked or verified. "
    "These mean less:\n"
    "  memcheck.violations   no access is checked\n"
    "  footprint             only what was copied to the GPU before the first kernel\n"
    "  loads.const, l1c.*    most constant loads have no addresses in a trace: they hit\n"
    "  loads, *.global       textures, surfaces and bulk copies have no addresses: they cause no traffic\n"
    "  shared.bank_cycles    LDGSTS has no shared addresses: it causes no conflicts there\n"
    "  branches              lanes are those that the tracer saw, after the predicate\n"
    "  barriers              all warps of a CTA meet at barrier 0, whatever its number was";

bool functional_replay(const char *path, const struct conf *conf, const struct functional_options *o,
                       struct report *report, struct error *err) {
  struct trace_reader *t = trace_open(path, err);
  if (!t)
    return false;
  if (trace_head(t).origin == TRACE_ACCELSIM)
    report->note = imported;
  struct runner *r = runner_open(conf, o, report);
  bool ok = runner_replay(r, t, path, err);
  runner_finish(r, ok, err);
  runner_close(r);
  trace_free(t);
  return ok;
}
