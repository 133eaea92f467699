/* Textures, surfaces and images: what a texel is, where it lies, and what a fetch makes of texels.
 *
 *   drivers ── write a header into device memory ──▶ kernels hold its address (texture object, image, texref)
 *                                                        │ tex, tld4, suld, sust, txq
 *                                                        ▼
 *   texture_place: coordinates ─▶ which texels, with which weights      sample.c
 *   texel_offset:  texel        ─▶ byte of the image's memory           layout.c
 *   texture_blend: texels       ─▶ four results                         filter.c, format.c
 *
 * Addressing, filtering and conversion are those of an H200, bit for bit (tests/texture); docs/textures.md has the rules. */
#ifndef SLUICE_FRONT_TEXTURE_TEXTURE_H
#define SLUICE_FRONT_TEXTURE_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Channel orders and types have the values that OpenCL gives them, which PTX's txq gives too. */
enum texture_order {
  ORDER_R = 0x10B0,
  ORDER_A,
  ORDER_RG,
  ORDER_RA,
  ORDER_RGB,
  ORDER_RGBA,
  ORDER_BGRA,
  ORDER_ARGB,
  ORDER_INTENSITY,
  ORDER_LUMINANCE,
  ORDER_RX,
  ORDER_RGX,
  ORDER_RGBX,
};
enum texture_type {
  TYPE_SNORM8 = 0x10D0,
  TYPE_SNORM16,
  TYPE_UNORM8,
  TYPE_UNORM16,
  TYPE_UNORM_565,
  TYPE_UNORM_555,
  TYPE_UNORM_101010,
  TYPE_SINT8,
  TYPE_SINT16,
  TYPE_SINT32,
  TYPE_UINT8,
  TYPE_UINT16,
  TYPE_UINT32,
  TYPE_HALF,
  TYPE_FLOAT,
};

enum texture_layout { LAYOUT_PITCH, LAYOUT_BLOCK_LINEAR, LAYOUT_TILES };
enum texture_shape { SHAPE_1D, SHAPE_2D, SHAPE_3D, SHAPE_1D_ARRAY, SHAPE_2D_ARRAY, SHAPE_BUFFER };
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };

/* How a fetch reads. Samplers of OpenCL travel as one word (sampler_word), those of CUDA lie in the header. */
struct sampler {
  uint8_t address[3]; /* enum texture_address, by dimension */
  uint8_t linear, normalized;
  uint8_t pad[3];
  float border[4];
};

#define TEXTURE_MAGIC UINT32_C(0x74786554)
/* As it lies in device memory; `base` is the device address of the first texel. */
struct texture {
  uint32_t magic;
  uint16_t order, type;
  uint8_t shape, layout;
  uint8_t block_height; /* of LAYOUT_BLOCK_LINEAR: GOBs, as a power of two */
  uint8_t zero_alpha;   /* CUDA: a channel that the format lacks reads as 0, alpha too; OpenCL: alpha as 1 */
  uint32_t width, height, depth; /* depth: layers of an array; 1 where there is none */
  uint32_t texel_bytes;
  uint64_t base, row_pitch, slice_pitch;
  struct sampler sampler;
  uint32_t num_mips, num_samples;
  uint64_t reserved[3];
};
_Static_assert(sizeof(struct texture) == 112, "kernels and drivers agree on it");

/* format.c */
unsigned texture_channels(enum texture_order o);                         /* stored; 0: no such order */
unsigned texture_texel_bytes(enum texture_order o, enum texture_type t); /* 0: no such format */
static inline bool texture_is_integer(unsigned type) {
  return type >= TYPE_SINT8 && type <= TYPE_UINT32;
}
/* The stored channels of a texel, as they are: integers extended to 32 bits, fields of packed types, halves. */
void texel_unpack(const struct texture *t, const uint8_t *texel, uint32_t raw[4]);
void texel_pack(const struct texture *t, const uint32_t raw[4], uint8_t *texel);
/* Stored channels to the four results: bits of floats, or integers. */
void texel_decode(const struct texture *t, const uint32_t raw[4], uint32_t out[4]);
/* Four components (bits of floats where the format is no integer one) to a texel, rounded as OpenCL says (8.3). */
void texel_encode(const struct texture *t, const uint32_t in[4], uint8_t *texel);
/* The border's stored channels, as unpacked. */
void border_unpack(const struct texture *t, const struct sampler *s, uint32_t raw[4]);
/* Puts stored channels where they are seen: R, G, B, A; `one` is what a missing alpha is in OpenCL. */
void texture_swizzle(const struct texture *t, const uint32_t channel[4], uint32_t one, uint32_t out[4]);
float half_to_float(uint16_t h);
uint16_t float_to_half(float f); /* nearest even */

/* layout.c */
/* Sets texel_bytes and pitches for a layout; the bytes that the image needs. 0: too large. */
uint64_t texture_lay_out(struct texture *t, enum texture_layout layout);
/* Whether it describes a texture that fits into so many bytes. */
bool texture_is_whole(const struct texture *t, uint64_t bytes);
uint64_t texel_offset(const struct texture *t, uint32_t x, uint32_t y, uint32_t z);
/* Copies a box of texels between the image at `image` (host memory) and rows of the caller's. */
struct texture_box {
  uint32_t x, y, z, width, height, depth;
};
void texture_read(const struct texture *t, const uint8_t *image, const struct texture_box *b, uint8_t *to,
                  size_t row_pitch, size_t slice_pitch);
void texture_write(const struct texture *t, uint8_t *image, const struct texture_box *b, const uint8_t *from,
                   size_t row_pitch, size_t slice_pitch);

/* sample.c */
#define TEXELS_MAX   8
#define TEXEL_BORDER UINT64_MAX
#define TEXEL_NONE   (UINT64_MAX - 1) /* outside linear memory: zeros */
#define TEXEL_LIMIT  TEXEL_NONE       /* offsets lie below */
struct texels {
  unsigned n;                  /* 1, or 4 (2D; rows of two), or 8 (3D: two slices of 4) */
  uint64_t at[TEXELS_MAX];     /* offset, or TEXEL_BORDER */
  uint16_t weight[TEXELS_MAX]; /* of 256; n == 1: unused */
  uint8_t lost;                /* texels whose weight is above 0 and rounds to 0, by bit */
};
enum texture_coordinates { COORDINATES_FLOAT, COORDINATES_INT };
struct texture_point {
  enum texture_shape shape; /* as the instruction says */
  enum texture_coordinates kind;
  float f[3];
  int32_t i[3];
  int32_t layer; /* of arrays */
};
/* The texels that a fetch reads. */
void texture_place(const struct texture *t, const struct sampler *s, const struct texture_point *p,
                   struct texels *out);
/* tld4: the four texels that a linear fetch would read, in the order of the results. */
void texture_place_gather(const struct texture *t, const struct sampler *s, const struct texture_point *p,
                          struct texels *out);

/* filter.c */
/* Results of a fetch: image is host memory at t->base. */
void texture_blend(const struct texture *t, const struct sampler *s, const struct texels *at,
                   const uint8_t *image, uint32_t out[4]);
void texture_gather(const struct texture *t, const struct sampler *s, const struct texels *at,
                    unsigned component, const uint8_t *image, uint32_t out[4]);

/* A sampler of OpenCL as a word: bits of clang's __translate_sampler_initializer. */
struct sampler sampler_of_word(uint64_t word);

#endif
