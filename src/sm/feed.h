/* Brings the stream of warp operations to the SMs: CTAs in the order they were executed, each warp's
 * records on their own, instructions decoded once per block. */
#ifndef SLUICE_SM_FEED_H
#define SLUICE_SM_FEED_H

#include "front/exec.h"
#include "gpu/config.h"

/* One instruction as the SM issues it. */
struct feed_inst {
  uint8_t klass, unit, flags, space, bytes, cache_op;
  uint8_t ndst, nsrc;
  uint16_t reg[2 * SLUICE_MAX_REGS]; /* destinations, then sources */
};

struct feed_block {
  uint32_t n;
  uint64_t pc; /* instructions of the program before it */
  struct feed_inst *inst;
};

struct feed_warp {
  uint32_t *words; /* records not yet consumed begin at `at` */
  size_t n, cap, at;
};

struct feed_cta {
  uint64_t linear;
  bool complete; /* no more segments will come */
  uint32_t nwarps;
  struct feed_warp *warp;
};

struct feed;
struct functional_machine; /* told of every segment, may be NULL */
struct feed *feed_open(struct exec *x, struct functional_machine *told, uint32_t nwarps, unsigned warp_width);
void feed_close(struct feed *f);
/* The next CTA in order, NULL when the grid is exhausted or execution failed (feed_failed). */
struct feed_cta *feed_next_cta(struct feed *f, struct error *err);
/* More records for a warp of this CTA; false: there are none, the warp has ended. */
bool feed_more(struct feed *f, struct feed_cta *c, uint32_t warp, struct error *err);
void feed_release(struct feed *f, struct feed_cta *c);
uint32_t feed_registers(const struct feed *f); /* registers of the blocks seen so far */
const struct feed_block *feed_block(struct feed *f, uint32_t block);
/* Words of the access items of an instruction that `mask` executes. */
size_t feed_items(const uint32_t *words, const struct feed_inst *in, uint64_t mask, bool wide);
bool feed_failed(const struct feed *f);
bool feed_exhausted(const struct feed *f); /* no CTA is left to hand out */

#endif
