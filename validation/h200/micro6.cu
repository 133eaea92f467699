// Which of its ready warps a scheduler chooses: when each warp of an SM comes to the end of the same stretch of arithmetic. Built and run by
// hand where the card is:
//   nvcc -arch=sm_90 -O3 micro6.cu -o micro6 && ./micro6 > recorded/micro6.csv
// Cycles count from the first warp's beginning. A scheduler that takes turns lets all of its warps end together; one that stays with a warp
// as long as that can issue lets them end one after the other, the oldest or the youngest first.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
template <int chains> __device__ __forceinline__ float stretch(float x, int n) { // of independent chains
  float s[chains];
#pragma unroll
  for (int j = 0; j < chains; j++)
    s[j] = x + j;
#pragma unroll 1
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 64; j++)
      s[j % chains] = s[j % chains] * x + 1.5f;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < chains; j++)
    sum += s[j];
  return sum;
}
template <int chains> __global__ void ends(float *o, long long *t, float x, int n) {
  int w = threadIdx.x / 32;
  __syncthreads();
  long long begin = clock64();
  float s = stretch<chains>(x, n);
  long long end = clock64();
  o[threadIdx.x] = s;
  if (threadIdx.x % 32 == 0)
    t[2 * w] = begin, t[2 * w + 1] = end;
}
// The same with loads that hit the L1, of which an SM has one unit.
__global__ void ends_shared(float *o, long long *t, int zero, int n) {
  __shared__ float a[1024];
  int w = threadIdx.x / 32, i = threadIdx.x;
  a[i] = (float)i;
  __syncthreads();
  long long begin = clock64();
  float s[8] = {0};
#pragma unroll 1
  for (int k = 0; k < n; k++, i = (i + zero) & 1023)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s[j] += *(volatile float *)&a[(i + 32 * j) & 1023];
  long long end = clock64();
  o[threadIdx.x] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  if (threadIdx.x % 32 == 0)
    t[2 * w] = begin, t[2 * w + 1] = end;
}
static long long *times;
static float *out;
static void print(const char *name, int warps) {
  long long t[64];
  cudaMemcpy(t, times, sizeof t, cudaMemcpyDeviceToHost);
  long long first = t[0];
  for (int w = 0; w < warps; w++)
    first = t[2 * w] < first ? t[2 * w] : first;
  for (int w = 0; w < warps; w++)
    printf("%s,%d,%d,%lld,%lld\n", name, w, w % 4, t[2 * w] - first, t[2 * w + 1] - first);
}
int main() {
  cudaMalloc(&times, 4096);
  cudaMalloc(&out, 4096 * 4);
  puts("name,warp,scheduler,begins,ends");
  for (int again = 0; again < 2; again++) { // the first time without code in caches
    ends<8><<<1, 1024>>>(out, times, 0.5f, 16);
    if (again)
      print("chains_8", 32);
    ends<2><<<1, 1024>>>(out, times, 0.5f, 16);
    if (again)
      print("chains_2", 32);
    ends<1><<<1, 1024>>>(out, times, 0.5f, 16);
    if (again)
      print("chains_1", 32);
    ends_shared<<<1, 1024>>>(out, times, 0, 32);
    if (again)
      print("shared", 32);
  }
  fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
