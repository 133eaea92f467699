// Sums by shuffles and cooperative groups, templates on the block size, a switch over launches.
#include "check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
template <class T, unsigned SIZE> __global__ void reduce(const T *in, T *out, unsigned n) {
  extern __shared__ char raw[];
  T *data = (T *)raw;
  cg::thread_block cta = cg::this_thread_block();
  T sum = 0;
  for (unsigned i = blockIdx.x * SIZE + threadIdx.x; i < n; i += SIZE * gridDim.x)
    sum += in[i];
  data[threadIdx.x] = sum;
  cg::sync(cta);
  for (unsigned s = SIZE / 2; s >= 32; s >>= 1) {
    if (threadIdx.x < s)
      data[threadIdx.x] = sum = sum + data[threadIdx.x + s];
    cg::sync(cta);
  }
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    for (int o = tile.size() / 2; o > 0; o /= 2)
      sum += tile.shfl_down(sum, o);
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
__global__ void groups(const int *in, int *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int all = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  auto active = cg::coalesced_threads();
  if (threadIdx.x % 3 == 0) {
    auto third = cg::coalesced_threads();
    all += third.size();
  }
  all += active.size();
  out[block.thread_rank()] = all + tile.any(threadIdx.x == 5) * 1000 + tile.ballot(threadIdx.x % 2) % 7;
}
template <class T> bool run(unsigned threads, unsigned n) {
  T *h = new T[n], *d, *o, part[64];
  double want = 0;
  for (unsigned i = 0; i < n; i++)
    want += h[i] = (T)(i % 17) - 3;
  OK(cudaMalloc(&d, n * sizeof(T)));
  OK(cudaMalloc(&o, sizeof part));
  OK(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
  switch (threads) {
  case 64:
    reduce<T, 64><<<64, 64, 64 * sizeof(T)>>>(d, o, n);
    break;
  case 128:
    reduce<T, 128><<<64, 128, 128 * sizeof(T)>>>(d, o, n);
    break;
  case 512:
    reduce<T, 512><<<64, 512, 512 * sizeof(T)>>>(d, o, n);
    break;
  }
  OK(cudaPeekAtLastError());
  OK(cudaMemcpy(part, o, sizeof part, cudaMemcpyDeviceToHost));
  double got = 0;
  for (int i = 0; i < 64; i++)
    got += part[i];
  OK(cudaFree(d));
  OK(cudaFree(o));
  return near(got, want);
}
int main() {
  bool ok = run<float>(64, 10000) && run<float>(512, 100000) && run<int>(128, 77777) && run<double>(512, 50000);
  int h[64], *d, *o;
  for (int i = 0; i < 64; i++)
    h[i] = i;
  OK(cudaMalloc(&d, sizeof h));
  OK(cudaMalloc(&o, sizeof h));
  OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  groups<<<1, 64>>>(d, o);
  OK(cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) {
    int first = i / 16 * 16, want = 16 * first + 120 + 32;
    if (i % 3 == 0)
      want += 11;
    ok &= h[i] == want + (i < 16 ? 1000 : 0) + 0xaaaa % 7;
  }
  return finish(ok);
}
