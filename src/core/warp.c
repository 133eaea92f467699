#include "core/warp.h"

void warp_reg_begin(struct sm_warp *k, uint32_t nregs, uint64_t now) {
  memset(k->reg, 0, nregs * sizeof *k->reg);
  k->nregs = nregs;
  k->reg_base = now;
}

/* Cycles of the past are kept as far as half of the range: whatever a warp still waits for is not that old. */
uint32_t warp_reg_far(struct sm_warp *k, uint64_t cycle) {
  if (cycle == NEVER || cycle <= k->reg_base)
    return cycle == NEVER ? REG_NEVER : 0;
  uint64_t base = cycle - REG_NEVER / 2, past = base - k->reg_base;
  for (uint32_t i = 0; i < k->nregs; i++) {
    uint32_t at = k->reg[i] >> REG_CAUSE_BITS, cause = k->reg[i] & ((1u << REG_CAUSE_BITS) - 1);
    if (at != REG_NEVER)
      k->reg[i] = (at > past ? at - (uint32_t)past : 0) << REG_CAUSE_BITS | cause;
  }
  k->reg_base = base;
  return (uint32_t)(cycle - base);
}
