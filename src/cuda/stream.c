/* Streams. An operation runs when it is submitted, so what a stream waits for has always happened; a stream that is
 * captured keeps its operations for a graph instead. */
#include "cuda/cuda.h"

#define LEGACY     ((void *)(uintptr_t)1)
#define PER_THREAD ((void *)(uintptr_t)2)

struct cuda_stream *stream_find(void *handle, int *error) {
  *error = CU_SUCCESS;
  if (!handle || handle == LEGACY || handle == PER_THREAD)
    return &cuda_lists()->default_stream;
  for (struct cuda_stream *s = cuda_lists()->streams; s; s = s->next)
    if (s == handle)
      return s;
  *error = CU_INVALID_RESOURCE_HANDLE;
  return NULL;
}

void op_drop(struct op *op) {
  if (!op || --op->users)
    return;
  if (op->free)
    op->free(op);
  free(op);
}

int op_run(struct op *op) {
  uint64_t ns = 0;
  int e = op->run(op, &ns);
  sim_advance(cuda_sim(), ns);
  return e;
}

int stream_submit(void *stream, struct op *op) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (s && s->capture) {
    graph_keep(s, op);
    return CU_SUCCESS;
  }
  if (s)
    e = op_run(op);
  op_drop(op);
  return e;
}

static int create(void **to, unsigned flags, int priority) {
  if (!to || flags > 1)
    return CU_INVALID_VALUE;
  struct cuda_lists *l = cuda_lists();
  struct cuda_stream *s = xcalloc(1, sizeof *s);
  *s = (struct cuda_stream){
      .flags = flags, .priority = priority > 0 ? 0 : priority, .id = ++l->stream_ids + 2};
  s->next = l->streams;
  *to = l->streams = s;
  return CU_SUCCESS;
}

static void unlink_free(struct cuda_stream **at) {
  struct cuda_stream *s = *at;
  *at = s->next;
  free(s->tail.nodes);
  free(s);
}

static int destroy(void *handle) {
  for (struct cuda_stream **at = &cuda_lists()->streams; *at; at = &(*at)->next)
    if (*at == handle) {
      unlink_free(at);
      return CU_SUCCESS;
    }
  return CU_INVALID_RESOURCE_HANDLE;
}

void streams_free_all(void) {
  while (cuda_lists()->streams)
    unlink_free(&cuda_lists()->streams);
  cuda_lists()->default_stream.capture = NULL;
}

API int cudaStreamCreate(void **to) {
  RUNTIME(create(to, 0, 0));
}
API int cudaStreamCreateWithFlags(void **to, unsigned flags) {
  RUNTIME(create(to, flags, 0));
}
API int cudaStreamCreateWithPriority(void **to, unsigned flags, int priority) {
  RUNTIME(create(to, flags, priority));
}
API int cudaStreamDestroy(void *stream) {
  RUNTIME(destroy(stream));
}

static int wait(void *stream) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  return s && s->capture ? CU_STREAM_CAPTURE_UNSUPPORTED : e;
}
API int cudaStreamSynchronize(void *stream) {
  RUNTIME(wait(stream));
}
API int cudaStreamQuery(void *stream) {
  RUNTIME(wait(stream));
}
API int cudaDeviceSynchronize(void) {
  RUNTIME(CU_SUCCESS);
}
ALIAS(cudaThreadSynchronize, cudaDeviceSynchronize);

static int put_flags(void *stream, unsigned *to) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (s && to)
    *to = s->flags;
  return s && !to ? CU_INVALID_VALUE : e;
}
API int cudaStreamGetFlags(void *stream, unsigned *to) {
  RUNTIME(put_flags(stream, to));
}
static int put_priority(void *stream, int *to) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (s && to)
    *to = s->priority;
  return s && !to ? CU_INVALID_VALUE : e;
}
API int cudaStreamGetPriority(void *stream, int *to) {
  RUNTIME(put_priority(stream, to));
}
static int put_id(void *stream, unsigned long long *to) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (s && to)
    *to = s->id;
  return s && !to ? CU_INVALID_VALUE : e;
}
API int cudaStreamGetId(void *stream, unsigned long long *to) {
  RUNTIME(put_id(stream, to));
}
static int put_device(void *stream, int *to) {
  int e;
  struct cuda_stream *s = stream_find(stream, &e);
  if (s && to)
    *to = 0;
  return s && !to ? CU_INVALID_VALUE : e;
}
API int cudaStreamGetDevice(void *stream, int *to) {
  RUNTIME(put_device(stream, to));
}
API int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return CU_SUCCESS;
}
/* Attributes are hints to caches and schedulers that the simulated GPU does not have. */
API int cudaStreamSetAttribute(void *stream, int id, const union cuda_launch_value *value) {
  (void)id, (void)value;
  RUNTIME(wait(stream));
}
API int cudaCtxResetPersistingL2Cache(void) {
  RUNTIME(CU_SUCCESS);
}

/* ---- functions of the host in the order of a stream ---- */

struct host_op {
  struct op op;
  void (*fn)(void *);
  void (*callback)(void *stream, int status, void *data);
  void *data, *stream;
};

/* Without the lock: the function may take as long as it likes and call what it likes. */
static int host_run(struct op *op, uint64_t *ns) {
  struct host_op *h = (struct host_op *)op;
  (void)ns;
  cuda_leave();
  if (h->fn)
    h->fn(h->data);
  if (h->callback)
    h->callback(h->stream, CU_SUCCESS, h->data);
  cuda_enter_raw();
  return CU_SUCCESS;
}

static struct op *host_op(const struct host_op *wanted) {
  struct host_op *h = xmalloc(sizeof *h);
  *h = *wanted;
  h->op = (struct op){.run = host_run, .type = OP_HOST, .users = 1};
  return &h->op;
}
struct op *op_host(void (*fn)(void *), void *data) {
  return host_op(&(struct host_op){.fn = fn, .data = data});
}

bool op_host_of(const struct op *op, struct cuda_host_node *to) {
  const struct host_op *h = (const struct host_op *)op;
  if (op->run != host_run)
    return false;
  *to = (struct cuda_host_node){h->fn, h->data};
  return true;
}

API int cudaLaunchHostFunc(void *stream, void (*fn)(void *), void *data) {
  RUNTIME(!fn ? CU_INVALID_VALUE : stream_submit(stream, op_host(fn, data)));
}
API int cudaStreamAddCallback(void *stream, void (*fn)(void *, int, void *), void *data, unsigned flags) {
  struct host_op h = {.callback = fn, .data = data, .stream = stream};
  RUNTIME(!fn || flags ? CU_INVALID_VALUE : stream_submit(stream, host_op(&h)));
}

ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
ALIAS(cudaStreamQuery_ptsz, cudaStreamQuery);
ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);
ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);
ALIAS(cudaStreamGetId_ptsz, cudaStreamGetId);
ALIAS(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);
ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);
ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
