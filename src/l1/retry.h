/* What the L2 asks of an L1 beside giving data: to repeat a load, or to give a line back.
 *
 *   NACK ─▶ frees miss register and way ─▶ the loads in the retry queue ─▶ l1d.retry_latency ─▶ L1, before new accesses
 *   CAS that failed ─▶ sm.cas_retry ─▶ miss queue
 *   invalidation ─▶ the line is gone ─▶ acknowledgement, in a queue of its own ─▶ its network
 *
 * The L1 takes these messages from the network at once, so that no message of the L2 can be stuck behind them. */
#ifndef SLUICE_L1_RETRY_H
#define SLUICE_L1_RETRY_H

#include "base/ring.h"
#include "mem/mem.h"
#include <stdbool.h>
#include <stddef.h>

struct sm;

struct retry_load {
  uint64_t line, at;
  uint32_t tracker; /* UINT32_MAX: the fetch of a store */
  uint8_t sectors;
};

struct retry {
  struct retry_load *load; /* queue: [first, n) */
  size_t first, n, cap;
  uint64_t epoch;          /* epoch of the L1 at the last reservation fail of the first load */
  struct mem_request *ack; /* queue: [ack_first, nacks) */
  size_t ack_first, nacks, capacks;
  struct retry_cas {
    struct mem_request request;
    uint64_t at;
  } * cas; /* ring, oldest first; NULL: no CAS has failed yet */
  struct ring failed;
};

void retry_destroy(struct sm *s);
/* Takes a message that is no answer: a NACK, an invalidation or a downgrade. */
void retry_take(struct sm *s, const struct mem_request *r);
/* Takes the answer to a CAS that failed because another warp changed the word first; the SM sends the CAS again after sm.cas_retry. */
void retry_take_cas(struct sm *s, const struct mem_request *r);
/* Sends the first CAS of the queue that is due; returns the next cycle with work. */
uint64_t retry_send_cas(struct sm *s);
/* Is a load of the line in the retry queue? */
bool retry_has(const struct sm *s, uint64_t line);
/* Repeats the first load that is due and sends an acknowledgement; returns the next cycle with work. */
uint64_t retry_cycle(struct sm *s);

#endif
