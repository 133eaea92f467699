/* One launch. Inputs are bytes and coefficients whole 4096ths that come to less than one: all sums are exact. */
#include "workload/host.h"

WORKLOAD(simpleconvolution) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  int reach = ((int)wl_u32(w, "mask") - 1) / 2, side = 2 * reach + 1;
  uint64_t n = (uint64_t)width * height;
  uint32_t *data = wl_host(w, n, 4), *parts = wl_host(w, (uint64_t)(side * side), 4),
           *want = wl_host(w, n, 4);
  float *mask = wl_host(w, (uint64_t)(side * side), 4);
  wl_random_u32(w, data, n, 256);
  for (int i = 0; i < side * side; i++) {
    parts[i] = (uint32_t)wl_random_below(w, 4096 / (uint64_t)(side * side)); /* all together below one */
    mask[i] = (float)parts[i] / 4096;
  }
  wl_buffer in = wl_upload(w, "in", data, n * 4), out = wl_alloc(w, "out", n * 4);
  wl_buffer coefficients = wl_upload(w, "mask", mask, (uint64_t)(side * side) * 4);
  wl_launch(
      w, "convolve", wl_range1(wl_up(n, 256), 256),
      WL_ARGS(wl_buf(out), wl_buf(in), wl_buf(coefficients), wl_int(width), wl_int(height), wl_sint(reach)));
  if (!wl_verify(w))
    return;
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++) {
      uint32_t sum = 2048; /* rounds */
      for (int64_t dy = -reach; dy <= reach; dy++)
        for (int64_t dx = -reach; dx <= reach; dx++)
          if (y + dy >= 0 && y + dy < height && x + dx >= 0 && x + dx < width)
            sum += data[(y + dy) * width + x + dx] * parts[(dy + reach) * side + dx + reach];
      want[y * width + x] = sum / 4096;
    }
  wl_check_u32(w, out, want, n);
}
