#include "shared.cuh"
__device__ int calls;
__constant__ float coefficients[2] = {1, 2};
static __device__ int own = 500;
__device__ float polynomial(float x) { return x * x + coefficients[0]; }
__global__ void second(float *p) {
  p[threadIdx.x] += own;
  atomicAdd(&calls, 1);
}
void run_second(float *p) { second<<<1, 32>>>(p); }
