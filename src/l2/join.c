#include "l2/join.h"
#include "base/mem.h"

/* Requests of a group for a line are a list, in the order in which they came, which begins at a place that the line and the group have;
 * another line of the same place ends the list. A place is a number, and what else is to be known of a request lies with the
 * request: of all slices, places are looked at for every request. */
enum { PLACES = 256 };

struct join_sm {
  uint32_t came, went; /* requests of the SM that have come, and that wait no longer */
  uint32_t with;       /* number of the last look-up that a request of the SM went to, or joined */
};

void join_init(struct l2_slice *s, const struct l2_config *k) {
  s->joins = k->join_sms && s->fifo;
  if (!s->joins)
    return;
  s->leader = xmalloc(PLACES * sizeof *s->leader);
  for (uint32_t i = 0; i < PLACES; i++)
    s->leader[i] = UINT32_MAX;
  s->join_sm = xcalloc(k->sms, sizeof *s->join_sm);
}

void join_destroy(struct l2_slice *s) {
  free(s->leader), free(s->join_sm);
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

void join_came(const struct l2_config *k, struct l2_slice *s, uint32_t h) {
  struct l2_parent *p = &s->parent[h];
  const struct mem_request *r = &p->request;
  p->turn = s->join_sm[r->sm].came++;
  p->slot = s->delays_gone + s->delay_count - 1;
  p->last = h;
  if (!may_join(r))
    return;
  uint32_t *first = place(k, s, r);
  if (*first != UINT32_MAX) {
    struct l2_parent *f = &s->parent[*first];
    if (f->request.line == r->line && group_of(k, &f->request) == group_of(k, r)) {
      s->parent[f->last].joined = h;
      f->last = h;
      return;
    }
  }
  *first = h;
}

void join_goes(const struct l2_config *k, struct l2_slice *s, uint32_t h, uint64_t now) {
  struct l2_parent *p = &s->parent[h];
  const struct mem_request *r = &p->request;
  struct join_sm *sms = s->join_sm;
  uint32_t look_up = ++s->join_look_ups;
  sms[r->sm].went++;
  sms[r->sm].with = look_up;
  if (!may_join(r))
    return;
  uint32_t found = 1, first = UINT32_MAX, *joins = &p->joined, *waits = &first, last = UINT32_MAX;
  for (uint32_t i = p->joined; i != UINT32_MAX;) {
    struct l2_parent *f = &s->parent[i];
    struct join_sm *sm = &sms[f->request.sm];
    struct l2_delayed *d = &s->delay[(s->delay_head + (f->slot - s->delays_gone)) & s->delay_mask];
    if (d->at > now || found == k->join_sms) { /* nor can one behind it */
      *waits = i;
      waits = NULL;
      last = p->last;
      break;
    }
    uint32_t next = f->joined;
    if (sm->went == f->turn && sm->with != look_up && !(f->request.sectors & ~r->sectors)) {
      *joins = i;
      joins = &f->joined;
      sm->went++;
      sm->with = look_up;
      d->parent = L2_JOINED;
      s->stats.queued += now - d->at;
      s->stats.joined++;
      found++;
    } else {
      *waits = last = i;
      waits = &f->joined;
    }
    i = next;
  }
  *joins = UINT32_MAX;
  if (waits)
    *waits = UINT32_MAX;
  if (first != UINT32_MAX)
    s->parent[first].last = last;
  uint32_t *at = place(k, s, r);
  if (*at == h)
    *at = first;
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
  stamps_copy_fails(to, from);
  return next;
}
