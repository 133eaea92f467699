/* Rule: convert_T, with and without saturation and rounding mode, gives the value that section 6.2.3 says, between all
 * ten types. Values beyond the range of an integer type are defined with _sat alone. */
#include "lib_run.h"
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real; /* holds every value of every type */
static const struct type {
  const char *name;
  unsigned bytes;
  bool sign, floating;
} types[] = {{"char", 1, true, false},    {"uchar", 1, false, false}, {"short", 2, true, false},
             {"ushort", 2, false, false}, {"int", 4, true, false},    {"uint", 4, false, false},
             {"long", 8, true, false},    {"ulong", 8, false, false}, {"float", 4, true, true},
             {"double", 8, true, true}};
enum { NTYPES = sizeof types / sizeof *types, N = 384 };
static const struct {
  const char *suffix;
  int mode;
} modes[] = {
    {"", -1}, {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};
static const unsigned widths[] = {1, 2, 3, 4, 8, 16};

static real least(const struct type *t) {
  return t->sign ? -ldexpl(1, (int)t->bytes * 8 - 1) : 0;
}
static real most(const struct type *t) {
  return ldexpl(1, (int)t->bytes * 8 - t->sign) - 1;
}

static real get(const struct type *t, const void *from, unsigned i) {
  const char *p = (const char *)from + (size_t)i * t->bytes;
  float f;
  double d;
  uint64_t u = 0;
  if (t->floating && t->bytes == 4)
    return memcpy(&f, p, 4), (real)f;
  if (t->floating)
    return memcpy(&d, p, 8), (real)d;
  memcpy(&u, p, t->bytes);
  if (!t->sign)
    return (real)u;
  unsigned shift = 64 - 8 * t->bytes;
  return (real)((int64_t)(u << shift) >> shift);
}

static void put(const struct type *t, void *to, unsigned i, real v) {
  char *p = (char *)to + (size_t)i * t->bytes;
  float f = (float)v;
  double d = (double)v;
  if (t->floating) {
    memcpy(p, t->bytes == 4 ? (void *)&f : (void *)&d, t->bytes);
  } else if (v < 0) {
    int64_t s = (int64_t)v;
    memcpy(p, &s, t->bytes);
  } else {
    uint64_t u = (uint64_t)v;
    memcpy(p, &u, t->bytes);
  }
}

static uint64_t state = 7;
static uint64_t next(void) {
  uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void fill(const struct type *from, void *in) {
  static const real floats[] = {0.5L,    -0.5L,  1.5L,     -1.5L,    2.5L, -2.5L, 0.999L, 127.5L,
                                -128.5L, 255.5L, 32767.5L, 65535.5L, 0,    1,     -1};
  for (unsigned i = 0; i < N; i++) {
    if (!from->floating) {
      uint64_t v = next() >> next() % 64;
      v = next() & 1 ? v : ~v;
      memcpy((char *)in + (size_t)i * from->bytes, &v, from->bytes);
    } else if (i < sizeof floats / sizeof *floats) {
      put(from, in, i, floats[i]);
    } else {
      real scale = ldexpl(1, (int)(next() % 70)), v = (real)(next() >> 11) * 0x1p-53L * scale;
      put(from, in, i, next() & 1 ? v : -v);
    }
  }
}

/* The exact value in the target type; false where it is not defined. */
static bool expect(const struct type *to, const struct type *from, real v, int mode, bool sat, real *want) {
  fesetround(mode >= 0 ? mode : to->floating ? FE_TONEAREST : FE_TOWARDZERO);
  if (to->floating) {
    volatile float f = (float)v;
    volatile double d = (double)v;
    *want = to->bytes == 4 ? (real)f : (real)d;
  } else {
    *want = from->floating ? rintl(v) : v;
  }
  fesetround(FE_TONEAREST);
  if (to->floating)
    return true;
  bool inside = *want >= least(to) && *want <= most(to);
  if (sat)
    *want = *want < least(to) ? least(to) : *want > most(to) ? most(to) : *want;
  else if (!inside && !from->floating) { /* the low bits stay */
    real m = ldexpl(1, (int)to->bytes * 8), r = fmodl(*want, m);
    r = r < 0 ? r + m : r;
    *want = r > most(to) ? r - m : r;
    return true;
  }
  return sat || inside;
}

static unsigned failed, count;

static void check(struct lib_program *p, const struct type *to, const struct type *from, unsigned m, bool sat,
                  unsigned w) {
  static uint64_t in[N], out[N];
  char kernel[64];
  unsigned bad = 0;
  fill(from, in);
  snprintf(kernel, sizeof kernel, "%s_%u%s%s", from->name, widths[w], sat ? "_sat" : "", modes[m].suffix);
  bool legal =
      lib_run(p, kernel, LIB_1D(N / widths[w], 8), LIB_PTR(in, N * from->bytes), LIB_PTR(out, N * to->bytes));
  for (unsigned i = 0; i < N; i++) {
    real v = get(from, in, i), got = get(to, out, i), want;
    if (expect(to, from, v, modes[m].mode, sat, &want) && got != want && !bad++)
      printf("  convert_%s of %s: %.20Lg gives %.20Lg instead of %.20Lg\n", to->name, kernel, v, got, want);
  }
  count++;
  failed += bad > 0 || !legal;
}

/* All modes for scalars; for vectors the plain and one other, whose parts are the scalars. */
static bool wanted(const struct type *to, unsigned m, bool sat, unsigned w) {
  return !(sat && to->floating) && (!w || (m == 0 && !sat) || (m == 1 && sat));
}
#define FOR_ALL(to)                                                                                          \
  for (unsigned f = 0; f < NTYPES; f++)                                                                      \
    for (unsigned m = 0; m < 5; m++)                                                                         \
      for (int sat = 0; sat < 2; sat++)                                                                      \
        for (unsigned w = 0; w < 6; w++)                                                                     \
          if (wanted(to, m, sat, w))

static char *source(const struct type *to) {
  size_t cap = 256 << 10, n = 0;
  char *s = malloc(cap);
  FOR_ALL(to) {
    char suffix[4] = "";
    if (w)
      snprintf(suffix, sizeof suffix, "%u", widths[w]);
    const char *from = types[f].name, *mode = modes[m].suffix, *saturate = sat ? "_sat" : "";
    n += (size_t)snprintf(
        s + n, cap - n,
        "kernel void %s_%u%s%s(global const %s *a, global %s *out) {\n  size_t i = get_global_id(0);\n", from,
        widths[w], saturate, mode, from, to->name);
    if (w)
      n += (size_t)snprintf(s + n, cap - n, "  vstore%s(convert_%s%s%s%s(vload%s(i, a)), i, out);\n}\n",
                            suffix, to->name, suffix, saturate, mode, suffix);
    else
      n +=
          (size_t)snprintf(s + n, cap - n, "  out[i] = convert_%s%s%s(a[i]);\n}\n", to->name, saturate, mode);
  }
  return s;
}

int main(void) {
  for (unsigned t = 0; t < NTYPES; t++) {
    char *text = source(&types[t]);
    struct lib_program *p = lib_build(text, "");
    FOR_ALL(&types[t])
    check(p, &types[t], &types[f], m, sat, w);
    lib_free(p);
    free(text);
  }
  printf("[  PASSED  ] %u test(s).\n", count - failed);
  if (failed)
    printf("[  FAILED  ] %u test(s).\n", failed);
  return failed > 0;
}
