/* Inputs of the golden vectors, the same in recorder and test: edge values of each source type,
 * crossed, then seeded random ones. They depend on the source types alone, never on the row. */
#ifndef SLUICE_TESTS_GOLDEN_VECTORS_H
#define SLUICE_TESTS_GOLDEN_VECTORS_H

#include "front/ptx/types.h"
#include <stdint.h>
#include <string.h>

enum { GOLDEN_MAX = 1024 };

static inline uint64_t golden_mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* clang-format off */
/* The first 32 of each list are the ones crossed between two sources. Among them are pairs whose
 * product rounds up to the least normal number (0x1ffff800 and 0x20000400, 0x1ff0 and 0x2008). */
static const uint32_t golden_f32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fffffff, 0x7fc00000,
    0xffc00001, 0x7f800001, 0xffffffff, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f000000, 0xbf000000, 0x3f800001, 0x3f7fffff, 0x40490fdb,
    0x4b800000, 0x33800000, 0x00ffffff, 0x3fc00000, 0x1ffff800, 0x7e800000, 0x20000400, 0xdf000000,
    /* halfway and range limits of integers */
    0x40200000, 0x40600000, 0xbfc00000, 0xc0600000, 0x42ff0000, 0x43000000, 0xc3000000, 0xc3008000,
    0x437f0000, 0x437f8000, 0x43800000, 0x46fffe00, 0x46ffff00, 0x47000000, 0xc7000000, 0xc7000100,
    0x477fff00, 0x477fff80, 0x47800000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
    0x4f800000, 0x5effffff, 0x5f000000, 0xdf000001, 0x5f7fffff, 0x5f800000, 0xbf7fffff, 0x3effffff,
    /* halfway and limits of f16, bf16, 8-bit floats */
    0x3f801000, 0x3f803000, 0x3f800fff, 0x3f801001, 0x477fe000, 0x477fefff, 0x477ff000, 0xc77ff000,
    0x33000000, 0x33000001, 0x33c00000, 0x38800000, 0x387fe000, 0x387ff000, 0x387fc000, 0x38000001,
    0x3f808000, 0x3f818000, 0x3f807fff, 0x3f808001, 0x7f7f8000, 0x7f7f7fff, 0x00008000, 0x00018000,
    0x00007fff, 0x43e00000, 0x43e80000, 0x43e7ffff, 0x43f00000, 0x3a800000, 0x3b000000, 0x3ac00000,
    0x47600000, 0x47680000, 0x47700000, 0x37000000, 0x37800000, 0x37400000, 0x7f7fefff, 0x7f7ff000,
    0x3c800000, 0x3dcccccd, 0x3fb504f3, 0x3f3504f3, 0x40000000, 0x40400000, 0x41200000, 0x42c80000,
    0xc2fc0000, 0xc3150000, 0xc3160000, 0x42fe0000, 0x43000000, 0x42ffffff, 0x3fc90fdb, 0x40c90fdb,
    0xc0490fdb, 0x439d1463, 0xc39d1463, 0x7f000000, 0x7e800001, 0xfe800001, 0x00400000, 0x00200000,
    0xc0200000, 0x20000000, 0x1f800001, 0x9ffff800,
};
static const uint64_t golden_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7fffffffffffffff, 0x7ff8000000000000,
    0xfff8000000000001, 0x7ff0000000000001, 0xffffffffffffffff, 0x0000000000000001,
    0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000,
    0x8010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3fe0000000000000,
    0xbfe0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0x400921fb54442d18,
    0x4340000000000000, 0x3ca0000000000000, 0x001fffffffffffff, 0x3ff8000000000000,
    0xc004000000000000, 0x7fd0000000000000, 0x2000000000000000, 0xdff0000000000000,
    /* integers */
    0x4004000000000000, 0x400c000000000000, 0xbff8000000000000, 0xc00c000000000000,
    0x405fe00000000000, 0x406fe00000000000, 0x406ff00000000000, 0x4070000000000000,
    0xc060100000000000, 0x40dfffe000000000, 0x40efffe000000000, 0x40effff000000000,
    0x40f0000000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
    0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000, 0x41efffffffe00000,
    0x41effffffff00000, 0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
    0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff, 0x43f0000000000000,
    0xbfefffffffffffff, 0x3fdfffffffffffff, 0x4330000000000001, 0x432fffffffffffff,
    /* limits of f32 and the halves */
    0x3ff0000010000000, 0x3ff0000030000000, 0x3ff000000fffffff, 0x3ff0000010000001,
    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0xc7effffff0000000,
    0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x36b8000000000000,
    0x3810000000000000, 0x380fffffe0000000, 0x380ffffff0000000, 0x380fffffc0000000,
    0x3ff0020000000000, 0x3ff0060000000000, 0x3ff0020000000001, 0x3ff001ffffffffff,
    0x40effc0000000000, 0x40effdffffffffff, 0x40effe0000000000, 0x3e60000000000000,
    0x3e60000000000001, 0x3e78000000000000, 0x3f10000000000000, 0x3f0ffc0000000000,
    0x3f0ffe0000000000, 0x3ff0100000000000, 0x3ff0300000000000, 0x3ff0100000000001,
    0x47efefffffffffff, 0x47eff00000000000, 0x3ff0020010000000, 0x3ff002000fffffff,
    0x7fe0000000000000, 0x7fd0000000000001, 0x7fcfffffffffffff, 0x0000000100000000,
};
static const uint16_t golden_f16[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7fff, 0x7e00, 0xfe01, 0x7c01, 0xffff,
    0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x3800, 0xb800, 0x3c01,
    0x3bff, 0x4248, 0x1ff0, 0x2008, 0x07ff, 0x3e00, 0xc100, 0x7800, 0x6400, 0xe000,
    0x4100, 0x4300, 0xbe00, 0xc300, 0x57f0, 0x5bf8, 0x5bfc, 0x5800, 0xd808, 0x77ff, 0x7800,
    0xf800, 0x3bfe, 0x37ff, 0x0200, 0x0300, 0x2e66, 0x5640, 0x4900, 0xcc00, 0xcf80, 0x4bc0, 0x1400, 0x1000, 0x9ff0, 0x7ff7, 0xfff7,
};
static const uint16_t golden_bf16[] = {
    0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fff, 0x7fc0, 0xffc1, 0x7f81, 0xffff,
    0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x7f7f, 0xff7f, 0x3f00, 0xbf00, 0x3f81,
    0x3f7f, 0x4049, 0x4b80, 0x3380, 0x00ff, 0x3fc0, 0xc020, 0x7e80, 0x2000, 0xdf00,
    0x4020, 0x4060, 0xbfc0, 0xc060, 0x42ff, 0x437f, 0x4380, 0x4700, 0xc700, 0x477f, 0x4780,
    0x4f00, 0xcf00, 0x4f7f, 0x4f80, 0x5f00, 0xdf01, 0x5f80, 0x3dcd, 0x42c8, 0xc315, 0x0040, 0x7ff7, 0xfff7,
};
static const uint64_t golden_int[] = {
    0, 1, UINT64_MAX, 2, UINT64_MAX - 1, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255,
    256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
    0x7fffffffffffffff, 0x8000000000000000,
    0xff, 0x80, 0x81, 0x7f, 0x180, 0xff80, 0xff7f, 0xfffffffffffffe80, 0xffffffffffff8000,
    0xffffffffffff7fff, 0xffffffff80000000, 0xffffffff7fffffff, 0x8001, 0x7ffe, 0x80000001, 0x7ffffffe,
    0x01000000, 0x01000001, 0x01000003, 0xffffff, 0x7fffff, 0x800000, 0x20000000000000, 0x20000000000001,
    0x20000000000003, 0x8000000000000001, 0x8000008000000000, 0x8000008000000001, 0xfffffffffffff800,
    0xfffffffffffffc00, 0xfffffffffffffbff, 0xffffff8000000000, 0x55555555, 0xaaaaaaaa, 0x0123456789abcdef,
    0x00ff00ff, 0x12345678, 0x87654321, 0xdeadbeefcafebabe, 2047, 2048, 2049, 2051, 65504, 65519, 65520,
    0xffffff7f, 0xffffff80, 0xffffff81, 0x7fffffbf, 0x7fffffc0, 0x7fffff80, 100, 1000, 0x100, 24, 40, 20,
};

/* clang-format on */

#define GOLDEN_COUNT(a) (sizeof(a) / sizeof(a)[0])

/* Random bits shaped like the type: half of the floats have a moderate exponent, an eighth of the
 * integers are small or nearly all ones. */
static inline uint64_t golden_random(enum ptx_type t, uint64_t r) {
  const uint64_t how = r >> 60;
  switch (t) {
  case PTX_F32:
    if (how < 8)
      return (r & 0x807fffff) | (uint64_t)(119 + (r >> 32) % 17) << 23;
    if (how < 10)
      return (r & 0x807fff00) | (uint64_t)(127 + (r >> 32) % 24) << 23;
    return r & 0xffffffff;
  case PTX_F64:
    if (how < 8)
      return (r & UINT64_C(0x800fffffffffffff)) | (1015 + (golden_mix(r) >> 32) % 17) << 52;
    if (how < 10)
      return (r & UINT64_C(0x800fffffe0000000)) | (900 + (golden_mix(r) >> 32) % 240) << 52;
    return golden_mix(r);
  case PTX_F16:
    return how < 8 ? (r & 0x83ff) | (uint64_t)(11 + (r >> 32) % 9) << 10 : r & 0xffff;
  case PTX_BF16:
    return how < 8 ? (r & 0x807f) | (uint64_t)(119 + (r >> 32) % 17) << 7 : r & 0xffff;
  default:
    if (how < 4)
      return (golden_mix(r) & 0x3f) - (how & 1 ? 32 : 0);
    if (how < 6)
      return golden_mix(r) & 0xffff;
    return golden_mix(r);
  }
}

static inline uint64_t golden_edge(enum ptx_type t, uint64_t i) {
  switch (t) {
  case PTX_F32:
    return golden_f32[i % GOLDEN_COUNT(golden_f32)];
  case PTX_F64:
    return golden_f64[i % GOLDEN_COUNT(golden_f64)];
  case PTX_F16:
    return golden_f16[i % GOLDEN_COUNT(golden_f16)];
  case PTX_BF16:
    return golden_bf16[i % GOLDEN_COUNT(golden_bf16)];
  default:
    return golden_int[i % GOLDEN_COUNT(golden_int)];
  }
}

/* Value of source `src` of `nsrc` in vector k, in the low bits. */
static inline uint64_t golden_input(enum ptx_type t, unsigned src, unsigned nsrc, unsigned k) {
  if (t == PTX_F16X2 || t == PTX_BF16X2) {
    const enum ptx_type h = t == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    return golden_input(h, src, nsrc, k) | golden_input(h, src, nsrc, (k * 37 + 11) % GOLDEN_MAX) << 16;
  }
  const uint64_t r = golden_mix(k * UINT64_C(1000003) + src * UINT64_C(7919) + 1);
  if (t == PTX_PRED)
    return r >> 40 & 1;
  if (nsrc == 1)
    return k < 160 ? golden_edge(t, k) : golden_random(t, r);
  if (nsrc == 2) {
    /* the 32 x 32 crossing, scattered so that any first part of it is varied */
    const unsigned x = k * 397 % 1024;
    if (k % 8 < 6)
      return golden_edge(t, src ? x % 32 : x / 32);
    if (k % 8 == 6)
      return golden_edge(t, r >> 8);
    return golden_random(t, r);
  }
  if (k % 2)
    return golden_random(t, r);
  return golden_edge(t, k % 4 ? r >> 8 : (r >> 8) % 32);
}

/* The carry flag going into an extended-precision row. */
static inline uint64_t golden_carry(unsigned k) {
  return golden_input(PTX_PRED, 8, 1, k);
}

/* The same for a row by name: lop3's table is an immediate, which takes every value in turn. */
static inline uint64_t golden_source(const char *name, enum ptx_type t, unsigned src, unsigned nsrc,
                                     unsigned k) {
  if (src == 3 && strncmp(name, "lop3", 4) == 0)
    return k & 255;
  return golden_input(t, src, nsrc, k);
}

/* Vectors per row: comparisons and video instructions come in hundreds of forms. */
static inline unsigned golden_count(const char *name) {
  return strncmp(name, "set", 3) == 0 || name[0] == 'v' ? 256 : GOLDEN_MAX;
}

#endif
