/* Capturing streams, ordering nodes, replaying them. */
#include "cuda/graph.h"

void tail_add(struct tail *t, struct graph_node *n) {
  for (size_t i = 0; i < t->n; i++)
    if (t->nodes[i] == n)
      return;
  VEC_PUSH(t->nodes, t->n, t->cap) = n;
}

struct graph *graph_new(void) {
  struct graph *g = xcalloc(1, sizeof *g);
  g->next = cuda_lists()->graphs;
  return cuda_lists()->graphs = g;
}

struct graph *graph_find(const void *handle) {
  for (struct graph *g = cuda_lists()->graphs; g; g = g->next)
    if (g == handle)
      return g;
  return NULL;
}

struct graph_exec *graph_exec_find(const void *handle) {
  for (struct graph_exec *x = cuda_lists()->graph_execs; x; x = x->next)
    if (x == handle)
      return x;
  return NULL;
}

struct graph_node *graph_node_find(const void *handle) {
  for (struct graph *g = cuda_lists()->graphs; g; g = g->next)
    for (struct graph_node *n = g->first; n; n = n->next)
      if (n == handle)
        return n;
  return NULL;
}

struct graph_node *graph_add(struct graph *g, struct op *op, struct graph_node *const *after, size_t n) {
  struct graph_node *node = xcalloc(1, sizeof *node);
  node->graph = g;
  node->op = op;
  for (size_t i = 0; i < n; i++)
    tail_add(&node->after, after[i]);
  *(g->last ? &g->last->next : &g->first) = node;
  return g->last = node;
}

void graph_free(struct graph *g) {
  for (struct graph_exec *x = cuda_lists()->graph_execs; x; x = x->next)
    x->of = x->of == g ? NULL : x->of; /* another graph may come to lie there */
  for (struct graph **at = &cuda_lists()->graphs; *at; at = &(*at)->next)
    if (*at == g) {
      *at = g->next;
      break;
    }
  while (g->first) {
    struct graph_node *n = g->first;
    g->first = n->next;
    op_drop(n->op);
    if (n->child)
      graph_free(n->child);
    free(n->after.nodes);
    free(n);
  }
  free(g);
}

void graph_exec_free(struct graph_exec *x) {
  for (size_t i = 0; i < x->n; i++)
    op_drop(x->steps[i].op);
  free(x->steps);
  free(x);
}

void graphs_free_all(void) {
  struct cuda_lists *l = cuda_lists();
  while (l->graphs)
    graph_free(l->graphs);
  while (l->graph_execs) {
    struct graph_exec *x = l->graph_execs;
    l->graph_execs = x->next;
    graph_exec_free(x);
  }
}

/* ---- capture ---- */

void graph_keep(struct cuda_stream *s, struct op *op) {
  struct graph_node *n = graph_add(s->capture, op, s->tail.nodes, s->tail.n);
  s->tail.n = 0;
  tail_add(&s->tail, n);
}

void graph_record(struct cuda_stream *s, struct event *e) {
  e->capture = s->capture;
  e->tail.n = 0;
  for (size_t i = 0; i < s->tail.n; i++)
    tail_add(&e->tail, s->tail.nodes[i]);
}

/* A stream that waits for a captured event takes part in the capture. */
void graph_wait(struct cuda_stream *s, struct event *e) {
  if (!e->capture)
    return;
  if (!s->capture) {
    s->capture = e->capture;
    s->origin = false;
    s->tail.n = 0;
  }
  for (size_t i = 0; i < e->tail.n; i++)
    tail_add(&s->tail, e->tail.nodes[i]);
}

static int begin(void *stream, struct graph *into) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (!s)
    return e;
  if (s == &cuda_lists()->default_stream)
    return CU_STREAM_CAPTURE_UNSUPPORTED;
  if (s->capture)
    return CU_ILLEGAL_STATE;
  s->capture = into ? into : graph_new();
  s->origin = true;
  s->tail.n = 0;
  return CU_SUCCESS;
}
API int cudaStreamBeginCapture(void *stream, int mode) {
  RUNTIME(mode < 0 || mode > 2 ? CU_INVALID_VALUE : begin(stream, NULL));
}
static int begin_into(void *stream, void *graph, struct graph_node *const *after, size_t n) {
  int e = CU_INVALID_VALUE;
  struct graph *g = graph_find(graph);
  for (size_t i = 0; i < n; i++)
    if (!after || !graph_node_find(after[i]) || after[i]->graph != g)
      return e;
  if (!g || (e = begin(stream, g)))
    return e;
  for (size_t i = 0; i < n; i++)
    tail_add(&stream_find(stream, &e)->tail, after[i]);
  return CU_SUCCESS;
}
API int cudaStreamBeginCaptureToGraph(void *stream, void *graph, struct graph_node *const *after,
                                      const void *edges, size_t n, int mode) {
  RUNTIME(edges                  ? cuda_missing("edges with data")
          : mode < 0 || mode > 2 ? CU_INVALID_VALUE
                                 : begin_into(stream, graph, after, n));
}
/* flags: 0 add to what the next operation comes after, 1 put in its place. */
static int set_tail(void *stream, struct graph_node *const *after, size_t n, unsigned flags) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (!s)
    return e;
  if (!s->capture)
    return CU_ILLEGAL_STATE;
  for (size_t i = 0; i < n; i++)
    if (!after || !graph_node_find(after[i]) || after[i]->graph != s->capture)
      return CU_INVALID_VALUE;
  if (flags)
    s->tail.n = 0;
  for (size_t i = 0; i < n; i++)
    tail_add(&s->tail, after[i]);
  return CU_SUCCESS;
}
int set_tail_11(void *stream, struct graph_node *const *after, size_t n, unsigned flags);
int set_tail_11(void *stream, struct graph_node *const *after, size_t n, unsigned flags) {
  RUNTIME(flags > 1 ? CU_INVALID_VALUE : set_tail(stream, after, n, flags));
}
API int cudaStreamUpdateCaptureDependencies_v2(void *stream, struct graph_node *const *after,
                                               const void *edges, size_t n, unsigned flags) {
  RUNTIME(edges       ? cuda_missing("edges with data")
          : flags > 1 ? CU_INVALID_VALUE
                      : set_tail(stream, after, n, flags));
}

static int end(void *stream, void **to) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (!s || !to)
    return s ? CU_INVALID_VALUE : e;
  *to = NULL;
  if (!s->capture)
    return CU_ILLEGAL_STATE;
  if (!s->origin)
    return CU_STREAM_CAPTURE_UNMATCHED;
  struct graph *g = s->capture;
  for (struct cuda_stream *o = cuda_lists()->streams; o; o = o->next)
    if (o->capture == g)
      o->capture = NULL;
  for (struct event *v = cuda_lists()->events; v; v = v->next)
    if (v->capture == g)
      v->capture = NULL;
  *to = g;
  return CU_SUCCESS;
}
API int cudaStreamEndCapture(void *stream, void **to) {
  RUNTIME(end(stream, to));
}
static int is_capturing(void *stream, int *to) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (!s || !to)
    return s ? CU_INVALID_VALUE : e;
  *to = s->capture != NULL;
  return CU_SUCCESS;
}
API int cudaStreamIsCapturing(void *stream, int *to) {
  RUNTIME(is_capturing(stream, to));
}
/* Of a stream that is not captured only the status is told. */
struct capture_info {
  int *status;
  unsigned long long *id;
  void **graph;
  struct graph_node *const **after;
  const void **edges;
  size_t *n;
};
static int capture_info(void *stream, const struct capture_info *to) {
  int e;
  const struct cuda_stream *s = stream_find(stream, &e);
  if (!s || !to->status)
    return s ? CU_INVALID_VALUE : e;
  *to->status = s->capture != NULL;
  if (!s->capture)
    return CU_SUCCESS;
  if (to->id)
    *to->id = (unsigned long long)(uintptr_t)s->capture;
  if (to->graph)
    *to->graph = s->capture;
  if (to->after)
    *to->after = s->tail.nodes;
  if (to->edges)
    *to->edges = NULL;
  if (to->n)
    *to->n = s->tail.n;
  return CU_SUCCESS;
}
int capture_info_11(void *stream, int *status, unsigned long long *id);
int capture_info_11(void *stream, int *status, unsigned long long *id) {
  RUNTIME(capture_info(stream, &(struct capture_info){.status = status, .id = id}));
}
API int cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void **graph,
                                    struct graph_node *const **after, size_t *n) {
  RUNTIME(capture_info(
      stream, &(struct capture_info){.status = status, .id = id, .graph = graph, .after = after, .n = n}));
}
API int cudaStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id, void **graph,
                                    struct graph_node *const **after, const void **edges, size_t *n) {
  RUNTIME(capture_info(stream, &(struct capture_info){status, id, graph, after, edges, n}));
}
API int cudaThreadExchangeStreamCaptureMode(int *mode) {
  return cuda_last(mode ? CU_SUCCESS : CU_INVALID_VALUE);
}
ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
ALIAS(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);

/* ---- replay ---- */

static bool done(const struct graph_exec *x, const struct graph_node *n) {
  for (size_t i = 0; i < x->n; i++)
    if (x->steps[i].node == n)
      return true;
  return false;
}
static bool ready(const struct graph_exec *x, const struct graph_node *n) {
  for (size_t i = 0; i < n->after.n; i++)
    if (!done(x, n->after.nodes[i]))
      return false;
  return true;
}

/* A graph launched into a stream that is captured becomes a child of that graph. */
struct exec_op {
  struct op op;
  struct graph_exec *own;
};
static int exec_run(struct op *op, uint64_t *ns) {
  const struct graph_exec *x = ((struct exec_op *)op)->own;
  int e = CU_SUCCESS;
  (void)ns; /* each operation lets its own time pass */
  for (size_t i = 0; i < x->n && !e; i++)
    if (!x->steps[i].off)
      e = op_run(x->steps[i].op);
  return e;
}
static void exec_op_free(struct op *op) {
  graph_exec_free(((struct exec_op *)op)->own);
}
/* Takes the steps. */
static struct op *exec_op(struct graph_exec *own) {
  struct exec_op *o = xcalloc(1, sizeof *o);
  o->op = (struct op){.run = exec_run, .free = exec_op_free, .type = OP_CHILD, .users = 1};
  o->own = own;
  return &o->op;
}
static struct graph_exec *exec_copy(const struct graph_exec *x) {
  struct graph_exec *c = xcalloc(1, sizeof *c);
  for (size_t i = 0; i < x->n; i++) {
    VEC_PUSH(c->steps, c->n, c->cap) = x->steps[i];
    x->steps[i].op->users++;
  }
  return c;
}

struct graph_step *graph_step_find(struct graph_exec *x, const void *node) {
  for (size_t i = 0; i < x->n; i++) {
    struct graph_step *s = &x->steps[i];
    if (s->node == node)
      return s;
    struct graph_step *inner =
        s->op->run == exec_run ? graph_step_find(((struct exec_op *)s->op)->own, node) : NULL;
    if (inner)
      return inner;
  }
  return NULL;
}

/* Nodes in the order they were added as far as dependencies allow. */
struct graph_exec *graph_order(struct graph *g) {
  struct graph_exec *x = xcalloc(1, sizeof *x);
  for (bool moved = true; moved;) {
    moved = false;
    for (struct graph_node *n = g->first; n; n = n->next) {
      if (done(x, n) || !ready(x, n))
        continue;
      struct graph_exec *inner = n->child ? graph_order(n->child) : NULL;
      if (n->child && !inner)
        break;
      struct op *op = inner ? exec_op(inner) : n->op;
      op->users += inner ? 0 : 1;
      VEC_PUSH(x->steps, x->n, x->cap) = (struct graph_step){.node = n, .op = op};
      moved = true;
    }
  }
  for (struct graph_node *n = g->first; n; n = n->next)
    if (!done(x, n)) {
      graph_exec_free(x);
      return NULL;
    }
  return x;
}

static int instantiate(void **to, void *graph, unsigned long long flags) {
  struct graph *g = graph_find(graph);
  if (!to || !g)
    return CU_INVALID_VALUE;
  for (const struct graph_exec *o = cuda_lists()->graph_execs; o && graph_has_memory(g); o = o->next)
    if (o->of == g)
      return CU_NOT_SUPPORTED;
  struct graph_exec *x = graph_order(g);
  if (!x)
    return CU_INVALID_VALUE;
  x->of = g;
  x->flags = flags;
  x->next = cuda_lists()->graph_execs;
  *to = cuda_lists()->graph_execs = x;
  return CU_SUCCESS;
}
int instantiate_11(void **to, void *graph, void **node, char *log, size_t n);
int instantiate_11(void **to, void *graph, void **node, char *log, size_t n) {
  if (node)
    *node = NULL;
  if (log && n)
    *log = '\0';
  RUNTIME(instantiate(to, graph, 0));
}
int instantiate_12(void **to, void *graph, unsigned long long flags);
int instantiate_12(void **to, void *graph, unsigned long long flags) {
  RUNTIME(flags >> 4 ? CU_INVALID_VALUE : instantiate(to, graph, flags));
}
API int cudaGraphInstantiateWithFlags(void **to, void *graph, unsigned long long flags) {
  return instantiate_12(to, graph, flags);
}
struct instantiate_params {
  unsigned long long flags;
  void *upload, *error_node;
  int result; /* 0: made; 1: an error */
};
API int cudaGraphInstantiateWithParams(void **to, void *graph, struct instantiate_params *p) {
  int e = p ? instantiate_12(to, graph, p->flags) : CU_INVALID_VALUE;
  if (p) {
    p->error_node = NULL;
    p->result = e ? 1 : 0;
  }
  return p ? e : cuda_last(e);
}
static int get_flags(void *exec, unsigned long long *to) {
  const struct graph_exec *x = graph_exec_find(exec);
  if (!x || !to)
    return CU_INVALID_VALUE;
  *to = x->flags;
  return CU_SUCCESS;
}
API int cudaGraphExecGetFlags(void *exec, unsigned long long *to) {
  RUNTIME(get_flags(exec, to));
}
ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

int graph_launch(void *exec, void *stream) {
  const struct graph_exec *x = graph_exec_find(exec);
  return x ? stream_submit(stream, exec_op(exec_copy(x))) : CU_INVALID_VALUE;
}
API int cudaGraphLaunch(void *exec, void *stream) {
  RUNTIME(graph_launch(exec, stream));
}
API int cudaGraphUpload(void *exec, void *stream) {
  (void)stream;
  RUNTIME(graph_exec_find(exec) ? CU_SUCCESS : CU_INVALID_VALUE);
}
ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);
ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);

static int exec_destroy(void *exec) {
  for (struct graph_exec **at = &cuda_lists()->graph_execs; *at; at = &(*at)->next)
    if (*at == exec) {
      struct graph_exec *x = *at;
      *at = x->next;
      graph_exec_free(x);
      return CU_SUCCESS;
    }
  return CU_INVALID_VALUE;
}
API int cudaGraphExecDestroy(void *exec) {
  RUNTIME(exec_destroy(exec));
}
static int destroy(void *graph) {
  struct graph *g = graph_find(graph);
  if (!g)
    return CU_INVALID_VALUE;
  graph_free(g);
  return CU_SUCCESS;
}
API int cudaGraphDestroy(void *graph) {
  RUNTIME(destroy(graph));
}
static int create(void **to, unsigned flags) {
  if (!to || flags)
    return CU_INVALID_VALUE;
  *to = graph_new();
  return CU_SUCCESS;
}
API int cudaGraphCreate(void **to, unsigned flags) {
  RUNTIME(create(to, flags));
}

static int no_op(struct op *op, uint64_t *ns) {
  (void)op, (void)ns;
  return CU_SUCCESS;
}
/* The node keeps a graph of its own, whose steps are taken when the outer one is instantiated. */
static int child(void **to, void *graph, struct graph_node *const *after, size_t n, void *of) {
  struct graph *g = graph_find(graph), *c = graph_find(of);
  if (!to || !g || !c || g == c)
    return CU_INVALID_VALUE;
  if (graph_has_memory(c))
    return CU_NOT_SUPPORTED;
  struct op *op = xcalloc(1, sizeof *op);
  *op = (struct op){.run = no_op, .type = OP_CHILD, .users = 1};
  int e = graph_add_checked(to, graph, after, n, op, &invalid);
  if (!e)
    ((struct graph_node *)*to)->child = graph_clone(c);
  return e;
}
API int cudaGraphAddChildGraphNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                                   void *of) {
  RUNTIME(child(to, graph, after, n, of));
}

VERSIONED(instantiate_11, cudaGraphInstantiate, of11, CUDART_11);
VERSIONED(instantiate_12, cudaGraphInstantiate, of12, CUDART_12);
VERSIONED(instantiate_12, cudaGraphInstantiate, of13, CUDART_13);
VERSIONED(capture_info_11, cudaStreamGetCaptureInfo, of11, CUDART_11);
VERSIONED(capture_info_11, cudaStreamGetCaptureInfo, of12, CUDART_12);
VERSIONED(cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo, of13, CUDART_13);
VERSIONED(set_tail_11, cudaStreamUpdateCaptureDependencies, of11, CUDART_11);
VERSIONED(set_tail_11, cudaStreamUpdateCaptureDependencies, of12, CUDART_12);
VERSIONED(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies, of13, CUDART_13);
