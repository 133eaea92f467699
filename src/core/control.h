/* Control flow of warps (SIMT model). */
#ifndef SLUICE_CORE_CONTROL_H
#define SLUICE_CORE_CONTROL_H

#include <stdint.h>

struct sm;
struct warp_inst;

enum { CONTROL_FRACTION = 10 }; /* bits of cycles behind the point: sm.fetch_interval */

/* Cycles that instruction `in` of warp w adds before the warp's next instruction: for a branch taken or not, for lanes that part or meet,
 * and those that the instruction itself takes (warp_inst.holds). `before`, `pc`: the warp's lanes and program counter at `in`. */
uint32_t control_cycles(struct sm *s, uint32_t w, const struct warp_inst *in, uint64_t before, uint64_t pc);

#endif
