/* Graphs and sparse matrices for workloads: from a generator or a file, in compressed rows.
 *
 *   row i owns the entries first[i] .. first[i+1]-1 of to[] and weight[], or of column[] and value[] */
#ifndef SLUICE_WORKLOAD_GRAPH_H
#define SLUICE_WORKLOAD_GRAPH_H

#include "workload/host.h"

struct graph {
  uint32_t nodes, edges;
  uint32_t *first;  /* nodes + 1 */
  uint32_t *to;     /* ascending within a node */
  uint32_t *weight; /* 1 and more */
};

struct matrix {
  uint32_t rows, columns, nonzeros;
  uint32_t *first, *column; /* ascending within a row */
  float *value;
};

/* The file of --input, or a generator as three parameters say that about.yaml must declare:
 *   graph:  {values: [uniform, rmat, mesh, road]}    nodes and degree (mean out-degree)
 *   matrix: {values: [uniform, rmat, mesh, road]}    rows and degree (mean entries of a row)
 * mesh and road have the degree of a plane grid and round nodes down to a square. Weights are 1 to 64,
 * values -1 to 1. `both`: every edge gets its reverse, with the same weight. */
struct graph wl_graph(struct wl *w, bool both);
struct matrix wl_matrix(struct wl *w);

#endif
