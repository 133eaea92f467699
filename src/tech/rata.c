/* rata: a Remote Access Tag Array for each cluster of SMs (Cheng et al., "Remote Access Tag Array for Efficient GPU
 * Intra-Cluster Data Sharing").
 *
 *   (1) an answer of the L2 leaves the response buffer ─▶ entry: line, SM it goes to
 *   (2) an L1 misses ─▶ is there an entry?            (3) ─▶ ask that SM's L1
 *   (4) found ─▶ tail of the response buffer          (5) ─▶ the SM that asked; no entry, and its L1 is not filled
 *
 * The array does not hear of lines that an L1 replaces, so it may name an L1 that has lost the line (false positive), and
 * its own entries are replaced while the line is still in the L1 (false negative). What the L1s have is kept beside it, as
 * no hardware could, to count the latter and for `ideal`, which makes no such errors. Likewise what they are fetching, which counts
 * as cached if `in_flight` says so, and which `ideal` then waits for. Between launches the L1s are emptied, and the array with
 * them. */
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
  P(in_flight, TECH_BOOL("false"), "",                                                                       \
    "A line that another L1 of the cluster is fetching counts as cached; with ideal, loads wait for it.",    \
    "assumed: RATA, II, asks whether the line resides in an L1")                                             \
  P(fill, TECH_BOOL("false"), "", "The L1 that asked keeps the line.", "RATA, II: it is not filled")         \
  P(width, TECH_UINT("1", 1, 64), "loads",                                                                   \
    "Loads redirected and lines answered in a cycle, beside one request and answer of the network; 1: all "  \
    "share those.",                                                                                          \
    "assumed: RATA, Fig. 3, has one response buffer")                                                        \
  P(slots, TECH_UINT("0", 0, 4096), "loads",                                                                 \
    "Loads of a cluster that are redirected at a time; 0: places of the response buffer (noc.out).",         \
    "assumed")                                                                                               \
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
  C(replicated, "loads", "Loads whose line another L1 of the cluster had (or fetched, with in_flight).")     \
  C(in_flight, "loads", "Loads whose line no other L1 of the cluster had, but one was fetching.")            \
  C(joined, "loads", "Of those, answered as that line passed.")                                              \
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

/* Which SMs have a line, or fetch one. */
struct lines {
  struct copy *copy;
  uint32_t *bucket, mask, unused, n, cap;
};

struct shared {
  uint64_t launch; /* the one that runs, from 1 */
};

struct rata {
  const struct shared *shared;
  uint64_t *count;
  uint32_t sets, ways, latency;
  unsigned line_shift;
  bool ideal, watch, in_flight;
  struct sluice_route_way way;
  uint64_t clock;
  struct entry *entry; /* [set][way] */
  struct lines cached, fetched;
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

static void lines_init(struct lines *l, uint32_t buckets) {
  while (l->mask + 1 < buckets)
    l->mask = l->mask * 2 + 1;
  l->bucket = xcalloc(l->mask + 1u, sizeof *l->bucket);
  for (uint32_t i = 0; i <= l->mask; i++)
    l->bucket[i] = SLUICE_NONE;
  l->unused = SLUICE_NONE;
}

static uint32_t lines_take(struct lines *l) {
  uint32_t i = l->unused;
  if (i != SLUICE_NONE) {
    l->unused = l->copy[i].next;
    return i;
  }
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 64;
    l->copy = xrealloc(l->copy, l->cap * sizeof *l->copy);
  }
  return l->n++;
}

static uint32_t *lines_bucket(const struct lines *l, uint64_t number) {
  return &l->bucket[number * UINT64_C(0x9e3779b97f4a7c15) >> 32 & l->mask];
}

/* The SM has these sectors of the line now; 0: none. */
static void lines_set(struct lines *l, uint64_t number, uint64_t line, uint32_t sm, uint8_t sectors) {
  uint32_t *at = lines_bucket(l, number);
  while (*at != SLUICE_NONE && (l->copy[*at].line != line || l->copy[*at].sm != sm))
    at = &l->copy[*at].next;
  uint32_t i = *at;
  if (i != SLUICE_NONE && sectors) {
    l->copy[i].sectors = sectors;
  } else if (i != SLUICE_NONE) {
    *at = l->copy[i].next;
    l->copy[i].next = l->unused;
    l->unused = i;
  } else if (sectors) {
    i = lines_take(l);
    at = lines_bucket(l, number);
    l->copy[i] = (struct copy){.line = line, .sm = sm, .next = *at, .sectors = sectors};
    *at = i;
  }
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
  a->in_flight = env->param[P_in_flight].u;
  a->way = (struct sluice_route_way){.width = (uint32_t)env->param[P_width].u,
                                     .slots = (uint32_t)env->param[P_slots].u,
                                     .fills = env->param[P_fill].u};
  lines_init(&a->cached, env->cluster * env->l1_lines);
  lines_init(&a->fetched, env->cluster * 64);
  return a;
}

static void close(void *self) {
  struct rata *a = self;
  free(a->entry), free(a->cached.copy), free(a->cached.bucket), free(a->fetched.copy),
      free(a->fetched.bucket);
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

static uint64_t number_of(const struct rata *a, uint64_t line) {
  return line >> a->line_shift;
}

/* The other SM that last got (or asked for) a line which it still has (or waits for); SLUICE_NONE: there is none. */
static uint32_t another(const struct rata *a, const struct lines *l, const struct sluice_request *r) {
  for (uint32_t i = *lines_bucket(l, number_of(a, r->line)); i != SLUICE_NONE; i = l->copy[i].next) {
    const struct copy *c = &l->copy[i];
    if (c->line == r->line && c->sm != r->sm && !(r->sectors & ~c->sectors))
      return c->sm;
  }
  return SLUICE_NONE;
}

static uint32_t holder(const struct rata *a, const struct sluice_request *r) {
  return another(a, &a->cached, r);
}

/* Counts a load that another L1 could have answered; true: one could. */
static bool count_replicated(struct rata *a, const struct sluice_request *r) {
  bool had = holder(a, r) != SLUICE_NONE, fetching = !had && another(a, &a->fetched, r) != SLUICE_NONE;
  a->count[C_in_flight] += fetching;
  had |= fetching && a->in_flight;
  a->count[C_replicated] += had;
  return had;
}

static uint32_t look(const void *self, const struct sluice_request *r, uint64_t cycle) {
  (void)cycle;
  const struct rata *a = self;
  if (a->watch)
    return SLUICE_NONE;
  if (a->ideal) {
    uint32_t sm = holder(a, r);
    bool wait = sm == SLUICE_NONE && a->in_flight && another(a, &a->fetched, r) != SLUICE_NONE;
    return wait ? SLUICE_IN_FLIGHT : sm;
  }
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
  if (to == SLUICE_IN_FLIGHT) {
    a->count[C_in_flight]++;
    return;
  }
  if (to != SLUICE_NONE) {
    a->count[C_redirected]++;
    return;
  }
  a->count[C_own] += e && e->sm == r->sm;
  a->count[C_false_negatives] += count_replicated(a, r) && !a->watch;
  lines_set(&a->fetched, number_of(a, r->line), r->line, r->sm, r->sectors);
}

static void asked(void *self, const struct sluice_request *r, uint32_t from, bool found, uint64_t cycle) {
  (void)cycle;
  struct rata *a = self;
  a->count[from == SLUICE_IN_FLIGHT ? C_joined : found ? C_remote_hits : C_false_positives]++;
  if (found) {
    a->count[C_replicated]++;
    return;
  }
  count_replicated(a, r);
  lines_set(&a->fetched, number_of(a, r->line), r->line, r->sm, r->sectors);
}

static void filled(void *self, uint32_t sm, uint64_t line, uint64_t cycle) {
  (void)cycle;
  struct rata *a = self;
  lines_set(&a->fetched, number_of(a, line), line, sm, 0);
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
  lines_set(&a->cached, number_of(a, line), line, sm, sectors);
}

static void way(const void *self, struct sluice_route_way *to) {
  *to = ((const struct rata *)self)->way;
}

static const struct sluice_route route = {
    sizeof(struct sluice_route), open, close, latency, look, sure, sent, asked, filled, changed, way};

static double captured(const uint64_t *n) {
  return (double)(n[C_remote_hits] + n[C_joined]) / (double)n[C_replicated];
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

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (env->param[P_ideal].u || env->param[P_watch].u)
    return 0; /* no hardware is that */
  uint64_t sets = env->param[P_sets].u, ways = env->param[P_ways].u,
           tag = ADDRESS_BITS - (unsigned)__builtin_ctz(env->line_bytes) - bits_for(sets);
  if (capacity > 0)
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
