/* Coordinates to texels and weights, as an H200 has them (tests/texture/record.cu).
 *
 * Normalized coordinates are cut to multiples of 2^-21 before they are multiplied by the size. A point fetch takes the
 * texel that the coordinate lies in. A linear one rounds the distance to the texels' centres to 1/256 (half upwards), and
 * the products of such weights to 1/256 again, so that all weights add up to 256. */
#include "front/texture/texture.h"
#include <math.h>
#include <string.h>

enum {
  WEIGHT_BITS = 8,
  WEIGHT_ONE = 1 << WEIGHT_BITS,
  NORMALIZED_BITS = 21,
  NORMALIZED_BITS_LARGE = 22,
  LARGE = 32768
};
/* Beyond any texture, and exact in a double with the fraction's bits. */
static const double FAR = 0x1p30;

/* The coordinate in texels. NaN counts as 0. */
static double in_texels(float x, uint32_t size, const struct sampler *s, enum texture_address mode) {
  double v = (double)x;
  if (!(v == v))
    return 0;
  if (!s->normalized)
    return v < -FAR ? -FAR : v > FAR ? FAR : v;
  double one = size >= LARGE ? 1 << NORMALIZED_BITS_LARGE : 1 << NORMALIZED_BITS;
  if (isinf(v))
    return mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR ? 0 : v < 0 ? -FAR : FAR;
  v = floor(v * one);
  if (mode == ADDRESS_WRAP)
    v -= floor(v / one) * one;
  else if (mode == ADDRESS_MIRROR)
    v -= floor(v / (2 * one)) * 2 * one;
  v = v / one * size;
  return v < -FAR ? -FAR : v > FAR ? FAR : v;
}

/* The texel that index i stands for; -1: the border. */
static int64_t fold(int64_t i, uint32_t size, enum texture_address mode) {
  int64_t n = size, j;
  if (i >= 0 && i < n)
    return i;
  switch (mode) {
  case ADDRESS_WRAP:
    return ((i % n) + n) % n;
  case ADDRESS_MIRROR:
    j = ((i % (2 * n)) + 2 * n) % (2 * n);
    return j < n ? j : 2 * n - 1 - j;
  case ADDRESS_BORDER:
    return -1;
  default:
    return i < 0 ? 0 : n - 1;
  }
}

/* Wrapping and mirroring need normalized coordinates; without them they clamp. */
static enum texture_address mode_of(const struct sampler *s, unsigned d) {
  enum texture_address m = s->address[d];
  return !s->normalized && (m == ADDRESS_WRAP || m == ADDRESS_MIRROR) ? ADDRESS_CLAMP : m;
}

struct axis {
  int64_t at[2];   /* -1: border */
  unsigned weight; /* of at[1] */
};

static struct axis axis_point(float f, uint32_t size, const struct sampler *s, unsigned d) {
  enum texture_address m = mode_of(s, d);
  int64_t i = fold((int64_t)floor(in_texels(f, size, s, m)), size, m);
  return (struct axis){{i, i}, 0};
}

static struct axis axis_linear(float f, uint32_t size, const struct sampler *s, unsigned d) {
  enum texture_address m = mode_of(s, d);
  int64_t q = (int64_t)floor(in_texels(f, size, s, m) * WEIGHT_ONE - WEIGHT_ONE / 2 + 0.5);
  int64_t i = q >> WEIGHT_BITS, a = fold(i, size, m), b = fold(i + 1, size, m);
  /* between an edge texel and itself: all weight is the first one's */
  unsigned w = a == b && m == ADDRESS_CLAMP ? 0 : (unsigned)(q & (WEIGHT_ONE - 1));
  return (struct axis){{a, b}, w};
}

static unsigned scaled(unsigned a, unsigned b) {
  return (a * b + WEIGHT_ONE / 2) >> WEIGHT_BITS;
}

static uint64_t offset(const struct texture *t, int64_t x, int64_t y, int64_t z) {
  return x < 0 || y < 0 || z < 0 ? TEXEL_BORDER : texel_offset(t, (uint32_t)x, (uint32_t)y, (uint32_t)z);
}

/* Four texels of a slice whose weight is `whole`. */
static void quad(const struct texture *t, const struct axis *x, const struct axis *y, int64_t z,
                 unsigned whole, struct texels *out) {
  unsigned x1 = scaled(x->weight, whole), x0 = whole - x1;
  unsigned x1y1 = scaled(x1, y->weight), x0y0 = scaled(x0, WEIGHT_ONE - y->weight);
  const unsigned w[4] = {x0y0, x1 - x1y1, x0 - x0y0, x1y1};
  for (unsigned k = 0; k < 4; k++) {
    unsigned fx = k & 1 ? x->weight : WEIGHT_ONE - x->weight,
             fy = k >> 1 ? y->weight : WEIGHT_ONE - y->weight;
    if (!w[k] && fx && fy && whole)
      out->lost |= (uint8_t)(1u << out->n);
    out->at[out->n] = offset(t, x->at[k & 1], y->at[k >> 1], z);
    out->weight[out->n++] = (uint16_t)w[k];
  }
}

static int64_t layer_of(const struct texture *t, const struct texture_point *p) {
  if (p->shape != SHAPE_1D_ARRAY && p->shape != SHAPE_2D_ARRAY)
    return 0;
  uint32_t layer = (uint32_t)p->layer; /* without sign: below 0 is beyond the last */
  return layer < t->depth ? layer : t->depth - 1;
}

static bool is_flat(enum texture_shape s) {
  return s == SHAPE_1D || s == SHAPE_1D_ARRAY || s == SHAPE_BUFFER;
}

/* Integer coordinates name texels: those outside are the border in linear memory and where the sampler says so. */
static void place_int(const struct texture *t, const struct sampler *s, const struct texture_point *p,
                      struct texels *out) {
  const uint32_t size[3] = {t->width, t->height, t->depth};
  unsigned dims = is_flat(p->shape) ? 1 : p->shape == SHAPE_3D ? 3 : 2;
  int64_t at[3] = {0, 0, layer_of(t, p)};
  for (unsigned d = 0; d < dims; d++)
    at[d] = fold(p->i[d], size[d], t->shape == SHAPE_BUFFER ? ADDRESS_BORDER : mode_of(s, d));
  out->n = 1;
  out->at[0] = t->shape == SHAPE_BUFFER && at[0] < 0 ? TEXEL_NONE : offset(t, at[0], at[1], at[2]);
}

void texture_place(const struct texture *t, const struct sampler *s, const struct texture_point *p,
                   struct texels *out) {
  out->n = 0;
  out->lost = 0;
  if (p->kind == COORDINATES_INT) {
    place_int(t, s, p, out);
    return;
  }
  bool solid = p->shape == SHAPE_3D;
  /* The row of a 1D texture is read at its edge: linear filtering mixes a border of the second dimension in. That of a 1D
   * array is read at its centre. */
  float fy = p->shape == SHAPE_1D_ARRAY ? 0.5f : is_flat(p->shape) ? 0 : p->f[1];
  int64_t layer = layer_of(t, p);
  if (!s->linear || texture_is_integer(t->type)) {
    struct axis x = axis_point(p->f[0], t->width, s, 0), y = axis_point(fy, t->height, s, 1);
    struct axis z = {{layer, layer}, 0};
    if (solid)
      z = axis_point(p->f[2], t->depth, s, 2);
    out->n = 1;
    out->at[0] = offset(t, x.at[0], y.at[0], z.at[0]);
    return;
  }
  struct axis x = axis_linear(p->f[0], t->width, s, 0), y = axis_linear(fy, t->height, s, 1);
  if (!solid) {
    quad(t, &x, &y, layer, WEIGHT_ONE, out);
    return;
  }
  struct axis z = axis_linear(p->f[2], t->depth, s, 2);
  quad(t, &x, &y, z.at[0], WEIGHT_ONE - z.weight, out);
  quad(t, &x, &y, z.at[1], z.weight, out);
}

void texture_place_gather(const struct texture *t, const struct sampler *s, const struct texture_point *p,
                          struct texels *out) {
  static const unsigned order[4] = {2, 3, 1, 0}; /* lower left, lower right, upper right, upper left */
  struct texels q = {0};
  struct axis x = axis_linear(p->f[0], t->width, s, 0), y = axis_linear(p->f[1], t->height, s, 1);
  quad(t, &x, &y, layer_of(t, p), WEIGHT_ONE, &q);
  out->n = 4;
  for (unsigned k = 0; k < 4; k++)
    out->at[k] = q.at[order[k]], out->weight[k] = 0;
}

struct sampler sampler_of_word(uint64_t w) {
  static const uint8_t modes[8] = {ADDRESS_CLAMP,  ADDRESS_CLAMP, ADDRESS_BORDER, ADDRESS_WRAP,
                                   ADDRESS_MIRROR, ADDRESS_CLAMP, ADDRESS_CLAMP,  ADDRESS_CLAMP};
  struct sampler s = {.normalized = (uint8_t)(w & 1), .linear = (w >> 4 & 3) == 2};
  memset(s.address, modes[w >> 1 & 7], sizeof s.address);
  return s;
}
