/* The buffer at the GPU's edge: what all slices miss waits there for all channels, oldest first. It stands where a
 * technique at the memory source would (l2/memory_side.h). */
#ifndef SLUICE_L2_EDGE_H
#define SLUICE_L2_EDGE_H

#include "tech/tech.h"

struct tech_order edge_new(uint32_t entries);
void edge_free(struct tech_order *edge);

#endif
