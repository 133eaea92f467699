/* parbs: parallelism-aware batch scheduling (Mutlu and Moscibroda, ISCA 2008).
 *
 *   batch        when no marked request is left, the oldest `cap` requests of each thread to each bank are marked
 *   order        marked requests first, then row hits, then threads of higher rank, then the oldest
 *   rank         the thread whose most marked requests to one bank are fewest comes first (shortest job), then the one
 *                with fewest in all
 *
 * A thread's requests to several banks so go together, and no thread waits longer than a batch. */
#include "tech/requester.h"

#define PARAMS(P)                                                                                            \
  P(cap, TECH_UINT("5", 0, 4096), "requests",                                                                \
    "Requests of a thread to a bank that are marked for a batch; 0: all.", "PAR-BS, 4.1: Marking-Cap 5")     \
  REQUESTER_PARAM(P)
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(batches, "batches", "Batches formed.")                                                                   \
  C(marked, "requests", "Requests marked for a batch.")                                                      \
  C(threads, "threads", "Threads with requests in a batch, summed over batches.")                            \
  C(served_unmarked, "requests", "Requests served that were not marked.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

enum { UNMARKED = 1 << 15, MISS = 1 << 14, RANKS = (1 << 14) - 1 };

struct load { /* of a thread in the batch */
  uint32_t thread, max, total;
};

struct parbs {
  uint64_t *count;
  struct requesters of;
  uint32_t cap, banks;
  bool reads_alone;                   /* writes have a queue of their own */
  struct sluice_dram_entry **waiting; /* the oldest first */
  uint32_t nwaiting, marked;
  uint16_t *rank; /* by thread; 0: no marked request, the load of none is less */
  struct load *load;
  uint32_t nloads;
  uint32_t *in_bank; /* [load][bank] */
};

static void *open(const struct sluice_env *env, const struct sluice_dram_queue *queue) {
  struct parbs *p = tech_new(sizeof *p);
  p->count = env->count;
  p->of = requesters(env, env->param[P_thread].u);
  p->cap = env->param[P_cap].u ? (uint32_t)env->param[P_cap].u : UINT32_MAX;
  p->banks = queue->banks;
  p->reads_alone = queue->writes_apart;
  p->waiting = tech_new(queue->entries * sizeof *p->waiting);
  p->rank = tech_new((p->of.n + 1) * sizeof *p->rank);
  p->load = tech_new(queue->entries * sizeof *p->load);
  p->in_bank = tech_new((size_t)queue->entries * queue->banks * sizeof *p->in_bank);
  return p;
}

static void close(void *self) {
  struct parbs *p = self;
  free(p->waiting), free(p->rank), free(p->load), free(p->in_bank), free(p);
}

static uint32_t order(const void *self, const struct sluice_dram_entry *r, bool hit) {
  const struct parbs *p = self;
  return (r->mark ? 0u : UNMARKED) + (hit ? 0u : MISS) + p->rank[requester(&p->of, r)];
}

/* The place of a thread among the loads; while a batch is formed, `rank` has it. */
static uint32_t load_of(struct parbs *p, uint32_t thread) {
  if (!p->rank[thread]) {
    p->load[p->nloads] = (struct load){.thread = thread};
    memset(&p->in_bank[(size_t)p->nloads * p->banks], 0, p->banks * sizeof *p->in_bank);
    p->rank[thread] = (uint16_t)++p->nloads;
  }
  return p->rank[thread] - 1u;
}

static void mark(struct parbs *p, struct sluice_dram_entry *r) {
  uint32_t at = load_of(p, requester(&p->of, r)), *n = &p->in_bank[(size_t)at * p->banks + r->bank];
  if (*n == p->cap)
    return;
  r->mark = 1;
  p->marked++;
  p->load[at].total++;
  if (++*n > p->load[at].max)
    p->load[at].max = *n;
}

/* The shortest job first: Max, then Total; the paper draws lots for the rest, here the lower number goes first. */
static int by_load(const void *one, const void *other) {
  const struct load *a = one, *b = other;
  if (a->max != b->max)
    return a->max < b->max ? -1 : 1;
  if (a->total != b->total)
    return a->total < b->total ? -1 : 1;
  return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* True: there is a new batch. */
static bool form(struct parbs *p) {
  for (uint32_t i = 0; i < p->nloads; i++)
    p->rank[p->load[i].thread] = 0;
  p->nloads = 0;
  for (uint32_t i = 0; i < p->nwaiting; i++)
    if (!(p->reads_alone && p->waiting[i]->write))
      mark(p, p->waiting[i]);
  qsort(p->load, p->nloads, sizeof *p->load, by_load);
  for (uint32_t i = 0; i < p->nloads; i++)
    p->rank[p->load[i].thread] = (uint16_t)(i + 1 < RANKS ? i + 1 : RANKS);
  p->count[C_batches] += p->marked != 0;
  p->count[C_marked] += p->marked;
  p->count[C_threads] += p->nloads;
  return p->marked != 0;
}

static bool arrived(void *self, struct sluice_dram_entry *r, uint64_t cycle) {
  (void)cycle;
  struct parbs *p = self;
  p->waiting[p->nwaiting++] = r;
  return !p->marked && form(p);
}

static bool served(void *self, struct sluice_dram_entry *r, uint64_t cycle) {
  (void)cycle;
  struct parbs *p = self;
  uint32_t i = 0;
  while (p->waiting[i] != r)
    i++;
  memmove(&p->waiting[i], &p->waiting[i + 1], (--p->nwaiting - i) * sizeof *p->waiting);
  p->count[C_served_unmarked] += !r->mark;
  if (!r->mark)
    return false;
  p->marked--;
  return !p->marked && form(p);
}

static const struct sluice_dram_scheduler scheduler = {.size = sizeof(struct sluice_dram_scheduler),
                                                       .order = order,
                                                       .open = open,
                                                       .close = close,
                                                       .arrived = arrived,
                                                       .served = served};

static double batch_mean(const uint64_t *n) {
  return (double)n[C_marked] / (double)n[C_batches];
}
static double threads_mean(const uint64_t *n) {
  return (double)n[C_threads] / (double)n[C_batches];
}
static const struct sluice_ratio ratios[] = {
    {"batch_mean", "requests", "Requests of a batch, mean.", batch_mean},
    {"threads_mean", "threads", "Threads with requests in a batch, mean.", threads_mean},
};

const struct sluice_technique technique_parbs = {
    TECH_HEAD,
    .name = "parbs",
    .summary =
        "The memory controller serves batches of requests, in each the threads with the least to do first.",
    .paper = "Mutlu and Moscibroda, ISCA 2008",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .dram_scheduler = &scheduler,
};
