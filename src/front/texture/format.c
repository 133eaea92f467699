/* Texels as bytes, as numbers, and back. */
#include "front/texture/texture.h"
#include <math.h>
#include <string.h>

unsigned texture_channels(enum texture_order o) {
  switch (o) {
  case ORDER_R:
  case ORDER_A:
  case ORDER_INTENSITY:
  case ORDER_LUMINANCE:
  case ORDER_RX:
    return 1;
  case ORDER_RG:
  case ORDER_RA:
  case ORDER_RGX:
    return 2;
  case ORDER_RGB:
  case ORDER_RGBX:
    return 3;
  case ORDER_RGBA:
  case ORDER_BGRA:
  case ORDER_ARGB:
    return 4;
  }
  return 0;
}

/* Bytes of one channel; 0: channels share a word. */
static unsigned channel_bytes(unsigned type) {
  switch (type) {
  case TYPE_SNORM8:
  case TYPE_UNORM8:
  case TYPE_SINT8:
  case TYPE_UINT8:
    return 1;
  case TYPE_SNORM16:
  case TYPE_UNORM16:
  case TYPE_SINT16:
  case TYPE_UINT16:
  case TYPE_HALF:
    return 2;
  case TYPE_SINT32:
  case TYPE_UINT32:
  case TYPE_FLOAT:
    return 4;
  default:
    return 0;
  }
}

unsigned texture_texel_bytes(enum texture_order o, enum texture_type t) {
  unsigned n = texture_channels(o), bytes = channel_bytes(t);
  if (t == TYPE_UNORM_565 || t == TYPE_UNORM_555 || t == TYPE_UNORM_101010)
    return o != ORDER_RGB && o != ORDER_RGBX ? 0 : t == TYPE_UNORM_101010 ? 4 : 2;
  if (n == 3)
    return 0; /* with packed types only */
  return n * bytes;
}

/* Widths of the fields of packed types, from the highest bits down. */
static void packed_fields(unsigned type, unsigned bits[3]) {
  bits[0] = type == TYPE_UNORM_101010 ? 10 : 5;
  bits[1] = type == TYPE_UNORM_101010 ? 10 : type == TYPE_UNORM_565 ? 6 : 5;
  bits[2] = type == TYPE_UNORM_101010 ? 10 : 5;
}

static bool is_signed(unsigned type) {
  return type == TYPE_SNORM8 || type == TYPE_SNORM16 || type == TYPE_SINT8 || type == TYPE_SINT16 ||
         type == TYPE_SINT32;
}

void texel_unpack(const struct texture *t, const uint8_t *texel, uint32_t raw[4]) {
  unsigned n = texture_channels(t->order), bytes = channel_bytes(t->type);
  memset(raw, 0, 4 * sizeof *raw);
  if (!bytes) {
    unsigned bits[3], at = 0;
    uint32_t word = 0;
    packed_fields(t->type, bits);
    memcpy(&word, texel, t->texel_bytes);
    for (unsigned c = 3; c-- > 0; at += bits[c])
      raw[c] = word >> at & ((1u << bits[c]) - 1);
    return;
  }
  for (unsigned c = 0; c < n; c++) {
    uint32_t v = 0;
    memcpy(&v, texel + c * bytes, bytes);
    if (is_signed(t->type) && bytes < 4)
      v = (uint32_t)((int32_t)(v << (32 - 8 * bytes)) >> (32 - 8 * bytes));
    raw[c] = v;
  }
}

void texel_pack(const struct texture *t, const uint32_t raw[4], uint8_t *texel) {
  unsigned n = texture_channels(t->order), bytes = channel_bytes(t->type);
  if (!bytes) {
    unsigned bits[3], at = 0;
    uint32_t word = 0;
    packed_fields(t->type, bits);
    for (unsigned c = 3; c-- > 0; at += bits[c])
      word |= (raw[c] & ((1u << bits[c]) - 1)) << at;
    memcpy(texel, &word, t->texel_bytes);
    return;
  }
  for (unsigned c = 0; c < n; c++)
    memcpy(texel + c * bytes, &raw[c], bytes);
}

float half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, e = h >> 10 & 31u, m = h & 1023u, bits;
  float f;
  if (e == 31) {
    bits = sign | 0x7f800000u | m << 13;
  } else if (e) {
    bits = sign | (e + 112) << 23 | m << 13;
  } else {
    f = (float)m * 0x1p-24f;
    return sign ? -f : f;
  }
  memcpy(&f, &bits, sizeof f);
  return f;
}

uint16_t float_to_half(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  uint32_t sign = b >> 16 & 0x8000u, a = b & 0x7fffffffu;
  if (a > 0x7f800000u)
    return (uint16_t)(sign | 0x7e00u | (a >> 13 & 0x1ffu));
  if (a >= 0x477ff000u) /* 65520: halfway to what would be the next number */
    return (uint16_t)(sign | 0x7c00u);
  if (a < 0x38800000u) { /* below 2^-14: in units of 2^-24, the sum rounds to even */
    float v;
    memcpy(&v, &a, sizeof v);
    return (uint16_t)(sign | (uint32_t)lrintf(v * 0x1p24f));
  }
  uint32_t r = a + 0xfffu + (a >> 13 & 1u);
  return (uint16_t)(sign | ((r >> 13) - (112u << 10)));
}

static uint32_t float_bits(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}

/* The largest value of a normalized channel. */
static double norm_max(unsigned type, unsigned c) {
  switch (type) {
  case TYPE_SNORM8:
    return 127;
  case TYPE_SNORM16:
    return 32767;
  case TYPE_UNORM8:
    return 255;
  case TYPE_UNORM16:
    return 65535;
  default: {
    unsigned bits[3];
    packed_fields(type, bits);
    return (double)((1u << bits[c % 3]) - 1);
  }
  }
}

void texture_swizzle(const struct texture *t, const uint32_t v[4], uint32_t one, uint32_t out[4]) {
  uint32_t r = v[0], g = v[1], b = v[2], a = v[3];
  if (t->zero_alpha)
    one = 0;
  switch (t->order) {
  case ORDER_A:
    a = r, r = g = b = 0;
    break;
  case ORDER_RG:
  case ORDER_RGX:
    b = 0, a = one;
    break;
  case ORDER_RA:
    a = g, g = b = 0;
    break;
  case ORDER_RGB:
  case ORDER_RGBX:
    a = one;
    break;
  case ORDER_RGBA:
    break;
  case ORDER_BGRA:
    r = v[2], b = v[0];
    break;
  case ORDER_ARGB:
    a = v[0], r = v[1], g = v[2], b = v[3];
    break;
  case ORDER_INTENSITY:
    g = b = a = r;
    break;
  case ORDER_LUMINANCE:
    g = b = r, a = one;
    break;
  default:
    g = b = 0, a = one;
    break;
  }
  out[0] = r, out[1] = g, out[2] = b, out[3] = a;
}

/* The reverse: which of R, G, B, A each stored channel is. */
static void unswizzle(unsigned order, const uint32_t v[4], uint32_t out[4]) {
  memcpy(out, v, 4 * sizeof *out);
  switch (order) {
  case ORDER_A:
    out[0] = v[3];
    break;
  case ORDER_RA:
    out[1] = v[3];
    break;
  case ORDER_BGRA:
    out[0] = v[2], out[2] = v[0];
    break;
  case ORDER_ARGB:
    out[0] = v[3], out[1] = v[0], out[2] = v[1], out[3] = v[2];
    break;
  default:
    break;
  }
}

void texel_decode(const struct texture *t, const uint32_t raw[4], uint32_t out[4]) {
  uint32_t v[4];
  if (texture_is_integer(t->type)) {
    texture_swizzle(t, raw, 1, out);
    return;
  }
  for (unsigned c = 0; c < 4; c++)
    if (t->type == TYPE_FLOAT) {
      v[c] = raw[c];
    } else if (t->type == TYPE_HALF) {
      v[c] = float_bits(half_to_float((uint16_t)raw[c]));
    } else {
      double q = (double)(int32_t)raw[c] / norm_max(t->type, c);
      v[c] = float_bits((float)(q < -1 ? -1 : q));
    }
  texture_swizzle(t, v, float_bits(1.0f), out);
}

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* Rounds to the nearest even integer within [low, high]; NaN is 0. */
static uint32_t saturate(double v, double low, double high) {
  if (!(v == v))
    return 0;
  v = v < low ? low : v > high ? high : v;
  return (uint32_t)(int64_t)rint(v);
}

static uint32_t clamp_int(uint32_t v, unsigned type) {
  int32_t s = (int32_t)v;
  switch (type) {
  case TYPE_SINT8:
    return (uint32_t)(s < -128 ? -128 : s > 127 ? 127 : s);
  case TYPE_SINT16:
    return (uint32_t)(s < -32768 ? -32768 : s > 32767 ? 32767 : s);
  case TYPE_UINT8:
    return v > 255 ? 255 : v;
  case TYPE_UINT16:
    return v > 65535 ? 65535 : v;
  default:
    return v;
  }
}

static uint32_t cut_int(uint32_t v, unsigned type) {
  switch (type) {
  case TYPE_SINT8:
    return (uint32_t)(int32_t)(int8_t)v;
  case TYPE_SINT16:
    return (uint32_t)(int32_t)(int16_t)v;
  case TYPE_UINT8:
    return v & 0xff;
  case TYPE_UINT16:
    return v & 0xffff;
  default:
    return v;
  }
}

void texel_encode(const struct texture *t, const uint32_t in[4], uint8_t *texel) {
  uint32_t v[4];
  unswizzle(t->order, in, v);
  for (unsigned c = 0; c < 4; c++)
    if (texture_is_integer(t->type)) {
      v[c] = clamp_int(v[c], t->type);
    } else if (t->type == TYPE_HALF) {
      v[c] = float_to_half(as_float(v[c]));
    } else if (t->type != TYPE_FLOAT) {
      double max = norm_max(t->type, c), low = t->type <= TYPE_SNORM16 ? -max - 1 : 0;
      v[c] = saturate((double)as_float(v[c]) * max, low, max);
    }
  texel_pack(t, v, texel);
}

/* Floats to stored channels, half downwards; bits to integers, their lower ones. */
void border_unpack(const struct texture *t, const struct sampler *s, uint32_t raw[4]) {
  uint32_t v[4];
  for (unsigned c = 0; c < 4; c++)
    v[c] = float_bits(s->border[c]);
  unswizzle(t->order, v, raw);
  for (unsigned c = 0; c < 4; c++)
    if (texture_is_integer(t->type))
      raw[c] = cut_int(raw[c], t->type);
    else if (t->type == TYPE_HALF)
      raw[c] = float_to_half(as_float(raw[c]));
    else if (t->type != TYPE_FLOAT)
      raw[c] = saturate(ceil((double)as_float(raw[c]) * norm_max(t->type, c) - 0.5),
                        t->type <= TYPE_SNORM16 ? -norm_max(t->type, c) : 0, norm_max(t->type, c));
  for (unsigned c = texture_channels(t->order); c < 4; c++)
    raw[c] = 0;
}
