/* Instructions of GCN code that PTX has not (sm.gcn_code). */
#ifndef SLUICE_CORE_GCN_CODE_H
#define SLUICE_CORE_GCN_CODE_H

#include "core/supply.h"
#include "front/ptx/ops.h"

/* The instructions of a block with those between them; `always` is the register that is always ready. Allocated; `n` is how many
 * there are. */
struct warp_inst *gcn_code(const struct warp_inst *in, uint32_t *n, uint16_t always);
/* Numbers the lines of the loads of parameters: Multi2Sim's constant buffers have 16 bytes for each, four in a line. */
void gcn_number_params(struct warp_inst *in, uint32_t n);
/* A load of a kernel's parameter, or what gcn_code() puts beside one. */
static inline bool gcn_loads_param(const struct warp_inst *in) {
  return in->klass == SLUICE_OTHER && in->unit == PTX_UNIT_MEM && in->space == SLUICE_SP_PARAM;
}

#endif
