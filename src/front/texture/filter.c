/* Texels to results, as an H200 does it (tests/texture/record.cu).
 *
 *   normalized integers   as 16-bit numbers; the weighted sum is rounded to 16 bits, half upwards
 *   signed bytes          sums of 15 bits, widened by repeating their bits
 *   halves, floats        significands are aligned to the largest exponent among texels of some weight, cut four bits below
 *                         its last; the sum rounds to a half or a float, half away from zero. In 3D each slice is summed
 *                         for itself and cut, downwards, where the sums meet. */
#include "front/texture/texture.h"
#include <math.h>
#include <string.h>

static uint32_t float_bits(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}
static float as_float(uint32_t b) {
  float f;
  memcpy(&f, &b, sizeof f);
  return f;
}

/* Stored channels of a texel or, in normalized types, what they are as numbers of 16 bits (8 of signed bytes). */
static void fetch(const struct texture *t, const struct sampler *s, const uint8_t *image, uint64_t at,
                  uint32_t raw[4], bool filtering) {
  if (at == TEXEL_BORDER)
    border_unpack(t, s, raw);
  else
    texel_unpack(t, image + at, raw);
  if (filtering && t->type == TYPE_UNORM8)
    for (unsigned c = 0; c < 4; c++)
      raw[c] *= 257;
}

static uint32_t blend_unsigned(const uint32_t *v, const uint16_t *w, unsigned n) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += (uint64_t)v[k] * w[k];
  return float_bits((float)((double)((sum + 128) >> 8) / 65535.0));
}

static uint32_t blend_snorm16(const uint32_t *v, const uint16_t *w, unsigned n) {
  int64_t sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += (int64_t)(int32_t)v[k] * w[k];
  double q = (double)((sum + 128) >> 8) / 32767.0;
  return float_bits((float)(q < -1 ? -1 : q));
}

static uint32_t blend_snorm8(const uint32_t *v, const uint16_t *w, unsigned n) {
  int64_t sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += (int64_t)(int32_t)v[k] * w[k];
  /* of 127 * 256 to 32767: 1 + 1/128 + 1/32768, the last cut to its upper bits */
  double q = (double)((sum * 129 + 64 + (sum >> 12) * 16) >> 7) / 32767.0;
  return float_bits((float)(q < -1 ? -1 : q));
}

enum { GUARD_BITS = 4, SLICE_BITS = 15, SLICE_STEP = 4 };

/* A sum of texels: value = total * 2^unit. */
struct sum {
  int64_t total;
  int exponent; /* the largest; INT_MIN-like when there is nothing */
  bool any;
};

/* `digits`: 24 or 11. Values are finite. */
static struct sum sum_slice(const double *v, const uint16_t *w, unsigned n, int digits) {
  struct sum s = {0};
  for (unsigned k = 0; k < n; k++)
    if (w[k] && v[k] != 0) {
      int e;
      frexp(v[k], &e);
      if (!s.any || e - 1 > s.exponent)
        s.exponent = e - 1;
      s.any = true;
    }
  for (unsigned k = 0; k < n && s.any; k++)
    if (w[k])
      s.total += (int64_t)trunc(ldexp(v[k], digits - 1 + GUARD_BITS - s.exponent)) * w[k];
  return s;
}

/* Rounds total * 2^unit to so many digits, none below 2^least; half away from zero. */
static double round_sum(int64_t total, int unit, int digits, int least) {
  uint64_t a = (uint64_t)(total < 0 ? -total : total);
  if (!a)
    return 0;
  int bits = 64 - __builtin_clzll(a), drop = bits - digits;
  if (unit + drop < least)
    drop = least - unit;
  if (drop > 63)
    return 0;
  if (drop > 0)
    a = (a + (UINT64_C(1) << (drop - 1))) >> drop << drop;
  double v = ldexp((double)a, unit);
  return total < 0 ? -v : v;
}

static int64_t shift_down(int64_t v, int by) {
  return by > 62 ? (v < 0 ? -1 : 0) : by > 0 ? v >> by : (int64_t)((uint64_t)v << -by);
}

static double blend_finite(const double *v, const uint16_t *w, unsigned n, int digits, int least) {
  struct sum a = sum_slice(v, w, n > 4 ? 4 : n, digits);
  int unit = -(digits - 1) - GUARD_BITS - 8;
  if (n <= 4)
    return round_sum(a.total, a.exponent + unit, digits, least);
  struct sum b = sum_slice(v + 4, w + 4, 4, digits);
  if (!a.any || !b.any)
    return round_sum(a.any ? a.total : b.total, (a.any ? a.exponent : b.exponent) + unit, digits, least);
  int top = a.exponent > b.exponent ? a.exponent : b.exponent;
  top = (top + SLICE_STEP - 1) & ~(SLICE_STEP - 1);
  int grid = top - (digits - 1) - SLICE_BITS;
  /* both in units of the grid; one that lies above it keeps its bits by a finer grid for both */
  int low = a.exponent < b.exponent ? a.exponent + unit : b.exponent + unit;
  if (low > grid)
    grid = low;
  return round_sum(shift_down(a.total, grid - (a.exponent + unit)) +
                       shift_down(b.total, grid - (b.exponent + unit)),
                   grid, digits, least);
}

/* A NaN counts wherever its weight is above 0 before it is rounded; `lost` tells where that makes 0. */
static uint32_t blend_floats(const uint32_t *raw, const uint16_t *w, unsigned n, unsigned lost, bool half) {
  double v[TEXELS_MAX];
  bool plus = false, minus = false, nan = false, all_minus_zero = true;
  for (unsigned k = 0; k < n; k++) {
    float f = half ? half_to_float((uint16_t)raw[k]) : as_float(raw[k]);
    v[k] = !half && fabsf(f) < 0x1p-126f ? (signbit(f) ? -0.0 : 0.0) : (double)f;
    nan |= isnan(f) && lost >> k & 1;
    if (!w[k])
      continue;
    nan |= isnan(f), plus |= isinf(f) && f > 0, minus |= isinf(f) && f < 0;
    all_minus_zero &= v[k] == 0 && signbit(v[k]);
  }
  if (nan || (plus && minus))
    return half ? 0x7fffe000u : 0x7fffffffu;
  if (plus || minus)
    return minus ? 0xff800000u : 0x7f800000u;
  double r = blend_finite(v, w, n, half ? 11 : 24, half ? -24 : -149);
  if (!half && fabs(r) < 0x1p-126)
    r = 0;
  return float_bits(all_minus_zero ? -0.0f : (float)r);
}

static uint32_t blend_channel(const struct texture *t, const uint32_t *v, const struct texels *at) {
  const uint16_t *w = at->weight;
  unsigned n = at->n;
  switch (t->type) {
  case TYPE_UNORM8:
  case TYPE_UNORM16:
    return blend_unsigned(v, w, n);
  case TYPE_SNORM8:
    return blend_snorm8(v, w, n);
  case TYPE_SNORM16:
    return blend_snorm16(v, w, n);
  default:
    return blend_floats(v, w, n, at->lost, t->type == TYPE_HALF);
  }
}

void texture_blend(const struct texture *t, const struct sampler *s, const struct texels *at,
                   const uint8_t *image, uint32_t out[4]) {
  uint32_t raw[TEXELS_MAX][4], channel[4];
  if (at->n == 1) {
    if (at->at[0] == TEXEL_NONE) {
      memset(out, 0, 4 * sizeof *out);
      return;
    }
    fetch(t, s, image, at->at[0], raw[0], false);
    texel_decode(t, raw[0], out);
    return;
  }
  for (unsigned k = 0; k < at->n; k++)
    fetch(t, s, image, at->at[k], raw[k], true);
  for (unsigned c = 0; c < 4; c++) {
    uint32_t v[TEXELS_MAX];
    for (unsigned k = 0; k < at->n; k++)
      v[k] = raw[k][c];
    channel[c] = blend_channel(t, v, at);
  }
  texture_swizzle(t, channel, float_bits(1.0f), out);
}

/* Each texel passes the filter, with all of the weight, whatever the sampler says. */
void texture_gather(const struct texture *t, const struct sampler *s, const struct texels *at,
                    unsigned component, const uint8_t *image, uint32_t out[4]) {
  for (unsigned k = 0; k < 4; k++) {
    bool filtering = !texture_is_integer(t->type);
    struct texels one = {
        .n = filtering ? 4 : 1, .at = {at->at[k], at->at[k], at->at[k], at->at[k]}, .weight = {256}};
    uint32_t v[4];
    texture_blend(t, s, &one, image, v);
    out[k] = v[component];
  }
}
