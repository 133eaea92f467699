#include "front/launch/elem.h"
#include "base/num.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct elem_row {
  const char *name;
  unsigned bytes;
  char kind;
};

static const struct elem_row rows[ELEM_NTYPES] = {[ELEM_NONE] = {"none", 1, 'b'},
#define X(e, name, bytes, kind) [ELEM_##e] = {name, bytes, kind},
                                                  ELEM_TYPES(X)
#undef X
};

const char *const elem_names[ELEM_NTYPES - 1] = {
#define X(e, name, bytes, kind) name,
    ELEM_TYPES(X)
#undef X
};

const char *elem_name(enum elem_type t) {
  return rows[t].name;
}

unsigned elem_bytes(enum elem_type t) {
  return rows[t].bytes;
}

char elem_kind(enum elem_type t) {
  return rows[t].kind;
}

struct number number_u64(uint64_t v) {
  return (struct number){.whole = true, .u = v, .f = (double)v};
}

struct number number_f64(double v) {
  return (struct number){.negative = signbit(v) != 0, .f = v};
}

bool number_parse(const char *s, struct number *out) {
  uint64_t u;
  int64_t i;
  double d;
  if (num_u64(s, &u) == NUM_OK) {
    *out = number_u64(u);
    return true;
  }
  if (num_i64(s, &i) == NUM_OK) {
    /* -0 is a float: as a whole number it would lose its sign */
    if (i) {
      *out = (struct number){.whole = true, .negative = true, .u = (uint64_t)i, .f = (double)i};
      return true;
    }
  }
  if (strcmp(s, ".inf") == 0 || strcmp(s, "-.inf") == 0 || strcmp(s, ".nan") == 0) {
    *out = number_f64(s[1] == 'n' ? (double)NAN : s[0] == '-' ? -(double)INFINITY : (double)INFINITY);
    return true;
  }
  if (num_f64(s, &d) != NUM_OK)
    return false;
  *out = number_f64(d);
  return true;
}

/* Sign, exponent and fraction of a float narrower than double. */
struct layout {
  int exp_bits, man_bits;
};

static struct layout layout(enum elem_type t) {
  switch (t) {
  case ELEM_F16:
    return (struct layout){5, 10};
  case ELEM_BF16:
    return (struct layout){8, 7};
  default:
    return (struct layout){8, 23};
  }
}

/* Rounded to nearest even on the bits: what is cut off is compared with half of the last bit kept. */
static uint64_t narrow(enum elem_type t, double v) {
  struct layout l = layout(t);
  int bias = (1 << (l.exp_bits - 1)) - 1;
  uint64_t bits, inf = ((UINT64_C(1) << l.exp_bits) - 1) << l.man_bits;
  memcpy(&bits, &v, sizeof bits);
  uint64_t sign = bits >> 63 << (l.exp_bits + l.man_bits);
  if (isnan(v)) /* canonical, as the hardware makes them */
    return t == ELEM_F32 ? UINT64_C(0x7fffffff) : UINT64_C(0x7fff);
  if (isinf(v))
    return sign | inf;
  int e = (int)(bits >> 52 & 0x7ff) - 1023, cut = 52 - l.man_bits;
  uint64_t base = 0, m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  if (e < 1 - bias) { /* subnormal: more is cut off */
    if (1 - bias - e > l.man_bits + 1)
      return sign;
    cut += 1 - bias - e;
  } else {
    base = (uint64_t)(e + bias - 1) << l.man_bits; /* the hidden bit adds the one */
  }
  m = (m + (UINT64_C(1) << (cut - 1)) - 1 + (m >> cut & 1)) >> cut;
  return sign | (base + m < inf ? base + m : inf);
}

static double widen(enum elem_type t, uint64_t bits) {
  struct layout l = layout(t);
  int bias = (1 << (l.exp_bits - 1)) - 1;
  uint64_t m = bits & ((UINT64_C(1) << l.man_bits) - 1);
  int e = (int)((bits >> l.man_bits) & ((UINT64_C(1) << l.exp_bits) - 1));
  double v;
  if (e == (1 << l.exp_bits) - 1)
    v = m ? (double)NAN : (double)INFINITY;
  else if (e)
    v = ldexp((double)(m | UINT64_C(1) << l.man_bits), e - bias - l.man_bits);
  else
    v = ldexp((double)m, 1 - bias - l.man_bits);
  return bits >> (l.exp_bits + l.man_bits) ? -v : v;
}

/* With the size known the compiler makes one store of it. */
static inline void put(unsigned size, uint64_t bits, uint8_t *to) {
  for (unsigned i = 0; i < size; i++)
    to[i] = (uint8_t)(bits >> (8 * i));
}

void elem_store_bits(enum elem_type t, uint64_t bits, uint8_t *to) {
  put(rows[t].bytes, bits, to);
}

static inline uint64_t f64_bits(enum elem_type t, double v) {
  uint64_t bits;
  if (t == ELEM_F64) {
    memcpy(&bits, &v, sizeof bits);
    return bits;
  }
  if (t == ELEM_F32 && !isnan(v)) {
    float f = (float)v; /* the same rounding, faster */
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
  }
  return narrow(t, v);
}

void elem_store_f64(enum elem_type t, double v, uint8_t *to) {
  elem_store_bits(t, f64_bits(t, v), to);
}

void elem_store_bits_many(enum elem_type t, const uint64_t *bits, uint64_t n, uint8_t *to) {
  switch (rows[t].bytes) {
  case 1:
    for (uint64_t k = 0; k < n; k++)
      to[k] = (uint8_t)bits[k];
    break;
  case 2:
    for (uint64_t k = 0; k < n; k++)
      put(2, bits[k], to + 2 * k);
    break;
  case 4:
    for (uint64_t k = 0; k < n; k++)
      put(4, bits[k], to + 4 * k);
    break;
  default:
    for (uint64_t k = 0; k < n; k++)
      put(8, bits[k], to + 8 * k);
  }
}

/* By the host's vector units, part by part; a part with NaNs, whose bits narrow() chooses, once more one by one. */
static void store_f32_many(const double *v, uint64_t n, uint8_t *to) {
  enum { PART = 128 };
  float part[PART];
  int32_t bits[PART], nans = 0;
  for (uint64_t i = 0, m; i < n; i += m, nans = 0) {
    m = n - i < PART ? n - i : PART;
    for (uint64_t k = 0; k < m; k++)
      part[k] = (float)v[i + k];
    memcpy(bits, part, m * sizeof *bits);
    for (uint64_t k = 0; k < m; k++)
      nans |= (bits[k] & INT32_MAX) > 0x7f800000;
    memcpy(to + 4 * i, bits, m * sizeof *bits); /* little endian, as the devices are */
    for (uint64_t k = i; nans && k < i + m; k++)
      put(4, f64_bits(ELEM_F32, v[k]), to + 4 * k);
  }
}

void elem_store_f64_many(enum elem_type t, const double *v, uint64_t n, uint8_t *to) {
  if (t == ELEM_F32)
    store_f32_many(v, n, to);
  else if (t == ELEM_F64)
    for (uint64_t k = 0; k < n; k++)
      put(8, f64_bits(ELEM_F64, v[k]), to + 8 * k);
  else
    for (uint64_t k = 0; k < n; k++)
      put(2, narrow(t, v[k]), to + 2 * k);
}

void elem_store(enum elem_type t, struct number v, uint8_t *to) {
  if (rows[t].kind == 'f')
    elem_store_f64(t, v.f, to);
  else
    elem_store_bits(t, v.u, to);
}

uint64_t elem_load_bits(enum elem_type t, const uint8_t *from) {
  uint64_t bits = 0;
  unsigned n = rows[t].bytes;
  for (unsigned i = 0; i < n; i++)
    bits |= (uint64_t)from[i] << (8 * i);
  if (rows[t].kind == 's' && n < 8 && bits >> (8 * n - 1))
    bits |= UINT64_MAX << (8 * n);
  return bits;
}

double elem_load_f64(enum elem_type t, const uint8_t *from) {
  uint64_t bits = elem_load_bits(t, from);
  double v;
  if (rows[t].kind == 's')
    return (double)(int64_t)bits;
  if (rows[t].kind != 'f')
    return (double)bits;
  if (t != ELEM_F64)
    return widen(t, bits);
  memcpy(&v, &bits, sizeof v);
  return v;
}

bool elem_fits(enum elem_type t, struct number v) {
  unsigned bits = 8 * rows[t].bytes;
  char kind = rows[t].kind;
  if (kind == 'f') {
    uint8_t bytes[8];
    elem_store_f64(t, v.f, bytes);
    return !isfinite(v.f) || isfinite(elem_load_f64(t, bytes));
  }
  if (!v.whole)
    return false;
  uint64_t unsigned_max = UINT64_MAX >> (64 - bits), signed_max = unsigned_max >> 1;
  if (v.negative)
    return kind != 'u' && v.u >= ~signed_max;
  return v.u <= (kind == 's' ? signed_max : unsigned_max);
}

const char *elem_range(enum elem_type t, char *buf, size_t n) {
  unsigned bits = 8 * rows[t].bytes;
  uint64_t unsigned_max = UINT64_MAX >> (64 - bits), signed_max = unsigned_max >> 1;
  if (rows[t].kind == 'f')
    snprintf(buf, n, "a number that %s can hold", rows[t].name);
  else
    snprintf(buf, n, "a whole number from %" PRId64 " to %" PRIu64,
             rows[t].kind == 'u' ? 0 : (int64_t)~signed_max, rows[t].kind == 's' ? signed_max : unsigned_max);
  return buf;
}

const char *elem_print(enum elem_type t, const uint8_t *from, char *buf, size_t n) {
  char f[NUM_F64_MAX];
  uint64_t bits = elem_load_bits(t, from);
  switch (rows[t].kind) {
  case 'f':
    if (t == ELEM_F64)
      snprintf(buf, n, "%s", num_print_f64(f, elem_load_f64(t, from)));
    else
      snprintf(buf, n, "%.9g", elem_load_f64(t, from));
    break;
  case 's':
    snprintf(buf, n, "%" PRId64, (int64_t)bits);
    break;
  case 'u':
    snprintf(buf, n, "%" PRIu64, bits);
    break;
  default:
    snprintf(buf, n, "0x%0*" PRIx64, (int)(2 * rows[t].bytes), bits);
  }
  return buf;
}

/* Float bits as integers that ascend with the value; both zeros are 0. */
static int64_t ordered(enum elem_type t, uint64_t bits) {
  unsigned sign_at = 8 * rows[t].bytes - 1;
  uint64_t magnitude = bits & ~(UINT64_C(1) << sign_at);
  return bits >> sign_at ? -(int64_t)magnitude : (int64_t)magnitude;
}

uint64_t elem_ulps(enum elem_type t, const uint8_t *a, const uint8_t *b) {
  uint64_t x = elem_load_bits(t, a), y = elem_load_bits(t, b);
  bool a_first;
  if (rows[t].kind == 'f') {
    bool nan_a = isnan(elem_load_f64(t, a)), nan_b = isnan(elem_load_f64(t, b));
    if (nan_a || nan_b)
      return nan_a && nan_b ? 0 : UINT64_MAX;
    x = (uint64_t)ordered(t, x);
    y = (uint64_t)ordered(t, y);
    a_first = (int64_t)x < (int64_t)y;
  } else {
    a_first = rows[t].kind == 's' ? (int64_t)x < (int64_t)y : x < y;
  }
  return a_first ? y - x : x - y;
}
