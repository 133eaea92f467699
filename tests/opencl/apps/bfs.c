/* Breadth-first search over a random graph, level by level, in the manner of benchmark suites: two kernels, a
 * flag read back after each level, a check against a search on the host. bfs FOLDER [NODES] */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source =
    "typedef struct { int start, count; } node;\n"
    "__kernel void visit(const __global node *nodes, const __global int *edges, __global char *front,\n"
    "                    __global char *next, __global char *seen, __global int *cost, const int n) {\n"
    "  int t = get_global_id(0);\n"
    "  if (t < n && front[t]) {\n"
    "    front[t] = 0;\n"
    "    for (int i = nodes[t].start; i < nodes[t].start + nodes[t].count; i++)\n"
    "      if (!seen[edges[i]]) { cost[edges[i]] = cost[t] + 1; next[edges[i]] = 1; }\n"
    "  }\n"
    "}\n"
    "__kernel void advance(__global char *front, __global char *next, __global char *seen,\n"
    "                      __global char *more, const int n) {\n"
    "  int t = get_global_id(0);\n"
    "  if (t < n && next[t]) { front[t] = 1; seen[t] = 1; *more = 1; next[t] = 0; }\n"
    "}\n";

typedef struct {
  int start, count;
} node;

static void check(cl_int e, const char *what) {
  if (e != CL_SUCCESS) {
    printf("%s failed: %d\n", what, e);
    exit(1);
  }
}

static void search_on_host(const node *nodes, const int *edges, int n, int *cost) {
  int *queue = malloc((size_t)n * sizeof *queue), head = 0, tail = 0;
  for (int i = 0; i < n; i++)
    cost[i] = -1;
  cost[0] = 0;
  queue[tail++] = 0;
  while (head < tail) {
    int t = queue[head++];
    for (int i = nodes[t].start; i < nodes[t].start + nodes[t].count; i++)
      if (cost[edges[i]] < 0) {
        cost[edges[i]] = cost[t] + 1;
        queue[tail++] = edges[i];
      }
  }
  free(queue);
}

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 4096, nedges = 0;
  srand(7);
  node *nodes = malloc((size_t)n * sizeof *nodes);
  int *edges = malloc((size_t)n * 8 * sizeof *edges), *cost = malloc((size_t)n * sizeof *cost),
      *wanted = malloc((size_t)n * sizeof *wanted);
  for (int i = 0; i < n; i++) {
    nodes[i].start = nedges;
    nodes[i].count = 1 + rand() % 7;
    for (int k = 0; k < nodes[i].count; k++)
      edges[nedges++] = rand() % n;
    cost[i] = -1;
  }
  char *front = calloc(1, (size_t)n), *seen = calloc(1, (size_t)n);
  front[0] = seen[0] = 1;
  cost[0] = 0;

  cl_platform_id platform;
  cl_int e;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  cl_context context = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &e);
  check(e, "clCreateContextFromType");
  size_t bytes;
  check(clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes), "clGetContextInfo");
  cl_device_id *devices = malloc(bytes);
  check(clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL), "clGetContextInfo");
  cl_command_queue queue = clCreateCommandQueue(context, devices[0], 0, &e);
  check(e, "clCreateCommandQueue");
  size_t length = strlen(source);
  cl_program program = clCreateProgramWithSource(context, 1, &source, &length, &e);
  check(clBuildProgram(program, 0, NULL, "-I. -cl-fast-relaxed-math", NULL, NULL), "clBuildProgram");
  cl_kernel visit = clCreateKernel(program, "visit", &e), advance = clCreateKernel(program, "advance", &e);
  check(e, "clCreateKernel");

  size_t N = (size_t)n;
  cl_mem d_nodes = clCreateBuffer(context, CL_MEM_READ_ONLY, N * sizeof *nodes, NULL, &e),
         d_edges = clCreateBuffer(context, CL_MEM_READ_ONLY, (size_t)nedges * 4, NULL, &e),
         d_front = clCreateBuffer(context, CL_MEM_READ_WRITE, N, NULL, &e),
         d_next = clCreateBuffer(context, CL_MEM_READ_WRITE, N, NULL, &e),
         d_seen = clCreateBuffer(context, CL_MEM_READ_WRITE, N, NULL, &e),
         d_cost = clCreateBuffer(context, CL_MEM_READ_WRITE, N * 4, NULL, &e),
         d_more = clCreateBuffer(context, CL_MEM_READ_WRITE, 1, NULL, &e);
  check(e, "clCreateBuffer");
  char zero = 0, more = 1;
  check(clEnqueueWriteBuffer(queue, d_nodes, CL_TRUE, 0, N * sizeof *nodes, nodes, 0, NULL, NULL), "write");
  check(clEnqueueWriteBuffer(queue, d_edges, CL_TRUE, 0, (size_t)nedges * 4, edges, 0, NULL, NULL), "write");
  check(clEnqueueWriteBuffer(queue, d_front, CL_TRUE, 0, N, front, 0, NULL, NULL), "write");
  check(clEnqueueWriteBuffer(queue, d_seen, CL_TRUE, 0, N, seen, 0, NULL, NULL), "write");
  check(clEnqueueWriteBuffer(queue, d_cost, CL_TRUE, 0, N * 4, cost, 0, NULL, NULL), "write");
  check(clEnqueueFillBuffer(queue, d_next, &zero, 1, 0, N, 0, NULL, NULL), "fill");
  size_t local = 256, global = (N + local - 1) / local * local;
  int levels = 0;
  while (more) {
    more = 0;
    check(clEnqueueWriteBuffer(queue, d_more, CL_TRUE, 0, 1, &more, 0, NULL, NULL), "write");
    clSetKernelArg(visit, 0, sizeof(cl_mem), &d_nodes), clSetKernelArg(visit, 1, sizeof(cl_mem), &d_edges);
    clSetKernelArg(visit, 2, sizeof(cl_mem), &d_front), clSetKernelArg(visit, 3, sizeof(cl_mem), &d_next);
    clSetKernelArg(visit, 4, sizeof(cl_mem), &d_seen), clSetKernelArg(visit, 5, sizeof(cl_mem), &d_cost);
    clSetKernelArg(visit, 6, sizeof n, &n);
    check(clEnqueueNDRangeKernel(queue, visit, 1, NULL, &global, &local, 0, NULL, NULL), "visit");
    clSetKernelArg(advance, 0, sizeof(cl_mem), &d_front), clSetKernelArg(advance, 1, sizeof(cl_mem), &d_next);
    clSetKernelArg(advance, 2, sizeof(cl_mem), &d_seen), clSetKernelArg(advance, 3, sizeof(cl_mem), &d_more);
    clSetKernelArg(advance, 4, sizeof n, &n);
    check(clEnqueueNDRangeKernel(queue, advance, 1, NULL, &global, &local, 0, NULL, NULL), "advance");
    check(clEnqueueReadBuffer(queue, d_more, CL_TRUE, 0, 1, &more, 0, NULL, NULL), "read");
    levels++;
  }
  check(clEnqueueReadBuffer(queue, d_cost, CL_TRUE, 0, N * 4, cost, 0, NULL, NULL), "read");
  check(clFinish(queue), "clFinish");
  search_on_host(nodes, edges, n, wanted);
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += cost[i];
  printf("levels %d\nsum of costs %ld\nnext random %d\n", levels, sum, rand());
  puts(memcmp(cost, wanted, N * 4) ? "FAILED" : "PASSED");
  clReleaseMemObject(d_nodes), clReleaseMemObject(d_edges), clReleaseMemObject(d_front);
  clReleaseMemObject(d_next), clReleaseMemObject(d_seen), clReleaseMemObject(d_cost),
      clReleaseMemObject(d_more);
  clReleaseKernel(visit), clReleaseKernel(advance), clReleaseProgram(program);
  clReleaseCommandQueue(queue), clReleaseContext(context);
  return memcmp(cost, wanted, N * 4) != 0;
}
