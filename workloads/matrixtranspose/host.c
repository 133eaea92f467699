/* One launch. */
#include "workload/host.h"

WORKLOAD(matrixtranspose) {
  uint32_t size = wl_u32(w, "size");
  uint64_t n = (uint64_t)size * size;
  float *data = wl_host(w, n, 4), *want = wl_host(w, n, 4);
  wl_random_f32(w, data, n, -1, 1);
  wl_buffer in = wl_upload(w, "in", data, n * 4), out = wl_alloc(w, "out", n * 4);
  wl_launch(w, "transpose", wl_range2(size / 4, size / 4, 16, 16),
            WL_ARGS(wl_buf(out), wl_buf(in), wl_int(size)));
  if (!wl_verify(w))
    return;
  for (uint64_t y = 0; y < size; y++)
    for (uint64_t x = 0; x < size; x++)
      want[x * size + y] = data[y * size + x];
  wl_check_f32(w, out, want, n, 0);
}
