/* Windows nest, so one table of pages serves all: for each size it holds the last window that saw the page. */
#include "front/gen/locality.h"
#include "base/hash.h"
#include "base/mem.h"
#include <stdlib.h>

enum { PAGE_SHIFT = 12, FIRST_SHIFT = 7 };

struct page {
  uint64_t number;                 /* + 1; 0: free */
  uint64_t seen[LOCALITY_WINDOWS]; /* window + 1 */
};

struct locality {
  struct page *pages;
  size_t n, cap; /* cap a power of two, at most half full */
  uint64_t requests;
  uint64_t pending[LOCALITY_WINDOWS]; /* pages of the window that is being filled */
  uint64_t distinct[LOCALITY_WINDOWS], full[LOCALITY_WINDOWS];
};

struct locality *locality_new(void) {
  struct locality *l = xcalloc(1, sizeof *l);
  l->cap = 1024;
  l->pages = xcalloc(l->cap, sizeof *l->pages);
  return l;
}

void locality_free(struct locality *l) {
  if (!l)
    return;
  free(l->pages);
  free(l);
}

static struct page *slot(const struct locality *l, uint64_t number) {
  size_t i = (size_t)hash_mix(number) & (l->cap - 1);
  while (l->pages[i].number && l->pages[i].number != number)
    i = (i + 1) & (l->cap - 1);
  return &l->pages[i];
}

static void grow(struct locality *l) {
  struct locality old = *l;
  l->cap *= 2;
  l->pages = xcalloc(l->cap, sizeof *l->pages);
  for (size_t i = 0; i < old.cap; i++)
    if (old.pages[i].number)
      *slot(l, old.pages[i].number) = old.pages[i];
  free(old.pages);
}

void locality_add(struct locality *l, uint64_t address) {
  uint64_t number = (address >> PAGE_SHIFT) + 1;
  if (2 * (l->n + 1) > l->cap)
    grow(l);
  struct page *p = slot(l, number);
  l->n += !p->number;
  p->number = number;
  uint64_t i = l->requests++;
  for (unsigned w = 0; w < LOCALITY_WINDOWS; w++) {
    uint64_t window = (i >> (FIRST_SHIFT + w)) + 1;
    l->pending[w] += p->seen[w] != window;
    p->seen[w] = window;
    if ((i + 1) % LOCALITY_WINDOW(w) == 0) {
      l->full[w]++;
      l->distinct[w] += l->pending[w];
      l->pending[w] = 0;
    }
  }
}

uint64_t locality_requests(const struct locality *l) {
  return l->requests;
}

double locality_mean_of(const struct locality *const *l, size_t n, unsigned i) {
  uint64_t full = 0, distinct = 0;
  for (size_t k = 0; k < n; k++) {
    full += l[k]->full[i];
    distinct += l[k]->distinct[i];
  }
  return distinct ? (double)(full * LOCALITY_WINDOW(i)) / (double)distinct : 0;
}

double locality_mean(const struct locality *l, unsigned i) {
  return locality_mean_of(&l, 1, i);
}
