/* Walks a segment of the stream and hands out its accesses to global memory, lane by lane. */
#ifndef SLUICE_FRONT_WALK_H
#define SLUICE_FRONT_WALK_H

#include "front/exec.h"

struct walk_access {
  const struct sluice_inst *inst;
  unsigned bytes, n;     /* of a lane; addresses: one of each active lane, of a texture fetch up to 8 */
  uint64_t address[512]; /* in the order of lanes, of each part */
};

/* Accesses in the order of the stream; lanes in other spaces are left out. */
void walk_global(const struct exec *x, const struct sluice_segment *s,
                 void (*see)(void *ctx, const struct walk_access *a), void *ctx);

/* The 128-byte lines of an access in the order of its lanes, each once; how many. */
unsigned walk_lines(const struct walk_access *a, uint64_t line[1024]);

#endif
