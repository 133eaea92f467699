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
#include "base/least.h"
#include "engine/engine.h"
#include "mem/mem.h"
#include "noc/mail.h"

enum { XBAR_LATER = 64 };
enum noc_allocator { NOC_ROUND_ROBIN, NOC_ISLIP, NOC_IDEAL, NOC_TECHNIQUE /* a technique brings one */ };

/* The head of an input, as a part knows it. */
struct xbar_head {
  uint64_t ready; /* cycle from which on it can pass: it has arrived, and the one before it has passed */
  const struct mem_request *message; /* NULL: it lies in the input's store */
  uint32_t to;                       /* output it is for */
  uint16_t number;                   /* how many were before it */
  uint16_t place;                    /* in the input's store */
  uint8_t flits;                     /* of the message, or of a packet of it */
  uint8_t left;                      /* packets of it that have not passed */
  bool mine;                         /* the output is one of the part's; else `ready` is not known */
};

struct xbar_output {
  uint64_t busy;
  uint64_t
      from; /* packets of the cycles from here up to `busy` are not counted yet (alloc/round_robin.h); NEVER: there are none */
  uint32_t sent, returned; /* with mail: messages so far, slots seen again */
  uint64_t link;           /* with a speedup: cycle at which the link behind it is free again */
  uint64_t *want;          /* set of inputs whose heads ask for it */
  uint32_t nwant;
  uint32_t turn; /* input that comes first */
};

/* A unit that sends to a crossbar, where the crossbar may run ahead of it: cycles before `fresh` are simulated, and in none before `want`
 * does the unit send anything that is not in its port. */
struct xbar_sender {
  const uint64_t *fresh, *want;
  uint32_t unit;
};

struct voqs;
struct xbar {
  struct engine *engine;
  uint32_t unit, inputs, outputs;
  uint64_t now; /* tick of the cycle that is simulated: the engine's, or a later one (noc/ahead.c) */
  uint64_t fresh,
      due;          /* the first cycle not simulated yet; where the crossbar was ahead, the next with work */
  uint64_t left;    /* cycles for which all outputs are known to have slots */
  uint64_t look_at; /* the cycle at which to see again whether it may run ahead */
  uint64_t looked, known;   /* xbar_known() of a cycle */
  struct xbar_sender *from; /* by input; NULL: the crossbar does not run ahead */
  uint32_t reach;           /* cycles that it may be ahead */
  const uint64_t *
      *until; /* by output: the receiver takes messages of all cycles before it at once; or NULL */
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
  struct xbar_post
      *post; /* windows of several cycles on several shards; NULL: the crossbar reads and writes the ports */
  uint64_t messages, flits, wait_cycles;
  struct voqs *voqs; /* allocators that match inputs and outputs: islip, a technique's */
  bool response;
  uint8_t large_kinds; /* set of the kinds of messages that carry data (enum mem_kind) */
  bool even;       /* receivers have the crossbar's clock, and messages take equally long to all of them: */
  uint64_t arrive; /* so many cycles */
  enum noc_allocator allocator;
  uint32_t sms_per_link; /* responses: SMs behind an output */
  unsigned flit_bytes, domain;
  uint32_t
      speedup; /* flits per cycle inside, as against one on links; a message takes another flit's time to begin */
  bool packets;    /* a message is a packet for each sector, which take turns with those of other inputs */
  uint64_t period; /* of the domain */
  uint32_t flits_of[1 << MEM_SECTORS];  /* of a message with these sectors of data */
  uint8_t packets_of[1 << MEM_SECTORS]; /* with these sectors: one for each, and at least one */
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
/* Every part becomes a unit of its engine. */
void xbar_add(struct xbar *x, const char *name);
/* Units behind inputs and outputs. */
void xbar_ends(struct xbar *x, const uint32_t *sender, const uint32_t *receiver);
/* The crossbar may run ahead of these units, one for each input, by so many cycles at most. It frees `from`. */
void xbar_may_run_ahead(struct xbar *x, struct xbar_sender *from, uint32_t reach);
/* By output: where the first cycle is that its receiver has not simulated. The crossbar frees `until`. */
void xbar_receivers_ahead(struct xbar *x, const uint64_t **until);
/* Behind a cycle: the end of the cycles that can be simulated now, of which the crossbar wants `next` first; 0: none can. */
uint64_t xbar_ahead_until(struct xbar *x, uint64_t cycle, uint64_t next);
/* The cycle before which the crossbar surely sends nothing that is not in its receivers' ports. */
uint64_t xbar_known(struct xbar *x, uint64_t cycle);
/* Brings the counters to the end of a cycle. */
void xbar_settle(struct xbar *x, uint64_t cycle);
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
/* A message is on its way to an input, in a window that begins. */
struct xbar_note;
void voq_note(struct xbar *x, const struct xbar_note *n);
/* The note of a message: where to, how many flits and packets. */
static inline struct xbar_note xbar_note(const struct xbar *x, const struct mem_request *r, uint64_t at) {
  bool large = x->large_kinds >> r->kind & 1;
  bool data = large & ((r->kind >= MEM_ATOMIC) | !(r->flags & MEM_NACK));
  uint8_t packets = x->packets ? x->packets_of[r->sectors] : 1;
  uint32_t flits = x->flits_of[data ? r->sectors : 0];
  if (x->masked[1] && r->kind == MEM_WRITE && data) {
    uint32_t n = count_bits(r->sectors);
    if (count_bits(r->bytes[0]) + count_bits(r->bytes[1]) < n * MEM_SECTOR)
      flits = x->masked[n];
  }
  uint32_t output = x->response ? r->sm : r->slice;
  if (x->response && x->sms_per_link > 1)
    output /= x->sms_per_link;
  return (struct xbar_note){.at = at,
                            .output = (uint16_t)output,
                            .flits = (uint8_t)flits,
                            .packets = (uint8_t)(packets | (large ? XBAR_LARGE : 0))};
}

/* So many flits in a row begin to pass an output, which is busy for the time that they take inside. Returns the cycles until the last of
 * them passes the link behind the output. */
static inline uint64_t xbar_occupy(struct xbar *x, struct xbar_output *o, uint32_t flits, uint64_t cycle) {
  uint64_t from = cycle;
  x->flits += flits;
  if (x->speedup == 1) {
    o->busy = cycle + flits;
  } else {
    o->busy = cycle + (x->speedup == 2 ? flits / 2 + 1 : (flits + x->speedup) / x->speedup);
    from = max64(o->link, cycle);
    o->link = from + flits;
  }
  return from - cycle + flits - 1;
}

/* Has output o a slot? `post`: the crossbar allocates by notes. */
SPECIALIZED bool xbar_room(struct xbar *x, uint32_t o, bool post) {
  struct port *p = &x->out[o];
  struct xbar_output *k = &x->output[o];
  if (!post)
    return port_room(p, x->now);
  if (k->sent - k->returned < x->post->slots)
    return true;
  for (uint32_t released = count_seen(&p->released);
       k->returned != released && p->when[k->returned & p->mask] <= x->now;)
    k->returned++;
  return k->sent - k->returned < x->post->slots;
}

/* The cycle at which one comes back, as far as is known: NEVER: the receiver calls. */
SPECIALIZED uint64_t xbar_next_room(const struct xbar *x, uint32_t o, bool post) {
  const struct port *p = &x->out[o];
  uint32_t returned = post ? x->output[o].returned : p->returned;
  return returned == count_seen(&p->released)
             ? NEVER
             : engine_cycle_at(x->engine, x->domain, p->when[returned & p->mask]);
}

/* A message at this place of the input's store has passed, and leaves a slot, for which its sender may wait. */
static inline void xbar_pass(struct xbar *x, uint32_t i, uint32_t o, uint16_t place, uint64_t tail) {
  struct xbar_post *p = x->post;
  struct engine *e = x->engine;
  uint64_t credit = x->now + p->credit;
  if (p->npassed == p->mostpassed)
    panic("an input of a crossbar passes two messages in a cycle");
  p->passed[p->npassed++] = (struct xbar_passed){tail + p->arrive, credit, (uint16_t)o, (uint16_t)i, place};
  x->output[o].sent++;
  if ((uint16_t)(x->sent[i] - p->gone[i]++) >= p->near_full)
    sooner(&e->called, credit);
}

/* Sends a message, or its last packet, of so many flits from input to output, where there is room (xbar_room()), after so many cycles of
 * waiting: from port to port, or (`post`) by the crossbar's mail from its place in the input's store. */
SPECIALIZED void xbar_send(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r,
                           uint16_t place, uint32_t flits, uint64_t waited, uint64_t cycle, bool post) {
  struct engine *e = x->engine;
  uint64_t tail = 0; /* cycles until the last flit passes */
  x->wait_cycles += waited;
  x->messages++;
  if (x->allocator == NOC_IDEAL) {
    x->flits += flits;
  } else {
    tail = xbar_occupy(x, &x->output[o], flits, cycle);
    x->busy[i] = x->output[o].busy;
  }
  uint64_t tick = x->now + tail * x->period;
  if (post) {
    xbar_pass(x, i, o, place, tick);
    return;
  }
  struct port *in = &x->in[i], *out = &x->out[o];
  *(struct mem_request *)port_message(out, out->pushed) = *r;
  port_send(out, tick);
  if (x->even) {
    uint64_t when = cycle + tail + x->arrive;
    if (x->until) /* a partition that is ahead looks when it goes on, at the latest before its slots could all be taken, one in a cycle */
      when = max64(when, min64(*x->until[o], cycle + out->capacity - (out->pushed - out->popped) - 1));
    engine_call(e, x->receiver[o], when);
  } else {
    engine_wake(e, x->receiver[o], tick + out->data);
  }
  engine_release_at(e, in, x->sender[i], x->now);
}

#endif
