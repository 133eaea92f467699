/* Charges scattered at the density of water, at most eight in a bin, and margins of empty bins around. */
#include "workload/host.h"
#include <math.h>
#include <stdlib.h>

enum { SLOTS = 8, SIDE = 8 };
static const double bin_size = 4, spacing = 0.5;

struct box {
  int regions, margin, bins; /* along each side; bins = regions + 2 * margin */
  double cutoff;
  float *atoms; /* x y z charge, SLOTS for each bin; charge 0: free */
  uint64_t slots;
};

static void fill(struct wl *w, struct box *b) {
  b->slots = (uint64_t)b->bins * (uint64_t)b->bins * (uint64_t)b->bins * SLOTS;
  b->atoms = wl_host(w, b->slots * 4, sizeof *b->atoms);
  for (int z = 0; z < b->regions; z++)
    for (int y = 0; y < b->regions; y++)
      for (int x = 0; x < b->regions; x++) {
        int bin = ((z + b->margin) * b->bins + y + b->margin) * b->bins + x + b->margin;
        uint64_t n = 4 + wl_random_below(w, 5);
        for (uint64_t i = 0; i < n; i++) {
          float *a = b->atoms + ((uint64_t)bin * SLOTS + i) * 4;
          a[0] = (float)(bin_size * (x + wl_random_unit(w)));
          a[1] = (float)(bin_size * (y + wl_random_unit(w)));
          a[2] = (float)(bin_size * (z + wl_random_unit(w)));
          a[3] = wl_random_below(w, 2) ? 0.4F : -0.8F;
        }
      }
}

/* Offsets of all bins with a point within the cutoff of some point of the middle one. */
static int32_t *neighbours(struct wl *w, const struct box *b, uint32_t *count) {
  int m = b->margin;
  int32_t *list = wl_host(w, (uint64_t)((2 * m + 1) * (2 * m + 1) * (2 * m + 1)), sizeof *list);
  *count = 0;
  for (int z = -m; z <= m; z++)
    for (int y = -m; y <= m; y++)
      for (int x = -m; x <= m; x++) {
        double dx = x ? bin_size * (abs(x) - 1) : 0, dy = y ? bin_size * (abs(y) - 1) : 0;
        double dz = z ? bin_size * (abs(z) - 1) : 0;
        if (dx * dx + dy * dy + dz * dz <= b->cutoff * b->cutoff)
          list[(*count)++] = (z * b->bins + y) * b->bins + x;
      }
  return list;
}

/* Each atom adds to the points around it: the other way round than the kernel. */
static float *reference(struct wl *w, const struct box *b, int points) {
  uint64_t all = (uint64_t)points * (uint64_t)points * (uint64_t)points;
  double *sum = wl_host(w, all, sizeof *sum), c2 = b->cutoff * b->cutoff;
  float *out = wl_host(w, all, sizeof *out);
  for (uint64_t i = 0; i < b->slots; i++) {
    const float *a = b->atoms + i * 4;
    int low[3], high[3];
    for (int k = 0; k < 3; k++) {
      low[k] = (int)fmax(0, ((double)a[k] - b->cutoff) / spacing);
      high[k] = (int)fmin(points - 1, ((double)a[k] + b->cutoff) / spacing);
    }
    for (int z = low[2]; a[3] != 0 && z <= high[2]; z++)
      for (int y = low[1]; y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++) {
          double dx = (double)a[0] - x * spacing, dy = (double)a[1] - y * spacing,
                 dz = (double)a[2] - z * spacing;
          double r2 = dx * dx + dy * dy + dz * dz, s = 1 - r2 / c2;
          if (r2 < c2)
            sum[((uint64_t)z * (uint64_t)points + (uint64_t)y) * (uint64_t)points + (uint64_t)x] +=
                (double)a[3] / sqrt(r2) * s * s;
        }
  }
  for (uint64_t i = 0; i < all; i++)
    out[i] = (float)sum[i];
  return out;
}

WORKLOAD(cutcp) {
  struct box b = {.regions = (int)wl_u32(w, "regions"), .cutoff = wl_f64(w, "cutoff")};
  if (b.cutoff <= 0 || b.cutoff > 40)
    wl_refuse(w, "cutoff %g (allowed: above 0 to 40)", b.cutoff);
  b.margin = (int)ceil(b.cutoff / bin_size);
  b.bins = b.regions + 2 * b.margin;
  fill(w, &b);
  uint32_t n, points = (uint32_t)b.regions * SIDE;
  int32_t *list = neighbours(w, &b, &n);
  wl_buffer bins = wl_upload(w, "bins", b.atoms, b.slots * 16),
            near = wl_upload(w, "neighbours", list, n * 4);
  uint64_t all = (uint64_t)points * points * points;
  wl_buffer lattice = wl_alloc(w, "lattice", all * 4);
  wl_launch(w, "cutcp_lattice", wl_range3(points, points, points / 4, 8, 8, 2),
            WL_ARGS(wl_buf(bins), wl_buf(near), wl_int(n), wl_sint(b.bins), wl_sint(b.bins),
                    wl_sint(b.margin), wl_buf(lattice), wl_float((float)spacing),
                    wl_float((float)(b.cutoff * b.cutoff)), wl_float((float)(1 / (b.cutoff * b.cutoff)))));
  if (wl_verify(w)) /* an atom very near a point gives a large value: relative; sums of a thousand terms */
    wl_check_f32(w, lattice, reference(w, &b, (int)points), all, 2e-4);
}
