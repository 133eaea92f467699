/* Rows into a temporary image, columns from it. */
#include "workload/host.h"

enum { radius = 8, taps = 2 * radius + 1 };

static float *reference(struct wl *w, const float *in, const float *filter, int width, int height) {
  uint64_t n = (uint64_t)width * (uint64_t)height;
  float *out = wl_host(w, n, sizeof *out);
  double *rows = wl_host(w, n, sizeof *rows);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int j = -radius; j <= radius; j++)
        if (x + j >= 0 && x + j < width)
          rows[(int64_t)y * width + x] += (double)filter[radius - j] * (double)in[(int64_t)y * width + x + j];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double sum = 0;
      for (int j = -radius; j <= radius; j++)
        if (y + j >= 0 && y + j < height)
          sum += (double)filter[radius - j] * rows[(int64_t)(y + j) * width + x];
      out[(int64_t)y * width + x] = (float)sum;
    }
  return out;
}

WORKLOAD(convolution_separable) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  uint64_t n = (uint64_t)width * height;
  float *image = wl_host(w, n, sizeof *image), *filter = wl_host(w, taps, sizeof *filter);
  wl_random_f32(w, image, n, 0, 1);
  wl_random_f32(w, filter, taps, 0, 1.0f / taps);
  wl_buffer in = wl_upload(w, "image", image, n * 4), coefficients = wl_upload(w, "filter", filter, taps * 4);
  wl_buffer middle = wl_alloc(w, "rows", n * 4), out = wl_alloc(w, "out", n * 4);
  wl_launch(w, "convolve_rows", wl_range2(width / 8, height, 16, 4),
            WL_ARGS(wl_buf(middle), wl_buf(in), wl_buf(coefficients), wl_int(width)));
  wl_launch(w, "convolve_columns", wl_range2(width, height / 8, 16, 8),
            WL_ARGS(wl_buf(out), wl_buf(middle), wl_buf(coefficients), wl_int(width), wl_int(height)));
  if (wl_verify(w)) /* results are below 1; 34 roundings of 6e-8 */
    wl_check_f32(w, out, reference(w, image, filter, (int)width, (int)height), n, 2e-6);
}
