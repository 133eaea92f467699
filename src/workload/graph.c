/* Triplets into compressed rows. */
#include "workload/graph.h"
#include "base/mem.h"
#include "base/rng.h"
#include "workload/triplets.h"
#include "workload/wl.h"
#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b) {
  const struct triplet *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

/* In order, and of entries at the same place only the first. */
static void order(struct triplets *t) {
  size_t kept = 0;
  if (t->n)
    qsort(t->items, t->n, sizeof *t->items, by_place);
  for (size_t i = 0; i < t->n; i++)
    if (!kept || by_place(&t->items[kept - 1], &t->items[i]) != 0)
      t->items[kept++] = t->items[i];
  t->n = kept;
}

static uint32_t *row_starts(struct wl *w, const struct triplets *t) {
  uint32_t *first = wl_host(w, (uint64_t)t->rows + 1, sizeof *first);
  for (size_t i = 0; i < t->n; i++)
    first[t->items[i].row + 1]++;
  for (uint32_t i = 0; i < t->rows; i++)
    first[i + 1] += first[i];
  return first;
}

static void load(struct wl *w, struct triplets *t, const char *kind, const char *count) {
  if (wl_input(w)) {
    if (!triplets_read(t, wl_input(w), w->err))
      wl_leave(w);
  } else {
    triplets_generate(t, (enum triplet_form)wl_choice(w, kind), wl_u32(w, count), wl_u32(w, "degree"),
                      &w->rng);
  }
}

/* Weights may be drawn after the edges are in order, so that both ways of an edge get the same. */
static uint32_t drawn_weight(const struct wl *w, uint32_t a, uint32_t b) {
  uint64_t low = a < b ? a : b, high = a < b ? b : a, state = w->request->seed ^ low << 32 ^ high;
  return 1 + (uint32_t)(rng_splitmix(&state) % 64);
}

struct graph wl_graph(struct wl *w, bool both) {
  struct triplets t = {0};
  load(w, &t, "graph", "nodes");
  size_t n = t.n;
  for (size_t i = 0; both && i < n; i++) {
    struct triplet e = t.items[i];
    triplets_add(&t, e.column, e.row, e.value);
  }
  order(&t);
  uint32_t nodes = t.rows > t.columns ? t.rows : t.columns;
  bool bad = t.n > TRIPLETS_MAX_ENTRIES || t.rows != t.columns;
  if (bad) {
    triplets_free(&t);
    wl_refuse(w, "a graph has as many rows as columns, and at most %d edges", TRIPLETS_MAX_ENTRIES);
  }
  struct graph g = {.nodes = nodes, .edges = (uint32_t)t.n, .first = row_starts(w, &t)};
  g.to = wl_host(w, t.n, sizeof *g.to);
  g.weight = wl_host(w, t.n, sizeof *g.weight);
  for (size_t i = 0; i < t.n; i++) {
    double v = t.items[i].value;
    g.to[i] = t.items[i].column;
    g.weight[i] = wl_input(w) ? (v >= 1 && v <= INT32_MAX ? (uint32_t)v : 1)
                              : drawn_weight(w, t.items[i].row, t.items[i].column);
  }
  triplets_free(&t);
  return g;
}

struct matrix wl_matrix(struct wl *w) {
  struct triplets t = {0};
  load(w, &t, "matrix", "rows");
  order(&t);
  struct matrix m = {.rows = t.rows, .columns = t.columns, .nonzeros = (uint32_t)t.n};
  m.first = row_starts(w, &t);
  m.column = wl_host(w, t.n, sizeof *m.column);
  m.value = wl_host(w, t.n, sizeof *m.value);
  for (size_t i = 0; i < t.n; i++) {
    m.column[i] = t.items[i].column;
    m.value[i] = (float)(wl_input(w) ? t.items[i].value : 2 * wl_random_unit(w) - 1);
  }
  triplets_free(&t);
  return m;
}
