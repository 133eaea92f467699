#include "front/launch/fill.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void fill_free(struct fill *f) {
  free(f->path);
  free(f->data);
  *f = (struct fill){0};
}

static uint64_t xorshift64(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

/* One step is linear over GF(2): a 64x64 bit matrix, columns as words. Squaring it gives 2, 4, 8, ...
 * steps, so that any `skip` costs at most 64 squarings. */
static uint64_t times(const uint64_t *matrix, uint64_t x) {
  uint64_t r = 0;
  for (int i = 0; i < 64; i++)
    r ^= matrix[i] & (UINT64_C(0) - (x >> i & 1));
  return r;
}

static uint64_t xorshift64_skip(uint64_t x, uint64_t steps) {
  uint64_t m[64], square[64];
  for (int i = 0; i < 64; i++)
    m[i] = xorshift64(UINT64_C(1) << i);
  for (; steps; steps >>= 1) {
    if (steps & 1)
      x = times(m, x);
    for (int i = 0; i < 64; i++)
      square[i] = times(m, m[i]);
    memcpy(m, square, sizeof m);
  }
  return x;
}

/* Counter based: element i depends on the seed and i alone. */
static uint64_t mix(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static void put_iota(const struct fill *f, uint64_t i, uint8_t *to) {
  if (elem_kind(f->type) == 'f') {
    double v = f->start.f + f->step.f * (double)i;
    if (f->has_modulo) {
      v = fmod(v, f->modulo.f);
      if (v < 0)
        v += f->modulo.f;
    }
    elem_store_f64(f->type, v, to);
    return;
  }
  uint64_t v = f->start.u + f->step.u * i; /* wraps */
  if (f->has_modulo) {
    uint64_t m = f->modulo.u;
    if (elem_kind(f->type) == 's' && (int64_t)v < 0) {
      uint64_t r = (UINT64_C(0) - v) % m; /* the result is never negative */
      v = r ? m - r : 0;
    } else {
      v %= m;
    }
  }
  elem_store_bits(f->type, v, to);
}

static void put_xorshift(const struct fill *f, uint64_t *state, uint8_t *to) {
  *state = xorshift64(*state);
  uint64_t v = *state >> 32;
  if (f->has_modulo)
    v %= f->modulo.u;
  if (elem_kind(f->type) == 'f')
    elem_store_f64(f->type, (double)v, to);
  else
    elem_store_bits(f->type, v, to);
}

/* High word of a 64x64-bit product, without a 128-bit type. */
static uint64_t mul_high(uint64_t a, uint64_t b) {
  uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
  uint64_t mid = ah * bl + (al * bl >> 32);
  uint64_t mid2 = al * bh + (mid & UINT32_MAX);
  return ah * bh + (mid >> 32) + (mid2 >> 32);
}

static void put_random(const struct fill *f, uint64_t i, uint8_t *to) {
  uint64_t r = mix(f->seed, i);
  if (elem_kind(f->type) == 'f') {
    double u = (double)(r >> 11) * 0x1p-53;
    elem_store_f64(f->type, f->start.f * (1 - u) + f->step.f * u, to);
    return;
  }
  uint64_t count = f->step.u - f->start.u + 1; /* 0: all 2^64 */
  elem_store_bits(f->type, f->start.u + (count ? mul_high(r, count) : r), to);
}

bool fill_open(struct fill_stream *s, const struct fill *f, struct error *err) {
  *s = (struct fill_stream){.fill = f};
  if (f->kind == FILL_XORSHIFT64)
    s->state = xorshift64_skip(f->seed, f->skip);
  if (f->kind != FILL_FILE || f->data)
    return true;
  s->file = fopen(f->path, "rb");
  if (!s->file)
    return error_add(err, EXIT_USAGE, "%s: cannot open: %s", f->path, strerror(errno));
  if (fseeko(s->file, (off_t)f->offset, SEEK_SET) != 0) {
    error_add(err, EXIT_USAGE, "%s: cannot seek: %s", f->path, strerror(errno));
    fill_close(s);
    return false;
  }
  return true;
}

static bool read_bytes(struct fill_stream *s, uint8_t *to, uint64_t bytes, struct error *err) {
  const struct fill *f = s->fill;
  if (bytes > f->bytes - s->next)
    return error_add(err, EXIT_USAGE, "%s: too short", f->path ? f->path : "embedded file");
  if (f->data)
    memcpy(to, f->data + s->next, (size_t)bytes);
  else if (fread(to, 1, (size_t)bytes, s->file) != bytes)
    return error_add(err, EXIT_USAGE, "%s: %s", f->path,
                     ferror(s->file) ? strerror(errno) : "ends before the bytes that are needed");
  s->next += bytes;
  return true;
}

bool fill_read(struct fill_stream *s, uint8_t *to, uint64_t bytes, struct error *err) {
  const struct fill *f = s->fill;
  if (f->kind == FILL_FILE)
    return read_bytes(s, to, bytes, err);
  if (f->kind == FILL_ZERO) {
    memset(to, 0, (size_t)bytes);
    return true;
  }
  unsigned size = elem_bytes(f->type);
  uint64_t n = bytes / size;
  for (uint64_t i = 0; i < n; i++, to += size) {
    switch (f->kind) {
    case FILL_IOTA:
      put_iota(f, s->next + i, to);
      break;
    case FILL_XORSHIFT64:
      put_xorshift(f, &s->state, to);
      break;
    case FILL_RANDOM:
      put_random(f, s->next + i, to);
      break;
    default:
      elem_store(f->type, f->start, to);
    }
  }
  s->next += n;
  return true;
}

void fill_close(struct fill_stream *s) {
  if (s->file)
    fclose(s->file);
  s->file = NULL;
}

bool fill_apply(const struct fill *f, uint8_t *to, uint64_t bytes, struct error *err) {
  struct fill_stream s;
  if (!fill_open(&s, f, err))
    return false;
  bool ok = fill_read(&s, to, bytes, err);
  fill_close(&s);
  return ok;
}
