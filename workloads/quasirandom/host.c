/* Two launches: the sequence, and the inverse distribution of n points spread evenly over (0, 1). */
#include "workload/host.h"
#include <math.h>

enum { dimensions = 3, bits = 31 };

/* Niederreiter's construction in base 2 (J. Number Theory 30, 1988): bit j of direction r is the coefficient
 * of x^-(r+1) in x^u / p^(q+1), where j = q e + u and e is the degree of the dimension's irreducible p. */
static void direct(uint32_t p, unsigned e, uint32_t *direction) {
  uint64_t power = 1; /* p^(q+1) */
  for (unsigned j = 0; j < bits; j++) {
    unsigned degree = (j / e + 1) * e;
    if (j % e == 0) {
      uint64_t product = 0;
      for (unsigned k = 0; k <= e; k++)
        if (p >> k & 1)
          product ^= power << k;
      power = product;
    }
    uint64_t remainder = UINT64_C(1) << j % e; /* long division */
    for (unsigned r = 0; r < bits; r++) {
      remainder <<= 1;
      if (remainder >> degree & 1) {
        remainder ^= power;
        direction[r] |= UINT32_C(1) << (bits - 1 - j);
      }
    }
  }
}

/* In Gray-code order one direction is added at a time. */
static float *sequence(struct wl *w, const uint32_t *directions, uint32_t start, uint32_t n) {
  float *out = wl_host(w, (uint64_t)n * dimensions, sizeof *out);
  for (uint32_t d = 0; d < dimensions; d++) {
    uint32_t code = 0, value = 0, seen = 0;
    for (uint32_t i = 0; seen < n; i++) {
      if (code >= start && code - start < n) {
        out[(uint64_t)d * n + code - start] = (float)(value + 1) * (1.0f / 2147483649.0f);
        seen++;
      }
      unsigned bit = (unsigned)__builtin_ctz(i + 1);
      code ^= 1u << bit;
      if (bit < bits)
        value ^= directions[d * bits + bit];
    }
  }
  return out;
}

/* Newton's method on the distribution function, from the neighbour's result. */
static float *inverses(struct wl *w, uint32_t n) {
  float *out = wl_host(w, n, sizeof *out);
  uint32_t distance = UINT32_MAX / (n + 1);
  double z = 0;
  for (uint32_t k = 0; k < n; k++) { /* outwards from the middle: up, then down */
    uint32_t i = k < n - n / 2 ? n / 2 + k : n - 1 - k;
    if (k == n - n / 2)
      z = 0;
    double p = (double)((float)((i + 1) * distance) * (1.0f / 4294967296.0f));
    for (double step = 1; fabs(step) > 1e-9;) {
      step = (0.5 * erfc(-z / sqrt(2)) - p) * sqrt(2 * 3.14159265358979) * exp(z * z / 2);
      z -= step;
    }
    out[i] = (float)z;
  }
  return out;
}

WORKLOAD(quasirandom) {
  uint32_t n = wl_u32(w, "n"), groups = wl_u32(w, "groups"), start = 0;
  uint32_t *directions = wl_host(w, (uint64_t)dimensions * bits, sizeof *directions);
  direct(2, 1, directions);            /* x */
  direct(3, 1, directions + bits);     /* x + 1 */
  direct(7, 2, directions + 2 * bits); /* x^2 + x + 1 */
  wl_buffer table = wl_upload(w, "directions", directions, dimensions * bits * 4);
  wl_buffer out = wl_alloc(w, "sequence", (uint64_t)n * dimensions * 4),
            normal = wl_alloc(w, "normal", (uint64_t)n * 4);
  wl_launch(w, "niederreiter", wl_range2((uint64_t)groups * 128, dimensions, 128, dimensions),
            WL_ARGS(wl_buf(out), wl_buf(table), wl_int(start), wl_int(n)));
  wl_launch(w, "inverse_normal", wl_range1((uint64_t)groups * 128, 128), WL_ARGS(wl_buf(normal), wl_int(n)));
  if (!wl_verify(w))
    return;
  wl_check_f32(w, out, sequence(w, directions, start, n), (uint64_t)n * dimensions, 0);
  /* log(1 - p) near the tail's edge and the hardware's logarithm lose a few units of the last place. */
  wl_check_f32(w, normal, inverses(w, n), n, 2e-5);
}
