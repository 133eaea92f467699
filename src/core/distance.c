/* Distances that an assembler sets between instructions (sm.distances): a result of known latency has no scoreboard in machine code; the
 * assembler counts cycles between the instruction and the first that reads the result, as if no instruction between them waited.
 *
 *   ISETP P0   ── 1 ──▶  IADD R7, R2 (waits for a load)  ── 11 ──▶  @P0 BRA
 *
 * The branch comes 11 cycles behind the addition, however long ago the comparison was. */
#include "core/distance.h"
#include "core/sm.h"
#include "front/ptx/ops.h"

enum { WINDOW = 24 }; /* more than any known latency */

/* Cycles until the result can be read; 0: machine code waits for it by scoreboard. */
static uint32_t known_latency(const struct core_config *k, const struct warp_inst *in) {
  if (in->klass != SLUICE_ALU || in->pipe == PIPE_MEM || in->slots > 1)
    return 0;
  switch (in->unit) {
  case PTX_UNIT_INT:
  case PTX_UNIT_IMUL:
  case PTX_UNIT_IMAD:
  case PTX_UNIT_IMAX:
  case PTX_UNIT_LOGIC:
  case PTX_UNIT_FP32:
  case PTX_UNIT_FMA:
  case PTX_UNIT_FMAX:
  case PTX_UNIT_FP16:
  case PTX_UNIT_FP16X2:
  case PTX_UNIT_HCVT:
  case PTX_UNIT_ICVT:
  case PTX_UNIT_SETP:
  case PTX_UNIT_GUARD:
    return k->unit[in->unit].latency + k->stages + in->crosses;
  default:
    return 0;
  }
}

static bool reads(const struct warp_inst *in, const struct warp_inst *from) {
  for (unsigned d = 0; d < from->ndst; d++)
    for (unsigned r = in->ndst; r < in->nregs; r++)
      if (in->reg[r] == from->reg[d])
        return true;
  return false;
}

void distance_set(const struct core_config *k, struct warp_inst *in, uint32_t n) {
  uint32_t at[WINDOW] = {0}; /* cycle of each of the last instructions, if none waited */
  for (uint32_t i = 1; i < n; i++) {
    uint32_t before = at[(i - 1) % WINDOW], now = before + 1, older = 0;
    for (uint32_t j = i; j-- > 0 && i - j < WINDOW;) {
      uint32_t cycles = known_latency(k, &in[j]);
      if (at[j % WINDOW] + cycles <= now || !reads(&in[i], &in[j]))
        continue;
      now = at[j % WINDOW] + cycles;
      if (j + 1 < i)
        older = now - before;
    }
    at[i % WINDOW] = now;
    in[i - 1].distance = (uint8_t)(older < 255 ? older : 255);
  }
}
