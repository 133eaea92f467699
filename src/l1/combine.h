/* Write combining (l1d.store_wait): stores that change parts of sectors wait in the SM, so that stores to the same sectors go with them.
 *
 *   store ─▶ parts of sectors: buffer ─▶ l1d.store_wait cycles after the last store to an entry, or for want of room ─▶ miss queue
 *        └─▶ whole sectors ──────────────────────────────────────────────────────────────────────────────────────────┘
 *
 * An entry is a request: a line and sectors of it. A store whose sectors are among those of an entry adds its bytes to the entry. The entry that was
 * stored to the longest time ago makes room for a new one. A request for a line goes behind the entries of the line. */
#ifndef SLUICE_L1_COMBINE_H
#define SLUICE_L1_COMBINE_H

#include "l1/repeat.h"
#include <stdbool.h>
#include <stdint.h>

struct l1_combine {
  /* `n` is read in every cycle, from the line of what lies before it */
  uint32_t n, taken;             /* entries; the sum of their sizes */
  uint64_t line[L1_STORE_LINES]; /* of the entries, the one that was stored to last comes first */
  uint64_t due[L1_STORE_LINES];  /* cycles in which they may leave */
  uint8_t place[L1_STORE_LINES]; /* of their requests */
  uint8_t size[L1_STORE_LINES];  /* lines that they take of the buffer */
  uint32_t used;                 /* set of places */
  struct mem_request *request;   /* NULL: stores do not wait */
};

struct sm;
struct sm_access;

void combine_init(struct sm *s);
void combine_destroy(struct sm *s);
/* Does the store change parts of sectors? */
bool combine_takes(const struct sm *s, const struct sm_access *a);
/* The store joins an entry. False: there is none for it. */
bool combine_joins(struct sm *s, const struct sm_access *a);
/* Takes the request that was just added to the miss queue into the buffer; another entry may take the place in the queue. Data of less than words
 * takes twice the room. */
void combine_add(struct sm *s, bool words);
/* Entries of a line go to the miss queue. */
void combine_leave(struct sm *s, uint64_t line);
/* Entries whose cycle has come go to the miss queue, as far as there is room. */
void combine_cycle(struct sm *s);
/* The next cycle in which an entry may leave; NEVER: none may before a request has left the miss queue. */
uint64_t combine_next(const struct sm *s);

#endif
