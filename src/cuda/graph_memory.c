/* Memory that a graph allocates and frees. A node's memory is there from when the node is added, at one address, until
 * the last graph that holds the node is gone; a launch and a free only change whether the program may use it. */
#include "cuda/graph.h"

struct memory_op {
  struct op op;
  uint64_t address;
  size_t bytes;
};

static struct allocation *owned(uint64_t address) {
  struct allocation *a = memory_find(address);
  return a && a->address == address && a->graph ? a : NULL;
}

/* What graphs have is in use until they are gone, also between a free and the next launch, as on an H200. */
static void account(void) {
  struct cuda_lists *l = cuda_lists();
  uint64_t bytes = 0;
  for (size_t i = 0; i < l->nallocations; i++)
    bytes += l->allocations[i]->graph ? l->allocations[i]->size : 0;
  l->graph_bytes[0] = l->graph_bytes[2] = bytes;
  for (int i = 0; i < 4; i += 2)
    if (l->graph_bytes[i + 1] < l->graph_bytes[i])
      l->graph_bytes[i + 1] = l->graph_bytes[i];
}

/* What an earlier launch left allocated cannot be allocated again. */
static int alloc_run(struct op *op, uint64_t *ns) {
  struct allocation *a = owned(((struct memory_op *)op)->address);
  (void)ns;
  if (!a || !a->idle)
    return CU_INVALID_VALUE;
  a->idle = false;
  account();
  return CU_SUCCESS;
}
static void alloc_free(struct op *op) {
  struct allocation *a = owned(((struct memory_op *)op)->address);
  if (!a || a->graph != op)
    return;
  a->graph = NULL;
  memory_free(a->address, 1u << ALLOC_DEVICE, CU_INVALID_VALUE);
  account();
}
struct op *graph_alloc_op(size_t bytes, uint64_t *address, int *error) {
  *error = bytes ? memory_alloc(ALLOC_DEVICE, bytes, 0, address) : CU_INVALID_VALUE;
  if (*error)
    return NULL;
  struct memory_op *m = xcalloc(1, sizeof *m);
  m->op = (struct op){.run = alloc_run, .free = alloc_free, .type = OP_ALLOC, .users = 1};
  m->address = *address;
  m->bytes = bytes;
  struct allocation *a = memory_find(*address);
  a->graph = &m->op;
  a->idle = true;
  account();
  return &m->op;
}

static int free_run(struct op *op, uint64_t *ns) {
  (void)ns;
  int e = memory_free(((struct memory_op *)op)->address, 1u << ALLOC_DEVICE, CU_INVALID_VALUE);
  account();
  return e;
}
struct op *graph_free_op(uint64_t address, int *error) {
  *error = memory_find(address) ? CU_SUCCESS : CU_INVALID_VALUE;
  if (*error)
    return NULL;
  struct memory_op *m = xcalloc(1, sizeof *m);
  m->op = (struct op){.run = free_run, .type = OP_FREE, .users = 1};
  m->address = address;
  return &m->op;
}

int graph_keep_alloc(struct cuda_stream *s, size_t bytes, uint64_t *address) {
  int e;
  struct op *op = graph_alloc_op(bytes, address, &e);
  if (op)
    graph_keep(s, op);
  return e;
}
int graph_keep_free(struct cuda_stream *s, uint64_t address) {
  int e;
  struct op *op = graph_free_op(address, &e);
  if (op)
    graph_keep(s, op);
  return e;
}

bool graph_has_memory(const struct graph *g) {
  for (const struct graph_node *n = g->first; n; n = n->next)
    if (n->op->type == OP_ALLOC || n->op->type == OP_FREE)
      return true;
  return false;
}

/* cudaMemAllocNodeParams: the properties of a pool say where, and there is one place. */
struct alloc_params {
  uint64_t pool[11];
  const void *access;
  size_t naccess, bytes;
  void *address;
};
static int add_alloc(void **to, void *graph, struct graph_node *const *after, size_t n,
                     struct alloc_params *p) {
  int e = CU_INVALID_VALUE;
  uint64_t at = 0;
  struct op *op = p && graph_find(graph) ? graph_alloc_op(p->bytes, &at, &e) : NULL;
  e = graph_add_checked(to, graph, after, n, op, &e);
  if (!e)
    p->address = (void *)(uintptr_t)at;
  return e;
}
API int cudaGraphAddMemAllocNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                                 struct alloc_params *p);
API int cudaGraphAddMemAllocNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                                 struct alloc_params *p) {
  RUNTIME(add_alloc(to, graph, after, n, p));
}
API int cudaGraphAddMemFreeNode(void **to, void *graph, struct graph_node *const *after, size_t n, void *p) {
  int e = 0;
  RUNTIME(graph_add_checked(to, graph, after, n, graph_free_op((uint64_t)(uintptr_t)p, &e), &e));
}
static const struct memory_op *memory_node(void *node, enum op_type type) {
  const struct graph_node *n = graph_node_find(node);
  return n && n->op->type == type ? (const struct memory_op *)n->op : NULL;
}
static int alloc_params(void *node, struct alloc_params *to) {
  const struct memory_op *m = memory_node(node, OP_ALLOC);
  if (!m || !to)
    return CU_INVALID_VALUE;
  *to = (struct alloc_params){.bytes = m->bytes, .address = (void *)(uintptr_t)m->address};
  return CU_SUCCESS;
}
API int cudaGraphMemAllocNodeGetParams(void *node, struct alloc_params *to);
API int cudaGraphMemAllocNodeGetParams(void *node, struct alloc_params *to) {
  RUNTIME(alloc_params(node, to));
}
static int free_params(void *node, void *to) {
  const struct memory_op *m = memory_node(node, OP_FREE);
  if (!m || !to)
    return CU_INVALID_VALUE;
  memcpy(to, &m->address, sizeof m->address);
  return CU_SUCCESS;
}
API int cudaGraphMemFreeNodeGetParams(void *node, void *to) {
  RUNTIME(free_params(node, to));
}

/* 0 used, 1 the most so far, 2 reserved, 3 the most so far */
static int get_attribute(int device, int which, uint64_t *to) {
  if (device || which < 0 || which > 3 || !to)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  account();
  *to = cuda_lists()->graph_bytes[which];
  return CU_SUCCESS;
}
API int cudaDeviceGetGraphMemAttribute(int device, int which, void *to) {
  RUNTIME(get_attribute(device, which, to));
}
/* Only the highest marks can be set, and only back to 0. */
static int set_attribute(int device, int which, const uint64_t *from) {
  if (device || (which != 1 && which != 3) || !from || *from)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  cuda_lists()->graph_bytes[which] = 0;
  account();
  return CU_SUCCESS;
}
API int cudaDeviceSetGraphMemAttribute(int device, int which, void *from) {
  RUNTIME(set_attribute(device, which, from));
}
API int cudaDeviceGraphMemTrim(int device) {
  RUNTIME(device ? CU_INVALID_DEVICE : CU_SUCCESS);
}
