#include "front/runner.h"
#include "base/mem.h"
#include "front/count.h"
#include "front/params.h"
#include "front/registers.h"
#include "front/footprint.h"
#include "front/trace/trace.h"
#include "tables.h"
#include <stdlib.h>
#include <string.h>

/* One PTX file, loaded, and what counting has learnt about it. */
struct unit {
  struct program *program;
  struct front_counter *counter;
};

struct runner {
  struct devmem *mem;
  struct unit *units; /* one for each PTX file */
  size_t nunits, cap_units;
  const struct kernel_info **kernels; /* of all units */
  size_t *unit_of;                    /* the unit of each kernel */
  size_t nkernels, cap_kernels, cap_unit_of;
  uint64_t launch, launches; /* done, and in all, repetitions counted */
  struct exec_options exec;
  struct registers *registers;
  struct progress progress;
  struct front_counters total;
  struct report *report;
  double start, exec_seconds;
  struct functional_machine *machine;
  bool warm;
  struct footprint *touched; /* NULL: not wanted */
  struct unit *running;
  const struct exec *executor;   /* of the launch that runs */
  const char *record;            /* where the stream goes, NULL: nowhere */
  struct trace_writer *writer;   /* opened with the first launch */
  uint64_t footprint;            /* of a recording; 0: what is in memory */
  struct front_counters counted; /* of the launch that runs */
  struct functional_watch watch;
  bool watched; /* by somebody who wants nothing on standard error */
  bool (*next)(void *ctx, struct runner_next *n);
  void *next_ctx;
  /* The launch after the one that runs, as the machine was told; x: NULL: none is known. */
  struct opened {
    struct exec *x;
    struct kernel_info k;
    struct runner_next n;
  } opened;
};

static void warn(void *runner, const char *text) {
  const struct runner *r = runner;
  if (r->watch.warn || r->watched) {
    if (r->watch.warn)
      r->watch.warn(r->watch.ctx, text);
    return;
  }
  fflush(stdout);
  fprintf(stderr, "%s\n", text);
}

/* One launch, or an unknown number: its CTAs; several: launches, which may differ much but are all there is
 * to go by. */
static void show_progress(struct runner *r, const struct exec *x, uint64_t instructions) {
  if (r->launches <= 1)
    progress_update(&r->progress, exec_ctas_done(x), exec_ctas(x), instructions);
  else
    progress_update(&r->progress, r->launch, r->launches, instructions);
}

static void count(void *ctx, const struct exec *x, const struct sluice_segment *s,
                  struct front_counters *to) {
  struct runner *r = ctx;
  front_count(r->running->counter, x, s, to);
  if (r->touched)
    footprint_see(r->touched, x, s);
  if (r->writer)
    trace_segment(r->writer, x, s);
  to->ctas += s->last;
}

static void seen(void *ctx, const struct front_counters *c) {
  struct runner *r = ctx;
  front_counters_add(&r->counted, c);
}

/* The same in simulated time. */
static bool timing_progress(void *ctx, const struct functional_progress *p) {
  struct runner *r = ctx;
  uint64_t ctas = exec_ctas(r->executor);
  char launch[64] = "";
  if (r->launches > 1)
    snprintf(launch, sizeof launch, ", launch %llu of %llu", (unsigned long long)r->launch + 1,
             (unsigned long long)r->launches);
  /* instructions move on while all CTAs are resident and none is done */
  progress_note(&r->progress, "%s, %llu of %llu CTAs, %.1f M instructions, IPC %.1f", launch,
                (unsigned long long)p->ctas, (unsigned long long)ctas, (double)p->thread_instructions * 1e-6,
                p->cycles ? (double)p->thread_instructions / (double)p->cycles : 0);
  uint64_t launches = r->launches > 1 ? r->launches : 1, done = r->launches > 1 ? r->launch : 0;
  progress_update(&r->progress, done * ctas + p->ctas, launches * ctas, p->cycles);
  return !r->watch.progress || r->watch.progress(r->watch.ctx, r->launch, ctas, p);
}

static bool timing_interval(void *ctx, uint64_t cycle) {
  struct runner *r = ctx;
  struct front_counters sum = r->total;
  front_counters_add(&sum, &r->counted);
  return r->watch.interval(r->watch.ctx, r->launch, cycle, &sum);
}

void runner_use(struct runner *r, struct functional_machine *m) {
  r->machine = m;
  m->count = count;
  m->seen = seen;
  m->progress = timing_progress;
  m->interval = r->watch.interval ? timing_interval : NULL;
  m->ctx = r;
}

void runner_configure(struct runner *r, const struct conf *conf) {
  struct exec_options o = front_exec_options(conf);
  o.printf_to = r->exec.printf_to, o.warn = r->exec.warn, o.warn_ctx = r->exec.warn_ctx;
  r->exec = o;
}

struct program *runner_program(const struct runner *r, size_t unit) {
  return unit < r->nunits ? r->units[unit].program : NULL;
}
size_t runner_units(const struct runner *r) {
  return r->nunits;
}
size_t runner_unit_of(const struct runner *r, size_t kernel) {
  return r->unit_of[kernel];
}
const struct exec_options *runner_exec(const struct runner *r) {
  return &r->exec;
}

void runner_count(struct runner *r, size_t unit, const struct exec *x, const struct sluice_segment *s,
                  struct front_counters *to) {
  front_count(r->units[unit].counter, x, s, to);
}
void runner_counted(struct runner *r, const struct front_counters *c) {
  front_counters_add(&r->total, c);
}

struct runner *runner_open(const struct conf *conf, const struct functional_options *o,
                           struct report *report) {
  struct runner *r = xcalloc(1, sizeof *r);
  struct devmem_options memory = front_devmem_options(conf);
  r->start = stats_wall_clock();
  r->report = report;
  r->exec = front_exec_options(conf);
  r->registers = registers_read(conf);
  r->exec.printf_to = o->printf_to;
  r->exec.warn = warn;
  r->exec.warn_ctx = r;
  r->watched = o->watch;
  if (o->watch)
    r->watch = *o->watch;
  r->record = o->record;
  r->mem = devmem_create(&memory);
  if (conf_bool(conf, "front.touched"))
    r->touched = footprint_new();
  if (o->machine)
    runner_use(r, o->machine);
  progress_start(&r->progress, o->progress, r->machine ? "cycles" : "warp instructions");
  return r;
}

/* The launch that was opened before its time is not run. */
static void forget_opened(struct runner *r) {
  if (!r->opened.x)
    return;
  r->machine->forget_next(r->machine);
  exec_close(r->opened.x);
  r->opened.x = NULL;
}

void runner_close(struct runner *r) {
  if (!r)
    return;
  if (r->machine)
    r->machine->next = NULL;
  forget_opened(r);
  struct error ignored = {0};
  trace_close(r->writer, 0, false, &ignored); /* cut off: nothing is left of it */
  error_clear(&ignored);
  for (size_t i = 0; i < r->nunits; i++) {
    front_counter_free(r->units[i].counter);
    if (r->units[i].program)
      program_free(r->units[i].program);
  }
  free(r->units);
  free(r->kernels);
  free(r->unit_of);
  devmem_destroy(r->mem);
  footprint_free(r->touched);
  registers_free(r->registers);
  free(r);
}

bool runner_load(struct runner *r, const char *path, const char *text, size_t n, struct error *err) {
  struct ptx_module *m = text ? ptx_parse(text, n, path, err) : ptx_parse_file(path, err);
  struct program *p = program_load_as(m, r->exec.schedule, r->mem, err);
  if (!p)
    return false;
  if (!registers_count(r->registers, p, path, text, n, err)) {
    program_free(p);
    return false;
  }
  VEC_PUSH(r->units, r->nunits, r->cap_units) = (struct unit){p, front_counter_new()};
  for (size_t k = 0; k < program_kernels(p); k++) {
    size_t i = r->nkernels;
    r->unit_of = vec_grow(r->unit_of, i, &r->cap_unit_of, sizeof *r->unit_of);
    r->unit_of[i] = r->nunits - 1;
    VEC_PUSH(r->kernels, r->nkernels, r->cap_kernels) = program_kernel_at(p, k);
  }
  return true;
}

bool runner_check(const struct runner *r, struct error *err) {
  return registers_known(r->registers, r->kernels, r->nkernels, err);
}

/* The executor of a launch, which begins in this moment. */
static struct exec *open_launch(struct runner *r, struct runner_next n, struct kernel_info *k,
                                struct error *err) {
  struct unit *u = &r->units[r->unit_of[n.kernel]];
  *k = *r->kernels[n.kernel];
  registers_choose(r->registers, k, n.l->registers);
  struct exec *x = exec_open(u->program, r->mem, n.l, &r->exec, err);
  r->running = u; /* what the launch before has executed is counted */
  return x;
}

/* Of the machine: see functional_machine.next. A recording is written launch by launch. */
static bool machine_next(void *ctx, struct functional_next *to) {
  struct runner *r = ctx;
  struct error ignored = {0}; /* whoever runs the launch will see it, too */
  struct opened *o = &r->opened;
  if (!r->next || r->record || !r->next(r->next_ctx, &o->n))
    return false;
  o->x = open_launch(r, o->n, &o->k, &ignored);
  error_clear(&ignored);
  if (!o->x)
    return false;
  r->machine->spill(r->machine, &o->k, o->n.l);
  *to = (struct functional_next){o->x, &o->k, o->n.l};
  return true;
}

void runner_ahead(struct runner *r, bool (*next)(void *ctx, struct runner_next *n), void *ctx) {
  r->next = next, r->next_ctx = ctx;
  if (r->machine && r->machine->forget_next)
    r->machine->next = next ? machine_next : NULL;
}

struct devmem *runner_memory(struct runner *r) {
  return r->mem;
}

const struct kernel_info *const *runner_kernels(const struct runner *r, size_t *n) {
  *n = r->nkernels;
  return r->kernels;
}

void runner_expect(struct runner *r, uint64_t launches) {
  r->launches = launches;
}

/* Consumes the stream: on the machine, or by counting alone. */
static bool consume(struct runner *r, struct exec *x, const struct kernel_info *k, const struct launch *l,
                    struct error *err) {
  if (r->machine)
    return r->machine->run(r->machine, x, k, l, err);
  struct sluice_segment s;
  int more;
  while ((more = exec_next(x, &s, err)) > 0) {
    count(r, x, &s, &r->counted);
    show_progress(r, x, r->total.warp_instructions + r->counted.warp_instructions);
    struct functional_progress p = {.ctas = exec_ctas_done(x)};
    if (r->watch.progress && !r->watch.progress(r->watch.ctx, r->launch, exec_ctas(x), &p))
      return error_set(err, EXIT_CANCELLED, "cancelled; what was counted until then is partial");
  }
  return more == 0;
}

/* One launch, executed or read, is consumed and put into the report. */
static bool one(struct runner *r, struct exec *x, struct kernel_info *k, const struct launch *l,
                struct error *err) {
  if (r->machine)
    r->machine->spill(r->machine, k, l);
  r->executor = x;
  r->counted = (struct front_counters){0};
  double start = stats_cpu_clock();
  bool ok = consume(r, x, k, l, err);
  /* a machine that was cut off has not got to all that was executed; a fault ends both */
  if (!r->machine || err->code == EXIT_FAULT)
    r->counted.memcheck_violations = exec_violations(x);
  if (r->writer && ok)
    trace_end(r->writer, r->counted.ctas, exec_violations(x));
  exec_close(x);
  r->exec_seconds += stats_cpu_clock() - start;
  struct stats *stats = tables_stats();
  struct stat_detail detail = {0};
  front_counters_put(&r->counted, stats);
  front_registers_put(k, stats);
  if (r->machine)
    r->machine->put_launch(r->machine, stats, &detail);
  front_counters_add(&r->total, &r->counted);
  report_add_kernel(r->report, l->kernel, l->grid, l->block, stats, &detail);
  r->launch++;
  return ok;
}

static bool record(struct runner *r, size_t program, const struct kernel_info *k, const struct launch *l,
                   struct error *err) {
  if (!r->writer && !(r->writer = trace_create(r->record, &r->exec, TRACE_RECORDED, err)))
    return false;
  struct trace_launch t = {.kernel = l->kernel,
                           .program = (uint32_t)program,
                           .dynamic_shared = l->dynamic_shared,
                           .static_shared = k->static_shared,
                           .registers = k->registers,
                           .registers_from = k->registers_from};
  memcpy(t.grid, l->grid, sizeof t.grid);
  memcpy(t.block, l->block, sizeof t.block);
  trace_begin(r->writer, &t, r->mem);
  return true;
}

bool runner_launch(struct runner *r, size_t kernel, const struct launch *l, struct error *err) {
  if (r->machine && !r->warm)
    functional_warm(r->machine, r->mem);
  r->warm = true;
  struct opened o = r->opened;
  if (o.x && (o.n.kernel != kernel || o.n.l != l))
    panic("launch %llu is another than the one that was executed before its time",
          (unsigned long long)r->launch);
  r->opened.x = NULL;
  double start = stats_cpu_clock();
  if (!o.x)
    o.x = open_launch(r, (struct runner_next){kernel, l}, &o.k, err);
  r->exec_seconds += stats_cpu_clock() - start;
  if (!o.x)
    return false;
  if (r->record && !record(r, r->unit_of[kernel], &o.k, l, err)) {
    exec_close(o.x);
    return false;
  }
  return one(r, o.x, &o.k, l, err);
}

bool runner_generate(struct runner *r, gen_open_fn *open, const void *what, const uint64_t *buffers,
                     struct error *err) {
  struct launch l;
  struct kernel_info k;
  struct exec *x = open(what, buffers, &r->exec, &l, &k, err);
  if (!x)
    return false;
  registers_override(r->registers, &k);
  const struct kernel_info *only = &k;
  if (!registers_known(r->registers, &only, 1, err)) {
    exec_close(x);
    return false;
  }
  VEC_PUSH(r->units, r->nunits, r->cap_units) = (struct unit){NULL, front_counter_new()};
  if (r->machine && !r->warm)
    functional_warm(r->machine, r->mem);
  r->warm = true;
  if (r->record && !record(r, r->nunits - 1, &k, &l, err)) {
    exec_close(x);
    return false;
  }
  r->running = &r->units[r->nunits - 1];
  return one(r, x, &k, &l, err);
}

/* What was recorded must not be asked for otherwise. */
static bool same_front(const struct runner *r, const struct trace_head *h, const char *path,
                       struct error *err) {
  static const char *const names[] = {"ptx", "assembler", "assembler9"};
  if (r->exec.warp_width != h->warp_width)
    return error_set(err, EXIT_USAGE, "%s was recorded with warps of %u threads, front.warp_width is %u",
                     path, h->warp_width, r->exec.warp_width);
  if (front_access(r->exec.shared, r->exec.lanes) != h->access) {
    static const char *const shared[] = {"banks", "lanes"}, *const lanes[] = {"active", "all"};
    return error_set(err, EXIT_USAGE,
                     "%s was recorded with front.shared = %s and front.lanes = %s; --set front.shared=%s "
                     "--set front.lanes=%s runs it",
                     path, shared[h->access & 1], lanes[h->access >> 1], shared[h->access & 1],
                     lanes[h->access >> 1]);
  }
  return h->origin == TRACE_ACCELSIM || /* the order of the GPU it was traced on */
         (unsigned)r->exec.schedule == h->schedule ||
         error_set(
             err, EXIT_USAGE,
             "%s was recorded with front.schedule = %s, which is %s now; --set front.schedule=%s runs it",
             path, names[h->schedule], names[r->exec.schedule], names[h->schedule]);
}

static bool replay_check(const struct runner *r, const struct trace_reader *t, size_t launches,
                         struct error *err) {
  struct kernel_info *info = xcalloc(launches + 1, sizeof *info);
  const struct kernel_info **list = xcalloc(launches + 1, sizeof *list);
  for (size_t i = 0; i < launches; i++)
    info[i].name = trace_launch_at(t, i)->kernel, list[i] = &info[i];
  bool ok = registers_known(r->registers, list, launches, err);
  for (size_t i = 0; ok && i < launches; i++)
    ok = registers_recorded(r->registers, trace_launch_at(t, i)->registers_from, err);
  free(info), free(list);
  return ok;
}

bool runner_replay(struct runner *r, struct trace_reader *t, const char *path, struct error *err) {
  struct trace_head h = trace_head(t);
  if (!same_front(r, &h, path, err) || !replay_check(r, t, h.launches, err))
    return false;
  for (size_t i = 0; i < h.programs; i++)
    VEC_PUSH(r->units, r->nunits, r->cap_units) = (struct unit){NULL, front_counter_new()};
  struct functional_buffer *b = xcalloc(h.buffers + 1, sizeof *b);
  for (size_t i = 0; i < h.buffers; i++)
    trace_buffer(t, i, &b[i].address, &b[i].size);
  if (r->machine && h.launches)
    r->machine->warm(r->machine, b, h.buffers);
  free(b);
  r->footprint = h.footprint;
  runner_expect(r, h.launches);
  bool ok = true;
  for (size_t i = 0; ok && i < h.launches; i++) {
    const struct trace_launch *k = trace_launch_at(t, i);
    struct kernel_info info = {.name = k->kernel,
                               .static_shared = k->static_shared,
                               .registers = k->registers,
                               .registers_from = (uint8_t)k->registers_from};
    registers_override(r->registers, &info);
    struct launch l = {.kernel = k->kernel, .dynamic_shared = k->dynamic_shared};
    memcpy(l.grid, k->grid, sizeof l.grid);
    memcpy(l.block, k->block, sizeof l.block);
    r->running = &r->units[k->program];
    struct exec *x = trace_exec(t, i);
    ok = x && one(r, x, &info, &l, err);
  }
  return ok;
}

bool runner_keep(struct runner *r, struct error *err) {
  struct trace_writer *w = r->writer;
  r->writer = NULL;
  return trace_close(w, devmem_bytes(r->mem), true, err);
}

static const char *status_of(const struct runner *r, const struct error *err) {
  return err->code > 128                 ? "interrupted"
         : r->machine && r->machine->cut ? "cut"
         : err->code == EXIT_FAULT       ? "fault"
         : err->code == EXIT_STALL       ? "stall"
                                         : "failed";
}

void runner_finish(struct runner *r, bool ok, const struct error *err) {
  struct report *report = r->report;
  progress_end(&r->progress);
  report->status = ok ? NULL : status_of(r, err);
  report->total = tables_stats();
  front_counters_put(&r->total, report->total);
  if (r->touched) {
    uint64_t sectors = footprint_sectors(r->touched);
    stats_put_u64(report->total, "touched.bytes", sectors * 32);
    if (sectors)
      stats_put_f64(report->total, "touched.reuse", (double)r->total.global_sectors / (double)sectors);
  }
  stats_put_u64(report->total, "footprint", r->footprint ? r->footprint : devmem_bytes(r->mem));
  if (r->machine)
    r->machine->put_total(r->machine, report->total, &report->detail);
  stats_put_host(report->total, r->start);
  stats_put_f64(report->total, "sim.exec_seconds", r->exec_seconds);
  if (r->exec_seconds > 0)
    stats_put_f64(report->total, "sim.warp_instructions_per_second",
                  (double)r->total.warp_instructions / r->exec_seconds);
  double cycles;
  if (r->exec_seconds > 0 && stats_get(report->total, "cycles", &cycles))
    stats_put_f64(report->total, "sim.cycles_per_second", cycles / r->exec_seconds);
}
