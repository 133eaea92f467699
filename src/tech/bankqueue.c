/* bankqueue: requests wait in B queues by DRAM bank, drained in rotation (CART, III-C and Fig. 3). */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(queues, TECH_UINT("16", 1, 4096), "queues", "Queues; a request goes to bank mod queues.",                \
    "CART, III-C: B up to the number of banks")                                                              \
  P(entries, TECH_UINT("8", 1, 4096), "requests", "Entries of a queue.", "assumed; CART does not say")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(requests, "requests", "Requests that entered a queue.")                                                  \
  C(fill_stalls, "cycles", "Cycles a request found its queue full.")                                         \
  C(refusals, "times", "Requests tried and refused by the L2.")                                              \
  C(wait_cycles, "cycles", "Cycles requests spent in the queues, summed.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct queue {
  uint32_t head, n;
};

struct banks {
  uint64_t *count;
  uint32_t nqueues, entries, at /* drained or tried last */;
  uint64_t stalled_since, last_insert;
  struct queue *queue;
  struct {
    uint32_t handle;
    uint64_t cycle;
  } * slot;
};

static void *open(const struct sluice_env *env) {
  struct banks *b = tech_new(sizeof *b);
  b->count = env->count;
  b->nqueues = (uint32_t)env->param[P_queues].u;
  b->entries = (uint32_t)env->param[P_entries].u;
  b->at = b->nqueues - 1;
  b->stalled_since = b->last_insert = SLUICE_NEVER;
  b->queue = xcalloc(b->nqueues, sizeof *b->queue);
  b->slot = xcalloc((size_t)b->nqueues * b->entries, sizeof *b->slot);
  return b;
}

static void close(void *self) {
  struct banks *b = self;
  free(b->queue), free(b->slot), free(b);
}

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct banks *b = self;
  uint32_t q = r->bank % b->nqueues;
  struct queue *k = &b->queue[q];
  if (k->n == b->entries) {
    if (b->stalled_since == SLUICE_NEVER)
      b->stalled_since = cycle;
    return false;
  }
  if (b->stalled_since != SLUICE_NEVER) {
    b->count[C_fill_stalls] += cycle - b->stalled_since;
    b->stalled_since = SLUICE_NEVER;
  }
  b->count[C_requests]++;
  uint32_t at = q * b->entries + (k->head + k->n++) % b->entries;
  b->slot[at].handle = handle;
  b->slot[at].cycle = b->last_insert = cycle;
  return true;
}

static uint32_t chosen(const struct banks *b, uint64_t cycle) {
  for (uint32_t k = 1; k <= b->nqueues; k++) {
    uint32_t q = b->at + k < b->nqueues ? b->at + k : b->at + k - b->nqueues;
    if (b->queue[q].n && b->slot[q * b->entries + b->queue[q].head].cycle < cycle)
      return q;
  }
  return SLUICE_NONE;
}

static uint32_t pick(const void *self, uint64_t cycle) {
  const struct banks *b = self;
  uint32_t q = chosen(b, cycle);
  return q == SLUICE_NONE ? SLUICE_NONE : b->slot[q * b->entries + b->queue[q].head].handle;
}

static uint32_t queue_of(const struct banks *b, uint32_t handle) {
  uint32_t q = 0;
  while (!b->queue[q].n || b->slot[q * b->entries + b->queue[q].head].handle != handle)
    q++;
  return q;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  struct banks *b = self;
  uint32_t q = queue_of(b, handle);
  b->count[C_wait_cycles] += cycle - b->slot[q * b->entries + b->queue[q].head].cycle;
  b->queue[q].head = (b->queue[q].head + 1) % b->entries;
  b->queue[q].n--;
  b->at = q;
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)why, (void)cycle;
  struct banks *b = self;
  b->count[C_refusals]++;
  b->at = queue_of(b, handle);
}

static uint64_t next(const void *self, uint64_t cycle) {
  return ((const struct banks *)self)->last_insert == cycle ? cycle + 1 : SLUICE_NEVER;
}

static const struct sluice_order order = {
    sizeof(struct sluice_order), open, close, insert, pick, took, refused, next};

static double mean_wait(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_requests];
}
static const struct sluice_ratio ratios[] = {
    {"wait_mean", "cycles", "Mean cycles a request spends in its queue.", mean_wait},
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "bank queues",
                                   .entries = env->param[P_queues].u * env->param[P_entries].u,
                                   .bits = 64,
                                   .units = env->slices,
                                   .reads = "requests+refusals",
                                   .writes = "requests"};
  return 1;
}

const struct sluice_technique technique_bankqueue = {
    TECH_HEAD,
    .name = "bankqueue",
    .summary = "Queues by DRAM bank before each L2 slice, drained in rotation.",
    .paper = "CART, III-C: the improved design",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .l2_order = &order,
};
