/* Launches: arguments become a parameter block, limits are checked, the kernel runs. */
#include "cuda/cuda.h"
#include <limits.h>

size_t kernel_dynamic_limit(const struct kernel *k) {
  struct device_limits d = device_limits();
  size_t own = (size_t)k->info->static_shared;
  if (k->max_dynamic >= 0 && (size_t)k->max_dynamic > d.shared - (own < d.shared ? own : d.shared))
    return (size_t)k->max_dynamic;
  return own < d.shared ? d.shared - own : 0;
}

static uint64_t volume(const uint32_t v[3]) {
  return (uint64_t)v[0] * (v[1] ? v[1] : 1) * (v[2] ? v[2] : 1);
}

int kernel_max_threads(const struct kernel *k) {
  struct device_limits d = device_limits();
  uint64_t most = d.threads, bound = volume(k->info->maxntid[0] ? k->info->maxntid : k->info->reqntid);
  return (int)(bound && bound < most ? bound : most);
}

static int check_shape(const struct launch_wanted *w) {
  struct device_limits d = device_limits();
  uint64_t threads = (uint64_t)w->block.x * w->block.y * w->block.z;
  if (!w->grid.x || !w->grid.y || !w->grid.z || !threads)
    return CU_INVALID_CONFIGURATION;
  if (w->grid.x > INT_MAX || w->grid.y > 65535 || w->grid.z > 65535 || w->block.x > d.threads ||
      w->block.y > d.threads || w->block.z > 64 || threads > d.threads)
    return CU_INVALID_CONFIGURATION;
  if (threads > (uint64_t)kernel_max_threads(w->kernel))
    return CU_LAUNCH_OUT_OF_RESOURCES;
  const uint32_t *required = w->kernel->info->reqntid;
  if (required[0] && (w->block.x != required[0] || w->block.y != (required[1] ? required[1] : 1) ||
                      w->block.z != (required[2] ? required[2] : 1)))
    return CU_LAUNCH_OUT_OF_RESOURCES;
  return w->shared > kernel_dynamic_limit(w->kernel) ? CU_INVALID_VALUE : CU_SUCCESS;
}

/* CTAs of a cooperative launch wait for each other: all must be resident. */
static int check_cooperative(const struct launch_wanted *w) {
  int blocks;
  if (!w->cooperative)
    return CU_SUCCESS;
  int e = occupancy_blocks(w->kernel, (int)(w->block.x * w->block.y * w->block.z), w->shared, &blocks);
  uint64_t grid = (uint64_t)w->grid.x * w->grid.y * w->grid.z;
  if (!e && grid > (uint64_t)blocks * sim_gpu(cuda_sim())->sms)
    e = CU_COOPERATIVE_LAUNCH_TOO_LARGE;
  return e;
}

/* The exit code and the words of a failure as CUDA's error. */
static int failure(int code) {
  const char *why = sim_why(cuda_sim());
  if (code == EXIT_STALL)
    return CU_LAUNCH_TIMEOUT;
  if (code != EXIT_FAULT)
    return CU_UNKNOWN;
  return strstr(why, "assertion '")           ? CU_ASSERT
         : strstr(why, "which is misaligned") ? CU_MISALIGNED_ADDRESS
         : strstr(why, " bytes at 0x")        ? CU_ILLEGAL_ADDRESS
                                              : CU_LAUNCH_FAILURE;
}

/* As on a GPU, whoever launches a failing kernel learns of it with the next call. */
static int run(struct op *op, uint64_t *ns) {
  struct launch_op *l = (struct launch_op *)op;
  int e = kernel_prepare(l->kernel); /* a reset may have come between */
  if (e)
    return e;
  l->launch.kernel = l->kernel->info->name;
  l->launch.params = l->params;
  int code = sim_launch(cuda_sim(), l->kernel->image->module, &l->launch, ns);
  if (code)
    cuda_set_sticky(failure(code));
  return CU_SUCCESS;
}

static void discard(struct op *op) {
  free(((struct launch_op *)op)->params);
  free(((struct launch_op *)op)->each);
}

struct op *launch_op(const struct launch_wanted *w, int *error) {
  const struct kernel_info *k = w->kernel->info;
  if ((*error = check_shape(w)) || (*error = check_cooperative(w)))
    return NULL;
  if ((k->nparams && !w->params && !w->packed) || (w->packed && w->packed_bytes > k->param_bytes)) {
    *error = CU_INVALID_VALUE;
    return NULL;
  }
  struct launch_op *l = xcalloc(1, sizeof *l);
  l->op = (struct op){.run = run, .free = discard, .type = OP_KERNEL, .users = 1};
  l->kernel = w->kernel;
  l->params = xcalloc(1, k->param_bytes + 1u);
  if (w->packed)
    memcpy(l->params, w->packed, w->packed_bytes);
  for (uint32_t i = 0; w->params && !w->packed && i < k->nparams; i++)
    memcpy(l->params + k->param_offset[i], w->params[i], k->params[i].size);
  l->launch = (struct launch){.grid = {w->grid.x, w->grid.y, w->grid.z},
                              .block = {w->block.x, w->block.y, w->block.z},
                              .dynamic_shared = w->shared,
                              .cooperative = w->cooperative};
  return &l->op;
}

/* ---- the runtime's functions ---- */

static int launch(const void *func, void *stream, struct launch_wanted *w) {
  int e, bad;
  if (!stream_find(stream, &bad))
    return bad;
  w->kernel = kernel_find(func, &e);
  struct op *op = w->kernel ? launch_op(w, &e) : NULL;
  return op ? stream_submit(stream, op) : e;
}

API int cudaLaunchKernel(const void *func, struct dim3 grid, struct dim3 block, void **params, size_t shared,
                         void *stream) {
  struct launch_wanted w = {.grid = grid, .block = block, .params = params, .shared = shared};
  RUNTIME(launch(func, stream, &w));
}
API int __cudaLaunchKernel(void *kernel, struct dim3 grid, struct dim3 block, void **params, size_t shared,
                           void *stream);
API int __cudaLaunchKernel(void *kernel, struct dim3 grid, struct dim3 block, void **params, size_t shared,
                           void *stream) {
  return cudaLaunchKernel(kernel, grid, block, params, shared, stream);
}
API int cudaLaunchCooperativeKernel(const void *func, struct dim3 grid, struct dim3 block, void **params,
                                    size_t shared, void *stream) {
  struct launch_wanted w = {
      .grid = grid, .block = block, .params = params, .shared = shared, .cooperative = true};
  RUNTIME(launch(func, stream, &w));
}

/* Clusters of one CTA are no clusters; attributes that only hint are taken note of by nobody. */
static int launch_config(const struct cuda_launch_config *c, const void *func, void **params) {
  if (!c || (c->nattributes && !c->attributes))
    return CU_INVALID_VALUE;
  struct launch_wanted w = {.grid = c->grid, .block = c->block, .params = params, .shared = c->shared};
  for (unsigned i = 0; i < c->nattributes; i++) {
    const struct cuda_launch_attribute *a = &c->attributes[i];
    if (a->id == LAUNCH_ATTRIBUTE_COOPERATIVE)
      w.cooperative = a->value.cooperative != 0;
    if (a->id == LAUNCH_ATTRIBUTE_CLUSTER &&
        (uint64_t)a->value.cluster.x * a->value.cluster.y * a->value.cluster.z > 1)
      return cuda_missing("a launch in clusters of more than one block");
  }
  return launch(func, c->stream, &w);
}
API int cudaLaunchKernelExC(const struct cuda_launch_config *c, const void *func, void **params) {
  RUNTIME(launch_config(c, func, params));
}
ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);
ALIAS(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);
ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);
ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
