#include "front/walk.h"

enum { LINE = 128 };

static uint64_t mask_at(const uint32_t **w, bool wide) {
  uint64_t m = *(*w)++;
  if (wide)
    m |= (uint64_t) * (*w)++ << 32;
  return m;
}

static uint64_t pair_at(const uint32_t **w) {
  uint64_t v = (*w)[0] | (uint64_t)(*w)[1] << 32;
  *w += 2;
  return v;
}

/* The lanes of one part of an access; those in global memory are added. */
static const uint32_t *lanes(struct walk_access *a, uint32_t word, const uint32_t *w, uint64_t mask) {
  unsigned form = SLUICE_ACCESS_FORM(word);
  bool global = SLUICE_ACCESS_SPACE(word) == SLUICE_SP_GLOBAL;
  if (form == SLUICE_SHARED)
    return w;
  uint64_t base = form == SLUICE_LIST64 ? 0 : pair_at(&w);
  int32_t stride = form == SLUICE_AFFINE ? (int32_t)*w++ : 0;
  for (unsigned lane = 0; mask; mask >>= 1, lane++) {
    if (!(mask & 1))
      continue;
    uint64_t address = form == SLUICE_AFFINE   ? base + (uint64_t)((int64_t)stride * (int64_t)lane)
                       : form == SLUICE_LIST32 ? base + *w++
                                               : pair_at(&w);
    if (global)
      a->address[a->n++] = address;
  }
  return w;
}

static const uint32_t *access(struct walk_access *a, const uint32_t *w, uint64_t mask, bool wide) {
  a->n = 0;
  for (bool several = false;;) {
    uint32_t word = *w++;
    bool more = word & SLUICE_ACCESS_MORE;
    several |= more;
    if (several)
      mask = mask_at(&w, wide);
    w = lanes(a, word, w, mask);
    if (!more)
      return w;
  }
}

void walk_global(const struct exec *x, const struct sluice_segment *s,
                 void (*see)(void *ctx, const struct walk_access *a), void *ctx) {
  bool wide = s->warp_width > 32;
  const uint32_t *w = s->words, *end = s->words + s->n;
  struct walk_access a;
  while (w < end) {
    struct sluice_block b = exec_block(x, w[0]);
    w += 2; /* block; warp */
    uint64_t all = mask_at(&w, wide);
    for (uint32_t i = 0; i < b.ninst; i++) {
      const struct sluice_inst *in = a.inst = &b.insts[i];
      bool guard = in->flags & SLUICE_IF_GUARD && in->klass != SLUICE_BRANCH;
      uint64_t mask = guard ? mask_at(&w, wide) : all;
      w += (in->flags & SLUICE_IF_BARRIER) != 0;
      a.bytes = in->bytes ? in->bytes : 1;
      unsigned accesses = in->klass == SLUICE_COPY ? 2 : 1;
      for (unsigned k = 0; in->flags & SLUICE_IF_ADDRESS && mask && k < accesses; k++) {
        w = access(&a, w, mask, wide);
        if (a.n)
          see(ctx, &a);
      }
    }
  }
}

unsigned walk_lines(const struct walk_access *a, uint64_t line[1024]) {
  unsigned n = 0;
  for (unsigned i = 0; i < a->n; i++)
    for (uint64_t l = a->address[i] / LINE; l <= (a->address[i] + a->bytes - 1) / LINE; l++) {
      unsigned k = n;
      while (k && line[k - 1] != l * LINE)
        k--;
      if (!k)
        line[n++] = l * LINE;
    }
  return n;
}
