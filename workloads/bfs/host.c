/* Two launches for each level, until none added a node: the host reads a flag back after each level. */
#include "workload/graph.h"
#include <string.h>

struct node {
  uint32_t first, edges;
};

static int32_t *reference(struct wl *w, const struct graph *g, uint32_t source) {
  int32_t *cost = wl_host(w, g->nodes, sizeof *cost);
  uint32_t *queue = wl_host(w, g->nodes, sizeof *queue), head = 0, tail = 0;
  memset(cost, -1, (size_t)g->nodes * sizeof *cost);
  cost[source] = 0;
  queue[tail++] = source;
  while (head < tail) {
    uint32_t u = queue[head++];
    for (uint32_t e = g->first[u]; e < g->first[u + 1]; e++)
      if (cost[g->to[e]] < 0) {
        cost[g->to[e]] = cost[u] + 1;
        queue[tail++] = g->to[e];
      }
  }
  return cost;
}

WORKLOAD(bfs) {
  struct graph g = wl_graph(w, false);
  uint32_t source = 0;
  struct node *nodes = wl_host(w, g.nodes, sizeof *nodes);
  int32_t *start = wl_host(w, g.nodes, sizeof *start);
  for (uint32_t i = 0; i < g.nodes; i++) {
    nodes[i] = (struct node){g.first[i], g.first[i + 1] - g.first[i]};
    start[i] = -1;
  }
  start[source] = 0;
  wl_buffer node = wl_upload(w, "nodes", nodes, (uint64_t)g.nodes * sizeof *nodes);
  wl_buffer to = wl_upload(w, "edges", g.to, (uint64_t)g.edges * 4);
  wl_buffer frontier = wl_alloc(w, "frontier", g.nodes), next = wl_alloc(w, "next", g.nodes);
  wl_buffer visited = wl_alloc(w, "visited", g.nodes), more = wl_alloc(w, "more", 4);
  wl_buffer cost = wl_upload(w, "cost", start, (uint64_t)g.nodes * 4);
  wl_write(w, frontier, source, &(uint8_t){1}, 1);
  wl_write(w, visited, source, &(uint8_t){1}, 1);
  struct wl_range all = wl_range1(wl_up(g.nodes, 512), 512);
  do {
    wl_write_u32(w, more, 0, 0);
    wl_launch(w, "bfs_expand", all,
              WL_ARGS(wl_buf(node), wl_buf(to), wl_buf(frontier), wl_buf(next), wl_buf(visited), wl_buf(cost),
                      wl_int(g.nodes)));
    wl_launch(w, "bfs_advance", all,
              WL_ARGS(wl_buf(frontier), wl_buf(next), wl_buf(visited), wl_buf(more), wl_int(g.nodes)));
  } while (wl_read_u32(w, more, 0));
  if (wl_verify(w))
    wl_check_s32(w, cost, reference(w, &g, source), g.nodes);
}
