/* Matrix instructions of a warp: d = a * b + c, with a of M rows and K columns, b of K rows and 8 columns, spread over
 * the registers of 32 lanes as PTX's manual draws it:
 *
 *   a   row r, column k   lane 4 * (r % 8) + k / P % 4, register r / 8 + M / 8 * (k / 4P), part k % P
 *   b   row k, column c   lane 4 * c + k / P % 4,       register k / 4P,                   part k % P
 *   c,d row r, column c   lane 4 * (r % 8) + c / 2,     register 2 * (r / 8) + c % 2 (two f16 share one)
 *
 * P elements lie in one register. Kinds are what the elements of a and b are; run/mma.c says how each adds up. */
#ifndef SLUICE_FRONT_PTX_MMA_H
#define SLUICE_FRONT_PTX_MMA_H

#include <stdint.h>

enum mma_kind { MMA_F16, MMA_BF16, MMA_TF32, MMA_F64, MMA_INT8, MMA_INT4, MMA_BIT, MMA_KINDS };
enum {
  MMA_HALF_SUM = 1,   /* c and d are f16 */
  MMA_A_UNSIGNED = 2, /* integers */
  MMA_B_UNSIGNED = 4,
  MMA_SATURATE = 8,
  MMA_XOR = 16, /* bits: counted where they differ; else where both are set */
};

/* In uop_ext.imm: what an instruction is, in a word. */
#define MMA_PACK(kind, m, k, flags)                                                                          \
  ((int64_t)(kind) | (int64_t)(m) << 8 | (int64_t)(k) << 16 | (int64_t)(flags) << 32)
#define MMA_KIND(w)  ((enum mma_kind)((w)&0xff))
#define MMA_M(w)     ((unsigned)((w) >> 8 & 0xff))
#define MMA_K(w)     ((unsigned)((w) >> 16 & 0xffff))
#define MMA_FLAGS(w) ((unsigned)((w) >> 32 & 0xff))

#endif
