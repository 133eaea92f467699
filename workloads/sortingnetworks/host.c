/* The network's levels as launches. Keys repeat, as in the suite, and the network is not stable: values are
 * checked to be the places the sorted keys came from, each once. */
#include "workload/host.h"
#include <stdlib.h>

enum { block = 1024, group = 512 };

static void sort(struct wl *w, wl_buffer keys, wl_buffer values, wl_buffer in_keys, wl_buffer in_values,
                 uint32_t n, uint32_t length) {
  struct wl_range all = wl_range1(n / 2, group);
  if (length <= block) {
    wl_launch(w, "sort_local", all,
              WL_ARGS(wl_buf(keys), wl_buf(values), wl_buf(in_keys), wl_buf(in_values), wl_int(length)));
    return;
  }
  wl_launch(w, "sort_blocks", all, WL_ARGS(wl_buf(keys), wl_buf(values), wl_buf(in_keys), wl_buf(in_values)));
  for (uint32_t size = 2 * block; size <= length && size; size *= 2) {
    for (uint32_t stride = size / 2; stride >= block; stride /= 2)
      wl_launch(w, "merge_global", all,
                WL_ARGS(wl_buf(keys), wl_buf(values), wl_int(length), wl_int(size), wl_int(stride)));
    wl_launch(w, "merge_local", all, WL_ARGS(wl_buf(keys), wl_buf(values), wl_int(length), wl_int(size)));
  }
}

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void check(struct wl *w, const uint32_t *keys, wl_buffer out_keys, wl_buffer out_values, uint32_t n,
                  uint32_t length) {
  uint32_t *want = wl_host(w, n, 4), *values = wl_host(w, n, 4);
  bool *seen = wl_host(w, n, sizeof *seen);
  for (uint32_t i = 0; i < n; i++)
    want[i] = keys[i];
  for (uint32_t i = 0; i < n; i += length)
    qsort(want + i, length, sizeof *want, by_value);
  wl_check_u32(w, out_keys, want, n);
  wl_read_loose(w, out_values, 0, values, (uint64_t)n * 4);
  for (uint32_t i = 0; i < n; i++) {
    wl_require(w, values[i] / length == i / length && !seen[values[i]],
               "value[%u] is %u, which is of another array or not alone", i, values[i]);
    wl_require(w, keys[values[i]] == want[i], "value[%u] is %u, where the key is %u instead of %u", i,
               values[i], keys[values[i]], want[i]);
    seen[values[i]] = true;
  }
}

WORKLOAD(sortingnetworks) {
  uint32_t n = 1u << wl_u32(w, "log2_n"), length = 1u << wl_u32(w, "log2_length");
  if (length > n)
    wl_refuse(w, "log2_length: arrays of %u in %u pairs", length, n);
  uint32_t *keys = wl_host(w, n, 4), *values = wl_host(w, n, 4);
  wl_random_u32(w, keys, n, 65536);
  for (uint32_t i = 0; i < n; i++)
    values[i] = i;
  uint64_t bytes = (uint64_t)n * 4;
  wl_buffer in_keys = wl_upload(w, "keys", keys, bytes), in_values = wl_upload(w, "values", values, bytes);
  wl_buffer out_keys = wl_alloc(w, "sorted keys", bytes), out_values = wl_alloc(w, "sorted values", bytes);
  sort(w, out_keys, out_values, in_keys, in_values, n, length);
  if (wl_verify(w))
    check(w, keys, out_keys, out_values, n, length);
}
