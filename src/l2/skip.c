#include "l2/skip.h"
#include "base/hot.h"

void slice_settle(struct l2_slice *s, uint64_t cycle) {
  if (!s->hits_at)
    return;
  struct l2_parent *p = &s->parent[s->first];
  uint64_t before = s->hits_at - count_bits4(p->todo); /* the cycle before the first lookup */
  uint32_t n = cycle <= before      ? 0
               : cycle < s->hits_at ? (uint32_t)(cycle - before)
                                    : count_bits4(p->todo) - 1;
  if (!n)
    return;
  for (uint32_t i = 0; i < n; i++)
    p->todo &= (uint8_t)(p->todo - 1);
  p->left -= n;
  s->stats.accesses += n;
  s->stats.hits += n;
  s->free_at += n;
  cache_load_hits(s->cache, n);
}

HOT void slice_fail_again(struct partition *c, struct l2_slice *s) {
  s->serve_at = NEVER;
  if (s->refused == NEVER) {
    slice_reservation_fail(c, s, s->sure, SLUICE_FAIL_QUEUE);
    return;
  }
  s->stats.fails[SLUICE_FAIL_QUEUE]++;
  s->stats.fail_cycles[SLUICE_FAIL_QUEUE] += c->now - s->fail_since;
  s->fail_since = c->now;
  s->refused = s->parent[s->sure].epoch = s->epoch;
}
