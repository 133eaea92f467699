/* ccws: warps that lose their lines to others are favoured by holding others back (Rogers et al., "Cache-Conscious
 * Wavefront Scheduling", MICRO 2012).
 *
 * A line of the L1 belongs to the warp that brought it. When it is replaced its tag goes to that warp's victim tag
 * array; a later miss of the warp that finds the tag there is lost locality and raises the warp's score. Scores fall
 * by one per cycle. Warps are stacked by score up to the cutoff; those above it may not issue loads. */
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(base, TECH_UINT("100", 1, 100000), "points", "Score of a warp without lost locality.", "CCWS, Table 2")  \
  P(throttle, TECH_UINT("8", 1, 1000), "", "Weight of lost locality (KTHROTTLE).", "CCWS, Table 2")          \
  P(sets, TECH_UINT("2", 1, 1024), "sets", "Sets of a warp's victim tag array.", "CCWS: 16 entries, 8-way")  \
  P(ways, TECH_UINT("8", 1, 1024), "tags", "Tags of a set, first in first out.", "CCWS: 16 entries, 8-way")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(victims, "lines", "Replaced lines whose tags were kept.")                                                \
  C(probes, "accesses", "Load misses that looked into their warp's victim tags.")                            \
  C(hits, "accesses", "Of those, found there: locality that was lost.")                                      \
  C(raised, "points", "Points added to scores.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

enum { MOST = 256 };

struct warp {
  uint64_t score, since; /* at that cycle; it has fallen by one per cycle from then on */
  uint64_t age;
  bool live;
};

struct ccws {
  uint64_t *count, *tag; /* [warp][set][way] */
  uint8_t *turn;         /* [warp][set]: the way replaced next */
  uint32_t warps, sets, ways, nlive, words;
  unsigned line_shift;
  uint64_t base, throttle, issued, hits, ages;
  struct warp warp[MOST];
};

static void *open(const struct sluice_env *env) {
  struct ccws *c = tech_new(sizeof *c);
  c->count = env->count;
  c->warps = env->warps;
  c->line_shift = (unsigned)__builtin_ctz(env->line_bytes);
  c->words = (env->warps + 63) / 64;
  c->base = env->param[P_base].u;
  c->throttle = env->param[P_throttle].u;
  c->sets = (uint32_t)env->param[P_sets].u;
  c->ways = (uint32_t)env->param[P_ways].u;
  c->tag = xmalloc((size_t)c->warps * c->sets * c->ways * sizeof *c->tag);
  memset(c->tag, 0xff, (size_t)c->warps * c->sets * c->ways * sizeof *c->tag);
  c->turn = xcalloc((size_t)c->warps * c->sets, 1);
  return c;
}

static void close(void *self) {
  struct ccws *c = self;
  free(c->tag), free(c->turn), free(c);
}

static const char *check(const struct sluice_env *env) {
  uint64_t sets = env->param[P_sets].u;
  return sets & (sets - 1)            ? "ccws.sets must be a power of two"
         : env->param[P_ways].u > 255 ? "ccws.ways: at most 255"
                                      : NULL;
}

static uint64_t score(const struct ccws *c, uint32_t w, uint64_t cycle) {
  const struct warp *k = &c->warp[w];
  uint64_t fallen = cycle - k->since;
  return k->score > c->base + fallen ? k->score - fallen : c->base;
}

static void start(void *self, uint32_t warp, uint32_t cta, uint64_t cycle) {
  (void)cta;
  struct ccws *c = self;
  c->warp[warp] = (struct warp){.score = c->base, .since = cycle, .age = ++c->ages, .live = true};
  c->nlive++;
}

static void ended(void *self, uint32_t warp, uint64_t cycle) {
  (void)cycle;
  struct ccws *c = self;
  c->warp[warp].live = false;
  c->nlive--;
}

static void barrier(void *self, uint32_t warp, bool waits, uint64_t cycle) {
  (void)self, (void)warp, (void)waits, (void)cycle;
}

static uint64_t *set_of(const struct ccws *c, uint32_t warp, uint64_t line) {
  return c->tag + ((size_t)warp * c->sets + (line >> c->line_shift & (c->sets - 1))) * c->ways;
}

static void issued(void *self, uint32_t warp, uint64_t cycle) {
  (void)warp, (void)cycle;
  ((struct ccws *)self)->issued++;
}

static void evicted(void *self, uint32_t warp, uint64_t line, uint64_t cycle) {
  (void)cycle;
  struct ccws *c = self;
  uint8_t *turn = &c->turn[(size_t)warp * c->sets + (line >> c->line_shift & (c->sets - 1))];
  set_of(c, warp, line)[*turn] = line;
  *turn = (uint8_t)(*turn + 1u == c->ways ? 0 : *turn + 1u);
  c->count[C_victims]++;
}

static void loaded(void *self, uint32_t warp, uint64_t line, enum sluice_outcome o, uint64_t cycle) {
  struct ccws *c = self;
  if (o != SLUICE_MISSED)
    return;
  uint64_t *set = set_of(c, warp, line);
  c->count[C_probes]++;
  for (uint32_t i = 0; i < c->ways; i++) {
    if (set[i] != line)
      continue;
    set[i] = UINT64_MAX;
    c->hits++;
    c->count[C_hits]++;
    uint64_t cutoff = c->nlive * c->base, before = score(c, warp, cycle);
    uint64_t more = c->hits * c->throttle * cutoff / (c->issued ? c->issued : 1);
    uint64_t now = before + more < cutoff * c->throttle ? before + more : cutoff * c->throttle;
    if (now < c->base)
      now = c->base;
    c->count[C_raised] += now > before ? now - before : 0;
    c->warp[warp].score = now;
    c->warp[warp].since = cycle;
    return;
  }
}

static void stored(void *self, uint64_t line, uint64_t cycle) {
  (void)cycle;
  struct ccws *c = self;
  for (uint32_t w = 0; w < c->warps; w++)
    for (uint32_t i = 0; i < c->ways; i++)
      if (set_of(c, w, line)[i] == line)
        set_of(c, w, line)[i] = UINT64_MAX;
}

/* Highest score first, of equal ones the oldest; those within the cutoff may load. */
static uint64_t allow(const void *self, uint64_t cycle, uint64_t *any, uint64_t *load) {
  (void)any;
  const struct ccws *c = self;
  uint32_t order[MOST], n = 0;
  bool raised = false;
  for (uint32_t w = 0; w < c->warps; w++) {
    if (!c->warp[w].live)
      continue;
    uint64_t mine = score(c, w, cycle);
    raised |= mine > c->base;
    uint32_t i = n++;
    for (; i; i--) {
      uint64_t other = score(c, order[i - 1], cycle);
      if (other > mine || (other == mine && c->warp[order[i - 1]].age < c->warp[w].age))
        break;
      order[i] = order[i - 1];
    }
    order[i] = w;
  }
  if (!raised)
    return SLUICE_NEVER;
  for (uint32_t i = 0; i < c->words; i++)
    load[i] = 0;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    sum += score(c, order[i], cycle);
    if (sum > c->nlive * c->base && i)
      break;
    load[order[i] / 64] |= UINT64_C(1) << order[i] % 64;
  }
  return cycle + 1;
}

static const struct sluice_gate gate = {.size = sizeof(struct sluice_gate),
                                        .open = open,
                                        .close = close,
                                        .start = start,
                                        .exit = ended,
                                        .barrier = barrier,
                                        .allow = allow,
                                        .issued = issued,
                                        .loaded = loaded,
                                        .evicted = evicted,
                                        .stored = stored};

static double lost(const uint64_t *n) {
  return (double)n[C_hits] / (double)n[C_probes];
}
static const struct sluice_ratio ratios[] = {
    {"lost_locality", "share", "Of the load misses, those whose line the warp had lost.", lost},
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  if (capacity > 0)
    out[0] =
        (struct sluice_array){.name = "victim tags",
                              .entries = (uint64_t)env->warps * env->param[P_sets].u * env->param[P_ways].u,
                              .bits = 40,
                              .ways = (uint32_t)env->param[P_ways].u,
                              .units = env->sms,
                              .searches = "probes",
                              .writes = "victims"};
  if (capacity > 1)
    out[1] = (struct sluice_array){.name = "scores",
                                   .entries = env->warps,
                                   .bits = 32,
                                   .units = env->sms,
                                   .reads = "hits",
                                   .writes = "hits"};
  return 2;
}

const struct sluice_technique technique_ccws = {
    TECH_HEAD,
    .name = "ccws",
    .summary = "Holds back loads of other warps while a warp loses its lines to them.",
    .paper = "Rogers et al., Cache-Conscious Wavefront Scheduling, MICRO 2012",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .check = check,
    .gate = &gate,
};
