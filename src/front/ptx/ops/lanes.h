/* Lane loops: how a scalar expression becomes a function over the 32 lanes of a slot.
 *
 * A .def file lists rows; it is read three times with different meanings of R1 .. R4, RX and RA:
 * by its family's .c file (functions), and twice by table.c (declarations, then table entries).
 * In a row's expression x y z w are the lane's values of sources a b c e, in the C type of the
 * source's PTX type.
 *
 * A function computes all 32 lanes, straight into d when all are wanted. Else the wanted ones are
 * blended into d: through a buffer, so that there is one loop per row; or, in the families of cheap
 * and frequent rows (LANES_DIRECT), by a second loop, which spares the way through memory. */
#ifndef SLUICE_FRONT_PTX_OPS_LANES_H
#define SLUICE_FRONT_PTX_OPS_LANES_H

#include "front/ptx/ops.h"
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#ifndef PTX_OPS_ISA
#define PTX_OPS_ISA generic
#endif
#define PTX_CAT4_(a, b, c, d) a##b##c##d
#define PTX_CAT4(a, b, c, d)  PTX_CAT4_(a, b, c, d)
/* ptx_avx2_add_s32: the same row has one function per instruction set. */
#define PTX_FN(id) PTX_CAT4(ptx_, PTX_OPS_ISA, _, id)

#define LANES     32u
#define ALL_LANES UINT32_MAX

#if defined(__clang__)
/* Unrolled loops are seen too late by the vectoriser; a few (fns, clz) cannot be vectorised. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define LANE_LOOP _Pragma("GCC ivdep")
#endif

/* C type of a lane in memory (LT, may alias: a slot has no type of its own), of its value (CT),
 * and an unsigned type as wide or wider to compute in (WT). 8-bit values lie in 16-bit lanes. */
#define MAY_ALIAS __attribute__((may_alias))
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;
typedef uint16_t MAY_ALIAS lane_u16;
typedef uint32_t MAY_ALIAS lane_u32;
typedef uint64_t MAY_ALIAS lane_u64;
typedef u128 MAY_ALIAS lane_u128;
typedef int16_t MAY_ALIAS lane_s16;
typedef int32_t MAY_ALIAS lane_s32;
typedef int64_t MAY_ALIAS lane_s64;
typedef float MAY_ALIAS lane_f32;
typedef double MAY_ALIAS lane_f64;

#define LT_U8     lane_u16
#define LT_S8     lane_s16
#define LT_U16    lane_u16
#define LT_S16    lane_s16
#define LT_B16    lane_u16
#define LT_F16    lane_u16
#define LT_BF16   lane_u16
#define LT_E4M3X2 lane_u16
#define LT_E5M2X2 lane_u16
#define LT_U32    lane_u32
#define LT_S32    lane_s32
#define LT_B32    lane_u32
#define LT_F16X2  lane_u32
#define LT_BF16X2 lane_u32
#define LT_U16X2  lane_u32
#define LT_S16X2  lane_u32
#define LT_TF32   lane_u32
#define LT_F32    lane_f32
#define LT_U64    lane_u64
#define LT_S64    lane_s64
#define LT_B64    lane_u64
#define LT_F64    lane_f64
#define LT_B128   lane_u128

#define CT_U8     uint8_t
#define CT_S8     int8_t
#define CT_U16    uint16_t
#define CT_S16    int16_t
#define CT_B16    uint16_t
#define CT_F16    uint16_t
#define CT_BF16   uint16_t
#define CT_E4M3X2 uint16_t
#define CT_E5M2X2 uint16_t
#define CT_U32    uint32_t
#define CT_S32    int32_t
#define CT_B32    uint32_t
#define CT_F16X2  uint32_t
#define CT_BF16X2 uint32_t
#define CT_U16X2  uint32_t
#define CT_S16X2  uint32_t
#define CT_TF32   uint32_t
#define CT_F32    float
#define CT_U64    uint64_t
#define CT_S64    int64_t
#define CT_B64    uint64_t
#define CT_F64    double
#define CT_B128   u128

#define WT_U8  uint32_t
#define WT_S8  uint32_t
#define WT_U16 uint32_t
#define WT_S16 uint32_t
#define WT_B16 uint32_t
#define WT_U32 uint32_t
#define WT_S32 uint32_t
#define WT_B32 uint32_t
#define WT_U64 uint64_t
#define WT_S64 uint64_t
#define WT_B64 uint64_t

#define PTX_ARGS        void *d, const void *a, const void *b, const void *c, void *e, uint32_t mask
#define PTX_ARGS_UNUSED ((void)d, (void)a, (void)b, (void)c, (void)e, (void)mask)

#define SLOT(type, p) ((type *)__builtin_assume_aligned((p), 64))
#define SRC(T, p)     ((const LT_##T *)__builtin_assume_aligned((p), 64))

/* Lanes of t whose mask bit is set, into d. */
#define LANES_BLEND(bits)                                                                                    \
  static __attribute__((noinline, unused)) void lanes_blend##bits(void *d, const void *t, uint32_t mask) {   \
    lane_u##bits *o = SLOT(lane_u##bits, d);                                                                 \
    const lane_u##bits *s = SLOT(const lane_u##bits, t);                                                     \
    LANE_LOOP for (unsigned i = 0; i < LANES; i++) o[i] = mask & (UINT32_C(1) << i) ? s[i] : o[i];           \
  }
LANES_BLEND(16)
LANES_BLEND(32)
LANES_BLEND(64)
LANES_BLEND(128)

static inline void lanes_blend(void *d, const void *t, size_t lane_bytes, uint32_t mask) {
  switch (lane_bytes) {
  case 2:
    lanes_blend16(d, t, mask);
    break;
  case 4:
    lanes_blend32(d, t, mask);
    break;
  case 8:
    lanes_blend64(d, t, mask);
    break;
  default:
    lanes_blend128(d, t, mask);
    break;
  }
}

/* Predicate destination: lanes of m under mask. */
static inline void pred_write(void *d, uint32_t m, uint32_t mask) {
  lane_u32 *p = d;
  *p = (*p & ~mask) | (m & mask);
}
static inline uint32_t pred_read(const void *p) {
  return *(const lane_u32 *)p;
}

/* The loop around a row's expression; LOADS declares x y z w. */
#ifdef LANES_DIRECT
#define LANES_IS_DIRECT(T) (sizeof(T) == 4 || sizeof(T) == 8) /* gcc 12 breaks on narrower ones */
#else
#define LANES_IS_DIRECT(T) false
#endif
#ifdef __AVX512F__
/* Lanes of t whose mask bit is set, into d; the compiler keeps t in registers. All old lanes are read before
 * any is written, which keeps it from masked stores: a load soon after one of them waits for the cache. */
#define LANES_PUT(bits, n, mask_type)                                                                        \
  static inline __attribute__((unused)) void lanes_put##bits(void *d, const void *t, uint32_t mask) {        \
    __m512i v[n];                                                                                            \
    for (unsigned k = 0; k < (n); k++)                                                                       \
      v[k] = _mm512_mask_mov_epi##bits(_mm512_load_si512((char *)d + 64 * k),                                \
                                       (mask_type)(mask >> (LANES / (n)) * k),                               \
                                       _mm512_load_si512((const char *)t + 64 * k));                         \
    for (unsigned k = 0; k < (n); k++)                                                                       \
      _mm512_store_si512((char *)d + 64 * k, v[k]);                                                          \
  }
LANES_PUT(32, 2, __mmask16)
LANES_PUT(64, 4, __mmask8)
#define LANES_SOME(D, LOADS, expr)                                                                           \
  alignas(64) LT_##D t[LANES];                                                                               \
  LANE_LOOP for (unsigned i = 0; i < LANES; i++) {                                                           \
    LOADS                                                                                                    \
    t[i] = (LT_##D)(CT_##D)(expr);                                                                           \
  }                                                                                                          \
  if (sizeof(LT_##D) == 4)                                                                                   \
    lanes_put32(d, t, mask);                                                                                 \
  else                                                                                                       \
    lanes_put64(d, t, mask);
#else
#define LANES_SOME(D, LOADS, expr)                                                                           \
  LT_##D *o = SLOT(LT_##D, d);                                                                               \
  LANE_LOOP for (unsigned i = 0; i < LANES; i++) {                                                           \
    LOADS                                                                                                    \
    o[i] = mask & (UINT32_C(1) << i) ? (LT_##D)(CT_##D)(expr) : o[i];                                        \
  }
#endif
#define LANES_BODY(D, LOADS, expr)                                                                           \
  PTX_ARGS_UNUSED;                                                                                           \
  if (mask != ALL_LANES && LANES_IS_DIRECT(LT_##D)) {                                                        \
    LANES_SOME(D, LOADS, expr)                                                                               \
    return;                                                                                                  \
  }                                                                                                          \
  alignas(64) LT_##D tmp[LANES];                                                                             \
  LT_##D *o = SLOT(LT_##D, mask == ALL_LANES ? d : (void *)tmp);                                             \
  LANE_LOOP for (unsigned i = 0; i < LANES; i++) {                                                           \
    LOADS                                                                                                    \
    o[i] = (LT_##D)(CT_##D)(expr);                                                                           \
  }                                                                                                          \
  if (mask != ALL_LANES)                                                                                     \
    lanes_blend(d, tmp, sizeof tmp[0], mask);

#define LOAD_X(A) const CT_##A x = (CT_##A)SRC(A, a)[i];
#define LOAD_Y(B) const CT_##B y = (CT_##B)SRC(B, b)[i];
#define LOAD_Z(C) const CT_##C z = (CT_##C)SRC(C, c)[i];
#define LOAD_W(E) const CT_##E w = (CT_##E)SRC(E, e)[i];

#endif
