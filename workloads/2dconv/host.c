/* One launch of 32 x 8 work-items a group. */
#include "workload/host.h"

static float *reference(struct wl *w, const float *a, uint32_t rows, uint32_t cols) {
  static const double k[3][3] = {{0.2, -0.3, 0.4}, {0.5, 0.6, 0.7}, {-0.8, -0.9, 0.1}};
  float *b = wl_host(w, (uint64_t)rows * cols, sizeof *b);
  for (uint32_t i = 1; i + 1 < rows; i++)
    for (uint32_t j = 1; j + 1 < cols; j++) {
      double sum = 0;
      for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 3; x++)
          sum += k[y][x] * (double)a[(uint64_t)(i + y - 1) * cols + j + x - 1];
      b[(uint64_t)i * cols + j] = (float)sum;
    }
  return b;
}

WORKLOAD(2dconv) {
  uint32_t rows = wl_u32(w, "rows"), cols = wl_u32(w, "cols");
  uint64_t n = (uint64_t)rows * cols;
  float *data = wl_host(w, n, sizeof *data);
  wl_random_f32(w, data, n, 0, 1);
  wl_buffer a = wl_upload(w, "a", data, n * 4), b = wl_alloc(w, "b", n * 4);
  wl_launch(w, "convolution2d", wl_range2(wl_up(cols, 32), wl_up(rows, 8), 32, 8),
            WL_ARGS(wl_buf(a), wl_buf(b), wl_int(rows), wl_int(cols)));
  if (wl_verify(w)) /* nine float products of numbers up to 1: a few units of 2^-24 */
    wl_check_f32(w, b, reference(w, data, rows, cols), n, 1e-6);
}
