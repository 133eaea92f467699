/* A hash table of pages of 128 sectors, a bit for each. */
#include "front/touch.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"
#include <stdlib.h>

enum { SECTOR = 32, PAGE_SECTORS = 128 };

struct page {
  uint64_t number; /* + 1; 0: free */
  uint64_t bits[2];
};

struct touch {
  struct page *pages;
  size_t n, cap; /* cap a power of two, at most half full */
  struct page *last;
};

struct touch *touch_new(void) {
  struct touch *t = xcalloc(1, sizeof *t);
  t->cap = 1024;
  t->pages = xcalloc(t->cap, sizeof *t->pages);
  return t;
}

void touch_free(struct touch *t) {
  if (!t)
    return;
  free(t->pages);
  free(t);
}

static struct page *slot(const struct touch *t, uint64_t number) {
  size_t i = (size_t)hash_mix(number) & (t->cap - 1);
  while (t->pages[i].number && t->pages[i].number != number + 1)
    i = (i + 1) & (t->cap - 1);
  return &t->pages[i];
}

static void grow(struct touch *t) {
  struct touch old = *t;
  t->cap *= 2;
  t->pages = xcalloc(t->cap, sizeof *t->pages);
  for (size_t i = 0; i < old.cap; i++)
    if (old.pages[i].number)
      *slot(t, old.pages[i].number - 1) = old.pages[i];
  free(old.pages);
}

static struct page *page(struct touch *t, uint64_t number) {
  if (t->last && t->last->number == number + 1)
    return t->last;
  struct page *p = slot(t, number);
  if (!p->number) {
    if (2 * ++t->n > t->cap) {
      grow(t);
      p = slot(t, number);
    }
    p->number = number + 1;
  }
  return t->last = p;
}

static void mark(struct touch *t, uint64_t address, unsigned bytes) {
  for (uint64_t s = address / SECTOR; s <= (address + bytes - 1) / SECTOR; s++)
    page(t, s / PAGE_SECTORS)->bits[s / 64 % 2] |= UINT64_C(1) << s % 64;
}

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

/* The lanes of one part of an access. */
static const uint32_t *lanes(struct touch *t, uint32_t word, const uint32_t *w, uint64_t mask,
                             unsigned bytes) {
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
      mark(t, address, bytes);
  }
  return w;
}

static const uint32_t *access(struct touch *t, const uint32_t *w, uint64_t mask, unsigned bytes, bool wide) {
  for (bool several = false;;) {
    uint32_t word = *w++;
    bool more = word & SLUICE_ACCESS_MORE;
    several |= more;
    if (several)
      mask = mask_at(&w, wide);
    w = lanes(t, word, w, mask, bytes);
    if (!more)
      return w;
  }
}

void touch_see(struct touch *t, const struct exec *x, const struct sluice_segment *s) {
  bool wide = s->warp_width > 32;
  const uint32_t *w = s->words, *end = s->words + s->n;
  while (w < end) {
    struct sluice_block b = exec_block(x, w[0]);
    w += 2; /* block; warp */
    uint64_t all = mask_at(&w, wide);
    for (uint32_t i = 0; i < b.ninst; i++) {
      const struct sluice_inst *in = &b.insts[i];
      bool guard = in->flags & SLUICE_IF_GUARD && in->klass != SLUICE_BRANCH;
      uint64_t mask = guard ? mask_at(&w, wide) : all;
      w += (in->flags & SLUICE_IF_BARRIER) != 0;
      unsigned accesses = in->klass == SLUICE_COPY ? 2 : 1;
      for (unsigned k = 0; in->flags & SLUICE_IF_ADDRESS && mask && k < accesses; k++)
        w = access(t, w, mask, in->bytes ? in->bytes : 1, wide);
    }
  }
}

uint64_t touch_sectors(const struct touch *t) {
  uint64_t n = 0;
  for (size_t i = 0; i < t->cap; i++)
    n += count_bits(t->pages[i].bits[0]) + count_bits(t->pages[i].bits[1]);
  return n;
}
