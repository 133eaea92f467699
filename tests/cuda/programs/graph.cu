// A graph by capture and one node by node, launched again and again, with changed arguments.
#include "check.cuh"
__global__ void scale(float *p, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= by;
}
static void CUDART_CB count(void *data) {
  ++*(int *)data;
}
int main() {
  const int n = 1000;
  float *h = new float[n], *g = new float[n], *d;
  int calls = 0;
  for (int i = 0; i < n; i++)
    h[i] = i;
  OK(cudaMalloc(&d, n * 4));
  cudaStream_t s;
  cudaGraph_t graph, built;
  cudaGraphExec_t exec, exec2;
  OK(cudaStreamCreate(&s));
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s));
  for (int k = 0; k < 3; k++)
    scale<<<(n + 127) / 128, 128, 0, s>>>(d, 2, n);
  OK(cudaMemcpyAsync(g, d, n * 4, cudaMemcpyDeviceToHost, s));
  OK(cudaLaunchHostFunc(s, count, &calls));
  OK(cudaStreamEndCapture(s, &graph));
  size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, NULL, &nodes));
#if CUDART_VERSION >= 12000
  OK(cudaGraphInstantiate(&exec, graph, 0));
#else
  OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
  for (int k = 0; k < 5; k++)
    OK(cudaGraphLaunch(exec, s));
  OK(cudaStreamSynchronize(s));
  bool ok = nodes == 6 && calls == 5 && g[999] == 8 * 999;
  OK(cudaGraphCreate(&built, 0));
  cudaGraphNode_t fill, kernel, back;
  cudaMemsetParams m = {};
  m.dst = d, m.value = 0x3f800000, m.elementSize = 4, m.width = n, m.height = 1;
  OK(cudaGraphAddMemsetNode(&fill, built, NULL, 0, &m));
  float by = 3;
  int count_ = n;
  void *args[] = {&d, &by, &count_};
  cudaKernelNodeParams k = {};
  k.func = (void *)scale, k.gridDim = dim3(8), k.blockDim = dim3(128), k.kernelParams = args;
  OK(cudaGraphAddKernelNode(&kernel, built, &fill, 1, &k));
  OK(cudaGraphAddMemcpyNode1D(&back, built, &kernel, 1, g, d, n * 4, cudaMemcpyDeviceToHost));
#if CUDART_VERSION >= 12000
  OK(cudaGraphInstantiate(&exec2, built, 0));
#else
  OK(cudaGraphInstantiate(&exec2, built, NULL, NULL, 0));
#endif
  OK(cudaGraphLaunch(exec2, s));
  OK(cudaStreamSynchronize(s));
  ok &= g[0] == 3 && g[999] == 3;
  by = 5;
  OK(cudaGraphExecKernelNodeSetParams(exec2, kernel, &k));
  OK(cudaGraphLaunch(exec2, s));
  OK(cudaStreamSynchronize(s));
  ok &= g[17] == 5;
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphExecDestroy(exec2));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(built));
  return finish(ok);
}
