/* One launch. */
#include "workload/host.h"

WORKLOAD(matrixmultiplication) {
  uint32_t m = wl_u32(w, "m"), k = wl_u32(w, "k"), n = wl_u32(w, "n");
  uint64_t na = (uint64_t)m * k, nb = (uint64_t)k * n, nc = (uint64_t)m * n;
  float *a = wl_host(w, na, 4), *b = wl_host(w, nb, 4), *want = wl_host(w, nc, 4);
  wl_random_f32(w, a, na, 0, 1);
  wl_random_f32(w, b, nb, 0, 1);
  wl_buffer left = wl_upload(w, "a", a, na * 4), right = wl_upload(w, "b", b, nb * 4),
            out = wl_alloc(w, "c", nc * 4);
  wl_launch(w, "multiply", wl_range2(n / 4, m / 4, 8, 8),
            WL_ARGS(wl_buf(left), wl_buf(right), wl_buf(out), wl_int(k), wl_int(n)));
  if (!wl_verify(w))
    return;
  double *row = wl_host(w, n, sizeof *row);
  for (uint64_t i = 0; i < m; i++) {
    for (uint64_t j = 0; j < n; j++)
      row[j] = 0;
    for (uint64_t l = 0; l < k; l++)
      for (uint64_t j = 0; j < n; j++)
        row[j] += (double)a[i * k + l] * (double)b[l * n + j];
    for (uint64_t j = 0; j < n; j++)
      want[i * n + j] = (float)row[j];
  }
  wl_check_f32(w, out, want, nc, 1e-7 * k + 1e-6); /* terms are positive: at most a rounding for each */
}
