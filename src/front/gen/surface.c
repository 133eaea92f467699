#include "front/gen/surface.h"
#include "base/error.h"

static uint64_t spread(uint64_t v) {
  v = (v | v << 16) & UINT64_C(0x0000ffff0000ffff);
  v = (v | v << 8) & UINT64_C(0x00ff00ff00ff00ff);
  v = (v | v << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  v = (v | v << 2) & UINT64_C(0x3333333333333333);
  return (v | v << 1) & UINT64_C(0x5555555555555555);
}

static uint32_t gather(uint64_t v) {
  v &= UINT64_C(0x5555555555555555);
  v = (v | v >> 1) & UINT64_C(0x3333333333333333);
  v = (v | v >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  v = (v | v >> 4) & UINT64_C(0x00ff00ff00ff00ff);
  v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
  return (uint32_t)(v | v >> 16);
}

uint64_t morton(uint32_t x, uint32_t y) {
  return spread(x) | spread(y) << 1;
}

void morton_at(uint64_t i, uint32_t *x, uint32_t *y) {
  *x = gather(i);
  *y = gather(i >> 1);
}

struct surface surface_make(uint32_t width, uint32_t height, uint32_t bytes, bool tiled) {
  struct surface s = {.width = width, .height = height, .bytes = bytes, .tiled = tiled};
  if (!tiled) {
    s.size = (uint64_t)width * height * bytes;
    return s;
  }
  unsigned texels = 0; /* log2 */
  while ((uint64_t)bytes << (texels + 1) <= SURFACE_PAGE)
    texels++;
  s.block_x = (texels + 1) / 2;
  s.block_y = texels / 2;
  s.blocks = (width + (1u << s.block_x) - 1) >> s.block_x;
  uint32_t rows = (height + (1u << s.block_y) - 1) >> s.block_y;
  s.size = (uint64_t)s.blocks * rows * SURFACE_PAGE;
  return s;
}

uint64_t surface_offset(const struct surface *s, uint32_t x, uint32_t y) {
  if (x >= s->width || y >= s->height)
    panic("texel (%u,%u) of a surface of %u x %u", x, y, s->width, s->height);
  if (!s->tiled)
    return ((uint64_t)y * s->width + x) * s->bytes;
  uint64_t block = (uint64_t)(y >> s->block_y) * s->blocks + (x >> s->block_x);
  uint64_t inside = morton(x & ((1u << s->block_x) - 1), y & ((1u << s->block_y) - 1));
  return block * SURFACE_PAGE + inside * s->bytes;
}
