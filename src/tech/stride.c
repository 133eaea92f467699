/* stride: a prefetcher beside each L1. A table by instruction and warp holds the line of the last load and the distance to
 * the one before (the reference prediction table of Baer and Chen, "An effective on-chip preloading scheme to reduce data
 * access penalty", Supercomputing 1991; by warp as in Lee et al., "Many-thread aware prefetching mechanisms for GPGPU
 * applications", MICRO 2010). Once a distance has come `confidence` times in a row, lines that far ahead are fetched. Loads of
 * several lines train nothing. */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(entries, TECH_UINT("64", 1, 65536), "entries", "Entries of an SM's table, by instruction and warp.",     \
    "assumed; Lee et al. have tables of this order")                                                         \
  P(confidence, TECH_UINT("2", 1, 15), "times", "Equal distances in a row until lines are fetched.",         \
    "Baer and Chen: steady after two")                                                                       \
  P(degree, TECH_UINT("1", 1, 16), "lines", "Lines fetched after a load.", "Lee et al.: 1")                  \
  P(distance, TECH_UINT("1", 1, 64), "strides", "How far ahead the first of them lies.", "Lee et al.: 1")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(loads, "loads", "Loads of one line, which train the table.")                                             \
  C(replaced, "entries", "Entries given to another instruction or warp.")                                    \
  C(predicted, "lines", "Lines it had the L1 fetch.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct entry {
  uint32_t pc, warp;
  uint64_t last;
  int64_t stride;
  uint32_t times; /* the stride came in a row */
  bool used;
};

struct stride {
  uint64_t *count;
  uint32_t n, confidence, degree, distance;
  struct entry entry[];
};

static void *open(const struct sluice_env *env) {
  uint32_t n = (uint32_t)env->param[P_entries].u;
  struct stride *s = tech_new(sizeof *s + n * sizeof *s->entry);
  s->count = env->count;
  s->n = n;
  s->confidence = (uint32_t)env->param[P_confidence].u;
  s->degree = (uint32_t)env->param[P_degree].u;
  s->distance = (uint32_t)env->param[P_distance].u;
  return s;
}

static struct entry *find(struct stride *s, const struct sluice_request *r) {
  struct entry *e = &s->entry[(r->pc * 64u + r->warp) % s->n];
  if (e->used && e->pc == r->pc && e->warp == r->warp)
    return e;
  s->count[C_replaced] += e->used;
  *e = (struct entry){.pc = r->pc, .warp = r->warp, .last = r->line, .used = true};
  return NULL;
}

static uint32_t access(void *self, const struct sluice_request *r, enum sluice_outcome o, uint64_t *lines,
                       uint32_t most, uint64_t cycle) {
  struct stride *s = self;
  (void)o, (void)cycle;
  if (r->degree != 1 || r->pc == SLUICE_NONE)
    return 0;
  s->count[C_loads]++;
  struct entry *e = find(s, r);
  if (!e)
    return 0;
  int64_t stride = (int64_t)(r->line - e->last);
  if (!stride)
    return 0; /* the same line again tells nothing */
  e->times = stride == e->stride ? e->times + (e->times < s->confidence) : 1;
  e->stride = stride;
  e->last = r->line;
  if (e->times < s->confidence)
    return 0;
  uint32_t n = s->degree < most ? s->degree : most;
  for (uint32_t i = 0; i < n; i++)
    lines[i] = r->line + (uint64_t)(stride * (int64_t)(s->distance + i));
  s->count[C_predicted] += n;
  return n;
}

/* Instruction, warp, line, distance, how often: 32 + 8 + 42 + 16 + 4 bits. */
static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "table",
                                   .entries = env->param[P_entries].u,
                                   .bits = 102,
                                   .ways = 1,
                                   .units = env->sms,
                                   .reads = "loads",
                                   .writes = "loads"};
  return 1;
}

static const char *check(const struct sluice_env *env) {
  return env->l1_coherent ? "L1s that a directory keeps coherent fetch nothing ahead" : NULL;
}

static const struct sluice_prefetch prefetch = {
    .size = sizeof(struct sluice_prefetch), .open = open, .close = tech_drop, .access = access};

const struct sluice_technique technique_stride = {
    TECH_HEAD,
    .name = "stride",
    .summary = "The L1 fetches lines ahead of loads whose addresses grow by a fixed distance.",
    .paper = "Baer and Chen, Supercomputing 1991; by warp as in Lee et al., MICRO 2010",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .arrays = arrays,
    .check = check,
    .prefetch = &prefetch,
};
