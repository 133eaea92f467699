/* What an assembler makes of PTX before a GPU sees it: another order, fewer instructions, the same results.
 *
 *   ptx_parse ─▶ ptx_assemble ─▶ program_load
 *
 * Syntax tree in, syntax tree out: the executor, the stream and fault reports know nothing of it, for an
 * instruction keeps the line it came from. Every kernel computes the same bits as before; accesses to memory that
 * may overlap keep their order, and nothing passes barriers, fences, volatile accesses or clocks. */
#ifndef SLUICE_FRONT_PTX_ASSEMBLE_ASSEMBLE_H
#define SLUICE_FRONT_PTX_ASSEMBLE_ASSEMBLE_H

#include "front/ptx/ast.h"

/* front.schedule */
enum front_schedule { SCHEDULE_PTX, SCHEDULE_ASSEMBLER, SCHEDULE_ASSEMBLER9, NSCHEDULES };

/* Rewrites every function of the module in place. */
void ptx_assemble(struct ptx_module *m, enum front_schedule schedule);

#endif
