/* E = A B, F = C D, G = E F. A, D and G are n x n; B and E have `middle` columns, C and F as many rows. */
#include "workload/host.h"

static double *product(struct wl *w, const double *a, const double *b, uint64_t rows, uint64_t inner,
                       uint64_t columns) {
  double *c = wl_host(w, rows * columns, sizeof *c);
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t k = 0; k < inner; k++)
      for (uint64_t j = 0; j < columns; j++)
        c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}

static void check(struct wl *w, wl_buffer b, const double *want, uint64_t elements, uint64_t n) {
  float *as = wl_host(w, elements, sizeof *as);
  for (uint64_t i = 0; i < elements; i++)
    as[i] = (float)want[i];
  /* All terms are positive: the relative error is at most a rounding of 6e-8 for each, and for each of E's. */
  wl_check_f32(w, b, as, elements, 1.2e-7 * (double)n + 1e-6);
}

static void multiply(struct wl *w, wl_buffer a, wl_buffer b, wl_buffer c, uint32_t rows, uint32_t inner,
                     uint32_t columns) {
  struct wl_range all = wl_range2(wl_up(columns, 32), wl_up(rows, 8), 32, 8);
  if (rows == inner && inner == columns)
    wl_launch(w, "multiply", all, WL_ARGS(wl_buf(a), wl_buf(b), wl_buf(c), wl_int(rows)));
  else
    wl_launch(w, "multiply_sides", all,
              WL_ARGS(wl_buf(a), wl_buf(b), wl_buf(c), wl_int(rows), wl_int(inner), wl_int(columns)));
}

WORKLOAD(3mm) {
  uint32_t n = wl_u32(w, "n"), middle = wl_u32(w, "middle");
  middle = middle ? middle : n;
  uint64_t square = (uint64_t)n * n, side = (uint64_t)n * middle;
  const uint64_t elements[] = {square, side, side, square};
  const char *names[] = {"a", "b", "c", "d"};
  wl_buffer in[4],
      out[3] = {wl_alloc(w, "e", side * 4), wl_alloc(w, "f", side * 4), wl_alloc(w, "g", square * 4)};
  double *exact[4];
  for (int m = 0; m < 4; m++) {
    float *data = wl_host(w, elements[m], sizeof *data);
    wl_random_f32(w, data, elements[m], 0, 1);
    in[m] = wl_upload(w, names[m], data, elements[m] * 4);
    exact[m] = wl_host(w, elements[m], sizeof *exact[m]);
    for (uint64_t i = 0; i < elements[m]; i++)
      exact[m][i] = (double)data[i];
  }
  multiply(w, in[0], in[1], out[0], n, n, middle);
  multiply(w, in[2], in[3], out[1], middle, n, n);
  multiply(w, out[0], out[1], out[2], n, middle, n);
  if (!wl_verify(w))
    return;
  double *e = product(w, exact[0], exact[1], n, n, middle), *f = product(w, exact[2], exact[3], middle, n, n);
  check(w, out[0], e, side, n);
  check(w, out[1], f, side, n);
  check(w, out[2], product(w, e, f, n, middle, n), square, n);
}
