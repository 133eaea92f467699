/* One launch. All sums are whole numbers below 2^24, and roots are rounded correctly: results are exact. */
#include "workload/host.h"
#include <math.h>

WORKLOAD(sobelfilter) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  uint64_t n = (uint64_t)width * height;
  uint32_t *image = wl_host(w, n, sizeof *image);
  wl_random_u32(w, image, n, 0);
  wl_buffer in = wl_upload(w, "image", image, n * 4), out = wl_alloc(w, "edges", n * 4);
  wl_launch(w, "sobel", wl_range2(width, height, 64, 4), WL_ARGS(wl_buf(in), wl_buf(out)));
  if (!wl_verify(w))
    return;
  const uint8_t *from = (const uint8_t *)image;
  uint8_t *want = wl_host(w, n * 4, 1);
  int64_t row = (int64_t)width * 4;
  for (int64_t y = 1; y + 1 < height; y++)
    for (int64_t i = y * row + 4; i < (y + 1) * row - 4; i++) {
      const uint8_t *p = from + i;
      int across = p[-row - 4] + 2 * p[-row] + p[-row + 4] - p[row - 4] - 2 * p[row] - p[row + 4];
      int down = p[-row - 4] + 2 * p[-4] + p[row - 4] - p[-row + 4] - 2 * p[4] - p[row + 4];
      double edge = sqrt((double)(across * across + down * down)) / 2;
      want[i] = (uint8_t)(edge > 255 ? 255 : edge);
    }
  wl_check(w, out, ELEM_U8, want, n * 4, 0);
}
