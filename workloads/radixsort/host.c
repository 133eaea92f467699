/* Eight passes of three launches, to and fro between two pairs of arrays. */
#include "workload/host.h"
#include <stdlib.h>

enum { group = 128, digits = 16 };

/* Key, and place in the input below it: equal keys keep their order. */
static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

WORKLOAD(radixsort) {
  uint32_t n = wl_u32(w, "n"), groups = wl_u32(w, "groups");
  uint32_t *keys = wl_host(w, n, 4), *values = wl_host(w, n, 4);
  wl_random_u32(w, keys, n, 0);
  for (uint32_t i = 0; i < n; i++)
    values[i] = i;
  uint64_t bytes = (uint64_t)n * 4;
  wl_buffer key[2] = {wl_upload(w, "keys", keys, bytes), wl_alloc(w, "other keys", bytes)};
  wl_buffer value[2] = {wl_upload(w, "values", values, bytes), wl_alloc(w, "other values", bytes)};
  wl_buffer counts = wl_alloc(w, "counts", (uint64_t)groups * digits * 4);
  struct wl_range all = wl_range1((uint64_t)groups * group, group);
  for (uint32_t shift = 0, from = 0; shift < 32; shift += 4, from ^= 1) {
    wl_launch(w, "radix_count", all, WL_ARGS(wl_buf(counts), wl_buf(key[from]), wl_int(n), wl_int(shift)));
    wl_launch(w, "radix_scan", wl_range1(256, 256),
              WL_ARGS(wl_buf(counts), wl_int((uint64_t)groups * digits)));
    wl_launch(w, "radix_scatter", all,
              WL_ARGS(wl_buf(key[!from]), wl_buf(value[!from]), wl_buf(key[from]), wl_buf(value[from]),
                      wl_buf(counts), wl_int(n), wl_int(shift)));
  }
  if (!wl_verify(w))
    return;
  uint64_t *pairs = wl_host(w, n, sizeof *pairs);
  for (uint32_t i = 0; i < n; i++)
    pairs[i] = (uint64_t)keys[i] << 32 | i;
  qsort(pairs, n, sizeof *pairs, by_value);
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = (uint32_t)(pairs[i] >> 32);
    values[i] = (uint32_t)pairs[i];
  }
  wl_check_u32(w, key[0], keys, n);
  wl_check_u32(w, value[0], values, n);
}
