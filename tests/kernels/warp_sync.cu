// arch: sm_80
// shfl, vote, match, redux and activemask, in full and in diverged warps. Width 32 only.
#include "common.cuh"
#define FULL 0xffffffffu
KERNEL shuffles(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), lane = threadIdx.x & 31, *o = out + i * 10;
  o[0] = __shfl_sync(FULL, h, 5);
  o[1] = __shfl_sync(FULL, h, h & 31);
  o[2] = __shfl_up_sync(FULL, h, 3);
  o[3] = __shfl_down_sync(FULL, h, 7);
  o[4] = __shfl_xor_sync(FULL, h, 21);
  o[5] = __shfl_up_sync(FULL, h, 2, 8);
  o[6] = __shfl_down_sync(FULL, h, 1, 4);
  o[7] = __shfl_sync(FULL, h, lane + 9, 16);
  o[8] = (unsigned)(__shfl_xor_sync(FULL, (unsigned long long)h << 16 | lane, 1) >> 8);
  unsigned s = h;
  for (int d = 16; d; d >>= 1)
    s += __shfl_xor_sync(FULL, s, d);
  o[9] = s;
}
KERNEL votes(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), lane = threadIdx.x & 31, *o = out + i * 8;
  o[0] = __ballot_sync(FULL, h & 1);
  o[1] = __any_sync(FULL, h % 40 == 0);
  o[2] = __all_sync(FULL, h % 40 != 0);
  o[3] = __uni_sync(FULL, blockIdx.x & 1 ? h >= 1 : h & 1);
  o[4] = 0;
  if (lane % 3 == 1) { // 11 lanes
    unsigned m = __activemask();
    o[4] = __ballot_sync(m, h & 2) | (m & 1);
    o[5] = __popc(m);
    o[6] = __shfl_sync(m, h, 31 - __clz(m));
  } else {
    o[5] = __popc(__activemask());
    o[6] = 1;
  }
  __syncwarp();
  o[7] = __activemask();
}
KERNEL matches(unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = mix(i), *o = out + i * 8;
  int all;
  o[0] = __match_any_sync(FULL, h % 5);
  o[1] = __match_any_sync(FULL, (unsigned long long)(h & 3) << 40);
  o[2] = __match_all_sync(FULL, blockIdx.x & 1 ? 7u : h & 1, &all);
  o[2] ^= all;
  o[3] = __reduce_add_sync(FULL, h);
  o[4] = __reduce_min_sync(FULL, (int)h) ^ __reduce_max_sync(FULL, h);
  o[5] = __reduce_and_sync(FULL, h | 0xff00ff00u) ^ __reduce_or_sync(FULL, h & 0x0ff00ff0u);
  o[6] = __reduce_xor_sync(FULL, h);
  o[7] = __reduce_max_sync(FULL, (int)h);
}
// Halves of a warp meet at their own bar.warp.sync and pass data through shared memory.
KERNEL warp_bars(unsigned *out)
{
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, lane = t & 31, h = mix(t);
  s[t] = h;
  if (lane < 16) {
    __syncwarp(0x0000ffffu);
    h += s[t ^ 1];
    __syncwarp(0x0000ffffu);
    s[t] = h;
    __syncwarp(0x0000ffffu);
    h ^= s[t ^ 15];
  } else {
    __syncwarp(0xffff0000u);
    h -= s[t ^ 3];
  }
  __syncwarp();
  s[t] = h;
  __syncwarp();
  out[t] = h + s[t ^ 31];
}
// A warp-aggregated append: the leader of the active lanes reserves for all.
KERNEL aggregate(unsigned *count, unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mix(i) % 3 == 0) {
    unsigned m = __activemask(), lane = threadIdx.x & 31, lead = __ffs(m) - 1, base = 0;
    if (lane == lead)
      base = atomicAdd(count, __popc(m));
    base = __shfl_sync(m, base, lead);
    out[base + __popc(m & ((1u << lane) - 1))] = 1;
  }
}
