// Host memory that kernels use in place: mapped, registered; attributes of pointers; a block that finishes the others' work.
#include "check.cuh"
__device__ unsigned arrived;
__global__ void sum(const float *in, volatile float *part, float *out, int n) {
  __shared__ bool last;
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += in[i];
  for (int o = 16; o; o /= 2)
    s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = s;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    s = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      s += part[i];
    *out = s;
    arrived = 0;
    __threadfence_system();
  }
}
int main() {
  const int n = 4096;
  float *h, *hd, *result, *rd, *part, *mine = (float *)malloc(n * 4);
  OK(cudaSetDeviceFlags(cudaDeviceMapHost));
  OK(cudaHostAlloc(&h, n * 4, cudaHostAllocMapped));
  OK(cudaHostAlloc(&result, 4, cudaHostAllocMapped | cudaHostAllocPortable));
  OK(cudaHostGetDevicePointer(&hd, h, 0));
  OK(cudaHostGetDevicePointer(&rd, result, 0));
  OK(cudaMalloc(&part, 64 * 4));
  double want = 0;
  for (int i = 0; i < n; i++)
    want += h[i] = mine[i] = i % 9;
  sum<<<64, 32>>>(hd, part, rd, n);
  OK(cudaDeviceSynchronize());
  bool ok = *result == want;
  OK(cudaHostRegister(mine, n * 4, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(&hd, mine, 0));
  *result = 0;
  sum<<<64, 32>>>(hd, part, rd, n);
  OK(cudaDeviceSynchronize());
  ok &= *result == want;
  OK(cudaHostUnregister(mine));
  cudaPointerAttributes a;
  OK(cudaPointerGetAttributes(&a, h));
  ok &= a.type == cudaMemoryTypeHost;
  OK(cudaPointerGetAttributes(&a, part));
  ok &= a.type == cudaMemoryTypeDevice && a.device == 0;
  OK(cudaFreeHost(h));
  OK(cudaFreeHost(result));
  return finish(ok);
}
