/* A crossbar: input-queued, a message at a time, one flit per cycle and link.
 *
 *   round-robin  each input is a FIFO whose head asks for its output; an output takes those that ask in
 *                rotation. A head that waits holds up what is behind it.
 *   islip        each input keeps a queue for every output (virtual output queues), and inputs and outputs are
 *                matched by iSLIP: outputs grant in rotation, inputs accept in rotation, and both move on only
 *                from what was accepted in the first round (McKeown, IEEE/ACM ToN 1999). A match lasts for all
 *                flits of a message.
 *   ideal        no contention: every head passes at once; nothing is allocated.
 *
 * The rules are files of alloc/; a technique can bring another (struct sluice_allocator).
 *
 * round-robin can have a speedup, as routers of one virtual channel have: a message passes inside in less time than its links
 * take, but for the time in which its output is allocated to it. And messages can be split in packets of a sector, between
 * which others pass.
 *
 * With round-robin an input's head asks one output, so that outputs can be dealt to parts that are units of their own:
 *
 *   input i ─ sent ≠ taken: it has a head ─┬─ for one of mine ─▶ arbitration, sends it
 *                                          └─ for another's: that part's business
 *
 * A link that has passed a message is busy for the cycle at least, so that no part has to see in a cycle what another does in
 * it. Whoever sends a message tells the part of the next one. */
#ifndef SLUICE_NOC_XBAR_H
#define SLUICE_NOC_XBAR_H

#include "base/specialized.h"
#include "base/bits.h"
#include "engine/engine.h"
#include "mem/mem.h"

enum { XBAR_LATER = 64 };
enum noc_allocator { NOC_ROUND_ROBIN, NOC_ISLIP, NOC_IDEAL, NOC_TECHNIQUE /* a technique brings one */ };

/* The head of an input, as a part knows it. */
struct xbar_head {
  uint64_t ready; /* cycle from which on it can pass: it has arrived, and the one before it has passed */
  const struct mem_request *message;
  uint32_t to;     /* output it is for */
  uint16_t number; /* how many were before it */
  uint8_t left;    /* packets of it that have not passed */
  bool mine;       /* the output is one of the part's; else `ready` is not known */
};

/* What a crossbar has for a shard at the end of a window of several cycles: messages for the shard's ports, and slots that its
 * senders get back. The shard writes its ports itself as its next window begins (xbar_deliver()): messages and counts of a
 * port stay with the host's core that uses them most, and the crossbar, which is one unit for all shards, only appends. */
struct xbar_arrival {
  struct mem_request message;
  uint64_t at; /* tick */
  uint32_t output;
};
struct xbar_credit {
  uint64_t at;
  uint32_t input;
};
struct xbar_mail {
  struct xbar_arrival *arrival;
  size_t narrivals, caparrivals;
  struct xbar_credit *credit;
  size_t ncredits, capcredits;
  char apart[PORT_LINE - 6 * sizeof(size_t)];
};

struct xbar_output {
  uint64_t busy;
  uint32_t sent, returned; /* with mail: messages so far, slots seen again */
  uint64_t link;           /* with a speedup: cycle at which the link behind it is free again */
  uint64_t *want;          /* set of inputs whose heads ask for it */
  uint32_t nwant;
  uint32_t turn; /* input that comes first */
};

struct voqs;
struct xbar {
  struct engine *engine;
  uint32_t unit, inputs, outputs;
  /* one for all parts */
  struct port *in, *out; /* of mem_request */
  uint64_t *busy;        /* input: cycle at which its link is free again */
  uint64_t *link;        /* with a speedup: cycle at which the link in front of it is */
  struct xbar_output *output;
  uint64_t *want;         /* the outputs' sets */
  uint32_t words;         /* of each */
  uint16_t *sent, *taken; /* messages of each input: where they differ, one waits */
  uint64_t *moved; /* for tests: the cycle at which one was last taken, and by which shard; NULL: not noted */
  uint32_t *unit_of; /* output: the part that it belongs to */
  uint32_t all;      /* whom senders wake: the unit, or the group of whose part a message's slice or SM is */
  const uint32_t *sender, *receiver; /* units behind inputs and outputs, to wake */
  /* the part's own */
  uint32_t first, n; /* outputs */
  struct xbar_head *head;
  uint16_t *
      view; /* for tests: messages of each input that were taken as far as the part knows; NULL: all it can know */
  uint16_t *others;      /* of several parts: input: the head with this number is known to be another's */
  uint64_t era;          /* in which that was noted, and heads */
  uint16_t *waits;       /* input: its head asks for an output of the part, or will: the highest bit */
  uint64_t *later;       /* by cycle, modulo XBAR_LATER: set of inputs whose heads will ask then */
  uint64_t later_cycles; /* of those, which are not empty */
  uint32_t *asked;       /* outputs that are asked for */
  uint32_t nasked;
  /* Windows of several cycles on several shards: the last in which it was looked what had been sent before it. */
  bool by_window;
  uint64_t window, looked; /* looked: the last in which islip did */
  struct xbar_mail *mail;  /* [shard][parity]; NULL: the crossbar writes the ports */
  uint32_t shards;
  uint32_t slots,
      near_full;           /* with mail: of an output; messages of an input with which its port may be full */
  uint64_t arrive, credit; /* with mail, as the ports say: ticks to a receiver, and of a slot to a sender */
  uint64_t messages, flits, wait_cycles;
  struct voqs *voqs; /* allocators that match inputs and outputs: islip, a technique's */
  bool response;
  enum noc_allocator allocator;
  uint32_t sms_per_link; /* responses: SMs behind an output */
  unsigned flit_bytes, domain;
  uint32_t
      speedup; /* flits per cycle inside, as against one on links; a message takes another flit's time to begin */
  bool packets;    /* a message is a packet for each sector, which take turns with those of other inputs */
  uint64_t period; /* of the domain */
  uint32_t flits_of[1 << MEM_SECTORS]; /* of a message with these sectors of data */
  uint32_t masked[MEM_SECTORS + 1]; /* the same of a store of parts of so many sectors; 0: it has no mask */
  struct xbar *more;                /* the parts after the first, which is this */
  uint32_t nmore;
};

/* Of all parts. */
struct xbar_counts {
  uint64_t messages, flits, wait_cycles;
};

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes);
/* Stores of parts of sectors carry so many bytes beside their data: which bytes they are. */
void xbar_mask_bytes(struct xbar *x, uint32_t bytes);
void xbar_destroy(struct xbar *x);
/* Input i holds up to `slots` messages; latencies as a port's. */
void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit);
uint64_t xbar_cycle(void *self, uint64_t cycle);
/* Deals the outputs to n parts, run by these engines; round-robin only, when all but the ends is set. */
void xbar_split(struct xbar *x, uint32_t n, struct engine *const *engine);
struct xbar *xbar_part(struct xbar *x, uint32_t i);
/* For tests: parts see what others take in this cycle in the next, at random, as if the others' host cores were slow to
 * make it known. */
void xbar_see_late(struct xbar *x);
/* Senders are of other shards, and what they send in a window cannot pass in it: what was sent is looked up once per window, and
 * senders write to nothing that other senders write to. */
void xbar_by_window(struct xbar *x, uint32_t shards);
/* What it left for the shard of e in the last window, which had this parity. */
void xbar_deliver(struct xbar *x, struct engine *e, unsigned parity);
/* Every part becomes a unit of its engine. */
void xbar_add(struct xbar *x, const char *name);
/* Units behind inputs and outputs. */
void xbar_ends(struct xbar *x, const uint32_t *sender, const uint32_t *receiver);
struct xbar_counts xbar_counts(const struct xbar *x);
/* From here on by iSLIP, with that many rounds; inputs hold up to `slots` messages, as their ports do. */
void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots);
/* By the allocator of a technique; `unit`: the number of the crossbar. What the technique did wrong; NULL: it has none. */
struct tech_set;
struct tech_guard;
void xbar_use_technique(struct xbar *x, struct tech_set *tech, uint32_t unit, uint32_t slots);
const struct tech_guard *xbar_guard(const struct xbar *x);

/* For the allocators. */
uint64_t voq_cycle(struct xbar *x, uint64_t cycle);
void voqs_free(struct voqs *v);
static inline uint32_t xbar_output(const struct xbar *x, const struct mem_request *r) {
  return !x->response ? r->slice : x->sms_per_link == 1 ? r->sm : r->sm / x->sms_per_link;
}

static inline uint32_t xbar_flits(const struct xbar *x, const struct mem_request *r) {
  bool data = r->kind >= MEM_ATOMIC || ((r->kind == MEM_WRITE) != x->response && !(r->flags & MEM_NACK));
  if (x->masked[1] && r->kind == MEM_WRITE && data) {
    uint32_t n = count_bits(r->sectors);
    if (count_bits(r->bytes[0]) + count_bits(r->bytes[1]) < n * MEM_SECTOR)
      return x->masked[n];
  }
  return x->flits_of[data ? r->sectors : 0];
}

/* Packets of a message, and flits of each. */
static inline uint8_t xbar_packets(const struct xbar *x, const struct mem_request *r) {
  return x->packets && r->sectors ? (uint8_t)count_bits(r->sectors) : 1;
}
static inline uint32_t xbar_packet_flits(const struct xbar *x, const struct mem_request *r) {
  return x->flits_of[r->kind >= MEM_ATOMIC || (r->kind == MEM_WRITE) != x->response ? 1 : 0];
}

/* Cycles that flits in a row take inside. */
static inline uint64_t xbar_inside(const struct xbar *x, uint32_t flits) {
  return x->speedup == 1 ? flits : (flits + x->speedup) / x->speedup;
}

/* When the last of so many flits has passed the link behind an output. */
static inline uint64_t xbar_tail(struct xbar *x, struct xbar_output *o, uint32_t flits, uint64_t cycle) {
  uint64_t from = o->link > cycle ? o->link : cycle;
  o->link = from + flits;
  return x->engine->now + (from - cycle + flits - 1) * x->period;
}

/* Has output o a slot? */
static inline bool xbar_room(struct xbar *x, uint32_t o) {
  struct port *p = &x->out[o];
  struct xbar_output *k = &x->output[o];
  if (!x->mail)
    return port_room(p, x->engine->now);
  if (k->sent - k->returned < x->slots)
    return true;
  for (uint32_t released = port_seen(&p->released);
       k->returned != released && *port_when(p, k->returned) <= x->engine->now;)
    k->returned++;
  return k->sent - k->returned < x->slots;
}

/* The cycle at which one comes back, as far as is known: NEVER: the receiver calls. */
static inline uint64_t xbar_next_room(const struct xbar *x, uint32_t o) {
  const struct port *p = &x->out[o];
  uint32_t returned = x->mail ? x->output[o].returned : p->returned;
  return returned == port_seen(&p->released) ? NEVER
                                             : engine_cycle_at(x->engine, x->domain, *port_when(p, returned));
}

/* A message and the slot that it leaves, for the shards of receiver and sender. */
void xbar_post(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r, uint64_t tail);

/* Sends a message from input to output, where there is room (xbar_room()), after so many cycles of waiting. */
SPECIALIZED void xbar_send(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r,
                           uint64_t waited, uint64_t cycle) {
  bool ideal = x->allocator == NOC_IDEAL;
  struct engine *e = x->engine;
  struct port *in = &x->in[i], *out = &x->out[o];
  uint64_t now = e->now;
  uint32_t flits = x->packets ? xbar_packet_flits(x, r) : xbar_flits(x, r);
  x->wait_cycles += waited;
  x->messages++;
  x->flits += flits;
  if (!ideal)
    x->busy[i] = x->output[o].busy = cycle + xbar_inside(x, flits);
  /* the message is whole when its last flit has passed */
  uint64_t tail = ideal             ? now
                  : x->speedup == 1 ? now + (flits - 1) * x->period
                                    : xbar_tail(x, &x->output[o], flits, cycle);
  if (x->mail) {
    xbar_post(x, i, o, r, tail);
    return;
  }
  *(struct mem_request *)port_message(out, out->pushed) = *r;
  port_send(out, tail);
  engine_wake(e, x->receiver[o], tail + out->data);
  engine_release(e, in, x->sender[i]);
}

#endif
