// Copies into shared memory that go on while the block computes: cp.async by pipeline and by group, barriers in memory.
#include "check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
__global__ void staged(const int4 *in, int *out, int tiles) {
  __shared__ int4 buffer[2][64];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], 16);
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles)
      __pipeline_memcpy_async(&buffer[(k + 1) & 1][t], &in[(k + 1) * 64 + t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int4 v = buffer[k & 1][63 - t];
    sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    __syncthreads();
  }
  out[t] = sum;
}
__global__ void grouped(const int *in, int *out) {
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[block.thread_rank()] = tile[127 - block.thread_rank()];
}
__global__ void by_barrier(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, bar);
  bar.arrive_and_wait();
  out[block.thread_rank()] += tile[(block.thread_rank() + 1) % 128];
}
int main() {
  const int tiles = 5;
  int *h = new int[tiles * 256], *d, *o, got[128];
  for (int i = 0; i < tiles * 256; i++)
    h[i] = i % 101;
  OK(cudaMalloc(&d, tiles * 1024));
  OK(cudaMalloc(&o, 512));
  OK(cudaMemcpy(d, h, tiles * 1024, cudaMemcpyHostToDevice));
  staged<<<1, 64>>>((int4 *)d, o, tiles);
  OK(cudaMemcpy(got, o, 256, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int t = 0; t < 64; t++) {
    int sum = 0;
    for (int k = 0; k < tiles; k++)
      for (int c = 0; c < 4; c++)
        sum += (c + 1) * h[k * 256 + (63 - t) * 4 + c];
    ok &= got[t] == sum;
  }
  grouped<<<1, 128>>>(d, o);
  by_barrier<<<1, 128>>>(d, o);
  OK(cudaMemcpy(got, o, 512, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 128; t++)
    ok &= got[t] == h[127 - t] + h[(t + 1) % 128];
  return finish(ok);
}
