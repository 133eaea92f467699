/* Halves rounded up or down: one instruction each. libclc's loses what is below the smallest half. */
#define SL_HALF(T, mode, instruction, in)                                                                              \
  static ushort sl_half_##mode##_##T(T a) {                                                                            \
    ushort r;                                                                                                          \
    __asm__(instruction " %0, %1;" : "=h"(r) : in(a));                                                                 \
    return r;                                                                                                          \
  }
SL_HALF(float, rtp, "cvt.rp.f16.f32", "f")
SL_HALF(float, rtn, "cvt.rm.f16.f32", "f")
SL_HALF(double, rtp, "cvt.rp.f16.f64", "d")
SL_HALF(double, rtn, "cvt.rm.f16.f64", "d")

#define SL_STORE_HALF_N(T, mode, SPACE, n, name, step)                                                                 \
  SL_FN void name##n##_##mode(T##n a, size_t offset, SPACE half *p) {                                                  \
    for (int i = 0; i < n; i++)                                                                                        \
      ((SPACE ushort *)p)[step * offset + i] = sl_half_##mode##_##T(a[i]);                                             \
  }
#define SL_STORE_HALF(T, mode, SPACE)                                                                                  \
  SL_FN void vstore_half_##mode(T a, size_t offset, SPACE half *p) {                                                   \
    ((SPACE ushort *)p)[offset] = sl_half_##mode##_##T(a);                                                             \
  }                                                                                                                    \
  SL_STORE_HALF_N(T, mode, SPACE, 2, vstore_half, 2)                                                                   \
  SL_STORE_HALF_N(T, mode, SPACE, 3, vstore_half, 3)                                                                   \
  SL_STORE_HALF_N(T, mode, SPACE, 4, vstore_half, 4)                                                                   \
  SL_STORE_HALF_N(T, mode, SPACE, 8, vstore_half, 8)                                                                   \
  SL_STORE_HALF_N(T, mode, SPACE, 16, vstore_half, 16)                                                                 \
  SL_STORE_HALF_N(T, mode, SPACE, 2, vstorea_half, 2)                                                                  \
  SL_STORE_HALF_N(T, mode, SPACE, 3, vstorea_half, 4)                                                                  \
  SL_STORE_HALF_N(T, mode, SPACE, 4, vstorea_half, 4)                                                                  \
  SL_STORE_HALF_N(T, mode, SPACE, 8, vstorea_half, 8)                                                                  \
  SL_STORE_HALF_N(T, mode, SPACE, 16, vstorea_half, 16)
#define SL_STORE_HALF_ALL(SPACE)                                                                                       \
  SL_STORE_HALF(float, rtp, SPACE)                                                                                     \
  SL_STORE_HALF(float, rtn, SPACE)                                                                                     \
  SL_STORE_HALF(double, rtp, SPACE)                                                                                    \
  SL_STORE_HALF(double, rtn, SPACE)
SL_STORE_HALF_ALL(__global)
SL_STORE_HALF_ALL(__local)
SL_STORE_HALF_ALL(__private)
