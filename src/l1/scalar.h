/* A scalar cache: what loads of the scalar units of several compute units go through, and its own way to the
 * network.
 *
 *   CU ─▶ ┐                             ┌─ hit ──────────────────────┐
 *   CU ─▶ ┼─ in rotation ─▶ tags ───────┤                            ├─▶ to the CU that asked, l1c.latency
 *   CU ─▶ ┘       l1c.ports per cycle   └─ miss ─▶ network ─▶ fill ──┘
 *
 * To the network it is one more link, and its requests come from SMs beyond the last (`id`); what they read
 * nobody writes, and MEM_CONST says so. Tags and counters are those of the constant cache of its first CU, in whose lane it
 * runs. */
#ifndef SLUICE_L1_SCALAR_H
#define SLUICE_L1_SCALAR_H

#include "engine/engine.h"
#include "l1/config.h"
#include "mem/mem.h"

enum { SCALAR_LOADS = 32 }; /* of a compute unit that can be under way (Multi2Sim 4.2) */

struct sm;
struct scalar_ask {
  uint64_t address;
  uint32_t tracker;
};

/* `request` is that of the miss, whose time stamps the cache has given back by then. */
struct scalar_reply {
  struct mem_request request;
  struct mem_stamps stamps;
  struct mem_notes more;
};

struct scalar {
  struct engine *engine;
  const struct l1_config *k;
  uint32_t unit, id, first, n;
  struct sm *owner;
  struct port *ask, *reply; /* [n] */
  struct request_ring miss;
  struct stamp_pool stamps;
  struct port *out, *in;      /* to and from the network */
  uint32_t out_unit, in_unit; /* behind them, to wake */
  const uint32_t *sm_unit;    /* of all SMs */
  uint32_t turn;              /* CU that is asked first */
  bool refused;               /* tags took nothing; only an answer or a sent miss changes that */
  uint64_t now;
  const struct mem_request *answer; /* that is being put */
};

/* Compute units of cache i of the GPU: first, and how many. */
void scalar_share(const struct l1_config *k, uint32_t sms, uint32_t i, uint32_t *first, uint32_t *n);
void scalar_init(struct scalar *c, struct engine *e, unsigned domain, struct sm *owner, uint32_t first,
                 uint32_t n, uint32_t id);
void scalar_destroy(struct scalar *c);
uint64_t scalar_cycle(void *self, uint64_t cycle);

#endif
