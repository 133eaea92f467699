#include "mem/checker.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the latest requests of an SM for a line that were looked up; 0: none. */
struct latest {
  uint64_t key; /* the line's address, made odd so that no key is 0 */
  uint32_t sm, read, change, arrival;
};

struct checker {
  uint32_t numbers;
  uint64_t *answered; /* set of the numbers of answered requests */
  size_t words;
  struct latest *of; /* open addressing, a power of two */
  size_t nof, cap;
  uint64_t longest;
  char broken[200];
};

struct checker *checker_new(void) {
  return xcalloc(1, sizeof(struct checker));
}

void checker_free(struct checker *f) {
  if (!f)
    return;
  free(f->answered), free(f->of);
  free(f);
}

uint32_t checker_number(struct checker *f) {
  return f ? ++f->numbers : 0;
}

const char *checker_violation(const struct checker *f) {
  return *f->broken ? f->broken : NULL;
}

uint64_t checker_longest(const struct checker *f) {
  return f->longest;
}

static const char *name_of(const struct mem_request *r) {
  static const char *const kinds[] = {[MEM_READ] = "read", [MEM_WRITE] = "write", [MEM_ATOMIC] = "atomic"};
  return kinds[r->kind];
}

void checker_answered(struct checker *f, const struct mem_request *r, uint64_t now) {
  size_t word = r->number / 64;
  if (word >= f->words) {
    size_t n = 2 * word + 64;
    f->answered = xrealloc(f->answered, n * sizeof *f->answered);
    memset(f->answered + f->words, 0, (n - f->words) * sizeof *f->answered);
    f->words = n;
  }
  bool before = bits_have(f->answered, r->number);
  if (!*f->broken && (r->number > f->numbers || before))
    snprintf(f->broken, sizeof f->broken, "%s %u of SM %u, line 0x%llx, was answered %s", name_of(r),
             r->number, r->sm, (unsigned long long)r->line, before ? "twice" : "and never sent");
  bits_add(f->answered, r->number);
  if (now - r->born > f->longest)
    f->longest = now - r->born;
}

static struct latest *slot_of(struct latest *of, size_t cap, uint64_t line, uint32_t sm) {
  size_t i = hash_mix(line ^ (uint64_t)sm << 48) & (cap - 1);
  while (of[i].key && (of[i].key != (line | 1) || of[i].sm != sm))
    i = (i + 1) & (cap - 1);
  return &of[i];
}

static struct latest *find(struct checker *f, const struct mem_request *r) {
  if (2 * f->nof >= f->cap) {
    size_t cap = f->cap ? 2 * f->cap : 256;
    struct latest *grown = xcalloc(cap, sizeof *grown);
    for (size_t i = 0; i < f->cap; i++)
      if (f->of[i].key)
        *slot_of(grown, cap, f->of[i].key & ~UINT64_C(1), f->of[i].sm) = f->of[i];
    free(f->of);
    f->of = grown;
    f->cap = cap;
  }
  struct latest *l = slot_of(f->of, f->cap, r->line, r->sm);
  if (!l->key) {
    *l = (struct latest){.key = r->line | 1, .sm = r->sm};
    f->nof++;
  }
  return l;
}

void checker_served(struct checker *f, const struct mem_request *r, uint32_t arrival) {
  if (r->flags & (MEM_CONST | MEM_CODE) || r->owner) /* reads of other caches; requests of no SM */
    return;
  struct latest *l = find(f, r);
  bool reads = r->kind == MEM_READ;
  uint32_t before = reads || l->change > l->read ? l->change : l->read;
  const char *how =
      r->number < before ? "after a later one that it must not let pass" : "out of the order of arrival";
  if (!*f->broken && (r->number < before || arrival < l->arrival))
    snprintf(f->broken, sizeof f->broken, "%s %u of SM %u, line 0x%llx, was looked up %s", name_of(r),
             r->number, r->sm, (unsigned long long)r->line, how);
  uint32_t *latest = reads ? &l->read : &l->change;
  if (r->number > *latest)
    *latest = r->number;
  l->arrival = arrival;
}
