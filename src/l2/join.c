#include "l2/join.h"
#include "base/mem.h"

/* A line of a group has one place; another of the same place ends the joining. A place is a number, and what else is to be known of a
 * request that leads others lies with the request: of all slices, places are looked at for every request. */
enum { PLACES = 256 };

void join_init(struct l2_slice *s, const struct l2_config *k) {
  s->joins = k->join_sms && s->fifo;
  if (!s->joins)
    return;
  s->leader = xmalloc(PLACES * sizeof *s->leader);
  for (uint32_t i = 0; i < PLACES; i++)
    s->leader[i] = UINT32_MAX;
}

static uint32_t group_of(const struct l2_config *k, const struct mem_request *r) {
  return r->sm / k->join_sms;
}

static uint32_t *place(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r) {
  uint64_t key = (r->line / k->cache.line_bytes << 12) + group_of(k, r);
  return &s->leader[(uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 56) % PLACES];
}

static bool may_join(const struct mem_request *r) {
  return r->kind == MEM_READ && !(r->flags & MEM_SYSTEM);
}

uint32_t join_find(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r) {
  uint32_t leader = *place(k, s, r);
  if (leader == UINT32_MAX || !may_join(r))
    return UINT32_MAX;
  const struct mem_request *first = &s->parent[leader].request;
  bool joins =
      first->line == r->line && group_of(k, first) == group_of(k, r) && !(r->sectors & ~first->sectors);
  return joins ? leader : UINT32_MAX;
}

void join_lead(const struct l2_config *k, struct l2_slice *s, uint32_t h) {
  const struct mem_request *r = &s->parent[h].request;
  s->parent[h].last = h;
  *place(k, s, r) = may_join(r) ? h : UINT32_MAX;
}

void join_follow(struct l2_slice *s, uint32_t leader, uint32_t h) {
  uint32_t *last = &s->parent[leader].last;
  s->parent[*last].joined = h;
  *last = h;
  s->stats.joined++;
}

void join_close(const struct l2_config *k, struct l2_slice *s, uint32_t h) {
  uint32_t *leader = place(k, s, &s->parent[h].request);
  if (*leader == h)
    *leader = UINT32_MAX;
}

uint32_t join_next(struct l2_slice *s, uint32_t h) {
  uint32_t next = s->parent[h].joined;
  if (next == UINT32_MAX)
    return next;
  const struct mem_request *a = &s->parent[h].request;
  struct mem_request *b = &s->parent[next].request;
  const struct mem_stamps *from = a->stamps;
  struct mem_stamps *to = b->stamps;
  uint64_t born = a->born;
#define WHEN(border) to->border = from->border ? mem_age(b, born + from->border) : 0
  WHEN(due), WHEN(tried), WHEN(looked_up), WHEN(answered), WHEN(to_memory), WHEN(at_memory), WHEN(opening),
      WHEN(open), WHEN(column), WHEN(filled);
#undef WHEN
  for (int i = 0; i < SLUICE_NFAILS; i++)
    to->failed[i] = from->failed[i];
  return next;
}
