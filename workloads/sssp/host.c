/* A launch for each round, until none lowered a distance. How many rounds that takes depends on the order in
 * which work-groups run, the distances do not. */
#include "workload/graph.h"
#include <string.h>

/* Dijkstra's algorithm with a binary heap of (distance, node). */
struct heap {
  uint64_t *items;
  size_t n;
};

static void push(struct heap *h, uint64_t v) {
  size_t i = h->n++;
  for (; i && h->items[(i - 1) / 2] > v; i = (i - 1) / 2)
    h->items[i] = h->items[(i - 1) / 2];
  h->items[i] = v;
}

static uint64_t pop(struct heap *h) {
  uint64_t top = h->items[0], v = h->items[--h->n];
  size_t i = 0;
  for (size_t k = 1; k < h->n; k = 2 * i + 1) {
    if (k + 1 < h->n && h->items[k + 1] < h->items[k])
      k++;
    if (h->items[k] >= v)
      break;
    h->items[i] = h->items[k];
    i = k;
  }
  h->items[i] = v;
  return top;
}

static uint32_t *reference(struct wl *w, const struct graph *g, uint32_t source) {
  uint32_t *distance = wl_host(w, g->nodes, sizeof *distance);
  struct heap h = {wl_host(w, (uint64_t)g->edges + 1, sizeof *h.items), 0};
  memset(distance, 0xff, (size_t)g->nodes * sizeof *distance);
  distance[source] = 0;
  push(&h, source);
  while (h.n) {
    uint64_t top = pop(&h);
    uint32_t u = (uint32_t)top, d = (uint32_t)(top >> 32);
    for (uint32_t e = g->first[u]; d == distance[u] && e < g->first[u + 1]; e++) {
      uint32_t v = g->to[e], offer = d + g->weight[e];
      if (offer < distance[v]) {
        distance[v] = offer;
        push(&h, (uint64_t)offer << 32 | v);
      }
    }
  }
  return distance;
}

WORKLOAD(sssp) {
  struct graph g = wl_graph(w, false);
  uint32_t source = 0, changed;
  wl_buffer first = wl_upload(w, "first", g.first, ((uint64_t)g.nodes + 1) * 4);
  wl_buffer to = wl_upload(w, "edges", g.to, (uint64_t)g.edges * 4);
  wl_buffer weight = wl_upload(w, "weights", g.weight, (uint64_t)g.edges * 4);
  wl_buffer distance = wl_alloc(w, "distance", (uint64_t)g.nodes * 4), flag = wl_alloc(w, "changed", 4);
  struct wl_range all = wl_range1(wl_up(g.nodes, 256), 256);
  wl_launch(w, "sssp_init", all, WL_ARGS(wl_buf(distance), wl_int(g.nodes), wl_int(source)));
  do {
    wl_write_u32(w, flag, 0, 0);
    wl_launch(
        w, "sssp_relax", all,
        WL_ARGS(wl_buf(first), wl_buf(to), wl_buf(weight), wl_buf(distance), wl_buf(flag), wl_int(g.nodes)));
    wl_read_loose(w, flag, 0, &changed, sizeof changed);
  } while (changed);
  wl_settle(w, g.nodes < 2000 ? g.nodes : 2000);
  if (wl_verify(w))
    wl_check_u32(w, distance, reference(w, &g, source), g.nodes);
}
