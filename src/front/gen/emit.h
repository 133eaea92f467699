/* Writes records of the stream (sluice.h describes them). */
#ifndef SLUICE_FRONT_GEN_EMIT_H
#define SLUICE_FRONT_GEN_EMIT_H

#include <stddef.h>
#include <stdint.h>

struct emit {
  uint32_t *words;
  size_t n, cap;
  unsigned warp_width;
};

void emit_head(struct emit *e, uint32_t block, uint32_t warp, uint64_t mask);
void emit_mask(struct emit *e, uint64_t mask);
/* An access to global memory by the lanes of mask (at least one): lane i at base + offset[i], no element across
 * a sector's border. base lies on a line's. */
void emit_access(struct emit *e, uint64_t base, const uint32_t *offset, uint64_t mask);

#endif
