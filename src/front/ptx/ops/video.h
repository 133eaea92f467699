/* Scalar and packed video instructions. ds as bs: is the destination, are the sources signed. */
#ifndef SLUICE_FRONT_PTX_OPS_VIDEO_H
#define SLUICE_FRONT_PTX_OPS_VIDEO_H

#include <stdint.h>

enum video_op {
  V_ADD,
  V_SUB,
  V_ABSDIFF,
  V_MIN,
  V_MAX,
  V_AVRG,
  V_SHL_CLAMP,
  V_SHL_WRAP,
  V_SHR_CLAMP,
  V_SHR_WRAP
};

static inline int64_t video_clamp(int64_t v, unsigned bits, int ds) {
  const int64_t hi = (INT64_C(1) << (ds ? bits - 1 : bits)) - 1;
  const int64_t lo = ds ? -hi - 1 : 0;
  return v < lo ? lo : v > hi ? hi : v;
}

static inline int64_t video_base(enum video_op op, int64_t p, int64_t q) {
  switch (op) {
  case V_ADD:
    return p + q;
  case V_SUB:
    return p - q;
  case V_ABSDIFF:
    return p > q ? p - q : q - p;
  case V_MIN:
    return p < q ? p : q;
  case V_MAX:
    return p > q ? p : q;
  case V_AVRG:
    return (p + q + (p + q >= 0)) >> 1; /* halves away from zero */
  case V_SHL_CLAMP:
    return q > 31 ? (int64_t)((uint64_t)p << 32) : (int64_t)((uint64_t)p << (q & 31));
  case V_SHL_WRAP:
    return (int64_t)((uint64_t)p << (q & 31));
  case V_SHR_CLAMP:
    return p >> (q > 32 ? 32 : q);
  default:
    return p >> (q & 31);
  }
}

static inline int64_t video_wide(uint32_t v, int is_signed) {
  return is_signed ? (int32_t)v : (int64_t)v;
}

static inline uint32_t video(enum video_op op, uint32_t x, uint32_t y, int as, int bs) {
  return (uint32_t)video_base(op, video_wide(x, as), video_wide(y, bs));
}

#define VIDEO_CMP(name, cond)                                                                                \
  static inline uint32_t video_##name(int64_t p, int64_t q) {                                                \
    return (uint32_t)(cond);                                                                                 \
  }
VIDEO_CMP(eq, p == q)
VIDEO_CMP(ne, p != q)
VIDEO_CMP(lt, p < q)
VIDEO_CMP(le, p <= q)
VIDEO_CMP(gt, p > q)
VIDEO_CMP(ge, p >= q)
#undef VIDEO_CMP

/* Packed: n parts of 32/n bits; with .add the parts are summed onto c. */
static inline int64_t video_part(uint32_t v, unsigned i, unsigned bits, int is_signed) {
  const uint32_t u = v >> (i * bits) << (32 - bits);
  return is_signed ? (int32_t)u >> (32 - bits) : (int64_t)(u >> (32 - bits));
}
static inline uint32_t video_packed(enum video_op op, unsigned bits, uint32_t x, uint32_t y, uint32_t z,
                                    int ds, int as, int bs, int sat, int add) {
  const uint32_t low = (UINT32_C(1) << bits) - 1;
  uint32_t packed = 0, sum = z;
  for (unsigned i = 0; i < 32 / bits; i++) {
    int64_t v = video_base(op, video_part(x, i, bits, as), video_part(y, i, bits, bs));
    if (sat)
      v = video_clamp(v, bits, ds);
    packed |= ((uint32_t)v & low) << (i * bits);
    sum += (uint32_t)v;
  }
  return add ? sum : packed;
}
#define VIDEO_SET_PACKED(rel)                                                                                \
  static inline uint32_t video_set_##rel(unsigned bits, uint32_t x, uint32_t y, uint32_t z, int as, int bs,  \
                                         int add) {                                                          \
    uint32_t packed = 0, sum = z;                                                                            \
    for (unsigned i = 0; i < 32 / bits; i++) {                                                               \
      const uint32_t v = video_##rel(video_part(x, i, bits, as), video_part(y, i, bits, bs));                \
      packed |= v << (i * bits);                                                                             \
      sum += v;                                                                                              \
    }                                                                                                        \
    return add ? sum : packed;                                                                               \
  }
VIDEO_SET_PACKED(eq)
VIDEO_SET_PACKED(ne)
VIDEO_SET_PACKED(lt)
VIDEO_SET_PACKED(le)
VIDEO_SET_PACKED(gt)
VIDEO_SET_PACKED(ge)
#undef VIDEO_SET_PACKED

#endif
