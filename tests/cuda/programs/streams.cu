// Pinned memory, copies and kernels in several streams, events between them.
#include "check.cuh"
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
int main() {
  const int parts = 4, n = 1 << 12;
  float *hx, *hy, *dx, *dy;
  OK(cudaMallocHost(&hx, parts * n * sizeof(float)));
  OK(cudaHostAlloc(&hy, parts * n * sizeof(float), cudaHostAllocDefault));
  OK(cudaMalloc(&dx, parts * n * sizeof(float)));
  OK(cudaMalloc(&dy, parts * n * sizeof(float)));
  for (int i = 0; i < parts * n; i++)
    hx[i] = i, hy[i] = 1;
  cudaStream_t s[parts];
  cudaEvent_t begin, end, done;
  int least, greatest;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  for (int p = 0; p < parts; p++)
    OK(p % 2 ? cudaStreamCreateWithPriority(&s[p], cudaStreamNonBlocking, greatest) : cudaStreamCreate(&s[p]));
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  OK(cudaEventRecord(begin));
  for (int p = 0; p < parts; p++) {
    size_t at = p * n, bytes = n * sizeof(float);
    OK(cudaMemcpyAsync(dx + at, hx + at, bytes, cudaMemcpyHostToDevice, s[p]));
    OK(cudaMemcpyAsync(dy + at, hy + at, bytes, cudaMemcpyHostToDevice, s[p]));
    saxpy<<<n / 256, 256, 0, s[p]>>>(n, 2.f, dx + at, dy + at);
    OK(cudaGetLastError());
    OK(cudaMemcpyAsync(hy + at, dy + at, bytes, cudaMemcpyDeviceToHost, s[p]));
  }
  OK(cudaEventRecord(done, s[parts - 1]));
  OK(cudaStreamWaitEvent(s[0], done, 0));
  for (int p = 0; p < parts; p++)
    OK(cudaStreamSynchronize(s[p]));
  OK(cudaEventRecord(end));
  OK(cudaEventSynchronize(end));
  float ms;
  OK(cudaEventElapsedTime(&ms, begin, end));
  bool ok = ms > 0 && cudaStreamQuery(s[1]) == cudaSuccess && cudaEventQuery(end) == cudaSuccess;
  for (int i = 0; i < parts * n; i++)
    ok &= hy[i] == 2.f * i + 1;
  for (int p = 0; p < parts; p++)
    OK(cudaStreamDestroy(s[p]));
  OK(cudaFreeHost(hx));
  OK(cudaFreeHost(hy));
  OK(cudaFree(dx));
  OK(cudaFree(dy));
  return finish(ok);
}
