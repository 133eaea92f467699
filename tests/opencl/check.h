/* For tests that use OpenCL as any program does: only the public headers, and whatever device comes first.
 *
 *   static void a_buffer_keeps_what_is_written(void) { ...; CHECK(x == 3); SAME(clFinish(q), CL_SUCCESS); }
 *   int main(void) { open_device(); RULE(a_buffer_keeps_what_is_written); return finish(); }
 *
 * The same program must pass on any implementation; what it prints is compared between them. */
#ifndef OPENCL_CHECK_H
#define OPENCL_CHECK_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static struct {
  int passed, failed;
  bool holds; /* the rule that is checked */
} checked;

#define CHECK(what)                                                                                          \
  do {                                                                                                       \
    if (!(what)) {                                                                                           \
      checked.holds = false;                                                                                 \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                                     \
    }                                                                                                        \
  } while (0)

#define SAME(got, wanted)                                                                                    \
  do {                                                                                                       \
    long long got_ = (long long)(got), wanted_ = (long long)(wanted);                                        \
    if (got_ != wanted_) {                                                                                   \
      checked.holds = false;                                                                                 \
      fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #got, got_, wanted_);             \
    }                                                                                                        \
  } while (0)

#define RULE(name)                                                                                           \
  do {                                                                                                       \
    checked.holds = true;                                                                                    \
    name();                                                                                                  \
    printf("[%s] %s\n", checked.holds ? "       OK " : "  FAILED  ", #name);                                 \
    fflush(stdout);                                                                                          \
    checked.holds ? checked.passed++ : checked.failed++;                                                     \
  } while (0)

static inline int finish(void) {
  printf("%d passed, %d failed\n", checked.passed, checked.failed);
  return checked.failed != 0;
}

static inline void stop(const char *what, cl_int code) {
  fprintf(stderr, "%s: OpenCL error %d\n", what, code);
  exit(1);
}

static inline void open_device(void) {
  cl_int e;
  if ((e = clGetPlatformIDs(1, &platform, NULL)))
    stop("clGetPlatformIDs", e);
  if ((e = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)))
    stop("clGetDeviceIDs", e);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  if (e)
    stop("clCreateContext", e);
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
  if (e)
    stop("clCreateCommandQueue", e);
}

static inline cl_program build(const char *source, const char *options) {
  cl_int e;
  cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  if (e)
    stop("clCreateProgramWithSource", e);
  if ((e = clBuildProgram(p, 1, &device, options, NULL, NULL))) {
    char log[4096] = "";
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fprintf(stderr, "%s\n", log);
    stop("clBuildProgram", e);
  }
  return p;
}

static inline cl_kernel kernel_of(cl_program p, const char *name) {
  cl_int e;
  cl_kernel k = clCreateKernel(p, name, &e);
  if (e)
    stop(name, e);
  return k;
}

static inline cl_mem buffer_of(cl_mem_flags flags, size_t n, void *host) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, flags, n, host, &e);
  if (e)
    stop("clCreateBuffer", e);
  return m;
}

static inline void run1(cl_kernel k, size_t global, size_t local) {
  cl_int e = clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL);
  if (e)
    stop("clEnqueueNDRangeKernel", e);
}

static inline void read_back(cl_mem m, size_t n, void *to) {
  cl_int e = clEnqueueReadBuffer(queue, m, CL_TRUE, 0, n, to, 0, NULL, NULL);
  if (e)
    stop("clEnqueueReadBuffer", e);
}

#endif
