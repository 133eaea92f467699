#include "sm/sched.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

void sched_init(struct sched *s, enum sm_scheduler kind, uint32_t warps, uint32_t active) {
  *s = (struct sched){.kind = kind, .size = active, .last = SCHED_NONE};
  s->list = xcalloc(warps, sizeof *s->list);
  s->queue = xcalloc(warps, sizeof *s->queue);
}

void sched_destroy(struct sched *s) {
  free(s->list), free(s->queue);
}

static void list_add(struct sched *s, uint32_t w) {
  s->list[s->n++] = w; /* ages only grow: the end is the youngest */
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
    s->last = SCHED_NONE;
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
  if (s->kind != SM_TWO_LEVEL)
    list_add(s, w);
}

void sched_remove(struct sched *s, uint32_t w) {
  s->members--;
  if (s->kind == SM_TWO_LEVEL)
    sched_stalled(s, w);
  else
    list_remove(s, w);
}

void sched_stalled(struct sched *s, uint32_t w) {
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

uint32_t sched_pick(struct sched *s, const uint64_t *open) {
  if (s->kind == SM_GTO && s->last != SCHED_NONE && sched_among(open, s->last))
    return s->last;
  uint32_t start = s->kind == SM_GTO || s->kind == SM_OLDEST ? 0 : s->turn;
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t at = start + i < s->n ? start + i : start + i - s->n;
    if (!sched_among(open, s->list[at]))
      continue;
    s->turn = at + 1;
    return s->last = s->list[at];
  }
  return SCHED_NONE;
}
