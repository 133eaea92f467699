/* What follows a fetch where that takes time: the fill port (l2.fill_bytes), and miss registers that are kept until their last
 * request is answered (l2.hold_misses).
 *
 *   memory ─▶ data ─▶ fill port ─▶ line, answers of its miss register ─▶ one per cycle, with room ─▶ response queue */
#ifndef SLUICE_L2_FILL_H
#define SLUICE_L2_FILL_H

#include "l2/partition.h"

void fill_init(struct l2_slice *s, const struct l2_config *k);
void fill_destroy(struct l2_slice *s);
/* The data of a fetch has come: it waits for the fill port. */
void fill_later(struct partition *c, struct l2_slice *s, const struct l2_fetched *f);
/* A request, or L2_NOBODY, of a miss register that is kept waits for its turn; one after the other. */
void fill_answer_later(struct l2_slice *s, uint32_t parent);
/* Those since the last call were all of a miss register. */
void fill_keep_register(struct partition *c, struct l2_slice *s);
/* One fill, if the port is free, and one answer, if the response queue has room; returns the cycle of the next, as far as the
 * response queue does not decide. */
uint64_t fill_cycle(struct partition *c, struct l2_slice *s);

#endif
