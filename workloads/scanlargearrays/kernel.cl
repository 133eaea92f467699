/* scan_block: a group sums a block of twice its size by doubling distances, in local memory, and writes the
 * block's sum; on the level of those sums it works again. add_blocks: then a work-item for each element adds
 * what came before its block. */
__kernel void scan_block(__global float *restrict out, __global const float *restrict in,
                         __local float *block, __global float *restrict sums) {
  uint me = get_local_id(0), i = get_global_id(0), n = 2 * get_local_size(0);
  block[2 * me] = in[2 * i];
  block[2 * me + 1] = in[2 * i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  float even = block[2 * me], odd = block[2 * me + 1];
  for (uint distance = 1; distance < n; distance *= 2) {
    if (2 * me >= distance)
      even += block[2 * me - distance];
    if (2 * me + 1 >= distance)
      odd += block[2 * me + 1 - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    block[2 * me] = even;
    block[2 * me + 1] = odd;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[2 * i] = me > 0 ? block[2 * me - 1] : 0;
  out[2 * i + 1] = even;
  if (me == 0)
    sums[get_group_id(0)] = block[n - 1];
}

__kernel void add_blocks(__global float *restrict out, __global const float *restrict before) {
  out[get_global_id(0)] += before[get_group_id(0)];
}
