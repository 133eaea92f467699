#include "front/functional.h"
#include "base/mem.h"
#include "front/count.h"
#include "front/launch/launch.h"
#include "front/params.h"
#include "tables.h"
#include <stdlib.h>

/* One PTX file, loaded, and what counting has learnt about it. */
struct unit {
  struct program *program;
  struct front_counter *counter;
};

struct run {
  struct launch_file *file;
  struct devmem *mem;
  struct launch_setup *setup;
  struct unit *units;                 /* one for each PTX file */
  const struct kernel_info **kernels; /* of all units */
  size_t *unit_of;                    /* the unit of each kernel */
  size_t nkernels, cap_kernels, cap_units;
  uint64_t launch, launches; /* done, and in all, repetitions counted */
  struct exec_options exec;
  struct progress progress;
  struct front_counters total;
  struct report *report;
  double exec_seconds;
  struct functional_machine *machine;
  struct unit *running;
  struct front_counters counted; /* of the launch that runs */
};

static void warn(void *unused, const char *text) {
  (void)unused;
  fflush(stdout);
  fprintf(stderr, "%s\n", text);
}

static bool load_unit(struct run *r, size_t i, struct error *err) {
  const struct launch_ptx *ptx = &r->file->ptx[i];
  const char *path = ptx->path ? ptx->path : r->file->path;
  struct ptx_module *m = ptx->text ? ptx_parse(ptx->text, ptx->n, path, err) : ptx_parse_file(path, err);
  struct unit *u = &r->units[i];
  if (!m || !(u->program = program_load(m, r->mem, err)))
    return false;
  u->counter = front_counter_new();
  for (size_t k = 0; k < program_kernels(u->program); k++) {
    size_t n = r->nkernels;
    r->unit_of = vec_grow(r->unit_of, n, &r->cap_units, sizeof *r->unit_of);
    r->unit_of[n] = i;
    VEC_PUSH(r->kernels, r->nkernels, r->cap_kernels) = program_kernel_at(u->program, k);
  }
  return true;
}

static bool load(struct run *r, const char *path, const struct conf *conf, struct error *err) {
  struct devmem_options memory = front_devmem_options(conf);
  r->file = launch_file_load(path, err);
  if (!r->file)
    return false;
  r->mem = devmem_create(&memory);
  r->units = xcalloc(r->file->nptx, sizeof *r->units);
  for (size_t i = 0; i < r->file->nptx; i++)
    if (!load_unit(r, i, err))
      return false;
  for (size_t i = 0; i < r->file->nsteps; i++)
    if (r->file->steps[i].kind == STEP_LAUNCH)
      r->launches += r->file->steps[i].repeat;
  r->setup = launch_prepare(r->file, r->mem, r->kernels, r->nkernels, err);
  return r->setup != NULL;
}

/* One launch: its CTAs; several: launches, which may differ much but are all there is to go by. */
static void show_progress(struct run *r, const struct exec *x, uint64_t instructions) {
  if (r->launches == 1)
    progress_update(&r->progress, exec_ctas_done(x), exec_ctas(x), instructions);
  else
    progress_update(&r->progress, r->launch, r->launches, instructions);
}

static void seen(void *ctx, const struct exec *x, const struct sluice_segment *s) {
  struct run *r = ctx;
  front_count(r->running->counter, x, s, &r->counted);
  show_progress(r, x, r->total.warp_instructions + r->counted.warp_instructions);
}

/* Consumes the stream: on the machine, or by counting alone. */
static bool consume(struct run *r, struct exec *x, const struct launch_bound *b, struct error *err) {
  if (r->machine)
    return r->machine->run(r->machine, x, r->kernels[b->kernel], &b->launch, err);
  struct sluice_segment s;
  int more;
  while ((more = exec_next(x, &s, err)) > 0)
    seen(r, x, &s);
  return more == 0;
}

static bool execute(struct run *r, const struct launch_bound *b, struct error *err) {
  struct unit *u = &r->units[r->unit_of[b->kernel]];
  struct exec *x = exec_open(u->program, r->mem, &b->launch, &r->exec, err);
  if (!x)
    return false;
  r->running = u;
  r->counted = (struct front_counters){0};
  double start = stats_cpu_clock();
  bool ok = consume(r, x, b, err);
  r->exec_seconds += stats_cpu_clock() - start;
  r->counted.ctas = exec_ctas_done(x);
  r->counted.memcheck_violations = exec_violations(x);
  exec_close(x);
  struct stats *stats = tables_stats();
  front_counters_put(&r->counted, stats);
  if (r->machine)
    r->machine->put_launch(r->machine, stats);
  front_counters_add(&r->total, &r->counted);
  report_add_kernel(r->report, b->launch.kernel, b->launch.grid, b->launch.block, stats);
  r->launch++;
  return ok;
}

static bool execute_all(struct run *r, struct error *err) {
  for (size_t i = 0; i < r->file->nsteps; i++) {
    const struct launch_step *step = &r->file->steps[i];
    if (step->kind == STEP_FILL) {
      if (!launch_step_fill(r->setup, i, err))
        return false;
      continue;
    }
    for (uint64_t k = 0; k < step->repeat; k++)
      if (!execute(r, &r->setup->bound[i], err))
        return false;
  }
  return true;
}

static void release(struct run *r) {
  if (r->setup)
    launch_setup_free(r->setup);
  for (size_t i = 0; r->units && i < r->file->nptx; i++) {
    front_counter_free(r->units[i].counter);
    if (r->units[i].program)
      program_free(r->units[i].program);
  }
  free(r->units);
  free(r->kernels);
  free(r->unit_of);
  if (r->mem)
    devmem_destroy(r->mem);
  if (r->file)
    launch_file_free(r->file);
}

static const char *status_of(const struct error *err) {
  return err->code == EXIT_FAULT ? "fault" : err->code == EXIT_STALL ? "stall" : "failed";
}

bool functional_run(const char *path, const struct conf *conf, const struct functional_options *o,
                    struct report *report, struct error *err) {
  double start = stats_wall_clock();
  struct run r = {.report = report, .exec = front_exec_options(conf), .machine = o->machine};
  r.exec.printf_to = o->printf_to;
  r.exec.warn = warn;
  bool ok = load(&r, path, conf, err);
  if (ok) {
    if (r.machine) {
      r.machine->seen = seen;
      r.machine->ctx = &r;
      r.machine->warm(r.machine, r.mem);
    }
    progress_start(&r.progress, o->progress, "warp instructions");
    ok = execute_all(&r, err);
    progress_end(&r.progress);
    report->status = ok ? NULL : status_of(err);
    if (ok && !launch_outputs(r.setup, NULL, err)) {
      ok = false;
      report->status = "mismatch";
    }
    report->total = tables_stats();
    front_counters_put(&r.total, report->total);
    if (r.machine)
      r.machine->put_total(r.machine, report->total);
    stats_put_host(report->total, start);
    stats_put_f64(report->total, "sim.exec_seconds", r.exec_seconds);
    if (r.exec_seconds > 0)
      stats_put_f64(report->total, "sim.warp_instructions_per_second",
                    (double)r.total.warp_instructions / r.exec_seconds);
  }
  release(&r);
  return ok;
}
