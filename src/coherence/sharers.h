/* Which L1s may have a line of an L2 slice: a set of SMs for each way. L1s drop lines without a word, so it may name
 * some that no longer have it. */
#ifndef SLUICE_COHERENCE_SHARERS_H
#define SLUICE_COHERENCE_SHARERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARERS_NONE = UINT16_MAX };

struct sharers {
  uint32_t places;
  uint32_t words;       /* of a set; 0: the L2 does not include the L1s */
  uint64_t *line, *set; /* [place], [place][words] */
  uint16_t *owner;      /* [place]: of those the one that may have changed it unseen; SHARERS_NONE: none */
  uint64_t *side_line, *side_set, *left_set; /* of blocks beside the L2: a hash table of a power of two */
  uint32_t beside, side_mask;                /* how many; mask 0: no table yet */
  uint64_t moved, *moved_set;                /* of the line that was at a place where another is noted now */
};

void sharers_init(struct sharers *s, uint32_t places, uint32_t sms);
void sharers_destroy(struct sharers *s);
/* An SM's L1 gets the line at `place`. */
void sharers_add(struct sharers *s, uint32_t place, uint64_t line, uint32_t sm);
/* The line has left `place`: those that may have it, whose set is then empty; NULL: none. Valid until the next call. */
const uint64_t *sharers_take(struct sharers *s, uint32_t place, uint64_t line);

/* The line comes to `place`, and these may have it (a set of another line's call; NULL: none). */
void sharers_put(struct sharers *s, uint32_t place, uint64_t line, const uint64_t *set);

/* The line stays beside the L2, and these may have it (a set; NULL: none, yet). An SM's L1 gets the line from there. The line leaves:
 * those that may have it; NULL: none. Valid until the next call. */
void sharers_put_side(struct sharers *s, uint64_t line, const uint64_t *set);
void sharers_add_side(struct sharers *s, uint64_t line, uint32_t sm);
const uint64_t *sharers_take_side(struct sharers *s, uint64_t line);

/* What is known of a line at its place. An owner is one of those that have it. */
bool sharers_has(const struct sharers *s, uint32_t place, uint64_t line, uint32_t sm);
/* Has anybody it but `sm`? */
bool sharers_others(const struct sharers *s, uint32_t place, uint64_t line, uint32_t sm);
void sharers_remove(struct sharers *s, uint32_t place, uint32_t sm);
static inline uint32_t sharers_owner(const struct sharers *s, uint32_t place, uint64_t line) {
  return s->line[place] == line ? s->owner[place] : SHARERS_NONE;
}
static inline void sharers_own(struct sharers *s, uint32_t place, uint32_t sm) {
  s->owner[place] = (uint16_t)sm;
}
static inline uint64_t sharers_word(const struct sharers *s, uint32_t place, uint32_t word) {
  return s->set[(size_t)place * s->words + word];
}
/* Nobody has anything. */
void sharers_reset(struct sharers *s);

#endif
