/* Memory pools: every allocation comes from the device's memory, so a pool is a name with a few numbers. */
#include "cuda/cuda.h"

struct pool {
  uint64_t threshold;
  int reuse[4];
};
enum { POOL_REUSE_FIRST = 1, POOL_REUSE_LAST = 3, POOL_THRESHOLD = 4, POOL_RESERVED = 5, POOL_USED_HIGH = 8 };

static struct pool *default_pool(void) {
  static struct pool of_the_device = {
      .reuse = {1, 1, 1, 1}}; /* the interface hands out one that nobody made */
  return &of_the_device;
}
static int put_default(void **to, int device) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = default_pool();
  return device ? CU_INVALID_DEVICE : CU_SUCCESS;
}
API int cudaDeviceGetDefaultMemPool(void **to, int device) {
  RUNTIME(put_default(to, device));
}
API int cudaDeviceGetMemPool(void **to, int device) {
  RUNTIME(put_default(to, device));
}
API int cudaDeviceSetMemPool(int device, void *pool) {
  RUNTIME(device ? CU_INVALID_DEVICE : pool ? CU_SUCCESS : CU_INVALID_VALUE);
}
API int cudaMemPoolCreate(void **to, const void *wanted) {
  if (!to || !wanted)
    return cuda_last(CU_INVALID_VALUE);
  struct pool *p = xcalloc(1, sizeof *p);
  *p = *default_pool();
  *to = p;
  return CU_SUCCESS;
}
API int cudaMemPoolDestroy(void *pool) {
  if (!pool || pool == default_pool())
    return cuda_last(CU_INVALID_VALUE);
  free(pool);
  return CU_SUCCESS;
}
API int cudaMemPoolTrimTo(void *pool, size_t keep) {
  (void)keep; /* what was freed is gone at once */
  RUNTIME(pool ? CU_SUCCESS : CU_INVALID_VALUE);
}
static int get(const struct pool *p, int which, void *to) {
  if (!p || !to)
    return CU_INVALID_VALUE;
  uint64_t used = sim_used_bytes(cuda_sim());
  if (which >= POOL_REUSE_FIRST && which <= POOL_REUSE_LAST)
    memcpy(to, &p->reuse[which], sizeof(int));
  else if (which == POOL_THRESHOLD)
    memcpy(to, &p->threshold, sizeof p->threshold);
  else if (which >= POOL_RESERVED && which <= POOL_USED_HIGH)
    memcpy(to, &used, sizeof used);
  else
    return CU_INVALID_VALUE;
  return CU_SUCCESS;
}
static int set(struct pool *p, int which, const void *from) {
  if (!p || !from)
    return CU_INVALID_VALUE;
  if (which >= POOL_REUSE_FIRST && which <= POOL_REUSE_LAST)
    memcpy(&p->reuse[which], from, sizeof(int));
  else if (which == POOL_THRESHOLD)
    memcpy(&p->threshold, from, sizeof p->threshold);
  else
    return which > POOL_THRESHOLD && which <= POOL_USED_HIGH ? CU_SUCCESS : CU_INVALID_VALUE;
  return CU_SUCCESS;
}
API int cudaMemPoolGetAttribute(void *pool, int which, void *to) {
  RUNTIME(get(pool, which, to));
}
API int cudaMemPoolSetAttribute(void *pool, int which, void *from) {
  RUNTIME(set(pool, which, from));
}
API int cudaMemPoolSetAccess(void *pool, const void *access, size_t n) {
  (void)access, (void)n; /* of the only device */
  RUNTIME(pool ? CU_SUCCESS : CU_INVALID_VALUE);
}
