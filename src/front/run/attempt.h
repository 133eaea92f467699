/* A turn that is executed before its time comes, beside others, on memory that stays as it is meanwhile:
 *
 *   attempt k   reads buffers, in memory as it is ─▶ words of the stream, stores in a list
 *   its time    no buffer that it read was stored to since? ─ yes ─▶ the stores are made, the words are the turn's
 *                                                            no ─▶ forgotten, and executed as if nobody had tried
 *
 * A turn is a function of its CTA's state and of what it reads, so that one whose buffers have not changed did what it would do
 * now. Whatever else looks beyond the CTA (atomics on global memory, printing, allocating, faults, reading back a buffer that the turn
 * itself stored to) ends an attempt: such turns are executed when their time comes. */
#ifndef SLUICE_FRONT_RUN_ATTEMPT_H
#define SLUICE_FRONT_RUN_ATTEMPT_H

#include "front/run/run.h"

enum { ATTEMPT_BUFFERS = 256, ATTEMPT_WORDS = ATTEMPT_BUFFERS / 64 };

/* What an attempt reads and stores to, as sets of buffers (devmem_index()), and its stores in order. */
struct attempt_memory {
  uint64_t reads[ATTEMPT_WORDS], writes[ATTEMPT_WORDS];
  uint8_t *log; /* of struct attempt_store, each followed by its bytes, in whole words of 8 */
  size_t n, cap;
};

struct attempt_store {
  uint8_t *host;
  uint64_t bytes;
};

struct attempt {
  struct cta *cta;   /* on which it was made */
  struct cta *of;    /* whose copy that is; NULL: the CTA begins with it */
  uint64_t sequence; /* of a CTA that begins */
  uint32_t turn;
  bool holds, done; /* it came to its end; and so did the CTA */
  uint64_t executed, progress;
  uint32_t *out;
  size_t nout, capout;
  struct tally tally;
  struct attempt_memory memory;
};

/* All of a launch. */
struct attempts {
  struct attempt *attempt;
  size_t n, cap, next;            /* foreseen; the next one whose time comes */
  size_t adopted;                 /* the last one, whose words are in use; SIZE_MAX: none */
  uint64_t stored[ATTEMPT_WORDS]; /* buffers that were stored to since they were foreseen */
  uint64_t generation;            /* of device memory when the launch began */
  bool off;                       /* they do not help this launch, or cannot be made */
  uint64_t made, held;
};

/* Ends the attempt that x makes. */
void attempt_ends(struct exec *x);
/* A buffer is read, or stored to, by an attempt. False: that ended it. */
bool attempt_touches(struct exec *x, const struct devbuf *b, bool write);
/* A store of an attempt. */
void attempt_stores(struct exec *x, uint8_t *host, const void *from, size_t bytes);

/* exec.c: the attempt of the turn that comes next, if there is one that holds; its CTA is in the window then. NULL: none. */
struct attempt *attempt_adopt(struct exec *x);
/* Turns that were foreseen do not come, or memory has changed otherwise. */
void attempts_forget(struct exec *x);
void attempts_free(struct exec *x);

#endif
