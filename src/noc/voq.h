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

#define VOQ_NONE UINT32_MAX    /* no input, no output */
enum { VOQ_END = UINT16_MAX }; /* of a list of slots */

/* Sets of inputs by cycle, modulo UPCOMING. Whoever is due later is looked at before, and put back. */
enum { UPCOMING = 64 };
struct upcoming {
  uint64_t *set, cycles; /* [cycle][word]; cycles that have somebody */
};

/* A message: when it came, and the slot behind it in its queue, or the next free one. */
struct voq_slot {
  uint64_t arrived; /* cycle */
  uint16_t next, output;
  uint16_t place; /* in the input's store, if it has one; else the message is in `message` */
  uint8_t flits;
};

/* A queue: its slots, and when the last message was gone. */
struct voq {
  uint64_t left; /* cycle */
  uint16_t head, tail;
};

/* Messages that are in slots and on their way, in the order in which they were noted. */
struct voq_arrival {
  uint16_t input, slot;
};
struct voq_arrivals {
  struct voq_arrival *message;
  size_t n, cap;
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
  uint16_t *free;                               /* [input] */
  uint64_t *want;                               /* [output][word]: inputs with something for it */
  uint32_t *nwant;                              /* [output]: how many */
  uint64_t *asked;                              /* outputs that somebody has something for */
  uint32_t *accept;                             /* [input]: output that is asked first */
  uint32_t *granted;                            /* [input]: the best grant of this round */
  uint64_t *grants;                             /* inputs that have one */
  uint64_t *matched;                            /* outputs, in this cycle: matched, busy or without room */
  uint64_t *open;                               /* inputs whose links are free */
  uint64_t *reopens;                            /* inputs whose links are free in the next cycle */
  uint64_t *noted;                              /* inputs of which a message is on its way: in `arriving` */
  struct upcoming arriving, opening;
  /* With windows of several cycles, messages of a window are noted at once (voq_note()): by the cycle at which they arrive, modulo
   * UPCOMING, in place of arriving.set; and those of cycles that are farther away, none before beyond_least. */
  struct voq_arrivals due[UPCOMING], beyond;
  uint64_t beyond_least;
  uint64_t last; /* cycle */
  /* an allocator of a technique */
  struct tech_allocator tech;
  struct tech_guard guard;
  uint64_t *can;  /* outputs that can take a message and could get one */
  uint32_t *pair; /* [output]: the technique's answer */
};

static inline void upcoming_add(const struct voqs *v, struct upcoming *u, uint32_t i, uint64_t cycle,
                                uint64_t at) {
  uint64_t slot = (at - cycle < UPCOMING ? at : cycle + UPCOMING - 1) % UPCOMING;
  u->set[slot * v->words + i / 64] |= UINT64_C(1) << i % 64;
  u->cycles |= UINT64_C(1) << slot;
}

/* Input i has something for output o, or has no longer. */
static inline void wants(struct voqs *v, uint32_t i, uint32_t o) {
  v->want[(size_t)o * v->words + i / 64] |= UINT64_C(1) << i % 64;
  v->asked[o / 64] |= UINT64_C(1) << o % 64;
  v->nwant[o]++;
}
static inline void wants_no_more(struct voqs *v, uint32_t i, uint32_t o) {
  v->want[(size_t)o * v->words + i / 64] &= ~(UINT64_C(1) << i % 64);
  if (!--v->nwant[o])
    v->asked[o / 64] &= ~(UINT64_C(1) << o % 64);
}

static inline struct voq *queue_of(const struct xbar *x, uint32_t i, uint32_t o) {
  return &x->voqs->queue[(size_t)i * x->outputs + (x->voqs->fifo ? 0 : o)];
}

/* The head of the queue of input i for output o passes: listed in the crossbar's mail (`post`), or from port to port. */
SPECIALIZED void voq_take(struct xbar *x, uint32_t i, uint32_t o, uint64_t cycle, bool post) {
  struct voqs *v = x->voqs;
  struct voq *q = queue_of(x, i, o);
  uint16_t s = q->head;
  struct voq_slot *slot = &v->slot[(size_t)i * v->slots + s];
  uint64_t since = slot->arrived > q->left ? slot->arrived : q->left;
  xbar_send(x, i, o, &v->message[(size_t)i * v->slots + s], slot->place, slot->flits, cycle - since, cycle,
            post, false);
  q->left = x->output[o].busy;
  q->head = slot->next;
  slot->next = v->free[i];
  v->free[i] = s;
  v->open[i / 64] &= ~(UINT64_C(1) << i % 64);
  if (x->busy[i] == cycle + 1)
    v->reopens[i / 64] |= UINT64_C(1) << i % 64;
  else
    upcoming_add(v, &v->opening, i, cycle, x->busy[i]);
  if (q->head != VOQ_END && !v->fifo)
    return;
  wants_no_more(v, i, o);
  if (q->head != VOQ_END)
    wants(v, i, v->slot[(size_t)i * v->slots + q->head].output);
}

#endif
