// What the L2 of a card is made of, and how often compare-and-swap is tried again. Built and run by hand where the card is:
//   nvcc -arch=sm_90 -O3 micro8.cu -o micro8 && ./micro8                  recorded/micro8.csv, without most rows of blocks in other slices
//   ncu --replay-mode application --cache-control none ... ./micro8 l2    recorded/micro8_l2.csv: kernels that read and write 4 to 96 MB, three times
// - apart: atomics of all SMs on two sectors, so many bytes from each other. They take half the time where two slices share the work.
// - tries: threads change words by compare-and-swap; how often each tries.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
__device__ __forceinline__ uint32_t gid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ uint32_t mix(uint32_t v) {
  v = (v ^ v >> 16) * 0x7feb352du;
  v = (v ^ v >> 15) * 0x846ca68bu;
  return v ^ v >> 16;
}
__global__ void add_two(char *p, uint32_t apart, int n) {
  uint32_t *q = (uint32_t *)(p + ((gid() / 32) & 1) * (size_t)apart);
#pragma unroll 1
  for (int k = 0; k < n; k++)
    atomicAdd(q + (threadIdx.x & 7), 1u + (threadIdx.x >> 3));
}
__global__ void swap_words(uint32_t *p, uint32_t mask, uint32_t apart, unsigned long long *tries) {
  uint32_t *at = p + (size_t)(mix(gid()) & mask) * apart, old = *(volatile uint32_t *)at, k = 0;
  for (;;) {
    k++;
    uint32_t seen = atomicCAS(at, old, old + 1);
    if (seen == old)
      break;
    old = seen;
  }
  k = __reduce_add_sync(~0u, k);
  if (threadIdx.x % 32 == 0)
    atomicAdd(tries, (unsigned long long)k);
}
__global__ void read_all(const uint4 *p, uint32_t *o, uint32_t n) {
  uint32_t z = 0;
  for (uint32_t i = gid(); i < n; i += gridDim.x * blockDim.x)
    z ^= p[i].x;
  if (z == 12345)
    o[0] = z;
}
__global__ void read_any(const uint32_t *p, uint32_t *o, uint32_t sectors, int each) {
  uint32_t z = 0;
  for (int k = 0; k < each; k++)
    z ^= p[(size_t)__umulhi(mix(gid() * each + k), sectors) * 8];
  if (z == 12345)
    o[0] = z;
}
__global__ void write_all(uint4 *p, uint32_t n, uint32_t v) {
  for (uint32_t i = gid(); i < n; i += gridDim.x * blockDim.x)
    p[i] = make_uint4(v, v, v, v);
}
__global__ void write_any(uint32_t *p, uint32_t sectors, int each, uint32_t v) { // whole sectors
  for (int k = 0; k < each; k++)
    p[(size_t)__umulhi(mix((gid() / 8) * each + k), sectors) * 8 + threadIdx.x % 8] = v;
}
static float launch_add(char *p, uint32_t apart, cudaEvent_t a, cudaEvent_t b) {
  float best = 1e9f, ms;
  for (int k = 0; k < 2; k++) {
    cudaEventRecord(a);
    add_two<<<132, 256>>>(p, apart, 64);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
    best = ms < best ? ms : best;
  }
  return best;
}
int main(int argc, char **argv) {
  char *p;
  uint32_t *o;
  unsigned long long *t;
  cudaMalloc(&p, 256u << 20);
  cudaMalloc(&o, 4096);
  cudaMalloc(&t, 8);
  cudaMemset(p, 0, 256u << 20);
  if (argc > 1 && !strcmp(argv[1], "l2")) {
    static const uint32_t mb[] = {4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 80, 96};
    for (uint32_t m : mb) {
      uint32_t bytes = m << 20;
      for (int k = 0; k < 3; k++)
        read_all<<<1056, 256>>>((uint4 *)p, o, bytes / 16);
      for (int k = 0; k < 3; k++)
        read_any<<<1056, 256>>>((uint32_t *)p, o, bytes / 32, (int)(bytes / 32 * 3 / (1056 * 256)));
      for (int k = 0; k < 3; k++)
        write_all<<<1056, 256>>>((uint4 *)p, bytes / 16, k);
      for (int k = 0; k < 3; k++)
        write_any<<<1056, 256>>>((uint32_t *)p, bytes / 32, (int)(bytes / 32 * 3 / (1056 * 32)), k);
    }
    cudaDeviceSynchronize();
    return 0;
  }
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  for (int k = 0; k < 200; k++)
    add_two<<<132, 256>>>(p, 0, 64); // clocks rise
  puts("what,from,number,value");
  for (size_t base = 0; base < 3; base++) {
    char *from = p + base * (1 << 20) * 17 + base * 4096 * 5;
    for (uint32_t k = 32; k < 4096; k += 32)
      printf("apart,%zu,%u,%.2f\n", base, k, launch_add(from, k, a, b) * 1000);
    for (uint32_t k = 4096; k < 1 << 20; k += 256)
      printf("apart,%zu,%u,%.2f\n", base, k, launch_add(from, k, a, b) * 1000);
  }
  for (uint32_t apart = 1; apart <= 8; apart *= 8)
    for (uint32_t words = 1; words <= 1 << 18; words *= 4)
      for (uint32_t ctas = 132; ctas <= 132 * 64; ctas *= 8) {
        float ms;
        if (ctas * 256 / words > 64)
          continue;
        cudaMemset(p, 0, 16u << 20);
        for (int k = 0; k < 2; k++) {
          cudaMemset(t, 0, 8);
          cudaEventRecord(a);
          swap_words<<<ctas, 256>>>((uint32_t *)p, words - 1, apart, t);
          cudaEventRecord(b);
          cudaEventSynchronize(b);
          cudaEventElapsedTime(&ms, a, b);
        }
        unsigned long long tries;
        cudaMemcpy(&tries, t, 8, cudaMemcpyDeviceToHost);
        printf("tries_apart_%u_ctas_%u,0,%u,%.3f\n", apart * 4, ctas, words, (double)tries / (ctas * 256.0));
        printf("microseconds_apart_%u_ctas_%u,0,%u,%.2f\n", apart * 4, ctas, words, ms * 1000);
      }
  return 0;
}
