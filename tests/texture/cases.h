/* Texture fetches whose results an H200 recorded: which textures, which coordinates. Shared by the program that records
 * (record.cu, on a machine with nvcc) and the test that compares (test_texture.c), so that the record holds results only.
 *
 * A case is a texture (shape, format, data made by a hash) read in one mode at CASE_SAMPLES places. */
#ifndef SLUICE_TESTS_TEXTURE_CASES_H
#define SLUICE_TESTS_TEXTURE_CASES_H

#include <stdint.h>
#include <string.h>

enum case_shape {
  CASE_1D,
  CASE_2D,
  CASE_3D,
  CASE_1D_LAYERS,
  CASE_2D_LAYERS,
  CASE_GATHER,
  CASE_LINEAR,
  CASE_PITCH
};
enum case_element { EL_U8, EL_S8, EL_U16, EL_S16, EL_U32, EL_S32, EL_F16, EL_F32, EL_N };
enum case_address { AD_WRAP, AD_CLAMP, AD_MIRROR, AD_BORDER }; /* cudaTextureAddressMode */

struct texture_case {
  enum case_shape shape;
  enum case_element element;
  unsigned channels;
  int normalized_read;   /* integers as fractions; floats always 0 */
  int linear;            /* filter */
  int normalized_coords; /* 0..1 */
  enum case_address mode[3];
  unsigned size[3];   /* width, height, depth or layers */
  unsigned component; /* of a gather */
  float border[4];
  uint32_t seed;
};

enum { CASE_SAMPLES = 48 };
/* Other textures and places by other seeds; 0 are those of the record. With CASE_WIDE, floats of all exponents, infinities and NaN. */
static uint32_t case_seed;
#define CASE_WIDE 0x80000000u

static inline uint32_t case_mix(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}
static inline uint32_t case_hash(uint32_t a, uint32_t b) {
  return case_mix(case_mix(a * 0x9e3779b9u + 1) + b * 0x85ebca6bu);
}
static inline float case_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static inline unsigned case_bytes(enum case_element e) {
  return e <= EL_S8 ? 1 : e <= EL_S16 || e == EL_F16 ? 2 : 4;
}
/* Bits of channel c of texel i. Floats: of all signs, from 2^-8 to 2^8. */
static inline uint32_t case_texel(const struct texture_case *t, unsigned i, unsigned c) {
  uint32_t r = case_hash(t->seed, i * 4 + c);
  if (case_seed & CASE_WIDE && t->element >= EL_F16)
    return t->element == EL_F32 ? r : r & 0xffffu;
  if (t->element == EL_F32)
    return (r & 0x807fffffu) | (119u + (r >> 8) % 17u) << 23;
  if (t->element == EL_F16)
    return (r & 0x83ffu) | (7u + (r >> 16) % 17u) << 10;
  return case_bytes(t->element) == 4 ? r : r & ((1u << 8 * case_bytes(t->element)) - 1u);
}

/* One coordinate of sample s in dimension d; texels in all of it, so that the texture's edges are met often. */
static inline float case_coordinate(const struct texture_case *t, unsigned s, unsigned d) {
  static const float special[] = {0.0f,      -0.0f,      1e-30f,       -1e-30f,      1e10f,
                                  -1e10f,    3e38f,      -3e38f,       65535.f,      65536.f,
                                  8388608.f, -8388608.f, 2147483648.f, -2147483648.f};
  uint32_t r = case_hash(t->seed ^ 0x5bd1e995u, s * 3 + d), q = case_hash(r, 7), bits;
  float n = (float)t->size[d], x;
  switch (d && s % 16 == 7 ? 0 : s % 8) { /* special numbers in the first dimension alone, too */
  default:                                /* anywhere, a little beyond the edges too */
    x = ((float)(r >> 8) / 16777216.0f * 1.5f - 0.25f) * n;
    break;
  case 3: /* far outside */
    x = ((float)(r >> 8) / 16777216.0f * 16.0f - 8.0f) * n;
    break;
  case 4: /* a texel's edge, or a few steps beside it */
    x = (float)(int)(r % (t->size[d] + 3)) - 1.0f;
    x = x == 0 ? 1e-7f : x;
    memcpy(&bits, &x, sizeof bits);
    x = case_float(bits + q % 7 - 3);
    break;
  case 5: /* a texel's centre and 1/512ths around it: where weights round */
    x = (float)(int)(r % (t->size[d] + 3)) - 1.5f + (float)(int)(q % 1025) / 1024.0f;
    break;
  case 6: /* the same, and a little more or less */
    x = (float)(int)(r % (t->size[d] + 3)) - 1.5f + (float)(int)(q % 513) / 512.0f +
        (float)(int)(q >> 16 & 15) * 1e-6f - 7e-6f;
    break;
  case 7: {
    unsigned k = r % 18;
    if (k >= 14)
      return case_float(k == 14 ? 0x7fc00000u : k == 15 ? 0x7f800000u : k == 16 ? 0xff800000u : 0xffc00001u);
    return special[k];
  }
  }
  return t->normalized_coords ? x / n : x;
}
/* The layer, or the index of a texel in linear memory. */
static inline int case_index(const struct texture_case *t, unsigned s, unsigned limit) {
  uint32_t r = case_hash(t->seed ^ 0xc2b2ae35u, s);
  return s % 8 == 7 ? (int)r : (int)(r % (limit + 4)) - 2;
}

/* Case number n; 0: there is no such case. */
static inline int case_get(unsigned n, struct texture_case *t) {
  static const unsigned widths[] = {8, 13, 64, 5, 100, 3, 1, 33};
  static const unsigned channels[] = {1, 2, 4};
  enum { PER_SHAPE = 3 * EL_N * 2 };
  unsigned shape = n / PER_SHAPE, k = n % PER_SHAPE;
  uint32_t r = case_hash(0x1234567u + case_seed * 2654435761u, n);
  if (n >= 8 * PER_SHAPE) { /* every mode, of floats and of bytes */
    unsigned m = n - 8 * PER_SHAPE;
    if (m >= 64)
      return 0;
    memset(t, 0, sizeof *t);
    t->seed = n + case_seed * 40503u;
    t->shape = m & 32 ? CASE_2D : CASE_1D;
    t->element = m & 16 ? EL_U8 : EL_F32;
    t->normalized_read = t->element == EL_U8;
    t->channels = 1;
    t->linear = m >> 3 & 1;
    t->normalized_coords = m >> 2 & 1;
    t->mode[0] = (enum case_address)(m & 3);
    t->mode[1] = (enum case_address)((m + 1) & 3);
    t->mode[2] = AD_CLAMP;
    t->size[0] = 12, t->size[1] = m & 32 ? 7 : 1, t->size[2] = 1;
    for (unsigned c = 0; c < 4; c++)
      t->border[c] = 0.25f * (float)(c + 1);
    return 1;
  }
  memset(t, 0, sizeof *t);
  t->seed = n + case_seed * 40503u;
  t->shape = (enum case_shape)shape;
  t->channels = channels[k % 3];
  t->element = (enum case_element)(k / 3 % EL_N);
  t->linear = (int)(k / 3 / EL_N);
  t->normalized_read = t->element <= EL_S16 && (t->linear || (r & 1));
  if (t->linear && (t->element == EL_U32 || t->element == EL_S32))
    t->linear = 0;
  t->normalized_coords = r >> 1 & 1;
  for (unsigned d = 0; d < 3; d++) {
    t->mode[d] = (enum case_address)(r >> (2 + 2 * d) & 3);
    if (!t->normalized_coords && (t->mode[d] == AD_WRAP || t->mode[d] == AD_MIRROR))
      t->mode[d] = (r >> 9 & 1) ? AD_CLAMP : AD_BORDER;
    t->size[d] = widths[r >> (10 + 3 * d) & 7];
  }
  for (unsigned c = 0; c < 4; c++)
    t->border[c] = (float)((r >> (20 + c)) & 7) * 0.125f;
  if (t->shape == CASE_1D || t->shape == CASE_1D_LAYERS || t->shape == CASE_LINEAR)
    t->size[1] = 1;
  if (t->shape == CASE_2D || t->shape == CASE_1D || t->shape == CASE_GATHER || t->shape == CASE_LINEAR ||
      t->shape == CASE_PITCH)
    t->size[2] = 1;
  if (t->shape == CASE_3D)
    for (unsigned d = 0; d < 3; d++)
      if (t->size[d] > 13)
        t->size[d] = 6;
  if (t->shape == CASE_1D_LAYERS || t->shape == CASE_2D_LAYERS)
    t->size[2] = 1 + t->size[2] % 7;
  if (t->shape == CASE_LINEAR)
    t->linear = 0, t->normalized_coords = 0;
  if (t->shape == CASE_GATHER)
    t->linear = (k & 1) && (t->normalized_read || t->element >= EL_F16), t->component = r >> 28 & 3;
  return 1;
}

#endif
