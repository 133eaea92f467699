/* A crossbar: input-queued, a message at a time, one flit per cycle and link.
 *
 *   round-robin  each input is a FIFO whose head asks for its output; an output serves the inputs that ask in
 *                rotation. A head that waits holds up the messages behind it.
 *   islip        each input keeps a queue for every output (virtual output queues), and inputs and outputs are
 *                matched by iSLIP: outputs grant in rotation, inputs accept in rotation, and both rotations advance
 *                only past grants that were accepted in the first round (McKeown, IEEE/ACM ToN 1999). A match lasts for all
 *                flits of a message.
 *   ideal        no contention: every head passes at once; nothing is allocated.
 *
 * Each rule is a file of alloc/; a technique can bring another rule (struct sluice_allocator).
 *
 * round-robin can have a speedup, as routers with one virtual channel have: a message passes the crossbar in less time than its
 * links, except for the time in which its output is allocated to it. Messages can also be split into packets of a sector, between
 * which packets of other messages pass.
 *
 * With round-robin the head of an input asks one output, so that outputs can be divided among parts, each a unit of its own:
 *
 *   input i ─ sent ≠ taken: it has a head ─┬─ for an output of this part ─▶ arbitration, sends the message
 *                                          └─ for another output: its part sends the message
 *
 * A link that has passed a message is busy for at least the cycle, so that no part needs to see in a cycle what another part does
 * in this cycle. A part that sends a message wakes the part that the next message of the input is for. */
#ifndef SLUICE_NOC_XBAR_H
#define SLUICE_NOC_XBAR_H

#include "base/specialized.h"
#include "base/bits.h"
#include "base/least.h"
#include "engine/engine.h"
#include "mem/mem.h"
#include "noc/mail.h"

enum { XBAR_LATER = 64 };
enum noc_allocator { NOC_ROUND_ROBIN, NOC_ISLIP, NOC_IDEAL, NOC_TECHNIQUE /* of a technique */ };

/* The head of an input, as a part knows it. */
struct xbar_head {
  uint64_t ready; /* cycle from which on the head can pass: it has arrived, and its predecessor has passed */
  const struct mem_request *message; /* NULL: the message is in the input's store */
  uint32_t to;                       /* its output */
  uint16_t number;                   /* messages of the input before it */
  uint16_t place;                    /* in the input's store */
  uint8_t flits;                     /* of the message, or of a packet of it */
  uint8_t left;                      /* packets of the message that have not passed */
  bool mine;                         /* the output belongs to the part; else `ready` is not known */
};

struct xbar_output {
  _Alignas(PORT_LINE) uint64_t busy;
  uint64_t
      from; /* packets that passed from this cycle up to `busy` are not counted yet (alloc/round_robin.h); NEVER: none */
  uint32_t sent, returned; /* with mail: messages sent, returned slots seen */
  uint64_t link;           /* with a speedup: cycle at which the link behind the output is free */
  uint64_t *want;          /* set of inputs whose heads ask for the output */
  uint64_t set;            /* the memory of `want`, where a word is enough for all inputs */
  uint32_t nwant;
  uint32_t turn; /* input that is served first */
};

/* A unit that sends to a crossbar, where the crossbar may run ahead of the unit: the unit has simulated cycles before `fresh`, and sends in no
 * cycle before `want` a message that is not in its port. */
struct xbar_sender {
  const uint64_t *fresh, *want;
  uint32_t unit;
};

struct voqs;
struct xbar {
  struct engine *engine;
  uint32_t unit, inputs, outputs;
  struct xbar_sender *from; /* by input; NULL: the crossbar does not run ahead */
  uint32_t reach;           /* most cycles that the crossbar may be ahead */
  const uint64_t *
      *until; /* by output: the receiver takes messages of all cycles before it at once; or NULL */
  /* shared by all parts */
  struct port *in, *out; /* of mem_request */
  uint64_t *busy;        /* by input: cycle at which its link is free again */
  uint64_t *link;        /* by input, with a speedup: cycle at which the link before it is free */
  struct xbar_output *output;
  uint64_t *want;         /* memory of the outputs' sets; NULL: a set is a word */
  uint32_t words;         /* of each set */
  uint16_t *sent, *taken; /* messages of each input: where the counts differ, a message waits */
  uint64_t *moved;   /* for tests, by input: cycle and shard of the last message taken; NULL: not noted */
  uint32_t *unit_of; /* by output: the part that has the output */
  uint32_t all;      /* what senders wake: the unit, or a group with the part of each slice or SM */
  const uint32_t *sender, *receiver; /* units behind inputs and outputs, to wake */
  /* of each part */
  uint32_t first, n; /* outputs */
  struct xbar_head *head;
  uint16_t *
      view; /* for tests: messages of each input that were taken, as far as the part sees them; NULL: it sees all */
  uint16_t *others; /* by input: number of a head that is for another part; NULL: one part */
  uint64_t *waits;  /* set of inputs whose heads ask for an output of the part, or will */
  uint64_t *later;  /* by cycle, modulo XBAR_LATER: set of inputs whose heads will ask then */
  uint32_t *asked;  /* outputs that heads ask for */
  struct xbar_post
      *post; /* windows of several cycles on several shards; NULL: the crossbar reads and writes the ports */
  struct voqs *voqs; /* allocators that match inputs and outputs: islip, a technique's */
  bool response;
  uint8_t large_kinds; /* set of the kinds of messages that carry data (enum mem_kind) */
  bool even;           /* receivers have the crossbar's clock, and messages take `arrive` cycles to each */
  uint64_t arrive;     /* cycles from the crossbar to a receiver */
  enum noc_allocator allocator;
  uint32_t sms_per_link; /* responses: SMs behind an output */
  unsigned flit_bytes, domain;
  uint32_t
      speedup; /* flits per cycle inside, as against one on links; a message takes another flit's time to begin */
  bool packets; /* a message is a packet for each sector, which take turns with packets of other inputs */
  /* all packets pass inside in one cycle and on the link in one; crossbars of more inputs than a word has bits pass packets one by one */
  bool packets_even;
  bool usual; /* xbar_cycle() takes the short form for crossbars of the usual kind (struct form, xbar.c) */
  uint64_t period;                      /* of the crossbar's clock domain, in ticks */
  uint32_t flits_of[1 << MEM_SECTORS];  /* flits of a message with data of this set of sectors */
  uint8_t packets_of[1 << MEM_SECTORS]; /* packets: with `packets` one for each sector, at least one */
  uint32_t masked[MEM_SECTORS + 1];     /* flits of a store of parts of so many sectors; 0: it has no mask */
  struct xbar *more;                    /* parts after the first; the first is this struct */
  uint32_t nmore;
  /* What the crossbar writes in every cycle, apart from what shards of senders and receivers read of it (noc/mail.h). */
  char apart[PORT_LINE];
  uint64_t now; /* tick of the cycle that is simulated: the engine's, or a later tick (xbar_ahead_until()) */
  uint64_t later_cycles; /* set of the cycles whose set in `later` is not empty */
  uint64_t asking;       /* of the usual kind: set of the outputs that heads ask for, in place of `asked` */
  uint32_t nasked;
  uint64_t messages, flits, wait_cycles;
  uint64_t fresh,
      due; /* the first cycle that is not simulated yet; where the crossbar ran ahead, the next cycle with work */
  uint64_t left;          /* cycles for which all outputs are known to have slots */
  uint64_t look_at;       /* the cycle at which to check again for running ahead */
  uint64_t looked, known; /* xbar_known() of a cycle */
  uint64_t era;           /* in which `others` and `head` were noted */
  char behind[PORT_LINE];
};

/* Sums over all parts. */
struct xbar_counts {
  uint64_t messages, flits, wait_cycles;
};

void xbar_init(struct xbar *x, struct engine *e, unsigned domain, uint32_t inputs, uint32_t outputs,
               bool response, unsigned flit_bytes);
/* Stores of parts of sectors carry a mask of `bytes` bytes beside their data, which says which bytes they write. */
void xbar_mask_bytes(struct xbar *x, uint32_t bytes);
void xbar_destroy(struct xbar *x);
/* Input i holds up to `slots` messages; latencies as a port's. */
void xbar_input(struct xbar *x, uint32_t i, uint32_t slots, uint64_t data, uint64_t credit);
uint64_t xbar_cycle(void *self, uint64_t cycle);
/* Divides the outputs among n parts, part i run by engine[i]; with round-robin only, when everything but xbar_ends() is set. */
void xbar_split(struct xbar *x, uint32_t n, struct engine *const *engine);
struct xbar *xbar_part(struct xbar *x, uint32_t i);
/* For tests: at random, parts see messages that other parts take in a cycle only in the next cycle, as if stores of the other host
 * cores became visible late. */
void xbar_see_late(struct xbar *x);
/* Every part becomes a unit of its engine. */
void xbar_add(struct xbar *x, const char *name);
/* Sets the units behind inputs and outputs. */
void xbar_ends(struct xbar *x, const uint32_t *sender, const uint32_t *receiver);
/* The crossbar may run ahead of these units, one for each input, by `reach` cycles at most. The crossbar frees `from`. */
void xbar_may_run_ahead(struct xbar *x, struct xbar_sender *from, uint32_t reach);
/* `until`, by output: address of the first cycle that the receiver has not simulated. The crossbar frees `until`. */
void xbar_receivers_ahead(struct xbar *x, const uint64_t **until);
/* After `cycle`: the end of the cycles that the crossbar can simulate now, where `next` is the first with work; 0: it can simulate none. */
uint64_t xbar_ahead_until(struct xbar *x, uint64_t cycle, uint64_t next);
/* The cycle before which the crossbar certainly sends no message that is not in its receivers' ports yet. */
uint64_t xbar_known(struct xbar *x, uint64_t cycle);
/* Brings the counters to the end of a cycle. */
void xbar_settle(struct xbar *x, uint64_t cycle);
struct xbar_counts xbar_counts(const struct xbar *x);
/* Allocates by iSLIP from now on, with `iterations` rounds; inputs hold up to `slots` messages, as their ports do. */
void xbar_use_islip(struct xbar *x, uint32_t iterations, uint32_t slots);
/* Allocates by the allocator of a technique; `unit`: the number of the crossbar. The guard says what the technique did wrong; NULL: the
 * crossbar has no such allocator. */
struct tech_set;
struct tech_guard;
void xbar_use_technique(struct xbar *x, struct tech_set *tech, uint32_t unit, uint32_t slots);
const struct tech_guard *xbar_guard(const struct xbar *x);

/* For the allocators. */
uint64_t voq_cycle(struct xbar *x, uint64_t cycle);
void voqs_free(struct voqs *v);
/* A message is on its way to an input, where it is in this cycle: tells the allocator. */
struct xbar_note;
void voq_note(struct xbar *x, const struct xbar_note *n, uint64_t cycle);
/* The note of a message: output, number of flits and packets. `usual`: the crossbar is of the usual kind. */
SPECIALIZED struct xbar_note xbar_note(const struct xbar *x, const struct mem_request *r, uint64_t at,
                                       bool usual) {
  bool large = x->large_kinds >> r->kind & 1;
  bool data = large & ((r->kind >= MEM_ATOMIC) | !(r->flags & MEM_NACK));
  uint8_t packets = x->packets_of[r->sectors];
  uint32_t flits = x->flits_of[data ? r->sectors : 0];
  if (!usual && x->masked[1] && r->kind == MEM_WRITE && data) {
    uint32_t n = count_bits(r->sectors);
    if (count_bits(r->bytes[0]) + count_bits(r->bytes[1]) < n * MEM_SECTOR)
      flits = x->masked[n];
  }
  uint32_t output = x->response ? r->sm : r->slice;
  if (!usual && x->response && x->sms_per_link > 1)
    output /= x->sms_per_link;
  return (struct xbar_note){.at = at,
                            .output = (uint16_t)output,
                            .flits = (uint8_t)flits,
                            .packets = (uint8_t)(packets | (large ? XBAR_LARGE : 0))};
}

/* `flits` flits in a row begin to pass output o, which is busy for the time that the flits take inside the crossbar. Returns the cycles until
 * the last flit passes the link behind the output. */
SPECIALIZED uint64_t xbar_occupy(struct xbar *x, struct xbar_output *o, uint32_t flits, uint64_t cycle,
                                 bool usual) {
  uint64_t from = cycle;
  x->flits += flits;
  if (!usual && x->speedup == 1) {
    o->busy = cycle + flits;
  } else {
    o->busy = cycle + (usual || x->speedup == 2 ? flits / 2 + 1 : (flits + x->speedup) / x->speedup);
    from = max64(o->link, cycle);
    o->link = from + flits;
  }
  return from - cycle + flits - 1;
}

/* The same where, as far as the crossbar has looked, the receiver has all slots: looks further. */
bool xbar_look_for_room(struct xbar *x, uint32_t o);
/* Has output o a slot? `post`: the crossbar allocates by notes. */
SPECIALIZED bool xbar_room(struct xbar *x, uint32_t o, bool post) {
  struct port *p = &x->out[o];
  struct xbar_output *k = &x->output[o];
  if (!post)
    return port_room(p, x->now);
  if (k->sent - k->returned < x->post->slots)
    return true;
  return xbar_look_for_room(x, o);
}

/* The cycle at which a slot of output o comes back, as far as known; NEVER: the receiver will wake the crossbar. */
SPECIALIZED uint64_t xbar_next_room(const struct xbar *x, uint32_t o, bool post) {
  const struct port *p = &x->out[o];
  uint32_t returned = post ? x->output[o].returned : p->returned;
  return returned == count_seen(&p->released)
             ? NEVER
             : engine_cycle_at(x->engine, x->domain, p->when[returned & p->mask]);
}

static inline void xbar_list(uint8_t *box, uint32_t most, uint64_t item) {
  struct xbar_box *to = (struct xbar_box *)(void *)box;
  if (to->n == most)
    panic("a crossbar passes more messages in a window than it can");
  to->item[to->n++] = item;
}

/* The message at `place` of the store of input i passes to output o, where it arrives in cycle `at`, and frees a slot for which its
 * sender may wait. */
static inline void xbar_pass(struct xbar *x, uint32_t i, uint32_t o, uint16_t place, uint64_t cycle,
                             uint64_t at) {
  struct xbar_post *p = x->post;
  struct engine *e = x->engine;
  xbar_list(p->arrival + p->to[o], p->arrivals.most, xbar_item(at - p->base, o, i, place));
  xbar_list(p->credited + p->from[i], p->credits.most, xbar_item(cycle - p->base, 0, i, place));
  x->output[o].sent++;
  sooner(&e->called, at * x->period);
  if ((uint16_t)(x->sent[i] - p->gone[i]++) >= p->near_full)
    sooner(&e->called, x->now + p->credit);
}

/* Sends a message, or its last packet, of `flits` flits from input i to output o, where there is room (xbar_room()), after `waited`
 * cycles of waiting: from port to port, or (`post`) by the crossbar's mail from its place in the input's store. */
SPECIALIZED void xbar_send(struct xbar *x, uint32_t i, uint32_t o, const struct mem_request *r,
                           uint16_t place, uint32_t flits, uint64_t waited, uint64_t cycle, bool post,
                           bool usual) {
  struct engine *e = x->engine;
  uint64_t tail = 0; /* cycles until the last flit passes */
  x->wait_cycles += waited;
  x->messages++;
  if (!usual && x->allocator == NOC_IDEAL) {
    x->flits += flits;
  } else {
    tail = xbar_occupy(x, &x->output[o], flits, cycle, usual);
    x->busy[i] = x->output[o].busy;
  }
  if (post) {
    xbar_pass(x, i, o, place, cycle, cycle + tail + x->post->arrive);
    return;
  }
  uint64_t tick = x->now + tail * x->period;
  struct port *in = &x->in[i], *out = &x->out[o];
  *(struct mem_request *)port_line(out, out->pushed) = *r;
  port_send(out, tick);
  if (usual || x->even) {
    uint64_t when = cycle + tail + x->arrive;
    if (x->until) /* a partition that is ahead reads messages when it goes on, at the latest before all slots can be taken, one per cycle */
      when = max64(when, min64(*x->until[o], cycle + out->capacity - (out->pushed - out->popped) - 1));
    engine_call_here(e, x->receiver[o], when);
  } else {
    engine_wake(e, x->receiver[o], tick + out->data);
  }
  engine_release_of(e, in, x->sender[i], x->now, usual);
}

#endif
