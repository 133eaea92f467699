/* nextline: a prefetcher beside each L2 slice. A read that misses has the lines behind it fetched as well: those of the same slice, so
 * that no slice sends requests to another ("one block lookahead", prefetch on miss; always: prefetch always. Smith, "Sequential program
 * prefetching in memory hierarchies", IEEE Computer, December 1978, and "Cache memories", ACM Computing Surveys, 1982). */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(degree, TECH_UINT("1", 1, 16), "lines", "Lines fetched after a read.", "Smith: 1")                       \
  P(distance, TECH_UINT("1", 1, 64), "lines", "How far behind the read the first of them lies.", "Smith: 1") \
  P(always, TECH_BOOL("false"), "", "After each read, not only after one that misses.", "Smith, 1982: both")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(reads, "reads", "Reads that it was notified of.")                                                        \
  C(named, "lines", "Lines it had the L2 fetch.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct nextline {
  uint64_t *count;
  uint32_t degree, distance;
  bool always;
};

static void *open(const struct sluice_env *env) {
  struct nextline *s = tech_new(sizeof *s);
  s->count = env->count;
  s->degree = (uint32_t)env->param[P_degree].u;
  s->distance = (uint32_t)env->param[P_distance].u;
  s->always = env->param[P_always].u;
  return s;
}

static uint32_t access(void *self, const struct sluice_request *r, enum sluice_outcome o, int32_t *ahead,
                       uint32_t most, uint64_t cycle) {
  struct nextline *s = self;
  (void)r, (void)cycle;
  s->count[C_reads]++;
  if (o != SLUICE_MISSED && !s->always)
    return 0;
  uint32_t n = s->degree < most ? s->degree : most;
  for (uint32_t i = 0; i < n; i++)
    ahead[i] = (int32_t)(s->distance + i);
  s->count[C_named] += n;
  return n;
}

static const struct sluice_l2_prefetch l2_prefetch = {
    .size = sizeof(struct sluice_l2_prefetch), .open = open, .close = tech_drop, .access = access};

const struct sluice_technique technique_nextline = {
    TECH_HEAD,
    .name = "nextline",
    .summary = "The L2 fetches the lines behind a read that misses, those of the same slice.",
    .paper = "Smith, IEEE Computer, December 1978; ACM Computing Surveys, 1982",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .l2_prefetch = &l2_prefetch,
};
