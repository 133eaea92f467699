// A stencil iterated on two buffers, several steps in each launch with a halo in shared memory (as Rodinia's hotspot).
#include "check.cuh"
#define BLOCK 16
#define IN_RANGE(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
__global__ void hotspot(int steps, const float *power, const float *src, float *dst, int n, float cap) {
  __shared__ float old[BLOCK][BLOCK], next[BLOCK][BLOCK];
  int small = BLOCK - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * small - steps + tx, y = blockIdx.y * small - steps + ty;
  bool inside = IN_RANGE(x, 0, n - 1) && IN_RANGE(y, 0, n - 1);
  float p = 0;
  if (inside)
    old[ty][tx] = src[y * n + x], p = power[y * n + x];
  __syncthreads();
  int w = x <= 0 ? tx : tx - 1, e = x >= n - 1 ? tx : tx + 1, s = y >= n - 1 ? ty : ty + 1, u = y <= 0 ? ty : ty - 1;
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = false;
    if (IN_RANGE(tx, i + 1, BLOCK - i - 2) && IN_RANGE(ty, i + 1, BLOCK - i - 2) && inside) {
      computed = true;
      next[ty][tx] = old[ty][tx] + cap * (p + (old[s][tx] + old[u][tx] - 2.f * old[ty][tx]) +
                                          (old[ty][e] + old[ty][w] - 2.f * old[ty][tx]));
    }
    __syncthreads();
    if (i == steps - 1)
      break;
    if (computed)
      old[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed)
    dst[y * n + x] = next[ty][tx];
}
int main() {
  const int n = 64, total = 8, steps = 2;
  float *power = new float[n * n], *temp = new float[n * n], *work = new float[n * n], *dp, *d[2];
  for (int i = 0; i < n * n; i++)
    power[i] = (i % 7) * 0.01f, temp[i] = 20 + i % 13;
  OK(cudaMalloc(&dp, n * n * 4));
  OK(cudaMalloc(&d[0], n * n * 4));
  OK(cudaMalloc(&d[1], n * n * 4));
  OK(cudaMemcpy(dp, power, n * n * 4, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d[0], temp, n * n * 4, cudaMemcpyHostToDevice));
  int small = BLOCK - 2 * steps, at = 0;
  dim3 grid((n + small - 1) / small, (n + small - 1) / small), block(BLOCK, BLOCK);
  for (int t = 0; t < total; t += steps, at ^= 1)
    hotspot<<<grid, block>>>(steps, dp, d[at], d[at ^ 1], n, 0.1f);
  float *got = new float[n * n];
  OK(cudaMemcpy(got, d[at], n * n * 4, cudaMemcpyDeviceToHost));
  for (int t = 0; t < total; t++) {
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        float c = temp[y * n + x], l = x ? temp[y * n + x - 1] : c, r = x < n - 1 ? temp[y * n + x + 1] : c,
              a = y ? temp[y * n + x - n] : c, b = y < n - 1 ? temp[y * n + x + n] : c;
        work[y * n + x] = c + 0.1f * (power[y * n + x] + (b + a - 2.f * c) + (r + l - 2.f * c));
      }
    float *s = temp;
    temp = work, work = s;
  }
  bool ok = true;
  for (int i = 0; i < n * n; i++)
    ok &= near(got[i], temp[i], 1e-4);
  return finish(ok);
}
