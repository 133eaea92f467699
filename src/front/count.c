/* Walks the stream. What is the same at every execution of a block is summed up once, when the block is
 * first seen; per execution only the instructions with words of their own are visited. */
#include "base/bits.h"
#include "front/count.h"
#include "base/mem.h"
#include "front/ptx/types.h"
#include <stdlib.h>
#include <string.h>

/* What an access is counted as. A prefetch moves no data to a lane: it has a kind that goes nowhere. */
enum kind { KIND_LOAD, KIND_STORE, KIND_ATOMIC, KIND_COPY, KIND_NONE, NKINDS };

/* An instruction with words of its own in the stream. */
struct item {
  bool guard, access, barrier;
  uint8_t kind;
  uint8_t accesses; /* 2 for a copy: global, then shared */
};

struct block {
  bool known;
  uint32_t unguarded; /* instructions that all lanes of the record execute */
  uint32_t nitems;
  struct item *items;
  struct front_counters fixed; /* what every execution adds */
  uint64_t runs, lanes;        /* executions in this segment, and their active lanes */
};

struct tally;
typedef uint64_t walk_fn(struct front_counter *k, const struct exec *x, const struct sluice_segment *s,
                         struct tally *t);

struct front_counter {
  walk_fn *walk;
  struct block *blocks;
  size_t n;
  uint32_t *touched; /* blocks that ran in this segment; room for all */
  size_t ntouched;
};

/* Sums of one segment, laid out for adding: one cell per kind and space, no decisions. */
enum { NSPACES = 8 };
struct tally {
  uint64_t accesses[NKINDS][NSPACES];
  uint64_t lanes[NKINDS][NSPACES];
  uint64_t detail[NKINDS][NSPACES]; /* the upper fields of the access words: lines, or bank cycles */
  uint64_t sectors[NKINDS][NSPACES];
  uint64_t loads_of[2][256]; /* [1]: global loads by the lines they touch; [0]: all else */
};

void front_counter_free(struct front_counter *k) {
  if (!k)
    return;
  for (size_t i = 0; i < k->n; i++)
    free(k->blocks[i].items);
  free(k->blocks);
  free(k->touched);
  free(k);
}

static void count_class(struct front_counters *c, const struct sluice_inst *i) {
  bool param = i->space == SLUICE_SP_PARAM;
  switch (i->klass) {
  case SLUICE_LOAD:
    c->loads += !param;
    break;
  case SLUICE_STORE:
    c->stores += !param;
    break;
  case SLUICE_ATOMIC:
  case SLUICE_RED:
    c->atomics++;
    break;
  case SLUICE_COPY:
    c->copies++;
    break;
  case SLUICE_PREFETCH:
    c->prefetches++;
    break;
  case SLUICE_BRANCH:
    c->branches++;
    break;
  case SLUICE_BARRIER:
    c->barriers++;
    break;
  case SLUICE_FENCE:
    c->fences++;
    break;
  default:
    break;
  }
}

/* A branch has no guard word: where its lanes go shows in the records that follow. */
static bool has_guard(const struct sluice_inst *i) {
  return i->flags & SLUICE_IF_GUARD && i->klass != SLUICE_BRANCH;
}

static enum kind kind_of(const struct sluice_inst *i) {
  switch (i->klass) {
  case SLUICE_LOAD:
    return KIND_LOAD;
  case SLUICE_STORE:
    return KIND_STORE;
  case SLUICE_ATOMIC:
  case SLUICE_RED:
    return KIND_ATOMIC;
  case SLUICE_COPY:
    return KIND_COPY;
  default:
    return KIND_NONE;
  }
}

static void learn(struct block *b, struct sluice_block s) {
  b->known = true;
  b->items = xcalloc(s.ninst, sizeof *b->items);
  b->fixed.warp_instructions = s.ninst;
  for (uint32_t i = 0; i < s.ninst; i++) {
    const struct sluice_inst *inst = &s.insts[i];
    bool guard = has_guard(inst), access = inst->flags & SLUICE_IF_ADDRESS;
    count_class(&b->fixed, inst);
    b->unguarded += !guard;
    bool barrier = inst->flags & SLUICE_IF_BARRIER;
    if (guard || access || barrier)
      b->items[b->nitems++] = (struct item){.guard = guard,
                                            .access = access,
                                            .barrier = barrier,
                                            .kind = (uint8_t)kind_of(inst),
                                            .accesses = inst->klass == SLUICE_COPY ? 2 : 1};
  }
}

static void block_learn(struct front_counter *k, const struct exec *x, uint32_t number) {
  if (number >= k->n) {
    size_t n = k->n ? k->n : 64;
    while (n <= number)
      n *= 2;
    k->blocks = xrealloc(k->blocks, n * sizeof *k->blocks);
    k->touched = xrealloc(k->touched, n * sizeof *k->touched);
    memset(k->blocks + k->n, 0, (n - k->n) * sizeof *k->blocks);
    k->n = n;
  }
  learn(&k->blocks[number], exec_block(x, number));
}

/* The walk is compiled four times, for warps of one and two words, with and without the instruction that
 * counts bits, which plain x86-64 lacks. */
struct how {
  bool wide, popcnt;
};
#define EACH_WAY static inline __attribute__((always_inline))

EACH_WAY const struct block *block_run(struct front_counter *k, const struct exec *x, uint32_t number,
                                       unsigned active) {
  if (number >= k->n || !k->blocks[number].known)
    block_learn(k, x, number);
  struct block *b = &k->blocks[number];
  if (!b->runs++)
    k->touched[k->ntouched++] = number;
  b->lanes += active;
  return b;
}

EACH_WAY unsigned lanes(uint64_t mask, struct how h) {
  return h.popcnt ? (unsigned)__builtin_popcountll(mask) : mask == UINT32_MAX ? 32 : count_bits(mask);
}

EACH_WAY uint64_t read_mask(const uint32_t **w, struct how h) {
  uint64_t m = *(*w)++;
  if (h.wide)
    m |= (uint64_t) * (*w)++ << 32;
  return m;
}

/* active: lanes of the instruction; an access in several parts says for each part which. */
EACH_WAY const uint32_t *count_access(struct tally *t, const struct item *i, const uint32_t *w,
                                      unsigned active, struct how h) {
  bool several = false;
  for (;;) {
    uint32_t word = *w++, space = SLUICE_ACCESS_SPACE(word);
    bool more = word & SLUICE_ACCESS_MORE;
    several |= more;
    if (several)
      active = lanes(read_mask(&w, h), h);
    t->accesses[i->kind][space]++;
    t->lanes[i->kind][space] += active;
    if (SLUICE_ACCESS_FORM(word) == SLUICE_SHARED) {
      t->detail[i->kind][space] += SLUICE_ACCESS_BANKS(word);
    } else {
      t->detail[i->kind][space] += SLUICE_ACCESS_LINES(word);
      t->sectors[i->kind][space] += SLUICE_ACCESS_SECTORS(word);
      t->loads_of[i->kind == KIND_LOAD && space == SLUICE_SP_GLOBAL][SLUICE_ACCESS_LINES(word)]++;
      static const uint8_t fixed[] = {3, 2, 0}, per_lane[] = {0, 1, 2}; /* by form */
      w += fixed[SLUICE_ACCESS_FORM(word)] + per_lane[SLUICE_ACCESS_FORM(word)] * active;
    }
    if (!more)
      return w;
  }
}

EACH_WAY const uint32_t *count_items(struct tally *t, uint64_t *guarded, const struct block *b,
                                     const uint32_t *w, unsigned all, struct how h) {
  for (const struct item *i = b->items, *end = i + b->nitems; i < end; i++) {
    unsigned active = all;
    if (i->guard) {
      active = lanes(read_mask(&w, h), h);
      *guarded += active;
    }
    w += i->barrier;
    if (!i->access || !active)
      continue;
    for (unsigned k = 0; k < i->accesses; k++)
      w = count_access(t, i, w, active, h);
  }
  return w;
}

static void settle_blocks(struct front_counters *c, struct front_counter *k) {
  for (size_t i = 0; i < k->ntouched; i++) {
    struct block *b = &k->blocks[k->touched[i]];
    c->warp_instructions += b->runs * b->fixed.warp_instructions;
    c->thread_instructions += b->lanes * b->unguarded;
    c->loads += b->runs * b->fixed.loads;
    c->stores += b->runs * b->fixed.stores;
    c->atomics += b->runs * b->fixed.atomics;
    c->copies += b->runs * b->fixed.copies;
    c->prefetches += b->runs * b->fixed.prefetches;
    c->branches += b->runs * b->fixed.branches;
    c->barriers += b->runs * b->fixed.barriers;
    c->fences += b->runs * b->fixed.fences;
    b->runs = b->lanes = 0;
  }
  k->ntouched = 0;
}

static void settle(struct front_counters *c, const struct tally *t) {
  c->loads_global += t->accesses[KIND_LOAD][SLUICE_SP_GLOBAL];
  c->loads_lines_1 += t->loads_of[1][1];
  c->loads_lines_2 += t->loads_of[1][2];
  for (unsigned n = 3; n < 256; n++)
    *(n <= 10   ? &c->loads_lines_10
      : n <= 20 ? &c->loads_lines_20
                : &c->loads_lines_more) += t->loads_of[1][n];
  c->loads_shared += t->accesses[KIND_LOAD][SLUICE_SP_SHARED];
  c->loads_local += t->accesses[KIND_LOAD][SLUICE_SP_LOCAL];
  c->loads_const += t->accesses[KIND_LOAD][SLUICE_SP_CONST];
  c->stores_global += t->accesses[KIND_STORE][SLUICE_SP_GLOBAL];
  c->stores_shared += t->accesses[KIND_STORE][SLUICE_SP_SHARED];
  c->stores_local += t->accesses[KIND_STORE][SLUICE_SP_LOCAL];
  c->atomics_global += t->accesses[KIND_ATOMIC][SLUICE_SP_GLOBAL];
  c->atomics_shared += t->accesses[KIND_ATOMIC][SLUICE_SP_SHARED];
  for (int k = 0; k < KIND_NONE; k++) {
    c->global_accesses += t->accesses[k][SLUICE_SP_GLOBAL];
    c->global_lanes += t->lanes[k][SLUICE_SP_GLOBAL];
    c->global_lines += t->detail[k][SLUICE_SP_GLOBAL];
    c->global_sectors += t->sectors[k][SLUICE_SP_GLOBAL];
    c->shared_accesses += t->accesses[k][SLUICE_SP_SHARED];
    c->shared_cycles += t->detail[k][SLUICE_SP_SHARED];
  }
}

/* Returns the thread instructions under a guard; the rest follows from the blocks. */
EACH_WAY uint64_t walk(struct front_counter *k, const struct exec *x, const struct sluice_segment *s,
                       struct tally *t, struct how h) {
  uint64_t guarded = 0;
  const uint32_t *w = s->words, *end = s->words + s->n;
  while (w < end) {
    uint32_t number = w[0];
    w += 2; /* block; warp */
    unsigned active = lanes(read_mask(&w, h), h);
    const struct block *b = block_run(k, x, number, active);
    w = count_items(t, &guarded, b, w, active, h);
  }
  if (w != end)
    panic("the stream's segment of CTA %llu does not end on a record", (unsigned long long)s->cta);
  return guarded;
}

static uint64_t walk_plain(struct front_counter *k, const struct exec *x, const struct sluice_segment *s,
                           struct tally *t) {
  return s->warp_width > 32 ? walk(k, x, s, t, (struct how){.wide = true})
                            : walk(k, x, s, t, (struct how){.wide = false});
}

#ifdef __x86_64__
__attribute__((target("popcnt"))) static uint64_t
walk_popcnt(struct front_counter *k, const struct exec *x, const struct sluice_segment *s, struct tally *t) {
  return s->warp_width > 32 ? walk(k, x, s, t, (struct how){.wide = true, .popcnt = true})
                            : walk(k, x, s, t, (struct how){.popcnt = true});
}
#endif

struct front_counter *front_counter_new(void) {
  struct front_counter *k = xcalloc(1, sizeof *k);
  k->walk = walk_plain;
#ifdef __x86_64__
  if (__builtin_cpu_supports("popcnt"))
    k->walk = walk_popcnt;
#endif
  return k;
}

void front_count(struct front_counter *k, const struct exec *x, const struct sluice_segment *s,
                 struct front_counters *to) {
  struct tally t = {0};
  uint64_t guarded = k->walk(k, x, s, &t);
  to->thread_instructions += guarded;
  settle_blocks(to, k);
  settle(to, &t);
}
