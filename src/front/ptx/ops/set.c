/* Functions of the set rows. */
#include "front/ptx/ops/compare.h"

#define SET_WRITE(name, T, ONE)                                                                              \
  static __attribute__((noinline)) void set_write_##name(void *d, uint32_t m, uint32_t mask) {               \
    const void *a = 0, *b = 0, *c = 0, *e = 0;                                                               \
    LANES_BODY(T, , m &(UINT32_C(1) << i) ? (ONE) : 0)                                                       \
  }
SET_WRITE(ones32, U32, UINT32_MAX)
SET_WRITE(ones16, U16, 0xffff)
SET_WRITE(f32, F32, 1.0f)
SET_WRITE(f16, F16, 0x3c00)
SET_WRITE(bf16, BF16, 0x3f80)

static __attribute__((noinline)) void set_write_x2(void *d, uint32_t lo, uint32_t hi, uint32_t one,
                                                   uint32_t mask) {
  const void *a = 0, *b = 0, *c = 0, *e = 0;
  LANES_BODY(U32, , (lo & (UINT32_C(1) << i) ? one : 0) | (hi & (UINT32_C(1) << i) ? one << 16 : 0))
}

#include "front/ptx/ops/define_rows.h"
#include "front/ptx/ops/set.def"
