/* Counts what segments add up to. What is the same at every execution of a block is summed up once, when the
 * block is first seen. A stream that was not executed is walked for it: per execution of a block only the
 * instructions with words of their own are visited. */
#include "base/bits.h"
#include "front/count.h"
#include "base/mem.h"
#include "front/ptx/types.h"
#include "base/specialized.h"
#include <stdlib.h>
#include <string.h>

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
};

typedef void walk_fn(struct front_counter *k, const struct exec *x, const struct sluice_segment *s);

struct front_counter {
  walk_fn *walk;
  struct block *blocks;
  size_t n;
  struct tally walked; /* of a segment that the executor did not add up */
};

void front_counter_free(struct front_counter *k) {
  if (!k)
    return;
  for (size_t i = 0; i < k->n; i++)
    free(k->blocks[i].items);
  free(k->blocks);
  tally_free(&k->walked);
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
                                            .kind = (uint8_t)tally_kind(inst),
                                            .accesses = inst->klass == SLUICE_COPY ? 2 : 1};
  }
}

static const struct block *block_of(struct front_counter *k, const struct exec *x, uint32_t number) {
  if (number >= k->n) {
    size_t n = k->n ? k->n : 64;
    while (n <= number)
      n *= 2;
    k->blocks = xrealloc(k->blocks, n * sizeof *k->blocks);
    memset(k->blocks + k->n, 0, (n - k->n) * sizeof *k->blocks);
    k->n = n;
  }
  if (!k->blocks[number].known)
    learn(&k->blocks[number], exec_block(x, number));
  return &k->blocks[number];
}

/* The walk is compiled four times, for warps of one and two words, with and without the instruction that
 * counts bits, which plain x86-64 lacks. */
struct how {
  bool wide, popcnt;
};

SPECIALIZED unsigned lanes(uint64_t mask, struct how h) {
  return h.popcnt ? (unsigned)__builtin_popcountll(mask) : mask == UINT32_MAX ? 32 : count_bits(mask);
}

SPECIALIZED uint64_t read_mask(const uint32_t **w, struct how h) {
  uint64_t m = *(*w)++;
  if (h.wide)
    m |= (uint64_t) * (*w)++ << 32;
  return m;
}

/* active: lanes of the instruction; an access in several parts says for each part which. */
SPECIALIZED const uint32_t *count_access(struct tally *t, const struct item *i, const uint32_t *w,
                                         unsigned active, struct how h) {
  bool several = false;
  for (;;) {
    uint32_t word = *w++;
    bool more = word & SLUICE_ACCESS_MORE;
    several |= more;
    if (several)
      active = lanes(read_mask(&w, h), h);
    tally_access(t, i->kind, word, active);
    static const uint8_t fixed[] = {3, 2, 0, 0}, per_lane[] = {0, 1, 2, 0}; /* by form */
    w += fixed[SLUICE_ACCESS_FORM(word)] + per_lane[SLUICE_ACCESS_FORM(word)] * active;
    if (!more)
      return w;
  }
}

SPECIALIZED const uint32_t *count_items(struct tally *t, const struct block *b, const uint32_t *w,
                                        unsigned all, struct how h) {
  for (const struct item *i = b->items, *end = i + b->nitems; i < end; i++) {
    unsigned active = all;
    if (i->guard) {
      active = lanes(read_mask(&w, h), h);
      t->guarded += active;
    }
    w += i->barrier;
    if (!i->access || !active)
      continue;
    for (unsigned k = 0; k < i->accesses; k++)
      w = count_access(t, i, w, active, h);
  }
  return w;
}

static void settle_blocks(struct front_counters *c, struct front_counter *k, const struct exec *x,
                          const struct tally *t) {
  for (size_t i = 0; i < t->ntouched; i++) {
    const struct block *b = block_of(k, x, t->touched[i]);
    const struct tally_block *n = &t->blocks[t->touched[i]];
    c->warp_instructions += n->runs * b->fixed.warp_instructions;
    c->thread_instructions += n->lanes * b->unguarded;
    c->loads += n->runs * b->fixed.loads;
    c->stores += n->runs * b->fixed.stores;
    c->atomics += n->runs * b->fixed.atomics;
    c->copies += n->runs * b->fixed.copies;
    c->prefetches += n->runs * b->fixed.prefetches;
    c->branches += n->runs * b->fixed.branches;
    c->barriers += n->runs * b->fixed.barriers;
    c->fences += n->runs * b->fixed.fences;
  }
}

static uint64_t loads_of(const struct tally *t, unsigned from, unsigned to) {
  uint64_t sum = 0;
  for (unsigned n = from; n <= to; n++)
    sum += t->loads_of[n];
  return sum;
}

static void settle_accesses(struct front_counters *c, const struct tally *t) {
  const struct tally_sum *loads = t->of[TALLY_LOAD], *stores = t->of[TALLY_STORE],
                         *atomics = t->of[TALLY_ATOMIC];
  c->loads_global += loads[SLUICE_SP_GLOBAL].accesses;
  c->loads_lines_1 += t->loads_of[1];
  c->loads_lines_2 += t->loads_of[2];
  c->loads_lines_10 += loads_of(t, 3, 10);
  c->loads_lines_20 += loads_of(t, 11, 20);
  c->loads_lines_more += loads_of(t, 21, TALLY_LINES);
  c->loads_shared += loads[SLUICE_SP_SHARED].accesses;
  c->loads_local += loads[SLUICE_SP_LOCAL].accesses;
  c->loads_const += loads[SLUICE_SP_CONST].accesses;
  c->stores_global += stores[SLUICE_SP_GLOBAL].accesses;
  c->stores_shared += stores[SLUICE_SP_SHARED].accesses;
  c->stores_local += stores[SLUICE_SP_LOCAL].accesses;
  c->atomics_global += atomics[SLUICE_SP_GLOBAL].accesses;
  c->atomics_shared += atomics[SLUICE_SP_SHARED].accesses;
  for (int k = 0; k < TALLY_NONE; k++) {
    c->global_accesses += t->of[k][SLUICE_SP_GLOBAL].accesses;
    c->global_lanes += t->of[k][SLUICE_SP_GLOBAL].lanes;
    c->global_lines += t->of[k][SLUICE_SP_GLOBAL].detail;
    c->global_sectors += t->of[k][SLUICE_SP_GLOBAL].sectors;
    c->shared_accesses += t->of[k][SLUICE_SP_SHARED].accesses;
    c->shared_cycles += t->of[k][SLUICE_SP_SHARED].detail;
  }
}

SPECIALIZED void walk(struct front_counter *k, const struct exec *x, const struct sluice_segment *s,
                      struct how h) {
  struct tally *t = &k->walked;
  const uint32_t *w = s->words, *end = s->words + s->n;
  tally_clear(t);
  tally_grow(t, exec_blocks(x));
  while (w < end) {
    uint32_t number = w[0];
    w += 2; /* block; warp */
    unsigned active = lanes(read_mask(&w, h), h);
    tally_record(t, number, active);
    w = count_items(t, block_of(k, x, number), w, active, h);
  }
  if (w != end)
    panic("the stream's segment of CTA %llu does not end on a record", (unsigned long long)s->cta);
}

static void walk_plain(struct front_counter *k, const struct exec *x, const struct sluice_segment *s) {
  if (s->warp_width > 32)
    walk(k, x, s, (struct how){.wide = true});
  else
    walk(k, x, s, (struct how){.wide = false});
}

#ifdef __x86_64__
__attribute__((target("popcnt"))) static void walk_popcnt(struct front_counter *k, const struct exec *x,
                                                          const struct sluice_segment *s) {
  if (s->warp_width > 32)
    walk(k, x, s, (struct how){.wide = true, .popcnt = true});
  else
    walk(k, x, s, (struct how){.popcnt = true});
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
  const struct tally *t = exec_tally(x);
  if (!t) {
    k->walk(k, x, s);
    t = &k->walked;
  }
  to->thread_instructions += t->guarded;
  settle_blocks(to, k, x, t);
  settle_accesses(to, t);
}
