/* Rule: the integer functions of section 6.12.3 give the values their definitions say, for all eight types and all
 * vector widths. The expectation is computed in 128 bits. */
#include "lib_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;
static const struct type {
  const char *name, *result; /* result: of abs and abs_diff */
  unsigned bits;
  bool sign;
} types[] = {{"char", "uchar", 8, true},      {"uchar", "uchar", 8, false}, {"short", "ushort", 16, true},
             {"ushort", "ushort", 16, false}, {"int", "uint", 32, true},    {"uint", "uint", 32, false},
             {"long", "ulong", 64, true},     {"ulong", "ulong", 64, false}};
enum { NTYPES = sizeof types / sizeof *types };

static wide least(const struct type *t) {
  return t->sign ? -((wide)1 << (t->bits - 1)) : 0;
}
static wide most(const struct type *t) {
  return ((wide)1 << (t->bits - t->sign)) - 1;
}
static wide saturate(const struct type *t, wide v) {
  return v < least(t) ? least(t) : v > most(t) ? most(t) : v;
}
static wide low24(const struct type *t, wide v) {
  return t->sign ? (wide)((int32_t)((uint32_t)v << 8) >> 8) : (wide)((uint32_t)v & 0xffffff);
}
static wide floor_half(wide v) {
  return v >> 1;
}
static wide high(const struct type *t, wide a, wide b) {
  if (t->bits < 64 || t->sign)
    return (a * b) >> t->bits;
  return (wide)((unsigned __int128)a * (unsigned __int128)b >> 64);
}
static wide raw(const struct type *t, wide v) {
  return v & (((wide)1 << t->bits) - 1);
}

#define OP(name) static wide name(const struct type *t, wide a, wide b, wide c)
#define UNUSED   (void)t, (void)a, (void)b, (void)c
OP(op_abs) {
  UNUSED;
  return a < 0 ? -a : a;
}
OP(op_abs_diff) {
  UNUSED;
  return a < b ? b - a : a - b;
}
OP(op_add_sat) {
  UNUSED;
  return saturate(t, a + b);
}
OP(op_sub_sat) {
  UNUSED;
  return saturate(t, a - b);
}
OP(op_hadd) {
  UNUSED;
  return floor_half(a + b);
}
OP(op_rhadd) {
  UNUSED;
  return floor_half(a + b + 1);
}
OP(op_max) {
  UNUSED;
  return a > b ? a : b;
}
OP(op_min) {
  UNUSED;
  return a < b ? a : b;
}
OP(op_mul_hi) {
  UNUSED;
  return high(t, a, b);
}
OP(op_mad_hi) {
  UNUSED;
  return high(t, a, b) + c;
}
OP(op_mad_sat) {
  UNUSED;
  if (t->bits == 64 && !t->sign && a && b > most(t) / a) /* beyond 128 bits */
    return most(t);
  return saturate(t, a * b + c);
}
OP(op_rotate) {
  UNUSED;
  unsigned n = (unsigned)raw(t, b) % t->bits;
  return n ? raw(t, raw(t, a) << n) | raw(t, a) >> (t->bits - n) : a;
}
OP(op_clz) {
  UNUSED;
  unsigned n = 0;
  for (wide m = (wide)1 << (t->bits - 1); m && !(raw(t, a) & m); m >>= 1)
    n++;
  return n;
}
OP(op_popcount) {
  UNUSED;
  return __builtin_popcountll((unsigned long long)raw(t, a));
}
OP(op_mul24) {
  UNUSED;
  return low24(t, a) * low24(t, b);
}
OP(op_mad24) {
  UNUSED;
  return low24(t, a) * low24(t, b) + c;
}
OP(op_clamp) {
  UNUSED;
  return a < b ? b : a > c ? c : a;
}
OP(op_select) {
  UNUSED;
  return raw(t, c) >> (t->bits - 1) ? b : a;
}
OP(op_bitselect) {
  UNUSED;
  return (raw(t, a) & ~raw(t, c)) | (raw(t, b) & raw(t, c));
}

static const struct row {
  const char *name;
  unsigned args;
  wide (*op)(const struct type *, wide, wide, wide);
  bool unsigned_result, only32, ordered;
} rows[] = {
    {"abs", 1, op_abs, true, false, false},          {"abs_diff", 2, op_abs_diff, true, false, false},
    {"add_sat", 2, op_add_sat, false, false, false}, {"sub_sat", 2, op_sub_sat, false, false, false},
    {"hadd", 2, op_hadd, false, false, false},       {"rhadd", 2, op_rhadd, false, false, false},
    {"max", 2, op_max, false, false, false},         {"min", 2, op_min, false, false, false},
    {"mul_hi", 2, op_mul_hi, false, false, false},   {"mad_hi", 3, op_mad_hi, false, false, false},
    {"mad_sat", 3, op_mad_sat, false, false, false}, {"rotate", 2, op_rotate, false, false, false},
    {"clz", 1, op_clz, false, false, false},         {"popcount", 1, op_popcount, false, false, false},
    {"mul24", 2, op_mul24, false, true, false},      {"mad24", 3, op_mad24, false, true, false},
    {"clamp", 3, op_clamp, false, false, true},      {"bitselect", 3, op_bitselect, false, false, false},
    {"select", 3, op_select, false, false, false},
};
enum { NROWS = sizeof rows / sizeof *rows, N = 768 /* divides into all widths */ };
static const unsigned widths[] = {1, 2, 3, 4, 8, 16};

static uint64_t state = 99;
static uint64_t next(void) {
  uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Any value, one near zero, or one near the ends of the range. */
static wide any_value(const struct type *t) {
  switch (next() % 4) {
  case 0:
    return least(t) + (wide)(next() % 3);
  case 1:
    return most(t) - (wide)(next() % 3);
  case 2:
    return t->sign ? (wide)(next() % 9) - 4 : (wide)(next() % 9);
  default:
    return least(t) + (wide)raw(t, (wide)next());
  }
}

static void put(void *to, unsigned bits, unsigned i, wide v) {
  memcpy((char *)to + (size_t)i * bits / 8, &v, bits / 8);
}
static wide get(const struct type *t, const void *from, unsigned i) {
  wide v = 0;
  memcpy(&v, (const char *)from + (size_t)i * t->bits / 8, t->bits / 8);
  return t->sign && v >> (t->bits - 1) ? v - ((wide)1 << t->bits) : v;
}

static char *source(const struct type *t) {
  size_t cap = 256 << 10, n = 0;
  char *s = malloc(cap);
  for (unsigned r = 0; s && r < NROWS; r++)
    for (unsigned w = 0; w < 6; w++) {
      if (rows[r].only32 && t->bits != 32)
        continue;
      char suffix[4] = "", args[3][64], list[128];
      if (w)
        snprintf(suffix, sizeof suffix, "%u", widths[w]);
      for (int k = 0; k < 3; k++)
        snprintf(args[k], sizeof args[k], w ? "vload%s(i, %c)" : "%s%c[i]", suffix, "abc"[k]);
      snprintf(list, sizeof list, rows[r].args == 1 ? "x" : rows[r].args == 2 ? "x, y" : "x, y, z");
      bool is_select = strcmp(rows[r].name, "select") == 0;
      n += (size_t)snprintf(
          s + n, cap - n,
          "kernel void %s_%u(global const %s *a, global const %s *b, global const %s *c, global %s *out) {\n"
          "  size_t i = get_global_id(0);\n  %s%s x = %s, y = %s, z = %s;\n",
          rows[r].name, widths[w], t->name, t->name, t->name, rows[r].unsigned_result ? t->result : t->name,
          t->name, suffix, args[0], args[1], args[2]);
      if (is_select && !w) /* a scalar one looks at the whole condition, not at its sign */
        n += (size_t)snprintf(s + n, cap - n, "  z = z >> %u & 1;\n", t->bits - 1);
      n += (size_t)snprintf(s + n, cap - n,
                            w ? "  vstore%s(%s(%s), i, out);\n}\n" : "%s  out[i] = %s(%s);\n}\n", suffix,
                            rows[r].name, list);
    }
  return s;
}

static unsigned check(struct lib_program *p, const struct type *t, const struct row *r) {
  static uint64_t a[N], b[N], c[N], out[N];
  struct type result = *t;
  unsigned failed = 0;
  if (r->unsigned_result)
    result.sign = false;
  for (unsigned i = 0; i < N; i++) {
    wide x = any_value(t), y = any_value(t), z = any_value(t);
    if (r->only32) /* defined for 24-bit values alone */
      x = low24(t, x), y = low24(t, y);
    if (r->ordered && y > z) {
      wide swap = y;
      y = z, z = swap;
    }
    put(a, t->bits, i, x), put(b, t->bits, i, y), put(c, t->bits, i, z);
  }
  size_t bytes = N * t->bits / 8;
  for (unsigned w = 0; w < 6; w++) {
    char kernel[64];
    unsigned bad = 0;
    snprintf(kernel, sizeof kernel, "%s_%u", r->name, widths[w]);
    memset(out, 0x55, sizeof out);
    bool legal = lib_run(p, kernel, LIB_1D(N / widths[w], 16), LIB_PTR(a, bytes), LIB_PTR(b, bytes),
                         LIB_PTR(c, bytes), LIB_PTR(out, bytes));
    for (unsigned i = 0; i < N; i++) {
      wide x = get(t, a, i), y = get(t, b, i), z = get(t, c, i), want = raw(t, r->op(t, x, y, z)),
           got = raw(t, get(&result, out, i));
      if (got != want && !bad++)
        printf("  %s %s(%lld, %lld, %lld) = %llx instead of %llx\n", t->name, kernel, (long long)x,
               (long long)y, (long long)z, (unsigned long long)got, (unsigned long long)want);
    }
    failed += bad > 0 || !legal;
  }
  return failed;
}

int main(void) {
  unsigned failed = 0, count = 0;
  for (unsigned t = 0; t < NTYPES; t++) {
    char *text = source(&types[t]);
    struct lib_program *p = lib_build(text, "");
    for (unsigned r = 0; r < NROWS; r++)
      if (!rows[r].only32 || types[t].bits == 32)
        failed += check(p, &types[t], &rows[r]), count += 6;
    lib_free(p);
    free(text);
  }
  printf("[  PASSED  ] %u test(s).\n", count - failed);
  if (failed)
    printf("[  FAILED  ] %u test(s).\n", failed);
  return failed > 0;
}
