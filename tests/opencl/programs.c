/* Programs: source, options, logs, binaries, compiling and linking. */
#include "check.h"

static const char source[] = "#ifndef FACTOR\n#define FACTOR 3\n#endif\n"
                             "__kernel void scale(__global int *a) { a[get_global_id(0)] *= FACTOR; }\n"
                             "__kernel void zero(__global int *a) { a[get_global_id(0)] = 0; }\n";

static int first_after(cl_program p, const char *kernel, int value) {
  int out = -1;
  cl_kernel k = kernel_of(p, kernel);
  cl_mem m = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value);
  clSetKernelArg(k, 0, sizeof m, &m);
  run1(k, 1, 1);
  read_back(m, sizeof out, &out);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  return out;
}

static void a_program_is_built_from_source(void) {
  cl_program p = build(source, NULL);
  SAME(first_after(p, "scale", 7), 21);
  cl_build_status s;
  SAME(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof s, &s, NULL), CL_SUCCESS);
  SAME(s, CL_BUILD_SUCCESS);
  clReleaseProgram(p);
}

static void options_define_macros(void) {
  cl_program p = build(source, "-DFACTOR=5 -cl-fast-relaxed-math -I. -cl-mad-enable -w");
  SAME(first_after(p, "scale", 7), 35);
  char options[128];
  SAME(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL), CL_SUCCESS);
  CHECK(strstr(options, "-DFACTOR=5"));
  clReleaseProgram(p);
}

static void strings_with_and_without_lengths_are_joined(void) {
  const char *parts[] = {"__kernel void one(__glo", "bal int *a) { a[0] = 1 + AND_MORE", "; }"};
  size_t lengths[] = {0, strlen(parts[1]) - strlen(" + AND_MORE"), 0};
  cl_int e;
  cl_program p = clCreateProgramWithSource(context, 3, parts, lengths, &e);
  SAME(e, CL_SUCCESS);
  SAME(clBuildProgram(p, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
  SAME(first_after(p, "one", 9), 1);
  clReleaseProgram(p);
}

static void a_syntax_error_fails_with_a_log(void) {
  const char *text = "__kernel void broken(__global int *a) { a[0] = undeclared_thing; }";
  cl_int e;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  SAME(clBuildProgram(p, 1, &device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  cl_build_status s;
  clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof s, &s, NULL);
  SAME(s, CL_BUILD_ERROR);
  size_t n;
  SAME(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n), CL_SUCCESS);
  char *log = calloc(1, n + 1);
  SAME(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, n, log, NULL), CL_SUCCESS);
  CHECK(strstr(log, "undeclared_thing"));
  CHECK(!clCreateKernel(p, "broken", &e));
  SAME(e, CL_INVALID_PROGRAM_EXECUTABLE);
  free(log);
  clReleaseProgram(p);
}

static void a_program_lists_its_kernels(void) {
  cl_program p = build(source, "");
  size_t n;
  char names[64];
  SAME(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL), CL_SUCCESS);
  SAME(n, 2);
  SAME(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL), CL_SUCCESS);
  CHECK(strstr(names, "scale") && strstr(names, "zero") && strchr(names, ';'));
  cl_kernel k[2];
  cl_uint count;
  SAME(clCreateKernelsInProgram(p, 2, k, &count), CL_SUCCESS);
  SAME(count, 2);
  clReleaseKernel(k[0]), clReleaseKernel(k[1]);
  SAME(clCreateKernelsInProgram(p, 1, k, &count), CL_INVALID_VALUE);
  char back[sizeof source];
  SAME(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof back, back, &n), CL_SUCCESS);
  CHECK(n == sizeof source && strcmp(back, source) == 0);
  clReleaseProgram(p);
}

static void an_unknown_kernel_is_refused(void) {
  cl_int e;
  cl_program p = build(source, "");
  CHECK(!clCreateKernel(p, "skale", &e));
  SAME(e, CL_INVALID_KERNEL_NAME);
  clReleaseProgram(p);
}

static void a_binary_runs_again(void) {
  cl_program p = build(source, "-DFACTOR=4");
  size_t n = 0;
  SAME(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL), CL_SUCCESS);
  CHECK(n > 0);
  unsigned char *bytes = malloc(n);
  SAME(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL), CL_SUCCESS);
  clReleaseProgram(p);
  cl_int status, e;
  p = clCreateProgramWithBinary(context, 1, &device, &n, (const unsigned char **)&bytes, &status, &e);
  SAME(e, CL_SUCCESS);
  SAME(status, CL_SUCCESS);
  SAME(clBuildProgram(p, 1, &device, NULL, NULL, NULL), CL_SUCCESS);
  SAME(first_after(p, "scale", 6), 24);
  clReleaseProgram(p);
  memset(bytes, 'x', n);
  CHECK(!clCreateProgramWithBinary(context, 1, &device, &n, (const unsigned char **)&bytes, &status, &e));
  SAME(e, CL_INVALID_BINARY);
  free(bytes);
}

static void programs_are_compiled_with_headers_and_linked(void) {
  const char *header = "int helper(int x);\n",
             *user = "#include \"lib/helper.h\"\n__kernel void use(__global int "
                     "*a) { a[0] = helper(a[0]); }\n",
             *library = "int helper(int x) { return x + 100; }\n";
  cl_int e;
  cl_program h = clCreateProgramWithSource(context, 1, &header, NULL, &e),
             u = clCreateProgramWithSource(context, 1, &user, NULL, &e),
             l = clCreateProgramWithSource(context, 1, &library, NULL, &e);
  const char *name = "lib/helper.h";
  SAME(clCompileProgram(u, 1, &device, "", 1, &h, &name, NULL, NULL), CL_SUCCESS);
  SAME(clCompileProgram(l, 1, &device, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
  cl_program both[] = {u, l};
  cl_program p = clLinkProgram(context, 1, &device, "", 2, both, NULL, NULL, &e);
  SAME(e, CL_SUCCESS);
  if (e == CL_SUCCESS)
    SAME(first_after(p, "use", 11), 111);
  clReleaseProgram(h), clReleaseProgram(u), clReleaseProgram(l), clReleaseProgram(p);
}

static void a_program_with_kernels_cannot_be_built_again(void) {
  cl_program p = build(source, "");
  cl_kernel k = kernel_of(p, "scale");
  SAME(clBuildProgram(p, 1, &device, "", NULL, NULL), CL_INVALID_OPERATION);
  clReleaseKernel(k);
  SAME(clBuildProgram(p, 1, &device, "-DFACTOR=9", NULL, NULL), CL_SUCCESS);
  SAME(first_after(p, "scale", 2), 18);
  clReleaseProgram(p);
}

static void wrong_arguments_are_refused(void) {
  cl_int e;
  const char *null = NULL;
  CHECK(!clCreateProgramWithSource(context, 0, NULL, NULL, &e));
  SAME(e, CL_INVALID_VALUE);
  CHECK(!clCreateProgramWithSource(context, 1, &null, NULL, &e));
  SAME(e, CL_INVALID_VALUE);
  const char *text = source;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  SAME(clBuildProgram(p, 1, NULL, "", NULL, NULL), CL_INVALID_VALUE);
  SAME(clBuildProgram(p, 1, &device, "", NULL, &e), CL_INVALID_VALUE);
  SAME(clGetProgramInfo(p, 0x1111, 4, &e, NULL), CL_INVALID_VALUE);
  clReleaseProgram(p);
}

int main(void) {
  open_device();
  RULE(a_program_is_built_from_source);
  RULE(options_define_macros);
  RULE(strings_with_and_without_lengths_are_joined);
  RULE(a_syntax_error_fails_with_a_log);
  RULE(a_program_lists_its_kernels);
  RULE(an_unknown_kernel_is_refused);
  RULE(a_binary_runs_again);
  RULE(programs_are_compiled_with_headers_and_linked);
  RULE(a_program_with_kernels_cannot_be_built_again);
  RULE(wrong_arguments_are_refused);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return finish();
}
