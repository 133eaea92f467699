/* Instructions that GCN code has and PTX does not have (sm.gcn_code). */
#ifndef SLUICE_CORE_GCN_CODE_H
#define SLUICE_CORE_GCN_CODE_H

#include "core/supply.h"
#include "front/ptx/ops.h"

/* The instructions of a block and the further GCN instructions between them, in allocated memory; *n is their number; `always` is the
 * register that is always ready. */
struct warp_inst *gcn_code(const struct warp_inst *in, uint32_t *n, uint16_t always);
/* Numbers the lines of the loads of parameters: Multi2Sim's constant buffers have 16 bytes for each parameter, four parameters in a line. */
void gcn_number_params(struct warp_inst *in, uint32_t n);
/* Is the instruction a load of a kernel's parameter, or a load that gcn_code() puts beside one? */
static inline bool gcn_loads_param(const struct warp_inst *in) {
  return in->klass == SLUICE_OTHER && in->unit == PTX_UNIT_MEM && in->space == SLUICE_SP_PARAM;
}

#endif
