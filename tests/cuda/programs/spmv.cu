// Sparse matrix times vector in managed memory, advice and prefetching, a managed variable.
#include "check.cuh"
#include <vector>
__managed__ double checksum;
__managed__ int limits[3] = {1, 2, 3};
__global__ void spmv(int rows, const int *ptr, const int *col, const double *val, const double *x, double *y) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= rows)
    return;
  double sum = 0;
  for (int k = ptr[warp] + lane; k < ptr[warp + 1]; k += 32)
    sum += val[k] * __ldg(&x[col[k]]);
  for (int o = 16; o; o >>= 1)
    sum += __shfl_down_sync(0xffffffff, sum, o);
  if (lane == 0) {
    y[warp] = sum;
    atomicAdd(&checksum, sum * limits[2]);
  }
}
int main() {
  const int n = 500;
  int *ptr, *col, device;
  double *val, *x, *y, want = 0;
  OK(cudaGetDevice(&device));
  OK(cudaMallocManaged(&ptr, (n + 1) * sizeof(int)));
  OK(cudaMallocManaged(&col, n * 40 * sizeof(int)));
  OK(cudaMallocManaged(&val, n * 40 * sizeof(double)));
  OK(cudaMallocManaged(&x, n * sizeof(double), cudaMemAttachGlobal));
  OK(cudaMallocManaged(&y, n * sizeof(double)));
  int nz = 0;
  for (int i = 0; i < n; i++) {
    ptr[i] = nz;
    x[i] = 1.0 / (1 + i);
    for (int k = 0; k < 1 + i % 40; k++)
      col[nz] = (i * 13 + k * 7) % n, val[nz++] = k - 5;
  }
  ptr[n] = nz;
  checksum = 0;
#if CUDART_VERSION >= 13000
  cudaMemLocation where = {cudaMemLocationTypeDevice, device};
  OK(cudaMemAdvise(val, nz * sizeof(double), cudaMemAdviseSetReadMostly, where));
  OK(cudaMemPrefetchAsync(x, n * sizeof(double), where, 0, 0));
#else
  OK(cudaMemAdvise(val, nz * sizeof(double), cudaMemAdviseSetReadMostly, device));
  OK(cudaMemPrefetchAsync(x, n * sizeof(double), device, 0));
#endif
  spmv<<<(n * 32 + 127) / 128, 128>>>(n, ptr, col, val, x, y);
  OK(cudaDeviceSynchronize());
  bool ok = true;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      sum += val[k] * x[col[k]];
    ok &= near(y[i], sum, 1e-12);
    want += 3 * sum;
  }
  cudaPointerAttributes at;
  OK(cudaPointerGetAttributes(&at, x));
  ok &= near(checksum, want, 1e-10) && at.type == cudaMemoryTypeManaged && at.devicePointer == x;
  OK(cudaFree(ptr));
  OK(cudaFree(y));
  return finish(ok);
}
