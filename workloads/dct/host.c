/* One launch. */
#include "workload/host.h"
#include <math.h>

enum { block = 8 };

static double basis(uint32_t u, uint32_t x) {
  return (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * 3.14159265358979324 / 16);
}

static float *reference(struct wl *w, const float *in, uint32_t width, uint32_t height) {
  float *out = wl_host(w, (uint64_t)width * height, 4);
  double b[block][block];
  for (uint32_t u = 0; u < block; u++)
    for (uint32_t x = 0; x < block; x++)
      b[u][x] = basis(u, x);
  for (uint32_t i = 0; i < width * height; i++) { /* the double sum of the definition */
    uint32_t x0 = i % width / block * block, y0 = i / width / block * block, u = i % width % block,
             v = i / width % block;
    double sum = 0;
    for (uint32_t y = 0; y < block; y++)
      for (uint32_t x = 0; x < block; x++)
        sum += (double)in[(uint64_t)(y0 + y) * width + x0 + x] * b[v][y] * b[u][x];
    out[i] = (float)sum;
  }
  return out;
}

WORKLOAD(dct) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  uint64_t n = (uint64_t)width * height;
  float *image = wl_host(w, n, 4), cosines[block * block];
  wl_random_f32(w, image, n, 0, 255);
  for (uint32_t i = 0; i < block * block; i++)
    cosines[i] = (float)basis(i / block, i % block);
  wl_buffer in = wl_upload(w, "image", image, n * 4),
            table = wl_upload(w, "cosines", cosines, sizeof cosines);
  wl_buffer out = wl_alloc(w, "spectrum", n * 4);
  wl_launch(w, "dct", wl_range2(width, height, block, block),
            WL_ARGS(wl_buf(out), wl_buf(in), wl_buf(table), wl_int(width)));
  if (wl_verify(
          w)) /* 16 roundings of sums up to 2000, where they cancel to less than one: 16 * 6e-8 * 2000 */
    wl_check_f32(w, out, reference(w, image, width, height), n, 2e-3);
}
