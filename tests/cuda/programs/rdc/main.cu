// Relocatable device code: functions, variables and a constant defined in another file.
#include "../check.cuh"
#include "shared.cuh"
static __device__ int own = 3; /* other.cu has one of the same name */
__global__ void first(float *p) {
  p[threadIdx.x] = polynomial(p[threadIdx.x]) * coefficients[1] + own;
  atomicAdd(&calls, 1);
}
int main() {
  float *d, h[32];
  int n;
  for (int i = 0; i < 32; i++)
    h[i] = i;
  OK(cudaMalloc(&d, sizeof h));
  OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  first<<<1, 32>>>(d);
  run_second(d);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  OK(cudaMemcpyFromSymbol(&n, calls, sizeof n));
  bool ok = n == 64;
  for (int i = 0; i < 32; i++)
    ok &= h[i] == (i * i + 1) * 2 + 3 + 500;
  return finish(ok);
}
