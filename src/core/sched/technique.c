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

static const struct sched_rule all = {.choose = choose}, active = {.choose = choose, .active_set = true};

static void only_able(struct sched *s) {
  for (uint32_t i = 0; i < s->words; i++)
    s->may[i] &= s->able[i];
}

void sched_technique_stalled(struct sched *s, uint32_t w) {
  if (!sched_among(s->able, w))
    return;
  s->able[w / 64] &= ~(UINT64_C(1) << w % 64);
  only_able(s);
  s->tech.ops->stalled(s->tech.self, w, s->may, *s->now);
  only_able(s);
}

void sched_technique_able(struct sched *s, uint32_t w) {
  if (sched_among(s->able, w))
    return;
  s->able[w / 64] |= UINT64_C(1) << w % 64;
  s->tech.ops->able(s->tech.self, w, s->may, *s->now);
  only_able(s);
}

void sched_use_technique(struct sched *s, struct tech_warp_scheduler t, const uint64_t *now) {
  s->rule = t.ops->able ? &active : &all;
  s->fast = false;
  s->greedy = 0;
  s->tech = t;
  s->now = now;
}
