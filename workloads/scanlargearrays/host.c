/* Levels up until one block is left, then down. Elements are small whole numbers: all sums are exact. */
#include "workload/host.h"

/* Scans n elements of `in` into a new buffer. */
static wl_buffer scan(struct wl *w, wl_buffer in, uint64_t n, uint32_t block) {
  wl_buffer out = wl_alloc(w, "out", n * 4);
  uint32_t size = n < block ? (uint32_t)n : block;
  uint64_t blocks = n / size;
  wl_buffer sums = wl_alloc(w, "sums", blocks * 4);
  wl_launch(w, "scan_block", wl_range1(n / 2, size / 2),
            WL_ARGS(wl_buf(out), wl_buf(in), wl_local(UINT64_C(4) * size), wl_buf(sums)));
  if (blocks > 1)
    wl_launch(w, "add_blocks", wl_range1(n, size),
              WL_ARGS(wl_buf(out), wl_buf(scan(w, sums, blocks, block))));
  return out;
}

WORKLOAD(scanlargearrays) {
  uint32_t n = 1u << wl_u32(w, "log2_n"), block = 1u << wl_u32(w, "log2_block");
  float *data = wl_host(w, n, 4), *want = wl_host(w, n, 4);
  for (uint32_t i = 0; i < n; i++)
    data[i] = (float)wl_random_below(w, 4); /* 2^22 of them stay below 2^24 */
  wl_buffer out = scan(w, wl_upload(w, "in", data, (uint64_t)n * 4), n, block);
  if (!wl_verify(w))
    return;
  for (uint32_t i = 1; i < n; i++)
    want[i] = want[i - 1] + data[i - 1];
  wl_check_f32(w, out, want, n, 0);
}
