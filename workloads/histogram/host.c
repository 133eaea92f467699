/* One launch of each kernel; the host reads the crowded range in between. */
#include "workload/host.h"

enum { group = 512, row_log2 = 12, unroll = 16, shares = 14, sample_groups = 64, most = 255 };

WORKLOAD(histogram) {
  uint32_t n = wl_u32(w, "n"), bins = 1u << wl_u32(w, "log2_bins"), spread = wl_u32(w, "spread");
  if (spread > bins)
    wl_refuse(w, "spread: %u of %u bins", spread, bins);
  uint32_t pairs = n / 2 + n % 2, *image = wl_host(w, (uint64_t)pairs * 2, sizeof *image);
  for (uint32_t i = 0; i < n; i++) { /* sums of four draws are nearly normal; one in 64 lies anywhere */
    uint64_t sum = 0;
    for (int k = 0; k < 4; k++)
      sum += wl_random_below(w, spread);
    image[i] =
        (uint32_t)(wl_random_below(w, 64) ? bins / 2 - spread / 2 + sum / 4 : wl_random_below(w, bins));
  }
  wl_buffer in = wl_upload(w, "image", image, (uint64_t)pairs * 8),
            places = wl_alloc(w, "places", (uint64_t)pairs * 8);
  wl_buffer counters = wl_alloc(w, "counters", (uint64_t)bins * 4), out = wl_alloc(w, "histogram", bins);
  uint32_t range[2] = {bins - 1, 0};
  wl_buffer found = wl_upload(w, "range", range, sizeof range);
  wl_launch(w, "prescan", wl_range1(sample_groups * group, group),
            WL_ARGS(wl_buf(in), wl_int(n), wl_buf(found), wl_int(bins)));
  wl_read(w, found, 0, range, sizeof range);
  uint32_t first = range[0] >> row_log2, last = range[1] >> row_log2;
  wl_launch(w, "split", wl_range1(wl_up(pairs, group * unroll) / unroll, group),
            WL_ARGS(wl_buf(places), wl_buf(in), wl_int(pairs)));
  wl_launch(w, "count", wl_range2(shares * group, last - first + 1, group, 1),
            WL_ARGS(wl_buf(counters), wl_buf(places), wl_int(n), wl_int(first), wl_int(last)));
  wl_launch(w, "finish", wl_range1(shares * 3 * group, group),
            WL_ARGS(wl_buf(out), wl_buf(counters), wl_int(bins / 4)));
  if (!wl_verify(w))
    return;
  uint8_t *want = wl_host(w, bins, 1);
  for (uint32_t i = 0; i < n; i++)
    if (want[image[i]] < most)
      want[image[i]]++;
  wl_check(w, out, ELEM_U8, want, bins, 0);
}
