/* oldest: the warp that has been there for longest. */
#include "core/sched/sched.h"

static uint32_t choose(struct sched *s, const uint64_t *open) {
  uint32_t w = sched_first(s, open);
  if (w != SCHED_NONE)
    s->last = w;
  return w;
}

const struct sched_rule sched_oldest = {.choose = choose, .by_age = true};
