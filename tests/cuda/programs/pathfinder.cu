// Dynamic programming in strips with a halo (as Rodinia's pathfinder), ternaries, min, arrays of int.
#include "check.cuh"
#define BLOCK 256
__global__ void strip(int iterations, const int *wall, const int *src, int *dst, int cols, int start) {
  __shared__ int prev[BLOCK], result[BLOCK];
  int tx = threadIdx.x, small = BLOCK - iterations * 2, x = small * blockIdx.x - iterations + tx;
  bool inside = x >= 0 && x < cols, computed = false;
  int w = max(tx - 1, x <= 0 ? tx : 0), e = min(tx + 1, x >= cols - 1 ? tx : BLOCK - 1);
  if (inside)
    prev[tx] = src[x];
  __syncthreads();
  for (int i = 0; i < iterations; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= BLOCK - i - 2 && inside) {
      computed = true;
      result[tx] = min(min(prev[w], prev[tx]), prev[e]) + wall[cols * (start + i) + x];
    }
    __syncthreads();
    if (i == iterations - 1)
      break;
    if (computed)
      prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed)
    dst[x] = result[tx];
}
int main() {
  const int cols = 2000, rows = 41, height = 10;
  int *data = new int[rows * cols], *want = new int[cols], *tmp = new int[cols], *got = new int[cols], *wall, *r[2];
  for (int i = 0; i < rows * cols; i++)
    data[i] = (i * 2654435761u >> 16) % 10;
  OK(cudaMalloc(&wall, rows * cols * 4));
  OK(cudaMalloc(&r[0], cols * 4));
  OK(cudaMalloc(&r[1], cols * 4));
  OK(cudaMemcpy(r[0], data, cols * 4, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(wall, data + cols, (rows - 1) * cols * 4, cudaMemcpyHostToDevice));
  int from = 0, small = BLOCK - 2 * height;
  for (int t = 0; t < rows - 1; t += height, from ^= 1) {
    int steps = min(height, rows - 1 - t);
    strip<<<(cols + small - 1) / small, BLOCK>>>(steps, wall, r[from], r[from ^ 1], cols, t);
  }
  OK(cudaMemcpy(got, r[from], cols * 4, cudaMemcpyDeviceToHost));
  memcpy(want, data, cols * 4);
  for (int t = 1; t < rows; t++) {
    for (int x = 0; x < cols; x++) {
      int m = want[x];
      m = x ? min(m, want[x - 1]) : m;
      m = x < cols - 1 ? min(m, want[x + 1]) : m;
      tmp[x] = m + data[t * cols + x];
    }
    memcpy(want, tmp, cols * 4);
  }
  return finish(memcmp(got, want, cols * 4) == 0);
}
