/* Which L1s may have a line of an L2 slice: a set of SMs for each way. L1s drop lines without a word, so it may name
 * some that no longer have it. */
#ifndef SLUICE_MEM_SHARERS_H
#define SLUICE_MEM_SHARERS_H

#include <stdbool.h>
#include <stdint.h>

struct sharers {
  uint32_t words;             /* of a set; 0: the L2 does not include the L1s */
  uint64_t *line, *set;       /* [place], [place][words] */
  uint64_t moved, *moved_set; /* of the line that was at a place where another is noted now */
};

void sharers_init(struct sharers *s, uint32_t places, uint32_t sms);
void sharers_destroy(struct sharers *s);
/* An SM's L1 gets the line at `place`. */
void sharers_add(struct sharers *s, uint32_t place, uint64_t line, uint32_t sm);
/* The line has left `place`: those that may have it, whose set is then empty; NULL: none. Valid until the next call. */
const uint64_t *sharers_take(struct sharers *s, uint32_t place, uint64_t line);

#endif
