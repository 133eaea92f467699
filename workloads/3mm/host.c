/* E = A B, F = C D, G = E F. */
#include "workload/host.h"

static double *product(struct wl *w, const double *a, const double *b, uint64_t n) {
  double *c = wl_host(w, n * n, sizeof *c);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t k = 0; k < n; k++)
      for (uint64_t j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

static void check(struct wl *w, wl_buffer b, const double *want, uint64_t n) {
  float *as = wl_host(w, n * n, sizeof *as);
  for (uint64_t i = 0; i < n * n; i++)
    as[i] = (float)want[i];
  /* All terms are positive: the relative error is at most a rounding of 6e-8 for each, and for each of E's. */
  wl_check_f32(w, b, as, n * n, 1.2e-7 * (double)n + 1e-6);
}

WORKLOAD(3mm) {
  uint32_t n = wl_u32(w, "n");
  uint64_t elements = (uint64_t)n * n;
  const char *names[] = {"a", "b", "c", "d"};
  wl_buffer in[4], out[3] = {wl_alloc(w, "e", elements * 4), wl_alloc(w, "f", elements * 4),
                             wl_alloc(w, "g", elements * 4)};
  double *exact[4];
  for (int m = 0; m < 4; m++) {
    float *data = wl_host(w, elements, sizeof *data);
    wl_random_f32(w, data, elements, 0, 1);
    in[m] = wl_upload(w, names[m], data, elements * 4);
    exact[m] = wl_host(w, elements, sizeof *exact[m]);
    for (uint64_t i = 0; i < elements; i++)
      exact[m][i] = (double)data[i];
  }
  struct wl_range all = wl_range2(wl_up(n, 32), wl_up(n, 8), 32, 8);
  wl_launch(w, "multiply", all, WL_ARGS(wl_buf(in[0]), wl_buf(in[1]), wl_buf(out[0]), wl_int(n)));
  wl_launch(w, "multiply", all, WL_ARGS(wl_buf(in[2]), wl_buf(in[3]), wl_buf(out[1]), wl_int(n)));
  wl_launch(w, "multiply", all, WL_ARGS(wl_buf(out[0]), wl_buf(out[1]), wl_buf(out[2]), wl_int(n)));
  if (!wl_verify(w))
    return;
  double *e = product(w, exact[0], exact[1], n), *f = product(w, exact[2], exact[3], n);
  check(w, out[0], e, n);
  check(w, out[1], f, n);
  check(w, out[2], product(w, e, f, n), n);
}
