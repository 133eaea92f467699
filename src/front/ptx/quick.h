/* The commonest arithmetic, which the executor does in place instead of by a call (run/path.c): rows of the
 * operation table by their id, with their name there and how many sources they have. */
#ifndef SLUICE_FRONT_PTX_QUICK_H
#define SLUICE_FRONT_PTX_QUICK_H

#include "front/ptx/ops.h"

#define QUICK_SETP(Q, t, name)                                                                               \
  Q(setp_eq_##t, "setp.eq." name, 2)                                                                         \
  Q(setp_ne_##t, "setp.ne." name, 2)
#define QUICK_SETP_ORDER(Q, t, name)                                                                         \
  Q(setp_lt_##t, "setp.lt." name, 2)                                                                         \
  Q(setp_le_##t, "setp.le." name, 2)                                                                         \
  Q(setp_gt_##t, "setp.gt." name, 2)                                                                         \
  Q(setp_ge_##t, "setp.ge." name, 2)

#define QUICK_ROWS(Q)                                                                                        \
  Q(add_u32, "add.u32", 2)                                                                                   \
  Q(sub_u32, "sub.u32", 2)                                                                                   \
  Q(mul_lo_u32, "mul.lo.u32", 2)                                                                             \
  Q(mad_lo_u32, "mad.lo.u32", 3)                                                                             \
  Q(and_b32, "and.b32", 2)                                                                                   \
  Q(or_b32, "or.b32", 2)                                                                                     \
  Q(xor_b32, "xor.b32", 2)                                                                                   \
  Q(shl_b32, "shl.b32", 2)                                                                                   \
  Q(shr_u32, "shr.u32", 2)                                                                                   \
  Q(shr_s32, "shr.s32", 2)                                                                                   \
  Q(add_u64, "add.u64", 2)                                                                                   \
  Q(shl_b64, "shl.b64", 2)                                                                                   \
  Q(shr_s64, "shr.s64", 2)                                                                                   \
  Q(mul_wide_u32, "mul.wide.u32", 2)                                                                         \
  Q(mul_wide_s32, "mul.wide.s32", 2)                                                                         \
  Q(mad_wide_u32, "mad.wide.u32", 3)                                                                         \
  Q(mad_wide_s32, "mad.wide.s32", 3)                                                                         \
  Q(cvt_u64_u32, "cvt.u64.u32", 1)                                                                           \
  Q(cvt_s64_s32, "cvt.s64.s32", 1)                                                                           \
  Q(cvt_u32_u64, "cvt.u32.u64", 1)                                                                           \
  Q(trunc_b32_b64, "trunc.b32.b64", 1)                                                                       \
  Q(zext_b64_b32, "zext.b64.b32", 1)                                                                         \
  Q(sext_b64_b32, "sext.b64.b32", 1)                                                                         \
  Q(mov_b32, "mov.b32", 1)                                                                                   \
  Q(mov_b64, "mov.b64", 1)                                                                                   \
  QUICK_SETP(Q, u32, "u32")                                                                                  \
  QUICK_SETP_ORDER(Q, u32, "u32")                                                                            \
  QUICK_SETP_ORDER(Q, s32, "s32")

/* How the executor goes about a uop of a warp of up to 32 lanes. From the rows on, the result and the first
 * source are registers. */
enum uop_quick {
  QUICK_NONE,  /* by its kind and flags */
  QUICK_PLAIN, /* arithmetic of at most two sources and no further result, by a call */
  QUICK_LOAD,  /* UF_WORD */
  QUICK_STORE,
  QUICK_TID, /* one of the three components */
  QUICK_CTAID,
  QUICK_END, /* ends the block */
#define QUICK_ID(id, name, sources) QUICK_##id,
  QUICK_ROWS(QUICK_ID)
#undef QUICK_ID
      QUICK_COUNT,
  QUICK_FIRST_SETP = QUICK_setp_eq_u32 /* the rest are setp */
};

/* From a row's function to its number. */
enum { QUICK_SLOTS = 128 };
struct quick_map {
  ptx_op_fn *fn[QUICK_SLOTS];
  uint8_t quick[QUICK_SLOTS];
};

#endif
