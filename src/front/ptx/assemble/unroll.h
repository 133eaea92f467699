/* Shared by unroll.c and loop.c. */
#ifndef SLUICE_FRONT_PTX_ASSEMBLE_UNROLL_H
#define SLUICE_FRONT_PTX_ASSEMBLE_UNROLL_H

#include "front/ptx/assemble/asm.h"

struct loop {
  size_t first, last;                             /* blocks */
  const struct ptx_inst *branch, *compare, *tail; /* tail: the jump back, where the branch leads out */
  uint32_t out;                                   /* block that it leads to when it is over */
  uint32_t counter;
  struct ptx_operand limit; /* register that the loop does not write, or number */
  int64_t step;
  char relation[4], type[4]; /* "lt", "s32": goes on while counter relation limit; type of less and greater */
  const char *exact;         /* the relation as written: "ne" stays so */
  unsigned bits;
  uint64_t trips; /* 0: not known */
};

struct unroll {
  struct asm_fn *a;
  struct asm_live live;
  struct asm_block *out;
  size_t nout, capout;
  uint32_t *place;        /* by old block: its number now */
  uint32_t *entries;      /* by block: ways in, but for the one from the block before */
  uint32_t *defs, *stamp; /* by register: writes in the loop; which loop */
  bool *partial;          /* by register, valid with stamp: one of them is partial */
  uint32_t loop, nregs;   /* number of this loop; registers before anything was unrolled */
  uint32_t *now, *left;   /* by register: its name in the copy at work; writes still to come */
  bool *varies;           /* by register: lanes may differ */
  uint8_t *lives;         /* by register: read behind the loop or in its next iteration */
  unsigned copies;
  uint32_t wanted, uses; /* of a register */
};

/* loop.c */
/* A loop with a counter that begins at block b and can be unrolled: all about it. */
bool loop_find(struct unroll *u, size_t b, struct loop *l);
/* Iterations to lay out at once: 0 if it is not worth it, 4 for the general form; l->trips is 0 unless it counts. */
unsigned loop_choose(struct unroll *u, struct loop *l);
/* A number as the counter has it; whether a relation holds between two of them. */
int64_t loop_narrow(const struct loop *l, uint64_t v);
const char *loop_inverse(const char *relation);
bool loop_holds(const struct loop *l, const char *relation, int64_t x, int64_t y);
/* Does the loop at hand write a register? */
static inline bool loop_writes(const struct unroll *u, uint32_t r) {
  return u->stamp[r] == u->loop && u->defs[r];
}

#endif
