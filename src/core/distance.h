/* Cycles between instructions that machine code states. */
#ifndef SLUICE_CORE_DISTANCE_H
#define SLUICE_CORE_DISTANCE_H

#include <stdint.h>

struct core_config;
struct warp_inst;

/* Sets the distance of each instruction of a block to the next one. */
void distance_set(const struct core_config *k, struct warp_inst *in, uint32_t n);

#endif
