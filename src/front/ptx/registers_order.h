/* Registers that are live at a time in a block, in the order of an assembler. */
#ifndef SLUICE_FRONT_PTX_REGISTERS_ORDER_H
#define SLUICE_FRONT_PTX_REGISTERS_ORDER_H

#include "front/ptx/registers_values.h"

/* In the order of the program; and after each call, what lives across it. `alive` is a byte for each virtual register, zero. */
uint32_t order_as_is(const struct regvalues *e, uint32_t block, uint8_t *alive,
                     void (*call)(void *ctx, uint32_t callee, uint32_t live), void *ctx);
/* In the order of a list scheduler that keeps to `limit` where it can, of the block `copies` times over. `value` has a word for each
 * virtual register, PTX_NONE. */
uint32_t order_scheduled(const struct regvalues *e, uint32_t block, uint32_t copies, uint32_t limit,
                         uint32_t *value);
/* How often an assembler unrolls a block that is a loop by itself; 1: not. */
uint32_t order_unrolled(const struct regvalues *e, uint32_t block);

#endif
