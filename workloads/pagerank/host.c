/* A number of iterations of two launches. */
#include "workload/graph.h"

WORKLOAD(pagerank) {
  struct graph g = wl_graph(w, false);
  uint32_t n = g.nodes, iterations = wl_u32(w, "iterations");
  float damping = 0.85f;
  wl_buffer first = wl_upload(w, "first", g.first, ((uint64_t)n + 1) * 4);
  wl_buffer to = wl_upload(w, "edges", g.to, (uint64_t)g.edges * 4);
  wl_buffer rank = wl_alloc(w, "rank", (uint64_t)n * 4), sum = wl_alloc(w, "sum", (uint64_t)n * 4);
  struct wl_range all = wl_range1(wl_up(n, 256), 256);
  wl_launch(w, "init", all, WL_ARGS(wl_buf(rank), wl_buf(sum), wl_int(n)));
  for (uint32_t i = 0; i < iterations; i++) {
    wl_launch(w, "push", all, WL_ARGS(wl_buf(first), wl_buf(to), wl_buf(rank), wl_buf(sum), wl_int(n)));
    wl_launch(w, "update", all, WL_ARGS(wl_buf(rank), wl_buf(sum), wl_float(damping), wl_int(n)));
  }
  if (!wl_verify(w))
    return;
  double *now = wl_host(w, n, sizeof *now), *next = wl_host(w, n, sizeof *next), d = (double)damping;
  float *want = wl_host(w, n, sizeof *want), *got = wl_host(w, n, sizeof *got);
  for (uint32_t i = 0; i < n; i++)
    now[i] = 1.0 / n;
  for (uint32_t k = 0; k < iterations; k++) {
    for (uint32_t i = 0; i < n; i++)
      next[i] = (1 - d) / n;
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t e = g.first[i]; e < g.first[i + 1]; e++)
        next[g.to[e]] += d * now[i] / (g.first[i + 1] - g.first[i]);
    double *swap = now;
    now = next;
    next = swap;
  }
  wl_read_loose(w, rank, 0, got, (uint64_t)n * 4);
  /* Ranks are about 1/n, so the bound is relative to each: terms are positive, and a sum's rounding grows
   * with the edges that meet at a node (thousands at most). */
  for (uint32_t i = 0; i < n; i++) {
    double error = (double)got[i] / now[i] - 1;
    wl_require(w, error <= 1e-4 && error >= -1e-4, "rank[%u] is %.9g instead of %.9g", i, (double)got[i],
               now[i]);
    want[i] = (float)now[i];
  }
  wl_check_f32(w, rank, want, n, 1e-4);
}
