/* Rounds of two launches until no uncoloured nodes are neighbours. */
#include "workload/graph.h"

/* Where nodes are taken by falling value, a node's colour is one above the highest among those before it. */
static int32_t *reference(struct wl *w, const struct graph *g, const uint32_t *value) {
  int32_t *colours = wl_host(w, g->nodes, sizeof *colours);
  uint32_t *node_of = wl_host(w, g->nodes, sizeof *node_of);
  for (uint32_t i = 0; i < g->nodes; i++)
    node_of[value[i]] = i;
  for (uint32_t v = g->nodes; v-- > 0;) {
    uint32_t i = node_of[v];
    for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
      if (value[g->to[e]] > v && colours[i] <= colours[g->to[e]])
        colours[i] = colours[g->to[e]] + 1;
  }
  return colours;
}

WORKLOAD(color) {
  struct graph g = wl_graph(w, true);
  uint32_t n = g.nodes, *values = wl_host(w, n, 4);
  int32_t *none = wl_host(w, n, sizeof *none);
  for (uint32_t i = 0; i < n; i++) { /* a random order: no two nodes have the same value */
    uint32_t other = (uint32_t)wl_random_below(w, (uint64_t)i + 1);
    values[i] = values[other];
    values[other] = i;
    none[i] = -1;
  }
  wl_buffer first = wl_upload(w, "first", g.first, ((uint64_t)n + 1) * 4);
  wl_buffer to = wl_upload(w, "edges", g.to, (uint64_t)g.edges * 4);
  wl_buffer value = wl_upload(w, "values", values, (uint64_t)n * 4), more = wl_alloc(w, "more", 4);
  wl_buffer colours = wl_upload(w, "colours", none, (uint64_t)n * 4),
            largest = wl_alloc(w, "largest", (uint64_t)n * 4);
  struct wl_range all = wl_range1(wl_up(n, 256), 256);
  int32_t round = 0;
  do {
    wl_write_u32(w, more, 0, 0);
    wl_launch(w, "find_largest", all,
              WL_ARGS(wl_buf(first), wl_buf(to), wl_buf(value), wl_buf(colours), wl_buf(largest),
                      wl_buf(more), wl_int(n)));
    wl_launch(w, "colour", all,
              WL_ARGS(wl_buf(value), wl_buf(colours), wl_buf(largest), wl_sint(round++), wl_int(n)));
  } while (wl_read_u32(w, more, 0));
  if (wl_verify(w))
    wl_check_s32(w, colours, reference(w, &g, values), n);
}
