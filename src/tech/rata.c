/* rata: a Remote Access Tag Array for each cluster of SMs (Cheng et al., "Remote Access Tag Array for Efficient GPU
 * Intra-Cluster Data Sharing").
 *
 *   (1) an answer of the L2 leaves the response buffer ─▶ entry: line, SM it goes to
 *   (2) an L1 misses ─▶ is there an entry?            (3) ─▶ ask that SM's L1
 *   (4) found ─▶ tail of the response buffer          (5) ─▶ the SM that asked; no entry, and its L1 is not filled
 *
 * The array does not hear of lines that an L1 replaces, so it may name an L1 that has lost the line (false positive), and
 * its own entries are replaced while the line is still in the L1 (false negative). What the L1s have is kept beside it, as
 * no hardware could, to count the latter and for `ideal`, which makes no such errors. Between launches the L1s are emptied,
 * and the array with them. */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(sets, TECH_UINT("64", 1, 65536), "sets", "Sets of a cluster's array; a power of two.",                   \
    "RATA, II: 40-bit addresses, 128-byte lines and 27-bit tags")                                            \
  P(ways, TECH_UINT("48", 1, 65536), "entries", "Entries of a set.",                                         \
    "assumed: as many entries as the L1s of eight SMs have lines")                                           \
  P(latency, TECH_UINT("0", 0, 1000), "cycles", "A request takes longer for being looked up.",               \
    "RATA, III: none")                                                                                       \
  P(ideal, TECH_BOOL("false"), "", "Every line that another L1 of the cluster has is found.",                \
    "RATA, III: the first experiment")                                                                       \
  P(watch, TECH_BOOL("false"), "", "Counts what could be shared and sends everything to the L2.",            \
    "RATA, I: Fig. 2 is of the GPU without it")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(lookups, "loads", "Loads that missed in their L1 and were looked up.")                                   \
  C(redirected, "loads", "Of those, sent to another L1 of the cluster.")                                     \
  C(remote_hits, "loads", "Of those, answered by it.")                                                       \
  C(false_positives, "loads", "Of those, sent on to the L2: the line was not there.")                        \
  C(false_negatives, "loads", "Loads sent to the L2 whose line another L1 of the cluster had.")              \
  C(own, "loads", "Loads sent to the L2 because the entry names the SM they come from.")                     \
  C(replicated, "loads", "Loads whose line another L1 of the cluster had.")                                  \
  C(fills, "lines", "Entries made or set anew by answers of the L2.")                                        \
  C(replaced, "entries", "Entries that made room for another line.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct entry {
  uint64_t line, used; /* used: by the array's own clock */
  uint64_t launch;     /* in which it was made; 0: never */
  uint32_t sm;
};

/* A line that an L1 has; those of a bucket are chained, the latest first. */
struct copy {
  uint64_t line;
  uint32_t sm, next;
  uint8_t sectors;
};

struct shared {
  uint64_t launch; /* the one that runs, from 1 */
};

struct rata {
  const struct shared *shared;
  uint64_t *count;
  uint32_t sets, ways, latency;
  unsigned line_shift;
  bool ideal, watch;
  uint64_t clock;
  struct entry *entry; /* [set][way] */
  struct copy *copy;
  uint32_t *bucket, mask, unused;
};

enum { ADDRESS_BITS = 40 };

static void *open_gpu(const struct sluice_env *env) {
  (void)env;
  struct shared *s = tech_new(sizeof *s);
  s->launch = 1;
  return s;
}

static void launch(void *gpu, const struct sluice_state *state, uint64_t cycle) {
  (void)state, (void)cycle;
  struct shared *s = gpu;
  s->launch++;
}

static void *open(const struct sluice_env *env) {
  struct rata *a = tech_new(sizeof *a);
  a->count = env->count;
  a->line_shift = (unsigned)__builtin_ctz(env->line_bytes);
  a->shared = env->gpu;
  a->sets = (uint32_t)env->param[P_sets].u;
  a->ways = (uint32_t)env->param[P_ways].u;
  a->latency = (uint32_t)env->param[P_latency].u;
  a->ideal = env->param[P_ideal].u;
  a->watch = env->param[P_watch].u;
  a->entry = xcalloc((size_t)a->sets * a->ways, sizeof *a->entry);
  uint32_t copies = env->cluster * env->l1_lines;
  a->copy = xcalloc(copies + 1, sizeof *a->copy);
  while (a->mask + 1 < copies)
    a->mask = a->mask * 2 + 1;
  a->bucket = xcalloc(a->mask + 1u, sizeof *a->bucket);
  for (uint32_t i = 0; i <= a->mask; i++)
    a->bucket[i] = SLUICE_NONE;
  for (uint32_t i = 0; i < copies; i++)
    a->copy[i].next = i + 1;
  a->copy[copies].next = SLUICE_NONE;
  return a;
}

static void close(void *self) {
  struct rata *a = self;
  free(a->entry), free(a->copy), free(a->bucket);
  free(a);
}

static const char *check(const struct sluice_env *env) {
  uint64_t sets = env->param[P_sets].u;
  if (sets & (sets - 1))
    return "rata.sets must be a power of two";
  if (env->param[P_ideal].u && env->param[P_watch].u)
    return "rata.ideal sends loads to other L1s, rata.watch none";
  if (env->cluster < 2)
    return "it needs SMs that share a link (noc.sms_per_link, as in --gpu rata80)";
  if (env->l1_reserves)
    return "it is asked before the L1 reserves a line: l1d.allocate must be on-fill, as in --gpu rata80";
  return NULL;
}

static uint32_t latency(const void *self) {
  return ((const struct rata *)self)->latency;
}
static bool sure(const void *self) {
  return ((const struct rata *)self)->ideal;
}

static struct entry *find(const struct rata *a, uint64_t line) {
  struct entry *set = a->entry + (size_t)((line >> a->line_shift) & (a->sets - 1)) * a->ways;
  for (uint32_t i = 0; i < a->ways; i++)
    if (set[i].launch == a->shared->launch && set[i].line == line)
      return &set[i];
  return NULL;
}

static uint32_t *bucket_of(const struct rata *a, uint64_t line) {
  return &a->bucket[(line >> a->line_shift) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & a->mask];
}

/* The SM that last got a line which it still has; SLUICE_NONE: no other has it. */
static uint32_t holder(const struct rata *a, const struct sluice_request *r) {
  for (uint32_t i = *bucket_of(a, r->line); i != SLUICE_NONE; i = a->copy[i].next) {
    const struct copy *c = &a->copy[i];
    if (c->line == r->line && c->sm != r->sm && !(r->sectors & ~c->sectors))
      return c->sm;
  }
  return SLUICE_NONE;
}

static uint32_t look(const void *self, const struct sluice_request *r, uint64_t cycle) {
  (void)cycle;
  const struct rata *a = self;
  if (a->watch)
    return SLUICE_NONE;
  if (a->ideal)
    return holder(a, r);
  const struct entry *e = find(a, r->line);
  return e && e->sm != r->sm ? e->sm : SLUICE_NONE;
}

static void sent(void *self, const struct sluice_request *r, uint32_t to, uint64_t cycle) {
  (void)cycle;
  struct rata *a = self;
  struct entry *e = a->ideal ? NULL : find(a, r->line);
  if (e)
    e->used = ++a->clock;
  a->count[C_lookups]++;
  if (to != SLUICE_NONE) {
    a->count[C_redirected]++;
    return;
  }
  a->count[C_own] += e && e->sm == r->sm;
  if (holder(a, r) != SLUICE_NONE) {
    a->count[C_false_negatives] += !a->watch;
    a->count[C_replicated]++;
  }
}

static void asked(void *self, const struct sluice_request *r, uint32_t from, bool found, uint64_t cycle) {
  (void)from, (void)cycle;
  struct rata *a = self;
  a->count[found ? C_remote_hits : C_false_positives]++;
  a->count[C_replicated] += found || holder(a, r) != SLUICE_NONE;
}

static void filled(void *self, uint32_t sm, uint64_t line, uint64_t cycle) {
  (void)cycle;
  struct rata *a = self;
  if (a->ideal)
    return;
  struct entry *e = find(a, line);
  if (!e) {
    e = a->entry + (size_t)((line >> a->line_shift) & (a->sets - 1)) * a->ways;
    for (struct entry *w = e, *end = e + a->ways; w < end; w++)
      if (w->used < e->used)
        e = w;
    a->count[C_replaced] += e->launch == a->shared->launch;
  }
  *e = (struct entry){.line = line, .used = ++a->clock, .launch = a->shared->launch, .sm = sm};
  a->count[C_fills]++;
}

static void changed(void *self, uint32_t sm, uint64_t line, uint8_t sectors, uint64_t cycle) {
  (void)cycle;
  struct rata *a = self;
  uint32_t *at = bucket_of(a, line);
  while (*at != SLUICE_NONE && (a->copy[*at].line != line || a->copy[*at].sm != sm))
    at = &a->copy[*at].next;
  uint32_t i = *at;
  if (i != SLUICE_NONE && sectors) {
    a->copy[i].sectors = sectors;
  } else if (i != SLUICE_NONE) {
    *at = a->copy[i].next;
    a->copy[i].next = a->unused;
    a->unused = i;
  } else if (sectors) {
    i = a->unused;
    a->unused = a->copy[i].next;
    at = bucket_of(a, line);
    a->copy[i] = (struct copy){.line = line, .sm = sm, .next = *at, .sectors = sectors};
    *at = i;
  }
}

static const struct sluice_route route = {open, close, latency, look, sure, sent, asked, filled, changed};

static double captured(const uint64_t *n) {
  return (double)n[C_remote_hits] / (double)n[C_replicated];
}
static double replication(const uint64_t *n) {
  return (double)n[C_replicated] / (double)n[C_lookups];
}
static const struct sluice_ratio ratios[] = {
    {"captured", "share", "Of the loads whose line another L1 of the cluster had, those it answered.",
     captured},
    {"replication", "share", "Of the loads that missed, those whose line another L1 of the cluster had.",
     replication},
};

static uint64_t bits_for(uint64_t n) {
  uint64_t bits = 0;
  while (UINT64_C(1) << bits < n)
    bits++;
  return bits;
}

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out) {
  if (env->param[P_ideal].u || env->param[P_watch].u)
    return 0; /* no hardware is that */
  uint64_t sets = env->param[P_sets].u, ways = env->param[P_ways].u,
           tag = ADDRESS_BITS - (unsigned)__builtin_ctz(env->line_bytes) - bits_for(sets);
  out[0] = (struct sluice_array){.name = "remote access tags",
                                 .entries = sets * ways,
                                 .bits = 1 + tag + bits_for(env->cluster),
                                 .ways = (uint32_t)ways,
                                 .units = (env->sms + env->cluster - 1) / env->cluster,
                                 .searches = "lookups",
                                 .writes = "fills"};
  return 1;
}

const struct sluice_technique technique_rata = {
    TECH_HEAD,
    .name = "rata",
    .summary = "A tag array for each cluster finds lines that another of its L1s has.",
    .paper = "Cheng et al., Remote Access Tag Array for Efficient GPU Intra-Cluster Data Sharing",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .route = &route,
    .open_gpu = open_gpu,
    .close_gpu = tech_drop,
    .launch = launch,
    .check = check,
};
