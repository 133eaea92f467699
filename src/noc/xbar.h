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

/* The head of an input and its link. */
struct xbar_input {
  uint64_t at;   /* tick at which the head arrives; NEVER: to be looked up */
  uint64_t busy; /* cycle at which the link is free again */
  uint32_t to;   /* output the head is for */
};

struct xbar_output {
  uint64_t busy;
  uint32_t turn; /* input that is asked first */
  uint32_t best; /* the input it would choose, while choosing */
  bool more;     /* others ask as well */
};

struct voqs;
struct xbar {
  struct engine *engine;
  uint32_t unit, inputs, outputs;
  struct port *in, *out; /* of mem_request */
  struct xbar_input *input;
  struct xbar_output *output;
  uint16_t *sent, *taken;            /* messages of each input: where they differ, one waits */
  uint32_t *asked;                   /* outputs that are asked, while choosing */
  struct voqs *voqs;                 /* islip */
  const uint32_t *sender, *receiver; /* units behind inputs and outputs, to wake */
  bool response;
  enum noc_allocator allocator;
  uint32_t sms_per_link; /* responses: SMs behind an output */
  unsigned flit_bytes, domain;
  uint32_t flits_of[1 << MEM_SECTORS]; /* of a message with these sectors of data */
  uint64_t messages, flits, wait_cycles;
};

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes);
void xbar_destroy(struct xbar *x);
/* Input i holds up to `slots` messages; latencies as a port's. */
void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit);
uint64_t xbar_cycle(void *self, uint64_t cycle);
/* From here on by iSLIP, with that many rounds; inputs hold up to `slots` messages, as their ports do. */
void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots);

/* For the allocators. */
uint64_t islip_cycle(struct xbar *x, uint64_t cycle);
void voqs_free(struct voqs *v);
static inline uint32_t xbar_output(const struct xbar *x, const struct mem_request *r) {
  return !x->response ? r->slice : x->sms_per_link == 1 ? r->sm : r->sm / x->sms_per_link;
}

static inline uint32_t xbar_flits(const struct xbar *x, const struct mem_request *r) {
  bool data = r->kind >= MEM_ATOMIC || ((r->kind == MEM_WRITE) != x->response && !(r->flags & MEM_NACK));
  return x->flits_of[data ? r->sectors : 0];
}

/* Sends a message from input to output, where there is room, after so many cycles of waiting. */
static inline void xbar_send(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r,
                             uint64_t waited, uint64_t cycle) {
  bool ideal = x->allocator == NOC_IDEAL;
  struct engine *e = x->engine;
  struct port *in = &x->in[i], *out = &x->out[o];
  uint64_t now = e->now;
  uint32_t flits = xbar_flits(x, r);
  x->wait_cycles += waited;
  x->messages++;
  x->flits += flits;
  if (!ideal)
    x->input[i].busy = x->output[o].busy = cycle + flits;
  /* the message is whole when its last flit has passed */
  uint64_t tail = ideal ? now : now + (flits - 1) * e->period[x->domain];
  *(struct mem_request *)port_next(out) = *r;
  port_send(out, tail);
  engine_wake(e, x->receiver[o], tail + out->data);
  port_release(in, now);
  engine_wake(e, x->sender[i], now + in->credit);
}

#endif
