// Prefix sums in three kernels, with dynamic shared memory, and warp intrinsics.
#include "check.cuh"
__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n) {
  extern __shared__ unsigned temp[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned v = i < n ? in[i] : 0, x = v;
  for (int o = 1; o < 32; o *= 2) {
    unsigned y = __shfl_up_sync(0xffffffff, x, o);
    if (lane >= o)
      x += y;
  }
  if (lane == 31)
    temp[warp] = x;
  __syncthreads();
  if (warp == 0) {
    unsigned t = lane < blockDim.x / 32 ? temp[lane] : 0, s = t;
    for (int o = 1; o < 32; o *= 2) {
      unsigned y = __shfl_up_sync(0xffffffff, s, o);
      if (lane >= o)
        s += y;
    }
    temp[lane] = s - t;
  }
  __syncthreads();
  if (i < n)
    out[i] = x - v + temp[warp];
  if (threadIdx.x == blockDim.x - 1)
    sums[blockIdx.x] = x + temp[warp];
}
__global__ void add(unsigned *out, const unsigned *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += sums[blockIdx.x];
}
__global__ void intrinsics(unsigned *out) {
#if __CUDA_ARCH__ >= 800
  unsigned t = threadIdx.x, m = __ballot_sync(~0u, t % 3 == 0);
  unsigned r = __popc(m) + __ffs(m) + __clz(t) + __brev(t) % 5 + __byte_perm(t, 0x01020304, 0x5410);
  r += __shfl_xor_sync(~0u, t, 5) + __shfl_sync(~0u, t, 3, 8) + (__all_sync(~0u, t < 32) ? 7 : 0);
  r += __match_any_sync(~0u, t / 8) % 11 + __reduce_add_sync(~0u, t) + __reduce_max_sync(~0u, t ^ 9);
  out[t] = r;
#endif
}
int main() {
  const int n = 20000, block = 256, blocks = (n + block - 1) / block;
  unsigned *h = new unsigned[n], *g = new unsigned[n], *d, *o, *s, *s2, *one;
  for (int i = 0; i < n; i++)
    h[i] = i * 2654435761u >> 24;
  OK(cudaMalloc(&d, n * 4));
  OK(cudaMalloc(&o, n * 4));
  OK(cudaMalloc(&s, 1024));
  OK(cudaMalloc(&s2, 1024));
  OK(cudaMalloc(&one, 1024));
  OK(cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice));
  scan_blocks<<<blocks, block, 128>>>(d, o, s, n);
  scan_blocks<<<1, block, 128>>>(s, s2, one, blocks);
  add<<<blocks, block>>>(o, s2, n);
  OK(cudaMemcpy(g, o, n * 4, cudaMemcpyDeviceToHost));
  bool ok = true;
  unsigned sum = 0;
  for (int i = 0; i < n; sum += h[i++])
    ok &= g[i] == sum;
#if __CUDACC_VER_MAJOR__ >= 11
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  if (p.major >= 8) {
    intrinsics<<<1, 32>>>(o);
    OK(cudaMemcpy(g, o, 128, cudaMemcpyDeviceToHost));
    for (unsigned t = 0; t < 32; t++) {
      unsigned rev = 0, clz = 32;
      for (int b = 0; b < 32; b++)
        rev |= (t >> b & 1) << (31 - b);
      for (unsigned v = t; v; v >>= 1)
        clz--;
      unsigned perm = (t & 0xffff) | 0x03040000; /* bytes 0, 1 of t, then bytes 4, 5 */
      unsigned want = 11 + 1 + clz + rev % 5 + perm + (t ^ 5) + (t / 8 * 8 + 3) + 7;
      want += (0xffu << t / 8 * 8) % 11 + 496 + 31;
      ok &= g[t] == want;
    }
  }
#endif
  return finish(ok);
}
