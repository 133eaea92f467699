/* mrpb: a queue for each warp between coalescer and L1, so that the accesses of a warp stay together, and bypass
 * of loads that cannot get a line (Jia et al., "MRPB: Memory Request Prioritization for Massively Parallel
 * Processors", HPCA 2014).
 *
 * A queue that holds a write is emptied first, up to that write: what comes later must not pass it. */
#include "tech/declare.h"

static const char *const drains[] = {"fixed", "greedy", "longest", "roundrobin", NULL};
static const char *const bypasses[] = {"assoc", "any", "none", NULL};
#define PARAMS(P)                                                                                            \
  P(queues, TECH_UINT("48", 1, 1024), "queues", "Queues; a warp slot goes to slot mod queues.",              \
    "MRPB: one per warp")                                                                                    \
  P(entries, TECH_UINT("8", 1, 1024), "accesses", "Entries of a queue.", "MRPB")                             \
  P(drain, TECH_ENUM("fixed", drains), "",                                                                   \
    "Which queue is served: the lowest, the same until empty, the longest, in turn.",                        \
    "MRPB: fixed priority")                                                                                  \
  P(bypass, TECH_ENUM("assoc", bypasses), "",                                                                \
    "A load goes past the L1 when all ways of its set are reserved, for any missing resource, or never.",    \
    "MRPB (assoc); BUCL's figures use any")                                                                  \
  P(age_limit, TECH_UINT("10000", 0, 1000000000), "cycles",                                                  \
    "A request that waited this long goes first; 0: none.", "ours, against starvation")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(accesses, "accesses", "Accesses that entered a queue.")                                                  \
  C(full_stalls, "cycles", "Cycles the load/store unit found a queue full.")                                 \
  C(bypass_ways, "accesses", "Loads past the L1 because all ways were reserved.")                            \
  C(bypass_other, "accesses", "Loads past the L1 for other missing resources.")                              \
  C(wait_cycles, "cycles", "Cycles accesses spent in the queues, summed.")                                   \
  C(aged, "accesses", "Accesses served first because of their age.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct slot {
  uint32_t handle;
  bool write;
  uint64_t cycle;
};
struct queue {
  uint32_t head, n, writes;
};

struct mrpb {
  uint64_t *count;
  uint32_t nqueues, entries, drain, at, waiting;
  uint64_t age_limit, stalled_since, last_insert;
  struct queue *queue;
  struct slot *slot;
};

static void *open(const struct sluice_env *env) {
  struct mrpb *m = tech_new(sizeof *m);
  m->count = env->count;
  m->nqueues = (uint32_t)env->param[P_queues].u;
  m->entries = (uint32_t)env->param[P_entries].u;
  m->drain = (uint32_t)env->param[P_drain].u;
  m->age_limit = env->param[P_age_limit].u;
  m->stalled_since = m->last_insert = SLUICE_NEVER;
  m->queue = xcalloc(m->nqueues, sizeof *m->queue);
  m->slot = xcalloc((size_t)m->nqueues * m->entries, sizeof *m->slot);
  return m;
}

static void close(void *self) {
  struct mrpb *m = self;
  free(m->queue), free(m->slot), free(m);
}

static struct slot *head_of(const struct mrpb *m, uint32_t q) {
  return &m->slot[(size_t)q * m->entries + m->queue[q].head];
}

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct mrpb *m = self;
  uint32_t q = r->warp % m->nqueues;
  struct queue *k = &m->queue[q];
  if (k->n == m->entries) {
    if (m->stalled_since == SLUICE_NEVER)
      m->stalled_since = cycle;
    return false;
  }
  if (m->stalled_since != SLUICE_NEVER) {
    m->count[C_full_stalls] += cycle - m->stalled_since;
    m->stalled_since = SLUICE_NEVER;
  }
  bool write = r->kind != SLUICE_READ;
  m->slot[(size_t)q * m->entries + (k->head + k->n++) % m->entries] = (struct slot){handle, write, cycle};
  k->writes += write;
  m->waiting++;
  m->last_insert = cycle;
  m->count[C_accesses]++;
  return true;
}

/* The buffer takes a cycle: what came in this one is not there yet. */
static bool ready(const struct mrpb *m, uint32_t q, uint64_t cycle) {
  return m->queue[q].n && head_of(m, q)->cycle < cycle;
}

static bool aged(const struct mrpb *m, uint32_t q, uint64_t cycle) {
  return m->age_limit && cycle - head_of(m, q)->cycle >= m->age_limit;
}

static uint32_t chosen(const struct mrpb *m, uint64_t cycle) {
  uint32_t best = SLUICE_NONE, first = SLUICE_NONE, longest = SLUICE_NONE;
  for (uint32_t q = 0; q < m->nqueues; q++) {
    if (!ready(m, q, cycle))
      continue;
    if (aged(m, q, cycle) && (best == SLUICE_NONE || head_of(m, q)->cycle < head_of(m, best)->cycle))
      best = q;
    if (first == SLUICE_NONE)
      first = q;
    if (longest == SLUICE_NONE || m->queue[q].n > m->queue[longest].n)
      longest = q;
  }
  if (best != SLUICE_NONE || first == SLUICE_NONE)
    return best;
  for (uint32_t q = 0; q < m->nqueues; q++)
    if (m->queue[q].writes && ready(m, q, cycle))
      return q;
  if (m->drain == 0)
    return first;
  if (m->drain == 2)
    return longest;
  if (m->drain == 1 && ready(m, m->at, cycle))
    return m->at;
  for (uint32_t k = 1; k <= m->nqueues; k++)
    if (ready(m, (m->at + k) % m->nqueues, cycle))
      return (m->at + k) % m->nqueues;
  return SLUICE_NONE;
}

static uint32_t pick(const void *self, uint64_t cycle) {
  const struct mrpb *m = self;
  uint32_t q = m->waiting ? chosen(m, cycle) : SLUICE_NONE;
  return q == SLUICE_NONE ? SLUICE_NONE : head_of(m, q)->handle;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  struct mrpb *m = self;
  uint32_t q = 0;
  while (!m->queue[q].n || head_of(m, q)->handle != handle)
    q++;
  m->count[C_wait_cycles] += cycle - head_of(m, q)->cycle;
  m->count[C_aged] += aged(m, q, cycle);
  m->queue[q].writes -= head_of(m, q)->write;
  m->queue[q].head = (m->queue[q].head + 1) % m->entries;
  m->queue[q].n--;
  m->waiting--;
  m->at = q;
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle; /* priority is fixed: the same one is tried again */
}

static uint64_t next(const void *self, uint64_t cycle) {
  const struct mrpb *m = self;
  if (m->last_insert == cycle)
    return cycle + 1;
  uint64_t t = SLUICE_NEVER; /* the next that comes of age */
  for (uint32_t q = 0; m->age_limit && q < m->nqueues; q++)
    if (m->queue[q].n && head_of(m, q)->cycle + m->age_limit > cycle &&
        head_of(m, q)->cycle + m->age_limit < t)
      t = head_of(m, q)->cycle + m->age_limit;
  return t;
}

static const struct sluice_order order = {
    sizeof(struct sluice_order), open, close, insert, pick, took, refused, next};

struct bypass {
  uint64_t *count;
  uint64_t when;
};

static void *open_bypass(const struct sluice_env *env) {
  struct bypass *b = tech_new(sizeof *b);
  b->count = env->count;
  b->when = env->param[P_bypass].u;
  return b;
}

/* A line being fetched is waited for: only an access that could not allocate goes past. */
static bool bypass(void *self, const struct sluice_request *r, enum sluice_fail why, uint64_t cycle) {
  (void)cycle;
  struct bypass *b = self;
  if (b->when == 2 || r->pending || (b->when == 0 && why != SLUICE_FAIL_WAYS))
    return false;
  b->count[why == SLUICE_FAIL_WAYS ? C_bypass_ways : C_bypass_other]++;
  return true;
}

static const struct sluice_l1_bypass past = {
    .size = sizeof(struct sluice_l1_bypass), .open = open_bypass, .close = tech_drop, .access = bypass};

static double mean_wait(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_accesses];
}
static const struct sluice_ratio ratios[] = {
    {"wait_mean", "cycles", "Mean cycles an access spends in its queue.", mean_wait},
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "warp queues",
                                   .entries = env->param[P_queues].u * env->param[P_entries].u,
                                   .bits = 64,
                                   .units = env->sms,
                                   .reads = "accesses",
                                   .writes = "accesses"};
  return 1;
}

const struct sluice_technique technique_mrpb = {
    TECH_HEAD,
    .name = "mrpb",
    .summary =
        "A queue per warp before the L1 keeps a warp's accesses together; loads without a line go past it.",
    .paper = "Jia et al., MRPB: Memory Request Prioritization for Massively Parallel Processors, HPCA 2014",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .l1_order = &order,
    .l1_bypass = &past,
};
