#include "l2/half.h"
#include "l2/internal.h"
#include "l2/parts.h"
#include "l2/prefetch.h"

struct half_before half_begin(const struct partition *c, struct l2_slice *s, uint32_t h) {
  struct l2_slice *home = s->beside;
  if (s->parent[h].twin == UINT32_MAX) {
    uint32_t twin = slice_parent(c->k, home, &s->parent[h].request);
    home->parent[twin].twin = h;
    home->parent[twin].arrived = s->parent[h].arrived;
    s->parent[h].twin = twin;
  }
  return (struct half_before){home->refused, home->fail_since, home->epoch, home->sure, home->fail_why};
}

void half_end(const struct partition *c, struct l2_slice *s, uint32_t h, const struct half_before *before,
              bool passes) {
  struct l2_slice *home = s->beside;
  struct l2_parent *p = &s->parent[h];
  if (passes) {
    home->epoch =
        before
            ->epoch; /* what the twin does ends no reservation fail of the home's own request before a write or a fill does */
    p->todo = 0;
    return;
  }
  s->fail_why = home->fail_why;
  s->fail_since = c->now;
  s->refused = s->epoch;
  p->fail_cause = (uint8_t)s->fail_why;
  p->failed_at = mem_age(&p->request, c->core_now);
  home->refused = before->refused;
  home->fail_since = before->since;
  home->fail_why = before->why;
  home->sure = before->sure;
}

void half_served(struct l2_slice **s, uint32_t *h) {
  struct l2_slice *home = *s;
  uint32_t twin = *h;
  *s = home->beside;
  *h = home->parent[twin].twin;
  home->parent[twin].next = home->free_parent;
  home->free_parent = twin;
}

void half_copy(struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  bool far = s->local != (p->request.sm * 2u >= c->k->sms);
  if (p->request.flags & MEM_SYSTEM || far == p->away)
    return;
  struct l2_slice *to = far ? s->beside : s;
  struct cache_result k = cache_copy(to->cache, p->line | L2_COPY);
  if (k.replaced && to->prefetch)
    l2_prefetch_replaced(to, k.replaced_line);
  if (k.evicted)
    parts_evict(c, to, &k);
}
