#include "base/bits.h"
#include "sm/feed.h"
#include "base/mem.h"
#include "front/functional.h"
#include <stdlib.h>
#include <string.h>

struct feed {
  struct exec *x;
  struct functional_machine *told;
  uint32_t nwarps;
  bool wide, done, failed;
  struct feed_cta **open; /* seen and not released, in order of appearance */
  size_t nopen, capopen;
  size_t handed; /* of those, how many were handed out (a prefix) */
  struct feed_cta **spare;
  size_t nspare, capspare;
  struct feed_block *block;
  size_t nblocks;
  uint64_t *pc; /* of the first npc blocks */
  size_t npc, cappc;
  uint32_t registers;
};

struct feed *feed_open(struct exec *x, struct functional_machine *told, uint32_t nwarps,
                       unsigned warp_width) {
  struct feed *f = xcalloc(1, sizeof *f);
  f->x = x, f->told = told, f->nwarps = nwarps, f->wide = warp_width > 32;
  return f;
}

uint32_t feed_registers(const struct feed *f) {
  return f->registers;
}

static void cta_free(struct feed_cta *c) {
  for (uint32_t i = 0; i < c->nwarps; i++)
    free(c->warp[i].words);
  free(c->warp);
  free(c);
}

void feed_close(struct feed *f) {
  if (!f)
    return;
  for (size_t i = 0; i < f->nopen; i++)
    cta_free(f->open[i]);
  for (size_t i = 0; i < f->nspare; i++)
    cta_free(f->spare[i]);
  for (size_t i = 0; i < f->nblocks; i++)
    free(f->block[i].inst);
  free(f->open), free(f->spare), free(f->block), free(f->pc);
  free(f);
}

/* Blocks lie in the order of their numbers. */
static uint64_t pc_of(struct feed *f, uint32_t block) {
  while (f->npc <= block) {
    uint64_t pc = f->npc ? f->pc[f->npc - 1] + exec_block(f->x, (uint32_t)f->npc - 1).ninst : 0;
    VEC_PUSH(f->pc, f->npc, f->cappc) = pc;
  }
  return f->pc[block];
}

const struct feed_block *feed_block(struct feed *f, uint32_t block) {
  if (block >= f->nblocks) {
    size_t n = f->nblocks ? f->nblocks : 64;
    while (n <= block)
      n *= 2;
    f->block = xrealloc(f->block, n * sizeof *f->block);
    memset(f->block + f->nblocks, 0, (n - f->nblocks) * sizeof *f->block);
    f->nblocks = n;
  }
  struct feed_block *b = &f->block[block];
  if (b->inst)
    return b;
  struct sluice_block s = exec_block(f->x, block);
  b->n = s.ninst;
  b->pc = pc_of(f, block);
  b->inst = xcalloc(s.ninst + 1, sizeof *b->inst);
  for (uint32_t i = 0; i < s.ninst; i++) {
    const struct sluice_inst *in = &s.insts[i];
    struct feed_inst *o = &b->inst[i];
    *o = (struct feed_inst){.klass = in->klass,
                            .unit = in->unit,
                            .flags = in->flags,
                            .space = in->space,
                            .bytes = in->bytes,
                            .cache_op = in->cache_op,
                            .ndst = in->ndst,
                            .nsrc = in->nsrc};
    memcpy(o->reg, in->dst, in->ndst * sizeof *o->reg);
    memcpy(o->reg + in->ndst, in->src, in->nsrc * sizeof *o->reg);
    for (unsigned r = 0; r < o->ndst + (unsigned)o->nsrc;
         r++) { /* a scoreboard of fixed size: rare high numbers share */
      o->reg[r] %= 1024;
      if (o->reg[r] >= f->registers)
        f->registers = o->reg[r] + 1u;
    }
  }
  return b;
}

static const uint32_t *skip_access(const uint32_t *w, unsigned lanes, bool wide) {
  static const uint8_t fixed[] = {3, 2, 0, 0}, per_lane[] = {0, 1, 2, 0};
  for (bool several = false;;) {
    uint32_t word = *w++, form = SLUICE_ACCESS_FORM(word);
    bool more = word & SLUICE_ACCESS_MORE;
    several |= more;
    unsigned n = lanes;
    if (several) {
      n = count_bits(*w++);
      if (wide)
        n += count_bits(*w++);
    }
    w += fixed[form] + per_lane[form] * n;
    if (!more)
      return w;
  }
}

size_t feed_items(const uint32_t *words, const struct feed_inst *in, uint64_t mask, bool wide) {
  const uint32_t *w = words;
  for (int k = in->klass == SLUICE_COPY ? 2 : 1; k; k--)
    w = skip_access(w, count_bits(mask), wide);
  return (size_t)(w - words);
}

/* The end of the record that begins at w. */
static const uint32_t *record_end(struct feed *f, const uint32_t *w) {
  const struct feed_block *b = feed_block(f, w[0]);
  w += 2;
  uint64_t mask = *w++;
  if (f->wide)
    mask |= (uint64_t)*w++ << 32;
  for (uint32_t i = 0; i < b->n; i++) {
    const struct feed_inst *in = &b->inst[i];
    uint64_t m = mask;
    if (in->flags & SLUICE_IF_GUARD && in->klass != SLUICE_BRANCH) {
      m = *w++;
      if (f->wide)
        m |= (uint64_t)*w++ << 32;
    }
    if (in->flags & SLUICE_IF_BARRIER)
      w++;
    if (!(in->flags & SLUICE_IF_ADDRESS) || !m)
      continue;
    w += feed_items(w, in, m, f->wide);
  }
  return w;
}

static void append(struct feed_warp *t, const uint32_t *from, size_t n) {
  if (t->at == t->n)
    t->at = t->n = 0;
  if (t->n + n > t->cap) {
    t->cap = t->cap ? t->cap * 2 : 256;
    while (t->cap < t->n + n)
      t->cap *= 2;
    t->words = xrealloc(t->words, t->cap * sizeof *t->words);
  }
  memcpy(t->words + t->n, from, n * sizeof *from);
  t->n += n;
}

static struct feed_cta *cta_of(struct feed *f, uint64_t linear) {
  for (size_t i = f->nopen; i-- > 0;)
    if (f->open[i]->linear == linear && !f->open[i]->complete)
      return f->open[i];
  struct feed_cta *c = f->nspare ? f->spare[--f->nspare] : NULL;
  if (!c) {
    c = xcalloc(1, sizeof *c);
    c->nwarps = f->nwarps;
    c->warp = xcalloc(f->nwarps, sizeof *c->warp);
  }
  for (uint32_t i = 0; i < c->nwarps; i++)
    c->warp[i].n = c->warp[i].at = 0;
  c->linear = linear;
  c->complete = false;
  return VEC_PUSH(f->open, f->nopen, f->capopen) = c;
}

/* Executes one more turn and sorts what it yields by warp. */
static bool pull(struct feed *f, struct error *err) {
  struct sluice_segment s;
  if (f->done || f->failed)
    return false;
  int more = exec_next(f->x, &s, err);
  if (more <= 0) {
    f->done = more == 0;
    f->failed = more < 0;
    return false;
  }
  if (f->told && f->told->seen)
    f->told->seen(f->told->ctx, f->x, &s);
  struct feed_cta *c = cta_of(f, s.cta);
  for (const uint32_t *w = s.words, *end = w + s.n; w < end;) {
    const uint32_t *next = record_end(f, w);
    append(&c->warp[w[1]], w, (size_t)(next - w));
    w = next;
  }
  c->complete = s.last;
  return true;
}

struct feed_cta *feed_next_cta(struct feed *f, struct error *err) {
  while (f->handed == f->nopen)
    if (!pull(f, err))
      return NULL;
  return f->open[f->handed++];
}

bool feed_more(struct feed *f, struct feed_cta *c, uint32_t warp, struct error *err) {
  while (c->warp[warp].at == c->warp[warp].n)
    if (c->complete || !pull(f, err))
      return false;
  return true;
}

void feed_release(struct feed *f, struct feed_cta *c) {
  size_t i = 0;
  while (f->open[i] != c)
    i++;
  memmove(f->open + i, f->open + i + 1, (f->nopen - i - 1) * sizeof *f->open);
  f->nopen--;
  f->handed--;
  VEC_PUSH(f->spare, f->nspare, f->capspare) = c;
}

bool feed_failed(const struct feed *f) {
  return f->failed;
}
bool feed_exhausted(const struct feed *f) {
  return f->done && f->handed == f->nopen;
}
