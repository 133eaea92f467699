/* A hash table of pages of 128 sectors, a bit for each. */
#include "front/footprint.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"
#include "front/walk.h"
#include <stdlib.h>

enum { SECTOR = 32, PAGE_SECTORS = 128 };

struct page {
  uint64_t number; /* + 1; 0: free */
  uint64_t bits[2];
};

struct footprint {
  struct page *pages;
  size_t n, cap; /* cap a power of two, at most half full */
  struct page *last;
};

struct footprint *footprint_new(void) {
  struct footprint *t = xcalloc(1, sizeof *t);
  t->cap = 1024;
  t->pages = xcalloc(t->cap, sizeof *t->pages);
  return t;
}

void footprint_free(struct footprint *t) {
  if (!t)
    return;
  free(t->pages);
  free(t);
}

static struct page *slot(const struct footprint *t, uint64_t number) {
  size_t i = (size_t)hash_mix(number) & (t->cap - 1);
  while (t->pages[i].number && t->pages[i].number != number + 1)
    i = (i + 1) & (t->cap - 1);
  return &t->pages[i];
}

static void grow(struct footprint *t) {
  struct footprint old = *t;
  t->cap *= 2;
  t->pages = xcalloc(t->cap, sizeof *t->pages);
  for (size_t i = 0; i < old.cap; i++)
    if (old.pages[i].number)
      *slot(t, old.pages[i].number - 1) = old.pages[i];
  free(old.pages);
}

static struct page *page(struct footprint *t, uint64_t number) {
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

static void mark(struct footprint *t, uint64_t address, unsigned bytes) {
  for (uint64_t s = address / SECTOR; s <= (address + bytes - 1) / SECTOR; s++)
    page(t, s / PAGE_SECTORS)->bits[s / 64 % 2] |= UINT64_C(1) << s % 64;
}

static void see(void *ctx, const struct walk_access *a) {
  for (unsigned i = 0; i < a->n; i++)
    mark(ctx, a->address[i], a->bytes);
}

void footprint_see(struct footprint *t, const struct exec *x, const struct sluice_segment *s) {
  walk_global(x, s, see, t);
}

uint64_t footprint_sectors(const struct footprint *t) {
  uint64_t n = 0;
  for (size_t i = 0; i < t->cap; i++)
    n += count_bits(t->pages[i].bits[0]) + count_bits(t->pages[i].bits[1]);
  return n;
}
