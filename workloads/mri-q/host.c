/* The samples' magnitudes, which the host packs with their coordinates; then a launch for each 1024. */
#include "workload/host.h"
#include <math.h>

enum { chunk = 1024 };

struct sample {
  float x, y, z, magnitude;
};

static float *random_floats(struct wl *w, uint32_t n, float bound) {
  float *f = wl_host(w, n, sizeof *f);
  wl_random_f32(w, f, n, -bound, bound);
  return f;
}

static void check(struct wl *w, const struct sample *s, uint32_t samples, float *const v[3], uint32_t voxels,
                  wl_buffer re, wl_buffer im) {
  float *want_re = wl_host(w, voxels, 4), *want_im = wl_host(w, voxels, 4);
  for (uint32_t i = 0; i < voxels; i++) {
    double sum_re = 0, sum_im = 0;
    for (uint32_t k = 0; k < samples; k++) {
      double angle = (double)s[k].x * (double)v[0][i] + (double)s[k].y * (double)v[1][i] +
                     (double)s[k].z * (double)v[2][i];
      sum_re += (double)s[k].magnitude * cos(2 * 3.14159265358979324 * angle);
      sum_im += (double)s[k].magnitude * sin(2 * 3.14159265358979324 * angle);
    }
    want_re[i] = (float)sum_re;
    want_im[i] = (float)sum_im;
  }
  /* Angles stay within a turn, where the hardware's sine errs by 5e-7; terms are up to 2. The worst case is
   * 1e-6 a sample plus the sum's own rounding. */
  double tolerance = 1e-4 + 1e-6 * samples;
  wl_check_f32(w, re, want_re, voxels, tolerance);
  wl_check_f32(w, im, want_im, voxels, tolerance);
}

WORKLOAD(mri_q) {
  uint32_t voxels = wl_u32(w, "voxels"), samples = wl_u32(w, "samples");
  uint64_t vbytes = (uint64_t)voxels * 4, sbytes = (uint64_t)samples * 4;
  float *phi_re = random_floats(w, samples, 1), *phi_im = random_floats(w, samples, 1);
  float *k[3], *v[3];
  for (int d = 0; d < 3; d++) { /* |angle| <= 2 pi 3 / 2 / 3 = pi */
    k[d] = random_floats(w, samples, 0.5f);
    v[d] = random_floats(w, voxels, 1.0f / 3);
  }
  wl_buffer re = wl_upload(w, "phi real", phi_re, sbytes), im = wl_upload(w, "phi imaginary", phi_im, sbytes);
  wl_buffer magnitude = wl_alloc(w, "magnitude", sbytes);
  wl_launch(w, "phi_magnitude", wl_range1(wl_up(samples, 512), 512),
            WL_ARGS(wl_buf(re), wl_buf(im), wl_buf(magnitude), wl_int(samples)));
  float *magnitudes = wl_host(w, samples, 4);
  wl_read(w, magnitude, 0, magnitudes, sbytes);
  struct sample *s = wl_host(w, samples, sizeof *s);
  for (uint32_t i = 0; i < samples; i++) {
    s[i] = (struct sample){k[0][i], k[1][i], k[2][i], magnitudes[i]};
    double want = (double)phi_re[i] * (double)phi_re[i] + (double)phi_im[i] * (double)phi_im[i];
    wl_require(w, fabs((double)magnitudes[i] - want) <= 3e-7, "magnitude[%u] is %g instead of %g", i,
               (double)magnitudes[i], want);
  }
  wl_buffer packed = wl_upload(w, "samples", s, sizeof *s * (uint64_t)samples);
  wl_buffer x = wl_upload(w, "x", v[0], vbytes), y = wl_upload(w, "y", v[1], vbytes),
            z = wl_upload(w, "z", v[2], vbytes);
  wl_buffer q_re = wl_alloc(w, "q real", vbytes), q_im = wl_alloc(w, "q imaginary", vbytes);
  for (uint32_t first = 0; first < samples; first += chunk)
    wl_launch(w, "q", wl_range1(wl_up(voxels, 256), 256),
              WL_ARGS(wl_buf_at(packed, sizeof *s * (uint64_t)first),
                      wl_int(samples - first < chunk ? samples - first : chunk), wl_buf(x), wl_buf(y),
                      wl_buf(z), wl_buf(q_re), wl_buf(q_im), wl_int(voxels)));
  if (wl_verify(w))
    check(w, s, samples, v, voxels, q_re, q_im);
}
