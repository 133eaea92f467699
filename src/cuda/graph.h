/* Graphs: operations with what they come after; instantiated, a list in an order that obeys all of it. */
#ifndef SLUICE_CUDA_GRAPH_H
#define SLUICE_CUDA_GRAPH_H

#include "cuda/cuda.h"

struct graph_node {
  struct graph *graph;
  struct op *op;
  struct tail after; /* nodes that come before it */
  struct graph_node *next;
  struct graph *child;            /* of a node that is a graph; its own */
  const struct graph_node *model; /* the node that it was cloned from; not looked into */
};
struct graph {
  struct graph_node *first, *last;
  struct graph *next;
};
struct graph_step {
  const struct graph_node *node; /* whose operation it is; not looked into */
  struct op *op;
  bool off; /* cudaGraphNodeSetEnabled */
};
struct graph_exec {
  struct graph_step *steps;
  size_t n, cap;
  unsigned long long flags;
  const struct graph *of; /* what it was instantiated from; not looked into */
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
void graph_exec_free(struct graph_exec *x);
/* The step of a node, also inside of graphs that are nodes; NULL: there is none. */
struct graph_step *graph_step_find(struct graph_exec *x, const void *node);
struct graph *graph_clone(const struct graph *g);
/* Memory nodes: such a graph is instantiated once at a time, not cloned, no child, and loses no node or edge. */
bool graph_has_memory(const struct graph *g);
/* Takes the operation: adds it after those nodes, or returns *error where there is none. (A pointer: the call that
 * makes the operation sets it, and stands beside it as an argument.) */
int graph_add_checked(void **to, void *graph, struct graph_node *const *after, size_t n, struct op *op,
                      const int *error);
/* Take the operation: in place of the node's; of a step's. */
int graph_replace(void *node, struct op *op, const int *error);
int graph_replace_in(void *exec, void *node, struct op *op, const int *error);
static const int invalid = CU_INVALID_VALUE;
/* graph_nodes.c: operations of what nodes describe; NULL with *error. */
struct op *graph_copy_op(const struct cuda_copy3d *p, int *error);
struct op *graph_line_op(void *dst, const void *src, size_t n, int kind, int *error);
struct op *graph_kernel_op(const struct cuda_kernel_node *p, int *error);
struct op *graph_fill_op(const struct cuda_memset_node *p, int *error);
/* graph_memory.c: memory that lives with a graph. NULL with *error. */
struct op *graph_alloc_op(size_t bytes, uint64_t *address, int *error);
struct op *graph_free_op(uint64_t address, int *error);

#endif
