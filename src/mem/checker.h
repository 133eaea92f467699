/* Follows requests one by one (check.requests), for invariants that sums do not show: each is answered once, and none of an
 * SM passes another of its SM for the same line where one of them changes it.
 *
 *   SM: number it, in the order the L1 sends ─▶ … ─▶ L2 slice: number it again as it comes; looked up ─▶ compare
 *       answered ─▶ once? how long?
 *
 * Every unit has its own; where nothing is followed it is NULL. */
#ifndef SLUICE_MEM_CHECKER_H
#define SLUICE_MEM_CHECKER_H

#include "mem/mem.h"
#include <stdbool.h>

struct checker;
struct checker *checker_new(void);
void checker_free(struct checker *f);

/* The next number, from 1; 0 where nothing is followed. */
uint32_t checker_number(struct checker *f);
/* An SM takes the answer to one of its requests. */
void checker_answered(struct checker *f, const struct mem_request *r, uint64_t now);
/* A slice has looked up the last of a request, the `arrival`th that came. */
void checker_served(struct checker *f, const struct mem_request *r, uint32_t arrival);

/* What went wrong first, as a sentence; NULL: nothing. */
const char *checker_violation(const struct checker *f);
/* The most core cycles from a request's departure to its answer. */
uint64_t checker_longest(const struct checker *f);

#endif
