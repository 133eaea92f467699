/* gto: the warp that issued last, as long as it can; else the oldest (greedy then oldest; Rogers et al., MICRO 2012). */
#include "core/sched/sched.h"

static uint32_t choose(struct sched *s, const uint64_t *open) {
  if (s->last != SCHED_NONE && sched_among(open, s->last))
    return s->last;
  uint32_t w = sched_first(s, open);
  if (w != SCHED_NONE)
    s->last = w;
  return w;
}

const struct sched_rule sched_gto = {.choose = choose, .by_age = true, .greedy = true};
