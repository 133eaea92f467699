/* Queues of a crossbar's inputs, for allocators that match inputs and outputs (alloc/).
 *
 *   input i ─ port ─▶ slots, in a list for each output ─▶ want: which inputs have something for an output ─▶ allocator
 *
 * A message that has arrived is put in its queue at once; its slot of the port is given back when the message leaves. Or there is one queue
 * for each input, whose head alone asks (fifo).
 *
 * A cycle looks at what changes in it: inputs whose next message arrives and inputs whose link becomes free are in sets by the cycle at
 * which they do (struct upcoming), and only outputs that somebody asks for are matched. */
#ifndef SLUICE_NOC_VOQ_H
#define SLUICE_NOC_VOQ_H

#include "noc/xbar.h"
#include "tech/guard.h"
#include "tech/tech.h"

#define VOQ_NONE UINT32_MAX

/* Sets of inputs by cycle, modulo UPCOMING. Whoever is due later is looked at before, and put back. */
enum { UPCOMING = 64 };
struct upcoming {
  uint64_t *set, cycles; /* [cycle][word]; cycles that have somebody */
};

/* A message: when it came, and the slot behind it in its queue, or the next free one. */
struct voq_slot {
  uint64_t arrived; /* cycle */
  uint32_t next;
  uint16_t output;
  uint16_t place; /* in the input's store, if it has one; else the message is in `message` */
  uint8_t flits;
};

/* A queue: its slots, and when the last message was gone. */
struct voq {
  uint64_t left; /* cycle */
  uint32_t head, tail;
};

/* A rule of allocation: in each cycle, messages pass by voq_take() from inputs that are `open` and `want` an output to outputs that are not
 * busy and have room. */
struct voq_rule {
  void (*match)(struct xbar *x, uint64_t cycle);
};
extern const struct voq_rule islip_rule, technique_rule;

struct voqs {
  const struct voq_rule *rule;
  bool fifo;                                    /* an input has one queue, that of output 0 */
  uint32_t iterations, slots, words, out_words; /* words: of a set of inputs, of outputs */
  struct mem_request *message;                  /* [input][slot] */
  struct voq_slot *slot;                        /* [input][slot] */
  struct voq *queue;                            /* [input][output] */
  uint32_t *free;                               /* [input] */
  uint64_t *want;                               /* [output][word]: inputs with something for it */
  uint32_t *nwant;                              /* [output]: how many */
  uint64_t *asked;                              /* outputs that somebody has something for */
  uint32_t *accept;                             /* [input]: output that is asked first */
  uint32_t *granted;                            /* [input]: the best grant of this round */
  uint64_t *grants;                             /* inputs that have one */
  uint64_t *matched;                            /* outputs, in this cycle: matched, busy or without room */
  uint64_t *open;                               /* inputs whose links are free */
  uint64_t *noted;                              /* inputs of which a message is on its way: in `arriving` */
  struct upcoming arriving, opening;
  uint64_t last; /* cycle */
  /* an allocator of a technique */
  struct tech_allocator tech;
  struct tech_guard guard;
  uint64_t *can;  /* outputs that can take a message and could get one */
  uint32_t *pair; /* [output]: the technique's answer */
};

/* The head of the queue of input i for output o passes. */
void voq_take(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle);

#endif
