/* swl: only the W oldest warps of an SM may issue (static wavefront limiting: Rogers et al., "Cache-Conscious
 * Wavefront Scheduling", MICRO 2012). A warp leaves when it ends; one that waits at a barrier keeps its place,
 * and the warps of its CTA that it waits for are let in. */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(warps, TECH_UINT("24", 1, 256), "warps", "Warps of an SM that may issue.",                               \
    "assumed; the best number differs by benchmark (BUCL, Table III)")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(held, "warps", "Warps that were not among the oldest when they came.")                                   \
  C(admitted, "times", "Warps let in because one of the oldest waits for them at a barrier.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

enum { MOST = 256 };

struct swl {
  uint64_t *count;
  uint32_t limit, n, words;
  struct {
    uint32_t warp, cta;
    bool waits;
  } live[MOST]; /* oldest first */
};

static void *open(const struct sluice_env *env) {
  struct swl *s = tech_new(sizeof *s);
  s->count = env->count;
  s->limit = (uint32_t)env->param[P_warps].u;
  s->words = (env->warps + 63) / 64;
  return s;
}

static void start(void *self, uint32_t warp, uint32_t cta, uint64_t cycle) {
  (void)cycle;
  struct swl *s = self;
  s->count[C_held] += s->n >= s->limit;
  s->live[s->n].warp = warp;
  s->live[s->n].cta = cta;
  s->live[s->n++].waits = false;
}

static uint32_t find(const struct swl *s, uint32_t warp) {
  uint32_t i = 0;
  while (s->live[i].warp != warp)
    i++;
  return i;
}

static void ended(void *self, uint32_t warp, uint64_t cycle) {
  (void)cycle;
  struct swl *s = self;
  uint32_t i = find(s, warp);
  memmove(s->live + i, s->live + i + 1, (s->n - i - 1) * sizeof *s->live);
  s->n--;
}

/* Does one of the oldest wait at a barrier in the CTA of live warp i? */
static bool needed(const struct swl *s, uint32_t i) {
  for (uint32_t k = 0; k < s->limit && k < s->n; k++)
    if (s->live[k].waits && s->live[k].cta == s->live[i].cta)
      return true;
  return false;
}

static void barrier(void *self, uint32_t warp, bool waits, uint64_t cycle) {
  (void)cycle;
  struct swl *s = self;
  uint32_t i = find(s, warp);
  bool before = needed(s, i);
  s->live[i].waits = waits;
  if (waits && i < s->limit && !before)
    for (uint32_t k = s->limit; k < s->n; k++)
      s->count[C_admitted] += s->live[k].cta == s->live[i].cta && !s->live[k].waits;
}

static uint64_t allow(const void *self, uint64_t cycle, uint64_t *any, uint64_t *load) {
  (void)cycle, (void)load;
  const struct swl *s = self;
  for (uint32_t i = 0; i < s->words; i++)
    any[i] = 0;
  for (uint32_t i = 0; i < s->n; i++)
    if (i < s->limit || needed(s, i))
      any[s->live[i].warp / 64] |= UINT64_C(1) << s->live[i].warp % 64;
  return SLUICE_NEVER;
}

static const struct sluice_gate gate = {.size = sizeof(struct sluice_gate),
                                        .open = open,
                                        .close = tech_drop,
                                        .start = start,
                                        .exit = ended,
                                        .barrier = barrier,
                                        .allow = allow};

const struct sluice_technique technique_swl = {
    TECH_HEAD,
    .name = "swl",
    .summary = "Only the oldest warps of an SM may issue.",
    .paper = "Rogers et al., Cache-Conscious Wavefront Scheduling, MICRO 2012 (static wavefront limiting)",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .gate = &gate,
};
