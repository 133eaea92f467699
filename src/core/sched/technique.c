/* A rule that is a technique's (struct sluice_warp_scheduler). */
#include "core/sched/sched.h"

static uint32_t choose(struct sched *s, const uint64_t *open) {
  uint32_t w = s->tech.ops->choose(s->tech.self, open, *s->now), k = 0;
  if (w < s->words * 64 && sched_among(open, w))
    return w;
  while (!open[k])
    k++;
  return k * 64 + (uint32_t)__builtin_ctzll(open[k]);
}

const struct sched_rule sched_technique = {.choose = choose};

void sched_use_technique(struct sched *s, struct tech_warp_scheduler t, const uint64_t *now) {
  s->rule = &sched_technique;
  s->fast = false;
  s->greedy = 0;
  s->tech = t;
  s->now = now;
}
