/* The stream of warp operations of a launch: what the timing model, traces and experiments consume. */
#ifndef SLUICE_STREAM_H
#define SLUICE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stream of warp operations: what the timing model, traces and experiments consume.
 *
 * Static side, per program: blocks of instructions (sluice_block, sluice_inst).
 * Dynamic side: segments. A segment is what one CTA did in one turn: 32-bit words,
 *
 *   record  = head, mask                       one execution of a basic block by (part of) a warp
 *             { item }                         for its instructions in order, where they need one
 *   head    = block number, warp in CTA
 *   mask    = 1 word (2 when the warp is wider than 32)
 *   item    = guard   = the mask that executed (same width), for every predicated instruction but branches
 *           | barrier = 3..0 number, 7..4 kind (enum sluice_barrier), 31..8 threads expected, 0: all of the CTA
 *           | shared  = access word            for each shared-memory access with lanes active
 *           | address = access word, then      for each other memory access with lanes active
 *                 AFFINE  base lo, base hi, stride      address = base + stride * lane
 *                 LIST32  base lo, base hi, one offset for each active lane
 *                 LIST64  lo, hi for each active lane
 *
 *   access word: 1..0 form, 4..2 space, 5 more parts follow (lanes in different spaces; then the
 *   part's own mask comes after the access word), 13..6 distinct 128-byte lines,
 *   21..14 distinct 32-byte sectors, for shared memory instead 21..6 cycles the banks need;
 *   with front.shared = lanes 21..6 the cycles of accesses one after the other and 24..22 one less than the instructions that
 *   those are of.
 *
 * A segment ends on a record. Everything in it is determined by program, inputs and options. */

enum sluice_form { SLUICE_AFFINE, SLUICE_LIST32, SLUICE_LIST64, SLUICE_SHARED };
enum sluice_space {
  SLUICE_SP_GLOBAL,
  SLUICE_SP_SHARED,
  SLUICE_SP_LOCAL,
  SLUICE_SP_CONST,
  SLUICE_SP_PARAM,
  SLUICE_SP_GENERIC
};
enum sluice_cache_op {
  SLUICE_CA,
  SLUICE_CG,
  SLUICE_CS,
  SLUICE_LU,
  SLUICE_CV,
  SLUICE_WB,
  SLUICE_WT,
  SLUICE_NC,
  SLUICE_TEXTURE, /* streams of graphics data: through caches of their own where a GPU has them, else as usual */
  SLUICE_DEPTH,
  SLUICE_COLOUR,
  SLUICE_HIZ,
  SLUICE_STENCIL
};

#define SLUICE_ACCESS_FORM(w)  ((w)&3u)
#define SLUICE_ACCESS_SPACE(w) ((w) >> 2 & 7u)
#define SLUICE_ACCESS_MORE     0x20u
#define SLUICE_ACCESS_TAKEN                                                                                  \
  0x400000u /* a CAS to global memory: each word it names was changed by one of its lanes */
#define SLUICE_ACCESS_PAIRED                                                                                 \
  0x800000u /* more than a word a lane of shared memory, the same for lanes 2 n and 2 n + 1 */
#define SLUICE_ACCESS_LINES(w)   ((w) >> 6 & 0xffu)
#define SLUICE_ACCESS_SECTORS(w) ((w) >> 14 & 0xffu)
#define SLUICE_ACCESS_BANKS(w)   ((w) >> 6 & 0xffffu)
#define SLUICE_ACCESS_TIMES(w)   (((w) >> 22 & 7u) + 1)

enum sluice_barrier { SLUICE_BAR_SYNC, SLUICE_BAR_ARRIVE, SLUICE_BAR_POPC, SLUICE_BAR_AND, SLUICE_BAR_OR };

enum sluice_class {
  SLUICE_ALU,
  SLUICE_LOAD,
  SLUICE_STORE,
  SLUICE_ATOMIC,
  SLUICE_RED,
  SLUICE_COPY /* cp.async: two items, global then shared */,
  SLUICE_PREFETCH,
  SLUICE_BRANCH,
  SLUICE_BARRIER,
  SLUICE_FENCE,
  SLUICE_CALL,
  SLUICE_RETURN,
  SLUICE_OTHER,
  SLUICE_NCLASSES
};

enum {
  SLUICE_IF_GUARD = 1,
  SLUICE_IF_ADDRESS = 2,  /* has an access item */
  SLUICE_IF_VOLATILE = 4, /* volatile, relaxed, acquire or release */
  SLUICE_IF_CLOCK = 8,    /* reads a clock */
  SLUICE_IF_TRIES = 8,    /* atomics: a CAS in a loop that goes on until the CAS succeeds */
  SLUICE_IF_BARRIER = 16, /* a CTA barrier: has a barrier item */
  SLUICE_IF_SCALAR = 32,  /* the same for all lanes, and a scalar unit can do it */
  SLUICE_IF_LONG = 64,    /* arithmetic: integers of 64 bits */
  SLUICE_IF_FLOAT = 64,   /* atomics: floating-point numbers */
  SLUICE_IF_JOINED = 128, /* atomics: of one word for all lanes, which an assembler lets one of them do */
  SLUICE_IF_PARTS = 128,  /* branches: forward, and lanes may part */
  SLUICE_IF_SKIPS = 8,    /* branches: lanes may part, and one way is the reconvergence point itself */
  SLUICE_IF_MEETS = 64,   /* branches: PARTS, and machine code sets the reconvergence point there (BSSY) */
};

/* One PTX instruction as a timing model sees it. Registers are numbered from 0 within the function, after
 * allocation, so that a scoreboard can use them. The number modulo SLUICE_BANKS is that of the name (5 of %f5), from which
 * banks of a register file follow; registers whose names have none are SLUICE_UNBANKED or more, and in no bank. */
#define SLUICE_MAX_REGS 8
enum { SLUICE_BANKS = 64, SLUICE_UNBANKED = 960 };
struct sluice_inst {
  uint8_t klass; /* enum sluice_class */
  uint8_t unit;  /* execution unit; sluice_unit_name() */
  uint8_t flags;
  uint8_t space; /* enum sluice_space, as written */
  uint8_t bytes; /* per lane, whole vector */
  uint8_t cache_op;
  uint8_t ndst, nsrc; /* registers listed; further ones are left out */
  uint16_t dst[SLUICE_MAX_REGS], src[SLUICE_MAX_REGS];
  uint32_t line; /* PTX line */
  uint32_t
      source_line; /* of the program that the PTX was made from, by .loc; 0: not known, as in recorded streams */
};

struct sluice_block {
  uint32_t ninst;
  const struct sluice_inst *insts;
};

struct sluice_segment {
  uint64_t cta;  /* linear CTA number */
  uint32_t turn; /* of this CTA, from 0 */
  bool last;     /* the CTA ends here */
  unsigned warp_width;
  const uint32_t *words;
  size_t n;
};

/* A launch executed turn by turn: open, then sluice_next() until it returns 0 (complete) or -1 (failure: sluice_error()). */
struct sluice;
struct sluice_module;
struct sluice_launch;
struct sluice_stream;
SLUICE_API struct sluice_stream *sluice_open(struct sluice *s, struct sluice_module *m,
                                             const struct sluice_launch *l);
SLUICE_API int sluice_next(struct sluice_stream *x,
                           struct sluice_segment *segment); /* valid until the next call */
SLUICE_API struct sluice_block sluice_describe(const struct sluice_stream *x, uint32_t block);
SLUICE_API void sluice_close(struct sluice_stream *x);
SLUICE_API const char *sluice_unit_name(unsigned unit); /* of an instruction */

#ifdef __cplusplus
}
#endif
#endif
