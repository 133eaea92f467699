/* The stream of warp operations: what the timing model, traces and experiments consume.
 *
 * Static side, per program: blocks of instructions (stream_block, stream_inst).
 * Dynamic side: segments. A segment is what one CTA did in one turn: 32-bit words,
 *
 *   record  = head, mask                       one execution of a basic block by (part of) a warp
 *             { item }                         for its instructions in order, where they need one
 *   head    = block number, warp in CTA | STREAM_*
 *   mask    = 1 word (2 when the warp is wider than 32)
 *   item    = guard   = the mask that executed (same width), for every predicated instruction but branches
 *           | shared  = access word            for each shared-memory access with lanes active
 *           | address = access word, then      for each other memory access with lanes active
 *                 AFFINE  base lo, base hi, stride      address = base + stride * lane
 *                 LIST32  base lo, base hi, one offset for each active lane
 *                 LIST64  lo, hi for each active lane
 *
 *   access word: 1..0 form, 4..2 space, 5 more parts follow (lanes in different spaces; then the
 *   part's own mask comes after the access word), 13..6 distinct 128-byte lines,
 *   21..14 distinct 32-byte sectors, for shared memory instead 21..6 cycles the banks need.
 *
 * A segment ends on a record. Everything in it is determined by program, inputs and options. */
#ifndef SLUICE_FRONT_STREAM_H
#define SLUICE_FRONT_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

enum stream_form { STREAM_AFFINE, STREAM_LIST32, STREAM_LIST64, STREAM_SHARED };
enum stream_space { STREAM_SP_GLOBAL, STREAM_SP_SHARED, STREAM_SP_LOCAL, STREAM_SP_CONST, STREAM_SP_PARAM };
enum stream_cache_op { STREAM_CA, STREAM_CG, STREAM_CS, STREAM_LU, STREAM_CV, STREAM_WB, STREAM_WT, STREAM_NC };

#define STREAM_ACCESS_FORM(w) ((w) & 3u)
#define STREAM_ACCESS_SPACE(w) ((w) >> 2 & 7u)
#define STREAM_ACCESS_MORE 0x20u
#define STREAM_ACCESS_LINES(w) ((w) >> 6 & 0xffu)
#define STREAM_ACCESS_SECTORS(w) ((w) >> 14 & 0xffu)
#define STREAM_ACCESS_BANKS(w) ((w) >> 6 & 0xffffu)

enum stream_class {
  STREAM_ALU, STREAM_LOAD, STREAM_STORE, STREAM_ATOMIC, STREAM_RED, STREAM_COPY /* cp.async: two items, global then shared */,
  STREAM_PREFETCH, STREAM_BRANCH, STREAM_BARRIER, STREAM_FENCE, STREAM_CALL, STREAM_RETURN, STREAM_OTHER,
  STREAM_NCLASSES
};

enum { STREAM_IF_GUARD = 1, STREAM_IF_ADDRESS = 2 /* has an access item */, STREAM_IF_VOLATILE = 4 };

/* One PTX instruction as a timing model sees it. Registers are numbered within the function, after
 * allocation, so that a scoreboard can use them. */
#define STREAM_MAX_REGS 8
struct stream_inst {
  uint8_t klass;      /* enum stream_class */
  uint8_t unit;       /* enum ptx_unit */
  uint8_t flags;
  uint8_t space;      /* enum ptx_space as written */
  uint8_t bytes;      /* per lane, whole vector */
  uint8_t cache_op;
  uint8_t ndst, nsrc; /* registers listed; further ones are left out */
  uint16_t dst[STREAM_MAX_REGS], src[STREAM_MAX_REGS];
  uint32_t line;      /* PTX line */
};

struct stream_block {
  uint32_t ninst;
  const struct stream_inst *insts;
};

struct stream_segment {
  uint64_t cta;       /* linear CTA number */
  uint32_t turn;      /* of this CTA, from 0 */
  bool last;          /* the CTA ends here */
  unsigned warp_width;
  const uint32_t *words;
  size_t n;
};

#endif
