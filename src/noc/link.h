/* A link that several SMs share, between them and the two networks.
 *
 *   SM ─▶ ┐                                                       ┌─▶ SM
 *   SM ─▶ ┼─ one per cycle, in rotation ─▶ request network        ├─▶ SM
 *   SM ─▶ ┘        response network ─▶ buffer, in order, one per cycle ─┘
 *
 * The buffer is the response network's output: an answer whose SM cannot take it holds up those behind it. With a route
 * (noc/route.h) loads may be sent to another SM of the link, and lines from there join the buffer's tail. */
#ifndef SLUICE_NOC_LINK_H
#define SLUICE_NOC_LINK_H

#include "engine/engine.h"
#include "mem/mem.h"
#include "noc/route.h"

struct link {
  struct engine *engine;
  uint32_t unit, first, n;    /* SMs first … first + n - 1 */
  struct port *from, *to;     /* [n]: requests of each SM, answers to it */
  struct port *out, *in;      /* to the request network; from the response network */
  uint32_t out_unit, in_unit; /* the networks, to wake */
  const uint32_t *sm_unit;    /* of all SMs */
  unsigned domain;
  uint32_t turn;        /* the SM that is asked first */
  uint64_t *left;       /* [n]: cycle after its last request was taken */
  uint64_t wait_cycles; /* requests at the head of their SM's port */
  struct route *route;  /* NULL: all requests go to the network */
};

/* Both directions take a cycle; `slots` messages wait in each SM's port and before each SM. */
void link_init(struct link *l, struct engine *e, unsigned domain, uint32_t first, uint32_t n, uint32_t slots);
/* Requests are looked up by `r`, which is the link's from now on. Before anything is sent. */
void link_set_route(struct link *l, struct route *r);
void link_destroy(struct link *l);
uint64_t link_cycle(void *self, uint64_t cycle);

#endif
