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

static bool execute(struct runner *r, struct launch_setup *s, bool no_verify, struct error *err) {
  for (size_t i = 0; i < s->file->nsteps; i++) {
    const struct launch_step *step = &s->file->steps[i];
    const struct launch_bound *b = &s->bound[i];
    if (step->kind == STEP_FILL && !launch_step_fill(s, i, err))
      return false;
    if (step->kind == STEP_CHECK && !no_verify && !launch_step_check(s, i, err))
      return false;
    for (uint64_t k = 0; step->kind == STEP_LAUNCH && k < step->repeat; k++)
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
    ok = execute(r, setup, o->no_verify, err);
    runner_finish(r, ok, err);
    ok = ok && runner_keep(r, err);
    if (ok && !launch_outputs(setup, NULL, o->no_verify, err)) {
      ok = false;
      report->status = "mismatch";
    }
  }
  launch_setup_free(setup);
  runner_close(r);
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
