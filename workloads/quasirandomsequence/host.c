/* One launch. Direction numbers are drawn: in each the bit of its place is set and those above it are free, which is all
 * the kernel needs of them. */
#include "workload/host.h"

enum { bits = 32 };

WORKLOAD(quasirandomsequence) {
  uint32_t dimensions = wl_u32(w, "dimensions"), vectors = wl_u32(w, "vectors");
  uint64_t n = (uint64_t)dimensions * vectors;
  uint32_t *v = wl_host(w, (uint64_t)dimensions * bits, 4);
  for (uint32_t d = 0; d < dimensions; d++)
    for (uint32_t b = 0; b < bits; b++)
      v[d * bits + b] = ((uint32_t)wl_random_below(w, UINT64_C(1) << b) * 2 + 1) << (bits - 1 - b);
  wl_buffer table = wl_upload(w, "directions", v, (uint64_t)dimensions * bits * 4),
            out = wl_alloc(w, "out", n * 4);
  wl_launch(w, "sequence", wl_range1(n / 4, vectors / 4), WL_ARGS(wl_buf(out), wl_buf(table)));
  if (!wl_verify(w))
    return;
  float *want = wl_host(w, n, 4);
  for (uint32_t d = 0; d < dimensions; d++) { /* an index's highest bit is added to the number without it */
    uint32_t *x = wl_host(w, vectors, 4);
    for (uint32_t i = 1; i < vectors; i++) {
      uint32_t high = 31 - (uint32_t)__builtin_clz(i);
      x[i] = x[i - (1u << high)] ^ v[d * bits + high];
    }
    for (uint32_t i = 0; i < vectors; i++)
      want[(uint64_t)d * vectors + i] = (float)x[i] * (1.0f / 4294967296.0f);
  }
  wl_check_f32(w, out, want, n, 0);
}
