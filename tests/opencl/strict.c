/* What programs do wrong: handles used once too often, handles that are none, NULL, wrong sizes; and rules of
 * the specification that PoCL 3.1 does not keep. For Sluice alone: elsewhere some of this crashes. */
#include "check.h"
#include <pthread.h>

static const char source[] = "__kernel void one(__global int *a) { a[get_global_id(0)] = 1; }";

static void a_second_release_is_refused(void) {
  cl_int e;
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
  cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, &e);
  cl_event u = clCreateUserEvent(c, &e);
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, "one");
  SAME(clReleaseKernel(k), CL_SUCCESS);
  SAME(clReleaseKernel(k), CL_INVALID_KERNEL);
  SAME(clReleaseProgram(p), CL_SUCCESS);
  SAME(clReleaseProgram(p), CL_INVALID_PROGRAM);
  SAME(clReleaseEvent(u), CL_SUCCESS);
  SAME(clReleaseEvent(u), CL_INVALID_EVENT);
  SAME(clReleaseMemObject(m), CL_SUCCESS);
  SAME(clReleaseMemObject(m), CL_INVALID_MEM_OBJECT);
  SAME(clReleaseCommandQueue(q), CL_SUCCESS);
  SAME(clReleaseCommandQueue(q), CL_INVALID_COMMAND_QUEUE);
  SAME(clReleaseContext(c), CL_SUCCESS);
  SAME(clReleaseContext(c), CL_INVALID_CONTEXT);
}

static void released_objects_cannot_be_used(void) {
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 64, NULL);
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, "one");
  size_t one = 1;
  int x;
  SAME(clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
  clReleaseMemObject(m);
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clSetKernelArg(k, 0, sizeof m, &m), CL_INVALID_MEM_OBJECT);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
  clReleaseKernel(k), clReleaseProgram(p);
}

static void objects_live_as_long_as_others_need_them(void) {
  cl_int e;
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, "one");
  SAME(clReleaseProgram(p), CL_SUCCESS);
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 64, NULL);
  cl_event user = clCreateUserEvent(context, &e);
  size_t one = 1;
  clSetKernelArg(k, 0, sizeof m, &m);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 1, &user, NULL), CL_SUCCESS);
  clReleaseKernel(k), clReleaseMemObject(m); /* a command that has yet to run uses both */
  SAME(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  SAME(clFinish(queue), CL_SUCCESS);
  clReleaseEvent(user);
}

static void values_that_are_no_handles_are_refused(void) {
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, "one");
  uintptr_t garbage = 0xdeadbeefcafe;
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 64, NULL);
  int x;
  cl_event bad = (cl_event)garbage;
  SAME(clSetKernelArg(k, 0, sizeof garbage, &garbage), CL_INVALID_MEM_OBJECT);
  SAME(clSetKernelArg(k, 0, sizeof queue, &queue), CL_INVALID_MEM_OBJECT); /* an object of another kind */
  SAME(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &x, 1, &bad, NULL), CL_INVALID_EVENT_WAIT_LIST);
  SAME(clEnqueueReadBuffer(queue, (cl_mem)k, CL_TRUE, 0, 4, &x, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clBuildProgram(p, 1, (cl_device_id *)&garbage, "", NULL, NULL), CL_INVALID_DEVICE);
  clReleaseMemObject(m), clReleaseKernel(k), clReleaseProgram(p);
}

static void sizes_of_nothing_are_refused(void) {
  size_t g[1] = {64}, none[1] = {0};
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, "one");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 256, NULL);
  clSetKernelArg(k, 0, sizeof m, &m);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, NULL, g, 0, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, none, NULL, 0, NULL, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, g, none, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, g, g, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
  size_t seven[1] = {7};
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, g, seven, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
  clReleaseMemObject(m), clReleaseKernel(k), clReleaseProgram(p);
}

static void too_much_local_memory_is_refused(void) {
  cl_program p =
      build("__kernel void k(__local int *a, __global int *b) { a[get_local_id(0)] = 1; b[0] = a[0]; }", "");
  cl_kernel k = kernel_of(p, "k");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 256, NULL);
  size_t one = 1;
  SAME(clSetKernelArg(k, 0, 1 << 20, NULL), CL_SUCCESS);
  clSetKernelArg(k, 1, sizeof m, &m);
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
  clReleaseMemObject(m), clReleaseKernel(k), clReleaseProgram(p);
}

static void buffers_beyond_the_memory_are_refused(void) {
  cl_ulong largest, all;
  cl_int e;
  clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
  clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
  CHECK(!clCreateBuffer(context, CL_MEM_READ_WRITE, largest + 1, NULL, &e));
  SAME(e, CL_INVALID_BUFFER_SIZE);
  cl_mem m[64];
  size_t n = 0;
  while (n < 64 && (m[n] = clCreateBuffer(context, CL_MEM_READ_WRITE, largest, NULL, &e)))
    n++;
  SAME(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  SAME(n, all / largest);
  while (n)
    clReleaseMemObject(m[--n]);
}

static void a_buffer_is_no_image(void) {
  cl_int e;
  cl_image_format f = {CL_RGBA, CL_FLOAT};
  size_t zero[3] = {0}, one[3] = {1, 1, 1};
  char pixel[16];
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 64, NULL);
  CHECK(!clCreateImage(context, CL_MEM_READ_ONLY, &f, &(cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D},
                       NULL, &e));
  SAME(e, CL_INVALID_IMAGE_SIZE);
  SAME(clEnqueueReadImage(queue, m, CL_TRUE, zero, one, 0, 0, pixel, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clEnqueueWriteImage(queue, m, CL_TRUE, zero, one, 0, 0, pixel, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clEnqueueCopyBufferToImage(queue, m, m, 0, zero, one, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clEnqueueCopyImageToBuffer(queue, m, m, zero, one, 0, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clEnqueueCopyImage(queue, m, m, zero, zero, one, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  SAME(clEnqueueFillImage(queue, m, pixel, zero, one, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  CHECK(!clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_READ, zero, one, &zero[0], NULL, 0, NULL, NULL, &e));
  SAME(e, CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(m);
}

static void the_device_answers_to_any_type(void) {
  static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR};
  cl_device_type type = 0;
  for (int i = 0; i < 3; i++) {
    cl_device_id d = NULL;
    cl_int e;
    SAME(clGetDeviceIDs(platform, types[i], 1, &d, NULL), CL_SUCCESS);
    CHECK(d == device);
    cl_context c = clCreateContextFromType(NULL, types[i], NULL, NULL, &e);
    SAME(e, CL_SUCCESS);
    clReleaseContext(c);
  }
  SAME(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
  SAME(type, CL_DEVICE_TYPE_GPU);
}

static void a_failed_build_has_a_log(void) {
  const char *text = "kernel void k(global int *o) { o[0] = 1; }";
  cl_int e;
  char log[512] = "";
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  SAME(clBuildProgram(p, 0, NULL, "-cl-fast-relaxed-maths", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
  SAME(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL), CL_SUCCESS);
  CHECK(strstr(log, "-cl-fast-relaxed-maths") && strstr(log, "did you mean -cl-fast-relaxed-math"));
  clReleaseProgram(p);
}

/* OpenCL 1.2, 6.1.5: a __local double16 lies at a multiple of 128. */
static void local_arguments_are_aligned(void) {
  cl_program p = build("kernel void k(local char *a, local double16 *b, local char *c, global uint *o) {\n"
                       "  o[0] = (uint)(ulong)b % 128 + (uint)(ulong)c % 128; a[0] = c[0] = 1; b[0] = 1;\n"
                       "}",
                       "");
  cl_kernel k = kernel_of(p, "k");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 4, NULL);
  cl_uint at = 1;
  SAME(clSetKernelArg(k, 0, 3, NULL), CL_SUCCESS);
  SAME(clSetKernelArg(k, 1, 128, NULL), CL_SUCCESS);
  SAME(clSetKernelArg(k, 2, 5, NULL), CL_SUCCESS);
  SAME(clSetKernelArg(k, 3, sizeof m, &m), CL_SUCCESS);
  run1(k, 1, 1);
  read_back(m, 4, &at);
  SAME(at, 0);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

/* AMD's CL_MEM_USE_PERSISTENT_MEM_AMD. */
static void placement_flags_of_other_vendors_are_hints(void) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_ONLY | 1 << 6, 64, NULL, &e);
  SAME(e, CL_SUCCESS);
  clReleaseMemObject(m);
}

static void native_kernels_and_sub_devices_are_refused(void) {
  cl_device_partition_property by[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  cl_uint n;
  SAME(clCreateSubDevices(device, by, 0, NULL, &n), CL_INVALID_VALUE);
  SAME(clEnqueueNativeKernel(queue, (void(CL_CALLBACK *)(void *))free, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
       CL_INVALID_OPERATION);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls;

static void CL_CALLBACK on_event(cl_event e, cl_int status, void *data) {
  (void)e, (void)status, (void)data;
  pthread_mutex_lock(&lock);
  calls++;
  pthread_cond_signal(&called);
  pthread_mutex_unlock(&lock);
}

static void a_callback_may_take_locks_its_registrar_holds(void) {
  cl_event e;
  SAME(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e), CL_SUCCESS);
  clWaitForEvents(1, &e);
  pthread_mutex_lock(&lock);
  SAME(clSetEventCallback(e, CL_COMPLETE, on_event, NULL), CL_SUCCESS);
  while (!calls)
    pthread_cond_wait(&called, &lock);
  pthread_mutex_unlock(&lock);
  SAME(calls, 1);
  clReleaseEvent(e);
}

static void a_queue_waits_for_events_as_in_1_0(void) {
  cl_event e;
  SAME(clEnqueueMarker(queue, &e), CL_SUCCESS);
  SAME(clEnqueueWaitForEvents(queue, 1, &e), CL_SUCCESS);
  SAME(clEnqueueWaitForEvents(queue, 0, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueMarker(queue, NULL), CL_INVALID_VALUE);
  SAME(clFinish(queue), CL_SUCCESS);
  clReleaseEvent(e);
}

/* A function of OpenCL 2.0 that programs call all the same; check.h asks for the headers of 1.2. */
extern cl_command_queue clCreateCommandQueueWithProperties(cl_context, cl_device_id, const cl_bitfield *,
                                                           cl_int *);

static void a_queue_comes_from_a_list_of_properties(void) {
  cl_int e;
  cl_bitfield list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}, wrong[] = {0x4321, 1, 0};
  cl_command_queue_properties p = 0;
  cl_command_queue q = clCreateCommandQueueWithProperties(context, device, list, &e);
  SAME(e, CL_SUCCESS);
  SAME(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof p, &p, NULL), CL_SUCCESS);
  SAME(p, CL_QUEUE_PROFILING_ENABLE);
  SAME(clReleaseCommandQueue(q), CL_SUCCESS);
  q = clCreateCommandQueueWithProperties(context, device, NULL, &e);
  SAME(e, CL_SUCCESS);
  SAME(clReleaseCommandQueue(q), CL_SUCCESS);
  CHECK(!clCreateCommandQueueWithProperties(context, device, wrong, &e));
  SAME(e, CL_INVALID_VALUE);
}

static void programs_are_retained_and_unknown_extensions_are_not_found(void) {
  cl_program p = build(source, "");
  cl_uint n = 0;
  SAME(clRetainProgram(p), CL_SUCCESS);
  SAME(clGetProgramInfo(p, CL_PROGRAM_REFERENCE_COUNT, sizeof n, &n, NULL), CL_SUCCESS);
  SAME(n, 2);
  SAME(clReleaseProgram(p), CL_SUCCESS);
  SAME(clReleaseProgram(p), CL_SUCCESS);
  SAME(clReleaseSampler(NULL), CL_INVALID_SAMPLER);
  CHECK(!clGetExtensionFunctionAddress("clNoSuchFunctionSLUICE"));
  CHECK(!clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunctionSLUICE"));
}

static void random_numbers_of_the_program_are_its_own(void) {
  srand(7);
  int first = rand(), second = rand();
  srand(7);
  SAME(rand(), first);
  cl_program p = build(source, "-DUNUSED=1");
  cl_kernel k = kernel_of(p, "one");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 4096, NULL);
  clSetKernelArg(k, 0, sizeof m, &m);
  run1(k, 1024, 0);
  clFinish(queue);
  SAME(rand(), second);
  clReleaseMemObject(m), clReleaseKernel(k), clReleaseProgram(p);
}

static void a_great_many_objects_come_and_go(void) {
  cl_int e;
  for (int i = 0; i < 100000; i++) {
    cl_event u = clCreateUserEvent(context, &e);
    if (e || clReleaseEvent(u))
      break;
  }
  SAME(e, CL_SUCCESS);
}

int main(void) {
  open_device();
  RULE(a_second_release_is_refused);
  RULE(released_objects_cannot_be_used);
  RULE(objects_live_as_long_as_others_need_them);
  RULE(values_that_are_no_handles_are_refused);
  RULE(sizes_of_nothing_are_refused);
  RULE(too_much_local_memory_is_refused);
  RULE(buffers_beyond_the_memory_are_refused);
  RULE(a_buffer_is_no_image);
  RULE(the_device_answers_to_any_type);
  RULE(placement_flags_of_other_vendors_are_hints);
  RULE(a_failed_build_has_a_log);
  RULE(local_arguments_are_aligned);
  RULE(native_kernels_and_sub_devices_are_refused);
  RULE(a_callback_may_take_locks_its_registrar_holds);
  RULE(a_queue_waits_for_events_as_in_1_0);
  RULE(a_queue_comes_from_a_list_of_properties);
  RULE(programs_are_retained_and_unknown_extensions_are_not_found);
  RULE(random_numbers_of_the_program_are_its_own);
  RULE(a_great_many_objects_come_and_go);
  return finish(); /* leaks its queue and context */
}
