/* One launch. */
#include "workload/host.h"
#include <math.h>

/* One option, in double. */
static double value(double r, uint32_t steps, double *tree) {
  double price = 5 + 25 * r, strike = 1 + 99 * r, step = (0.25 + 9.75 * r) / steps;
  double spread = 0.3 * sqrt(step), growth = exp(0.02 * step), up = exp(spread), down = 1 / up;
  double p = (growth - down) / (up - down);
  for (uint32_t i = 0; i <= steps; i++)
    tree[i] = fmax(price * exp(spread * (2.0 * i - steps)) - strike, 0);
  for (uint32_t level = steps; level > 0; level--)
    for (uint32_t i = 0; i < level; i++)
      tree[i] = (p * tree[i + 1] + (1 - p) * tree[i]) / growth;
  return tree[0];
}

WORKLOAD(binomialoption) {
  uint32_t options = wl_u32(w, "options"), steps = wl_u32(w, "steps");
  float *random = wl_host(w, options, 4), *want = wl_host(w, options, 4);
  wl_random_f32(w, random, options, 0, 1);
  wl_buffer in = wl_upload(w, "random", random, (uint64_t)options * 4),
            out = wl_alloc(w, "prices", (uint64_t)options * 4);
  uint64_t local = (uint64_t)(steps + 1) * 16;
  wl_launch(w, "binomial", wl_range1((uint64_t)options / 4 * (steps + 1), steps + 1),
            WL_ARGS(wl_buf(out), wl_buf(in), wl_local(local), wl_local(local), wl_sint((int32_t)steps)));
  if (!wl_verify(w))
    return;
  double *tree = wl_host(w, (uint64_t)steps + 1, sizeof *tree);
  for (uint32_t i = 0; i < options; i++)
    want[i] = (float)value((double)random[i], steps, tree);
  /* The probability is a quotient of small differences: its error of about 1e-5 shifts the drift over the years. */
  wl_check_f32(w, out, want, options, 5e-3);
}
