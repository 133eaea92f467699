/* Rounded conversions of integers to floating point: one instruction each, as text, because LLVM takes the intrinsic
 * functions for plain conversions. libclc's rounds the largest numbers to the wrong side. */
#define SL_CONVERT(T, S, mode, instruction, out, in)                                                                   \
  SL_FN T convert_##T##_##mode(S a) {                                                                                  \
    T r;                                                                                                               \
    __asm__(instruction " %0, %1;" : out(r) : in(a));                                                                  \
    return r;                                                                                                          \
  }                                                                                                                    \
  SL_FN T##2 convert_##T##2_##mode(S##2 a) {                                                                           \
    return (T##2)(convert_##T##_##mode(a.x), convert_##T##_##mode(a.y));                                               \
  }                                                                                                                    \
  SL_FN T##3 convert_##T##3_##mode(S##3 a) {                                                                           \
    return (T##3)(convert_##T##2_##mode(a.xy), convert_##T##_##mode(a.z));                                             \
  }                                                                                                                    \
  SL_FN T##4 convert_##T##4_##mode(S##4 a) {                                                                           \
    return (T##4)(convert_##T##2_##mode(a.lo), convert_##T##2_##mode(a.hi));                                           \
  }                                                                                                                    \
  SL_FN T##8 convert_##T##8_##mode(S##8 a) {                                                                           \
    return (T##8)(convert_##T##4_##mode(a.lo), convert_##T##4_##mode(a.hi));                                           \
  }                                                                                                                    \
  SL_FN T##16 convert_##T##16_##mode(S##16 a) {                                                                        \
    return (T##16)(convert_##T##8_##mode(a.lo), convert_##T##8_##mode(a.hi));                                          \
  }
#define SL_CONVERT_MODES(T, S, types, out, in)                                                                         \
  SL_CONVERT(T, S, rtz, "cvt.rz." types, out, in)                                                                      \
  SL_CONVERT(T, S, rtn, "cvt.rm." types, out, in)                                                                      \
  SL_CONVERT(T, S, rtp, "cvt.rp." types, out, in)
SL_CONVERT_MODES(float, int, "f32.s32", "=f", "r")
SL_CONVERT_MODES(float, uint, "f32.u32", "=f", "r")
SL_CONVERT_MODES(float, long, "f32.s64", "=f", "l")
SL_CONVERT_MODES(float, ulong, "f32.u64", "=f", "l")
SL_CONVERT_MODES(double, long, "f64.s64", "=d", "l")
SL_CONVERT_MODES(double, ulong, "f64.u64", "=d", "l")
