// arch: sm_80
// Asynchronous copies, memory orders, clocks and special registers.
#include "common.cuh"
// A pipeline of three stages: two copies in flight while one tile is used. 4-, 8- and 16-byte copies.
KERNEL cp_async(unsigned *out, const unsigned *in, int tiles)
{
  __shared__ __align__(16) unsigned s[3][256];
  unsigned t = threadIdx.x, acc = 0;
  auto start = [&](int k) {
    if (k < tiles) {
      const unsigned *g = in + k * 256;
      unsigned d = (unsigned)__cvta_generic_to_shared(s[k % 3]);
      if (t < 32) // 512 bytes
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(d + t * 16), "l"(g + t * 4));
      else if (t < 64) // 256 bytes
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(d + 512 + (t - 32) * 8), "l"(g + 128 + (t - 32) * 2));
      else if (t < 128) // 256 bytes; of every fourth word only the two low bytes, the rest zero
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(d + 768 + (t - 64) * 4), "l"(g + 192 + (t - 64)), "r"(t % 4 ? 4 : 2));
    }
    asm volatile("cp.async.commit_group;");
  };
  start(0);
  start(1);
  for (int k = 0; k < tiles; k++) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    acc = acc * 5 + s[k % 3][t] + 3 * s[k % 3][255 - t];
    start(k + 2);
    __syncthreads();
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = acc;
}
// Message passing between CTAs with release and acquire, fences and the other spellings.
KERNEL orders(unsigned *out, unsigned *data, unsigned *flag)
{
  unsigned b = blockIdx.x, v = 0, f;
  if (threadIdx.x) return;
  if (b % 2 == 0) { // the even CTA speaks first
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(data + b), "r"(mix(b)) : "memory");
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag + b) : "memory");
    do asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(f) : "l"(flag + b + 1) : "memory"); while (!f);
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(data + b + 1) : "memory");
  } else {
    do {
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(f) : "l"(flag + b - 1) : "memory");
      __nanosleep(20);
    } while (!f);
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(v) : "l"(data + b - 1) : "memory");
    asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(data + b), "r"(v * 3) : "memory");
    asm volatile("fence.sc.sys;\n\tmembar.gl;" ::: "memory");
    asm volatile("atom.exch.release.gpu.global.b32 %0, [%1], 1;" : "=r"(f) : "l"(flag + b) : "memory");
  }
  asm volatile("prefetch.global.L2 [%0];\n\tprefetch.global.L1 [%0];" ::"l"(data + b));
  unsigned x, y;
  asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(x) : "l"(data + b) : "memory");
  asm volatile("ld.global.lu.u32 %0, [%1];" : "=r"(y) : "l"(data + b) : "memory");
  out[b] = v + (x == y ? 1 : 100);
}
// Clocks only move forward; a sleep does not hang.
KERNEL clocks(unsigned *out)
{
  long long a = clock64();
  unsigned c = clock(), x = threadIdx.x;
  for (int i = 0; i < 10; i++) x = mix(x);
  __nanosleep(100);
  unsigned long long g;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
  out[threadIdx.x] = (clock64() > a) + 2 * (clock() != c) + (x == g) * 0;
}
// Three-dimensional grids and blocks; a block that is no multiple of the warp.
KERNEL sregs(unsigned *out)
{
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned *o = out + (b * blockDim.x * blockDim.y * blockDim.z + t) * 4;
  o[0] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 | blockIdx.z << 20;
  o[1] = blockDim.x | blockDim.y << 4 | blockDim.z << 8 | gridDim.x << 12 | gridDim.y << 16 | gridDim.z << 20;
  unsigned lane, eq, lt, le, gt, ge;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  o[2] = lane + (eq << 5 ^ lt * 3 ^ le * 5 ^ gt * 7 ^ ge * 11);
  o[3] = __popc(__activemask());
}
