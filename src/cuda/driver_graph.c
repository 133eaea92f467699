/* Graphs and captures of the driver API: the runtime's with other names, and a few structures laid out differently. */
#include "cuda/driver.h"
#include "cuda/graph.h"

struct kernel_params { /* the same in both versions but for the last two */
  void *func;
  struct dim3 grid, block;
  unsigned shared;
  void **params, **extra;
  void *kernel, *context;
};
static struct cuda_kernel_node as_runtime(const struct kernel_params *p, bool v2) {
  return (struct cuda_kernel_node){.func = p->func ? p->func
                                           : v2    ? p->kernel
                                                   : NULL,
                                   .grid = p->grid,
                                   .block = p->block,
                                   .shared = p->shared,
                                   .params = p->params};
}
int cudaGraphAddKernelNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                           const struct cuda_kernel_node *p);
int cudaGraphKernelNodeSetParams(void *node, const struct cuda_kernel_node *p);
int cudaGraphKernelNodeGetParams(void *node, struct cuda_kernel_node *to);
int cudaGraphExecKernelNodeSetParams(void *exec, void *node, const struct cuda_kernel_node *p);

/* Parameters in one block are not taken apart here. */
static int wrong(const struct kernel_params *p) {
  return !p ? CU_INVALID_VALUE : p->extra ? CU_NOT_SUPPORTED : CU_SUCCESS;
}
API int cuGraphAddKernelNode_v2(void **to, void *graph, struct graph_node *const *after, size_t n,
                                const struct kernel_params *p);
API int cuGraphAddKernelNode_v2(void **to, void *graph, struct graph_node *const *after, size_t n,
                                const struct kernel_params *p) {
  if (wrong(p))
    return wrong(p);
  struct cuda_kernel_node k = as_runtime(p, true);
  return cudaGraphAddKernelNode(to, graph, after, n, &k);
}
API int cuGraphAddKernelNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                             const struct kernel_params *p);
API int cuGraphAddKernelNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                             const struct kernel_params *p) {
  if (wrong(p))
    return wrong(p);
  struct cuda_kernel_node k = as_runtime(p, false);
  return cudaGraphAddKernelNode(to, graph, after, n, &k);
}
API int cuGraphKernelNodeSetParams_v2(void *node, const struct kernel_params *p);
API int cuGraphKernelNodeSetParams_v2(void *node, const struct kernel_params *p) {
  if (wrong(p))
    return wrong(p);
  struct cuda_kernel_node k = as_runtime(p, true);
  return cudaGraphKernelNodeSetParams(node, &k);
}
API int cuGraphKernelNodeSetParams(void *node, const struct kernel_params *p);
API int cuGraphKernelNodeSetParams(void *node, const struct kernel_params *p) {
  if (wrong(p))
    return wrong(p);
  struct cuda_kernel_node k = as_runtime(p, false);
  return cudaGraphKernelNodeSetParams(node, &k);
}
API int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct kernel_params *p);
API int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct kernel_params *p) {
  if (wrong(p))
    return wrong(p);
  struct cuda_kernel_node k = as_runtime(p, true);
  return cudaGraphExecKernelNodeSetParams(exec, node, &k);
}
API int cuGraphExecKernelNodeSetParams(void *exec, void *node, const struct kernel_params *p);
API int cuGraphExecKernelNodeSetParams(void *exec, void *node, const struct kernel_params *p) {
  if (wrong(p))
    return wrong(p);
  struct cuda_kernel_node k = as_runtime(p, false);
  return cudaGraphExecKernelNodeSetParams(exec, node, &k);
}
static int kernel_params(void *node, struct kernel_params *to, size_t bytes) {
  struct cuda_kernel_node k;
  int e, unused;
  if (!to)
    return CU_INVALID_VALUE;
  if ((e = cudaGraphKernelNodeGetParams(node, &k)))
    return e;
  struct kernel_params p = {.grid = k.grid, .block = k.block, .shared = k.shared, .params = k.params};
  cuda_enter_raw();
  p.func = kernel_find(k.func, &unused);
  cuda_leave();
  memcpy(to, &p, bytes);
  return CU_SUCCESS;
}
API int cuGraphKernelNodeGetParams_v2(void *node, struct kernel_params *to);
API int cuGraphKernelNodeGetParams_v2(void *node, struct kernel_params *to) {
  return kernel_params(node, to, sizeof *to);
}
API int cuGraphKernelNodeGetParams(void *node, struct kernel_params *to);
API int cuGraphKernelNodeGetParams(void *node, struct kernel_params *to) {
  return kernel_params(node, to, offsetof(struct kernel_params, kernel));
}

/* ---- the rest has the runtime's arguments ---- */

int cudaGraphAddMemsetNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                           const struct cuda_memset_node *p);
API int cuGraphAddMemsetNode(void **to, void *graph, struct graph_node *const *after, size_t n,
                             const struct cuda_memset_node *p, void *context) {
  (void)context;
  return cudaGraphAddMemsetNode(to, graph, after, n, p);
}
struct update_result; /* graph_query.c */
struct alloc_params;  /* graph_memory.c */
#define SAME(name, of, parameters, arguments)                                                                \
  int of parameters;                                                                                         \
  API int name parameters;                                                                                   \
  API int name parameters {                                                                                  \
    return of arguments;                                                                                     \
  }
SAME(cuGraphCreate, cudaGraphCreate, (void **to, unsigned flags), (to, flags))
SAME(cuGraphDestroy, cudaGraphDestroy, (void *graph), (graph))
SAME(cuGraphClone, cudaGraphClone, (void **to, void *graph), (to, graph))
SAME(cuGraphDestroyNode, cudaGraphDestroyNode, (void *node), (node))
SAME(cuGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags,
     (void **to, void *graph, unsigned long long flags), (to, graph, flags))
SAME(cuGraphExecDestroy, cudaGraphExecDestroy, (void *exec), (exec))
SAME(cuGraphLaunch, cudaGraphLaunch, (void *exec, void *stream), (exec, stream))
SAME(cuGraphUpload, cudaGraphUpload, (void *exec, void *stream), (exec, stream))
SAME(cuGraphGetNodes, cudaGraphGetNodes, (void *graph, void **to, size_t *n), (graph, to, n))
SAME(cuGraphGetRootNodes, cudaGraphGetRootNodes, (void *graph, void **to, size_t *n), (graph, to, n))
SAME(cuGraphNodeGetType, cudaGraphNodeGetType, (void *node, int *to), (node, to))
SAME(cuGraphNodeFindInClone, cudaGraphNodeFindInClone, (void **to, void *node, void *graph),
     (to, node, graph))
SAME(cuGraphAddEmptyNode, cudaGraphAddEmptyNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n), (to, graph, after, n))
SAME(cuGraphAddHostNode, cudaGraphAddHostNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n, const struct cuda_host_node *p),
     (to, graph, after, n, p))
SAME(cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n, void *of), (to, graph, after, n, of))
SAME(cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n, void *event),
     (to, graph, after, n, event))
SAME(cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n, void *event),
     (to, graph, after, n, event))
SAME(cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled, (void *exec, void *node, unsigned on), (exec, node, on))
SAME(cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled, (void *exec, void *node, unsigned *to), (exec, node, to))
SAME(cuGraphDebugDotPrint, cudaGraphDebugDotPrint, (void *graph, const char *path, unsigned flags),
     (graph, path, flags))
SAME(cuGraphExecUpdate_v2, update_12, (void *exec, void *graph, struct update_result *to), (exec, graph, to))
SAME(cuGraphExecUpdate, update_11, (void *exec, void *graph, const void **node, int *result),
     (exec, graph, node, result))
SAME(cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim, (int device), (device))
SAME(cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute, (int device, int which, void *to),
     (device, which, to))
SAME(cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute, (int device, int which, void *from),
     (device, which, from))
SAME(cuGraphAddMemFreeNode, cudaGraphAddMemFreeNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n, void *p), (to, graph, after, n, p))
SAME(cuGraphAddMemAllocNode, cudaGraphAddMemAllocNode,
     (void **to, void *graph, struct graph_node *const *after, size_t n, struct alloc_params *p),
     (to, graph, after, n, p))
SAME(cuGraphAddDependencies, depend_11,
     (void *graph, struct graph_node *const *from, struct graph_node *const *to, size_t n),
     (graph, from, to, n))
SAME(cuGraphAddDependencies_v2, depend_13,
     (void *graph, struct graph_node *const *from, struct graph_node *const *to, const void *data, size_t n),
     (graph, from, to, data, n))
ALIAS(cuGraphLaunch_ptsz, cuGraphLaunch);
ALIAS(cuGraphUpload_ptsz, cuGraphUpload);

SAME(cuStreamBeginCapture_v2, cudaStreamBeginCapture, (void *stream, int mode), (stream, mode))
API int cuStreamBeginCapture(void *stream) {
  return cuStreamBeginCapture_v2(stream, 0);
}
SAME(cuStreamEndCapture, cudaStreamEndCapture, (void *stream, void **to), (stream, to))
SAME(cuStreamIsCapturing, cudaStreamIsCapturing, (void *stream, int *to), (stream, to))
SAME(cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode, (int *mode), (mode))
SAME(cuStreamGetCaptureInfo, capture_info_11, (void *stream, int *status, unsigned long long *id),
     (stream, status, id))
SAME(cuStreamGetCaptureInfo_v2, cudaStreamGetCaptureInfo_v2,
     (void *stream, int *status, unsigned long long *id, void **graph, struct graph_node *const **after,
      size_t *n),
     (stream, status, id, graph, after, n))
SAME(cuStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo_v3,
     (void *stream, int *status, unsigned long long *id, void **graph, struct graph_node *const **after,
      const void **edges, size_t *n),
     (stream, status, id, graph, after, edges, n))
ALIAS(cuStreamBeginCapture_ptsz, cuStreamBeginCapture);
ALIAS(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture_v2);
ALIAS(cuStreamEndCapture_ptsz, cuStreamEndCapture);
ALIAS(cuStreamIsCapturing_ptsz, cuStreamIsCapturing);
ALIAS(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo);
ALIAS(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v2);
ALIAS(cuStreamGetCaptureInfo_v3_ptsz, cuStreamGetCaptureInfo_v3);

/* ---- streams, pools, advice: the same ---- */

SAME(cuStreamGetFlags, cudaStreamGetFlags, (void *stream, unsigned *to), (stream, to))
SAME(cuStreamGetPriority, cudaStreamGetPriority, (void *stream, int *to), (stream, to))
SAME(cuStreamGetId, cudaStreamGetId, (void *stream, unsigned long long *to), (stream, to))
SAME(cuStreamGetDevice, cudaStreamGetDevice, (void *stream, int *to), (stream, to))
SAME(cuStreamSetAttribute, cudaStreamSetAttribute,
     (void *stream, int id, const union cuda_launch_value *value), (stream, id, value))
SAME(cuStreamAttachMemAsync, cudaStreamAttachMemAsync, (void *stream, void *p, size_t bytes, unsigned flags),
     (stream, p, bytes, flags))
SAME(cuEventRecordWithFlags, cudaEventRecordWithFlags, (void *event, void *stream, unsigned flags),
     (event, stream, flags))
SAME(cuCtxResetPersistingL2Cache, cudaCtxResetPersistingL2Cache, (void), ())
ALIAS(cuStreamGetFlags_ptsz, cuStreamGetFlags);
ALIAS(cuStreamGetPriority_ptsz, cuStreamGetPriority);
ALIAS(cuStreamGetId_ptsz, cuStreamGetId);
ALIAS(cuStreamGetDevice_ptsz, cuStreamGetDevice);
ALIAS(cuStreamSetAttribute_ptsz, cuStreamSetAttribute);
ALIAS(cuStreamAttachMemAsync_ptsz, cuStreamAttachMemAsync);
ALIAS(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);

SAME(cuDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool, (void **to, int device), (to, device))
SAME(cuDeviceGetMemPool, cudaDeviceGetMemPool, (void **to, int device), (to, device))
SAME(cuDeviceSetMemPool, cudaDeviceSetMemPool, (int device, void *pool), (device, pool))
SAME(cuMemPoolCreate, cudaMemPoolCreate, (void **to, const void *wanted), (to, wanted))
SAME(cuMemPoolDestroy, cudaMemPoolDestroy, (void *pool), (pool))
SAME(cuMemPoolTrimTo, cudaMemPoolTrimTo, (void *pool, size_t keep), (pool, keep))
SAME(cuMemPoolGetAttribute, cudaMemPoolGetAttribute, (void *pool, int which, void *to), (pool, which, to))
SAME(cuMemPoolSetAttribute, cudaMemPoolSetAttribute, (void *pool, int which, void *from), (pool, which, from))
SAME(cuMemPoolSetAccess, cudaMemPoolSetAccess, (void *pool, const void *access, size_t n), (pool, access, n))
SAME(cuMemAllocFromPoolAsync, cudaMallocFromPoolAsync, (void **to, size_t bytes, void *pool, void *stream),
     (to, bytes, pool, stream))
ALIAS(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync);

SAME(cuMemAdvise, advise_11, (const void *p, size_t bytes, int advice, int device),
     (p, bytes, advice, device))
SAME(cuMemAdvise_v2, advise_13, (const void *p, size_t bytes, int advice, struct cuda_location to),
     (p, bytes, advice, to))
SAME(cuMemPrefetchAsync, prefetch_11, (const void *p, size_t bytes, int device, void *stream),
     (p, bytes, device, stream))
SAME(cuMemPrefetchAsync_v2, prefetch_13,
     (const void *p, size_t bytes, struct cuda_location to, unsigned flags, void *stream),
     (p, bytes, to, flags, stream))
ALIAS(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync);
ALIAS(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync_v2);

SAME(cuOccupancyAvailableDynamicSMemPerBlock, cudaOccupancyAvailableDynamicSMemPerBlock,
     (size_t * to, const void *func, int blocks, int threads), (to, func, blocks, threads))
SAME(cuMemHostGetFlags, cudaHostGetFlags, (unsigned *to, void *p), (to, p))
SAME(cuDeviceGetP2PAttribute, cudaDeviceGetP2PAttribute, (int *to, int which, int device, int peer),
     (to, which, device, peer))
SAME(cuDeviceGetByPCIBusId, cudaDeviceGetByPCIBusId, (int *device, const char *id), (device, id))
