#include "front/launch/fill.h"
#include "base/pool.h"
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

/* Elements are made a batch at a time: whole numbers in `u`, for floats in `f`. */
enum { BATCH = 512 };
union batch {
  uint64_t u[BATCH];
  double f[BATCH];
};

/* Where a rising sequence stays whole, never negative and within what its numbers hold up to element `last`, it can
 * be counted: the first element and the step, as integers. */
static bool counts(const struct fill *f, uint64_t last, uint64_t *start, uint64_t *step) {
  uint64_t limit = elem_kind(f->type) == 's' ? INT64_MAX : UINT64_MAX, end;
  *start = f->start.u, *step = f->step.u;
  if (elem_kind(f->type) == 'f') {
    double a = f->start.f, b = f->step.f;
    limit = UINT64_C(1) << 53; /* doubles below hold every integer */
    if (signbit(a) || signbit(b) || !(a <= 0x1p53) || !(b <= 0x1p53) || a != floor(a) || b != floor(b))
      return false;
    *start = (uint64_t)a, *step = (uint64_t)b;
  }
  return !__builtin_mul_overflow(*step, last, &end) && !__builtin_add_overflow(end, *start, &end) &&
         end <= limit;
}

/* Modulo m from element i on, where `counts`: without a division for each. */
static void count_modulo(uint64_t start, uint64_t step, uint64_t m, uint64_t i, uint64_t n, uint64_t *to) {
  uint64_t r = (start + step * i) % m, up = step % m;
  for (uint64_t k = 0; k < n; k++) {
    to[k] = r;
    r = r >= m - up ? r - (m - up) : r + up;
  }
}

static double modulo_f64(double v, double m) {
  v = fmod(v, m);
  return v < 0 ? v + m : v;
}

static uint64_t modulo_s64(uint64_t v, uint64_t m) {
  if ((int64_t)v >= 0)
    return v % m;
  uint64_t r = (UINT64_C(0) - v) % m; /* the result is never negative */
  return r ? m - r : 0;
}

static void iota_f64(const struct fill *f, uint64_t i, uint64_t n, union batch *b) {
  double start = f->start.f, step = f->step.f, m = f->modulo.f;
  uint64_t first, up;
  if (f->has_modulo && m <= 0x1p53 && m == floor(m) && counts(f, i + n - 1, &first, &up)) {
    double mod = m, r = (double)((first + up * i) % (uint64_t)m), by = (double)(up % (uint64_t)m);
    for (uint64_t k = 0; k < n; k++) { /* exact: all are whole, and less than 2^54 */
      b->f[k] = r;
      r += by;
      r -= r >= mod ? mod : 0;
    }
    return;
  }
  if (i < UINT64_C(1) << 52) /* then the sum is exact, and the host's vector units can make it */
    for (int32_t k = 0; k < (int32_t)n; k++)
      b->f[k] = start + step * ((double)i + (double)k);
  else
    for (uint64_t k = 0; k < n; k++)
      b->f[k] = start + step * (double)(i + k);
  for (uint64_t k = 0; f->has_modulo && k < n; k++)
    b->f[k] = modulo_f64(b->f[k], m);
}

static void iota_bits(const struct fill *f, uint64_t i, uint64_t n, union batch *b) {
  uint64_t m = f->modulo.u, first, up;
  if (f->has_modulo && counts(f, i + n - 1, &first, &up)) {
    count_modulo(first, up, m, i, n, b->u);
    return;
  }
  for (uint64_t k = 0; k < n; k++)
    b->u[k] = f->start.u + f->step.u * (i + k); /* wraps */
  for (uint64_t k = 0; f->has_modulo && k < n; k++)
    b->u[k] = elem_kind(f->type) == 's' ? modulo_s64(b->u[k], m) : b->u[k] % m;
}

static void xorshift_bits(const struct fill *f, uint64_t *state, uint64_t n, union batch *b) {
  uint64_t x = *state;
  for (uint64_t k = 0; k < n; k++)
    b->u[k] = (x = xorshift64(x)) >> 32;
  *state = x;
  if (!f->has_modulo || f->modulo.u > UINT32_MAX)
    return;
  uint32_t m = (uint32_t)f->modulo.u;
  for (uint64_t k = 0; k < n; k++)
    b->u[k] = (uint32_t)b->u[k] % m;
}

/* High word of a 64x64-bit product, without a 128-bit type. */
static uint64_t mul_high(uint64_t a, uint64_t b) {
  uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
  uint64_t mid = ah * bl + (al * bl >> 32);
  uint64_t mid2 = al * bh + (mid & UINT32_MAX);
  return ah * bh + (mid >> 32) + (mid2 >> 32);
}

static void random_f64(const struct fill *f, uint64_t i, uint64_t n, union batch *b) {
  double min = f->start.f, max = f->step.f;
  for (uint64_t k = 0; k < n; k++) {
    double u = (double)(int64_t)(mix(f->seed, i + k) >> 11) * 0x1p-53;
    b->f[k] = min * (1 - u) + max * u;
  }
}

static void random_bits(const struct fill *f, uint64_t i, uint64_t n, union batch *b) {
  uint64_t count = f->step.u - f->start.u + 1; /* 0: all 2^64 */
  for (uint64_t k = 0; k < n; k++)
    b->u[k] = mix(f->seed, i + k);
  for (uint64_t k = 0; k < n; k++)
    b->u[k] = f->start.u + (count ? mul_high(b->u[k], count) : b->u[k]);
}

/* The next n elements, at most a batch of them. */
static void make(struct fill_stream *s, uint64_t n, uint8_t *to) {
  const struct fill *f = s->fill;
  bool real = elem_kind(f->type) == 'f';
  union batch b;
  if (f->kind == FILL_XORSHIFT64) {
    xorshift_bits(f, &s->state, n, &b);
    for (uint64_t k = 0; real && k < n; k++)
      b.f[k] = (double)(int64_t)b.u[k];
  } else if (f->kind == FILL_IOTA) {
    (real ? iota_f64 : iota_bits)(f, s->next, n, &b);
  } else {
    (real ? random_f64 : random_bits)(f, s->next, n, &b);
  }
  if (real)
    elem_store_f64_many(f->type, b.f, n, to);
  else
    elem_store_bits_many(f->type, b.u, n, to);
}

/* The first `done` bytes again and again, until all are there; what is copied from stays in the host's cache. */
static void repeat(uint8_t *to, uint64_t done, uint64_t bytes) {
  for (uint64_t unit = done, n; done < bytes; done += n) {
    if (unit < 16384)
      unit = done;
    n = unit < bytes - done ? unit : bytes - done;
    memcpy(to + done, to, (size_t)n);
  }
}

/* After how many elements the next n begin anew; n: not within them, or nobody knows. */
static uint64_t cycle_of(const struct fill_stream *s, uint64_t n) {
  const struct fill *f = s->fill;
  uint64_t start, step, m = f->modulo.u;
  if (f->kind != FILL_IOTA || !f->has_modulo || !n)
    return n;
  if (elem_kind(f->type) == 'f') {
    if (!(f->modulo.f <= 0x1p53) || f->modulo.f != floor(f->modulo.f))
      return n;
    m = (uint64_t)f->modulo.f;
  }
  if (!counts(f, s->next + n - 1, &start, &step))
    return n;
  uint64_t a = m, b = step % m; /* greatest common divisor */
  while (b) {
    uint64_t r = a % b;
    a = b, b = r;
  }
  return m / a < n ? m / a : n;
}

bool fill_open(struct fill_stream *s, const struct fill *f, struct error *err) {
  *s = (struct fill_stream){.fill = f};
  if (f->kind == FILL_XORSHIFT64)
    s->state = xorshift64_skip(f->seed, f->skip);
  if (f->kind != FILL_FILE || f->data)
    return true;
  s->file = pool_file(fopen(f->path, "rb"));
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
  if (f->kind == FILL_VALUE) {
    if (bytes)
      elem_store(f->type, f->start, to);
    repeat(to, elem_bytes(f->type), bytes);
    return true;
  }
  unsigned size = elem_bytes(f->type);
  uint64_t all = bytes / size, made = cycle_of(s, all);
  for (uint64_t i = 0, n; i < made; i += n) {
    n = made - i < BATCH ? made - i : BATCH;
    make(s, n, to + i * size);
    s->next += n;
  }
  repeat(to, made * size, all * size);
  s->next += all - made;
  return true;
}

void fill_close(struct fill_stream *s) {
  if (s->file)
    pool_fclose(s->file);
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
