/* A group takes a block of twice its size through all its levels in local memory. Of a level with m pairs the details
 * go to m..2m-1 of the whole transform; the block's last average is left for the next launch. */
#define INV_SQRT2 0.70710678118654752f

__kernel void haar(__global const float *restrict in, __global float *restrict details,
                   __global float *restrict averages, __local float *block, uint length) {
  uint me = get_local_id(0), items = get_local_size(0), group = get_group_id(0), first = group * 2 * items;
  block[me] = in[first + me];
  block[me + items] = in[first + me + items];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint pairs = items, all = length / 2; pairs > 0; pairs /= 2, all /= 2) {
    float a = 0, b = 0;
    if (me < pairs) {
      a = block[2 * me];
      b = block[2 * me + 1];
      details[all + group * pairs + me] = (a - b) * INV_SQRT2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < pairs)
      block[me] = (a + b) * INV_SQRT2;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    averages[group] = block[0];
}
