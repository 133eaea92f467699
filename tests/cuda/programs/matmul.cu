// Tiles in shared memory, blocks of two dimensions, timed by events.
#include "check.cuh"
#define TILE 16
__global__ void matmul(float *C, const float *A, const float *B, int wA, int wB) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < wA / TILE; t++) {
    As[threadIdx.y][threadIdx.x] = A[row * wA + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * wB + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++)
      sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * wB + col] = sum;
}
int main() {
  const int hA = 64, wA = 48, wB = 80;
  float *a = new float[hA * wA], *b = new float[wA * wB], *c = new float[hA * wB], *da, *db, *dc;
  for (int i = 0; i < hA * wA; i++)
    a[i] = (i * 7 % 13) * 0.25f;
  for (int i = 0; i < wA * wB; i++)
    b[i] = (i * 5 % 11) * 0.5f - 2;
  OK(cudaMalloc((void **)&da, sizeof(float) * hA * wA));
  OK(cudaMalloc((void **)&db, sizeof(float) * wA * wB));
  OK(cudaMalloc((void **)&dc, sizeof(float) * hA * wB));
  OK(cudaMemcpy(da, a, sizeof(float) * hA * wA, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(db, b, sizeof(float) * wA * wB, cudaMemcpyHostToDevice));
  matmul<<<dim3(wB / TILE, hA / TILE), dim3(TILE, TILE)>>>(dc, da, db, wA, wB);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(c, dc, sizeof(float) * hA * wB, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < hA; i++)
    for (int j = 0; j < wB; j++) {
      double want = 0;
      for (int k = 0; k < wA; k++)
        want += (double)a[i * wA + k] * b[k * wB + j];
      ok &= near(c[i * wB + j], want, 1e-4);
    }
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  ok &= p.multiProcessorCount > 0 && p.warpSize == 32 && p.totalGlobalMem > 0 && p.maxThreadsPerBlock >= 256;
  OK(cudaDeviceReset());
  return finish(ok);
}
