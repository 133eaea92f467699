// What a program asks about its kernels and the device; errors as documented.
#include "check.cuh"
__global__ void __launch_bounds__(256) bounded(float *p) {
  __shared__ float s[512];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamic(unsigned *p) {
  extern __shared__ unsigned raw[];
  raw[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = raw[blockDim.x - 1 - threadIdx.x];
}
int main() {
  bool ok = true;
  int blocks, size, grid, n, version;
  OK(cudaGetDeviceCount(&n));
  OK(cudaRuntimeGetVersion(&version));
  ok &= n == 1 && version >= 11000;
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  int sms, threads;
  OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  OK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  ok &= sms == p.multiProcessorCount && threads == p.maxThreadsPerMultiProcessor;
  cudaFuncAttributes a;
  OK(cudaFuncGetAttributes(&a, bounded));
  ok &= a.sharedSizeBytes == 2048 && a.maxThreadsPerBlock == 256 && a.numRegs > 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
  ok &= blocks >= 1 && blocks * 256 <= threads;
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, bounded));
  ok &= size > 0 && size <= 256 && size % 32 == 0 && grid >= sms;
  float *d;
  OK(cudaMalloc(&d, 4096));
  bounded<<<1, 512>>>(d); /* more than its bound */
  ok &= cudaGetLastError() != cudaSuccess && cudaGetLastError() == cudaSuccess;
  bounded<<<1, 2048>>>(d);
  ok &= cudaGetLastError() == cudaErrorInvalidConfiguration;
  bounded<<<0, 32>>>(d);
  ok &= cudaPeekAtLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaErrorInvalidConfiguration;
  size_t most = p.sharedMemPerBlockOptin;
  if (most > 48 << 10) {
    dynamic<<<1, 32, most>>>((unsigned *)d);
    ok &= cudaGetLastError() == cudaErrorInvalidValue;
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most));
  }
  dynamic<<<1, 32, most>>>((unsigned *)d);
  OK(cudaDeviceSynchronize());
  ok &= cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most + 1) == cudaErrorInvalidValue;
  OK(cudaFuncSetCacheConfig(dynamic, cudaFuncCachePreferShared));
  ok &= cudaSetDevice(5) == cudaErrorInvalidDevice && cudaMemcpy(d, d, 8192, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue;
  void *huge;
  ok &= cudaMalloc(&huge, (size_t)1 << 60) == cudaErrorMemoryAllocation;
  size_t unused, total;
  OK((cudaGetLastError(), cudaMemGetInfo(&unused, &total)));
  ok &= unused <= total && total == p.totalGlobalMem;
  ok &= strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0;
  return finish(ok);
}
