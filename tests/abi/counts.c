/* A plugin of 0.2's first header, which is kept in 0.2/: on several hooks, with parameters, counters and arrays. tests/e2e/abi.sh compiles it with
 * that header, and runs counts-x86_64.so, which was compiled with it on 16 November 2026:
 *
 *   gcc -Os -shared -fPIC -fvisibility=hidden -nostartfiles -s -Wl,-z,noseparate-code,-z,norelro,--build-id=none -I0.2 counts.c \
 *     -o counts-x86_64.so */
#include "sluice_technique.h"
#include <stdlib.h>

enum { P_nth, NPARAMS };
static const struct sluice_param params[NPARAMS] = {
    {.name = "nth",
     .type = SLUICE_P_UINT,
     .initial = "2",
     .min = 1,
     .max = 9,
     .unit = "loads",
     .help = "One of so many bypasses the L1."},
};

enum { C_loads, C_bypassed, C_arrived, C_served, NCOUNTS };
static const struct sluice_counter counters[NCOUNTS] = {
    {"loads", "loads", "Load instructions."},
    {"bypassed", "loads", "Of those, past the L1."},
    {"arrived", "requests", "Requests that came to a memory controller."},
    {"served", "requests", "Requests that left one."},
};

struct state {
  uint64_t *count, nth, loads;
};

static void *begin(const struct sluice_env *env) {
  struct state *s = calloc(1, sizeof *s);
  if (!s)
    abort();
  s->count = env->count;
  s->nth = env->param[P_nth].u;
  return s;
}

static bool instruction(void *self, uint32_t warp, uint32_t degree, uint64_t cycle) {
  struct state *s = self;
  (void)warp, (void)degree, (void)cycle;
  bool bypass = s->loads++ % s->nth == 0;
  s->count[C_loads]++;
  s->count[C_bypassed] += bypass;
  return bypass;
}

/* FR-FCFS, with state. */
static void *begin_controller(const struct sluice_env *env, const struct sluice_dram_queue *queue) {
  return queue->banks && queue->entries ? begin(env) : NULL;
}
static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  (void)self, (void)r;
  return hit ? 0 : 1;
}
static bool arrived(void *self, struct sluice_dram_entry *r, uint64_t cycle) {
  (void)cycle;
  r->mark = r->age;
  ((struct state *)self)->count[C_arrived]++;
  return false;
}
static bool served(void *self, struct sluice_dram_entry *r, uint64_t cycle) {
  (void)cycle;
  ((struct state *)self)->count[C_served] += r->mark == r->age;
  return false;
}

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity)
    out[0] = (struct sluice_array){.name = "bits", .entries = 1, .bits = 3, .units = env->sms};
  return 1;
}

static const struct sluice_l1_bypass bypass = {
    .size = sizeof bypass, .open = begin, .close = free, .instruction = instruction};
static const struct sluice_dram_scheduler scheduler = {.size = sizeof scheduler,
                                                       .scope = SLUICE_DRAM_ALL,
                                                       .order = order,
                                                       .open = begin_controller,
                                                       .close = free,
                                                       .arrived = arrived,
                                                       .served = served};
static const struct sluice_technique technique = {SLUICE_TECHNIQUE_HEAD,
                                                  .name = "counts",
                                                  .summary = "Bypasses with some loads, and counts.",
                                                  .paper = "a test",
                                                  .params = params,
                                                  .nparams = NPARAMS,
                                                  .counters = counters,
                                                  .ncounters = NCOUNTS,
                                                  .arrays = arrays,
                                                  .l1_bypass = &bypass,
                                                  .dram_scheduler = &scheduler};

const struct sluice_technique *sluice_plugin(void) {
  return &technique;
}
