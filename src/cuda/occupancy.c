/* Kernels' attributes, and how many of their blocks an SM holds: by the rule that the simulated SM follows. */
#include "cuda/cuda.h"

int occupancy_blocks(const struct kernel *k, int threads, size_t dynamic, int *blocks) {
  *blocks = 0;
  if (threads <= 0)
    return CU_INVALID_VALUE;
  if (threads > kernel_max_threads(k) || dynamic > kernel_dynamic_limit(k))
    return CU_SUCCESS;
  struct launch l = {.kernel = k->info->name, .block = {(uint32_t)threads, 1, 1}, .dynamic_shared = dynamic};
  *blocks = (int)sim_occupancy(cuda_sim(), k->info, &l);
  return CU_SUCCESS;
}

static int max_blocks(int *to, const void *func, int threads, size_t dynamic) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!to)
    return CU_INVALID_VALUE;
  return k ? occupancy_blocks(k, threads, dynamic, to) : e;
}
API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *to, const void *func, int threads,
                                                      size_t dynamic) {
  RUNTIME(max_blocks(to, func, threads, dynamic));
}
API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *to, const void *func, int threads,
                                                               size_t dynamic, unsigned flags) {
  RUNTIME(flags > 1 ? CU_INVALID_VALUE : max_blocks(to, func, threads, dynamic));
}

static int available_shared(size_t *to, const void *func, int blocks, int threads) {
  int e, fit;
  struct kernel *k = kernel_find(func, &e);
  if (!k || !to || blocks <= 0)
    return k ? CU_INVALID_VALUE : e;
  size_t most = kernel_dynamic_limit(k), share = sim_gpu(cuda_sim())->core.shared_bytes / (unsigned)blocks;
  e = occupancy_blocks(k, threads, 0, &fit);
  size_t left = share > k->info->static_shared ? share - (size_t)k->info->static_shared : 0;
  *to = e || fit < blocks ? 0 : left < most ? left : most;
  return e;
}
API int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *to, const void *func, int blocks, int threads) {
  RUNTIME(available_shared(to, func, blocks, threads));
}

/* ---- attributes of kernels ---- */

static int get_attributes(struct cuda_function_attributes *to, const void *func) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : e;
  /* The part that CUDA 11 knows too: a program of CUDA 12 cleared the rest, or reads nothing of it. */
  memset(to, 0, offsetof(struct cuda_function_attributes, cluster_must_be_set));
  to->shared_bytes = (size_t)k->info->static_shared;
  to->local_bytes = (size_t)k->info->local_bytes;
  to->max_threads = kernel_max_threads(k);
  to->registers = (int)sim_registers(cuda_sim(), k->info);
  to->ptx_version = (int)(k->image->arch ? k->image->arch : cuda_capability());
  to->binary_version = (int)cuda_capability();
  to->max_dynamic = (int)kernel_dynamic_limit(k);
  to->carveout = k->carveout;
  return CU_SUCCESS;
}
API int cudaFuncGetAttributes(struct cuda_function_attributes *to, const void *func) {
  RUNTIME(get_attributes(to, func));
}

enum { FUNC_MAX_DYNAMIC = 8, FUNC_CARVEOUT = 9, FUNC_CLUSTER_LAST = 15 };
static int set_attribute(const void *func, int which, int value) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!k)
    return e;
  switch (which) {
  case FUNC_MAX_DYNAMIC:
    if (value < 0 || (uint64_t)value + k->info->static_shared > device_limits().shared_optin)
      return CU_INVALID_VALUE;
    k->max_dynamic = value;
    return CU_SUCCESS;
  case FUNC_CARVEOUT:
    if (value < -1 || value > 100)
      return CU_INVALID_VALUE;
    k->carveout = value; /* a hint: the split is the configuration's */
    return CU_SUCCESS;
  default:
    return which > FUNC_CARVEOUT && which <= FUNC_CLUSTER_LAST
               ? cuda_missing("cudaFuncSetAttribute for clusters")
               : CU_INVALID_VALUE;
  }
}
API int cudaFuncSetAttribute(const void *func, int which, int value) {
  RUNTIME(set_attribute(func, which, value));
}
static int hint(const void *func, bool ok) {
  int e;
  kernel_find(func, &e);
  return e ? e : ok ? CU_SUCCESS : CU_INVALID_VALUE;
}
API int cudaFuncSetCacheConfig(const void *func, int config) {
  RUNTIME(hint(func, config >= 0 && config <= 3));
}
API int cudaFuncSetSharedMemConfig(const void *func, int config) {
  RUNTIME(hint(func, config >= 0 && config <= 2));
}
static int name_of(const char **to, const void *func) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : e;
  *to = k->name;
  return CU_SUCCESS;
}
API int cudaFuncGetName(const char **to, const void *func) {
  RUNTIME(name_of(to, func));
}
static int handle_of(void **to, const void *func) {
  int e;
  struct kernel *k = kernel_find(func, &e);
  if (!k || !to)
    return k ? CU_INVALID_VALUE : e;
  *to = k;
  return CU_SUCCESS;
}
API int cudaGetFuncBySymbol(void **to, const void *func) {
  RUNTIME(handle_of(to, func));
}
API int cudaGetKernel(void **to, const void *func) {
  RUNTIME(handle_of(to, func));
}
