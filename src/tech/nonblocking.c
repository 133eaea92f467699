/* nonblocking: the incoming buffer gives any of its requests, not only the head (CART, III-B and Fig. 2b).
 *
 * Requests are looked at in rotation; one that would be refused now is skipped, and so is one with an older
 * request of the same line and SM in the buffer: those keep their order. */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(entries, TECH_UINT("32", 1, 4096), "requests", "Requests the buffer chooses among.",                     \
    "assumed: CART does not give the depth of the incoming buffer")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(requests, "requests", "Requests that entered the buffer.")                                               \
  C(fill_stalls, "cycles", "Cycles a request found the buffer full.")                                        \
  C(passed, "requests", "Requests served before an older one.")                                              \
  C(wait_cycles, "cycles", "Cycles requests spent in the buffer, summed.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct slot {
  uint64_t line, cycle; /* cycle: inserted */
  uint32_t handle, sm;
};

struct buffer {
  const struct sluice_env env;
  uint32_t cap, n, turn;
  uint64_t stalled_since;
  struct slot slot[]; /* oldest first */
};

static void *open(const struct sluice_env *env) {
  uint32_t cap = (uint32_t)env->param[P_entries].u;
  struct buffer *b = tech_new(sizeof *b + cap * sizeof *b->slot);
  memcpy(b, &(struct buffer){.env = *env, .cap = cap, .stalled_since = SLUICE_NEVER}, sizeof *b);
  return b;
}

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct buffer *b = self;
  if (b->n == b->cap) {
    if (b->stalled_since == SLUICE_NEVER)
      b->stalled_since = cycle;
    return false;
  }
  if (b->stalled_since != SLUICE_NEVER) {
    b->env.count[C_fill_stalls] += cycle - b->stalled_since;
    b->stalled_since = SLUICE_NEVER;
  }
  b->env.count[C_requests]++;
  b->slot[b->n++] = (struct slot){r->line, cycle, handle, r->sm};
  return true;
}

static bool must_wait(const struct buffer *b, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (b->slot[k].line == b->slot[i].line && b->slot[k].sm == b->slot[i].sm)
      return true;
  return false;
}

static uint32_t pick(const void *self, uint64_t cycle) {
  (void)cycle;
  const struct buffer *b = self;
  for (uint32_t k = 0; k < b->n; k++) {
    uint32_t i = b->turn + k < b->n ? b->turn + k : b->turn + k - b->n;
    if (!must_wait(b, i) && b->env.would_fail(b->env.unit_state, b->slot[i].handle) == SLUICE_NFAILS)
      return b->slot[i].handle;
  }
  return b->n ? b->slot[0].handle : SLUICE_NONE; /* all would stall: the oldest is charged with it */
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  struct buffer *b = self;
  uint32_t i = 0;
  while (b->slot[i].handle != handle)
    i++;
  b->env.count[C_passed] += i != 0;
  b->env.count[C_wait_cycles] += cycle - b->slot[i].cycle;
  memmove(b->slot + i, b->slot + i + 1, (b->n - i - 1) * sizeof *b->slot);
  b->n--;
  b->turn = i < b->n ? i : 0; /* what came behind it is next */
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)self, (void)handle, (void)why, (void)cycle;
}

static uint64_t next(const void *self, uint64_t cycle) {
  (void)self, (void)cycle;
  return SLUICE_NEVER;
}

static const struct sluice_order order = {
    sizeof(struct sluice_order), open, tech_drop, insert, pick, took, refused, next};

static double mean_wait(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_requests];
}
static const struct sluice_ratio ratios[] = {
    {"wait_mean", "cycles", "Mean cycles a request spends in the buffer.", mean_wait},
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint64_t n = env->param[P_entries].u;
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "buffer",
                                   .entries = n,
                                   .bits = 64,
                                   .ways = (uint32_t)n, /* any of them, by line and SM */
                                   .units = env->slices,
                                   .searches = "requests",
                                   .reads = "requests",
                                   .writes = "requests"};
  return 1;
}

const struct sluice_technique technique_nonblocking = {
    TECH_HEAD,
    .name = "nonblocking",
    .summary = "The L2's incoming buffer serves any request that would not stall.",
    .paper = "CART, III-B: the straightforward non-blocking design",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .l2_order = &order,
};
