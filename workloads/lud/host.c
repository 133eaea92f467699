/* Three launches for each block of the diagonal, one for the last. The matrix is diagonally dominant, so that
 * no pivoting is needed. */
#include "workload/host.h"

enum { B = 16 };

static float *reference(struct wl *w, const float *m, uint32_t n) {
  uint64_t all = (uint64_t)n * n;
  double *a = wl_host(w, all, sizeof *a);
  float *out = wl_host(w, all, sizeof *out);
  for (uint64_t i = 0; i < all; i++)
    a[i] = (double)m[i];
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = k + 1; i < n; i++) {
      double l = a[(uint64_t)i * n + k] /= a[(uint64_t)k * n + k];
      for (uint32_t j = k + 1; j < n; j++)
        a[(uint64_t)i * n + j] -= l * a[(uint64_t)k * n + j];
    }
  for (uint64_t i = 0; i < all; i++)
    out[i] = (float)a[i];
  return out;
}

WORKLOAD(lud) {
  uint32_t n = wl_u32(w, "n");
  uint64_t all = (uint64_t)n * n;
  float *m = wl_host(w, all, sizeof *m);
  wl_random_f32(w, m, all, -1, 1);
  for (uint32_t i = 0; i < n; i++)
    m[(uint64_t)i * n + i] += (float)n;
  wl_buffer a = wl_upload(w, "matrix", m, all * 4);
  for (uint32_t at = 0; at < n; at += B) {
    uint32_t left = (n - at) / B - 1; /* blocks beyond the diagonal one */
    wl_launch(w, "lud_diagonal", wl_range1(B, B), WL_ARGS(wl_buf(a), wl_int(n), wl_int(at)));
    if (!left)
      break;
    wl_launch(w, "lud_perimeter", wl_range1((uint64_t)left * 2 * B, 2 * B),
              WL_ARGS(wl_buf(a), wl_int(n), wl_int(at)));
    wl_launch(w, "lud_internal", wl_range2((uint64_t)left * B, (uint64_t)left * B, B, B),
              WL_ARGS(wl_buf(a), wl_int(n), wl_int(at)));
  }
  if (wl_verify(w)) /* dominance keeps rounding errors from growing */
    wl_check_f32(w, a, reference(w, m, n), all, 1e-4);
}
