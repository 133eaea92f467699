/* A launch for each nine levels; the last average is element 0. */
#include "workload/host.h"
#include <math.h>

enum { most = 512 };

static float *reference(struct wl *w, const float *data, uint32_t n) {
  double *signal = wl_host(w, n, sizeof *signal);
  float *out = wl_host(w, n, sizeof *out);
  for (uint32_t i = 0; i < n; i++)
    signal[i] = (double)data[i];
  for (uint32_t pairs = n / 2; pairs > 0; pairs /= 2)
    for (uint32_t i = 0; i < pairs; i++) {
      out[pairs + i] = (float)((signal[2 * i] - signal[2 * i + 1]) / sqrt(2));
      signal[i] = (signal[2 * i] + signal[2 * i + 1]) / sqrt(2);
    }
  out[0] = (float)signal[0];
  return out;
}

WORKLOAD(dwthaar1d) {
  uint32_t n = 1u << wl_u32(w, "log2_n");
  float *data = wl_host(w, n, 4);
  wl_random_f32(w, data, n, -1, 1);
  wl_buffer from = wl_upload(w, "signal", data, (uint64_t)n * 4),
            out = wl_alloc(w, "transform", (uint64_t)n * 4);
  for (uint32_t left = n; left > 1;) {
    uint32_t block = left < most ? left : most;
    wl_buffer averages = left == block ? out : wl_alloc(w, "averages", (uint64_t)(left / block) * 4);
    wl_launch(
        w, "haar", wl_range1(left / 2, block / 2),
        WL_ARGS(wl_buf(from), wl_buf(out), wl_buf(averages), wl_local(UINT64_C(4) * block), wl_int(left)));
    from = averages;
    left /= block;
  }
  if (wl_verify(w)) /* two roundings a level, of values that stay of the order of one */
    wl_check_f32(w, out, reference(w, data, n), n, 1e-5);
}
