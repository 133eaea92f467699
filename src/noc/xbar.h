/* A crossbar: input-queued, a message at a time, one flit per cycle and link.
 *
 *   round-robin  each input is a FIFO whose head asks for its output; an output takes those that ask in
 *                rotation. A head that waits holds up what is behind it.
 *   islip        each input keeps a queue for every output (virtual output queues), and inputs and outputs are
 *                matched by iSLIP: outputs grant in rotation, inputs accept in rotation, and both move on only
 *                from what was accepted in the first round (McKeown, IEEE/ACM ToN 1999). A match lasts for all
 *                flits of a message.
 *   ideal        no contention: every head passes at once. */
#ifndef SLUICE_NOC_XBAR_H
#define SLUICE_NOC_XBAR_H

#include "engine/engine.h"
#include "mem/request.h"

enum noc_allocator { NOC_ROUND_ROBIN, NOC_ISLIP, NOC_IDEAL };

struct voqs;
struct xbar {
  struct engine *engine;
  uint32_t unit, inputs, outputs;
  struct port *in, *out;             /* of mem_request */
  uint64_t *in_busy, *out_busy;      /* cycle at which the link is free again */
  uint64_t *head_at;                 /* input: when its head arrives; NEVER: to be looked up */
  uint32_t *head_for;                /* and the output it is for */
  uint32_t *turn;                    /* output: input that is asked first */
  uint32_t *best;                    /* output: the input it would choose, while choosing */
  uint64_t *asked;                   /* the outputs that have one, as a set */
  struct voqs *voqs;                 /* islip */
  const uint32_t *sender, *receiver; /* units behind inputs and outputs, to wake */
  bool response;
  enum noc_allocator allocator;
  uint32_t sms_per_link; /* responses: SMs behind an output */
  unsigned flit_bytes, domain;
  uint32_t flits_of[MEM_SECTORS + 1]; /* of a message with so many sectors of data */
  uint64_t messages, flits, wait_cycles;
};

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes);
void xbar_destroy(struct xbar *x);
uint64_t xbar_cycle(void *self, uint64_t cycle);
/* From here on by iSLIP, with that many rounds; inputs hold up to `slots` messages, as their ports do. */
void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots);

/* For the allocators. */
uint64_t islip_cycle(struct xbar *x, uint64_t cycle);
void voqs_free(struct voqs *v);
static inline uint32_t xbar_output(const struct xbar *x, const struct mem_request *r) {
  return x->response ? r->sm / x->sms_per_link : r->slice;
}
/* Sends a message from input to output, where there is room; `since`: the cycle from which it waited. */
void xbar_send(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r, uint64_t since,
               uint64_t cycle);

#endif
