/* Kernels and their arguments. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/image.h"

cl_kernel kernel_make(cl_program p, struct module *module, const struct kernel_info *info) {
  cl_kernel k = object_new(KIND_KERNEL, sizeof *k);
  k->program = p;
  object_hold(p);
  p->nkernels++;
  k->module = module;
  k->module->users++;
  k->info = info;
  k->described = ocl_kernel_read(k->module->ptx, k->module->ptx_bytes, info->name, &k->about);
  if (k->described && k->about.nargs != info->nparams) {
    ocl_kernel_free(&k->about);
    k->described = false;
  }
  k->args = xcalloc(info->nparams + 1u, sizeof *k->args);
  return k;
}

static cl_kernel create(cl_program p, const char *name, cl_int *err) {
  if (!object_is(p, KIND_PROGRAM))
    return fail(err, CL_INVALID_PROGRAM);
  if (!p->module)
    return fail(err, CL_INVALID_PROGRAM_EXECUTABLE);
  if (!name)
    return fail(err, CL_INVALID_VALUE);
  const struct kernel_info *info = sim_kernel(p->module->sim, name);
  return info ? succeed(err, kernel_make(p, p->module, info)) : fail(err, CL_INVALID_KERNEL_NAME);
}

cl_kernel CL_API_CALL clCreateKernel(cl_program p, const char *name, cl_int *err) {
  ocl_lock();
  cl_kernel k = create(p, name, err);
  ocl_unlock();
  return k;
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program p, cl_uint n, cl_kernel *kernels, cl_uint *count) {
  ocl_lock();
  cl_int r = !object_is(p, KIND_PROGRAM) ? CL_INVALID_PROGRAM
             : !p->module                ? CL_INVALID_PROGRAM_EXECUTABLE
                                         : CL_SUCCESS;
  if (!r) {
    size_t all = sim_kernels(p->module->sim);
    if (kernels && n < all)
      r = CL_INVALID_VALUE;
    for (size_t i = 0; !r && kernels && i < all; i++)
      kernels[i] = kernel_make(p, p->module, sim_kernel_at(p->module->sim, i));
    if (!r && count)
      *count = (cl_uint)all;
  }
  ocl_unlock();
  return r;
}

void kernel_destroy(cl_kernel k) {
  for (uint32_t i = 0; i < k->info->nparams; i++)
    free(k->args[i].value);
  free(k->args);
  if (k->described)
    ocl_kernel_free(&k->about);
  module_drop(k->module);
  k->program->nkernels--;
  object_drop(k->program);
}

/* What a parameter wants. PTX of others may not say; then the argument itself decides. */
enum wanted { WANT_VALUE, WANT_MEM, WANT_LOCAL, WANT_ANY, WANT_IMAGE, WANT_SAMPLER };

static enum wanted wanted(cl_kernel k, cl_uint i) {
  const struct ptx_var *v = &k->info->params[i];
  if (k->described && k->about.args[i].access != CL_KERNEL_ARG_ACCESS_NONE)
    return WANT_IMAGE;
  if (k->described && strcmp(k->about.args[i].type_name, "sampler_t") == 0)
    return WANT_SAMPLER;
  if (k->described) {
    switch (k->about.args[i].address) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    case CL_KERNEL_ARG_ADDRESS_CONSTANT:
      return WANT_MEM;
    case CL_KERNEL_ARG_ADDRESS_LOCAL:
      return WANT_LOCAL;
    default:
      return WANT_VALUE;
    }
  }
  if (v->ptr_space == PTX_SHARED)
    return WANT_LOCAL;
  if (v->ptr_space)
    return WANT_MEM;
  return v->size == 8 ? WANT_ANY : WANT_VALUE;
}

static void put(cl_kernel k, cl_uint i, struct arg a) {
  free(k->args[i].value);
  k->args[i] = a;
}

static cl_int set_value(cl_kernel k, cl_uint i, size_t n, const void *value) {
  if (n != k->info->params[i].size)
    return CL_INVALID_ARG_SIZE;
  if (!value)
    return CL_INVALID_ARG_VALUE;
  void *copy = xmalloc(n);
  memcpy(copy, value, n);
  put(k, i, (struct arg){.kind = ARG_VALUE, .value = copy});
  return CL_SUCCESS;
}

/* A kernel that reads an image needs one it may read. */
static bool image_fits(cl_mem m, const struct ocl_arg *a) {
  static const struct {
    const char *name;
    cl_mem_object_type type;
  } types[] = {{"image1d_t", CL_MEM_OBJECT_IMAGE1D},
               {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
               {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
               {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
               {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
               {"image3d_t", CL_MEM_OBJECT_IMAGE3D}};
  if ((a->access == CL_KERNEL_ARG_ACCESS_READ_ONLY && m->flags & CL_MEM_WRITE_ONLY) ||
      (a->access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY && m->flags & CL_MEM_READ_ONLY))
    return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(a->type_name, types[i].name) == 0)
      return m->image->type == types[i].type;
  return true; /* a name of the program's own */
}

static cl_int set_image(cl_kernel k, cl_uint i, size_t n, const void *value) {
  cl_mem m = NULL;
  if (n != sizeof m)
    return CL_INVALID_ARG_SIZE;
  if (value)
    memcpy(&m, value, sizeof m);
  if (!m || !object_is(m, KIND_MEM) || !m->image)
    return CL_INVALID_MEM_OBJECT;
  if (!image_fits(m, &k->about.args[i]))
    return CL_INVALID_ARG_VALUE;
  put(k, i, (struct arg){.kind = ARG_MEM, .mem = m});
  return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel k, cl_uint i, size_t n, const void *value) {
  cl_sampler s = NULL;
  if (n != sizeof s)
    return CL_INVALID_ARG_SIZE;
  if (value)
    memcpy(&s, value, sizeof s);
  if (!object_is(s, KIND_SAMPLER))
    return CL_INVALID_SAMPLER;
  uint64_t *word = xmalloc(sizeof *word);
  *word = sampler_word(s);
  put(k, i, (struct arg){.kind = ARG_SAMPLER, .value = word});
  return CL_SUCCESS;
}

static cl_int set_mem(cl_kernel k, cl_uint i, size_t n, const void *value) {
  if (n != sizeof(cl_mem))
    return CL_INVALID_ARG_SIZE;
  cl_mem m = NULL;
  if (value)
    memcpy(&m, value, sizeof m);
  if (m && (!object_is(m, KIND_MEM) || m->image))
    return CL_INVALID_MEM_OBJECT;
  put(k, i, (struct arg){.kind = ARG_MEM, .mem = m});
  return CL_SUCCESS;
}

static cl_int set_local(cl_kernel k, cl_uint i, size_t n, const void *value) {
  if (value)
    return CL_INVALID_ARG_VALUE;
  if (!n)
    return CL_INVALID_ARG_SIZE;
  put(k, i, (struct arg){.kind = ARG_LOCAL, .local = n});
  return CL_SUCCESS;
}

static cl_int set_any(cl_kernel k, cl_uint i, size_t n, const void *value) {
  cl_mem m = NULL;
  if (!value)
    return set_local(k, i, n, value);
  if (n == sizeof m)
    memcpy(&m, value, sizeof m);
  return m && object_is(m, KIND_MEM) ? set_mem(k, i, n, value) : set_value(k, i, n, value);
}

static cl_int set_arg(cl_kernel k, cl_uint i, size_t n, const void *value) {
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  if (i >= k->info->nparams)
    return CL_INVALID_ARG_INDEX;
  switch (wanted(k, i)) {
  case WANT_MEM:
    return set_mem(k, i, n, value);
  case WANT_LOCAL:
    return set_local(k, i, n, value);
  case WANT_IMAGE:
    return set_image(k, i, n, value);
  case WANT_SAMPLER:
    return set_sampler(k, i, n, value);
  case WANT_ANY:
    return set_any(k, i, n, value);
  default:
    return set_value(k, i, n, value);
  }
}

cl_int kernel_set_pointer(cl_kernel k, cl_uint i, const void *p) {
  if (i >= k->info->nparams)
    return CL_INVALID_ARG_INDEX;
  enum wanted w = wanted(k, i);
  if ((w != WANT_MEM && w != WANT_ANY) || k->info->params[i].size != sizeof p)
    return CL_INVALID_ARG_VALUE;
  uint64_t *word = xmalloc(sizeof *word);
  *word = (uintptr_t)p;
  put(k, i, (struct arg){.kind = ARG_VALUE, .value = word});
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel k, cl_uint i, size_t n, const void *value) {
  ocl_lock();
  cl_int r = set_arg(k, i, n, value);
  ocl_unlock();
  return r;
}

static cl_int kernel_info(cl_kernel k, cl_kernel_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  switch (name) {
  case CL_KERNEL_FUNCTION_NAME:
    return info_string(n, to, ret, k->info->name);
  case CL_KERNEL_NUM_ARGS:
    return INFO(cl_uint, k->info->nparams);
  case CL_KERNEL_REFERENCE_COUNT:
    return INFO(cl_uint, k->o.refs);
  case CL_KERNEL_CONTEXT:
    return INFO(cl_context, k->program->context);
  case CL_KERNEL_PROGRAM:
    return INFO(cl_program, k->program);
  case CL_KERNEL_ATTRIBUTES:
    return info_string(n, to, ret, k->described ? k->about.attributes : "");
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel k, cl_kernel_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = kernel_info(k, name, n, to, ret);
  ocl_unlock();
  return r;
}

static cl_int arg_info(cl_kernel k, cl_uint i, cl_kernel_arg_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  if (i >= k->info->nparams)
    return CL_INVALID_ARG_INDEX;
  if (!k->described)
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
  const struct ocl_arg *a = &k->about.args[i];
  switch (name) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
    return INFO(cl_kernel_arg_address_qualifier, a->address);
  case CL_KERNEL_ARG_ACCESS_QUALIFIER:
    return INFO(cl_kernel_arg_access_qualifier, a->access);
  case CL_KERNEL_ARG_TYPE_NAME:
    return info_string(n, to, ret, a->type_name);
  case CL_KERNEL_ARG_TYPE_QUALIFIER:
    return INFO(cl_kernel_arg_type_qualifier, a->type_qualifiers);
  case CL_KERNEL_ARG_NAME:
    return info_string(n, to, ret, a->name);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_kernel_arg_info name, size_t n, void *to,
                                      size_t *ret) {
  ocl_lock();
  cl_int r = arg_info(k, i, name, n, to, ret);
  ocl_unlock();
  return r;
}

void kernel_required_size(cl_kernel k, size_t size[3]) {
  for (int d = 0; d < 3; d++) {
    size[d] = k->described ? k->about.reqd_size[d] : 0;
    if (!size[d] && k->info->reqntid[0])
      size[d] = k->info->reqntid[d] ? k->info->reqntid[d] : 1;
  }
}

size_t kernel_group_max(cl_kernel k) {
  size_t most = ocl_platform()->device->group_max, own = 1;
  for (int d = 0; d < 3; d++)
    own *= k->info->maxntid[d] ? k->info->maxntid[d] : 1;
  return k->info->maxntid[0] && own < most ? own : most;
}

uint64_t kernel_local_bytes(cl_kernel k) {
  uint64_t n = k->info->static_shared;
  for (uint32_t i = 0; i < k->info->nparams; i++)
    if (k->args[i].kind == ARG_LOCAL)
      n = (n + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN + k->args[i].local;
  return n;
}

static cl_int group_info(cl_kernel k, cl_device_id d, cl_kernel_work_group_info name, size_t n, void *to,
                         size_t *ret) {
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  if (d && !object_is(d, KIND_DEVICE))
    return CL_INVALID_DEVICE;
  size_t required[3];
  switch (name) {
  case CL_KERNEL_WORK_GROUP_SIZE:
    return INFO(size_t, kernel_group_max(k));
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
    kernel_required_size(k, required);
    return info_put(n, to, ret, required, sizeof required);
  case CL_KERNEL_LOCAL_MEM_SIZE:
    return INFO(cl_ulong, kernel_local_bytes(k));
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return INFO(size_t, sim_warp_width(ocl_sim()));
  case CL_KERNEL_PRIVATE_MEM_SIZE:
    return INFO(cl_ulong, k->info->local_bytes);
  default: /* CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels */
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info name,
                                            size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = group_info(k, d, name, n, to, ret);
  ocl_unlock();
  return r;
}

RETAIN_RELEASE(Kernel, cl_kernel, KIND_KERNEL, CL_INVALID_KERNEL)
