/* The directory of an L2 slice: which L1s have each of its lines (coherence/sharers.h), which of them owns it, and what has to happen in
 * them before a request can have it.
 *
 *   asked    by an L1: the protocol's table (coherence/protocol.h) says whether the owner must let others read first, or all others
 *            give the line back, and what state the L1 gets when they have acknowledged that
 *   told     by an L1 that replaced a line: its bytes are merged; it never waits
 *
 * The entry of a line is locked from the lookup of a request to its answer: while its data is fetched, while L1s are asked, and
 * for l2.latency. Who comes then is refused (FRC thesis, 4.6.4). */
#ifndef SLUICE_L2_DIRECTORY_H
#define SLUICE_L2_DIRECTORY_H

#include "coherence/protocol.h"
#include "base/ring.h"
#include "mem/mem.h"
#include <stdbool.h>
#include <stddef.h>

struct partition;
struct l2_slice;

struct directory_job { /* a request that waits for acknowledgements of L1s */
  uint64_t line, since;
  uint32_t parent, acks, next;
};

struct directory {
  bool on;
  const struct protocol *protocol;
  struct directory_job *job; /* pool */
  uint32_t free_job, njobs;
  struct directory_lock {
    uint64_t line, until;
  } * lock;                   /* [place]: the last lock */
  struct directory_lock *end; /* ring: ends of locks, in order */
  struct ring ends;
};

void directory_init(struct l2_slice *s, const struct partition *c);
void directory_destroy(struct directory *d);

/* A request comes to the tags. LOOK_UP: as without a directory; TAKEN: the rest happens by itself. */
enum directory_action { DIRECTORY_LOOK_UP, DIRECTORY_TAKEN, DIRECTORY_LOCKED };
enum directory_action directory_ask(struct partition *c, struct l2_slice *s, uint32_t h);
/* Is the entry of the request's line locked? */
bool directory_locked(const struct l2_slice *s, uint32_t h);
/* Chooses the state in which an L1 gets the line that the slice has. */
void directory_grant(struct partition *c, struct l2_slice *s, uint32_t h, uint32_t place);
/* An L1 has acknowledged an invalidation or downgrade. */
void directory_acknowledged(struct partition *c, struct l2_slice *s, const struct mem_request *r);
/* Ends locks that are over; returns the cycle of the next end. */
uint64_t directory_unlock(struct partition *c, struct l2_slice *s);
uint64_t directory_next(const struct directory *d);
/* The L1s were flushed: the directory is empty. */
void directory_reset(struct l2_slice *s);

#endif
