/* Stores of lines that an SM has just stored to (l1d.store_lines): the L1 keeps the last lines that it sent stores of. A store of bytes
 * that were among them is not sent again, and a store of other bytes joins an earlier one of the line that still waits for the network. */
#ifndef SLUICE_L1_REPEAT_H
#define SLUICE_L1_REPEAT_H

#include "mem/mem.h"
#include <stdbool.h>
#include <stdint.h>

enum { L1_STORE_LINES = 16 };

struct l1_repeat { /* the line that was stored last comes first */
  struct l1_stored {
    uint64_t line, bytes[2];
  } at[L1_STORE_LINES];
  uint32_t n;
};

/* Have these bytes of the line been stored already? Else they are from now on, in the place of the line that was stored the longest time
 * ago, if there are `lines` already. */
bool repeat_stores(struct l1_repeat *r, uint32_t lines, uint64_t line, const uint64_t *bytes);
/* The store joins one of its line, of the last `lines` requests that wait in the queue. False: there is none, or another request for the line came
 * after it. */
bool repeat_joins(struct request_ring *queue, uint32_t lines, uint64_t line, const uint64_t *bytes);

#endif
