/* What a graph consists of, and changes to it as a whole: parameters of nodes, dependencies, clones, updates. */
#include "cuda/graph.h"
#include <stdio.h>

static const struct op *node_op(void *node, enum op_type type) {
  const struct graph_node *n = graph_node_find(node);
  return n && n->op->type == type ? n->op : NULL;
}

/* ---- parameters ---- */

static int kernel_params(void *node, struct cuda_kernel_node *to) {
  struct launch_op *l = (struct launch_op *)node_op(node, OP_KERNEL);
  if (!l || !to)
    return CU_INVALID_VALUE;
  int e = kernel_prepare(l->kernel);
  if (e)
    return e;
  const struct kernel_info *k = l->kernel->info;
  if (!l->each) {
    l->each = xcalloc(k->nparams + 1u, sizeof *l->each);
    for (uint32_t i = 0; i < k->nparams; i++)
      l->each[i] = l->params + k->param_offset[i];
  }
  const struct launch *x = &l->launch;
  *to = (struct cuda_kernel_node){
      .func = (void *)(uintptr_t)(l->kernel->host ? l->kernel->host : (const void *)l->kernel),
      .grid = {x->grid[0], x->grid[1], x->grid[2]},
      .block = {x->block[0], x->block[1], x->block[2]},
      .shared = (unsigned)x->dynamic_shared,
      .params = l->each};
  return CU_SUCCESS;
}
API int cudaGraphKernelNodeGetParams(void *node, struct cuda_kernel_node *to) {
  RUNTIME(kernel_params(node, to));
}
static int copy_params(void *node, struct cuda_copy3d *to) {
  const struct copy *c = (const struct copy *)node_op(node, OP_COPY);
  if (!c || !to)
    return CU_INVALID_VALUE;
  size_t to_rows = c->dst_pitch ? c->dst_slice / c->dst_pitch : c->height,
         rows = c->src_pitch ? c->src_slice / c->src_pitch : c->height;
  *to = (struct cuda_copy3d){
      .dst = {c->dst, c->dst_pitch ? c->dst_pitch : c->width, c->width, to_rows ? to_rows : c->height},
      .src = {(void *)(uintptr_t)c->src, c->src_pitch ? c->src_pitch : c->width, c->width,
              rows ? rows : c->height},
      .extent = {c->width, c->height, c->depth},
      .kind = (int)c->kind};
  return CU_SUCCESS;
}
API int cudaGraphMemcpyNodeGetParams(void *node, struct cuda_copy3d *to) {
  RUNTIME(copy_params(node, to));
}
static int fill_params(void *node, struct cuda_memset_node *to) {
  const struct fill *f = (const struct fill *)node_op(node, OP_FILL);
  if (!f || !to)
    return CU_INVALID_VALUE;
  *to = (struct cuda_memset_node){f->dst, f->pitch, f->value, f->element, f->width, f->height};
  return CU_SUCCESS;
}
API int cudaGraphMemsetNodeGetParams(void *node, struct cuda_memset_node *to) {
  RUNTIME(fill_params(node, to));
}
static int host_params(void *node, struct cuda_host_node *to) {
  const struct op *op = node_op(node, OP_HOST);
  return op && to && op_host_of(op, to) ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cudaGraphHostNodeGetParams(void *node, struct cuda_host_node *to) {
  RUNTIME(host_params(node, to));
}
static struct op *host_op_of(const struct cuda_host_node *p) {
  return p && p->fn ? op_host(p->fn, p->data) : NULL;
}
API int cudaGraphHostNodeSetParams(void *node, const struct cuda_host_node *p) {
  RUNTIME(graph_replace(node, host_op_of(p), &invalid));
}
API int cudaGraphExecHostNodeSetParams(void *exec, void *node, const struct cuda_host_node *p) {
  RUNTIME(graph_replace_in(exec, node, host_op_of(p), &invalid));
}

/* ---- copies from and to variables ---- */

static int variable_at(const void *symbol, size_t n, size_t offset, void **at) {
  uint64_t address;
  size_t size;
  int e = variable_find(symbol, &address, &size);
  if (!e && (offset > size || n > size - offset))
    e = CU_INVALID_VALUE;
  if (!e)
    *at = (void *)(uintptr_t)(address + offset);
  return e;
}
static struct op *to_symbol(const void *symbol, const void *src, size_t n, size_t offset, int kind, int *e) {
  void *at = NULL;
  *e = variable_at(symbol, n, offset, &at);
  return *e ? NULL : graph_line_op(at, src, n, kind, e);
}
static struct op *from_symbol(void *dst, const void *symbol, size_t n, size_t offset, int kind, int *e) {
  void *at = NULL;
  *e = variable_at(symbol, n, offset, &at);
  return *e ? NULL : graph_line_op(dst, at, n, kind, e);
}
API int cudaGraphAddMemcpyNodeToSymbol(void **to, void *graph, struct graph_node *const *after, size_t n,
                                       const void *symbol, const void *src, size_t bytes, size_t offset,
                                       int kind) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, to_symbol(symbol, src, bytes, offset, kind, &e), &e));
}
API int cudaGraphAddMemcpyNodeFromSymbol(void **to, void *graph, struct graph_node *const *after, size_t n,
                                         void *dst, const void *symbol, size_t bytes, size_t offset,
                                         int kind) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, from_symbol(dst, symbol, bytes, offset, kind, &e), &e));
}
API int cudaGraphMemcpyNodeSetParamsToSymbol(void *node, const void *symbol, const void *src, size_t bytes,
                                             size_t offset, int kind) {
  int e = 0;
  RUNTIME(graph_replace(node, to_symbol(symbol, src, bytes, offset, kind, &e), &e));
}
API int cudaGraphMemcpyNodeSetParamsFromSymbol(void *node, void *dst, const void *symbol, size_t bytes,
                                               size_t offset, int kind) {
  int e = 0;
  RUNTIME(graph_replace(node, from_symbol(dst, symbol, bytes, offset, kind, &e), &e));
}
API int cudaGraphExecMemcpyNodeSetParamsToSymbol(void *exec, void *node, const void *symbol, const void *src,
                                                 size_t bytes, size_t offset, int kind) {
  int e = 0;
  RUNTIME(graph_replace_in(exec, node, to_symbol(symbol, src, bytes, offset, kind, &e), &e));
}
API int cudaGraphExecMemcpyNodeSetParamsFromSymbol(void *exec, void *node, void *dst, const void *symbol,
                                                   size_t bytes, size_t offset, int kind) {
  int e = 0;
  RUNTIME(graph_replace_in(exec, node, from_symbol(dst, symbol, bytes, offset, kind, &e), &e));
}
API int cudaGraphMemcpyNodeSetParams1D(void *node, void *dst, const void *src, size_t bytes, int kind) {
  int e = 0;
  RUNTIME(graph_replace(node, graph_line_op(dst, src, bytes, kind, &e), &e));
}

/* ---- events ---- */

static struct op *event_node(void *event, bool wait) {
  return event_find(event) ? event_op(event, wait) : NULL;
}
API int cudaGraphAddEventRecordNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                                    void *event) {
  RUNTIME(graph_add_checked(to, graph, after, n, event_node(event, false), &invalid));
}
API int cudaGraphAddEventWaitNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                                  void *event) {
  RUNTIME(graph_add_checked(to, graph, after, n, event_node(event, true), &invalid));
}
static int get_event(void *node, enum op_type type, void **to) {
  const struct op *op = node_op(node, type);
  if (!op || !to)
    return CU_INVALID_VALUE;
  *to = event_of(op);
  return CU_SUCCESS;
}
API int cudaGraphEventRecordNodeGetEvent(void *node, void **to) {
  RUNTIME(get_event(node, OP_RECORD, to));
}
API int cudaGraphEventWaitNodeGetEvent(void *node, void **to) {
  RUNTIME(get_event(node, OP_WAIT, to));
}
API int cudaGraphEventRecordNodeSetEvent(void *node, void *event) {
  RUNTIME(graph_replace(node, event_node(event, false), &invalid));
}
API int cudaGraphEventWaitNodeSetEvent(void *node, void *event) {
  RUNTIME(graph_replace(node, event_node(event, true), &invalid));
}
API int cudaGraphExecEventRecordNodeSetEvent(void *exec, void *node, void *event) {
  RUNTIME(graph_replace_in(exec, node, event_node(event, false), &invalid));
}
API int cudaGraphExecEventWaitNodeSetEvent(void *exec, void *node, void *event) {
  RUNTIME(graph_replace_in(exec, node, event_node(event, true), &invalid));
}

/* ---- dependencies ---- */

/* Puts what there is room for; without room the number alone. */
static void put(void **to, size_t room, size_t at, void *node) {
  if (to && at < room)
    to[at] = node;
}
static int dependencies(void *node, void **to, size_t *n) {
  const struct graph_node *k = graph_node_find(node);
  if (!k || !n)
    return CU_INVALID_VALUE;
  for (size_t i = 0; i < k->after.n; i++)
    put(to, *n, i, k->after.nodes[i]);
  *n = to && *n < k->after.n ? *n : k->after.n;
  return CU_SUCCESS;
}
static bool comes_after(const struct graph_node *k, const struct graph_node *n) {
  for (size_t i = 0; i < k->after.n; i++)
    if (k->after.nodes[i] == n)
      return true;
  return false;
}
static int dependents(void *node, void **to, size_t *n) {
  const struct graph_node *k = graph_node_find(node);
  size_t all = 0;
  if (!k || !n)
    return CU_INVALID_VALUE;
  for (struct graph_node *o = k->graph->first; o; o = o->next)
    if (comes_after(o, k))
      put(to, *n, all++, o);
  *n = to && *n < all ? *n : all;
  return CU_SUCCESS;
}
static int edges(void *graph, void **from, void **to, size_t *n) {
  const struct graph *g = graph_find(graph);
  size_t all = 0;
  if (!g || !n || !from != !to)
    return CU_INVALID_VALUE;
  for (struct graph_node *o = g->first; o; o = o->next)
    for (size_t i = 0; i < o->after.n; i++) {
      put(from, *n, all, o->after.nodes[i]);
      put(to, *n, all++, o);
    }
  *n = from && *n < all ? *n : all;
  return CU_SUCCESS;
}
/* Since CUDA 13 (_v2 before) with the data of each edge, which is all zeros: plain dependencies. */
enum { EDGE_BYTES = 8 };
static void plain(void *data, const size_t *n) {
  if (data && n)
    memset(data, 0, *n * EDGE_BYTES);
}
int dependencies_11(void *node, void **to, size_t *n);
int dependencies_11(void *node, void **to, size_t *n) {
  RUNTIME(dependencies(node, to, n));
}
API int cudaGraphNodeGetDependencies_v2(void *node, void **to, void *data, size_t *n) {
  int e = dependencies_11(node, to, n);
  plain(e ? NULL : data, n);
  return e;
}
int dependents_11(void *node, void **to, size_t *n);
int dependents_11(void *node, void **to, size_t *n) {
  RUNTIME(dependents(node, to, n));
}
API int cudaGraphNodeGetDependentNodes_v2(void *node, void **to, void *data, size_t *n) {
  int e = dependents_11(node, to, n);
  plain(e ? NULL : data, n);
  return e;
}
int edges_11(void *graph, void **from, void **to, size_t *n);
int edges_11(void *graph, void **from, void **to, size_t *n) {
  RUNTIME(edges(graph, from, to, n));
}
API int cudaGraphGetEdges_v2(void *graph, void **from, void **to, void *data, size_t *n) {
  int e = edges_11(graph, from, to, n);
  plain(e ? NULL : data, n);
  return e;
}

static void forget(struct graph_node *k, const struct graph_node *n) {
  size_t left = 0;
  for (size_t i = 0; i < k->after.n; i++)
    if (k->after.nodes[i] != n)
      k->after.nodes[left++] = k->after.nodes[i];
  k->after.n = left;
}
static int separate(void *graph, struct graph_node *const *from, struct graph_node *const *to, size_t n) {
  const struct graph *g = graph_find(graph);
  if (!g || (n && (!from || !to)))
    return CU_INVALID_VALUE;
  if (graph_has_memory(g))
    return CU_NOT_SUPPORTED;
  for (size_t i = 0; i < n; i++)
    if (!graph_node_find(from[i]) || !graph_node_find(to[i]) || to[i]->graph != g ||
        !comes_after(to[i], from[i]))
      return CU_INVALID_VALUE;
  for (size_t i = 0; i < n; i++)
    forget(to[i], from[i]);
  return CU_SUCCESS;
}
int separate_11(void *graph, struct graph_node *const *from, struct graph_node *const *to, size_t n);
int separate_11(void *graph, struct graph_node *const *from, struct graph_node *const *to, size_t n) {
  RUNTIME(separate(graph, from, to, n));
}
int separate_13(void *graph, struct graph_node *const *from, struct graph_node *const *to, const void *data,
                size_t n);
int separate_13(void *graph, struct graph_node *const *from, struct graph_node *const *to, const void *data,
                size_t n) {
  RUNTIME(data ? cuda_missing("edges with data") : separate(graph, from, to, n));
}
static int destroy_node(void *node) {
  struct graph_node *n = graph_node_find(node);
  if (!n)
    return CU_INVALID_VALUE;
  struct graph *g = n->graph;
  if (graph_has_memory(g))
    return CU_NOT_SUPPORTED;
  struct graph_node **at = &g->first, *last = NULL;
  for (struct graph_node *o = g->first; o; o = o->next)
    forget(o, n);
  while (*at != n)
    at = &(*at)->next;
  *at = n->next;
  for (struct graph_node *o = g->first; o; o = o->next)
    last = o;
  g->last = last;
  op_drop(n->op);
  if (n->child)
    graph_free(n->child);
  free(n->after.nodes);
  free(n);
  return CU_SUCCESS;
}
API int cudaGraphDestroyNode(void *node) {
  RUNTIME(destroy_node(node));
}

/* ---- graphs as a whole ---- */

static struct graph_node *copy_of(const struct graph *c, const struct graph_node *model) {
  struct graph_node *n = c->first;
  while (n && n->model != model)
    n = n->next;
  return n;
}
struct graph *graph_clone(const struct graph *g) {
  struct graph *c = graph_new();
  for (const struct graph_node *n = g->first; n; n = n->next) {
    n->op->users++;
    struct graph_node *k = graph_add(c, n->op, NULL, 0);
    k->model = n;
    k->child = n->child ? graph_clone(n->child) : NULL;
  }
  for (const struct graph_node *n = g->first; n; n = n->next)
    for (size_t i = 0; i < n->after.n; i++)
      tail_add(&copy_of(c, n)->after, copy_of(c, n->after.nodes[i]));
  return c;
}
static int clone_to(void **to, void *graph) {
  const struct graph *g = graph_find(graph);
  if (!to || !g || graph_has_memory(g))
    return to && g ? CU_NOT_SUPPORTED : CU_INVALID_VALUE;
  *to = graph_clone(g);
  return CU_SUCCESS;
}
API int cudaGraphClone(void **to, void *graph) {
  RUNTIME(clone_to(to, graph));
}
static int find_in_clone(void **to, void *node, void *graph) {
  const struct graph *c = graph_find(graph);
  if (!to || !c || !(*to = copy_of(c, node)))
    return CU_INVALID_VALUE;
  return CU_SUCCESS;
}
API int cudaGraphNodeFindInClone(void **to, void *node, void *graph) {
  RUNTIME(find_in_clone(to, node, graph));
}
static int child_of(void *node, void **to) {
  const struct graph_node *n = graph_node_find(node);
  if (!n || !to || !n->child)
    return CU_INVALID_VALUE;
  *to = n->child;
  return CU_SUCCESS;
}
API int cudaGraphChildGraphNodeGetGraph(void *node, void **to) {
  RUNTIME(child_of(node, to));
}
static int set_enabled(void *exec, void *node, unsigned on) {
  struct graph_exec *x = graph_exec_find(exec);
  struct graph_step *s = x ? graph_step_find(x, node) : NULL;
  if (!s || (s->op->type != OP_KERNEL && s->op->type != OP_COPY && s->op->type != OP_FILL))
    return CU_INVALID_VALUE;
  s->off = !on;
  return CU_SUCCESS;
}
API int cudaGraphNodeSetEnabled(void *exec, void *node, unsigned on) {
  RUNTIME(set_enabled(exec, node, on));
}
static int get_enabled(void *exec, void *node, unsigned *to) {
  struct graph_exec *x = graph_exec_find(exec);
  const struct graph_step *s = x ? graph_step_find(x, node) : NULL;
  if (!s || !to)
    return CU_INVALID_VALUE;
  *to = !s->off;
  return CU_SUCCESS;
}
API int cudaGraphNodeGetEnabled(void *exec, void *node, unsigned *to) {
  RUNTIME(get_enabled(exec, node, to));
}

/* The operations of a graph of the same shape in place of those instantiated before. */
enum { UPDATED, UPDATE_ERROR, UPDATE_TOPOLOGY, UPDATE_TYPE };
struct update_result {
  int result;
  const void *node, *from;
};
static int update(void *exec, void *graph, struct update_result *r) {
  struct graph_exec *x = graph_exec_find(exec);
  struct graph *g = graph_find(graph);
  *r = (struct update_result){.result = UPDATE_ERROR};
  struct graph_exec *now = x && g ? graph_order(g) : NULL;
  if (!now)
    return CU_INVALID_VALUE;
  r->result = x->n == now->n ? UPDATED : UPDATE_TOPOLOGY;
  for (size_t i = 0; i < now->n && r->result == UPDATED; i++)
    if (x->steps[i].op->type != now->steps[i].op->type) {
      r->result = UPDATE_TYPE;
      r->node = now->steps[i].node;
    }
  for (size_t i = 0; i < now->n && r->result == UPDATED; i++) {
    struct op *old = x->steps[i].op;
    x->steps[i].op = now->steps[i].op;
    now->steps[i].op = old;
  }
  int e = r->result == UPDATED ? CU_SUCCESS : CU_GRAPH_EXEC_UPDATE_FAILURE;
  graph_exec_free(now);
  return e;
}
int update_12(void *exec, void *graph, struct update_result *to);
int update_12(void *exec, void *graph, struct update_result *to) {
  struct update_result unwanted;
  RUNTIME(update(exec, graph, to ? to : &unwanted));
}
int update_11(void *exec, void *graph, const void **node, int *result);
int update_11(void *exec, void *graph, const void **node, int *result) {
  struct update_result r = {.result = UPDATE_ERROR};
  int e = update_12(exec, graph, &r);
  if (node)
    *node = r.node;
  if (result)
    *result = r.result;
  return e;
}
static int child_params(void *exec, void *node, void *graph) {
  struct graph_exec *x = graph_exec_find(exec);
  struct graph_step *s = x ? graph_step_find(x, node) : NULL;
  struct graph *g = graph_find(graph), *outer = graph_new();
  struct graph_exec *now = NULL;
  if (s && s->op->type == OP_CHILD && g) {
    struct op *op = xcalloc(1, sizeof *op);
    *op = (struct op){.type = OP_CHILD, .users = 1};
    graph_add(outer, op, NULL, 0)->child = graph_clone(g);
    now = graph_order(outer);
  }
  if (now) {
    struct op *old = s->op;
    s->op = now->steps[0].op;
    now->steps[0].op = old;
    graph_exec_free(now);
  }
  graph_free(outer);
  return now ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cudaGraphExecChildGraphNodeSetParams(void *exec, void *node, void *graph) {
  RUNTIME(child_params(exec, node, graph));
}

/* Names of nodes are their numbers in the order they were added. */
static unsigned number(const struct graph_node *n) {
  unsigned i = 0;
  for (const struct graph_node *o = n->graph->first; o && o != n; o = o->next)
    i++;
  return i;
}
static int print_dot(void *graph, const char *path) {
  static const char *const types[] = {"kernel",     "memcpy",       "memset", "host",  "graph",    "empty",
                                      "wait event", "record event", "signal", "await", "allocate", "free"};
  const struct graph *g = graph_find(graph);
  FILE *f = g && path ? fopen(path, "w") : NULL;
  if (!f)
    return CU_INVALID_VALUE;
  fprintf(f, "digraph graph_1 {\n");
  for (const struct graph_node *n = g->first; n; n = n->next) {
    const char *name =
        n->op->type == OP_KERNEL ? ((const struct launch_op *)n->op)->kernel->name : types[n->op->type];
    fprintf(f, "  n%u [label=\"%s\"];\n", number(n), name);
    for (size_t i = 0; i < n->after.n; i++)
      fprintf(f, "  n%u -> n%u;\n", number(n->after.nodes[i]), number(n));
  }
  fprintf(f, "}\n");
  return fclose(f) == 0 ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cudaGraphDebugDotPrint(void *graph, const char *path, unsigned flags) {
  (void)flags; /* how much is told of each node */
  RUNTIME(print_dot(graph, path));
}

/* Of what a launch can be given, only whether it is cooperative matters here; the rest are hints. */
static int set_attribute(void *node, int id, const union cuda_launch_value *value) {
  struct launch_op *l = (struct launch_op *)node_op(node, OP_KERNEL);
  if (!l || !value)
    return CU_INVALID_VALUE;
  if (id == LAUNCH_ATTRIBUTE_CLUSTER && (uint64_t)value->cluster.x * value->cluster.y * value->cluster.z > 1)
    return cuda_missing("a launch in clusters of more than one block");
  if (id == LAUNCH_ATTRIBUTE_COOPERATIVE)
    l->launch.cooperative = value->cooperative != 0;
  return CU_SUCCESS;
}
API int cudaGraphKernelNodeSetAttribute(void *node, int id, const union cuda_launch_value *value) {
  RUNTIME(set_attribute(node, id, value));
}
static int get_attribute(void *node, int id, union cuda_launch_value *to) {
  const struct launch_op *l = (const struct launch_op *)node_op(node, OP_KERNEL);
  if (!l || !to)
    return CU_INVALID_VALUE;
  memset(to, 0, sizeof *to);
  if (id == LAUNCH_ATTRIBUTE_COOPERATIVE)
    to->cooperative = l->launch.cooperative;
  return CU_SUCCESS;
}
API int cudaGraphKernelNodeGetAttribute(void *node, int id, union cuda_launch_value *to) {
  RUNTIME(get_attribute(node, id, to));
}
static int copy_attributes(void *from, void *to) {
  struct launch_op *l = (struct launch_op *)node_op(to, OP_KERNEL);
  const struct launch_op *m = (const struct launch_op *)node_op(from, OP_KERNEL);
  if (!l || !m)
    return CU_INVALID_VALUE;
  l->launch.cooperative = m->launch.cooperative;
  return CU_SUCCESS;
}
API int cudaGraphKernelNodeCopyAttributes(void *from, void *to) {
  RUNTIME(copy_attributes(from, to));
}

VERSIONED(dependencies_11, cudaGraphNodeGetDependencies, of11, CUDART_11);
VERSIONED(dependencies_11, cudaGraphNodeGetDependencies, of12, CUDART_12);
VERSIONED(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies, of13, CUDART_13);
VERSIONED(dependents_11, cudaGraphNodeGetDependentNodes, of11, CUDART_11);
VERSIONED(dependents_11, cudaGraphNodeGetDependentNodes, of12, CUDART_12);
VERSIONED(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes, of13, CUDART_13);
VERSIONED(edges_11, cudaGraphGetEdges, of11, CUDART_11);
VERSIONED(edges_11, cudaGraphGetEdges, of12, CUDART_12);
VERSIONED(cudaGraphGetEdges_v2, cudaGraphGetEdges, of13, CUDART_13);
VERSIONED(separate_11, cudaGraphRemoveDependencies, of11, CUDART_11);
VERSIONED(separate_11, cudaGraphRemoveDependencies, of12, CUDART_12);
VERSIONED(separate_13, cudaGraphRemoveDependencies, of13, CUDART_13);
ALIAS(cudaGraphRemoveDependencies_v2, separate_13);
VERSIONED(update_11, cudaGraphExecUpdate, of11, CUDART_11);
VERSIONED(update_12, cudaGraphExecUpdate, of12, CUDART_12);
VERSIONED(update_12, cudaGraphExecUpdate, of13, CUDART_13);
