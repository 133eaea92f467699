/* Matrix instructions, as an H200 computes them (tests/cuda/mma.c holds what one gave):
 *
 *   f16, bf16, tf32   every product is exact; products and c are aligned to the largest exponent among them, each cut
 *                     off at 25 bits below it, and added; the sum is cut to f32, or rounded to the nearest f16. All
 *                     of K goes into one sum.
 *   f64               one fused multiply-add after the other, k ascending.
 *   integers, bits    exact; the sum wraps, or saturates if asked to. */
#include "front/ptx/mma.h"
#include "front/run/run.h"
#include <math.h>
#include <string.h>

enum { BELOW = 25, MOST_K = 256, EMPTY = -100000 };

/* value = m * 2^e; top: the exponent that a leading one would have in a normal number of this type */
struct number {
  int32_t m; /* with sign */
  int16_t e, top;
  uint8_t special; /* 1 infinity, 2 NaN; the sign is m's */
};

static struct number decode(uint32_t v, unsigned exponent, unsigned mantissa) {
  struct number n = {0};
  int bias = (1 << (exponent - 1)) - 1, e = (int)(v >> mantissa & ((1u << exponent) - 1));
  int32_t f = (int32_t)(v & ((1u << mantissa) - 1));
  bool negative = v >> (exponent + mantissa) & 1;
  if (e == (1 << exponent) - 1) {
    n.special = f ? 2 : 1;
    n.m = negative ? -1 : 1;
    return n;
  }
  n.m = e ? f | 1 << mantissa : f;
  n.m = negative ? -n.m : n.m;
  n.e = (int16_t)((e ? e : 1) - bias - (int)mantissa);
  n.top = (int16_t)(n.e + (int)mantissa);
  return n;
}

struct sum {
  int64_t m;
  int q;           /* value = m * 2^q */
  uint8_t special; /* 1, 2: infinities of both signs; 4: NaN */
};

static int64_t aligned(int64_t m, int e, int q) {
  int shift = q - e;
  if (!m) /* its exponent may be anywhere */
    return 0;
  uint64_t size = (uint64_t)(m < 0 ? -m : m);
  size = shift <= 0 ? size << -shift : shift > 62 ? 0 : size >> shift;
  return m < 0 ? -(int64_t)size : (int64_t)size;
}

static struct sum add_up(const struct number *a, const struct number *b, unsigned k, const struct number *c) {
  struct sum s = {.special = c->special == 2 ? 4 : c->special ? (c->m < 0 ? 2 : 1) : 0};
  int top = c->m && !c->special ? c->top : EMPTY;
  for (unsigned i = 0; i < k; i++) {
    if (a[i].special | b[i].special) {
      bool nan = a[i].special == 2 || b[i].special == 2 || !a[i].m || !b[i].m;
      s.special |= nan ? 4 : (a[i].m < 0) != (b[i].m < 0) ? 2 : 1;
    } else if (a[i].m && b[i].m && a[i].top + b[i].top > top) {
      top = a[i].top + b[i].top;
    }
  }
  if (s.special || top == EMPTY)
    return s;
  s.q = top - BELOW;
  s.m = aligned(c->m, c->e, s.q);
  for (unsigned i = 0; i < k; i++)
    s.m += aligned((int64_t)a[i].m * b[i].m, a[i].e + b[i].e, s.q);
  return s;
}

/* Cut off; overflow is infinity. */
static uint32_t to_f32(const struct sum *s) {
  if (s->special)
    return s->special == 1 ? 0x7f800000u : s->special == 2 ? 0xff800000u : 0x7fffffffu;
  if (!s->m)
    return 0;
  uint64_t size = (uint64_t)(s->m < 0 ? -s->m : s->m);
  uint32_t sign = s->m < 0 ? 0x80000000u : 0;
  int lead = 63 - __builtin_clzll(size), e = lead + s->q, q = e < -126 ? -149 : e - 23;
  if (e > 127)
    return sign | 0x7f800000u;
  size = s->q >= q ? size << (s->q - q) : q - s->q > 62 ? 0 : size >> (q - s->q);
  return e < -126 ? sign | (uint32_t)size : sign | (uint32_t)(e + 127) << 23 | ((uint32_t)size & 0x7fffff);
}

/* To the nearest, ties to even. */
static uint32_t to_f16(const struct sum *s) {
  if (s->special)
    return s->special == 1 ? 0x7c00u : s->special == 2 ? 0xfc00u : 0x7fffu;
  if (!s->m)
    return 0;
  uint64_t size = (uint64_t)(s->m < 0 ? -s->m : s->m), m = 0;
  uint32_t sign = s->m < 0 ? 0x8000u : 0;
  int lead = 63 - __builtin_clzll(size), e = lead + s->q, q = e < -14 ? -24 : e - 10, shift = q - s->q;
  if (shift <= 0) {
    m = size << -shift;
  } else if (shift <= 62) {
    uint64_t half = UINT64_C(1) << (shift - 1), rest = size & (2 * half - 1);
    m = size >> shift;
    m += rest > half || (rest == half && m & 1);
  }
  if (m >> 11)
    m >>= 1, q++;
  int biased = m >> 10 ? q + 25 : 0;
  return biased >= 31 ? sign | 0x7c00u : sign | (uint32_t)biased << 10 | ((uint32_t)m & 1023);
}

static struct number element(enum mma_kind kind, uint32_t word, unsigned part) {
  switch (kind) {
  case MMA_F16:
    return decode(word >> 16 * part & 0xffff, 5, 10);
  case MMA_BF16:
    return decode(word >> 16 * part & 0xffff, 8, 7);
  default: /* MMA_TF32: the lower bits of an f32 are not looked at */
    return decode(word >> 13, 8, 10);
  }
}

/* The registers of a half warp: a, b, c, then d. */
struct operands {
  const struct site *s;
  const slot_t *a, *b, *c, *d;
  unsigned h, m, k, flags;
  enum mma_kind kind;
};

static uint32_t word_at(const struct operands *o, slot_t r, unsigned lane) {
  return ((const uint32_t *)site_at(o->s, r, o->h))[lane];
}

/* 16 bits of c, or all of it */
static uint32_t addend(const struct operands *o, unsigned row, unsigned col) {
  unsigned lane = 4 * (row % 8) + col / 2, r = 2 * (row / 8) + col % 2;
  if (o->flags & MMA_HALF_SUM)
    return word_at(o, o->c[r / 2], lane) >> 16 * (r % 2) & 0xffff;
  return word_at(o, o->c[r], lane);
}

static void floats(const struct operands *o, uint32_t result[16][8]) {
  unsigned per = o->kind == MMA_TF32 ? 1 : 2;
  static _Thread_local struct number a[16][16], b[8][16];
  for (unsigned k = 0; k < o->k; k++) {
    unsigned t = k / per % 4, block = k / (4 * per);
    for (unsigned r = 0; r < o->m; r++)
      a[r][k] = element(o->kind, word_at(o, o->a[r / 8 + o->m / 8 * block], 4 * (r % 8) + t), k % per);
    for (unsigned c = 0; c < 8; c++)
      b[c][k] = element(o->kind, word_at(o, o->b[block], 4 * c + t), k % per);
  }
  for (unsigned r = 0; r < o->m; r++)
    for (unsigned c = 0; c < 8; c++) {
      uint32_t v = addend(o, r, c);
      bool half = o->flags & MMA_HALF_SUM;
      struct number n = half ? decode(v, 5, 10) : decode(v, 8, 23);
      struct sum s = add_up(a[r], b[c], o->k, &n);
      result[r][c] = half ? to_f16(&s) : to_f32(&s);
    }
}

static int32_t integer(const struct operands *o, uint32_t word, unsigned part, bool is_unsigned) {
  if (o->kind == MMA_INT8) {
    uint8_t v = (uint8_t)(word >> 8 * part);
    return is_unsigned ? v : (int8_t)v;
  }
  int32_t v = (int32_t)(word >> 4 * part & 15);
  return is_unsigned || v < 8 ? v : v - 16;
}

static int64_t integer_product(const struct operands *o, uint32_t a, uint32_t b) {
  if (o->kind == MMA_BIT)
    return __builtin_popcount(o->flags & MMA_XOR ? a ^ b : a & b);
  int64_t sum = 0;
  for (unsigned p = 0; p < (o->kind == MMA_INT8 ? 4u : 8u); p++)
    sum += (int64_t)integer(o, a, p, o->flags & MMA_A_UNSIGNED) * integer(o, b, p, o->flags & MMA_B_UNSIGNED);
  return sum;
}

static void integers(const struct operands *o, uint32_t result[16][8]) {
  unsigned per = o->kind == MMA_INT8 ? 4 : o->kind == MMA_INT4 ? 8 : 32, blocks = o->k / (4 * per);
  for (unsigned r = 0; r < o->m; r++)
    for (unsigned c = 0; c < 8; c++) {
      int64_t sum = (int32_t)addend(o, r, c);
      for (unsigned block = 0; block < blocks; block++)
        for (unsigned t = 0; t < 4; t++)
          sum += integer_product(o, word_at(o, o->a[r / 8 + o->m / 8 * block], 4 * (r % 8) + t),
                                 word_at(o, o->b[block], 4 * c + t));
      if (o->flags & MMA_SATURATE)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
      result[r][c] = (uint32_t)sum;
    }
}

static double double_at(const struct operands *o, slot_t r, unsigned lane) {
  return ((const double *)site_at(o->s, r, o->h))[lane];
}

static void doubles(const struct operands *o) {
  double result[16][8];
  for (unsigned r = 0; r < o->m; r++)
    for (unsigned c = 0; c < 8; c++) {
      double sum = double_at(o, o->c[2 * (r / 8) + c % 2], 4 * (r % 8) + c / 2);
      for (unsigned k = 0; k < o->k; k++)
        sum = fma(double_at(o, o->a[r / 8], 4 * (r % 8) + k), double_at(o, o->b[0], 4 * c + k), sum);
      result[r][c] = sum;
    }
  for (unsigned r = 0; r < o->m; r++)
    for (unsigned c = 0; c < 8; c++)
      ((double *)site_at(o->s, o->d[2 * (r / 8) + c % 2], o->h))[4 * (r % 8) + c / 2] = result[r][c];
}

void run_mma(const struct site *s, const struct uop *u, unsigned half) {
  const struct uop_ext *x = u->x;
  static const uint8_t per[MMA_KINDS] = {2, 2, 1, 1, 4, 8, 32};
  struct operands o = {.s = s,
                       .h = half,
                       .kind = MMA_KIND(x->imm),
                       .m = MMA_M(x->imm),
                       .k = MMA_K(x->imm),
                       .flags = MMA_FLAGS(x->imm)};
  unsigned blocks = o.k / (4u * per[o.kind]);
  o.a = &x->regs[1];
  o.b = o.a + o.m / 8 * blocks;
  o.c = o.b + blocks;
  o.d = x->regs + x->nregs - x->vec;
  if (o.kind == MMA_F64) {
    doubles(&o);
    return;
  }
  uint32_t result[16][8];
  if (o.kind < MMA_F64)
    floats(&o, result);
  else
    integers(&o, result);
  for (unsigned r = 0; r < o.m; r++)
    for (unsigned c = 0; c < 8; c++) {
      unsigned lane = 4 * (r % 8) + c / 2, i = 2 * (r / 8) + c % 2;
      bool packed = o.flags & MMA_HALF_SUM;
      uint32_t *d = (uint32_t *)site_at(s, o.d[packed ? i / 2 : i], half) + lane;
      if (!packed)
        *d = result[r][c];
      else if (c % 2)
        *d |= result[r][c] << 16;
      else
        *d = result[r][c];
    }
}

/* imm 0: a register of another lane. 1, 2: rows that lanes loaded, dealt out; 2: transposed. */
void run_ldmatrix(const struct site *s, const struct uop *u, unsigned half) {
  const struct uop_ext *x = u->x;
  if (x->imm == 0) {
    const uint32_t *from = site_at(s, x->regs[1], half);
    uint8_t *a = site_at(s, x->regs[2], half), *d = site_at(s, x->regs[3], half), all[32 * 8];
    unsigned width = x->width[2];
    for (unsigned i = 0; i < 32; i++)
      memcpy(all + i * width, a + (from[i] & 31) * width, width);
    memcpy(d, all, 32 * width);
    return;
  }
  uint32_t rows[32][4], result[4][32];
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned i = 0; i < 4; i++)
      rows[lane][i] = ((const uint32_t *)site_at(s, x->regs[1 + i], half))[lane];
  for (unsigned i = 0; i < x->vec; i++)
    for (unsigned lane = 0; lane < 32; lane++) {
      if (x->imm == 1) {
        result[i][lane] = rows[8 * i + lane / 4][lane % 4];
        continue;
      }
      unsigned row = 2 * (lane % 4), col = lane / 4; /* two rows of one column */
      uint32_t lo = rows[8 * i + row][col / 2] >> 16 * (col % 2) & 0xffff,
               hi = rows[8 * i + row + 1][col / 2] >> 16 * (col % 2) & 0xffff;
      result[i][lane] = lo | hi << 16;
    }
  for (unsigned i = 0; i < x->vec; i++)
    memcpy(site_at(s, x->regs[x->nregs - x->vec + i], half), result[i], sizeof result[i]);
}
