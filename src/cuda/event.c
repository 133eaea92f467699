/* Events: points in a stream, and when they were passed in simulated time. */
#include "cuda/cuda.h"

enum { EVENT_BLOCKING = 1, EVENT_NO_TIMING = 2, EVENT_INTERPROCESS = 4 };

struct event *event_find(const void *handle) {
  for (struct event *e = cuda_lists()->events; e; e = e->next)
    if (e == handle)
      return e;
  return NULL;
}

static int create(void **to, unsigned flags) {
  if (!to || flags > 7 || (flags & EVENT_INTERPROCESS && !(flags & EVENT_NO_TIMING)))
    return CU_INVALID_VALUE;
  struct event *e = xcalloc(1, sizeof *e);
  e->flags = flags;
  e->next = cuda_lists()->events;
  *to = cuda_lists()->events = e;
  return CU_SUCCESS;
}
API int cudaEventCreate(void **to) {
  RUNTIME(create(to, 0));
}
API int cudaEventCreateWithFlags(void **to, unsigned flags) {
  RUNTIME(create(to, flags));
}

static void unlink_free(struct event **at) {
  struct event *e = *at;
  *at = e->next;
  free(e->tail.nodes);
  free(e);
}
static int destroy(void *handle) {
  for (struct event **at = &cuda_lists()->events; *at; at = &(*at)->next)
    if (*at == handle) {
      unlink_free(at);
      return CU_SUCCESS;
    }
  return CU_INVALID_RESOURCE_HANDLE;
}
void events_free_all(void) {
  while (cuda_lists()->events)
    unlink_free(&cuda_lists()->events);
}
API int cudaEventDestroy(void *event) {
  RUNTIME(destroy(event));
}

/* ---- nodes of graphs ---- */

struct event_node {
  struct op op;
  void *event; /* a handle: the program may have destroyed it meanwhile */
};
static int mark(struct op *op, uint64_t *ns) {
  struct event *e = event_find(((struct event_node *)op)->event);
  (void)ns;
  if (e && op->type == OP_RECORD) {
    e->recorded = true;
    e->at = sim_now(cuda_sim());
  }
  return e ? CU_SUCCESS : CU_INVALID_RESOURCE_HANDLE;
}
struct op *event_op(void *event, bool wait) {
  struct event_node *n = xcalloc(1, sizeof *n);
  n->op = (struct op){.run = mark, .type = wait ? OP_WAIT : OP_RECORD, .users = 1};
  n->event = event;
  return &n->op;
}
void *event_of(const struct op *op) {
  return op->run == mark ? ((const struct event_node *)op)->event : NULL;
}

enum { EVENT_EXTERNAL = 1 }; /* a node of its own in a capture */
static int record(void *handle, void *stream, unsigned flags) {
  int bad;
  struct cuda_stream *s = stream_find(stream, &bad);
  struct event *e = event_find(handle);
  if (!s || !e)
    return CU_INVALID_RESOURCE_HANDLE;
  if (s->capture && flags & EVENT_EXTERNAL) {
    graph_keep(s, event_op(e, false));
    return CU_SUCCESS;
  }
  if (s->capture) {
    graph_record(s, e);
    return CU_SUCCESS;
  }
  e->capture = NULL;
  e->recorded = true;
  e->at = sim_now(cuda_sim());
  return CU_SUCCESS;
}
API int cudaEventRecord(void *event, void *stream) {
  RUNTIME(record(event, stream, 0));
}
API int cudaEventRecordWithFlags(void *event, void *stream, unsigned flags) {
  RUNTIME(flags > 1 ? CU_INVALID_VALUE : record(event, stream, flags));
}

static int check(void *handle) {
  const struct event *e = event_find(handle);
  return !e ? CU_INVALID_RESOURCE_HANDLE : e->capture ? CU_CAPTURED_EVENT : CU_SUCCESS;
}
API int cudaEventQuery(void *event) {
  RUNTIME(check(event));
}
API int cudaEventSynchronize(void *event) {
  RUNTIME(check(event));
}

/* Milliseconds; 0.5 us is the resolution that documentation promises, which simulated time beats. */
static int elapsed(float *ms, void *start, void *end) {
  const struct event *a = event_find(start), *b = event_find(end);
  if (!ms)
    return CU_INVALID_VALUE;
  if (!a || !b || !a->recorded || !b->recorded || (a->flags | b->flags) & EVENT_NO_TIMING)
    return CU_INVALID_RESOURCE_HANDLE;
  *ms = (float)(((double)b->at - (double)a->at) / 1e6);
  return CU_SUCCESS;
}
API int cudaEventElapsedTime(float *ms, void *start, void *end) {
  RUNTIME(elapsed(ms, start, end));
}
ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);

static int wait(void *stream, void *handle, unsigned flags) {
  int bad;
  struct cuda_stream *s = stream_find(stream, &bad);
  struct event *e = event_find(handle);
  if (!s || !e)
    return CU_INVALID_RESOURCE_HANDLE;
  if (s->capture && flags & EVENT_EXTERNAL)
    graph_keep(s, event_op(e, true));
  else if (e->capture || s->capture)
    graph_wait(s, e);
  return CU_SUCCESS;
}
API int cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
  RUNTIME(flags > 1 ? CU_INVALID_VALUE : wait(stream, event, flags));
}

ALIAS(cudaEventRecord_ptsz, cudaEventRecord);
ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);
ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);
