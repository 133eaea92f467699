#include "l2/join.h"
#include "base/mem.h"

enum { PLACES = 256 }; /* a group's line has one place; another of the same place ends the joining */

void join_init(struct l2_slice *s, const struct l2_config *k) {
  s->joins = k->join_sms && s->fifo;
  if (!s->joins)
    return;
  s->join = xcalloc(PLACES, sizeof *s->join);
  for (uint32_t i = 0; i < PLACES; i++)
    s->join[i].parent = UINT32_MAX;
}

static uint32_t group_of(const struct l2_config *k, const struct mem_request *r) {
  return r->sm / k->join_sms;
}

static struct l2_join *place(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r) {
  uint64_t key = (r->line / k->cache.line_bytes << 12) + group_of(k, r);
  return &s->join[(uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 56) % PLACES];
}

static bool may_join(const struct mem_request *r) {
  return r->kind == MEM_READ && !(r->flags & MEM_SYSTEM);
}

uint32_t join_find(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r) {
  const struct l2_join *j = place(k, s, r);
  if (j->parent == UINT32_MAX || j->line != r->line || j->group != group_of(k, r) || !may_join(r))
    return UINT32_MAX;
  const struct mem_request *first = &s->parent[j->parent].request;
  return !(r->sectors & ~first->sectors) ? j->parent : UINT32_MAX;
}

void join_lead(const struct l2_config *k, struct l2_slice *s, uint32_t h) {
  const struct mem_request *r = &s->parent[h].request;
  struct l2_join *j = place(k, s, r);
  *j = (struct l2_join){r->line, may_join(r) ? h : UINT32_MAX, h, group_of(k, r)};
}

void join_follow(const struct l2_config *k, struct l2_slice *s, uint32_t h) {
  struct l2_join *j = place(k, s, &s->parent[h].request);
  s->parent[j->last].joined = h;
  j->last = h;
  s->stats.joined++;
}

void join_close(const struct l2_config *k, struct l2_slice *s, uint32_t h) {
  struct l2_join *j = place(k, s, &s->parent[h].request);
  if (j->parent == h)
    j->parent = UINT32_MAX;
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
