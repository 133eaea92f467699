/* racb: an access that finds no resource in a cache goes past it (Dai et al., "RACB: Resource Aware Cache Bypass
 * on GPUs"). Stateless: decided for each access when it is refused, in the L1, in the L2, or in both. */
#include "tech/declare.h"

static const char *const causes[] = {"all", "ways", "mshr", "merge", NULL};
#define PARAMS(P)                                                                                            \
  P(l1, TECH_BOOL("true"), "", "Bypass the L1.", "RACB")                                                     \
  P(l2, TECH_BOOL("true"), "", "Bypass the L2.", "RACB")                                                     \
  P(causes, TECH_ENUM("all", causes), "", "What must be missing: a way, a miss register, room in one.",      \
    "RACB: any of them")                                                                                     \
  P(queue, TECH_UINT("8", 1, 4096), "requests", "Queue of bypassing requests at the L1.", "assumed")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(l1_ways, "accesses", "Loads past the L1 for want of a way.")                                             \
  C(l1_mshr, "accesses", "Loads past the L1 for want of a miss register.")                                   \
  C(l1_merge, "accesses", "Loads past the L1 for want of room to merge.")                                    \
  C(l2_ways, "accesses", "Reads past the L2 for want of a way.")                                             \
  C(l2_mshr, "accesses", "Reads past the L2 for want of a miss register.")                                   \
  C(l2_merge, "accesses", "Reads past the L2 for want of room to merge.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct racb {
  uint64_t *count; /* of the level */
  uint32_t causes; /* bits */
};

static void *open(const struct sluice_env *env, bool on, int first) {
  struct racb *r = tech_new(sizeof *r);
  static const uint32_t sets[] = {1 << SLUICE_FAIL_WAYS | 1 << SLUICE_FAIL_MSHR | 1 << SLUICE_FAIL_MERGE,
                                  1 << SLUICE_FAIL_WAYS, 1 << SLUICE_FAIL_MSHR, 1 << SLUICE_FAIL_MERGE};
  r->count = env->count + first;
  r->causes = on ? sets[env->param[P_causes].u] : 0;
  return r;
}

static void *open_l1(const struct sluice_env *env) {
  return open(env, env->param[P_l1].u, C_l1_ways);
}
static void *open_l2(const struct sluice_env *env) {
  return open(env, env->param[P_l2].u, C_l2_ways);
}

static uint32_t queue(const struct sluice_env *env) {
  return (uint32_t)env->param[P_queue].u;
}

static bool bypass(void *self, const struct sluice_request *q, enum sluice_fail why, uint64_t cycle) {
  (void)q, (void)cycle;
  struct racb *r = self;
  if (!(r->causes >> why & 1))
    return false;
  r->count[why - SLUICE_FAIL_WAYS]++;
  return true;
}

static const struct sluice_l1_bypass l1 = {.size = sizeof(struct sluice_l1_bypass),
                                           .open = open_l1,
                                           .close = tech_drop,
                                           .queue = queue,
                                           .access = bypass};
static const struct sluice_l2_bypass l2 = {
    .size = sizeof(struct sluice_l2_bypass), .open = open_l2, .close = tech_drop, .access = bypass};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "bypass queue",
                                   .entries = env->param[P_queue].u,
                                   .bits = 64,
                                   .units = env->sms,
                                   .reads = "l1_ways+l1_mshr+l1_merge",
                                   .writes = "l1_ways+l1_mshr+l1_merge"};
  return env->param[P_l1].u ? 1 : 0;
}

const struct sluice_technique technique_racb = {
    TECH_HEAD,
    .name = "racb",
    .summary = "Accesses that lack a resource of the L1 or L2 go past it.",
    .paper = "Dai et al., RACB: Resource Aware Cache Bypass on GPUs",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .arrays = arrays,
    .l1_bypass = &l1,
    .l2_bypass = &l2,
};
