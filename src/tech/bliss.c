/* bliss: the blacklisting memory scheduler (Subramanian, Lee, Seshadri, Rastogi, Mutlu, ICCD 2014).
 *
 * A controller counts how many requests of one thread it serves in a row. A thread with more than `threshold` is blacklisted; every
 * `interval` cycles the blacklist is cleared. Requests of threads that are not blacklisted go first, then row hits, then the
 * oldest. */
#include "tech/requester.h"

#define PARAMS(P)                                                                                            \
  P(threshold, TECH_UINT("4", 1, 1000000), "requests",                                                       \
    "Requests served in a row, after the first, beyond which a thread is blacklisted.",                      \
    "BLISS, IV: 4; the counter is 0 at a thread's first request and must exceed it")                         \
  P(interval, TECH_UINT("10000", 1, 1000000000), "cycles",                                                   \
    "DRAM cycles after which the blacklist is cleared.", "BLISS, IV: 10,000 cycles")                         \
  REQUESTER_PARAM(P)
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(served, "requests", "Requests served that somebody waits for.")                                          \
  C(blacklisted, "times", "Threads put on the blacklist of a controller.")                                   \
  C(served_listed, "requests", "Requests of blacklisted threads served.")                                    \
  C(clears, "times", "Blacklists cleared that had a thread on them.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct bliss {
  uint64_t *count;
  struct requesters of;
  uint64_t threshold, interval, clear_at;
  uint32_t last, served; /* thread of the last request; requests of it in a row, after the first */
  uint32_t listed;       /* threads on the blacklist */
  bool *blacklist;       /* by thread */
};

static void *open(const struct sluice_env *env, const struct sluice_dram_queue *queue) {
  (void)queue;
  struct bliss *b = tech_new(sizeof *b);
  b->count = env->count;
  b->of = requesters(env, env->param[P_thread].u);
  b->threshold = env->param[P_threshold].u;
  b->interval = b->clear_at = env->param[P_interval].u;
  b->last = SLUICE_NONE;
  b->blacklist = tech_new((size_t)b->of.n + 1);
  return b;
}

static void close(void *self) {
  struct bliss *b = self;
  free(b->blacklist), free(b);
}

static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  const struct bliss *b = self;
  return (b->blacklist[requester(&b->of, r)] ? 2u : 0) + (hit ? 0 : 1);
}

static bool served(void *self, struct sluice_dram_entry *r, uint64_t cycle) {
  (void)cycle;
  struct bliss *b = self;
  uint32_t thread = requester(&b->of, r);
  if (thread == b->of.n) /* a write-back is of no thread */
    return false;
  b->count[C_served]++;
  b->count[C_served_listed] += b->blacklist[thread];
  b->served = thread == b->last ? b->served + 1 : 0;
  b->last = thread;
  if (b->served <= b->threshold)
    return false;
  b->served = 0;
  if (b->blacklist[thread])
    return false;
  b->blacklist[thread] = true;
  b->listed++;
  b->count[C_blacklisted]++;
  return true;
}

static uint64_t next(const void *self, uint64_t cycle) {
  (void)cycle;
  return ((const struct bliss *)self)->clear_at;
}

static void elapsed(void *self, uint64_t cycle) {
  struct bliss *b = self;
  b->clear_at = (cycle / b->interval + 1) * b->interval;
  b->count[C_clears] += b->listed != 0;
  b->listed = 0;
  memset(b->blacklist, 0, b->of.n);
}

static const struct sluice_dram_scheduler scheduler = {.size = sizeof(struct sluice_dram_scheduler),
                                                       .order = order,
                                                       .open = open,
                                                       .close = close,
                                                       .served = served,
                                                       .next = next,
                                                       .elapsed = elapsed};

const struct sluice_technique technique_bliss = {
    TECH_HEAD,
    .name = "bliss",
    .summary = "The memory controller serves threads with long runs of requests last.",
    .paper = "Subramanian et al., ICCD 2014",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .dram_scheduler = &scheduler,
};
