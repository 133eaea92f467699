// Generators of random numbers on the device: means of what they give.
#include <curand_kernel.h>
#include <cstdio>
#include <cmath>
#include "count.cuh"
template <class S> __global__ void gen(double *out) {
  S s;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &s);
  double u = 0, g = 0;
  for (int k = 0; k < 64; k++) {
    u += curand_uniform(&s);
    g += curand_normal(&s);
    u += curand_uniform_double(&s);
    g += curand_normal_double(&s);
  }
  out[2 * i] = u;
  out[2 * i + 1] = g;
}
__global__ void pois(unsigned *o) {
  curandStatePhilox4_32_10_t s;
  curand_init(7, threadIdx.x, 0, &s);
  float4 n = curand_normal4(&s);
  uint4 q = curand_poisson4(&s, 10.0);
  o[threadIdx.x] = q.x + q.y + q.z + q.w + (unsigned)(n.x * 0);
  float l = curand_log_normal(&s, 0, 1);
  if (l < 0)
    o[0] = 0;
}
int main() {
  double *d;
  OK(cudaMallocManaged(&d, 512 * 16));
  for (int k = 0; k < 3; k++) {
    if (k == 0)
      gen<curandState><<<4, 128>>>(d);
    if (k == 1)
      gen<curandStatePhilox4_32_10_t><<<4, 128>>>(d);
    if (k == 2)
      gen<curandStateMRG32k3a><<<4, 128>>>(d);
    OK(cudaDeviceSynchronize());
    double u = 0, g = 0;
    for (int i = 0; i < 512; i++)
      u += d[2 * i], g += d[2 * i + 1];
    u /= 512 * 128;
    g /= 512 * 128;
    printf("%d %g %g\n", k, u, g);
    CHECK(fabs(u - 0.5) < 0.01 && fabs(g) < 0.02);
  }
  unsigned *o = (unsigned *)d;
  pois<<<1, 128>>>(o);
  OK(cudaDeviceSynchronize());
  double m = 0;
  for (int i = 0; i < 128; i++)
    m += o[i];
  printf("%g\n", m / 512);
  CHECK(fabs(m / 512 - 10) < 1);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
