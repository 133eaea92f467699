/* cart: a tree in front of the L2's tags sorts requests by bank, row and line (Gu and Chen, "CART: Cache Access
 * Reordering Tree for Efficient Cache and Memory Accesses in GPUs").
 *
 *   incoming ─▶ bank ─┬─ row group ─┬─ leaf queue (a line)          4 row groups × 2 leaves × 2 entries
 *                     │             └─ leaf queue (a line)          for each bank behind the slice
 *                     └─ row group ─ …
 *
 * Fill (IV-C): into the leaf of the request's line, else an empty leaf of its row's group, else it waits.
 * Drain (IV-D), "rotating banks, same-or-longest row": one request, then the next bank; in a bank the leaf
 * drained last, else the longest leaf of that row, else the longest leaf. */
#include "tech/cart.h"
#include "tech/declare.h"
#include <string.h>

static const char *const drains[] = {"rotating", "greedy", "longest", "roundrobin", NULL};
static const char *const replays[] = {"rotate", "hold", NULL};
#define PARAMS(P)                                                                                            \
  P(rows, TECH_UINT("4", 1, 64), "groups", "Row groups of a bank.", "CART, Table I")                         \
  P(columns, TECH_UINT("2", 1, 64), "queues", "Leaf queues of a row group.", "CART, Table I")                \
  P(entries, TECH_UINT("2", 1, 64), "requests", "Entries of a leaf queue.", "CART, Table I")                 \
  P(drain, TECH_ENUM("rotating", drains), "", "Which leaf is drained next.", "CART, IV-D")                   \
  P(replay, TECH_ENUM("rotate", replays), "",                                                                \
    "After a refusal: try the next bank, or the same request again.", "assumed; the paper does not say")     \
  P(age_limit, TECH_UINT("10000", 0, 1000000000), "cycles",                                                  \
    "A request that waited this long goes first; 0: none.", "ours, against starvation")
enum { PARAMS(TECH_P_NAME) };
static const struct sluice_param params[] = {PARAMS(TECH_P_ROW)};

#define COUNTS(C)                                                                                            \
  C(requests, "requests", "Requests that entered the tree.")                                                 \
  C(fill_stalls, "cycles", "Cycles the head of the incoming buffer found no place in the tree.")             \
  C(merged, "requests", "Requests put behind others of their line.")                                         \
  C(wait_cycles, "cycles", "Cycles requests spent in leaf queues, summed.")                                  \
  C(same_leaf, "requests", "Drained from the leaf that its bank was drained from last.")                     \
  C(same_row, "requests", "Drained from another leaf, of the row its bank was drained from last.")           \
  C(refusals, "times", "Requests tried and refused by the L2.")                                              \
  C(aged, "requests", "Drained first because of their age.")                                                 \
  C(leaf_cycles, "cycles", "Cycles leaf queues were in use, summed.")                                        \
  C(busy_cycles, "cycles", "Cycles a tree held a request, summed.")
enum { COUNTS(TECH_C_NAME) };
static const struct sluice_counter counters[] = {COUNTS(TECH_C_ROW)};

struct cart *cart_new(uint32_t banks, uint32_t rows, uint32_t columns, uint32_t entries,
                      enum cart_drain drain, bool rotate, uint64_t *counts) {
  struct cart *c = tech_new(sizeof *c);
  uint32_t leaves = banks * rows * columns;
  *c = (struct cart){.banks = banks,
                     .rows = rows,
                     .columns = columns,
                     .entries = entries,
                     .drain = drain,
                     .rotate = rotate,
                     .counts = counts,
                     .bank = banks - 1,
                     .leaf_at = leaves - 1,
                     .oldest = SLUICE_NONE,
                     .newest = SLUICE_NONE,
                     .last_insert = SLUICE_NEVER,
                     .stalled_since = SLUICE_NEVER};
  c->leaf = xcalloc(leaves, sizeof *c->leaf);
  c->slot = xcalloc((size_t)leaves * entries, sizeof *c->slot);
  c->bank_count = xcalloc(banks, sizeof *c->bank_count);
  c->busy = xcalloc(banks / 64 + 1, sizeof *c->busy);
  c->last_leaf = xcalloc(banks, sizeof *c->last_leaf);
  c->last_row = xcalloc(banks, sizeof *c->last_row);
  for (uint32_t b = 0; b < banks; b++)
    c->last_leaf[b] = SLUICE_NONE;
  return c;
}

void cart_free(void *self) {
  struct cart *c = self;
  free(c->leaf), free(c->slot), free(c->bank_count), free(c->busy), free(c->last_leaf), free(c->last_row),
      free(c->place);
  free(c);
}

static void *open(const struct sluice_env *env) {
  struct cart *c = cart_new(env->banks, (uint32_t)env->param[P_rows].u, (uint32_t)env->param[P_columns].u,
                            (uint32_t)env->param[P_entries].u, (enum cart_drain)env->param[P_drain].u,
                            env->param[P_replay].u == 0, env->count);
  c->age_limit = env->param[P_age_limit].u;
  return c;
}

static uint32_t per_bank(const struct cart *c) {
  return c->rows * c->columns;
}

/* A slot becomes the newest. */
static void join(struct cart *c, uint32_t slot) {
  c->slot[slot].older = c->newest;
  c->slot[slot].newer = SLUICE_NONE;
  if (c->newest == SLUICE_NONE)
    c->oldest = slot;
  else
    c->slot[c->newest].newer = slot;
  c->newest = slot;
}

static void part(struct cart *c, uint32_t slot) {
  const struct cart_slot *s = &c->slot[slot];
  if (s->older == SLUICE_NONE)
    c->oldest = s->newer;
  else
    c->slot[s->older].newer = s->newer;
  if (s->newer == SLUICE_NONE)
    c->newest = s->older;
  else
    c->slot[s->newer].older = s->older;
}

/* Does a leaf of the bank hold the line that was tagged before `tagged`? */
static bool held_before(const struct cart *c, uint32_t bank, uint64_t line, uint64_t tagged) {
  for (uint32_t i = bank * per_bank(c), end = i + per_bank(c); i < end; i++)
    if (c->leaf[i].n && c->leaf[i].line == line && c->leaf[i].tagged < tagged)
      return true;
  return false;
}

void cart_put(struct cart *c, uint32_t leaf, uint64_t line, uint32_t row, uint32_t handle, uint64_t cycle) {
  struct cart_leaf *l = &c->leaf[leaf];
  uint32_t bank = leaf / per_bank(c);
  if (!l->n) {
    l->line = line;
    l->row = row;
    l->tagged = ++c->tags;
    l->second = c->bank_count[bank] && held_before(c, bank, line, l->tagged);
    l->since = cycle;
  }
  if (!c->count)
    c->busy_since = cycle;
  uint32_t at = l->head + l->n < c->entries ? l->head + l->n : l->head + l->n - c->entries;
  c->slot[leaf * c->entries + at] = (struct cart_slot){.handle = handle, .cycle = cycle};
  join(c, leaf * c->entries + at);
  l->n++;
  c->count++;
  if (!c->bank_count[bank]++)
    c->busy[bank / 64] |= UINT64_C(1) << bank % 64;
  c->last_insert = cycle;
  while (handle >= c->nplaces) {
    c->nplaces = c->nplaces ? c->nplaces * 2 : 64;
    c->place = xrealloc(c->place, c->nplaces * sizeof *c->place);
  }
  c->place[handle] = leaf;
}

/* The leaf a request goes to; SLUICE_NONE: there is none now. */
static uint32_t place_for(const struct cart *c, const struct sluice_request *r) {
  uint32_t first = r->bank * per_bank(c), match = SLUICE_NONE, group = SLUICE_NONE, unbound = SLUICE_NONE;
  if (!c->bank_count[r->bank])
    return first;
  for (uint32_t g = 0; g < c->rows; g++) {
    bool bound = false;
    for (uint32_t k = 0; k < c->columns; k++) {
      const struct cart_leaf *l = &c->leaf[first + g * c->columns + k];
      if (!l->n)
        continue;
      bound = true;
      if (l->row == r->row)
        group = g;
      if (l->line == r->line && (match == SLUICE_NONE || l->tagged > c->leaf[match].tagged))
        match = first + g * c->columns + k;
    }
    if (!bound && unbound == SLUICE_NONE)
      unbound = g;
  }
  if (match != SLUICE_NONE && c->leaf[match].n < c->entries)
    return match;
  if (group == SLUICE_NONE)
    group = unbound;
  for (uint32_t k = 0; group != SLUICE_NONE && k < c->columns; k++)
    if (!c->leaf[first + group * c->columns + k].n)
      return first + group * c->columns + k;
  return SLUICE_NONE;
}

static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct cart *c = self;
  uint32_t leaf = place_for(c, r);
  if (leaf == SLUICE_NONE) {
    if (c->stalled_since == SLUICE_NEVER)
      c->stalled_since = cycle;
    return false;
  }
  if (c->stalled_since != SLUICE_NEVER) {
    c->counts[C_fill_stalls] += cycle - c->stalled_since;
    c->stalled_since = SLUICE_NEVER;
  }
  c->counts[C_requests]++;
  c->counts[C_merged] += c->leaf[leaf].n != 0;
  cart_put(c, leaf, r->line, r->row, handle, cycle);
  return true;
}

/* A leaf can be drained when its head came before this cycle (the tree takes one) and no older leaf of the same
 * line has requests: those must not be passed. */
static bool drainable(const struct cart *c, uint32_t leaf, uint64_t cycle) {
  const struct cart_leaf *l = &c->leaf[leaf];
  if (!l->n || c->slot[(size_t)leaf * c->entries + l->head].cycle >= cycle)
    return false;
  return !l->second || !held_before(c, leaf / per_bank(c), l->line, l->tagged);
}

/* The longest of some leaves that can be drained, of one row if that is wanted. */
static uint32_t longest(const struct cart *c, uint32_t from, uint32_t to, bool of_row, uint32_t row,
                        uint64_t cycle) {
  uint32_t best = SLUICE_NONE;
  for (uint32_t i = from; i < to; i++)
    if (c->leaf[i].n && (best == SLUICE_NONE || c->leaf[i].n > c->leaf[best].n) &&
        (!of_row || c->leaf[i].row == row) && drainable(c, i, cycle))
      best = i;
  return best;
}

static uint32_t same_or_longest(const struct cart *c, uint32_t bank, uint64_t cycle) {
  uint32_t first = bank * per_bank(c), last = c->last_leaf[bank];
  if (last != SLUICE_NONE) {
    if (c->leaf[last].n && c->leaf[last].row == c->last_row[bank] && drainable(c, last, cycle))
      return last;
    uint32_t leaf = longest(c, first, first + per_bank(c), true, c->last_row[bank], cycle);
    if (leaf != SLUICE_NONE)
      return leaf;
  }
  return longest(c, first, first + per_bank(c), false, 0, cycle);
}

/* The first bank behind `bank`, in rotation, that has requests; some bank has. */
static uint32_t busy_after(const struct cart *c, uint32_t bank) {
  for (uint32_t b = bank + 1;; b = (b / 64 + 1) * 64) {
    if (b >= c->banks)
      b = 0;
    uint64_t rest = c->busy[b / 64] >> b % 64;
    if (rest)
      return b + (uint32_t)__builtin_ctzll(rest);
  }
}

static uint32_t next_leaf(const struct cart *c, uint64_t cycle) {
  uint32_t leaves = c->banks * per_bank(c);
  switch (c->drain) {
  case CART_LONGEST:
    return longest(c, 0, leaves, false, 0, cycle);
  case CART_GREEDY: /* the same leaf until it is empty, then the next in turn */
    if (drainable(c, c->leaf_at, cycle))
      return c->leaf_at;
    /* fall through */
  case CART_ROUND_ROBIN:
    for (uint32_t k = 1; k <= leaves; k++) {
      uint32_t i = c->leaf_at + k < leaves ? c->leaf_at + k : c->leaf_at + k - leaves;
      if (drainable(c, i, cycle))
        return i;
    }
    return SLUICE_NONE;
  case CART_ROTATING:
    break;
  }
  uint32_t first = busy_after(c, c->bank), b = first, leaf;
  do {
    leaf = same_or_longest(c, b, cycle);
    b = busy_after(c, b);
  } while (leaf == SLUICE_NONE && b != first);
  return leaf;
}

/* Has the oldest waited so long that it goes first? It is the head of its leaf, and none of its line is older. */
static bool aged(const struct cart *c, uint64_t cycle) {
  return c->age_limit && c->count && cycle - c->slot[c->oldest].cycle >= c->age_limit;
}

static uint32_t pick(const void *self, uint64_t cycle) {
  const struct cart *c = self;
  if (aged(c, cycle))
    return c->slot[c->oldest].handle;
  if (c->count == 1) /* whatever the policy */
    return c->slot[c->oldest].cycle < cycle ? c->slot[c->oldest].handle : SLUICE_NONE;
  uint32_t leaf = c->count ? next_leaf(c, cycle) : SLUICE_NONE;
  return leaf == SLUICE_NONE ? SLUICE_NONE : c->slot[(size_t)leaf * c->entries + c->leaf[leaf].head].handle;
}

static void took(void *self, uint32_t handle, uint64_t cycle) {
  struct cart *c = self;
  uint32_t leaf = c->place[handle], bank = leaf / per_bank(c);
  struct cart_leaf *l = &c->leaf[leaf];
  uint32_t slot = leaf * c->entries + l->head;
  c->counts[C_wait_cycles] += cycle - c->slot[slot].cycle;
  c->counts[C_aged] += aged(c, cycle);
  part(c, slot);
  if (c->last_leaf[bank] == leaf && c->last_row[bank] == l->row)
    c->counts[C_same_leaf]++;
  else if (c->last_leaf[bank] != SLUICE_NONE && c->last_row[bank] == l->row)
    c->counts[C_same_row]++;
  l->head = l->head + 1 < c->entries ? l->head + 1 : 0;
  if (--l->n == 0)
    c->counts[C_leaf_cycles] += cycle - l->since;
  if (--c->count == 0)
    c->counts[C_busy_cycles] += cycle - c->busy_since;
  if (--c->bank_count[bank] == 0)
    c->busy[bank / 64] &= ~(UINT64_C(1) << bank % 64);
  c->bank = bank;
  c->leaf_at = leaf;
  c->last_leaf[bank] = leaf;
  c->last_row[bank] = l->row;
}

static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) {
  (void)why, (void)cycle;
  struct cart *c = self;
  c->counts[C_refusals]++;
  if (!c->rotate)
    return;
  c->bank = c->place[handle] / per_bank(c);
  if (c->drain != CART_GREEDY)
    c->leaf_at = c->place[handle];
}

static uint64_t next(const void *self, uint64_t cycle) {
  const struct cart *c = self;
  if (!c->count)
    return SLUICE_NEVER;
  if (c->last_insert == cycle)
    return cycle + 1;
  return c->age_limit && !aged(c, cycle) ? c->slot[c->oldest].cycle + c->age_limit : SLUICE_NEVER;
}

const struct sluice_order cart_order = {
    sizeof(struct sluice_order), open, cart_free, insert, pick, took, refused, next};

static double mean_wait(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_requests];
}
static double in_use(const uint64_t *n) {
  return (double)n[C_leaf_cycles] / (double)n[C_busy_cycles];
}
static double occupancy(const uint64_t *n) {
  return (double)n[C_wait_cycles] / (double)n[C_leaf_cycles];
}
static double kept_row(const uint64_t *n) {
  return (double)(n[C_same_leaf] + n[C_same_row]) / (double)n[C_requests];
}
static const struct sluice_ratio ratios[] = {
    {"wait_mean", "cycles", "Mean cycles a request spends in its leaf queue.", mean_wait},
    {"leaves_in_use", "queues", "Mean leaf queues in use, while a tree holds anything.", in_use},
    {"leaf_occupancy", "requests", "Mean requests of a leaf queue in use.", occupancy},
    {"same_row_share", "share", "Drained from the row that its bank was drained from last.", kept_row},
};

static uint32_t arrays(const struct sluice_env *env, struct sluice_array *out, uint32_t capacity) {
  uint64_t leaves = (uint64_t)env->banks * env->param[P_rows].u * env->param[P_columns].u;
  /* a request: 40-bit address, SM, warp, kind and sectors; a tag: row and column */
  if (capacity > 0)
    out[0] = (struct sluice_array){.name = "leaf queues",
                                   .entries = leaves * env->param[P_entries].u,
                                   .bits = 64,
                                   .units = env->slices,
                                   .reads = "requests+refusals",
                                   .writes = "requests"};
  if (capacity > 1)
    out[1] = (struct sluice_array){.name = "leaf tags",
                                   .entries = leaves,
                                   .bits = 24,
                                   .ways = (uint32_t)(env->param[P_rows].u * env->param[P_columns].u),
                                   .units = env->slices,
                                   .searches = "requests",
                                   .writes = "requests"};
  return 2;
}

const struct sluice_technique technique_cart = {
    TECH_HEAD,
    .name = "cart",
    .summary = "A tree before each L2 slice groups requests by bank, row and line.",
    .paper =
        "Gu and Chen, CART: Cache Access Reordering Tree for Efficient Cache and Memory Accesses in GPUs",
    .params = params,
    .nparams = TECH_COUNT_OF(params),
    .counters = counters,
    .ncounters = TECH_COUNT_OF(counters),
    .ratios = ratios,
    .nratios = TECH_COUNT_OF(ratios),
    .arrays = arrays,
    .l2_order = &cart_order,
};
