/* Graphs: operations with what they come after; instantiated, a list in an order that obeys all of it. */
#ifndef SLUICE_CUDA_GRAPH_H
#define SLUICE_CUDA_GRAPH_H

#include "cuda/cuda.h"

struct graph_node {
  struct graph *graph;
  struct op *op;
  struct tail after; /* nodes that come before it */
  struct graph_node *next;
  struct graph *child;
};
struct graph {
  struct graph_node *first, *last;
  struct graph *next;
  bool inner; /* a node's: freed with it */
};
struct graph_exec {
  struct {
    const struct graph_node *node; /* whose operation it is; not looked into */
    struct op *op;
  } * steps;
  size_t n, cap;
  struct graph_exec *next;
};

struct graph *graph_new(void);
struct graph *graph_find(const void *handle);
void graph_free(struct graph *g);
struct graph_exec *graph_exec_find(const void *handle);
struct graph_node *graph_add(struct graph *g, struct op *op, struct graph_node *const *after, size_t n);
struct graph_node *graph_node_find(const void *handle);
void tail_add(struct tail *t, struct graph_node *n);
/* The steps of a graph in order. NULL: it has a cycle. */
struct graph_exec *graph_order(struct graph *g);

#endif
