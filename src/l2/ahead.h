/* A partition that runs ahead of the rest of the GPU, for the sake of the host's caches: tens of cycles in a row, with a clock of its own.
 *
 *   others      c ────────────▶            what comes from the network in the meantime is received in its own cycle
 *   partition   c ■■■■■■■■■■■■■■■■■ fresh  (ahead_receive()), and nobody looks at it before rop_latency has passed
 *
 * What a cycle does is the same as if it were simulated later, since all that it depends on is known:
 *
 *   requests   pass a delay of rop_latency first, and the partition is never that far ahead. In which cycles the incoming buffer has no
 *              room for a request that is not in its port yet is noted (`shut`). Where the network has the partition's clock, they wait in
 *              the port until the partition goes on, or all slots could be taken, and are received then (ahead_catch_up()).
 *   answers    go out only as long as ports are known to have slots, or up to the cycle to which their network has run ahead: all slots
 *              that come back before it are known. They carry the tick at which they can be used.
 *   counters   are read at serial points (intervals, limits), beyond which no unit runs (`horizon` of the engine), and at the end of a
 *              launch, before which all requests are answered: a cycle is simulated ahead only while one is not.
 *
 * Partitions with techniques, with requests that join each other in the delay, or on engines of several shards do not run ahead;
 * `--no-skip`, `--shuffle` and `--general` show the same numbers without. */
#ifndef SLUICE_L2_AHEAD_H
#define SLUICE_L2_AHEAD_H

#include "l2/partition.h"

/* Cycles: reaching farther gains nothing, beginning for fewer neither, where ports have twice as many slots, nor farther from now. */
enum { AHEAD = 48, AHEAD_LEAST = 8, AHEAD_NEAR = 8 };

struct ahead {
  uint64_t end;  /* the first cycle that is too far ahead, or that something looks at; 0: has not begun */
  uint64_t open; /* before this cycle the incoming buffers have room */
  uint64_t left; /* cycles for which ports have room and requests are not answered */
  uint64_t stop; /* the first cycle for which that is not known */
};

/* Notes in which cycles up to the next the incoming buffers are full. */
void ahead_note_shut(struct partition *c, struct ahead *a, uint64_t next);
/* Looks at what is known now: may cycle *next be simulated? */
bool ahead_look(struct partition *c, struct ahead *a, uint64_t *next);

/* Receives requests in a cycle that is simulated already. Returns the next cycle with something to do. */
uint64_t ahead_receive(struct partition *c, uint64_t cycle);

#endif
