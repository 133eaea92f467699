/* A warp scheduler: which of the warps that can issue does.
 *
 *   oldest     the one that has been there for longest
 *   gto        the one that issued last, as long as it can; else the oldest (Rogers et al., MICRO 2012)
 *   lrr        the next in rotation that can
 *   two-level  rotation within an active set of few warps. A warp that begins to wait for something long
 *              (memory, a barrier, its instructions) leaves the set; the one that has been able to go on for
 *              longest takes its place (Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011)
 *
 * Why a warp can issue or not is the SM's business. It tells when one starts and stops waiting; nothing here
 * depends on how often a scheduler is asked. */
#ifndef SLUICE_CORE_SCHED_SCHED_H
#define SLUICE_CORE_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

enum sm_scheduler { SM_GTO, SM_LRR, SM_TWO_LEVEL, SM_OLDEST };
enum { SCHED_WORDS = 4, SCHED_MAX_WARPS = 64 * SCHED_WORDS };
#define SCHED_NONE UINT32_MAX

struct sched {
  enum sm_scheduler kind;
  uint32_t members, words;   /* warps it is in charge of; words of a set of warps */
  uint32_t size;             /* two-level: of the active set */
  uint32_t n, turn, *list;   /* warps it chooses from, oldest first; the one asked first when rotating */
  uint32_t nwaiting, *queue; /* two-level: able to go on, but the active set is full */
  uint32_t last;             /* gto: issued last */
  bool fast;                 /* gto or oldest, a set is one word: */
  uint64_t greedy, again;    /* gto: all warps; the one that issued last, as a set. Else none */
  uint64_t joined, *order;   /* warps that came to the list so far; by warp: how many before it */
  uint64_t may[SCHED_WORDS]; /* the list as a set */
};

void sched_init(struct sched *s, enum sm_scheduler kind, uint32_t warps, uint32_t active, bool general);
void sched_destroy(struct sched *s);
void sched_add(struct sched *s, uint32_t w); /* younger than all there; two-level: waits until sched_able() */
void sched_remove(struct sched *s, uint32_t w);
/* Two-level: warp w waits for something long, or no longer does. */
void sched_stalled(struct sched *s, uint32_t w);
void sched_able(struct sched *s, uint32_t w);
uint32_t sched_choose(struct sched *s, const uint64_t *open); /* sched_pick() but for usual cases */

static inline bool sched_among(const uint64_t *set, uint32_t w) {
  return set[w / 64] >> w % 64 & 1;
}

/* The warp of `open` that issues now, SCHED_NONE: there is none. `open` is a subset of s->may. */
static inline uint32_t sched_pick(struct sched *s, const uint64_t *open) {
  if (!s->fast || !open[0])
    return sched_choose(s, open);
  if (open[0] & s->again)
    return s->last;
  s->last = open[0] & (open[0] - 1) ? sched_choose(s, open) : (uint32_t)__builtin_ctzll(open[0]);
  s->again = s->greedy & UINT64_C(1) << s->last;
  return s->last;
}

#endif
