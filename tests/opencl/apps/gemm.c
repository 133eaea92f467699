/* Matrix products as a linear-algebra suite has them: kernels in a file, two dimensions, sizes that do not
 * divide evenly, barriers between launches, a task in double precision. gemm FOLDER [N] */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LWS_X 32
#define LWS_Y 8

static cl_platform_id platform_id;
static cl_device_id device_id;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_int errcode;

static void require(const char *what) {
  if (errcode != CL_SUCCESS) {
    printf("Error in %s: %d\n", what, errcode);
    exit(1);
  }
}

static void initialise(const char *path) {
  char name[1024];
  cl_uint count;
  errcode = clGetPlatformIDs(1, &platform_id, &count);
  require("clGetPlatformIDs");
  errcode = clGetPlatformInfo(platform_id, CL_PLATFORM_NAME, sizeof name, name, NULL);
  require("clGetPlatformInfo");
  errcode = clGetDeviceIDs(platform_id, CL_DEVICE_TYPE_GPU, 1, &device_id, &count);
  if (errcode != CL_SUCCESS)
    errcode = clGetDeviceIDs(platform_id, CL_DEVICE_TYPE_CPU, 1, &device_id, &count);
  require("clGetDeviceIDs");
  errcode = clGetDeviceInfo(device_id, CL_DEVICE_NAME, sizeof name, name, NULL);
  require("clGetDeviceInfo");
  context = clCreateContext(NULL, 1, &device_id, NULL, NULL, &errcode);
  require("clCreateContext");
  queue = clCreateCommandQueue(context, device_id, 0, &errcode);
  require("clCreateCommandQueue");
  FILE *f = fopen(path, "r");
  if (!f) {
    perror(path);
    exit(1);
  }
  char *text = calloc(1, 65536);
  size_t n = fread(text, 1, 65535, f);
  fclose(f);
  program = clCreateProgramWithSource(context, 1, (const char **)&text, &n, &errcode);
  require("clCreateProgramWithSource");
  errcode = clBuildProgram(program, 1, &device_id, NULL, NULL, NULL);
  require("clBuildProgram");
  free(text);
}

static cl_mem matrix(float *host, size_t n) {
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof *host, NULL, &errcode);
  require("clCreateBuffer");
  errcode = clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, n * sizeof *host, host, 0, NULL, NULL);
  require("clEnqueueWriteBuffer");
  return m;
}

static float distance(float a, float b) {
  return fabsf(a - b) / (fabsf(b) + 1e-3f) * 100;
}

int main(int argc, char **argv) {
  char path[4096];
  snprintf(path, sizeof path, "%s/gemm.cl", argc > 1 ? argv[1] : ".");
  int n = argc > 2 ? atoi(argv[2]) : 100, differ = 0;
  size_t all = (size_t)n * (size_t)n;
  float *a = malloc(all * 4), *b = malloc(all * 4), *c = malloc(all * 4), *gpu = malloc(all * 4),
        alpha = 1.5f, beta = 0.5f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = (float)i * (float)j / (float)n;
      b[i * n + j] = ((float)i * (float)j + 1) / (float)n;
      c[i * n + j] = ((float)i * (float)j + 2) / (float)n;
    }
  initialise(path);
  cl_mem da = matrix(a, all), db = matrix(b, all), dc = matrix(c, all), dy = matrix(c, (size_t)n);
  cl_mem dnorm = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(double), NULL, &errcode);
  cl_kernel mm = clCreateKernel(program, "mm", &errcode);
  require("clCreateKernel");
  cl_kernel mv = clCreateKernel(program, "mv", &errcode), norm = clCreateKernel(program, "norm", &errcode);
  require("clCreateKernel");
  size_t local[2] = {LWS_X, LWS_Y},
         global[2] = {((size_t)n + LWS_X - 1) / LWS_X * LWS_X, ((size_t)n + LWS_Y - 1) / LWS_Y * LWS_Y};
  errcode = clSetKernelArg(mm, 0, sizeof da, &da) | clSetKernelArg(mm, 1, sizeof db, &db) |
            clSetKernelArg(mm, 2, sizeof dc, &dc) | clSetKernelArg(mm, 3, sizeof alpha, &alpha) |
            clSetKernelArg(mm, 4, sizeof beta, &beta) | clSetKernelArg(mm, 5, sizeof n, &n) |
            clSetKernelArg(mm, 6, sizeof n, &n) | clSetKernelArg(mm, 7, sizeof n, &n);
  require("clSetKernelArg");
  errcode = clEnqueueNDRangeKernel(queue, mm, 2, NULL, global, local, 0, NULL, NULL);
  require("clEnqueueNDRangeKernel");
  clEnqueueBarrier(queue);
  errcode = clSetKernelArg(mv, 0, sizeof dc, &dc) | clSetKernelArg(mv, 1, sizeof db, &db) |
            clSetKernelArg(mv, 2, sizeof dy, &dy) | clSetKernelArg(mv, 3, sizeof n, &n);
  require("clSetKernelArg");
  size_t line = ((size_t)n + 255) / 256 * 256;
  errcode = clEnqueueNDRangeKernel(queue, mv, 1, NULL, &line, NULL, 0, NULL, NULL);
  require("clEnqueueNDRangeKernel");
  errcode = clSetKernelArg(norm, 0, sizeof dy, &dy) | clSetKernelArg(norm, 1, sizeof dnorm, &dnorm) |
            clSetKernelArg(norm, 2, sizeof n, &n);
  errcode |= clEnqueueTask(queue, norm, 0, NULL, NULL);
  require("clEnqueueTask");
  double length;
  errcode = clEnqueueReadBuffer(queue, dc, CL_TRUE, 0, all * 4, gpu, 0, NULL, NULL) |
            clEnqueueReadBuffer(queue, dnorm, CL_TRUE, 0, sizeof length, &length, 0, NULL, NULL);
  require("clEnqueueReadBuffer");
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float x = c[i * n + j] * beta;
      for (int k = 0; k < n; k++)
        x += alpha * a[i * n + k] * b[k * n + j];
      differ += distance(gpu[i * n + j], x) > 0.05f;
    }
  printf("corner %.6g centre %.6g norm %.6g\n", gpu[all - 1], gpu[all / 2 + (size_t)n / 2], length);
  printf("Non-Matching CPU-GPU Outputs Beyond Error Threshold of 0.05 Percent: %d\n", differ);
  clFlush(queue), clFinish(queue);
  clReleaseKernel(mm), clReleaseKernel(mv), clReleaseKernel(norm), clReleaseProgram(program);
  clReleaseMemObject(da), clReleaseMemObject(db), clReleaseMemObject(dc), clReleaseMemObject(dy);
  clReleaseMemObject(dnorm), clReleaseCommandQueue(queue), clReleaseContext(context);
  return differ != 0;
}
