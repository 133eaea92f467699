/* Where texels lie.
 *
 *   pitch          rows one after another, a multiple of 32 bytes apart (64 texels of alignment do not pay here)
 *   block-linear   NVIDIA's: GOBs of 64 bytes by 8 rows, 512 bytes; `block_height` GOBs above each other make a block;
 *                  blocks follow each other along rows of blocks (Tegra X1's reference manual, 20.1; drm_fourcc.h,
 *                  DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D). Within a GOB sectors of 32 bytes by... see gob_offset().
 *   tiles          AMD's thin micro tiles: 8 by 8 texels in Morton order, tiles in rows
 *                  (AMD's addrlib, ADDR_TM_1D_TILED_THIN1, non-displayable order) */
#include "front/texture/texture.h"
#include <string.h>

enum {
  GOB_WIDTH = 64,
  GOB_HEIGHT = 8,
  GOB_BYTES = GOB_WIDTH * GOB_HEIGHT,
  MAX_BLOCK_HEIGHT = 4,
  PITCH_ALIGN = 32
};
enum { TILE = 8 };

static uint64_t round_up(uint64_t n, uint64_t to) {
  return (n + to - 1) / to * to;
}

uint64_t texture_lay_out(struct texture *t, enum texture_layout layout) {
  uint64_t row = (uint64_t)t->width * t->texel_bytes, rows = t->height, bytes;
  t->layout = (uint8_t)layout;
  t->block_height = 0;
  switch (layout) {
  case LAYOUT_PITCH:
    t->row_pitch = t->height > 1 || t->depth > 1 ? round_up(row, PITCH_ALIGN) : row;
    t->slice_pitch = t->row_pitch * rows;
    break;
  case LAYOUT_BLOCK_LINEAR:
    while (t->block_height < MAX_BLOCK_HEIGHT && (uint64_t)GOB_HEIGHT << t->block_height < rows)
      t->block_height++;
    t->row_pitch = round_up(row, GOB_WIDTH);
    t->slice_pitch = t->row_pitch * round_up(rows, (uint64_t)GOB_HEIGHT << t->block_height);
    break;
  case LAYOUT_TILES:
    t->row_pitch = round_up(t->width, TILE) * t->texel_bytes;
    t->slice_pitch = t->row_pitch * round_up(rows, TILE);
    break;
  }
  return __builtin_mul_overflow(t->slice_pitch, (uint64_t)t->depth, &bytes) ? 0 : bytes;
}

/* Bytes within a GOB: 16 bytes by 2 rows are a sector of 32; two sectors side by side, four... The order of the address
 * bits, from the lowest: x0..x3, y0, x4, y1, y2, x5. */
static uint64_t gob_offset(uint64_t x, uint64_t y) {
  return (x & 15) | (y & 1) << 4 | (x >> 4 & 1) << 5 | (y >> 1 & 3) << 6 | (x >> 5 & 1) << 8;
}

static uint64_t block_linear(const struct texture *t, uint64_t x, uint64_t y) {
  uint64_t high = UINT64_C(1) << t->block_height, block_rows = GOB_HEIGHT * high, block = GOB_BYTES * high;
  uint64_t blocks = t->row_pitch / GOB_WIDTH;
  return (y / block_rows * blocks + x / GOB_WIDTH) * block + y % block_rows / GOB_HEIGHT * GOB_BYTES +
         gob_offset(x % GOB_WIDTH, y % GOB_HEIGHT);
}

static uint64_t tiles(const struct texture *t, uint64_t x, uint64_t y) {
  uint64_t in = (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3;
  return y / TILE * TILE * t->row_pitch + (x / TILE * TILE * TILE + in) * t->texel_bytes;
}

uint64_t texel_offset(const struct texture *t, uint32_t x, uint32_t y, uint32_t z) {
  uint64_t slice = t->slice_pitch * z;
  switch (t->layout) {
  case LAYOUT_BLOCK_LINEAR:
    return slice + block_linear(t, (uint64_t)x * t->texel_bytes, y);
  case LAYOUT_TILES:
    return slice + tiles(t, x, y);
  default:
    return slice + y * t->row_pitch + (uint64_t)x * t->texel_bytes;
  }
}

/* Offsets grow with each coordinate in every layout: the last texel lies furthest. */
bool texture_is_whole(const struct texture *t, uint64_t bytes) {
  if (!t->width || !t->height || !t->depth || t->shape > SHAPE_BUFFER || t->layout > LAYOUT_TILES ||
      t->block_height > MAX_BLOCK_HEIGHT || !t->texel_bytes ||
      t->texel_bytes != texture_texel_bytes(t->order, t->type))
    return false;
  for (unsigned d = 0; d < 3; d++)
    if (t->sampler.address[d] > ADDRESS_BORDER)
      return false;
  uint64_t least = (uint64_t)t->width * t->texel_bytes, most = UINT64_C(1) << 40;
  if (t->row_pitch < least || t->row_pitch > most || t->slice_pitch > most || bytes > most)
    return false;
  return texel_offset(t, t->width - 1, t->height - 1, t->depth - 1) <= bytes - t->texel_bytes &&
         bytes >= t->texel_bytes;
}

void texture_read(const struct texture *t, const uint8_t *image, const struct texture_box *b, uint8_t *to,
                  size_t row_pitch, size_t slice_pitch) {
  for (uint32_t z = 0; z < b->depth; z++)
    for (uint32_t y = 0; y < b->height; y++) {
      uint8_t *row = to + z * slice_pitch + y * row_pitch;
      if (t->layout == LAYOUT_PITCH) {
        memcpy(row, image + texel_offset(t, b->x, b->y + y, b->z + z), (size_t)b->width * t->texel_bytes);
        continue;
      }
      for (uint32_t x = 0; x < b->width; x++)
        memcpy(row + (size_t)x * t->texel_bytes, image + texel_offset(t, b->x + x, b->y + y, b->z + z),
               t->texel_bytes);
    }
}

void texture_write(const struct texture *t, uint8_t *image, const struct texture_box *b, const uint8_t *from,
                   size_t row_pitch, size_t slice_pitch) {
  for (uint32_t z = 0; z < b->depth; z++)
    for (uint32_t y = 0; y < b->height; y++) {
      const uint8_t *row = from + z * slice_pitch + y * row_pitch;
      if (t->layout == LAYOUT_PITCH) {
        memcpy(image + texel_offset(t, b->x, b->y + y, b->z + z), row, (size_t)b->width * t->texel_bytes);
        continue;
      }
      for (uint32_t x = 0; x < b->width; x++)
        memcpy(image + texel_offset(t, b->x + x, b->y + y, b->z + z), row + (size_t)x * t->texel_bytes,
               t->texel_bytes);
    }
}
