// Atomics of all kinds: shared and global, integers, floats, compare and swap.
#include "check.cuh"
__global__ void histogram(const unsigned char *data, unsigned n, unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&bins[i], local[i]);
}
__device__ double add_cas(double *at, double v) {
  unsigned long long *p = (unsigned long long *)at, old = *p, seen;
  do {
    seen = old;
    old = atomicCAS(p, seen, __double_as_longlong(v + __longlong_as_double(seen)));
  } while (seen != old);
  return __longlong_as_double(old);
}
struct results {
  float f;
  double d, cas;
  unsigned long long u;
  int lo, hi;
  unsigned a, o, x, inc, dec, exch;
};
__global__ void kinds(results *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&r->f, 0.5f);
  atomicAdd(&r->d, 0.25);
  add_cas(&r->cas, 1.0);
  atomicAdd(&r->u, 1ull << 33);
  atomicMin(&r->lo, -i);
  atomicMax(&r->hi, i);
  atomicAnd(&r->a, ~(1u << i % 32));
  atomicOr(&r->o, 1u << i % 20);
  atomicXor(&r->x, i);
  atomicInc(&r->inc, 99);
  atomicDec(&r->dec, 9);
  atomicExch(&r->exch, 77);
  __threadfence();
}
int main() {
  const unsigned n = 50000;
  unsigned char *h = new unsigned char[n], *d;
  unsigned *bins, got[256], want[256] = {0};
  for (unsigned i = 0; i < n; i++)
    want[h[i] = i * i >> 3]++;
  OK(cudaMalloc(&d, n));
  OK(cudaMalloc(&bins, sizeof got));
  OK(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
  OK(cudaMemset(bins, 0, sizeof got));
  histogram<<<16, 128>>>(d, n, bins);
  OK(cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost));
  bool ok = memcmp(got, want, sizeof got) == 0;
  results r = {0, 0, 0, 0, 1000, -1000, ~0u, 0, 0, 0, 0, 0}, *dr;
  OK(cudaMalloc(&dr, sizeof r));
  OK(cudaMemcpy(dr, &r, sizeof r, cudaMemcpyHostToDevice));
  kinds<<<4, 100>>>(dr);
  OK(cudaMemcpy(&r, dr, sizeof r, cudaMemcpyDeviceToHost));
  unsigned x = 0, dec = 0;
  for (int i = 0; i < 400; i++)
    x ^= i, dec = dec == 0 || dec > 9 ? 9 : dec - 1;
  ok &= r.f == 200 && r.d == 100 && r.cas == 400 && r.u == 400ull << 33 && r.lo == -399 && r.hi == 399 && r.a == 0 &&
        r.o == 0xfffff && r.x == x && r.inc == 0 && r.dec == dec && r.exch == 77;
  return finish(ok);
}
