/* Transforms of data and padded kernel, their product, and the transform back. */
#include "workload/host.h"

enum { local_log2 = 11, group = 256 };

static void transform(struct wl *w, wl_buffer data, uint32_t log2n) {
  uint64_t items = (UINT64_C(1) << log2n) / 4;
  uint32_t left = log2n;
  for (; left > local_log2; left -= 2)
    wl_launch(w, "fwt_global", wl_range1(items, group), WL_ARGS(wl_buf(data), wl_int(1u << (left - 2))));
  wl_launch(w, "fwt_local", wl_range1(items, (1u << left) / 4),
            WL_ARGS(wl_buf(data), wl_local(UINT64_C(4) << left), wl_int(left)));
}

/* By the definition: out[i] = sum of data[i xor k] kernel[k]. */
static float *reference(struct wl *w, const float *data, uint32_t n, const float *kernel, uint32_t taps) {
  float *out = wl_host(w, n, sizeof *out);
  for (uint32_t i = 0; i < n; i++) {
    double sum = 0;
    for (uint32_t k = 0; k < taps; k++)
      sum += (double)data[i ^ k] * (double)kernel[k];
    out[i] = (float)sum;
  }
  return out;
}

WORKLOAD(fastwalsh) {
  uint32_t log2n = wl_u32(w, "log2_data"), n = 1u << log2n, taps = 1u << wl_u32(w, "log2_kernel");
  float *data = wl_host(w, n, sizeof *data), *kernel = wl_host(w, n, sizeof *kernel);
  wl_random_f32(w, data, n, -1, 1);
  wl_random_f32(w, kernel, taps, -1, 1);
  wl_buffer a = wl_upload(w, "data", data, (uint64_t)n * 4),
            b = wl_upload(w, "kernel", kernel, (uint64_t)n * 4);
  transform(w, b, log2n);
  transform(w, a, log2n);
  wl_launch(w, "modulate", wl_range1(128 * 256, 256),
            WL_ARGS(wl_buf(a), wl_buf(b), wl_float(1.0f / (float)n), wl_int(n)));
  transform(w, a, log2n);
  if (wl_verify(w)) /* sums of up to 2048 products; 50 additions in a row round by 6e-8 of the largest each */
    wl_check_f32(w, a, reference(w, data, n, kernel, taps), n, 1e-4);
}
