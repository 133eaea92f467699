/* Bitonic sort and a histogram with local atomics; the program keeps its binary and loads it again, polls
 * events, retains what it hands around, uses the program's own memory for a buffer. sort FOLDER [LOG2] */
#include "host.h"

static const char *source =
    "__kernel void bitonic(__global uint *a, const uint stage, const uint pass, const uint up) {\n"
    "  uint i = get_global_id(0), gap = 1u << (stage - pass), left = (i % gap) + (i / gap) * 2 * gap;\n"
    "  uint right = left + gap, x = a[left], y = a[right], order = up;\n"
    "  if ((i / (1u << stage)) % 2 == 1) order = 1 - order;\n"
    "  a[left] = order ? min(x, y) : max(x, y); a[right] = order ? max(x, y) : min(x, y);\n"
    "}\n"
    "#define BINS 64\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void histogram(__global const uint *a, __global uint *bins, uint n) {\n"
    "  __local uint mine[BINS];\n"
    "  mine[get_local_id(0)] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[a[i] % BINS]);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  atomic_add(&bins[get_local_id(0)], mine[get_local_id(0)]);\n"
    "}\n";

static cl_program through_binary(cl_program p) {
  cl_uint n;
  size_t size;
  cl_int e, status;
  must(clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL), "clGetProgramInfo");
  must(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "clGetProgramInfo");
  unsigned char *bytes = malloc(size);
  must(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL), "clGetProgramInfo");
  cl_program q =
      clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bytes, &status, &e);
  must(e, "clCreateProgramWithBinary");
  must(clBuildProgram(q, 1, &device, "", NULL, NULL), "clBuildProgram");
  free(bytes);
  return q;
}

int main(int argc, char **argv) {
  cl_uint log = argc > 2 ? (cl_uint)atoi(argv[2]) : 11, n = 1u << log, up = 1, bins[64] = {0};
  cl_uint *a = aligned_alloc(4096, n * 4 < 4096 ? 4096 : n * 4);
  srand(5);
  for (cl_uint i = 0; i < n; i++)
    a[i] = (cl_uint)rand();
  start();
  cl_int e;
  cl_program p = program_from(source, ""), q = through_binary(p);
  clReleaseProgram(p);
  cl_kernel sort = kernel(q, "bitonic"), count = kernel(q, "histogram");
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n * 4, a, &e),
         mb = buffer(sizeof bins, bins);
  must(e, "clCreateBuffer");
  clRetainMemObject(m), clRetainKernel(sort), clRetainCommandQueue(queue), clRetainContext(context);
  size_t half = n / 2, local = 64;
  arg(sort, 0, sizeof m, &m), arg(sort, 3, sizeof up, &up);
  for (cl_uint stage = 0; stage < log; stage++)
    for (cl_uint pass = 0; pass <= stage; pass++) {
      cl_event ev;
      cl_int status = CL_QUEUED;
      arg(sort, 1, sizeof stage, &stage), arg(sort, 2, sizeof pass, &pass);
      must(clEnqueueNDRangeKernel(queue, sort, 1, NULL, &half, &local, 0, NULL, &ev), "bitonic");
      must(clFlush(queue), "clFlush");
      while (status != CL_COMPLETE)
        must(clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
             "clGetEventInfo");
      must(clReleaseEvent(ev), "clReleaseEvent");
    }
  arg(count, 0, sizeof m, &m), arg(count, 1, sizeof mb, &mb), arg(count, 2, sizeof n, &n);
  size_t few = 256;
  launch(count, 1, &few, &local);
  cl_uint *sorted = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, n * 4, 0, NULL, NULL, &e),
          wrong = 0, all = 0;
  must(e, "clEnqueueMapBuffer");
  for (cl_uint i = 1; i < n; i++)
    wrong += sorted[i - 1] > sorted[i];
  printf("smallest %u, largest %u, out of order %u\n", sorted[0], sorted[n - 1], wrong);
  must(clEnqueueUnmapMemObject(queue, m, sorted, 0, NULL, NULL), "unmap");
  fetch(mb, sizeof bins, bins);
  for (int i = 0; i < 64; i++)
    all += bins[i];
  printf("bins %u %u %u, all %u\n%s\n", bins[0], bins[1], bins[63], all,
         wrong || all != n ? "Failed" : "Passed!");
  clReleaseMemObject(m), clReleaseMemObject(m), clReleaseKernel(sort), clReleaseKernel(sort);
  clReleaseCommandQueue(queue), clReleaseContext(context);
  return wrong || all != n;
}
