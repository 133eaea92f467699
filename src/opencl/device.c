/* The device: finding it, and what it says of itself, taken from the simulated GPU's parameters. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/image.h"
#include "cache/cache.h"

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *devices,
                                  cl_uint *count) {
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (p && p != ocl_platform())
    return CL_INVALID_PLATFORM;
  if (!type || (type != CL_DEVICE_TYPE_ALL && type & ~known))
    return CL_INVALID_DEVICE_TYPE;
  if ((!n && devices) || (!devices && !count))
    return CL_INVALID_VALUE;
  ocl_lock();
  cl_device_id only = ocl_platform()->device;
  ocl_unlock();
  if (count) /* the one device there is answers to any type: programs that want a CPU run too */
    *count = 1;
  if (devices)
    *devices = only;
  return CL_SUCCESS;
}

static const cl_device_fp_config float_config = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                                CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

/* A quarter of the memory, as OpenCL asks at least and GPUs give; 128 MiB at least. */
uint64_t device_largest_buffer(cl_device_id d) {
  uint64_t quarter = sim_memory_bytes(d->sim) / 4, least = UINT64_C(128) << 20;
  return quarter < least ? least : quarter;
}

static cl_ulong cache_bytes(const struct gpu_config *g) {
  return (cl_ulong)g->l2.cache.sets * g->l2.cache.ways * g->l2.cache.line_bytes * g->l2.channels *
         g->l2.slices_per_channel;
}

static cl_int limits(cl_device_id d, cl_device_info name, size_t n, void *to, size_t *ret) {
  const struct gpu_config *g = sim_gpu(d->sim);
  switch (name) {
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return INFO(cl_uint, g->sms);
  case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
    return INFO(cl_uint, 3);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    size_t sizes[3] = {d->group_max, d->group_max, d->group_max < 64 ? d->group_max : 64};
    return info_put(n, to, ret, sizes, sizeof sizes);
  }
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return INFO(size_t, d->group_max);
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return INFO(cl_uint, (cl_uint)g->core_mhz);
  case CL_DEVICE_ADDRESS_BITS:
    return INFO(cl_uint, 64);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return INFO(cl_ulong, device_largest_buffer(d));
  case CL_DEVICE_MAX_PARAMETER_SIZE:
    return INFO(size_t, 4352); /* the parameter space of PTX */
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
    return INFO(cl_uint, 8 * DEVICE_BASE_ALIGN);
  case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
    return INFO(cl_uint, DEVICE_BASE_ALIGN);
  case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
    return INFO(cl_device_mem_cache_type, CL_READ_WRITE_CACHE);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return INFO(cl_uint, g->l2.cache.line_bytes);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return INFO(cl_ulong, cache_bytes(g));
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return INFO(cl_ulong, sim_memory_bytes(d->sim));
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    return INFO(cl_ulong, 65536);
  case CL_DEVICE_MAX_CONSTANT_ARGS:
    return INFO(cl_uint, 9);
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return INFO(cl_device_local_mem_type, CL_LOCAL);
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return INFO(cl_ulong, g->core.shared_bytes);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return INFO(size_t, 1);
  case CL_DEVICE_PRINTF_BUFFER_SIZE:
    return INFO(size_t, 1 << 20);
  default:
    return CL_INVALID_VALUE;
  }
}

static cl_int abilities(cl_device_info name, size_t n, void *to, size_t *ret) {
  switch (name) {
  case CL_DEVICE_TYPE:
    return INFO(cl_device_type, CL_DEVICE_TYPE_GPU);
  case CL_DEVICE_VENDOR_ID:
    return INFO(cl_uint, 0x51c3); /* no PCI vendor: a number of our own */
  case CL_DEVICE_SINGLE_FP_CONFIG:
    return INFO(cl_device_fp_config, float_config | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
  case CL_DEVICE_HALF_FP_CONFIG:
    return INFO(cl_device_fp_config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA);
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    return INFO(cl_device_fp_config, float_config);
  case CL_DEVICE_IMAGE_SUPPORT:
    return INFO(cl_bool, CL_TRUE);
  case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    return INFO(cl_uint, IMAGE_ARGS);
  case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    return INFO(cl_uint, IMAGE_WRITE_ARGS);
  case CL_DEVICE_MAX_SAMPLERS:
    return INFO(cl_uint, IMAGE_SAMPLERS);
  case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    return INFO(cl_uint, 0);
  case CL_DEVICE_IMAGE2D_MAX_WIDTH:
  case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    return INFO(size_t, IMAGE_MAX_SIDE);
  case CL_DEVICE_IMAGE3D_MAX_WIDTH:
  case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    return INFO(size_t, IMAGE_MAX_SIDE_3D);
  case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    return INFO(size_t, IMAGE_MAX_BUFFER);
  case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
    return INFO(size_t, IMAGE_MAX_LAYERS);
  case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return INFO(cl_bool, CL_FALSE);
  case CL_DEVICE_ENDIAN_LITTLE:
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_LINKER_AVAILABLE:
  case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    return INFO(cl_bool, CL_TRUE);
  case CL_DEVICE_EXECUTION_CAPABILITIES:
    return INFO(cl_device_exec_capabilities, CL_EXEC_KERNEL);
  case CL_DEVICE_QUEUE_PROPERTIES:
    return INFO(cl_command_queue_properties,
                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    return INFO(cl_uint, 1);
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
    return INFO(cl_device_affinity_domain, 0);
  case CL_DEVICE_PARTITION_PROPERTIES:
  case CL_DEVICE_PARTITION_TYPE:
    return INFO(cl_device_partition_property, 0);
  default:
    return CL_INVALID_VALUE;
  }
}

static cl_int texts(cl_device_id d, cl_device_info name, size_t n, void *to, size_t *ret) {
  switch (name) {
  case CL_DEVICE_NAME:
    return info_string(n, to, ret, sim_gpu_name(d->sim));
  case CL_DEVICE_VENDOR:
    return info_string(n, to, ret, "Sluice");
  case CL_DRIVER_VERSION:
    return info_string(n, to, ret, SLUICE_VERSION);
  case CL_DEVICE_PROFILE:
    return info_string(n, to, ret, "FULL_PROFILE");
  case CL_DEVICE_VERSION:
    return info_string(n, to, ret, "OpenCL 3.0 Sluice " SLUICE_VERSION);
  case CL_DEVICE_OPENCL_C_VERSION:
    return info_string(n, to, ret, "OpenCL C 1.2 ");
  case CL_DEVICE_EXTENSIONS:
    return info_string(n, to, ret, ocl_extensions);
  case CL_DEVICE_BUILT_IN_KERNELS:
    return info_string(n, to, ret, "");
  case CL_DEVICE_PLATFORM:
    return INFO(cl_platform_id, ocl_platform());
  case CL_DEVICE_PARENT_DEVICE:
    return INFO(cl_device_id, NULL);
  case CL_DEVICE_REFERENCE_COUNT:
    return INFO(cl_uint, 1);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id d, cl_device_info name, size_t n, void *to, size_t *ret) {
  cl_int r = CL_INVALID_DEVICE;
  ocl_lock();
  if (object_is(d, KIND_DEVICE)) {
    size_t bytes; /* the group that knows the name answers, even if the value does not fit */
    if (limits(d, name, 0, NULL, &bytes) == CL_SUCCESS)
      r = limits(d, name, n, to, ret);
    else if (abilities(name, 0, NULL, &bytes) == CL_SUCCESS)
      r = abilities(name, n, to, ret);
    else if (texts(d, name, 0, NULL, &bytes) == CL_SUCCESS)
      r = texts(d, name, n, to, ret);
    else
      r = device_info3(d, name, n, to, ret);
  }
  ocl_unlock();
  return r;
}

/* A root device: reference counts do not apply to it. */
cl_int CL_API_CALL clRetainDevice(cl_device_id d) {
  ocl_lock();
  bool is = object_is(d, KIND_DEVICE);
  ocl_unlock();
  return is ? CL_SUCCESS : CL_INVALID_DEVICE;
}
cl_int CL_API_CALL clReleaseDevice(cl_device_id d) {
  return clRetainDevice(d);
}

/* The GPU cannot be divided: CL_DEVICE_PARTITION_PROPERTIES is empty. */
cl_int CL_API_CALL clCreateSubDevices(cl_device_id d, const cl_device_partition_property *properties,
                                      cl_uint n, cl_device_id *devices, cl_uint *count) {
  (void)properties, (void)n, (void)devices, (void)count;
  return clRetainDevice(d) == CL_SUCCESS ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}
