// Cooperative groups, pipelines, barriers and atomics of libcu++, half and bfloat16 arithmetic.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cuda/std/complex>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
namespace cg = cooperative_groups;
#include "count.cuh"
__global__ void groups(int *out) {
  auto b = cg::this_thread_block();
  auto w = cg::tiled_partition<32>(b);
  auto q = cg::tiled_partition<8>(w);
  auto g = cg::this_grid();
  int r = cg::reduce(w, (int)g.thread_rank(), cg::plus<int>());
  int s = cg::inclusive_scan(q, 1);
  int e = cg::exclusive_scan(q, 2);
  int mx = cg::reduce(q, (int)threadIdx.x, cg::greater<int>());
  if (threadIdx.x % 3 == 0) {
    auto c = cg::coalesced_threads();
    out[4096 + g.thread_rank()] = c.size() * 100 + c.thread_rank();
    if (c.thread_rank() == 0)
      atomicAdd(&out[8191], c.size());
  }
  auto lp = cg::labeled_partition(w, threadIdx.x % 5);
  auto bp = cg::binary_partition(w, threadIdx.x & 1);
  out[g.thread_rank()] = r + s * 1000000 + e * 10000000 + mx + lp.size() + bp.size();
}
__global__ void gridk(int *x, int n) {
  auto g = cg::this_grid();
  for (int k = 0; k < 5; k++) {
    for (int i = g.thread_rank(); i < n; i += g.size())
      x[n * (k + 1) + i] = x[n * k + (i + 1) % n] + 1;
    g.sync();
  }
}
__global__ void copies(const float *in, float *out) {
  __shared__ float s[1024];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, in + blockIdx.x * 1024, sizeof s);
  cg::wait(b);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    out[blockIdx.x * 1024 + i] = s[1023 - i];
}
__global__ void pipe(const int *in, int *out, int n) {
  __shared__ int s[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  auto b = cg::this_thread_block();
  auto p = cuda::make_pipeline(b, &st);
  int sum = 0;
  for (int k = 0, f = 0; k < n; k++) {
    for (; f < n && f < k + 2; f++) {
      p.producer_acquire();
      cuda::memcpy_async(b, s[f % 2], in + f * 128, cuda::aligned_size_t<16>(512), p);
      p.producer_commit();
    }
    p.consumer_wait();
    sum += s[k % 2][threadIdx.x];
    p.consumer_release();
  }
  out[threadIdx.x] = sum;
}
__global__ void barr(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[256];
  auto b = cg::this_thread_block();
  if (b.thread_rank() == 0)
    init(&bar, b.size());
  b.sync();
  cuda::memcpy_async(b, s, in, sizeof s, bar);
  auto t = bar.arrive();
  bar.wait(std::move(t));
  out[threadIdx.x] = s[255 - threadIdx.x];
  bar.arrive_and_wait();
}
__global__ void atom(int *p, double *dp) {
  cuda::atomic_ref<int, cuda::thread_scope_device> a(*p);
  a.fetch_add(2, cuda::memory_order_relaxed);
  a.fetch_max(5);
  cuda::atomic_ref<double> d(*dp);
  d.fetch_add(0.5);
  int e = 1;
  a.compare_exchange_strong(e, 7);
  __shared__ cuda::atomic<int, cuda::thread_scope_block> sh;
  if (threadIdx.x == 0)
    new (&sh) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  sh++;
  __syncthreads();
  if (threadIdx.x == 0)
    p[1] = sh.load();
}
__global__ void halves(__half *h, __nv_bfloat16 *b, float *f) {
  int i = threadIdx.x;
  __half2 x = __floats2half2_rn(i * 0.25f, 1.5f);
  x = __hfma2(x, x, __float2half2_rn(1));
  h[i] = __hadd(__low2half(x), hexp(__high2half(x)));
  atomicAdd((__half2 *)(h + 64), x);
  b[i] = hsqrt(__float2bfloat16(i));
  atomicAdd(&b[64], __float2bfloat16(1));
  f[i] = __half2float(h[i]) + __bfloat162float(b[i]) + __half2float(__hmax(h[i], __float2half(3.0f)));
}
int main() {
  int *d;
  static int h[16384];
  OK(cudaMalloc(&d, sizeof h));
  OK(cudaMemset(d, 0, sizeof h));
  groups<<<4, 256>>>(d);
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 496 + 1000000 + 7 + 7 + 16);
  CHECK(h[33] == 1520 + 2 * 1000000 + 2 * 10000000 + 39 + 7 + 16);
  CHECK(h[8191] == 4 * 86);
  int n = 5000;
  OK(cudaMemset(d, 0, sizeof h));
  for (int i = 0; i < 1000; i++)
    h[i] = i;
  n = 1000;
  cudaMemcpy(d, h, 4000, cudaMemcpyHostToDevice);
  void *args[] = {&d, &n};
  int nb;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, gridk, 128, 0));
  CHECK(nb > 0);
  OK(cudaLaunchCooperativeKernel((void *)gridk, dim3(8), dim3(128), args, 0, 0));
  OK(cudaDeviceSynchronize());
  cudaMemcpy(h, d, 24000, cudaMemcpyDeviceToHost);
  CHECK(h[5000] == 10 && h[5999] == 9);
  float *f, *g;
  OK(cudaMallocManaged(&f, 32768));
  g = f + 4096;
  for (int i = 0; i < 4096; i++)
    f[i] = i;
  copies<<<4, 128>>>(f, g);
  OK(cudaDeviceSynchronize());
  CHECK(g[0] == 1023 && g[4095] == 3072);
  int *m;
  OK(cudaMallocManaged(&m, 65536));
  for (int i = 0; i < 8192; i++)
    m[i] = i;
  pipe<<<1, 128>>>(m, m + 8192, 8);
  OK(cudaDeviceSynchronize());
  CHECK(m[8192] == 128 * 28 && m[8193] == 128 * 28 + 8);
  barr<<<1, 256>>>(m, m + 9000);
  OK(cudaDeviceSynchronize());
  CHECK(m[9000] == 255 && m[9255] == 0);
  double *dp;
  cudaMallocManaged(&dp, 8);
  *dp = 0;
  m[0] = m[1] = 0;
  atom<<<2, 64>>>(m, dp);
  OK(cudaDeviceSynchronize());
  CHECK(*dp == 64 && m[1] == 64 && m[0] >= 255);
  __half *hh;
  __nv_bfloat16 *bb;
  float *ff;
  cudaMallocManaged(&hh, 256);
  cudaMallocManaged(&bb, 256);
  cudaMallocManaged(&ff, 256);
  memset(hh, 0, 256);
  memset(bb, 0, 256);
  halves<<<1, 64>>>(hh, bb, ff);
  OK(cudaDeviceSynchronize());
  CHECK(__bfloat162float(bb[64]) == 64);
  CHECK(__bfloat162float(bb[16]) == 4);
  CHECK(fabsf(__half2float(hh[0]) - (1 + 25.79f)) < 0.03f);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
