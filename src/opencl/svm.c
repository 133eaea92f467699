/* Shared virtual memory, in buffers: host and device have them at one address, and bytes lie there once. Mapping moves nothing
 * then; what it takes in simulated time is the transfer that a GPU without common memory makes. */
#include "opencl/ocl.h"
#include "opencl/api.h"

enum { SVM_ALIGN = DEVICE_BASE_ALIGN };

static void *svm_alloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint align) {
  const cl_svm_mem_flags one = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  bool good = object_is(c, KIND_CONTEXT) && !(flags & ~one) && !(flags & (flags - 1)) && size &&
              size <= device_largest_buffer(ocl_platform()->device) && !(align & (align - 1)) &&
              align <= SVM_ALIGN;
  uint64_t at = good ? sim_alloc_unified(ocl_sim(), size) : 0;
  return (void *)(uintptr_t)at; /* NULL also for fine grain, which the device does not have */
}

void *CL_API_CALL clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint align) {
  ocl_lock();
  void *p = svm_alloc(c, flags, size, align);
  ocl_unlock();
  return p;
}

static void svm_free(void *p) {
  const struct devbuf *b = p ? sim_find(ocl_sim(), (uintptr_t)p) : NULL;
  if (b && b->addr == (uintptr_t)p && b->host == p)
    sim_free(ocl_sim(), (uintptr_t)p);
}

void CL_API_CALL clSVMFree(cl_context c, void *p) {
  ocl_lock();
  if (object_is(c, KIND_CONTEXT))
    svm_free(p);
  ocl_unlock();
}

bool svm_is(const void *p) {
  const struct devbuf *b = p ? sim_find(ocl_sim(), (uintptr_t)p) : NULL;
  return b && sim_bytes(ocl_sim(), (uintptr_t)p) == p;
}

struct release {
  void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *);
  void *data, **list;
  cl_uint n;
};

static cl_int run_free(struct command *c, uint64_t *ns) {
  struct release *r = c->data;
  (void)ns;
  if (r->fn)
    callback_svm(c->queue, r->fn, r->n, r->list, r->data);
  else
    for (cl_uint i = 0; i < r->n; i++)
      svm_free(r->list[i]);
  return CL_SUCCESS;
}

static void discard_free(struct command *c) {
  free(((struct release *)c->data)->list);
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue q, cl_uint count, void **pointers,
                                    void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *),
                                    void *data, cl_uint n, const cl_event *list, cl_event *event) {
  cl_int bad = !count != !pointers ? CL_INVALID_VALUE : CL_SUCCESS;
  ocl_lock();
  if (!object_is(q, KIND_QUEUE))
    bad = CL_INVALID_COMMAND_QUEUE;
  struct command *c = bad ? NULL : command_new(q, CL_COMMAND_SVM_FREE, n, list, sizeof(struct release), &bad);
  if (c) {
    struct release *r = c->data;
    *r = (struct release){fn, data, xcalloc(count + 1u, sizeof(void *)), count};
    if (count)
      memcpy(r->list, pointers, count * sizeof *pointers);
    c->run = run_free;
    c->discard = discard_free;
    bad = command_submit(c, CL_FALSE, event);
  }
  ocl_unlock();
  return bad;
}

struct copy {
  uint8_t *to;
  const uint8_t *from;
  size_t bytes;
};

static cl_int run_copy(struct command *c, uint64_t *ns) {
  const struct copy *k = c->data;
  bool within = svm_is(k->to) && svm_is(k->from);
  memcpy(k->to, k->from, k->bytes);
  *ns = within ? sim_copy_ns(ocl_sim(), k->bytes) : sim_transfer_ns(ocl_sim(), k->bytes);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue q, cl_bool blocking, void *to, const void *from,
                                      size_t bytes, cl_uint n, const cl_event *list, cl_event *event) {
  uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
  cl_int bad = CL_SUCCESS;
  ocl_lock();
  if (!object_is(q, KIND_QUEUE))
    bad = CL_INVALID_COMMAND_QUEUE;
  else if (bytes && (!to || !from))
    bad = CL_INVALID_VALUE;
  else if (bytes && a < b + bytes && b < a + bytes)
    bad = CL_MEM_COPY_OVERLAP;
  struct command *c = bad ? NULL : command_new(q, CL_COMMAND_SVM_MEMCPY, n, list, sizeof(struct copy), &bad);
  if (c) {
    if (bytes) {
      *(struct copy *)c->data = (struct copy){to, from, bytes};
      c->run = run_copy;
    }
    bad = command_submit(c, blocking, event);
  }
  ocl_unlock();
  return bad;
}

struct fill {
  uint8_t *to;
  size_t bytes, pattern_bytes;
  uint8_t pattern[128];
};

static cl_int run_fill(struct command *c, uint64_t *ns) {
  const struct fill *f = c->data;
  for (size_t i = 0; i < f->bytes; i += f->pattern_bytes)
    memcpy(f->to + i, f->pattern, f->pattern_bytes);
  *ns = sim_copy_ns(ocl_sim(), f->bytes);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue q, void *to, const void *pattern,
                                       size_t pattern_bytes, size_t bytes, cl_uint n, const cl_event *list,
                                       cl_event *event) {
  cl_int bad = CL_SUCCESS;
  ocl_lock();
  if (!object_is(q, KIND_QUEUE))
    bad = CL_INVALID_COMMAND_QUEUE;
  else if (!to || !pattern || !pattern_bytes || pattern_bytes > 128 || pattern_bytes & (pattern_bytes - 1) ||
           (uintptr_t)to % pattern_bytes || bytes % pattern_bytes)
    bad = CL_INVALID_VALUE;
  struct command *c = bad ? NULL : command_new(q, CL_COMMAND_SVM_MEMFILL, n, list, sizeof(struct fill), &bad);
  if (c) {
    struct fill *f = c->data;
    *f = (struct fill){.to = to, .bytes = bytes, .pattern_bytes = pattern_bytes};
    memcpy(f->pattern, pattern, pattern_bytes);
    c->run = run_fill;
    bad = command_submit(c, CL_FALSE, event);
  }
  ocl_unlock();
  return bad;
}

static cl_int run_move(struct command *c, uint64_t *ns) {
  *ns = sim_transfer_ns(ocl_sim(), *(const size_t *)c->data);
  return CL_SUCCESS;
}

static cl_int move(cl_command_queue q, cl_command_type type, cl_bool blocking, size_t bytes, cl_uint n,
                   const cl_event *list, cl_event *event) {
  cl_int bad = CL_SUCCESS;
  struct command *c = command_new(q, type, n, list, sizeof bytes, &bad);
  if (!c)
    return bad;
  memcpy(c->data, &bytes, sizeof bytes);
  if (bytes)
    c->run = run_move;
  return command_submit(c, blocking, event);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue q, cl_bool blocking, cl_map_flags flags, void *p,
                                   size_t bytes, cl_uint n, const cl_event *list, cl_event *event) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  ocl_lock();
  cl_int r = !object_is(q, KIND_QUEUE)        ? CL_INVALID_COMMAND_QUEUE
             : !p || !bytes || flags & ~known ? CL_INVALID_VALUE
             : flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)
                 ? CL_INVALID_VALUE
                 : CL_SUCCESS;
  if (!r)
    r = move(q, CL_COMMAND_SVM_MAP, blocking, flags & CL_MAP_WRITE_INVALIDATE_REGION ? 0 : bytes, n, list,
             event);
  ocl_unlock();
  return r;
}

/* How much was mapped is not told; what the program wrote goes back as a whole buffer. */
cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue q, void *p, cl_uint n, const cl_event *list,
                                     cl_event *event) {
  ocl_lock();
  cl_int r = !object_is(q, KIND_QUEUE) ? CL_INVALID_COMMAND_QUEUE : !p ? CL_INVALID_VALUE : CL_SUCCESS;
  const struct devbuf *b = r ? NULL : sim_find(ocl_sim(), (uintptr_t)p);
  if (!r)
    r = move(q, CL_COMMAND_SVM_UNMAP, CL_FALSE, b ? b->size : 0, n, list, event);
  ocl_unlock();
  return r;
}

/* One device: nothing moves. */
cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue q, cl_uint count, const void **pointers,
                                          const size_t *sizes, cl_mem_migration_flags flags, cl_uint n,
                                          const cl_event *list, cl_event *event) {
  (void)sizes;
  const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  ocl_lock();
  cl_int r = !object_is(q, KIND_QUEUE)               ? CL_INVALID_COMMAND_QUEUE
             : !count || !pointers || flags & ~known ? CL_INVALID_VALUE
                                                     : CL_SUCCESS;
  for (cl_uint i = 0; !r && i < count; i++)
    if (!svm_is(pointers[i]))
      r = CL_INVALID_VALUE;
  if (!r)
    r = move(q, CL_COMMAND_SVM_MIGRATE_MEM, CL_FALSE, 0, n, list, event);
  ocl_unlock();
  return r;
}
