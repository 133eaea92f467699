/* The other L1s of a cluster, as a place where a load that misses may find its line. A technique says which L1 to ask; this
 * is what goes between the link and its SMs for it.
 *
 *   SM ─▶ link ─┬─▶ request network          onward: lines that were not there ─▶ request network
 *               └─ ask ─▶ SM ─ reply ─▶ ┤
 *                                            lines: tail of the response buffer ─▶ SM
 *
 * A load that is redirected has a slot here from then on until it leaves, so that no reply ever waits for room and the
 * way of answers never waits for that of requests. */
#ifndef SLUICE_NOC_ROUTE_H
#define SLUICE_NOC_ROUTE_H

#include "engine/engine.h"
#include "base/ring.h"
#include "mem/mem.h"
#include "tech/tech.h"

/* What an L1 has of a line now. */
struct route_notice {
  uint64_t line;
  uint8_t sectors;
};

struct route_slot {
  struct mem_request request;
  uint64_t arrived; /* tick */
};
struct route_queue {
  struct route_slot *slot;
  struct ring at;
};

struct route {
  struct tech_route hook;
  uint32_t first, n;                 /* SMs */
  struct port *ask, *reply, *notice; /* [n]: to each SM, from it, what its L1 has (NULL: not wanted) */
  uint32_t slots, used;              /* loads that may be redirected at a time; that are */
  struct sluice_route_way way;
  struct route_asked {
    uint64_t line;
    uint32_t sm;
  } * asked; /* loads of which it is not known yet whether they go on to the L2 */
  uint32_t nasked;
  struct mem_request *joined; /* loads that wait for an answer of the L2 to another SM, as they came */
  uint32_t njoined;
  struct route_queue lines, onward;
  uint64_t answers; /* loads that another L1 answered */
};

struct route_sizes {
  uint32_t slots, l1_lines;
  uint32_t l1_latency; /* cycles */
};
struct route *route_new(struct tech_route hook, uint64_t period, uint32_t first, uint32_t n,
                        struct route_sizes k);
void route_free(struct route *r);

/* The SM in the cluster to ask for this request; SLUICE_NONE: it goes to the network; SLUICE_IN_FLIGHT: it waits here. Changes
 * nothing. */
uint32_t route_look(const struct route *r, const struct mem_request *m, uint64_t cycle);
static inline bool route_room(const struct route *r) {
  return r->used < r->slots;
}
/* Would the request, which changes its line, pass a load of its SM for that line that may yet go on to the L2? */
bool route_would_pass(const struct route *r, const struct mem_request *m);
/* Sent to where route_look() says. */
void route_sent(struct route *r, const struct mem_request *m, uint32_t to, uint64_t cycle, uint64_t now);
/* An answer of the network goes to its SM, and to those that wait for it. */
void route_answered(struct route *r, const struct mem_request *m, uint64_t cycle, uint64_t now);
/* Takes what the SMs sent up to `now`; returns the tick of what is on its way. */
uint64_t route_receive(struct route *r, uint64_t cycle, uint64_t now);

static inline const struct route_slot *route_front(const struct route_queue *q) {
  return q->at.count ? &q->slot[q->at.head] : NULL;
}
void route_pop(struct route *r, struct route_queue *q); /* it leaves the route */
void route_on(struct route *r);                         /* the first of `onward` leaves for the L2 */

#endif
