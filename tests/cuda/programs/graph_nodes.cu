// Graphs as a whole: updates of what was instantiated, memory that a graph allocates, clones, dependencies, children.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include "count.cuh"
__global__ void add(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}
__global__ void scale(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = y[i] * 2;
}
__device__ float var[4];
static int calls;
static void CUDART_CB host(void *p) {
  calls += *(int *)p;
}
int main() {
  const int n = 1000;
  float *d, *h;
  OK(cudaMalloc(&d, n * 4));
  OK(cudaMallocHost(&h, n * 4));
  cudaStream_t s;
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaGraph_t g;
  cudaGraphExec_t x = nullptr;
  OK(cudaMemset(d, 0, n * 4));
  // capture and update each time round
  for (int k = 1; k <= 4; k++) {
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<4, 256, 0, s>>>(d, (float)k, n);
    OK(cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamEndCapture(s, &g));
    if (!x)
      OK(cudaGraphInstantiate(&x, g, 0));
    else {
      cudaGraphExecUpdateResultInfo r;
      OK(cudaGraphExecUpdate(x, g, &r));
      CHECK(r.result == cudaGraphExecUpdateSuccess);
    }
    OK(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
  }
  CHECK(h[999] == 10);
  // topology change is told
  OK(cudaGraphCreate(&g, 0));
  cudaGraphNode_t a, b, c;
  OK(cudaGraphAddEmptyNode(&a, g, nullptr, 0));
  cudaGraphExecUpdateResultInfo r;
  CHECK(cudaGraphExecUpdate(x, g, &r) == cudaErrorGraphExecUpdateFailure);
  CHECK(r.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGetLastError();
  OK(cudaGraphDestroy(g));
  // kernel parameters read back and changed in the instance
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  add<<<4, 256, 0, s>>>(d, 5.0f, n);
  cudaStreamCaptureStatus st;
  unsigned long long id;
  cudaGraph_t cg;
  const cudaGraphNode_t *deps;
  size_t nd;
  OK(cudaStreamGetCaptureInfo(s, &st, &id, &cg, &deps, nullptr, &nd));
  CHECK(st == cudaStreamCaptureStatusActive && nd == 1);
  OK(cudaStreamEndCapture(s, &g));
  size_t cnt = 1;
  OK(cudaGraphGetNodes(g, &a, &cnt));
  cudaGraphNodeType ty;
  OK(cudaGraphNodeGetType(a, &ty));
  CHECK(ty == cudaGraphNodeTypeKernel);
  cudaKernelNodeParams kp;
  OK(cudaGraphKernelNodeGetParams(a, &kp));
  CHECK(kp.func == (void *)add && kp.gridDim.x == 4 && *(float *)kp.kernelParams[1] == 5.0f);
  OK(cudaGraphExecDestroy(x));
  OK(cudaGraphInstantiate(&x, g, 0));
  float by = 100;
  void *args[] = {&d, &by, (void *)&n};
  kp.kernelParams = args;
  OK(cudaGraphExecKernelNodeSetParams(x, a, &kp));
  OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 110);
  OK(cudaGraphNodeSetEnabled(x, a, 0));
  OK(cudaGraphLaunch(x, s));
  OK(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 110);
  OK(cudaGraphExecDestroy(x));
  OK(cudaGraphDestroy(g));
  // memory nodes by capture
  for (int i = 0; i < n; i++)
    h[i] = i;
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  float *t, *u;
  OK(cudaMallocAsync(&t, n * 4, s));
  OK(cudaMallocAsync(&u, n * 4, s));
  OK(cudaMemcpyAsync(t, h, n * 4, cudaMemcpyHostToDevice, s));
  scale<<<4, 256, 0, s>>>(u, t, n);
  OK(cudaFreeAsync(t, s));
  OK(cudaMemcpyAsync(h, u, n * 4, cudaMemcpyDeviceToHost, s));
  OK(cudaFreeAsync(u, s));
  OK(cudaStreamEndCapture(s, &g));
  OK(cudaGraphInstantiate(&x, g, 0));
  for (int k = 0; k < 3; k++)
    OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  CHECK(h[10] == 80);
  cudaGraphNode_t nodes[16];
  cnt = 16;
  OK(cudaGraphGetNodes(g, nodes, &cnt));
  CHECK(cnt == 7);
  OK(cudaGraphNodeGetType(nodes[0], &ty));
  CHECK(ty == cudaGraphNodeTypeMemAlloc);
  unsigned long long used;
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  CHECK(used >= 8000);
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &used));
  CHECK(used >= 8000);
  OK(cudaGraphDebugDotPrint(g, "/dev/null", 0));
  OK(cudaGraphExecDestroy(x));
  OK(cudaGraphDestroy(g));
  OK(cudaDeviceGraphMemTrim(0));
  // memory nodes by hand, freed outside of the graph
  OK(cudaGraphCreate(&g, 0));
  cudaMemAllocNodeParams ap;
  memset(&ap, 0, sizeof ap);
  ap.bytesize = n * 4;
  ap.poolProps.allocType = cudaMemAllocationTypePinned;
  ap.poolProps.location.type = cudaMemLocationTypeDevice;
  OK(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &ap));
  CHECK(ap.dptr != nullptr);
  cudaMemsetParams mp = {ap.dptr, 0, 7, 4, (size_t)n, 1};
  OK(cudaGraphAddMemsetNode(&b, g, &a, 1, &mp));
  int three = 3;
  cudaHostNodeParams hp = {host, &three};
  OK(cudaGraphAddHostNode(&c, g, &b, 1, &hp));
  OK(cudaGraphInstantiate(&x, g, 0));
  for (int k = 0; k < 2; k++) {
    OK(cudaGraphLaunch(x, s));
    int v;
    OK(cudaMemcpyAsync(&v, (int *)ap.dptr + 5, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(v == 7);
    OK(cudaFreeAsync(ap.dptr, s));
  }
  CHECK(calls == 6);
  cnt = 4;
  OK(cudaGraphNodeGetDependencies(c, nodes, nullptr, &cnt));
  CHECK(cnt == 1 && nodes[0] == b);
  cnt = 4;
  OK(cudaGraphNodeGetDependentNodes(a, nodes, nullptr, &cnt));
  CHECK(cnt == 1 && nodes[0] == b);
  cudaGraphNode_t to[4];
  cnt = 4;
  OK(cudaGraphGetEdges(g, nodes, to, nullptr, &cnt));
  CHECK(cnt == 2);
  CHECK(cudaGraphDestroyNode(c) == cudaErrorNotSupported); // of a graph with memory nothing is taken away
  cudaGetLastError();
  OK(cudaGraphExecDestroy(x));
  OK(cudaGraphDestroy(g));
  // the same without memory of its own: clones, edges and nodes removed
  OK(cudaGraphCreate(&g, 0));
  OK(cudaGraphAddEmptyNode(&a, g, nullptr, 0));
  mp.dst = d;
  OK(cudaGraphAddMemsetNode(&b, g, &a, 1, &mp));
  OK(cudaGraphAddHostNode(&c, g, &b, 1, &hp));
  cudaGraph_t cl;
  OK(cudaGraphClone(&cl, g));
  cudaGraphNode_t cb;
  OK(cudaGraphNodeFindInClone(&cb, b, cl));
  cnt = 4;
  OK(cudaGraphNodeGetDependencies(cb, nodes, nullptr, &cnt));
  CHECK(cnt == 1 && nodes[0] != a);
  OK(cudaGraphDestroy(cl));
  OK(cudaGraphRemoveDependencies(g, &b, &c, nullptr, 1));
  cnt = 4;
  OK(cudaGraphGetRootNodes(g, nodes, &cnt));
  CHECK(cnt == 2);
  OK(cudaGraphDestroyNode(c));
  cnt = 0;
  OK(cudaGraphGetNodes(g, nullptr, &cnt));
  CHECK(cnt == 2);
  OK(cudaGraphDestroy(g));
  // children, symbols, events
  cudaGraph_t in;
  OK(cudaGraphCreate(&in, 0));
  OK(cudaGraphCreate(&g, 0));
  float v4[4] = {1, 2, 3, 4}, w4[4];
  OK(cudaGraphAddMemcpyNodeToSymbol(&a, in, nullptr, 0, var, v4, 16, 0, cudaMemcpyHostToDevice));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&b, in, &a, 1, w4, var, 16, 0, cudaMemcpyDeviceToHost));
  OK(cudaGraphAddChildGraphNode(&c, g, nullptr, 0, in));
  cudaEvent_t e0;
  OK(cudaEventCreate(&e0));
  OK(cudaGraphAddEventRecordNode(&b, g, &c, 1, e0));
  OK(cudaGraphInstantiate(&x, g, 0));
  OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  CHECK(w4[3] == 4);
  OK(cudaEventSynchronize(e0));
  cudaGraph_t inner;
  OK(cudaGraphChildGraphNodeGetGraph(c, &inner));
  cnt = 0;
  OK(cudaGraphGetNodes(inner, nullptr, &cnt));
  CHECK(cnt == 2);
  OK(cudaGraphExecDestroy(x));
  OK(cudaGraphDestroy(g));
  OK(cudaGraphDestroy(in));
  OK(cudaEventDestroy(e0));
  OK(cudaStreamDestroy(s));
  OK(cudaFree(d));
  OK(cudaFreeHost(h));
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
