/* drrip: dynamic re-reference interval prediction (Jaleel, Theobald, Steely, Emer, ISCA 2010).
 *
 *   SRRIP   a line is expected again in a long time (2) when it is allocated
 *   BRRIP   in the distant future (3), but for one of `bimodal` allocations: of a loop larger than the cache a part stays
 *
 * Some sets always do as SRRIP says and as many as BRRIP says; a counter (PSEL) goes up with a miss of the former and down with one of the
 * latter. The other sets follow who misses less. */
#include "cache/repl/rrip.h"
#include "tech/declare.h"

static const char *const levels_of[] = {"both", "l1", "l2", NULL};
#define PARAMS(P)                                                                                            \
  P(level, TECH_ENUM("both", levels_of), "", "The caches that it replaces lines in.", "the paper: the last") \
  P(leaders, TECH_UINT("32", 1, 4096), "sets",                                                               \
    "Sets that always follow each of the two policies; at most a quarter of the sets.", "DRRIP, 5: 32")      \
  P(psel_bits, TECH_UINT("10", 1, 30), "bits", "Bits of the counter.", "DRRIP, 5: 10 bits")                  \
  P(bimodal, TECH_UINT("32", 1, 65536), "lines", "Of so many allocations BRRIP expects one in a long time.", \
    "DRRIP, 4: a probability of 1/32; here every 32nd")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(allocated, "lines", "Lines allocated.")                                                                  \
  C(distant, "lines", "Lines allocated as expected in the distant future.")                                  \
  C(bimodal_sets, "lines", "Lines allocated in following sets while they followed BRRIP.")                   \
  C(l1_accesses, "accesses", "Lines of the L1 used or allocated: its predictions are read and written.")     \
  C(l2_accesses, "accesses", "The same for the L2.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

enum role { FOLLOWER, LEADS_SRRIP, LEADS_BRRIP };

struct drrip {
  struct rrip r;
  uint64_t *count, *accesses;
  uint32_t every; /* of so many sets, one leads SRRIP and one BRRIP */
  uint32_t psel, top, bimodal, n;
};

static uint32_t leaders(const struct sluice_env *env, uint32_t sets) {
  uint32_t n = (uint32_t)env->param[P_leaders].u, most = sets / 4;
  while (n & (n - 1))
    n &= n - 1;
  return n < most ? n : most;
}

static void *open(const struct sluice_env *env, const struct sluice_cache_shape *shape) {
  struct drrip *d = tech_new(sizeof *d);
  d->r = rrip_new(shape);
  d->count = env->count;
  d->accesses = &env->count[shape->l1 ? C_l1_accesses : C_l2_accesses];
  d->every = shape->sets / leaders(env, shape->sets);
  d->top = (1u << env->param[P_psel_bits].u) - 1;
  d->psel = (d->top + 1) / 2 - 1; /* SRRIP at first */
  d->bimodal = (uint32_t)env->param[P_bimodal].u;
  return d;
}

static void close(void *self) {
  struct drrip *d = self;
  free(d->r.value), free(d);
}

static enum role role(const struct drrip *d, uint32_t set) {
  uint32_t at = set % d->every;
  return at == 0 ? LEADS_SRRIP : at == d->every / 2 ? LEADS_BRRIP : FOLLOWER;
}

static void used(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a) {
  (void)a;
  struct drrip *d = self;
  *rrip_at(&d->r, set, way) = RRIP_SOON;
  ++*d->accesses;
}

/* A line is allocated where it misses: the set's leader has lost. */
static void allocated(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a) {
  (void)a;
  struct drrip *d = self;
  enum role k = role(d, set);
  if (k == LEADS_SRRIP)
    d->psel += d->psel < d->top;
  else if (k == LEADS_BRRIP)
    d->psel -= d->psel > 0;
  bool bimodal = k == LEADS_BRRIP || (k == FOLLOWER && d->psel > d->top / 2);
  bool distant = bimodal && ++d->n % d->bimodal != 0;
  *rrip_at(&d->r, set, way) = distant ? RRIP_DISTANT : RRIP_LONG;
  d->count[C_allocated]++;
  ++*d->accesses;
  d->count[C_distant] += distant;
  d->count[C_bimodal_sets] += bimodal && k == FOLLOWER;
}

static void replaced(void *self, uint32_t set, uint32_t way) {
  rrip_age(&((struct drrip *)self)->r, set, way);
}

static uint32_t victim(const void *self, uint32_t set, const uint64_t *can) {
  return rrip_victim(&((const struct drrip *)self)->r, set, can);
}

static uint32_t levels(const struct sluice_env *env) {
  static const uint32_t of[] = {SLUICE_LEVEL_L1 | SLUICE_LEVEL_L2, SLUICE_LEVEL_L1, SLUICE_LEVEL_L2};
  return of[env->param[P_level].u];
}

static const char *check(const struct sluice_env *env) {
  if (levels(env) & SLUICE_LEVEL_L1 && env->l1_sets < 4)
    return "the L1 has too few sets for two policies to compete: at least 4 are needed (drrip.level=l2 "
           "leaves it alone)";
  if (levels(env) & SLUICE_LEVEL_L2 && env->l2_sets < 4)
    return "a slice of the L2 has too few sets for two policies to compete: at least 4 are needed "
           "(drrip.level=l1 leaves it alone)";
  return NULL;
}

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint32_t n = 0;
  if (levels(env) & SLUICE_LEVEL_L1 && n++ < capacity)
    out[n - 1] = (struct sluice_array){.name = "L1 predictions",
                                       .entries = env->l1_lines,
                                       .bits = 2,
                                       .ways = 1,
                                       .units = env->sms,
                                       .reads = "l1_accesses",
                                       .writes = "l1_accesses"};
  if (levels(env) & SLUICE_LEVEL_L2 && n++ < capacity)
    out[n - 1] = (struct sluice_array){.name = "L2 predictions",
                                       .entries = env->l2_lines,
                                       .bits = 2,
                                       .ways = 1,
                                       .units = env->slices,
                                       .reads = "l2_accesses",
                                       .writes = "l2_accesses"};
  return n;
}

static const struct sluice_replacement replacement = {.size = sizeof replacement,
                                                      .open = open,
                                                      .close = close,
                                                      .used = used,
                                                      .allocated = allocated,
                                                      .replaced = replaced,
                                                      .victim = victim,
                                                      .levels = levels};

const struct sluice_technique technique_drrip = {
    TECH_HEAD,
    .name = "drrip",
    .summary = "Lines are expected again in a long time or hardly ever, as sets that compete have found.",
    .paper = "Jaleel et al., ISCA 2010",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .arrays = arrays,
    .check = check,
    .replacement = &replacement,
};
