/* clEnqueueNDRangeKernel: an index space becomes a grid, arguments become a parameter block. */
#include "opencl/ocl.h"
#include "opencl/api.h"
#include "opencl/image.h"
#include <stdio.h>

struct range {
  size_t global[3], local[3], offset[3];
  cl_uint dims;
};

/* What runs later: everything is copied, so that the program may set new arguments at once. */
struct pending {
  struct module *module;
  struct launch launch;
  uint8_t *params;
};

static cl_int run_kernel(struct command *c, uint64_t *ns) {
  struct pending *p = c->data;
  int code = sim_launch(ocl_sim(), p->module->sim, &p->launch, ns);
  if (!code)
    return CL_SUCCESS;
  c->queue->context->lost = true; /* as after a fault on a GPU */
  return CL_OUT_OF_RESOURCES;
}

static void discard(struct command *c) {
  struct pending *p = c->data;
  free(p->params);
  module_drop(p->module);
}

/* The largest divisor of n that is at most `most`, a multiple of `of` if there is one. */
static size_t divisor(size_t n, size_t most, size_t of) {
  size_t best = 1, even = 0;
  for (size_t d = 1; d <= most && d <= n; d++)
    if (n % d == 0) {
      best = d;
      if (d % of == 0)
        even = d;
    }
  return even ? even : best;
}

/* The program leaves the work-group to us: warps filled along x, up to 256 items. */
static void choose_local(cl_kernel k, struct range *r) {
  size_t left = kernel_group_max(k), warp = sim_warp_width(ocl_sim());
  left = left < 256 ? left : 256;
  static const size_t most[3] = {256, 256, 64};
  for (cl_uint d = 0; d < 3; d++) {
    size_t limit = left < most[d] ? left : most[d];
    if (d == 0 && r->dims > 1 && limit > 16 && r->global[1] > 1)
      limit = 16; /* leave room for the other dimensions: tiles rather than rows */
    r->local[d] = divisor(r->global[d], limit, d ? 1 : limit < warp ? 16 : warp);
    left /= r->local[d];
  }
}

static cl_int read_global(struct range *r, cl_uint dims, const size_t *offset, const size_t *global) {
  if (dims < 1 || dims > 3)
    return CL_INVALID_WORK_DIMENSION;
  if (!global)
    return CL_INVALID_GLOBAL_WORK_SIZE;
  r->dims = dims;
  for (cl_uint d = 0; d < 3; d++) {
    r->global[d] = d < dims ? global[d] : 1;
    r->offset[d] = d < dims && offset ? offset[d] : 0;
    if (!r->global[d] || r->global[d] > UINT32_MAX)
      return CL_INVALID_GLOBAL_WORK_SIZE;
    if (r->offset[d] > UINT32_MAX)
      return CL_INVALID_GLOBAL_OFFSET;
  }
  return CL_SUCCESS;
}

static cl_int read_local(cl_kernel k, struct range *r, const size_t *local) {
  size_t required[3], most[3] = {0}, product = 1, all = kernel_group_max(k);
  kernel_required_size(k, required);
  if (!local && required[0])
    return CL_INVALID_WORK_GROUP_SIZE;
  if (!local)
    choose_local(k, r);
  for (cl_uint d = 0; local && d < 3; d++)
    r->local[d] = d < r->dims ? local[d] : 1;
  size_t device_max = ocl_platform()->device->group_max;
  most[0] = most[1] = device_max, most[2] = device_max < 64 ? device_max : 64;
  for (cl_uint d = 0; d < 3; d++) {
    if (!r->local[d] || (required[0] && r->local[d] != required[d]))
      return CL_INVALID_WORK_GROUP_SIZE;
    if (r->local[d] > most[d])
      return CL_INVALID_WORK_ITEM_SIZE;
    if (r->global[d] % r->local[d])
      return CL_INVALID_WORK_GROUP_SIZE;
    product *= r->local[d];
  }
  if (product <= all)
    return CL_SUCCESS;
  fprintf(stderr, "sluice: kernel '%s' cannot start: work-groups of %zu items, at most %zu fit\n",
          k->info->name, product, all);
  return CL_INVALID_WORK_GROUP_SIZE;
}

static void tell_unset(cl_kernel k, uint32_t i) {
  fprintf(stderr, "sluice: kernel '%s' cannot start: argument %u%s%s%s was not set\n", k->info->name, i,
          k->described ? " ('" : "", k->described ? k->about.args[i].name : "", k->described ? "')" : "");
}

static cl_int check_args(cl_kernel k, cl_command_queue q) {
  for (uint32_t i = 0; i < k->info->nparams; i++) {
    const struct arg *a = &k->args[i];
    if (a->kind == ARG_UNSET) {
      tell_unset(k, i);
      return CL_INVALID_KERNEL_ARGS;
    }
    if (a->kind != ARG_MEM || !a->mem)
      continue;
    if (!object_is(a->mem, KIND_MEM)) /* released since it was set */
      return CL_INVALID_KERNEL_ARGS;
    if (a->mem->context != q->context)
      return CL_INVALID_CONTEXT;
  }
  uint64_t local = kernel_local_bytes(k), most = sim_gpu(ocl_sim())->core.shared_bytes;
  if (local <= most)
    return CL_SUCCESS;
  fprintf(stderr,
          "sluice: kernel '%s' cannot start: it needs %llu bytes of local memory, the GPU has %llu "
          "(sm.shared_bytes)\n",
          k->info->name, (unsigned long long)local, (unsigned long long)most);
  return CL_OUT_OF_RESOURCES;
}

/* Local arguments follow the kernel's own shared variables; their value is where they begin. */
static void fill_params(cl_kernel k, struct pending *p) {
  uint64_t first = (k->info->static_shared + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN, at = first;
  for (uint32_t i = 0; i < k->info->nparams; i++) {
    const struct arg *a = &k->args[i];
    uint64_t address = a->kind == ARG_LOCAL ? at
                       : !a->mem            ? 0
                       : a->mem->image      ? a->mem->image->header
                                            : a->mem->address;
    const void *from = a->value ? a->value : &address;
    uint64_t size = k->info->params[i].size;
    memcpy(p->params + k->info->param_offset[i], from, a->kind == ARG_VALUE || size < 8 ? size : 8);
    if (a->kind == ARG_LOCAL)
      at = (at + a->local + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
  }
  p->launch.dynamic_shared = at - first;
}

static void fill_launch(cl_kernel k, const struct range *r, struct pending *p) {
  p->module = k->module;
  p->module->users++;
  p->params = xcalloc(1, k->info->param_bytes + 1u);
  fill_params(k, p);
  p->launch.kernel = k->info->name;
  p->launch.params = p->params;
  p->launch.dims = r->dims;
  for (int d = 0; d < 3; d++) {
    p->launch.block[d] = (uint32_t)r->local[d];
    p->launch.grid[d] = (uint32_t)(r->global[d] / r->local[d]);
    p->launch.offset[d] = (uint32_t)r->offset[d];
  }
}

static cl_int enqueue(cl_command_queue q, cl_kernel k, cl_command_type type, cl_uint dims,
                      const size_t *offset, const size_t *global, const size_t *local, cl_uint n,
                      const cl_event *list, cl_event *event) {
  if (!object_is(q, KIND_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(k, KIND_KERNEL))
    return CL_INVALID_KERNEL;
  if (k->program->context != q->context)
    return CL_INVALID_CONTEXT;
  struct range r;
  cl_int bad = check_args(k, q);
  if (!bad)
    bad = read_global(&r, dims, offset, global);
  if (!bad)
    bad = read_local(k, &r, local);
  struct command *c = bad ? NULL : command_new(q, type, n, list, sizeof(struct pending), &bad);
  if (!c)
    return bad;
  fill_launch(k, &r, c->data);
  c->run = run_kernel;
  c->discard = discard;
  command_hold(c, k);
  for (uint32_t i = 0; i < k->info->nparams; i++)
    command_hold(c, k->args[i].kind == ARG_MEM ? k->args[i].mem : NULL);
  return command_submit(c, CL_FALSE, event);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
                                          const size_t *global, const size_t *local, cl_uint n,
                                          const cl_event *list, cl_event *event) {
  ocl_lock();
  cl_int r = enqueue(q, k, CL_COMMAND_NDRANGE_KERNEL, dims, offset, global, local, n, list, event);
  ocl_unlock();
  return r;
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint n, const cl_event *list,
                                 cl_event *event) {
  static const size_t one = 1;
  ocl_lock();
  cl_int r = enqueue(q, k, CL_COMMAND_TASK, 1, NULL, &one, &one, n, list, event);
  ocl_unlock();
  return r;
}
