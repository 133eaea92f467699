/* Reads of neighbouring SMs that wait for the tags together, as in front of a unit that several SMs share (l2.join_sms).
 *
 * When a read goes to the tags, the other SMs of its group join it whose oldest waiting request here is a read of the same line and wants
 * no other sectors: one request of each SM. Invariant: a request that joins another is the oldest of its SM, so that no request
 * of an SM passes another. */
#ifndef SLUICE_L2_JOIN_H
#define SLUICE_L2_JOIN_H

#include "l2/slice.h"

void join_init(struct l2_slice *s, const struct l2_config *k);
void join_destroy(struct l2_slice *s);
/* Request `h` has come, and is the youngest in the delay. */
void join_came(const struct l2_config *k, struct l2_slice *s, uint32_t h);
/* Request `h`, the first in the delay, goes to the tags in cycle `now`: those that join it no longer wait (L2_JOINED). */
void join_goes(const struct l2_config *k, struct l2_slice *s, uint32_t h, uint64_t now);
/* The answer of request `h` goes out; who joined it and is answered next, with its times; UINT32_MAX: nobody. */
uint32_t join_next(struct l2_slice *s, uint32_t h);

#endif
