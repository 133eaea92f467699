/* Command queues. A command runs when its wait list is complete and, in an in-order queue or behind a
 * barrier, when those before it have run. It runs at once if it can, in the thread that found it ready. */
#include "opencl/ocl.h"
#include "opencl/api.h"

static bool out_of_order(const struct _cl_command_queue *q) {
  return q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

struct command *command_new(cl_command_queue q, cl_command_type type, cl_uint n, const cl_event *waits,
                            size_t data_bytes, cl_int *err) {
  if (!object_is(q, KIND_QUEUE))
    return fail(err, CL_INVALID_COMMAND_QUEUE);
  cl_int bad = event_list_check(q->context, n, waits);
  if (bad)
    return fail(err, bad);
  if (q->context->lost)
    return fail(err, CL_OUT_OF_RESOURCES);
  struct command *c = xcalloc(1, sizeof *c);
  c->queue = q;
  c->event = event_new(q->context, q, type);
  c->event->o.refs = 0; /* the program gets a reference only if it asks for one */
  object_hold(c->event);
  c->data = data_bytes ? xcalloc(1, data_bytes) : NULL;
  c->waits = n ? xmalloc(n * sizeof *c->waits) : NULL;
  for (c->nwaits = 0; c->nwaits < n; c->nwaits++) {
    c->waits[c->nwaits] = waits[c->nwaits];
    object_hold(waits[c->nwaits]);
  }
  return c;
}

void command_hold(struct command *c, void *object) {
  if (!object)
    return;
  object_hold(object);
  VEC_PUSH(c->held, c->nheld, c->cap_held) = object;
}

/* The event stays for whoever else refers to it. */
void command_free(struct command *c) {
  for (cl_uint i = 0; i < c->nwaits; i++)
    object_drop(c->waits[i]);
  for (size_t i = 0; i < c->nheld; i++)
    object_drop(c->held[i]);
  if (c->discard)
    c->discard(c);
  object_drop(c->event);
  free(c->waits);
  free(c->held);
  free(c->data);
  free(c);
}

enum readiness { NOT_YET, READY, DOOMED };

static enum readiness waits_over(const struct command *c) {
  enum readiness r = READY;
  for (cl_uint i = 0; i < c->nwaits; i++) {
    if (c->waits[i]->status > CL_COMPLETE)
      return NOT_YET;
    if (c->waits[i]->status < 0)
      r = DOOMED;
  }
  return r;
}

/* The first command that may run; *before is the one in front of it. */
static struct command *ready(cl_command_queue q, struct command **before, enum readiness *how) {
  struct command *prev = NULL;
  for (struct command *c = q->first; c; prev = c, c = c->next) {
    bool may = !prev || !(c->order & ORDER_AFTER_ALL);
    if (may && (*how = waits_over(c)) != NOT_YET) {
      *before = prev;
      return c;
    }
    if (!out_of_order(q) || c->order & ORDER_GATE)
      return NULL;
  }
  return NULL;
}

static void execute(struct command *c, enum readiness how) {
  struct sim *sim = ocl_sim();
  cl_event e = c->event;
  uint64_t ns = 0;
  e->submitted = sim_now(sim);
  event_set(e, CL_SUBMITTED);
  cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (how == READY && c->queue->context->lost)
    status = CL_OUT_OF_RESOURCES;
  else if (how == READY) {
    e->started = sim_now(sim);
    event_set(e, CL_RUNNING);
    status = c->run ? c->run(c, &ns) : CL_SUCCESS;
    sim_advance(sim, ns);
  }
  e->ended = sim_now(sim);
  event_set(e, status ? status : CL_COMPLETE);
}

/* Runs one command, if one is ready; the queue may be gone afterwards. */
static bool pump(cl_command_queue q) {
  struct command *before = NULL;
  enum readiness how = NOT_YET;
  struct command *c = ready(q, &before, &how);
  if (!c)
    return false;
  execute(c, how);
  *(before ? &before->next : &q->first) = c->next;
  if (q->last == c)
    q->last = before;
  if (!q->first)
    pthread_cond_broadcast(&ocl_platform()->changed);
  command_free(c);
  return true;
}

/* What ran may have been waited for by any queue, and may have been the last that kept one. */
void queues_pump(void) {
  for (cl_command_queue q = ocl_platform()->queues; q;)
    q = pump(q) ? ocl_platform()->queues : q->next;
}

cl_int command_submit(struct command *c, cl_bool blocking, cl_event *event) {
  cl_command_queue q = c->queue;
  cl_event e = c->event;
  object_hold(e);
  if (event) {
    e->o.refs++;
    *event = e;
  }
  object_hold(q); /* a queue lives until its commands ran */
  *(q->last ? &q->last->next : &q->first) = c;
  q->last = c;
  queues_pump();
  cl_int result = CL_SUCCESS;
  if (blocking) {
    event_wait(e);
    result = e->status < 0 ? e->status : CL_SUCCESS;
  }
  object_drop(q);
  object_drop(e);
  return result;
}

void queue_wait_all(cl_command_queue q) {
  cl_platform_id p = ocl_platform();
  object_hold(q);
  while (q->first)
    pthread_cond_wait(&p->changed, &p->lock);
  object_drop(q);
}

void queue_destroy(cl_command_queue q) {
  *(q->prev ? &q->prev->next : &ocl_platform()->queues) = q->next;
  if (q->next)
    q->next->prev = q->prev;
  free(q->given);
  object_drop(q->context);
}

static cl_command_queue create(cl_context c, cl_device_id d, cl_command_queue_properties properties,
                               cl_int *err) {
  const cl_command_queue_properties known =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  if (!object_is(d, KIND_DEVICE))
    return fail(err, CL_INVALID_DEVICE);
  if (properties & ~known)
    return fail(err, properties & ~(known | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)
                         ? CL_INVALID_VALUE
                         : CL_INVALID_QUEUE_PROPERTIES);
  cl_command_queue q = object_new(KIND_QUEUE, sizeof *q);
  q->context = c;
  object_hold(c);
  q->properties = properties;
  q->next = ocl_platform()->queues;
  if (q->next)
    q->next->prev = q;
  ocl_platform()->queues = q;
  return succeed(err, q);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context c, cl_device_id d,
                                                  cl_command_queue_properties properties, cl_int *err) {
  ocl_lock();
  cl_command_queue q = create(c, d, properties, err);
  ocl_unlock();
  return q;
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context c, cl_device_id d,
                                                                const cl_queue_properties *list,
                                                                cl_int *err) {
  cl_command_queue_properties properties = 0;
  size_t n = 0;
  for (; list && list[n]; n += 2) {
    if (list[n] != CL_QUEUE_PROPERTIES) /* CL_QUEUE_SIZE is for queues on the device */
      return fail(err, list[n] == CL_QUEUE_SIZE ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE);
    properties = list[n + 1];
  }
  ocl_lock();
  cl_command_queue q = create(c, d, properties, err);
  if (q && list) {
    q->ngiven = n + 1;
    q->given = xmalloc(q->ngiven * sizeof *q->given);
    memcpy(q->given, list, q->ngiven * sizeof *q->given);
  }
  ocl_unlock();
  return q;
}

static cl_int queue_info(cl_command_queue q, cl_command_queue_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  switch (name) {
  case CL_QUEUE_CONTEXT:
    return INFO(cl_context, q->context);
  case CL_QUEUE_DEVICE:
    return INFO(cl_device_id, ocl_platform()->device);
  case CL_QUEUE_REFERENCE_COUNT:
    return INFO(cl_uint, q->o.refs);
  case CL_QUEUE_PROPERTIES:
    return INFO(cl_command_queue_properties, q->properties);
  case CL_QUEUE_SIZE:
    return CL_INVALID_COMMAND_QUEUE; /* of a queue on the device */
  case CL_QUEUE_DEVICE_DEFAULT:
    return INFO(cl_command_queue, NULL);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return info_put(n, to, ret, q->given, q->ngiven * sizeof *q->given);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info name, size_t n, void *to,
                                         size_t *ret) {
  ocl_lock();
  cl_int r = queue_info(q, name, n, to, ret);
  ocl_unlock();
  return r;
}

/* OpenCL 1.0; later versions let an implementation refuse it. */
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue q, cl_command_queue_properties properties,
                                             cl_bool enable, cl_command_queue_properties *old) {
  (void)properties, (void)enable, (void)old;
  ocl_lock();
  bool is = object_is(q, KIND_QUEUE);
  ocl_unlock();
  return is ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

/* Commands are on their way as soon as they are enqueued. */
cl_int CL_API_CALL clFlush(cl_command_queue q) {
  ocl_lock();
  cl_int r = !object_is(q, KIND_QUEUE) ? CL_INVALID_COMMAND_QUEUE
             : q->context->lost        ? CL_OUT_OF_RESOURCES
                                       : CL_SUCCESS;
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clFinish(cl_command_queue q) {
  cl_int r = CL_INVALID_COMMAND_QUEUE;
  ocl_lock();
  if (object_is(q, KIND_QUEUE)) {
    object_hold(q);
    queue_wait_all(q);
    r = q->context->lost ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
    object_drop(q);
  }
  ocl_unlock();
  return r;
}

RETAIN_RELEASE(CommandQueue, cl_command_queue, KIND_QUEUE, CL_INVALID_COMMAND_QUEUE)
