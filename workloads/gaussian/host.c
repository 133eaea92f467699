/* A launch of each kernel for each column. The matrix is diagonally dominant, so that no pivoting is needed. */
#include "workload/host.h"
#include <string.h>

static void eliminate(double *a, double *b, uint32_t n, uint32_t columns) {
  for (uint32_t t = 0; t < columns; t++)
    for (uint32_t i = t + 1; i < n; i++) {
      double m = a[(uint64_t)n * i + t] / a[(uint64_t)n * t + t];
      for (uint32_t k = t; k < n; k++)
        a[(uint64_t)n * i + k] -= m * a[(uint64_t)n * t + k];
      b[i] -= m * b[t];
    }
}

static void check(struct wl *w, wl_buffer ga, wl_buffer gb, const float *a, const float *b, uint32_t n,
                  uint32_t columns) {
  uint64_t all = (uint64_t)n * n;
  double *da = wl_host(w, all, sizeof *da), *db = wl_host(w, n, sizeof *db);
  float *want = wl_host(w, all, sizeof *want), *want_b = wl_host(w, n, sizeof *want_b);
  for (uint64_t i = 0; i < all; i++)
    da[i] = (double)a[i];
  for (uint32_t i = 0; i < n; i++)
    db[i] = (double)b[i];
  eliminate(da, db, n, columns);
  for (uint64_t i = 0; i < all; i++)
    want[i] = (float)da[i];
  for (uint32_t i = 0; i < n; i++)
    want_b[i] = (float)db[i];
  /* dominance keeps rounding errors from growing; what should be zero below the diagonal is about 2^-24 */
  wl_check_f32(w, ga, want, all, 1e-4);
  wl_check_f32(w, gb, want_b, n, 1e-4);
}

WORKLOAD(gaussian) {
  uint32_t n = wl_u32(w, "n"), block = 4U << wl_choice(w, "block"), columns = wl_u32(w, "columns");
  uint64_t bytes = (uint64_t)n * n * 4;
  columns = columns < n ? columns : n - 1;
  float *a = wl_host(w, (uint64_t)n * n, sizeof *a), *b = wl_host(w, n, sizeof *b);
  wl_random_f32(w, a, (uint64_t)n * n, -1, 1);
  wl_random_f32(w, b, n, -1, 1);
  for (uint32_t i = 0; i < n; i++)
    a[(uint64_t)n * i + i] += (float)n;
  wl_buffer ga = wl_upload(w, "a", a, bytes), gb = wl_upload(w, "b", b, (uint64_t)n * 4);
  wl_buffer gm = wl_alloc(w, "m", bytes);
  uint64_t side = wl_up(n, block);
  for (uint32_t t = 0; t < columns; t++) {
    wl_launch(w, "gaussian_multipliers", wl_range1(wl_up(n, 256), 256),
              WL_ARGS(wl_buf(gm), wl_buf(ga), wl_int(n), wl_int(t)));
    wl_launch(w, "gaussian_update", wl_range2(side, side, block, block),
              WL_ARGS(wl_buf(gm), wl_buf(ga), wl_buf(gb), wl_int(n), wl_int(t)));
  }
  if (wl_verify(w))
    check(w, ga, gb, a, b, n, columns);
}
