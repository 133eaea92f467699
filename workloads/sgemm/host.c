/* One launch. */
#include "workload/host.h"

WORKLOAD(sgemm) {
  uint32_t m = wl_u32(w, "m"), n = wl_u32(w, "n"), k = wl_u32(w, "k");
  float alpha = 1, beta = 0.5f;
  uint64_t na = (uint64_t)m * k, nb = (uint64_t)k * n, nc = (uint64_t)m * n;
  float *a = wl_host(w, na, sizeof *a), *b = wl_host(w, nb, sizeof *b), *c = wl_host(w, nc, sizeof *c);
  wl_random_f32(w, a, na, 0, 1);
  wl_random_f32(w, b, nb, 0, 1);
  wl_random_f32(w, c, nc, 0, 1);
  wl_buffer da = wl_upload(w, "a", a, na * 4), db = wl_upload(w, "b", b, nb * 4),
            dc = wl_upload(w, "c", c, nc * 4);
  wl_launch(w, "sgemm", wl_range2(m / 8, n / 2, 16, 8),
            WL_ARGS(wl_buf(da), wl_int(m), wl_buf(db), wl_int(n), wl_buf(dc), wl_int(m), wl_int(k),
                    wl_float(alpha), wl_float(beta)));
  if (!wl_verify(w))
    return;
  double *column = wl_host(w, m, sizeof *column);
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < m; i++)
      column[i] = (double)beta * (double)c[(uint64_t)j * m + i];
    for (uint32_t l = 0; l < k; l++) {
      double x = (double)alpha * (double)b[(uint64_t)l * n + j];
      for (uint32_t i = 0; i < m; i++)
        column[i] += x * (double)a[(uint64_t)l * m + i];
    }
    for (uint32_t i = 0; i < m; i++)
      c[(uint64_t)j * m + i] = (float)column[i];
  }
  /* All terms are positive, so the relative error stays below k roundings of 6e-8; they mostly cancel. */
  wl_check_f32(w, dc, c, nc, 1e-7 * k > 1e-5 ? 1e-7 * k : 1e-5);
}
