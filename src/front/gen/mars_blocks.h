/* The instructions of MARS' workloads: passes over a tile, and the blocks a warp executes in each.
 *
 * A pass visits the cells of a tile (pixels, or the 8 x 8 pixels of a HiZ entry) in steps of one warp. A step has
 * two blocks: `fetch` issues its loads, `retire` computes with what they brought, and stores. Loads of `inflight`
 * steps are under way at a time, each in registers of its own:
 *
 *     fetch 0, fetch 1, … fetch n-1, retire 0, fetch n, retire 1, fetch n+1, … */
#ifndef SLUICE_FRONT_GEN_MARS_BLOCKS_H
#define SLUICE_FRONT_GEN_MARS_BLOCKS_H

#include "front/gen/mars.h"

enum { MARS_MOST_ACCESSES = 4, MARS_MOST_PASSES = 2 };

struct mars_access {
  uint8_t surface; /* of mars_buffers */
  bool store;
  bool tested;    /* only lanes that pass */
  uint8_t sample; /* texture: which texel of the four */
};

struct mars_pass {
  uint32_t cell; /* pixels along its edge */
  unsigned n;
  struct mars_access access[MARS_MOST_ACCESSES];
};

struct mars_surface {
  const char *name;
  uint32_t bytes, cell; /* of an element, and the pixels along its edge */
  enum sluice_cache_op stream;
};

struct mars_rule {
  const char *kernel;
  uint32_t decide; /* pixels along the edge of what the test decides about */
  unsigned nsurfaces, npasses;
  struct mars_surface surface[MARS_MOST_SURFACES];
  struct mars_pass pass[MARS_MOST_PASSES];
};
extern const struct mars_rule mars_rules[];
/* Accesses of a pass: fewer texels where they are not filtered. */
unsigned mars_accesses(const struct mars *m, unsigned pass);

struct mars_blocks {
  struct sluice_block *block;
  uint32_t n, registers;
};
/* The number of a block; it may be empty. */
uint32_t mars_block_number(const struct mars *m, unsigned pass, uint32_t slot, bool retire);
struct mars_blocks mars_blocks_make(const struct mars *m);
void mars_blocks_free(struct mars_blocks *b);

#endif
