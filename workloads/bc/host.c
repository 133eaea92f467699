/* For each source: levels forth until none adds a node, then back. */
#include "workload/graph.h"
#include <float.h>

static void from_source(struct wl *w, const struct graph *g, uint32_t source, double *centrality) {
  uint32_t *queue = wl_host(w, g->nodes, sizeof *queue), head = 0, tail = 0;
  int32_t *distance = wl_host(w, g->nodes, sizeof *distance);
  double *paths = wl_host(w, g->nodes, sizeof *paths), *depends = wl_host(w, g->nodes, sizeof *depends);
  for (uint32_t i = 0; i < g->nodes; i++)
    distance[i] = -1;
  distance[source] = 0;
  paths[source] = 1;
  queue[tail++] = source;
  while (head < tail) {
    uint32_t u = queue[head++];
    for (uint32_t e = g->first[u]; e < g->first[u + 1]; e++) {
      uint32_t v = g->to[e];
      if (distance[v] < 0) {
        distance[v] = distance[u] + 1;
        queue[tail++] = v;
      }
      if (distance[v] == distance[u] + 1)
        paths[v] += paths[u];
    }
    if (paths[u] > (double)FLT_MAX)
      wl_refuse(w, "more shortest paths from node %u to node %u than a float can count", source, u);
  }
  while (tail > 1) { /* the farthest first; each adds its own to those before it */
    uint32_t v = queue[--tail];
    for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
      if (distance[g->to[e]] == distance[v] - 1)
        depends[g->to[e]] += paths[g->to[e]] / paths[v] * (1 + depends[v]);
    centrality[v] += depends[v];
  }
}

WORKLOAD(bc) {
  struct graph g = wl_graph(w, true);
  uint32_t n = g.nodes, sources = wl_u32(w, "sources") < n ? wl_u32(w, "sources") : n;
  uint64_t bytes = (uint64_t)n * 4;
  wl_buffer first = wl_upload(w, "first", g.first, bytes + 4),
            to = wl_upload(w, "edges", g.to, (uint64_t)g.edges * 4);
  wl_buffer distance = wl_alloc(w, "distance", bytes), paths = wl_alloc(w, "paths", bytes);
  wl_buffer depends = wl_alloc(w, "depends", bytes), centrality = wl_alloc(w, "centrality", bytes);
  wl_buffer more = wl_alloc(w, "more", 4);
  struct wl_range all = wl_range1(wl_up(n, 128), 128);
  double *exact = wl_host(w, n, sizeof *exact);
  for (uint32_t s = 0; s < sources; s++) /* first, as it refuses graphs that are too regular */
    from_source(w, &g, s, exact);
  for (uint32_t s = 0; s < sources; s++) {
    int32_t level = 0;
    wl_launch(w, "start", all,
              WL_ARGS(wl_buf(distance), wl_buf(paths), wl_buf(depends), wl_int(s), wl_int(n)));
    do {
      wl_write_u32(w, more, 0, 0);
      wl_launch(w, "forward", all,
                WL_ARGS(wl_buf(first), wl_buf(to), wl_buf(distance), wl_buf(paths), wl_buf(more),
                        wl_sint(level++), wl_int(n)));
    } while (wl_read_u32(w, more, 0));
    for (; level > 0; level--) {
      wl_launch(w, "backward", all,
                WL_ARGS(wl_buf(first), wl_buf(to), wl_buf(distance), wl_buf(paths), wl_buf(depends),
                        wl_sint(level), wl_int(n)));
      wl_launch(w, "gather_up", all,
                WL_ARGS(wl_buf(distance), wl_buf(depends), wl_buf(centrality), wl_int(s), wl_sint(level),
                        wl_int(n)));
    }
  }
  if (!wl_verify(w))
    return;
  float *want = wl_host(w, n, sizeof *want);
  for (uint32_t i = 0; i < n; i++)
    want[i] = (float)exact[i];
  /* Positive terms: a rounding of 6e-8 for each edge and level on the way. */
  wl_check_f32(w, centrality, want, n, 1e-4);
}
