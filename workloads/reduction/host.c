/* One launch. The sums of four lanes of each group's 2048 integers are checked, and what they come to. */
#include "workload/host.h"

enum { part = 2048 };

WORKLOAD(reduction) {
  uint32_t n = wl_u32(w, "n"), groups = n / part;
  uint32_t *data = wl_host(w, n, 4), *want = wl_host(w, (uint64_t)groups * 4, 4),
           *got = wl_host(w, (uint64_t)groups * 4, 4);
  wl_random_u32(w, data, n, 0);
  wl_buffer in = wl_upload(w, "in", data, (uint64_t)n * 4), out = wl_alloc(w, "sums", (uint64_t)groups * 16);
  wl_launch(w, "reduce", wl_range1(n / 8, 256), WL_ARGS(wl_buf(in), wl_buf(out)));
  wl_read(w, out, 0, got, (uint64_t)groups * 16);
  uint32_t total = 0;
  for (uint32_t i = 0; i < groups * 4; i++)
    total += got[i];
  if (!wl_verify(w))
    return;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    sum += data[i];
    want[i / part * 4 + i % 4] += data[i];
  }
  wl_check_u32(w, out, want, (uint64_t)groups * 4);
  wl_require(w, total == sum, "the sum is %u instead of %u", total, sum);
}
