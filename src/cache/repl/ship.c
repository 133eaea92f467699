/* ship: signature-based hit prediction with the PC as signature, SHiP-PC (Wu, Jaleel, Hasenplaugh, Martonosi, Steely, Emer, MICRO 2011).
 *
 * A table of counters (SHCT) says whether lines that an instruction brings are used again:
 *   used       the counter of the line's signature goes up
 *   replaced   down, if the line was never used
 *   allocated  in the distant future if the counter is 0, else in a long time; the rest is SRRIP */
#include "cache/repl/rrip.h"
#include "tech/declare.h"

static const char *const levels_of[] = {"both", "l1", "l2", NULL};
#define PARAMS(P)                                                                                            \
  P(level, TECH_ENUM("both", levels_of), "", "The caches that it replaces lines in.", "the paper: the last") \
  P(entries, TECH_UINT("16384", 1, 1 << 20), "counters",                                                     \
    "Counters of the table of each cache: a power of two.", "SHiP, 3: 16K, signatures of 14 bits")           \
  P(bits, TECH_UINT("3", 1, 16), "bits", "Bits of a counter.", "SHiP, 3: 3 bits")                            \
  P(initial, TECH_UINT("1", 0, 65535), "", "What counters are at first.", "assumed; the paper does not say")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(allocated, "lines", "Lines allocated.")                                                                  \
  C(distant, "lines", "Lines allocated as expected in the distant future.")                                  \
  C(distant_used, "lines", "Of those, lines that were used all the same.")                                   \
  C(reused, "lines", "Lines used again, once each.")                                                         \
  C(unused, "lines", "Lines replaced that were never used again.")                                           \
  C(l1_accesses, "accesses", "Lines of the L1 used or allocated: its predictions are read and written.")     \
  C(l2_accesses, "accesses", "The same for the L2.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct ship_line {
  uint32_t signature;
  bool used, distant;
};

struct ship {
  struct rrip r;
  uint64_t *count, *accesses;
  struct ship_line *line; /* [set][way] */
  uint16_t *counter;
  uint32_t mask, top;
};

static void *open(const struct sluice_env *env, const struct sluice_cache_shape *shape) {
  struct ship *s = tech_new(sizeof *s);
  uint32_t n = (uint32_t)env->param[P_entries].u;
  s->r = rrip_new(shape);
  s->count = env->count;
  s->accesses = &env->count[shape->l1 ? C_l1_accesses : C_l2_accesses];
  s->line = tech_new((size_t)shape->sets * shape->ways * sizeof *s->line);
  s->counter = tech_new(n * sizeof *s->counter);
  s->mask = n - 1;
  s->top = (1u << env->param[P_bits].u) - 1;
  for (uint32_t i = 0; i < n; i++)
    s->counter[i] = (uint16_t)(env->param[P_initial].u);
  return s;
}

static void close(void *self) {
  struct ship *s = self;
  free(s->r.value), free(s->line), free(s->counter), free(s);
}

static struct ship_line *line_at(const struct ship *s, uint32_t set, uint32_t way) {
  return &s->line[(size_t)set * s->r.ways + way];
}

/* Instructions are numbered one by one: where there are more than counters, the upper bits are folded onto the lower. */
static uint32_t signature(const struct ship *s, uint32_t pc) {
  return (pc ^ pc >> 14 ^ pc >> 28) & s->mask;
}

static void used(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a) {
  (void)a;
  struct ship *s = self;
  struct ship_line *l = line_at(s, set, way);
  uint16_t *n = &s->counter[l->signature];
  *n = (uint16_t)(*n + (*n < s->top));
  s->count[C_reused] += !l->used;
  s->count[C_distant_used] += !l->used && l->distant;
  l->used = true;
  *rrip_at(&s->r, set, way) = RRIP_SOON;
  ++*s->accesses;
}

static void allocated(void *self, uint32_t set, uint32_t way, const struct sluice_cache_access *a) {
  struct ship *s = self;
  uint32_t of = signature(s, a->pc);
  bool distant = !s->counter[of];
  *line_at(s, set, way) = (struct ship_line){.signature = of, .distant = distant};
  *rrip_at(&s->r, set, way) = distant ? RRIP_DISTANT : RRIP_LONG;
  s->count[C_allocated]++;
  ++*s->accesses;
  s->count[C_distant] += distant;
}

static void replaced(void *self, uint32_t set, uint32_t way) {
  struct ship *s = self;
  const struct ship_line *l = line_at(s, set, way);
  uint16_t *n = &s->counter[l->signature];
  if (!l->used) {
    *n = (uint16_t)(*n - (*n > 0));
    s->count[C_unused]++;
  }
  rrip_age(&s->r, set, way);
}

static uint32_t victim(const void *self, uint32_t set, const uint64_t *can) {
  return rrip_victim(&((const struct ship *)self)->r, set, can);
}

static uint32_t levels(const struct sluice_env *env) {
  static const uint32_t of[] = {SLUICE_LEVEL_L1 | SLUICE_LEVEL_L2, SLUICE_LEVEL_L1, SLUICE_LEVEL_L2};
  return of[env->param[P_level].u];
}

static const char *check(const struct sluice_env *env) {
  uint64_t n = env->param[P_entries].u;
  if (n & (n - 1))
    return "ship.entries must be a power of two";
  if (env->param[P_initial].u >> env->param[P_bits].u)
    return "ship.initial is more than ship.bits can hold";
  return NULL;
}

static uint32_t bits_of(uint64_t n) {
  uint32_t bits = 0;
  while (n >> (bits + 1))
    bits++;
  return bits;
}

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint32_t n = 0, line = 2 + 1 + bits_of(env->param[P_entries].u); /* prediction, outcome, signature */
  for (int l1 = 0; l1 < 2; l1++) {
    if (!(levels(env) & (l1 ? SLUICE_LEVEL_L1 : SLUICE_LEVEL_L2)))
      continue;
    uint64_t units = l1 ? env->sms : env->slices;
    const char *accesses = l1 ? "l1_accesses" : "l2_accesses";
    if (n++ < capacity)
      out[n - 1] = (struct sluice_array){.name = l1 ? "L1 lines" : "L2 lines",
                                         .entries = l1 ? env->l1_lines : env->l2_lines,
                                         .bits = line,
                                         .ways = 1,
                                         .units = units,
                                         .reads = accesses,
                                         .writes = accesses};
    if (n++ < capacity)
      out[n - 1] = (struct sluice_array){.name = l1 ? "L1 counters" : "L2 counters",
                                         .entries = env->param[P_entries].u,
                                         .bits = env->param[P_bits].u,
                                         .ways = 1,
                                         .units = units,
                                         .reads = accesses,
                                         .writes = accesses};
  }
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

static double unused_share(const uint64_t *n) {
  return (double)n[C_unused] / (double)n[C_allocated];
}
static const struct sluice_ratio ratios[] = {
    {"unused_share", "", "Lines replaced without a use, of those allocated.", unused_share},
};

const struct sluice_technique technique_ship = {
    TECH_HEAD,
    .name = "ship",
    .summary = "Lines that an instruction brings are expected again as its lines were before.",
    .paper = "Wu et al., MICRO 2011",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .check = check,
    .replacement = &replacement,
};
