/* A launch for each iteration, from one grid into the other and back. */
#include "workload/host.h"
#include <string.h>

static const float centre = 1.0f / 6, side = 1.0f / 36;

static void iterate(const double *in, double *out, uint64_t nx, uint64_t ny, uint64_t nz) {
  for (uint64_t k = 1; k + 1 < nz; k++)
    for (uint64_t j = 1; j + 1 < ny; j++)
      for (uint64_t i = 1; i + 1 < nx; i++) {
        const double *p = in + (k * ny + j) * nx + i;
        double sum = p[-1] + p[1] + *(p - nx) + p[nx] + *(p - nx * ny) + p[nx * ny];
        out[(k * ny + j) * nx + i] = (double)side * sum - (double)centre * *p;
      }
}

WORKLOAD(stencil) {
  uint32_t nx = wl_u32(w, "nx"), ny = wl_u32(w, "ny"), nz = wl_u32(w, "nz"),
           iterations = wl_u32(w, "iterations");
  uint64_t n = (uint64_t)nx * ny * nz;
  if (n > UINT64_C(1) << 30)
    wl_refuse(w, "nx, ny, nz: a grid of %llu points (allowed: up to 2^30)", (unsigned long long)n);
  float *grid = wl_host(w, n, sizeof *grid);
  wl_random_f32(w, grid, n, -1, 1);
  wl_buffer from = wl_upload(w, "a", grid, n * 4), to = wl_upload(w, "b", grid, n * 4);
  for (uint32_t t = 0; t < iterations; t++) {
    wl_launch(w, "stencil", wl_range2(wl_up(nx, 64) / 2, wl_up(ny, 4), 32, 4),
              WL_ARGS(wl_float(centre), wl_float(side), wl_buf(from), wl_buf(to), wl_int(nx), wl_int(ny),
                      wl_int(nz)));
    wl_buffer swap = from;
    from = to;
    to = swap;
  }
  if (!wl_verify(w))
    return;
  double *a = wl_host(w, n, sizeof *a), *b = wl_host(w, n, sizeof *b);
  for (uint64_t i = 0; i < n; i++)
    a[i] = b[i] = (double)grid[i];
  for (uint32_t t = 0; t < iterations; t++) {
    iterate(a, b, nx, ny, nz);
    double *swap = a;
    a = b;
    b = swap;
  }
  for (uint64_t i = 0; i < n; i++)
    grid[i] = (float)a[i];
  wl_check_f32(w, from, grid, n, 1e-6); /* values stay below 1, and an iteration halves earlier errors */
}
