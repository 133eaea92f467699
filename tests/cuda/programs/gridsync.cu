// A cooperative grid that meets between steps, and how large it may be.
#include "check.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void relax(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; s++) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = 0.5f * (a[(i + n - 1) % n] + a[(i + 1) % n]);
    grid.sync();
    float *t = a;
    a = b, b = t;
  }
}
int main() {
  int n = 5000, steps = 6, blocks, supported;
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  OK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, relax, 128, 0));
  float *h = new float[n], *g = new float[n], *a, *b;
  for (int i = 0; i < n; i++)
    h[i] = i % 10;
  OK(cudaMalloc(&a, n * 4));
  OK(cudaMalloc(&b, n * 4));
  OK(cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice));
  void *args[] = {&a, &b, &n, &steps};
  int most = blocks * p.multiProcessorCount;
  bool ok = supported == 1 && blocks > 0;
  ok &= cudaLaunchCooperativeKernel(relax, dim3(most + 1), dim3(128), args, 0, 0) == cudaErrorCooperativeLaunchTooLarge;
  (void)cudaGetLastError();
  OK(cudaLaunchCooperativeKernel(relax, dim3(most < 40 ? most : 40), dim3(128), args, 0, 0));
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(g, a, n * 4, cudaMemcpyDeviceToHost));
  for (int s = 0; s < steps; s++) {
    float *t = new float[n];
    for (int i = 0; i < n; i++)
      t[i] = 0.5f * (h[(i + n - 1) % n] + h[(i + 1) % n]);
    h = t;
  }
  for (int i = 0; i < n; i++)
    ok &= g[i] == h[i];
  return finish(ok);
}
