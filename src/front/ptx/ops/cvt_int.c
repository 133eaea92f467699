/* Functions of the integer conversion rows. */
#define LANES_DIRECT
#include "front/ptx/ops/lanes.h"

static inline uint32_t pack_clamp(int64_t x, int64_t lo, int64_t hi, unsigned bits) {
  return (uint32_t)(x < lo ? lo : x > hi ? hi : x) & (uint32_t)((UINT64_C(1) << bits) - 1);
}

#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/cvt_int.def"
