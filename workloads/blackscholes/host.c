/* One launch. Inputs are drawn as the suite draws them: prices 5-30, strikes 1-100, 0.25-10 years. */
#include "workload/host.h"
#include <math.h>

static const float rate = 0.02f, volatility = 0.3f;

static double normal_cdf(double x) {
  return 0.5 * erfc(-x / sqrt(2));
}

static void reference(const float *s, const float *x, const float *t, uint32_t n, float *call, float *put) {
  for (uint32_t i = 0; i < n; i++) {
    double r = (double)rate, v = (double)volatility, years = (double)t[i], spread = v * sqrt(years);
    double d1 = (log((double)s[i] / (double)x[i]) + (r + v * v / 2) * years) / spread, d2 = d1 - spread;
    double discounted = (double)x[i] * exp(-r * years);
    call[i] = (float)((double)s[i] * normal_cdf(d1) - discounted * normal_cdf(d2));
    put[i] = (float)(discounted * normal_cdf(-d2) - (double)s[i] * normal_cdf(-d1));
  }
}

WORKLOAD(blackscholes) {
  uint32_t n = wl_u32(w, "options");
  uint64_t bytes = (uint64_t)n * 4;
  float *s = wl_host(w, n, 4), *x = wl_host(w, n, 4), *t = wl_host(w, n, 4);
  wl_random_f32(w, s, n, 5, 30);
  wl_random_f32(w, x, n, 1, 100);
  wl_random_f32(w, t, n, 0.25f, 10);
  wl_buffer call = wl_alloc(w, "call", bytes), put = wl_alloc(w, "put", bytes);
  wl_buffer price = wl_upload(w, "price", s, bytes), strike = wl_upload(w, "strike", x, bytes);
  wl_buffer years = wl_upload(w, "years", t, bytes);
  wl_launch(w, "black_scholes", wl_range1((uint64_t)wl_u32(w, "groups") * 128, 128),
            WL_ARGS(wl_buf(call), wl_buf(put), wl_buf(price), wl_buf(strike), wl_buf(years), wl_float(rate),
                    wl_float(volatility), wl_int(n)));
  if (!wl_verify(w))
    return;
  float *want_call = wl_host(w, n, 4), *want_put = wl_host(w, n, 4);
  reference(s, x, t, n, want_call, want_put);
  /* Prices are differences of amounts up to 100, with float's 6e-8 and the polynomial's and the functions'
   * 1e-7 relative each. */
  wl_check_f32(w, call, want_call, n, 1e-4);
  wl_check_f32(w, put, want_put, n, 1e-4);
}
