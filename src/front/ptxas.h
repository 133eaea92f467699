/* Registers per thread as an installed ptxas allocates them (front.registers = ptxas). */
#ifndef SLUICE_FRONT_PTXAS_H
#define SLUICE_FRONT_PTXAS_H

#include "front/exec.h"

/* Assembles the PTX for `target` ("sm_90"; "auto": sm_90, or what the PTX asks for where that is newer) and notes what
 * `ptxas -v` says of each kernel (counted[REGISTERS_PTXAS] of its kernel_info). SLUICE_PTXAS names the program, else it
 * is looked for along PATH and in CUDA's usual place. False after saying what is missing or what ptxas refused. */
bool ptxas_count(struct program *p, const char *path, const char *text, size_t n, const char *target,
                 struct error *err);
/* Rule of the parameter front.ptxas_target. */
bool ptxas_target_valid(const char *value);

#endif
