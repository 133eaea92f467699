/* y = a x + y by way of OpenCL, from the PTX in a file: what tests/cuda/same.c and a launch file run. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                                                             \
  do {                                                                                                       \
    cl_int e_ = (call);                                                                                      \
    if (e_) {                                                                                                \
      fprintf(stderr, "%s:%d: %s is %d\n", __FILE__, __LINE__, #call, e_);                                   \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
enum { N = 5000 };

int main(int argc, char **argv) {
  static unsigned char text[1 << 16];
  static float host[N];
  FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
  size_t n = f ? fread(text, 1, sizeof text, f) : 0, global = (N + 127) / 128 * 128, local = 128;
  if (f)
    fclose(f);
  const unsigned char *binary = text;
  cl_uint count = N;
  cl_int e, status;
  cl_platform_id platform;
  cl_device_id device;
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  OK(e);
  cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
  OK(e);
  for (int i = 0; i < N; i++)
    host[i] = 1;
  cl_mem x = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof host, NULL, &e);
  OK(e);
  cl_mem y = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof host, NULL, &e);
  OK(e);
  OK(clEnqueueWriteBuffer(q, x, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(q, y, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL));
  cl_program p = clCreateProgramWithBinary(c, 1, &device, &n, &binary, &status, &e);
  OK(e);
  OK(clBuildProgram(p, 1, &device, "", NULL, NULL));
  cl_kernel k = clCreateKernel(p, "saxpy", &e);
  OK(e);
  OK(clSetKernelArg(k, 0, sizeof x, &x));
  OK(clSetKernelArg(k, 1, sizeof y, &y));
  OK(clSetKernelArg(k, 2, sizeof count, &count));
  OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(q, y, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL));
  clReleaseKernel(k), clReleaseProgram(p), clReleaseMemObject(x), clReleaseMemObject(y);
  clReleaseCommandQueue(q), clReleaseContext(c);
  return host[N - 1] == 3 ? 0 : 1;
}
