/* Scalar conversions from floating point to integers: rounded, then clamped to the range. */
#ifndef SLUICE_FRONT_PTX_OPS_CVT_H
#define SLUICE_FRONT_PTX_OPS_CVT_H

#include "front/ptx/ops/float.h"
#include "front/ptx/ops/half.h"

/* Integral values by rounding suffix; .rni relies on the default rounding mode. */
#define F32_rni rintf
#define F32_rzi truncf
#define F32_rmi floorf
#define F32_rpi ceilf
#define F64_rni rint
#define F64_rzi trunc
#define F64_rmi floor
#define F64_rpi ceil

/* r is integral. above: the first power of two that does not fit; least: the smallest value;
 * via: the type to convert through; ifnan: what a NaN becomes. */
#define CLAMPED(name, F, C, via, above, least, MAX, ifnan)                                                   \
  static inline C name(F r) {                                                                                \
    return r != r ? (C)(ifnan) : r >= (F)(above) ? (C)(MAX) : r <= (F)(least) ? (C)(least) : (C)(via)r;      \
  }
#define CLAMPED_ALL(f, F, nan8, nan16, nan32, nan64)                                                         \
  CLAMPED(u8_from_##f, F, uint8_t, int32_t, 0x1p8, 0, UINT8_MAX, nan8)                                       \
  CLAMPED(s8_from_##f, F, int8_t, int32_t, 0x1p7, INT8_MIN, INT8_MAX, nan8)                                  \
  CLAMPED(u16_from_##f, F, uint16_t, int32_t, 0x1p16, 0, UINT16_MAX, nan16)                                  \
  CLAMPED(s16_from_##f, F, int16_t, int32_t, 0x1p15, INT16_MIN, INT16_MAX, nan16)                            \
  CLAMPED(u32_from_##f, F, uint32_t, int64_t, 0x1p32, 0, UINT32_MAX, nan32)                                  \
  CLAMPED(s32_from_##f, F, int32_t, int32_t, 0x1p31, INT32_MIN, INT32_MAX, nan32)                            \
  CLAMPED(u64_from_##f, F, uint64_t, uint64_t, 0x1p64, 0, UINT64_MAX, nan64)                                 \
  CLAMPED(s64_from_##f, F, int64_t, int64_t, 0x1p63, INT64_MIN, INT64_MAX, nan64)
/* A NaN becomes 0 from f32, and the least signed value from f64 and to 64 bits. */
CLAMPED_ALL(f32, float, 0, 0, 0, INT64_MIN)
CLAMPED_ALL(f64, double, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN)
#undef CLAMPED
#undef CLAMPED_ALL

#endif
