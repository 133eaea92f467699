// Random numbers on the device, doubles and mathematics, printf, a local array, loops that differ by thread.
#include "check.cuh"
__device__ unsigned rng(unsigned *s) {
  *s ^= *s << 13;
  *s ^= *s >> 17;
  return *s ^= *s << 5;
}
__global__ void options(double *price, int paths) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 12345 + 977 * t;
  double sum = 0, hist[8] = {0};
  for (int i = 0; i < paths; i++) {
    double u = (rng(&s) + 1.0) / 4294967297.0, v = (rng(&s) + 1.0) / 4294967297.0;
    double z = sqrt(-2 * log(u)) * cospi(2 * v), st = 100 * exp(0.02 - 0.02 + 0.2 * z);
    sum += fmax(st - 100, 0.0);
    hist[(int)(v * 8) & 7] += 1;
  }
  double even = 0;
  for (int i = 0; i < 8; i++)
    even += fabs(hist[i] - paths / 8.0);
  price[t] = sum / paths + (even > paths ? 1000 : 0);
  if (t == 3)
    printf("thread %d of block %d: %5.2f %s %c %lld\n", threadIdx.x, blockIdx.x, 1.5, "text", '!', 1ll << 40);
}
int main() {
  const int n = 256;
  double *d, h[n], mean = 0;
  OK(cudaMalloc(&d, sizeof h));
  options<<<n / 64, 64>>>(d, 400);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    mean += h[i] / n;
  /* E max(S - K, 0) for S = 100 exp(0.2 z): by Black and Scholes with forward 100 exp(0.02) */
  double f = 100 * exp(0.02), d1 = (log(f / 100) + 0.02) / 0.2, d2 = d1 - 0.2;
  double want = f * 0.5 * erfc(-d1 / sqrt(2.0)) - 100 * 0.5 * erfc(-d2 / sqrt(2.0));
  return finish(fabs(mean - want) < 0.15);
}
