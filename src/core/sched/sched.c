#include "core/sched/sched.h"
#include "base/hot.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

void sched_init(struct sched *s, enum sm_scheduler kind, uint32_t warps, uint32_t active, bool general) {
  static const struct sched_rule *const rules[] = {&sched_gto, &sched_lrr, &sched_two_level, &sched_oldest,
                                                   &sched_oldest};
  const struct sched_rule *r = rules[kind];
  *s = (struct sched){
      .rule = r, .size = active, .last = SCHED_NONE, .stay = SCHED_NONE, .words = (warps + 63) / 64};
  s->fast = !general && s->words == 1 && r->by_age;
  s->greedy = r->greedy ? UINT64_MAX : 0;
  s->list = xcalloc(warps, sizeof *s->list);
  s->order = xcalloc(warps, sizeof *s->order);
  s->queue = xcalloc(warps, sizeof *s->queue);
}

void sched_destroy(struct sched *s) {
  free(s->list), free(s->order), free(s->queue);
}

static void list_add(struct sched *s, uint32_t w) {
  s->list[s->n++] = w; /* ages only grow: the end is the youngest */
  s->order[w] = s->joined++;
  s->may[w / 64] |= UINT64_C(1) << w % 64;
}

static void list_remove(struct sched *s, uint32_t w) {
  uint32_t i = 0;
  while (s->list[i] != w)
    i++;
  s->n--;
  memmove(s->list + i, s->list + i + 1, (s->n - i) * sizeof *s->list);
  if (i < s->turn)
    s->turn--;
  s->may[w / 64] &= ~(UINT64_C(1) << w % 64);
  if (s->last == w)
    s->last = SCHED_NONE, s->again = 0;
  if (s->stay == w)
    s->stay = SCHED_NONE;
}

static bool queue_remove(struct sched *s, uint32_t w) {
  for (uint32_t i = 0; i < s->nwaiting; i++)
    if (s->queue[i] == w) {
      s->nwaiting--;
      memmove(s->queue + i, s->queue + i + 1, (s->nwaiting - i) * sizeof *s->queue);
      return true;
    }
  return false;
}

void sched_add(struct sched *s, uint32_t w) {
  s->members++;
  if (!s->rule->active_set)
    list_add(s, w);
  if (s->tech.ops && s->tech.ops->start)
    s->tech.ops->start(s->tech.self, w, *s->now);
}

void sched_remove(struct sched *s, uint32_t w) {
  s->members--;
  if (s->rule->active_set)
    sched_stalled(s, w);
  else
    list_remove(s, w);
  if (s->tech.ops && s->tech.ops->exit)
    s->tech.ops->exit(s->tech.self, w, *s->now);
}

void sched_stalled(struct sched *s, uint32_t w) {
  if (s->tech.ops) {
    sched_technique_stalled(s, w);
    return;
  }
  if (!sched_among(s->may, w)) {
    queue_remove(s, w);
    return;
  }
  list_remove(s, w);
  if (s->nwaiting) {
    uint32_t next = s->queue[0];
    queue_remove(s, next);
    list_add(s, next);
  }
}

void sched_able(struct sched *s, uint32_t w) {
  if (s->tech.ops) {
    sched_technique_able(s, w);
    return;
  }
  if (sched_among(s->may, w))
    return;
  if (s->n < s->size) {
    list_add(s, w);
    return;
  }
  for (uint32_t i = 0; i < s->nwaiting; i++)
    if (s->queue[i] == w)
      return;
  s->queue[s->nwaiting++] = w;
}

/* Few can issue at a time: they are compared rather than the list searched. */
HOT uint32_t sched_first(const struct sched *s, const uint64_t *open) {
  uint32_t best = SCHED_NONE;
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < s->words; i++)
    for (uint64_t m = open[i]; m; m &= m - 1) {
      uint32_t w = i * 64 + (uint32_t)__builtin_ctzll(m);
      if (s->order[w] < first)
        first = s->order[w], best = w;
    }
  return best;
}

uint32_t sched_next(struct sched *s, const uint64_t *open) {
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t at = s->turn + i < s->n ? s->turn + i : s->turn + i - s->n;
    if (!sched_among(open, s->list[at]))
      continue;
    s->turn = at + 1;
    return s->last = s->list[at];
  }
  return SCHED_NONE;
}
