/* One launch. Direction numbers by Sobol's recurrence over primitive polynomials; their free initial values
 * are drawn from the seed. */
#include "workload/host.h"

enum { bits = 32 };

/* Whether x generates all 2^degree - 1 elements modulo the polynomial. */
static bool primitive(uint32_t polynomial, unsigned degree) {
  uint32_t state = 1, steps = 0;
  do {
    state <<= 1;
    if (state >> degree & 1)
      state ^= polynomial;
    steps++;
  } while (state > 1);
  return state == 1 && steps == (1u << degree) - 1;
}

static uint32_t *directions(struct wl *w, uint32_t dimensions) {
  uint32_t *v = wl_host(w, (uint64_t)dimensions * bits, sizeof *v), polynomial = 3;
  for (unsigned i = 0; i < bits; i++) /* the first dimension is van der Corput's */
    v[i] = UINT32_C(1) << (bits - 1 - i);
  for (uint32_t d = 1; d < dimensions; d++, polynomial += 2) {
    unsigned degree = 31 - (unsigned)__builtin_clz(polynomial);
    while (!primitive(polynomial, degree)) {
      polynomial += 2;
      degree = 31 - (unsigned)__builtin_clz(polynomial);
    }
    uint32_t *mine = v + (uint64_t)d * bits;
    for (unsigned i = 0; i < degree; i++) /* odd and below 2^(i+1) */
      mine[i] = ((uint32_t)wl_random_below(w, UINT64_C(1) << i) * 2 + 1) << (bits - 1 - i);
    for (unsigned i = degree; i < bits; i++) {
      mine[i] = mine[i - degree] ^ mine[i - degree] >> degree;
      for (unsigned k = 1; k < degree; k++)
        if (polynomial >> (degree - k) & 1)
          mine[i] ^= mine[i - k];
    }
  }
  return v;
}

static float *reference(struct wl *w, const uint32_t *v, uint32_t dimensions, uint32_t vectors) {
  float *out = wl_host(w, (uint64_t)dimensions * vectors, sizeof *out);
  for (uint32_t d = 0; d < dimensions; d++) {
    uint32_t x = 0;
    for (uint32_t i = 0; i < vectors; i++) {
      out[(uint64_t)d * vectors + i] = (float)x * (1.0f / 4294967296.0f);
      x ^= v[d * bits + (uint32_t)__builtin_ctz(~i)];
    }
  }
  return out;
}

WORKLOAD(sobol) {
  uint32_t dimensions = wl_u32(w, "dimensions"), vectors = wl_u32(w, "vectors");
  uint64_t n = (uint64_t)dimensions * vectors;
  uint32_t *v = directions(w, dimensions);
  wl_buffer table = wl_upload(w, "directions", v, (uint64_t)dimensions * bits * 4),
            out = wl_alloc(w, "out", n * 4);
  wl_launch(w, "sobol", wl_range2(UINT64_C(64) << wl_u32(w, "log2_groups"), dimensions, 64, 1),
            WL_ARGS(wl_buf(out), wl_buf(table), wl_int(vectors)));
  if (wl_verify(w))
    wl_check_f32(w, out, reference(w, v, dimensions, vectors), n, 0);
}
