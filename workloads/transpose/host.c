/* A copy and four transposes of one matrix, each checked: what the SDK's sample compares. */
#include "workload/host.h"

static float *reference(struct wl *w, const float *in, uint32_t width, uint32_t height) {
  float *out = wl_host(w, (uint64_t)width * height, sizeof *out);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      out[(uint64_t)x * height + y] = in[(uint64_t)y * width + x];
  return out;
}

WORKLOAD(transpose) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  uint64_t n = (uint64_t)width * height;
  float *data = wl_host(w, n, sizeof *data);
  wl_random_f32(w, data, n, -1, 1);
  float *turned = wl_verify(w) ? reference(w, data, width, height) : NULL;
  wl_buffer in = wl_upload(w, "in", data, n * 4), out = wl_alloc(w, "out", n * 4);
  static const char *const kernels[] = {"copy", "naive", "tiled", "padded", "diagonal"};
  for (uint32_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    wl_launch(w, kernels[i], wl_range2(width, height, 16, 16),
              WL_ARGS(wl_buf(in), wl_buf(out), wl_int(width), wl_int(height)));
    if (wl_verify(w))
      wl_check_f32(w, out, i ? turned : data, n, 0);
  }
}
