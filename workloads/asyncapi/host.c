/* One launch, in groups of 512. */
#include "workload/host.h"

WORKLOAD(asyncapi) {
  uint32_t n = wl_u32(w, "n"), by = 26;
  uint32_t *data = wl_host(w, n, sizeof *data);
  wl_random_u32(w, data, n, 0);
  wl_buffer buffer = wl_upload(w, "data", data, (uint64_t)n * 4);
  wl_launch(w, "increment", wl_range1(n, 512), WL_ARGS(wl_buf(buffer), wl_int(by)));
  if (!wl_verify(w))
    return;
  for (uint32_t i = 0; i < n; i++)
    data[i] += by;
  wl_check_u32(w, buffer, data, n);
}
