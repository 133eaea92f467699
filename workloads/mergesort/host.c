/* Runs of 1024, then four launches for each doubling, to and fro between two pairs of arrays. */
#include "workload/host.h"
#include <stdlib.h>

enum { run = 1024, sample = 128, group = 256 };

/* Key, and place in the input below it: equal keys keep their order. */
static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorts; returns in which of the two pairs the result lies. */
static unsigned sort(struct wl *w, wl_buffer in_keys, wl_buffer in_values, const wl_buffer key[2],
                     const wl_buffer value[2], uint32_t n) {
  uint64_t limits = (uint64_t)n / sample * 4;
  wl_buffer ranks_a = wl_alloc(w, "ranks a", limits), ranks_b = wl_alloc(w, "ranks b", limits);
  wl_buffer limits_a = wl_alloc(w, "limits a", limits), limits_b = wl_alloc(w, "limits b", limits);
  struct wl_range samples = wl_range1(wl_up(n / sample / 2, group), group);
  unsigned from = 0;
  wl_launch(w, "sort_runs", wl_range1(n / 2, run / 2),
            WL_ARGS(wl_buf(key[0]), wl_buf(value[0]), wl_buf(in_keys), wl_buf(in_values)));
  for (uint32_t length = run; length < n; length *= 2, from ^= 1) {
    wl_launch(w, "rank_samples", samples,
              WL_ARGS(wl_buf(ranks_a), wl_buf(ranks_b), wl_buf(key[from]), wl_int(length), wl_int(n)));
    wl_launch(w, "merge_limits", samples,
              WL_ARGS(wl_buf(limits_a), wl_buf(ranks_a), wl_int(length), wl_int(n)));
    wl_launch(w, "merge_limits", samples,
              WL_ARGS(wl_buf(limits_b), wl_buf(ranks_b), wl_int(length), wl_int(n)));
    wl_launch(w, "merge_pieces", wl_range1(n, sample),
              WL_ARGS(wl_buf(key[!from]), wl_buf(value[!from]), wl_buf(key[from]), wl_buf(value[from]),
                      wl_buf(limits_a), wl_buf(limits_b), wl_int(length)));
  }
  return from;
}

WORKLOAD(mergesort) {
  uint32_t n = 1u << wl_u32(w, "log2_n");
  uint32_t *keys = wl_host(w, n, 4), *values = wl_host(w, n, 4);
  wl_random_u32(w, keys, n, 65536); /* many are equal, as in the suite */
  for (uint32_t i = 0; i < n; i++)
    values[i] = i;
  uint64_t bytes = (uint64_t)n * 4;
  wl_buffer in_keys = wl_upload(w, "keys", keys, bytes), in_values = wl_upload(w, "values", values, bytes);
  wl_buffer key[2] = {wl_alloc(w, "keys 0", bytes), wl_alloc(w, "keys 1", bytes)};
  wl_buffer value[2] = {wl_alloc(w, "values 0", bytes), wl_alloc(w, "values 1", bytes)};
  unsigned result = sort(w, in_keys, in_values, key, value, n);
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
  wl_check_u32(w, key[result], keys, n);
  wl_check_u32(w, value[result], values, n);
}
