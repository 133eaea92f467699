/* A launch for each node. Row and column `through` do not change in its launch, so work-items do not disturb each
 * other. */
#include "workload/host.h"
#include <string.h>

enum { farthest = 200 };

/* Dijkstra's algorithm from one node. */
static void from_node(const uint32_t *edge, uint32_t n, uint32_t source, uint32_t *distance, bool *done) {
  memset(done, 0, n * sizeof *done);
  for (uint32_t i = 0; i < n; i++)
    distance[i] = i == source ? 0 : UINT32_MAX;
  for (uint32_t round = 0; round < n; round++) {
    uint32_t near = n;
    for (uint32_t i = 0; i < n; i++)
      if (!done[i] && (near == n || distance[i] < distance[near]))
        near = i;
    done[near] = true;
    for (uint32_t i = 0; i < n; i++)
      if (distance[near] + edge[(uint64_t)near * n + i] < distance[i])
        distance[i] = distance[near] + edge[(uint64_t)near * n + i];
  }
}

/* A shortest path must go through the node named for it, or be the edge itself. */
static void check_via(struct wl *w, wl_buffer via, const uint32_t *edge, const uint32_t *distance,
                      uint32_t n) {
  uint32_t *got = wl_host(w, (uint64_t)n * n, 4);
  wl_read_loose(w, via, 0, got, (uint64_t)n * n * 4);
  for (uint64_t y = 0; y < n; y++)
    for (uint64_t x = 0; x < n; x++) {
      uint64_t v = got[y * n + x];
      uint32_t length = v == UINT32_MAX ? edge[y * n + x]
                        : v < n         ? distance[y * n + v] + distance[v * n + x]
                                        : UINT32_MAX;
      wl_require(w, length == distance[y * n + x],
                 "via[%llu] is %llu, where the path has length %u instead of %u",
                 (unsigned long long)(y * n + x), (unsigned long long)v, length, distance[y * n + x]);
    }
}

WORKLOAD(floydwarshall) {
  uint32_t n = wl_u32(w, "nodes");
  uint64_t pairs = (uint64_t)n * n;
  uint32_t *edge = wl_host(w, pairs, 4), *none = wl_host(w, pairs, 4), *want = wl_host(w, pairs, 4);
  wl_random_u32(w, edge, pairs, farthest + 1);
  for (uint32_t i = 0; i < n; i++)
    edge[(uint64_t)i * n + i] = 0;
  memset(none, 0xff, pairs * 4);
  wl_buffer distances = wl_upload(w, "distances", edge, pairs * 4),
            via = wl_upload(w, "via", none, pairs * 4);
  for (uint32_t through = 0; through < n; through++)
    wl_launch(w, "pass", wl_range2(n, n, 16, 16),
              WL_ARGS(wl_buf(distances), wl_buf(via), wl_int(n), wl_int(through)));
  if (!wl_verify(w))
    return;
  bool *done = wl_host(w, n, sizeof *done);
  for (uint32_t i = 0; i < n; i++)
    from_node(edge, n, i, want + (uint64_t)i * n, done);
  wl_check_u32(w, distances, want, pairs);
  check_via(w, via, edge, want, n);
}
