/* A cache and a replacement policy that has state. */
#include "base/mem.h"
#include "base/bits.h"
#include "cache/repl/repl.h"
#include "cache/ways.h"
#include <stdlib.h>

const struct sluice_replacement *const cache_replacements[] = {&repl_lru, &repl_fifo, &repl_srrip};

struct place {
  uint32_t set, way;
};

static struct place place_of(const struct cache *c, const struct way *w) {
  size_t n = (size_t)(w - c->way);
  return (struct place){(uint32_t)(n / c->k.ways), (uint32_t)(n % c->k.ways)};
}

static void set_policy(struct cache *c, const struct sluice_replacement *r, void *state) {
  c->policy = r;
  c->policy_state = state;
  c->by_stamp = !r->open;
  c->stamps_uses = c->by_stamp && r->stamp(1, 2) == 2;
}

void policy_init(struct cache *c) {
  const struct sluice_replacement *r = cache_replacements[c->k.replacement];
  const struct sluice_cache_shape shape = {.size = sizeof shape, .sets = c->k.sets, .ways = c->k.ways};
  set_policy(c, r, r->open ? r->open(NULL, &shape) : NULL);
  c->access.size = sizeof c->access;
  c->access.pc = c->access.sm = c->access.warp = SLUICE_NONE;
  c->can = c->by_stamp ? NULL : xcalloc((c->k.ways + 63) / 64, sizeof *c->can);
}

static void close_own(struct cache *c) {
  if (c->policy_state && !c->of_way)
    c->policy->close(c->policy_state);
}

void policy_destroy(struct cache *c) {
  close_own(c);
  free(c->can), free(c->of_way), free(c->of_entry);
}

void cache_set_replacement(struct cache *c, const struct sluice_replacement *r, void *state) {
  close_own(c);
  set_policy(c, r, state);
  free(c->can);
  c->can = xcalloc((c->k.ways + 63) / 64, sizeof *c->can);
  c->of_way = xcalloc((size_t)c->k.sets * c->k.ways, sizeof *c->of_way);
  c->of_entry = xcalloc(c->k.mshrs, sizeof *c->of_entry);
}

bool cache_fast(const struct cache *c) {
  return c->by_stamp && c->k.allocate == CACHE_ON_MISS;
}

void cache_set_access(struct cache *c, const struct sluice_cache_access *a) {
  c->access = *a;
  c->access.size = sizeof *a;
}

/* Further sectors that the request asks for are no further use. */
static bool same_request(struct cache *c, const struct way *w) {
  if (!c->of_way)
    return false;
  uint64_t *of = &c->of_way[w - c->way];
  bool same = c->access.id && *of == c->access.id;
  *of = c->access.id;
  return same;
}

void policy_used(struct cache *c, const struct way *w) {
  struct place p = place_of(c, w);
  c->access.line = w->line;
  if (!same_request(c, w))
    c->policy->used(c->policy_state, p.set, p.way, &c->access);
}

void policy_allocated(struct cache *c, const struct way *w) {
  struct place p = place_of(c, w);
  c->access.line = w->line;
  same_request(c, w);
  c->policy->allocated(c->policy_state, p.set, p.way, &c->access);
}

void policy_replaced(struct cache *c, const struct way *w) {
  struct place p = place_of(c, w);
  if (c->policy->replaced)
    c->policy->replaced(c->policy_state, p.set, p.way);
}

struct way *policy_victim(struct cache *c, struct way *set) {
  uint32_t at = place_of(c, set).set;
  for (uint32_t i = 0; i < (c->k.ways + 63) / 64; i++)
    c->can[i] = 0;
  for (uint32_t i = 0; i < c->k.ways; i++)
    if (!(set[i].pending | set[i].held))
      bits_add(c->can, i);
  if (c->policy->asked)
    c->policy->asked(c->policy_state, at, c->can);
  uint32_t i = c->policy->victim(c->policy_state, at, c->can);
  if (i >= c->k.ways || !(c->can[i / 64] >> i % 64 & 1))
    for (i = 0; !(c->can[i / 64] >> i % 64 & 1);)
      i++;
  return set + i;
}

void policy_missed(struct cache *c, uint32_t entry) {
  if (c->of_entry)
    c->of_entry[entry] = c->access;
}

void policy_fills(struct cache *c, uint64_t line, uint32_t sectors) {
  uint32_t e = c->of_entry ? cache_entry(c, NULL, line, sectors) : MSHR_NONE;
  if (e != MSHR_NONE)
    c->access = c->of_entry[e];
}
