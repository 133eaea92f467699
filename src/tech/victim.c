/* victim: a cache beside each L2 slice for what that replaces (Jouppi, ISCA 1990; the FRC thesis, 6.4 compares with it).
 *
 *   L2 misses ─▶ here? ─▶ the two exchange: the block into the L2, what it replaces into the entry
 *            └─▶ else fetch; what the L2 replaces comes here, and the block used longest ago leaves, written back if changed
 *
 * A block is in the L2 or here, never in both. */
#include "base/hash.h"
#include "tech/declare.h"

#define PARAMS(P)                                                                                            \
  P(bytes, TECH_UINT("32768", 64, 1 << 30), "bytes", "Data beside each L2 slice.",                           \
    "FRC, 6.6: 32 KB for each bank")                                                                         \
  P(ways, TECH_UINT("0", 0, 65536), "entries", "Entries of a set; 0: fully associative.",                    \
    "FRC, 6.6: fully associative")                                                                           \
  P(lookup, TECH_UINT("1", 0, 1000), "cycles", "A miss looks here after the cache.",                         \
    "FRC, 6.6: that of the FRC")                                                                             \
  P(swap, TECH_UINT("3", 0, 1000), "cycles", "Exchanging the block with the victim.",                        \
    "FRC, 6.6: that of the FRC")                                                                             \
  P(swap_blocks, TECH_BOOL("false"), "", "The slice does nothing else while it looks here and exchanges.",   \
    "assumed: not said; as frc.swap_blocks")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(lookups, "misses", "Misses of the L2 that looked here: those that went on, and hits.")                   \
  C(hits, "misses", "Of those, found, and exchanged with a line of the L2.")                                 \
  C(kept, "blocks", "Blocks that the L2 replaced and that came here.")                                       \
  C(displaced, "blocks", "Blocks that made room for them.")                                                  \
  C(written_back, "blocks", "Of those, changed.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

/* Entries of a set by age; all in chains by the hash of their block. */
struct entry {
  struct sluice_kept block;
  uint32_t older, newer, chain;
};
struct set {
  uint32_t oldest, newest, unused; /* unused: linked by `newer` */
};

struct victims {
  uint64_t *count;
  uint32_t sets, lookup, swap, mask;
  bool blocks;
  unsigned line_shift;
  struct set *set;
  struct entry *entry;
  uint32_t *bucket;
};

static uint64_t entries(const struct sluice_env *env) {
  return env->param[P_bytes].u / env->line_bytes;
}

static const char *check(const struct sluice_env *env) {
  uint64_t n = entries(env), ways = env->param[P_ways].u;
  return !n                  ? "victim.bytes is less than a line of the L2"
         : ways && n % ways  ? "victim.bytes must be a multiple of victim.ways lines"
         : !env->l2_reserves ? "it takes what a miss replaces at once: l2.allocate must be on-miss"
                             : NULL;
}

static void *open(const struct sluice_env *env) {
  uint32_t n = (uint32_t)entries(env), ways = (uint32_t)env->param[P_ways].u;
  ways = ways ? ways : n;
  struct victims *v = tech_new(sizeof *v);
  *v = (struct victims){.count = env->count,
                        .sets = n / ways,
                        .lookup = (uint32_t)env->param[P_lookup].u,
                        .swap = (uint32_t)env->param[P_swap].u,
                        .blocks = env->param[P_swap_blocks].u,
                        .line_shift = (unsigned)__builtin_ctz(env->line_bytes)};
  v->set = xcalloc(v->sets, sizeof *v->set);
  v->entry = xcalloc(n, sizeof *v->entry);
  while (v->mask + 1 < n)
    v->mask = v->mask * 2 + 1;
  v->bucket = xcalloc(v->mask + 1u, sizeof *v->bucket);
  for (uint32_t i = 0; i <= v->mask; i++)
    v->bucket[i] = SLUICE_NONE;
  for (uint32_t s = 0; s < v->sets; s++) {
    v->set[s] = (struct set){SLUICE_NONE, SLUICE_NONE, s * ways};
    for (uint32_t i = 0; i < ways; i++)
      v->entry[s * ways + i].newer = i + 1 < ways ? s * ways + i + 1 : SLUICE_NONE;
  }
  return v;
}

static void close(void *self) {
  struct victims *v = self;
  free(v->set), free(v->entry), free(v->bucket), free(v);
}

static uint32_t lookup(const void *self) {
  return ((const struct victims *)self)->lookup;
}
static uint32_t swap(const void *self) {
  return ((const struct victims *)self)->swap;
}
static bool swap_blocks(const void *self) {
  return ((const struct victims *)self)->blocks;
}

static uint32_t *bucket_of(const struct victims *v, uint64_t line) {
  return &v->bucket[hash_mix(line) & v->mask];
}

static uint32_t find(const struct victims *v, uint64_t line) {
  uint32_t e = *bucket_of(v, line);
  while (e != SLUICE_NONE && v->entry[e].block.line != line)
    e = v->entry[e].chain;
  return e;
}

static bool has(const void *self, uint64_t line) {
  return find(self, line) != SLUICE_NONE;
}

/* Out of its set's order and its chain, among the unused. */
static struct sluice_kept leave(struct victims *v, uint32_t e) {
  struct entry *k = &v->entry[e];
  struct set *s = &v->set[(k->block.line >> v->line_shift) % v->sets];
  *(k->older == SLUICE_NONE ? &s->oldest : &v->entry[k->older].newer) = k->newer;
  *(k->newer == SLUICE_NONE ? &s->newest : &v->entry[k->newer].older) = k->older;
  uint32_t *at = bucket_of(v, k->block.line);
  while (*at != e)
    at = &v->entry[*at].chain;
  *at = k->chain;
  k->newer = s->unused;
  s->unused = e;
  return k->block;
}

static void give(void *self, uint64_t line, uint64_t cycle, struct sluice_kept *out) {
  (void)cycle;
  struct victims *v = self;
  v->count[C_lookups]++;
  v->count[C_hits]++;
  *out = leave(v, find(v, line));
}

static void keep(void *self, const struct sluice_kept *block, uint64_t cycle, struct sluice_kept *out) {
  (void)cycle;
  struct victims *v = self;
  struct set *s = &v->set[(block->line >> v->line_shift) % v->sets];
  v->count[C_kept]++;
  if (s->unused == SLUICE_NONE) {
    *out = leave(v, s->oldest);
    v->count[C_displaced]++;
    v->count[C_written_back] += out->dirty != 0;
  }
  uint32_t e = s->unused;
  s->unused = v->entry[e].newer;
  v->entry[e] = (struct entry){*block, s->newest, SLUICE_NONE, *bucket_of(v, block->line)};
  *bucket_of(v, block->line) = e;
  *(s->newest == SLUICE_NONE ? &s->oldest : &v->entry[s->newest].newer) = e;
  s->newest = e;
}

static void empty(void *self, uint64_t cycle) {
  (void)cycle;
  struct victims *v = self;
  for (uint32_t s = 0; s < v->sets; s++)
    while (v->set[s].oldest != SLUICE_NONE)
      leave(v, v->set[s].oldest);
}

static void missed(void *self, uint64_t line, uint64_t cycle) {
  (void)line, (void)cycle;
  ((struct victims *)self)->count[C_lookups]++;
}
static void again(void *self, uint64_t line) {
  (void)line;
  ((struct victims *)self)->count[C_lookups]--;
}

static const struct sluice_victim_cache victim_cache = {.size = sizeof(struct sluice_victim_cache),
                                                        .open = open,
                                                        .close = close,
                                                        .lookup = lookup,
                                                        .swap = swap,
                                                        .swap_blocks = swap_blocks,
                                                        .has = has,
                                                        .give = give,
                                                        .keep = keep,
                                                        .missed = missed,
                                                        .again = again,
                                                        .empty = empty};

static double hit_rate(const uint64_t *n) {
  return (double)n[C_hits] / (double)n[C_lookups];
}
static const struct sluice_ratio ratios[] = {
    {"hit_rate", "share", "Of the L2's misses that looked here, those that found their block.", hit_rate},
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint64_t n = entries(env), ways = env->param[P_ways].u;
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "victims",
                                   .entries = n,
                                   .bits = 40,
                                   .ways = (uint32_t)(ways ? ways : n),
                                   .units = env->slices,
                                   .data_bits = env->line_bytes * 8ull,
                                   .searches = "lookups",
                                   .reads = "hits+written_back",
                                   .writes = "kept"};
  return 1;
}
static const struct sluice_extra extra = {
    .size = sizeof(struct sluice_extra), .l2_reads = "kept", .l2_writes = "hits"};

const struct sluice_technique technique_victim = {
    TECH_HEAD,
    .name = "victim",
    .summary = "A cache beside each L2 slice keeps what that replaces.",
    .paper = "Jouppi, ISCA 1990; the FRC thesis, 6.4",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .extra = &extra,
    .check = check,
    .victim_cache = &victim_cache,
};
