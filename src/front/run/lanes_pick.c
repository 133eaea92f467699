/* Chooses the address helpers that go with the arithmetic table in use. */
#include "front/ptx/ops.h"
#include "front/run/lanes.h"
#include <string.h>

extern const struct lane_fns lane_fns_generic;
#ifdef __x86_64__
extern const struct lane_fns lane_fns_avx2, lane_fns_avx512;
#endif

const struct lane_fns *lane_fns(void) {
#ifdef __x86_64__
  const char *isa = ptx_ops()->isa;
  if (!strcmp(isa, "avx512"))
    return &lane_fns_avx512;
  if (!strcmp(isa, "avx2"))
    return &lane_fns_avx2;
#endif
  return &lane_fns_generic;
}
