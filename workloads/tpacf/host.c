/* One launch. Cosines of bin boundaries lie evenly in the logarithm of the angle, five bins to a decade, as
 * in the suite: 1 to 10000 arc minutes. */
#include "workload/host.h"
#include <math.h>

enum { bins = 20 };

struct sky {
  float *x, *y, *z;
};

/* A pair's cosine, rounded as the kernel rounds it: counts are compared exactly. */
static float cosine(const struct sky *s, uint32_t a, uint32_t b) {
  return fmaf(s->x[b], s->x[a], fmaf(s->y[b], s->y[a], s->z[b] * s->z[a]));
}

static void count(uint32_t *histogram, const struct sky *s, uint32_t a, uint32_t b, const float *cosines) {
  float c = cosine(s, a, b);
  unsigned bin = 0;
  while (bin + 1 < bins && c < cosines[bin + 1])
    bin++;
  histogram[bin]++;
}

static uint32_t *reference(struct wl *w, const struct sky *s, uint32_t points, uint32_t sets,
                           const float *cosines) {
  uint32_t *out = wl_host(w, (2 * (uint64_t)sets + 1) * bins, sizeof *out);
  for (uint32_t set = 0; set <= sets; set++)
    for (uint32_t i = 0; i < points; i++) {
      for (uint32_t j = i + 1; j < points; j++)
        count(out + (set ? sets + set : 0) * bins, s, set * points + i, set * points + j, cosines);
      for (uint32_t j = 0; set && j < points; j++)
        count(out + set * bins, s, i, set * points + j, cosines);
    }
  return out;
}

WORKLOAD(tpacf) {
  uint32_t points = wl_u32(w, "points"), sets = wl_u32(w, "sets");
  uint64_t n = (uint64_t)points * (sets + 1);
  struct sky s = {wl_host(w, n, 4), wl_host(w, n, 4), wl_host(w, n, 4)};
  for (uint64_t i = 0; i < n; i++) { /* even on the sphere */
    double z = 2 * wl_random_unit(w) - 1, angle = 6.28318530717958648 * wl_random_unit(w),
           r = sqrt(1 - z * z);
    s.x[i] = (float)(r * cos(angle));
    s.y[i] = (float)(r * sin(angle));
    s.z[i] = (float)z;
  }
  float cosines[bins];
  for (int b = 0; b < bins; b++)
    cosines[b] = (float)cos(pow(10, b / 5.0) / 60 * 3.14159265358979324 / 180);
  wl_buffer histograms = wl_alloc(w, "histograms", (2 * (uint64_t)sets + 1) * bins * 4);
  wl_buffer x = wl_upload(w, "x", s.x, n * 4), y = wl_upload(w, "y", s.y, n * 4),
            z = wl_upload(w, "z", s.z, n * 4);
  wl_buffer boundaries = wl_upload(w, "cosines", cosines, sizeof cosines);
  wl_launch(w, "tpacf", wl_range1((2 * (uint64_t)sets + 1) * 256, 256),
            WL_ARGS(wl_buf(histograms), wl_buf(x), wl_buf(y), wl_buf(z), wl_buf(boundaries), wl_int(points),
                    wl_int(sets)));
  if (wl_verify(w))
    wl_check_u32(w, histograms, reference(w, &s, points, sets, cosines), (2 * (uint64_t)sets + 1) * bins);
}
