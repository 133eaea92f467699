/* Elimination with two small kernels per row, hundreds of launches
gaussian FOLDER [N] */
#include "host.h"

static const char *source =
    "__kernel void fan1(__global float *m, __global float *a, const int size, const int t) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < size - 1 - t) m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];\n"
    "}\n"
    "__kernel void fan2(__global float *m, __global float *a, __global float *b, const int size, const int "
    "t) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < size - 1 - t && y < size - t) {\n"
    "    a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];\n"
    "    if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];\n"
    "  }\n"
    "}\n";

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 48;
  size_t all = (size_t)n * (size_t)n;
  float *a = malloc(all * 4), *b = malloc((size_t)n * 4), *x = malloc((size_t)n * 4);
  for (int i = 0; i < n; i++) {
    b[i] = 1.0f;
    for (int j = 0; j < n; j++)
      a[i * n + j] = 10.0f * expf(-0.01f * (float)abs(i - j));
  }
  start();
  cl_program p = program_from(source, "-w");
  cl_kernel fan1 = kernel(p, "fan1"), fan2 = kernel(p, "fan2");
  float *zeros = calloc(all, 4);
  cl_mem ma = buffer(all * 4, a), mb = buffer((size_t)n * 4, b), mm = buffer(all * 4, zeros);
  size_t l1 = 64, g1 = ((size_t)n + 63) / 64 * 64, l2[2] = {8, 8},
         g2[2] = {((size_t)n + 7) / 8 * 8, ((size_t)n + 7) / 8 * 8};
  double ns = 0;
  for (int t = 0; t < n - 1; t++) {
    cl_event e;
    cl_ulong s, f;
    arg(fan1, 0, sizeof mm, &mm), arg(fan1, 1, sizeof ma, &ma), arg(fan1, 2, 4, &n), arg(fan1, 3, 4, &t);
    must(clEnqueueNDRangeKernel(queue, fan1, 1, NULL, &g1, &l1, 0, NULL, &e), "fan1");
    arg(fan2, 0, sizeof mm, &mm), arg(fan2, 1, sizeof ma, &ma), arg(fan2, 2, sizeof mb, &mb);
    arg(fan2, 3, 4, &n), arg(fan2, 4, 4, &t);
    launch(fan2, 2, g2, l2);
    must(clFinish(queue), "clFinish");
    must(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof s, &s, NULL), "profiling");
    must(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof f, &f, NULL), "profiling");
    ns += (double)(f - s);
    clReleaseEvent(e);
  }
  fetch(ma, all * 4, a), fetch(mb, (size_t)n * 4, b);
  for (int i = n - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
  for (int i = 0; i < n; i += 9)
    printf("x[%d] %.4f\n", i, x[i]);
  puts(ns > 0 ? "took time" : "took NO time");
  free(zeros);
  return 0;
}
