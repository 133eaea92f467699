/* One launch. */
#include "workload/host.h"
#include <math.h>

/* Numbers 9 to 24 of the generator, the last first; the first entry picks one. */
static float draw(uint32_t seed) {
  uint64_t x = seed ? seed : 1, table[16];
  for (int i = 0; i < 8; i++)
    x = x * 16807 % 2147483647;
  for (int i = 15; i >= 0; i--)
    table[i] = x = x * 16807 % 2147483647;
  return (float)table[table[0] / (1 + 2147483646 / 16)] * (1.0f / 2147483648.0f);
}

WORKLOAD(urng) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height"), factor = wl_u32(w, "factor");
  uint64_t n = (uint64_t)width * height;
  uint32_t *image = wl_host(w, n, sizeof *image);
  wl_random_u32(w, image, n, 0);
  wl_buffer in = wl_upload(w, "image", image, n * 4), out = wl_alloc(w, "noisy", n * 4);
  wl_launch(w, "add_noise", wl_range2(width, height, 64, 1),
            WL_ARGS(wl_buf(in), wl_buf(out), wl_int(factor)));
  if (!wl_verify(w))
    return;
  uint8_t *want = (uint8_t *)image; /* in place: all four channels of a pixel are read first */
  for (uint64_t i = 0; i < n; i++) {
    uint32_t sum = 0;
    for (int c = 0; c < 4; c++)
      sum += want[i * 4 + (uint64_t)c];
    float noise = draw(sum / 4) - 0.55f;
    for (int c = 0; c < 4; c++) {
      float value = fmaf(noise, (float)factor, (float)want[i * 4 + (uint64_t)c]);
      want[i * 4 + (uint64_t)c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
  }
  wl_check(w, out, ELEM_U8, want, n * 4, 0);
}
