/* Contexts: there is one device, so a context is little more than a name for what belongs together. */
#include "opencl/ocl.h"
#include "opencl/api.h"

/* The list of properties, checked; *n counts its words, the final 0 too. */
static cl_int check_properties(const cl_context_properties *list, size_t *n) {
  *n = 0;
  if (!list)
    return CL_SUCCESS;
  bool platform = false, sync = false;
  for (; list[*n]; *n += 2) {
    bool *seen = list[*n] == CL_CONTEXT_PLATFORM            ? &platform
                 : list[*n] == CL_CONTEXT_INTEROP_USER_SYNC ? &sync
                                                            : NULL;
    if (!seen || *seen)
      return CL_INVALID_PROPERTY;
    *seen = true;
    if (seen == &platform && list[*n + 1] != (cl_context_properties)(intptr_t)ocl_platform())
      return CL_INVALID_PLATFORM;
  }
  ++*n;
  return CL_SUCCESS;
}

static cl_context create(const cl_context_properties *properties, cl_int *err) {
  size_t n;
  cl_int bad = check_properties(properties, &n);
  if (bad)
    return fail(err, bad);
  cl_context c = object_new(KIND_CONTEXT, sizeof *c);
  c->nproperties = n;
  if (n) {
    c->properties = xmalloc(n * sizeof *c->properties);
    memcpy(c->properties, properties, n * sizeof *c->properties);
  }
  return succeed(err, c);
}

/* `notify` would tell of errors in the background; there are none, everything is reported by the call. */
cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint n,
                                       const cl_device_id *devices,
                                       void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                       void *data, cl_int *err) {
  if (!devices || !n || (!notify && data))
    return fail(err, CL_INVALID_VALUE);
  ocl_lock();
  cl_context c = NULL;
  cl_uint good = 0;
  while (good < n && object_is(devices[good], KIND_DEVICE))
    good++;
  c = good == n ? create(properties, err) : fail(err, CL_INVALID_DEVICE);
  ocl_unlock();
  return c;
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                               void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                         void *),
                                               void *data, cl_int *err) {
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (!notify && data)
    return fail(err, CL_INVALID_VALUE);
  if (!type || (type != CL_DEVICE_TYPE_ALL && type & ~known))
    return fail(err, CL_INVALID_DEVICE_TYPE);
  ocl_lock();
  cl_context c = create(properties, err);
  ocl_unlock();
  return c;
}

void context_destroy(cl_context c) {
  while (c->callbacks) { /* the last registered is called first */
    struct context_callback *k = c->callbacks;
    c->callbacks = k->next;
    callback_context(c, k->fn, k->data);
    free(k);
  }
  free(c->properties);
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context c, void(CL_CALLBACK *fn)(cl_context, void *),
                                                  void *data) {
  ocl_lock();
  cl_int r = !object_is(c, KIND_CONTEXT) ? CL_INVALID_CONTEXT : !fn ? CL_INVALID_VALUE : CL_SUCCESS;
  if (!r) {
    struct context_callback *k = xcalloc(1, sizeof *k);
    *k = (struct context_callback){.fn = fn, .data = data, .next = c->callbacks};
    c->callbacks = k;
  }
  ocl_unlock();
  return r;
}

static cl_int context_info(cl_context c, cl_context_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(c, KIND_CONTEXT))
    return CL_INVALID_CONTEXT;
  switch (name) {
  case CL_CONTEXT_REFERENCE_COUNT:
    return INFO(cl_uint, c->o.refs);
  case CL_CONTEXT_NUM_DEVICES:
    return INFO(cl_uint, 1);
  case CL_CONTEXT_DEVICES:
    return INFO(cl_device_id, ocl_platform()->device);
  case CL_CONTEXT_PROPERTIES:
    return info_put(n, to, ret, c->properties, c->nproperties * sizeof *c->properties);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetContextInfo(cl_context c, cl_context_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = context_info(c, name, n, to, ret);
  ocl_unlock();
  return r;
}

RETAIN_RELEASE(Context, cl_context, KIND_CONTEXT, CL_INVALID_CONTEXT)
