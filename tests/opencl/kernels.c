/* Kernels: every kind of argument, index spaces, and what they are asked about. */
#include "check.h"

static const char source[] =
    "typedef struct { char c; int i; float f; short s[3]; } mixed;\n"
    "__kernel void values(__global float *out, char c, short s, int i, long l, float f, float4 v, uchar2 u,\n"
    "                     float3 w, mixed m) {\n"
    "  out[0] = c; out[1] = s; out[2] = i; out[3] = l; out[4] = f;\n"
    "  out[5] = v.x; out[6] = v.w; out[7] = u.y; out[8] = w.z; out[9] = m.c; out[10] = m.i; out[11] = m.f;\n"
    "  out[12] = m.s[2];\n"
    "}\n"
    "__kernel void reverse_groups(__global int *a, __local int *one, int unused, __local int *two) {\n"
    "  size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);\n"
    "  one[l] = a[g]; two[l] = a[g] + 1;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  a[g] = one[n - 1 - l] + 1000 * two[n - 1 - l];\n"
    "}\n"
    "__kernel void where(__global uint *out) {\n"
    "  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "  size_t at = (x - get_global_offset(0)) + get_global_size(0) * ((y - get_global_offset(1)) +\n"
    "              get_global_size(1) * (z - get_global_offset(2)));\n"
    "  out[at] = x + 100 * y + 10000 * z + 1000000 * get_work_dim();\n"
    "}\n"
    "__kernel void groups(__global uint *out) {\n"
    "  out[get_global_id(0)] = get_group_id(0) + 100 * get_num_groups(0) + 10000 * get_local_size(0);\n"
    "}\n"
    "__kernel void coefficients(__global float *out, __constant float *c, __global const float *in) {\n"
    "  int i = get_global_id(0); out[i] = in ? in[i] * c[i % 4] : -1.0f;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void tile(__global int *out) {\n"
    "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_id(1) * 8 + "
    "get_local_id(0);\n"
    "}\n"
    "__kernel void count(__global int *n) { atomic_inc(n); }\n";

typedef struct {
  cl_char c;
  cl_int i;
  cl_float f;
  cl_short s[3];
} mixed;

static cl_program program;

static void arguments_of_every_kind_arrive(void) {
  cl_kernel k = kernel_of(program, "values");
  cl_mem m = buffer_of(CL_MEM_WRITE_ONLY, 13 * 4, NULL);
  cl_char c = -5;
  cl_short s = -300;
  cl_int i = 70000;
  cl_long l = -5000000;
  cl_float f = 1.5f;
  cl_float4 v = {{1, 2, 3, 4}};
  cl_uchar2 u = {{7, 250}};
  cl_float3 w = {{10, 20, 30}};
  mixed mix = {-1, 123456, 0.25f, {1, 2, -3}};
  SAME(clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
  SAME(clSetKernelArg(k, 1, sizeof c, &c), CL_SUCCESS);
  SAME(clSetKernelArg(k, 2, sizeof s, &s), CL_SUCCESS);
  SAME(clSetKernelArg(k, 3, sizeof i, &i), CL_SUCCESS);
  SAME(clSetKernelArg(k, 4, sizeof l, &l), CL_SUCCESS);
  SAME(clSetKernelArg(k, 5, sizeof f, &f), CL_SUCCESS);
  SAME(clSetKernelArg(k, 6, sizeof v, &v), CL_SUCCESS);
  SAME(clSetKernelArg(k, 7, sizeof u, &u), CL_SUCCESS);
  SAME(clSetKernelArg(k, 8, sizeof w, &w), CL_SUCCESS);
  SAME(clSetKernelArg(k, 9, sizeof mix, &mix), CL_SUCCESS);
  SAME(clEnqueueTask(queue, k, 0, NULL, NULL), CL_SUCCESS);
  float out[13];
  static const float wanted[13] = {-5, -300, 70000, -5000000, 1.5f, 1, 4, 250, 30, -1, 123456, 0.25f, -3};
  read_back(m, sizeof out, out);
  for (int n = 0; n < 13; n++)
    SAME(out[n] * 4, wanted[n] * 4);
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void local_arguments_have_their_own_memory(void) {
  enum { N = 256, L = 64 };
  int a[N], wrong = 0, unused = 1;
  for (int i = 0; i < N; i++)
    a[i] = i;
  cl_kernel k = kernel_of(program, "reverse_groups");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof a, a);
  clSetKernelArg(k, 0, sizeof m, &m);
  SAME(clSetKernelArg(k, 1, L * 4, NULL), CL_SUCCESS);
  clSetKernelArg(k, 2, 4, &unused);
  SAME(clSetKernelArg(k, 3, L * 4, NULL), CL_SUCCESS);
  run1(k, N, L);
  read_back(m, sizeof a, a);
  for (int i = 0; i < N; i++) {
    int mirror = i / L * L + L - 1 - i % L;
    wrong += a[i] != mirror + 1000 * (mirror + 1);
  }
  SAME(wrong, 0);
  SAME(clSetKernelArg(k, 1, 0, NULL), CL_INVALID_ARG_SIZE);
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void offsets_shift_the_index_space(void) {
  size_t offset[3] = {3, 5, 2}, global[3] = {8, 4, 2}, local[3] = {4, 2, 1};
  cl_uint out[64];
  cl_kernel k = kernel_of(program, "where");
  cl_mem m = buffer_of(CL_MEM_WRITE_ONLY, sizeof out, NULL);
  clSetKernelArg(k, 0, sizeof m, &m);
  for (cl_uint dims = 1; dims <= 3; dims++) {
    SAME(clEnqueueNDRangeKernel(queue, k, dims, offset, global, local, 0, NULL, NULL), CL_SUCCESS);
    read_back(m, sizeof out, out);
    unsigned y = dims > 1 ? 5 : 0, z = dims > 2 ? 2 : 0;
    SAME(out[0], 3 + 100 * y + 10000 * z + 1000000 * dims);
    SAME(out[7], 10 + 100 * y + 10000 * z + 1000000 * dims);
    if (dims == 3)
      SAME(out[63], 10 + 100 * 8 + 10000 * 3 + 3000000);
  }
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void any_global_size_runs_without_a_local_size(void) {
  static const size_t sizes[] = {1, 7, 64, 100, 255, 1000, 1021};
  cl_kernel k = kernel_of(program, "count");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = 0;
    cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof n, &n);
    clSetKernelArg(k, 0, sizeof m, &m);
    run1(k, sizes[i], 0);
    read_back(m, sizeof n, &n);
    SAME(n, sizes[i]);
    size_t plane[3] = {sizes[i], 3, 2};
    SAME(clEnqueueNDRangeKernel(queue, k, 3, NULL, plane, NULL, 0, NULL, NULL), CL_SUCCESS);
    read_back(m, sizeof n, &n);
    SAME(n, 7 * sizes[i]);
    clReleaseMemObject(m);
  }
  clReleaseKernel(k);
}

static void groups_are_numbered(void) {
  cl_uint out[96];
  cl_kernel k = kernel_of(program, "groups");
  cl_mem m = buffer_of(CL_MEM_WRITE_ONLY, sizeof out, NULL);
  clSetKernelArg(k, 0, sizeof m, &m);
  run1(k, 96, 32);
  read_back(m, sizeof out, out);
  SAME(out[0], 320300);
  SAME(out[33], 320301);
  SAME(out[95], 320302);
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void constant_and_null_buffers_are_arguments(void) {
  float c[4] = {1, 2, 3, 4}, in[16], out[16];
  for (int i = 0; i < 16; i++)
    in[i] = (float)i;
  cl_kernel k = kernel_of(program, "coefficients");
  cl_mem mc = buffer_of(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof c, c),
         mi = buffer_of(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in),
         mo = buffer_of(CL_MEM_WRITE_ONLY, sizeof out, NULL);
  clSetKernelArg(k, 0, sizeof mo, &mo);
  clSetKernelArg(k, 1, sizeof mc, &mc);
  clSetKernelArg(k, 2, sizeof mi, &mi);
  run1(k, 16, 16);
  read_back(mo, sizeof out, out);
  SAME(out[7], 28);
  SAME(clSetKernelArg(k, 2, sizeof mi, NULL), CL_SUCCESS);
  run1(k, 16, 16);
  read_back(mo, sizeof out, out);
  SAME(out[7], -1);
  clReleaseMemObject(mc), clReleaseMemObject(mi), clReleaseMemObject(mo), clReleaseKernel(k);
}

static void wrong_arguments_are_refused(void) {
  cl_kernel k = kernel_of(program, "reverse_groups");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 1024, NULL);
  int x = 0;
  SAME(clSetKernelArg(k, 4, 4, &x), CL_INVALID_ARG_INDEX);
  SAME(clSetKernelArg(k, 2, 2, &x), CL_INVALID_ARG_SIZE);
  SAME(clSetKernelArg(k, 0, 4, &m), CL_INVALID_ARG_SIZE);
  SAME(clSetKernelArg(k, 2, 4, NULL), CL_INVALID_ARG_VALUE);
  SAME(clSetKernelArg(k, 1, 64, &x), CL_INVALID_ARG_VALUE);
  size_t one = 1;
  SAME(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void wrong_index_spaces_are_refused(void) {
  int n = 0;
  cl_kernel k = kernel_of(program, "count");
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4, &n);
  clSetKernelArg(k, 0, sizeof m, &m);
  size_t g[3] = {64, 1, 1}, l[3] = {64, 1, 1}, huge[3] = {1 << 20, 1, 1};
  SAME(clEnqueueNDRangeKernel(queue, k, 0, NULL, g, l, 0, NULL, NULL), CL_INVALID_WORK_DIMENSION);
  SAME(clEnqueueNDRangeKernel(queue, k, 4, NULL, g, l, 0, NULL, NULL), CL_INVALID_WORK_DIMENSION);
  cl_int e = clEnqueueNDRangeKernel(queue, k, 1, NULL, huge, huge, 0, NULL, NULL);
  CHECK(e == CL_INVALID_WORK_GROUP_SIZE || e == CL_INVALID_WORK_ITEM_SIZE);
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void a_required_work_group_size_is_kept(void) {
  int out[256];
  cl_kernel k = kernel_of(program, "tile");
  cl_mem m = buffer_of(CL_MEM_WRITE_ONLY, sizeof out, NULL);
  clSetKernelArg(k, 0, sizeof m, &m);
  size_t g[2] = {16, 16}, good[2] = {8, 4}, bad[2] = {4, 8}, size[3];
  SAME(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size, NULL),
       CL_SUCCESS);
  CHECK(size[0] == 8 && size[1] == 4 && size[2] == 1);
  SAME(clEnqueueNDRangeKernel(queue, k, 2, NULL, g, bad, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
  SAME(clEnqueueNDRangeKernel(queue, k, 2, NULL, g, NULL, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
  SAME(clEnqueueNDRangeKernel(queue, k, 2, NULL, g, good, 0, NULL, NULL), CL_SUCCESS);
  read_back(m, sizeof out, out);
  SAME(out[5 * 16 + 9], 9);
  clReleaseMemObject(m), clReleaseKernel(k);
}

static void a_kernel_tells_its_name_arguments_and_limits(void) {
  cl_kernel k = kernel_of(program, "reverse_groups");
  char name[64];
  size_t n, group, multiple;
  cl_uint args;
  cl_ulong local;
  cl_program p;
  SAME(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, &n), CL_SUCCESS);
  CHECK(n == 15 && strcmp(name, "reverse_groups") == 0);
  SAME(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL), CL_SUCCESS);
  SAME(args, 4);
  SAME(clGetKernelInfo(k, CL_KERNEL_PROGRAM, sizeof p, &p, NULL), CL_SUCCESS);
  CHECK(p == program);
  SAME(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL),
       CL_SUCCESS);
  CHECK(group >= 64);
  SAME(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                &multiple, NULL),
       CL_SUCCESS);
  CHECK(multiple >= 1);
  SAME(clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL), CL_SUCCESS);
  SAME(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, 1, &args, NULL), CL_INVALID_VALUE);
  clReleaseKernel(k);
}

static void arguments_are_described(void) {
  cl_program p = build(source, "-cl-kernel-arg-info");
  cl_kernel k = kernel_of(p, "coefficients");
  cl_kernel_arg_address_qualifier where[3];
  cl_kernel_arg_type_qualifier how;
  char text[64];
  for (cl_uint i = 0; i < 3; i++)
    SAME(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof where[i], &where[i], NULL),
         CL_SUCCESS);
  SAME(where[0], CL_KERNEL_ARG_ADDRESS_GLOBAL);
  SAME(where[1], CL_KERNEL_ARG_ADDRESS_CONSTANT);
  SAME(clGetKernelArgInfo(k, 2, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof how, &how, NULL), CL_SUCCESS);
  CHECK(how & CL_KERNEL_ARG_TYPE_CONST);
  SAME(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL), CL_SUCCESS);
  CHECK(strcmp(text, "out") == 0);
  SAME(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL), CL_SUCCESS);
  CHECK(strcmp(text, "float*") == 0);
  SAME(clGetKernelArgInfo(k, 3, CL_KERNEL_ARG_NAME, sizeof text, text, NULL), CL_INVALID_ARG_INDEX);
  clReleaseKernel(k), clReleaseProgram(p);
}

static void kernels_print(void) {
  cl_program p =
      build("__kernel void say(int x) { if (get_global_id(0) == 2) printf(\"item %d says %.2f, %s\\n\", "
            "(int)get_global_id(0), x * 0.5f, \"hello\"); }",
            "");
  cl_kernel k = kernel_of(p, "say");
  int x = 5;
  clSetKernelArg(k, 0, sizeof x, &x);
  run1(k, 4, 4);
  SAME(clFinish(queue), CL_SUCCESS);
  clReleaseKernel(k), clReleaseProgram(p);
}

int main(void) {
  open_device();
  program = build(source, "");
  RULE(arguments_of_every_kind_arrive);
  RULE(local_arguments_have_their_own_memory);
  RULE(offsets_shift_the_index_space);
  RULE(any_global_size_runs_without_a_local_size);
  RULE(groups_are_numbered);
  RULE(constant_and_null_buffers_are_arguments);
  RULE(wrong_arguments_are_refused);
  RULE(wrong_index_spaces_are_refused);
  RULE(a_required_work_group_size_is_kept);
  RULE(a_kernel_tells_its_name_arguments_and_limits);
  RULE(arguments_are_described);
  RULE(kernels_print);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return finish();
}
