/* What the L2 wants of an L1 beyond giving it data: that it tries a load again, or that it gives a line back.
 *
 *   NACK ─▶ miss register and way are free ─▶ its loads in the retry queue ─▶ l1d.retry_latency ─▶ L1, before new accesses
 *   invalidation ─▶ the line is gone ─▶ acknowledgement, in a queue of its own ─▶ its network
 *
 * Both are taken from the network at once whatever else waits, so nothing the L2 sends can be stuck behind them. */
#ifndef SLUICE_L1_RETRY_H
#define SLUICE_L1_RETRY_H

#include "mem/mem.h"
#include <stdbool.h>
#include <stddef.h>

struct sm;

struct retry_load {
  uint64_t line, at;
  uint32_t tracker; /* UINT32_MAX: a store's fetch */
  uint8_t sectors;
};

struct retry {
  struct retry_load *load; /* queue: [first, n) */
  size_t first, n, cap;
  uint64_t epoch;          /* of the L1 when it refused the first */
  struct mem_request *ack; /* the same */
  size_t ack_first, nacks, capacks;
};

void retry_destroy(struct sm *s);
/* A message that is no answer: a NACK or an invalidation. */
void retry_take(struct sm *s, const struct mem_request *r);
/* Is there a load of the line to be tried again? */
bool retry_has(const struct sm *s, uint64_t line);
/* The first that is due, and an acknowledgement; when to come again. */
uint64_t retry_cycle(struct sm *s);

#endif
