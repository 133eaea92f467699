/* What a program says of itself. */
#include "opencl/ocl.h"
#include "opencl/api.h"

static cl_int kernel_names(cl_program p, size_t n, void *to, size_t *ret) {
  struct strbuf names = {0};
  for (size_t i = 0; i < sim_kernels(p->module->sim); i++)
    strbuf_addf(&names, "%s%s", i ? ";" : "", sim_kernel_at(p->module->sim, i)->name);
  cl_int r = info_string(n, to, ret, strbuf_str(&names));
  strbuf_free(&names);
  return r;
}

/* `to` is an array of pointers, one for the device; a NULL one is passed over. */
static cl_int binaries(cl_program p, size_t n, void *to, size_t *ret) {
  if (to && n < sizeof(char *))
    return CL_INVALID_VALUE;
  if (to && *(unsigned char **)to && p->binary)
    memcpy(*(unsigned char **)to, p->binary, p->binary_bytes);
  if (ret)
    *ret = sizeof(char *);
  return CL_SUCCESS;
}

/* Bytes of variables in global memory, by their lines of PTX: [.visible] .global .align 4 .b8 name[12] = ..., .u32 name; */
static size_t global_bytes(const struct module *m) {
  size_t all = 0;
  for (const char *s = m->ptx, *end = s + m->ptx_bytes, *e; s < end; s = e) {
    e = memchr(s, '\n', (size_t)(end - s));
    e = e ? e + 1 : end;
    const char *at = strncmp(s, ".visible ", 9) == 0 ? s + 9 : s;
    unsigned bits = 0;
    unsigned long n = 1;
    char kind;
    if (sscanf(at, ".global .align %*u .%c%u %*[^][ ;=\n][%lu]", &kind, &bits, &n) >= 2)
      all += bits / 8 * n;
  }
  return all;
}

static cl_int program_info(cl_program p, cl_program_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(p, KIND_PROGRAM))
    return CL_INVALID_PROGRAM;
  switch (name) {
  case CL_PROGRAM_REFERENCE_COUNT:
    return INFO(cl_uint, p->o.refs);
  case CL_PROGRAM_CONTEXT:
    return INFO(cl_context, p->context);
  case CL_PROGRAM_NUM_DEVICES:
    return INFO(cl_uint, 1);
  case CL_PROGRAM_DEVICES:
    return INFO(cl_device_id, ocl_platform()->device);
  case CL_PROGRAM_SOURCE:
    return info_string(n, to, ret, p->source ? p->source : "");
  case CL_PROGRAM_IL:
    return info_put(n, to, ret, p->il, p->il_bytes);
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
    return INFO(cl_bool, CL_FALSE);
  case CL_PROGRAM_BINARY_SIZES:
    return INFO(size_t, p->binary ? p->binary_bytes : 0);
  case CL_PROGRAM_BINARIES:
    return binaries(p, n, to, ret);
  case CL_PROGRAM_NUM_KERNELS:
    return p->module ? INFO(size_t, sim_kernels(p->module->sim)) : CL_INVALID_PROGRAM_EXECUTABLE;
  case CL_PROGRAM_KERNEL_NAMES:
    return p->module ? kernel_names(p, n, to, ret) : CL_INVALID_PROGRAM_EXECUTABLE;
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetProgramInfo(cl_program p, cl_program_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = program_info(p, name, n, to, ret);
  ocl_unlock();
  return r;
}

static cl_int build_info(cl_program p, cl_device_id d, cl_program_build_info name, size_t n, void *to,
                         size_t *ret) {
  if (!object_is(p, KIND_PROGRAM))
    return CL_INVALID_PROGRAM;
  if (!object_is(d, KIND_DEVICE))
    return CL_INVALID_DEVICE;
  switch (name) {
  case CL_PROGRAM_BUILD_STATUS:
    return INFO(cl_build_status, p->status);
  case CL_PROGRAM_BUILD_OPTIONS:
    return info_string(n, to, ret, p->options ? p->options : "");
  case CL_PROGRAM_BUILD_LOG:
    return info_string(n, to, ret, p->log ? p->log : "");
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    return INFO(size_t, p->module ? global_bytes(p->module) : 0);
  case CL_PROGRAM_BINARY_TYPE:
    return INFO(cl_program_binary_type, p->type);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info name, size_t n,
                                         void *to, size_t *ret) {
  ocl_lock();
  cl_int r = build_info(p, d, name, n, to, ret);
  ocl_unlock();
  return r;
}
