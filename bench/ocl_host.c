/* Runs one of the kernels of bench/kernels.cl through OpenCL on the first device, with the inputs of the
 * launch file bench/ocl_NAME.yaml, and checks the result:
 *
 *   oclgrind --num-threads 1 build/ocl_host bench/kernels.cl matmul16|bfs_step|gather
 *
 * Prints the processor time and the elapsed time of the launches alone, in seconds. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MATMUL_N = 128, BFS_N = 65536, DEGREE = 8, GATHER_N = 16384, GATHER_TABLE = 4194304, GATHER_K = 32 };

struct ocl {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  double cpu, wall;
};

static void check(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "ocl_host: %s: OpenCL error %d\n", what, code);
  exit(1);
}

static void expect(int holds, const char *kernel) {
  if (holds)
    return;
  fprintf(stderr, "ocl_host: %s: wrong result\n", kernel);
  exit(1);
}

static void *allocate(size_t bytes) {
  void *p = calloc(1, bytes);
  if (p)
    return p;
  perror("ocl_host");
  exit(1);
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *read_text(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  char *text = allocate(1 << 20);
  if (!f) {
    perror(path);
    exit(1);
  }
  *n = fread(text, 1, 1 << 20, f);
  fclose(f);
  return text;
}

static void open_device(struct ocl *o, const char *path, const char *kernel) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int e;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  o->context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "clCreateContext");
  o->queue = clCreateCommandQueue(o->context, device, 0, &e);
  check(e, "clCreateCommandQueue");
  size_t n;
  char *text = read_text(path, &n);
  o->program = clCreateProgramWithSource(o->context, 1, (const char **)&text, &n, &e);
  check(e, "clCreateProgramWithSource");
  free(text);
  check(clBuildProgram(o->program, 1, &device, "", NULL, NULL), "clBuildProgram");
  o->kernel = clCreateKernel(o->program, kernel, &e);
  check(e, "clCreateKernel");
}

static void close_device(struct ocl *o) {
  clReleaseKernel(o->kernel);
  clReleaseProgram(o->program);
  clReleaseCommandQueue(o->queue);
  clReleaseContext(o->context);
}

/* A buffer with these contents, as argument number `arg`. */
static cl_mem bind(struct ocl *o, cl_uint arg, void *data, size_t bytes) {
  cl_int e;
  cl_mem m = clCreateBuffer(o->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &e);
  check(e, "clCreateBuffer");
  check(clSetKernelArg(o->kernel, arg, sizeof m, &m), "clSetKernelArg");
  return m;
}

static void bind_int(struct ocl *o, cl_uint arg, cl_int v) {
  check(clSetKernelArg(o->kernel, arg, sizeof v, &v), "clSetKernelArg");
}

static void launch(struct ocl *o, cl_uint dimensions, const size_t *global, const size_t *local) {
  const double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
  check(clEnqueueNDRangeKernel(o->queue, o->kernel, dimensions, NULL, global, local, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
  check(clFinish(o->queue), "clFinish");
  o->cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  o->wall += now(CLOCK_MONOTONIC) - wall;
}

static void fetch(struct ocl *o, cl_mem m, void *to, size_t bytes) {
  check(clEnqueueReadBuffer(o->queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

/* The fill `xorshift64` of launch files with its default seed. */
static void fill_random(int32_t *to, size_t n, uint32_t modulo) {
  uint64_t x = UINT64_C(0x9E3779B97F4A7C15);
  for (size_t i = 0; i < n; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    to[i] = (int32_t)((uint32_t)(x >> 32) % modulo);
  }
}

static void matmul16(struct ocl *o) {
  const size_t count = MATMUL_N * MATMUL_N, bytes = count * sizeof(float);
  const size_t global[2] = {MATMUL_N, MATMUL_N}, local[2] = {16, 16};
  float *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
  for (size_t i = 0; i < count; i++)
    a[i] = 1, b[i] = 2;
  cl_mem ma = bind(o, 0, a, bytes), mb = bind(o, 1, b, bytes), mc = bind(o, 2, c, bytes);
  bind_int(o, 3, MATMUL_N);
  launch(o, 2, global, local);
  fetch(o, mc, c, bytes);
  for (size_t i = 0; i < count; i++)
    expect(c[i] == 2.0f * MATMUL_N, "matmul16");
  clReleaseMemObject(ma), clReleaseMemObject(mb), clReleaseMemObject(mc);
  free(a), free(b), free(c);
}

/* Every level adds vertices until one changes nothing; every distance is one more than a neighbour's. */
static void bfs_step(struct ocl *o) {
  const size_t global = BFS_N, local = 256;
  int32_t *row = allocate((BFS_N + 1) * 4), *col = allocate(BFS_N * DEGREE * 4), *dist = allocate(BFS_N * 4);
  int32_t changed = 1, level = 0;
  for (int32_t i = 0; i <= BFS_N; i++)
    row[i] = i * DEGREE;
  fill_random(col, BFS_N * DEGREE, BFS_N);
  memset(dist, 0xff, BFS_N * 4);
  dist[0] = 0;
  cl_mem mr = bind(o, 0, row, (BFS_N + 1) * 4), mc = bind(o, 1, col, BFS_N * DEGREE * 4);
  cl_mem md = bind(o, 2, dist, BFS_N * 4), mx = bind(o, 5, &changed, 4);
  bind_int(o, 4, BFS_N);
  for (; changed; level++) {
    changed = 0;
    check(clEnqueueWriteBuffer(o->queue, mx, CL_TRUE, 0, 4, &changed, 0, NULL, NULL), "clEnqueueWriteBuffer");
    bind_int(o, 3, level);
    launch(o, 1, &global, &local);
    fetch(o, mx, &changed, 4);
  }
  fetch(o, md, dist, BFS_N * 4);
  for (int32_t v = 0; v < BFS_N; v++)
    for (int32_t e = 0; dist[v] >= 0 && e < DEGREE; e++) {
      const int32_t there = dist[col[v * DEGREE + e]];
      expect(there >= 0 && there <= dist[v] + 1, "bfs_step");
    }
  fprintf(stderr, "bfs_step: %d levels\n", level);
  clReleaseMemObject(mr), clReleaseMemObject(mc), clReleaseMemObject(md), clReleaseMemObject(mx);
  free(row), free(col), free(dist);
}

static void gather(struct ocl *o) {
  const size_t global = GATHER_N, local = 256, reads = (size_t)GATHER_N * GATHER_K;
  int32_t *idx = allocate(reads * 4);
  float *tab = allocate((size_t)GATHER_TABLE * 4), *out = allocate(GATHER_N * 4);
  fill_random(idx, reads, GATHER_TABLE);
  for (size_t i = 0; i < GATHER_TABLE; i++)
    tab[i] = 0.5f;
  cl_mem mi = bind(o, 0, idx, reads * 4), mt = bind(o, 1, tab, (size_t)GATHER_TABLE * 4);
  cl_mem mo = bind(o, 2, out, GATHER_N * 4);
  bind_int(o, 3, GATHER_N);
  bind_int(o, 4, GATHER_K);
  launch(o, 1, &global, &local);
  fetch(o, mo, out, GATHER_N * 4);
  for (size_t i = 0; i < GATHER_N; i++)
    expect(out[i] == 0.5f * GATHER_K, "gather");
  clReleaseMemObject(mi), clReleaseMemObject(mt), clReleaseMemObject(mo);
  free(idx), free(tab), free(out);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(struct ocl *);
  } kernels[] = {{"matmul16", matmul16}, {"bfs_step", bfs_step}, {"gather", gather}};
  for (size_t i = 0; argc == 3 && i < sizeof kernels / sizeof kernels[0]; i++)
    if (!strcmp(argv[2], kernels[i].name)) {
      struct ocl o = {0};
      open_device(&o, argv[1], kernels[i].name);
      kernels[i].run(&o);
      close_device(&o);
      printf("ocl_host %.6f %.6f\n", o.cpu, o.wall);
      return 0;
    }
  fprintf(stderr, "usage: ocl_host KERNELS.cl matmul16|bfs_step|gather\n");
  return 2;
}
