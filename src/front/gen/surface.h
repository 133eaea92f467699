/* A surface: a picture of texels in memory.
 *
 * Linear: row after row. Tiled: 4 KB blocks, row after row; a block is as square as its texels allow, and inside
 * it texels lie along a Z curve, so that a line holds a rectangle of the picture and a page a larger one:
 *
 *     4-byte texels:   page = 32 x 32,   128-byte line = 8 x 4,   64 bytes = 4 x 4 */
#ifndef SLUICE_FRONT_GEN_SURFACE_H
#define SLUICE_FRONT_GEN_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

enum { SURFACE_PAGE = 4096 };

struct surface {
  uint32_t width, height, bytes; /* texels; bytes of one: 1, 2, 4, 8 or 16 */
  bool tiled;
  unsigned block_x, block_y; /* log2 of the texels of a block */
  uint32_t blocks;           /* in a row of them */
  uint64_t size;             /* bytes in all; a surface begins with a page */
};

struct surface surface_make(uint32_t width, uint32_t height, uint32_t bytes, bool tiled);
/* Where texel (x, y) lies. */
uint64_t surface_offset(const struct surface *s, uint32_t x, uint32_t y);

/* The Z curve: bits of x and y in turn, x first; and back. */
uint64_t morton(uint32_t x, uint32_t y);
void morton_at(uint64_t i, uint32_t *x, uint32_t *y);

#endif
