/* The arithmetic of PTX: one row per opcode form, one function per row, working on the lanes of
 * half a 64-wide (or a whole 32-wide) warp at once.
 *
 * A register is a slot: 32 lanes side by side, each as wide as the register (2, 4, 8 or 16 bytes;
 * an 8-bit register has 2-byte lanes). Slots are 64-byte aligned. A predicate (and the carry flag
 * CC) is one uint32_t, bit i = lane i. Immediates are slots too, the same value in every lane.
 *
 *   fn(d, a, b, c, e, mask)
 *     d        destination slot; may be the same slot as any source, never partly overlapping
 *     a b c    sources in PTX order; predicates point at their uint32_t
 *     e        fourth source (bfi, lop3's immLut ...), or, written too: CC of the carry forms,
 *              q of `setp p|q`. CC is the adder's carry: after sub.cc, 1 where nothing was borrowed
 *     mask     lanes to write; lanes outside keep their value. Results never depend on, and
 *              faults never come from, lanes outside the mask.
 *
 * The same source is compiled for several instruction sets; ptx_ops() picks the best table this
 * machine runs. All give the same bits. Rounding: forms flagged PTX_OPF_ROUND compute in the
 * rounding mode in force (fenv); the caller sets it for .rz .rm .rp.
 *
 * Canonical row names: base, then modifiers in the order of the PTX ISA, WITHOUT .rn/.rz/.rm/.rp
 * where the row has PTX_OPF_ROUND, without `.rn` anywhere it is the only choice, type(s) last:
 *   add.s32  add.sat.s32  add.cc.u32  add.f32  add.ftz.sat.f32  mul.wide.u16  mad.hi.sat.s32
 *   setp.lt.ftz.f32  setp.lt.and.s32 ...  set.lt.u32.f32  cvt.rzi.s32.f32  cvt.sat.u8.s32
 * Every spelling of a type has its row (add.u32 and add.s32 share a function); only the rounding
 * modifier is taken out by ptx_op_resolve(). Half-precision results whose rounding is written and
 * not always .rn have a row each: cvt.rn.f16.f32, cvt.rz.f16.f32. docs/numerics.md says what the
 * hardware does. */
#ifndef SLUICE_FRONT_PTX_OPS_H
#define SLUICE_FRONT_PTX_OPS_H

#include "front/ptx/types.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void ptx_op_fn(void *d, const void *a, const void *b, const void *c, void *e, uint32_t mask);

/* Which execution unit a timing model sends it to. */
enum ptx_unit {
  PTX_UNIT_INT,  /* integer add and subtract */
  PTX_UNIT_IMUL, /* integer multiply, dp4a */
  PTX_UNIT_IDIV,
  PTX_UNIT_FP32,
  PTX_UNIT_FP16,
  PTX_UNIT_FP64,
  PTX_UNIT_FDIV, /* div at full precision, f32 */
  PTX_UNIT_DDIV, /* the same, f64 */
  PTX_UNIT_SFU,  /* the .approx functions */
  PTX_UNIT_CVT,
  PTX_UNIT_SHUFFLE,
  PTX_UNIT_CTRL,
  PTX_UNIT_BAR,
  PTX_UNIT_MEM,
  PTX_UNIT_TENSOR,      /* matrices of a warp */
  PTX_UNIT_LOGIC,       /* logic, shift, compare, select, move */
  PTX_UNIT_IMAD,        /* integer multiply and add */
  PTX_UNIT_IMAX,        /* integer min and max */
  PTX_UNIT_FMA,         /* f32 multiply and add */
  PTX_UNIT_FMAX,        /* f32 min and max */
  PTX_UNIT_FROOT,       /* sqrt at full precision, f32 */
  PTX_UNIT_DROOT,       /* the same, f64 */
  PTX_UNIT_SETP,        /* comparisons into predicates */
  PTX_UNIT_ICVT,        /* conversions between integers */
  PTX_UNIT_I2F,         /* conversions of integers of up to 32 bits to f32 */
  PTX_UNIT_BITS,        /* counts of bits, reversal, the highest bit */
  PTX_UNIT_IMUL64,      /* 64-bit integer multiply */
  PTX_UNIT_IMAD64,      /* the same with an addition */
  PTX_UNIT_VOTE,        /* votes, matches, the choice of a lane */
  PTX_UNIT_REDUX,       /* reductions over a warp */
  PTX_UNIT_TENSOR_HALF, /* matrices of a warp with half as many multiplications, or fewer */
  PTX_UNIT_TENSOR_F64,  /* matrices of f64 */
  PTX_UNIT_SFU_FULL,    /* .approx functions that take and give subnormal numbers, f32 */
  PTX_UNIT_TRIG,        /* sine and cosine */
  PTX_UNIT_FP16X2,      /* arithmetic of pairs of f16 */
  PTX_UNIT_HCVT,        /* conversions between f16 and f32 */
  PTX_UNIT_GUARD,       /* comparisons that guard instructions (predicates.c) */
  PTX_UNIT_IDIV64,      /* 64-bit integer division */
  PTX_UNIT_FRCP,        /* rcp at full precision, f32 */
  PTX_UNIT_DRCP,        /* the same, f64 */
  PTX_NUNITS
};

enum {
  PTX_OPF_ROUND = 1,       /* takes .rn .rz .rm .rp through fenv */
  PTX_OPF_APPROX = 2,      /* not bit-exact: bounded error */
  PTX_OPF_CC_IN = 4,       /* reads CC through e */
  PTX_OPF_CC_OUT = 8,      /* writes CC through e */
  PTX_OPF_Q = 16,          /* may write q through e (setp p|q), or NULL */
  PTX_OPF_INTERNAL = 32,   /* not PTX: register width changes, "zext.b64.b32" */
  PTX_OPF_MUST_ROUND = 64, /* a rounding modifier must be written (fma, div, cvt) */
  PTX_OPF_RN = 128,        /* takes .rn only, through no fenv */
};

struct ptx_op {
  const char *name;
  ptx_op_fn *fn;
  uint8_t unit, flags, nsrc;
  uint8_t dtype; /* enum ptx_type of the destination (PTX_PRED for setp) */
  uint8_t stype[4];
};

struct ptx_op_table {
  const char *isa; /* "generic", "avx2", "avx512" */
  size_t n;
  const struct ptx_op *ops;
};

/* All tables built in, best first; a table not usable on this machine is not listed. */
const struct ptx_op_table *ptx_op_tables(size_t *n);
/* The table in use: the best, or the one named by the environment variable SLUICE_ISA. */
const struct ptx_op_table *ptx_ops(void);

enum ptx_rounding { PTX_RN, PTX_RZ, PTX_RM, PTX_RP };

struct ptx_op_match {
  const struct ptx_op *op; /* in ptx_ops() */
  uint8_t rounding;        /* enum ptx_rounding, to be set around fn if not PTX_RN */
  uint8_t stype_reg[4];    /* reserved, zero */
};

/* Opcodes that are not lane-wise arithmetic, by base name, with the modifiers each may carry (besides
 * types, separated by blanks). */
size_t ptx_bases(void);
const char *ptx_base(size_t i, const char **mods);

/* Resolves a mnemonic as written ("mul.rn.ftz.f32", "setp.lt.u32"). False if no row fits. */
bool ptx_op_resolve(const char *mnemonic, struct ptx_op_match *out);

#endif
