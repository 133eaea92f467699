/* Lines that a technique has an L2 slice fetch before anybody asks for them.
 *
 *   reads that the slice looks up ─▶ [l2_prefetch] ─▶ queue ─▶ tags, in cycles without another access ─▶ miss queue
 *
 * A prefetch takes a miss register, a way and a place in the miss queue as a read does, one sector per cycle, and waits in the
 * queue while there is none. Nobody waits for its data. */
#ifndef SLUICE_L2_PREFETCH_H
#define SLUICE_L2_PREFETCH_H

#include "l2/internal.h"

bool l2_prefetch_init(struct l2_slice *s, struct tech_set *tech, struct error *err);
void l2_prefetch_destroy(struct l2_slice *s);
/* A sector of a request was looked up. `first`: of its sectors. */
void l2_prefetch_seen(struct partition *c, struct l2_slice *s, uint32_t h, enum cache_outcome o, bool first);
/* A line was replaced, not by a prefetch. */
void l2_prefetch_replaced(struct l2_slice *s, uint64_t line);
/* The tags have nothing else to do in this cycle, or have: tries the oldest in the queue. Returns the next cycle at which there is
 * something to do. */
uint64_t l2_prefetch_cycle(struct partition *c, struct l2_slice *s);
/* A launch has ended: what waits in the queue is dropped. */
void l2_prefetch_ended(struct l2_slice *s);
/* The L2 is emptied. */
void l2_prefetch_emptied(struct l2_slice *s);

#endif
