/* Platform, device, context, queue: finding them, asking them, counting references. */
#include "check.h"

static void the_platform_is_found_in_two_calls(void) {
  cl_uint n = 0;
  SAME(clGetPlatformIDs(0, NULL, &n), CL_SUCCESS);
  CHECK(n >= 1);
  SAME(clGetPlatformIDs(0, NULL, NULL), CL_INVALID_VALUE);
}

static void a_platform_tells_its_name_and_the_size_of_it(void) {
  size_t n = 0;
  char name[256];
  SAME(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, NULL, &n), CL_SUCCESS);
  CHECK(n > 1 && n < sizeof name);
  SAME(clGetPlatformInfo(platform, CL_PLATFORM_NAME, n, name, NULL), CL_SUCCESS);
  SAME(strlen(name) + 1, n);
  SAME(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, name, NULL), CL_INVALID_VALUE);
  SAME(clGetPlatformInfo(platform, 0x1234, sizeof name, name, NULL), CL_INVALID_VALUE);
  SAME(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof name, name, NULL), CL_SUCCESS);
  CHECK(strncmp(name, "OpenCL ", 7) == 0);
}

static void a_device_is_found_by_its_type(void) {
  cl_device_type type;
  cl_uint n = 0;
  cl_device_id d;
  SAME(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
  SAME(clGetDeviceIDs(platform, type & ~(cl_device_type)CL_DEVICE_TYPE_DEFAULT, 1, &d, &n), CL_SUCCESS);
  CHECK(n == 1 && d == device);
  SAME(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &d, NULL), CL_SUCCESS);
  SAME(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &d, NULL), CL_INVALID_VALUE);
}

/* Every query of OpenCL 1.2 with the size its type has; 0: a string or list. */
static void every_device_query_has_its_size(void) {
  static const struct {
    cl_device_info name;
    size_t bytes;
  } queries[] = {
      {CL_DEVICE_TYPE, 8},
      {CL_DEVICE_VENDOR_ID, 4},
      {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
      {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4},
      {CL_DEVICE_MAX_WORK_ITEM_SIZES, 3 * sizeof(size_t)},
      {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 4},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 4},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 4},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 4},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 4},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 4},
      {CL_DEVICE_MAX_CLOCK_FREQUENCY, 4},
      {CL_DEVICE_ADDRESS_BITS, 4},
      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8},
      {CL_DEVICE_IMAGE_SUPPORT, 4},
      {CL_DEVICE_MAX_READ_IMAGE_ARGS, 4},
      {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 4},
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t)},
      {CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t)},
      {CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t)},
      {CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t)},
      {CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t)},
      {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t)},
      {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t)},
      {CL_DEVICE_MAX_SAMPLERS, 4},
      {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)},
      {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4},
      {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 4},
      {CL_DEVICE_SINGLE_FP_CONFIG, 8},
      {CL_DEVICE_DOUBLE_FP_CONFIG, 8},
      {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, 4},
      {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4},
      {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8},
      {CL_DEVICE_GLOBAL_MEM_SIZE, 8},
      {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8},
      {CL_DEVICE_MAX_CONSTANT_ARGS, 4},
      {CL_DEVICE_LOCAL_MEM_TYPE, 4},
      {CL_DEVICE_LOCAL_MEM_SIZE, 8},
      {CL_DEVICE_ERROR_CORRECTION_SUPPORT, 4},
      {CL_DEVICE_HOST_UNIFIED_MEMORY, 4},
      {CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t)},
      {CL_DEVICE_ENDIAN_LITTLE, 4},
      {CL_DEVICE_AVAILABLE, 4},
      {CL_DEVICE_COMPILER_AVAILABLE, 4},
      {CL_DEVICE_LINKER_AVAILABLE, 4},
      {CL_DEVICE_EXECUTION_CAPABILITIES, 8},
      {CL_DEVICE_QUEUE_PROPERTIES, 8},
      {CL_DEVICE_BUILT_IN_KERNELS, 0},
      {CL_DEVICE_PLATFORM, sizeof(void *)},
      {CL_DEVICE_NAME, 0},
      {CL_DEVICE_VENDOR, 0},
      {CL_DRIVER_VERSION, 0},
      {CL_DEVICE_PROFILE, 0},
      {CL_DEVICE_VERSION, 0},
      {CL_DEVICE_OPENCL_C_VERSION, 0},
      {CL_DEVICE_EXTENSIONS, 0},
      {CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof(size_t)},
      {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, 4},
      {CL_DEVICE_PARENT_DEVICE, sizeof(void *)},
      {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4},
      {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 8},
      {CL_DEVICE_REFERENCE_COUNT, 4},
  };
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    char value[8192];
    size_t n = 0;
    cl_int e = clGetDeviceInfo(device, queries[i].name, 0, NULL, &n);
    if (e || (queries[i].bytes && n != queries[i].bytes) || n > sizeof value)
      fprintf(stderr, "query 0x%x: error %d, %zu bytes\n", queries[i].name, e, n);
    CHECK(!e && (!queries[i].bytes || n == queries[i].bytes));
    SAME(clGetDeviceInfo(device, queries[i].name, sizeof value, value, NULL), CL_SUCCESS);
    if (n > 1)
      SAME(clGetDeviceInfo(device, queries[i].name, n - 1, value, NULL), CL_INVALID_VALUE);
  }
  SAME(clGetDeviceInfo(device, 0x0fff, 8, &(cl_ulong){0}, NULL), CL_INVALID_VALUE);
}

static void a_device_keeps_the_minimums_of_the_full_profile(void) {
  cl_ulong global, largest, local, constant;
  size_t group, param;
  cl_uint dims, args;
  clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof global, &global, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
  clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof constant, &constant, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof param, &param, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof dims, &dims, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_CONSTANT_ARGS, sizeof args, &args, NULL);
  CHECK(largest >= global / 4 && largest >= 128u << 20);
  CHECK(local >= 32 << 10);
  CHECK(constant >= 64 << 10);
  CHECK(group >= 1);
  CHECK(param >= 1024);
  CHECK(dims >= 3);
  CHECK(args >= 8);
}

static void a_root_device_can_be_retained_and_released(void) {
  SAME(clRetainDevice(device), CL_SUCCESS);
  SAME(clReleaseDevice(device), CL_SUCCESS);
}

static void a_context_comes_from_devices_or_a_type(void) {
  cl_int e;
  cl_context_properties of[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  cl_context c = clCreateContext(of, 1, &device, NULL, NULL, &e);
  SAME(e, CL_SUCCESS);
  cl_context_properties back[3];
  size_t n;
  SAME(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof back, back, &n), CL_SUCCESS);
  SAME(n, sizeof of);
  CHECK(memcmp(of, back, sizeof of) == 0);
  SAME(clReleaseContext(c), CL_SUCCESS);
  cl_device_type type;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  c = clCreateContextFromType(of, type, NULL, NULL, &e);
  SAME(e, CL_SUCCESS);
  cl_device_id d;
  SAME(clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof d, &d, &n), CL_SUCCESS);
  CHECK(n == sizeof d && d == device);
  SAME(clReleaseContext(c), CL_SUCCESS);
}

static void a_context_refuses_what_is_wrong(void) {
  cl_int e;
  cl_context_properties of[] = {0x9999, 1, 0};
  CHECK(!clCreateContext(NULL, 0, &device, NULL, NULL, &e));
  SAME(e, CL_INVALID_VALUE);
  CHECK(!clCreateContext(NULL, 1, NULL, NULL, NULL, &e));
  SAME(e, CL_INVALID_VALUE);
  CHECK(!clCreateContext(NULL, 1, &device, NULL, &e, &e));
  SAME(e, CL_INVALID_VALUE);
  CHECK(!clCreateContext(of, 1, &device, NULL, NULL, &e));
  SAME(e, CL_INVALID_PROPERTY);
}

static void references_are_counted(void) {
  cl_uint n;
  cl_int e;
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  SAME(clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL), CL_SUCCESS);
  SAME(n, 1);
  SAME(clRetainContext(c), CL_SUCCESS);
  clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL);
  SAME(n, 2);
  SAME(clReleaseContext(c), CL_SUCCESS);
  SAME(clReleaseContext(c), CL_SUCCESS);
  cl_mem m = buffer_of(CL_MEM_READ_WRITE, 16, NULL);
  SAME(clRetainMemObject(m), CL_SUCCESS);
  SAME(clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL), CL_SUCCESS);
  SAME(n, 2);
  SAME(clReleaseMemObject(m), CL_SUCCESS);
  SAME(clReleaseMemObject(m), CL_SUCCESS);
}

static void a_queue_tells_what_it_was_made_with(void) {
  cl_int e;
  cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
  cl_command_queue_properties p;
  cl_context c;
  cl_device_id d;
  size_t n;
  SAME(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof p, &p, &n), CL_SUCCESS);
  CHECK(n == 8 && p == CL_QUEUE_PROFILING_ENABLE);
  SAME(clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, sizeof c, &c, NULL), CL_SUCCESS);
  CHECK(c == context);
  SAME(clGetCommandQueueInfo(q, CL_QUEUE_DEVICE, sizeof d, &d, NULL), CL_SUCCESS);
  CHECK(d == device);
  SAME(clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, 1, &c, NULL), CL_INVALID_VALUE);
  SAME(clReleaseCommandQueue(q), CL_SUCCESS);
  CHECK(!clCreateCommandQueue(context, device, 0xff00, &e));
  SAME(e, CL_INVALID_VALUE);
  CHECK(!clCreateCommandQueue(context, NULL, 0, &e));
  SAME(e, CL_INVALID_DEVICE);
}

static void null_handles_are_refused(void) {
  cl_int e;
  SAME(clReleaseContext(NULL), CL_INVALID_CONTEXT);
  SAME(clReleaseMemObject(NULL), CL_INVALID_MEM_OBJECT);
  SAME(clReleaseKernel(NULL), CL_INVALID_KERNEL);
  SAME(clReleaseProgram(NULL), CL_INVALID_PROGRAM);
  SAME(clReleaseEvent(NULL), CL_INVALID_EVENT);
  SAME(clReleaseCommandQueue(NULL), CL_INVALID_COMMAND_QUEUE);
  SAME(clFinish(NULL), CL_INVALID_COMMAND_QUEUE);
  CHECK(!clCreateBuffer(NULL, CL_MEM_READ_WRITE, 16, NULL, &e));
  SAME(e, CL_INVALID_CONTEXT);
}

int main(void) {
  open_device();
  RULE(the_platform_is_found_in_two_calls);
  RULE(a_platform_tells_its_name_and_the_size_of_it);
  RULE(a_device_is_found_by_its_type);
  RULE(every_device_query_has_its_size);
  RULE(a_device_keeps_the_minimums_of_the_full_profile);
  RULE(a_root_device_can_be_retained_and_released);
  RULE(a_context_comes_from_devices_or_a_type);
  RULE(a_context_refuses_what_is_wrong);
  RULE(references_are_counted);
  RULE(a_queue_tells_what_it_was_made_with);
  RULE(null_handles_are_refused);
  return finish();
}
