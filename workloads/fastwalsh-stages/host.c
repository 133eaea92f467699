/* A launch for each level. Elements are whole numbers up to 8: all sums are exact. */
#include "workload/host.h"

/* By halves, from the outermost level inwards. */
static void transform(double *data, uint32_t n) {
  if (n == 1)
    return;
  for (uint32_t i = 0; i < n / 2; i++) {
    double a = data[i], b = data[i + n / 2];
    data[i] = a + b;
    data[i + n / 2] = a - b;
  }
  transform(data, n / 2);
  transform(data + n / 2, n / 2);
}

WORKLOAD(fastwalsh_stages) {
  uint32_t n = 1u << wl_u32(w, "log2_n");
  float *data = wl_host(w, n, 4);
  for (uint32_t i = 0; i < n; i++)
    data[i] = (float)wl_random_below(w, 17) - 8;
  wl_buffer buffer = wl_upload(w, "data", data, (uint64_t)n * 4);
  for (uint32_t step = 1; step < n; step *= 2)
    wl_launch(w, "walsh", wl_range1(n / 2, 256), WL_ARGS(wl_buf(buffer), wl_int(step)));
  if (!wl_verify(w))
    return;
  double *exact = wl_host(w, n, sizeof *exact);
  for (uint32_t i = 0; i < n; i++)
    exact[i] = (double)data[i];
  transform(exact, n);
  for (uint32_t i = 0; i < n; i++)
    data[i] = (float)exact[i];
  wl_check_f32(w, buffer, data, n, 0);
}
