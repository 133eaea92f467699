/* Halves: rounded conversions of integers, functions with two results, vectors by index, copies by a work-group. */

/* One instruction; what is narrower than 32 bits is widened first. */
#define SL_INT_HALF(T, W, mode, instruction, in)                                                                       \
  SL_FN half convert_half_##mode(T a) {                                                                                \
    ushort r;                                                                                                          \
    __asm__(instruction " %0, %1;" : "=h"(r) : in((W)a));                                                              \
    return as_half(r);                                                                                                 \
  }                                                                                                                    \
  SL_VECTOR1_NAMED(half, convert_half, _##mode, T)
#define SL_INT_HALF_MODES(T, W, type, in)                                                                              \
  SL_INT_HALF(T, W, rtz, "cvt.rz.f16." type, in)                                                                       \
  SL_INT_HALF(T, W, rtn, "cvt.rm.f16." type, in)                                                                       \
  SL_INT_HALF(T, W, rtp, "cvt.rp.f16." type, in)
SL_INT_HALF_MODES(char, int, "s32", "r")
SL_INT_HALF_MODES(short, int, "s32", "r")
SL_INT_HALF_MODES(int, int, "s32", "r")
SL_INT_HALF_MODES(long, long, "s64", "l")
SL_INT_HALF_MODES(uchar, uint, "u32", "r")
SL_INT_HALF_MODES(ushort, uint, "u32", "r")
SL_INT_HALF_MODES(uint, uint, "u32", "r")
SL_INT_HALF_MODES(ulong, ulong, "u64", "l")
#define SL_HALF_HALF(mode)                                                                                             \
  SL_FN half convert_half_##mode(half a) { return a; }                                                                 \
  SL_VECTOR1_NAMED(half, convert_half, _##mode, half)
SL_HALF_HALF(rtz) SL_HALF_HALF(rtn) SL_HALF_HALF(rtp)

/* In single precision, where results of these are exact. */
#define SL_HALF_TWO_N(n, SPACE)                                                                                        \
  SL_FN half##n frexp(half##n a, SPACE int##n *p) {                                                                    \
    int##n e;                                                                                                          \
    half##n r = convert_half##n(frexp(convert_float##n(a), &e));                                                       \
    *p = e;                                                                                                            \
    return r;                                                                                                          \
  }                                                                                                                    \
  SL_FN half##n remquo(half##n a, half##n b, SPACE int##n *p) {                                                        \
    int##n q;                                                                                                          \
    half##n r = convert_half##n(remquo(convert_float##n(a), convert_float##n(b), &q));                                 \
    *p = q;                                                                                                            \
    return r;                                                                                                          \
  }                                                                                                                    \
  SL_FN half##n lgamma_r(half##n a, SPACE int##n *p) {                                                                 \
    int##n sign;                                                                                                       \
    half##n r = convert_half##n(lgamma_r(convert_float##n(a), &sign));                                                 \
    *p = sign;                                                                                                         \
    return r;                                                                                                          \
  }
#define SL_HALF_TWO(SPACE)                                                                                             \
  SL_HALF_TWO_N(, SPACE) SL_HALF_TWO_N(2, SPACE) SL_HALF_TWO_N(3, SPACE) SL_HALF_TWO_N(4, SPACE)                       \
  SL_HALF_TWO_N(8, SPACE) SL_HALF_TWO_N(16, SPACE)
SL_HALF_TWO(global) SL_HALF_TWO(local) SL_HALF_TWO(private)

#define SL_HALF_NAN_N(n) SL_FN half##n nan(ushort##n a) { return as_half##n((ushort##n)((ushort)0x7e00 | (a & (ushort)0x1ff))); }
SL_HALF_NAN_N(2) SL_HALF_NAN_N(3) SL_HALF_NAN_N(4) SL_HALF_NAN_N(8) SL_HALF_NAN_N(16)

#define SL_HALF_SHUFFLE_N(n, m)                                                                                        \
  SL_FN half##m shuffle(half##n a, ushort##m s) { return as_half##m(shuffle(as_ushort##n(a), s)); }                    \
  SL_FN half##m shuffle2(half##n a, half##n b, ushort##m s) {                                                          \
    return as_half##m(shuffle2(as_ushort##n(a), as_ushort##n(b), s));                                                  \
  }
#define SL_HALF_SHUFFLE(n)                                                                                             \
  SL_HALF_SHUFFLE_N(n, 2) SL_HALF_SHUFFLE_N(n, 4) SL_HALF_SHUFFLE_N(n, 8) SL_HALF_SHUFFLE_N(n, 16)
SL_HALF_SHUFFLE(2) SL_HALF_SHUFFLE(4) SL_HALF_SHUFFLE(8) SL_HALF_SHUFFLE(16)

#define SL_HALF_ASYNC_ONE(n, TO, FROM)                                                                                 \
  SL_FN event_t async_work_group_strided_copy(TO half##n *to, const FROM half##n *from, size_t k, size_t stride,       \
                                              event_t event) {                                                         \
    return async_work_group_strided_copy((TO ushort##n *)to, (const FROM ushort##n *)from, k, stride, event);          \
  }                                                                                                                    \
  SL_FN event_t async_work_group_copy(TO half##n *to, const FROM half##n *from, size_t k, event_t event) {             \
    return async_work_group_copy((TO ushort##n *)to, (const FROM ushort##n *)from, k, event);                          \
  }
#define SL_HALF_ASYNC(n)                                                                                               \
  SL_HALF_ASYNC_ONE(n, local, global)                                                                                  \
  SL_HALF_ASYNC_ONE(n, global, local)                                                                                  \
  SL_FN void prefetch(const global half##n *p, size_t k) {}
SL_HALF_ASYNC() SL_HALF_ASYNC(2) SL_HALF_ASYNC(3) SL_HALF_ASYNC(4) SL_HALF_ASYNC(8) SL_HALF_ASYNC(16)
