/* What OpenCL 2.0 to 3.0 added to a device's answers. What is optional and not there says so by its value. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/device.h"

enum { SUB_GROUP_MOST = 32 }; /* lanes that exchange values: a wavefront of 64 is two sub-groups */

const char ocl_extensions[] = "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
                              "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
                              "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
                              "cl_khr_byte_addressable_store cl_khr_3d_image_writes "
                              "cl_khr_fp16 cl_khr_fp64 cl_khr_subgroups";

size_t device_sub_group(cl_device_id d) {
  unsigned w = sim_warp_width(d->sim);
  return w < SUB_GROUP_MOST ? w : SUB_GROUP_MOST;
}

static cl_name_version named(const char *name, size_t n, cl_version v) {
  cl_name_version r = {.version = v};
  memcpy(r.name, name, n < sizeof r.name - 1 ? n : sizeof r.name - 1);
  return r;
}

cl_int info_extensions(const char *list, size_t n, void *to, size_t *ret) {
  cl_name_version out[32];
  size_t count = 0;
  for (const char *s = list; *s && count < sizeof out / sizeof *out;) {
    size_t k = strcspn(s, " ");
    out[count++] = named(s, k, CL_MAKE_VERSION(1, 0, 0));
    s += k + (s[k] == ' ');
  }
  return info_put(n, to, ret, out, count * sizeof *out);
}

static cl_int versions(size_t n, void *to, size_t *ret) {
  static const cl_version known[] = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                     CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(3, 0, 0)};
  cl_name_version out[sizeof known / sizeof *known];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    out[i] = named("OpenCL C", 8, known[i]);
  return info_put(n, to, ret, out, sizeof out);
}

static cl_int features(size_t n, void *to, size_t *ret) {
  cl_name_version *out = xcalloc(ocl_nfeatures, sizeof *out);
  for (size_t i = 0; i < ocl_nfeatures; i++)
    out[i] = named(ocl_features[i].name, strlen(ocl_features[i].name), CL_MAKE_VERSION(3, 0, 0));
  cl_int r = info_put(n, to, ret, out, ocl_nfeatures * sizeof *out);
  free(out);
  return r;
}

static cl_int languages(cl_device_info name, size_t n, void *to, size_t *ret) {
  const cl_name_version il = named("SPIR-V", 6, CL_MAKE_VERSION(1, 0, 0));
  bool has_il = ocl_il_available();
  switch (name) {
  case CL_DEVICE_NUMERIC_VERSION:
    return INFO(cl_version, CL_MAKE_VERSION(3, 0, 0));
  case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR:
    return INFO(cl_version, CL_MAKE_VERSION(1, 2, 0));
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    return versions(n, to, ret);
  case CL_DEVICE_OPENCL_C_FEATURES:
    return features(n, to, ret);
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return info_extensions(ocl_extensions, n, to, ret);
  case CL_DEVICE_IL_VERSION:
    return info_string(n, to, ret, has_il ? "SPIR-V_1.0" : "");
  case CL_DEVICE_ILS_WITH_VERSION:
    return info_put(n, to, ret, &il, has_il ? sizeof il : 0);
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    return info_put(n, to, ret, NULL, 0);
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
    return info_string(n, to, ret, ""); /* none was submitted */
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int device_info3(cl_device_id d, cl_device_info name, size_t n, void *to, size_t *ret) {
  switch (name) {
  case CL_DEVICE_SVM_CAPABILITIES:
    return INFO(cl_device_svm_capabilities, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    return INFO(cl_device_atomic_capabilities,
                CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                    CL_DEVICE_ATOMIC_SCOPE_DEVICE);
  case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    return INFO(cl_device_atomic_capabilities,
                CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
                    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE);
  case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
  case CL_DEVICE_PIPE_SUPPORT:
    return INFO(cl_bool, CL_FALSE);
  case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    return INFO(cl_bool, CL_TRUE);
  case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    return INFO(cl_bool, CL_TRUE); /* warps take turns */
  case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    return INFO(cl_uint, (cl_uint)((d->group_max + device_sub_group(d) - 1) / device_sub_group(d)));
  case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
    return INFO(cl_device_device_enqueue_capabilities, 0);
  case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
    return INFO(cl_command_queue_properties, 0);
  case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
  case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
  case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
  case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
  case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
  case CL_DEVICE_IMAGE_PITCH_ALIGNMENT: /* no 2D image of a buffer */
  case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
  case CL_DEVICE_MAX_PIPE_ARGS:
  case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
  case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
  case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: /* the type's own */
  case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    return INFO(cl_uint, 0);
  case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    return INFO(size_t, 65536);
  case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    return INFO(size_t, 65536);
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return INFO(size_t, sim_warp_width(d->sim));
  default:
    return languages(name, n, to, ret);
  }
}
