/* Between a crossbar and the shards of its senders and receivers, where windows have several cycles: the crossbar is one unit for all of
 * them, so whatever can be done elsewhere is, and it touches as little of the host's memory as it can.
 *
 *   sender's shard      as its window ends, copies what was sent to a store of the input's, and writes a note of it:
 *                       when, where from, where to, how long                                    xbar_collect()
 *   crossbar's shard    as its next window begins, takes the notes                               xbar_deliver()
 *   crossbar            allocates by notes, and lists what passes, for the shard of each receiver, and the slots that become free, for
 *                       that of each sender
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

/* What threads tell each other of a message, in few bytes, as each line of the host's cache that comes from another core takes as long as
 * hundreds of instructions: a note, sent to the crossbar; what passed, for the shard of its receiver; a slot, for the shard of its sender.
 * `cycle` is of the crossbar's clock, and counts from the box's `base` on: in which it is at the crossbar, arrives, passed. */
enum {
  XBAR_CYCLE_BITS = 15,
  XBAR_END_BITS = 12,
  XBAR_PLACE_BITS = 13,
  XBAR_FLITS_BITS = 8,
  XBAR_PACKETS_BITS = 3
};
enum {
  XBAR_OUTPUT = XBAR_CYCLE_BITS,
  XBAR_INPUT = XBAR_OUTPUT + XBAR_END_BITS,
  XBAR_PLACE = XBAR_INPUT + XBAR_END_BITS,
  XBAR_FLITS = XBAR_PLACE + XBAR_PLACE_BITS,
  XBAR_PACKETS = XBAR_FLITS + XBAR_FLITS_BITS, /* the last bit: with XBAR_LARGE */
};
static inline uint64_t xbar_item(uint64_t cycle, uint32_t output, uint32_t input, uint32_t place) {
  return cycle | (uint64_t)output << XBAR_OUTPUT | (uint64_t)input << XBAR_INPUT |
         (uint64_t)place << XBAR_PLACE;
}
static inline uint32_t xbar_item_field(uint64_t item, unsigned first, unsigned bits) {
  return (uint32_t)(item >> first) & ((1u << bits) - 1);
}
static inline uint64_t xbar_item_cycle(uint64_t item) {
  return xbar_item_field(item, 0, XBAR_CYCLE_BITS);
}
static inline uint32_t xbar_item_output(uint64_t item) {
  return xbar_item_field(item, XBAR_OUTPUT, XBAR_END_BITS);
}
static inline uint32_t xbar_item_input(uint64_t item) {
  return xbar_item_field(item, XBAR_INPUT, XBAR_END_BITS);
}
static inline uint16_t xbar_item_place(uint64_t item) {
  return (uint16_t)xbar_item_field(item, XBAR_PLACE, XBAR_PLACE_BITS);
}

/* Items for a shard, or of it, in a window. The crossbar's shard and one other use a box; the boxes lie `apart` lines from each other, and
 * most items are in the line that says how many they are. */
struct xbar_box {
  uint64_t base;   /* a cycle of the crossbar's clock */
  uint32_t window; /* of which they are */
  uint32_t n;
  uint64_t item[];
};
struct xbar_boxes {
  uint8_t *memory;       /* [parity][shard] */
  size_t size;           /* bytes from a box to the next */
  uint32_t shards, most; /* boxes of a parity; items of a box */
};

static inline struct xbar_box *xbar_box(const struct xbar_boxes *b, unsigned parity, uint32_t shard) {
  return (struct xbar_box *)(void *)(b->memory + (parity * b->shards + shard) * b->size);
}

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
  uint64_t *read;
  size_t nread, capread;
  uint32_t taken;
  char apart[PORT_LINE - 6 * sizeof(size_t) - sizeof(uint32_t)];
};

struct xbar_post {
  struct xbar_boxes notes, arrivals, credits;
  struct xbar_store *store; /* [input] */
  struct xbar_shard *shard;
  struct xbar_note *ring; /* [input][message]: the crossbar's own; NULL: it has queues (noc/voq.h) */
  uint16_t *gone;         /* [input]: messages that have passed; queues of the crossbar may hold taken ones */
  uint32_t *to,
      *from; /* [output], [input]: bytes from the box of shard 0 to that of the receiver's, of the sender's shard */
  uint64_t arrive, credit; /* as the ports say: cycles to a receiver; ticks of a slot to a sender */
  uint32_t shards, mask;   /* of the ring of notes of an input */
  uint32_t slots;          /* of an output */
  uint32_t near_full;      /* messages of an input with which its port may be full */
  char apart[PORT_LINE];
  uint8_t *arrival, *credited; /* the crossbar's own: the boxes of this window, of shard 0 */
  uint64_t base;               /* of both */
  uint32_t noted;              /* the last window whose notes it took */
  char behind[PORT_LINE];
};

struct xbar;
struct engine;
/* When the ends are known; with windows of so many ticks. */
void xbar_by_window(struct xbar *x, uint32_t shards, uint64_t window);
void xbar_post_free(struct xbar *x);
/* Before xbar_deliver(): the host fetches what the crossbar has left for the shard. */
void xbar_deliver_near(const struct xbar *x, const struct engine *e, unsigned parity);
/* As a window of e's shard ends. */
void xbar_collect(struct xbar *x, struct engine *e);
/* As one begins: what was left for it in the last window, which had this parity. */
void xbar_deliver(struct xbar *x, struct engine *e, unsigned parity);

#endif
