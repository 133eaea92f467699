/* Names and their scopes: one table for a module, one for the function at hand. */
#include "front/ptx/parse.h"
#include <stdlib.h>
#include <string.h>

void ptx_names_init(struct ptx_names *t, uint32_t buckets) {
  *t = (struct ptx_names){.heads = xcalloc(buckets, sizeof(uint32_t)), .mask = buckets - 1};
}

void ptx_names_free(struct ptx_names *t) {
  free(t->heads);
  free(t->entries.v);
}

/* In order of age, so that the newest of each chain ends in front again. */
static void rehash(struct ptx_names *t) {
  uint32_t buckets = (t->mask + 1) * 4;
  free(t->heads);
  t->heads = xcalloc(buckets, sizeof(uint32_t));
  t->mask = buckets - 1;
  for (size_t i = 0; i < t->entries.n; i++) {
    struct ptx_name *e = &t->entries.v[i];
    uint32_t *head = &t->heads[e->hash & t->mask];
    e->next = *head;
    *head = (uint32_t)i + 1;
  }
}

struct ptx_name *ptx_names_add(struct ptx_names *t, enum ptx_name_kind kind, const char *s, uint32_t len) {
  if (t->entries.n > t->mask)
    rehash(t);
  struct ptx_name *e = &PUSH(t->entries);
  uint32_t hash = (uint32_t)ptx_hash(s, len);
  uint32_t *head = &t->heads[hash & t->mask];
  *e = (struct ptx_name){.s = s, .len = len, .hash = hash, .next = *head, .kind = (uint8_t)kind};
  *head = (uint32_t)t->entries.n;
  return e;
}

void ptx_names_pop(struct ptx_names *t, size_t to) {
  while (t->entries.n > to) {
    const struct ptx_name *e = &t->entries.v[--t->entries.n];
    t->heads[e->hash & t->mask] = e->next;
  }
}

static struct ptx_name *chain(const struct ptx_names *t, uint32_t at, uint32_t hash, const char *s,
                              uint32_t len) {
  for (; at; at = t->entries.v[at - 1].next) {
    struct ptx_name *e = &t->entries.v[at - 1];
    if (e->hash == hash && e->len == len && memcmp(e->s, s, len) == 0)
      return e;
  }
  return NULL;
}

struct ptx_name *ptx_names_find(const struct ptx_names *t, const char *s, uint32_t len) {
  uint32_t hash = (uint32_t)ptx_hash(s, len);
  return chain(t, t->heads[hash & t->mask], hash, s, len);
}

struct ptx_name *ptx_names_older(const struct ptx_names *t, const struct ptx_name *e) {
  return chain(t, e->next, e->hash, e->s, e->len);
}
