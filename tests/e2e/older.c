/* A plugin as one would be that was built against an older header: its tables end before the newest fields, where the next page
 * cannot be read. It counts loads at the L1, and lets one of each two bypass it. AS: the header it is of. */
#include "sluice_technique.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct state {
  uint64_t *count, nth, loads;
};

static void *begin(const struct sluice_env *env) {
  struct state *s = calloc(1, sizeof *s);
  if (!s)
    abort();
  s->count = env->count;
  s->nth = env->param[1].u;
  return s;
}

static bool instruction(void *self, uint32_t warp, uint32_t degree, uint64_t cycle) {
  struct state *s = self;
  (void)warp, (void)degree, (void)cycle;
  bool bypass = s->loads++ % s->nth == 0;
  s->count[0] += 1;
  s->count[1] += bypass;
  return bypass;
}

/* The first `size` bytes of a table, at the end of what can be read. */
static void *cut(const void *table, size_t size) {
  char *pages = mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + (1 << 16), 1 << 16, PROT_NONE) != 0)
    abort();
  return memcpy(pages + (1 << 16) - (size + 7) / 8 * 8, table, size);
}

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  /* 20 of them, each of the older size, and no `writes` */
  size_t size = offsetof(struct sluice_array, writes);
  struct sluice_array a = {.name = "bits", .entries = 1, .bits = 3, .units = env->sms};
  for (uint32_t i = 0; i < 20 && i < capacity; i++)
    memcpy((char *)out + i * size, &a, size);
  return 20;
}

const struct sluice_technique *sluice_plugin(void) {
  static const struct sluice_counter counters[] = {{"loads", "loads", "Loads."},
                                                   {"bypassed", "loads", "Of those, bypassed."}};
  struct sluice_param params[] = {
      {.name = "unused", .type = SLUICE_P_BOOL, .initial = "true", .help = "Nothing."},
      {.name = "nth",
       .type = SLUICE_P_UINT,
       .initial = "2",
       .min = 1,
       .max = 9,
       .help = "One of so many bypasses."}};
  size_t param_size = offsetof(struct sluice_param, source);
  memmove((char *)params + param_size, &params[1], param_size);
  struct sluice_l1_bypass bypass = {.size = offsetof(struct sluice_l1_bypass, access),
                                    .open = begin,
                                    .close = free,
                                    .instruction = instruction};
  struct sluice_technique t = {SLUICE_TECHNIQUE_HEAD,
                               .name = "older",
                               .summary = "Bypasses with some loads.",
                               .paper = "a test",
                               .params = cut(params, 2 * param_size),
                               .nparams = 2,
                               .counters = counters,
                               .ncounters = 2,
                               .arrays = arrays,
                               .l1_bypass = cut(&bypass, bypass.size)};
  t.param_size = (uint32_t)param_size;
  t.array_size = offsetof(struct sluice_array, writes);
  t.env_size -= 8, t.request_size -= 4;
  t.size = offsetof(struct sluice_technique, prefetch);
  AS;
  return cut(&t, t.size < sizeof t ? t.size : sizeof t);
}
