#include "host/sim.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/progress.h"
#include "front/count.h"
#include "front/functional.h"
#include "front/params.h"
#include "front/registers.h"
#include "front/trace/trace.h"
#include "gpu/machine.h"
#include "gpu/occupancy.h"
#include "gpu/presets.h"
#include "host/choose.h"
#include "host/dying.h"
#include "host/outcome.h"
#include "tables.h"
#include "tech/tech.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim {
  struct conf *conf;
  struct gpu_config gpu;
  struct dram_device dram;
  char *gpu_name;
  struct devmem *mem;
  struct functional_machine *machine; /* made by the first launch; NULL: functional */
  bool functional, broken;
  unsigned warnings, buffers, modules;
  struct kernel_info *known; /* names of all kernels there were */
  size_t nknown, cap_known;
  struct exec_options exec;
  struct registers *registers;
  uint64_t now;
  char *why; /* the last launch that failed */
  struct outcome *outcome;
  struct trace_writer *writer; /* opened by the first launch, if streams are to be kept */
  uint64_t footprint;          /* the most bytes there were at a launch */
  struct dying *dying;
  struct progress progress;
  uint64_t launches; /* begun, timed or not */
  double checkpoint; /* wall clock of the last one */
  /* of the launch that runs */
  struct sim_module *running;
  struct exec *executor;
  const char *kernel;
  struct front_counters counted;
};

enum { CHECKPOINT_SECONDS = 10 };

struct sim_module {
  uint32_t number;
  struct program *program;
  struct front_counter *counter;
};

static bool load_plugin(struct conf *c, const char *path, struct error *err) {
  (void)c; /* made afterwards: a technique brings parameters of its own */
  return tech_plugin(path, err);
}

/* The parts of an environment variable, one by one. */
static bool each(const char *variable, char separator, struct conf *c,
                 bool (*apply)(struct conf *c, const char *part, struct error *err), struct error *err) {
  const char *list = getenv(variable);
  bool ok = true;
  while (list && *list) {
    const char *end = strchr(list, separator);
    char *part = xstrndup(list, end ? (size_t)(end - list) : strlen(list));
    ok = (!*part || apply(c, part, err)) && ok;
    free(part);
    list = end ? end + 1 : "";
  }
  return ok;
}

static bool configure(struct sim *s, struct error *err) {
  const char *gpu = getenv("SLUICE_GPU"), *functional = getenv("SLUICE_FUNCTIONAL");
  if (!each("SLUICE_PLUGINS", ':', NULL, load_plugin, err))
    return false;
  s->conf = tables_conf();
  conf_assign(s->conf, "front.memcheck", "reads", "host", err);
  s->gpu_name = xstrdup(gpu && *gpu ? gpu : GPU_PRESET_DEFAULT);
  s->functional = functional && *functional && strcmp(functional, "0") != 0;
  return gpu_preset_load(s->conf, s->gpu_name, err) &&
         each("SLUICE_CONFIG", ':', s->conf, conf_load_file, err) &&
         each("SLUICE_WITH", '\n', s->conf, tech_with, err) &&
         each("SLUICE_SET", '\n', s->conf, conf_set, err) && gpu_config_read(&s->gpu, s->conf, err) &&
         dram_device_load(&s->dram, s->gpu.memory.device, err);
}

enum { MOST_WARNINGS = 20 }; /* of a program: a mistake tends to come back with every launch */

static void say(const char *text) {
  fflush(stdout);
  fprintf(stderr, "sluice: %s\n", text);
}

static void warn(void *ctx, const char *text) {
  struct sim *s = ctx;
  if (s->warnings++ < MOST_WARNINGS)
    say(text);
  else if (s->warnings == MOST_WARNINGS + 1)
    say("further reports like these are left out");
}

/* The program dies: nobody else is at work. */
static void tell_partial(void *ctx, int sig) {
  struct sim *s = ctx;
  bool asked = sig == SIGINT || sig == SIGTERM || sig == SIGHUP;
  progress_end(&s->progress);
  outcome_partial(s->outcome, asked ? "interrupted" : "crashed");
  sim_tell(s);
}

static enum progress_mode progress_wanted(void) {
  const char *how = getenv("SLUICE_PROGRESS");
  return how && strcmp(how, "auto") == 0    ? PROGRESS_AUTO
         : how && strcmp(how, "plain") == 0 ? PROGRESS_PLAIN
                                            : PROGRESS_NONE;
}

static bool show(void *ctx, const struct functional_progress *p) {
  struct sim *s = ctx;
  uint64_t ctas = exec_ctas(s->executor);
  progress_note(&s->progress, ", launch %llu, %.40s, %llu of %llu CTAs", (unsigned long long)s->launches,
                s->kernel, (unsigned long long)p->ctas, (unsigned long long)ctas);
  progress_update(&s->progress, p->ctas, ctas, p->cycles);
  return true;
}

struct sim *sim_open(struct error *err) {
  struct sim *s = xcalloc(1, sizeof *s);
  if (!configure(s, err)) {
    if (s->conf)
      conf_free(s->conf);
    free(s->gpu_name);
    free(s);
    return NULL;
  }
  struct devmem_options o = front_devmem_options(s->conf);
  s->mem = devmem_create(&o);
  s->exec = front_exec_options(s->conf);
  s->registers = registers_read(s->conf);
  s->exec.warn = warn;
  s->exec.warn_ctx = s;
  s->outcome = outcome_new();
  s->checkpoint = stats_wall_clock();
  progress_start(&s->progress, progress_wanted(), s->functional ? "warp instructions" : "cycles");
  s->dying = dying_watch(tell_partial, s);
  return s;
}

/* A program brings its kernels one by one: only at its end is it known which there were. */
static void check_names(struct sim *s) {
  struct error err = {0};
  const struct kernel_info **list = xcalloc(s->nknown + 1, sizeof *list);
  for (size_t i = 0; i < s->nknown; i++)
    list[i] = &s->known[i];
  if (s->nknown && !registers_known(s->registers, list, s->nknown, &err)) {
    say(err.text);
    outcome_fail(s->outcome, err.code);
  }
  error_clear(&err);
  free(list);
}

void sim_tell(struct sim *s) {
  struct error err = {0};
  check_names(s);
  if (s->writer && !trace_close(s->writer, s->footprint, !outcome_code(s->outcome), &err) && err.text) {
    say(err.text);
    outcome_fail(s->outcome, err.code);
  }
  s->writer = NULL;
  error_clear(&err);
  outcome_tell(s->outcome, s->conf, s->machine);
}

const struct gpu_config *sim_gpu(const struct sim *s) {
  return &s->gpu;
}
const char *sim_gpu_name(const struct sim *s) {
  return s->gpu_name;
}
uint64_t sim_memory_bytes(const struct sim *s) {
  return dram_device_bytes(&s->dram) * s->gpu.l2.channels * s->gpu.memory.controllers *
         s->gpu.memory.lockstep;
}
int sim_image_layout(const struct sim *s) {
  return (int)conf_enum(s->conf, "host.image_layout");
}

unsigned sim_capability(const struct sim *s) {
  return (unsigned)conf_u64(s->conf, "host.cuda_capability");
}
double sim_peak_bandwidth(const struct sim *s) {
  return gpu_peak_bandwidth(&s->gpu, &s->dram);
}
bool sim_is_broken(const struct sim *s) {
  return s->broken;
}
const char *sim_why(const struct sim *s) {
  return s->why ? s->why : "";
}
unsigned sim_warp_width(const struct sim *s) {
  return s->exec.warp_width;
}

uint64_t sim_alloc(struct sim *s, uint64_t bytes, void *host) {
  struct error why = {0};
  uint64_t at = 0;
  char name[32];
  snprintf(name, sizeof name, "buffer %u", ++s->buffers);
  if (bytes <= sim_memory_bytes(s) && devmem_bytes(s->mem) <= sim_memory_bytes(s) - bytes)
    at = devmem_alloc_over(s->mem, bytes, host, name, &why);
  error_clear(&why);
  return at;
}

uint64_t sim_alloc_unified(struct sim *s, uint64_t bytes) {
  struct error why = {0};
  uint64_t at = 0;
  char name[32];
  snprintf(name, sizeof name, "buffer %u", ++s->buffers);
  if (bytes <= sim_memory_bytes(s) && devmem_bytes(s->mem) <= sim_memory_bytes(s) - bytes)
    at = devmem_alloc_unified(s->mem, bytes, name, &why);
  error_clear(&why);
  return at;
}

bool sim_adopt(struct sim *s, uint64_t address, uint64_t bytes, void *host) {
  struct error why = {0};
  char name[32];
  snprintf(name, sizeof name, "buffer %u", ++s->buffers);
  bool ok = devmem_adopt(s->mem, address, bytes, host, name, &why);
  error_clear(&why);
  return ok;
}

const struct devbuf *sim_find(const struct sim *s, uint64_t address) {
  return devmem_find(s->mem, address);
}
uint64_t sim_used_bytes(const struct sim *s) {
  return devmem_bytes(s->mem);
}

void sim_set_limits(struct sim *s, uint64_t heap, uint64_t stack) {
  if (heap)
    s->exec.heap_bytes = heap;
  if (stack)
    s->exec.stack_bytes = stack;
}
void sim_get_limits(const struct sim *s, uint64_t *heap, uint64_t *stack) {
  *heap = s->exec.heap_bytes;
  *stack = s->exec.stack_bytes;
}

void sim_free(struct sim *s, uint64_t address) {
  devmem_free(s->mem, address);
}

uint8_t *sim_bytes(const struct sim *s, uint64_t address) {
  return devmem_find(s->mem, address)->host;
}

struct sim_module *sim_load(struct sim *s, const char *ptx, size_t n, const char *name, struct error *err) {
  struct ptx_module *ast = ptx_parse(ptx, n, name, err);
  struct program *p = program_load_as(ast, s->exec.schedule, s->mem, err);
  if (!p)
    return NULL;
  if (!registers_count(s->registers, p, name, ptx, n, err)) {
    program_free(p);
    return NULL;
  }
  struct sim_module *m = xcalloc(1, sizeof *m);
  m->program = p;
  m->counter = front_counter_new();
  m->number = s->modules++;
  for (size_t i = 0; i < program_kernels(p); i++)
    VEC_PUSH(s->known, s->nknown, s->cap_known) =
        (struct kernel_info){.name = xstrdup(program_kernel_at(p, i)->name)};
  return m;
}

void sim_unload(struct sim *s, struct sim_module *m) {
  (void)s;
  front_counter_free(m->counter);
  program_free(m->program);
  free(m);
}

size_t sim_kernels(const struct sim_module *m) {
  return program_kernels(m->program);
}
const struct kernel_info *sim_kernel_at(const struct sim_module *m, size_t i) {
  return program_kernel_at(m->program, i);
}
const struct kernel_info *sim_kernel(const struct sim_module *m, const char *name) {
  struct error why = {0};
  const struct kernel_info *k = program_kernel(m->program, name, &why);
  error_clear(&why);
  return k;
}

uint32_t sim_registers(const struct sim *s, const struct kernel_info *k) {
  struct kernel_info chosen = *k;
  registers_choose(s->registers, &chosen, 0);
  return chosen.registers;
}

bool sim_symbol(const struct sim_module *m, const char *name, uint64_t *address, uint64_t *bytes) {
  return program_symbol(m->program, name, address, bytes);
}

void sim_missing(struct sim *s, const char *function) {
  if (!outcome_missing(s->outcome, function))
    return;
  fflush(stdout);
  fprintf(stderr, "sluice: %s is not supported\n", function);
}

void sim_fail(struct sim *s, int code, const char *text) {
  say(text);
  outcome_fail(s->outcome, code);
}

static void count(void *ctx, const struct exec *x, const struct sluice_segment *segment,
                  struct front_counters *to) {
  struct sim *s = ctx;
  front_count(s->running->counter, x, segment, to);
  if (s->writer)
    trace_segment(s->writer, x, segment);
  to->ctas += segment->last;
}

static void seen(void *ctx, const struct front_counters *c) {
  struct sim *s = ctx;
  front_counters_add(&s->counted, c);
}

static bool timing(struct sim *s, struct error *err) {
  if (s->functional || s->machine)
    return true;
  const char *threads = getenv("SLUICE_THREADS"), *most = getenv("SLUICE_MAX_CYCLES");
  struct machine_options o = {0};
  if (threads && *threads && !machine_threads(threads, &o.threads))
    return error_set(err, EXIT_USAGE, "SLUICE_THREADS=%.60s: auto or 1 to %d is wanted", threads,
                     MACHINE_MAX_THREADS);
  if (most && *most && num_u64(most, &o.max_cycles) != NUM_OK)
    return error_set(err, EXIT_USAGE, "SLUICE_MAX_CYCLES=%.60s: a whole number is wanted", most);
  if (!(s->machine = machine_new(s->conf, &o, err)))
    return false;
  s->machine->count = count;
  s->machine->seen = seen;
  s->machine->progress = show;
  s->machine->ctx = s;
  functional_warm(s->machine, s->mem);
  return true;
}

/* PTX has as many registers as it likes; a compiler for the GPU would spill rather than let a block fail to
 * fit an SM. */
static struct kernel_info compiled(const struct sim *s, const struct kernel_info *k, const struct launch *l) {
  struct kernel_info fitted = *k;
  registers_choose(s->registers, &fitted, l->registers);
  occupancy_spill(&s->gpu, &fitted, l, s->exec.warp_width);
  return fitted;
}

unsigned sim_occupancy(const struct sim *s, const struct kernel_info *k, const struct launch *l) {
  struct kernel_info fitted = compiled(s, k, l);
  struct launch wide = *l;
  wide.grid[0] = INT32_MAX, wide.grid[1] = wide.grid[2] = 1;
  return (unsigned)occupancy_of(&s->gpu, &fitted, &wide, s->exec.warp_width).ctas;
}

static bool consume(struct sim *s, struct exec *x, const struct kernel_info *k, const struct launch *l,
                    bool timed, struct error *err) {
  if (timed) {
    struct kernel_info fitted = compiled(s, k, l);
    return s->machine->run(s->machine, x, &fitted, l, err);
  }
  struct sluice_segment segment;
  int more;
  while ((more = exec_next(x, &segment, err)) > 0) {
    count(s, x, &segment, &s->counted);
    show(s, &(struct functional_progress){.cycles = s->counted.warp_instructions, .ctas = exec_ctas_done(x)});
  }
  return more == 0;
}

/* Without a timing model, a launch takes as long as one warp instruction per SM and cycle would. */
static uint64_t duration(const struct sim *s, const struct stats *stats, bool timed) {
  double cycles = 0;
  if (!timed)
    cycles = (double)s->counted.warp_instructions / s->gpu.sms;
  else
    stats_get(stats, "cycles", &cycles);
  double ns = cycles * 1000 / (double)s->gpu.core_mhz;
  return ns < 1 ? 1 : (uint64_t)ns;
}

/* SLUICE_TRACE names a folder: all launches of the program go into one stream there, under its name. */
static bool record(struct sim *s, const struct sim_module *m, const struct kernel_info *k,
                   const struct launch *l, struct error *err) {
  const char *folder = getenv("SLUICE_TRACE");
  if (!folder || !*folder)
    return true;
  struct strbuf path = {0};
  strbuf_addf(&path, "%s/%s.stream", folder, program_invocation_short_name);
  if (!s->writer)
    s->writer = trace_create(path.s, &s->exec, TRACE_RECORDED, err);
  strbuf_free(&path);
  if (!s->writer)
    return false;
  struct kernel_info fitted = compiled(s, k, l);
  struct trace_launch t = {.kernel = l->kernel,
                           .program = m->number,
                           .dynamic_shared = l->dynamic_shared,
                           .static_shared = k->static_shared,
                           .registers = fitted.registers,
                           .registers_from = fitted.registers_from};
  memcpy(t.grid, l->grid, sizeof t.grid);
  memcpy(t.block, l->block, sizeof t.block);
  trace_begin(s->writer, &t, s->mem);
  if (devmem_bytes(s->mem) > s->footprint)
    s->footprint = devmem_bytes(s->mem);
  return true;
}

/* What was not chosen is counted apart. */
static void report_launch(struct sim *s, const struct kernel_info *k, const struct launch *l, bool timed,
                          double seconds, uint64_t *ns) {
  struct stats *stats = tables_stats();
  struct stat_detail detail = {0};
  struct kernel_info fitted = compiled(s, k, l);
  front_counters_put(&s->counted, stats);
  front_registers_put(&fitted, stats);
  if (timed)
    s->machine->put_launch(s->machine, stats, &detail);
  *ns = duration(s, stats, timed);
  if (timed || s->functional) {
    outcome_add(s->outcome, l, &s->counted, stats, &detail, seconds);
  } else {
    outcome_skip(s->outcome, &s->counted);
    stats_free(stats);
  }
}

static bool execute(struct sim *s, struct sim_module *m, const struct launch *l, uint64_t *ns,
                    struct error *err) {
  const struct kernel_info *k = program_kernel(m->program, l->kernel, err);
  bool timed =
      !s->functional && choose(getenv("SLUICE_LAUNCHES"), getenv("SLUICE_KERNELS"), s->launches, l->kernel);
  struct exec *x = k && (!timed || timing(s, err)) && record(s, m, k, l, err)
                       ? exec_open(m->program, s->mem, l, &s->exec, err)
                       : NULL;
  if (!x)
    return false;
  s->running = m;
  s->executor = x;
  s->kernel = l->kernel;
  s->counted = (struct front_counters){0};
  double start = stats_cpu_clock();
  bool ok = consume(s, x, k, l, timed, err);
  if (!timed || err->code == EXIT_FAULT)
    s->counted.memcheck_violations = exec_violations(x);
  if (s->writer && ok)
    trace_end(s->writer, s->counted.ctas, exec_violations(x));
  progress_end(&s->progress);
  exec_close(x);
  report_launch(s, k, l, timed, stats_cpu_clock() - start, ns);
  return ok;
}

static int failed(struct sim *s, struct error *err) {
  say(err->text);
  free(s->why);
  s->why = xstrdup(err->text);
  outcome_fail(s->outcome, err->code);
  s->broken = s->machine != NULL; /* its units hold what the launch left */
  int code = err->code;
  error_clear(err);
  return code;
}

int sim_launch(struct sim *s, struct sim_module *m, const struct launch *l, uint64_t *ns) {
  struct error err = {0};
  if (s->broken)
    return EXIT_RUNTIME;
  s->launches++;
  dying_begin(s->dying);
  bool ok = execute(s, m, l, ns, &err);
  dying_end(s->dying);
  if (!ok)
    return failed(s, &err);
  if (stats_wall_clock() - s->checkpoint >= CHECKPOINT_SECONDS) {
    outcome_checkpoint(s->outcome, s->conf, s->machine);
    s->checkpoint = stats_wall_clock();
  }
  return 0;
}

static uint64_t bytes_ns(uint64_t bytes, double per_ns, double latency) {
  double ns = latency + (double)bytes / per_ns;
  return ns < 1 ? 1 : (uint64_t)ns;
}

uint64_t sim_transfer_ns(const struct sim *s, uint64_t bytes) {
  return bytes_ns(bytes, conf_f64(s->conf, "host.bandwidth"), conf_f64(s->conf, "host.latency"));
}

/* Read and written again at the memory's peak. */
uint64_t sim_copy_ns(const struct sim *s, uint64_t bytes) {
  return bytes_ns(2 * bytes, gpu_peak_bandwidth(&s->gpu, &s->dram) / 1e9, 0);
}

uint64_t sim_now(const struct sim *s) {
  return s->now;
}
void sim_advance(struct sim *s, uint64_t ns) {
  s->now += ns;
}
