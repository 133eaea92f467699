/* A work-item adds two neighbouring vectors of four; a group of 256 reduces them in local memory, halving, and
 * writes one vector. */
#define GROUP 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void reduce(__global const uint4 *restrict in,
                                                                        __global uint4 *restrict out) {
  __local uint4 sums[GROUP];
  uint me = get_local_id(0), i = get_global_id(0);
  sums[me] = in[2 * i] + in[2 * i + 1];
  for (uint left = GROUP / 2; left > 0; left /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < left)
      sums[me] += sums[me + left];
  }
  if (me == 0)
    out[get_group_id(0)] = sums[0];
}
