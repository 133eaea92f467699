/* What OpenCL 2.0 to 3.0 added to kernels: shared memory as arguments, copies, sub-groups. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/device.h"

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel k, cl_uint i, const void *p) {
  ocl_lock();
  cl_int r = object_is(k, KIND_KERNEL) ? kernel_set_pointer(k, i, p) : CL_INVALID_KERNEL;
  ocl_unlock();
  return r;
}

/* Which other shared memory a kernel will use is good to know for those who must bring it there first. */
static cl_int exec_info(cl_kernel k, cl_kernel_exec_info name, size_t n, const void *value) {
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  if (!value)
    return CL_INVALID_VALUE;
  if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS)
    return n && n % sizeof(void *) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
  cl_bool system = CL_FALSE;
  if (name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM || n != sizeof system)
    return CL_INVALID_VALUE;
  memcpy(&system, value, sizeof system);
  return system ? CL_INVALID_OPERATION : CL_SUCCESS; /* the device has no such memory */
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel k, cl_kernel_exec_info name, size_t n, const void *value) {
  ocl_lock();
  cl_int r = exec_info(k, name, n, value);
  ocl_unlock();
  return r;
}

/* The arguments set so far come along. */
cl_kernel CL_API_CALL clCloneKernel(cl_kernel from, cl_int *err) {
  ocl_lock();
  bool is = object_is(from, KIND_KERNEL);
  cl_kernel k = is ? kernel_make(from->program, from->module, from->info) : NULL;
  for (uint32_t i = 0; k && i < k->info->nparams; i++) {
    const struct arg *a = &from->args[i];
    k->args[i] = *a;
    if (a->value) { /* a sampler's word has eight bytes whatever the parameter has */
      size_t n = k->info->params[i].size < 8 ? 8 : k->info->params[i].size;
      k->args[i].value = xcalloc(1, n);
      memcpy(k->args[i].value, a->value, a->kind == ARG_SAMPLER ? 8 : k->info->params[i].size);
    }
  }
  ocl_unlock();
  return is ? succeed(err, k) : fail(err, CL_INVALID_KERNEL);
}

static cl_int sub_group_info(cl_kernel k, cl_device_id d, cl_kernel_sub_group_info name, size_t in_bytes,
                             const void *in, size_t n, void *to, size_t *ret) {
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  if (d && !object_is(d, KIND_DEVICE))
    return CL_INVALID_DEVICE;
  d = ocl_platform()->device;
  size_t width = device_sub_group(d), most = kernel_group_max(k), size[3] = {1, 1, 1}, count = 0;
  bool sized =
      name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE || name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
  if (sized && (!in || !in_bytes || in_bytes % sizeof *size || in_bytes > sizeof size))
    return CL_INVALID_VALUE;
  if (sized)
    memcpy(size, in, in_bytes);
  size_t items = size[0] * size[1] * size[2];
  switch (name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    return INFO(size_t, items < width ? items : width);
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    return INFO(size_t, (items + width - 1) / width);
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
    if (!in || in_bytes != sizeof count || n % sizeof *size || (to && (!n || n > sizeof size)))
      return CL_INVALID_VALUE;
    memcpy(&count, in, sizeof count);
    size_t local[3] = {count * width <= most ? count * width : 0, 1, 1};
    if (!local[0]) /* no work-group of that many */
      local[1] = local[2] = 0;
    return info_put(n, to, ret, local, n ? n : sizeof local);
  }
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    return INFO(size_t, (most + width - 1) / width);
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return INFO(size_t, 0);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_sub_group_info name,
                                           size_t in_bytes, const void *in, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = sub_group_info(k, d, name, in_bytes, in, n, to, ret);
  ocl_unlock();
  return r;
}
