/* Comparisons of two slots as bit masks. Four base relations per type; the rest follow by
 * swapping operands and complementing. */
#ifndef SLUICE_FRONT_PTX_OPS_COMPARE_H
#define SLUICE_FRONT_PTX_OPS_COMPARE_H

#include "front/ptx/ops/half.h"
#include "front/ptx/ops/mask.h"

/* cmp_lt_s32 is inlined where speed counts (plain setp), far_lt_s32 is called elsewhere. */
#define COMPARE(rel, t, T, X, Y, cond)                                                                       \
  static inline __attribute__((unused)) uint32_t cmp_##rel##_##t(const void *a, const void *b) {             \
    MASK_LOOP(m, LOAD_X(T) LOAD_Y(T) X Y, cond)                                                              \
    return m;                                                                                                \
  }                                                                                                          \
  static __attribute__((noinline, unused)) uint32_t far_##rel##_##t(const void *a, const void *b) {          \
    return cmp_##rel##_##t(a, b);                                                                            \
  }
#define COMPARE_INT(t, T)                                                                                    \
  COMPARE(eq, t, T, , , x == y)                                                                              \
  COMPARE(lt, t, T, , , x < y)
COMPARE_INT(u16, U16)
COMPARE_INT(s16, S16)
#ifdef __AVX512F__
/* Whole registers compare into masks; compilers find that only by way of bytes. */
#define COMPARE_REGISTERS(rel, t, n, instruction)                                                            \
  static inline __attribute__((unused)) uint32_t cmp_##rel##_##t(const void *a, const void *b) {             \
    uint32_t m = 0;                                                                                          \
    for (unsigned i = 0; i < LANES; i += n)                                                                  \
      m |= (uint32_t)instruction(_mm512_load_si512((const char *)a + (64 / n) * i),                          \
                                 _mm512_load_si512((const char *)b + (64 / n) * i))                          \
           << i;                                                                                             \
    return m;                                                                                                \
  }                                                                                                          \
  static __attribute__((noinline, unused)) uint32_t far_##rel##_##t(const void *a, const void *b) {          \
    return cmp_##rel##_##t(a, b);                                                                            \
  }
COMPARE_REGISTERS(eq, u32, 16, _mm512_cmpeq_epu32_mask)
COMPARE_REGISTERS(lt, u32, 16, _mm512_cmplt_epu32_mask)
COMPARE_REGISTERS(eq, s32, 16, _mm512_cmpeq_epi32_mask)
COMPARE_REGISTERS(lt, s32, 16, _mm512_cmplt_epi32_mask)
COMPARE_REGISTERS(eq, u64, 8, _mm512_cmpeq_epu64_mask)
COMPARE_REGISTERS(lt, u64, 8, _mm512_cmplt_epu64_mask)
COMPARE_REGISTERS(eq, s64, 8, _mm512_cmpeq_epi64_mask)
COMPARE_REGISTERS(lt, s64, 8, _mm512_cmplt_epi64_mask)
#else
COMPARE_INT(u32, U32)
COMPARE_INT(s32, S32)
COMPARE_INT(u64, U64)
COMPARE_INT(s64, S64)
#endif

/* p q: the operands as C floating point */
#define COMPARE_FLOAT(t, T, C, conv)                                                                         \
  COMPARE(eq, t, T, const C p = conv(x);, const C q = conv(y);, p == q)                                      \
  COMPARE(lt, t, T, const C p = conv(x);, const C q = conv(y);, p < q)                                       \
  COMPARE(le, t, T, const C p = conv(x);, const C q = conv(y);, p <= q)                                      \
  COMPARE(un, t, T, const C p = conv(x);, const C q = conv(y);, (p != p) | (q != q))
#define AS_IS(v)      (v)
#define F16_FTZ(v)    f16_to_f32(f16_flush(v))
#define F16_LO(v)     f16_to_f32((v)&0xffff)
#define F16_HI(v)     f16_to_f32((v) >> 16)
#define F16_FTZ_LO(v) f16_to_f32(f16_flush((v)&0xffff))
#define F16_FTZ_HI(v) f16_to_f32(f16_flush((v) >> 16))
#define BF16_LO(v)    f32_of((v) << 16)
#define BF16_HI(v)    f32_of((v)&0xffff0000)
COMPARE_FLOAT(f32, F32, float, AS_IS)
COMPARE_FLOAT(f64, F64, double, AS_IS)
COMPARE_FLOAT(ftz_f32, F32, float, f32_flush)
COMPARE_FLOAT(f16, F16, float, f16_to_f32)
COMPARE_FLOAT(ftz_f16, F16, float, F16_FTZ)
COMPARE_FLOAT(bf16, BF16, float, bf16_to_f32)
COMPARE_FLOAT(lo_f16x2, F16X2, float, F16_LO)
COMPARE_FLOAT(hi_f16x2, F16X2, float, F16_HI)
COMPARE_FLOAT(lo_ftz_f16x2, F16X2, float, F16_FTZ_LO)
COMPARE_FLOAT(hi_ftz_f16x2, F16X2, float, F16_FTZ_HI)
COMPARE_FLOAT(lo_bf16x2, BF16X2, float, BF16_LO)
COMPARE_FLOAT(hi_bf16x2, BF16X2, float, BF16_HI)

/* IREL(ge, cmp, s32): a >= b through the base relations; near: cmp or far */
#define IREL_eq(near, t) near##_eq_##t(a, b)
#define IREL_ne(near, t) ~near##_eq_##t(a, b)
#define IREL_lt(near, t) near##_lt_##t(a, b)
#define IREL_ge(near, t) ~near##_lt_##t(a, b)
#define IREL_gt(near, t) near##_lt_##t(b, a)
#define IREL_le(near, t) ~near##_lt_##t(b, a)

/* Ordered relations are false with a NaN, unordered (..u) true. */
#define FREL_eq(near, t)  near##_eq_##t(a, b)
#define FREL_ne(near, t)  ~(near##_eq_##t(a, b) | near##_un_##t(a, b))
#define FREL_lt(near, t)  near##_lt_##t(a, b)
#define FREL_le(near, t)  near##_le_##t(a, b)
#define FREL_gt(near, t)  near##_lt_##t(b, a)
#define FREL_ge(near, t)  near##_le_##t(b, a)
#define FREL_equ(near, t) (near##_eq_##t(a, b) | near##_un_##t(a, b))
#define FREL_neu(near, t) ~near##_eq_##t(a, b)
#define FREL_ltu(near, t) ~near##_le_##t(b, a)
#define FREL_leu(near, t) ~near##_lt_##t(b, a)
#define FREL_gtu(near, t) ~near##_le_##t(a, b)
#define FREL_geu(near, t) ~near##_lt_##t(a, b)
#define FREL_num(near, t) ~near##_un_##t(a, b)
#define FREL_nan(near, t) near##_un_##t(a, b)

#endif
