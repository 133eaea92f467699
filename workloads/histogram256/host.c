/* One launch. Draws are even, so that no work-item sees one value in all its 256 elements, more than a byte counts. */
#include "workload/host.h"

enum { bins = 256, part = 128 * 256 };

WORKLOAD(histogram256) {
  uint32_t n = wl_u32(w, "n"), groups = n / part;
  uint32_t *data = wl_host(w, n, 4), *want = wl_host(w, (uint64_t)groups * bins, 4),
           *got = wl_host(w, (uint64_t)groups * bins, 4);
  wl_random_u32(w, data, n, bins);
  wl_buffer in = wl_upload(w, "data", data, (uint64_t)n * 4),
            counts = wl_alloc(w, "counts", (uint64_t)groups * bins * 4);
  wl_launch(w, "count", wl_range1(n / 256, 128), WL_ARGS(wl_buf(in), wl_buf(counts)));
  uint32_t total[bins] = {0}, sum[bins] = {0};
  wl_read(w, counts, 0, got, (uint64_t)groups * bins * 4);
  for (uint32_t i = 0; i < groups * bins; i++)
    total[i % bins] += got[i];
  if (!wl_verify(w))
    return;
  for (uint32_t i = 0; i < n; i++) {
    want[i / part * bins + data[i]]++;
    sum[data[i]]++;
  }
  wl_check_u32(w, counts, want, (uint64_t)groups * bins);
  for (uint32_t b = 0; b < bins; b++)
    wl_require(w, total[b] == sum[b], "bin %u holds %u instead of %u", b, total[b], sum[b]);
}
