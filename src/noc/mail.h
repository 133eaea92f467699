/* Between a crossbar and the shards of its senders and receivers, where windows have several cycles: the crossbar is one unit for all of
 * them, so whatever can be done elsewhere is, and it touches as little of the host's memory as it can.
 *
 *   sender's shard      as its window ends, copies what was sent to a store of the input's, and writes a note of it:
 *                       when, where from, where to, how long                                    xbar_collect()
 *   crossbar's shard    as its next window begins, takes the notes                               xbar_deliver()
 *   crossbar            allocates by notes, and lists what passed; as its window ends, its shard sorts the list by the shard of the
 *                       receiver, and the slots that became free by that of the sender: each finds its own side by side
 *   receiver's shard    as its next window begins, copies the messages from the stores to its ports   xbar_deliver()
 *   sender's shard      then, too, gives its ports the slots; the places in the stores a window later, when receivers have read them
 *
 * Nothing of it can be used before the next window begins. */
#ifndef SLUICE_NOC_MAIL_H
#define SLUICE_NOC_MAIL_H

#include "engine/port.h"
#include "mem/mem.h"

/* A message, as a crossbar knows it. */
struct xbar_note {
  uint64_t at; /* tick at which it is at the crossbar */
  uint16_t input, output;
  uint16_t place;  /* in the input's store */
  uint8_t flits;   /* of the whole message */
  uint8_t packets; /* with XBAR_LARGE: that carry data */
};
enum { XBAR_LARGE = 128 };

/* A message that has passed. */
struct xbar_passed {
  uint64_t at, credit; /* ticks: for the receiver; of the slot for the sender */
  uint16_t output, input, place;
};

/* What passed in a window: by the shard of the receiver, and of the sender. Of shard s from begin[s] on, before begin[s + 1]. */
struct xbar_arrival {
  uint64_t at;
  uint16_t output, input, place;
};
struct xbar_credit {
  uint64_t at;
  uint16_t input, place;
};
struct xbar_sorted {
  uint64_t window; /* of which it is */
  uint32_t *begin, *credit_begin;
  struct xbar_arrival *arrival;
  struct xbar_credit *credit;
  size_t cap; /* of both */
  char apart[PORT_LINE - 6 * sizeof(size_t)];
};

/* What a shard has for a crossbar: the first of them where the crossbar looks for their number. */
enum { XBAR_FIRST = 7 };
struct xbar_notes {
  uint64_t window; /* of which they are */
  uint32_t n, cap; /* of all; of those after the first */
  struct xbar_note first[XBAR_FIRST];
  struct xbar_note *more;
  char apart[PORT_LINE - sizeof(void *)];
};

/* Messages of an input that the crossbar or a receiver has not done with. Its sender's shard writes it. */
struct xbar_store {
  struct mem_request *message;
  uint16_t *free;
  uint32_t nfree;
  uint32_t collected; /* messages of the port that are in it, or were */
  char apart[PORT_LINE - 2 * sizeof(void *) - 2 * sizeof(uint32_t)];
};

/* A shard's: the inputs that its units send to; places that receivers may still read from; the last window whose mail it took. */
struct xbar_shard {
  uint16_t *input;
  size_t ninputs, capinputs;
  struct xbar_credit *read;
  size_t nread, capread;
  uint64_t taken;
  char apart[PORT_LINE - 7 * sizeof(size_t)];
};

struct xbar_post {
  struct xbar_sorted *sorted; /* [parity] */
  struct xbar_notes *notes;   /* [shard][parity] */
  struct xbar_store *store;   /* [input] */
  struct xbar_shard *shard;
  struct xbar_passed *passed; /* in this window; the crossbar's own, as all below */
  size_t npassed, mostpassed;
  uint64_t noted;         /* the last window whose notes it took */
  uint32_t shards, mask;  /* of the ring of notes of an input */
  struct xbar_note *ring; /* [input][message]: the crossbar's own; NULL: it has queues (noc/voq.h) */
  uint16_t *gone;         /* [input]: messages that have passed; queues of the crossbar may hold taken ones */
  uint32_t slots;         /* of an output */
  uint32_t near_full;     /* messages of an input with which its port may be full */
  uint64_t arrive, credit; /* as the ports say: ticks to a receiver, and of a slot to a sender */
  uint8_t *to, *from;      /* [output], [input]: shards of receivers and senders */
};

struct xbar;
struct engine;
/* When the ends are known; with windows of so many ticks. */
void xbar_by_window(struct xbar *x, uint32_t shards, uint64_t window);
void xbar_post_free(struct xbar *x);
/* As a window of e's shard ends. */
void xbar_collect(struct xbar *x, struct engine *e);
/* As one begins: what was left for it in the last window, which had this parity. */
void xbar_deliver(struct xbar *x, struct engine *e, unsigned parity);

#endif
