/* What OpenCL 2.0 to 3.0 added: versions and features, shared memory, sub-groups, atomics of C11, generic pointers. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"

enum { N = 256 };

/* Runs `source` (kernel k of one buffer of N ints) as OpenCL C 3.0 and leaves the buffer in `data`. */
static void run3(const char *source, int *data, size_t global, size_t local) {
  cl_program p = build(source, "-cl-std=CL3.0");
  cl_kernel k = kernel_of(p, "k");
  cl_mem m = buffer_of(CL_MEM_COPY_HOST_PTR, N * sizeof *data, data);
  clSetKernelArg(k, 0, sizeof m, &m);
  run1(k, global, local);
  read_back(m, N * sizeof *data, data);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

static bool has_feature(const char *name) {
  cl_name_version list[64];
  size_t n = 0;
  SAME(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &n), CL_SUCCESS);
  for (size_t i = 0; i < n / sizeof *list; i++)
    if (strcmp(list[i].name, name) == 0)
      return true;
  return false;
}

static void versions_are_listed(void) {
  cl_name_version list[16];
  cl_version v = 0;
  size_t n = 0;
  SAME(clGetDeviceInfo(device, CL_DEVICE_NUMERIC_VERSION, sizeof v, &v, NULL), CL_SUCCESS);
  SAME(CL_VERSION_MAJOR(v), 3);
  SAME(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &n), CL_SUCCESS);
  bool one = false, three = false;
  for (size_t i = 0; i < n / sizeof *list; i++) {
    one |= list[i].version == CL_MAKE_VERSION(1, 2, 0);
    three |= list[i].version == CL_MAKE_VERSION(3, 0, 0);
  }
  CHECK(one && three);
}

/* The header of the language says what the device says. */
static void features_are_those_that_programs_see(void) {
  static const char *const names[] = {"__opencl_c_3d_image_writes",
                                      "__opencl_c_atomic_order_acq_rel",
                                      "__opencl_c_atomic_order_seq_cst",
                                      "__opencl_c_atomic_scope_device",
                                      "__opencl_c_atomic_scope_all_devices",
                                      "__opencl_c_device_enqueue",
                                      "__opencl_c_fp64",
                                      "__opencl_c_generic_address_space",
                                      "__opencl_c_images",
                                      "__opencl_c_int64",
                                      "__opencl_c_pipes",
                                      "__opencl_c_program_scope_global_variables",
                                      "__opencl_c_read_write_images",
                                      "__opencl_c_subgroups",
                                      "__opencl_c_work_group_collective_functions"};
  enum { COUNT = sizeof names / sizeof *names };
  char source[8192] = "kernel void k(global int *a) {\n";
  int data[N] = {0};
  for (size_t i = 0; i < COUNT; i++) {
    size_t n = strlen(source);
    snprintf(source + n, sizeof source - n, "#ifdef %s\na[%zu] = 1;\n#endif\n", names[i], i);
  }
  strcat(source, "}\n");
  run3(source, data, 1, 1);
  for (size_t i = 0; i < COUNT; i++)
    SAME(data[i], has_feature(names[i]));
}

static void a_program_without_a_version_is_of_1_2(void) {
  int data[N] = {0};
  cl_program p =
      build("kernel void k(global int *a) { a[0] = __OPENCL_C_VERSION__; a[1] = __OPENCL_VERSION__; }", "");
  cl_kernel k = kernel_of(p, "k");
  cl_mem m = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
  clSetKernelArg(k, 0, sizeof m, &m);
  run1(k, 1, 1);
  read_back(m, sizeof data, data);
  SAME(data[0], 120);
  SAME(data[1], 300);
  run3("kernel void k(global int *a) { a[0] = __OPENCL_C_VERSION__; }", data, 1, 1);
  SAME(data[0], 300);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

static void an_unknown_version_is_refused_with_a_log(void) {
  const char *source = "kernel void k(global int *a) { }";
  char log[512] = "";
  cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  CHECK(clBuildProgram(p, 1, &device, "-cl-std=CL2.2", NULL, NULL) != CL_SUCCESS);
  clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  CHECK(strstr(log, "CL2.2"));
  clReleaseProgram(p);
}

static void a_generic_pointer_leads_everywhere(void) {
  int data[N] = {5, 6};
  run3("int get(int *p) { return *p; }\n"
       "void put(int *p, int v) { *p = v; }\n"
       "kernel void k(global int *a) {\n"
       "  local int two[2]; local int *m = &two[1]; int mine = 7;\n"
       "  *m = 8;\n"
       "  float whole; float part = fract(2.75f, &whole);\n"
       "  a[2] = get(a) + get(m) + get(&mine);\n"
       "  put(a + 3, (int)whole); put(m, 11); put(&mine, 12);\n"
       "  a[4] = *m * 100 + mine; a[5] = (int)(part * 100);\n"
       "  int *p = a;\n"
       "  a[6] = to_global(p) != 0; a[7] = to_local(p) != 0; a[8] = to_local((int *)m) != 0;\n"
       "}\n",
       data, 1, 1);
  SAME(data[2], 5 + 8 + 7);
  SAME(data[3], 2);
  SAME(data[4], 1112);
  SAME(data[5], 75);
  SAME(data[6], 1);
  SAME(data[7], 0);
  SAME(data[8], 1);
}

static void a_global_variable_keeps_its_value(void) {
  int data[N] = {0};
  cl_program p = build("global int count = 40; global int *where; constant int by = 2;\n"
                       "kernel void k(global int *a) { count += by; a[0] = count; where = a + 1; }\n"
                       "kernel void l(global int *a) { *where = count + a[0]; }\n",
                       "-cl-std=CL3.0");
  cl_kernel k = kernel_of(p, "k"), l = kernel_of(p, "l");
  cl_mem m = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
  size_t bytes = 0;
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(l, 0, sizeof m, &m);
  run1(k, 1, 1);
  run1(k, 1, 1);
  run1(l, 1, 1);
  read_back(m, sizeof data, data);
  SAME(data[0], 44);
  SAME(data[1], 88);
  SAME(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof bytes, &bytes,
                             NULL),
       CL_SUCCESS);
  SAME(bytes, 4 + 8);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseKernel(l);
  clReleaseProgram(p);
}

static void a_half_has_its_initial_value(void) {
  int data[N] = {0};
  run3("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
       "global half h = 1.5h; global half3 v[2] = {(half3)(1.0h, 2.0h, 3.0h), (half3)(4.0h, 5.0h, 6.0h)};\n"
       "kernel void k(global int *a) { a[0] = as_ushort(h); a[1] = (int)v[1].z * 10 + (int)v[0].x; }\n",
       data, 1, 1);
  SAME(data[0], 0x3e00);
  SAME(data[1], 61);
}

static void atomics_of_c11_count(void) {
  int data[N] = {0};
  data[2] = 1000;
  data[5] = 9;
  run3("kernel void k(global int *a) {\n"
       "  int i = (int)get_global_id(0);\n"
       "  local atomic_int l;\n"
       "  if (get_local_id(0) == 0) atomic_init(&l, 0);\n"
       "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
       "  global atomic_int *g = (global atomic_int *)a;\n"
       "  atomic_fetch_add(g, 1);\n"
       "  atomic_fetch_add_explicit(&l, 2, memory_order_relaxed, memory_scope_work_group);\n"
       "  atomic_fetch_max(g + 1, i); atomic_fetch_min(g + 2, i);\n"
       "  atomic_fetch_or(g + 3, 1 << i % 32); atomic_fetch_sub(g + 4, 3);\n"
       "  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n"
       "  if (i == 0) {\n"
       "    a[6] = atomic_load(&l);\n"
       "    int want = 9; a[7] = atomic_compare_exchange_strong(g + 5, &want, 21);\n"
       "    want = 9; a[8] = atomic_compare_exchange_strong(g + 5, &want, 22); a[9] = want;\n"
       "    atomic_store_explicit(g + 10, 77, memory_order_release, memory_scope_device);\n"
       "    a[11] = atomic_exchange(g + 10, 78);\n"
       "    global atomic_flag *f = (global atomic_flag *)(a + 12);\n"
       "    a[13] = atomic_flag_test_and_set(f); a[14] = atomic_flag_test_and_set(f); atomic_flag_clear(f);\n"
       "  }\n"
       "}\n",
       data, 64, 64);
  SAME(data[0], 64);
  SAME(data[1], 63);
  SAME(data[2], 0);
  SAME((unsigned)data[3], 0xffffffffu);
  SAME(data[4], -3 * 64);
  SAME(data[5], 21);
  SAME(data[6], 128);
  SAME(data[7], 1);
  SAME(data[8], 0);
  SAME(data[9], 21);
  SAME(data[10], 78);
  SAME(data[11], 77);
  SAME(data[12], 0);
  SAME(data[13], 0);
  SAME(data[14], 1);
}

/* Of 80 items in sub-groups of `width` work-items, the last of which may be smaller. */
static void sub_groups_are_parts_of_a_work_group(void) {
  int data[N] = {0};
  cl_program p =
      build("kernel void k(global int *a) {\n"
            "  int i = (int)get_local_linear_id();\n"
            "  if (i == 0) a[80] = get_max_sub_group_size();\n"
            "  if (i == 0) a[81] = get_num_sub_groups();\n"
            "  a[i] = sub_group_reduce_add(i);\n"
            "  a[90 + i] = sub_group_scan_exclusive_add(1) * 1000 + (int)get_sub_group_local_id();\n"
            "  if (i == 79) a[82] = get_sub_group_size();\n"
            "  if (i == 79) a[83] = get_sub_group_id();\n"
            "  int least = sub_group_reduce_min(100 - i), even = sub_group_any(i == 79), all = "
            "sub_group_all(i < 79);\n"
            "  int first = sub_group_broadcast(i, 0);\n"
            "  if (i == 79) { a[84] = least; a[85] = even; a[86] = all; a[87] = first; }\n"
            "}\n",
            "-cl-std=CL3.0");
  cl_kernel k = kernel_of(p, "k");
  cl_mem m = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
  clSetKernelArg(k, 0, sizeof m, &m);
  size_t items[2] = {20, 4}, width = 0, count = 0, local[2] = {0, 0};
  SAME(clGetKernelSubGroupInfo(k, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof items, items,
                               sizeof width, &width, NULL),
       CL_SUCCESS);
  SAME(clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof items, items,
                               sizeof count, &count, NULL),
       CL_SUCCESS);
  SAME(clGetKernelSubGroupInfo(k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                               sizeof local, local, NULL),
       CL_SUCCESS);
  CHECK(width >= 1 && count == (80 + width - 1) / width && local[0] * local[1] == count * width);
  SAME(clEnqueueNDRangeKernel(queue, k, 2, NULL, items, items, 0, NULL, NULL), CL_SUCCESS);
  read_back(m, sizeof data, data);
  SAME(data[80], width);
  SAME(data[81], count);
  size_t last = (count - 1) * width;
  for (size_t i = 0; i < 80; i++) {
    size_t first = i / width * width, end = first + width < 80 ? first + width : 80;
    SAME(data[i], (first + end - 1) * (end - first) / 2);
    SAME(data[90 + i], (i - first) * 1001);
  }
  SAME(data[82], 80 - last);
  SAME(data[83], count - 1);
  SAME(data[84], 100 - 79);
  SAME(data[85], 1);
  SAME(data[86], 0);
  SAME(data[87], last);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

static void functions_of_a_work_group(void) {
  int data[N] = {0};
  run3("kernel void k(global int *a) {\n"
       "  int i = (int)get_local_id(0);\n"
       "  a[i] = work_group_scan_inclusive_add(i);\n"
       "  int sum = work_group_reduce_add(i), most = work_group_reduce_max(-i), before = "
       "work_group_scan_exclusive_add(1);\n"
       "  int from = work_group_broadcast(i * 3, 70), any = work_group_any(i == 5), all = work_group_all(i "
       "!= 5);\n"
       "  long wide = work_group_reduce_add((long)i << 33);\n"
       "  if (i == 99) { a[100] = sum; a[101] = most; a[102] = before; a[103] = from; a[104] = any; a[105] = "
       "all;\n"
       "    a[106] = (int)(wide >> 33); }\n"
       "}\n",
       data, 100, 100);
  for (int i = 0; i < 100; i++)
    SAME(data[i], i * (i + 1) / 2);
  SAME(data[100], 4950);
  SAME(data[101], 0);
  SAME(data[102], 99);
  SAME(data[103], 210);
  SAME(data[104], 1);
  SAME(data[105], 0);
  SAME(data[106], 4950);
}

static void linear_ids_and_trailing_zeros(void) {
  int data[N] = {0};
  cl_program p = build(
      "kernel void k(global int *a) {\n"
      "  a[get_global_linear_id()] = (int)get_local_linear_id() * 100 + ctz((int)get_global_linear_id());\n"
      "}\n",
      "-cl-std=CL3.0");
  cl_kernel k = kernel_of(p, "k");
  cl_mem m = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
  clSetKernelArg(k, 0, sizeof m, &m);
  size_t offset[2] = {3, 5}, global[2] = {8, 4}, local[2] = {4, 2};
  SAME(clEnqueueNDRangeKernel(queue, k, 2, offset, global, local, 0, NULL, NULL), CL_SUCCESS);
  read_back(m, sizeof data, data);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 8; x++)
      SAME(data[y * 8 + x],
           (y % 2 * 4 + x % 4) * 100 + (y * 8 + x ? __builtin_ctz((unsigned)(y * 8 + x)) : 32));
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

struct link {
  struct link *next;
  int value;
};

static void a_list_in_shared_memory_is_followed(void) {
  cl_device_svm_capabilities can = 0;
  SAME(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL), CL_SUCCESS);
  CHECK(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  struct link *list = clSVMAlloc(context, CL_MEM_READ_WRITE, 10 * sizeof *list, 0);
  int *sum = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *sum, 4);
  CHECK(list && sum);
  SAME(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, list, 10 * sizeof *list, 0, NULL, NULL), CL_SUCCESS);
  for (int i = 0; i < 10; i++)
    list[i] = (struct link){i < 9 ? &list[i + 1] : NULL, i * i};
  SAME(clEnqueueSVMUnmap(queue, list, 0, NULL, NULL), CL_SUCCESS);
  cl_program p = build("struct link { global struct link *next; int value; };\n"
                       "kernel void k(global struct link *l, global int *sum) {\n"
                       "  int s = 0; for (; l; l = l->next) { s += l->value; l->value = -1; } *sum = s; }\n",
                       "");
  cl_kernel k = kernel_of(p, "k");
  SAME(clSetKernelArgSVMPointer(k, 0, list), CL_SUCCESS);
  SAME(clSetKernelArgSVMPointer(k, 1, sum), CL_SUCCESS);
  SAME(clSetKernelArgSVMPointer(k, 2, sum), CL_INVALID_ARG_INDEX);
  SAME(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof sum, &sum), CL_SUCCESS);
  run1(k, 1, 1);
  SAME(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, sum, sizeof *sum, 0, NULL, NULL), CL_SUCCESS);
  SAME(*sum, 285); /* 0 + 1 + 4 + ... + 81 */
  SAME(list[9].value, -1);
  clEnqueueSVMUnmap(queue, sum, 0, NULL, NULL);
  clFinish(queue);
  clSVMFree(context, list);
  clSVMFree(context, sum);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

static void shared_memory_is_copied_filled_and_freed(void) {
  int *a = clSVMAlloc(context, CL_MEM_READ_WRITE, 64 * sizeof *a, 128), b[64], seven = 7;
  cl_event e;
  cl_command_type type = 0;
  CHECK(a && (uintptr_t)a % 128 == 0);
  CHECK(!clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0));
  CHECK(!clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3));
  SAME(clEnqueueSVMMemFill(queue, a, &seven, sizeof seven, 64 * sizeof *a, 0, NULL, NULL), CL_SUCCESS);
  SAME(clEnqueueSVMMemFill(queue, a, &seven, 3, 64 * sizeof *a, 0, NULL, NULL), CL_INVALID_VALUE);
  SAME(clEnqueueSVMMemcpy(queue, CL_TRUE, b, a, sizeof b, 0, NULL, &e), CL_SUCCESS);
  SAME(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 1, 32, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
  SAME(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
  SAME(type, CL_COMMAND_SVM_MEMCPY);
  clReleaseEvent(e);
  for (int i = 0; i < 64; i++)
    SAME(b[i], 7);
  void *list[] = {a};
  SAME(clEnqueueSVMFree(queue, 1, list, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
  SAME(clFinish(queue), CL_SUCCESS);
}

/* A buffer made of shared memory has its address: pointers stay valid. */
static void a_buffer_of_shared_memory_keeps_its_address(void) {
  int *a = clSVMAlloc(context, CL_MEM_READ_WRITE, 64 * sizeof *a, 0);
  cl_bool uses = CL_FALSE;
  cl_mem m = buffer_of(CL_MEM_USE_HOST_PTR, 64 * sizeof *a, a);
  SAME(clGetMemObjectInfo(m, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL), CL_SUCCESS);
  SAME(uses, CL_TRUE);
  cl_program p = build("kernel void k(global int *b, global int *a) { b[0] = a == b; }", "");
  cl_kernel k = kernel_of(p, "k");
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArgSVMPointer(k, 1, a);
  run1(k, 1, 1);
  int got = 0;
  read_back(m, sizeof got, &got);
  SAME(got, 1);
  clReleaseMemObject(m);
  clSVMFree(context, a);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

static void a_copy_of_a_kernel_has_its_arguments(void) {
  int data[2] = {0, 0}, three = 3, four = 4;
  cl_program p = build("kernel void k(global int *a, int v) { a[v - 3] = v; }", "");
  cl_kernel k = kernel_of(p, "k"), copy;
  cl_mem m = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
  cl_int e;
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(k, 1, sizeof three, &three);
  copy = clCloneKernel(k, &e);
  SAME(e, CL_SUCCESS);
  clSetKernelArg(copy, 1, sizeof four, &four);
  run1(k, 1, 1);
  run1(copy, 1, 1);
  read_back(m, sizeof data, data);
  SAME(data[0], 3);
  SAME(data[1], 4);
  CHECK(!clCloneKernel(NULL, &e) && e == CL_INVALID_KERNEL);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseKernel(copy);
  clReleaseProgram(p);
}

static void properties_of_buffers_are_kept(void) {
  cl_mem_properties none[] = {0}, odd[] = {0x1234, 0}, back[4] = {9};
  size_t n = 99;
  cl_int e;
  cl_mem m = clCreateBufferWithProperties(context, none, CL_MEM_READ_WRITE, 64, NULL, &e);
  SAME(e, CL_SUCCESS);
  SAME(clGetMemObjectInfo(m, CL_MEM_PROPERTIES, sizeof back, back, &n), CL_SUCCESS);
  SAME(n, sizeof *none);
  SAME(back[0], 0);
  CHECK(!clCreateBufferWithProperties(context, odd, CL_MEM_READ_WRITE, 64, NULL, &e) &&
        e == CL_INVALID_PROPERTY);
  clReleaseMemObject(m);
}

/* An empty IL version means that clCreateProgramWithIL is refused. */
static void intermediate_language_is_there_or_refused(void) {
  char version[64] = "?";
  cl_int e = 0;
  static const uint32_t words[] = {1, 2, 3, 4, 5};
  SAME(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL), CL_SUCCESS);
  CHECK(!clCreateProgramWithIL(context, words, sizeof words, &e));
  SAME(e, *version ? CL_INVALID_VALUE : CL_INVALID_OPERATION);
}

int main(void) {
  open_device();
  RULE(versions_are_listed);
  RULE(features_are_those_that_programs_see);
  RULE(a_program_without_a_version_is_of_1_2);
  RULE(an_unknown_version_is_refused_with_a_log);
  RULE(a_generic_pointer_leads_everywhere);
  RULE(a_global_variable_keeps_its_value);
  RULE(a_half_has_its_initial_value);
  RULE(atomics_of_c11_count);
  RULE(sub_groups_are_parts_of_a_work_group);
  RULE(functions_of_a_work_group);
  RULE(linear_ids_and_trailing_zeros);
  RULE(a_list_in_shared_memory_is_followed);
  RULE(shared_memory_is_copied_filled_and_freed);
  RULE(a_buffer_of_shared_memory_keeps_its_address);
  RULE(a_copy_of_a_kernel_has_its_arguments);
  RULE(properties_of_buffers_are_kept);
  RULE(intermediate_language_is_there_or_refused);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return finish();
}
