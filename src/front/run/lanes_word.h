/* The commonest access there is, a 4-byte load or store of 32 lanes to one buffer, in one go: checks,
 * the words it puts into the stream, and the data. Only where vector registers hold a whole warp. */
#ifndef SLUICE_FRONT_RUN_LANES_WORD_H
#define SLUICE_FRONT_RUN_LANES_WORD_H

#include "front/ptx/program.h"
#include <stdint.h>

#define WORD_MIN_BYTES 4u
#define WORD_MAX_BYTES (UINT64_C(1) << 31) /* offsets are indices of gathers, which are signed */
#define WORD_ALIGN     128u                /* of the buffer: lines and sectors are counted from its start */

struct lane_buffer {
  uint64_t begin, size; /* device address; size within the limits above */
  uint8_t *host;
  uint32_t head; /* the space it is accessed as, at its place in the stream's access word */
};

/* The address of lane i is imm + what enum uop_index makes of reg[i]; there is a function for each. They return
 * the number of words written to out (with room for 64), or 0 with nothing done: a lane is outside the
 * buffer or misaligned. mask must not be 0. */
typedef unsigned lane_word_fn(const struct lane_buffer *b, const void *reg, uint64_t imm, uint32_t *data,
                              uint32_t mask, uint32_t *out);
struct lane_word_fns {
  lane_word_fn *load[INDEX_KINDS], *store[INDEX_KINDS];
};
extern const struct lane_word_fns lane_word_fns;

#endif
