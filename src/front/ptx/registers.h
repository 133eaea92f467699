/* How many registers an assembler would give a kernel: an estimate that imitates NVIDIA's ptxas 13.0.
 *
 * PTX has as many virtual registers as its compiler liked. ptxas removes what nobody needs, keeps what is the same
 * in all threads in uniform registers and the constant bank, computes addresses where they are used, unrolls loops
 * and brings loads forward as long as registers are plentiful. The estimate does as much of that as matters to the
 * number (docs/registers.md), on the uops of a function whose operands still are virtual registers: after
 * cfg_analyse(), before slots_describe(), whatever order the instructions are in. Nothing is changed.
 *
 *   registers_values.c   which values need a register, and how wide
 *   registers_order.c    how many are live at a time, in the order of an assembler
 *   registers.c          the kernel: callees, reserved registers, limits */
#ifndef SLUICE_FRONT_PTX_REGISTERS_H
#define SLUICE_FRONT_PTX_REGISTERS_H

#include "front/ptx/lower.h"

/* What a function needs by itself, and what is live across the calls in it. */
struct pressure {
  uint32_t least; /* 32-bit registers live at a time, in the order that needs fewest */
  uint32_t most;  /* the same in the order of an assembler */
  struct pressure_call {
    uint32_t callee; /* function of the module */
    uint32_t live;   /* registers */
  } * calls;         /* in the program's arena */
  uint32_t ncalls;
};

/* Of the function being lowered. */
struct pressure registers_pressure(struct lower *l, uint32_t first_block);
/* Registers per thread of kernel `f`, given the pressure of every function of the module: with its callees, what is
 * reserved, and its .maxnreg, .minnctapersm, .maxntid and .reqntid. */
uint32_t registers_estimate(const struct ptx_module *m, const struct pressure *of, uint32_t f);

#endif
