/* Runs a launch plan on a real GPU through the CUDA driver API.
 *
 *   sluice launch-plan FILE.yaml -o FILE.plan        where Sluice is
 *   tools/hw/build.sh && hwrun FILE.plan             where the GPU is
 *
 * Buffers, fills, launches, outputs and comparisons are those of the launch file, by the same code.
 * Time per launch is what CUDA events around it say. Cycles are that time multiplied by the SM clock,
 * which a small kernel measures right after the launches (clock64 against globaltimer): the elapsed
 * cycles of one SM, launch overhead included. An empty kernel's time is printed for comparison. */
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "front/launch/launch.h"
#include "hwenergy.h"
#include "hwtimer.h"
#include <cuda.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct timing {
  double first_us, least_us, total_us;
  uint64_t count;
  struct hwenergy energy; /* where asked for */
};

struct hw {
  const struct launch_file *f;
  CUdevice device;
  CUcontext context;
  CUmodule *modules;
  CUdeviceptr *buffers;
  CUevent begin, end;
  struct timing *timings; /* of each step */
  struct hwtimer timer;
  double energy_seconds;   /* 0: no energy */
  uint64_t most, launched; /* launches of a plan: at most, so far */
};

static _Noreturn void die(const char *what, CUresult r) {
  const char *text = NULL;
  cuGetErrorString(r, &text);
  fprintf(stderr, "hwrun: %s: %s\n", what, text ? text : "unknown CUDA error");
  exit(EXIT_RUNTIME);
}

static void check(CUresult r, const char *what) {
  if (r != CUDA_SUCCESS)
    die(what, r);
}

static _Noreturn void usage(const char *why) {
  fprintf(stderr,
          "hwrun: %s\n"
          "usage: hwrun PLAN... [--json FILE] [--out DIR] [--passes N] [--energy SECONDS] [--launches N] "
          "[--device N]\n"
          "  --json FILE   write results as JSON\n"
          "  --out DIR     where output files go (default: the current folder)\n"
          "  --passes N    run the whole plan N times, buffers filled anew each time; the last is checked\n"
          "  --energy S    then repeat each launch for S seconds and read the energy it takes: a line of CSV "
          "each,\n"
          "                and before the first one of the card at rest; outputs are not checked\n"
          "  --launches N  only the first N launches of each plan; outputs are not checked. For profilers: "
          "nothing else is\n"
          "                launched, and a line a plan on the error stream says how many launches it had\n"
          "  --device N    which GPU (default 0)\n",
          why);
  exit(EXIT_USAGE);
}

static void open_device(struct hw *h, int which) {
  /* functions loaded at their first launch would be timed with it */
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&h->device, which), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&h->context, h->device), "context");
  check(cuCtxSetCurrent(h->context), "context");
  check(cuEventCreate(&h->begin, CU_EVENT_DEFAULT), "event");
  check(cuEventCreate(&h->end, CU_EVENT_DEFAULT), "event");
}

static void load_modules(struct hw *h) {
  const struct launch_file *f = h->f;
  h->modules = xcalloc(f->nptx, sizeof *h->modules);
  for (size_t i = 0; i < f->nptx; i++) {
    char log[8192] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult r = cuModuleLoadDataEx(&h->modules[i], f->ptx[i].text, 2, names, values);
    if (r != CUDA_SUCCESS) {
      fprintf(stderr, "%s\n", log);
      die("the driver refuses the PTX", r);
    }
  }
}

static CUfunction find_function(const struct hw *h, const struct launch_step *s) {
  CUfunction fn;
  for (size_t i = 0; i < h->f->nptx; i++)
    if (cuModuleGetFunction(&fn, h->modules[i], s->kernel) == CUDA_SUCCESS)
      return fn;
  fprintf(stderr, "%s:%u: there is no kernel '%s' in the PTX\n", h->f->path, s->line, s->kernel);
  exit(EXIT_USAGE);
}

static void allocate(struct hw *h) {
  const struct launch_file *f = h->f;
  h->buffers = xcalloc(f->nbuffers, sizeof *h->buffers);
  for (size_t i = 0; i < f->nbuffers; i++) {
    uint64_t n = f->buffers[i].bytes;
    check(cuMemAlloc(&h->buffers[i], n ? n : 1), f->buffers[i].name);
    if (f->buffers[i].fixed)
      fprintf(stderr, "%s:%u: note: '%s' is not at its fixed address here\n", f->path, f->buffers[i].line,
              f->buffers[i].name);
  }
}

static bool upload(const struct hw *h, size_t buffer, struct error *err) {
  const struct launch_buffer *b = &h->f->buffers[buffer];
  if (!b->bytes)
    return true;
  uint8_t *host = xcalloc(b->bytes, 1);
  bool ok = launch_buffer_fill(b, host, true, err);
  if (ok)
    check(cuMemcpyHtoD(h->buffers[buffer], host, b->bytes), "copy to the device");
  free(host);
  return ok;
}

/* The driver copies as many bytes per parameter as the kernel declares: they must be what we hold. */
static void check_params(const struct hw *h, const struct launch_step *s, CUfunction fn) {
#if CUDA_VERSION >= 12040
  size_t offset, size, n = 0;
  for (; cuFuncGetParamInfo(fn, n, &offset, &size) == CUDA_SUCCESS; n++) {
    if (n >= s->nargs)
      continue;
    const struct launch_arg *a = &s->args[n];
    bool pointer = a->kind == ARG_BUFFER || a->kind == ARG_LOCAL;
    if (pointer ? size != 8 && !(size == 4 && a->kind == ARG_LOCAL) : size != a->nbytes) {
      fprintf(stderr, "%s:%u: argument %zu does not fit a parameter of %zu bytes of '%s'\n", h->f->path,
              a->line, n, size, s->kernel);
      exit(EXIT_USAGE);
    }
  }
  if (n != s->nargs) {
    fprintf(stderr, "%s:%u: '%s' takes %zu arguments, %zu are given\n", h->f->path, s->line, s->kernel, n,
            s->nargs);
    exit(EXIT_USAGE);
  }
#else
  (void)h, (void)s, (void)fn;
#endif
}

/* Local arrays follow the dynamic bytes; shared addresses start after what the system reserves. */
static uint64_t place_locals(const struct hw *h, const struct launch_step *s, CUfunction fn,
                             uint64_t *words) {
  int reserved = 0, fixed = 0;
  check(cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, fn), "attribute");
  cuDeviceGetAttribute(&reserved, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, h->device);
  uint64_t start = ((uint64_t)fixed + 15) / 16 * 16, at = start + s->shared;
  bool any = false;
  for (size_t i = 0; i < s->nargs; i++)
    if (s->args[i].kind == ARG_LOCAL) {
      at = (at + 127) / 128 * 128;
      words[i] = (uint64_t)reserved + at;
      at += s->args[i].offset;
      any = true;
    }
  return any ? at - (uint64_t)fixed : s->shared;
}

struct ready { /* a launch whose parameters are in place */
  const struct launch_step *s;
  CUfunction fn;
  unsigned shared;
  void **params;
};

static void start(void *arg) {
  const struct ready *r = arg;
  const struct launch_step *s = r->s;
  check(cuLaunchKernel(r->fn, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
                       r->shared, 0, r->params, NULL),
        s->kernel);
}

static void launch(struct hw *h, size_t step) {
  const struct launch_step *s = &h->f->steps[step];
  struct timing *t = &h->timings[step];
  CUfunction fn = find_function(h, s);
  check_params(h, s, fn);
  uint64_t *words = xcalloc(s->nargs, sizeof *words);
  void **params = xcalloc(s->nargs, sizeof *params);
  for (size_t i = 0; i < s->nargs; i++) {
    const struct launch_arg *a = &s->args[i];
    if (a->kind == ARG_BUFFER)
      words[i] = h->buffers[a->buffer] + a->offset;
    params[i] = a->bytes ? (void *)a->bytes : (void *)&words[i];
  }
  uint64_t shared = place_locals(h, s, fn, words);
  if (shared > 48 << 10)
    check(cuFuncSetAttribute(fn, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared),
          "shared memory");
  struct ready ready = {s, fn, (unsigned)shared, params};
  for (uint64_t r = 0; r < s->repeat && h->launched < h->most; r++, h->launched++) {
    check(cuEventRecord(h->begin, 0), "event");
    start(&ready);
    check(cuEventRecord(h->end, 0), "event");
    check(cuEventSynchronize(h->end), s->kernel);
    float ms;
    check(cuEventElapsedTime(&ms, h->begin, h->end), "event");
    double us = (double)ms * 1000;
    if (!t->count++)
      t->first_us = t->least_us = us;
    if (us < t->least_us)
      t->least_us = us;
    t->total_us += us;
  }
  if (h->energy_seconds > 0 && !t->energy.count)
    hwenergy_measure(start, &ready, h->energy_seconds, &t->energy);
  free(words);
  free(params);
}

/* What a host program read back here, or a part of its final check. */
static bool check_part(const struct hw *h, size_t step, struct error *err) {
  const struct launch_step *s = &h->f->steps[step];
  uint8_t *host = xmalloc((size_t)s->bytes);
  if (s->bytes)
    check(cuMemcpyDtoH(host, h->buffers[s->buffer] + s->offset, s->bytes), "copy from the device");
  bool ok = launch_check(h->f, step, host, err);
  free(host);
  return ok;
}

static bool refill(const struct hw *h, const struct launch_step *s, struct error *err) {
  uint8_t *host = xmalloc((size_t)s->bytes);
  bool ok = fill_apply(&s->fill, host, s->bytes, err);
  if (ok && s->bytes)
    check(cuMemcpyHtoD(h->buffers[s->buffer] + s->offset, host, s->bytes), "copy to the device");
  free(host);
  return ok;
}

static bool run_pass(struct hw *h, struct error *err) {
  bool ok = true;
  for (size_t i = 0; i < h->f->nbuffers && ok; i++)
    ok = upload(h, i, err);
  for (size_t i = 0; i < h->f->nsteps && ok && h->launched < h->most; i++) {
    if (h->f->steps[i].kind == STEP_LAUNCH)
      launch(h, i);
    else if (h->f->steps[i].kind == STEP_FILL)
      ok = refill(h, &h->f->steps[i], err);
    else if (h->most == UINT64_MAX)
      ok = check_part(h, i, err);
  }
  return ok;
}

static bool outputs(const struct hw *h, const char *dir, struct error *err) {
  bool ok = true;
  for (size_t i = 0; i < h->f->noutputs; i++) {
    size_t which = h->f->outputs[i].buffer;
    uint64_t n = h->f->buffers[which].bytes;
    uint8_t *host = xmalloc(n);
    if (n)
      check(cuMemcpyDtoH(host, h->buffers[which], n), "copy from the device");
    ok &= launch_output_check(h->f, i, host, dir, err);
    free(host);
  }
  return ok;
}

/* A line of CSV that names the plan: name,kernel,watts,us,microjoules,sm_mhz,memory_mhz,seconds */
static void print_energy(const char *path, const char *kernel, const struct hwenergy *e) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  printf("energy,%.*s,%s,%.1f,%.3f,%.3f,%u,%u,%.2f\n", (int)strcspn(name, "."), name, kernel, e->watts, e->us,
         e->watts * e->us, e->sm_mhz, e->memory_mhz, e->seconds);
  fflush(stdout);
}

static void print(const struct hw *h) {
  char name[256] = "";
  cuDeviceGetName(name, sizeof name, h->device);
  printf("%s, SM clock %.1f MHz (measured), an empty kernel takes %.2f us\n", name, h->timer.sm_mhz,
         h->timer.empty_us);
  printf("%5s  %-32s %8s %12s %12s %14s\n", "step", "kernel", "launches", "first us", "least us",
         "least cycles");
  for (size_t i = 0; i < h->f->nsteps; i++) {
    const struct timing *t = &h->timings[i];
    if (!t->count)
      continue;
    printf("%5zu  %-32s %8" PRIu64 " %12.2f %12.2f %14.0f\n", i, h->f->steps[i].kernel, t->count, t->first_us,
           t->least_us, t->least_us * h->timer.sm_mhz);
    if (t->energy.count)
      print_energy(h->f->path, h->f->steps[i].kernel, &t->energy);
  }
}

static bool write_json(const struct hw *h, const char *path, bool outputs_ok, struct error *err) {
  struct json j = {0};
  char name[256] = "";
  cuDeviceGetName(name, sizeof name, h->device);
  json_open(&j, NULL, '{');
  json_str(&j, "schema", "sluice-hw-1");
  json_str(&j, "file", h->f->path);
  json_str(&j, "gpu", name);
  json_f64(&j, "sm_mhz", h->timer.sm_mhz);
  json_f64(&j, "empty_kernel_us", h->timer.empty_us);
  json_str(&j, "cycles_are", "event time multiplied by the measured SM clock");
  json_bool(&j, "outputs_ok", outputs_ok);
  json_open(&j, "launches", '[');
  for (size_t i = 0; i < h->f->nsteps; i++) {
    const struct timing *t = &h->timings[i];
    if (!t->count)
      continue;
    json_open(&j, NULL, '{');
    json_u64(&j, "step", i);
    json_str(&j, "kernel", h->f->steps[i].kernel);
    json_u64(&j, "count", t->count);
    json_f64(&j, "first_us", t->first_us);
    json_f64(&j, "least_us", t->least_us);
    json_f64(&j, "mean_us", t->total_us / (double)t->count);
    json_f64(&j, "least_cycles", t->least_us * h->timer.sm_mhz);
    if (t->energy.count) {
      json_f64(&j, "watts", t->energy.watts);
      json_f64(&j, "repeated_us", t->energy.us);
      json_f64(&j, "microjoules", t->energy.watts * t->energy.us);
      json_f64(&j, "energy_seconds", t->energy.seconds);
      json_u64(&j, "nvml_sm_mhz", t->energy.sm_mhz);
      json_u64(&j, "nvml_memory_mhz", t->energy.memory_mhz);
    }
    json_close(&j);
  }
  json_close(&j);
  json_close(&j);
  strbuf_addc(&j.out, '\n');
  bool ok = file_write_atomic(path, j.out.s, j.out.n, err);
  strbuf_free(&j.out);
  return ok;
}

struct options {
  const char *json, *dir;
  long passes, device;
  double energy;
  bool rest; /* then of the card while nothing runs, too */
  uint64_t most;
};

static void release(struct hw *h) {
  for (size_t i = 0; h->buffers && i < h->f->nbuffers; i++)
    cuMemFree(h->buffers[i]);
  for (size_t i = 0; h->modules && i < h->f->nptx; i++)
    cuModuleUnload(h->modules[i]);
  free(h->timings);
  free(h->modules);
  free(h->buffers);
}

static int run_plan(const char *plan, const struct options *o) {
  struct error err = {0};
  size_t n;
  char *data = file_read(plan, UINT64_C(1) << 40, &n, &err);
  struct launch_file *f = data ? launch_file_read_plan((const uint8_t *)data, n, plan, &err) : NULL;
  free(data);
  struct hw h = {.f = f, .energy_seconds = o->energy, .most = o->most};
  bool ok = f != NULL, whole = o->most == UINT64_MAX;
  if (ok) {
    h.timings = xcalloc(f->nsteps, sizeof *h.timings);
    open_device(&h, (int)o->device);
    if (o->rest) {
      struct hwenergy rest;
      hwenergy_rest(o->energy, &rest);
      print_energy("rest", "-", &rest);
    }
    load_modules(&h);
    allocate(&h);
    for (long p = 0; p < o->passes && ok; p++)
      ok = run_pass(&h, &err);
    if (whole) {
      check(hwtimer_measure(&h.timer), "measuring the SM clock");
      ok = ok && (o->energy > 0 || outputs(&h, o->dir, &err));
      print(&h);
    } else {
      fprintf(stderr, "launches,%s,%" PRIu64 "\n", plan, h.launched);
    }
    if (o->json && !write_json(&h, o->json, ok, &err))
      ok = false;
    release(&h);
  }
  if (err.text)
    fprintf(stderr, "%s\n", err.text);
  launch_file_free(f);
  int code = ok ? EXIT_OK : err.code;
  error_clear(&err);
  return code;
}

int main(int argc, char **argv) {
  struct options o = {.passes = 1, .most = UINT64_MAX};
  int nplans = 0, code = EXIT_OK;
  for (int i = 1; i < argc; i++) {
    bool more = i + 1 < argc;
    if (strcmp(argv[i], "--json") == 0 && more)
      o.json = argv[++i];
    else if (strcmp(argv[i], "--out") == 0 && more)
      o.dir = argv[++i];
    else if (strcmp(argv[i], "--passes") == 0 && more)
      o.passes = strtol(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--energy") == 0 && more)
      o.energy = strtod(argv[++i], NULL);
    else if (strcmp(argv[i], "--launches") == 0 && more)
      o.most = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--device") == 0 && more)
      o.device = strtol(argv[++i], NULL, 10);
    else if (argv[i][0] == '-')
      usage("bad argument");
    else
      argv[1 + nplans++] = argv[i];
  }
  if (!nplans || o.passes < 1 || o.device < 0 || o.energy < 0 || o.energy > 600)
    usage(nplans ? "a number is out of range" : "which plan?");
  if (o.json && nplans > 1)
    usage("--json takes one plan");
  if (o.energy > 0 && !hwenergy_open((int)o.device))
    return EXIT_RUNTIME;
  for (int i = 0; i < nplans; i++) {
    o.rest = o.energy > 0 && i == 0;
    int c = run_plan(argv[1 + i], &o);
    code = c ? c : code;
  }
  return code;
}
