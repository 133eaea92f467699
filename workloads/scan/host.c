/* One launch for arrays of up to 1024 elements, three for longer ones. */
#include "workload/host.h"

enum { group = 256, piece = 4 * group };

WORKLOAD(scan) {
  uint32_t n = wl_u32(w, "n"), length = 1u << wl_u32(w, "log2_length"), pieces = n / piece;
  if (n % length)
    wl_refuse(w, "n: '%u' is no multiple of the arrays' length %u", n, length);
  uint32_t *data = wl_host(w, n, sizeof *data);
  wl_random_u32(w, data, n, 0);
  wl_buffer in = wl_upload(w, "in", data, (uint64_t)n * 4), out = wl_alloc(w, "out", (uint64_t)n * 4);
  wl_launch(w, "scan_local", wl_range1(n / 4, group),
            WL_ARGS(wl_buf(out), wl_buf(in), wl_int(length < piece ? length : piece)));
  if (length > piece) {
    wl_buffer totals = wl_alloc(w, "totals", (uint64_t)pieces * 4);
    wl_launch(w, "scan_tops", wl_range1(wl_up(pieces, group), group),
              WL_ARGS(wl_buf(totals), wl_buf(out), wl_buf(in), wl_int(pieces), wl_int(length / piece)));
    wl_launch(w, "scan_add", wl_range1(n / 4, group), WL_ARGS(wl_buf(out), wl_buf(totals)));
  }
  if (!wl_verify(w))
    return;
  uint32_t *want = wl_host(w, n, sizeof *want);
  for (uint32_t i = 0; i < n; i++)
    want[i] = i % length ? want[i - 1] + data[i - 1] : 0;
  wl_check_u32(w, out, want, n);
}
