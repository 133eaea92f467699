/* What cannot be run, by function: a kernel is refused for what it or a function it can call uses; the other kernels of a
 * file run. */
#ifndef SLUICE_FRONT_PTX_REFUSE_H
#define SLUICE_FRONT_PTX_REFUSE_H

#include "front/ptx/lower.h"

/* Adds lines to what is wrong with a function. */
void refuse_function(struct program *p, uint32_t f, const char *lines);
/* The same for opcodes of the function that are not supported, once each with its first line and how often it stands there. */
void refuse_opcodes(struct program *p, uint32_t f, const struct mnem *mnems);

/* Once every function is known: kernels take over what functions they can call are refused for. False after filling err:
 * something is refused and no kernel is left. */
bool refuse_kernels(struct program *p, struct error *err);

#endif
