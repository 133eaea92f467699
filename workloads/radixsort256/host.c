/* Four passes: the work-items' counts, their sums on the host, the permutation. */
#include "workload/host.h"
#include <stdlib.h>

enum { radix = 256, group = 64 };

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Digit by digit, and for each work-item by work-item: where its first key with that digit goes. */
static void positions(uint32_t *counts, uint32_t items) {
  uint32_t next = 0;
  for (uint32_t d = 0; d < radix; d++)
    for (uint32_t i = 0; i < items; i++) {
      uint32_t *c = &counts[(uint64_t)i * radix + d], n = *c;
      *c = next;
      next += n;
    }
}

WORKLOAD(radixsort256) {
  uint32_t n = wl_u32(w, "n"), items = n / radix;
  uint64_t bytes = (uint64_t)n * 4;
  uint32_t *keys = wl_host(w, n, 4), *counts = wl_host(w, n, 4);
  wl_random_u32(w, keys, n, 0);
  wl_buffer from = wl_upload(w, "keys", keys, bytes), to = wl_alloc(w, "other keys", bytes);
  wl_buffer table = wl_alloc(w, "counts", bytes); /* a work-item has as many digits as keys */
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    wl_launch(w, "count", wl_range1(items, group), WL_ARGS(wl_buf(from), wl_buf(table), wl_int(shift)));
    wl_read(w, table, 0, counts, bytes);
    positions(counts, items);
    wl_write(w, table, 0, counts, bytes);
    wl_launch(w, "permute", wl_range1(items, group),
              WL_ARGS(wl_buf(to), wl_buf(from), wl_buf(table), wl_int(shift)));
    wl_buffer swap = from;
    from = to;
    to = swap;
  }
  if (!wl_verify(w))
    return;
  qsort(keys, n, sizeof *keys, by_value);
  wl_check_u32(w, from, keys, n);
}
