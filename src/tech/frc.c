/* frc: a Fetch and Replacement Cache beside each L2 slice (the FRC thesis, chapters 5 and 6), or each L1 (its future work).
 *
 *   miss ─▶ a free entry ─▶ fetch at once; no line of the cache turns transient
 *   block arrives ─▶ answer ─▶ swap it with the victim ─▶ write the victim back from the entry ─▶ entry free
 *
 * frc.victims: the victim leaves (the thesis' text), stays in the entry until a miss needs that (stay), or moves to one of W - 1
 * slots for each line of the L2 and never leaves (pile, which no hardware has). Blocks that stay serve accesses.
 *
 * Conventionally the victim is cleared first and its line can serve nobody until the new block is there. Without a free
 * entry in the block's set that is what happens. */
#include "tech/declare.h"

static const char *const levels_names[] = {"l2", "l1", "both", NULL};
enum { L2, L1, BOTH };
static const char *const victims_names[] = {"leave", "stay", "pile", NULL};
enum { LEAVE, STAY, PILE };

#define PARAMS(P)                                                                                            \
  P(level, TECH_ENUM("l2", levels_names), "", "Beside the slices of the L2, the L1s, or both.",              \
    "FRC: the L2; 8.5 names the L1 as future work")                                                          \
  P(entries, TECH_UINT("64", 1, 65536), "entries", "Entries beside each of them.", "FRC: 4 to 512")          \
  P(ways, TECH_UINT("8", 1, 65536), "entries", "Entries of a set; fewer entries than this are one set.",     \
    "FRC: 8")                                                                                                \
  P(lookup, TECH_UINT("1", 0, 1000), "cycles", "A miss looks here after the L2; beside an L1, at once.",     \
    "FRC, 6.5")                                                                                              \
  P(swap, TECH_UINT("3", 0, 1000), "cycles", "Exchanging the block with the victim.", "FRC, 6.5")            \
  P(swap_blocks, TECH_BOOL("false"), "", "A slice of the L2 does nothing else meanwhile; an L1 never does.", \
    "assumed: not said; fills take nothing from lookups either")                                             \
  P(victims, TECH_ENUM("leave", victims_names), "",                                                          \
    "Replaced blocks of the L2: leave after the swap; stay in the entry until a miss needs that; pile up.",  \
    "FRC, 6.4.2: leave; pile: the author's public simulator")                                                \
  P(slots, TECH_UINT("8", 2, 64), "blocks", "pile: blocks for each line of the L2, that line's with them.",  \
    "assumed: dir_entry_per_line of the simulator; no configuration is public")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(served, "misses", "Misses of the L2 fetched into an entry.")                                             \
  C(full, "misses", "Misses of the L2 whose set had no free entry.")                                         \
  C(swaps, "times", "Blocks exchanged with a line of the L2.")                                               \
  C(entry_cycles, "cycles", "Cycles entries beside the L2 were taken, summed.")                              \
  C(l1_served, "misses", "The same beside L1s: misses fetched into an entry.")                               \
  C(l1_full, "misses", "Misses of L1s whose set had no free entry.")                                         \
  C(l1_swaps, "times", "Blocks exchanged with a line of an L1.")                                             \
  C(l1_entry_cycles, "cycles", "Cycles entries beside L1s were taken, summed.")                              \
  C(stores, "stores", "Stores whose line of the L2 was free at once: what it held left from an entry.")      \
  C(stores_full, "stores",                                                                                   \
    "Stores without a free entry for what they replaced; if that had to leave, they waited.")                \
  C(kept, "blocks", "Replaced blocks of the L2 that stayed beside it (frc.victims).")                        \
  C(kept_hits, "sectors", "Accesses that they served.")                                                      \
  C(displaced, "blocks", "Of them, those that left because a miss needed the entry.")                        \
  C(searched, "times",                                                                                       \
    "pile: searches of a slot of each way, W - 1 for an access that finds nothing in the L2.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

enum state { FREE, FETCHING, EVICTING, KEPT };
struct entry {
  uint64_t line; /* being fetched, being evicted, or kept */
  uint64_t since;
  uint64_t used; /* kept: cycle of the last access */
  uint32_t uses; /* fetches of its sectors under way */
  uint32_t next; /* being evicted, kept: the next of its bucket, SLUICE_NONE: none */
  enum state state;
  uint8_t valid, dirty; /* kept: sectors */
};

struct frc {
  uint64_t *count;
  uint32_t sets, ways, lookup, swap;
  bool blocks;
  unsigned line_shift;
  uint64_t victims;
  uint32_t n, slots, l2_sets,
      per_set;     /* entries; pile: frc.slots, and how many slots each set of the L2 has behind them */
  uint32_t *piled; /* [l2_sets]: slots taken */
  uint32_t *bucket, mask; /* of blocks being evicted or kept, which lie in any set; SLUICE_NONE: none */
  struct entry entry[];
};

static void *open(const struct sluice_env *env) {
  uint32_t n = (uint32_t)env->param[P_entries].u, ways = (uint32_t)env->param[P_ways].u;
  ways = n < ways ? n : ways;
  bool pile = !env->beside_l1 && env->param[P_victims].u == PILE;
  uint32_t slots = (uint32_t)env->param[P_slots].u, more = pile ? env->l2_lines * (slots - 1) : 0;
  struct frc *f = tech_new(sizeof *f + ((size_t)n + more) * sizeof *f->entry);
  f->victims = env->beside_l1 ? LEAVE : env->param[P_victims].u;
  f->n = n;
  f->slots = slots;
  f->l2_sets = env->l2_sets;
  f->per_set = more / env->l2_sets;
  f->piled = xcalloc(env->l2_sets, sizeof *f->piled);
  f->count = env->count + (env->beside_l1 ? C_l1_served : 0);
  f->ways = ways;
  f->sets = n / ways;
  f->line_shift = (unsigned)__builtin_ctz(env->line_bytes);
  f->lookup = (uint32_t)env->param[P_lookup].u;
  f->swap = (uint32_t)env->param[P_swap].u;
  f->blocks = env->param[P_swap_blocks].u;
  while (f->mask + 1 < n + more)
    f->mask = f->mask * 2 + 1;
  f->bucket = xcalloc(f->mask + 1u, sizeof *f->bucket);
  for (uint32_t i = 0; i <= f->mask; i++)
    f->bucket[i] = SLUICE_NONE;
  return f;
}

static void close(void *self) {
  struct frc *f = self;
  free(f->bucket), free(f->piled), free(f);
}

static uint32_t levels(const struct sluice_env *env) {
  return env->param[P_level].u == L2   ? SLUICE_BESIDE_L2
         : env->param[P_level].u == L1 ? SLUICE_BESIDE_L1
                                       : SLUICE_BESIDE_L2 | SLUICE_BESIDE_L1;
}

static const char *check(const struct sluice_env *env) {
  uint64_t n = env->param[P_entries].u, ways = env->param[P_ways].u;
  return n > ways && n % ways ? "frc.entries must be a multiple of frc.ways"
         : env->param[P_level].u != L2 && !env->l1_reserves
             ? "frc.level: an L1 that allocates on fill reserves no line for a miss; there is nothing to gain"
         : env->param[P_victims].u == LEAVE ? NULL
         : env->param[P_level].u == L1
             ? "frc.victims: blocks stay beside the L2 only; frc.level must be l2 or both"
         : env->l1_coherent
             ? "frc.victims: a protocol (l1d.coherence) knows no blocks beside the L2; it must be leave"
             : NULL;
}

static uint32_t lookup(const void *self) {
  return ((const struct frc *)self)->lookup;
}
static uint32_t swap(const void *self) {
  return ((const struct frc *)self)->swap;
}

static bool swap_blocks(const void *self) {
  return ((const struct frc *)self)->blocks;
}

static struct entry *set_of(struct frc *f, uint64_t line) {
  return &f->entry[(line >> f->line_shift) % f->sets * f->ways];
}

static struct entry *fetching(struct frc *f, uint64_t line) {
  struct entry *set = set_of(f, line);
  for (uint32_t i = 0; i < f->ways; i++)
    if (set[i].state == FETCHING && set[i].line == line)
      return &set[i];
  return NULL;
}

static struct entry *unused(struct frc *f, uint64_t line) {
  struct entry *set = set_of(f, line);
  for (uint32_t i = 0; i < f->ways; i++)
    if (set[i].state == FREE)
      return &set[i];
  return NULL;
}

/* The set whose slots a block has; slots and sets of the L2 are as many, whatever the L2's index. */
static uint32_t pile_of(const struct frc *f, uint64_t line) {
  return (uint32_t)((line >> f->line_shift) % f->l2_sets);
}
static bool piled_up(const struct frc *f, uint64_t line) {
  return f->victims == PILE && f->piled[pile_of(f, line)] == f->per_set;
}
/* An access has searched the slots, after the L2's tags. */
static void searched(struct frc *f, bool undo) {
  if (f->victims == PILE)
    f->count[C_searched] += undo ? 1 - (uint64_t)f->slots : f->slots - 1;
}

static bool take(void *self, uint64_t line, uint64_t cycle) {
  struct frc *f = self;
  struct entry *e = fetching(f, line);
  searched(f, false);
  if (!e && !piled_up(f, line) && (e = unused(f, line)))
    *e = (struct entry){.line = line, .since = cycle, .state = FETCHING};
  f->count[e ? C_served : C_full]++;
  if (!e)
    return false;
  e->uses++;
  return true;
}

static void drop(void *self, uint64_t line, bool taken) {
  struct frc *f = self;
  f->count[taken ? C_served : C_full]--;
  searched(f, true);
  if (!taken)
    return;
  struct entry *e = fetching(f, line);
  if (--e->uses == 0)
    e->state = FREE;
}

static uint32_t *bucket_of(const struct frc *f, uint64_t line) {
  return &f->bucket[(line >> f->line_shift) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & f->mask];
}

/* What names the entry that a block is being evicted from, or kept in; it names SLUICE_NONE if there is none. */
static uint32_t *find(const struct frc *f, uint64_t line, enum state state) {
  uint32_t *at = bucket_of(f, line);
  while (*at != SLUICE_NONE && (f->entry[*at].line != line || f->entry[*at].state != state))
    at = (uint32_t *)(uintptr_t)&f->entry[*at].next;
  return at;
}

static void evict(struct frc *f, struct entry *e, uint64_t victim) {
  uint32_t *first = bucket_of(f, victim);
  e->line = victim;
  e->state = EVICTING;
  e->next = *first;
  *first = (uint32_t)(e - f->entry);
}

static bool holds(const void *self, uint64_t line) {
  return *find(self, line, EVICTING) != SLUICE_NONE;
}

static void leave(struct frc *f, struct entry *e, uint64_t cycle) {
  f->count[C_entry_cycles] += cycle - e->since;
  e->state = FREE;
}

/* With sectors, the first that arrives brings the line into the cache; those after it find it there. */
static void swapped(void *self, uint64_t line, uint64_t victim, uint64_t cycle) {
  struct frc *f = self;
  struct entry *e = fetching(f, line);
  if (victim != SLUICE_NEVER)
    f->count[C_swaps]++;
  if (!e)
    return;
  if (victim == SLUICE_NEVER) {
    if (--e->uses == 0)
      leave(f, e, cycle);
    return;
  }
  e->uses = 0;
  evict(f, e, victim);
}

static void evicted(void *self, uint64_t victim, uint64_t cycle) {
  struct frc *f = self;
  uint32_t *at = find(f, victim, EVICTING);
  if (*at == SLUICE_NONE)
    return;
  struct entry *e = &f->entry[*at];
  *at = e->next;
  leave(f, e, cycle);
}

/* A store brings its own bytes: nothing is fetched, and the exchange is all there is to wait for. */
static bool store(void *self, uint64_t line, uint64_t victim, uint64_t cycle) {
  struct frc *f = self;
  struct entry *e = piled_up(f, victim) ? NULL : unused(f, line);
  searched(f, false);
  f->count[e ? C_stores : C_stores_full]++;
  if (!e)
    return false;
  *e = (struct entry){.since = cycle};
  evict(f, e, victim);
  f->count[C_swaps]++;
  return true;
}

static bool stays(const void *self) {
  return ((const struct frc *)self)->victims != LEAVE;
}

/* A slot of the set that holds nothing; there is one. Slots fill up one after the other, but for those of removed blocks. */
static struct entry *slot(struct frc *f, uint32_t set) {
  struct entry *first = &f->entry[f->n + set * f->per_set];
  uint32_t i = f->piled[set]++;
  while (first[i].state != FREE)
    i = (i + 1) % f->per_set;
  return &first[i];
}

static bool stay(void *self, const struct sluice_kept *block, uint64_t cycle) {
  struct frc *f = self;
  uint32_t *at = find(f, block->line, EVICTING);
  if (f->victims == LEAVE || *at == SLUICE_NONE || piled_up(f, block->line))
    return false;
  struct entry *e = &f->entry[*at];
  if (f->victims == PILE) {
    *at = e->next;
    leave(f, e, cycle);
    e = slot(f, pile_of(f, block->line));
    evict(f, e, block->line);
  }
  e->state = KEPT;
  e->valid = block->valid, e->dirty = block->dirty;
  e->used = cycle;
  f->count[C_kept]++;
  return true;
}

static bool kept(const void *self, uint64_t line) {
  return *find(self, line, KEPT) != SLUICE_NONE;
}

static void serve(void *self, uint64_t line, uint8_t changes, uint64_t cycle) {
  struct frc *f = self;
  struct entry *e = &f->entry[*find(f, line, KEPT)];
  e->dirty |= changes;
  e->used = cycle;
  f->count[C_kept_hits]++;
  searched(f, false);
}

static void take_out(struct frc *f, uint64_t line, uint64_t cycle, struct sluice_kept *block) {
  uint32_t *at = find(f, line, KEPT);
  struct entry *e = &f->entry[*at];
  block->line = e->line, block->valid = e->valid, block->dirty = e->dirty;
  *at = e->next;
  if (f->victims == PILE) {
    e->state = FREE;
    f->piled[pile_of(f, line)]--;
  } else {
    leave(f, e, cycle);
  }
}

/* The block used longest ago makes room; its write-back is done before the data comes for which it makes room. */
static void displace(void *self, uint64_t line, uint64_t cycle, struct sluice_kept *out) {
  struct frc *f = self;
  struct entry *set = set_of(f, line), *old = NULL;
  if (f->victims != STAY || fetching(f, line) || unused(f, line))
    return;
  for (uint32_t i = 0; i < f->ways; i++)
    if (set[i].state == KEPT && (!old || set[i].used < old->used))
      old = &set[i];
  if (!old)
    return;
  f->count[C_displaced]++;
  take_out(f, old->line, cycle, out);
}

static void removes(void *self, uint64_t line, uint64_t cycle, struct sluice_kept *out) {
  take_out(self, line, cycle, out);
}

static void empty(void *self, uint64_t cycle) {
  struct frc *f = self;
  struct sluice_kept gone;
  for (uint32_t i = 0; i < f->n + f->l2_sets * f->per_set; i++)
    if (f->entry[i].state == KEPT)
      take_out(f, f->entry[i].line, cycle, &gone);
}

static const struct sluice_residents residents = {.size = sizeof(struct sluice_residents),
                                                  .stays = stays,
                                                  .stay = stay,
                                                  .kept = kept,
                                                  .serve = serve,
                                                  .displace = displace,
                                                  .remove = removes,
                                                  .empty = empty};
static const struct sluice_fill_buffer fill_buffer = {.size = sizeof(struct sluice_fill_buffer),
                                                      .open = open,
                                                      .close = close,
                                                      .levels = levels,
                                                      .lookup = lookup,
                                                      .swap = swap,
                                                      .swap_blocks = swap_blocks,
                                                      .take = take,
                                                      .drop = drop,
                                                      .holds = holds,
                                                      .swapped = swapped,
                                                      .evicted = evicted,
                                                      .store = store,
                                                      .residents = &residents};

static double share(const uint64_t *n) {
  return (double)n[C_served] / (double)(n[C_served] + n[C_full]);
}
static double l1_share(const uint64_t *n) {
  return (double)n[C_l1_served] / (double)(n[C_l1_served] + n[C_l1_full]);
}
static const struct sluice_ratio ratios[] = {
    {"l1_served_share", "", "Share of L1 misses that had an entry.", l1_share},
    {"served_share", "", "Share of L2 misses that had an entry.", share},
};

/* Every miss looks here. A block is written by its fetch, read by the exchange, and what it replaces written. */
static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint64_t n = env->param[P_entries].u;
  uint32_t at = levels(env), used = 0;
  struct sluice_array l2 = {
      .name = "entries beside the L2",
      .entries = n,
      .bits = 40,
      .ways = (uint32_t)(n < env->param[P_ways].u ? n : env->param[P_ways].u),
      .units = env->slices,
      .data_bits = env->line_bytes * UINT64_C(8),
      .searches = "served+full",
      .reads = "swaps",
      .writes = "served+swaps+stores",
  };
  struct sluice_array l1 = l2;
  l1.name = "entries beside the L1s", l1.units = env->sms;
  l1.searches = "l1_served+l1_full", l1.reads = "l1_swaps", l1.writes = "l1_served+l1_swaps";
  /* W - 1 times the L2's lines, as so many L2s: tags searched with every access that the L2 does not serve */
  struct sluice_array pile = {
      .name = "slots beside the L2",
      .entries = env->l2_lines,
      .bits = 40,
      .ways = env->l2_lines / env->l2_sets,
      .units = env->slices * (env->param[P_slots].u - 1),
      .data_bits = env->line_bytes * UINT64_C(8),
      .searches = "searched",
      .reads = "kept_hits",
      .writes = "kept",
  };
  if (env->param[P_victims].u == STAY)
    l2.searches = "served+full+kept_hits", l2.reads = "swaps+kept_hits";
  if (at & SLUICE_BESIDE_L2)
    tech_array(out, capacity, used++, &l2);
  if (at & SLUICE_BESIDE_L2 && env->param[P_victims].u == PILE)
    tech_array(out, capacity, used++, &pile);
  if (at & SLUICE_BESIDE_L1)
    tech_array(out, capacity, used++, &l1);
  return used;
}
/* The exchange reads the victim; its write is the fill that the cache counts. */
static const struct sluice_extra extra = {
    .size = sizeof(struct sluice_extra), .l1d_reads = "l1_swaps", .l2_reads = "swaps+stores"};

const struct sluice_technique technique_frc = {
    TECH_HEAD,
    .name = "frc",
    .summary = "Entries beside each L2 slice or L1 fetch first and replace afterwards.",
    .paper = "the FRC thesis, chapters 5 and 6",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .extra = &extra,
    .check = check,
    .fill_buffer = &fill_buffer,
};
