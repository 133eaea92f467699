/* One launch. */
#include "workload/host.h"
#include <math.h>

static double between(double low, double high, double r) {
  return low * r + high * (1 - r);
}

static double normal_cdf(double x) {
  return 0.5 * erfc(-x / sqrt(2));
}

WORKLOAD(blackscholes_vector) {
  uint32_t width = wl_u32(w, "width"), height = wl_u32(w, "height");
  uint64_t n = (uint64_t)width * height * 4;
  float *random = wl_host(w, n, 4);
  wl_random_f32(w, random, n, 0, 1);
  wl_buffer in = wl_upload(w, "random", random, n * 4), call = wl_alloc(w, "call", n * 4),
            put = wl_alloc(w, "put", n * 4);
  wl_launch(w, "black_scholes", wl_range2(width, height, 16, 16),
            WL_ARGS(wl_buf(in), wl_buf(call), wl_buf(put)));
  if (!wl_verify(w))
    return;
  float *want_call = wl_host(w, n, 4), *want_put = wl_host(w, n, 4);
  for (uint64_t i = 0; i < n; i++) {
    double r = (double)random[i], s = between(10, 100, r), x = s, t = between(1, 10, r);
    double rate = between(0.01, 0.05, r), v = between(0.01, 0.10, r), spread = v * sqrt(t);
    double d1 = (log(s / x) + (rate + v * v / 2) * t) / spread, d2 = d1 - spread,
           discounted = x * exp(-rate * t);
    want_call[i] = (float)(s * normal_cdf(d1) - discounted * normal_cdf(d2));
    want_put[i] = (float)(discounted * normal_cdf(-d2) - s * normal_cdf(-d1));
  }
  /* Differences of amounts up to 100, with float's 6e-8, and 1e-7 of the polynomial and each function. */
  wl_check_f32(w, call, want_call, n, 1e-4);
  wl_check_f32(w, put, want_put, n, 1e-4);
}
