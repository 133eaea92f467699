/* Checks requests one by one (check.requests), for invariants that sums do not show: each request is answered once, and no
 * request overtakes another request of its SM for the same line where one of the two changes the line.
 *
 *   SM: numbers requests in the order the L1 sends ─▶ … ─▶ L2 slice: numbers arrivals; at the lookup: compares
 *       answered ─▶ once? after how many cycles?
 *
 * Every SM and every slice has its own checker; NULL: requests are not checked. */
#ifndef SLUICE_MEM_CHECKER_H
#define SLUICE_MEM_CHECKER_H

#include "mem/mem.h"
#include <stdbool.h>

struct checker;
struct checker *checker_new(void);
void checker_free(struct checker *f);

/* The number of the next request, from 1; 0 if requests are not checked. */
uint32_t checker_number(struct checker *f);
/* An SM takes the answer to one of its requests. */
void checker_answered(struct checker *f, const struct mem_request *r, uint64_t now);
/* A slice has looked up the last sector of a request, the `arrival`th that came. */
void checker_served(struct checker *f, const struct mem_request *r, uint32_t arrival);

/* The first violation, as a sentence; NULL: none. */
const char *checker_violation(const struct checker *f);
/* The most core cycles from a request's departure to its answer; of a CAS that is sent again (sm.cas_retry), from its first departure. */
uint64_t checker_longest(const struct checker *f);

#endif
