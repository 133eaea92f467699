/* Sum and exclusive scan with local memory and profiling, as a micro-benchmark suite does it: several passes,
 * bandwidth from event times, work-group size from the kernel. reduction FOLDER [N] */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "__kernel void reduce(__global const float *in, __global float *out, __local float *part, const uint n) "
    "{\n"
    "  const uint t = get_local_id(0), size = get_local_size(0), step = size * 2 * get_num_groups(0);\n"
    "  uint i = get_group_id(0) * size * 2 + t;\n"
    "  part[t] = 0;\n"
    "  for (; i < n; i += step) part[t] += in[i] + (i + size < n ? in[i + size] : 0);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint s = size / 2; s > 0; s >>= 1) {\n"
    "    if (t < s) part[t] += part[t + s];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (t == 0) out[get_group_id(0)] = part[0];\n"
    "}\n"
    "__kernel void scan(__global const uint *in, __global uint *out, __global uint *sums, __local uint *a) "
    "{\n"
    "  const uint t = get_local_id(0), n = get_local_size(0), g = get_global_id(0);\n"
    "  uint value = in[g];\n"
    "  a[t] = value;\n"
    "  for (uint d = 1; d < n; d <<= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint x = t >= d ? a[t - d] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[t] += x;\n"
    "  }\n"
    "  out[g] = a[t] - value;\n"
    "  if (t == n - 1) sums[get_group_id(0)] = a[t];\n"
    "}\n"
    "__kernel void offset(__global uint *out, __global const uint *sums) {\n"
    "  out[get_global_id(0)] += sums[get_group_id(0)];\n"
    "}\n";

#define CL_CHECK(call)                                                                                       \
  do {                                                                                                       \
    cl_int code = (call);                                                                                    \
    if (code != CL_SUCCESS) {                                                                                \
      fprintf(stderr, "%s:%d: %d\n", __FILE__, __LINE__, code);                                              \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static double seconds(cl_event e) {
  cl_ulong start, end;
  CL_CHECK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
  CL_CHECK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  return (double)(end - start) * 1e-9;
}

int main(int argc, char **argv) {
  cl_uint n = argc > 2 ? (cl_uint)atoi(argv[2]) : 65536;
  cl_platform_id platform;
  cl_device_id device;
  cl_int e;
  CL_CHECK(clGetPlatformIDs(1, &platform, NULL));
  CL_CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(0, 1, &device, NULL, NULL, &e);
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  CL_CHECK(clBuildProgram(program, 1, &device, "-cl-mad-enable", NULL, NULL));
  cl_kernel reduce = clCreateKernel(program, "reduce", &e), scan = clCreateKernel(program, "scan", &e),
            offset = clCreateKernel(program, "offset", &e);
  CL_CHECK(e);
  size_t local = 256, most, groups = 16;
  CL_CHECK(clGetKernelWorkGroupInfo(reduce, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
  if (most < local)
    return 1;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, n * 4, NULL, &e),
         out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, groups * 4, NULL, &e);
  float *host =
      clEnqueueMapBuffer(queue, in, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, n * 4, 0, NULL, NULL, &e);
  CL_CHECK(e);
  double wanted = 0;
  for (cl_uint i = 0; i < n; i++)
    wanted += host[i] = (float)(i % 17) * 0.25f;
  cl_event unmapped, ran;
  CL_CHECK(clEnqueueUnmapMemObject(queue, in, host, 0, NULL, &unmapped));
  CL_CHECK(clSetKernelArg(reduce, 0, sizeof in, &in));
  CL_CHECK(clSetKernelArg(reduce, 1, sizeof out, &out));
  CL_CHECK(clSetKernelArg(reduce, 2, local * sizeof(float), NULL));
  CL_CHECK(clSetKernelArg(reduce, 3, sizeof n, &n));
  size_t global = groups * local;
  CL_CHECK(clEnqueueNDRangeKernel(queue, reduce, 1, NULL, &global, &local, 1, &unmapped, &ran));
  CL_CHECK(clWaitForEvents(1, &ran));
  float parts[16], sum = 0;
  CL_CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof parts, parts, 1, &ran, NULL));
  for (int i = 0; i < 16; i++)
    sum += parts[i];
  double time = seconds(ran);
  printf("sum %.6g\n%s\n", sum, (double)sum == wanted ? "sum ok" : "sum WRONG");
  fprintf(stderr, "%.3f GB/s\n", n * 4 / time / 1e9);

  size_t scan_n = 8192;
  cl_uint *a = malloc(scan_n * 4), *b = malloc(scan_n * 4), total = 0, sums[32];
  for (size_t i = 0; i < scan_n; i++)
    a[i] = (cl_uint)(i * 2654435761u >> 24);
  cl_mem sin = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, scan_n * 4, a, &e),
         sout = clCreateBuffer(context, CL_MEM_READ_WRITE, scan_n * 4, NULL, &e),
         ssum = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof sums, NULL, &e);
  CL_CHECK(clSetKernelArg(scan, 0, sizeof sin, &sin));
  CL_CHECK(clSetKernelArg(scan, 1, sizeof sout, &sout));
  CL_CHECK(clSetKernelArg(scan, 2, sizeof ssum, &ssum));
  CL_CHECK(clSetKernelArg(scan, 3, local * 4, NULL));
  CL_CHECK(clEnqueueNDRangeKernel(queue, scan, 1, NULL, &scan_n, &local, 0, NULL, NULL));
  CL_CHECK(clEnqueueReadBuffer(queue, ssum, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
  for (int i = 0; i < 32; i++) {
    cl_uint x = sums[i];
    sums[i] = total;
    total += x;
  }
  CL_CHECK(clEnqueueWriteBuffer(queue, ssum, CL_FALSE, 0, sizeof sums, sums, 0, NULL, NULL));
  CL_CHECK(clSetKernelArg(offset, 0, sizeof sout, &sout));
  CL_CHECK(clSetKernelArg(offset, 1, sizeof ssum, &ssum));
  CL_CHECK(clEnqueueNDRangeKernel(queue, offset, 1, NULL, &scan_n, &local, 0, NULL, NULL));
  CL_CHECK(clEnqueueReadBuffer(queue, sout, CL_TRUE, 0, scan_n * 4, b, 0, NULL, NULL));
  cl_uint at = 0, wrong = 0;
  for (size_t i = 0; i < scan_n; at += a[i++])
    wrong += b[i] != at;
  printf("scan total %u, wrong %u\n", total, wrong);
  clReleaseEvent(unmapped), clReleaseEvent(ran);
  return wrong || (double)sum != wanted; /* everything else is left to the end of the process */
}
