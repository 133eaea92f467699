/* Starts with one interval that holds all eigenvalues, and empty ones; counts and divides until all are narrow. */
#include "workload/host.h"
#include <math.h>

static uint32_t below(const float *diagonal, const float *off, uint32_t n, double x) {
  double last = (double)diagonal[0] - x;
  uint32_t count = last < 0;
  for (uint32_t i = 1; i < n; i++) {
    last = (double)diagonal[i] - x - (double)off[i - 1] * (double)off[i - 1] / (last == 0 ? 1e-300 : last);
    count += last < 0;
  }
  return count;
}

/* Eigenvalue k, counted from the lowest, by bisection in double. */
static double eigenvalue(const float *diagonal, const float *off, uint32_t n, uint32_t k, double low,
                         double high) {
  while (high - low > 1e-7) {
    double middle = (low + high) / 2;
    if (below(diagonal, off, n, middle) > k)
      high = middle;
    else
      low = middle;
  }
  return (low + high) / 2;
}

static bool narrow(const float (*interval)[2], uint32_t n, float tolerance) {
  for (uint32_t i = 0; i < n; i++)
    if (interval[i][1] - interval[i][0] > tolerance)
      return false;
  return true;
}

WORKLOAD(eigenvalue) {
  uint32_t n = wl_u32(w, "n");
  float *diagonal = wl_host(w, n, 4), *off = wl_host(w, n, 4), *square = wl_host(w, n, 4);
  wl_random_f32(w, diagonal, n, 0, 4);
  wl_random_f32(w, off, n - 1, 0, 1);
  for (uint32_t i = 0; i + 1 < n; i++)
    square[i] = off[i] * off[i];
  /* Gershgorin: within 2 of a diagonal element. Narrow is well above what rounding hides. */
  float low = -2.5f, high = 6.5f, tolerance = 0.001f;
  float(*interval)[2] = wl_host(w, n, sizeof *interval);
  for (uint32_t i = 0; i < n; i++)
    interval[i][0] = interval[i][1] = high;
  interval[0][0] = low;
  wl_buffer from = wl_upload(w, "intervals", interval, (uint64_t)n * 8),
            to = wl_alloc(w, "divided", (uint64_t)n * 8);
  wl_buffer d = wl_upload(w, "diagonal", diagonal, (uint64_t)n * 4),
            s = wl_upload(w, "squares", square, (uint64_t)n * 4);
  wl_buffer counts = wl_alloc(w, "counts", (uint64_t)n * 4);
  struct wl_range all = wl_range1(wl_up(n, 256), 256);
  for (int round = 0; round < 100 && !narrow(interval, n, tolerance); round++) {
    wl_launch(w, "count", all, WL_ARGS(wl_buf(counts), wl_buf(from), wl_buf(d), wl_buf(s), wl_int(n)));
    wl_launch(w, "divide", all,
              WL_ARGS(wl_buf(to), wl_buf(from), wl_buf(counts), wl_buf(d), wl_buf(s), wl_float(tolerance),
                      wl_int(n)));
    wl_buffer swap = from;
    from = to;
    to = swap;
    wl_read(w, from, 0, interval, (uint64_t)n * 8);
  }
  if (!wl_verify(w))
    return;
  /* Intervals that hold nothing may lie anywhere; every eigenvalue must lie in one, with room for rounding. */
  for (uint32_t k = 0; k < n; k++) {
    double value = eigenvalue(diagonal, off, n, k, (double)low, (double)high);
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
      found = (double)interval[i][0] - 1e-4 <= value && value <= (double)interval[i][1] + 1e-4;
    wl_require(w, found && narrow(interval, n, tolerance), "eigenvalue %u, %.7g, lies in no narrow interval",
               k, value);
  }
}
