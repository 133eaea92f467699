/* The five synthetic workloads of MARS' Table 1, as a rasteriser and its shader cores would make them.
 *
 * The screen is handed out in square tiles. A CTA is one thread context: one warp that walks the pixels of its
 * tile (or of every n-th tile), as many at a time as it has lanes. The paper says which streams there are and
 * whether they are read or written; all else here is a parameter with its default in workloads/mars-wl?/. */
#ifndef SLUICE_FRONT_GEN_MARS_H
#define SLUICE_FRONT_GEN_MARS_H

#include "front/exec.h"
#include "front/gen/gen.h"

enum mars_kind {
  MARS_TEXTURE,        /* WL1: read a texture */
  MARS_STENCIL_COLOUR, /* WL2: read stencil and colour, write both */
  MARS_CLEAR,          /* WL3: write colour */
  MARS_HIZ_DEPTH,      /* WL4: read HiZ, then depth where that does not decide */
  MARS_HIZ,            /* WL5: read HiZ, write what changed */
};

struct mars {
  enum mars_kind kind;
  const char *name;
  uint32_t width, height;                 /* pixels, multiples of tile */
  uint32_t tile;                          /* pixels along its edge: a power of two from 8 to 256 */
  bool tiles_along_z, pixels_along_z;     /* else row after row */
  bool tiled;                             /* layout of surfaces (surface.h) */
  uint32_t contexts;                      /* CTAs that share the tiles; 0: one for each */
  uint32_t alu;                           /* ALU instructions for each memory instruction */
  uint32_t inflight;                      /* steps whose loads are under way before the first is used */
  uint32_t pass;                          /* percent of the pixels (blocks) that pass the test */
  uint32_t texture_width, texture_height; /* WL1 */
  double rotation, scale;                 /* degrees; texels for each pixel */
  bool bilinear;                          /* four texels for each pixel, else one */
  uint64_t seed;
};

enum { MARS_MOST_SURFACES = 2, MARS_MOST_INFLIGHT = 16, MARS_MOST_ALU = 64 };
struct mars_buffer {
  const char *name;
  uint64_t bytes;
};
/* What it needs, in the order in which mars_open wants addresses; how many. */
unsigned mars_buffers(const struct mars *m, struct mars_buffer to[MARS_MOST_SURFACES]);
/* False after saying what does not go together. */
bool mars_check(const struct mars *m, struct error *err);
/* A gen_open_fn; `what` is a struct mars. */
struct exec *mars_open(const void *what, const uint64_t *buffers, const struct exec_options *o,
                       struct launch *l, struct kernel_info *k, struct error *err);

#endif
