/* Walks the stream. What is the same at every execution of a block is summed up once, when the block is
 * first seen; per execution only the instructions with words of their own are visited. */
#include "front/count.h"
#include "base/mem.h"
#include "front/ptx/types.h"
#include <stdlib.h>
#include <string.h>

struct block {
  bool known;
  uint32_t unguarded;            /* instructions that all lanes of the record execute */
  uint32_t nitems;               /* instructions with a guard or an access */
  const struct stream_inst **items;
  struct front_counters fixed;   /* what every execution adds */
};

struct front_counter {
  struct block *blocks;
  size_t n;
};

struct front_counter *front_counter_new(void) {
  return xcalloc(1, sizeof(struct front_counter));
}

void front_counter_free(struct front_counter *k) {
  if (!k)
    return;
  for (size_t i = 0; i < k->n; i++)
    free(k->blocks[i].items);
  free(k->blocks);
  free(k);
}

static void count_class(struct front_counters *c, const struct stream_inst *i) {
  bool param = i->space == PTX_PARAM;
  switch (i->klass) {
  case STREAM_LOAD:
    c->loads += !param;
    break;
  case STREAM_STORE:
    c->stores += !param;
    break;
  case STREAM_ATOMIC:
  case STREAM_RED:
    c->atomics++;
    break;
  case STREAM_COPY:
    c->copies++;
    break;
  case STREAM_PREFETCH:
    c->prefetches++;
    break;
  case STREAM_BRANCH:
    c->branches++;
    break;
  case STREAM_BARRIER:
    c->barriers++;
    break;
  case STREAM_FENCE:
    c->fences++;
    break;
  default:
    break;
  }
}

/* A branch has no guard word: where its lanes go shows in the records that follow. */
static bool has_guard(const struct stream_inst *i) {
  return i->flags & STREAM_IF_GUARD && i->klass != STREAM_BRANCH;
}

static void learn(struct block *b, struct stream_block s) {
  b->known = true;
  b->items = xcalloc(s.ninst, sizeof *b->items);
  b->fixed.warp_instructions = s.ninst;
  for (uint32_t i = 0; i < s.ninst; i++) {
    const struct stream_inst *inst = &s.insts[i];
    count_class(&b->fixed, inst);
    b->unguarded += !has_guard(inst);
    if (has_guard(inst) || inst->flags & STREAM_IF_ADDRESS)
      b->items[b->nitems++] = inst;
  }
}

static struct block *block_of(struct front_counter *k, const struct exec *x, uint32_t number) {
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

static unsigned lanes(uint64_t mask) {
  return (unsigned)__builtin_popcountll(mask);
}

static uint64_t read_mask(const uint32_t **w, bool wide) {
  uint64_t m = *(*w)++;
  if (wide)
    m |= (uint64_t) * (*w)++ << 32;
  return m;
}

/* One part of an access: the counters of its space. */
static void count_part(struct front_counters *c, const struct stream_inst *i, uint32_t word, unsigned active) {
  bool load = i->klass == STREAM_LOAD, store = i->klass == STREAM_STORE;
  bool atomic = i->klass == STREAM_ATOMIC || i->klass == STREAM_RED, copy = i->klass == STREAM_COPY;
  switch (STREAM_ACCESS_SPACE(word)) {
  case STREAM_SP_GLOBAL:
    if (!(load || store || atomic || copy))
      break; /* a prefetch moves no data to a lane */
    c->loads_global += load;
    c->stores_global += store;
    c->atomics_global += atomic;
    c->global_accesses++;
    c->global_lanes += active;
    c->global_lines += STREAM_ACCESS_LINES(word);
    c->global_sectors += STREAM_ACCESS_SECTORS(word);
    break;
  case STREAM_SP_SHARED:
    c->loads_shared += load;
    c->stores_shared += store;
    c->atomics_shared += atomic;
    c->shared_accesses++;
    c->shared_cycles += STREAM_ACCESS_BANKS(word);
    break;
  case STREAM_SP_LOCAL:
    c->loads_local += load;
    c->stores_local += store;
    break;
  case STREAM_SP_CONST:
    c->loads_const += load;
    break;
  default:
    break;
  }
}

static const uint32_t *count_access(struct front_counters *c, const struct stream_inst *i, const uint32_t *w,
                                    uint64_t mask, bool wide) {
  bool several = false;
  for (;;) {
    uint32_t word = *w++;
    bool more = word & STREAM_ACCESS_MORE;
    several |= more;
    uint64_t part = several ? read_mask(&w, wide) : mask;
    unsigned active = lanes(part);
    count_part(c, i, word, active);
    switch (STREAM_ACCESS_FORM(word)) {
    case STREAM_AFFINE:
      w += 3;
      break;
    case STREAM_LIST32:
      w += 2 + active;
      break;
    case STREAM_LIST64:
      w += 2 * (size_t)active;
      break;
    default: /* STREAM_SHARED: the access word says it all */
      break;
    }
    if (!more)
      return w;
  }
}

static const uint32_t *count_items(struct front_counters *c, const struct block *b, const uint32_t *w,
                                   uint64_t mask, bool wide) {
  for (uint32_t k = 0; k < b->nitems; k++) {
    const struct stream_inst *i = b->items[k];
    uint64_t active = mask;
    if (has_guard(i)) {
      active = read_mask(&w, wide);
      c->thread_instructions += lanes(active);
    }
    if (!(i->flags & STREAM_IF_ADDRESS) || !active)
      continue;
    w = count_access(c, i, w, active, wide);
    if (i->klass == STREAM_COPY) /* global first, then shared */
      w = count_access(c, i, w, active, wide);
  }
  return w;
}

void front_count(struct front_counter *k, const struct exec *x, const struct stream_segment *s,
                 struct front_counters *to) {
  struct front_counters c = *to;
  bool wide = s->warp_width > 32;
  const uint32_t *w = s->words, *end = s->words + s->n;
  while (w < end) {
    const struct block *b = block_of(k, x, w[0]);
    w += 2; /* block; warp and flags */
    uint64_t mask = read_mask(&w, wide);
    c.warp_instructions += b->fixed.warp_instructions;
    c.thread_instructions += (uint64_t)b->unguarded * lanes(mask);
    c.loads += b->fixed.loads;
    c.stores += b->fixed.stores;
    c.atomics += b->fixed.atomics;
    c.copies += b->fixed.copies;
    c.prefetches += b->fixed.prefetches;
    c.branches += b->fixed.branches;
    c.barriers += b->fixed.barriers;
    c.fences += b->fixed.fences;
    w = count_items(&c, b, w, mask, wide);
  }
  if (w != end)
    panic("the stream's segment of CTA %llu does not end on a record", (unsigned long long)s->cta);
  *to = c;
}
