// Bulk copies into shared memory that an mbarrier counts, and back to global memory in a group.
#include "check.cuh"
#include <cstdint>
__global__ void mirror(const int *in, int *out) {
  __shared__ alignas(128) int tile[256];
  __shared__ alignas(8) uint64_t bar;
  int t = threadIdx.x;
  unsigned b = (unsigned)__cvta_generic_to_shared(&bar), s = (unsigned)__cvta_generic_to_shared(tile);
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %4, 0;\n"
               "@p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n"
               "@p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%3], %2; }" ::"r"(s), "l"(in + blockIdx.x * 256), "r"(1024), "r"(b), "r"(t)
               : "memory");
  for (unsigned ok = 0; !ok;)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(b), "r"(0) : "memory");
  int v = tile[255 - t];
  __syncthreads();
  tile[t] = v * 2;
  asm volatile("fence.proxy.async.shared::cta;");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * 256), "r"(s), "r"(1024) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}
int main() {
  int h[1024], *a, *b;
  for (int i = 0; i < 1024; i++)
    h[i] = i;
  OK(cudaMalloc(&a, sizeof h));
  OK(cudaMalloc(&b, sizeof h));
  OK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  mirror<<<4, 256>>>(a, b);
  OK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < 1024; i++)
    ok &= h[i] == 2 * (i / 256 * 256 + 255 - i % 256);
  return finish(ok);
}
