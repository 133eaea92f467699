// Algorithms of CUB on a device, a block, a warp.
#include <cub/cub.cuh>
#include <cstdio>
#include <vector>
#include <algorithm>
#include "count.cuh"
__global__ void blocks(const int *in, int *out, int *agg) {
  typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> L;
  typedef cub::BlockScan<int, 128> S;
  typedef cub::BlockRadixSort<int, 128, 4> R;
  typedef cub::BlockStore<int, 128, 4> W;
  __shared__ union {
    L::TempStorage l;
    S::TempStorage s;
    R::TempStorage r;
    W::TempStorage w;
  } t;
  int x[4], a;
  L(t.l).Load(in + blockIdx.x * 512, x);
  __syncthreads();
  R(t.r).Sort(x);
  __syncthreads();
  S(t.s).ExclusiveSum(x, x, a);
  __syncthreads();
  W(t.w).Store(out + blockIdx.x * 512, x);
  if (threadIdx.x == 0)
    agg[blockIdx.x] = a;
}
__global__ void warps(const float *in, float *out) {
  typedef cub::WarpReduce<float> W;
  __shared__ W::TempStorage t[4];
  float v = in[threadIdx.x];
  float s = W(t[threadIdx.x / 32]).Sum(v);
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32] = s;
}
template <class F> void twice(F f) {
  void *t = nullptr;
  size_t n = 0;
  OK(f(t, n));
  OK(cudaMalloc(&t, n));
  OK(f(t, n));
  OK(cudaFree(t));
}
int main() {
  int n = 50000;
  std::vector<int> h(n);
  unsigned s = 7;
  for (auto &x : h) {
    s = s * 1664525u + 1013904223u;
    x = (int)(s >> 10) % 1000;
  }
  int *d, *o, *c;
  OK(cudaMalloc(&d, n * 4));
  OK(cudaMalloc(&o, n * 4));
  OK(cudaMalloc(&c, n * 4));
  OK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice));
  long long sum = 0;
  for (int x : h)
    sum += x;
  int r;
  twice([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, d, o, n); });
  cudaMemcpy(&r, o, 4, cudaMemcpyDeviceToHost);
  CHECK(r == sum);
  twice([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, d, o, n); });
  cudaMemcpy(&r, o, 4, cudaMemcpyDeviceToHost);
  CHECK(r == *std::max_element(h.begin(), h.end()));
  std::vector<int> g(n);
  twice([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, d, o, n); });
  cudaMemcpy(g.data(), o, n * 4, cudaMemcpyDeviceToHost);
  {
    int a = 0;
    bool ok = true;
    for (int i = 0; i < n; i++) {
      ok &= g[i] == a;
      a += h[i];
    }
    CHECK(ok);
  }
  twice([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, d, o, n); });
  cudaMemcpy(g.data(), o, n * 4, cudaMemcpyDeviceToHost);
  {
    auto q = h;
    std::sort(q.begin(), q.end());
    CHECK(q == g);
  }
  twice([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, d, o, 11, 0, 1000, n); });
  cudaMemcpy(g.data(), o, 40, cudaMemcpyDeviceToHost);
  {
    bool ok = true;
    for (int i = 0; i < 10; i++)
      ok &= g[i] == std::count_if(h.begin(), h.end(), [&](int x) { return x / 100 == i; });
    CHECK(ok);
  }
  twice([&](void *t, size_t &b) { return cub::DeviceSelect::Unique(t, b, d, o, c, n); });
  cudaMemcpy(&r, c, 4, cudaMemcpyDeviceToHost);
  {
    auto q = h;
    CHECK(r == std::unique(q.begin(), q.end()) - q.begin());
  }
  twice([&](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, d, o, c, c + n - 1, n); });
  std::vector<int> off = {0, 100, 100, 5000, n};
  int *po;
  cudaMalloc(&po, 20);
  cudaMemcpy(po, off.data(), 20, cudaMemcpyHostToDevice);
  twice([&](void *t, size_t &b) { return cub::DeviceSegmentedReduce::Sum(t, b, d, o, 4, po, po + 1); });
  cudaMemcpy(g.data(), o, 16, cudaMemcpyDeviceToHost);
  {
    int a = 0;
    for (int i = 0; i < 100; i++)
      a += h[i];
    CHECK(g[0] == a && g[1] == 0);
  }
  blocks<<<4, 128>>>(d, o, c);
  OK(cudaDeviceSynchronize());
  cudaMemcpy(&r, c, 4, cudaMemcpyDeviceToHost);
  {
    int a = 0;
    for (int i = 0; i < 512; i++)
      a += h[i];
    CHECK(r == a);
  }
  float hf[128], *f;
  for (int i = 0; i < 128; i++)
    hf[i] = i;
  cudaMalloc(&f, 1024);
  cudaMemcpy(f, hf, 512, cudaMemcpyHostToDevice);
  warps<<<1, 128>>>(f, f + 128);
  cudaMemcpy(hf, f + 128, 16, cudaMemcpyDeviceToHost);
  CHECK(hf[0] == 496 && hf[1] == 1520);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
