/* Lines that a technique has the L1 fetch before anybody asks for them.
 *
 *   loads that the L1 accepts ─▶ [prefetch] ─▶ queue ─▶ L1, when its port is free: a miss that nobody waits for
 *
 * A prefetch takes a miss register, a way and a place in the miss queue as a load does, and waits in the queue while there
 * is none. What became of it is counted by looking at loads and replaced lines, which no hardware would have to do. */
#ifndef SLUICE_L1_PREFETCH_H
#define SLUICE_L1_PREFETCH_H

#include "l1/l1.h"

struct sm;
struct tech_set;

void prefetch_init(struct sm *s, struct tech_set *tech);
void prefetch_destroy(struct sm *s);
/* The L1 accepted a load. */
void prefetch_seen(struct sm *s, const struct l1_of *of, const struct sm_access *a, enum sluice_outcome o);
/* A line was replaced, by a prefetch or not. */
void prefetch_replaced(struct sm *s, uint64_t line, bool by_prefetch);
/* Tries the oldest in the queue. The next cycle at which there is something to do by itself. */
uint64_t prefetch_cycle(struct sm *s);
/* Has a line come into an empty queue since the last try? Then the SM runs in the next cycle. */
bool prefetch_begins(struct sm *s);
/* The L1 is emptied. */
void prefetch_forget(struct sm *s);

#endif
