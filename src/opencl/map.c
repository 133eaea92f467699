/* Mapping, and commands that only order others. A mapped pointer leads straight to the buffer's bytes, so
 * that both sides always see the same; what a map or unmap takes in simulated time is the transfer. */
#include "opencl/ocl.h"
#include "opencl/api.h"

static cl_int run_map(struct command *c, uint64_t *ns) {
  const struct mapping *m = c->data;
  bool moves = !(m->flags & CL_MAP_WRITE_INVALIDATE_REGION);
  *ns = moves ? sim_transfer_ns(ocl_sim(), m->size) : 0;
  return CL_SUCCESS;
}

static cl_int check_map(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t offset, size_t size) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(m, KIND_MEM) || m->image)
    return CL_INVALID_MEM_OBJECT;
  if (m->context != q->context)
    return CL_INVALID_CONTEXT;
  if (flags & ~known || (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)) ||
      !size || offset > m->size || size > m->size - offset)
    return CL_INVALID_VALUE;
  if ((flags & CL_MAP_READ && m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) ||
      (flags & ~(cl_map_flags)CL_MAP_READ && m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
    return CL_INVALID_OPERATION;
  return CL_SUCCESS;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
                                     size_t offset, size_t size, cl_uint n, const cl_event *list,
                                     cl_event *event, cl_int *err) {
  ocl_lock();
  cl_int bad = check_map(q, m, flags, offset, size);
  struct command *c =
      bad ? NULL : command_new(q, CL_COMMAND_MAP_BUFFER, n, list, sizeof(struct mapping), &bad);
  void *at = NULL;
  if (c) {
    struct mapping map = {.at = m->bytes + offset, .offset = offset, .size = size, .flags = flags};
    at = map.at;
    VEC_PUSH(m->maps, m->nmaps, m->cap_maps) = map;
    memcpy(c->data, &map, sizeof map);
    c->run = run_map;
    command_hold(c, m);
    bad = command_submit(c, blocking, event);
  }
  ocl_unlock();
  return bad ? fail(err, bad) : succeed(err, at);
}

struct unmapping {
  cl_mem mem;
  void *at;
};

static cl_int run_unmap(struct command *c, uint64_t *ns) {
  const struct unmapping *u = c->data;
  struct _cl_mem *m = u->mem;
  for (size_t i = m->nmaps; i-- > 0;)
    if (m->maps[i].at == u->at) {
      if (m->maps[i].flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        *ns = sim_transfer_ns(ocl_sim(), m->maps[i].size);
      if (m->image)
        image_unmap(m, &m->maps[i]);
      m->maps[i] = m->maps[--m->nmaps];
      return CL_SUCCESS;
    }
  return CL_SUCCESS; /* unmapped by a command that was enqueued before and ran meanwhile */
}

static cl_int unmap(cl_command_queue q, cl_mem m, void *at, cl_uint n, const cl_event *list,
                    cl_event *event) {
  cl_int bad = CL_SUCCESS;
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(m, KIND_MEM))
    return CL_INVALID_MEM_OBJECT;
  if (m->context != q->context)
    return CL_INVALID_CONTEXT;
  size_t i = 0;
  while (i < m->nmaps && m->maps[i].at != at)
    i++;
  if (i == m->nmaps)
    return CL_INVALID_VALUE;
  struct command *c = command_new(q, CL_COMMAND_UNMAP_MEM_OBJECT, n, list, sizeof(struct unmapping), &bad);
  if (!c)
    return bad;
  struct unmapping u = {m, at};
  memcpy(c->data, &u, sizeof u);
  c->run = run_unmap;
  command_hold(c, m);
  return command_submit(c, CL_FALSE, event);
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *at, cl_uint n,
                                           const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = unmap(q, m, at, n, list, event);
  ocl_unlock();
  return r;
}

/* There is one device and its memory is at hand: nothing to move. */
static cl_int migrate(cl_command_queue q, cl_uint count, const cl_mem *mems, cl_mem_migration_flags flags,
                      cl_uint n, const cl_event *list, cl_event *event) {
  cl_int bad = CL_SUCCESS;
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!count || !mems ||
      flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++) {
    if (!object_is(mems[i], KIND_MEM))
      return CL_INVALID_MEM_OBJECT;
    if (mems[i]->context != q->context)
      return CL_INVALID_CONTEXT;
  }
  struct command *c = command_new(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, n, list, 0, &bad);
  return c ? command_submit(c, CL_FALSE, event) : bad;
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint count, const cl_mem *mems,
                                              cl_mem_migration_flags flags, cl_uint n, const cl_event *list,
                                              cl_event *event) {
  ocl_lock();
  cl_int r = migrate(q, count, mems, flags, n, list, event);
  ocl_unlock();
  return r;
}

/* A command without work: it is over when those before it, or its wait list, are. */
static cl_int point(cl_command_queue q, cl_command_type type, enum order order, cl_uint n,
                    const cl_event *list, cl_event *event) {
  cl_int bad = CL_SUCCESS;
  ocl_lock();
  struct command *c = command_new(q, type, n, list, 0, &bad);
  if (c) {
    c->order = order;
    bad = command_submit(c, CL_FALSE, event);
  }
  ocl_unlock();
  return bad;
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *list,
                                               cl_event *event) {
  return point(q, CL_COMMAND_MARKER, n ? ORDER_FREE : ORDER_AFTER_ALL, n, list, event);
}
cl_int CL_API_CALL clEnqueueMarker(cl_command_queue q, cl_event *event) {
  return event ? point(q, CL_COMMAND_MARKER, ORDER_AFTER_ALL, 0, NULL, event) : CL_INVALID_VALUE;
}
cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n, const cl_event *list,
                                                cl_event *event) {
  return point(q, CL_COMMAND_BARRIER, n ? ORDER_GATE : ORDER_BARRIER, n, list, event);
}
cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue q) {
  return point(q, CL_COMMAND_BARRIER, ORDER_BARRIER, 0, NULL, NULL);
}

/* OpenCL 1.0's form of a barrier with a wait list. */
cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue q, cl_uint n, const cl_event *list) {
  if (!n || !list)
    return CL_INVALID_VALUE;
  cl_int r = point(q, CL_COMMAND_BARRIER, ORDER_GATE, n, list, NULL);
  return r == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : r;
}

/* The device runs kernels only: CL_DEVICE_EXECUTION_CAPABILITIES says so. */
cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue q, void(CL_CALLBACK *fn)(void *), void *args,
                                         size_t bytes, cl_uint nmems, const cl_mem *mems, const void **places,
                                         cl_uint n, const cl_event *list, cl_event *event) {
  (void)fn, (void)args, (void)bytes, (void)nmems, (void)mems, (void)places, (void)n, (void)list, (void)event;
  ocl_lock();
  bool is = object_is(q, KIND_QUEUE);
  ocl_unlock();
  return is ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
