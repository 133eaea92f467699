/* Events: order, profiling, user events, callbacks, markers and barriers, several threads. */
#include "check.h"
#include <pthread.h>
#include <unistd.h>

static cl_program program;
static const char source[] = "__kernel void add(__global int *a, int x) { a[get_global_id(0)] += x; }\n"
                             "__kernel void times(__global int *a, int x) { a[get_global_id(0)] *= x; }\n";

static cl_event enqueue(cl_command_queue q, const char *kernel, cl_mem m, int x, cl_uint n,
                        const cl_event *waits) {
  cl_kernel k = kernel_of(program, kernel);
  cl_event e = NULL;
  size_t one = 1;
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(k, 1, sizeof x, &x);
  SAME(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, n, waits, &e), CL_SUCCESS);
  clReleaseKernel(k);
  return e;
}

static cl_mem number(int x) {
  return buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof x, &x);
}

static int value_of(cl_mem m) {
  int x;
  read_back(m, sizeof x, &x);
  return x;
}

static cl_int status_of(cl_event e) {
  cl_int s = 99;
  clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s, &s, NULL);
  return s;
}

static void an_event_tells_of_its_command(void) {
  cl_mem m = number(1);
  cl_event e = enqueue(queue, "add", m, 2, 0, NULL);
  SAME(clWaitForEvents(1, &e), CL_SUCCESS);
  SAME(status_of(e), CL_COMPLETE);
  cl_command_type type;
  cl_command_queue q;
  cl_context c;
  cl_uint refs;
  SAME(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
  SAME(type, CL_COMMAND_NDRANGE_KERNEL);
  SAME(clGetEventInfo(e, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL), CL_SUCCESS);
  CHECK(q == queue);
  SAME(clGetEventInfo(e, CL_EVENT_CONTEXT, sizeof c, &c, NULL), CL_SUCCESS);
  CHECK(c == context);
  SAME(clRetainEvent(e), CL_SUCCESS);
  SAME(clGetEventInfo(e, CL_EVENT_REFERENCE_COUNT, sizeof refs, &refs, NULL), CL_SUCCESS);
  CHECK(refs >= 2);
  SAME(clReleaseEvent(e), CL_SUCCESS);
  SAME(clReleaseEvent(e), CL_SUCCESS);
  SAME(value_of(m), 3);
  clReleaseMemObject(m);
}

static void times_of_a_command_ascend(void) {
  cl_mem m = number(1);
  cl_event e = enqueue(queue, "add", m, 2, 0, NULL);
  clWaitForEvents(1, &e);
  cl_ulong t[4];
  for (cl_uint i = 0; i < 4; i++)
    SAME(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + i, sizeof t[i], &t[i], NULL), CL_SUCCESS);
  CHECK(t[0] <= t[1] && t[1] <= t[2] && t[2] < t[3]);
  SAME(clGetEventProfilingInfo(e, 0x1111, sizeof t[0], t, NULL), CL_INVALID_VALUE);
  clReleaseEvent(e);
  cl_int err;
  cl_command_queue plain = clCreateCommandQueue(context, device, 0, &err);
  e = enqueue(plain, "add", m, 2, 0, NULL);
  clFinish(plain);
  SAME(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof t[0], t, NULL),
       CL_PROFILING_INFO_NOT_AVAILABLE);
  clReleaseEvent(e), clReleaseCommandQueue(plain), clReleaseMemObject(m);
}

static void a_user_event_holds_back_what_waits_for_it(void) {
  cl_int err;
  cl_mem m = number(1);
  cl_event user = clCreateUserEvent(context, &err);
  SAME(err, CL_SUCCESS);
  SAME(status_of(user), CL_SUBMITTED);
  cl_event a = enqueue(queue, "add", m, 4, 1, &user), b = enqueue(queue, "times", m, 10, 0, NULL);
  clFlush(queue);
  CHECK(status_of(a) > CL_COMPLETE && status_of(b) > CL_COMPLETE);
  SAME(clSetUserEventStatus(user, 1), CL_INVALID_VALUE);
  SAME(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  SAME(clWaitForEvents(1, &b), CL_SUCCESS);
  SAME(value_of(m), 50);
  SAME(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
  clReleaseEvent(user), clReleaseEvent(a), clReleaseEvent(b), clReleaseMemObject(m);
}

static void a_failed_event_fails_what_waits_for_it(void) {
  cl_int err;
  cl_mem m = number(1);
  cl_command_queue q = clCreateCommandQueue(context, device, 0, &err);
  cl_event user = clCreateUserEvent(context, &err);
  cl_event a = enqueue(q, "add", m, 4, 1, &user);
  SAME(clSetUserEventStatus(user, -7), CL_SUCCESS);
  SAME(clWaitForEvents(1, &a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status_of(a) < 0);
  clReleaseEvent(user), clReleaseEvent(a), clReleaseCommandQueue(q);
  SAME(value_of(m), 1);
  clReleaseMemObject(m);
}

static void queues_order_each_other_by_events(void) {
  cl_int err;
  cl_mem m = number(1);
  cl_command_queue other = clCreateCommandQueue(context, device, 0, &err);
  cl_event user = clCreateUserEvent(context, &err);
  cl_event a = enqueue(queue, "add", m, 1, 1, &user), b = enqueue(other, "times", m, 5, 1, &a),
           c = enqueue(queue, "add", m, 3, 1, &b);
  clFlush(queue), clFlush(other);
  SAME(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  SAME(clWaitForEvents(1, &c), CL_SUCCESS);
  SAME(value_of(m), 13);
  clReleaseEvent(user), clReleaseEvent(a), clReleaseEvent(b), clReleaseEvent(c);
  clReleaseCommandQueue(other), clReleaseMemObject(m);
}

static void an_out_of_order_queue_is_ordered_by_waits_and_barriers(void) {
  cl_int err;
  cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
  if (err) /* optional in OpenCL */
    return;
  cl_mem m = number(1), n = number(1);
  cl_event user = clCreateUserEvent(context, &err), marker;
  cl_event a = enqueue(q, "add", m, 1, 1, &user), b = enqueue(q, "times", n, 7, 0, NULL);
  SAME(clWaitForEvents(1, &b), CL_SUCCESS); /* overtakes a */
  SAME(clEnqueueBarrierWithWaitList(q, 0, NULL, NULL), CL_SUCCESS);
  cl_event c = enqueue(q, "times", m, 10, 0, NULL);
  SAME(clEnqueueMarkerWithWaitList(q, 0, NULL, &marker), CL_SUCCESS);
  CHECK(status_of(c) > CL_COMPLETE);
  SAME(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  SAME(clWaitForEvents(1, &marker), CL_SUCCESS);
  SAME(status_of(c), CL_COMPLETE);
  SAME(clFinish(q), CL_SUCCESS);
  SAME(value_of(m), 20);
  SAME(value_of(n), 7);
  clReleaseEvent(user), clReleaseEvent(a), clReleaseEvent(b), clReleaseEvent(c), clReleaseEvent(marker);
  clReleaseCommandQueue(q), clReleaseMemObject(m), clReleaseMemObject(n);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls;
static cl_int seen_status;

static void CL_CALLBACK on_event(cl_event e, cl_int status, void *data) {
  (void)e;
  pthread_mutex_lock(&lock);
  calls += *(int *)data;
  seen_status = status;
  pthread_cond_signal(&called);
  pthread_mutex_unlock(&lock);
}

static void wait_for_calls(int n) {
  pthread_mutex_lock(&lock);
  while (calls < n)
    pthread_cond_wait(&called, &lock);
  pthread_mutex_unlock(&lock);
}

static void a_callback_is_called_once_its_state_is_reached(void) {
  cl_int err;
  static int one = 1;
  cl_mem m = number(1);
  cl_event user = clCreateUserEvent(context, &err);
  cl_event a = enqueue(queue, "add", m, 1, 1, &user);
  calls = 0;
  SAME(clSetEventCallback(a, CL_COMPLETE, on_event, &one), CL_SUCCESS);
  clFlush(queue);
  clSetUserEventStatus(user, CL_COMPLETE);
  wait_for_calls(1);
  SAME(seen_status, CL_COMPLETE);
  SAME(clSetEventCallback(a, CL_COMPLETE, on_event, &one), CL_SUCCESS);
  wait_for_calls(2);
  SAME(clSetEventCallback(a, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
  SAME(clSetEventCallback(a, 17, on_event, &one), CL_INVALID_VALUE);
  clReleaseEvent(user), clReleaseEvent(a), clReleaseMemObject(m);
}

static void CL_CALLBACK on_release(cl_mem m, void *data) {
  (void)m;
  pthread_mutex_lock(&lock);
  calls = calls * 10 + *(int *)data;
  pthread_cond_signal(&called);
  pthread_mutex_unlock(&lock);
}

static void destructors_are_called_in_reverse_order(void) {
  static int one = 1, two = 2;
  cl_mem m = number(1);
  calls = 0;
  SAME(clSetMemObjectDestructorCallback(m, on_release, &one), CL_SUCCESS);
  SAME(clSetMemObjectDestructorCallback(m, on_release, &two), CL_SUCCESS);
  SAME(clReleaseMemObject(m), CL_SUCCESS);
  wait_for_calls(21);
  SAME(calls, 21);
}

static void markers_and_barriers_of_1_1_work(void) {
  cl_event marker;
  cl_mem m = number(2);
  cl_event a = enqueue(queue, "times", m, 3, 0, NULL);
  SAME(clEnqueueBarrier(queue), CL_SUCCESS);
  SAME(clEnqueueMarker(queue, &marker), CL_SUCCESS);
  SAME(clWaitForEvents(1, &marker), CL_SUCCESS);
  SAME(status_of(a), CL_COMPLETE);
  SAME(clWaitForEvents(0, NULL), CL_INVALID_VALUE);
  clReleaseEvent(a), clReleaseEvent(marker), clReleaseMemObject(m);
}

static void *complete_later(void *event) {
  usleep(20000);
  clSetUserEventStatus(event, CL_COMPLETE);
  return NULL;
}

static void a_blocking_read_waits_for_another_thread(void) {
  cl_int err;
  int x = 0;
  cl_mem m = number(41);
  cl_event user = clCreateUserEvent(context, &err);
  cl_event a = enqueue(queue, "add", m, 1, 1, &user);
  pthread_t t;
  pthread_create(&t, NULL, complete_later, user);
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL, NULL), CL_SUCCESS);
  SAME(x, 42);
  pthread_join(t, NULL);
  clReleaseEvent(user), clReleaseEvent(a), clReleaseMemObject(m);
}

static void *many_commands(void *unused) {
  (void)unused;
  cl_int err;
  cl_command_queue q = clCreateCommandQueue(context, device, 0, &err);
  int zero = 0, x = 0;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &err);
  cl_kernel k = clCreateKernel(program, "add", &err);
  size_t one = 1;
  for (int i = 0; i < 50; i++) {
    clSetKernelArg(k, 0, sizeof m, &m);
    clSetKernelArg(k, 1, sizeof i, &i);
    clEnqueueNDRangeKernel(q, k, 1, NULL, &one, &one, 0, NULL, NULL);
  }
  clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof x, &x, 0, NULL, NULL);
  clReleaseKernel(k), clReleaseMemObject(m), clReleaseCommandQueue(q);
  return (void *)(intptr_t)x;
}

static void threads_share_a_context(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, many_commands, NULL);
  for (int i = 0; i < 4; i++) {
    void *x;
    pthread_join(t[i], &x);
    SAME((intptr_t)x, 49 * 50 / 2);
  }
}

int main(void) {
  open_device();
  program = build(source, "");
  RULE(an_event_tells_of_its_command);
  RULE(times_of_a_command_ascend);
  RULE(a_user_event_holds_back_what_waits_for_it);
  RULE(a_failed_event_fails_what_waits_for_it);
  RULE(queues_order_each_other_by_events);
  RULE(an_out_of_order_queue_is_ordered_by_waits_and_barriers);
  RULE(a_callback_is_called_once_its_state_is_reached);
  RULE(destructors_are_called_in_reverse_order);
  RULE(markers_and_barriers_of_1_1_work);
  RULE(a_blocking_read_waits_for_another_thread);
  RULE(threads_share_a_context);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return finish();
}
