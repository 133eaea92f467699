/* What the smaller programs share: first device, program, buffers. */
#ifndef APPS_HOST_H
#define APPS_HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline void must(cl_int e, const char *what) {
  if (e != CL_SUCCESS) {
    fprintf(stderr, "%s: error %d\n", what, e);
    exit(1);
  }
}

static inline void start(void) {
  cl_platform_id platforms[8];
  cl_uint n;
  cl_int e;
  must(clGetPlatformIDs(8, platforms, &n), "clGetPlatformIDs");
  must(clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  must(e, "clCreateContext");
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
  must(e, "clCreateCommandQueue");
}

static inline cl_program program_from(const char *source, const char *options) {
  cl_int e;
  cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  must(e, "clCreateProgramWithSource");
  if (clBuildProgram(p, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    size_t n;
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
    char *log = malloc(n);
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
    fprintf(stderr, "%s\n", log);
    exit(1);
  }
  return p;
}

static inline cl_kernel kernel(cl_program p, const char *name) {
  cl_int e;
  cl_kernel k = clCreateKernel(p, name, &e);
  must(e, name);
  return k;
}

static inline cl_mem buffer(size_t bytes, void *from) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0), bytes, from, &e);
  must(e, "clCreateBuffer");
  return m;
}

static inline void arg(cl_kernel k, cl_uint i, size_t bytes, const void *value) {
  must(clSetKernelArg(k, i, bytes, value), "clSetKernelArg");
}

static inline void launch(cl_kernel k, cl_uint dims, const size_t *global, const size_t *local) {
  must(clEnqueueNDRangeKernel(queue, k, dims, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

static inline void fetch(cl_mem m, size_t bytes, void *to) {
  must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

#endif
