/* Events: what became of a command, and when in simulated time. */
#include "opencl/ocl.h"
#include "opencl/api.h"

cl_event event_new(cl_context c, cl_command_queue q, cl_command_type type) {
  cl_event e = object_new(KIND_EVENT, sizeof *e);
  e->context = c;
  object_hold(c);
  e->queue = q;
  if (q)
    object_hold(q);
  e->type = type;
  e->status = q ? CL_QUEUED : CL_SUBMITTED;
  e->queued = sim_now(ocl_sim());
  return e;
}

void event_destroy(cl_event e) {
  while (e->callbacks) {
    struct event_callback *c = e->callbacks;
    e->callbacks = c->next;
    free(c);
  }
  object_drop(e->queue);
  object_drop(e->context);
}

/* Callbacks of states that were passed, in the order of the states: an error passes them all. */
static void tell(cl_event e) {
  for (struct event_callback **at = &e->callbacks; *at;) {
    struct event_callback *c = *at;
    if (e->status > c->at) {
      at = &c->next;
      continue;
    }
    *at = c->next;
    callback_event(e, c, e->status < 0 ? e->status : c->at);
    free(c);
  }
}

void event_set(cl_event e, cl_int status) {
  e->status = status;
  tell(e);
  if (status <= CL_COMPLETE)
    pthread_cond_broadcast(&ocl_platform()->changed);
}

void event_wait(cl_event e) {
  cl_platform_id p = ocl_platform();
  object_hold(e);
  while (e->status > CL_COMPLETE)
    pthread_cond_wait(&p->changed, &p->lock);
  object_drop(e);
}

cl_int event_list_check(cl_context c, cl_uint n, const cl_event *list) {
  if (!n != !list)
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < n; i++) {
    if (!object_is(list[i], KIND_EVENT))
      return CL_INVALID_EVENT_WAIT_LIST;
    if (c && list[i]->context != c)
      return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

static cl_int wait_for(cl_uint n, const cl_event *list) {
  if (!n || !list)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; i++)
    if (!object_is(list[i], KIND_EVENT))
      return CL_INVALID_EVENT;
  for (cl_uint i = 1; i < n; i++)
    if (list[i]->context != list[0]->context)
      return CL_INVALID_CONTEXT;
  cl_int result = CL_SUCCESS;
  for (cl_uint i = 0; i < n; i++) {
    if (!object_is(list[i], KIND_EVENT)) /* released while we waited for another */
      continue;
    object_hold(list[i]);
    event_wait(list[i]);
    if (list[i]->status < 0)
      result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    object_drop(list[i]);
  }
  return result;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event *list) {
  ocl_lock();
  cl_int e = wait_for(n, list);
  ocl_unlock();
  return e;
}

static cl_int event_info(cl_event e, cl_event_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(e, KIND_EVENT))
    return CL_INVALID_EVENT;
  switch (name) {
  case CL_EVENT_COMMAND_QUEUE:
    return INFO(cl_command_queue, e->queue);
  case CL_EVENT_COMMAND_TYPE:
    return INFO(cl_command_type, e->type);
  case CL_EVENT_CONTEXT:
    return INFO(cl_context, e->context);
  case CL_EVENT_COMMAND_EXECUTION_STATUS:
    return INFO(cl_int, e->status);
  case CL_EVENT_REFERENCE_COUNT:
    return INFO(cl_uint, e->o.refs);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetEventInfo(cl_event e, cl_event_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = event_info(e, name, n, to, ret);
  ocl_unlock();
  return r;
}

static cl_int profiling(cl_event e, cl_profiling_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(e, KIND_EVENT))
    return CL_INVALID_EVENT;
  if (!e->queue || !(e->queue->properties & CL_QUEUE_PROFILING_ENABLE) || e->status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  switch (name) {
  case CL_PROFILING_COMMAND_QUEUED:
    return INFO(cl_ulong, e->queued);
  case CL_PROFILING_COMMAND_SUBMIT:
    return INFO(cl_ulong, e->submitted);
  case CL_PROFILING_COMMAND_START:
    return INFO(cl_ulong, e->started);
  case CL_PROFILING_COMMAND_END:
    return INFO(cl_ulong, e->ended);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event e, cl_profiling_info name, size_t n, void *to,
                                           size_t *ret) {
  ocl_lock();
  cl_int r = profiling(e, name, n, to, ret);
  ocl_unlock();
  return r;
}

cl_event CL_API_CALL clCreateUserEvent(cl_context c, cl_int *err) {
  ocl_lock();
  cl_event e = object_is(c, KIND_CONTEXT) ? event_new(c, NULL, CL_COMMAND_USER) : NULL;
  ocl_unlock();
  return e ? succeed(err, e) : fail(err, CL_INVALID_CONTEXT);
}

static cl_int set_user_status(cl_event e, cl_int status) {
  if (!object_is(e, KIND_EVENT) || e->queue)
    return CL_INVALID_EVENT;
  if (status > CL_COMPLETE)
    return CL_INVALID_VALUE;
  if (e->status <= CL_COMPLETE)
    return CL_INVALID_OPERATION;
  object_hold(e);
  event_set(e, status);
  queues_pump();
  object_drop(e);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event e, cl_int status) {
  ocl_lock();
  cl_int r = set_user_status(e, status);
  ocl_unlock();
  return r;
}

static cl_int set_callback(cl_event e, cl_int at, void(CL_CALLBACK *fn)(cl_event, cl_int, void *),
                           void *data) {
  if (!object_is(e, KIND_EVENT))
    return CL_INVALID_EVENT;
  if (!fn || (at != CL_COMPLETE && at != CL_RUNNING && at != CL_SUBMITTED))
    return CL_INVALID_VALUE;
  struct event_callback *c = xcalloc(1, sizeof *c), **end = &e->callbacks;
  *c = (struct event_callback){.fn = fn, .data = data, .at = at};
  while (*end && (*end)->at >= at) /* CL_SUBMITTED before CL_RUNNING before CL_COMPLETE */
    end = &(*end)->next;
  c->next = *end;
  *end = c;
  tell(e);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetEventCallback(cl_event e, cl_int at, void(CL_CALLBACK *fn)(cl_event, cl_int, void *),
                                      void *data) {
  ocl_lock();
  cl_int r = set_callback(e, at, fn, data);
  ocl_unlock();
  return r;
}

RETAIN_RELEASE(Event, cl_event, KIND_EVENT, CL_INVALID_EVENT)
