/* A crossbar: input-queued, a message at a time, one flit per cycle and link. Outputs choose among the
 * inputs that want them in rotation. */
#ifndef SLUICE_NOC_XBAR_H
#define SLUICE_NOC_XBAR_H

#include "engine/engine.h"
#include "mem/request.h"

struct xbar {
  struct engine *engine;
  uint32_t unit, inputs, outputs;
  struct port *in, *out;             /* of mem_request */
  uint64_t *in_busy, *out_busy;      /* cycle at which the link is free again */
  uint32_t *turn;                    /* output: input that is asked first */
  uint32_t *best;                    /* output: the input it would choose, while choosing */
  const uint32_t *sender, *receiver; /* units behind inputs and outputs, to wake */
  bool response, ideal;
  unsigned flit_bytes, domain;
  uint64_t messages, flits, wait_cycles;
};

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes);
void xbar_destroy(struct xbar *x);
uint64_t xbar_cycle(void *self, uint64_t cycle);

#endif
