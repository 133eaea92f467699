/* Samplers. Kernels get one as a word of the same bits that the compiler makes of a sampler written in OpenCL C. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/image.h"

static cl_sampler create(cl_context c, cl_bool normalized, cl_addressing_mode addressing,
                         cl_filter_mode filter, cl_int *err) {
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  bool folds = addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT;
  if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
      (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR) || (folds && !normalized))
    return fail(err, CL_INVALID_VALUE);
  cl_sampler s = object_new(KIND_SAMPLER, sizeof *s);
  s->context = c;
  object_hold(c);
  s->normalized = normalized != CL_FALSE;
  s->addressing = addressing;
  s->filter = filter;
  return succeed(err, s);
}

uint64_t sampler_word(cl_sampler s) {
  return (s->normalized ? 1u : 0u) |
         (s->addressing == CL_ADDRESS_NONE ? 0u : (s->addressing - CL_ADDRESS_NONE) * 2u) |
         (s->filter == CL_FILTER_LINEAR ? 0x20u : 0x10u);
}

cl_sampler CL_API_CALL clCreateSampler(cl_context c, cl_bool normalized, cl_addressing_mode addressing,
                                       cl_filter_mode filter, cl_int *err) {
  ocl_lock();
  cl_sampler s = create(c, normalized, addressing, filter, err);
  ocl_unlock();
  return s;
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context c, const cl_sampler_properties *list,
                                                     cl_int *err) {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  for (; list && *list; list += 2)
    switch (list[0]) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      normalized = (cl_bool)list[1];
      break;
    case CL_SAMPLER_ADDRESSING_MODE:
      addressing = (cl_addressing_mode)list[1];
      break;
    case CL_SAMPLER_FILTER_MODE:
      filter = (cl_filter_mode)list[1];
      break;
    default:
      return fail(err, CL_INVALID_VALUE);
    }
  return clCreateSampler(c, normalized, addressing, filter, err);
}

void sampler_destroy(cl_sampler s) {
  object_drop(s->context);
}

static cl_int sampler_info(cl_sampler s, cl_sampler_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(s, KIND_SAMPLER))
    return CL_INVALID_SAMPLER;
  switch (name) {
  case CL_SAMPLER_REFERENCE_COUNT:
    return INFO(cl_uint, s->o.refs);
  case CL_SAMPLER_CONTEXT:
    return INFO(cl_context, s->context);
  case CL_SAMPLER_NORMALIZED_COORDS:
    return INFO(cl_bool, s->normalized);
  case CL_SAMPLER_ADDRESSING_MODE:
    return INFO(cl_addressing_mode, s->addressing);
  case CL_SAMPLER_FILTER_MODE:
    return INFO(cl_filter_mode, s->filter);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler s, cl_sampler_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = sampler_info(s, name, n, to, ret);
  ocl_unlock();
  return r;
}

RETAIN_RELEASE(Sampler, cl_sampler, KIND_SAMPLER, CL_INVALID_SAMPLER)
