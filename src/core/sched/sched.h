/* A warp scheduler: which of the warps that can issue does. Each rule is a file of this folder: oldest, gto, lrr, two-level.
 *
 * A technique can bring another rule (technique.c).
 *
 * Why a warp can issue or not is the SM's business. It tells when one starts and stops waiting; nothing here
 * depends on how often a scheduler is asked. */
#ifndef SLUICE_CORE_SCHED_SCHED_H
#define SLUICE_CORE_SCHED_SCHED_H

#include "tech/tech.h"
#include <stdbool.h>
#include <stdint.h>

enum sm_scheduler { SM_GTO, SM_LRR, SM_TWO_LEVEL, SM_OLDEST, SM_FIRST_READY };
enum { SCHED_WORDS = 4, SCHED_MAX_WARPS = 64 * SCHED_WORDS };
#define SCHED_NONE UINT32_MAX

struct sched;
/* A rule. choose(): the warp of `open` that issues now, SCHED_NONE: there is none; notes the warp in s->last. */
struct sched_rule {
  uint32_t (*choose)(struct sched *s, const uint64_t *open);
  /* What the fast path (sched_pick()) does by itself: the oldest warp issues (by age), or the one that issued last (greedy). */
  bool by_age, greedy;
  /* Warps are chosen from an active set of `size` warps, which they enter by sched_able() and leave by sched_stalled(). */
  bool active_set;
};
extern const struct sched_rule sched_gto, sched_lrr, sched_two_level, sched_oldest;

/* What every choice reads comes first, in a line of the host's cache. */
struct sched {
  _Alignas(64) uint64_t may[SCHED_WORDS]; /* the list as a set */
  uint64_t greedy, again;                 /* gto: all warps; the one that issued last, as a set. Else none */
  uint32_t last;                          /* gto: issued last */
  uint32_t members;                       /* warps it is in charge of */
  bool fast;                              /* by age, a set is one word */
  const struct sched_rule *rule;
  uint64_t joined, *order;   /* warps that came to the list so far; by warp: how many before it */
  uint64_t busy;             /* cycle from which its issue slots are free (sm.slots) */
  uint64_t fetch;            /* the same of its fetch unit (sm.fetch_interval), with a fraction */
  uint32_t fetched;          /* issue slots since `fetch` was set */
  uint32_t stay;             /* the warp that it stays with (sm.greedy_stores); SCHED_NONE: none */
  uint32_t words;            /* of a set of warps */
  uint32_t size;             /* two-level: of the active set */
  uint32_t n, turn, *list;   /* warps it chooses from, oldest first; the one asked first when rotating */
  uint32_t nwaiting, *queue; /* two-level: able to go on, but the active set is full */
  struct tech_warp_scheduler tech;
  const uint64_t *now;        /* for a technique */
  uint64_t able[SCHED_WORDS]; /* a technique with an active set: warps that can go on */
};

void sched_init(struct sched *s, enum sm_scheduler kind, uint32_t warps, uint32_t active, bool general);
/* By a technique's rule from here on; `now` has the cycle. */
void sched_use_technique(struct sched *s, struct tech_warp_scheduler t, const uint64_t *now);
void sched_destroy(struct sched *s);
void sched_add(struct sched *s, uint32_t w); /* younger than all there; two-level: waits until sched_able() */
void sched_remove(struct sched *s, uint32_t w);
/* Two-level: warp w waits for something long, or no longer does. */
void sched_stalled(struct sched *s, uint32_t w);
void sched_able(struct sched *s, uint32_t w);

/* The same for a technique with an active set. */
void sched_technique_stalled(struct sched *s, uint32_t w);
void sched_technique_able(struct sched *s, uint32_t w);

/* For the rules: the oldest warp of `open`; the next of `open` in rotation. */
uint32_t sched_first(const struct sched *s, const uint64_t *open);
uint32_t sched_next(struct sched *s, const uint64_t *open);

static inline bool sched_among(const uint64_t *set, uint32_t w) {
  return set[w / 64] >> w % 64 & 1;
}

/* The warp of `open` that issues now, SCHED_NONE: there is none. `open` is a subset of s->may. */
static inline uint32_t sched_pick(struct sched *s, const uint64_t *open) {
  if (!s->fast || !open[0])
    return s->rule->choose(s, open);
  if (open[0] & s->again)
    return s->last;
  uint32_t oldest = (uint32_t)__builtin_ctzll(open[0]);
  for (uint64_t m = open[0] & (open[0] - 1); m; m &= m - 1) { /* few can issue at a time */
    uint32_t w = (uint32_t)__builtin_ctzll(m);
    oldest = s->order[w] < s->order[oldest] ? w : oldest;
  }
  s->last = oldest;
  s->again = s->greedy & UINT64_C(1) << oldest;
  return s->last;
}

#endif
