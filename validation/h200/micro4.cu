// Stores that are joined, changed in part, and constants: what they count, not what a step takes. Built and run by hand where the card is:
//   nvcc -arch=sm_90 -O3 micro4.cu -o micro4 && ncu --cache-control all ./micro4     (parts_*, write_random: cold)
//   ncu --cache-control none ./micro4                                               (same_word, const_*: warm)
// recorded/micro4.csv has the counters.
#include <cstdint>
#include <cstdio>
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void write_random(uint32_t *p, uint32_t mask, int n) {
  uint32_t i = GID * 2654435761u;
  for (int k = 0; k < n; k++) {
    i = i * 1664525u + 1013904223u;
    p[(i >> 4) & mask] = k;
  }
}
__global__ void parts_fill(uint32_t *p, int m) { // sectors become whole word by word, m sectors of the thread in turn
  uint32_t all = gridDim.x * blockDim.x;
  for (int w = 0; w < 8; w++)
    for (int j = 0; j < m; j++)
      p[((size_t)j * all + GID) * 8 + w] = w;
}
__global__ void parts_once(uint32_t *p, int m, int words) { // so many words of each sector
  uint32_t all = gridDim.x * blockDim.x;
  for (int j = 0; j < m; j++)
    for (int w = 0; w < words; w++)
      p[((size_t)j * all + GID) * 8 + w] = w;
}
__global__ void parts_of_read(uint32_t *p, int m) { // sectors that are in the L2
  uint32_t all = gridDim.x * blockDim.x;
  for (int j = 0; j < m; j++)
    p[((size_t)j * all + GID) * 8]++;
}
__global__ void same_word(volatile uint32_t *p, int stride, int n) { // warps store words `stride` apart
  if (threadIdx.x % 32 == 0)
    for (int k = 0; k < n; k++)
      p[(GID / 32) * stride] = k;
}
__constant__ uint32_t table[16384];
__global__ void const_chain(uint32_t *o, int n, int mask) {
  uint32_t i = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    i = table[i & mask] + i + 16;
  o[GID] = i;
}
__global__ void const_wide(uint32_t *o, int n, int mask) {
  uint32_t z = 0, i = 0;
#pragma unroll 4
  for (int k = 0; k < n; k++, i += 4) {
    z ^= table[i & mask];
    z += table[(i & mask) + 1];
    z ^= table[(i & mask) + 2];
    z += table[(i & mask) + 3];
  }
  o[GID] = z;
}
int main() {
  uint32_t *p;
  cudaMalloc(&p, 1u << 30);
  cudaMemset(p, 0, 1u << 30);
  for (uint32_t mb : {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024})
    write_random<<<1056, 256>>>(p, mb * 262144u - 1, 4);
  for (uint32_t mb : {4, 16, 64})
    write_random<<<1056, 256>>>(p, mb * 262144u - 1, 12);
  for (int m : {1, 2, 4, 8})
    parts_fill<<<1056, 256>>>(p, m);
  for (int m : {1, 2})
    parts_once<<<1056, 256>>>(p, m, 1);
  parts_once<<<1056, 256>>>(p, 2, 4);
  parts_of_read<<<1056, 256>>>(p, 4);
  for (int n : {32, 96}) {
    same_word<<<1, 1024>>>(p, 0, n);
    same_word<<<132, 32>>>(p, 0, n);
    for (int stride : {0, 1, 8})
      same_word<<<132, 1024>>>(p, stride, n);
  }
  for (int n : {256, 4352}) {
    for (int mask : {255, 511, 4095, 16383})
      const_chain<<<1, 32>>>(p, n, mask & ~15);
    for (int mask : {255, 4095, 16383})
      const_wide<<<132, 1024>>>(p, n, mask & ~3);
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
