/* Nodes that programs add one by one, and change in what was instantiated. */
#include "cuda/graph.h"

struct op *graph_kernel_op(const struct cuda_kernel_node *p, int *error) {
  *error = CU_INVALID_VALUE;
  if (!p)
    return NULL;
  struct launch_wanted w = {.grid = p->grid, .block = p->block, .shared = p->shared, .params = p->params};
  w.kernel = kernel_find(p->func, error);
  return w.kernel ? launch_op(&w, error) : NULL;
}

struct op *graph_copy_op(const struct cuda_copy3d *p, int *error) {
  *error = CU_INVALID_VALUE;
  if (!p || p->src_array || p->dst_array)
    return NULL;
  size_t rows_to = p->dst.ysize ? p->dst.ysize : p->extent.height,
         rows = p->src.ysize ? p->src.ysize : p->extent.height;
  struct copy c = {.dst = (uint8_t *)p->dst.ptr + p->dst_pos.z * p->dst.pitch * rows_to +
                          p->dst_pos.y * p->dst.pitch + p->dst_pos.x,
                   .src = (const uint8_t *)p->src.ptr + p->src_pos.z * p->src.pitch * rows +
                          p->src_pos.y * p->src.pitch + p->src_pos.x,
                   .dst_pitch = p->dst.pitch,
                   .dst_slice = p->dst.pitch * rows_to,
                   .src_pitch = p->src.pitch,
                   .src_slice = p->src.pitch * rows,
                   .width = p->extent.width,
                   .height = p->extent.height,
                   .depth = p->extent.depth,
                   .kind = (enum cuda_copy_kind)p->kind};
  *error = copy_check(&c);
  return *error ? NULL : copy_op(&c);
}

struct op *graph_line_op(void *dst, const void *src, size_t n, int kind, int *error) {
  struct copy c = {
      .dst = dst, .src = src, .width = n, .height = 1, .depth = 1, .kind = (enum cuda_copy_kind)kind};
  *error = copy_check(&c);
  return *error ? NULL : copy_op(&c);
}

struct op *graph_fill_op(const struct cuda_memset_node *p, int *error) {
  *error = CU_INVALID_VALUE;
  if (!p || (p->element != 1 && p->element != 2 && p->element != 4))
    return NULL;
  struct fill f = {.dst = p->dst,
                   .pitch = p->pitch,
                   .value = p->value,
                   .element = p->element,
                   .width = p->width,
                   .height = p->height,
                   .depth = 1};
  *error = fill_check(&f);
  return *error ? NULL : fill_op(&f);
}

static int nothing(struct op *op, uint64_t *ns) {
  (void)op, (void)ns;
  return CU_SUCCESS;
}
static struct op *empty_node(void) {
  struct op *op = xcalloc(1, sizeof *op);
  *op = (struct op){.run = nothing, .type = OP_EMPTY, .users = 1};
  return op;
}

int graph_add_checked(void **to, void *graph, struct graph_node *const *after, size_t n, struct op *op,
                      const int *error) {
  struct graph *g = graph_find(graph);
  bool ok = to && g && (!n || after);
  for (size_t i = 0; ok && i < n; i++)
    ok = graph_node_find(after[i]) && after[i]->graph == g;
  if (!op || !ok) {
    op_drop(op);
    return op ? CU_INVALID_VALUE : *error;
  }
  *to = graph_add(g, op, after, n);
  return CU_SUCCESS;
}

API int cudaGraphAddKernelNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                               const struct cuda_kernel_node *p) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, graph_kernel_op(p, &e), &e));
}
API int cudaGraphAddMemcpyNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                               const struct cuda_copy3d *p) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, graph_copy_op(p, &e), &e));
}
API int cudaGraphAddMemcpyNode1D(void **to, void *graph, struct graph_node *const *after, size_t n, void *dst,
                                 const void *src, size_t bytes, int kind) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, graph_line_op(dst, src, bytes, kind, &e), &e));
}
API int cudaGraphAddMemsetNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                               const struct cuda_memset_node *p) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, graph_fill_op(p, &e), &e));
}
API int cudaGraphAddHostNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                             const struct cuda_host_node *p) {
  RUNTIME(graph_add_checked(to, graph, after, n, p && p->fn ? op_host(p->fn, p->data) : NULL, &invalid));
}
API int cudaGraphAddEmptyNode(void **to, void *graph, struct graph_node *const *after, size_t n) {
  RUNTIME(graph_add_checked(to, graph, after, n, empty_node(), &invalid));
}

static int depend(struct graph_node *const *from, struct graph_node *const *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!graph_node_find(from[i]) || !graph_node_find(to[i]))
      return CU_INVALID_VALUE;
  for (size_t i = 0; i < n; i++)
    tail_add(&to[i]->after, from[i]);
  return CU_SUCCESS;
}
/* CUDA 13 has one more argument between, which says what kind of edges: the plain one is a null pointer. */
int depend_11(void *graph, struct graph_node *const *from, struct graph_node *const *to, size_t n);
int depend_11(void *graph, struct graph_node *const *from, struct graph_node *const *to, size_t n) {
  RUNTIME(graph_find(graph) ? depend(from, to, n) : CU_INVALID_VALUE);
}
int depend_13(void *graph, struct graph_node *const *from, struct graph_node *const *to, const void *edges,
              size_t n);
int depend_13(void *graph, struct graph_node *const *from, struct graph_node *const *to, const void *edges,
              size_t n) {
  RUNTIME(edges ? CU_NOT_SUPPORTED : graph_find(graph) ? depend(from, to, n) : CU_INVALID_VALUE);
}

/* ---- changes ---- */

int graph_replace(void *node, struct op *op, const int *error) {
  struct graph_node *n = graph_node_find(node);
  if (!op || !n || n->op->type != op->type) {
    op_drop(op);
    return op ? CU_INVALID_VALUE : *error;
  }
  op_drop(n->op);
  n->op = op;
  return CU_SUCCESS;
}
int graph_replace_in(void *exec, void *node, struct op *op, const int *error) {
  struct graph_exec *x = graph_exec_find(exec);
  struct graph_step *s = op && x ? graph_step_find(x, node) : NULL;
  if (s && s->op->type == op->type) {
    op_drop(s->op);
    s->op = op;
    return CU_SUCCESS;
  }
  op_drop(op);
  return op ? CU_INVALID_VALUE : *error;
}
API int cudaGraphKernelNodeSetParams(void *node, const struct cuda_kernel_node *p) {
  int e = 0;
  RUNTIME(graph_replace(node, graph_kernel_op(p, &e), &e));
}
API int cudaGraphMemcpyNodeSetParams(void *node, const struct cuda_copy3d *p) {
  int e = 0;
  RUNTIME(graph_replace(node, graph_copy_op(p, &e), &e));
}
API int cudaGraphMemsetNodeSetParams(void *node, const struct cuda_memset_node *p) {
  int e = 0;
  RUNTIME(graph_replace(node, graph_fill_op(p, &e), &e));
}
API int cudaGraphExecKernelNodeSetParams(void *exec, void *node, const struct cuda_kernel_node *p) {
  int e = 0;
  RUNTIME(graph_replace_in(exec, node, graph_kernel_op(p, &e), &e));
}
API int cudaGraphExecMemcpyNodeSetParams(void *exec, void *node, const struct cuda_copy3d *p) {
  int e = 0;
  RUNTIME(graph_replace_in(exec, node, graph_copy_op(p, &e), &e));
}
API int cudaGraphExecMemcpyNodeSetParams1D(void *exec, void *node, void *dst, const void *src, size_t bytes,
                                           int kind) {
  int e = 0;
  RUNTIME(graph_replace_in(exec, node, graph_line_op(dst, src, bytes, kind, &e), &e));
}
API int cudaGraphExecMemsetNodeSetParams(void *exec, void *node, const struct cuda_memset_node *p) {
  int e = 0;
  RUNTIME(graph_replace_in(exec, node, graph_fill_op(p, &e), &e));
}

/* ---- what is there ---- */

static int get_nodes(void *graph, void **to, size_t *n, bool roots) {
  struct graph *g = graph_find(graph);
  size_t all = 0, room = n ? *n : 0;
  if (!g || !n)
    return CU_INVALID_VALUE;
  for (struct graph_node *k = g->first; k; k = k->next) {
    if (roots && k->after.n)
      continue;
    if (to && all < room)
      to[all] = k;
    all++;
  }
  *n = to && room < all ? room : all;
  return CU_SUCCESS;
}
API int cudaGraphGetNodes(void *graph, void **to, size_t *n) {
  RUNTIME(get_nodes(graph, to, n, false));
}
API int cudaGraphGetRootNodes(void *graph, void **to, size_t *n) {
  RUNTIME(get_nodes(graph, to, n, true));
}
static int get_type(void *node, int *to) {
  const struct graph_node *n = graph_node_find(node);
  if (!n || !to)
    return CU_INVALID_VALUE;
  *to = (int)n->op->type;
  return CU_SUCCESS;
}
API int cudaGraphNodeGetType(void *node, int *to) {
  RUNTIME(get_type(node, to));
}
VERSIONED(depend_11, cudaGraphAddDependencies, of11, CUDART_11);
VERSIONED(depend_11, cudaGraphAddDependencies, of12, CUDART_12);
VERSIONED(depend_13, cudaGraphAddDependencies, of13, CUDART_13);
