/* What a technique sees of requests, for techniques.sh: counts those before the L1 and before the L2 by line of the PTX, CTA,
 * launch and cache operator, and that nothing about them changes on the way. */
#include "sluice.h"
#include <stdlib.h>

enum { L1_A, L1_B, L1_CG, L1_CTA1, L1_SECOND, L2_A, L2_B, L2_NONE, L2_YOUNG, L1_SOURCE, L2_SOURCE, NCOUNTS };
static const struct sluice_counter counters[NCOUNTS] = {
    {"l1_a", "loads", "Loads of line A."},
    {"l1_b", "loads", "Loads of line B."},
    {"l1_cg", "loads", "Loads with .cg."},
    {"l1_cta1", "loads", "Loads of CTA 1."},
    {"l1_second", "loads", "Loads of launch 2."},
    {"l2_a", "requests", "At the L2, of line A."},
    {"l2_b", "requests", "Of line B."},
    {"l2_none", "requests", "Of no instruction that is known."},
    {"l2_young", "requests", "Loads that took no time to the L2."},
    {"l1_source", "loads", "Loads of line 42 of the source."},
    {"l2_source", "requests", "At the L2, of line 43 of it."}};
enum { P_a, P_b, NPARAMS };
static const struct sluice_param params[NPARAMS] = {{.name = "a",
                                                     .type = SLUICE_P_UINT,
                                                     .initial = "0",
                                                     .max = 1000,
                                                     .unit = "lines",
                                                     .help = "Line A.",
                                                     .source = "a test"},
                                                    {.name = "b",
                                                     .type = SLUICE_P_UINT,
                                                     .initial = "0",
                                                     .max = 1000,
                                                     .unit = "lines",
                                                     .help = "Line B.",
                                                     .source = "a test"}};

struct state {
  uint64_t *count, a, b;
  uint32_t held[64], n;
};

static void *open(const struct sluice_env *env) {
  struct state *s = calloc(1, sizeof *s);
  if (!s)
    abort();
  s->count = env->count;
  s->a = env->param[P_a].u, s->b = env->param[P_b].u;
  return s;
}

static void loaded(void *self, const struct sluice_request *r, enum sluice_outcome o, uint64_t cycle) {
  struct state *s = self;
  (void)o, (void)cycle;
  s->count[L1_A] += r->ptx_line == s->a;
  s->count[L1_B] += r->ptx_line == s->b;
  s->count[L1_CG] += r->op == SLUICE_CG;
  s->count[L1_CTA1] += r->cta == 1;
  s->count[L1_SECOND] += r->launch == 2;
  s->count[L1_SOURCE] += r->source_line == 42;
}
static const struct sluice_l1_bypass watch = {
    .size = sizeof(struct sluice_l1_bypass), .open = open, .close = free, .loaded = loaded};

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct state *s = self;
  (void)cycle;
  if (s->n == 64)
    return false;
  s->held[s->n++] = handle;
  s->count[L2_A] += r->pc != SLUICE_NONE && r->ptx_line == s->a;
  s->count[L2_B] += r->pc != SLUICE_NONE && r->ptx_line == s->b;
  s->count[L2_NONE] += r->pc == SLUICE_NONE;
  s->count[L2_SOURCE] += r->source_line == 43;
  s->count[L2_YOUNG] += r->pc != SLUICE_NONE && r->age == 0;
  return true;
}
static uint32_t pick(const void *self, uint64_t cycle) {
  const struct state *s = self;
  (void)cycle;
  return s->n ? s->held[0] : SLUICE_NONE;
}
static void took(void *self, uint32_t handle, uint64_t cycle) {
  struct state *s = self;
  (void)handle, (void)cycle;
  s->n--;
  for (uint32_t i = 0; i < s->n; i++)
    s->held[i] = s->held[i + 1];
}
static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle;
}
static uint64_t next(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NEVER;
}
static const struct sluice_order order = {
    sizeof(struct sluice_order), open, free, insert, pick, took, refused, next};

static const struct sluice_technique sees = {
    SLUICE_TECHNIQUE_HEAD, .name = "sees",       .summary = "Looks at requests.",
    .paper = "a test",     .params = params,     .nparams = NPARAMS,
    .counters = counters,  .ncounters = NCOUNTS, .l1_bypass = &watch,
    .l2_order = &order};
const struct sluice_technique *sluice_plugin(void);
const struct sluice_technique *sluice_plugin(void) {
  return &sees;
}
