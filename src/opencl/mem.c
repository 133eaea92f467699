/* Buffers and sub-buffers. A buffer's bytes lie in the host's memory: the program's own with
 * CL_MEM_USE_HOST_PTR, so that nothing is ever out of date, else the device's. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/image.h"
#include <stdio.h>

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags host_access =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags host_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

static bool at_most_one(cl_mem_flags f) {
  return !(f & (f - 1));
}

/* AMD's placement in memory (cl_ext.h, CL_MEM_USE_PERSISTENT_MEM_AMD): a hint, which means nothing here. */
static const cl_mem_flags hints = 1u << 6;

static bool flags_fit(cl_mem_flags f) {
  return !(f & ~(access_flags | host_access | host_flags)) && at_most_one(f & access_flags) &&
         at_most_one(f & host_access) &&
         !(f & CL_MEM_USE_HOST_PTR && f & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

bool mem_flags_fit(cl_mem_flags *flags) {
  if (*flags & hints && !ocl_platform()->told_hints)
    fprintf(stderr, "sluice: memory flags of AMD's (0x%llx) are hints, and ignored\n",
            (unsigned long long)(*flags & hints));
  ocl_platform()->told_hints |= (*flags & hints) != 0;
  *flags &= ~hints;
  return flags_fit(*flags);
}

static cl_mem create(cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *err) {
  if (!object_is(c, KIND_CONTEXT))
    return fail(err, CL_INVALID_CONTEXT);
  if (!mem_flags_fit(&flags))
    return fail(err, CL_INVALID_VALUE);
  if (!size || size > device_largest_buffer(ocl_platform()->device))
    return fail(err, CL_INVALID_BUFFER_SIZE);
  if (!host != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(err, CL_INVALID_HOST_PTR);
  struct sim *s = ocl_sim();
  bool shared = flags & CL_MEM_USE_HOST_PTR && svm_is(host); /* pointers in it stay what they are */
  uint64_t at = shared ? (uintptr_t)host : sim_alloc(s, size, flags & CL_MEM_USE_HOST_PTR ? host : NULL);
  if (!at)
    return fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  cl_mem m = object_new(KIND_MEM, sizeof *m);
  m->context = c;
  object_hold(c);
  m->size = size;
  m->shared = shared;
  m->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
  m->host_ptr = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
  m->address = at;
  m->bytes = sim_bytes(s, at);
  if (flags & CL_MEM_COPY_HOST_PTR)
    memcpy(m->bytes, host, size);
  return succeed(err, m);
}

cl_mem CL_API_CALL clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *err) {
  ocl_lock();
  cl_mem m = create(c, flags, size, host, err);
  ocl_unlock();
  return m;
}

void mem_keep_properties(cl_mem m, const cl_mem_properties *list) {
  if (!m || !list)
    return;
  m->nproperties = 1; /* none is known but the 0 at the end */
  m->properties = xcalloc(1, sizeof *m->properties);
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context c, const cl_mem_properties *list,
                                                cl_mem_flags flags, size_t size, void *host, cl_int *err) {
  ocl_lock();
  bool good = !list || !*list || !object_is(c, KIND_CONTEXT);
  cl_mem m = good ? create(c, flags, size, host, err) : fail(err, CL_INVALID_PROPERTY);
  mem_keep_properties(m, list);
  ocl_unlock();
  return m;
}

/* What a sub-buffer does not say itself comes from its parent; it may not allow more. */
static bool inherit(cl_mem_flags *flags, cl_mem_flags parent) {
  if (!flags_fit(*flags) || *flags & host_flags)
    return false;
  if ((parent & CL_MEM_WRITE_ONLY && *flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) ||
      (parent & CL_MEM_READ_ONLY && *flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) ||
      (parent & CL_MEM_HOST_WRITE_ONLY && *flags & CL_MEM_HOST_READ_ONLY) ||
      (parent & CL_MEM_HOST_READ_ONLY && *flags & CL_MEM_HOST_WRITE_ONLY) ||
      (parent & CL_MEM_HOST_NO_ACCESS && *flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)))
    return false;
  if (!(*flags & access_flags))
    *flags |= parent & access_flags;
  if (!(*flags & host_access))
    *flags |= parent & host_access;
  *flags |= parent & host_flags;
  return true;
}

static cl_mem sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
                         cl_int *err) {
  if (!object_is(parent, KIND_MEM) || parent->parent || parent->image)
    return fail(err, CL_INVALID_MEM_OBJECT);
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !info || !inherit(&flags, parent->flags))
    return fail(err, CL_INVALID_VALUE);
  const cl_buffer_region *r = info;
  if (!r->size)
    return fail(err, CL_INVALID_BUFFER_SIZE);
  if (r->origin > parent->size || r->size > parent->size - r->origin)
    return fail(err, CL_INVALID_VALUE);
  if (r->origin % DEVICE_BASE_ALIGN)
    return fail(err, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  cl_mem m = object_new(KIND_MEM, sizeof *m);
  m->context = parent->context;
  object_hold(m->context);
  m->parent = parent;
  object_hold(parent);
  m->origin = r->origin;
  m->size = r->size;
  m->flags = flags;
  m->host_ptr = parent->host_ptr ? (uint8_t *)parent->host_ptr + r->origin : NULL;
  m->address = parent->address + r->origin;
  m->bytes = parent->bytes + r->origin;
  return succeed(err, m);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void *info, cl_int *err) {
  ocl_lock();
  cl_mem m = sub_buffer(parent, flags, type, info, err);
  ocl_unlock();
  return m;
}

void mem_destroy(cl_mem m) {
  while (m->callbacks) { /* the last registered is called first */
    struct mem_callback *c = m->callbacks;
    m->callbacks = c->next;
    callback_mem(m, c);
    free(c);
  }
  if (m->image)
    for (size_t i = 0; i < m->nmaps && !m->host_ptr; i++)
      free(m->maps[i].at);
  if (m->image)
    image_destroy(m);
  if (!m->parent && !m->shared)
    sim_free(ocl_sim(), m->address);
  free(m->maps);
  free(m->properties);
  object_drop(m->parent);
  object_drop(m->context);
}

static cl_int mem_info(cl_mem m, cl_mem_info name, size_t n, void *to, size_t *ret) {
  if (!object_is(m, KIND_MEM))
    return CL_INVALID_MEM_OBJECT;
  switch (name) {
  case CL_MEM_TYPE:
    return INFO(cl_mem_object_type, m->image ? m->image->type : CL_MEM_OBJECT_BUFFER);
  case CL_MEM_FLAGS:
    return INFO(cl_mem_flags, m->flags);
  case CL_MEM_SIZE:
    return INFO(size_t, m->size);
  case CL_MEM_HOST_PTR:
    return INFO(void *, m->host_ptr);
  case CL_MEM_MAP_COUNT:
    return INFO(cl_uint, (cl_uint)m->nmaps);
  case CL_MEM_REFERENCE_COUNT:
    return INFO(cl_uint, m->o.refs);
  case CL_MEM_CONTEXT:
    return INFO(cl_context, m->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return INFO(cl_mem, m->parent);
  case CL_MEM_OFFSET:
    return INFO(size_t, m->origin);
  case CL_MEM_USES_SVM_POINTER:
    return INFO(cl_bool, m->shared || (m->parent && m->parent->shared));
  case CL_MEM_PROPERTIES:
    return info_put(n, to, ret, m->properties, m->nproperties * sizeof *m->properties);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem m, cl_mem_info name, size_t n, void *to, size_t *ret) {
  ocl_lock();
  cl_int r = mem_info(m, name, n, to, ret);
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem m, void(CL_CALLBACK *fn)(cl_mem, void *),
                                                    void *data) {
  ocl_lock();
  cl_int r = !object_is(m, KIND_MEM) ? CL_INVALID_MEM_OBJECT : !fn ? CL_INVALID_VALUE : CL_SUCCESS;
  if (r == CL_SUCCESS) {
    struct mem_callback *c = xcalloc(1, sizeof *c);
    *c = (struct mem_callback){.fn = fn, .data = data, .next = m->callbacks};
    m->callbacks = c;
  }
  ocl_unlock();
  return r;
}

RETAIN_RELEASE(MemObject, cl_mem, KIND_MEM, CL_INVALID_MEM_OBJECT)
