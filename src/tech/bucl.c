/* bucl: un-coalesced loads go past the L1 (Zhao et al., "Selectively GPU Cache Bypassing for Un-Coalesced Loads").
 *
 *   a load with more line accesses than TUCD ──▶ past the L1, whole
 *   an access the L1 refuses, while hit rate and load of its L2 slice were low ──▶ past the L1, alone
 *
 * TUCD follows the hit rate of SM 0 from period to period (`dyn`), or is the one with which an SM did best in the
 * first cycles of a launch, each SM trying another (`prf`). `watch` bypasses nothing and measures. */
#include "tech/declare.h"
#include <math.h>

static const char *const modes[] = {"dyn", "prf", "watch", NULL};
enum { DYN, PRF, WATCH };
#define PARAMS(P)                                                                                            \
  P(mode, TECH_ENUM("dyn", modes), "", "How TUCD is found.", "BUCL, IV-B; watch is ours")                    \
  P(tucd, TECH_UINT("5", 1, 64), "accesses", "TUCD at the start.", "BUCL, Table II")                         \
  P(tucd_min, TECH_UINT("2", 1, 64), "accesses", "Least TUCD.", "BUCL, V")                                   \
  P(tucd_max, TECH_UINT("25", 1, 64), "accesses", "Greatest TUCD.", "BUCL, V")                               \
  P(period, TECH_UINT("1000", 10, 100000000), "cycles", "Sampling period.", "BUCL, Table II")                \
  P(profile, TECH_UINT("5000", 10, 100000000), "cycles",                                                     \
    "Mode prf: cycles of a launch in which SMs try different TUCDs, up to the next sampling point.",         \
    "BUCL, Table II: 5000 or 10000")                                                                         \
  P(hit_rate, TECH_FLOAT("0.8", 0.0, 1.0), "", "Hit rate below which an access may go past the L1.",         \
    "BUCL, Table II")                                                                                        \
  P(utilisation, TECH_FLOAT("0.7", 0.0, 1.0), "",                                                            \
    "Utilisation of the L2 slice's incoming buffer below which it may.", "BUCL, Table II")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

/* The groups of BUCL's Figs. 2 and 5: degree 1, 2, 3 to 10, 11 to 20, more. */
enum { GROUPS = 5 };
static unsigned group_of(uint32_t degree) {
  return degree == 1 ? 0 : degree == 2 ? 1 : degree <= 10 ? 2 : degree <= 20 ? 3 : 4;
}

#define BY_GROUP(C, name, unit, help)                                                                        \
  C(name##_1, unit, help " Degree 1.")                                                                       \
  C(name##_2, unit, help " Degree 2.")                                                                       \
  C(name##_3_10, unit, help " Degree 3 to 10.")                                                              \
  C(name##_11_20, unit, help " Degree 11 to 20.")                                                            \
  C(name##_21_up, unit, help " Degree above 20.")
#define COUNTS(C)                                                                                            \
  C(bypassed_loads, "instructions", "Loads that went past the L1 whole, for their degree.")                  \
  C(bypassed_accesses, "accesses", "Single accesses that went past after a refusal.")                        \
  C(past_ways, "accesses", "Of those, refused because every way of the set was reserved.")                   \
  C(past_mshr, "accesses", "Of those, refused for want of a miss register.")                                 \
  C(past_queue, "accesses", "Of those, refused for another reason.")                                         \
  C(kept_local, "accesses", "Refused accesses kept because the hit rate was high.")                          \
  C(kept_busy, "accesses", "Refused accesses kept because their L2 slice was busy.")                         \
  C(kept_pending, "accesses", "Refused accesses kept because their line was being fetched.")                 \
  C(periods, "periods", "Sampling periods.")                                                                 \
  C(tucd_sum, "accesses", "TUCD at the end of each, summed.")                                                \
  C(tucd_up, "times", "TUCD raised.")                                                                        \
  C(tucd_down, "times", "TUCD lowered.")                                                                     \
  BY_GROUP(C, loads, "instructions", "Loads, by line accesses.")                                             \
  BY_GROUP(C, accesses, "accesses", "Line accesses of loads.")                                               \
  BY_GROUP(C, all_hit, "instructions", "Loads all of whose accesses hit.")                                   \
  BY_GROUP(C, latency, "cycles", "Cycles from issue to data, summed.")                                       \
  BY_GROUP(C, brought, "lines", "Lines brought into the L1.")                                                \
  BY_GROUP(C, reused, "lines", "Of those, hit again while there.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

static const uint32_t trials[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 25};
enum { TRIALS = sizeof trials / sizeof *trials, SHADOW = 1 << 14 };

struct unit;
struct gpu {
  uint64_t *count;
  uint32_t mode, tucd, lo, hi, sms, slices;
  double low_hit_rate, low_utilisation;
  double hit_rate; /* of the last period that had accesses */
  double *utilisation;
  uint64_t *queued, l2_cycle; /* as of the last sample */
  uint64_t hits, misses;      /* likewise, of SM 0 */
  struct unit *sampled;
  bool profiling;
  uint64_t profile, profile_until, *issued;
};

/* The line that was brought last under a hash, by which group, and whether it was used again. */
struct shadow {
  uint64_t line;
  uint8_t group;
  bool reused;
};

struct unit {
  struct gpu *gpu;
  uint64_t *count;
  uint32_t trial; /* TUCD while profiling */
  unsigned line_shift;
  uint64_t hits, misses;
  struct shadow shadow[SHADOW];
};

static void *open_gpu(const struct sluice_env *env) {
  struct gpu *g = tech_new(sizeof *g);
  *g = (struct gpu){.count = env->count,
                    .mode = (uint32_t)env->param[P_mode].u,
                    .tucd = (uint32_t)env->param[P_tucd].u,
                    .lo = (uint32_t)env->param[P_tucd_min].u,
                    .hi = (uint32_t)env->param[P_tucd_max].u,
                    .sms = env->sms,
                    .slices = env->slices,
                    .low_hit_rate = env->param[P_hit_rate].f,
                    .low_utilisation = env->param[P_utilisation].f,
                    .profile = env->param[P_profile].u,
                    .hit_rate = 1}; /* nothing is known yet: nothing goes past alone */
  g->utilisation = xcalloc(env->slices, sizeof *g->utilisation);
  g->queued = xcalloc(env->slices, sizeof *g->queued);
  g->issued = xcalloc(env->sms, sizeof *g->issued);
  return g;
}

static void close_gpu(void *self) {
  struct gpu *g = self;
  free(g->utilisation), free(g->queued), free(g->issued), free(g);
}

static const char *check(const struct sluice_env *env) {
  return env->param[P_tucd_min].u > env->param[P_tucd_max].u ? "bucl.tucd_min is above bucl.tucd_max" : NULL;
}

static uint64_t period(const struct sluice_env *env) {
  return env->param[P_period].u;
}

static void *open(const struct sluice_env *env) {
  struct unit *u = tech_new(sizeof *u);
  u->gpu = env->gpu;
  u->count = env->count;
  u->line_shift = (unsigned)__builtin_ctz(env->line_bytes);
  u->trial = trials[env->unit % TRIALS];
  if (env->unit == 0)
    u->gpu->sampled = u;
  return u;
}

static void launch(void *self, const struct sluice_state *s, uint64_t cycle) {
  struct gpu *g = self;
  if (g->mode != PRF)
    return;
  g->profiling = true;
  g->profile_until = cycle + g->profile;
  memcpy(g->issued, s->issued, g->sms * sizeof *g->issued);
}

/* The SM that issued most has the best TUCD; of equals the first. */
static void choose_best(struct gpu *g, const struct sluice_state *s) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < g->sms; i++)
    if (s->issued[i] - g->issued[i] > s->issued[best] - g->issued[best])
      best = i;
  g->tucd = trials[best % TRIALS];
  g->profiling = false;
}

static void tick(void *self, const struct sluice_state *s, uint64_t cycle) {
  struct gpu *g = self;
  uint64_t hits = g->sampled->hits - g->hits, misses = g->sampled->misses - g->misses;
  g->hits += hits;
  g->misses += misses;
  if (hits + misses) /* an empty period tells nothing */
    g->hit_rate = (double)hits / (double)(hits + misses);
  uint64_t cycles = s->l2_cycle - g->l2_cycle;
  for (uint32_t i = 0; i < g->slices && cycles; i++) {
    g->utilisation[i] = (double)(s->queued[i] - g->queued[i]) / (double)cycles / s->buffer;
    g->queued[i] = s->queued[i];
  }
  g->l2_cycle = s->l2_cycle;
  if (g->mode == DYN && g->hit_rate > g->low_hit_rate && g->tucd < g->hi) {
    g->tucd++;
    g->count[C_tucd_up]++;
  } else if (g->mode == DYN && g->hit_rate <= g->low_hit_rate && g->tucd > g->lo) {
    g->tucd--;
    g->count[C_tucd_down]++;
  }
  if (g->profiling && cycle >= g->profile_until)
    choose_best(g, s);
  g->count[C_periods]++;
  g->count[C_tucd_sum] += g->tucd;
}

static bool instruction(void *self, uint32_t warp, uint32_t degree, uint64_t cycle) {
  (void)warp, (void)cycle;
  struct unit *u = self;
  if (u->gpu->mode == WATCH || degree <= (u->gpu->profiling ? u->trial : u->gpu->tucd))
    return false;
  u->count[C_bypassed_loads]++;
  return true;
}

static bool access(void *self, const struct sluice_request *r, enum sluice_fail why, uint64_t cycle) {
  (void)cycle;
  struct unit *u = self;
  if (u->gpu->mode == WATCH)
    return false;
  if (r->pending)
    u->count[C_kept_pending]++;
  else if (u->gpu->hit_rate >= u->gpu->low_hit_rate)
    u->count[C_kept_local]++;
  else if (u->gpu->utilisation[r->slice] >= u->gpu->low_utilisation)
    u->count[C_kept_busy]++;
  else {
    u->count[C_bypassed_accesses]++;
    u->count[why == SLUICE_FAIL_WAYS ? C_past_ways : why == SLUICE_FAIL_MSHR ? C_past_mshr : C_past_queue]++;
    return true;
  }
  return false;
}

static void loaded(void *self, const struct sluice_request *r, enum sluice_outcome o, uint64_t cycle) {
  (void)cycle;
  struct unit *u = self;
  struct shadow *s = &u->shadow[(r->line >> u->line_shift) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - 14)];
  if (o == SLUICE_HIT)
    u->hits++;
  else
    u->misses++; /* merged ones are no hits */
  if (o == SLUICE_MISSED) {
    *s = (struct shadow){r->line, (uint8_t)group_of(r->degree), false};
    u->count[C_brought_1 + s->group]++;
  } else if (o == SLUICE_HIT && s->line == r->line && !s->reused) {
    s->reused = true;
    u->count[C_reused_1 + s->group]++;
  }
}

static void done(void *self, uint32_t warp, uint32_t degree, uint32_t hits, bool bypassed, uint64_t cycles) {
  (void)warp, (void)bypassed;
  struct unit *u = self;
  unsigned g = group_of(degree);
  u->count[C_loads_1 + g]++;
  u->count[C_accesses_1 + g] += degree;
  u->count[C_all_hit_1 + g] += hits == degree;
  u->count[C_latency_1 + g] += cycles;
}

static const struct sluice_l1_bypass bypass = {.size = sizeof(struct sluice_l1_bypass),
                                               .open = open,
                                               .close = tech_drop,
                                               .instruction = instruction,
                                               .access = access,
                                               .loaded = loaded,
                                               .done = done};

static double mean_tucd(const uint64_t *n) {
  return (double)n[C_tucd_sum] / (double)n[C_periods];
}
static double ratio(const uint64_t *n, int of, int all, unsigned group) {
  return (double)n[of + (int)group] / (double)n[all + (int)group];
}
#define EACH(X)                                                                                              \
  X(1, 0, "1") X(2, 1, "2") X(3_10, 2, "3 to 10") X(11_20, 3, "11 to 20") X(21_up, 4, "above 20")
#define X(name, g, text)                                                                                     \
  static double all_hit_ratio_##name(const uint64_t *n) {                                                    \
    return ratio(n, C_all_hit_1, C_loads_1, g);                                                              \
  }                                                                                                          \
  static double latency_mean_##name(const uint64_t *n) {                                                     \
    return ratio(n, C_latency_1, C_loads_1, g);                                                              \
  }                                                                                                          \
  static double reuse_##name(const uint64_t *n) {                                                            \
    return ratio(n, C_reused_1, C_brought_1, g);                                                             \
  }
EACH(X)
#undef X
/* BUCL, III-A: more than a tenth makes a benchmark un-coalesced. */
static double uncoalesced(const uint64_t *n) {
  double all = 0, more = 0;
  for (int g = 0; g < GROUPS; g++) {
    all += (double)n[C_loads_1 + g];
    more += g > 1 ? (double)n[C_loads_1 + g] : 0;
  }
  return more / all;
}
static const struct sluice_ratio ratios[] = {
    {"uncoalesced_share", "share", "Of the loads, those with more than two line accesses.", uncoalesced},
    {"tucd_mean", "accesses", "Mean TUCD over sampling periods.", mean_tucd},
#define X(name, g, text)                                                                                     \
  {"all_hit_ratio_" #name, "", "Share of loads of degree " text " all of whose accesses hit.",               \
   all_hit_ratio_##name},                                                                                    \
      {"latency_mean_" #name, "cycles", "Mean cycles from issue to data of loads of degree " text ".",       \
       latency_mean_##name},                                                                                 \
      {"reuse_" #name, "", "Share of lines brought by loads of degree " text " that were hit again.",        \
       reuse_##name},
    EACH(X)
#undef X
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity > 0)
    out[0] = (struct sluice_array){
        .name = "utilisation of slices", .entries = env->slices, .bits = 8, .units = 1, .writes = "periods"};
  /* of the sampled L1 */
  if (capacity > 1)
    out[1] = (struct sluice_array){.name = "hits, misses and TUCD",
                                   .entries = 3,
                                   .bits = 16,
                                   .units = 1,
                                   .reads = "periods",
                                   .writes = "periods"};
  return 2;
}

const struct sluice_technique technique_bucl = {
    TECH_HEAD,
    .name = "bucl",
    .summary = "Un-coalesced loads, and refused accesses without locality, go past the L1.",
    .paper = "Zhao et al., Selectively GPU Cache Bypassing for Un-Coalesced Loads",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .check = check,
    .open_gpu = open_gpu,
    .close_gpu = close_gpu,
    .period = period,
    .tick = tick,
    .launch = launch,
    .l1_bypass = &bypass,
};
