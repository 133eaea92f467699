/* Lookups that a slice skips because their end is certain, and how they are counted nevertheless.
 *
 * Invariant: whenever somebody looks (a statistic, an interval, the end of a launch), counters, the sectors that a request still
 * needs and the cycle at which the slice is free are those of a slice that looks up one sector in every cycle. Only slices on
 * the fast path skip; `--general` and `--no-skip` show the same numbers without it.
 *
 *   hits_at   the other sectors of the request are in the cache, and nothing is under way that could change them: all are
 *             looked up with the last of them, in the cycle hits_at; slice_settle() counts those before it.
 *   sure      the next sector of this request must be fetched (not here, not under way, its line has a way) and the miss
 *             queue is full: until a request leaves that queue every attempt fails; slice_fail_again() counts the failure.
 *             Fills are all that can happen meanwhile, none of them of this sector. */
#ifndef SLUICE_L2_SKIP_H
#define SLUICE_L2_SKIP_H

#include "l2/internal.h"
#include "mem/mem.h"

/* The request at the tags has sectors left. Returns the next cycle at which there is something to find out. */
static inline uint64_t slice_foresee(const struct partition *c, struct l2_slice *s, uint32_t h) {
  const struct l2_parent *p = &s->parent[h];
  if (p->request.kind == MEM_WRITE)
    return c->now + 1;
  if (s->miss_count >= c->k->miss_queue && cache_must_fetch(s->cache, p->line, p->todo & (0u - p->todo)))
    s->sure = h;
  else if (p->todo & (p->todo - 1) && p->request.kind == MEM_READ && s->wide_port &&
           cache_will_hit(s->cache, p->line, p->todo))
    return s->hits_at = c->now + count_bits4(p->todo);
  return c->now + 1;
}

/* Does the next access need room to memory, for sure, and is there none? */
static inline bool slice_blocked(const struct partition *c, const struct l2_slice *s) {
  return s->sure != UINT32_MAX && s->miss_count >= c->k->miss_queue && s->done_count < c->k->out &&
         s->busy <= c->now;
}

#endif
