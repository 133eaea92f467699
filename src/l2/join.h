/* Reads that join one on its way to the tags, as behind a unit that several SMs share (l2.join_sms).
 *
 * Invariant: between a request that leads others and its look-up nothing of its SMs for its line comes in that is not joined to it,
 * so that no request of an SM passes another for the same line. */
#ifndef SLUICE_L2_JOIN_H
#define SLUICE_L2_JOIN_H

#include "l2/slice.h"

void join_init(struct l2_slice *s, const struct l2_config *k);
/* The request joins an earlier one, whose number is returned; UINT32_MAX: none. */
uint32_t join_find(const struct l2_config *k, struct l2_slice *s, const struct mem_request *r);
/* Request `h`, which has just arrived, may lead others; or is led by the one that join_find() found. */
void join_lead(const struct l2_config *k, struct l2_slice *s, uint32_t h);
void join_follow(struct l2_slice *s, uint32_t leader, uint32_t h);
/* Request `h` goes to the tags: nothing joins it any more. */
void join_close(const struct l2_config *k, struct l2_slice *s, uint32_t h);
/* The answer of request `h` goes out; who joined it and is answered next, with its times; UINT32_MAX: nobody. */
uint32_t join_next(struct l2_slice *s, uint32_t h);

#endif
